package traces

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// This file reads single lines. What a line means never depends on the lines around it: that is what lets ParseAny
// read back exactly what it printed. The rules between lines stand with Parse and ParseAny.

// strictness is how strictly lines are read.
type strictness struct {
	forgiving bool           // a number is moved into its range and what is missing takes its default, with no error
	most      [NumKeys]int64 // largest value of each key
	prompt    int            // most tokens of a prompt; what is beyond is cut

	settingsMost int // most settings of an engine; what is beyond is dropped
}

// strict is the strictness of Parse.
func strict() strictness {
	st := strictness{prompt: math.MaxInt, settingsMost: math.MaxInt}
	for k := range st.most {
		st.most[k] = Keys[k].Max
	}
	return st
}

// setting reads a key=value of the configuration.
func (st *strictness) setting(w word) (Key, int64, error) {
	k := keyNamed(w.key)
	if k == NumKeys {
		return k, 0, unknownWord("key", w.key, keyNames(func(*KeySpec) bool { return true }))
	}
	if !w.pair {
		return k, 0, fmt.Errorf("%s needs a value, as in %s=%s", w.key, w.key, Keys[k].word(Keys[k].Default))
	}
	if Keys[k].Names == nil {
		v, err := st.number(w.text, w.value, Keys[k].Min, st.most[k])
		return k, v, err
	}
	for v, name := range Keys[k].Names {
		if name == w.value {
			return k, int64(v), nil
		}
	}
	return k, 0, unknownWord(w.key, w.value, Keys[k].Names)
}

// settings hands every key=value to set. Forgiving, it drops those that cannot be read.
func (st *strictness) settings(words []word, set func(Key, int64) error) error {
	for _, w := range words {
		k, v, err := st.setting(w)
		if err == nil {
			err = set(k, v)
		}
		if err != nil && !st.forgiving {
			return err
		}
	}
	return nil
}

// tenant reads what follows the word `tenant`.
func (st *strictness) tenant(words []word) (Tenant, error) {
	t := Tenant{}
	if err := takeName(&t.Name, "a tenant's name", words); err != nil {
		return t, fmt.Errorf("tenant: %w", err)
	}
	for _, w := range words[1:] {
		if err := st.tenantArg(&t, w); err != nil {
			return t, fmt.Errorf("tenant %s: %w", t.Name, err)
		}
	}
	return t, nil
}

// tenantArg reads one argument of a tenant. Its quota stands before its marker.
func (st *strictness) tenantArg(t *Tenant, w word) (err error) {
	switch {
	case w.pair && w.key == "quota" && t.Quota == 0 && t.Marker == nil:
		t.Quota, err = st.number(w.text, w.value, Keys[Quota].Min, st.most[Quota])
	case w.pair && w.key == "marker" && t.Marker == nil:
		t.Marker, err = st.readPrompt(w.value)
		if err == nil && len(t.Marker) < minMarker {
			t.Marker, err = nil, fmt.Errorf("marker: expected at least %d tokens, found %d", minMarker, len(t.Marker))
		}
	default:
		err = fmt.Errorf("found %q, expected quota=N, marker=TEXT and the end of the line", w.text)
	}
	return err
}

// worker reads what follows the word `worker`.
func (st *strictness) worker(words []word) (Worker, error) {
	k := Worker{}
	if err := takeName(&k.Name, "a worker's name", words); err != nil {
		return k, fmt.Errorf("worker: %w", err)
	}
	err := st.settings(words[1:], func(key Key, v int64) error {
		if !Keys[key].Worker {
			own := keyNames(func(s *KeySpec) bool { return s.Worker })
			return fmt.Errorf("%s is the same for all workers (a worker's own keys are %s)", Keys[key].Name, orList(own))
		}
		if k.Has[key] && !st.forgiving {
			return fmt.Errorf("%s is given twice", Keys[key].Name)
		}
		k.Value[key], k.Has[key] = v, true
		return nil
	})
	if err != nil {
		return k, fmt.Errorf("worker %s: %w", k.Name, err)
	}
	return k, nil
}

// expect reads what follows the word `expect`.
func (st *strictness) expect(words []word) (Expect, error) {
	x := Expect{Set: true}
	switch {
	case len(words) == 1 && words[0].text == "ok":
		return x, nil
	case len(words) == 0 || words[0].text != "violates":
		return x, errors.New("expect: expected `ok` or `violates PROMISE [by NAME]`")
	case len(words) == 1:
		return x, errors.New("expect violates: the promise is missing, as in `expect violates content`")
	}
	x.Promise = words[1].text
	if !isPromise(x.Promise) {
		return x, fmt.Errorf("expect violates: %q is not a promise (a lower-case word, as in `content`)", x.Promise)
	}
	if len(words) == 2 {
		return x, nil
	}
	if words[2].text != "by" || len(words) > 4 {
		return x, fmt.Errorf("expect violates %s: expected `by NAME` or the end of the line", x.Promise)
	}
	if err := takeName(&x.By, "a request's name", words[3:]); err != nil {
		return x, fmt.Errorf("expect violates %s by: %w", x.Promise, err)
	}
	return x, nil
}

// number reads a whole number; label is how a message shows it.
func (st *strictness) number(label, text string, lo, hi int64) (int64, error) {
	if !isWhole(text) {
		return 0, fmt.Errorf("%q is not a whole number (%d to %d)", label, lo, hi)
	}
	n, err := strconv.ParseInt(text, 10, 64) // beyond 64 bits n is the nearest number
	if err == nil && lo <= n && n <= hi {
		return n, nil
	}
	if st.forgiving {
		return min(max(n, lo), hi), nil
	}
	return 0, fmt.Errorf("%s is out of range (%d to %d)", label, lo, hi)
}

// wide reads a number of 64 bits.
func (st *strictness) wide(label, text string) (uint64, error) {
	if !isWhole(text) {
		return 0, fmt.Errorf("%q is not a whole number (0 to %d)", label, uint64(math.MaxUint64))
	}
	n, err := strconv.ParseUint(text, 10, 64) // below zero it is 0, beyond 64 bits the largest
	if err != nil && !st.forgiving {
		return 0, fmt.Errorf("%s is out of range (0 to %d)", label, uint64(math.MaxUint64))
	}
	return n, nil
}

// isWhole tells whether s is written as a decimal number, of any size.
func isWhole(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// takeName reads the first of words as a name.
func takeName(dst *string, what string, words []word) error {
	if len(words) == 0 {
		return fmt.Errorf("%s is missing", what)
	}
	if *dst = words[0].text; !isName(*dst) {
		return fmt.Errorf("expected %s, found %q (a letter or _, then letters, digits and _ . -)", what, *dst)
	}
	return nil
}

// unknownWord is the error for a word that is none of those known. It names the nearest, or all if none is near.
func unknownWord(what, found string, known []string) error {
	if near := didYouMean(found, known); near != "" {
		return fmt.Errorf("unknown %s %q%s", what, found, near)
	}
	return fmt.Errorf("unknown %s %q (expected %s)", what, shortened(found), orList(known))
}

// keyNamed returns the key of that name, or NumKeys.
func keyNamed(name string) Key {
	for k := range Keys {
		if Keys[k].Name == name {
			return Key(k)
		}
	}
	return NumKeys
}

func keyNames(which func(*KeySpec) bool) []string {
	var names []string
	for k := range Keys {
		if which(&Keys[k]) {
			names = append(names, Keys[k].Name)
		}
	}
	return names
}

// word is how a value of this key is written.
func (s *KeySpec) word(v int64) string {
	if 0 <= v && v < int64(len(s.Names)) {
		return s.Names[v]
	}
	return strconv.FormatInt(v, 10)
}
