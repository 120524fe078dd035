package shrink_test

import (
	"slices"

	"custody/traces"
	"custody/traces/shrink"
)

// toy is a serving engine reduced to a page: no blocks, no memory, and what a row remembers is one for all rows. A
// derived event serves the request whose turn it is: a chunk of its prompt, or one token; then the turn passes on to
// the next that has a row. It exists to be broken in ways whose smallest script is known.
type toy struct {
	script *traces.Script
	at     int // the event being applied
	live   []*toyRequest
	armed  []traces.Event // refusals, and anchored cancellations and preemptions, that wait
	ended  []*toyRequest
	left   *toyRequest // what a refused request left in the row
	ticks  int
	flips  int // preemptions and resets
	struck int // of them, those that struck a request after its second token
	out    shrink.Outcome
	defect defect
}

type toyRequest struct {
	name, tenant string
	prompt       []int32
	max          int
	chunks       int
	done         int         // tokens of the prompt served
	tokens       int         // tokens put out
	found        *toyRequest // what it found in the row
	second       bool        // it was first served after another had ended
}

// defect looks at the toy after every step and says what is broken.
type defect func(t *toy, e *traces.Event)

// toyExecutor returns an executor whose engine has the defect.
func toyExecutor(d defect) shrink.Executor {
	return func(s *traces.Script) shrink.Outcome {
		t := toy{script: s, defect: d, out: shrink.Outcome{Noop: make([]bool, len(s.Events))}}
		for t.at = range s.Events {
			t.apply(&s.Events[t.at])
		}
		return t.out
	}
}

func (t *toy) apply(e *traces.Event) {
	applied := true
	switch e.Verb {
	case traces.Submit:
		applied = t.submit(e)
	case traces.Cancel:
		applied = t.cancel(e)
	case traces.Refuse:
		t.armed = append(t.armed, *e)
	case traces.Preempt:
		t.preempt(e)
	case traces.Reset:
		t.flips++
		for _, r := range t.live {
			t.strike(r, e.Has(traces.Force))
		}
	case traces.Run:
		t.run(int(e.Args[traces.Count]))
	case traces.Advance:
		t.run(int(e.Args[traces.Ticks]) / 3)
	case traces.Drain:
		t.run(1000)
	default:
		applied = false
	}
	t.out.Noop[t.at] = !applied
	t.step(e)
}

func (t *toy) step(e *traces.Event) {
	t.out.Steps++
	t.defect(t, e)
}

func (t *toy) submit(e *traces.Event) bool {
	if len(e.Prompt) == 0 || t.named(e.Name) != nil {
		return false
	}
	t.live = append(t.live, &toyRequest{name: e.Name, tenant: e.Tenant, prompt: e.Prompt, max: int(e.Args[traces.Max])})
	return true
}

func (t *toy) cancel(e *traces.Event) bool {
	r := t.named(e.Name)
	if e.When.Kind != traces.Now {
		t.armed = append(t.armed, *e)
		return true
	}
	if r != nil {
		t.end(r)
	}
	return r != nil
}

func (t *toy) preempt(e *traces.Event) {
	if e.When.Kind != traces.Now {
		t.armed = append(t.armed, *e)
		return
	}
	t.flips++
	if r := t.named(e.Name); r != nil {
		t.strike(r, true)
	}
}

func (t *toy) strike(r *toyRequest, really bool) {
	if really && r.tokens >= 2 {
		t.struck++
	}
}

func (t *toy) named(name string) *toyRequest {
	for _, r := range t.live {
		if r.name == name {
			return r
		}
	}
	return nil
}

func (t *toy) end(r *toyRequest) {
	t.live = slices.DeleteFunc(t.live, func(o *toyRequest) bool { return o == r })
	t.ended = append(t.ended, r)
}

func (t *toy) run(n int) {
	for ; n > 0 && len(t.live) > 0; n-- {
		t.tick(t.live[0])
	}
}

func (t *toy) tick(r *toyRequest) {
	last := min(int(t.script.Config[traces.Rows]), len(t.live)) - 1
	copy(t.live[:last], t.live[1:])
	t.live[last] = r
	t.ticks++
	if r.chunks == 0 {
		r.found, t.left = t.left, nil
		r.second = len(t.ended) > 0
	}
	if r.done < len(r.prompt) {
		r.chunks++
		r.done += t.chunk(r)
	} else {
		r.tokens++
	}
	t.fire(r)
	t.step(&traces.Event{Verb: traces.Nop, Name: r.name})
	if r.tokens >= r.max {
		t.end(r)
	}
}

func (t *toy) chunk(r *toyRequest) int {
	left := len(r.prompt) - r.done
	if c := int(t.script.Config[traces.Chunk]); c > 0 {
		return min(c, left)
	}
	return left
}

// fire lets armed events happen to the request that was just served.
func (t *toy) fire(r *toyRequest) {
	for i := range t.armed {
		e := &t.armed[i]
		switch {
		case e.Name != r.name:
		case e.Verb == traces.Refuse && r.tokens == 0 && r.chunks == int(e.Args[traces.NthChunk]):
			t.left = r
			t.end(r)
			e.Name = ""
			return
		case e.Verb == traces.Cancel && e.When.Kind == traces.WhenTokens && r.tokens == int(e.When.N):
			t.end(r)
			e.Name = ""
			return
		case e.Verb == traces.Preempt && e.When.Kind == traces.WhenTokens && r.tokens == int(e.When.N):
			t.strike(r, true)
			e.Name = ""
		}
	}
}

// fail records the first failure of an identity.
func (t *toy) fail(id shrink.Identity, names ...string) {
	if t.out.Has(id) == nil {
		t.out.Failures = append(t.out.Failures, shrink.Failure{Identity: id, Step: t.out.Steps, Last: t.at, Names: names})
	}
}

// cancelled tells whether the line e has just cancelled a live request.
func (t *toy) cancelled(e *traces.Event) bool {
	return e.Verb == traces.Cancel && e.When.Kind == traces.Now && !t.out.Noop[t.at]
}

// applied counts the lines so far that are of a kind and did something.
func (t *toy) applied(of func(*traces.Event) bool) int {
	n := 0
	for i := range t.script.Events[:t.at+1] {
		if !t.out.Noop[i] && of(&t.script.Events[i]) {
			n++
		}
	}
	return n
}

// wanted and unwanted are the identities of the failures of most toys.
var (
	wanted   = shrink.Identity{Promise: "content", Event: "settle", Relation: "other-domain", Slot: "stale"}
	unwanted = shrink.Identity{Promise: "once", Event: "cancel", Relation: "none", Slot: "none"}
)

// staleRow: a request reads what a refused one left in the row.
func staleRow(t *toy, e *traces.Event) {
	for _, r := range t.live {
		if r.found == nil || r.tokens == 0 {
			continue
		}
		id := wanted
		if r.found.tenant == r.tenant {
			id.Relation = "same-domain"
		}
		t.fail(id, r.name, r.found.name)
	}
}

// oddFlips: cancelling the second of two live requests breaks if preemptions and resets come in an even number.
func oddFlips(t *toy, e *traces.Event) {
	if t.cancelled(e) && len(t.live) > 0 && t.flips%2 == 0 {
		t.fail(wanted, e.Name)
	}
}

// lateCancel: a cancellation breaks from the tenth line or derived event on.
func lateCancel(t *toy, e *traces.Event) {
	if t.cancelled(e) && t.out.Steps >= 10 {
		t.fail(wanted, e.Name)
	}
}

// tooLong: a request that is longer than the limit is served.
func tooLong(t *toy, e *traces.Event) {
	for _, r := range t.live {
		if len(r.prompt)+r.max > int(t.script.Config[traces.MaxLen]) {
			t.fail(wanted, r.name)
		}
	}
}

// sharedPrefix: a full block that two prompts have in common is given to both.
func sharedPrefix(t *toy, e *traces.Event) {
	n := int(t.script.Config[traces.Block])
	for _, a := range t.live {
		for _, b := range t.live {
			if a != b && len(a.prompt) >= n && len(b.prompt) >= n && slices.Equal(a.prompt[:n], b.prompt[:n]) {
				t.fail(wanted, b.name, a.name)
			}
		}
	}
}

// sameEnd: a prompt that ends with the token 'Z' is taken for another that is as long and begins otherwise.
func sameEnd(t *toy, e *traces.Event) {
	for _, a := range t.live {
		for _, b := range t.live {
			n := len(a.prompt) - 1
			if n == len(b.prompt)-1 && a.prompt[0] != b.prompt[0] && a.prompt[n] == 'Z' && b.prompt[n] == 'Z' {
				t.fail(wanted, b.name, a.name)
			}
		}
	}
}

// extension: a prompt that ends with the token 'Z' is extended by two tokens in a second one.
func extension(t *toy, e *traces.Event) {
	for _, a := range t.live {
		for _, b := range t.live {
			n := len(a.prompt)
			if len(b.prompt) == n+2 && a.prompt[n-1] == 'Z' && slices.Equal(a.prompt, b.prompt[:n]) {
				t.fail(wanted, b.name, a.name)
			}
		}
	}
}

// sameTail: the last two tokens of one prompt are taken for those of another that begins otherwise.
func sameTail(t *toy, e *traces.Event) {
	for _, a := range t.live {
		for _, b := range t.live {
			n, m := len(a.prompt), len(b.prompt)
			if n > 2 && m > 2 && a.prompt[0] != b.prompt[0] && slices.Equal(a.prompt[n-2:], b.prompt[m-2:]) {
				t.fail(wanted, b.name, a.name)
			}
		}
	}
}

// bothOverQuota: two requests are live, of tenants whose lines give them more than one.
func bothOverQuota(t *toy, e *traces.Event) {
	n := 0
	for _, r := range t.live {
		if slices.ContainsFunc(t.script.Tenants, func(o traces.Tenant) bool { return o.Name == r.tenant && o.Quota > 1 }) {
			n++
		}
	}
	if n > 1 {
		t.fail(wanted)
	}
}

// fullHouse: a request has to wait for a row.
func fullHouse(t *toy, e *traces.Event) {
	if rows := int(t.script.Config[traces.Rows]); len(t.live) > rows {
		t.fail(wanted, t.live[rows].name)
	}
}

// successor: a request is first served after another has ended.
func successor(t *toy, e *traces.Event) {
	for _, r := range t.live {
		if r.second {
			t.fail(wanted, r.name)
		}
	}
}

// resetSuccessor: a plain reset meets a request after its second token that was first served after another had ended.
func resetSuccessor(t *toy, e *traces.Event) {
	for _, r := range t.live {
		if e.Verb == traces.Reset && r.second && r.tokens >= 2 {
			t.fail(wanted, r.name)
		}
	}
}

// strike: a request is preempted after its second token.
func strike(t *toy, e *traces.Event) {
	if t.struck > 0 {
		t.fail(wanted)
	}
}

// echo: a prompt is as long as its output may be, and says nothing but the token that ends it.
func echo(t *toy, e *traces.Event) {
	other := func(token int32) bool { return token != e.Int(traces.EOS) }
	n := int(e.Args[traces.Max])
	if e.Verb == traces.Submit && n == len(e.Prompt) && n > 1 && !slices.ContainsFunc(e.Prompt, other) {
		t.fail(wanted, e.Name)
	}
}

// rareSeeds: two requests have seeds of a kind that is rare.
func rareSeeds(t *toy, e *traces.Event) {
	rare := t.applied(func(e *traces.Event) bool { return e.Seed() > 0 && e.Seed()%77 == 0 && e.Seed()/77%31 == 3 })
	if rare > 1 {
		t.fail(wanted)
	}
}

// longRefused: a request of twelve tokens or more is refused.
func longRefused(t *toy, e *traces.Event) {
	if t.left != nil && len(t.left.prompt) >= 12 {
		t.fail(wanted, t.left.name)
	}
}

// longGap: the second cancellation comes late.
func longGap(t *toy, e *traces.Event) {
	cancels := t.applied(func(e *traces.Event) bool { return e.Verb == traces.Cancel })
	if t.cancelled(e) && cancels > 1 && t.ticks >= 60 {
		t.fail(wanted, e.Name)
	}
}

// descent: three requests begin with three different tokens, the largest before the middle one.
func descent(t *toy, e *traces.Event) {
	var at [3]int
	for i, r := range t.live {
		if p := r.prompt[0]; p < 3 {
			at[p] = i + 1
		}
	}
	if at[0] > 0 && at[2] > 0 && at[1] > at[2] {
		t.fail(wanted)
	}
}

// marker: a request puts out as many tokens as one that is live with it and whose prompt begins with another token.
func marker(t *toy, e *traces.Event) {
	for _, a := range t.live {
		for _, b := range t.live {
			if a.prompt[0] != b.prompt[0] && a.max == b.max && a.tokens > 0 && a.tokens == b.tokens {
				t.fail(wanted, a.name, b.name)
			}
		}
	}
}

// secondEnd: the end of a second request breaks one promise, unless no token was put out: that breaks another.
func secondEnd(t *toy, e *traces.Event) {
	if len(t.ended) < 2 {
		return
	}
	if t.ended[1].tokens < 2 {
		t.fail(unwanted, t.ended[1].name)
		return
	}
	t.fail(wanted, t.ended[1].name)
}

// leak: two requests that were cancelled while decoding are still there at the drain.
func leak(t *toy, e *traces.Event) {
	if e.Verb != traces.Drain {
		return
	}
	n := 0
	for _, r := range t.ended {
		if 0 < r.tokens && r.tokens < r.max {
			n++
		}
	}
	if n >= 2 {
		t.fail(wanted, t.ended[0].name)
	}
}

// twoLives: two requests were cancelled.
func twoLives(t *toy, e *traces.Event) {
	if t.cancelled(e) && len(t.ended) == 2 {
		t.fail(wanted, e.Name)
	}
}

// gapCancel: a request is cancelled, however that came about, while it decodes and before the drain.
func gapCancel(t *toy, e *traces.Event) {
	if t.script.Events[t.at].Verb == traces.Drain {
		return
	}
	for _, r := range t.ended {
		if 2 <= r.tokens && r.tokens < r.max {
			t.fail(wanted, r.name)
		}
	}
}

// smallWorker: the worker serves a request that is longer than its own limit.
func smallWorker(t *toy, e *traces.Event) {
	for i := range t.script.Workers {
		w := &t.script.Workers[i]
		for _, r := range t.live {
			if w.Has[traces.MaxLen] && len(r.prompt)+r.max > int(w.Value[traces.MaxLen]) {
				t.fail(wanted, r.name)
			}
		}
	}
}

// overQuota: a tenant whose line gives it more than one request is served.
func overQuota(t *toy, e *traces.Event) {
	if len(t.live) == 0 {
		return
	}
	r := t.live[len(t.live)-1]
	for _, o := range t.script.Tenants {
		if o.Quota > 1 && o.Name == r.tenant {
			t.fail(wanted, r.name)
		}
	}
}

// forkedEngine: an engine that is set to fork serves a request.
func forkedEngine(t *toy, e *traces.Event) {
	if len(t.live) > 0 && slices.Contains(t.script.Engine.Settings, traces.Setting{Key: "forks", Value: "2"}) {
		t.fail(wanted, t.live[0].name)
	}
}
