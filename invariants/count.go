package invariants

import "custody/cache"

// Count promises: settled never exceeds the leading run of slots that are valid for the request; no pass
// starts above settled plus what earlier outstanding passes will write.
//
// Observes: where each row of a pass starts, and what the scheduler takes as settled.
//
// Decides: the ledger extends a request's valid positions when blocks are found for it and when a pass writes it;
// passes are computed in order, so what earlier ones write is in when a later one starts.
//
// Says: the request, and the position from which nothing is valid for it.
const Count ID = 6

// PassOnPass is reached when a pass was issued that rests on what an outstanding pass had still to write.
const PassOnPass Mark = Mark(Count) << markBits

var countStatement = Statement{
	ID: Count, Name: "count", Unit: "rows and settlements",
	Sentence: "settled never exceeds the leading run of slots that are valid for the request; no pass starts above " +
		"settled plus what earlier outstanding passes will write",
	Marks: []MarkStatement{
		{Mark: PassOnPass, Name: "pass-on-pass",
			Sentence: "a pass was issued that rests on what an outstanding pass had still to write"},
	},
}

func checkStart(l *Ledger, u *cache.Used, x *presentLife) {
	l.checks[Count]++
	if u.Start > x.valid {
		b := plain(Count, x.client, "a pass starts above the positions that are valid for the request")
		b.Op, b.Pos = u.Op, u.Start
		l.breach(b)
	}
}

func checkSettled(l *Ledger, r cache.Req, settled int32) {
	x := l.lives.current(r)
	if x == nil {
		return
	}
	l.checks[Count]++
	if settled > x.valid {
		b := plain(Count, x.client, "more is settled than is valid for the request")
		b.Pos = settled
		l.breach(b)
	}
}
