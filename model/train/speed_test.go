package train

import (
	"testing"

	"custody/model/llama"
)

// BenchmarkStep is a step behind the curriculum, where samples are longest.
func BenchmarkStep(b *testing.B) {
	r := Accepted
	r.Curriculum = 1
	t := New(llama.Small(), r)
	t.Step(1)
	tokens := 0
	for b.Loop() {
		tokens += t.Step(1).Tokens
	}
	b.ReportMetric(float64(tokens)/float64(b.N), "tokens/step")
}
