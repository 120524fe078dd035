package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A pair agrees only if every field does, and the digest tells layouts apart by any of them.
func TestTheHandshakeAsksForEveryField(t *testing.T) {
	a := LayoutFields{4, 2, 1, 1, 10000, 0, 256}
	same := a
	_, ok := Handshake(&a, &same)
	require.True(t, ok)
	require.Equal(t, a.ID(), same.ID())
	for f := range NumFields {
		b := a
		b[f]++
		differs, ok := Handshake(&a, &b)
		require.False(t, ok, "field %d", f)
		require.Equal(t, f, differs)
		require.NotEqual(t, a.ID(), b.ID(), "field %d", f)
	}
}

func TestFieldsThatChangePlacesAreAnotherLayout(t *testing.T) {
	a, b := LayoutFields{Layers: 2, Heads: 1}, LayoutFields{Layers: 1, Heads: 2}
	require.NotEqual(t, a.ID(), b.ID())
}
