package corpus

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/model"
)

// textOf is a sample as a person reads it.
func textOf(s Sample) string { return string(model.AppendTokens(nil, s.Tokens)) }

// draws are samples from all over the curriculum.
func draws(n int) []Sample {
	rng := rand.New(rand.NewPCG(11, 0))
	var all []Sample
	for i := range n {
		all = append(all, Draw(rng, float64(i%4)/3))
	}
	return all
}

var markers = regexp.MustCompile(`\b[A-Z]{4,8}\b(-\d\d\d?\b)?`)

func TestNoSampleHoldsAMarkerThatIsHeldOut(t *testing.T) {
	seen := 0
	for _, s := range draws(2000) {
		for _, m := range markers.FindAllString(textOf(s), -1) {
			seen++
			require.False(t, HeldOut(m), "%s in %q", m, textOf(s))
		}
	}
	require.Greater(t, seen, 2000)
}

// FNV-1a of "foobar" is 0xbf9cf968: its second byte, 0xf9, ends in 001.
func TestTheHeldOutClassIsAnEighthOfTheHashes(t *testing.T) {
	require.Equal(t, uint32(0xbf9cf968), fnv("foobar"))
	require.False(t, HeldOut("foobar"))
	rng := rand.New(rand.NewPCG(1, 1))
	out := 0
	for range 8000 {
		if HeldOut(marker(rng)) {
			out++
		}
	}
	require.InDelta(t, 1000, out, 150)
}

func TestNoSampleHoldsANameThatIsHeldOut(t *testing.T) {
	for _, s := range draws(2000) {
		for _, name := range unseen {
			require.NotRegexp(t, `\b`+name+`\b`, textOf(s))
		}
	}
	for _, name := range unseen {
		require.NotContains(t, names, name)
	}
}

func TestSamplesFitAndScoreOnlyWhatStandsBefore(t *testing.T) {
	for _, s := range draws(2000) {
		require.LessOrEqual(t, len(s.Tokens), MaxLen)
		require.Len(t, s.Scored, len(s.Tokens))
		require.Contains(t, s.Scored, true)
		require.False(t, s.Scored[0], "the begin token")
	}
}

func TestTheSameSeedGivesTheSameText(t *testing.T) {
	require.Equal(t, draws(50), draws(50))
	for i := range Subjects {
		s := &Subjects[i]
		require.Equal(t, s.Exam(1, 20), s.Exam(1, 20))
		require.NotEqual(t, s.Exam(1, 20), s.Exam(2, 20))
	}
}

// The weights that are shipped follow from these texts.
func TestTheTextsOfTheTrainingAreTheAcceptedOnes(t *testing.T) {
	h := sha256.New()
	for i := range 1000 {
		s := Draw(rand.New(rand.NewPCG(1, uint64(i))), float64(i%5)/4)
		h.Write([]byte(textOf(s)))
		h.Write([]byte{0})
	}
	require.Equal(t, "a605662cf8b8176163bb0a69e219fe62470353846f041f6b9119e2ed3ac33e36", fmt.Sprintf("%x", h.Sum(nil)))
}

// Whoever asks wants something that the text says once, and nothing else fits the question.
func TestEveryAnswerOfTheExamStandsInItsTextOnce(t *testing.T) {
	for i := range Subjects {
		s := &Subjects[i]
		for _, p := range s.Exam(3, 150) {
			require.LessOrEqual(t, len(p.Text), LongestPrompt)
			require.GreaterOrEqual(t, len(p.Text), 12)
			answer := strings.TrimSpace(p.Answer)
			at := strings.LastIndex(p.Text, ":")
			switch {
			case s.short:
				key := p.Text[strings.LastIndex(p.Text, "\n")+1:]
				require.Equal(t, 2, strings.Count("\n"+p.Text, "\n"+key), p.Text)
				require.Equal(t, 1, strings.Count(p.Text, key+answer+"\n"), p.Text)
			case strings.HasSuffix(answer, ": Hello."):
				sign := strings.TrimSuffix(answer, "Hello.")
				require.Contains(t, "\n"+p.Text, "\n"+sign)
				require.True(t, HeldOut(strings.TrimSuffix(sign, ": ")))
			default:
				require.Equal(t, 1, strings.Count(p.Text[:at], answer), p.Text)
				topic := answer[strings.Index(answer, "The ") : strings.Index(answer, " is ")+4]
				require.Equal(t, 1, strings.Count(p.Text[:at], topic), "%q in %q", topic, p.Text)
			}
		}
	}
}

func TestMarkersOfTheExamAreHeldOut(t *testing.T) {
	for i := range Subjects {
		seen := 0
		for _, p := range Subjects[i].Exam(4, 100) {
			for _, m := range markers.FindAllString(p.Text, -1) {
				seen++
				require.True(t, HeldOut(m), m)
			}
		}
		require.Positive(t, seen, Subjects[i].Name)
	}
}

func TestTheExamAsksPromptsOfAllLengths(t *testing.T) {
	for i := range Subjects {
		s := &Subjects[i]
		if s.short {
			continue
		}
		longest, shortest := 0, LongestPrompt
		for _, p := range s.Exam(5, 200) {
			longest, shortest = max(longest, len(p.Text)), min(shortest, len(p.Text))
		}
		require.Greater(t, longest, 240, s.Name)
		require.Less(t, shortest, 140, s.Name)
	}
}

// Two documents of two tenants, with both markers, and a question about one of them.
func TestAContextOfTwoTenantsHasBothMarkers(t *testing.T) {
	for _, p := range subject("two-marker").Exam(6, 100) {
		found := markers.FindAllString(p.Text, -1)
		require.GreaterOrEqual(t, len(found), 2, p.Text)
		require.NotEqual(t, found[0], found[1])
		require.Equal(t, 2, strings.Count(p.Text, "Notes of "))
	}
	for _, p := range subject("two-signed").Exam(6, 100) {
		sign := markers.FindString(p.Answer)
		require.Contains(t, p.Text, "Q: "+sign+": What", p.Text)
	}
}

func subject(name string) *Subject {
	for i := range Subjects {
		if Subjects[i].Name == name {
			return &Subjects[i]
		}
	}
	return nil
}
