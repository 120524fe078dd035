package witness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/sim/gen"
	"custody/sim/local"
	"custody/traces"
)

// flaw is one defect of an engine without facts: what it gets wrong on the way in or out.
type flaw struct {
	setup  func(*engine.Setup)
	claims func(*engine.Claims)
	submit func(*protocol.Spec)
	plan   func(*flawed, *protocol.Plan)
	settle func(*protocol.Result)
	output func(*protocol.Output)
}

// flawed is Custody's own engine with its facts cut off, and a flaw.
type flawed struct {
	engine.Engine
	flaw
	size int32           // of a block
	last []cache.BlockID // given to the latest new row
}

func (f *flawed) Hello(s engine.Setup) (engine.Claims, error) {
	f.size, f.last = s.Layout.BlockTokens, nil
	if f.setup != nil {
		f.setup(&s)
	}
	c, err := f.Engine.Hello(s)
	if f.claims != nil {
		f.claims(&c)
	}
	return c, err
}

func (f *flawed) Submit(now engine.Time, s *protocol.Spec) (cache.Req, protocol.Reason) {
	if f.submit != nil {
		f.submit(s)
	}
	return f.Engine.Submit(now, s)
}

func (f *flawed) Plan(dst *protocol.Plan) bool {
	planned := f.Engine.Plan(dst)
	if planned && f.plan != nil {
		f.plan(f, dst)
	}
	return planned
}

func (f *flawed) Settle(r *protocol.Result) {
	if f.settle != nil {
		f.settle(r)
	}
	f.Engine.Settle(r)
}

func (f *flawed) Outputs() []protocol.Output {
	out := f.Engine.Outputs()
	for i := range out {
		if f.output != nil {
			f.output(&out[i])
		}
	}
	return out
}

// giveAgain gives the blocks of the row before to a new row, too.
func giveAgain(f *flawed, p *protocol.Plan) {
	for i := range p.Rows {
		if r := &p.Rows[i]; r.New && r.Start == 0 {
			if len(f.last) == len(r.Blocks) {
				r.Blocks = f.last
			}
			f.last = append([]cache.BlockID(nil), r.Blocks...)
		}
	}
}

// skip leaves a block's worth of a new row to nobody.
func skip(f *flawed, p *protocol.Plan) {
	for i := range p.Rows {
		if r := &p.Rows[i]; r.New && r.N > f.size {
			r.Start, r.N = r.Start+f.size, r.N-f.size
		}
	}
}

// What is wrong inside an engine comes out in its plans, or in what its clients are told.
func TestWhatIsWrongShowsInPlansAlone(t *testing.T) {
	for name, c := range map[string]struct {
		flaw    flaw
		promise invariants.ID
		seeds   uint64 // that suffice
	}{
		"the key forgets the tenant":       {flaw{submit: func(s *protocol.Spec) { s.ID.Domain = 1 }}, invariants.Row, 5},
		"blocks are given twice":           {flaw{plan: giveAgain}, invariants.Owner, 5},
		"a block is passed over":           {flaw{plan: skip}, invariants.Publish, 5},
		"a token is another's":             {flaw{output: func(o *protocol.Output) { o.Token ^= 1 }}, invariants.Route, 5},
		"an end is told as another":        {flaw{output: toldAsWhole}, invariants.Route, 20},
		"results change places":            {flaw{settle: swap}, invariants.Route, 20},
		"more rows than there may be":      {flaw{setup: func(s *engine.Setup) { s.Config[traces.Rows]++ }}, invariants.Limits, 20},
		"blocks return under a pass":       {flaw{claims: claimSettled}, invariants.Owner, 400},
		"entries before there is anything": {flaw{claims: claimPublishSettled}, invariants.Publish, 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := map[invariants.ID]bool{}
			for seed := uint64(1); seed <= c.seeds; seed++ {
				_, r, err := gen.Generate(seed, gen.Profiles[0], sim.ExecuteOptions{Engine: func() engine.Engine {
					return &flawed{Engine: local.NewSilent(), flaw: c.flaw}
				}})
				require.NoError(t, err)
				for _, b := range r.Breaches {
					broken[b.Promise] = true
				}
			}
			require.True(t, broken[c.promise], broken)
		})
	}
}

func toldAsWhole(o *protocol.Output) {
	if o.Why == protocol.Cancelled {
		o.Why = protocol.LengthEnd
	}
}

func swap(r *protocol.Result) {
	if n := len(r.Rows); n > 1 {
		r.Rows[0].Tokens, r.Rows[n-1].Tokens = r.Rows[n-1].Tokens, r.Rows[0].Tokens
	}
}

func claimSettled(c *engine.Claims) { c.Release = engine.ReleaseSettled }

func claimPublishSettled(c *engine.Claims) {
	if c.Publish == engine.PublishPlanned {
		c.Publish = engine.PublishSettled
	}
}
