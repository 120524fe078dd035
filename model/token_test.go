package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
)

func TestTokensAreTheBytesOfASCII(t *testing.T) {
	require.Equal(t, []cache.Token{BOS, 'H', 'i', '\n'}, AppendText([]cache.Token{BOS}, "Hi\n"))
	require.Equal(t, []cache.Token{'?', '?', '?', '?', 127}, AppendText(nil, "\x00\x01é\x7f"))
	require.Equal(t, "Hi\n??", string(AppendTokens(nil, []cache.Token{BOS, 'H', Pad, 'i', EOS, 128, -1})))
}
