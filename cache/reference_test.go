package cache

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// reference says what a pool does, with maps and slices. It knows contents as text and never hashes.
type reference struct {
	cfg      Config
	free     []BlockID
	refs     map[BlockID]int32
	tables   map[int32][]BlockID
	texts    map[int32][]Token
	filed    map[int32]int32
	entries  []filing        // in the order of publication
	leaving  []leaving       // ReleaseSettled: references that end with a pass
	toucher  map[BlockID]int // the last pass that may touch a block that was dropped
	settled  int             // passes up to here touch nothing any more
	passes   []OpID          // outstanding, oldest first
	nextPass OpID
}

type filing struct {
	block   BlockID
	content string
	op      OpID
	slot    int32
}

type leaving struct {
	block BlockID
	after OpID
}

func newReference(cfg Config) *reference {
	m := &reference{
		cfg: cfg, refs: map[BlockID]int32{}, tables: map[int32][]BlockID{}, texts: map[int32][]Token{},
		filed: map[int32]int32{}, toucher: map[BlockID]int{}, nextPass: 1,
	}
	for b := range BlockID(cfg.Layout.Blocks) {
		m.free = append(m.free, b)
	}
	return m
}

func blocks(tokens int32) int { return int(tokens+testBlock-1) / testBlock }

func content(tokens []Token) string { return fmt.Sprint(tokens) }

func (m *reference) entry(b BlockID) int {
	return slices.IndexFunc(m.entries, func(f filing) bool { return f.block == b })
}

func (m *reference) lookup(tokens []Token) (hit []BlockID) {
	for end := testBlock; end < len(tokens); end += testBlock {
		at := slices.IndexFunc(m.entries, func(f filing) bool { return f.content == content(tokens[:end]) })
		if at < 0 {
			break
		}
		hit = append(hit, m.entries[at].block)
	}
	return hit
}

func (m *reference) admit(slot int32, tokens []Token, upto, reserve int32) bool {
	hit := m.lookup(tokens)
	rest := slices.DeleteFunc(slices.Clone(m.free), func(b BlockID) bool { return slices.Contains(hit, b) })
	if blocks(max(upto, reserve))-len(hit) > len(rest) {
		return false
	}
	m.free = rest
	for _, b := range hit {
		m.refs[b]++
	}
	m.tables[slot], m.texts[slot], m.filed[slot] = hit, tokens, int32(len(hit))
	return m.grow(slot, upto)
}

func (m *reference) grow(slot, upto int32) bool {
	n := blocks(upto) - len(m.tables[slot])
	if n > len(m.free) {
		return false
	}
	for range max(n, 0) {
		b := m.free[0]
		m.free = m.free[1:]
		if at := m.entry(b); at >= 0 {
			m.entries = slices.Delete(m.entries, at, at+1)
		}
		m.refs[b] = 1
		m.tables[slot] = append(m.tables[slot], b)
	}
	return true
}

func (m *reference) publish(slot, upto int32, op OpID) {
	for i := m.filed[slot]; (i+1)*testBlock <= upto; i++ {
		m.filed[slot] = i + 1
		b := m.tables[slot][i]
		if m.entry(b) < 0 {
			m.entries = append(m.entries, filing{b, content(m.texts[slot][:(i+1)*testBlock]), op, slot})
		}
	}
}

// release takes the blocks out without an entry first to last, then those with one last to first.
func (m *reference) release(slot int32, after OpID) {
	var plain, filed []BlockID
	for _, b := range m.tables[slot] {
		if m.entry(b) < 0 {
			plain = append(plain, b)
		} else {
			filed = append([]BlockID{b}, filed...)
		}
	}
	m.tables[slot] = nil
	for _, b := range append(plain, filed...) {
		if after != 0 && m.cfg.Release == ReleaseSettled {
			m.leaving = append(m.leaving, leaving{b, after})
		} else {
			m.drop(b, int(after))
		}
	}
}

func (m *reference) drop(b BlockID, after int) {
	m.toucher[b] = max(m.toucher[b], after)
	m.refs[b]--
	if m.refs[b] > 0 {
		return
	}
	if m.cfg.Order == FreeLIFO || m.entry(b) < 0 {
		m.free = append([]BlockID{b}, m.free...)
	} else {
		m.free = append(m.free, b)
	}
}

// settle ends a pass; if it was lost, its promises are withdrawn.
func (m *reference) settle(op OpID, lost bool) {
	m.passes = slices.DeleteFunc(m.passes, func(x OpID) bool { return x == op })
	if lost {
		m.void(func(f filing) bool { return f.op == op })
	}
	for i := range m.entries {
		if m.entries[i].op == op {
			m.entries[i].op = 0
		}
	}
	m.settled = max(m.settled, int(op))
	rest := m.leaving
	m.leaving = nil
	for _, x := range rest {
		if x.after == op {
			m.drop(x.block, 0)
		} else {
			m.leaving = append(m.leaving, x)
		}
	}
}

func (m *reference) void(broken func(filing) bool) {
	m.entries = slices.DeleteFunc(m.entries, func(f filing) bool { return f.op != 0 && broken(f) })
}

func (m *reference) deferred() int32 {
	ends := map[BlockID]int32{}
	for _, x := range m.leaving {
		ends[x.block]++
	}
	n := int32(0)
	for b, k := range ends {
		if k == m.refs[b] {
			n++
		}
	}
	return n
}

// keeps tells whether a block that has been used must still have its bits.
func (m *reference) keeps(b BlockID) bool {
	return m.refs[b] > 0 || m.entry(b) >= 0 || m.toucher[b] > m.settled
}

// open tells whether a block's poison may come sooner or later: its last pass is outstanding, but a later one was lost,
// so that it has touched all that it will.
func (m *reference) open(b BlockID) bool {
	return m.toucher[b] <= m.settled && slices.Contains(m.passes, OpID(m.toucher[b]))
}

// duel is a pool and its reference under the same calls.
type duel struct {
	*fixture
	m    *reference
	used map[BlockID]bool
}

const mark = 0x0badcafe

// stamp marks what the tables hold, so that poison shows.
func (d *duel) stamp() {
	for slot := range d.cfg.Reqs {
		for _, b := range d.Table(req(slot)) {
			d.used[b] = true
			d.mem.block(b)[0] = mark
		}
	}
}

// prompts overlap in their first blocks, so that hits happen.
func drawPrompt(t *rapid.T) []Token {
	var tokens []Token
	for range rapid.IntRange(0, 3).Draw(t, "blocks") {
		tokens = fill4(tokens, Token(rapid.IntRange(0, 1).Draw(t, "kind")))
	}
	return append(tokens, text(7, rapid.Int32Range(1, 5).Draw(t, "rest"))...)
}

func fill4(tokens []Token, x Token) []Token { return append(tokens, x, x, x, x) }

func (d *duel) actions() map[string]func(*rapid.T) {
	slot := rapid.Int32Range(0, 4)
	op := func(t *rapid.T) OpID {
		return rapid.SampledFrom(append([]OpID{0}, d.m.passes...)).Draw(t, "op")
	}
	return map[string]func(*rapid.T){
		"admit": func(t *rapid.T) {
			s, tokens := slot.Draw(t, "slot"), drawPrompt(t)
			upto := rapid.Int32Range(1, int32(len(tokens))).Draw(t, "upto")
			reserve := rapid.SampledFrom([]int32{0, int32(len(tokens))}).Draw(t, "reserve")
			if d.m.tables[s] != nil {
				return
			}
			upto = max(upto, int32(len(d.m.lookup(tokens))*testBlock+1))
			require.Equal(t, d.m.admit(s, tokens, upto, reserve), d.Admit(req(s), d.look(tokens), upto, reserve) == nil)
		},
		"grow": func(t *rapid.T) {
			s := slot.Draw(t, "slot")
			upto := rapid.Int32Range(1, 20).Draw(t, "upto")
			if d.m.tables[s] != nil {
				require.Equal(t, d.m.grow(s, upto), d.Grow(req(s), upto) == nil)
			}
		},
		"fail": func(t *rapid.T) {
			s := slot.Draw(t, "slot")
			if n := int32(len(d.m.tables[s])); n > 0 && d.Free() > 0 {
				d.failAt(req(s), n)
				require.ErrorIs(t, d.Grow(req(s), n*testBlock+1), ErrAllocFailed)
			}
		},
		"publish": func(t *rapid.T) {
			s, op := slot.Draw(t, "slot"), op(t)
			upto := min(int32(len(d.m.texts[s])), int32(len(d.m.tables[s]))*testBlock)
			d.m.publish(s, upto, op)
			d.Publish(req(s), testID, d.m.texts[s], upto, op)
		},
		"release": func(t *rapid.T) {
			s, after := slot.Draw(t, "slot"), op(t)
			d.m.release(s, after)
			d.Release(req(s), after)
		},
		"issue": func(t *rapid.T) {
			if len(d.m.passes) < 4 {
				d.m.passes = append(d.m.passes, d.m.nextPass)
				d.m.nextPass++
			}
		},
		"settle": func(t *rapid.T) {
			if len(d.m.passes) > 0 {
				op := d.m.passes[0]
				d.m.settle(op, false)
				d.Done(op, PassQueue)
			}
		},
		"lose": func(t *rapid.T) { // a lost pass takes the later ones with it
			n := rapid.IntRange(0, len(d.m.passes)).Draw(t, "from")
			for _, op := range slices.Clone(d.m.passes[n:]) {
				d.m.settle(op, true)
				d.Lost(op, PassQueue)
			}
		},
		"void": func(t *rapid.T) {
			s, op := slot.Draw(t, "slot"), op(t)
			d.m.void(func(f filing) bool { return f.op == op && f.slot == s })
			d.Void(op, req(s))
		},
		"reset": func(t *rapid.T) {
			idle := len(d.m.free) == int(d.m.cfg.Layout.Blocks)
			require.Equal(t, idle, d.ResetPrefix() == nil)
			if idle {
				d.m.entries = nil
			}
		},
		"": d.compare,
	}
}

func (d *duel) compare(t *rapid.T) {
	d.stamp()
	require.Equal(t, append([]BlockID{}, d.m.free...), append([]BlockID{}, d.freeOrder()...), "free list")
	require.Equal(t, d.m.deferred(), d.Deferred())
	require.Equal(t, int32(len(d.m.entries)), d.Entries())
	for slot := range d.cfg.Reqs {
		require.Equal(t, append([]BlockID{}, d.m.tables[slot]...), append([]BlockID{}, d.Table(req(slot))...), "slot %d", slot)
	}
	for b := range BlockID(d.Blocks()) {
		refs, published := d.Look(b)
		require.Equal(t, d.m.refs[b], refs, "references of block %d", b)
		require.Equal(t, d.m.entry(b) >= 0, published, "entry of block %d", b)
		if d.used[b] && !d.m.open(b) {
			require.Equal(t, d.m.keeps(b), d.mem.block(b)[0] == mark, "bits of block %d", b)
		}
	}
	for _, tokens := range [][]Token{{0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 1, 1, 1, 0},
		{1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 7}} {
		require.Equal(t, append([]BlockID{}, d.m.lookup(tokens)...), append([]BlockID{}, d.look(tokens).Blocks...))
	}
}

func TestThePoolDoesWhatItsReferenceSays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := newFixture(t, rapid.Int32Range(1, 9).Draw(rt, "blocks"), func(c *Config) {
			c.Order = rapid.SampledFrom([]FreeOrder{FreeVLLM, FreeLIFO}).Draw(rt, "order")
			c.Release = rapid.SampledFrom([]ReleasePolicy{ReleaseSettled, ReleaseOrdered}).Draw(rt, "release")
			c.KeyBits = rapid.SampledFrom([]int{0, 1, 64}).Draw(rt, "bits")
		})
		d := &duel{fixture: x, m: newReference(x.cfg), used: map[BlockID]bool{}}
		rt.Repeat(d.actions())
	})
}
