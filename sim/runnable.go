package sim

import (
	"fmt"

	"custody/traces"
)

// maxWords bounds what one world may hold: words of KV memory, and tokens of requests.
const maxWords = 1 << 24

// Runnable says why a script that can be read cannot be executed as it stands, or nil.
func Runnable(file string, s *traces.Script) error {
	if err := engineRunnable(&s.Engine); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if words := s.Config[traces.Blocks] * s.Config[traces.Block] * 4; words > maxWords {
		return fmt.Errorf("%s: config: blocks=%d block=%d need %d words of KV memory, at the most %d can be simulated",
			file, s.Config[traces.Blocks], s.Config[traces.Block], words, maxWords)
	}
	slots := s.Config[traces.Queue] + s.Config[traces.Rows]*(s.Config[traces.Depth]+2)
	if tokens := slots * s.Config[traces.MaxLen]; tokens > maxWords {
		return fmt.Errorf("%s: config: %d requests of max_len=%d need room for %d tokens, at the most %d can be simulated",
			file, slots, s.Config[traces.MaxLen], tokens, maxWords)
	}
	if len(s.Workers) > 1 {
		return fmt.Errorf("%s: worker %s: one worker can be simulated, and %s is declared already",
			file, s.Workers[1].Name, s.Workers[0].Name)
	}
	return nil
}

// engineRunnable says why a script's engine cannot be had as the script says, or nil.
func engineRunnable(e *traces.Engine) error {
	if !e.IsOwn() {
		return fmt.Errorf("engine %s: not known here (known: %s)", e.Name, traces.OwnEngine)
	}
	if len(e.Settings) > 0 {
		return fmt.Errorf("engine %s: takes no setting %s (config sets it)", traces.OwnEngine, e.Settings[0].Key)
	}
	return nil
}
