package kernel

func Dot(a, b []float32) float32
