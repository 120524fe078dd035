package invariants

import (
	"slices"

	"custody/cache"
)

// Marker promises: a tenant's secret marker never appears in another tenant's output.
//
// Observes: tokens as clients receive them, ends, and the markers that tenants have declared.
//
// Decides: when an answer has ended, no other tenant's marker may stand in what its client was told. It is a leak that
// a person can read, and it comes last: most leaks show in no text. An answer that the request would get alone is none,
// whatever it spells, and neither is one to a client that named the marker itself.
//
// Says: the client that was told, and the position at which the marker begins.
const Marker ID = 12

const OwnMarkerTold Mark = Mark(Marker) << markBits

var markerStatement = Statement{
	ID: Marker, Name: "marker", Unit: "answers ended, by marker",
	Sentence: "a tenant's secret marker never appears in another tenant's output",
	Marks: []MarkStatement{
		{Mark: OwnMarkerTold, Name: "own-marker-told", Sentence: "a tenant was told its own marker"},
	},
}

func marked(markers [][]cache.Token) bool {
	return slices.ContainsFunc(markers, func(m []cache.Token) bool { return m != nil })
}

func checkMarkers(l *Ledger, a *account) {
	if !l.accounts.marked {
		return
	}
	asked, told := l.accounts.said(a)
	for tenant, m := range l.cfg.Parties.Markers {
		if m == nil {
			continue
		}
		at := placeIn(told, m)
		if int32(tenant) == a.tenant {
			if at >= 0 {
				l.Hit(OwnMarkerTold)
			}
			continue
		}
		l.checks[Marker]++
		if a.conduct.strayed && at >= 0 && placeIn(asked, m) < 0 {
			b := plain(Marker, a.client, "another tenant's marker was told")
			b.Pos = a.submitted + at
			l.breach(b)
		}
	}
}

// placeIn is where a part begins in a text, or -1.
func placeIn(text, part []cache.Token) int32 {
	for i := range text {
		if len(part) <= len(text)-i && slices.Equal(text[i:i+len(part)], part) {
			return int32(i)
		}
	}
	return -1
}
