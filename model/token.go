package model

import "custody/cache"

// Tokens are bytes: the 128 of ASCII, two of which that no text holds have a meaning of their own.
const (
	Pad cache.Token = 0    // stands for nothing
	BOS cache.Token = 1    // begins every text
	EOS cache.Token = '\n' // ends an answer: the model is asked for one line

	ASCII = 128 // the vocabulary's size
)

// AppendText appends the tokens of a text. What is not ASCII, and the bytes of Pad and BOS, become question marks.
func AppendText(dst []cache.Token, text string) []cache.Token {
	for i := range len(text) {
		t := cache.Token(text[i])
		if t >= ASCII || t == Pad || t == BOS {
			t = '?'
		}
		dst = append(dst, t)
	}
	return dst
}

// AppendTokens appends the text of tokens. Pad and BOS have none; what is no token becomes a question mark.
func AppendTokens(dst []byte, tokens []cache.Token) []byte {
	for _, t := range tokens {
		switch {
		case t == Pad || t == BOS:
		case t < 0 || t >= ASCII:
			dst = append(dst, '?')
		default:
			dst = append(dst, byte(t))
		}
	}
	return dst
}
