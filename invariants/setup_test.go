package invariants

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALedgerOfNoSizeIsRefusedInWords(t *testing.T) {
	cfg := fakeConfig()
	cfg.Shape.BlockTokens = 0
	require.PanicsWithValue(t, "invariants: a ledger of shape {Blocks:6 BlockTokens:0 Layers:2 Slots:5 Rows:3} and length 10: "+
		"both must be positive", func() { NewLedger(cfg, nil) })
}
