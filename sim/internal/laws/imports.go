package laws

import (
	"go/ast"
	"slices"
	"strings"
)

// banned are the packages of the standard library of which no part is lawful. A path that ends in /... stands for the
// package and all below it.
var banned = []struct {
	path string
	rule *rule
}{
	{"sync/...", concurrency},
	{"context", concurrency},
	{"os/...", outside},
	{"io/ioutil", outside},
	{"net/...", outside},
	{"syscall", outside},
	{"plugin", outside},
	{"log/...", outside},
	{"flag", outside},
	{"testing/...", outside},
	{"expvar", outside},
	{"C", outside},
	{"crypto/rand", random},
	{"hash/maphash", random},
	{"runtime/debug", machine},
	{"runtime/metrics", machine},
	{"runtime/pprof", machine},
	{"runtime/trace", machine},
	{"weak", machine},
	{"math/cmplx", complexNumber},
	{"unsafe", pointers},
}

// trusted are packages of other modules that the six may import, with what was looked at.
var trusted = map[string]string{
	"golang.org/x/sys/cpu": "chooses between kernels that give the same bits",
}

// imported judges one import by its path.
func (r *reader) imported(spec *ast.ImportSpec) {
	path := importPath(spec)
	for _, b := range banned {
		if matches(b.path, path) {
			r.say(spec.Pos(), b.rule, "import of %s", path)
			return
		}
	}
	if folder, ours := strings.CutPrefix(path, r.prog.src.module+"/"); ours {
		if !slices.Contains(r.prog.src.folders, folder) {
			r.say(spec.Pos(), foreign, "import of %s", path)
		}
		return
	}
	if host, _, _ := strings.Cut(path, "/"); strings.Contains(host, ".") && trusted[path] == "" {
		r.say(spec.Pos(), foreign, "import of %s", path)
	}
}

func matches(pattern, path string) bool {
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == root || strings.HasPrefix(path, root+"/")
	}
	return path == pattern
}
