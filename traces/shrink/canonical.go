package shrink

import (
	"slices"

	"custody/traces"
)

// canonicalOrder gives scripts that say the same the same face: neighbouring events that commute are sorted, and
// names are given by first use. Two people who found one failure then hold one file.
func canonicalOrder(sh *shrinker) {
	sh.attempt(func(c *traces.Script) {
		for i := range c.Events {
			for j := i; j > 0 && wronglyOrdered(c, j); j-- {
				swap(c, j)
			}
		}
	})
	for i := range sh.best.Events {
		for j := i; j > 0 && wronglyOrdered(sh.best, j); j-- {
			if !sh.attempt(func(c *traces.Script) { swap(c, j) }) {
				break
			}
		}
	}
	sh.attempt(func(c *traces.Script) {
		slices.SortStableFunc(c.Tenants, func(a, b traces.Tenant) int { return compareNames(tenantRank, a.Name, b.Name) })
	})
	canonicalNames(sh)
	for i := range sh.best.Events {
		retarget(sh, i)
	}
}

// retarget points a fault at the first request of the script that it can strike as well.
func retarget(sh *shrinker, i int) {
	if e := &sh.best.Events[i]; e.Name == "" || e.Verb == traces.Submit {
		return
	}
	for _, r := range sh.names.requests {
		if sh.attempt(func(c *traces.Script) { c.Events[i].Name = r }) {
			return
		}
	}
}

// wronglyOrdered tells whether events j-1 and j may change places, and should. Nothing commutes with the passing of
// time, or with a reset; whether two events on requests do is for the execution to say.
func wronglyOrdered(s *traces.Script, j int) bool {
	a, b := &s.Events[j-1], &s.Events[j]
	return a.Name != "" && b.Name != "" && compareEvents(b, a) < 0
}

func swap(c *traces.Script, j int) { c.Events[j-1], c.Events[j] = c.Events[j], c.Events[j-1] }

// canonicalNames names all requests and tenants by first use; failing that, only the ones or only the others.
func canonicalNames(sh *shrinker) {
	same := func(name string) string { return name }
	request, tenant := numbering(sh.names.requests, requestName), numbering(tenantsByUse(sh.best, sh.names.tenants), tenantName)
	if sh.attempt(func(c *traces.Script) { rename(c, request, tenant) }) {
		return
	}
	sh.attempt(func(c *traces.Script) { rename(c, request, same) })
	sh.attempt(func(c *traces.Script) { rename(c, same, tenant) })
}

// tenantsByUse returns the tenants of the events, then those that only the header knows.
func tenantsByUse(s *traces.Script, used []string) []string {
	var names []string
	for _, t := range used {
		if t != unknownTenant {
			names = append(names, t)
		}
	}
	for i := range s.Tenants {
		if !slices.Contains(names, s.Tenants[i].Name) {
			names = append(names, s.Tenants[i].Name)
		}
	}
	return names
}

// numbering returns a function that replaces each of the names by the canonical one of its place.
func numbering(names []string, canonical func(int) string) func(string) string {
	return func(name string) string {
		if i := slices.Index(names, name); i >= 0 {
			return canonical(i)
		}
		return name
	}
}
