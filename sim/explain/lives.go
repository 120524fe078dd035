package explain

import (
	"custody/cache"
	"custody/sim"
)

// lives remember whose each life is, as the slot of the request table will be another's.
type lives struct {
	world *sim.World
	of    map[cache.Req]int32 // by life: its client
}

func newLives(w *sim.World) lives { return lives{world: w, of: map[cache.Req]int32{}} }

// saw takes in a fact of a life. When a life is accepted, the world does not know the request yet.
func (l *lives) saw(r cache.Req, k cache.LifeKind) {
	if k != cache.Accepted {
		l.of[r] = l.world.Roster().Of(r)
	}
}

// clientOf is the client of a life, which may have ended.
func (l *lives) clientOf(r cache.Req) int32 {
	if c, ok := l.of[r]; ok {
		return c
	}
	return l.world.Roster().Of(r)
}
