package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"custody/sim/museum"
)

const visitDoc = `Builds the custody command with an exhibit's defect in its engine, as DIR/custody, and writes the exhibit's
script beside it: what a page shows of a failure can then be tried.`

func newVisit(c *console) *cobra.Command {
	root := ""
	cmd := &cobra.Command{
		Use: "visit EXHIBIT DIR", Short: "Build a custody with an exhibit's defect", Long: visitDoc,
		Example: "  custody-museum visit incident-row-stays DIR\n  DIR/custody replay DIR/incident-row-stays.trace --view",
		Args:    arguments(2, "two: an exhibit, and a directory for the binary and the script"),
		RunE: func(_ *cobra.Command, args []string) error {
			x, err := find(root, args[0])
			if err != nil {
				return err
			}
			return visit(c, x, root, args[1])
		},
	}
	rootFlag(cmd, &root)
	return cmd
}

// rootFlag says where the module is, whose sources are planted.
func rootFlag(cmd *cobra.Command, root *string) {
	cmd.Flags().StringVar(root, "root", ".", "the module's root")
}

// find is the exhibit of a name.
func find(root, id string) (*museum.Exhibit, error) {
	m, err := museum.Open(root)
	if err != nil {
		return nil, fmt.Errorf("is %s the module's root? %w", root, err)
	}
	if x := m.Exhibit(id); x != nil {
		return x, nil
	}
	return nil, fmt.Errorf("no exhibit has the name %q: %s holds one file for each", id, filepath.Join(root, "sim/museum/exhibits"))
}

// visit builds the binary and writes the script, and says what to type next.
func visit(c *console, x *museum.Exhibit, root, dir string) error {
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
	fmt.Fprintf(c.out, "%s has the defect of %s; the sources that differ are in %s\n", binary, x.ID, planted)
	fmt.Fprintf(c.out, "next: %s replay %s --view\n", binary, script)
	return nil
}
