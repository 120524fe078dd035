//go:build !purego

package kernel

// tile is where 16 query heads that read one KV head are computed together: those of consecutive queries of a request,
// so that each number of K and V is loaded once for all of them. Each has its own element of a vector, and there the
// bits that dotPlain, softmaxPlain and mixPlain give it alone: the weight of a position that it does not see is 0.
type tile struct {
	scores  []float32 // [position][16]
	q, out  []float32 // [dim][16]
	inverse [tileHeads]float32
	query   [tileHeads]int // of each head
	at      [tileHeads]int // where its first number lies, from the first query's first head on
}

const tileHeads = 16

// tileLeast is the number of heads from which on a tile is faster than one query after the other.
const tileLeast = 8

func newTile(size int) tile {
	return tile{q: make([]float32, size*tileHeads), out: make([]float32, size*tileHeads)}
}

func (t *tile) reserve(n int) { t.scores = make([]float32, n*tileHeads) }

// tiles computes a number of queries from the first on, as Queries does, and returns how many: 0 if there are too few.
func (a *Attention) tiles(out, q []float32, stride int, k, v [][]uint32, n, count int) int {
	group := a.Heads / a.KVHeads
	each, done := tileHeads/group, 0
	if !avx512 {
		return 0
	}
	for each > 0 && (count-done)*group >= tileLeast {
		now := min(each, count-done)
		a.tile.place(now, group, stride, a.Size)
		for kv := range a.KVHeads {
			from := done*stride + kv*group*a.Size
			a.tile.compute(out[from:], q[from:], k, v, a.span(kv, n+done+now-1), now)
		}
		done += now
	}
	return done
}

// place says where the query heads lie. What is left of the tile computes the first head again.
func (t *tile) place(count, group, stride, size int) {
	t.query, t.at = [tileHeads]int{}, [tileHeads]int{}
	for head := range count * group {
		t.query[head] = head / group
		t.at[head] = head/group*stride + head%group*size
	}
}

// compute is for the heads that read one KV head. The last of count queries sees the whole span, each other one position
// less than the one after it.
func (t *tile) compute(out, q []float32, k, v [][]uint32, s span, count int) {
	gatherTile(t.q, q, &t.at, word*s.size)
	dotTile(t.scores, t.q, k, len(k[0])/s.width, word*s.width, word*s.at, word*s.size, s.n)
	scores := t.scores[:roundUp(s.n, lanes)*tileHeads]
	t.mask(scores, s.n-count+1)
	softmaxTile(scores, t.inverse[:])
	mixTile(t.out, scores, t.inverse[:], v, len(v[0])/s.width, word*s.width, word*s.at, word*s.size, s.n)
	scatterTile(out, t.out, &t.at, word*s.size)
}

// mask hides the positions from n+i on from query i.
func (t *tile) mask(scores []float32, n int) {
	for pos := n; pos < len(scores)/tileHeads; pos++ {
		row := scores[pos*tileHeads:][:tileHeads]
		for head, query := range t.query {
			if pos >= n+query {
				row[head] = masked
			}
		}
	}
}
