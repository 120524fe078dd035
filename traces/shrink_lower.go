package traces

// lowerNumbers brings the numbers of the events toward rest: all at once, those that are equal together (a limit
// of eight and eight requests go down together or not at all), then each alone.
func lowerNumbers(sh *shrinker) {
	sh.attempt(func(c *Script) {
		for _, d := range allEventDials(c) {
			if d.of != lengthDial && !d.counts() {
				d.set(c, d.rest())
			}
		}
	})
	dials := append(allEventDials(sh.best), headerDials(sh.best)...)
	for i, d := range dials {
		if sameNumber(sh.best, dials[:i], d) == nil { // the first of its equals
			sh.lower(sameNumber(sh.best, dials, d))
		}
	}
	for i, d := range dials {
		if sameArgument(sh.best, dials[:i], d) == nil {
			sh.lower(sameArgument(sh.best, dials, d))
		}
		sh.lower([]dial{d})
	}
}

// sameNumber returns those of the dials that show the same number as d and rest below it.
func sameNumber(s *Script, dials []dial, d dial) []dial {
	var same []dial
	for _, o := range dials {
		if v := o.value(s); v == d.value(s) && v > o.rest() {
			same = append(same, o)
		}
	}
	return same
}

// sameArgument returns those of the dials that show the same number as d and stand for the same argument.
func sameArgument(s *Script, dials []dial, d dial) []dial {
	var same []dial
	for _, o := range sameNumber(s, dials, d) {
		if o.of == d.of && o.arg == d.arg && (o.of > lengthDial || s.Events[o.index].Verb == s.Events[d.index].Verb) {
			same = append(same, o)
		}
	}
	return same
}

// lower turns dials that show the same number together, as near to rest as the failure allows.
func (sh *shrinker) lower(dials []dial) {
	if len(dials) == 0 {
		return
	}
	from, rest := dials[0].value(sh.best), dials[0].rest()
	for _, d := range dials[1:] {
		rest = max(rest, d.rest())
	}
	toward := int64(1)
	if from < rest {
		toward = -1
	}
	descend((from-rest)*toward, func(k int64) bool {
		return sh.attempt(func(c *Script) {
			for _, d := range dials {
				d.set(c, rest+k*toward)
			}
		})
	})
}

// descend looks for the smallest k below from that try accepts: the few smallest ones first, because they are most
// often enough; then by halving; then one by one below the number found, because what fails need not be a range.
func descend(from int64, try func(k int64) bool) {
	const few, near = 4, 16
	for k := int64(0); k < min(from, few); k++ {
		if try(k) {
			return
		}
	}
	low, high := int64(few-1), from
	for high-low > 1 {
		if mid := low + (high-low)/2; try(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	for k := max(few, high-near); k < high; k++ {
		if try(k) {
			return
		}
	}
}
