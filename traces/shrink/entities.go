package shrink

import (
	"slices"

	"custody/traces"
)

// deleteEntities deletes all that belongs to one tenant, one request, one kind of event; then lines of the header.
func deleteEntities(sh *shrinker) {
	for _, t := range slices.Backward(sh.names.tenants) {
		sh.dropWhere(func(_ int, e *traces.Event) bool { return e.Verb == traces.Submit && e.Tenant == t })
	}
	for _, r := range slices.Backward(sh.names.requests) {
		sh.dropWhere(func(_ int, e *traces.Event) bool { return e.Name == r })
	}
	for k := range traces.NumVerbs {
		if k != traces.Submit {
			sh.dropWhere(func(_ int, e *traces.Event) bool { return e.Verb == k })
		}
	}
	dropHeaderLines(sh)
}

func dropHeaderLines(sh *shrinker) {
	sh.attempt(func(c *traces.Script) { c.Workers, c.Tenants = nil, nil })
	for i := len(sh.best.Workers) - 1; i >= 0; i-- {
		sh.attempt(func(c *traces.Script) { c.Workers = slices.Delete(c.Workers, i, i+1) })
	}
	sh.attempt(func(c *traces.Script) { c.Tenants = nil })
	for i := len(sh.best.Tenants) - 1; i >= 0; i-- {
		if !slices.Contains(sh.names.tenants, sh.best.Tenants[i].Name) { // else a submit would name one not declared
			sh.attempt(func(c *traces.Script) { c.Tenants = slices.Delete(c.Tenants, i, i+1) })
		}
	}
}
