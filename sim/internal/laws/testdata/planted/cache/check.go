package cache

// Only sim/check.go is exempt; the name alone does not help.

import "testing" // want "import of testing"

func Check(t *testing.T) {}
