package sim

// Time is virtual time in ticks. One tick is about what a pass needs for one token.
type Time int64

// The cost model. A pass of n tokens that reads s slots takes PassTicks + n + s/ReadsPerTick ticks; its result is with
// the scheduler SettleTicks later. A copy takes what the configuration's `copy` says, a message to a client what `link`
// says. Operations of one queue run one after the other, those of two queues side by side.
const (
	PassTicks    Time = 8
	ReadsPerTick      = 64
	SettleTicks  Time = 1
)

func passTicks(tokens, reads int32) Time {
	return PassTicks + Time(tokens) + Time(reads)/ReadsPerTick
}
