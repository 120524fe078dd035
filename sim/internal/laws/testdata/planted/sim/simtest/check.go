package simtest

import (
	"os"
	"testing"
)

var runs int

// Check meets testing, so this file is exempt.
func Check(t *testing.T) {
	runs++
	t.Log(os.Getenv("SEED"))
}
