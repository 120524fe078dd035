package cover

import "slices"

// What a campaign's silence is worth.

// countCells counts the seeds that exercised each cell.
func (s *Summary) countCells(c *Coverage) {
	i := 0
	c.Cells(func(n int64, _ string, _ ...any) {
		if i == len(s.seedsOf) {
			s.seedsOf = append(s.seedsOf, 0)
		}
		if n > 0 {
			s.seedsOf[i]++
		}
		i++
	})
}

// Reached is how much of everything that a campaign can exercise was exercised: the cells of Coverage.Cells, and promises
// that were checked, of those that can be.
func (s *Summary) Reached() (reached, all int) {
	s.Coverage.Cells(func(n int64, _ string, _ ...any) {
		all++
		reached += b2i(n > 0)
	})
	for id, n := range s.Checks {
		all += b2i(!s.Unchecked[id])
		reached += b2i(n > 0)
	}
	return reached, all
}

// Covered tells whether everything was exercised that can be. It is cheap enough to be asked after every seed.
func (s *Summary) Covered() bool {
	for id, n := range s.Checks {
		if n == 0 && !s.Unchecked[id] {
			return false
		}
	}
	return !slices.Contains(s.seedsOf, 0)
}

// FailureBound is the upper 95% confidence bound on the share of seeds that break a promise, after N seeds of which none
// did: 3/N (the rule of three). It is about seeds of the same profile, and 1 where it says nothing.
func (s *Summary) FailureBound() float64 {
	if s.Violations > 0 || s.Seeds < 3 {
		return 1
	}
	return 3 / float64(s.Seeds)
}

// NewCellChance estimates the chance that the next seed exercises a cell that none has: the share of seeds that
// exercised a cell which no other seed did (Good and Turing; Good, Biometrika 40, 1953).
func (s *Summary) NewCellChance() float64 {
	if s.Seeds == 0 {
		return 1
	}
	once := 0
	for _, n := range s.seedsOf {
		if n == 1 {
			once++
		}
	}
	return min(1, float64(once)/float64(s.Seeds))
}
