package campaign

import (
	"fmt"
	"io"
	"strings"

	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/invariants"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// wordReporter tells a person about a campaign: the first breach as soon as it is found, the tables at the end, and last
// the command to type next.
type wordReporter struct{ *campaign }

// start goes to standard error, so that the first line of a result is the result.
func (r *wordReporter) start() {
	r.console.Warn("custody run: model %s, profile %s, seeds from %d%s%s",
		r.Model, r.Profile.Name, r.First, r.Shard.Words(), r.extent())
	if r.Resume {
		r.console.Warn("custody run: resumed; done already: %s", term.Plural(int64(r.earlier.seeds), "seed"))
	}
}

// extent says how far a campaign goes.
func (o *Options) extent() string {
	text := ""
	if o.Seeds > 0 {
		text += ", " + term.Plural(o.Seeds, "seed")
	}
	if o.Time > 0 {
		text += ", for " + o.Time.String()
	}
	switch o.Until {
	case UntilViolation:
		text += ", until a promise is broken"
	case UntilCovered:
		text += ", until everything is covered"
	}
	return text
}

func (r *wordReporter) violation(f *finding) {
	if f != r.firstBroken {
		return
	}
	p := term.NewPainter(f.script).Through(f.script.Events)
	promise := f.breaches[0].Promise
	text := p.Line(f.message) + "\n" + fmt.Sprintf("seed %d breaks the promise %q: %s\n", f.seed, promise,
		source.Sentence(promise))
	if also := f.also(); len(also) > 0 {
		text += "after that it breaks: " + strings.Join(also, ", ") + "\n"
	}
	io.WriteString(r.bar.Above(r.console), text+"\n")
}

func (r *wordReporter) summary() {
	parts := []func(io.Writer){r.promises, r.faults, r.transitions, r.denials}
	if r.Cover {
		parts = append(parts, r.sweep, r.marks)
	}
	r.console.Buffered(func(w io.Writer) {
		for _, part := range append(parts, r.totals, r.missing) {
			part(w)
			fmt.Fprintln(w)
		}
		r.files(w)
		r.last(w)
	})
}

// notChecked stands where a number would look as if a promise had been looked at.
const notChecked = "not checked"

func (r *wordReporter) promises(w io.Writer) {
	t := term.NewTable(w, "promise", "checks", "of", "broken seeds")
	term.Numbers(t, 2, 4)
	for id := range invariants.Statements {
		s := &invariants.Statements[id]
		checks := term.Grouped(r.sum.Checks[id])
		if r.sum.Unchecked[id] {
			checks = notChecked
		}
		t.AppendRow([]any{s.Name, checks, s.Unit, term.Grouped(r.sum.Broken[id])})
	}
	t.Render()
}

func (r *wordReporter) faults(w io.Writer) {
	t := term.NewTable(w, "fault", "times")
	term.Numbers(t, 2)
	for _, c := range faultCounts(&r.sum.Coverage) {
		t.AppendRow([]any{c.name, term.Grouped(c.n)})
	}
	t.Render()
}

func (r *wordReporter) transitions(w io.Writer) {
	t := term.NewTable(w, "from", "on", "to", "times")
	term.Numbers(t, 4)
	for _, x := range scheduler.Lifecycle {
		t.AppendRow([]any{x.From.String(), x.On.String(), x.To.String(), term.Grouped(r.sum.Coverage.Lifecycle[x.From][x.On])})
	}
	t.Render()
}

func (r *wordReporter) denials(w io.Writer) {
	t := term.NewTable(w, "turned away", "by", "times")
	term.Numbers(t, 3)
	for i, c := range denialCounts(&r.sum.Coverage) {
		t.AppendRow([]any{c.name, protocol.Denials[i].By, term.Grouped(c.n)})
	}
	t.Render()
}

// totals are the numbers that have no table.
func (r *wordReporter) totals(w io.Writer) {
	s, seconds := &r.sum, r.took.Seconds()
	for _, line := range [][2]string{
		{"accepted", term.Plural(s.Coverage.Denials[protocol.NoReason], "request")},
		{"ends", listed(endCounts(&s.Coverage))},
		{"workers that differ", listed(mismatchCounts(&s.Coverage))},
		{"steps", fmt.Sprintf("%s, %s a second", term.Grouped(s.Work.Steps), term.Grouped(perSecond(s.Work.Steps, seconds)))},
		{"passes", fmt.Sprintf("%s, and %s", term.Grouped(s.Work.Passes), term.Plural(s.Work.Copies, "copy operation"))},
		{"tokens sampled", term.Grouped(s.Work.Tokens)},
		{"slot reads checked", term.Grouped(s.Work.Reads)},
		{"virtual time", fmt.Sprintf("%s ticks, %s a second of real time", term.Grouped(int64(s.Ticks)),
			term.Grouped(perSecond(int64(s.Ticks), seconds)))},
		{"real time", fmt.Sprintf("%.1f s", seconds)},
		{"on the transformer", r.besides()},
		{"what it is worth", r.worth()},
		{"digest", fmt.Sprintf("%s of %s from %d%s",
			s.Digest, term.Plural(int64(r.completed()), "completed seed"), r.First, r.Shard.Words())},
	} {
		fmt.Fprintf(w, "%-20s %s\n", line[0], line[1])
	}
}

// besides says what ran on the transformer beside the hash model.
func (r *wordReporter) besides() string {
	a := &r.again.sum
	switch {
	case r.Model != source.BothModels:
		return "every seed ran on the " + r.Model + " model only"
	case a.Seeds == 0:
		return fmt.Sprintf("no seed was divided by %d", sampled)
	}
	return fmt.Sprintf("every %dth seed too: %s, %s, %s, %s broken, digest %s", sampled,
		term.Grouped(int64(a.Seeds)), term.Plural(a.Work.Steps, "step"), term.Plural(a.Work.Tokens, "token"),
		term.Grouped(int64(a.Violations)), a.Digest)
}

// worth says what the campaign is evidence for.
func (r *wordReporter) worth() string {
	chance := fmt.Sprintf("the next seed shows something new with an estimated chance of %.2g", r.sum.NewCellChance())
	if r.sum.Violations > 0 {
		return chance
	}
	return fmt.Sprintf("with 95%% confidence fewer than %.2g of such seeds break a promise; %s", r.sum.FailureBound(), chance)
}

func listed(list []count) string {
	var words []string
	for _, c := range list {
		words = append(words, c.name+" "+term.Grouped(c.n))
	}
	if words == nil {
		return "none"
	}
	return strings.Join(words, ", ")
}

// missing says what the campaign is no evidence for.
func (r *wordReporter) missing(w io.Writer) {
	missing := notExercised(&r.sum)
	if len(missing) == 0 {
		fmt.Fprintln(w, "not exercised: nothing; every promise was checked, "+
			"and every transition, refusal, fault, cell of the sweep and mark occurred")
		return
	}
	fmt.Fprintf(w, "not exercised: (%d)\n", len(missing))
	for _, m := range missing {
		fmt.Fprintf(w, "  %s\n", m)
	}
}

// kept says of what no breach is evidence.
func kept(unchecked []string) string {
	if len(unchecked) > 0 {
		return "every promise that was checked was kept"
	}
	return "every promise was kept"
}

// butNot says of what it is none.
func butNot(unchecked []string) string {
	if len(unchecked) == 0 {
		return ""
	}
	return "; not checked: " + strings.Join(unchecked, ", ")
}

func (r *wordReporter) files(w io.Writer) {
	if r.Out == "" || len(r.lost) > 0 {
		return
	}
	fmt.Fprintf(w, "written to %s: summary.json, %s", r.Out, seedsFile)
	if n := len(r.written); n > 0 {
		fmt.Fprintf(w, ", %s", term.Plural(int64(n), "script"))
	}
	if more := r.sum.Violations - len(r.written); more > 0 {
		fmt.Fprintf(w, "; of %s more the scripts are not written: run the seeds again", term.Plural(int64(more), "failing seed"))
	}
	fmt.Fprintln(w)
}

// last is the verdict and the command to type next.
func (r *wordReporter) last(w io.Writer) {
	if r.Resume {
		fmt.Fprintf(w, "resumed behind %s, of which %s broke a promise: the digest covers them, the other numbers do not\n",
			term.Plural(int64(r.earlier.seeds), "seed"), term.Grouped(int64(r.earlier.violations)))
	}
	if r.Until == UntilCovered && r.sum.Covered() {
		fmt.Fprintf(w, "covered after %s\n", term.Plural(int64(r.sum.Seeds), "seed"))
	}
	stopped := ""
	if r.interrupted {
		stopped = "interrupted: "
	}
	if r.firstBroken == nil {
		fmt.Fprintf(w, "%s%s in %s%s\n", stopped, kept(r.sum.NotChecked()), term.Plural(int64(r.sum.Seeds), "seed"),
			butNot(r.sum.NotChecked()))
	} else {
		fmt.Fprintf(w, "%s%s of %s broke a promise, seed %d first\n", stopped,
			term.Grouped(int64(r.sum.Violations+r.again.only)), term.Plural(int64(r.sum.Seeds), "seed"), r.firstBroken.seed)
	}
	if r.earlier.violations > 0 {
		fmt.Fprintf(w, "next: custody shrink %d --profile %s\n", r.earlier.firstBroken, r.Profile.Name)
	} else if r.firstBroken != nil {
		fmt.Fprintf(w, "next: %s\n", r.firstBroken.command("shrink"))
	}
}
