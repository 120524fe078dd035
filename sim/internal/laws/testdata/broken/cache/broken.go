package cache

func broken() int {
	go missing()
	return broken()
}
