package gen

import "custody/traces"

// Profile says what a generator draws: how large worlds are, and how much happens in them.
type Profile struct {
	Name      string
	Doc       string
	Events    int   // script events before the drain, at the most
	Faults    bool  // draw faults, cancellations, preemptions and resets
	Refusals  bool  // draw refusals by the worker
	Mismatch  bool  // draw a worker whose configuration differs
	Layout    bool  // it differs in a layout field
	Depth     int32 // outstanding passes, at the most
	MaxBlocks int32

	Configure func(*traces.Config) // settings of the user's own, made over what was drawn; may be nil
	Settings  []traces.Setting     // of the engine under test, for the script's engine line
}

// Profiles are the named profiles; the first is the default.
var Profiles = []Profile{
	{Name: "swarm", Doc: "every policy, every fault, tiny pools", Events: 60, Faults: true, Refusals: true,
		Mismatch: true, Depth: 3, MaxBlocks: 24},
	{Name: "calm", Doc: "every policy, no faults", Events: 60, Depth: 3, MaxBlocks: 24},
	{Name: "mismatch", Doc: "no faults, but a worker that disagrees about a limit", Events: 60,
		Mismatch: true, Depth: 2, MaxBlocks: 24},
	{Name: "layout", Doc: "no faults, but a worker that disagrees about a layout field: it must never run", Events: 20,
		Mismatch: true, Layout: true, Depth: 2, MaxBlocks: 24},
	{Name: "long", Doc: "like swarm, with scripts of up to 190 events", Events: 190, Faults: true, Refusals: true,
		Mismatch: true, Depth: 4, MaxBlocks: 48},
}

// FindProfile returns the profile of a name.
func FindProfile(name string) (Profile, bool) {
	for _, p := range Profiles {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}
