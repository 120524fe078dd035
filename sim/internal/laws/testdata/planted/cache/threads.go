package cache

import (
	"context" // want "import of context"
	"iter"
	"reflect"
	lock "sync"   // want "import of sync"
	"sync/atomic" // want "import of sync/atomic"
)

type mailbox struct {
	mu  lock.Mutex
	n   atomic.Int64
	ctx context.Context
	in  chan int // want "channel type"
}

func (m *mailbox) serve() {
	go m.serve() // want "go statement"
	select {     // want "select"
	case v := <-m.in: // want "receive from a channel"
		m.in <- v // want "send on a channel"
	default:
	}
	for range m.in { // want "range over a channel"
	}
	close(m.in) // want "close of a channel"
}

func pulled(seq iter.Seq[int]) {
	next, stop := iter.Pull(seq) // want "iter.Pull"
	defer stop()
	next()
}

func reflected(t reflect.Type) reflect.Value {
	return reflect.MakeChan(t, 1) // want "reflect.MakeChan"
}
