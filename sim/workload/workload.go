// Package workload turns a recording of real requests into a script: when they came, how long they were, and which prompts
// began alike.
//
// The recording is Mooncake's (Qin et al., FAST 2025): one JSON object a line with timestamp in milliseconds, input_length
// and output_length in tokens, and hash_ids, one for every 512 tokens of the prompt; the same id behind the same ids means
// the same tokens.
//
// Real prompts are far longer than a small model's context. Lengths and times are divided by one divisor, so that load and
// capacity keep their proportion, and prompts go on sharing what they shared.
package workload

import (
	"fmt"
	"math/rand/v2"

	"custody/traces"
)

// hashTokens is how many tokens of a prompt one hash id stands for.
const hashTokens = 512

// Options say how a recording becomes a script.
type Options struct {
	Divisor int    // of lengths and times: 1, 2, 4, … 256
	Ticks   int    // virtual time that a millisecond of the recording takes, before it is divided
	Tenants int    // requests whose first two hash ids agree belong to one of so many tenants
	Faults  int    // requests in a hundred that something happens to
	Seed    uint64 // of the faults and of the tokens
	Limit   int    // take only so many requests; 0 is all
	SkipBad bool   // leave out rows that cannot be read, and count them
	Vocab   int32  // tokens of the vocabulary
}

// Defaults are options for which one worker keeps up most of the time.
func Defaults() Options {
	return Options{Divisor: 64, Ticks: 64, Tenants: 8, Faults: 10, Seed: 1, Vocab: 128}
}

// Validate says which option no script can be made with.
func (o *Options) Validate() error {
	switch {
	case o.Divisor < 1 || o.Divisor > 256 || o.Divisor&(o.Divisor-1) != 0:
		return fmt.Errorf("workload: the divisor is %d, expected 1, 2, 4, 8, 16, 32, 64, 128 or 256", o.Divisor)
	case o.Ticks < 1:
		return fmt.Errorf("workload: %d ticks a millisecond, expected at least 1", o.Ticks)
	case o.Tenants < 1 || o.Tenants > 64:
		return fmt.Errorf("workload: %d tenants, expected 1 to 64", o.Tenants)
	case o.Faults < 0 || o.Faults > 100:
		return fmt.Errorf("workload: faults in %d of a hundred requests, expected 0 to 100", o.Faults)
	case o.Limit < 0:
		return fmt.Errorf("workload: a limit of %d requests, expected 0 (all) or more", o.Limit)
	}
	return nil
}

// Bounds of a script, so that a short recording does not become gigabytes.
const (
	maxPrompts = 1 << 26 // tokens of all prompts
	maxTicks   = 1 << 36 // virtual time
)

// Fits says why the script of rows would be too large to be made, or nil.
func (o *Options) Fits(rows []Row) error {
	if due := o.due(&rows[len(rows)-1]); due > maxTicks {
		return fmt.Errorf("workload: the last request comes after %d ticks, at the most %d can be simulated: fewer --ticks or a "+
			"larger --divisor make it less", due, int64(maxTicks))
	}
	tokens := 0
	for i := range rows {
		if tokens += o.scaled(rows[i].Input); tokens > maxPrompts {
			return fmt.Errorf("workload: the prompts of the first %d requests have %d tokens, at the most %d can be simulated: a larger "+
				"--divisor or a --limit make it less", i+1, tokens, maxPrompts)
		}
	}
	return nil
}

// due is when a row's request comes, in ticks.
func (o *Options) due(r *Row) int64 { return r.Timestamp * int64(o.Ticks) / int64(o.Divisor) }

// Script is the script of a recording's rows, which fit. The pool, the queue and the batch are sized for it.
func (o *Options) Script(rows []Row) *traces.Script {
	s := &traces.Script{Config: o.config(rows)}
	for i := range o.Tenants {
		s.Tenants = append(s.Tenants, traces.Tenant{Name: tenantName(i)})
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0x776f726b6c6f6164))
	at := int64(0)
	for i := range rows {
		r := &rows[i]
		at = advance(s, at, o.due(r))
		name := fmt.Sprintf("r%d", i+1)
		s.Events = append(s.Events, o.submit(name, r, rng))
		if rng.IntN(100) < o.Faults {
			s.Events = append(s.Events, fault(name, rng))
		}
	}
	s.Events = append(s.Events, traces.Event{Verb: traces.Drain})
	return s
}

func tenantName(i int) string { return fmt.Sprintf("t%d", i+1) }

// longestAdvance is the most time that one line of a script lets pass.
const longestAdvance = 1 << 20

// advance lets time pass until a moment.
func advance(s *traces.Script, at, until int64) int64 {
	for at < until {
		by := min(until-at, longestAdvance)
		s.Events = append(s.Events, traces.Event{Verb: traces.Advance, Args: traces.Args{traces.Ticks: by}})
		at += by
	}
	return at
}

// config is that of a worker for the rows: a block holds what a hash id stands for, in pieces of at most 16 tokens.
func (o *Options) config(rows []Row) traces.Config {
	longest := 0
	for i := range rows {
		longest = max(longest, o.scaled(rows[i].Input)+o.scaled(rows[i].Output))
	}
	c := traces.DefaultConfig()
	c[traces.Block] = int64(min(hashTokens/o.Divisor, 16))
	c[traces.MaxLen] = int64(longest + 1)
	c[traces.Blocks] = max(4096, 4*(c[traces.MaxLen]/c[traces.Block]+1))
	c[traces.Rows], c[traces.Budget], c[traces.Chunk], c[traces.Queue] = 32, 1024, 256, 1024
	c[traces.Depth], c[traces.Loop] = 2, 1
	c[traces.Vocab] = int64(o.Vocab)
	return c
}

// scaled is a length, divided; nothing becomes empty.
func (o *Options) scaled(n int) int { return max(1, n/o.Divisor) }

func (o *Options) submit(name string, r *Row, rng *rand.Rand) traces.Event {
	return traces.Event{
		Verb: traces.Submit, Name: name, Tenant: tenantName(o.tenant(r)), Prompt: o.prompt(r),
		Args: traces.Args{traces.Max: int64(o.scaled(r.Output)), traces.EOS: -1, traces.SamplingSeed: int64(rng.IntN(4))},
	}
}

// tenant is the tenant of a row: a system prompt is shared by all of a recording, so the second id counts too.
func (o *Options) tenant(r *Row) int {
	h := r.Hashes[0]
	if len(r.Hashes) > 1 {
		h = h*31 + r.Hashes[1]
	}
	return int(spread(uint64(h)) % uint64(o.Tenants))
}

// prompt makes up the tokens of a prompt: those of a hash id follow from the id.
func (o *Options) prompt(r *Row) []int32 {
	piece := hashTokens / o.Divisor
	tokens := make([]int32, o.scaled(r.Input))
	for p := range tokens {
		id := uint64(r.Hashes[min(p/piece, len(r.Hashes)-1)])
		tokens[p] = int32(spread(o.Seed<<48^id<<10^uint64(p%piece)) % uint64(o.Vocab))
	}
	return tokens
}

// spread spreads a number's bits (the finalizer of SplitMix64).
func spread(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// fault is something that happens to a request.
func fault(name string, rng *rand.Rand) traces.Event {
	upTo := func(n int32) int64 { return 1 + int64(rng.Int32N(n)) }
	kinds := [...]traces.Event{
		{Verb: traces.Cancel, When: traces.Anchor{Kind: traces.WhenTokens, N: 1 + rng.Int32N(4)}},
		{Verb: traces.Cancel, When: traces.Anchor{Kind: traces.WhenIssued, N: 1 + rng.Int32N(3)}},
		{Verb: traces.Preempt, When: traces.Anchor{Kind: traces.WhenChunk, N: 1 + rng.Int32N(3)}},
		{Verb: traces.Refuse, Args: traces.Args{traces.NthChunk: upTo(3), traces.Final: 1 - int64(rng.IntN(2))}},
		{Verb: traces.FailAlloc, Args: traces.Args{traces.NthBlock: int64(rng.Int32N(8))}},
		{Verb: traces.FailPass, Args: traces.Args{traces.NthChunk: upTo(3)}},
		{Verb: traces.Delay, Args: traces.Args{traces.NthChunk: upTo(3), traces.By: upTo(100)}},
	}
	e := kinds[rng.IntN(len(kinds))]
	e.Name = name
	return e
}
