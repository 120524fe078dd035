package shrink

import "custody/traces"

// dropNoops drops the events that did not apply or never fired.
func dropNoops(sh *shrinker) {
	idle := func(i int, _ *traces.Event) bool { return i < len(sh.out.Noop) && sh.out.Noop[i] }
	if sh.dropWhere(idle) {
		return
	}
	if sh.dropWhere(func(i int, e *traces.Event) bool { return idle(i, e) && e.Verb != traces.Submit }) {
		return
	}
	for i := len(sh.best.Events) - 1; i >= 0; i-- {
		if idle(i, nil) {
			sh.drop(i)
		}
	}
}
