package worker

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/model"
	"custody/scheduler/protocol"
)

var layout = cache.Layout{Blocks: 8, Layers: model.HashLayers, BlockTokens: 4, TokenWords: 1}

// newWorker is a worker with two rows, at most six tokens a pass and eight a row.
func newWorker() *Runner {
	return New(Config{Limits: Limits{Rows: 2, Budget: 6, MaxLen: 8}, Layout: layout}, model.NewHash(256), cache.NewMemory(layout))
}

// answerTo is what the model answers to a text on fresh memory, computed at once.
func answerTo(text ...cache.Token) cache.Token {
	row := model.Row{Sample: true, Used: cache.Used{N: int32(len(text)), Input: text, Table: []cache.BlockID{0, 1}}}
	b := model.Batch{Rows: []model.Row{row}}
	model.NewHash(256).Forward(&b, cache.NewMemory(layout))
	return b.Rows[0].Next[0]
}

func life(slot int32) cache.Req { return cache.Req{Slot: slot} }

func known(tokens ...cache.Token) []protocol.TokenRef {
	var refs []protocol.TokenRef
	for _, t := range tokens {
		refs = append(refs, protocol.TokenRef{Token: t})
	}
	return refs
}

// fresh is a new row that computes its whole prompt and samples.
func fresh(slot int32, block cache.BlockID, tokens ...cache.Token) protocol.Row {
	return protocol.Row{
		Req: life(slot), New: true, N: int32(len(tokens)), Tokens: known(tokens...), Blocks: []cache.BlockID{block}, Sample: true,
	}
}

func passOf(op cache.OpID, rows ...protocol.Row) *protocol.Plan {
	return &protocol.Plan{Op: op, Rows: rows}
}

func finish(t *testing.T, r *Runner, op cache.OpID) []protocol.RowResult {
	t.Helper()
	var res protocol.Result
	require.True(t, r.Finish(op, &res))
	require.Equal(t, op, res.Op)
	return res.Rows
}

// A pass may be issued with an input token that an earlier pass has still to sample, has sampled, or has settled.
func TestAnInputTokenMayBeAReferenceToAnOutstandingPass(t *testing.T) {
	prompt := []cache.Token{1, 2, 3}
	first := answerTo(prompt...)
	want := answerTo(append(prompt, first)...)
	next := protocol.Row{Req: life(0), Start: 3, N: 1, Sample: true}
	for name, c := range map[string]struct {
		finishedBefore bool
		token          protocol.TokenRef
	}{
		"not finished when the next is issued": {false, protocol.TokenRef{Op: 1}},
		"finished, not settled":                {true, protocol.TokenRef{Op: 1}},
		"settled":                              {true, protocol.TokenRef{Token: first}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newWorker()
			require.Empty(t, r.Issue(passOf(1, fresh(0, 0, prompt...))))
			next.Tokens = []protocol.TokenRef{c.token}
			if c.finishedBefore {
				require.Equal(t, first, finish(t, r, 1)[0].Tokens[0])
				require.Empty(t, r.Issue(passOf(2, next)))
			} else {
				require.Empty(t, r.Issue(passOf(2, next)))
				require.Equal(t, first, finish(t, r, 1)[0].Tokens[0])
			}
			require.Equal(t, want, finish(t, r, 2)[0].Tokens[0])
		})
	}
}

// pairs is a model that shows its inputs: behind a row that it samples for come their sum and the number after that.
type pairs struct{}

func (pairs) Forward(b *model.Batch, _ *cache.Memory) {
	for i := range b.Rows {
		row, sum := &b.Rows[i], cache.Token(0)
		for _, t := range row.Input {
			sum += t
		}
		if row.Sample {
			row.Next = append(row.Next[:0], sum, sum+1)
		}
	}
}

func pairsWorker() *Runner {
	w := newWorker()
	w.model = pairs{}
	return w
}

// r0 has the tokens 1 2 3, of which 6 and 7 are made; r1 has 4, of which 4 and 5 are made.
func TestAReferenceNamesOneTokenOfOneRowOfAPass(t *testing.T) {
	const start, n = 3, 2
	ref := func(row, at int32) protocol.TokenRef { return protocol.TokenRef{Op: 1, Row: row, At: at} }
	for name, c := range map[string]struct {
		tokens []protocol.TokenRef
		want   cache.Token
	}{
		"both of its own":                    {[]protocol.TokenRef{ref(0, 0), ref(0, 1)}, 6 + 7},
		"a draft behind the first":           {[]protocol.TokenRef{ref(0, 0), {Token: 30}}, 6 + 30},
		"the second behind one that is told": {[]protocol.TokenRef{{Token: 20}, ref(0, 1)}, 20 + 7},
		"those of another row":               {[]protocol.TokenRef{ref(1, 0), ref(1, 1)}, 4 + 5},
		"one that was not made":              {[]protocol.TokenRef{ref(0, 0), ref(0, 2)}, 6 + 0},
		"one more than is computed":          {[]protocol.TokenRef{ref(0, 0), ref(0, 1), ref(0, 1)}, 6 + 7},
	} {
		for _, finishedBefore := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, finished before: %t", name, finishedBefore), func(t *testing.T) {
				r := pairsWorker()
				r.Issue(passOf(1, fresh(0, 0, 1, 2, 3), fresh(1, 1, 4)))
				next := passOf(2, protocol.Row{Req: life(0), Start: start, N: n, Tokens: c.tokens, Sample: true})
				made := []protocol.RowResult{
					{Req: life(0), Tokens: []cache.Token{6, 7}}, {Req: life(1), Tokens: []cache.Token{4, 5}},
				}
				if finishedBefore {
					require.Equal(t, made, finish(t, r, 1))
					r.Issue(next)
				} else {
					r.Issue(next)
					require.Equal(t, made, finish(t, r, 1))
				}
				require.Equal(t, []cache.Token{c.want, c.want + 1}, finish(t, r, 2)[0].Tokens)
			})
		}
	}
}

// A refused row has no place among the results, and keeps its place in the plan.
func TestAReferenceCountsTheRowsOfThePlanRefusedOnesToo(t *testing.T) {
	r := pairsWorker()
	refused := fresh(0, 0, 1, 2, 3, 4, 5, 6, 7)
	require.Len(t, r.Issue(passOf(1, refused, fresh(1, 2, 4))), 1)
	r.Issue(passOf(2, protocol.Row{
		Req: life(1), Start: 1, N: 1, Tokens: []protocol.TokenRef{{Op: 1, Row: 1, At: 1}}, Sample: true,
	}))
	finish(t, r, 1)
	require.Equal(t, []cache.Token{5, 6}, finish(t, r, 2)[0].Tokens)
}

// r0 has been computed in block 0 and is resumed in its next life, in block 1. The worker may or may not have its row.
func TestAResumedRowIsAllThatItsPlanSays(t *testing.T) {
	next := cache.Req{Slot: 0, Gen: 1}
	text := []cache.Token{1, 2, 3, 4, 5}
	for name, c := range map[string]struct {
		ended  []cache.Req
		start  int32
		blocks []cache.BlockID
	}{
		"its row stands":                 {nil, 0, []cache.BlockID{1, 2}},
		"its row has been cleared":       {[]cache.Req{life(0)}, 0, []cache.BlockID{1, 2}},
		"its first block has been found": {nil, 4, []cache.BlockID{0, 2}},
		"found, and its row was cleared": {[]cache.Req{life(0)}, 4, []cache.BlockID{0, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newWorker()
			r.Issue(passOf(1, fresh(0, 0, 1, 2, 3, 4), fresh(1, 3, 9)))
			finish(t, r, 1)
			require.Empty(t, r.Issue(&protocol.Plan{Op: 2, Ended: c.ended, Rows: []protocol.Row{{
				Req: next, Resumed: true, Start: c.start, N: 5 - c.start, Tokens: known(text...), Blocks: c.blocks, Sample: true,
			}}}))
			require.Equal(t, answerTo(text...), finish(t, r, 2)[0].Tokens[0])
			require.Equal(t, RowState{Req: next, Bound: true, Computed: 5, Table: c.blocks}, r.RowState(0))
		})
	}
}

// The token was in flight when the request was preempted, and it is resumed before that has been settled.
func TestAResumedRowMayReferToATokenOfItsEarlierLife(t *testing.T) {
	for _, finishedBefore := range []bool{false, true} {
		r := pairsWorker()
		resumed := passOf(2, protocol.Row{
			Req: cache.Req{Slot: 0, Gen: 1}, Resumed: true, N: 4, Blocks: []cache.BlockID{1}, Sample: true,
			Tokens: append(known(1, 2, 3), protocol.TokenRef{Op: 1}),
		})
		r.Issue(passOf(1, fresh(0, 0, 1, 2, 3)))
		if finishedBefore {
			finish(t, r, 1)
			r.Issue(resumed)
		} else {
			r.Issue(resumed)
			finish(t, r, 1)
		}
		require.Equal(t, []cache.Token{12, 13}, finish(t, r, 2)[0].Tokens, "finished before: %t", finishedBefore)
	}
}

// r0's first block is moved from 0 to 5 while it runs: whoever sends whole tables need not say what has changed.
func TestAWholeTableTakesTheOldOnesPlace(t *testing.T) {
	r := newWorker()
	r.Issue(passOf(1, fresh(0, 0, 1, 2, 3, 4)))
	first := finish(t, r, 1)[0].Tokens[0]
	r.Issue(&protocol.Plan{Op: 2, Queue: cache.CopyQueue, Copies: []protocol.Copy{{Req: life(0), Copy: cache.Copy{From: 0, To: 5}}}})
	finish(t, r, 2)
	r.Issue(&protocol.Plan{Op: 3, Rows: []protocol.Row{fresh(1, 0, 9, 9, 9, 9)}}) // block 0 is somebody else's
	finish(t, r, 3)
	r.Issue(passOf(4, protocol.Row{
		Req: life(0), Whole: true, Start: 4, N: 1, Tokens: known(first), Blocks: []cache.BlockID{5, 1}, Sample: true,
	}))
	require.Equal(t, answerTo(1, 2, 3, 4, first), finish(t, r, 4)[0].Tokens[0])
}

// The inputs of a pass are a snapshot: what a later plan does to the rows does not reach a pass that is already issued.
func TestALaterPlanDoesNotReachAnIssuedPass(t *testing.T) {
	r := newWorker()
	r.Issue(passOf(1, fresh(0, 0, 1, 2, 3)))
	r.Issue(&protocol.Plan{Op: 2, Ended: []cache.Req{life(0)}, Rows: []protocol.Row{fresh(1, 1, 9, 9)}})
	require.Equal(t, answerTo(1, 2, 3), finish(t, r, 1)[0].Tokens[0])
	require.Equal(t, answerTo(9, 9), finish(t, r, 2)[0].Tokens[0])
}

func TestAWorkerRefusesWhatItsLimitsForbid(t *testing.T) {
	for name, c := range map[string]struct {
		rows []protocol.Row
		want []protocol.Refusal
	}{
		"rows": {
			[]protocol.Row{fresh(0, 0, 1), fresh(1, 1, 1), fresh(2, 2, 1)},
			[]protocol.Refusal{{Req: life(2), Why: protocol.RowsFull}},
		},
		"tokens a pass": {
			[]protocol.Row{fresh(0, 0, 1, 2, 3, 4), fresh(1, 1, 1, 2, 3)},
			[]protocol.Refusal{{Req: life(1), Why: protocol.PassTooBig}},
		},
		"tokens a row": {
			[]protocol.Row{{Req: life(0), New: true, Start: 8, N: 1, Tokens: known(1, 2, 3, 4, 5, 6, 7, 8, 9),
				Blocks: []cache.BlockID{0, 1, 2}}},
			[]protocol.Refusal{{Req: life(0), Why: protocol.RowTooLong, Final: true}},
		},
		"a row that it does not have": {
			[]protocol.Row{{Req: life(0), N: 1, Tokens: known(1)}},
			[]protocol.Refusal{{Req: life(0), Why: protocol.NoRow}},
		},
		"a block that a refused row was to write": {
			[]protocol.Row{
				{Req: life(0), New: true, N: 7, Tokens: known(1, 2, 3, 4, 5, 6, 7), Blocks: []cache.BlockID{0, 1}},
				{Req: life(1), New: true, Start: 4, N: 1, Tokens: known(1, 2, 3, 4, 9), Blocks: []cache.BlockID{0, 2}},
			},
			[]protocol.Refusal{{Req: life(0), Why: protocol.PassTooBig}, {Req: life(1), Why: protocol.Dependency}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, newWorker().Issue(passOf(1, c.rows...)))
		})
	}
}

// A refused row is empty and free: the next request that gets it computes as on a fresh worker.
func TestARefusedRowLeavesNothingBehind(t *testing.T) {
	r := newWorker()
	no := protocol.Refusal{Req: life(0), Why: protocol.Injected}
	r.cfg.Veto = func(p *protocol.Row) (protocol.Refusal, bool) { return no, p.Start == 4 }
	require.Empty(t, r.Issue(passOf(1, protocol.Row{
		Req: life(0), New: true, N: 4, Tokens: known(1, 2, 3, 4, 5), Blocks: []cache.BlockID{0},
	})))
	finish(t, r, 1)
	second := protocol.Row{Req: life(0), Start: 4, N: 1, Blocks: []cache.BlockID{1}, Sample: true}
	require.Equal(t, []protocol.Refusal{no}, r.Issue(passOf(2, second)))
	require.Empty(t, finish(t, r, 2))
	require.Empty(t, r.Issue(passOf(3, fresh(1, 2, 7, 8))))
	require.Equal(t, answerTo(7, 8), finish(t, r, 3)[0].Tokens[0])
}

// A pass that fails takes the later ones with it; a copy is not a pass, and the worker goes on.
func TestADroppedOperationIsNotThereToBeFinished(t *testing.T) {
	r := newWorker()
	r.Issue(passOf(1, fresh(0, 0, 1, 2)))
	r.Issue(&protocol.Plan{Op: 2, Queue: cache.CopyQueue, Copies: []protocol.Copy{{Copy: cache.Copy{From: 0, To: 1}}}})
	r.Issue(passOf(3, fresh(1, 2, 1, 2)))
	r.Drop(1)
	r.Drop(3)
	r.Drop(3)
	res := protocol.Result{Rows: []protocol.RowResult{{}}}
	require.False(t, r.Finish(1, &res))
	require.Empty(t, res.Rows)
	require.True(t, r.Finish(2, &res))
	r.Issue(&protocol.Plan{Op: 4, Ended: []cache.Req{life(0), life(1)}, Rows: []protocol.Row{fresh(2, 0, 5)}})
	require.Equal(t, answerTo(5), finish(t, r, 4)[0].Tokens[0])
}

func TestAWarmWorkerAllocatesNothing(t *testing.T) {
	r, other := newWorker(), newWorker()
	op, res := cache.OpID(0), protocol.Result{}
	plan := passOf(0, fresh(0, 0, 1, 2, 3))
	run := func() {
		op++
		plan.Op = op
		plan.Ended = append(plan.Ended[:0], life(0))
		r.Issue(plan)
		r.CloneInto(other)
		r.Finish(op, &res)
	}
	run()
	require.Zero(t, testing.AllocsPerRun(100, run))
}

// What a worker computes, it computes under its own layout, whatever the plan says.
func TestAWorkerOfAnotherLayoutComputesOtherTokens(t *testing.T) {
	answer := func(own, planned uint32) cache.Token {
		w := newWorker()
		w.cfg.LayoutID = own
		row := fresh(0, 0, 1, 2, 3)
		row.ID.Layout = planned
		require.Empty(t, w.Issue(passOf(1, row)))
		return finish(t, w, 1)[0].Tokens[0]
	}
	require.Equal(t, answer(7, 7), answer(7, 8))
	require.NotEqual(t, answer(7, 7), answer(8, 7))
}
