package laws

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The planted module has the shape of ours. Each line that breaks a law says in a comment what must be found there:
// want, and then quoted regular expressions, one a finding.
const planted = "testdata/planted"

func TestEveryPlantedViolationIsFoundAndNothingElse(t *testing.T) {
	needsGo(t)
	report, err := Check(planted, rooms...)
	if err != nil {
		t.Fatal(err)
	}
	asWanted(t, report, planted)
}

// asWanted compares what was found with what a planted module wants found.
func asWanted(t *testing.T, report Report, root string) {
	t.Helper()
	wanted := wants(t, root)
	for _, finding := range report.Findings {
		place := fmt.Sprintf("%s:%d", finding.File, finding.Line)
		i := slices.IndexFunc(wanted[place], func(w *regexp.Regexp) bool { return w.MatchString(finding.String()) })
		if i < 0 {
			t.Errorf("not planted: %s", finding)
			continue
		}
		wanted[place] = slices.Delete(wanted[place], i, i+1)
	}
	for place, missed := range wanted {
		for _, want := range missed {
			t.Errorf("%s: not found: %s", place, want)
		}
	}
}

func TestEveryRuleIsPlanted(t *testing.T) {
	needsGo(t)
	report, err := Check(planted, rooms...)
	if err != nil {
		t.Fatal(err)
	}
	rules := []*rule{
		concurrency, clock, random, machine, callSite, outside, foreign, mapOrder, global, pointers, unread,
		transcendental, product, complexNumber, fusedAssembly,
	}
	for _, r := range rules {
		if !slices.ContainsFunc(report.Findings, func(f Finding) bool { return f.Rule == r.name }) {
			t.Errorf("nothing breaks the rule %s", r.name)
		}
	}
}

func TestTheReportListsWhatWasRead(t *testing.T) {
	needsGo(t)
	report, err := Check(planted, rooms...)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"cache", "invariants", "model", "model/kernel", "scheduler", "sim", "sim/explain", "traces"}
	if !slices.Equal(report.Read, want) {
		t.Errorf("read %v, want %v: exempt folders are left out, all others are there", report.Read, want)
	}
}

func TestAFindingNamesPlaceLawAndReplacement(t *testing.T) {
	needsGo(t)
	report, err := Check(planted, "cache")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(report.Findings, func(f Finding) bool { return f.Rule == "map-order" })
	const want = "cache/maporder.go:12:2: range over a map: the order is not the same twice (law 1); range over a sorted " +
		"slice of keys, such as slices.Sorted(maps.Keys(m)), or keep a slice beside the map"
	if got := report.Findings[i].String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAPackageThatDoesNotCompileIsAnErrorAndIsReadAllTheSame(t *testing.T) {
	needsGo(t)
	report, err := Check("testdata/broken", "cache")
	if err == nil || !strings.Contains(err.Error(), "cache does not type-check for linux/amd64: cache/broken.go:4:") {
		t.Errorf("error %v, want the place of the mistake", err)
	}
	if len(report.Findings) != 1 || report.Findings[0].Rule != "concurrency" {
		t.Errorf("findings %v, want the go statement beside the mistake", report.Findings)
	}
}

var (
	wantComment = regexp.MustCompile(`// want ("[^"]*"\s*)+$`)
	quoted      = regexp.MustCompile(`"[^"]*"`)
)

// wants reads the expectations of a module, by file and line.
func wants(t *testing.T, root string) map[string][]*regexp.Regexp {
	t.Helper()
	wanted := map[string][]*regexp.Regexp{}
	fsys := os.DirFS(root)
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		for i, line := range strings.Split(string(text), "\n") {
			for _, want := range quoted.FindAllString(wantComment.FindString(line), -1) {
				place := name + ":" + strconv.Itoa(i+1)
				wanted[place] = append(wanted[place], regexp.MustCompile(strings.Trim(want, `"`)))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return wanted
}
