package cover

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim/engine"
)

// bounded is a script at a boundary and what it comes to. Blocks have 4 positions and the model has 2 layers, so a row
// that ends at position n reads 2n slots. The last token of a prompt is never part of a hit.
type bounded struct {
	name    string
	config  string
	lines   string // as in marked
	hit     int64  // positions found
	queried int64  // positions looked up, of first admissions to a pass
	entries int32  // blocks that can be found at the end
	passes  int64
	copies  int64
	reads   int64
}

const (
	again = `r1 "8 bytes.!"; +100; r2 "8 bytes.!"`                    // two blocks and a token
	churn = `r1 "8 bytes."; +100; r2 "8 others"; +100; r3 "8 bytes."` // two blocks each
)

var boundaries = []bounded{
	{"nothing is found", "", `r1 "aaaa1"; +100; r2 "bbbb1"`, 0, 10, 2, 2, 0, 20},
	{"all that can be is found", "", again, 8, 18, 2, 2, 0, 36},
	{"in blocks of one, all but the last token is found", "block=1", `r1 "abcd"; +100; r2 "abcd"`, 3, 8, 5, 2, 0, 16},
	{"nothing is found without the cache", "cache=off", again, 0, 18, 0, 2, 0, 36},

	{"nothing to publish: a block lacks one position", "", `r1 "abc"`, 0, 3, 0, 1, 0, 6},
	{"something to publish: the first output token is the last of a block", "", `r1 "abc" max=2`, 0, 3, 1, 2, 0, 14},

	{"a prompt of one block", "", `r1 "same"`, 0, 4, 1, 1, 0, 8},
	{"it is computed again, and filed twice", "", `r1 "same"; +100; r2 "same"`, 0, 8, 2, 2, 0, 16},
	{"it is copied, and its last position computed", "copy=40", `r1 "same"; +100; r2 "same"`, 0, 4, 2, 2, 1, 16},
	{"one token more, and the block is found", "", `r1 "same!"; +100; r2 "same!"`, 4, 10, 1, 2, 0, 20},

	{"a prompt of one token", "", `r1 "a"`, 0, 1, 0, 1, 0, 2},
	{"a prompt of one token that fills a block", "block=1", `r1 "a"; +100; r2 "a"`, 0, 2, 2, 2, 0, 4},

	{"warm: sent three times", "", again + `; +100; r3 "8 bytes.!"`, 16, 27, 2, 3, 0, 54},
	{"sent twice at once: each computes its own", "", `r1 "8 bytes.!"; r2 "8 bytes.!"`, 0, 18, 4, 1, 0, 36},
	{"sent twice at once, published at schedule: the second finds the first's", "publish=schedule",
		`r1 "8 bytes.!"; r2 "8 bytes.!"`, 8, 18, 2, 1, 0, 36},

	// Three blocks for four: the second one of each prompt gives way, for the tail of a chain is evicted before its head.
	{"churn: the head of a chain survives", "blocks=3", churn, 4, 24, 3, 3, 0, 48},
	{"churn: and again", "blocks=3", churn + `; +100; r4 "8 others"`, 8, 32, 3, 4, 0, 64},
	{"churn: nothing survives", "blocks=2", churn, 0, 24, 2, 3, 0, 48},
}

func TestAtTheBoundariesWhatIsFoundAndPublishedIsCounted(t *testing.T) {
	for _, b := range boundaries {
		for _, depth := range []string{" depth=1", " depth=2"} {
			t.Run(b.name+depth, func(t *testing.T) {
				s := (&marked{config: b.config + depth, lines: b.lines}).script(t)
				r, _ := watched(t, s)
				require.True(t, r.OK(), "%v", r.Breaches)
				books := r.World().Node().Engine.(engine.Looker).Books()
				got := bounded{
					b.name, b.config, b.lines, books.Hit, books.Queried, books.Entries,
					r.Work.Passes, r.Work.Copies, r.Work.Reads,
				}
				require.Equal(t, b, got, "%s", r.Trace(s))
			})
		}
	}
}
