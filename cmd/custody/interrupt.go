package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// interrupt is the wish to stop. The first signal asks; the second ends the process at once.
type interrupt struct {
	asked atomic.Bool
	stop  func()
}

// onInterrupt starts to listen for Ctrl-C and a polite kill.
func onInterrupt(c *console) *interrupt {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	i := &interrupt{stop: func() { signal.Stop(signals) }}
	go func() {
		<-signals
		i.asked.Store(true)
		c.warn("custody: stopping after the present run; once more ends at once")
		<-signals
		os.Exit(130)
	}()
	return i
}
