package laws

import (
	"path"
	"slices"
	"strings"
)

// floors are the packages of the house from the ground up. A package imports what lies on floors below its own: no arrow
// runs back up, and none along a floor. Tests may look wherever the compiler lets them.
var floors = [][]string{
	{"cache", "traces", "model/numeric", "model/bits"},
	{"scheduler/protocol", "traces/shrink", "sim/workload", "model/kernel"},
	{"scheduler", "invariants", "model"},
	{"model/worker", "model/llama"},
	{"model/safetensors", "model/llama2c", "model/train/corpus"},
	{"model/recall", "model/train"},
	{"model/train/leak"},
	{"sim/engine"},
	{"sim/local", "sim/witness"},
	{"sim"},
	{"sim/cover", "sim/explain", "sim/gen", "sim/kvevents", "sim/cross"},
	{"sim/draw", "sim/fleet"},
	{"sim/simtest", "sim/museum", "sim/internal/laws"},
	{"cmd/internal"},
	{"cmd"},
}

// floor is where a package lies: by its own name, or by that of the nearest folder around it that has a floor. Packages
// of one command are one room of the house.
func floor(folder string) (n int, name string) {
	for name := folder; name != "."; name = path.Dir(name) {
		n := slices.IndexFunc(floors, func(f []string) bool { return slices.Contains(f, name) })
		if n >= 0 && (name == folder || strings.HasPrefix(name, "cmd")) {
			return n, name
		}
	}
	return -1, folder
}

// arrows finds imports that run back up.
func (h *house) arrows(folder string, r *room) {
	if r.test || folder == "." {
		return
	}
	from, mine := floor(folder)
	if from < 0 {
		h.say(r.ast.Package, arrow, "package %s has no floor", folder)
		return
	}
	for _, spec := range r.ast.Imports {
		to, ours := strings.CutPrefix(importPath(spec), h.module+"/")
		if !ours {
			continue
		}
		if below, other := floor(to); below >= from && other != mine {
			h.say(spec.Pos(), arrow, "import of %s by %s", to, folder)
		}
	}
}
