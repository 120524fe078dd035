package narrative

import "testing"

func TestANoteSaysItsStep(t *testing.T) {
	for note, want := range map[string]uint64{"12 t=3 plan": 12, "handshake: fine": 0, "": 0} {
		if got := stepOf(note); got != want {
			t.Errorf("stepOf(%q) = %d", note, got)
		}
	}
}
