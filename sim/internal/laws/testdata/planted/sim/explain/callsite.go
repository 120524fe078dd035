package explain

import "runtime"

func site() (int, int) {
	var pcs [1]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	frame, _ := frames.Next()
	return frame.Line, runtime.NumCPU() // want "runtime.NumCPU"
}
