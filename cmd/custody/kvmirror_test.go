package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/term"
)

// The consumer cannot know how many blocks a stream will tell of: it makes room as they come.
func TestAMirrorHoldsMoreBlocksThanItHadRoomFor(t *testing.T) {
	var text strings.Builder
	for i := 1; i <= 3*firstRoom; i++ {
		fmt.Fprintf(&text, `{"seq":%d,"type":"stored","block_hashes":["%016x"],"token_ids":[1],`, i, i)
		fmt.Fprintln(&text, `"block_size":1,"extra_keys":{"domain":1}}`)
	}
	fmt.Fprintf(&text, `{"seq":%d,"type":"removed","block_hashes":["%016x"]}`+"\n", 3*firstRoom+1, 1)
	var out bytes.Buffer
	require.NoError(t, kvMirror(term.Plain(nil, &out, nil), "events", strings.NewReader(text.String())))
	require.Equal(t, "after 3,073 events the cache holds 3,071 blocks\n", out.String())
}
