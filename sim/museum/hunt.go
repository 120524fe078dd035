package museum

import (
	"custody/sim"
	"custody/sim/explain"
	"custody/sim/gen"
	"custody/sim/local"
	"custody/traces"
	"custody/traces/shrink"
)

// Hunt is a campaign over the seeds from 1, on the engine that this program is compiled with.
type Hunt struct {
	Profile gen.Profile
	Promise string // to look for; any, if empty
	Seeds   int    // to try
	Found   int    // end when so many have broken the promise in their first failing step
	Silent  bool   // the engine keeps its facts to itself: what is wrong must show in its plans, and nothing is shrunk
}

func (h *Hunt) options() sim.ExecuteOptions {
	if h.Silent {
		return sim.ExecuteOptions{Engine: local.NewSilent}
	}
	return sim.ExecuteOptions{}
}

// Run tries seeds in order until enough are found, or until the last. The script of the first of them is shrunk.
func (h *Hunt) Run() *Report {
	report := &Report{}
	for seed := uint64(1); seed <= uint64(h.Seeds) && len(report.Found) < h.Found; seed++ {
		s, r, err := gen.Generate(seed, h.Profile, h.options())
		if err != nil || r.OK() {
			continue
		}
		report.Failing = append(report.Failing, seed)
		i := inFirstStep(r, h.Promise)
		if i < 0 {
			continue
		}
		report.Found = append(report.Found, seed)
		if report.Seed == 0 {
			report.Seed = seed
			report.Breaches = breaches(r, r.Message)
			if !h.Silent {
				report.shrink(s, r, i)
			}
		}
	}
	return report
}

// inFirstStep is the index of the promise's breach, if it broke in the first failing step, or -1.
func inFirstStep(r *sim.Result, promise string) int {
	for i := range r.Breaches {
		b := &r.Breaches[i]
		if b.Step == r.Breaches[0].Step && (promise == "" || r.PromiseName(b) == promise) {
			return i
		}
	}
	return -1
}

// shrink reduces a failing script for its i-th breach.
func (r *Report) shrink(s *traces.Script, failed *sim.Result, i int) {
	promise := r.Breaches[i].Promise
	min := sim.Shrink(s, failed, i, shrink.Options{})
	r.Script, r.Lines, r.Executions = min.Script.String(), min.Script.Size(), min.Executions
	again, err := sim.Execute(min.Script, sim.ExecuteOptions{})
	if err != nil {
		return
	}
	for _, b := range breaches(again, again.Message) {
		if b.Promise == promise {
			r.Steps = b.Step
		}
	}
}

// Execute reports what a script breaks in the engine that this program is compiled with, on the hash model with all
// that can be said of it, and on the transformer.
func Execute(s *traces.Script) (*Report, error) {
	m, err := sim.NewTransformer()
	if err != nil {
		return nil, err
	}
	told, err := explain.Run(s, sim.ExecuteOptions{})
	if err != nil {
		return nil, err
	}
	seen, err := sim.Execute(s, sim.ExecuteOptions{Model: m})
	if err != nil {
		return nil, err
	}
	r := &Report{Breaches: breaches(told.Result, told.Message)}
	for _, b := range breaches(seen, seen.Message) {
		r.Seen = append(r.Seen, b.Promise)
	}
	return r, nil
}

// breaches lists what a run has broken.
func breaches(r *sim.Result, message func(int) string) []BreachReport {
	var list []BreachReport
	for i := range r.Breaches {
		b := &r.Breaches[i]
		id := r.Identity(b)
		list = append(list, BreachReport{
			Promise: id.Promise, Step: b.Step, Relation: id.Relation, Slot: id.Slot, Message: message(i),
		})
	}
	return list
}
