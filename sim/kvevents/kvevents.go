// Package kvevents is the KV event stream as JSON lines: what a prefix cache stores and forgets, for routers outside.
// docs/kvevents.md describes the form.
package kvevents

import (
	"fmt"
	"strconv"

	"custody/cache"
)

// Record is one event of the KV event stream, in the form that docs/kvevents.md describes: one JSON object a line. The
// fields are those of vLLM's events where those have one, hashes are written as sixteen hex digits.
type Record struct {
	Seq       int64    `json:"seq"`  // 1 is the first; a gap is a loss
	Step      int64    `json:"step"` // of the run
	Type      string   `json:"type"` // stored, removed or cleared
	Hashes    []string `json:"block_hashes,omitempty"`
	Parent    string   `json:"parent_block_hash,omitempty"` // stored: of the block before; none for the first of a chain
	Tokens    []int32  `json:"token_ids,omitempty"`         // stored
	BlockSize int      `json:"block_size,omitempty"`        // stored
	Identity  *Root    `json:"extra_keys,omitempty"`        // stored, the first of a chain: what it starts from
}

// Root is an identity, in a KV event.
type Root struct {
	Domain  uint32 `json:"domain"`
	Adapter uint32 `json:"adapter"`
	Epoch   uint32 `json:"epoch"`
	Layout  uint32 `json:"layout"`
}

// The types of KV events.
const (
	stored  = "stored"
	removed = "removed"
	cleared = "cleared"
)

// Apply brings an event that has been read to a consumer. The error says which field cannot be understood.
func (e *Record) Apply(to cache.Stream) error {
	if e.Type == cleared {
		to.Cleared()
		return nil
	}
	if len(e.Hashes) != 1 {
		return fmt.Errorf("kv event %d: block_hashes has %d hashes, want 1", e.Seq, len(e.Hashes))
	}
	key, err := e.key("block_hashes", e.Hashes[0])
	if err != nil {
		return err
	}
	switch e.Type {
	case removed:
		to.Removed(key)
		return nil
	case stored:
		return e.applyStored(key, to)
	}
	return fmt.Errorf("kv event %d: type is %q, want %s, %s or %s", e.Seq, e.Type, stored, removed, cleared)
}

func (e *Record) applyStored(key uint64, to cache.Stream) (err error) {
	s := cache.Stored{Key: key, First: e.Parent == ""}
	if len(e.Tokens) == 0 || len(e.Tokens) != e.BlockSize {
		return fmt.Errorf("kv event %d: token_ids has %d tokens, block_size is %d", e.Seq, len(e.Tokens), e.BlockSize)
	}
	for _, t := range e.Tokens {
		s.Tokens = append(s.Tokens, cache.Token(t))
	}
	if !s.First {
		s.Parent, err = e.key("parent_block_hash", e.Parent)
	} else if id := e.Identity; id != nil {
		s.ID = cache.Identity{Domain: id.Domain, Adapter: id.Adapter, Epoch: id.Epoch, Layout: id.Layout}
	} else {
		err = fmt.Errorf("kv event %d: a stored event needs parent_block_hash or extra_keys", e.Seq)
	}
	if err == nil {
		to.Stored(s)
	}
	return err
}

func (e *Record) key(field, text string) (uint64, error) {
	key, err := strconv.ParseUint(text, 16, 64)
	if err != nil || len(text) != 16 {
		return 0, fmt.Errorf("kv event %d: %s: %q is no hash of sixteen hex digits", e.Seq, field, text)
	}
	return key, nil
}
