package traces

import "strings"

// didYouMean returns `, did you mean "x"?` for the known word nearest to a misspelt one, or "" if none is near.
func didYouMean(found string, known []string) string {
	best, least := "", len(found)/2+1
	if least > 3 {
		least = 3
	}
	for _, k := range known {
		if d := distance(found, k); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return `, did you mean "` + best + `"?`
}

// mostShown is how much of a word that nobody knows is shown: a file that is no script may be one long word.
const mostShown = 48

func shortened(found string) string {
	if len(found) <= mostShown {
		return found
	}
	return found[:mostShown] + "…"
}

// distance counts the single-letter edits and swaps of neighbours between two words. Long ones are not compared:
// no known word is long, and the cost is the product of the lengths.
func distance(a, b string) int {
	if len(a) > 32 || len(b) > 32 {
		return 32
	}
	var d [33][33]int
	for i := 0; i <= len(a); i++ {
		for j := 0; j <= len(b); j++ {
			d[i][j] = cheapest(&d, a, b, i, j)
		}
	}
	return d[len(a)][len(b)]
}

// cheapest is the cost of turning the first i letters of a into the first j of b, given all smaller cases.
func cheapest(d *[33][33]int, a, b string, i, j int) int {
	if i == 0 || j == 0 {
		return i + j
	}
	change := d[i-1][j-1]
	if a[i-1] != b[j-1] {
		change++
	}
	best := min(change, d[i-1][j]+1, d[i][j-1]+1)
	if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
		best = min(best, d[i-2][j-2]+1)
	}
	return best
}

// orList joins words for a message: "a, b or c".
func orList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
