package scheduler

import (
	"runtime"
	_ "runtime/debug" // want "import of runtime/debug"
	"unsafe"          // want "import of unsafe"
)

func load() (int, uintptr) {
	var pcs [1]uintptr
	n := runtime.Callers(0, pcs[:]) // want "runtime.Callers"
	_, _, _, _ = runtime.Caller(0)  // want "runtime.Caller"
	n += runtime.NumGoroutine()     // want "runtime.NumGoroutine"
	n += runtime.GOMAXPROCS(0)      // want "runtime.GOMAXPROCS"
	n += len(runtime.GOARCH)        // want "runtime.GOARCH"
	return n, uintptr(unsafe.Pointer(&n))
}
