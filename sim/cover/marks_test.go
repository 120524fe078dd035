package cover

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// marked is a script, and exactly the marks that it reaches. In the lines r1 is short for a submission of amber's request
// r1, t2 for one of teal's.
type marked struct {
	config string
	lines  string
	want   string
}

var markedScripts = []marked{
	{"", `r1 "abc"`, ""},
	{"", `r1 "4full"`, "entries-outlive-requests"},
	{"", `r1 "same!"; +100; r2 "same?"`, "found-whole same-domain-shares entries-outlive-requests"},
	{"", `r1 "sameAAAA!"; +100; r2 "sameBBBB!"`, "poisoned-and-rewritten found-in-part same-domain-shares entries-outlive-requests"},
	{"", `r1 "same!"; t2 "same!"`, "two-domains-same-tokens domains-in-one-pass entries-outlive-requests"},
	{"", `r1 "abc"; t2 "abc"`, "domains-in-one-pass"},
	{"", `r1 "abc"; +100; t2 "abc"`, "row-changed-domain"},
	{"", `r1 "abc"; +100; r2 "4full"`, "poisoned-and-rewritten entries-outlive-requests"},
	{"keybits=0", `r1 "same!"; +100; r2 "else!"`, "keys-collided poisoned-and-rewritten entries-outlive-requests"},
	{"", `r1 "same!"; +100; r2 "else!"`, "poisoned-and-rewritten entries-outlive-requests"},

	{"publish=schedule", `r1 "same!"; r2 "same?"`,
		"found-before-written same-domain-shares found-whole shared-outlives-a-holder entries-outlive-requests"},
	{"publish=schedule", `r1 "same!"; refuse r1 final`, "withdrawn-unwritten"},
	{"", `r1 "same!"; refuse r1 final`, ""},
	{"publish=schedule", `r1 "same!"; +100; reset`, ""},
	{"", `r1 "same!"; r2 "same!"; +100; reset`, "one-of-two-entries-went"},
	{"", `r1 "same!"; r2 "else!"; +100; reset`, ""},

	{"depth=2", `r1 "ab" max=2`, "pass-on-pass"},
	{"", `r1 "ab" max=2`, ""},
	{"", `r1 "abc"; cancel r1 when issued=1`, "late-result"},
	{"depth=2", `r1 "ab" max=3; cancel r1 when issued=2`, "pass-on-pass cancelled-with-two-passes-outstanding late-result"},
	{"", `r1 "ab" max=2; preempt r1 when done=1`, "preempted-with-a-token-in-flight late-result ended-after-a-restart"},
	{"", `r1 "ab" max=2; preempt r1 when issued=1`, "late-result ended-after-a-restart"},
	{"", `r1 "ab" max=2; preempt r1 when tokens=1`, "ended-after-a-restart"},
	{"depth=2", `r1 "ab" max=2; fail pass r1 chunk=1`, "pass-on-pass lost-with-a-later-pass ended-after-a-restart"},
	{"", `r1 "ab" max=2; fail pass r1 chunk=1`, "ended-after-a-restart"},
	{"", `r1 "abc"; run 1; cancel r1; r1 "abd"`, "name-again-with-a-pass-outstanding late-result"},
	{"", `r1 "abc"; +100; r1 "abd"`, ""},
	{"depth=2 chunk=4", `r1 "8 bytes."; refuse r1 chunk=2 final`, "pass-on-pass refused-with-a-pass-outstanding late-result"},

	{"depth=2 blocks=2", `r1 "5byte"; run 1; cancel r1; r2 "4full"`,
		"waited-for-a-deferred-release late-result entries-outlive-requests poisoned-and-rewritten"},
	{"", `r1 "4full"; fail alloc r1 block=1`, "allocation-failed-in-its-second-block entries-outlive-requests"},
	{"", `r1 "4full"; fail alloc r1 block=0`, "entries-outlive-requests"},
	{"", `r1 "same!"; +100; r2 "same?"; fail alloc r2 block=1`,
		"failed-halfway found-whole same-domain-shares entries-outlive-requests"},
	{"blocks=3", `r1 "same!"; +100; r2 "8 bytes." max=4; r3 "same?"`,
		"evicted-before-admission entries-outlive-requests poisoned-and-rewritten"},
	{"blocks=2", `r1 "abc" max=3; r2 "abd" max=3`, "gave-way ended-after-a-restart entries-outlive-requests poisoned-and-rewritten"},

	{"link=20", `r1 "abc"; r2 "abd"`, "messages-interleaved"},
	{"", `r1 "abc"; r2 "abd"`, ""},
	{"vocab=2", `r1 0 max=4 seed=2`, "own-marker-told entries-outlive-requests"},
	{"vocab=2", `r1 0 max=3 seed=2`, ""},
	{"vocab=2", `t2 0 max=4 seed=2`, "entries-outlive-requests"},
	{"budget=3", `r1 "abc"`, "budget-filled"},
	{"budget=4", `r1 "abc"`, ""},
	{"rows=1", `r1 "abc"`, "rows-filled"},
	{"policy=priority", `r1 "abc" prio=2; r2 "abd" prio=1`, "later-came-first"},
	{"policy=priority", `r1 "abc" prio=1; r2 "abd" prio=2`, ""},
	{"copy=40", `r1 "same"; +100; r2 "same"; r3 "same!"`,
		"two-queues-read-one-block found-whole same-domain-shares shared-outlives-a-holder entries-outlive-requests"},

	{"", `r1 "same!"; +100; r2 "same?" max=2; r3 "same." max=5`,
		"found-whole same-domain-shares shared-outlives-a-holder entries-outlive-requests"},
	{"depth=2", `r1 "same!"; +100; r2 "same?"; r3 "same." max=3`,
		"found-whole same-domain-shares shared-outlives-a-holder shared-released-while-read pass-on-pass entries-outlive-requests"},
	{"", `cancel r9`, "nothing-to-do"},
	{"", `worker w1 rows=2; r1 "abc"`, "other-limits-ran"},
	{"", `worker w1 rope=7; r1 "abc"`, ""},
}

// script writes the script out.
func (m *marked) script(t *testing.T) *traces.Script {
	t.Helper()
	text := "config seed=1 " + m.config + "\ntenant amber marker=1,0,0,0\ntenant teal\n"
	for _, line := range strings.Split(m.lines, ";") {
		line = strings.TrimSpace(line)
		if name, rest, _ := strings.Cut(line, " "); len(name) == 2 && strings.ContainsAny(name[:1], "rt") {
			tenant := map[byte]string{'r': "amber", 't': "teal"}[name[0]]
			line = "submit " + name + " tenant=" + tenant + " prompt=" + rest
		}
		text += line + "\n"
	}
	s, err := traces.Parse("marks", text+"drain\nexpect ok\n")
	require.NoError(t, err, text)
	return s
}

func TestAMarkIsReachedByItsConditionAndByNoOther(t *testing.T) {
	var all Coverage
	for _, m := range markedScripts {
		t.Run(m.config+": "+m.lines, func(t *testing.T) {
			s := m.script(t)
			r, seen := watched(t, s)
			require.True(t, r.OK(), "%v", r.Breaches)
			got := []string{}
			for _, m := range invariants.Marks {
				if seen.Marks[m.Mark] > 0 {
					got = append(got, m.Name)
				}
			}
			want := strings.Fields(m.want)
			slices.Sort(want)
			slices.Sort(got)
			require.Equal(t, want, got, "%s", r.Trace(s))
			all.Add(seen)
		})
	}
	for _, m := range invariants.Marks {
		require.Positive(t, all.Marks[m.Mark], "no script reaches %s", m.Name)
	}
}

// A promise that says "never" is worth little if its harmless neighbour never came near.
func TestEveryPromiseHasAMarkForItsNeighbour(t *testing.T) {
	paired := map[invariants.ID]bool{}
	for i := range invariants.Marks {
		m := &invariants.Marks[i]
		require.NotEmpty(t, m.Name, "mark %d", i)
		paired[m.Pair] = true
	}
	for _, s := range invariants.Statements {
		require.True(t, paired[s.ID], "no mark stands beside %s", s.Name)
	}
}

// watched runs a script, and returns what it has exercised and what happened.
func watched(t *testing.T, s *traces.Script) (*explain.Narrated, *Coverage) {
	t.Helper()
	seen := &Recorder{}
	told, err := explain.Run(s, sim.ExecuteOptions{Watch: []sim.Watcher{seen}})
	require.NoError(t, err)
	return told, seen.Coverage()
}
