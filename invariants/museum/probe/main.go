// Probe hunts in the engine that it was compiled with, for the museum: it is built once for each exhibit, with the
// exhibit's defect planted.
//
//	probe -profile NAME -seeds N [-promise ID]   the first seed that breaks the promise in its first failing step, shrunk
//	probe -script FILE                           the breaches of one script
//
// It prints one JSON object, a museum.Report.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"custody/invariants/museum"
	"custody/sim"
	"custody/traces"
)

func main() {
	profile := flag.String("profile", sim.Profiles[0].Name, "what the generator draws")
	seeds := flag.Int("seeds", 500, "how many seeds to try, from 1")
	promise := flag.String("promise", "", "the promise to look for; any, if empty")
	script := flag.String("script", "", "execute this file instead")
	flag.Parse()
	report, err := work(*profile, *promise, *script, *seeds)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(report)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(2)
	}
}

func work(profile, promise, script string, seeds int) (*museum.Report, error) {
	if script != "" {
		return execute(script)
	}
	p, ok := sim.FindProfile(profile)
	if !ok {
		return nil, fmt.Errorf("unknown profile %q", profile)
	}
	return hunt(p, promise, seeds), nil
}

// hunt tries seeds in order until one breaks the promise in its first failing step.
func hunt(p sim.Profile, promise string, seeds int) *museum.Report {
	report := &museum.Report{}
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		s, r := sim.Generate(seed, p, sim.ExecuteOptions{})
		if r.OK() {
			continue
		}
		if i := inFirstStep(r, promise); i >= 0 {
			report.Seed = seed
			report.Breaches = breaches(r)
			min := sim.Shrink(s, r, i, traces.ShrinkOptions{})
			report.Script, report.Lines, report.Executions = min.Script.String(), min.Script.Size(), min.Executions
			return report
		}
		report.Others++
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

func execute(file string) (*museum.Report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := traces.Parse(file, string(text))
	if err != nil {
		return nil, err
	}
	return &museum.Report{Breaches: breaches(sim.Execute(s, sim.ExecuteOptions{Narrate: true}))}, nil
}

func breaches(r *sim.Result) []museum.Breach {
	var list []museum.Breach
	for i := range r.Breaches {
		b := &r.Breaches[i]
		id := r.Identity(b)
		list = append(list, museum.Breach{
			Promise: id.Promise, Step: b.Step, Relation: id.Relation, Slot: id.Slot, Message: r.Message(i),
		})
	}
	return list
}
