package campaign

import "testing"

func TestARateOverNoTimeIsNone(t *testing.T) {
	if got := perSecond(10, 0); got != 0 {
		t.Errorf("a rate over no time is %d", got)
	}
}
