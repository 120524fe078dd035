package scheduler

func ExampleF0() {}
