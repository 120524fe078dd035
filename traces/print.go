package traces

import "strconv"

// String prints the script in its one canonical form: what is at its default is left out, and the rest stands in
// the order of the tables. Parse reads it back as the same script.
func (s *Script) String() string {
	b := s.appendHeader(nil)
	for i := range s.Events {
		b = s.Events[i].append(b)
		b = append(b, '\n')
	}
	return string(s.Expect.append(b))
}

// String prints the event as its line in a script.
func (e *Event) String() string { return string(e.append(nil)) }

// appendHeader prints all that comes before the first event.
func (s *Script) appendHeader(b []byte) []byte {
	for _, c := range s.Comment {
		b = appendInner(b, '#', c)
	}
	b = s.appendConfig(s.Engine.append(b))
	for i := range s.Tenants {
		t := &s.Tenants[i]
		b = append(append(b, "tenant "...), t.Name...)
		if t.Quota != 0 {
			b = appendPair(b, "quota", t.Quota)
		}
		if t.Marker != nil {
			b = appendPrompt(appendKey(b, "marker"), t.Marker)
		}
		b = append(b, '\n')
	}
	for i := range s.Workers {
		b = s.Workers[i].append(b)
	}
	return b
}

// appendInner prints a comment or a line of narrative.
func appendInner(b []byte, mark byte, text string) []byte {
	b = append(b, mark)
	if text != "" {
		b = append(append(b, ' '), text...)
	}
	return append(b, '\n')
}

func (s *Script) appendConfig(b []byte) []byte {
	start := len(b)
	for k := range Keys {
		if v := s.Config[k]; v != Keys[k].Default {
			b = appendSetting(b, Key(k), v)
		}
	}
	if len(b) == start {
		return b
	}
	return append(append(b[:start:start], "config"...), append(b[start:], '\n')...)
}

func (w *Worker) append(b []byte) []byte {
	b = append(append(b, "worker "...), w.Name...)
	for k := range Keys {
		if w.Has[k] {
			b = appendSetting(b, Key(k), w.Value[k])
		}
	}
	return append(b, '\n')
}

func (x *Expect) append(b []byte) []byte {
	switch {
	case !x.Set:
		return b
	case x.Promise == "":
		return append(b, "expect ok\n"...)
	}
	b = append(append(b, "expect violates "...), x.Promise...)
	if x.By != "" {
		b = append(append(b, " by "...), x.By...)
	}
	return append(b, '\n')
}

func (e *Event) append(b []byte) []byte {
	if e.Verb == Nop || e.Verb >= NumVerbs {
		return append(b, e.Text...)
	}
	b = append(b, e.Verb.String()...)
	f := &verbs[e.Verb]
	if f.request {
		b = append(append(b, ' '), e.Name...)
	}
	for _, a := range f.args {
		b = e.appendArg(b, a)
	}
	if f.anchor {
		b = e.When.append(b)
	}
	return b
}

// appendArg prints an argument unless it is at its default.
func (e *Event) appendArg(b []byte, a Arg) []byte {
	row := &args[a]
	switch row.kind {
	case asName:
		return append(appendKey(b, row.word), e.Tenant...)
	case asTokens:
		return appendPrompt(appendKey(b, row.word), e.Prompt)
	}
	v := e.Args[a]
	if v == row.Default && !row.required {
		return b
	}
	switch row.kind {
	case asBare:
		if e.Verb != Advance { // +T is one word
			b = append(b, ' ')
		}
		return strconv.AppendInt(b, v, 10)
	case asWide:
		return strconv.AppendUint(appendKey(b, row.word), uint64(v), 10)
	case asFlag:
		return append(append(b, ' '), row.word...)
	}
	return appendPair(b, row.word, v)
}

func (a Anchor) append(b []byte) []byte {
	if a.Kind == Now || a.Kind >= NumAnchors {
		return b
	}
	b = appendKey(append(b, " when"...), anchors[a.Kind].word)
	if a.Kind == WhenState && 0 <= a.N && int(a.N) < len(States) {
		return append(b, States[a.N]...)
	}
	return strconv.AppendInt(b, int64(a.N), 10)
}

func appendKey(b []byte, name string) []byte {
	b = append(append(b, ' '), name...)
	return append(b, '=')
}

func appendPair(b []byte, name string, v int64) []byte {
	return strconv.AppendInt(appendKey(b, name), v, 10)
}

func appendSetting(b []byte, k Key, v int64) []byte {
	return append(appendKey(b, Keys[k].Name), Keys[k].word(v)...)
}

// appendPrompt prints tokens as text where a person can read them so, else as numbers.
func appendPrompt(b []byte, tokens []int32) []byte {
	if !isText(tokens) {
		for i, t := range tokens {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(t), 10)
		}
		return b
	}
	b = append(b, '"')
	for _, t := range tokens {
		switch t {
		case '"', '\\':
			b = append(b, '\\', byte(t))
		case '\n':
			b = append(b, `\n`...)
		case beginOfText:
			b = append(b, `\x01`...)
		default:
			b = append(b, byte(t))
		}
	}
	return append(b, '"')
}

// beginOfText is the token that a text for the transformer begins with (model.BOS).
const beginOfText = 1

// isText tells whether tokens are printable ASCII with a letter, or several lines with a few: of others, numbers say more.
func isText(tokens []int32) bool {
	letters, need := 0, 1
	for i, t := range tokens {
		switch {
		case t == '\n' || t == beginOfText && i == 0:
			need = 3
		case t < ' ' || t > '~':
			return false
		case isLetter(byte(t)):
			letters++
		}
	}
	return letters >= need
}
