package invariants

// ID numbers the built-in promises, in the order in which breaches of one step are reported. A user's promises follow.
// Each is declared in the file of its promise, with what it observes, decides and says.
type ID uint8

// Statement is a promise as a reviewer reads it.
type Statement struct {
	ID       ID
	Name     string // stable: stands in traces, messages and documents
	Sentence string
	Unit     string          // what one check is
	Needs    Hidden          // it is not checked of an engine that hides any of this
	Marks    []MarkStatement // what happened beside it
}

// rows are the promises, in the order in which their marks are listed.
var rows = [...]*Statement{
	&tenantStatement,
	&contentStatement,
	&writtenStatement,
	&keyStatement,
	&publishStatement,
	&rowStatement,
	&countStatement,
	&inflightStatement,
	&ownerStatement,
	&onceStatement,
	&routeStatement,
	&soloStatement,
	&markerStatement,
	&limitsStatement,
	&orderStatement,
	&atomicStatement,
	&reuseStatement,
	&mirrorStatement,
	&drainStatement,
	&progressStatement,
	&aliveStatement,
	&configStatement,
}

// NumPromises is how many promises there are.
const NumPromises ID = ID(len(rows))

// Statements lists the built-in promises, by ID.
var Statements = byID()

func byID() (list [NumPromises]Statement) {
	for _, s := range rows {
		list[s.ID] = *s
	}
	return list
}
