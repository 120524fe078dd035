// Package fleet is exempt as a whole.
package fleet

import "sync"

func Run(n int, do func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}
