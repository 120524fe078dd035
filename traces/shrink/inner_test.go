package shrink

import (
	"slices"
	"testing"

	"custody/traces"
)

func mustParse(t *testing.T, text string) *traces.Script {
	t.Helper()
	s, err := traces.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// In each pair the first script is the simpler one, for the reason that the name gives.
func TestSimplerScripts(t *testing.T) {
	for _, c := range []struct{ name, simple, complex string }{
		{"a line is worth any number", "submit r1 tenant=t prompt=9,9,9 max=99", "submit r1 tenant=t prompt=0\nrun 1"},
		{"a drain is no line", "run 9\ndrain", "run 1\nrun 1"},
		{"an anchor is worth any number", "cancel r1\nrun 99", "cancel r1 when tokens=1\nrun 1"},
		{"a flag is worth any number", "refuse r1 chunk=9", "refuse r1 chunk=2 final"},
		{"a count is simpler than a time", "run 99", "+1"},
		{"a known tenant is simpler", "submit r1 tenant=zz prompt=1", "submit r1 tenant=? prompt=1"},
		{"numbers are worth any token", "submit r1 tenant=t prompt=99", "submit r1 tenant=t prompt=0,0"},
		{"tokens are worth any key", "config blocks=9\nsubmit r1 tenant=t prompt=1", "submit r1 tenant=t prompt=2"},
		{"one key is simpler than two", "config blocks=63", "config blocks=1 block=1"},
		{"a key is low before it is near the default", "config blocks=1", "config blocks=63"},
		{"a worker's key counts as one", "worker w1 block=9", "worker w1 block=1 heads=1"},
		{"a tenant's line counts, and its quota", "tenant a", "tenant a quota=1"},
		{"one name is simpler than two", "cancel x\ncancel x", "cancel a\ncancel b"},
		{"a drain only breaks ties", "run 1", "run 1\ndrain"},
		{"canonical names are simpler", "cancel r2", "cancel a"},
		{"canonical names are numbers", "cancel r9", "cancel r10"},
		{"the fifth tenant is t5", "submit r1 tenant=t5 prompt=0", "submit r1 tenant=t4 prompt=0"},
		{"submits stand before faults", "submit r1 tenant=t prompt=0\ncancel r2", "cancel r2\nsubmit r1 tenant=t prompt=0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := mustParse(t, c.simple), mustParse(t, c.complex)
			if !simpler(a, b) || simpler(b, a) || simpler(a, a) {
				t.Errorf("simpler says %v, reversed %v, of itself %v", simpler(a, b), simpler(b, a), simpler(a, a))
			}
		})
	}
}

// Deleting an event deletes what depends on it, and nothing else.
func TestDeletingASubmitDeletesWhatNamesIt(t *testing.T) {
	const script = `refuse r1
submit r1 tenant=t prompt=0
submit r2 tenant=t prompt=0
cancel r1
submit r1 tenant=t prompt=1
cancel r2
cancel r1
submit r1 tenant=t prompt=2
preempt r1
drain
`
	for _, c := range []struct {
		name string
		line int
		noop []bool
		want []int // lines left
	}{
		{"the first life, with what was said to it", 1, nil, []int{0, 2, 4, 5, 6, 7, 8, 9}},
		{"the last life leaves the earlier ones", 7, nil, []int{0, 1, 2, 3, 4, 5, 6, 9}},
		{"the only life, with all that names it", 2, nil, []int{0, 1, 3, 4, 6, 7, 8, 9}},
		{"a submit that did nothing has nothing to take along", 4, []bool{4: true}, []int{0, 1, 2, 3, 5, 6, 7, 8, 9}},
		{"an event alone", 3, nil, []int{0, 1, 2, 4, 5, 6, 7, 8, 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mustParse(t, script)
			sh := &shrinker{best: s, names: indexNames(s, c.noop), seen: map[traces.Digest]bool{}, opt: Options{Budget: 1}}
			sh.exec = func(*traces.Script) Outcome { return Outcome{Failures: []Failure{{}}} } // everything fails as wanted
			sh.stat = &Stat{}
			if left := linesOf(lacking(sh, c.line)); !slices.Equal(left, c.want) {
				t.Errorf("left %v, expected %v", left, c.want)
			}
			if sh.drop(c.line); !slices.Equal(linesOf(sh.best), c.want) {
				t.Errorf("dropped: left %v, expected %v", linesOf(sh.best), c.want)
			}
		})
	}
}

// A first life can go and leave the events that named it to the next one.
func TestDeletingASubmitAlone(t *testing.T) {
	s := mustParse(t, "submit r1 tenant=t prompt=0\nrefuse r1\nrun 2\nsubmit r1 tenant=t prompt=1\ndrain")
	sh := &shrinker{best: s, names: indexNames(s, nil), seen: map[traces.Digest]bool{}, opt: Options{Budget: 100}, stat: &Stat{}}
	sh.exec = func(c *traces.Script) (out Outcome) {
		if l := linesOf(c); slices.Contains(l, 1) && slices.Contains(l, 3) {
			out.Failures = []Failure{{}}
		}
		return out
	}
	if deleteChunks(sh); !slices.Equal(linesOf(sh.best), []int{1, 3, 4}) {
		t.Errorf("left %v", linesOf(sh.best))
	}
}

// Two events may take more than two with them.
func TestDeletingPairsWithAllThatDependsOnThem(t *testing.T) {
	s := mustParse(t, "cancel r1\nrefuse r2\nsubmit r1 tenant=t prompt=0\nsubmit r2 tenant=t prompt=0\ncancel r2\ncancel r1")
	sh := &shrinker{best: s, names: indexNames(s, nil), seen: map[traces.Digest]bool{}, opt: Options{Budget: 100}, stat: &Stat{}}
	sh.exec = func(*traces.Script) Outcome { return Outcome{Failures: []Failure{{}}} } // everything fails as wanted
	if deletePairs(sh); len(sh.best.Events) > 1 {
		t.Errorf("left %v", linesOf(sh.best))
	}
}

// linesOf returns where the events of a script stood in its file, from 0.
func linesOf(s *traces.Script) []int {
	var lines []int
	for i := range s.Events {
		lines = append(lines, s.Events[i].Line-1)
	}
	return lines
}

func TestDrainsAreNotDeletedAsEvents(t *testing.T) {
	s := mustParse(t, "run 1\ndrain")
	sh := &shrinker{best: s, names: indexNames(s, nil)}
	if gone, _ := sh.mark(func(int, *traces.Event) bool { return true }); !slices.Equal(gone, []bool{true, false}) {
		t.Errorf("marked %v", gone)
	}
}

// What fails need not be a range of numbers.
func TestDescend(t *testing.T) {
	for _, c := range []struct {
		name  string
		from  int64
		fails func(k int64) bool
		want  int64
	}{
		{"everything fails", 100, func(int64) bool { return true }, 0},
		{"nothing less fails", 100, func(int64) bool { return false }, 100},
		{"from a bound on", 1 << 40, func(k int64) bool { return k >= 12345 }, 12345},
		{"one small number", 100, func(k int64) bool { return k == 3 }, 3},
		{"a rare one near the number", 100, func(k int64) bool { return k%10 == 8 }, 88},
		{"odd ones from a bound on", 99, func(k int64) bool { return k > 40 && k%2 == 1 }, 41},
		{"already at rest", 0, func(int64) bool { return true }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			best := c.from
			descend(c.from, func(k int64) bool {
				if k >= best {
					return false
				}
				if c.fails(k) {
					best = k
				}
				return c.fails(k)
			})
			if best != c.want {
				t.Errorf("found %d, expected %d", best, c.want)
			}
		})
	}
}

func TestResizedPromptsLeaveTheGivenOneAlone(t *testing.T) {
	given := append(make([]int32, 0, 8), 1, 2, 3)
	behind := given[:5]
	for n, want := range map[int][]int32{0: {}, 2: {1, 2}, 3: {1, 2, 3}, 5: {1, 2, 3, 3, 3}} {
		if got := resized(given, n); !slices.Equal(got, want) {
			t.Errorf("resized to %d: %v", n, got)
		}
		_ = append(resized(given, n), 9)
	}
	if !slices.Equal(behind, []int32{1, 2, 3, 0, 0}) {
		t.Errorf("the prompt given became %v", behind)
	}
	if got := resized(nil, 2); !slices.Equal(got, []int32{0, 0}) {
		t.Errorf("from nothing: %v", got)
	}
}
