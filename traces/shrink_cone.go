package traces

import "slices"

// dropNoops drops the events that did not apply or never fired.
func dropNoops(sh *shrinker) {
	idle := func(i int, _ *Event) bool { return i < len(sh.out.Noop) && sh.out.Noop[i] }
	if sh.dropWhere(idle) {
		return
	}
	if sh.dropWhere(func(i int, e *Event) bool { return idle(i, e) && e.Verb != Submit }) {
		return
	}
	for i := len(sh.best.Events) - 1; i >= 0; i-- {
		if idle(i, nil) {
			sh.drop(i)
		}
	}
}

// keepCone keeps the requests that the breach names, and drops all others. Where that is too little (a bystander may
// have held the blocks that made the culprit fail), the circle is widened.
func keepCone(sh *shrinker) {
	circle := sh.out.Has(sh.want).Names
	if len(circle) == 0 {
		return
	}
	for _, near := range []func(a, b *Event) bool{sameSubmit, sameTenant, sameStart} {
		circle = widened(sh.best, circle, near)
		if sh.dropWhere(func(_ int, e *Event) bool { return e.Name != "" && !slices.Contains(circle, e.Name) }) {
			return
		}
	}
}

func sameSubmit(a, b *Event) bool { return a == b }
func sameTenant(a, b *Event) bool { return a.Tenant == b.Tenant }
func sameStart(a, b *Event) bool {
	return len(a.Prompt) > 0 && len(b.Prompt) > 0 && a.Prompt[0] == b.Prompt[0]
}

// widened adds to a circle of requests those that were submitted near one of them.
func widened(s *Script, circle []string, near func(a, b *Event) bool) []string {
	wider := slices.Clone(circle)
	for i := range s.Events {
		a := &s.Events[i]
		if a.Verb == Submit && !slices.Contains(wider, a.Name) && nearOne(s, a, circle, near) {
			wider = append(wider, a.Name)
		}
	}
	return wider
}

func nearOne(s *Script, a *Event, circle []string, near func(a, b *Event) bool) bool {
	for i := range s.Events {
		b := &s.Events[i]
		if b.Verb == Submit && slices.Contains(circle, b.Name) && near(a, b) {
			return true
		}
	}
	return false
}
