package laws

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// readPage is the page that shows the house.
func readPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(path.Join(moduleRoot, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var storey = regexp.MustCompile(`(?m)^( ?\d+ |   ) (\S+) {2,}\S`)

func TestThePageShowsTheFloorsAsTheyAre(t *testing.T) {
	shown := make([][]string, len(floors))
	at := 0
	for _, m := range storey.FindAllStringSubmatch(readPage(t), -1) {
		fmt.Sscan(m[1], &at) // a package without a number stands on the floor of the one above it
		if at < 1 || at > len(floors) {
			t.Fatalf("the page has a floor %d", at)
		}
		shown[at-1] = append(shown[at-1], m[2])
	}
	for i, floor := range floors {
		if want := slices.Sorted(slices.Values(floor)); !slices.Equal(slices.Sorted(slices.Values(shown[i])), want) {
			t.Errorf("floor %d of the page holds %v, the table in arrows.go %v", i+1, shown[i], want)
		}
	}
}

var (
	fileName = regexp.MustCompile("`([a-z_0-9/]+/[a-z_0-9.-]+\\.(?:go|trace))`")
	stay     = regexp.MustCompile("(?m)^\\| `([a-z_0-9/]+\\.go)` \\| `([A-Za-z.]+)` \\|")
)

func TestThePageNamesWhatIsThere(t *testing.T) {
	page := readPage(t)
	for _, m := range fileName.FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat(path.Join(moduleRoot, m[1])); err != nil {
			t.Errorf("the page names %s: %v", m[1], err)
		}
	}
	h, err := readHouse(os.DirFS(moduleRoot))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range stay.FindAllStringSubmatch(page, -1) {
		if !h.declares(m[1], m[2]) {
			t.Errorf("the page names %s of %s, which is not there", m[2], m[1])
		}
	}
}

// declares tells whether a file has a function, or a method that is written Type.Method.
func (h *house) declares(file, function string) bool {
	for _, r := range h.files[path.Dir(file)] {
		if r.name != file {
			continue
		}
		for _, d := range r.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && called(fn) == function {
				return true
			}
		}
	}
	return false
}

func called(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	receiver := fn.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if id, ok := receiver.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

func TestThePageCountsItsStays(t *testing.T) {
	page := readPage(t)
	stays, last, seen := 0, "", map[string]bool{}
	for _, m := range stay.FindAllStringSubmatch(page, -1) {
		if strings.HasPrefix(m[1], "sim/") && m[1] != last {
			stays++
			seen[m[1]] = true
			last = m[1]
		}
	}
	want := fmt.Sprintf("%d stays in %d files, with %d returns", stays, len(seen), stays-len(seen))
	if !strings.Contains(page, want) {
		t.Errorf("the page does not say %q", want)
	}
}
