package invariants

import "custody/cache"

// Relation is how the reader of a slot stands to its writer.
type Relation uint8

// The relations.
const (
	RelNone    Relation = iota
	RelSelf             // the same life
	RelEarlier          // an earlier life of the same request
	RelDomain           // another request of the same isolation domain
	RelOther            // another isolation domain
)

var relationNames = [...]string{"none", "self", "earlier-life", "same-domain", "other-domain"}

func (r Relation) String() string { return relationNames[r] }

// writtenBy is the client of a life (-1 if its number has been used again, or it is forgotten) and how the request of an
// account stands to it.
func (l *Ledger) writtenBy(r cache.Req, a *account, life uint32) (int32, Relation) {
	x := l.lives.recall(life)
	if x == nil {
		return -1, RelNone
	}
	by := x.client
	if l.accounts.list[by].submission != x.submission {
		by = -1
	}
	switch {
	case x.submission == a.submission && x.gen == r.Gen:
		return by, RelSelf
	case x.submission == a.submission:
		return by, RelEarlier
	case x.domain == a.id.Domain:
		return by, RelDomain
	}
	return by, RelOther
}

// between is the relation of two requests.
func (l *Ledger) between(r, s cache.Req) Relation {
	a, b := l.owner(r), l.owner(s)
	switch {
	case a == b && r == s:
		return RelSelf
	case a == b:
		return RelEarlier
	case a.id.Domain == b.id.Domain:
		return RelDomain
	}
	return RelOther
}
