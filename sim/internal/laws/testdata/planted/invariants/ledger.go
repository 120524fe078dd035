package invariants

import "time" // the import alone is no finding

const bound = 3 * time.Second
