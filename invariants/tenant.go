package invariants

var tenantStatement = Statement{
	ID: Tenant, Name: "tenant", Unit: "slot reads",
	Sentence: "no output token of one isolation domain was computed from a slot written in another",
}

// Observes and decides: with `content`, of which it is the case that a customer means. A wrong slot whose writer belongs
// to another isolation domain breaks both; this one is reported first.
