package explain

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Places in the source, for people: where in the engine something was done. They are only looked up when a failing
// script is replayed, and decide nothing.

// place returns the innermost frame of the call stack that lies in the system under test and in none of the given
// packages or functions, as folder/file.go:line.
func place(skip int, hide ...string) string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(skip+1, pcs[:])])
	for {
		f, more := frames.Next()
		if folder := folderOf(f.Function); underTest(folder) && !hidden(f.Function, hide) {
			return folder + "/" + path.Base(f.File) + ":" + fmt.Sprint(f.Line)
		}
		if !more {
			return ""
		}
	}
}

// folderOf is the folder of a function's package in this module.
func folderOf(function string) string {
	name := strings.TrimPrefix(function, "custody/")
	slash := strings.LastIndex(name, "/") + 1
	dot := strings.Index(name[slash:], ".")
	return name[:slash+max(dot, 0)]
}

func underTest(folder string) bool {
	switch folder {
	case "cache", "scheduler", "scheduler/protocol", "model", "model/worker", "model/llama":
		return true
	}
	return false
}

func hidden(function string, hide []string) bool {
	for _, h := range hide {
		if strings.Contains(function, h) {
			return true
		}
	}
	return false
}
