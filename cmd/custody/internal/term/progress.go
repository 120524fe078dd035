package term

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Progress is a bar on the terminal. A nil one shows nothing: standard error is then a file or a pipe.
type Progress struct {
	bars  *mpb.Progress
	bar   *mpb.Bar
	total int64
	shown time.Time
	words atomic.Value // string; the bar is drawn by a goroutine of its own
}

func (c *Console) NewProgress(title string, total int64) *Progress {
	if !c.errIsTTY {
		return nil
	}
	p := &Progress{total: total, bars: mpb.New(mpb.WithOutput(c.Err), mpb.WithWidth(60))}
	p.words.Store("")
	p.bar = p.bars.AddBar(total,
		mpb.PrependDecorators(decor.Name(title+" ")),
		mpb.AppendDecorators(decor.Percentage(decor.WC{W: 5}), decor.Any(p.beside)),
		mpb.BarRemoveOnComplete(),
	)
	return p
}

// beside is what stands beside the bar.
func (p *Progress) beside(decor.Statistics) string { return " " + p.words.Load().(string) }

// Show moves the bar; more often than a person can see costs nothing.
func (p *Progress) Show(at int64, words func() string) {
	if p == nil || time.Since(p.shown) < 50*time.Millisecond {
		return
	}
	p.shown = time.Now()
	p.words.Store(words())
	p.bar.SetCurrent(min(at, p.total-1))
}

// Above is where lines go that are to stand above the bar, if they are for the same terminal.
func (p *Progress) Above(c *Console) io.Writer {
	if p == nil || !c.OutIsTTY {
		return c.Out
	}
	return p.bars
}

// Done takes the bar away.
func (p *Progress) Done() {
	if p == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
}
