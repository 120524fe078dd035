package traces

func Example() {}
