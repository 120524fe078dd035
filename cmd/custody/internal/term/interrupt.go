package term

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// Interrupt is the wish to stop. The first signal asks; the second ends the process at once.
type Interrupt struct {
	Asked atomic.Bool
	Stop  func()
}

// OnInterrupt starts to listen for Ctrl-C and a polite kill.
func OnInterrupt(c *Console) *Interrupt {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	i := &Interrupt{Stop: func() { signal.Stop(signals) }}
	go func() {
		<-signals
		i.Asked.Store(true)
		c.Warn("custody: stopping after the present run; once more ends at once")
		<-signals
		os.Exit(130)
	}()
	return i
}
