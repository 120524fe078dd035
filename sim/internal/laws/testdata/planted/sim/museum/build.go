package museum

import "os/exec"

func Build() error { return exec.Command("go", "build").Run() }
