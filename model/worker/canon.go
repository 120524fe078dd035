package worker

import (
	"slices"

	"custody/cache"
	"custody/model"
)

// Canon appends what decides the worker's future: the rows that are bound, in the order in which the form has named their
// requests, and the issued operations. Which of the worker's rows a request has does not matter unless something was left
// in a free one; of that, what the next binding overwrites stays out.
func (r *Runner) Canon(c *cache.Canon) {
	dirty := false
	for at := range r.rows {
		dirty = dirty || !r.rows[at].bound && !r.rows[at].empty()
	}
	c.Bool(dirty)
	if dirty {
		for at := range r.rows {
			c.Bool(r.rows[at].bound)
			r.canonRow(c, at)
		}
	} else {
		r.canonBound(c)
	}
	c.Int(int32(len(r.passes)))
	for i := range r.passes {
		r.passes[i].canon(c)
	}
}

// canonBound appends the bound rows: by request, and last those of requests that nobody has named.
func (r *Runner) canonBound(c *cache.Canon) {
	known := len(c.Lives())
	for i := range known {
		if at := r.find(c.Lives()[i]); at >= 0 {
			r.canonRow(c, int(at))
		}
	}
	for at := range r.rows {
		if x := &r.rows[at]; x.bound && !slices.Contains(c.Lives()[:known], x.req) {
			r.canonRow(c, at)
		}
	}
	c.Int(-1)
}

func (x *row) empty() bool { return len(x.tokens) == 0 && len(x.table) == 0 && x.computed == 0 }

func (r *Runner) canonRow(c *cache.Canon, at int) {
	x := &r.rows[at]
	c.Tokens(x.tokens)
	c.Table(x.table)
	c.Int(x.computed)
	if !x.bound {
		return
	}
	c.Req(x.req)
	c.Identity(x.id)
	c.Sampling(x.sampling)
	known := c.IsOutstanding(x.last.op) // else no plan refers to it any more
	c.Bool(known)
	if known {
		c.Op(x.last.op)
		c.Int(x.last.row)
		c.Tokens(x.last.tokens)
	}
}

func (p *pass) canon(c *cache.Canon) {
	c.Op(p.batch.Op)
	c.Int(int32(p.queue))
	c.Int(int32(len(p.batch.Rows)))
	for i := range p.batch.Rows {
		c.Int(p.places[i])
		canonBatchRow(c, &p.batch.Rows[i])
	}
	c.Int(int32(len(p.holes)))
	for _, h := range p.holes {
		c.Op(h.token.Op)
		c.Word(uint64(uint32(h.token.Row))<<32 | uint64(uint32(h.token.At)))
		c.Word(uint64(uint32(h.row))<<32 | uint64(uint32(h.at)))
	}
	c.Int(int32(len(p.copies)))
	for _, x := range p.copies {
		c.Req(x.Req)
		c.Block(x.From)
		c.Block(x.To)
	}
}

func canonBatchRow(c *cache.Canon, row *model.Row) {
	c.Req(row.Req)
	c.Identity(row.ID)
	c.Sampling(row.Sampling)
	c.Int(row.Start)
	c.Tokens(row.Input)
	c.Table(row.Table)
	c.Bool(row.Sample)
}
