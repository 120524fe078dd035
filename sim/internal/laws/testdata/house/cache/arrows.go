package cache // want "package cache: go doc shows no way in .shape.; write an Example"

import (
	"planted/scheduler" // want "import of scheduler by cache"
	"planted/traces"    // want "import of traces by cache"
	"strings"
)

var _, _, _ = scheduler.X, traces.X, strings.ToUpper
