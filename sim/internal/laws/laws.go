// Package laws reads the sources of the simulator and says where they break the law of one thread and no ambient
// inputs, or the part of "same seed, same bits" that concerns floating point. Beside the laws stand the rules of shape,
// which hold for the whole repository: how large a thing may be, what may import what, how much of a package shows.
//
//	folders ──targets──▶ files ──go/types──▶ packages ──▶ node by node: imports, names, statements
//	                                                  ├─▶ as a whole:   package variables, products that meet sums
//	                                                  └─▶ assembly:     fused instructions
//	                                          findings ◀──exemptions──┘
//	every file ──parser──▶ lines, functions, types, imports, what go doc shows ──▶ findings
//
// It is a tool that stands beside the simulator: it reads files and runs the go command, so only a test may import it,
// and it exempts itself by name. It decides by types and not by spelling: an import under another name is found, a
// method of ours that happens to be called Now is not.
package laws

import (
	"fmt"
	"os"
)

// Report is what Check found, and what it read to find it.
type Report struct {
	Findings []Finding // by file, line and column
	Read     []string  // packages, as folders below the module's root, in order
	Files    int       // Go and assembly files that the laws were applied to
}

// Check applies the laws to the given folders, and to those below them, of the module at root.
// Where a package does not type-check the error says so, and the report holds what could be seen all the same.
func Check(root string, folders ...string) (Report, error) {
	src, err := survey(os.DirFS(root), folders)
	if err != nil {
		return Report{}, fmt.Errorf("sim/internal/laws: reading the sources: %w", err)
	}
	found := &findings{src: src, seen: map[place]bool{}}
	src.unread(found)
	src.fused(found)
	outside := newExports(root, src.imports())
	var failed error
	for _, t := range src.targets() {
		prog := newProgram(src, t, outside)
		if err := prog.loadAll(); err != nil && failed == nil {
			failed = fmt.Errorf("sim/internal/laws: %w", err)
		}
		prog.inspect(found)
	}
	return Report{Findings: found.sorted(), Read: src.folders, Files: src.count()}, failed
}

// inspect applies every rule to every package of the program.
func (p *program) inspect(found *findings) {
	for _, pkg := range p.surveyed() {
		for _, file := range pkg.files {
			newReader(p, pkg, found).read(file)
		}
	}
	p.globals(found)
	p.products(found)
}
