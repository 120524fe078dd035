package traces

// Arg names a number or a flag of an event.
type Arg uint8

// The arguments. The order is the order in which they are compared.
const (
	Max          Arg = iota // submit: most output tokens
	SamplingSeed            // submit
	EOS                     // submit: the token that ends it; -1 is none
	Prio                    // submit: lower is sooner
	Temp                    // submit: temperature in hundredths; 0: the likeliest token is taken
	TopK                    // submit: how many of the likeliest tokens are drawn from; 0: all
	TopP                    // submit: the share of the probability that is drawn from, in hundredths; 0: all
	NthBlock                // fail alloc: the entry of the block table, from 0
	NthChunk                // fail pass, refuse, delay: the chunk, from 1
	Count                   // run: derived events
	By                      // delay, stall: ticks more
	Ticks                   // +T
	Force                   // reset
	Final                   // refuse
	NumArgs

	tenantArg = NumArgs     // submit; the event keeps it in Tenant
	promptArg = NumArgs + 1 // submit; the event keeps it in Prompt
)

// Args holds a value for every argument. Those that an event's verb does not take are 0.
type Args [NumArgs]int64

// argType says how an argument is written.
type argType uint8

const (
	asNumber argType = iota // max=8
	asBare                  // 3, right after the verb and without its name
	asWide                  // a number of 64 bits: seed=7; Args holds the bits of a uint64
	asFlag                  // a word of its own: final; Args holds 1 if it is there
	asName                  // a name or `?`: tenant=amber
	asTokens                // prompt="text" or prompt=3,5,1
)

// argRow is what the language says of one argument.
type argRow struct {
	word              string
	kind              argType
	required          bool  // people must write it, and it is always printed
	Default, Min, Max int64 // of a number
	doc               string
}

// Ranges of arguments. A token may lie beyond the vocabulary and a length beyond the limits: refusing them is the
// engine's business.
const (
	maxCount = 1 << 16
	maxTicks = 1 << 20
	maxToken = 1 << 16
)

// args is the table of all arguments, by Arg.
var args = [...]argRow{
	tenantArg: {word: "tenant", kind: asName, required: true,
		doc: "who it belongs to; `?` is a tenant that the engine does not know"},
	promptArg: {word: "prompt", kind: asTokens, required: true, doc: "text, whose bytes are the tokens, or token numbers"},

	Max:          {word: "max", Default: 1, Max: maxCount, doc: "most output tokens"},
	SamplingSeed: {word: "seed", kind: asWide, doc: "sampling seed"},
	EOS:          {word: "eos", Default: -1, Min: -1, Max: maxToken, doc: "the token that ends it; -1 is none"},
	Prio:         {word: "prio", Min: -maxCount, Max: maxCount, doc: "lower is sooner"},
	Temp:         {word: "temp", Max: 1000, doc: "temperature in hundredths; 0 takes the likeliest token"},
	TopK:         {word: "top_k", Max: maxToken, doc: "draw from the likeliest so many tokens; 0 is all"},
	TopP: {word: "top_p", Max: 100,
		doc: "draw from the likeliest tokens that have so many hundredths of the probability; 0 is all"},

	NthBlock: {word: "block", required: true, Max: maxCount, doc: "which entry of its block table, from 0"},
	NthChunk: {word: "chunk", Default: 1, Min: 1, Max: maxCount, doc: "which of its chunks, from 1"},
	Count:    {word: "K", kind: asBare, required: true, Min: 1, Max: maxCount, doc: "how many"},
	By:       {word: "by", required: true, Default: 1, Min: 1, Max: maxTicks, doc: "ticks more"},
	Ticks:    {word: "T", kind: asBare, required: true, Min: 1, Max: maxTicks, doc: "ticks"},
	Force:    {word: "force", kind: asFlag, Max: 1, doc: "preempt all running requests first"},
	Final:    {word: "final", kind: asFlag, Max: 1, doc: "the request ends instead of waiting again"},
}

// Bare tells whether the argument is the number that follows its verb without a name: 3 in `run 3`.
func (a Arg) Bare() bool { return args[a].kind == asBare }

// Flag tells whether the argument is a flag, which holds 0 or 1.
func (a Arg) Flag() bool { return args[a].kind == asFlag }

// Wide tells whether the argument has 64 bits: Args then holds those of a uint64.
func (a Arg) Wide() bool { return args[a].kind == asWide }

// Optional tells whether a line may lack the argument; it then has its default.
func (a Arg) Optional() bool { return !args[a].required }

// Default is the value of an argument that is not written.
func (a Arg) Default() int64 { return args[a].Default }

// Largest is the largest value that a script may give to a number.
func (a Arg) Largest() int64 { return args[a].Max }

// Floor is the simplest value of a number: its default, or the least that makes sense. Toward it is simpler.
func (a Arg) Floor() int64 { return max(args[a].Default, args[a].Min) }

// Int is the value of an argument, of any but a wide one.
func (e *Event) Int(a Arg) int32 { return int32(e.Args[a]) }

// Has tells whether a flag is set.
func (e *Event) Has(a Arg) bool { return e.Args[a] != 0 }

// Seed is the sampling seed of a submit.
func (e *Event) Seed() uint64 { return uint64(e.Args[SamplingSeed]) }
