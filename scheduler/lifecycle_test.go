package scheduler_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "custody/scheduler"
	"custody/scheduler/protocol"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

var (
	live    = []State{Waiting, Loading, Loaded, Prefill, Decode, Preempted}
	holders = map[State]bool{Loading: true, Loaded: true, Prefill: true, Decode: true} // of blocks
	seated  = map[State]bool{Prefill: true, Decode: true}                              // in a worker's row
)

// leaves tells whether a transition takes a request's blocks away.
func leaves(t Transition) bool { return t.To == Ended || t.To == Preempted && t.From != Preempted }

func TestNoStateAnswersAnEventTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, x := range Lifecycle {
		line := fmt.Sprint(x.From, " on ", x.On)
		require.False(t, seen[line], line)
		seen[line] = true
	}
}

func TestEveryLiveRequestCanBeCancelled(t *testing.T) {
	cancels := map[State]State{}
	for _, x := range Lifecycle {
		if x.On == OnCancel {
			cancels[x.From] = x.To
		}
	}
	require.Len(t, cancels, len(live))
	for _, s := range live {
		require.Equal(t, Ended, cancels[s], s)
	}
}

func TestEveryTransitionReleasesWhatItsStateHeld(t *testing.T) {
	for _, x := range Lifecycle {
		refused := x.On == OnRefuse || x.On == OnRequeue // the worker has cleared its row itself
		require.Equal(t, leaves(x) && holders[x.From], x.Release&Blocks != 0, "blocks: %s on %s", x.From, x.On)
		require.Equal(t, leaves(x) && seated[x.From] && !refused, x.Release&Row != 0, "row: %s on %s", x.From, x.On)
		require.Equal(t, x.To == Ended, x.Release&Quota != 0, "quota: %s on %s", x.From, x.On)
		require.Equal(t, leaves(x), x.Release&Life != 0, "life: %s on %s", x.From, x.On)
	}
}

func TestEveryStateIsEnteredAndOnlyTheEndIsFinal(t *testing.T) {
	entered, left := map[State]bool{}, map[State]bool{}
	for _, x := range Lifecycle {
		entered[x.To], left[x.From] = true, true
	}
	for s := Absent; s < NumStates; s++ {
		require.Equal(t, s != Absent, entered[s], s)
		require.Equal(t, s != Ended, left[s], s)
	}
}

func TestEveryReasonOfTheDoorAndOfTheWorkerIsInTheTableOnce(t *testing.T) {
	count := map[protocol.Reason]int{}
	for _, d := range protocol.Denials {
		count[d.Why]++
		require.Equal(t, d.Why <= protocol.NoWorker, d.By == "admission", d.Name)
		require.Equal(t, d.Name, d.Why.String())
	}
	for r := protocol.EmptyPrompt; r < protocol.NumReasons; r++ {
		require.Equal(t, r < protocol.Stopped, count[r] == 1, r)
	}
	require.Equal(t, []string{"stop", "length", "cancelled", "none"},
		[]string{protocol.Stopped.String(), protocol.LengthEnd.String(), protocol.Cancelled.String(), protocol.NoReason.String()})
}

func TestTheLifecyclePageIsPrintedFromTheTables(t *testing.T) {
	const path = "../docs/lifecycle.md"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(page()), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(have), page(), "run: go test ./scheduler -run LifecyclePage -update")
}

// meaning says what the events are, for the page.
var meaning = [...]string{
	OnSubmit:  "it was accepted at the door; a request that is turned away there never lives",
	OnCopy:    "it got blocks, and an asynchronous copy into the last of them was issued",
	OnCopied:  "the copy has settled",
	OnAdmit:   "it got what it lacked of blocks and a row of the worker",
	OnChunk:   "a pass with a part of its prompt has settled, and more of the prompt is left",
	OnToken:   "one of its output tokens has settled, and it goes on",
	OnStop:    "its end-of-sequence token has settled",
	OnLength:  "its last allowed token has settled",
	OnCancel:  "its client went away",
	OnPreempt: "its blocks were taken for another request, or by a `preempt` or `reset force` of the script",
	OnRequeue: "the worker refused it, and it may try again",
	OnRefuse:  "the worker refused it for good",
	OnLost:    "an operation that carried it failed",
}

func TestEveryEventOfTheLifecycleIsExplained(t *testing.T) {
	require.Len(t, meaning, int(NumOns))
	require.NotContains(t, meaning[:], "")
}

func page() string {
	var b strings.Builder
	b.WriteString("# The life of a request\n\n" +
		"Printed from the tables in `scheduler/lifecycle.go` and `scheduler/protocol/reason.go` " +
		"by `go test ./scheduler -run LifecyclePage -update`.\n\n" +
		"```mermaid\n" + Diagram() + "```\n\n" +
		"## Transitions\n\nWhat is not here cannot happen. *Blocks* are the references of the block table, *row* is " +
		"the worker's row, " +
		"*quota* the place in the tenant's quota, *life* the generation: late messages about it change nothing any more.\n\n" +
		"| from | on | to | releases |\n|---|---|---|---|\n")
	for _, x := range Lifecycle {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", x.From, x.On, x.To, resources(x.Release))
	}
	b.WriteString("\n## Events\n\n| event | what has happened |\n|---|---|\n")
	for on := range NumOns {
		fmt.Fprintf(&b, "| %s | %s |\n", on, meaning[on])
	}
	b.WriteString("\n## Refusals\n\nEvery reason for which a request may be turned away, and by whom.\n\n| reason | by | when |\n" +
		"|---|---|---|\n")
	for _, d := range protocol.Denials {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.Name, d.By, d.When)
	}
	return b.String()
}

func resources(r Resource) string {
	var words []string
	for _, x := range []struct {
		r    Resource
		word string
	}{{Blocks, "blocks"}, {Row, "row"}, {Quota, "quota"}, {Life, "life"}} {
		if r&x.r != 0 {
			words = append(words, x.word)
		}
	}
	return strings.Join(words, ", ")
}
