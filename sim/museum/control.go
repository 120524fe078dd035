package museum

import (
	"fmt"
	"strconv"
	"strings"
)

// Control is a correct variant of the engine that looks wrong. It is planted like an exhibit, and nothing may break.
// That silence counts only if its own code runs, so each control has a canary: an edit on top of it that makes it wrong
// and must be caught by the same seeds.
type Control struct {
	ID     string // the file's name without .txt
	Story  string
	Looks  string // the promise that it seems to break
	Source string // a public report in which what looks the same was wrong, or was discussed
	Set    string // a setting under which its code is the only one of its kind; may be ""
	Edits  []Edit
	Canary []Edit
}

// parseControl reads one control: a txtar archive whose comment is the story, with the files `control` (key: value
// lines), `edit FILE FUNC` and `canary FILE FUNC`.
func parseControl(name string, data []byte) (*Control, error) {
	c := &Control{ID: idOf(name)}
	var err error
	if c.Story, err = readArchive(name, data, c.section); err != nil {
		return nil, err
	}
	if err = c.complete(); err != nil {
		return nil, fmt.Errorf("museum: %s: %w", name, err)
	}
	return c, nil
}

func (c *Control) section(name, text string) error {
	switch words := strings.Fields(name); {
	case name == "control":
		return readFields(text, map[string]*string{"looks": &c.Looks, "source": &c.Source, "set": &c.Set})
	case len(words) == 3 && words[0] == "edit":
		c.Edits = append(c.Edits, readEdit(words, text))
		return nil
	case len(words) == 3 && words[0] == "canary":
		c.Canary = append(c.Canary, readEdit(words, text))
		return nil
	}
	return fmt.Errorf("unknown section; expected control, edit FILE FUNC or canary FILE FUNC")
}

func (c *Control) complete() error {
	switch {
	case c.Story == "" || c.Looks == "" || c.Source == "":
		return fmt.Errorf("a story, looks or source is missing")
	case len(c.Edits) == 0 || len(c.Canary) == 0:
		return fmt.Errorf("it needs an edit and a canary")
	}
	return nil
}

// Silence is what a control's campaign and its canary's have shown.
type Silence struct {
	ID      string
	Seeds   int
	Broken  uint64 // the first seed of the control that breaks a promise; 0 if none does
	Promise string // that it breaks
	Canary  uint64 // the first seed of the canary that does
}

// Measure runs the same seeds on the control and on its canary.
func (c *Control) Measure(e *Engines, seeds int) (*Silence, error) {
	args := []string{"--seeds", strconv.Itoa(seeds)}
	if c.Set != "" {
		args = append(args, "--set", c.Set)
	}
	variant, err := e.Probe(c.ID, args...)
	if err != nil {
		return nil, err
	}
	canary, err := e.Probe(c.canary(), args...)
	if err != nil {
		return nil, err
	}
	s := &Silence{ID: c.ID, Seeds: seeds, Broken: variant.Seed, Canary: canary.Seed}
	if s.Broken > 0 {
		s.Promise = variant.Breaches[0].Promise
	}
	return s, nil
}

// canary is what the control's canary is planted as.
func (c *Control) canary() string { return c.ID + " with its canary" }

// OK tells whether the control kept every promise while its canary broke one.
func (s *Silence) OK() bool { return s.Broken == 0 && s.Canary > 0 }

func (s *Silence) String() string {
	said := fmt.Sprintf("%d seeds break nothing", s.Seeds)
	if s.Broken > 0 {
		said = fmt.Sprintf("seed %d breaks %s: THE CONTROL IS CAUGHT", s.Broken, s.Promise)
	}
	if s.Canary == 0 {
		return fmt.Sprintf("control %s: %s; THE CANARY IS NOT CAUGHT", s.ID, said)
	}
	return fmt.Sprintf("control %s: %s; the canary is caught at seed %d", s.ID, said, s.Canary)
}
