package sim

import "custody/sim/engine"

// Time is virtual time in ticks. One tick is about what a pass needs for one token.
type Time = engine.Time

// The cost model. A pass of n tokens that reads s slots takes passTicks + n + s/readsPerTick ticks; its result is with
// the scheduler settleTicks later. A copy takes what the configuration's `copy` says, a message to a client what `link`
// says. Operations of one queue run one after the other, those of two queues side by side.
const (
	passTicks    Time = 8
	readsPerTick      = 64
	settleTicks  Time = 1
)

func passTime(tokens, reads int32) Time {
	return passTicks + Time(tokens) + Time(reads)/readsPerTick
}
