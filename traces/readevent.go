package traces

import (
	"errors"
	"fmt"
	"strings"
)

// eventReader fills in one event from the words of its line, by the table of verbs.
type eventReader struct {
	*strictness
	form  *form
	event Event
	given uint32 // bit a: argument a was given
}

// readEvent reads the words of an event's line.
func (st *strictness) readEvent(words []word) (Event, error) {
	verb, rest, err := findVerb(words)
	if err != nil {
		return Event{}, err
	}
	r := eventReader{strictness: st, form: &verbs[verb], event: Event{Verb: verb}}
	r.setDefaults()
	if err := r.read(rest); err != nil {
		what := strings.TrimRight(verb.String()+" "+r.event.Name, " ")
		return Event{}, fmt.Errorf("%s: %w", what, err)
	}
	return r.event, nil
}

// findVerb returns the verb that the first words of a line name, and the words that follow them.
func findVerb(words []word) (Verb, []word, error) {
	head := words[0].text
	if head[0] == '+' {
		words[0] = word{text: head[1:]}
		return Advance, words, nil
	}
	var objects []string
	for v := Submit; v < NumVerbs; v++ {
		switch f := &verbs[v]; {
		case f.word != head:
		case f.object == "":
			return v, words[1:], nil
		case len(words) > 1 && words[1].text == f.object:
			return v, words[2:], nil
		default:
			objects = append(objects, f.object)
		}
	}
	return Nop, nil, unknownVerb(words, objects)
}

// unknownVerb is the error for a line that begins like no other; objects are those that the first word takes.
func unknownVerb(words []word, objects []string) error {
	switch {
	case objects == nil:
		return unknownWord("verb", words[0].text, lineWords())
	case len(words) == 1:
		return fmt.Errorf("%s: what is missing (expected %s)", words[0].text, orList(objects))
	}
	return fmt.Errorf("%s: %w", words[0].text, unknownWord("word", words[1].text, objects))
}

// lineWords lists the words that a line may begin with.
func lineWords() []string {
	words := []string{"engine", "config", "tenant", "worker"}
	for v := Submit; v < NumVerbs; v++ {
		w := verbs[v].word
		if v == Advance {
			w += "T"
		}
		if w != words[len(words)-1] {
			words = append(words, w)
		}
	}
	return append(words, "expect")
}

func (r *eventReader) setDefaults() {
	for _, a := range r.form.args {
		switch {
		case a < NumArgs:
			r.event.Args[a] = args[a].Default
		case a == tenantArg:
			r.event.Tenant = "?"
		}
	}
}

// read reads what follows the verb.
func (r *eventReader) read(words []word) error {
	words, err := r.readSubject(words)
	if err != nil {
		return err
	}
	for i, w := range words {
		if w.text == "when" && r.form.anchor {
			if err := r.readAnchor(words[i+1:]); err != nil {
				return err
			}
			break
		}
		if err := r.readArg(w); err != nil {
			return err
		}
	}
	return r.checkGiven()
}

// readSubject reads the request's name or the bare number that follows the verb.
func (r *eventReader) readSubject(words []word) ([]word, error) {
	if r.form.request {
		if err := takeName(&r.event.Name, "a request's name", words); err != nil {
			r.event.Name = ""
			return nil, err
		}
		return words[1:], nil
	}
	a, ok := r.form.bare()
	if !ok {
		return words, nil
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("a number is missing (%d to %d)", args[a].Min, args[a].Max)
	}
	r.given |= 1 << a
	return words[1:], r.readValue(a, word{text: words[0].text, value: words[0].text})
}

// readArg reads one argument.
func (r *eventReader) readArg(w word) error {
	a, ok := r.form.named(w.key)
	if !ok {
		return r.unknownArg(w)
	}
	row := &args[a]
	switch {
	case r.given>>a&1 != 0:
		return fmt.Errorf("%s is given twice", row.word)
	case w.pair && row.kind == asFlag:
		return fmt.Errorf("%s takes no value", row.word)
	case !w.pair && row.kind != asFlag:
		return fmt.Errorf("%s needs a value, as in %s", row.word, row.example())
	}
	r.given |= 1 << a
	return r.readValue(a, w)
}

func (r *eventReader) readValue(a Arg, w word) (err error) {
	switch row := &args[a]; row.kind {
	case asNumber, asBare:
		r.event.Args[a], err = r.number(w.text, w.value, row.Min, row.Max)
	case asWide:
		var n uint64
		n, err = r.wide(w.text, w.value)
		r.event.Args[a] = int64(n)
	case asFlag:
		r.event.Args[a] = 1
	case asName:
		if r.event.Tenant = w.value; w.value != "?" {
			err = takeName(&r.event.Tenant, "a tenant's name", []word{{text: w.value}})
		}
	case asTokens:
		r.event.Prompt, err = r.readPrompt(w.value)
	}
	return err
}

// unknownArg is the error for a word that is no argument of this event.
func (r *eventReader) unknownArg(w word) error {
	known := r.form.argNames()
	if r.form.anchor {
		known = append(known, "when")
	}
	switch {
	case w.text[0] == '#':
		return errors.New("a comment stands on a line of its own")
	case w.text == "when":
		return errors.New("takes no anchor (only what is done to a request already submitted can wait)")
	case known == nil:
		return fmt.Errorf("found %q, expected the end of the line", w.text)
	}
	return unknownWord("argument", w.key, known)
}

// checkGiven refuses a line without what a person has to write.
func (r *eventReader) checkGiven() error {
	for _, a := range r.form.args {
		if row := &args[a]; row.required && r.given>>a&1 == 0 && !r.forgiving {
			return fmt.Errorf("%s is missing, as in %s", row.word, row.example())
		}
	}
	return nil
}

// readAnchor reads what follows `when`: one condition, which ends the line.
func (r *eventReader) readAnchor(words []word) error {
	if len(words) == 0 || !words[0].pair {
		return fmt.Errorf("when: expected a condition, as in when tokens=2 (%s)", orList(anchorWords()))
	}
	if len(words) > 1 {
		return fmt.Errorf("when: found %q, expected the end of the line", words[1].text)
	}
	k := anchorNamed(words[0].key)
	if k == Now {
		return fmt.Errorf("when: %w", unknownWord("condition", words[0].key, anchorWords()))
	}
	n, err := r.readPoint(k, words[0])
	if err != nil {
		return fmt.Errorf("when: %w", err)
	}
	r.event.When = Anchor{Kind: k, N: n}
	return nil
}

// readPoint reads the value of an anchor's condition.
func (r *eventReader) readPoint(k AnchorKind, w word) (int32, error) {
	if k != WhenState {
		n, err := r.number(w.text, w.value, 0, maxCount)
		return int32(n), err
	}
	for i, s := range States {
		if s == w.value {
			return int32(i), nil
		}
	}
	return 0, unknownWord("state", w.value, States)
}

// anchorNamed returns the anchor of that name, or Now.
func anchorNamed(name string) AnchorKind {
	for k := WhenTokens; k < NumAnchors; k++ {
		if anchors[k].word == name {
			return k
		}
	}
	return Now
}

func anchorWords() []string {
	var words []string
	for _, a := range anchors[WhenTokens:] {
		words = append(words, a.word)
	}
	return words
}

// readPrompt reads the tokens of a prompt: a quoted string or a list of numbers.
func (st *strictness) readPrompt(s string) ([]int32, error) {
	if strings.HasPrefix(s, `"`) {
		return st.readText(s[1 : len(s)-1])
	}
	var tokens []int32
	for more := s != ""; more && len(tokens) < st.prompt; {
		var t string
		t, s, more = strings.Cut(s, ",")
		n, err := st.number("prompt: "+t, t, 0, maxToken)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, int32(n))
	}
	return tokens, nil
}

// readText reads the inside of a quoted prompt.
func (st *strictness) readText(s string) ([]int32, error) {
	var tokens []int32
	for len(s) > 0 && len(tokens) < st.prompt {
		b, n, err := textByte(s)
		if err != nil {
			return nil, fmt.Errorf("prompt: %w", err)
		}
		tokens = append(tokens, int32(b))
		s = s[n:]
	}
	return tokens, nil
}

// example shows the argument as it is written.
func (row *argRow) example() string {
	switch row.kind {
	case asName:
		return row.word + "=amber"
	case asTokens:
		return row.word + `="text" or ` + row.word + "=3,5,1"
	}
	return row.word + "=1"
}
