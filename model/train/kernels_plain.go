//go:build !amd64 || purego

package train

func tile(c, a, b view, k int, keep bool) { tilePlain(c, a, b, k, keep) }
