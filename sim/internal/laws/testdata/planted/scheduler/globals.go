package scheduler

type counter struct{ n int }

func (c *counter) inc() { c.n++ }

var (
	Submitted int                // want "package variable Submitted, changed at sim/world.go:"
	total     int                // want "package variable total, changed at scheduler/globals.go:"
	table     = [3]int{1, 2, 3}  // want "package variable table, changed"
	names     = map[string]int{} // want "package variable names, changed"
	last      *counter           // want "package variable last, changed"
	hits      counter            // want "package variable hits, changed"
	limit     = 3                // want "package variable limit, changed"
	index     int                // want "package variable index, changed"
	count     = func() int { total++; return total }
)

func change(p *int) {
	table[1] = 4
	delete(names, "x")
	last.n = 3
	hits.inc()
	change(&limit)
	for index = range 3 {
	}
}
