package traces

import (
	"errors"
	"fmt"
	"strings"
)

// Engine is the `engine NAME key=value…` line: which engine runs the script, and how it is set up beyond what `config`
// says of every engine. The language keeps the words; what they mean is for those to check who know the engine. The
// zero value is the engine of this module, with nothing set.
type Engine struct {
	Name     string
	Settings []Setting // in the order in which they were written
}

// Setting is one key=value of an engine.
type Setting struct{ Key, Value string }

// OwnEngine is the name of the engine of this module, on which a script without an engine line runs.
const OwnEngine = "local"

// IsOwn tells whether it is the engine of this module.
func (e *Engine) IsOwn() bool { return e.Name == "" || e.Name == OwnEngine }

// engine reads what follows the word `engine`.
func (st *strictness) engine(words []word) (Engine, error) {
	e := Engine{}
	if err := takeName(&e.Name, "an engine's name", words); err != nil {
		return e, fmt.Errorf("engine: %w", err)
	}
	for _, w := range words[1:] {
		if err := st.engineSetting(&e, w); err != nil && !st.forgiving {
			return e, fmt.Errorf("engine %s: %w", e.Name, err)
		}
	}
	if e.IsOwn() && e.Settings == nil {
		return Engine{}, nil
	}
	return e, nil
}

// engineSetting reads one setting. Forgiving, a key that is given again has its last value, in its first place.
func (st *strictness) engineSetting(e *Engine, w word) error {
	switch {
	case w.text[0] == '#':
		return errors.New("a comment stands on a line of its own")
	case !w.pair || w.key == "":
		return fmt.Errorf("expected key=value, found %q", w.text)
	}
	value, err := readValue(w.value)
	if err != nil {
		return fmt.Errorf("%s: %w", w.key, err)
	}
	for i := range e.Settings {
		if e.Settings[i].Key != w.key {
			continue
		}
		if st.forgiving {
			e.Settings[i].Value = value
		}
		return fmt.Errorf("%s is given twice", w.key)
	}
	if len(e.Settings) < st.settingsMost {
		e.Settings = append(e.Settings, Setting{w.key, value})
	}
	return nil
}

// readValue reads a value: a quoted string, or a word as it stands.
func readValue(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	var b []byte
	for s = s[1 : len(s)-1]; s != ""; {
		c, n, err := textByte(s)
		if err != nil {
			return "", err
		}
		b, s = append(b, c), s[n:]
	}
	return string(b), nil
}

// append prints the line, unless it would say nothing.
func (e *Engine) append(b []byte) []byte {
	if e.IsOwn() && len(e.Settings) == 0 {
		return b
	}
	name := e.Name
	if name == "" {
		name = OwnEngine
	}
	b = append(append(b, "engine "...), name...)
	for _, s := range e.Settings {
		b = appendValue(appendKey(b, s.Key), s.Value)
	}
	return append(b, '\n')
}

// appendValue prints a value as a word where it is one, else in quotes.
func appendValue(b []byte, v string) []byte {
	if !strings.HasPrefix(v, `"`) && !strings.ContainsAny(v, blank+"\n") {
		return append(b, v...)
	}
	b = append(b, '"')
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c < ' ':
			b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
