package protocol

// Reason says why a request was turned away, refused or ended.
type Reason uint16

// The reasons.
const (
	NoReason Reason = iota

	// At the door: the request never gets a slot.
	EmptyPrompt   // validation
	TooLong       // validation: the prompt leaves no room for a token below max_len
	BadLimit      // validation: fewer than one output token asked for
	BadToken      // validation: a prompt token outside the vocabulary
	UnknownTenant // nobody the engine knows
	NameLive      // a live request has the name
	NeverFits     // capacity: an empty engine could not hold it
	QueueFull     // queue: as many are waiting as may
	QuotaFull     // quota: as many of the tenant's requests are live as may
	NoWorker      // the handshake failed: nothing can run

	// From the worker, after blocks and a row were given.
	RowTooLong // the row would exceed the worker's maximum length
	PassTooBig // the pass would exceed the worker's tokens a batch
	RowsFull   // all of the worker's rows are bound
	NoRow      // the worker has no row for it although it should
	Dependency // it shares blocks that a refused row of the same pass was to write
	Injected   // a fault of the test

	// Ends.
	Stopped   // its end-of-sequence token
	LengthEnd // its last allowed token
	Cancelled // by its client
	NumReasons
)

// Denial is a line of the table of refusals.
type Denial struct {
	Why  Reason
	Name string
	By   string // admission or worker
	When string // the condition, for people
}

// Denials is the table of refusals: every reason for which a request may be turned away, and by whom.
var Denials = []Denial{
	{EmptyPrompt, "empty-prompt", "admission", "the prompt has no tokens"},
	{TooLong, "too-long", "admission", "the prompt has max_len tokens or more"},
	{BadLimit, "bad-limit", "admission", "fewer than one output token is asked for"},
	{BadToken, "bad-token", "admission", "a prompt token is outside the vocabulary"},
	{UnknownTenant, "unknown-tenant", "admission", "the tenant is not known to the engine"},
	{NameLive, "name-live", "admission", "a live request has the same name"},
	{NeverFits, "never-fits", "admission", "its prompt and output need more blocks than the pool has"},
	{QueueFull, "queue-full", "admission", "as many requests are waiting as the queue may hold"},
	{QuotaFull, "quota-full", "admission", "as many of the tenant's requests are live as its quota allows"},
	{NoWorker, "no-worker", "admission", "the worker was refused at the handshake"},
	{RowTooLong, "row-too-long", "worker", "the row would exceed the worker's max_len"},
	{PassTooBig, "pass-too-big", "worker", "the pass would exceed the worker's budget"},
	{RowsFull, "rows-full", "worker", "all of the worker's rows are bound"},
	{NoRow, "no-row", "worker", "the plan extends a row that the worker does not have"},
	{Dependency, "dependency", "worker", "it shares blocks that a refused row of the same pass was to write"},
	{Injected, "injected", "worker", "a fault of the script"},
}

func (r Reason) String() string {
	for i := range Denials {
		if Denials[i].Why == r {
			return Denials[i].Name
		}
	}
	switch r {
	case Stopped:
		return "stop"
	case LengthEnd:
		return "length"
	case Cancelled:
		return "cancelled"
	}
	return "none"
}
