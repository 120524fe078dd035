// Visit builds the custody command with an exhibit's defect in its engine, and writes the exhibit's script beside it: what a
// page shows of a failure can then be tried. It is typed in the module's root:
//
//	go run ./sim/museum/visit incident-row-stays DIR
//	DIR/custody replay DIR/incident-row-stays.trace --view
//
// Exit codes: 0 done, 2 it could not be done.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"custody/sim/museum"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "visit:", err)
		os.Exit(2)
	}
}

func run(args []string, out, help io.Writer) error {
	flags := flag.NewFlagSet("visit", flag.ContinueOnError)
	flags.SetOutput(help)
	flags.Usage = func() {
		fmt.Fprintln(help, "usage: visit [-root DIR] EXHIBIT DIR: builds DIR/custody with the defect, and writes DIR/EXHIBIT.trace")
	}
	root := flags.String("root", ".", "the module's root")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 2 {
		return fmt.Errorf("found %d arguments, expected two: an exhibit and a directory for the binary and the script", flags.NArg())
	}
	x, err := find(*root, flags.Arg(0))
	if err != nil {
		return err
	}
	return visit(x, *root, flags.Arg(1), out)
}

// find is the exhibit of a name.
func find(root, id string) (*museum.Exhibit, error) {
	dir := filepath.Join(root, "sim", "museum", "exhibits")
	all, err := museum.Load(dir)
	if err != nil {
		return nil, fmt.Errorf("is %s the module's root? %w", root, err)
	}
	for _, x := range all {
		if x.ID == id {
			return x, nil
		}
	}
	return nil, fmt.Errorf("no exhibit has the name %q: %s holds one file for each", id, dir)
}

// visit builds the binary and writes the script, and says what to type next.
func visit(x *museum.Exhibit, root, dir string, out io.Writer) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	planted := filepath.Join(dir, "planted")
	if err := os.MkdirAll(planted, 0o755); err != nil {
		return err
	}
	overlay, err := museum.Plant(root, planted, x.Edits)
	if err != nil {
		return err
	}
	binary, script := filepath.Join(dir, "custody"), filepath.Join(dir, x.ID+".trace")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay, "-o", binary, "./cmd/custody")
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	if err := os.WriteFile(script, []byte(x.Script), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s has the defect of %s; the sources that differ are in %s\nnext: %s replay %s --view\n", binary, x.ID, planted, binary, script)
	return nil
}
