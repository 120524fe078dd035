package recall

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/model"
	"custody/model/llama"
	"custody/model/train"
	"custody/model/train/corpus"
)

// The file that `go run ./cmd/custody-train run --out model/recall/recall.safetensors` makes, on every processor.
func TestTheWeightsAreThoseOfTheAcceptedTraining(t *testing.T) {
	const want = "5d3bf00eca22c6f0f30fba1bd5c0ca213df9ea35041a1b3b9b20857c06739857"
	require.Equal(t, want, fmt.Sprintf("%x", sha256.Sum256(file)))
	require.LessOrEqual(t, len(file), 600<<10)
}

func weights(t *testing.T) *llama.Weights {
	t.Helper()
	w, err := Weights()
	require.NoError(t, err)
	require.Equal(t, llama.Small(), w.Arch)
	return w
}

// A fixed sample of each kind; `go run ./cmd/custody-train eval` asks two thousand. The bits are the same everywhere,
// and so is the number of right answers.
func TestAnswersComeFromTheContext(t *testing.T) {
	const each = 60
	examiner := train.NewExaminer(weights(t))
	all := 0
	for i := range corpus.Subjects {
		s := &corpus.Subjects[i]
		grade := examiner.Grade(s.Exam(8, each))
		_, right := grade.All()
		require.GreaterOrEqual(t, right, each-3, s.Name)
		all += right
	}
	require.Equal(t, 778, all, "of 780")
}

// speaker decodes greedily on the transformer that the simulator runs.
type speaker struct {
	transformer *llama.Transformer
	memory      *cache.Memory
}

const blocks, blockTokens = 20, 16

func newSpeaker(t *testing.T) *speaker {
	t.Helper()
	w := weights(t)
	transformer, err := llama.New(w)
	require.NoError(t, err)
	return &speaker{transformer, cache.NewMemory(w.Arch.Layout(blocks, blockTokens))}
}

func (s *speaker) answer(prompt string) string {
	var table []cache.BlockID
	for b := range blocks {
		table = append(table, cache.BlockID(b))
	}
	input, at := model.AppendText([]cache.Token{model.BOS}, prompt), int32(0)
	var out []cache.Token
	for len(out) < 50 {
		b := model.Batch{Rows: []model.Row{{Sample: true, Used: cache.Used{
			Start: at, N: int32(len(input)), Input: input, Table: table,
		}}}}
		s.transformer.Forward(&b, s.memory)
		at += int32(len(input))
		next := b.Rows[0].Next[0]
		out, input = append(out, next), []cache.Token{next}
		if next == model.EOS {
			break
		}
	}
	return string(model.AppendTokens(nil, out))
}

// What one pass over prompt and answer tells is what decoding token by token writes.
func TestTheSimulatorsTransformerWritesWhatTheExamSays(t *testing.T) {
	s, examiner := newSpeaker(t), train.NewExaminer(weights(t))
	for i := range corpus.Subjects {
		for _, p := range corpus.Subjects[i].Exam(9, 12) {
			grade := examiner.Grade([]corpus.Prompt{p})
			_, right := grade.All()
			require.Equal(t, right == 1, s.answer(p.Text) == p.Answer, p.Text)
		}
	}
}

func TestTwoTenantsGetTheirOwnMarkers(t *testing.T) {
	s := newSpeaker(t)
	const notes = "Use the notes.\nNotes of Anna:\nThe code of Anna is SAFFRON. The city of Henry is Oslo.\n" +
		"Notes of Leon:\nThe code of Leon is VELVET. Tea is served at five.\n"
	require.True(t, corpus.HeldOut("SAFFRON") && corpus.HeldOut("VELVET"), "never trained")
	require.Equal(t, " The code of Anna is SAFFRON.\n", s.answer(notes+"Q: What is the code of Anna?\nA:"))
	require.Equal(t, " The code of Leon is VELVET.\n", s.answer(notes+"Q: What is the code of Leon?\nA:"))
	require.Equal(t, " The city of Henry is Oslo.\n", s.answer(notes+"Q: What is the city of Henry?\nA:"))
}
