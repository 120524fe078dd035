package traces

// Digest is a rolling digest of a sequence of words, 128 bits wide. The zero value is the digest of no words. It is
// a plain value: it can be compared, copied and used as a key. It is the same on every machine. It guards against
// accidents, not against an adversary.
type Digest struct {
	a, b uint64
}

// Odd constants with about half of their bits set: the fractional parts of square roots, made odd.
const (
	mixA  = 0xbb67ae8584caa73b // of 3
	mixB  = 0xa54ff53a5f1d36f1 // of 7
	laneA = 0xcbbb9d5dc1059ed9 // of 23
	laneB = 0x9159015a3070dd17 // of 31
	stepA = 0x6a09e667f3bcc909 // of 2
	stepB = 0x3c6ef372fe94f82b // of 5
)

// Add takes in one word. The word is spread over all bits first, which does not wait for the words before it; then
// two lanes take it in by steps that lose nothing, with different constants and shifts. The added constants make
// a zero count, at any place.
func (d *Digest) Add(word uint64) {
	w := (word ^ word>>32) * mixA
	w = (w ^ w>>29) * mixB
	w ^= w >> 32
	x := (d.a ^ w + stepA) * laneA
	y := ((d.b<<27 | d.b>>37) + w + stepB) * laneB
	d.a = x ^ x>>31
	d.b = y ^ y>>33
}

// AddString takes in a string: its length, then its bytes, eight a word. The length keeps ("ab", "c") and
// ("a", "bc") apart.
func (d *Digest) AddString(s string) {
	d.Add(uint64(len(s)))
	for len(s) >= 8 {
		d.Add(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
		s = s[8:]
	}
	if s == "" {
		return
	}
	var w uint64
	for i := 0; i < len(s); i++ {
		w |= uint64(s[i]) << (8 * i)
	}
	d.Add(w)
}

// String returns the digest as 32 hexadecimal digits.
func (d Digest) String() string {
	var b [digestLen]byte
	for i := range b {
		lane := d.a
		if i >= digestLen/2 {
			lane = d.b
		}
		b[i] = hexDigits[lane>>(60-4*(i%(digestLen/2)))&15]
	}
	return string(b[:])
}

const hexDigits = "0123456789abcdef"

// digestLen is the length of a digest's text.
const digestLen = 32

// isDigest tells whether s is the text of a digest.
func isDigest(s string) bool {
	for i := 0; i < len(s); i++ {
		if hexDigit(s[i]) < 0 || s[i] < 'a' && s[i] > '9' {
			return false
		}
	}
	return len(s) == digestLen
}
