package invariants

// Mark numbers the conditions that a campaign must reach sometimes. A promise says "never"; its mark says that the
// harmless neighbour did happen, so that the checks had something to tell apart.
type Mark uint8

// The marks.
const (
	// Interleavings in which real engines broke.
	SharedReleasedWhileRead Mark = iota
	EvictedBeforeAdmission
	RefusedWithPass
	PreemptedWithToken
	CancelledWithTwoPasses
	LostWithLaterPass
	NameAgainWithPass
	WaitedForDeferred
	SecondBlockFailed

	// Pairs of a promise.
	TwoDomainsSameTokens
	SameDomainShares
	FoundInPart
	PoisonedAndRewritten
	KeysCollided
	FoundBeforeWritten
	WithdrawnUnwritten
	RowChangedDomain
	PassOnPass
	TwoQueuesReadOne
	SharedOutlivesHolder
	LateResult
	MessagesInterleaved
	DomainsInOnePass
	OwnMarkerTold
	BudgetFilled
	RowsFilled
	LaterCameFirst
	GaveWay
	FailedHalfway
	FoundWhole
	OneOfTwoEntriesWent
	EntriesOutliveRequests
	EndedAfterRestart
	NothingToDo
	OtherLimitsRan
	NumMarks
)

// MarkStatement is a mark as a reviewer reads it.
type MarkStatement struct {
	Name     string // stable: stands in summaries and documents
	Sentence string
	Pair     ID // the promise whose neighbour it is; NumPromises: none
}

// Marks lists the marks.
var Marks = [NumMarks]MarkStatement{
	SharedReleasedWhileRead: {"shared-released-while-read", "a shared block was released by one holder while an outstanding pass of another was to read it", NumPromises},
	EvictedBeforeAdmission:  {"evicted-before-admission", "blocks that a lookup had found were evicted before the request was admitted", NumPromises},
	RefusedWithPass:         {"refused-with-a-pass-outstanding", "the worker refused a request while an earlier pass of that life was outstanding", NumPromises},
	PreemptedWithToken:      {"preempted-with-a-token-in-flight", "a request was preempted when the worker had sampled a token that had not settled", NumPromises},
	CancelledWithTwoPasses:  {"cancelled-with-two-passes-outstanding", "a request was cancelled while two passes carried it", NumPromises},
	LostWithLaterPass:       {"lost-with-a-later-pass", "a pass failed and took a later one with it", NumPromises},
	NameAgainWithPass:       {"name-again-with-a-pass-outstanding", "a name was used again while an operation of its earlier request was outstanding", NumPromises},
	WaitedForDeferred:       {"waited-for-a-deferred-release", "an admission failed while blocks of ended lives waited for an operation to settle", NumPromises},
	SecondBlockFailed:       {"allocation-failed-in-its-second-block", "an allocation failed when one block had been set aside already", NumPromises},

	TwoDomainsSameTokens:   {"two-domains-same-tokens", "two isolation domains had live requests whose prompts begin with the same block of tokens", Tenant},
	SameDomainShares:       {"same-domain-shares", "a request was given a block that another request of its domain had filled", Tenant},
	FoundInPart:            {"found-in-part", "some blocks of a prompt were found and the next one was not", Content},
	PoisonedAndRewritten:   {"poisoned-and-rewritten", "a block was poisoned, and its next holder filled it", Written},
	KeysCollided:           {"keys-collided", "a lookup met an entry of other content under its key, and passed it over", Key},
	FoundBeforeWritten:     {"found-before-written", "a block was found that the pass which was to write it had not settled", Publish},
	WithdrawnUnwritten:     {"withdrawn-unwritten", "an entry was withdrawn whose block was never written", Publish},
	RowChangedDomain:       {"row-changed-domain", "a worker's row was bound to a request of another domain than before", Row},
	PassOnPass:             {"pass-on-pass", "a pass was issued that rests on what an outstanding pass had still to write", Count},
	TwoQueuesReadOne:       {"two-queues-read-one-block", "operations of two queues were to read one block at the same time", Inflight},
	SharedOutlivesHolder:   {"shared-outlives-a-holder", "a block stayed held when one of its holders released it", Owner},
	LateResult:             {"late-result", "a result arrived for a life that had ended", Once},
	MessagesInterleaved:    {"messages-interleaved", "messages to two clients were on their way at the same time", Route},
	DomainsInOnePass:       {"domains-in-one-pass", "one pass computed requests of two domains", Solo},
	OwnMarkerTold:          {"own-marker-told", "a tenant was told its own marker", Marker},
	BudgetFilled:           {"budget-filled", "a pass was issued with exactly as many tokens as the budget allows", Limits},
	RowsFilled:             {"rows-filled", "as many requests ran as there are rows", Limits},
	LaterCameFirst:         {"later-came-first", "a request was queued before an earlier one because of its priority", Order},
	GaveWay:                {"gave-way", "a request was preempted for blocks that another needed", Order},
	FailedHalfway:          {"failed-halfway", "an allocation failed after found blocks had been taken, and gave them back", Atomic},
	FoundWhole:             {"found-whole", "a request was given every block of its tokens that can be a hit", Reuse},
	OneOfTwoEntriesWent:    {"one-of-two-entries-went", "an entry ended while another one of the same content stayed", Mirror},
	EntriesOutliveRequests: {"entries-outlive-requests", "nothing was held at the end, and blocks could still be found", Drain},
	EndedAfterRestart:      {"ended-after-a-restart", "a request that had lost its blocks on the way ended normally", Progress},
	NothingToDo:            {"nothing-to-do", "an event came where it does not apply, and did nothing", Alive},
	OtherLimitsRan:         {"other-limits-ran", "a worker that differs in its limits, and in no layout field, ran a pass", LayoutAgreed},
}

// Hit notes that a mark has been reached: see Marks.
func (v *verdict) Hit(m Mark) { v.marks[m] = true }

// Hits tells which marks the run has hit.
func (v *verdict) Hits() *[NumMarks]bool { return &v.marks }
