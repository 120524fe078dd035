package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/scheduler/protocol"
)

// canon is the form of the scheduler and of its pool.
func (r *fixture) canon() [2]uint64 {
	var c cache.Canon
	c.Reset()
	r.Scheduler.Canon(&c)
	r.pool.Canon(&c)
	return c.Sum()
}

// from submits a request of a tenant.
func (r *fixture) from(tenant int32, name uint32, tokens ...cache.Token) {
	r.submitSpec(&protocol.Spec{
		Name: name, Tenant: tenant, ID: cache.Identity{Domain: uint32(tenant) + 1}, Prompt: tokens, Max: 3, EOS: -1,
	})
}

// steps does one thing after another.
func steps(list ...func(*fixture) string) func(*fixture) {
	return func(r *fixture) {
		for _, step := range list {
			step(r)
		}
		r.told()
	}
}

func submits(tenant int32, name uint32, tokens ...cache.Token) func(*fixture) string {
	return func(r *fixture) string { r.from(tenant, name, tokens...); return "" }
}

func plans(r *fixture) string { return r.plan() }

func TestSchedulersOfOneFutureHaveOneForm(t *testing.T) {
	nothing, ordinary := steps(), func(*setting) {}
	priority := func(c *setting) { c.Policy = 1 }
	quota := func(c *setting) { c.Quotas = []int32{0, 2} }
	cached := func(c *setting) { c.pool.Prefix = true }
	submitted := func(tenant int32, name uint32, token cache.Token) func(*fixture) {
		return steps(submits(tenant, name, token))
	}
	long := submits(0, 0, 1, 2, 3, 4, 5)
	left := []func(*fixture) string{long, plans, settling(1), cancelling(0), plans} // and what it has computed is cached
	leftThen := func(next func(*fixture) string) func(*fixture) {
		return steps(append(left[:len(left):len(left)], next)...)
	}
	for name, c := range map[string]struct {
		change func(*setting)
		a, b   func(*fixture)
		equal  bool
	}{
		"a request came and went":            {ordinary, nothing, steps(left...), true},
		"its row is still to be cleared":     {ordinary, nothing, steps(left[:4]...), false},
		"its pass is outstanding":            {ordinary, nothing, steps(long, plans, cancelling(0), plans), false},
		"its pass has settled after its end": {ordinary, nothing, steps(long, plans, cancelling(0), plans, settling(1)), true},
		"it is cached":                       {cached, nothing, steps(left...), false},
		"another name":                       {ordinary, submitted(0, 0, 7), submitted(0, 5, 7), true},
		"another token":                      {ordinary, submitted(0, 0, 7), submitted(0, 0, 8), false},
		"another tenant":                     {ordinary, submitted(0, 0, 7), submitted(1, 0, 7), true},
		"another tenant, who has a quota":    {quota, submitted(0, 0, 7), submitted(1, 0, 7), false},
		"another tenant, and what is cached": {cached, leftThen(submits(0, 1, 7)), leftThen(submits(1, 1, 7)), false},
		"of one tenant, and of two": {ordinary,
			steps(submits(0, 0, 7), submits(0, 1, 8)), steps(submits(0, 0, 7), submits(1, 1, 8)), false},
		"the order of arrival": {ordinary,
			steps(submits(0, 0, 7), submits(0, 1, 8)), steps(submits(0, 1, 8), submits(0, 0, 7)), false},
		"who came first has gone": {priority, steps(submits(0, 0, 7), cancelling(0), submits(0, 1, 8)), submitted(0, 1, 8), true},
		"planned, and settled":    {ordinary, steps(long, plans), steps(long, plans, settling(1)), false},
		"preempted, and new": {ordinary, steps(long),
			steps(long, plans, func(r *fixture) string { r.Preempt(r.req(0)); return r.plan() }), false},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := newFixture(t, c.change), newFixture(t, c.change)
			c.a(a)
			c.b(b)
			require.Equal(t, c.equal, a.canon() == b.canon())
		})
	}
}
