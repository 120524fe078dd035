package shrink

import "custody/traces"

// lowerNumbers brings the numbers of the events toward the floor: all at once, those that are equal together (a limit
// of eight and eight requests go down together or not at all), then each alone.
func lowerNumbers(sh *shrinker) {
	sh.attempt(func(c *traces.Script) {
		for _, p := range allEventParams(c) {
			if p.of != lengthParam && !p.counts() {
				p.set(c, p.floor())
			}
		}
	})
	params := append(allEventParams(sh.best), headerParams(sh.best)...)
	for i, p := range params {
		if sameNumber(sh.best, params[:i], p) == nil { // the first of its equals
			lower(sh, sameNumber(sh.best, params, p))
		}
	}
	for i, p := range params {
		if sameArgument(sh.best, params[:i], p) == nil {
			lower(sh, sameArgument(sh.best, params, p))
		}
		lower(sh, []param{p})
	}
}

// sameNumber returns those of the params that show the same number as p and have their floor below it.
func sameNumber(s *traces.Script, params []param, p param) []param {
	var same []param
	for _, o := range params {
		if v := o.value(s); v == p.value(s) && v > o.floor() {
			same = append(same, o)
		}
	}
	return same
}

// sameArgument returns those of the params that show the same number as p and stand for the same argument.
func sameArgument(s *traces.Script, params []param, p param) []param {
	var same []param
	for _, o := range sameNumber(s, params, p) {
		if o.of == p.of && o.arg == p.arg && (o.of > lengthParam || s.Events[o.index].Verb == s.Events[p.index].Verb) {
			same = append(same, o)
		}
	}
	return same
}

// lower changes params that show the same number together, as near to the floor as the failure allows.
func lower(sh *shrinker, params []param) {
	if len(params) == 0 {
		return
	}
	from, floor := params[0].value(sh.best), params[0].floor()
	for _, p := range params[1:] {
		floor = max(floor, p.floor())
	}
	toward := int64(1)
	if from < floor {
		toward = -1
	}
	descend((from-floor)*toward, func(k int64) bool {
		return sh.attempt(func(c *traces.Script) {
			for _, p := range params {
				p.set(c, floor+k*toward)
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
