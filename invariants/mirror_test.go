package invariants

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"custody/cache"
)

// The stream and the reports of what is published must tell the same, at the end of every event.
func TestAStreamThatTellsOtherThanTheIndexBreaksMirror(t *testing.T) {
	first := func(a *party) cache.Stored {
		return cache.Stored{Key: 11, First: true, ID: a.ask.ID, Tokens: a.tokens[:2]}
	}
	for name, c := range map[string]struct {
		tell   func(d *fakeEngine, a *party)
		detail string
	}{
		"told": {func(d *fakeEngine, a *party) { d.Stream().Stored(first(a)) }, ""},
		"told, and removed again": {func(d *fakeEngine, a *party) {
			d.Stream().Stored(first(a))
			d.Stream().Removed(11)
			d.Block(cache.Unpublish, cache.Req{}, a.table[0], 0)
		}, ""},
		"told, and cleared": {func(d *fakeEngine, a *party) {
			d.Stream().Stored(first(a))
			d.Stream().Cleared()
			d.Block(cache.Unpublish, cache.Req{}, a.table[0], 0)
		}, ""},
		"a second block of the same content": {func(d *fakeEngine, a *party) {
			d.Stream().Stored(first(a))
			b := beside(d, amber, 1, 2, 3)
			d.publish(b, b.table[0], 0)
		}, ""},
		"never told":      {func(*fakeEngine, *party) {}, otherContent},
		"removal told of": {func(d *fakeEngine, a *party) { d.Stream().Stored(first(a)); d.Stream().Removed(11) }, otherContent},
		"removal untold": {func(d *fakeEngine, a *party) {
			d.Stream().Stored(first(a))
			d.Block(cache.Unpublish, cache.Req{}, a.table[0], 0)
		}, otherContent},
		"told for another tenant": {func(d *fakeEngine, a *party) {
			s := first(a)
			s.ID = identity(teal)
			d.Stream().Stored(s)
		}, otherContent},
		"told with other tokens": {func(d *fakeEngine, a *party) {
			s := first(a)
			s.Tokens = []cache.Token{2, 1}
			d.Stream().Stored(s)
		}, otherContent},
		"told twice":         {func(d *fakeEngine, a *party) { d.Stream().Stored(first(a)); d.Stream().Stored(first(a)) }, noFit},
		"an unknown removed": {func(d *fakeEngine, a *party) { d.Stream().Stored(first(a)); d.Stream().Removed(12) }, noFit},
		"an unknown parent": {func(d *fakeEngine, a *party) {
			d.Stream().Stored(cache.Stored{Key: 12, Parent: 11, Tokens: a.tokens[:2]})
		}, noFit},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFakeEngine()
			a := served(d) // its prompt begins with 1, 2: a whole block
			d.publish(a, a.table[0], 0)
			c.tell(d, a)
			d.EndStep()
			at := slices.IndexFunc(d.Breaches(), func(b Breach) bool { return b.Promise == Mirror })
			require.Equal(t, c.detail != "", at >= 0)
			if at >= 0 {
				require.Equal(t, c.detail, d.Breaches()[at].Detail)
			}
		})
	}
}

const (
	otherContent = "a consumer of the KV events holds other content than the index"
	noFit        = "a KV event does not fit what a consumer of all events before holds"
)

// A consumer holds what a map would.
func TestAConsumerIsAMapOfKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const room = 5
		c, want := NewConsumer(room), map[uint64]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			key := rapid.Uint64Range(0, 9).Draw(t, "key") << 3 // some share a chain
			before := c.Err()
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				c.Cleared()
				clear(want)
			case 1, 2, 3:
				c.Removed(key)
				require.Equal(t, before == nil && !want[key], before == nil && c.Err() != nil)
				delete(want, key)
			case 4:
				held := c.contents
				c = c.Grown(room)
				require.Equal(t, held, c.contents)
			default:
				c.Stored(cache.Stored{Key: key, First: true, Tokens: []cache.Token{cache.Token(key)}})
				fits := !want[key] && len(want) < room
				require.Equal(t, before == nil && !fits, before == nil && c.Err() != nil)
				if fits {
					want[key] = true
				}
			}
			require.Equal(t, len(want), c.Len())
			for k := range uint64(10) {
				require.Equal(t, want[k<<3], *c.link(k << 3) >= 0)
			}
		}
	})
}
