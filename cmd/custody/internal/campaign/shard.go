package campaign

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxShards bounds the shards of a campaign: more than machines help nobody.
const maxShards = 1 << 20

// Shard is one part of a campaign that many processes share: of every n seeds the one at i.
type Shard struct {
	i, N uint64
}

func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.i, s.N) }
func (s *Shard) Type() string   { return "I/N" }

func (s *Shard) Set(text string) error {
	i, n, cut := strings.Cut(text, "/")
	at, errI := strconv.ParseUint(i, 10, 64)
	of, errN := strconv.ParseUint(n, 10, 64)
	if !cut || errI != nil || errN != nil || of < 1 || of > maxShards || at >= of {
		return fmt.Errorf("expected I/N, as 0/4 to 3/4: which shard, from 0, of how many (at most %d)", maxShards)
	}
	s.i, s.N = at, of
	return nil
}

// Words is how a shard is named beside the seeds; all seeds need no name.
func (s *Shard) Words() string {
	if s.N == 1 {
		return ""
	}
	return ", shard " + s.String()
}

// Seed is the shard's seed number k, from 0, of a campaign from first on; there is none past the last seed.
func (s *Shard) Seed(first, k uint64) (seed uint64, ok bool) {
	room := math.MaxUint64 - first
	if s.i > room || k > (room-s.i)/s.N {
		return 0, false
	}
	return first + s.i + k*s.N, true
}
