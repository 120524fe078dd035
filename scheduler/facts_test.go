package scheduler_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// finishWords are the words that clients are given for the end of a request.
var finishWords = map[protocol.Reason]string{protocol.Stopped: "stop", protocol.LengthEnd: "length", protocol.Cancelled: "abort"}

// statusWords are vLLM's words for states and ends.
var (
	stateWords = map[scheduler.State]string{
		scheduler.Waiting: "WAITING", scheduler.Preempted: "PREEMPTED", scheduler.Prefill: "RUNNING", scheduler.Decode: "RUNNING",
	}
	endWords = map[protocol.Reason]string{
		protocol.Stopped: "FINISHED_STOPPED", protocol.LengthEnd: "FINISHED_LENGTH_CAPPED", protocol.Cancelled: "FINISHED_ABORTED",
	}
)

// fact compares what a vector expects with the engine, and says what differs.
type fact func(s *vectorEngine, want json.RawMessage) (diff string)

// factKinds are the kinds of fact that can be asked for. A kind that is not here fails the vector.
var factKinds = map[string]fact{
	// the pool
	"free_blocks":     exactly(func(s *vectorEngine) int32 { return s.pool.Free() }),
	"free_order":      exactly(func(s *vectorEngine) []cache.BlockID { return s.shifted(s.pool.FreeBlocks(nil)) }),
	"popped":          exactly(func(s *vectorEngine) []cache.BlockID { return s.shifted(s.fresh) }),
	"new_blocks":      exactly(func(s *vectorEngine) []cache.BlockID { return s.shifted(s.fresh) }),
	"hit":             exactly(func(s *vectorEngine) int32 { return s.hit.Tokens }),
	"hit_blocks":      exactly(func(s *vectorEngine) []cache.BlockID { return s.shifted(s.hit.Blocks) }),
	"hashed":          exactly((*vectorEngine).hashed),
	"cached_keys":     exactly((*vectorEngine).keys),
	"events":          exactly((*vectorEngine).takeEvents),
	"ok":              exactly(func(s *vectorEngine) bool { return s.ok }),
	"num_full_hashes": exactly(func(s *vectorEngine) int32 { return s.fullBlocks(s.order[len(s.order)-1]) }),
	"blocks":          each(func(s *vectorEngine, c *client) []cache.BlockID { return s.shifted(s.pool.Table(s.life(c))) }),
	"num_blocks_of":   each(func(s *vectorEngine, c *client) int { return len(s.pool.Table(s.life(c))) }),
	"refs":            refs,

	// the last step
	"scheduled": exactly(func(s *vectorEngine) map[string]int32 { return s.step.column(func(r *stepRow) int32 { return r.n }) }),
	"start_computed": each(func(s *vectorEngine, c *client) int32 {
		return s.step.column(func(r *stepRow) int32 { return r.start })[c.name]
	}),
	"admitted":        exactly(func(s *vectorEngine) []string { return s.step.admitted }),
	"resumed":         exactly(func(s *vectorEngine) []string { return s.step.resumed }),
	"total_scheduled": exactly(func(s *vectorEngine) int32 { return s.total }),
	"emitted":         exactly(func(s *vectorEngine) map[string][]cache.Token { return s.emitted }),
	"finish":          exactly(func(s *vectorEngine) map[string]string { return s.ended }),

	// requests
	"running":     exactly(func(s *vectorEngine) []string { _, running := s.sched.Queues(); return s.names(running) }),
	"waiting":     exactly(func(s *vectorEngine) []string { waiting, _ := s.sched.Queues(); return s.names(waiting) }),
	"known":       exactly(func(s *vectorEngine) []string { return s.live() }),
	"unfinished":  exactly((*vectorEngine).unfinished),
	"status":      each((*vectorEngine).status),
	"outputs":     each(func(s *vectorEngine, c *client) []cache.Token { return c.outputs }),
	"num_outputs": each(func(s *vectorEngine, c *client) int { return len(c.outputs) }),
	"computed":    each((*vectorEngine).computed),
	"preemptions": each(func(s *vectorEngine, c *client) int { return c.preemptions }),
	"cache_stats": exactly(func(s *vectorEngine) []int64 {
		stats := s.sched.Stats()
		return []int64{stats.Requests, stats.Queried, stats.Hit}
	}),
}

// exactly is a fact about one value.
func exactly[T any](got func(*vectorEngine) T) fact {
	return func(s *vectorEngine, raw json.RawMessage) string {
		return differ(got(s), raw)
	}
}

// each is a fact about the requests that the vector names.
func each[T any](got func(*vectorEngine, *client) T) fact {
	return func(s *vectorEngine, raw json.RawMessage) string {
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			return err.Error()
		}
		for name, value := range want {
			c := s.clients[name]
			if c == nil {
				return "no request " + name
			}
			if diff := differ(got(s, c), value); diff != "" {
				return name + ": " + diff
			}
		}
		return ""
	}
}

func refs(s *vectorEngine, raw json.RawMessage) string {
	var want map[cache.BlockID]int32
	if err := json.Unmarshal(raw, &want); err != nil {
		return err.Error()
	}
	for b, n := range want {
		if got, _ := s.pool.Look(b - s.shift); got != n {
			return fmt.Sprintf("block %d: got %d, want %d", b, got, n)
		}
	}
	return ""
}

// differ compares a value with the JSON of what it should be. Both pass through JSON, so that an empty list is an
// empty list.
func differ(got any, raw json.RawMessage) string {
	if v := reflect.ValueOf(got); v.Kind() == reflect.Slice && v.IsNil() {
		got = []int{}
	}
	text, err := json.Marshal(got)
	if err != nil {
		return err.Error()
	}
	var have, want any
	if json.Unmarshal(text, &have) != nil || json.Unmarshal(raw, &want) != nil || !reflect.DeepEqual(have, want) {
		return fmt.Sprintf("got %s, want %s", text, raw)
	}
	return ""
}

func (s *vectorEngine) shifted(list []cache.BlockID) []cache.BlockID {
	list = slices.Clone(list)
	for i := range list {
		list[i] += s.shift
	}
	return list
}

// hashed lists the published blocks.
func (s *vectorEngine) hashed() []cache.BlockID {
	var list []cache.BlockID
	for b := range cache.BlockID(s.pool.Blocks()) {
		if _, published := s.pool.Look(b); published {
			list = append(list, b)
		}
	}
	return s.shifted(list)
}

// keys counts different contents: vLLM files duplicates under one key. It is -1 if the entries that were reported are
// not those of the index.
func (s *vectorEngine) keys() int {
	if int32(len(s.watch.entries)) != s.pool.Entries() {
		return -1
	}
	contents := map[string]bool{}
	for _, content := range s.watch.entries {
		contents[content] = true
	}
	return len(contents)
}

// takeEvents lists the KV events since the last call.
func (s *vectorEngine) takeEvents() [][]any {
	list := [][]any{}
	for _, e := range s.watch.events {
		if e.n == 0 {
			list = append(list, []any{e.kind})
		} else {
			list = append(list, []any{e.kind, e.n})
		}
	}
	s.watch.events = s.watch.events[:0]
	s.watch.batch()
	return list
}

func (st *step) column(of func(*stepRow) int32) map[string]int32 {
	m := map[string]int32{}
	for i := range st.rows {
		m[st.rows[i].name] = of(&st.rows[i])
	}
	return m
}

func (s *vectorEngine) names(slots []int32) []string {
	list := []string{}
	for _, slot := range slots {
		list = append(list, s.at(slot).name)
	}
	return list
}

func (s *vectorEngine) unfinished() int {
	waiting, running := s.sched.Queues()
	return len(waiting) + len(running)
}

// life is the request's present life.
func (s *vectorEngine) life(c *client) cache.Req {
	if s.sched != nil {
		return s.sched.Current(c.req.Slot)
	}
	return c.req
}

func (s *vectorEngine) status(c *client) string {
	if c.why != protocol.NoReason {
		return endWords[c.why]
	}
	state, _ := s.sched.Live(s.life(c))
	return stateWords[state]
}

func (s *vectorEngine) computed(c *client) int32 {
	_, planned, _ := s.sched.Progress(c.req.Slot)
	return planned
}
