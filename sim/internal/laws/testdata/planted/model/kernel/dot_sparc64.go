package kernel // want "file dot_sparc64.go: no target of this test builds it"

func other(a, b, c float32) float32 { return a*b + c }
