package invariants

import (
	"testing"

	"custody/cache"
)

// Teal is told amber's marker. That is a leak only if teal would not be told it alone, and has not said it itself.
func TestAnotherTenantsMarkerInAnAnswerBreaksMarker(t *testing.T) {
	secret := []cache.Token{11, 12, 13, 14}
	for name, c := range map[string]struct {
		prompt []cache.Token
		told   []cache.Token
		end    bool
		broken []string
	}{
		"told":                         {[]cache.Token{1, 2}, []cache.Token{5, 11, 12, 13, 14}, true, []string{"route", "marker"}},
		"told last":                    {[]cache.Token{1, 2}, []cache.Token{11, 12, 13, 14}, true, []string{"route", "marker"}},
		"told, and the answer goes on": {[]cache.Token{1, 2}, []cache.Token{11, 12, 13, 14}, false, []string{"route"}},
		"a part of it":                 {[]cache.Token{1, 2}, []cache.Token{11, 12, 13, 5}, true, []string{"route"}},
		"begun in the prompt":          {[]cache.Token{1, 11}, []cache.Token{12, 13, 14}, true, []string{"route"}},
		"said by the client itself":    {secret, []cache.Token{11, 12, 13, 14}, true, []string{"route"}},
		"nothing":                      {[]cache.Token{1, 2}, nil, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := fakeConfig()
			cfg.Parties.Markers = [][]cache.Token{secret, nil}
			d := &fakeEngine{Ledger: NewLedger(cfg, nil)}
			a := ask(teal, c.prompt...)
			a.Max = 6
			p := d.accept(0, 0, a)
			for _, tok := range c.told {
				d.Delivered(0, tok)
			}
			if c.end {
				d.Cancelled(0)
				d.leave(p, cache.Ended, cache.ByCancel)
				d.Ended(0, EndCancelled)
			}
			wantBroken(t, d.Ledger, c.broken...)
		})
	}
}

// What a request gets alone is its own, even if it spells another tenant's marker.
func TestAnAnswerThatIsRightLeaksNothing(t *testing.T) {
	plain := newFakeEngine()
	answer := plain.submit(0, teal, 1, 2)
	var secret []cache.Token
	for pos := int32(2); pos < 6; pos++ {
		secret = append(secret, plain.answer(answer, pos))
	}
	cfg := fakeConfig()
	cfg.Parties.Markers = [][]cache.Token{secret}
	d := &fakeEngine{Ledger: NewLedger(cfg, nil)}
	p := d.submit(0, teal, 1, 2)
	d.admit(p, 0, 1, 2)
	d.pass(p, 0, 2)
	for pos := int32(2); pos < 5; pos++ {
		d.pass(p, pos, pos+1)
	}
	wantBroken(t, d.Ledger)
	if d.checks[Marker] == 0 {
		t.Error("nobody looked")
	}
}
