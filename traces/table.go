package traces

import (
	"fmt"
	"strings"
)

// Reference renders the tables of events, their arguments, anchors and configuration keys as Markdown. The
// documentation holds this text, so it says what the parser does.
func Reference() string {
	var b strings.Builder
	b.WriteString("### Events\n\n| line | what happens |\n|---|---|\n")
	for k := Submit; k < NumVerbs; k++ {
		tableRow(&b, code(verbs[k].form()), verbs[k].doc)
	}
	b.WriteString("\n### Arguments\n\n| event | argument | default | range | meaning |\n|---|---|---|---|---|\n")
	for k := Submit; k < NumVerbs; k++ {
		writeArgs(&b, k)
	}
	b.WriteString("\n### Anchors\n\n| condition | the event happens as soon as |\n|---|---|\n")
	for k := WhenTokens; k < NumAnchors; k++ {
		tableRow(&b, code("when "+k.form()), anchors[k].doc)
	}
	b.WriteString("\nThe states are " + codes(States) + ".\n")
	b.WriteString("\n### Configuration\n\n| key | default | range | of | meaning |\n|---|---|---|---|---|\n")
	for k := range Keys {
		s := &Keys[k]
		tableRow(&b, code(s.Name), code(s.word(s.Default)), s.span(), s.scope(), s.Doc)
	}
	return b.String()
}

func writeArgs(b *strings.Builder, k Verb) {
	v := &verbs[k]
	if v.count != nil {
		tableRow(b, code(k.String()), code(v.count.name), "required", v.count.span(), v.count.doc)
	}
	for i := range v.args {
		a := &v.args[i]
		tableRow(b, code(k.String()), code(a.name), a.absent(), a.span(), a.doc)
	}
}

func tableRow(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func code(s string) string { return "`" + s + "`" }

func codes(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = code(w)
	}
	return strings.Join(all, ", ")
}

// form is how a line of this verb is written; what may be left out stands in brackets.
func (v *form) form() string {
	s := v.word
	if v.object != "" {
		s += " " + v.object
	}
	switch {
	case v.request:
		s += " NAME"
	case v.count == &advanceArg:
		s += v.count.name
	case v.count != nil:
		s += " " + v.count.name
	}
	for i := range v.args {
		s += " " + v.args[i].form()
	}
	if v.anchor {
		s += " [when CONDITION]"
	}
	return s
}

func (a *arg) form() string {
	s := a.name
	switch a.kind {
	case argFlag:
	case argTenant:
		s += "=NAME"
	case argPrompt:
		s += "=TEXT"
	default:
		s += "=N"
	}
	if a.required {
		return s
	}
	return "[" + s + "]"
}

func (k AnchorKind) form() string {
	if k == WhenState {
		return anchors[k].word + "=STATE"
	}
	return anchors[k].word + "=N"
}

// absent says what holds where the argument is not written.
func (a *arg) absent() string {
	switch {
	case a.required:
		return "required"
	case a.kind == argFlag:
		return "absent"
	}
	return code(fmt.Sprint(a.Default))
}

// span is the range of an argument's values.
func (a *arg) span() string {
	switch a.kind {
	case argNumber:
		return fmt.Sprintf("%d to %d", a.Min, a.Max)
	case argWide:
		return "64 bits"
	case argTenant:
		return "a name or `?`"
	case argPrompt:
		return `"text" or 3,5,1`
	}
	return ""
}

// span is the range of a key's values.
func (s *Spec) span() string {
	switch {
	case s.Names != nil:
		return codes(s.Names)
	case s.Max == 1<<63-1:
		return "63 bits"
	}
	return fmt.Sprintf("%d to %d", s.Min, s.Max)
}

// scope says whose value a key is.
func (s *Spec) scope() string {
	switch {
	case s.Layout:
		return "worker, layout"
	case s.Worker:
		return "worker"
	}
	return "engine"
}
