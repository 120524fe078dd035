package invariants

import "custody/cache"

// Mark numbers the conditions that a campaign must reach sometimes. A promise says "never"; its mark says that the
// harmless neighbour did happen, so that the checks had something to tell apart. Each stands in the file of its promise.
type Mark uint8

// markBits leaves room for eight marks beside each promise.
const markBits = 3

// MarkStatement is a mark as a reviewer reads it.
type MarkStatement struct {
	Mark     Mark
	Name     string // stable: stands in summaries and documents
	Sentence string
	Pair     ID // the promise whose neighbour it is; NumPromises: none
}

// The marks of interleavings in which real engines broke: they stand beside no single promise, and behind all others.
const (
	SharedReleasedWhileRead Mark = Mark(NumPromises)<<markBits + iota
	EvictedBeforeAdmission
	RefusedWithPass
	PreemptedWithToken
	CancelledWithTwoPasses
	// LostWithLaterPass is reached when a pass fails and takes a later one with it.
	LostWithLaterPass
	// NameAgainWithPass is reached when a name is used again while an operation of its earlier request is outstanding.
	NameAgainWithPass
	WaitedForDeferred
	// SecondBlockFailed is reached when an allocation fails that has set one block aside already.
	SecondBlockFailed
	NumMarks
)

var interleavings = []MarkStatement{
	{Mark: SharedReleasedWhileRead, Name: "shared-released-while-read",
		Sentence: "a shared block was released by one holder while an outstanding pass of another was to read it"},
	{Mark: EvictedBeforeAdmission, Name: "evicted-before-admission",
		Sentence: "blocks that a lookup had found were evicted before the request was admitted"},
	{Mark: RefusedWithPass, Name: "refused-with-a-pass-outstanding",
		Sentence: "the worker refused a request while an earlier pass of that life was outstanding"},
	{Mark: PreemptedWithToken, Name: "preempted-with-a-token-in-flight",
		Sentence: "a request was preempted when the worker had sampled a token that had not settled"},
	{Mark: CancelledWithTwoPasses, Name: "cancelled-with-two-passes-outstanding",
		Sentence: "a request was cancelled while two passes carried it"},
	{Mark: LostWithLaterPass, Name: "lost-with-a-later-pass",
		Sentence: "a pass failed and took a later one with it"},
	{Mark: NameAgainWithPass, Name: "name-again-with-a-pass-outstanding",
		Sentence: "a name was used again while an operation of its earlier request was outstanding"},
	{Mark: WaitedForDeferred, Name: "waited-for-a-deferred-release",
		Sentence: "an admission failed while blocks of ended lives waited for an operation to settle"},
	{Mark: SecondBlockFailed, Name: "allocation-failed-in-its-second-block",
		Sentence: "an allocation failed when one block had been set aside already"},
}

// Marks lists the marks as summaries do: interleavings, then what stands beside each promise.
var Marks = listMarks()

func listMarks() []MarkStatement {
	list := paired(NumPromises, interleavings)
	for _, s := range rows {
		list = append(list, paired(s.ID, s.Marks)...)
	}
	return list
}

func paired(id ID, marks []MarkStatement) (list []MarkStatement) {
	for _, m := range marks {
		m.Pair = id
		list = append(list, m)
	}
	return list
}

// Hit notes that a mark has been reached: see Marks.
func (v *verdict) Hit(m Mark) { v.marks[m] = true }

// Hits tells which marks the run has hit.
func (v *verdict) Hits() *[NumMarks]bool { return &v.marks }

// markReleased: a holder has dropped a block that others still hold. What costs more than a comparison is not looked for
// again once it has been found.
func markReleased(l *Ledger, r cache.Req, b cache.BlockID) {
	if !l.marks[SharedReleasedWhileRead] {
		l.marks[SharedReleasedWhileRead] = l.ops.reads(b, r.Slot)
	}
}

// markTaken: something takes a request away from what it was doing.
func markTaken(l *Ledger, r cache.Req, why cache.Cause) {
	switch why {
	case cache.ByCancel:
		if l.ops.passesOf(r) > 1 {
			l.Hit(CancelledWithTwoPasses)
		}
	case cache.ByPreempt:
		if l.lives.present[r.Slot].sampled > 0 {
			l.Hit(PreemptedWithToken)
		}
	case cache.ByRefusal:
		if l.ops.passesOf(r) > 0 { // the refused one does not carry it
			l.Hit(RefusedWithPass)
		}
	}
}

// markDenied: a request has been denied admission.
func markDenied(l *Ledger) {
	if l.blocks.leaving > 0 {
		l.Hit(WaitedForDeferred)
	}
}

// markAdmitted: a request has been given its blocks; more of them might have been found when it was denied them.
func markAdmitted(l *Ledger, r cache.Req) {
	x := &l.lives.present[r.Slot]
	if l.attempts.hit < x.looked {
		l.Hit(EvictedBeforeAdmission)
	}
	x.looked = 0
}
