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
	for v := Submit; v < NumVerbs; v++ {
		tableRow(&b, code(verbs[v].String()), verbs[v].doc)
	}
	b.WriteString("\n### Arguments\n\n| event | argument | default | range | meaning |\n|---|---|---|---|---|\n")
	for v := Submit; v < NumVerbs; v++ {
		for _, a := range verbs[v].args {
			row := &args[a]
			tableRow(&b, code(v.String()), code(row.word), row.absent(), row.span(), row.doc)
		}
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

// String is how a line of this form is written; what may be left out stands in brackets.
func (f *form) String() string {
	s := f.word
	if f.object != "" {
		s += " " + f.object
	}
	if f.request {
		s += " NAME"
	}
	for _, a := range f.args {
		if s != "+" { // +T is one word
			s += " "
		}
		s += args[a].String()
	}
	if f.anchor {
		s += " [when CONDITION]"
	}
	return s
}

// String is how the argument is written.
func (row *argRow) String() string {
	s := row.word
	switch row.kind {
	case asName:
		s += "=NAME"
	case asTokens:
		s += "=TEXT"
	case asNumber, asWide:
		s += "=N"
	}
	if row.required {
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
func (row *argRow) absent() string {
	switch {
	case row.required:
		return "required"
	case row.kind == asFlag:
		return "absent"
	}
	return code(fmt.Sprint(row.Default))
}

// span is the range of an argument's values.
func (row *argRow) span() string {
	switch row.kind {
	case asWide:
		return "64 bits"
	case asFlag:
		return ""
	case asName:
		return "a name or `?`"
	case asTokens:
		return `"text" or 3,5,1`
	}
	return fmt.Sprintf("%d to %d", row.Min, row.Max)
}

// span is the range of a key's values.
func (s *KeySpec) span() string {
	switch {
	case s.Names != nil:
		return codes(s.Names)
	case s.Max == 1<<63-1:
		return "63 bits"
	}
	return fmt.Sprintf("%d to %d", s.Min, s.Max)
}

// scope says whose value a key is.
func (s *KeySpec) scope() string {
	switch {
	case s.Layout:
		return "worker, layout"
	case s.Worker:
		return "worker"
	}
	return "engine"
}
