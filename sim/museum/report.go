package museum

// Report is what a planted engine has shown.
type Report struct {
	Seed       uint64         // the first that broke the promise in its first failing step; 0 if none did
	Found      []uint64       // all such seeds that were tried
	Failing    []uint64       // all seeds that broke any promise
	Script     string         // the minimal script of Seed
	Lines      int            // its size
	Steps      int64          // its steps up to the breach
	Executions int            // what shrinking took
	Breaches   []BreachReport // of Seed, or of the script that was executed
	Seen       []string       // the promises that the script breaks on the transformer
}

// BreachReport is the first failure of one promise.
type BreachReport struct {
	Promise, Relation, Slot, Message string
	Step                             int64
}

// First returns the promise's breach if it is one of the first failing step.
func (r *Report) First(promise string) *BreachReport {
	for i := range r.Breaches {
		if b := &r.Breaches[i]; b.Promise == promise && b.Step == r.Breaches[0].Step {
			return b
		}
	}
	return nil
}
