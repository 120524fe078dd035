package laws

import (
	"slices"
	"testing"
)

// excuse lets one file, or with a final slash one folder, break a rule of shape for now.
type excuse struct {
	path   string
	rule   *rule
	reason string
}

func (e excuse) excuses(f Finding) bool {
	return e.rule.name == f.Rule && exemption{path: e.path}.covers(f.File)
}

// unfinished are the places that break a rule of shape. A line that nothing needs any more has to go.
var unfinished = []excuse{}

func TestTheHouseKeepsItsShape(t *testing.T) {
	report, err := CheckHouse(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	used := make([]bool, len(unfinished))
	for _, finding := range report.Findings {
		i := slices.IndexFunc(unfinished, func(e excuse) bool { return e.excuses(finding) })
		if i < 0 {
			t.Error(finding)
		} else {
			used[i] = true
		}
	}
	for i, e := range unfinished {
		if !used[i] {
			t.Errorf("nothing in %s breaks the rule %s any more: take its line out of the table", e.path, e.rule.name)
		}
	}
	t.Logf("read %d files of %d packages", report.Files, len(report.Read))
}

const plantedHouse = "testdata/house"

func TestEveryPlantedShapeIsFoundAndNothingElse(t *testing.T) {
	report, err := CheckHouse(plantedHouse)
	if err != nil {
		t.Fatal(err)
	}
	asWanted(t, report, plantedHouse)
	for _, r := range []*rule{longLine, longFunction, largeType, arrow, wide, noExample, hidden} {
		if !slices.ContainsFunc(report.Findings, func(f Finding) bool { return f.Rule == r.name }) {
			t.Errorf("nothing breaks the rule %s", r.name)
		}
	}
}

// The floors name each package once, and none that is not there.
func TestTheFloorsNameWhatIsThere(t *testing.T) {
	report, err := CheckHouse(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, floor := range floors {
		for _, folder := range floor {
			if seen[folder] {
				t.Errorf("%s has two floors", folder)
			}
			seen[folder] = true
			if !slices.ContainsFunc(report.Read, func(read string) bool { return below(read, folder) }) {
				t.Errorf("%s has a floor, but no Go file", folder)
			}
		}
	}
}
