package sim

import (
	"fmt"
	"runtime"
	"strings"
)

// crashIdentity is the function that panicked and the kind of error: not the message, whose numbers differ.
func crashIdentity(err any) string {
	kind := fmt.Sprint(err)
	if e, ok := err.(runtime.Error); ok {
		kind = e.Error()
	}
	return crashFunction() + ": " + withoutNumbers(kind)
}

func crashFunction() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for panicking := false; ; {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" {
			panicking = true
		} else if panicking && strings.HasPrefix(f.Function, "custody/") {
			return strings.TrimPrefix(f.Function, "custody/")
		}
		if !more {
			return "unknown"
		}
	}
}

// withoutNumbers replaces each run of digits by n.
func withoutNumbers(s string) string {
	var b strings.Builder
	digits := false
	for _, r := range s {
		if r >= '0' && r <= '9' {
			if !digits {
				b.WriteByte('n')
			}
			digits = true
			continue
		}
		digits = false
		b.WriteRune(r)
	}
	return b.String()
}
