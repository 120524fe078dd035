package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"custody/cache"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// focus is what a person follows through a run: one request in all its lives, one tenant, one block, or nothing in
// particular.
type focus struct {
	kind  focusKind
	name  string
	block cache.BlockID
}

type focusKind uint8

const (
	everything focusKind = iota
	oneRequest
	oneTenant
	oneBlock
)

func (f focus) String() string {
	switch f.kind {
	case oneRequest:
		return f.name
	case oneTenant:
		return "tenant " + f.name
	case oneBlock:
		return fmt.Sprintf("block %d", f.block)
	}
	return "everything"
}

// focusable lists what can be followed in a script: everything, its requests, its tenants, its blocks.
func focusable(s *traces.Script) []focus {
	list := []focus{{}}
	for _, name := range source.RequestsOf(s) {
		list = append(list, focus{kind: oneRequest, name: name})
	}
	var tenants []string
	for _, name := range term.TenantsOf(s) {
		if !slices.Contains(tenants, name) {
			tenants = append(tenants, name)
			list = append(list, focus{kind: oneTenant, name: name})
		}
	}
	for b := range s.Config[traces.Blocks] {
		list = append(list, focus{kind: oneBlock, block: cache.BlockID(b)})
	}
	return list
}

// parseFocus reads what a person typed: the name of a request or a tenant, or a block's number.
func parseFocus(s *traces.Script, text string) (focus, error) {
	text = strings.TrimSpace(text)
	kind, name, ok := strings.Cut(text, " ")
	if !ok {
		kind, name = "", text
	}
	for _, f := range focusable(s)[1:] {
		words := strings.TrimPrefix(strings.TrimPrefix(f.String(), "tenant "), "block ")
		if words == strings.TrimSpace(name) && (kind == "" || kind == focusWords[f.kind]) {
			return f, nil
		}
	}
	return focus{}, fmt.Errorf("nothing is called %q: expected a request, a tenant, or a block from 0 to %d", text,
		s.Config[traces.Blocks]-1)
}

// focusWords may stand before a name, where one name means two things.
var focusWords = [...]string{oneRequest: "request", oneTenant: "tenant", oneBlock: "block"}

// is tells whether a request is what is followed, or belongs to it.
func (f focus) is(p sim.Party) bool {
	switch f.kind {
	case oneRequest:
		return p.Name == f.name
	case oneTenant:
		return p.Known() && p.Tenant == f.name
	}
	return false
}

func (f focus) isAny(list []sim.Party) bool { return slices.ContainsFunc(list, f.is) }

// touches tells whether something done to a block concerns what is followed.
func (f focus) touches(list []explain.Touch) bool {
	return slices.ContainsFunc(list, func(t explain.Touch) bool {
		return f.is(t.By) || (f.kind == oneBlock && t.Block == f.block)
	})
}

// hasBlock tells whether a block concerns what is followed.
func (f focus) hasBlock(b cache.BlockID, x *explain.BlockFrame, touched []explain.Touch) bool {
	if f.kind == everything || (f.kind == oneBlock && b == f.block) {
		return true
	}
	written := slices.ContainsFunc(x.Spans, func(s explain.Span) bool { return f.is(s.Writer) })
	return written || f.isAny(x.Holders) || f.is(x.Publisher) || (f.kind != oneBlock && f.touches(touched))
}

// hasRequest tells whether a request concerns what is followed; a block's requests are those whose tables it is in.
func (f focus) hasRequest(x *explain.RequestFrame) bool {
	return f.kind == everything || f.is(x.Party) || (f.kind == oneBlock && slices.Contains(x.Table, f.block))
}

// happensIn tells whether a step concerns what is followed.
func (f focus) happensIn(s *traces.Script, notes []string, touches []explain.Touch) bool {
	if f.kind == everything || f.touches(touches) {
		return true
	}
	for i := range s.Events {
		e := &s.Events[i]
		if (f.kind == oneRequest && e.Name == f.name) || (f.kind == oneTenant && e.Verb == traces.Submit && e.Tenant == f.name) {
			if slices.ContainsFunc(notes, func(note string) bool { return term.Mentions(note, e.Name) }) {
				return true
			}
		}
	}
	return false
}

// stepTyped reads a step's number.
func stepTyped(text string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("found %q, expected the number of a step", text)
	}
	return n, nil
}
