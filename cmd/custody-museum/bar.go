package main

import (
	"io"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// bar shows on a terminal how far things are. Elsewhere it shows nothing: the lines of the table do.
type bar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
}

func newBar(c *console, total int) *bar {
	if !c.errIsTTY {
		return &bar{}
	}
	b := &bar{bars: mpb.New(mpb.WithOutput(c.err), mpb.WithWidth(60))}
	b.bar = b.bars.AddBar(int64(total), mpb.PrependDecorators(decor.Name("campaigns ")),
		mpb.AppendDecorators(decor.CountersNoUnit(" %d of %d")), mpb.BarRemoveOnComplete())
	return b
}

func (b *bar) step() {
	if b.bar != nil {
		b.bar.Increment()
	}
}

// above is where lines go that are to stand above the bar, if they are for the same terminal.
func (b *bar) above(c *console) io.Writer {
	if b.bars != nil && c.outIsTTY {
		return b.bars
	}
	return c.out
}

func (b *bar) done() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.bars.Wait()
	}
}
