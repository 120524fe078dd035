package campaign

import (
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/cover"
	"custody/traces"
)

// count is a word with how often it happened.
type count struct {
	name string
	n    int64
}

// faultCounts lists how often each fault struck, and each thing that a client or the engine's keeper may do at any time.
func faultCounts(c *cover.Coverage) []count {
	var list []count
	for i := range sim.Verbs {
		if v := &sim.Verbs[i]; v.Strikes {
			list = append(list, count{v.Verb.String(), c.Faults[v.Verb]})
		}
	}
	return append(list,
		count{"refuse", c.Refusals[protocol.Injected]},
		count{"cancel", c.Faults[traces.Cancel]},
		count{"preempt", c.Faults[traces.Preempt]},
		count{"reset", c.Resets[0][0] + c.Resets[0][1]},
		count{"reset force", c.Resets[1][0] + c.Resets[1][1]},
	)
}

// denialCounts lists how often each reason of the table of refusals was given, at the door or by the worker.
func denialCounts(c *cover.Coverage) []count {
	var list []count
	for _, d := range protocol.Denials {
		list = append(list, count{d.Name, c.Denials[d.Why] + c.Refusals[d.Why]})
	}
	return list
}

// mismatchCounts lists the configuration keys in which workers differed from their engine, with the number of runs.
func mismatchCounts(c *cover.Coverage) []count {
	var list []count
	for k, n := range c.Mismatch {
		if n > 0 {
			list = append(list, count{traces.Keys[k].Name, n})
		}
	}
	return list
}

// endCounts lists how often each end was told.
func endCounts(c *cover.Coverage) []count {
	var list []count
	for why, n := range c.Ends {
		if n > 0 {
			list = append(list, count{protocol.Reason(why).String(), n})
		}
	}
	return list
}

// notExercised lists what a campaign is no evidence for: promises that were never checked, and what never occurred.
func notExercised(s *cover.Summary) []string {
	var list []string
	for id := range invariants.Statements {
		switch x := &invariants.Statements[id]; {
		case s.Unchecked[id]:
			list = append(list, "promise: "+x.Name+" is not checked of an engine that does not show "+x.Needs.String())
		case s.Checks[id] == 0:
			list = append(list, "promise: "+x.Name+" was never checked")
		}
	}
	return append(list, s.Coverage.Missing()...)
}
