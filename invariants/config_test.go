package invariants

import (
	"testing"

	"custody/scheduler/protocol"
)

// A pair that differs in a field must not run. If it does, the first operation breaks the promise, and the first read finds
// content of another identity.
func TestAnOperationOfAPairThatDiffersBreaksConfigAndContent(t *testing.T) {
	for name, c := range map[string]struct {
		layouts [][]int64
		broken  []string
	}{
		"nobody":                {nil, nil},
		"one party":             {[][]int64{{4, 2}}, nil},
		"two that agree":        {[][]int64{{4, 2}, {4, 2}}, nil},
		"another value":         {[][]int64{{4, 2}, {4, 3}}, []string{"config", "content"}},
		"another place":         {[][]int64{{4, 2}, {2, 4}}, []string{"config", "content"}},
		"a field less":          {[][]int64{{4, 2}, {4}}, []string{"config", "content"}},
		"only the third of all": {[][]int64{{4, 2}, {4, 2}, {5, 2}}, []string{"config", "content"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := fakeConfig()
			cfg.Parties.Layouts = c.layouts
			d := &fakeEngine{Ledger: NewLedger(cfg, nil)}
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.Begin(2, 0)
			f := d.issue(span{a, 0, 3})
			d.Begin(3, 0)
			d.finish(f)
			wantBroken(t, d.Ledger, c.broken...)
		})
	}
}

// Turning a request away for want of a worker is right only if the parties do differ.
func TestTheWorkerMayOnlyBeRefusedForALayoutThatDiffers(t *testing.T) {
	for name, c := range map[string]struct {
		layouts [][]int64
		broken  []string
	}{
		"they differ": {[][]int64{{4}, {8}}, nil},
		"they agree":  {[][]int64{{4}, {4}}, []string{"progress"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := fakeConfig()
			cfg.Parties.NoWorker, cfg.Parties.Layouts = true, c.layouts
			d := &fakeEngine{Ledger: NewLedger(cfg, nil)}
			x := ask(amber, 1)
			d.Submitted(0, x)
			d.Rejected(0, x, protocol.NoWorker, false)
			wantBroken(t, d.Ledger, c.broken...)
		})
	}
}
