package cache

// Only sim/simtest is exempt; the name alone does not help.

import "testing" // want "import of testing"

func Check(t *testing.T) {}
