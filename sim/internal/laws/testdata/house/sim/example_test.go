package sim

func Example() {}
