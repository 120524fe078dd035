package elsewhere

func Answer() int { return 42 }
