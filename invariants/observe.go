package invariants

import "custody/cache"

// What the engine reports, and where it goes: first to the checks, which compare it with the books, then into the books,
// then to the promises of a user.

// Block implements cache.Observer.
func (l *Ledger) Block(k cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	if !l.guests.any() { // nothing of the fact need be kept
		noteBlock(l, k, r, b, op)
		return
	}
	noteBlock(l, k, r, b, op)
	l.guests.dispatch(l, Observation{Kind: SawBlock, Req: r, Block: b, Op: op, A: int64(k)})
}

func noteBlock(l *Ledger, k cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	switch k {
	case cache.Alloc:
		noteAlloc(l, r, b)
	case cache.Adopt:
		noteAdopt(l, r, b)
	case cache.Drop:
		noteDrop(l, r, b)
	case cache.Freed:
		noteFreed(l, b)
	case cache.Publish:
		notePublish(l, r, b, op)
	case cache.Unpublish:
		noteUnpublish(l, b)
	case cache.Poison:
		checkPoison(l, b)
		l.memory.poison(b)
	}
}

func noteAlloc(l *Ledger, r cache.Req, b cache.BlockID) {
	checkAlloc(l, r, b)
	if !l.hides(HidesFacts) { // else an entry ends for the ledger when its block is handed out, and not before
		checkReused(l, r, b)
	}
	l.attempts.takes(b)
	x := &l.blocks.list[b]
	x.refs, x.held = 1, true
	give(l, r, hold{block: b, epoch: l.memory.renew(b)})
}

func noteAdopt(l *Ledger, r cache.Req, b cache.BlockID) {
	checkFound(l, r, b)
	l.attempts.takes(b)
	x := &l.blocks.list[b]
	x.refs++
	x.held = true
	give(l, r, hold{block: b, epoch: l.memory.ages[b].epoch, adopted: true})
	size, n := l.memory.size, l.blocks.lengths[r.Slot]
	if y := &l.lives.present[r.Slot]; y.valid == (n-1)*size {
		y.valid = n * size
	}
}

func give(l *Ledger, r cache.Req, h hold) {
	if l.lives.present[r.Slot].gen == r.Gen {
		l.blocks.push(r.Slot, h)
	}
}

func noteDrop(l *Ledger, r cache.Req, b cache.BlockID) {
	if !l.hides(HidesFacts) { // else nobody saw it: it was derived
		checkDrop(l, r, b)
	}
	l.attempts.drops(b)
	x := &l.blocks.list[b]
	x.refs--
	if x.refs > 0 {
		l.Hit(SharedOutlivesHolder)
		markReleased(l, r, b)
	}
	if y := l.lives.current(r); y != nil {
		l.blocks.remove(r.Slot, b)
		y.valid = min(y.valid, l.blocks.lengths[r.Slot]*l.memory.size)
	} else {
		l.blocks.leaving--
	}
}

func noteFreed(l *Ledger, b cache.BlockID) {
	if !l.hides(HidesFacts) {
		checkFreed(l, b)
	}
	l.blocks.list[b].held = false
}

// notePublish notes what a block is filed for.
func notePublish(l *Ledger, r cache.Req, b cache.BlockID, op cache.OpID) {
	a := l.owner(r)
	end := (l.blocks.indexIn(r.Slot, b) + 1) * l.memory.size
	l.accounts.extend(a, end)
	noteUnpublish(l, b) // a second entry takes the place of the first
	x := &l.index.entries[b]
	x.published, x.id, x.op, x.life, x.tag = true, a.id, op, l.lives.numberOf(r, a.submission), 0
	if end > 0 && end <= l.cfg.Bounds.MaxLen {
		x.tag = l.accounts.tagAt(a, end-1)
	}
	l.index.filed.add(b, x.tag)
	l.attempts.files(b)
	checkPublished(l, a, b)
}

func noteUnpublish(l *Ledger, b cache.BlockID) {
	x := &l.index.entries[b]
	if !x.published {
		return
	}
	x.published = false
	l.index.filed.remove(b, x.tag)
	l.attempts.unfiles(b)
	markWithdrawn(l, b, x)
	markOneOfTwo(l, x)
}

// Touch implements cache.Observer.
func (l *Ledger) Touch(k cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	holds := held(l, op, r)
	if k == cache.Read {
		checkRead(l, op, r, layer, run, holds)
	} else {
		noteWrite(l, r, layer, run, holds)
	}
	if l.guests.any() {
		tellTouch(l, k, op, r, layer, run)
	}
}

// tellTouch tells the promises of a user of an access, layer by layer.
func tellTouch(l *Ledger, k cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	kind := SawRead
	if k == cache.Write {
		kind = SawWrite
	}
	for at, end := l.memory.span(layer); at < end; at++ {
		l.guests.dispatch(l, Observation{Kind: kind, Req: r, Op: op, Layer: int(at), Run: run})
	}
}

// noteWrite takes in what the slots of a run hold from now on. The last layer makes them valid.
func noteWrite(l *Ledger, r cache.Req, layer int, run cache.Run, holds []hold) {
	x, a := l.stand(r)
	run.Hi = min(run.Hi, l.accounts.maxLen)
	l.accounts.extend(a, run.Hi)
	l.memory.write(l.lives.numberOf(r, a.submission), layer, run, holds, l.accounts.tagsOf(a))
	if run.Lo <= x.valid && x.is(r.Gen) && (layer == cache.AllLayers || layer == int(l.memory.layers)-1) {
		x.valid = max(x.valid, run.Hi)
	}
}

// CopyBlock implements cache.Observer.
func (l *Ledger) CopyBlock(op cache.OpID, c cache.Copy) {
	l.memory.copy(c)
	if o := l.ops.find(op); o != nil && len(o.rows) == 1 {
		noteCopied(l, o.rows[0].req)
	}
	if l.guests.any() {
		l.guests.dispatch(l, Observation{Kind: SawCopy, Op: op, A: int64(c.From), B: int64(c.To)})
	}
}

// noteCopied extends a request's valid positions by its copied tail block: the last two of its table are that and the source.
func noteCopied(l *Ledger, r cache.Req) {
	size, own := l.memory.size, l.blocks.lengths[r.Slot]-2
	if x := l.lives.current(r); x != nil && own >= 0 && x.valid == own*size {
		x.valid = (own + 1) * size
	}
}

// Op implements cache.Observer.
func (l *Ledger) Op(k cache.OpKind, op cache.OpID, q cache.Queue) {
	switch k {
	case cache.Issued:
		l.ops.issue(op, q)
		checkLayouts(l)
	case cache.Settled, cache.Lost:
		l.ops.end(op, q)
	}
	if l.guests.any() {
		l.guests.dispatch(l, Observation{Kind: SawOp, Op: op, A: int64(k), B: int64(q)})
	}
}

// Planned implements cache.Observer: a pass has been issued with this row.
func (l *Ledger) Planned(op cache.OpID, r cache.Req, run cache.Run) {
	o := l.ops.last()
	if l.lives.current(r) != nil {
		o.carry(r, l.blocks.table(r.Slot))
	} else {
		o.carry(r, nil)
	}
	checkPlanned(l, o, r, run)
	if l.cfg.Claims.TwoQueues {
		planTouches(l, o, r, run)
	}
}

// PlannedCopy implements cache.Observer.
func (l *Ledger) PlannedCopy(_ cache.OpID, r cache.Req, c cache.Copy) {
	o := l.ops.last()
	o.carry(r, nil)
	planRead(l, o, r, c.From)
	planWrite(l, o, r, c.To)
}

// Use implements cache.Observer.
func (l *Ledger) Use(u *cache.Used) {
	x, a := l.stand(u.Req)
	checkRow(l, u, a, held(l, u.Op, u.Req))
	if x.is(u.Req.Gen) {
		checkBound(l, u, a)
		checkStart(l, u, x)
	}
}

// Sampled implements cache.Observer.
func (l *Ledger) Sampled(op cache.OpID, r cache.Req, pos int32, t cache.Token) {
	x, a := l.stand(r)
	checkSolo(l, a, pos, t)
	l.accounts.saw(a, pos, t)
	switch {
	case x.is(r.Gen):
		x.sampled++
	case x.is(r.Gen + 1):
		x.earlier++
	}
	if l.guests.any() {
		l.guests.dispatch(l, Observation{Kind: SawSampled, Req: r, Op: op, A: int64(pos), B: int64(t)})
	}
}

// Row implements cache.Observer.
func (l *Ledger) Row(k cache.RowKind, row int32, r cache.Req) {
	l.rows.reqs[row], l.rows.bound[row] = r, k == cache.Bound
	if k == cache.Bound {
		markBound(l, row, r)
	}
	if l.guests.any() {
		l.guests.dispatch(l, Observation{Kind: SawRow, Req: r, A: int64(k), B: int64(row)})
	}
}

// Life implements cache.Observer.
func (l *Ledger) Life(r cache.Req, k cache.LifeKind, why cache.Cause) {
	x := &l.lives.present[r.Slot]
	checkLife(l, x, r, k, why)
	markTaken(l, r, why)
	markGaveWay(l, why)
	noteLife(l, x, r, k, why)
	if l.guests.any() {
		l.guests.dispatch(l, Observation{Kind: SawLife, Req: r, A: int64(k), B: int64(why)})
	}
}

// noteLife follows a request through its life: blocks and counts belong to one generation.
func noteLife(l *Ledger, x *presentLife, r cache.Req, k cache.LifeKind, why cache.Cause) {
	if k == cache.Accepted {
		noteAccepted(l, r, x)
	}
	if givesToken(why) {
		x.taken++
		*x.unsettled()--
	}
	from, to := x.phase, x.phase.after(k)
	if from != to {
		noteQueue(l, r, from, to, why)
	}
	x.phase = to
	switch k {
	case cache.Ended:
		l.blocks.leave(r.Slot)
		x.gen = r.Gen + 1
		l.door.count(l.accounts.list[x.client].tenant, -1)
	case cache.LostBlocks:
		x.earlier, x.sampled = x.sampled, 0
		l.blocks.leave(r.Slot)
		x.gen, x.valid = r.Gen+1, 0
		x.number = l.lives.begin(&l.accounts.list[x.client], x.gen)
	}
}

// noteAccepted takes in that the submission at the door has become a request.
func noteAccepted(l *Ledger, r cache.Req, x *presentLife) {
	a := &l.accounts.list[l.door.offered]
	checkAccepted(l, a)
	checkHopeful(l, a)
	*x = presentLife{client: a.client, gen: r.Gen, number: l.lives.begin(a, r.Gen)}
	l.blocks.lengths[r.Slot] = 0 // should a life have been there
	a.slot = r.Slot
	l.door.count(a.tenant, 1)
}

// noteQueue follows a request from one phase to another in the queue and among those that run.
func noteQueue(l *Ledger, r cache.Req, from, to phase, why cache.Cause) {
	switch from {
	case running:
		checkVictim(l, r, why)
		l.order.running = without(l.order.running, r.Slot)
	case waiting:
		checkTurn(l, r, to)
		l.order.waiting = without(l.order.waiting, r.Slot)
	}
	switch to {
	case waiting:
		if l.order.join(l.placeOf(r), from != over) {
			l.Hit(LaterCameFirst)
		}
	case running:
		l.order.running = append(l.order.running, l.placeOf(r))
		checkRunning(l, r)
	}
	l.door.queued += to.waits() - from.waits()
}

// Count implements cache.Observer.
func (l *Ledger) Count(r cache.Req, settled int32) { checkSettled(l, r, settled) }

// Try implements cache.Observer.
func (l *Ledger) Try(k cache.TryKind, r cache.Req) {
	checkAttempt(l, k, r)
	if l.attempts.admits && l.cfg.Claims.Prefix {
		checkHit(l, k, r)
	}
}
