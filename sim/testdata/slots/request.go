package slots

import (
	"slices"

	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// request is an entry of the request table.
type request struct {
	gen      uint32 // raised at the end of each request that had the entry
	state    scheduler.State
	id       cache.Identity
	sampling cache.Sampling
	tokens   []cache.Token // prompt and answer so far
	eos      cache.Token
	limit    int32 // tokens that it may come to have
	region   []cache.BlockID
	planned  int32 // leading positions that passes compute, and
	computed int32 // have computed
	told     int   // tokens that the worker knows
	bound    bool  // it has a row for the request
}

// begin fills an empty entry.
func (x *request) begin(s *protocol.Spec, maxLen int32) {
	*x = request{
		gen: x.gen, state: scheduler.Waiting, id: s.ID, sampling: s.Sampling, tokens: slices.Clone(s.Prompt), eos: s.EOS,
		limit: int32(min(int64(len(s.Prompt))+int64(s.Max), int64(maxLen))),
	}
}

// positions is how many it needs room for: nothing is computed of the last token.
func (x *request) positions() int32 { return x.limit - 1 }

func without(list []int32, slot int32) []int32 {
	return slices.DeleteFunc(list, func(s int32) bool { return s == slot })
}
