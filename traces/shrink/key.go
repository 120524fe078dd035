package shrink

import "custody/traces"

// keyOf digests everything that an execution may depend on: not comments, line numbers, or the expectation.
func keyOf(s *traces.Script) traces.Digest {
	var d traces.Digest
	d.AddString(s.Engine.Name)
	d.Add(uint64(len(s.Engine.Settings)))
	for _, set := range s.Engine.Settings {
		d.AddString(set.Key)
		d.AddString(set.Value)
	}
	for _, v := range s.Config {
		d.Add(uint64(v))
	}
	d.Add(uint64(len(s.Tenants)))
	for i := range s.Tenants {
		d.AddString(s.Tenants[i].Name)
		d.Add(uint64(s.Tenants[i].Quota))
		addTokens(&d, s.Tenants[i].Marker)
	}
	d.Add(uint64(len(s.Workers)))
	for i := range s.Workers {
		addWorker(&d, &s.Workers[i])
	}
	for i := range s.Events {
		addEvent(&d, &s.Events[i])
	}
	return d
}

func addWorker(d *traces.Digest, w *traces.Worker) {
	d.AddString(w.Name)
	for k, has := range w.Has {
		if has {
			d.Add(uint64(k) + 1)
			d.Add(uint64(w.Value[k]))
		}
	}
	d.Add(0)
}

func addEvent(d *traces.Digest, e *traces.Event) {
	d.Add(uint64(e.Verb)<<8 | uint64(e.When.Kind))
	d.Add(uint64(e.When.N))
	d.AddString(e.Name)
	d.AddString(e.Tenant)
	addTokens(d, e.Prompt)
	for a, v := range e.Args {
		if v != 0 { // most are
			d.Add(uint64(a))
			d.Add(uint64(v))
		}
	}
	d.Add(uint64(traces.NumArgs))
}

func addTokens(d *traces.Digest, tokens []int32) {
	d.Add(uint64(len(tokens)))
	for i := 0; i < len(tokens)-1; i += 2 {
		d.Add(two(tokens[i], tokens[i+1]))
	}
	if len(tokens)%2 == 1 {
		d.Add(uint64(tokens[len(tokens)-1]))
	}
}

func two(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }
