package invariants

import (
	"fmt"

	"custody/cache"
)

// Consumer follows a KV event stream, as a router outside an engine does, and holds what it believes the prefix cache to
// know: a hash table of keys, and for each of them the content that the stream has told.
// It implements cache.Stream. The first event that does not fit what it holds is kept as an error, and left out.
type Consumer struct {
	heads []int32 // by the key's low bits: entry, or -1
	items []consumed
	spare int32 // first unused entry, or -1
	err   error
	contents
}

// consumed is a key that the consumer holds, with the content that it stands for.
type consumed struct {
	key, tag uint64
	next     int32
}

// contents is a set of contents, summed up: two sets are compared by their number and sum, in constant time.
type contents struct {
	count int32
	sum   uint64
}

func (c *contents) gain(tag uint64) {
	c.count++
	c.sum += finish64(tag)
}

func (c *contents) lose(tag uint64) {
	c.count--
	c.sum -= finish64(tag)
}

// NewConsumer returns a consumer that holds nothing, with room for so many keys.
func NewConsumer(room int32) *Consumer {
	n := 1
	for n < int(room) {
		n *= 2
	}
	c := &Consumer{heads: make([]int32, n), items: make([]consumed, room)}
	c.Reset()
	return c
}

// Grown returns a consumer that holds the same, with room for more keys.
func (c *Consumer) Grown(room int32) *Consumer {
	g := NewConsumer(room)
	for _, n := range c.heads {
		for ; n >= 0; n = c.items[n].next {
			g.add(g.link(c.items[n].key), c.items[n].key, c.items[n].tag)
		}
	}
	g.err = c.err
	return g
}

// Reset forgets everything.
func (c *Consumer) Reset() {
	c.Cleared()
	c.err = nil
}

// Len is the number of keys that it holds.
func (c *Consumer) Len() int { return int(c.count) }

// Err is the first event that did not fit, or nil.
func (c *Consumer) Err() error { return c.err }

// Stored implements cache.Stream.
func (c *Consumer) Stored(s cache.Stored) {
	tag := tagRoot(s.ID)
	if !s.First {
		at := *c.link(s.Parent)
		if at < 0 {
			c.fail("stored %016x: its parent %016x is not held", s.Key, s.Parent)
			return
		}
		tag = c.items[at].tag
	}
	for _, t := range s.Tokens {
		tag = nextTag(tag, t)
	}
	at := c.link(s.Key)
	switch {
	case *at >= 0:
		c.fail("stored %016x: it is held already", s.Key)
	case c.spare < 0:
		c.fail("stored %016x: more keys are held than there are blocks", s.Key)
	default:
		c.add(at, s.Key, tag)
	}
}

// add fills a spare entry, at the end of a chain.
func (c *Consumer) add(at *int32, key, tag uint64) {
	n := c.spare
	c.spare = c.items[n].next
	c.items[n] = consumed{key: key, tag: tag, next: -1}
	*at = n
	c.gain(tag)
}

// Removed implements cache.Stream.
func (c *Consumer) Removed(key uint64) {
	at := c.link(key)
	n := *at
	if n < 0 {
		c.fail("removed %016x: it is not held", key)
		return
	}
	*at = c.items[n].next
	c.lose(c.items[n].tag)
	c.items[n].next, c.spare = c.spare, n
}

// Cleared implements cache.Stream.
func (c *Consumer) Cleared() {
	for i := range c.heads {
		c.heads[i] = -1
	}
	for i := range c.items {
		c.items[i].next = int32(i) + 1
	}
	c.items[len(c.items)-1].next = -1
	c.spare, c.contents = 0, contents{}
}

// link is the link that leads to a key's entry, or the last one (-1) of its chain.
func (c *Consumer) link(key uint64) *int32 {
	at := &c.heads[key&uint64(len(c.heads)-1)]
	for *at >= 0 && c.items[*at].key != key {
		at = &c.items[*at].next
	}
	return at
}

func (c *Consumer) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("kv event: "+format, args...)
	}
}

func (c *Consumer) cloneInto(dst *Consumer) {
	copy(dst.heads, c.heads)
	copy(dst.items, c.items)
	dst.spare, dst.err, dst.contents = c.spare, c.err, c.contents
}
