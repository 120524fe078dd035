package laws

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
)

// Finding is one place that breaks a law.
type Finding struct {
	File    string // below the module's root, with slashes
	Line    int
	Column  int
	Rule    string // the rule's short name, as the table of exemptions uses it
	Law     int    // shape: none of the laws, but a rule of the house
	What    string // what stands there, and why it breaks the law
	Instead string // what to write in its place
}

// String is the finding as a person reads it, in one line that editors can follow.
func (f Finding) String() string {
	law := fmt.Sprintf("law %d", f.Law)
	if f.Law == shape {
		law = "shape"
	}
	return fmt.Sprintf("%s:%d:%d: %s (%s); %s", f.File, f.Line, f.Column, f.What, law, f.Instead)
}

// findings collects. Most packages are the same on several targets, so one place is told once for each rule.
type findings struct {
	src  *sources
	seen map[place]bool
	all  []Finding
}

type place struct {
	at   token.Position
	rule *rule
}

// add records that what stands at pos breaks the rule, unless the table exempts it.
func (f *findings) add(pos token.Pos, r *rule, format string, args ...any) {
	at := f.src.fset.PositionFor(pos, false)
	f.addAt(at, r, fmt.Sprintf(format, args...))
}

func (f *findings) addAt(at token.Position, r *rule, what string) {
	if !exempt(at.Filename, r) {
		f.tell(at, r, what)
	}
}

// tell records a finding that no table exempts.
func (f *findings) tell(at token.Position, r *rule, what string) {
	key := place{at, r}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.all = append(f.all, Finding{
		File: at.Filename, Line: at.Line, Column: at.Column,
		Rule: r.name, Law: r.law, What: what + ": " + r.why, Instead: r.instead,
	})
}

func (f *findings) sorted() []Finding {
	slices.SortFunc(f.all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.What, b.What),
		)
	})
	return f.all
}
