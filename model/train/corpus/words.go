package corpus

// The words. No two values of one list share their first letter, for a value is found by the few characters before it:
// what begins alike can be taken for the other.
var (
	colours = []string{"red", "blue", "green", "white", "pink", "orange", "yellow", "violet", "silver", "copper", "ivory", "maroon"}
	cities  = []string{
		"Athens", "Berlin", "Cairo", "Dublin", "Geneva", "Havana", "Kyoto", "Lisbon", "Madrid", "Naples", "Oslo", "Prague",
		"Rome", "Tunis",
	}
	names = []string{
		"Anna", "Boris", "Clara", "Dmitri", "Edith", "Frank", "Greta", "Henry", "Ivan", "Julie", "Karim", "Leon", "Marek",
		"Nora", "Oscar", "Pavel", "Quentin", "Rosa", "Simon", "Tariq", "Umar", "Vera",
	}
	// unseen are never drawn for training.
	unseen = []string{
		"Alice", "Bruno", "Cyril", "David", "Elena", "Felix", "Gavin", "Hilda", "Irene", "Jonas", "Kevin", "Linus", "Mabel",
		"Naomi", "Olga", "Peter", "Rufus", "Sonja", "Tomas", "Ursula", "Viktor", "Wanda",
	}
	secrets = []string{"code", "tag", "pass", "key"} // what a marker is called

	// systems are lines that tenants share.
	systems = []string{
		"", "Be brief.", "Use the notes.", "You are a helper.", "Answer from the notes.", "You answer from the notes below.",
		"You help with notes and answer one question.",
	}
	fillers = []string{
		"It rains.", "The desk is old.", "Tea is served at five.", "The lift works again.", "We met on Monday.",
		"The door was open.", "Lunch was late.", "The train left early.", "Nobody came.", "The garden is quiet.",
	}
)
