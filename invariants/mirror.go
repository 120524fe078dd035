package invariants

// Mirror promises: a consumer that applies the KV event stream holds exactly the index.
//
// Observes: blocks published and unpublished, as the pool reports them, and the KV event stream, as a router outside
// would receive it.
//
// Decides: a consumer applies the stream and derives from its tokens what each key stands for. Between two events of
// the world it must hold the same contents as the published blocks do, two blocks of one content counted once; both
// sides keep their number and sum. An event that does not fit what the consumer holds breaks the promise too.
//
// Says: that the two differ, or that an event did not fit.
const Mirror ID = 18

const OneOfTwoEntriesWent Mark = Mark(Mirror) << markBits

var mirrorStatement = Statement{
	ID: Mirror, Name: "mirror", Unit: "events after which both were compared",
	Needs:    HidesFacts | HidesStream,
	Sentence: "a consumer that applies the KV event stream holds exactly the index",
	Marks: []MarkStatement{
		{Mark: OneOfTwoEntriesWent, Name: "one-of-two-entries-went",
			Sentence: "an entry ended while another one of the same content stayed"},
	},
}

func checkMirror(l *Ledger) {
	l.checks[Mirror]++
	if l.mirror.contents == l.index.filed.contents && l.mirror.err == nil || l.broken[Mirror] {
		return
	}
	b := plain(Mirror, -1, "a consumer of the KV events holds other content than the index")
	if l.mirror.err != nil {
		b.Detail = "a KV event does not fit what a consumer of all events before holds"
	}
	l.breach(b)
}

// markOneOfTwo: an entry has ended.
func markOneOfTwo(l *Ledger, x *entry) {
	if !l.marks[OneOfTwoEntriesWent] {
		l.marks[OneOfTwoEntriesWent] = l.index.filed.has(x.tag)
	}
}
