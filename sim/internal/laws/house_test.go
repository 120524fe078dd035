package laws

import (
	"slices"
	"testing"
)

func TestTheHouseKeepsItsShape(t *testing.T) {
	report, err := CheckHouse(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range report.Findings {
		t.Error(finding)
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
