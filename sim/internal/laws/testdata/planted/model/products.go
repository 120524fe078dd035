package model

func direct(x, y, z, s float32) float32 {
	s += x * y           // want "product x \* y meets the sum at model/products.go:4"
	s -= x * (y)         // want "meets the sum"
	s = z - x*y          // want "product x \* y meets"
	s = -(x * y) + z     // want "product x \* y meets"
	s = x*y + z*s        // want "product x \* y" "product z \* s"
	s = 2*x + 1          // want "product 2 \* x"
	return s + x*y*z + s // want "product x \* y \* z"
}

func variables(x, y, z float32) float32 {
	t := x * y // want "product x \* y meets the sum at model/products.go:16"
	u := t
	if z += u; z > 0 {
		x *= y // want "product x \*= y meets"
		x += z
	}
	var v = y * y // want "product y \* y meets"
	v++
	p, q := x, z*z // want "product z \* z meets"
	return p + q
}

type cell struct {
	sum, scale float32
	row        []float32
}

func (c *cell) set(x, y float32) {
	c.scale = x * y       // want "product x \* y meets the sum at model/products.go:38"
	c.row[3] = x * y      // want "product x \* y meets the sum at model/products.go:39"
	*c = cell{sum: y * y} // want "product y \* y meets the sum at model/products.go:38"
}

func (c *cell) get(i int) float32 {
	c.sum = c.scale + c.sum
	return c.row[i] + 1
}

func elements(xs []float32, x float32) (sum float32) {
	for i := range xs {
		xs[i] = xs[i] * x // want "product xs\[i\] \* x meets"
	}
	for _, v := range xs {
		sum += v
	}
	pair := [2]float32{x * sum, x} // want "product x \* sum meets"
	more := append(xs[:0:0], x*x)  // want "product x \* x meets"
	return pair[0] + more[1]
}

func mul(x, y float32) float32         { return x * y }      // want "product x \* y meets"
func both(x, y float32) (a, b float32) { return x, y * y }   // want "product y \* y meets"
func named(x, y float32) (r float32)   { r = x * y; return } // want "product x \* y meets"
func add(x, y float32) float32         { return x + y }
func same[T any](x T) T                { return x }

func functions(x, y, z float32) float32 {
	z = mul(x, y) + z
	a, b := both(x, y)
	z = a - b
	z = named(x, y) + z
	z = add(x*y, z)                                     // want "product x \* y meets"
	z = same(x*z) + z                                   // want "product x \* z meets"
	closure := func(x float32) float32 { return x * z } // want "product x \* z meets"
	z = closure(x) + z
	var later func(a, b float32) float32
	later = func(a, b float32) float32 { return a * b } // want "product a \* b meets"
	z = later(x, y) + z
	scale(&z, x)
	return z + 1
}

func scale(p *float32, by float32) { *p = *p * by } // want "product \*p \* by meets"

type op interface{ do(x, y float32) float32 }

type times struct{}

func (times) do(x, y float32) float32 { return x * y } // want "product x \* y meets"

func through(o op, x, y float32) float32 { return o.do(x, y) + x }

type real32 float32

func (r real32) plus(z real32) real32 { return r + z }

func receiver(x, y real32) real32 { return (x * y).plus(1) } // want "product x \* y meets"

func generic[T ~float32 | ~int](x, y, z T) T { return x*y + z } // want "product x \* y meets"
