package invariants

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
)

// An attempt that fails must leave nothing behind; one that commits may.
func TestAFailedAttemptThatLeavesSomethingBreaksAtomic(t *testing.T) {
	r := cache.Req{}
	for name, c := range map[string]struct {
		during func(d *fakeEngine, a *party)
		end    cache.TryKind
		broken bool
	}{
		"nothing happened": {func(*fakeEngine, *party) {}, cache.Failed, false},
		"taken and given back": {func(d *fakeEngine, a *party) {
			d.Block(cache.Alloc, a.req, 3, 0)
			d.Block(cache.Drop, a.req, 3, 0)
		}, cache.Failed, false},
		"taken": {func(d *fakeEngine, a *party) { d.Block(cache.Alloc, a.req, 3, 0) }, cache.Failed, true},
		"taken, and another given back": {func(d *fakeEngine, a *party) {
			d.Block(cache.Alloc, a.req, 3, 0)
			d.Block(cache.Drop, a.req, a.table[0], 0)
		}, cache.Failed, true},
		"an entry lost": {func(d *fakeEngine, a *party) {
			d.Block(cache.Unpublish, r, a.table[0], 0)
		}, cache.Failed, true},
		"taken, and the attempt succeeds": {func(d *fakeEngine, a *party) {
			d.Block(cache.Alloc, a.req, 3, 0)
		}, cache.Committed, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFakeEngine()
			a := served(d)
			d.Block(cache.Publish, a.req, a.table[0], 0)
			d.Try(cache.Growing, a.req)
			c.during(d, a)
			d.Try(c.end, a.req)
			require.Equal(t, c.broken, d.broken[Atomic], d.Breaches())
		})
	}
}

// What can be found must be given: the ledger walks the request's own content through the entries that it has seen filed.
func TestAPrefixThatIsNotGivenBreaksReuse(t *testing.T) {
	for name, c := range map[string]struct {
		tenant int32
		prompt []cache.Token
		given  int32
		broken bool
	}{
		"given":                       {amber, []cache.Token{1, 2, 3}, 1, false},
		"not given":                   {amber, []cache.Token{1, 2, 3}, 0, true},
		"the last token is never hit": {amber, []cache.Token{1, 2}, 0, false},
		"another tenant's":            {teal, []cache.Token{1, 2, 3}, 0, false},
		"other tokens":                {amber, []cache.Token{2, 2, 3}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFakeEngine()
			d.cfg.Claims.Prefix = true
			a := served(d) // its prompt begins with 1, 2: a whole block
			d.Block(cache.Publish, a.req, a.table[0], 0)
			b := d.submit(1, c.tenant, c.prompt...)
			d.Try(cache.Admitting, b.req)
			for range c.given {
				d.Block(cache.Adopt, b.req, a.table[0], 0)
			}
			d.Try(cache.Committed, b.req)
			require.Equal(t, c.broken, d.broken[Reuse], d.Breaches())
		})
	}
}
