package worker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/model"
	"custody/scheduler/protocol"
)

// used notes what passes compute with.
type used struct {
	cache.Observer
	tables [][]cache.BlockID
	inputs [][]cache.Token
}

func (u *used) Use(x *cache.Used) {
	u.tables = append(u.tables, append([]cache.BlockID(nil), x.Table...))
	u.inputs = append(u.inputs, append([]cache.Token(nil), x.Input...))
}

func (u *used) Op(cache.OpKind, cache.OpID, cache.Queue)                     {}
func (u *used) Row(cache.RowKind, int32, cache.Req)                          {}
func (u *used) Planned(cache.OpID, cache.Req, cache.Run)                     {}
func (u *used) Sampled(cache.OpID, cache.Req, int32, cache.Token)            {}
func (u *used) Touch(cache.TouchKind, cache.OpID, cache.Req, int, cache.Run) {}

// Two passes are outstanding when the second gives the row another block, or to another request.
func TestAPassFindsInALiveRowWhatALaterPlanHasPutThere(t *testing.T) {
	moved := protocol.Row{Req: life(0), Start: 2, N: 1, Tokens: known(7), Whole: true, Blocks: []cache.BlockID{5}, Sample: true}
	other := fresh(1, 6, 8, 9)
	given := ended(2, life(0), other)
	for name, c := range map[string]struct {
		live  protocol.Live
		plan  *protocol.Plan
		table cache.BlockID
		input []cache.Token
	}{
		"copied, and the table is rewritten":                   {0, passOf(2, moved), 3, []cache.Token{1, 2}},
		"a live table is rewritten":                            {protocol.LiveTable, passOf(2, moved), 5, []cache.Token{1, 2}},
		"a live table, and the row is another's":               {protocol.LiveTable, given, 6, []cache.Token{1, 2}},
		"live tokens, and the row is another's":                {protocol.LiveTokens, given, 3, []cache.Token{8, 9}},
		"copied, and the row is another's by the time it runs": {0, given, 3, []cache.Token{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			saw := &used{}
			r := New(Config{Limits: Limits{Rows: 1, Budget: 6, MaxLen: 8}, Layout: layout, Live: c.live},
				model.NewHash(256), cache.NewMemory(layout))
			r.Attach(saw)
			require.Empty(t, r.Issue(passOf(1, fresh(0, 3, 1, 2))))
			require.Empty(t, r.Issue(c.plan))
			finish(t, r, 1)
			require.Equal(t, []cache.BlockID{c.table}, saw.tables[0])
			require.Equal(t, c.input, saw.inputs[0])
		})
	}
}

// ended is a pass whose plan ends a request first.
func ended(op cache.OpID, who cache.Req, rows ...protocol.Row) *protocol.Plan {
	p := passOf(op, rows...)
	p.Ended = []cache.Req{who}
	return p
}
