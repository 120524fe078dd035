package sim

import (
	"fmt"
	"slices"
	"strings"

	"custody/traces"
)

// maxWords bounds what one world may hold: words of KV memory, and tokens of requests.
const maxWords = 1 << 24

// Runnable says why a script that can be read cannot be executed on Custody's own engine as it stands, or nil.
func Runnable(file string, s *traces.Script) error {
	err := engineRunnable(&s.Engine, "", nil)
	if err == nil {
		err = fits(s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// fits says why a script's world is too large, or nil.
func fits(s *traces.Script) error {
	c := &s.Config
	if words := c[traces.Blocks] * c[traces.Block] * 4; words > maxWords {
		return fmt.Errorf("config: blocks=%d block=%d need %d words of KV memory, at the most %d can be simulated",
			c[traces.Blocks], c[traces.Block], words, maxWords)
	}
	slots := c[traces.Queue] + c[traces.Rows]*(c[traces.Depth]+2)
	if tokens := slots * c[traces.MaxLen]; tokens > maxWords {
		return fmt.Errorf("config: %d requests of max_len=%d need room for %d tokens, at the most %d can be simulated",
			slots, c[traces.MaxLen], tokens, maxWords)
	}
	if len(s.Workers) > 1 {
		return fmt.Errorf("worker %s: one worker can be simulated, and %s is declared already", s.Workers[1].Name, s.Workers[0].Name)
	}
	return nil
}

// engineRunnable says why the engine that is there, by its name and the keys of its settings, is not what a script asks for,
// or nil. A script that names no engine runs on any.
func engineRunnable(e *traces.Engine, name string, keys []string) error {
	if name == "" {
		name = traces.OwnEngine
	}
	if e.Name != "" && e.Name != name {
		return fmt.Errorf("engine %s: not known here (known: %s)", e.Name, name)
	}
	for _, x := range e.Settings {
		switch {
		case name == traces.OwnEngine:
			return fmt.Errorf("engine %s: takes no setting %s (config sets it)", name, x.Key)
		case !slices.Contains(keys, x.Key):
			return fmt.Errorf("engine %s: takes no setting %s (known: %s)", name, x.Key, strings.Join(keys, ", "))
		}
	}
	return nil
}
