package traces

import "iter"

// A dial is one number of a script that the shrinker may turn: an argument, the length of a prompt, a value of the
// configuration. It rests at its default, or where that makes no sense, at its minimum; toward rest is simpler.
type dial struct {
	of    dialKind
	index int // into Events, Workers or Tenants
	arg   int // of argDial: the Arg; of configDial and workerDial: the Key
}

type dialKind uint8

const (
	argDial    dialKind = iota // a number of an event: max=8, run 3
	anchorDial                 // when tokens=2
	lengthDial                 // the length of a submit's prompt
	configDial                 // a key of the header
	workerDial                 // a key of a worker line
	quotaDial                  // of a tenant line
)

// farthest is where the measures stop to count, so that one random seed of 64 bits cannot make a sum overflow.
const farthest = 1 << 40

func (d dial) value(s *Script) int64 {
	switch d.of {
	case anchorDial:
		return int64(s.Events[d.index].When.N)
	case lengthDial:
		return int64(len(s.Events[d.index].Prompt))
	case configDial:
		return s.Config[d.arg]
	case workerDial:
		return s.Workers[d.index].Value[d.arg]
	case quotaDial:
		return s.Tenants[d.index].Quota
	}
	v := s.Events[d.index].Args[d.arg]
	if Arg(d.arg).Type() == Wide {
		return int64(min(uint64(v), 1<<62))
	}
	return v
}

// set turns the dial. The script must be one that the caller may write to; its prompts may be shared.
func (d dial) set(s *Script, v int64) {
	switch d.of {
	case argDial:
		s.Events[d.index].Args[d.arg] = v
	case anchorDial:
		s.Events[d.index].When.N = int32(v)
	case lengthDial:
		s.Events[d.index].Prompt = resized(s.Events[d.index].Prompt, int(v))
	case configDial:
		s.Config[d.arg] = v
	case workerDial:
		s.Workers[d.index].Value[d.arg] = v
	case quotaDial:
		s.Tenants[d.index].Quota = v
	}
}

func (d dial) rest() int64 {
	switch d.of {
	case argDial:
		return Arg(d.arg).Floor()
	case configDial, workerDial:
		return Keys[d.arg].Min
	case anchorDial:
		return 1
	}
	return 0
}

// counts tells whether the dial is the number of a line that lets time pass.
func (d dial) counts() bool { return d.of == argDial && Arg(d.arg).Type() == Bare }

// highest is the largest value that the dial may be turned to.
func (d dial) highest() int64 {
	switch d.of {
	case argDial:
		return Arg(d.arg).Largest()
	case configDial, workerDial:
		return Keys[d.arg].Max
	}
	return maxCount
}

// away is how far from rest the dial stands.
func (d dial) away(s *Script) int64 {
	n := d.value(s) - d.rest()
	return min(max(n, -n), farthest)
}

// resized cuts a prompt, or repeats its last token. The prompt given stays as it is.
func resized(prompt []int32, n int) []int32 {
	if n <= len(prompt) {
		return prompt[:n:n]
	}
	longer := append(make([]int32, 0, n), prompt...)
	for len(longer) < n {
		var last int32
		if len(longer) > 0 {
			last = longer[len(longer)-1]
		}
		longer = append(longer, last)
	}
	return longer
}

// eventDials yields the dials of the i-th event.
func eventDials(s *Script, i int) iter.Seq[dial] {
	return func(yield func(dial) bool) {
		e := &s.Events[i]
		if e.Verb == Submit && !yield(dial{lengthDial, i, 0}) {
			return
		}
		for _, a := range e.Verb.Args() {
			if a.Type() != Flag && !yield(dial{argDial, i, int(a)}) {
				return
			}
		}
		if e.When.Kind != Now && e.When.Kind != WhenState {
			yield(dial{anchorDial, i, 0})
		}
	}
}

// allEventDials returns the dials of all events.
func allEventDials(s *Script) []dial {
	var ds []dial
	for i := range s.Events {
		for d := range eventDials(s, i) {
			ds = append(ds, d)
		}
	}
	return ds
}

// headerDials returns the dials of what the header says: a key at its default has none.
func headerDials(s *Script) []dial {
	var ds []dial
	for k := range s.Config {
		if s.Config[k] != Keys[k].Default {
			ds = append(ds, dial{configDial, 0, k})
		}
	}
	for i := range s.Workers {
		for k, has := range s.Workers[i].Has {
			if has {
				ds = append(ds, dial{workerDial, i, k})
			}
		}
	}
	for i := range s.Tenants {
		if s.Tenants[i].Quota != 0 {
			ds = append(ds, dial{quotaDial, i, 0})
		}
	}
	return ds
}
