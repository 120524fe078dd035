// Probe hunts in the engine that it was compiled with, for the museum: it is built once for each exhibit, with the
// exhibit's defect planted.
//
//	probe -profile NAME -seeds N [-promise ID]   the first seed that breaks the promise in its first failing step, shrunk
//	probe … -found K                             and the next ones, until there are K of them
//	probe … -set KEY=VALUE                       with this setting, whatever is drawn
//	probe -script FILE                           the breaches of one script
//
// It prints one JSON object, a museum.Report.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"custody/sim"
	"custody/sim/museum"
	"custody/traces"
)

func main() {
	profile := flag.String("profile", sim.Profiles[0].Name, "what the generator draws")
	script := flag.String("script", "", "execute this file instead")
	set := flag.String("set", "", "a setting made over what is drawn")
	var h hunt
	flag.IntVar(&h.seeds, "seeds", 500, "how many seeds to try, from 1")
	flag.StringVar(&h.promise, "promise", "", "the promise to look for; any, if empty")
	flag.IntVar(&h.found, "found", 1, "stop when so many seeds are found")
	flag.Parse()
	report, err := work(&h, *profile, *set, *script)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(report)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(2)
	}
}

func work(h *hunt, profile, set, script string) (*museum.Report, error) {
	if script != "" {
		return execute(script)
	}
	var ok bool
	if h.profile, ok = sim.FindProfile(profile); !ok {
		return nil, fmt.Errorf("unknown profile %q", profile)
	}
	if set != "" {
		key, value, err := setting(set)
		if err != nil {
			return nil, err
		}
		h.profile.Configure = func(c *traces.Config) { c[key] = value }
	}
	return h.run(), nil
}

// setting reads KEY=VALUE, the value a word of the key or a number.
func setting(text string) (traces.Key, int64, error) {
	name, value, _ := strings.Cut(text, "=")
	for k := range traces.Keys {
		spec := &traces.Keys[k]
		if spec.Name != name {
			continue
		}
		if i := slices.Index(spec.Names, value); i >= 0 {
			return traces.Key(k), int64(i), nil
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err == nil && (n < spec.Min || n > spec.Max) {
			err = fmt.Errorf("%s is %d, expected %d to %d", name, n, spec.Min, spec.Max)
		}
		return traces.Key(k), n, err
	}
	return 0, 0, fmt.Errorf("-set: unknown key %q", name)
}

// hunt is a campaign over the seeds from 1.
type hunt struct {
	profile sim.Profile
	promise string
	seeds   int
	found   int
}

// run tries seeds in order until enough have broken the promise in their first failing step, or until the last.
func (h *hunt) run() *museum.Report {
	report := &museum.Report{}
	for seed := uint64(1); seed <= uint64(h.seeds) && len(report.Found) < h.found; seed++ {
		s, r := sim.Generate(seed, h.profile, sim.ExecuteOptions{})
		if r.OK() {
			continue
		}
		report.Failing = append(report.Failing, seed)
		i := inFirstStep(r, h.promise)
		if i < 0 {
			continue
		}
		report.Found = append(report.Found, seed)
		if report.Seed == 0 {
			report.Seed = seed
			shrink(report, s, r, i)
		}
	}
	return report
}

// shrink reduces a failing script for its i-th breach.
func shrink(report *museum.Report, s *traces.Script, r *sim.Result, i int) {
	report.Breaches = breaches(r)
	promise := report.Breaches[i].Promise
	min := sim.Shrink(s, r, i, traces.ShrinkOptions{})
	report.Script, report.Lines, report.Executions = min.Script.String(), min.Script.Size(), min.Executions
	for _, b := range breaches(sim.Execute(min.Script, sim.ExecuteOptions{})) {
		if b.Promise == promise {
			report.Steps = b.Step
		}
	}
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
	m, err := sim.NewTransformer()
	if err != nil {
		return nil, err
	}
	report := &museum.Report{Breaches: breaches(sim.Execute(s, sim.ExecuteOptions{Narrate: true}))}
	for _, b := range breaches(sim.Execute(s, sim.ExecuteOptions{Model: m})) {
		report.Seen = append(report.Seen, b.Promise)
	}
	return report, nil
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
