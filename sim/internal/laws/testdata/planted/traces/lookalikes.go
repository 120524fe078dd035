// Package traces holds what looks like a violation and is none.
package traces

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"time"
)

//go:embed lookalikes.go
var corpus embed.FS

// Set once, in the declaration or in init, and only read from then on.
var (
	weights = map[string]int{"a": 1}
	squares [4]int
	errEnd  = errors.New("end")
	limits  = [2]struct{ low, high int }{{1, 2}, {3, 4}}
	lowest  = &squares
)

func isLowest(s *[4]int) bool { return s == lowest && lowest != &squares }

func init() {
	for i := range squares {
		squares[i] = i * i
	}
}

// clock has methods with the names of package time; local variables may be called like packages.
type clock struct{ ticks int }

func (c *clock) Now() int    { return c.ticks }
func (c *clock) Sleep(n int) { c.ticks += n }

func virtual(c *clock) int {
	time := c
	time.Sleep(3)
	return time.Now()
}

func duration(d time.Duration) string { return (d + 2*time.Millisecond).Round(time.Second).String() }

// A local variable hides the package variable of its name.
func hides() int {
	squares := []int{1}
	squares[0]++
	high := &limits[1]
	return squares[0] + high.low
}

func seeded(seed uint64) int {
	r := rand.New(rand.NewPCG(seed, 1))
	return r.IntN(6) + r.Perm(3)[0] + int(r.Float64())
}

func lookups(m map[string]int) (sum int) {
	m["a"]++
	delete(m, "b")
	clear(m)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		sum += m[k]
	}
	for _, v := range slices.SortedFunc(maps.Values(m), func(a, b int) int { return a - b }) {
		sum += v
	}
	copied := maps.Collect(maps.All(m))
	for i := range []int{1, 2} {
		sum += i
	}
	if v, ok := copied["a"]; ok {
		sum += v * 2
	}
	return sum + len(weights)
}

func text(fail error) string {
	if _, crashed := errors.AsType[runtime.Error](fail); crashed || errors.Is(fail, errEnd) {
		return filepath.Join("a", "b")
	}
	words := []string{"go", "select", "chan"}
	sort.Strings(words)
	return fmt.Sprintln(words)
}

func close(words []string) []string { return words[:0] }

func closed() []string { return close(nil) }

func exact(x float64) float64 {
	return math.Sqrt(math.Abs(x)) + math.Floor(x) - math.FMA(x, x, math.MaxFloat32) + math.Float64frombits(1)
}

type unit float32

func rounded(x, y, z float32, n int) float32 {
	const third = 1.0 / 3 * 2
	t := float32(x * y)
	u := x * y / z // divided before it is added
	t += float32(x*y) + u
	t -= float32(x*y) * 2 / z
	w := unit(unit(x)*unit(y)) + 1
	w = unit(w*2) - w
	i := n*n + 3*n
	t = t + third*2 + float32(i) + float32(w)
	if x*y > z+t {
		t = max(x*y, 0) + z // a choice stands between the two
	}
	return x * (y + z)
}

// A product that only meets products, comparisons and calls needs no conversion.
func products(xs []float32, by float32) (most float32) {
	for i, x := range xs {
		xs[i] = x * by * by
		most = max(most, xs[i])
	}
	return most * by
}

func sum(xs []float32) (s float32) {
	for _, x := range xs {
		s += x
	}
	return s
}

func energy(x float32) float32 {
	squares := []float32{float32(x * x)}
	return sum(squares) + float32(x*x)
}

func bits(a, b uint32) uint64 { return uint64(a)*uint64(b) + 1 }

func scaled[T float32 | float64](x, y T) T { return T(x*y) + y }
