package shrink

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"custody/traces"
)

// nameIndex says who appears in a script.
type nameIndex struct {
	requests []string // by first use
	tenants  []string // by first use in an event
	request  []int    // by event: the request that it names, an index into requests; -1 if none
	life     []int    // by event: the submit that its request last came from, the event itself included; -1 if none
}

// indexNames reads the nameIndex of a script. A submit that was a no-op begins no life; noop may be shorter than the script.
func indexNames(s *traces.Script, noop []bool) nameIndex {
	c := nameIndex{request: make([]int, len(s.Events)), life: make([]int, len(s.Events))}
	number := map[string]int{}
	var latest []int // by request: the submit of its present life
	for i := range s.Events {
		e := &s.Events[i]
		if e.Verb == traces.Submit && !slices.Contains(c.tenants, e.Tenant) {
			c.tenants = append(c.tenants, e.Tenant)
		}
		if e.Name == "" {
			c.request[i], c.life[i] = -1, -1
			continue
		}
		r, known := number[e.Name]
		if !known {
			r = len(c.requests)
			number[e.Name] = r
			c.requests, latest = append(c.requests, e.Name), append(latest, -1)
		}
		if e.Verb == traces.Submit && (i >= len(noop) || !noop[i]) {
			latest[r] = i
		}
		c.request[i], c.life[i] = r, latest[r]
	}
	return c
}

// compareNames compares by rank, then by spelling.
func compareNames(rank func(string) int, a, b string) int {
	if a == b {
		return 0
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

// unknownTenant is a tenant that the engine does not know. It is a fault, not a name, and never renamed.
const unknownTenant = "?"

// tenantNames are the canonical names of the first tenants.
var tenantNames = [...]string{"amber", "teal", "olive", "plum"}

// requestName is the canonical name of the i-th request, from 0.
func requestName(i int) string { return "r" + strconv.Itoa(i+1) }

// tenantName is the canonical name of the i-th tenant, from 0.
func tenantName(i int) string {
	if i < len(tenantNames) {
		return tenantNames[i]
	}
	return "t" + strconv.Itoa(i+1)
}

const (
	mostRanked = 10000 // canonical names that are told from others
	unranked   = mostRanked + 1
)

func requestRank(name string) int { return rankOf(name, "r", requestName) }

func tenantRank(name string) int {
	if i := slices.Index(tenantNames[:], name); i >= 0 {
		return i
	}
	return rankOf(name, "t", tenantName)
}

// rankOf inverts a function that makes canonical names.
func rankOf(name, prefix string, canonical func(int) string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(name, prefix))
	if err != nil || n < 1 || n > mostRanked || canonical(n-1) != name {
		return unranked
	}
	return n - 1
}
