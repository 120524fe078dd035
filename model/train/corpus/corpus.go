// Package corpus is the small fixed English that the transformer is trained on and asked in.
//
//	system line            You answer from the notes.
//	documents              The code is QZKTW. The city of Anna is Oslo. ...
//	question and answer    Q: What is the city of Anna?
//	                       A: The city of Anna is Oslo.
//
// Every answer stands in the text before it, word for word, and nothing else answers it: whoever answers rightly has
// read the context, and whoever answers with a stranger's words has read the stranger's. Markers are random letters, so
// none can be known by heart. All is drawn from a generator that is handed in; the same seed gives the same text.
package corpus

import (
	"custody/cache"
	"custody/model"
)

// Sample is one sequence to learn from.
type Sample struct {
	Tokens []cache.Token
	Scored []bool // by token: it belongs to an answer, and is to be predicted from those before it
}

// tell appends text that is given.
func (s *Sample) tell(text string) { s.add(text, false) }

// ask appends text that is to be predicted.
func (s *Sample) ask(text string) { s.add(text, true) }

func (s *Sample) add(text string, scored bool) {
	s.Tokens = model.AppendText(s.Tokens, text)
	for range len(text) {
		s.Scored = append(s.Scored, scored)
	}
}

func begin() Sample { return Sample{Tokens: []cache.Token{model.BOS}, Scored: []bool{false}} }
