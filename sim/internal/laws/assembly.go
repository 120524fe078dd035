package laws

import (
	"go/token"
	"io/fs"
	"regexp"
	"strings"
)

// Assembly is out of reach of the compiler's rounding: what stands there is what runs. The names are those of the
// fused multiply-add of the processors that Go builds for.
var fusedInstruction = regexp.MustCompile(
	`\b(V?FN?M(ADD|SUB)\w*|V?FML[AS]\w*|FN?MUL[AS][FD]|X[SV]N?M(ADD|SUB)\w+|[VW]FN?M[AS]D\w*|M[AS][DE]BR)\b`)

// fused reads the assembly files of the surveyed folders.
func (s *sources) fused(found *findings) {
	for _, file := range s.assembly {
		text, err := fs.ReadFile(s.fsys, file)
		if err != nil {
			continue // the compiler says so better
		}
		line := 0
		for code := range strings.Lines(string(text)) {
			line++
			code, _, _ = strings.Cut(code, "//")
			if at := fusedInstruction.FindStringIndex(code); at != nil {
				found.addAt(token.Position{Filename: file, Line: line, Column: at[0] + 1}, fusedAssembly, code[at[0]:at[1]])
			}
		}
	}
}
