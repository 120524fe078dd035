package cache

import (
	wall "time"
)

type stamped struct {
	at wall.Time // want "time.Time"
}

func stamp() (stamped, wall.Duration) {
	s := stamped{wall.Now()}   // want "time.Now"
	wall.Sleep(wall.Second)    // want "time.Sleep"
	wall.After(2 * wall.Hour)  // want "time.After"
	wall.Tick(1)               // want "time.Tick"
	wall.NewTimer(1)           // want "time.NewTimer"
	return s, wall.Since(s.at) // want "time.Since"
}
