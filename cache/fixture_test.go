package cache

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const testBlock = 4 // tokens a block

var testID = Identity{Domain: 1, Layout: 9}

// fixture is a pool under test and what it has reported.
type fixture struct {
	*Pool
	t   testing.TB
	mem *Memory
	log []string // "alloc 3", "drop 2", …

	failing map[Req]int32 // the entries of tables whose allocation fails, once
}

func newFixture(t testing.TB, blocks int32, change ...func(*Config)) *fixture {
	cfg := Config{
		Layout: Layout{Blocks: blocks, Layers: 2, BlockTokens: testBlock, TokenWords: 1},
		Reqs:   8, MaxLen: 32, Prefix: true, KeyBits: 64, Seed: 7,
	}
	for _, f := range change {
		f(&cfg)
	}
	mem := NewMemory(cfg.Layout)
	x := &fixture{t: t, mem: mem, failing: map[Req]int32{}}
	if cfg.Veto == nil {
		cfg.Veto = x.fails
	}
	x.Pool = NewPool(cfg, mem)
	x.Attach(x)
	mem.Attach(x)
	return x
}

func ordered(c *Config) { c.Release = ReleaseOrdered }

var kindWords = [...]string{"alloc", "adopt", "drop", "freed", "publish", "unpublish", "poison"}

func (x *fixture) Block(k BlockKind, _ Req, b BlockID, _ OpID) {
	x.log = append(x.log, fmt.Sprintf("%s %d", kindWords[k], b))
}

func (x *fixture) Touch(TouchKind, OpID, Req, int, Run) {}
func (x *fixture) CopyBlock(OpID, Copy)                 {}
func (x *fixture) Op(OpKind, OpID, Queue)               {}
func (x *fixture) Planned(OpID, Req, Run)               {}
func (x *fixture) PlannedCopy(OpID, Req, Copy)          {}
func (x *fixture) Use(*Used)                            {}
func (x *fixture) Sampled(OpID, Req, int32, Token)      {}
func (x *fixture) Row(RowKind, int32, Req)              {}
func (x *fixture) Life(Req, LifeKind, Cause)            {}
func (x *fixture) Count(Req, int32)                     {}
func (x *fixture) Try(TryKind, Req)                     {}

// said returns what has been reported since the last call.
func (x *fixture) said() string {
	text := strings.Join(x.log, ", ")
	x.log = x.log[:0]
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
func (x *fixture) look(tokens []Token) *Hit {
	h := &Hit{}
	x.Lookup(testID, tokens, h)
	return h
}

// admit gives a request blocks for its tokens, those of a hit first.
func (x *fixture) admit(slot int32, tokens []Token) {
	x.t.Helper()
	require.NoError(x.t, x.Admit(req(slot), x.look(tokens), int32(len(tokens)), 0))
}

// write admits a request and publishes its full blocks.
func (x *fixture) write(slot int32, tokens []Token) {
	x.t.Helper()
	x.admit(slot, tokens)
	x.Publish(req(slot), testID, tokens, int32(len(tokens)), 0)
}

// failAt makes the next allocation for an entry of a request's table fail.
func (x *fixture) failAt(r Req, entry int32) { x.failing[r] = entry }

func (x *fixture) fails(_ BlockKind, r Req, entry, _ int32) bool {
	at, armed := x.failing[r]
	if armed && at == entry {
		delete(x.failing, r)
		return true
	}
	return false
}

func (x *fixture) freeOrder() []BlockID { return x.FreeBlocks(nil) }
