package museum

// Report is what a planted engine has shown.
type Report struct {
	Seed       uint64 // the first that broke the promise in its first failing step; 0 if none did
	Others     int    // failing seeds before it, whose first failing step broke other promises
	Script     string // the minimal script
	Lines      int    // its size
	Executions int    // what shrinking took
	Breaches   []Breach
}

// Breach is the first failure of one promise.
type Breach struct {
	Promise, Relation, Slot, Message string
	Step                             int64
}

// First returns the promise's breach if it is one of the first failing step.
func (r *Report) First(promise string) *Breach {
	for i := range r.Breaches {
		if b := &r.Breaches[i]; b.Promise == promise && b.Step == r.Breaches[0].Step {
			return b
		}
	}
	return nil
}
