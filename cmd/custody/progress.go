package main

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress is a bar on the terminal. A nil one shows nothing: standard error is then a file or a pipe.
type progress struct {
	bars  *mpb.Progress
	bar   *mpb.Bar
	total int64
	shown time.Time
	words atomic.Value // string; the bar is drawn by a goroutine of its own
}

func (c *console) newProgress(title string, total int64) *progress {
	if !c.errIsTTY {
		return nil
	}
	p := &progress{total: total, bars: mpb.New(mpb.WithOutput(c.err), mpb.WithWidth(60))}
	p.words.Store("")
	p.bar = p.bars.AddBar(total,
		mpb.PrependDecorators(decor.Name(title+" ")),
		mpb.AppendDecorators(decor.Percentage(decor.WC{W: 5}), decor.Any(p.beside)),
		mpb.BarRemoveOnComplete(),
	)
	return p
}

// beside is what stands beside the bar.
func (p *progress) beside(decor.Statistics) string { return " " + p.words.Load().(string) }

// show moves the bar; more often than a person can see costs nothing.
func (p *progress) show(at int64, words func() string) {
	if p == nil || time.Since(p.shown) < 50*time.Millisecond {
		return
	}
	p.shown = time.Now()
	p.words.Store(words())
	p.bar.SetCurrent(min(at, p.total-1))
}

// above is where lines go that are to stand above the bar, if they are for the same terminal.
func (p *progress) above(c *console) io.Writer {
	if p == nil || !c.outIsTTY {
		return c.out
	}
	return p.bars
}

// done takes the bar away.
func (p *progress) done() {
	if p == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
}
