package main

import (
	"planted/cmd/tool/internal/part"
	"planted/sim"
)

func main() { _, _ = part.X, sim.KindA }
