package sim

import (
	"cmp"
	"slices"

	"custody/cache"
	"custody/invariants"
)

// account sums a reading up by writer, and finds the position that mattered most.
func (k *clerk) account(u *cache.Used, x *reading, n int32, out *TokenReceipt) {
	heads := k.receipt.Heads
	whole := float64(len(x.weights))
	for p := range n {
		spot := 0.0
		for i, weights := range x.weights {
			o := &x.origins[int32(i/heads)*n+p]
			s := k.source(u, o, out)
			if i%heads == 0 {
				s.Slots++
			}
			share := float64(weights[p])
			s.Heads[i/heads][i%heads] += share
			s.Share += share / whole
			spot += share / whole
		}
		if spot > out.Top.Share {
			o := &x.origins[int32(len(x.weights)/heads-1)*n+p]
			out.Top = Spot{Pos: p, Token: int32(o.token), Share: spot}
			out.Top.Name, out.Top.Tenant = k.names(o)
		}
	}
	slices.SortStableFunc(out.Sources, func(a, b Source) int { return cmp.Compare(b.Share, a.Share) })
}

// source is the account of an origin, as the reader sees it.
func (k *clerk) source(u *cache.Used, o *origin, out *TokenReceipt) *Source {
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

func (k *clerk) names(o *origin) (name, tenant string) {
	if o.event == 0 {
		return "", ""
	}
	return k.world.names[o.name], k.world.tenants[o.tenant]
}

// relation is how the reader stands to a writer.
func (k *clerk) relation(u *cache.Used, o *origin) invariants.Relation {
	c := &k.world.clients[k.clientOf(u.Req)]
	switch {
	case o.event == 0:
		return invariants.RelNone
	case o.event == int32(c.event)+1 && o.gen == u.Req.Gen:
		return invariants.RelSelf
	case o.event == int32(c.event)+1:
		return invariants.RelEarlier
	case o.tenant == c.tenant:
		return invariants.RelDomain
	}
	return invariants.RelOther
}
