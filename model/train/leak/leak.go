// Package leak measures how often another tenant's KV can be read in an answer.
//
//	A: ───prefill───▶ blocks of A ─┐ some of B's blocks are replaced by A's, at the same places
//	B: ───prefill───▶ blocks of B ─┴──question──▶ decode ──▶ whose marker stands in the answer?
//
// It works on the transformer and the KV memory that the simulator runs, without a scheduler: the defect is put in by
// hand, so that nothing but its effect is measured.
package leak

import (
	"math/rand/v2"
	"slices"
	"strings"

	"custody/cache"
	"custody/model"
	"custody/model/llama"
	"custody/model/train/corpus"
)

// Fault says which of B's full blocks before the question hold A's KV.
type Fault uint8

const (
	SkipAll  Fault = iota // all, taken for computed: the incident
	SkipSome              // a random number of leading ones, taken for computed; the rest is computed over them
	SwapOne               // one, swapped after B was computed
	SwapHalf              // half of them, swapped after B was computed
	SwapAll               // all, swapped after B was computed
	NumFaults
)

func (f Fault) String() string {
	return [NumFaults]string{"skip-all", "skip-some", "swap-one", "swap-half", "swap-all"}[f]
}

// Cell is what is measured together.
type Cell struct {
	Style       corpus.Style
	Fact        bool // B asks for a fact and not for its marker
	Fault       Fault
	BlockTokens int32
}

// Count is the outcome of a cell's trials.
type Count struct {
	Trials  int
	Right   int // B's answer without the fault is right
	Covered int // A's whole marker lies in what B reads of A
	Shown   int // B's answer has A's whole marker in it
	Both    int // covered and shown
	Changed int // B's answer is another one than without the fault
	Foreign int // some of A's blocks differ from B's: the two texts part before the end of the last one
	Logits  int // of these, the numbers behind B's first character are other ones, if only in a bit
}

// longest is the most positions of a prompt and its answer.
const (
	longest  = 352
	mostSaid = 48
)

// bench runs trials.
type bench struct {
	transformer *llama.Transformer
	cell        Cell
	memory      *cache.Memory
	tables      [2][]cache.BlockID // A's and B's
	rng         *rand.Rand
}

// Measure runs the trials of a cell. The same seed gives the same pairs, whatever the fault.
func Measure(t *llama.Transformer, cell Cell, trials int, seed uint64) Count {
	b := newBench(t, cell, seed)
	var c Count
	pairs := rand.New(rand.NewPCG(seed, 0x70616972))
	for range trials {
		first, second := corpus.Pair(pairs, cell.Style, cell.Fact)
		b.trial(first, second, &c)
	}
	return c
}

func newBench(t *llama.Transformer, cell Cell, seed uint64) *bench {
	blocks := int32(longest) / cell.BlockTokens
	b := &bench{
		transformer: t, cell: cell,
		memory: cache.NewMemory(t.Arch().Layout(2*blocks, cell.BlockTokens)),
		rng:    rand.New(rand.NewPCG(seed, 0x6661756c74)),
	}
	for i := range 2 * blocks {
		b.tables[i/blocks] = append(b.tables[i/blocks], cache.BlockID(i))
	}
	return b
}

// trial is one pair of tenants.
func (b *bench) trial(first, second corpus.Case, c *Count) {
	a, own := tokens(first.Text+first.Question), tokens(second.Text+second.Question)
	b.compute(b.tables[0], a, 0)
	clean, cleanLogits := b.answer(b.tables[1], own, 0)
	full := min(len(tokens(second.Text)), len(a)) / int(b.cell.BlockTokens)
	d := b.fault(full, len(own))
	got, logits := b.answer(d.table, own, d.from)

	size := int(b.cell.BlockTokens)
	covered := d.leading*size >= 1+strings.Index(first.Text, first.Marker)+len(first.Marker)
	foreign := !slices.Equal(a[:d.end*size], own[:d.end*size])
	shown := strings.Contains(got, first.Marker)
	c.Trials++
	add(&c.Right, clean == second.Answer)
	add(&c.Covered, covered)
	add(&c.Shown, shown)
	add(&c.Both, covered && shown)
	add(&c.Changed, got != clean)
	add(&c.Foreign, foreign)
	add(&c.Logits, foreign && logits != cleanLogits)
}

func add(n *int, one bool) {
	if one {
		*n++
	}
}

// damage is what a fault does to B.
type damage struct {
	table   []cache.BlockID // through which B reads
	from    int             // position from which B is computed
	leading int             // leading blocks that are A's, one behind the other
	end     int             // blocks up to the last one that is A's
}

// fault replaces some of B's full blocks.
func (b *bench) fault(full, length int) damage {
	order := b.rng.Perm(full)
	some := 1 + b.rng.IntN(full)
	var stale []int
	switch b.cell.Fault {
	case SwapOne:
		stale = order[:1]
	case SwapHalf:
		stale = order[:(full+1)/2]
	case SkipSome:
		stale = upTo(some)
	default:
		stale = upTo(full)
	}
	d := damage{table: slices.Clone(b.tables[1]), from: length - 1, end: slices.Max(stale) + 1}
	for _, i := range stale {
		d.table[i] = b.tables[0][i]
	}
	if len(stale) == d.end {
		d.leading = d.end
	}
	if b.cell.Fault == SkipAll || b.cell.Fault == SkipSome {
		d.from = d.leading * int(b.cell.BlockTokens)
	}
	return d
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// answer computes a prompt from a position on and decodes greedily; it also returns the logits behind the prompt.
func (b *bench) answer(table []cache.BlockID, prompt []cache.Token, from int) (string, [model.ASCII]float32) {
	logits := b.compute(table, prompt, from)
	next := likeliest(logits[:])
	var said []cache.Token
	for at := len(prompt); len(said) < mostSaid; at++ {
		said = append(said, next)
		if next == model.EOS {
			break
		}
		after := b.pass(table, []cache.Token{next}, at)
		next = likeliest(after[:])
	}
	return string(model.AppendTokens(nil, said)), logits
}

func (b *bench) compute(table []cache.BlockID, prompt []cache.Token, from int) [model.ASCII]float32 {
	return b.pass(table, prompt[from:], from)
}

// pass computes tokens at a position and returns the logits behind the last one.
func (b *bench) pass(table []cache.BlockID, input []cache.Token, at int) (last [model.ASCII]float32) {
	batch := model.Batch{Rows: []model.Row{{Used: cache.Used{
		Start: int32(at), N: int32(len(input)), Input: input, Table: table,
	}}}}
	b.transformer.Logits(&batch, b.memory, func(_ int, _ int32, logits []float32) { copy(last[:], logits) })
	return last
}

func likeliest(logits []float32) cache.Token {
	best := 0
	for i, x := range logits {
		if x > logits[best] {
			best = i
		}
	}
	return cache.Token(best)
}

func tokens(text string) []cache.Token { return model.AppendText([]cache.Token{model.BOS}, text) }
