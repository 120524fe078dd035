package laws

import "strings"

// exemption lets one file, or with a final slash one folder, break one rule; a nil rule means all of them.
type exemption struct {
	path   string
	rule   *rule
	reason string
}

var exemptions = []exemption{
	{"sim/simtest/", nil, "meets testing: flags, environment, testdata"},
	{"sim/fleet/", nil, "runs many whole worlds on many cores; results are merged in input order"},
	{"sim/draw/", nil, "meets rapid, a library for property tests, which makes the choices of a generator"},
	{"model/train/", concurrency, "two shards of a batch on two cores; gradients are added in shard order, and nothing of it is " +
		"in the simulator"},
	{"sim/internal/laws/", nil, "this test: reads sources and runs the go command"},
	{"sim/museum/", nil, "builds the exhibits: writes overlays and runs the go command"},
	{"sim/explain/callsite.go", callSite, "names places in the source when a failing script is replayed for a person"},
	{"sim/crash.go", callSite, "names the function in which the system under test has panicked"},
}

// exempt reports whether the table lets the file break the rule.
func exempt(file string, r *rule) bool {
	for _, e := range exemptions {
		if (e.rule == nil || e.rule == r) && e.covers(file) {
			return true
		}
	}
	return false
}

// exemptFolder reports whether all that lies in the folder is exempt from everything.
func exemptFolder(folder string) bool {
	for _, e := range exemptions {
		if e.rule == nil && strings.HasSuffix(e.path, "/") && e.covers(folder+"/") {
			return true
		}
	}
	return false
}

func (e exemption) covers(file string) bool {
	if strings.HasSuffix(e.path, "/") {
		return strings.HasPrefix(file, e.path)
	}
	return file == e.path
}
