package explain

import (
	"fmt"
	"slices"

	"custody/invariants"
	"custody/sim"
	"custody/traces"
)

// Receipt says, for each output token of a request, which KV slots its computation read and who wrote them.
type Receipt struct {
	Name, Tenant string
	Prompt       []int32
	Layers       int
	Heads        int // query heads
	Tokens       []TokenReceipt
}

// TokenReceipt is the receipt of one output token. Attention is counted in shares: a layer's and a head's add up to 1.
type TokenReceipt struct {
	Step    int64
	Pos     int32 // of the token: the slots of all positions before it were read, layer by layer
	Token   int32
	Sources []Source // the largest share first
	Top     Spot     // the position that mattered most
	Sent    bool     // to the client; not if the request ended with the pass under way
}

// Source is one writer of slots that were read.
type Source struct {
	Name, Tenant string // "" if nobody wrote them
	Relation     invariants.Relation
	Poisoned     bool
	Slots        int32       // of all layers
	Share        float64     // of the attention, over all layers and heads
	Heads        [][]float64 // by layer and head
}

// Spot is a position that was read.
type Spot struct {
	Pos          int32
	Token        int32 // that the slot was written for
	Name, Tenant string
	Share        float64
}

// Receipts runs a script on the transformer of the options and returns the receipt of the last request of a name for which a
// token was sampled, with the run that it was taken from.
func Receipts(s *traces.Script, o sim.ExecuteOptions, name string) (*Receipt, *Narrated, error) {
	if !slices.ContainsFunc(s.Events, func(e traces.Event) bool { return e.Verb == traces.Submit && e.Name == name }) {
		return nil, nil, fmt.Errorf("no request of the script has the name %q", name)
	}
	k := &receiptMaker{name: name}
	o.Watch = append(slices.Clone(o.Watch), k)
	narrated, err := Run(s, o)
	if err != nil {
		return nil, nil, err
	}
	if r := &k.receipt; len(r.Tokens) > 0 {
		r.Prompt = s.Events[k.event].Prompt
	}
	return &k.receipt, narrated, nil
}
