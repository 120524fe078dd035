package sim

import "custody/scheduler"

func Step() { scheduler.Submitted++ }
