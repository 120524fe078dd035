package shrink

import (
	"slices"

	"custody/traces"
)

// mergeEntities makes one of two: requests, tenants, seeds. Fewer names are fewer things to keep in mind, and a
// failure that survives says that the two were never needed.
func mergeEntities(sh *shrinker) {
	same := func(name string) string { return name }
	mergeNames(sh, sh.names.requests, func(c *traces.Script, a, b string) { rename(c, replacing(b, a), same) })
	mergeNames(sh, sh.names.requests, func(c *traces.Script, a, b string) {
		moveBehind(c.Events, a, b)
		rename(c, replacing(b, a), same)
	})
	mergeNames(sh, sh.names.tenants, func(c *traces.Script, a, b string) {
		rename(c, same, replacing(b, a))
		c.Tenants = firstOfEachName(c.Tenants)
	})
	for i := range sh.best.Events {
		for j := range sh.best.Events {
			mergeSeeds(sh, i, j)
		}
	}
}

// mergeNames tries to give the part of every name b to each earlier name a.
func mergeNames(sh *shrinker, names []string, merge func(c *traces.Script, a, b string)) {
	for b := len(names) - 1; b > 0; b-- {
		for _, a := range names[:b] {
			if a == unknownTenant || names[b] == unknownTenant {
				continue
			}
			if sh.attempt(func(c *traces.Script) { merge(c, a, names[b]) }) {
				break
			}
		}
	}
}

func mergeSeeds(sh *shrinker, i, j int) {
	a, b := &sh.best.Events[i], &sh.best.Events[j]
	if a.Verb == traces.Submit && b.Verb == traces.Submit && a.Seed() < b.Seed() {
		sh.attempt(func(c *traces.Script) { c.Events[j].Args[traces.SamplingSeed] = a.Args[traces.SamplingSeed] })
	}
}

// moveBehind moves the events of request b behind the last one of request a: one life must end before the next.
func moveBehind(events []traces.Event, a, b string) {
	for to := len(events) - 1; to >= 0; to-- {
		if events[to].Name != a {
			continue
		}
		for from := to - 1; from >= 0; from-- {
			if events[from].Name == b {
				moveEvent(events, from, to)
				to--
			}
		}
		return
	}
}

func replacing(name, by string) func(string) string {
	return func(n string) string {
		if n == name {
			return by
		}
		return n
	}
}

// rename gives requests and tenants other names, wherever they stand.
func rename(c *traces.Script, request, tenant func(string) string) {
	for i := range c.Events {
		e := &c.Events[i]
		if e.Name != "" {
			e.Name = request(e.Name)
		}
		if e.Tenant != "" && e.Tenant != unknownTenant {
			e.Tenant = tenant(e.Tenant)
		}
	}
	for i := range c.Tenants {
		c.Tenants[i].Name = tenant(c.Tenants[i].Name)
	}
}

func firstOfEachName(tenants []traces.Tenant) []traces.Tenant {
	kept := tenants[:0]
	for _, t := range tenants {
		if !slices.ContainsFunc(kept, func(k traces.Tenant) bool { return k.Name == t.Name }) {
			kept = append(kept, t)
		}
	}
	return kept
}
