package cache

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const testBlock = 4 // tokens a block

var testID = Identity{Domain: 1, Layout: 9}

// lab is a pool under test and what it has reported.
type lab struct {
	*Pool
	t   testing.TB
	mem *Memory
	log []string // "alloc 3", "drop 2", …

	failing map[Req]int32 // the entries of tables whose allocation fails, once
}

func newLab(t testing.TB, blocks int32, change ...func(*Config)) *lab {
	cfg := Config{
		Layout: Layout{Blocks: blocks, Layers: 2, BlockTokens: testBlock, TokenWords: 1},
		Reqs:   8, MaxLen: 32, Prefix: true, KeyBits: 64, Seed: 7,
	}
	for _, f := range change {
		f(&cfg)
	}
	mem := NewMemory(cfg.Layout)
	l := &lab{t: t, mem: mem, failing: map[Req]int32{}}
	if cfg.Veto == nil {
		cfg.Veto = l.fails
	}
	l.Pool = NewPool(cfg, mem)
	l.Attach(l)
	mem.Attach(l)
	return l
}

func ordered(c *Config) { c.Release = ReleaseOrdered }

var kindWords = [...]string{"alloc", "adopt", "drop", "freed", "publish", "unpublish", "poison"}

func (l *lab) Block(k BlockKind, _ Req, b BlockID, _ OpID) {
	l.log = append(l.log, fmt.Sprintf("%s %d", kindWords[k], b))
}

func (l *lab) Touch(TouchKind, OpID, Req, int, Run) {}
func (l *lab) CopyBlock(OpID, Copy)                 {}
func (l *lab) Op(OpKind, OpID, Queue)               {}
func (l *lab) Planned(OpID, Req, Run)               {}
func (l *lab) PlannedCopy(OpID, Req, Copy)          {}
func (l *lab) Use(*Used)                            {}
func (l *lab) Sampled(OpID, Req, int32, Token)      {}
func (l *lab) Row(RowKind, int32, Req)              {}
func (l *lab) Life(Req, LifeKind, Cause)            {}
func (l *lab) Count(Req, int32)                     {}
func (l *lab) Try(TryKind, Req)                     {}

// said returns what has been reported since the last call.
func (l *lab) said() string {
	text := strings.Join(l.log, ", ")
	l.log = l.log[:0]
	return text
}

func req(slot int32) Req { return Req{Slot: slot, Gen: 1} }

// text is n tokens that begin with first.
func text(first Token, n int32) []Token {
	list := make([]Token, n)
	for i := range list {
		list[i] = first + Token(i)
	}
	return list
}

// look looks a prompt up.
func (l *lab) look(tokens []Token) *Hit {
	h := &Hit{}
	l.Lookup(testID, tokens, h)
	return h
}

// admit gives a request blocks for its tokens, those of a hit first.
func (l *lab) admit(slot int32, tokens []Token) {
	l.t.Helper()
	require.NoError(l.t, l.Admit(req(slot), l.look(tokens), int32(len(tokens)), 0))
}

// write admits a request and publishes its full blocks.
func (l *lab) write(slot int32, tokens []Token) {
	l.t.Helper()
	l.admit(slot, tokens)
	l.Publish(req(slot), testID, tokens, int32(len(tokens)), 0)
}

// failAt makes the next allocation for an entry of a request's table fail.
func (l *lab) failAt(r Req, entry int32) { l.failing[r] = entry }

func (l *lab) fails(r Req, entry, _ int32) bool {
	at, armed := l.failing[r]
	if armed && at == entry {
		delete(l.failing, r)
		return true
	}
	return false
}

func (l *lab) freeOrder() []BlockID { return l.FreeBlocks(nil) }
