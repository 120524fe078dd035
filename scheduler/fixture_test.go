package scheduler_test

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"custody/cache"
	. "custody/scheduler"
	"custody/scheduler/protocol"
)

// fixture is a scheduler with a worker that samples the position of a token as the token. Requests are named r0, r1, … and
// their prompts have nothing in common; a block has 4 tokens.
type fixture struct {
	*Scheduler
	t      require.TestingT
	pool   *cache.Pool
	last   protocol.Plan
	plans  map[cache.OpID][]protocol.Row
	owner  map[int32]uint32 // slot → name
	prompt map[uint32]int32

	failing map[cache.Req]int32 // the entries of tables whose allocation fails, once
}

// setting is what a test may change.
type setting struct {
	Config
	blocks int32
	pool   cache.Config
}

func newFixture(t require.TestingT, change ...func(*setting)) *fixture {
	c := &setting{
		blocks: 16,
		Config: Config{MaxRows: 3, Budget: 16, MaxLen: 32, MaxQueue: 8, Depth: 2, Vocab: 1000, Requeues: 1, Quotas: []int32{0, 0}},
		pool:   cache.Config{KeyBits: 64, Order: cache.FreeVLLM},
	}
	for _, f := range change {
		f(c)
	}
	c.pool.Layout = cache.Layout{Blocks: c.blocks, Layers: 1, BlockTokens: 4, TokenWords: 1}
	c.pool.Reqs, c.pool.MaxLen = c.Slots(), c.MaxLen
	r := &fixture{
		t: t, plans: map[cache.OpID][]protocol.Row{}, owner: map[int32]uint32{}, prompt: map[uint32]int32{},
		failing: map[cache.Req]int32{},
	}
	c.pool.Veto = r.fails
	r.pool = cache.NewPool(c.pool, cache.NewMemory(c.pool.Layout))
	r.Scheduler = New(c.Config, r.pool)
	return r
}

func (r *fixture) fails(_ cache.BlockKind, q cache.Req, entry, _ int32) bool {
	at, armed := r.failing[q]
	if armed && at == entry {
		delete(r.failing, q)
		return true
	}
	return false
}

func spec(name uint32, prompt, most int32) *protocol.Spec {
	s := &protocol.Spec{Name: name, Max: most, EOS: -1}
	for i := range prompt {
		s.Prompt = append(s.Prompt, cache.Token(100*name)+cache.Token(i))
	}
	return s
}

func (r *fixture) submitSpec(s *protocol.Spec) cache.Req {
	q, why := r.Submit(s)
	require.Equal(r.t, protocol.NoReason, why)
	r.owner[q.Slot], r.prompt[s.Name] = s.Name, int32(len(s.Prompt))
	return q
}

func (r *fixture) submit(name uint32, prompt, most int32) cache.Req {
	return r.submitSpec(spec(name, prompt, most))
}

// req is the present life of a name.
func (r *fixture) req(name uint32) cache.Req {
	for slot, n := range r.owner {
		if n == name {
			return r.Current(slot)
		}
	}
	panic(fmt.Sprintf("no request r%d", name))
}

// plan plans, and says what: "+" a row is new to the worker, "0..4" the positions, "!" a token is sampled; "-r1" clears
// the row of an ended life; "copy r0 3>5" copies a block.
func (r *fixture) plan() string {
	var words []string
	if !r.Plan(&r.last) {
		return "nothing"
	}
	for _, x := range r.last.Ended {
		words = append(words, fmt.Sprintf("-r%d", r.owner[x.Slot]))
	}
	for _, c := range r.last.Copies {
		words = append(words, fmt.Sprintf("copy r%d %d>%d", r.owner[c.Req.Slot], c.From, c.To))
	}
	for i := range r.last.Rows {
		words = append(words, r.row(&r.last.Rows[i]))
	}
	if r.last.Op != 0 {
		r.plans[r.last.Op] = append([]protocol.Row{}, r.last.Rows...)
	}
	return strings.Join(words, ", ")
}

func (r *fixture) row(p *protocol.Row) string {
	text := fmt.Sprintf("r%d %d..%d", r.owner[p.Req.Slot], p.Start, p.Start+p.N)
	if p.New {
		text = "+" + text
	}
	if p.Sample {
		text += "!"
	}
	return text
}

var samples = []cache.Token{0}

// sampled is what a worker samples for a row: the token for a position is its number. Valid until the next call.
func sampled(p *protocol.Row) []cache.Token {
	if !p.Sample {
		return nil
	}
	samples[0] = cache.Token(p.Start + p.N)
	return samples
}

// settle settles a pass and says what clients are told.
func (r *fixture) settle(op cache.OpID) string {
	res := protocol.Result{Op: op}
	for _, p := range r.plans[op] {
		res.Add(p.Req, sampled(&p))
	}
	delete(r.plans, op)
	r.Settle(&res)
	return r.told()
}

func (r *fixture) told() string {
	var words []string
	for _, o := range r.Outputs() {
		if o.Why != protocol.NoReason {
			words = append(words, fmt.Sprintf("r%d %s", r.owner[o.Req.Slot], o.Why))
		} else {
			words = append(words, fmt.Sprintf("r%d=%d", r.owner[o.Req.Slot], o.Token))
		}
	}
	return strings.Join(words, ", ")
}

// refuse is the worker's refusal of a row.
func (r *fixture) refuse(op cache.OpID, x protocol.Refusal) string {
	rows := r.plans[op]
	for i := range rows {
		if rows[i].Req == x.Req {
			rows = append(rows[:i], rows[i+1:]...)
			break
		}
	}
	r.plans[op] = rows
	r.Refused(op, []protocol.Refusal{x})
	return r.told()
}

// vacant tells whether the slot of the request table is empty.
func (r *fixture) vacant(slot int32) bool {
	state, _ := r.Live(r.Current(slot))
	return state == Absent
}

func (r *fixture) state(name uint32) State {
	s, _ := r.Live(r.req(name))
	return s
}

// queues lists who waits and who runs.
func (r *fixture) queues() string {
	waiting, running := r.Queues()
	return "waiting" + r.names(waiting) + ", running" + r.names(running)
}

func (r *fixture) names(slots []int32) (text string) {
	for _, s := range slots {
		text += fmt.Sprintf(" r%d", r.owner[s])
	}
	return text
}

func (r *fixture) table(name uint32) []cache.BlockID { return r.pool.Table(r.req(name)) }
