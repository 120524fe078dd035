package explain

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/gen"
	"custody/traces"
)

func receiptOf(t *testing.T, file, name string) *Receipt {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	s, err := traces.Parse(file, string(text))
	require.NoError(t, err)
	m, err := sim.NewTransformer()
	require.NoError(t, err)
	r, res, err := Receipts(s, sim.ExecuteOptions{Model: m}, name)
	require.NoError(t, err)
	require.True(t, res.OK(), res.Breaches)
	return r
}

// r2 finds two blocks of four positions that r1 has written, and computes the last four of its twelve itself, in two layers.
func TestAReceiptNamesWhoWroteWhatATokenWasComputedFrom(t *testing.T) {
	r := receiptOf(t, "../testdata/shared-prefix.trace", "r2")
	require.Equal(t, "amber", r.Tenant)
	require.Len(t, r.Tokens, 1)
	token := r.Tokens[0]
	require.EqualValues(t, 12, token.Pos)
	require.Len(t, token.Sources, 2)
	slots := map[string]int32{}
	for _, s := range token.Sources {
		slots[s.Name] = s.Slots
		if s.Name == "r1" {
			require.Equal(t, invariants.RelDomain, s.Relation)
		} else {
			require.Equal(t, invariants.RelSelf, s.Relation)
		}
	}
	require.Equal(t, map[string]int32{"r1": 2 * 8, "r2": 2 * 4}, slots)
	requireWhole(t, r)
}

// Preemption makes an earlier life of the request itself: its blocks stay findable, and the next life reads them.
func TestAReceiptTellsTheLivesOfARequestApart(t *testing.T) {
	m, err := sim.NewTransformer()
	require.NoError(t, err)
	s, err := traces.Parse("test", "submit r1 tenant=amber prompt=\"12345\" max=3\npreempt r1 when tokens=1\ndrain\n")
	require.NoError(t, err)
	r, _, err := Receipts(s, sim.ExecuteOptions{Model: m}, "r1")
	require.NoError(t, err)
	require.Len(t, r.Tokens, 3)
	relations := map[invariants.Relation]int32{}
	for _, x := range r.Tokens[1].Sources {
		relations[x.Relation] += x.Slots
	}
	require.Equal(t, map[invariants.Relation]int32{invariants.RelEarlier: 2 * 4, invariants.RelSelf: 2 * 2}, relations)
	requireWhole(t, r)
}

// requireWhole: the attention of every layer and head adds up to 1, and so do the sources' shares.
func requireWhole(t *testing.T, r *Receipt) {
	t.Helper()
	for _, token := range r.Tokens {
		share := 0.0
		for _, s := range token.Sources {
			share += s.Share
		}
		require.InDelta(t, 1, share, 1e-5)
		for layer := range r.Layers {
			for head := range r.Heads {
				sum := 0.0
				for _, s := range token.Sources {
					sum += s.Heads[layer][head]
				}
				require.InDelta(t, 1, sum, 1e-5)
			}
		}
		require.Positive(t, token.Top.Share)
	}
}

func TestAReceiptNeedsARequestOfThatName(t *testing.T) {
	m, err := sim.NewTransformer()
	require.NoError(t, err)
	s, err := traces.Parse("test", "submit r1 tenant=amber prompt=1\ndrain\n")
	require.NoError(t, err)
	_, _, err = Receipts(s, sim.ExecuteOptions{Model: m}, "r2")
	require.ErrorContains(t, err, `no request of the script has the name "r2"`)
}

// Requests are preempted and clients leave with tokens under way: what a receipt says was sent is what its
// client heard, each token once.
func TestTheSentTokensOfAReceiptAreThoseThatTheClientHeard(t *testing.T) {
	m, err := sim.NewTransformer()
	require.NoError(t, err)
	for seed := range uint64(30) {
		s, _, err := gen.Generate(seed, gen.Profiles[0], sim.ExecuteOptions{})
		require.NoError(t, err)
		for _, name := range submitted(s) {
			heard := &listener{heard: map[int][]int32{}}
			k := &receiptMaker{name: name}
			_, err := sim.Execute(s, sim.ExecuteOptions{Model: m, Watch: []sim.Watcher{k, heard}})
			require.NoError(t, err)
			var sent []int32
			for i, token := range k.receipt.Tokens {
				require.EqualValues(t, k.receipt.Tokens[0].Pos+int32(i), token.Pos, "seed %d %s", seed, name)
				if token.Sent {
					sent = append(sent, token.Token)
				}
			}
			require.Equal(t, heard.heard[k.event], sent, "seed %d %s", seed, name)
		}
	}
}

// listener hears what clients hear, by submit event.
type listener struct {
	world *sim.World
	heard map[int][]int32
}

func (l *listener) Start(w *sim.World) { l.world = w }
func (l *listener) Begin(sim.Step)     {}
func (l *listener) End(sim.Step)       {}
func (l *listener) Saw(f *sim.Fact) {
	if f.Kind == sim.Delivered && f.Why == protocol.NoReason {
		event := l.world.Roster().Client(f.Client).Event
		l.heard[event] = append(l.heard[event], int32(f.Token))
	}
}

func submitted(s *traces.Script) (names []string) {
	for i := range s.Events {
		if e := &s.Events[i]; e.Verb == traces.Submit && !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}
