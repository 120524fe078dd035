package shrink

import (
	"iter"

	"custody/traces"
)

// A param is one number of a script that the shrinker may change: an argument, the length of a prompt, a value of the
// configuration. Its floor is its default, or where that makes no sense, its minimum; toward the floor is simpler.
type param struct {
	of    paramKind
	index int // into Events, Workers or Tenants
	arg   int // of argParam: the Arg; of configParam and workerParam: the Key
}

type paramKind uint8

const (
	argParam    paramKind = iota // a number of an event: max=8, run 3
	anchorParam                  // when tokens=2
	lengthParam                  // the length of a submit's prompt
	configParam                  // a key of the header
	workerParam                  // a key of a worker line
	quotaParam                   // of a tenant line
)

// farthest is where the measures stop to count, so that one random seed of 64 bits cannot make a sum overflow.
const farthest = 1 << 40

func (p param) value(s *traces.Script) int64 {
	switch p.of {
	case anchorParam:
		return int64(s.Events[p.index].When.N)
	case lengthParam:
		return int64(len(s.Events[p.index].Prompt))
	case configParam:
		return s.Config[p.arg]
	case workerParam:
		return s.Workers[p.index].Value[p.arg]
	case quotaParam:
		return s.Tenants[p.index].Quota
	}
	v := s.Events[p.index].Args[p.arg]
	if traces.Arg(p.arg).Wide() {
		return int64(min(uint64(v), 1<<62))
	}
	return v
}

// set changes the number. The script must be one that the caller may write to; its prompts may be shared.
func (p param) set(s *traces.Script, v int64) {
	switch p.of {
	case argParam:
		s.Events[p.index].Args[p.arg] = v
	case anchorParam:
		s.Events[p.index].When.N = int32(v)
	case lengthParam:
		s.Events[p.index].Prompt = resized(s.Events[p.index].Prompt, int(v))
	case configParam:
		s.Config[p.arg] = v
	case workerParam:
		s.Workers[p.index].Value[p.arg] = v
	case quotaParam:
		s.Tenants[p.index].Quota = v
	}
}

func (p param) floor() int64 {
	switch p.of {
	case argParam:
		return traces.Arg(p.arg).Floor()
	case configParam, workerParam:
		return traces.Keys[p.arg].Min
	case anchorParam:
		return 1
	}
	return 0
}

// counts tells whether it is the number of a line that lets time pass.
func (p param) counts() bool { return p.of == argParam && traces.Arg(p.arg).Bare() }

// highest is the largest value that the number may have.
func (p param) highest() int64 {
	switch p.of {
	case argParam:
		return traces.Arg(p.arg).Largest()
	case configParam, workerParam:
		return traces.Keys[p.arg].Max
	}
	return traces.Count.Largest()
}

// distance is how far from its floor the number is.
func (p param) distance(s *traces.Script) int64 {
	n := p.value(s) - p.floor()
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

// eventParams yields the params of the i-th event.
func eventParams(s *traces.Script, i int) iter.Seq[param] {
	return func(yield func(param) bool) {
		e := &s.Events[i]
		if e.Verb == traces.Submit && !yield(param{lengthParam, i, 0}) {
			return
		}
		for _, a := range e.Verb.Args() {
			if !a.Flag() && !yield(param{argParam, i, int(a)}) {
				return
			}
		}
		if e.When.Kind != traces.Now && e.When.Kind != traces.WhenState {
			yield(param{anchorParam, i, 0})
		}
	}
}

// allEventParams returns the params of all events.
func allEventParams(s *traces.Script) []param {
	var ps []param
	for i := range s.Events {
		for p := range eventParams(s, i) {
			ps = append(ps, p)
		}
	}
	return ps
}

// headerParams returns the params of what the header says: a key at its default has none.
func headerParams(s *traces.Script) []param {
	var ps []param
	for k := range s.Config {
		if s.Config[k] != traces.Keys[k].Default {
			ps = append(ps, param{configParam, 0, k})
		}
	}
	for i := range s.Workers {
		for k, has := range s.Workers[i].Has {
			if has {
				ps = append(ps, param{workerParam, i, k})
			}
		}
	}
	for i := range s.Tenants {
		if s.Tenants[i].Quota != 0 {
			ps = append(ps, param{quotaParam, i, 0})
		}
	}
	return ps
}
