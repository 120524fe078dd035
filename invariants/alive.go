package invariants

// Alive promises: no event makes the engine panic or exceed its fuel.
//
// Observes: whether an event came to its end.
//
// Decides: the world recovers a panic of the system under test and stops the run.
//
// Says: the function in which the engine gave up, and the kind of error.
const Alive ID = 21

// NothingToDo is reached when an event came where it does not apply, and did nothing.
const NothingToDo Mark = Mark(Alive) << markBits

var aliveStatement = Statement{
	ID: Alive, Name: "alive", Unit: "events",
	Sentence: "no event makes the engine panic or exceed its fuel",
	Marks: []MarkStatement{
		{Mark: NothingToDo, Name: "nothing-to-do", Sentence: "an event came where it does not apply, and did nothing"},
	},
}

func checkSurvived(l *Ledger) { l.checks[Alive]++ }

func checkCrash(l *Ledger, detail string) {
	l.checks[Alive]++
	l.breach(plain(Alive, -1, detail))
}
