package shrink

import (
	"slices"

	"custody/traces"
)

// keepCone keeps the requests that the failure names, and drops all others. Where that is too little (a bystander may
// have held the blocks that made the culprit fail), the circle is widened.
func keepCone(sh *shrinker) {
	circle := sh.out.Has(sh.want).Names
	if len(circle) == 0 {
		return
	}
	for _, near := range []func(a, b *traces.Event) bool{sameSubmit, sameTenant, sameStart} {
		circle = widened(sh.best, circle, near)
		if sh.dropWhere(func(_ int, e *traces.Event) bool { return e.Name != "" && !slices.Contains(circle, e.Name) }) {
			return
		}
	}
}

func sameSubmit(a, b *traces.Event) bool { return a == b }
func sameTenant(a, b *traces.Event) bool { return a.Tenant == b.Tenant }
func sameStart(a, b *traces.Event) bool {
	return len(a.Prompt) > 0 && len(b.Prompt) > 0 && a.Prompt[0] == b.Prompt[0]
}

// widened adds to a circle of requests those that were submitted near one of them.
func widened(s *traces.Script, circle []string, near func(a, b *traces.Event) bool) []string {
	wider := slices.Clone(circle)
	for i := range s.Events {
		a := &s.Events[i]
		if a.Verb == traces.Submit && !slices.Contains(wider, a.Name) && nearOne(s, a, circle, near) {
			wider = append(wider, a.Name)
		}
	}
	return wider
}

func nearOne(s *traces.Script, a *traces.Event, circle []string, near func(a, b *traces.Event) bool) bool {
	for i := range s.Events {
		b := &s.Events[i]
		if b.Verb == traces.Submit && slices.Contains(circle, b.Name) && near(a, b) {
			return true
		}
	}
	return false
}
