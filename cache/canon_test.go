package cache

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersThatMeanNothingAreNamedInTheOrderOfTheirFirstUse(t *testing.T) {
	var c Canon
	write := func(f func()) []uint64 {
		c.Reset()
		f()
		return append([]uint64(nil), c.Words()...)
	}
	require.Equal(t, []uint64{1, 2, 1, 1, 0}, write(func() {
		c.Block(7)
		c.Block(3)
		c.Block(7)
		c.Tenant(3) // of another kind
		c.Block(None)
	}))
	require.Equal(t, []uint64{8, 4, 1}, write(func() {
		c.keepBlocks()
		c.Block(7)
		c.Block(3)
		c.Tenant(3)
	}))
	require.Equal(t, []uint64{8, 1, 1}, write(func() {
		c.KeepNames()
		c.Name(7)
		c.Tenant(3)
		c.Identity(Identity{Domain: 9})
	})[:3])
	require.Equal(t, []uint64{0, 1, 2, 0}, write(func() {
		c.Req(Req{Slot: 5, Gen: 8})
		c.Req(Req{Slot: 5, Gen: 9})
		c.Req(Req{Slot: 2, Gen: 8})
		c.Req(Req{Slot: 5, Gen: 8})
	}), "two lives of a slot are two")
	require.Equal(t, []Req{{5, 8}, {5, 9}, {2, 8}}, c.Lives())
}

func TestAnOperationIsItsPlaceAmongTheOutstandingOnes(t *testing.T) {
	var c Canon
	c.Outstanding(4)
	c.Outstanding(7)
	for _, op := range []OpID{0, 3, 4, 5, 6, 7, 8, 99} {
		c.Op(op)
	}
	require.Equal(t, []uint64{0, 0, 1, 2, 2, 3, 4, 4}, c.Words())
	require.True(t, c.IsOutstanding(7))
	require.False(t, c.IsOutstanding(5))
}

func TestTheSumIsOfAllWordsInTheirOrder(t *testing.T) {
	seen := map[[2]uint64]string{}
	for name, words := range map[string][]uint64{
		"none": {}, "zero": {0}, "two zeros": {0, 0}, "one": {1}, "one, two": {1, 2}, "two, one": {2, 1}, "high": {1 << 63},
	} {
		var c, again Canon
		again.Word(9)
		again.Reset()
		for _, w := range words {
			c.Word(w)
			again.Word(w)
		}
		require.Equal(t, c.Sum(), again.Sum())
		require.Empty(t, seen[c.Sum()], name)
		require.NotEqual(t, c.Sum()[0], c.Sum()[1])
		seen[c.Sum()] = name
	}
}

// canon is the pool's form, with the requests 0 and 1 named in this order and operation 5 outstanding.
func (x *fixture) canon() [2]uint64 {
	var c Canon
	c.Reset()
	c.Outstanding(5)
	c.Req(req(0))
	c.Req(req(1))
	x.Canon(&c)
	return c.Sum()
}

func TestPoolsOfOneFutureHaveOneForm(t *testing.T) {
	nothing := func(*fixture) {}
	came := func(x *fixture) {
		x.write(2, text(10, 9))
		x.Release(req(2), 0)
	}
	for name, c := range map[string]struct {
		change func(*Config)
		a, b   func(*fixture)
		equal  bool
	}{
		"a request came and went, and nothing is cached": {func(c *Config) { c.Prefix = false }, nothing, came, true},
		"it is cached": {func(*Config) {}, nothing, came, false},
		"a coin is keyed by what was freed": {
			func(c *Config) { c.Prefix, c.Order = false, FreeRandom }, nothing, came, false,
		},
		"a coin is keyed by how often": {
			func(c *Config) { c.Prefix, c.Order, c.Layout.Blocks = false, FreeRandom, 1 }, nothing,
			func(x *fixture) { x.admit(2, text(10, 3)); x.Release(req(2), 0) }, false,
		},
		"other blocks": {func(*Config) {},
			func(x *fixture) { x.admit(0, text(10, 5)); x.admit(1, text(20, 5)) },
			func(x *fixture) { x.admit(1, text(20, 5)); x.admit(0, text(10, 5)) }, true},
		"other blocks, keyed by a coin": {func(c *Config) { c.Order = FreeRandom },
			func(x *fixture) { x.admit(0, text(10, 5)); x.admit(1, text(20, 5)) },
			func(x *fixture) { x.admit(1, text(20, 5)); x.admit(0, text(10, 5)) }, false},
		"more blocks": {func(*Config) {},
			func(x *fixture) { x.admit(0, text(10, 5)) }, func(x *fixture) { x.admit(0, text(10, 4)) }, false},
		"the same content, to be evicted in another order": {func(*Config) {},
			func(x *fixture) {
				x.write(2, text(10, 4))
				x.write(3, text(20, 4))
				x.Release(req(2), 0)
				x.Release(req(3), 0)
			},
			func(x *fixture) {
				x.write(2, text(10, 4))
				x.write(3, text(20, 4))
				x.Release(req(3), 0)
				x.Release(req(2), 0)
			}, false},
		"the same content in other blocks": {func(*Config) {},
			func(x *fixture) {
				x.write(2, text(10, 4))
				x.write(3, text(20, 4))
				x.Release(req(2), 0)
				x.Release(req(3), 0)
			},
			func(x *fixture) {
				x.write(3, text(20, 4))
				x.write(2, text(10, 4))
				x.Release(req(2), 0)
				x.Release(req(3), 0)
			}, true},
		"blocks wait for the operation": {func(c *Config) { c.Prefix = false }, nothing,
			func(x *fixture) { x.admit(2, text(10, 5)); x.Release(req(2), 5) }, false},
		"they have waited for it": {func(c *Config) { c.Prefix = false }, nothing,
			func(x *fixture) { x.admit(2, text(10, 5)); x.Release(req(2), 5); x.Done(5, PassQueue) }, true},
		"blocks are free, and still to be read": {func(c *Config) { c.Prefix, c.Release = false, ReleaseOrdered }, nothing,
			func(x *fixture) { x.admit(2, text(10, 5)); x.Release(req(2), 5) }, false},
		"an entry is still to be written": {func(*Config) {},
			func(x *fixture) { x.write(0, text(10, 5)) },
			func(x *fixture) { x.admit(0, text(10, 5)); x.Publish(req(0), testID, text(10, 5), 5, 5) }, false},
		"it has been written": {func(*Config) {},
			func(x *fixture) { x.write(0, text(10, 5)) },
			func(x *fixture) {
				x.admit(0, text(10, 5))
				x.Publish(req(0), testID, text(10, 5), 5, 5)
				x.Done(5, PassQueue)
			}, true},
		"another is found first": {func(*Config) {},
			func(x *fixture) { x.admit(0, text(10, 4)); x.admit(1, text(10, 4)); publishBoth(x, 0, 1) },
			func(x *fixture) { x.admit(0, text(10, 4)); x.admit(1, text(10, 4)); publishBoth(x, 1, 0) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := newFixture(t, 8, c.change), newFixture(t, 8, c.change)
			c.a(a)
			c.b(b)
			require.Equal(t, c.equal, a.canon() == b.canon())
		})
	}
}

// publishBoth publishes one content twice.
func publishBoth(x *fixture, first, second int32) {
	x.Publish(req(first), testID, text(10, 4), 4, 0)
	x.Publish(req(second), testID, text(10, 4), 4, 0)
}
