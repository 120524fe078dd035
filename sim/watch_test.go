package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/scheduler/protocol"
	"custody/traces"
)

// A watcher that chooses is told all that it has an answer to. The digest changes when it has one, an account without a
// ledger crashes.
func TestWhoeverChoosesHearsAllThatItMinds(t *testing.T) {
	f := Fact{
		Plan: &protocol.Plan{Op: 3}, Operation: &Operation{Result: protocol.Result{Rows: make([]protocol.RowResult, 1)}},
		Line: &traces.Event{}, Spec: &protocol.Spec{}, Client: 1,
	}
	for k := range Begun { // what is told by Saw
		f.Kind = k
		var d digester
		d.Saw(&f)
		require.Equal(t, d.Hears(k), d != digester{}, "the digest of fact %d", k)
		var a account
		require.Equal(t, a.Hears(k), crashes(func() { a.Saw(&f) }), "the account of fact %d", k)
	}
}

func crashes(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
