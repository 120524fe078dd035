package explain

import (
	"cmp"
	"slices"

	"custody/cache"
	"custody/invariants"
)

// sum sums a reading up by writer, and finds the position that mattered most.
func (k *receiptMaker) sum(u *cache.Used, x *reading, out *TokenReceipt) {
	heads, whole := k.receipt.Heads, float64(len(x.weights))
	for p := range out.Pos {
		spot := 0.0
		for i, weights := range x.weights {
			s := k.source(u, x.origin(i/heads, p, out.Pos), out)
			if i%heads == 0 {
				s.Slots++
			}
			share := float64(weights[p])
			s.Heads[i/heads][i%heads] += share
			s.Share += share / whole
			spot += share / whole
		}
		if spot > out.Top.Share {
			o := x.origin(len(x.weights)/heads-1, p, out.Pos)
			out.Top = Spot{Pos: p, Token: int32(o.token), Share: spot}
			out.Top.Name, out.Top.Tenant = k.names(o)
		}
	}
	slices.SortStableFunc(out.Sources, func(a, b Source) int { return cmp.Compare(b.Share, a.Share) })
}

// origin is that of a position, of n that were read in each layer.
func (x *reading) origin(layer int, p, n int32) *origin { return &x.origins[int32(layer)*n+p] }

// source is the one of the token's sources that an origin belongs to, as the reader sees it.
func (k *receiptMaker) source(u *cache.Used, o *origin, out *TokenReceipt) *Source {
	s := Source{Relation: k.relation(u, o), Poisoned: o.poisoned}
	s.Name, s.Tenant = k.names(o)
	for i := range out.Sources {
		if x := &out.Sources[i]; x.Name == s.Name && x.Tenant == s.Tenant && x.Relation == s.Relation && x.Poisoned == s.Poisoned {
			return x
		}
	}
	for range k.receipt.Layers {
		s.Heads = append(s.Heads, make([]float64, k.receipt.Heads))
	}
	out.Sources = append(out.Sources, s)
	return &out.Sources[len(out.Sources)-1]
}

func (k *receiptMaker) names(o *origin) (name, tenant string) {
	if o.event == 0 {
		return "", ""
	}
	return o.name, o.tenantName
}

// relation is how the reader stands to a writer.
func (k *receiptMaker) relation(u *cache.Used, o *origin) invariants.Relation {
	c := k.client(u.Req)
	switch {
	case o.event == 0:
		return invariants.RelNone
	case o.event == int32(c.Event)+1 && o.gen == u.Req.Gen:
		return invariants.RelSelf
	case o.event == int32(c.Event)+1:
		return invariants.RelEarlier
	case o.tenant == c.Tenant:
		return invariants.RelDomain
	}
	return invariants.RelOther
}
