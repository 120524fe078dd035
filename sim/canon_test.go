package sim_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/sim"
	"custody/traces"
)

// small is a header under which the lines of the search soon meet every boundary.
const small = "config blocks=4 block=2 rows=2 max_len=6 queue=2 vocab=4 "

// line is a line of the search that does not name anybody: it means those that the canonical form has named.
type line struct {
	verb   traces.Verb
	tenant int // in the order in which the form has named them
	prompt []int32
	who    int // in the order in which the form has named the requests
	force  int64
}

// lines are the alphabet: what can happen next in any state, besides the next derived event (Nop).
var lines = []line{
	{verb: traces.Nop},
	{verb: traces.Submit, tenant: 0, prompt: []int32{1, 2, 3}},
	{verb: traces.Submit, tenant: 1, prompt: []int32{1, 2, 3}},
	{verb: traces.Submit, tenant: 1, prompt: []int32{0}},
	{verb: traces.Cancel, who: 0}, {verb: traces.Cancel, who: 1},
	{verb: traces.Preempt, who: 0}, {verb: traces.Preempt, who: 1},
	{verb: traces.Reset}, {verb: traces.Reset, force: 1},
}

// search goes through the states that a script of so many lines can reach.
type search struct {
	t     *testing.T
	head  *traces.Script
	canon cache.Canon
	next  map[[2]uint64][][2]uint64 // by state: the states behind each line
	again int                       // states that were met again by another way
}

// named is whom a canonical form names, in its order.
type named struct{ requests, tenants []string }

// sum is the world's canonical form, summed up.
func (s *search) sum(w *sim.World) (sum [2]uint64, who named) {
	require.True(s.t, w.Canon(&s.canon))
	for _, life := range s.canon.Lives() {
		who.requests = append(who.requests, w.Roster().Name(w.Roster().Of(life)))
	}
	who.tenants = []string{"amber", "teal"} // what is cached knows them by their own numbers
	if own, _ := w.Configs(); own[traces.Cache] == 0 {
		for i, tenant := range s.canon.Tenants() {
			who.tenants[i] = []string{"amber", "teal"}[tenant]
		}
	}
	return s.canon.Sum(), who
}

// step is the world after one more line, which is the n-th of its script.
func (s *search) step(w *sim.World, n int, x line, who named) *sim.World {
	to := newWorld(s.t, s.head, sim.ExecuteOptions{})
	require.True(s.t, w.CloneInto(to))
	e := traces.Event{Verb: x.verb, Tenant: who.tenants[x.tenant], Prompt: x.prompt, Name: fmt.Sprintf("r%d", n)}
	e.Args[traces.Max], e.Args[traces.EOS], e.Args[traces.Force] = 2, -1, x.force
	switch {
	case x.verb == traces.Nop:
		sim.RunNext(to)
		return to
	case x.verb == traces.Cancel || x.verb == traces.Preempt:
		if x.who >= len(who.requests) {
			return to
		}
		e.Name = who.requests[x.who]
	}
	sim.Apply(to, &e)
	require.Empty(s.t, to.Ledger().Breaches())
	return to
}

// run goes through the states breadth first. A state that has been met before must have the same states behind it.
func (s *search) run(depth int) {
	front := []*sim.World{newWorld(s.t, s.head, sim.ExecuteOptions{})}
	for n := range depth {
		var further []*sim.World
		for _, w := range front {
			sum, who := s.sum(w)
			known, met := s.next[sum]
			behind := make([][2]uint64, len(lines))
			for i, x := range lines {
				to := s.step(w, n, x, who)
				if behind[i], _ = s.sum(to); met {
					require.Equal(s.t, known[i], behind[i], "two worlds of one sum do not go on alike after %+v", x)
				} else {
					further = append(further, to)
				}
			}
			if s.next[sum] = behind; met {
				s.again++
			}
		}
		front = further
	}
}

// Two worlds of one sum go on alike: on every state of the search that is reached by two ways, every line leads to states
// of one sum.
func TestWorldsOfOneCanonicalFormGoOnAlike(t *testing.T) {
	depth := 6
	if testing.Short() {
		depth = 4
	}
	for _, config := range []string{
		"", "cache=off", "publish=schedule depth=2", "release=ordered free=lifo", "copy=3 link=2", "policy=priority chunk=1",
	} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			head, err := traces.Parse("search", small+config+"\ntenant amber\ntenant teal\n")
			require.NoError(t, err)
			s := &search{t: t, head: head, next: map[[2]uint64][][2]uint64{}}
			s.run(depth)
			t.Logf("%d states, %d met again", len(s.next), s.again)
			require.Greater(t, s.again, len(s.next)/4, "most states are reached by several ways")
		})
	}
}

// What has been and is over leaves no trace; what may still matter does.
func TestTheCanonicalFormForgetsWhatIsOver(t *testing.T) {
	for name, c := range map[string]struct {
		config, a, b string
		equal        bool
	}{
		"a request that was turned away":            {"", "", "submit r1 tenant=amber prompt=1,2,3,4,5,0,0 max=1\n", true},
		"a request that has been served, uncached":  {"cache=off", "", "submit r1 tenant=amber prompt=1\n+100\n", true},
		"a request that has been served, and filed": {"", "", "submit r1 tenant=amber prompt=1,2 max=2\n+100\n", false},
		"the same under another name": {
			"", "submit r1 tenant=amber prompt=1\n", "submit x tenant=amber prompt=1\n", true,
		},
		"the same for another tenant, uncached": {
			"cache=off", "submit r1 tenant=amber prompt=1\n", "submit r1 tenant=teal prompt=1\n", true,
		},
		"the same at another time": {"", "submit r1 tenant=amber prompt=1\n", "+7\nsubmit r1 tenant=amber prompt=1\n", true},
		"with a line that waits for it": {
			"", "submit r1 tenant=amber prompt=1\n", "submit r1 tenant=amber prompt=1\ncancel r1 when tokens=1\n", false,
		},
		"with a fault armed": {
			"", "submit r1 tenant=amber prompt=1\n", "submit r1 tenant=amber prompt=1\nfail pass r1\n", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.equal, formOf(t, c.config, c.a) == formOf(t, c.config, c.b))
		})
	}
}

// formOf is the sum of the world that some lines lead to.
func formOf(t *testing.T, config, text string) [2]uint64 {
	t.Helper()
	s, err := traces.Parse("form", small+config+"\ntenant amber\ntenant teal\n"+text)
	require.NoError(t, err)
	w := newWorld(t, s, sim.ExecuteOptions{})
	w.Run()
	var c cache.Canon
	require.True(t, w.Canon(&c))
	return c.Sum()
}
