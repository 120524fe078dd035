package traces

import (
	"errors"
	"fmt"
	"strings"
)

// A line is read as words. A word may be key=value, and a value may be a quoted string with blanks in it.

// blank is what separates words. A carriage return counts, so that files from any system read the same.
const blank = " \t\r"

// word is one word of a line; text is all of it.
type word struct {
	text       string
	key, value string
	pair       bool // it is key=value
}

// splitWords appends the words of a line to dst.
func splitWords(dst []word, line string) ([]word, error) {
	for {
		line = strings.TrimLeft(line, blank)
		if line == "" {
			return dst, nil
		}
		n, err := wordLen(line)
		if err != nil {
			return dst, err
		}
		w := word{text: line[:n]}
		w.key, w.value, w.pair = strings.Cut(w.text, "=")
		dst = append(dst, w)
		line = line[n:]
	}
}

// wordLen returns the length of the first word of a line. Only a quote right after the first = opens a string.
func wordLen(line string) (int, error) {
	n := strings.IndexAny(line, blank)
	if n < 0 {
		n = len(line)
	}
	eq := strings.IndexByte(line[:n], '=')
	if eq < 0 || eq+1 == n || line[eq+1] != '"' {
		return n, nil
	}
	end := quoteEnd(line, eq+2)
	if end < 0 {
		return 0, fmt.Errorf("%s: the closing quote is missing", line[:eq])
	}
	if end < len(line) && strings.IndexByte(blank, line[end]) < 0 {
		return 0, fmt.Errorf("%s: found %q right after the closing quote, expected a blank", line[:eq], line[end])
	}
	return end, nil
}

// quoteEnd returns the index after the quote that closes a string whose text starts at i, or -1.
func quoteEnd(line string, i int) int {
	for ; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// textByte returns the first byte of the inside of a quoted string, and how many bytes it is written with.
func textByte(s string) (b byte, n int, err error) {
	if s[0] != '\\' {
		return s[0], 1, nil
	}
	if b, n, err = unescape(s[1:]); err != nil {
		return 0, 0, fmt.Errorf("%w, found %q", err, s[:min(4, len(s))])
	}
	return b, 1 + n, nil
}

var errEscape = errors.New(`known escapes are \" \\ \n and \xNN`)

// unescape returns the byte that a text after a backslash stands for, and how many bytes it was written with.
func unescape(s string) (b byte, n int, err error) {
	switch {
	case s == "":
	case s[0] == '"' || s[0] == '\\':
		return s[0], 1, nil
	case s[0] == 'n':
		return '\n', 1, nil
	case s[0] == 'x' && len(s) >= 3:
		hi, lo := hexDigit(s[1]), hexDigit(s[2])
		if hi >= 0 && lo >= 0 {
			return byte(hi<<4 | lo), 3, nil
		}
	}
	return 0, 0, errEscape
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// isName tells whether s may name a request, a tenant or a worker. The word that opens an anchor may not.
func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isLetter(c) && c != '_' && (i == 0 || !isDigit(c) && c != '.' && c != '-') {
			return false
		}
	}
	return s != "" && s != "when"
}

// isPromise tells whether s may be a promise's identifier.
func isPromise(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
