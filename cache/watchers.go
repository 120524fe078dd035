package cache

// watchers are told what the pool does. Either may be absent.
type watchers struct {
	obs    Observer
	stream Stream
}

// Attach sets the observer of the pool; nil detaches it.
func (p *Pool) Attach(o Observer) { p.watch.obs = o }

// AttachStream sets who is told of the KV events; nil detaches it.
func (p *Pool) AttachStream(s Stream) { p.watch.stream = s }

func (w *watchers) block(k BlockKind, r Req, b BlockID, op OpID) {
	if w.obs != nil {
		w.obs.Block(k, r, b, op)
	}
}

func (w *watchers) try(k TryKind, r Req) {
	if w.obs != nil {
		w.obs.Try(k, r)
	}
}

// tried tells how an attempt ended.
func (w *watchers) tried(err error, r Req) error {
	if err == nil {
		w.try(Committed, r)
	} else {
		w.try(Failed, r)
	}
	return err
}

func (w *watchers) stored(s Stored) {
	if w.stream != nil {
		w.stream.Stored(s)
	}
}

func (w *watchers) removed(key uint64) {
	if w.stream != nil {
		w.stream.Removed(key)
	}
}

func (w *watchers) cleared() {
	if w.stream != nil {
		w.stream.Cleared()
	}
}
