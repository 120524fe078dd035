package stranger

func Example() {}
