package scheduler

import "C" // want "import of C"

import (
	"custody/helper"    // want "import of custody/helper"
	"custody/sim/fleet" // want "import of custody/sim/fleet"
	"flag"              // want "import of flag"
	"fmt"
	"io/ioutil" // want "import of io/ioutil"
	"log"       // want "import of log"
	"net/url"   // want "import of net/url"
	"os"        // want "import of os"
	_ "os/exec" // want "import of os/exec"
	"path/filepath"
	_ "syscall" // want "import of syscall"

	"example.org/elsewhere" // want "import of example.org/elsewhere"
)

func ambient() {
	flag.Parse()
	log.Print(os.Args, url.URL{}, ioutil.Discard, helper.Home(), fleet.Run, elsewhere.Answer())
	fmt.Println()                        // want "fmt.Println"
	println()                            // want "println writes to the terminal"
	_, _ = filepath.Glob("*")            // want "filepath.Glob"
	_ = filepath.WalkDir(".", nil)       // want "filepath.WalkDir"
	_ = fmt.Sprint(filepath.Base("a/b")) // a name is only text
}
