package cache

import "planted/scheduler" // a test looks wherever the compiler lets it

var _ = scheduler.X
