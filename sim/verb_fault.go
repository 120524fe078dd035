package sim

import (
	"slices"

	"custody/cache"
	"custody/sim/engine"
	"custody/traces"
)

// The verbs that arm a fault, which strikes later: each the n-th chunk of a request's present life, its copy, or an
// allocation for its table.

// aChunk is which of a request's chunks a fault strikes.
var aChunk = Range{Arg: traces.NthChunk, Lo: 1, Hi: 4}

// someTicks is by how much a fault makes an operation late.
var someTicks = Range{Arg: traces.By, Lo: 1, Hi: 100}

var failAllocVerb = VerbSpec{
	Verb: traces.FailAlloc, Fault: true, Strikes: true, claimed: true, denies: []cache.BlockKind{cache.Alloc},
	step: StepFault, apply: arm, Chance: 50, Target: true, Args: []Range{{Arg: traces.NthBlock, Lo: 0, Hi: 5}},
}

var failPassVerb = VerbSpec{
	Verb: traces.FailPass, Fault: true, Strikes: true, claimed: true, able: loses, step: StepFault, apply: arm,
	Chance: 50, Target: true, Args: []Range{aChunk},
}

var failCopyVerb = VerbSpec{
	Verb: traces.FailCopy, Fault: true, Strikes: true, claimed: true, able: loses, step: StepFault, apply: arm,
	Chance: 50, Target: true,
}

var delayVerb = VerbSpec{
	Verb: traces.Delay, Fault: true, Strikes: true, step: StepFault, apply: arm,
	Chance: 50, Target: true, Args: []Range{aChunk, someTicks},
}

var stallVerb = VerbSpec{
	Verb: traces.Stall, Fault: true, Strikes: true, able: copies, step: StepFault, apply: arm,
	Chance: 50, Target: true, Args: []Range{someTicks},
}

var refuseVerb = VerbSpec{
	Verb: traces.Refuse, Refusal: true, claimed: true, able: hearsRefusals, step: StepFault, apply: armRefusal,
	Chance: 40, Target: true, Args: []Range{aChunk, {Arg: traces.Final, Chance: 30}},
}

func loses(n *Node) bool {
	_, able := n.Engine.(engine.Loser)
	return able
}

func hearsRefusals(n *Node) bool {
	_, able := n.Engine.(engine.Refusable)
	return able
}

// copies tells whether the engine makes copies, now or under another configuration.
func copies(n *Node) bool {
	return n.Claims.Queues > 1 || slices.Contains(n.Claims.Can, traces.FailCopy)
}
