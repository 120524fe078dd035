package scheduler_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"custody/cache"
	. "custody/scheduler"
	"custody/scheduler/protocol"
)

// randomRun is a fixture under random calls. The worker samples the position of a token as the token, so each client must get
// the numbers from the length of its prompt on.
type randomRun struct {
	*fixture
	c       setting
	names   uint32
	next    map[cache.Req]int32 // slot and name → the token that its client waits for
	ended   map[uint32]bool
	copying []cache.OpID
	rows    map[cache.Req]*workerRow
}

// workerRow is a worker's row.
type workerRow struct {
	tokens []protocol.TokenRef
	blocks []cache.BlockID
}

// take takes a plan in as a worker does, and checks that each row has what its pass computes with.
func (s *randomRun) take(t *rapid.T) {
	for _, r := range s.last.Ended {
		delete(s.rows, r)
	}
	for i := range s.last.Rows {
		p := &s.last.Rows[i]
		if p.New {
			require.Nil(t, s.rows[p.Req])
			s.rows[p.Req] = &workerRow{}
		}
		x := s.rows[p.Req]
		x.tokens, x.blocks = append(x.tokens, p.Tokens...), append(x.blocks, p.Blocks...)
		require.Equal(t, s.pool.Table(p.Req), x.blocks)
		require.LessOrEqual(t, int(p.Start+p.N), len(x.tokens))
		text, _, _ := s.Progress(p.Req.Slot)
		for at, ref := range x.tokens[:min(len(x.tokens), len(text))] {
			require.True(t, ref.Op != 0 || ref.Token == text[at])
		}
	}
	require.LessOrEqual(t, len(s.rows), int(s.c.MaxRows))
}

func (s *randomRun) key(slot int32) cache.Req { return cache.Req{Slot: slot, Gen: s.owner[slot]} }

func newRandomRun(t *rapid.T) *randomRun {
	s := &randomRun{next: map[cache.Req]int32{}, ended: map[uint32]bool{}, rows: map[cache.Req]*workerRow{}}
	s.fixture = newFixture(t, func(c *setting) {
		flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
		c.blocks = rapid.Int32Range(4, 12).Draw(t, "blocks")
		c.MaxRows, c.Budget = rapid.Int32Range(1, 4).Draw(t, "rows"), rapid.Int32Range(1, 16).Draw(t, "budget")
		c.Chunk, c.Depth = rapid.Int32Range(0, 5).Draw(t, "chunk"), rapid.Int32Range(1, 3).Draw(t, "depth")
		c.MaxLen, c.MaxQueue = 16, 4
		c.Overlap, c.Reserve, c.TailCopy, c.pool.Prefix = flag("overlap"), flag("reserve"), flag("tailcopy"), flag("prefix")
		c.Policy, c.Publish = Policy(rapid.IntRange(0, 1).Draw(t, "policy")), PublishPolicy(rapid.IntRange(0, 1).Draw(t, "publish"))
		c.pool.Order = cache.FreeOrder(rapid.IntRange(0, 2).Draw(t, "order"))
		if !c.TailCopy { // copies run on another queue
			c.pool.Release = cache.ReleasePolicy(rapid.IntRange(0, 1).Draw(t, "release"))
		}
		s.c = *c
	})
	return s
}

func (s *randomRun) submitSome(t *rapid.T) {
	x := spec(0, rapid.SampledFrom([]int32{1, 3, 4, 5, 8, 9}).Draw(t, "prompt"), rapid.Int32Range(1, 6).Draw(t, "max"))
	x.Name, x.Priority = s.names, rapid.Int32Range(0, 2).Draw(t, "priority")
	x.ID.Domain = rapid.Uint32Range(0, 1).Draw(t, "domain")
	x.EOS = cache.Token(rapid.Int32Range(5, 12).Draw(t, "eos"))
	q, why := s.Submit(x)
	if why != protocol.NoReason {
		require.Equal(t, protocol.QueueFull, why)
		return
	}
	s.owner[q.Slot] = x.Name
	s.next[s.key(q.Slot)] = int32(len(x.Prompt))
	s.names++
}

// planOne plans once and checks the plan against the limits.
func (s *randomRun) planOne(t *rapid.T) bool {
	if !s.Plan(&s.last) {
		return false
	}
	if s.last.Op != 0 && s.last.Queue == cache.CopyQueue {
		s.take(t)
		s.copying = append(s.copying, s.last.Op)
		return true
	}
	s.take(t)
	total := int32(0)
	for i := range s.last.Rows {
		total += s.last.Rows[i].N
		require.Positive(t, s.last.Rows[i].N)
	}
	require.LessOrEqual(t, total, s.c.Budget)
	require.LessOrEqual(t, s.Outstanding(cache.PassQueue), s.c.Depth)
	if s.last.Op != 0 {
		s.plans[s.last.Op] = append([]protocol.Row{}, s.last.Rows...)
	}
	return true
}

func (s *randomRun) oldest() (cache.OpID, bool) {
	ops := slices.Sorted(maps.Keys(s.plans))
	if len(ops) == 0 {
		return 0, false
	}
	return ops[0], true
}

func (s *randomRun) settleOne(*rapid.T) {
	if op, ok := s.oldest(); ok {
		res := protocol.Result{Op: op}
		for _, p := range s.plans[op] {
			res.Add(p.Req, sampled(&p))
		}
		delete(s.plans, op)
		s.Settle(&res)
	}
}

func (s *randomRun) settleCopy(*rapid.T) {
	if len(s.copying) > 0 {
		s.Settle(&protocol.Result{Op: s.copying[0]})
		s.copying = s.copying[1:]
	}
}

func (s *randomRun) loseCopy(*rapid.T) {
	if len(s.copying) > 0 {
		s.Lost(s.copying[0], cache.CopyQueue)
		s.copying = s.copying[1:]
	}
}

func (s *randomRun) losePass(t *rapid.T) {
	ops := slices.Sorted(maps.Keys(s.plans))
	if len(ops) == 0 {
		return
	}
	op := rapid.SampledFrom(ops).Draw(t, "op")
	s.Lost(op, cache.PassQueue)
	maps.DeleteFunc(s.plans, func(x cache.OpID, _ []protocol.Row) bool { return x >= op })
}

// refuseSome refuses a row of the plan that has just been made.
func (s *randomRun) refuseSome(t *rapid.T) {
	if !s.planOne(t) || len(s.last.Rows) == 0 {
		return
	}
	row := rapid.SampledFrom(s.last.Rows).Draw(t, "row")
	s.plans[s.last.Op] = slices.DeleteFunc(s.plans[s.last.Op], func(p protocol.Row) bool { return p.Req == row.Req })
	delete(s.rows, row.Req)
	s.Refused(s.last.Op, []protocol.Refusal{{Req: row.Req, Why: protocol.Injected, Final: rapid.Bool().Draw(t, "final")}})
}

// some is a present life, or none.
func (s *randomRun) some(t *rapid.T) cache.Req {
	return s.Current(rapid.Int32Range(0, 5).Draw(t, "slot"))
}

// deliver gives clients their messages and checks that they are the next ones.
func (s *randomRun) deliver(t *rapid.T) {
	for _, o := range s.Outputs() {
		k := s.key(o.Req.Slot)
		require.False(t, s.ended[k.Gen], "r%d has ended", k.Gen)
		if o.Why != protocol.NoReason {
			s.ended[k.Gen] = true
			continue
		}
		require.Equal(t, cache.Token(s.next[k]), o.Token, "r%d", k.Gen)
		s.next[k]++
	}
}

// check is what holds after every call.
func (s *randomRun) check(t *rapid.T) {
	s.deliver(t)
	waiting, running := s.Queues()
	require.LessOrEqual(t, int32(len(running)), s.c.MaxRows)
	lives := 0
	for slot := range s.c.Slots() {
		state, ok := s.Live(s.Current(slot))
		if !ok {
			require.Zero(t, count(waiting, slot)+count(running, slot))
			continue
		}
		lives++
		_, planned, settled := s.Progress(slot)
		require.LessOrEqual(t, settled, planned)
		require.Equal(t, btoi(state == Waiting || state == Preempted), count(waiting, slot), "%s", state)
		require.Equal(t, btoi(state == Prefill || state == Decode), count(running, slot), "%s", state)
		require.Equal(t, state == Waiting || state == Preempted, len(s.pool.Table(s.Current(slot))) == 0, "%s", state)
	}
	require.Equal(t, int(s.names)-len(s.ended), lives)
}

func count(list []int32, slot int32) (n int) {
	for _, x := range list {
		n += btoi(x == slot)
	}
	return n
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestEveryRequestEndsWhateverIsCalled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newRandomRun(t)
		t.Repeat(map[string]func(*rapid.T){
			"submit":      s.submitSome,
			"plan":        func(t *rapid.T) { s.planOne(t) },
			"settle":      s.settleOne,
			"settle copy": s.settleCopy,
			"lose":        s.losePass,
			"lose copy":   s.loseCopy,
			"refuse":      s.refuseSome,
			"cancel":      func(t *rapid.T) { s.Cancel(s.some(t)) },
			"preempt":     func(t *rapid.T) { s.Preempt(s.some(t)) },
			"reset":       func(t *rapid.T) { s.ResetPrefix(rapid.Bool().Draw(t, "force")) },
			"fail": func(t *rapid.T) {
				s.failing[s.some(t)] = rapid.Int32Range(0, 3).Draw(t, "block")
			},
			"": s.check,
		})
		for range 2000 {
			moved := s.planOne(t)
			if !moved && len(s.plans)+len(s.copying) == 0 && !s.Retry() {
				break
			}
			s.settleOne(t)
			s.settleCopy(t)
			s.check(t)
		}
		require.Len(t, s.ended, int(s.names))
		require.Equal(t, s.pool.Blocks(), s.pool.Free())
		for slot := range s.c.Slots() {
			require.True(t, s.vacant(slot))
		}
	})
}
