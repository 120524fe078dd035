package main

import (
	"fmt"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"custody/model/train"
)

// bar shows on a terminal how far the training is, and how well it goes. A nil one shows nothing.
type bar struct {
	all   *mpb.Progress
	one   *mpb.Bar
	words atomic.Value // string; the bar is drawn by a goroutine of its own
	loss  float64      // smoothed
	hits  float64
}

func newBar(c *console, steps int) *bar {
	if !c.errIsTTY {
		return nil
	}
	b := &bar{all: mpb.New(mpb.WithOutput(c.err), mpb.WithWidth(50))}
	b.words.Store("")
	b.one = b.all.AddBar(int64(steps),
		mpb.PrependDecorators(decor.CountersNoUnit("step %d / %d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return b.words.Load().(string) }),
			decor.AverageETA(decor.ET_STYLE_MMSS)),
		mpb.BarRemoveOnComplete(),
	)
	return b
}

// smooth is the share of the past in what is shown: single steps jump.
const smooth = 0.95

func (b *bar) show(p train.Progress) {
	if b == nil {
		return
	}
	if b.loss == 0 {
		b.loss, b.hits = p.Loss, p.Hits
	}
	b.loss = smooth*b.loss + (1-smooth)*p.Loss
	b.hits = smooth*b.hits + (1-smooth)*p.Hits
	b.words.Store(fmt.Sprintf(" loss %.4f, %.1f%% of characters, ", b.loss, 100*b.hits))
	b.one.SetCurrent(int64(p.Step))
}

// say prints a line above the bar.
func (b *bar) say(c *console, line string) {
	if b == nil {
		fmt.Fprintln(c.out, line)
		return
	}
	fmt.Fprintln(b.all, line)
}

func (b *bar) done() {
	if b == nil {
		return
	}
	b.one.Abort(true)
	b.all.Wait()
}
