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

// crashFunction is the innermost function of the stack that is neither the language's nor its library's: of this module, or of
// one that has brought an engine. A build that leaves folders out does not tell the two apart: then it is one of this module.
func crashFunction() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	library, panicking := "", false
	for {
		f, more := frames.Next()
		switch ours, is := strings.CutPrefix(f.Function, "custody/"); {
		case f.Function == "runtime.gopanic":
			library, panicking = strings.TrimSuffix(f.File, "runtime/panic.go"), true
		case panicking && is:
			return ours
		case panicking && !strings.HasPrefix(f.File, library):
			return f.Function
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
