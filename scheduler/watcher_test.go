package scheduler_test

import (
	"fmt"

	"custody/cache"
)

// noObserver is an observer that hears nothing.
type noObserver struct{}

func (noObserver) Block(cache.BlockKind, cache.Req, cache.BlockID, cache.OpID)  {}
func (noObserver) Touch(cache.TouchKind, cache.OpID, cache.Req, int, cache.Run) {}
func (noObserver) CopyBlock(cache.OpID, cache.Copy)                             {}
func (noObserver) Op(cache.OpKind, cache.OpID, cache.Queue)                     {}
func (noObserver) Planned(cache.OpID, cache.Req, cache.Run)                     {}
func (noObserver) PlannedCopy(cache.OpID, cache.Req, cache.Copy)                {}
func (noObserver) Use(*cache.Used)                                              {}
func (noObserver) Sampled(cache.OpID, cache.Req, int32, cache.Token)            {}
func (noObserver) Row(cache.RowKind, int32, cache.Req)                          {}
func (noObserver) Life(cache.Req, cache.LifeKind, cache.Cause)                  {}
func (noObserver) Count(cache.Req, int32)                                       {}
func (noObserver) Try(cache.TryKind, cache.Req)                                 {}

// watcher derives vLLM's KV events from what happens to blocks, and keeps the contents that can be found.
type watcher struct {
	noObserver
	s        *vectorEngine
	words    []string
	entries  map[cache.BlockID]string // published block → its content
	events   []blockEvent
	storing  cache.Req // whose BlockStored is still growing: one call stores any number of blocks
	together bool
	clearing bool // entries that end now end in one AllBlocksCleared
}

type blockEvent struct {
	kind string
	n    int
}

func (w *watcher) Block(k cache.BlockKind, r cache.Req, b cache.BlockID, _ cache.OpID) {
	switch k {
	case cache.Publish:
		w.entries[b] = w.content(r, b)
		w.add("BlockStored", w.together && w.storing == r)
		w.storing, w.together = r, true
	case cache.Unpublish:
		delete(w.entries, b)
		if !w.clearing {
			w.add("BlockRemoved", false)
			w.together = false
		}
	}
}

func (w *watcher) add(kind string, grow bool) {
	if grow {
		w.events[len(w.events)-1].n++
		return
	}
	w.events = append(w.events, blockEvent{kind, 1})
}

// batch begins a new call.
func (w *watcher) batch() { w.together = false }

// content is what a block of a request holds: the identity and all tokens up to the block's end.
func (w *watcher) content(r cache.Req, b cache.BlockID) string {
	for i, have := range w.s.pool.Table(r) {
		if have == b {
			id, tokens := w.s.holds(r)
			return fmt.Sprint(id, tokens[:int32(i+1)*w.s.cfg.BlockSize])
		}
	}
	return fmt.Sprintf("block %d", b)
}

func (s *vectorEngine) holds(r cache.Req) (cache.Identity, []cache.Token) {
	if s.level == "freelist" {
		return cache.Identity{Domain: uint32(r.Slot)}, make([]cache.Token, 1)
	}
	if s.sched != nil {
		tokens, _, _ := s.sched.Progress(r.Slot)
		return s.at(r.Slot).id, tokens
	}
	c := s.order[r.Slot]
	return c.id, c.tokens
}

func (w *watcher) Life(r cache.Req, _ cache.LifeKind, why cache.Cause) {
	if why == cache.ByPreempt {
		w.s.at(r.Slot).preemptions++
	}
}

// word numbers words in order of their first use; the empty one is 0.
func (w *watcher) word(text string) uint32 {
	if text == "" {
		return 0
	}
	for i, have := range w.words {
		if have == text {
			return uint32(i + 1)
		}
	}
	w.words = append(w.words, text)
	return uint32(len(w.words))
}
