package invariants

import (
	"slices"

	"custody/cache"
)

var markerStatement = Statement{
	ID: Marker, Name: "marker", Unit: "answers ended, by marker",
	Sentence: "a tenant's secret marker never appears in another tenant's output",
}

// Observes: tokens as clients receive them, ends, and the markers that tenants have declared.
// Decides: when an answer has ended, no other tenant's marker may stand in what its client was told. It is a leak that a
// person can read, and it comes last: most leaks show in no text. An answer that the request would get alone is none,
// whatever it spells, and neither is one to a client that named the marker itself.

func marked(markers [][]cache.Token) bool {
	return slices.ContainsFunc(markers, func(m []cache.Token) bool { return m != nil })
}

// hear notes what a client has said or was told from a position on.
func (l *Ledger) hear(c *client, from int32, tokens ...cache.Token) {
	if l.marked && from < l.cfg.MaxLen {
		copy(l.heard[c.index*l.cfg.MaxLen:][from:l.cfg.MaxLen], tokens)
	}
}

func (l *Ledger) checkMarkers(c *client) {
	if !l.marked {
		return
	}
	all := l.heard[c.index*l.cfg.MaxLen:][:min(c.submitted+c.delivered, l.cfg.MaxLen)]
	n := min(c.submitted, int32(len(all)))
	asked, told := all[:n], all[n:]
	for tenant, m := range l.cfg.Markers {
		if m == nil {
			continue
		}
		at := placeIn(told, m)
		if int32(tenant) == c.tenant {
			if at >= 0 {
				l.Reach(OwnMarkerTold)
			}
			continue
		}
		l.checks[Marker]++
		if c.strayed && at >= 0 && placeIn(asked, m) < 0 {
			b := plain(Marker, c.index, "another tenant's marker was told")
			b.Pos = c.submitted + at
			l.breach(b)
		}
	}
}

// placeIn is where a part begins in a text, or -1.
func placeIn(text, part []cache.Token) int32 {
	for i := range text {
		if len(part) <= len(text)-i && slices.Equal(text[i:i+len(part)], part) {
			return int32(i)
		}
	}
	return -1
}
