package campaign

import (
	"encoding/json"
	"runtime"

	"custody/invariants"
	"custody/scheduler"
)

// The JSON that `custody run --json` prints, one object a line: a start, the violations, a summary. The fields are a
// contract with programs: add to them, do not rename them.

type startRecord struct {
	Kind     string  `json:"kind"`
	Seed     uint64  `json:"seed"`
	Seeds    uint64  `json:"seeds"`       // 0: no limit
	For      float64 `json:"for_seconds"` // 0: no limit
	Model    string  `json:"model"`
	Profile  string  `json:"profile"`
	Out      string  `json:"out"`
	Until    string  `json:"until"` // violation, covered, or nothing
	Platform string  `json:"platform"`
	Go       string  `json:"go"`
	Shard    string  `json:"shard"`   // 0/1: all seeds
	Resumed  uint64  `json:"resumed"` // seeds of earlier processes
}

type violationRecord struct {
	Kind    string   `json:"kind"`
	Seed    uint64   `json:"seed"`
	Promise string   `json:"promise"`
	Message string   `json:"message"`
	Also    []string `json:"also"` // promises that it breaks later
	Next    string   `json:"next"`
	Script  string   `json:"script"`
}

// summaryRecord is one flat object: its parts are embedded, in the order in which their fields stand.
type summaryRecord struct {
	verdictRecord
	countsRecord
	workRecord
	rangeRecord
	coverageRecord
}

type verdictRecord struct {
	Kind        string `json:"kind"`
	Seeds       int    `json:"seeds"`
	Steps       int64  `json:"steps"`
	Violations  int    `json:"violations"` // seeds
	Digest      string `json:"digest"`
	StepsSecond int64  `json:"steps_per_second"`
}

type countsRecord struct {
	Promises    map[string]promiseRecord `json:"promises"`
	Faults      map[string]int64         `json:"faults"`
	Transitions []transitionRecord       `json:"transitions"`
	Denials     map[string]int64         `json:"denials"`
	Ends        map[string]int64         `json:"ends"`
	Missing     []string                 `json:"missing"`
}

type workRecord struct {
	Ticks   int64   `json:"ticks"`
	Passes  int64   `json:"passes"`
	Copies  int64   `json:"copies"`
	Tokens  int64   `json:"tokens"`
	Reads   int64   `json:"reads"`
	Seconds float64 `json:"seconds"`
}

type rangeRecord struct {
	First         uint64  `json:"first_seed"`
	Profile       string  `json:"profile"`
	Interrupted   bool    `json:"interrupted"`
	FailureBound  float64 `json:"failure_bound"` // 95% bound on the share of seeds that break a promise; 1 says nothing
	Shard         string  `json:"shard"`         // 0/1: all seeds
	Resumed       uint64  `json:"resumed"`       // seeds of earlier processes: the digest covers them, the numbers do not
	ResumedBroken int     `json:"resumed_violations"`
}

type coverageRecord struct {
	NewCellChance float64          `json:"new_cell_chance"`  // estimated, of the next seed
	TicksSecond   int64            `json:"ticks_per_second"` // virtual over real time
	Covered       bool             `json:"covered"`          // nothing is missing
	Marks         map[string]int64 `json:"marks"`            // seeds that reached them
	Sweep         []sweepRecord    `json:"sweep"`
	Transformer   besidesRecord    `json:"transformer"`        // seeds that ran there besides
	Coverage      map[string]int64 `json:"coverage,omitempty"` // by cell, with --coverage
}

type besidesRecord struct {
	Seeds      int    `json:"seeds"`
	Steps      int64  `json:"steps"`
	Tokens     int64  `json:"tokens"`
	Violations int    `json:"violations"`
	Digest     string `json:"digest"`
}

type promiseRecord struct {
	Checks int64 `json:"checks"`
	Broken int64 `json:"broken"` // seeds

	NotChecked bool `json:"not_checked,omitempty"` // the engine hides what it takes: that none broke it says nothing
}

type transitionRecord struct {
	From  string `json:"from"`
	On    string `json:"on"`
	To    string `json:"to"`
	Times int64  `json:"times"`
}

// newStartRecord is the options of a campaign.
func newStartRecord(o *Options) startRecord {
	return startRecord{
		Kind: "start", Seed: o.First, Seeds: o.Seeds, For: o.Time.Seconds(), Model: o.Model, Profile: o.Profile.Name, Out: o.Out,
		Until: o.Until, Platform: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Shard: o.Shard.String(),
	}
}

// record is the campaign's summary.
func (r *campaign) record() *summaryRecord {
	return &summaryRecord{r.verdictRecord(), r.countsRecord(), r.workRecord(), r.rangeRecord(), r.coverageRecord()}
}

func (r *campaign) verdictRecord() verdictRecord {
	s := &r.sum
	return verdictRecord{
		Kind: "summary", Seeds: s.Seeds, Steps: s.Work.Steps, Violations: s.Violations, Digest: s.Digest.String(),
		StepsSecond: perSecond(s.Work.Steps, r.took.Seconds()),
	}
}

func (r *campaign) countsRecord() countsRecord {
	s := &r.sum
	rec := countsRecord{
		Promises: map[string]promiseRecord{}, Faults: counted(faultCounts(&s.Coverage)), Denials: counted(denialCounts(&s.Coverage)),
		Ends: counted(endCounts(&s.Coverage)), Missing: append([]string{}, notExercised(s)...),
	}
	for id := range invariants.Statements {
		rec.Promises[invariants.Statements[id].Name] = promiseRecord{s.Checks[id], s.Broken[id], s.Unchecked[id]}
	}
	for _, t := range scheduler.Lifecycle {
		n := s.Coverage.Lifecycle[t.From][t.On]
		rec.Transitions = append(rec.Transitions, transitionRecord{t.From.String(), t.On.String(), t.To.String(), n})
	}
	return rec
}

func (r *campaign) workRecord() workRecord {
	s := &r.sum
	return workRecord{
		Ticks: int64(s.Ticks), Passes: s.Work.Passes, Copies: s.Work.Copies, Tokens: s.Work.Tokens, Reads: s.Work.Reads,
		Seconds: r.took.Seconds(),
	}
}

func (r *campaign) rangeRecord() rangeRecord {
	return rangeRecord{
		First: r.First, Profile: r.Profile.Name, Interrupted: r.interrupted, FailureBound: r.sum.FailureBound(),
		Shard: r.Shard.String(), Resumed: r.earlier.seeds, ResumedBroken: r.earlier.violations,
	}
}

func (r *campaign) coverageRecord() coverageRecord {
	s, again := &r.sum, &r.again.sum
	rec := coverageRecord{
		NewCellChance: s.NewCellChance(), TicksSecond: perSecond(int64(s.Ticks), r.took.Seconds()), Covered: s.Covered(),
		Marks: markCounts(&s.Coverage), Sweep: sweepRecords(&s.Coverage),
		Transformer: besidesRecord{again.Seeds, again.Work.Steps, again.Work.Tokens, again.Violations, again.Digest.String()},
	}
	if r.Cover {
		rec.Coverage = cells(&s.Coverage)
	}
	return rec
}

func counted(list []count) map[string]int64 {
	m := map[string]int64{}
	for _, c := range list {
		m[c.name] = c.n
	}
	return m
}

// indented is the text of a file that holds one record.
func indented(rec any) []byte {
	text, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		panic(err) // no type in it can fail
	}
	return append(text, '\n')
}

// jsonReporter tells a program about a campaign.
type jsonReporter struct{ *campaign }

func (r *jsonReporter) start() {
	rec := newStartRecord(&r.Options)
	rec.Resumed = r.earlier.seeds
	r.print(rec)
}

func (r *jsonReporter) violation(f *finding) {
	r.print(violationRecord{
		Kind: "violation", Seed: f.seed, Promise: f.breaches[0].Promise, Message: f.message, Also: append([]string{}, f.also()...),
		Next: f.command("shrink"), Script: f.script.String(),
	})
}

func (r *jsonReporter) summary() { r.print(r.record()) }

func (r *jsonReporter) print(rec any) {
	e := json.NewEncoder(r.console.Out)
	e.SetEscapeHTML(false)
	_ = e.Encode(rec) // a failure to write is kept by the console
}

// perSecond is a rate.
func perSecond(n int64, seconds float64) int64 {
	if seconds <= 0 {
		return 0
	}
	return int64(float64(n) / seconds)
}
