package sim

// StepKind is the kind of a step: one event, applied to the world.
type StepKind uint8

// The kinds. The first ones are a script's, the others follow from what the engine does. Those that are due at one time
// come in this order.
const (
	StepSubmit StepKind = iota
	StepCancel
	StepPreempt
	StepReset
	StepFault // a fault is armed
	StepNop
	StepRefuse // a worker's refusals reach the engine
	StepSettle // a result reaches the engine
	StepLost   // the news of a failed operation reaches the engine
	StepDeliver
	StepPlan
	StepFinish
	StepDrain
	NumSteps
)

// stepNames are the words for the kinds.
var stepNames = [NumSteps]string{
	"submit", "cancel", "preempt", "reset", "fault", "nop", "refuse", "settle", "lost", "deliver", "plan", "finish", "drain",
}

func (k StepKind) String() string { return stepNames[k] }

// Step is a moment of a run: one event, applied to the world.
type Step struct {
	Number int64 // from 1
	Kind   StepKind
	Time   Time
	Line   int // index of the script's event under which it stands; -1 before the first
}

// begin starts a step.
func (w *World) begin(k StepKind) {
	w.step = Step{Number: w.step.Number + 1, Kind: k, Time: w.now, Line: w.cursor.line}
	w.work.Steps++
	for _, x := range w.hearers.of[Begun] {
		x.Begin(w.step)
	}
}

// end finishes a step: what the engine has to tell its clients goes out.
func (w *World) end() {
	for i := range w.nodes {
		w.nodes[i].send()
	}
	w.noteDenied()
	for _, x := range w.hearers.of[Over] {
		x.End(w.step)
	}
}

// runNext lets the derived event happen that is due first. It reports false if there is none.
func (w *World) runNext() bool {
	if len(w.effects.list) == 0 {
		return false
	}
	e := &w.effects.list[0]
	w.now = max(w.now, e.Due)
	if e.Kind == StepDeliver {
		w.deliver()
	} else {
		derived[e.Kind](w.nodeAt(e))
	}
	w.end()
	w.cursor.fireAnchors()
	return true
}

// nodeAt is the node in which an effect happens.
func (w *World) nodeAt(e *Effect) *Node { return &w.nodes[e.To.node()] }

// derived are the derived events of a node, by the kind of their effect: each takes the effect off the list.
var derived = [NumSteps]func(*Node){
	StepRefuse: (*Node).takeRefusals, StepSettle: (*Node).settle, StepFinish: (*Node).finish, StepPlan: (*Node).planNow,
}
