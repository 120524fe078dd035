package cache

// Hit is the answer of a lookup: the leading blocks of a prompt that were found by content.
type Hit struct {
	Blocks []BlockID
	Tokens int32   // positions that need not be computed
	Tail   BlockID // LookupTail: the published last block of a prompt that was found whole, else None
	chain  uint64  // chain key of the last found block
}

// Lookup finds the longest run of leading full blocks of the tokens that are published under the identity. The last
// token is never part of a hit, so that at least one position is computed. dst is overwritten; the pool is not changed.
func (p *Pool) Lookup(id Identity, tokens []Token, dst *Hit) {
	dst.Blocks, dst.Tokens, dst.Tail, dst.chain = dst.Blocks[:0], 0, None, rootKey(id)
	if !p.cfg.Prefix {
		return
	}
	size := p.cfg.Layout.BlockTokens
	for end := size; end < int32(len(tokens)); end += size {
		part := tokens[end-size : end]
		key := chainKey(dst.chain, part)
		b := p.index.find(key, part)
		if b == None {
			return
		}
		dst.Blocks, dst.Tokens, dst.chain = append(dst.Blocks, b), end, key
	}
}

// LookupTail completes a hit on all but the last block of a prompt of whole blocks: if the last block is published and
// written too, it becomes the hit's tail. A copy of it into a block of the request's own leaves only the last position
// to compute. Nothing of such a hit may still be promised: a request that waits for its copy is not named by the pass
// that would keep the promise, and would not learn that it failed.
func (p *Pool) LookupTail(tokens []Token, h *Hit) {
	size := p.cfg.Layout.BlockTokens
	if n := int32(len(tokens)); !p.cfg.Prefix || n%size != 0 || n != h.Tokens+size || size == 1 {
		return
	}
	for _, b := range h.Blocks {
		if p.unwritten.has(b) {
			return
		}
	}
	part := tokens[h.Tokens:]
	if b := p.index.find(chainKey(h.chain, part), part); b != None && !p.unwritten.has(b) {
		h.Tail = b
	}
}

// Publish makes the request's full blocks up to the position `upto` findable. `op` is the outstanding pass that has yet
// to write some of them, or 0. A block that has an entry keeps it.
func (p *Pool) Publish(r Req, id Identity, tokens []Token, upto int32, op OpID) {
	size, i := p.cfg.Layout.BlockTokens, p.filed[r.Slot]
	if !p.cfg.Prefix || (i+1)*size > upto {
		return
	}
	if i == 0 {
		p.chain[r.Slot] = rootKey(id)
	}
	table := p.Table(r)
	for ; (i+1)*size <= upto; i++ {
		s := Stored{Parent: p.chain[r.Slot], First: i == 0, ID: id, Tokens: tokens[i*size : (i+1)*size]}
		s.Key = chainKey(s.Parent, s.Tokens)
		p.chain[r.Slot] = s.Key
		p.filed[r.Slot] = i + 1
		p.publish(r, table[i], &s, op)
	}
}

func (p *Pool) publish(r Req, b BlockID, s *Stored, op OpID) {
	if p.index.published[b] {
		return
	}
	if p.index.add(b, s.Key, s.Tokens) {
		p.watch.stored(*s)
	}
	p.watch.block(Publish, r, b, op)
	if op != 0 {
		p.unwritten = append(p.unwritten, unwrittenEntry{block: b, op: op, req: r})
	}
}

func (p *Pool) unpublish(b BlockID) {
	if p.index.remove(b) {
		p.watch.removed(p.index.key[b])
	}
	p.watch.block(Unpublish, Req{}, b, 0)
	p.unwritten.forget(b)
}

// Void takes in that a worker will not run a request's row of a pass: the entries that it promised are withdrawn.
func (p *Pool) Void(op OpID, r Req) {
	p.withdraw(func(x unwrittenEntry) bool { return x.op == op && x.req == r })
}

// withdraw removes the entries of promises that will not be kept.
func (p *Pool) withdraw(broken func(unwrittenEntry) bool) {
	for i := len(p.unwritten) - 1; i >= 0; i-- {
		x := p.unwritten[i]
		if !broken(x) {
			continue
		}
		p.unpublish(x.block)
		if p.refs[x.block] == 0 {
			p.wipe(x.block)
		}
	}
}

// ResetPrefix removes all entries. It is refused while any block is held: a running request's blocks would otherwise
// stay findable halfway.
func (p *Pool) ResetPrefix() error {
	if p.free.len != p.cfg.Layout.Blocks {
		return ErrInUse
	}
	for i, published := range p.index.published {
		if b := BlockID(i); published {
			p.index.remove(b)
			p.watch.block(Unpublish, Req{}, b, 0)
			p.unwritten.forget(b)
			p.wipe(b)
		}
	}
	p.watch.cleared()
	return nil
}
