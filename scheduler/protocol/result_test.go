package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	. "custody/scheduler/protocol"
)

func TestAResultOwnsItsTokensAndACloneHasItsOwn(t *testing.T) {
	var a, b Result
	a.Reset(7)
	given := []cache.Token{1, 2}
	a.Add(cache.Req{Slot: 0}, given)
	a.Add(cache.Req{Slot: 1}, nil)
	a.Add(cache.Req{Slot: 2}, []cache.Token{3})
	given[0] = 9
	a.CloneInto(&b)
	want := []RowResult{
		{Req: cache.Req{Slot: 0}, Tokens: []cache.Token{1, 2}},
		{Req: cache.Req{Slot: 1}, Tokens: []cache.Token{}},
		{Req: cache.Req{Slot: 2}, Tokens: []cache.Token{3}},
	}
	require.Equal(t, want, a.Rows)
	a.Reset(8)
	a.Add(cache.Req{Slot: 3}, []cache.Token{8, 8, 8})
	require.Equal(t, cache.OpID(7), b.Op)
	require.Equal(t, want, b.Rows)
}
