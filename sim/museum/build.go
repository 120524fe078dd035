package museum

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Build compiles custody-museum of the module at root into dir, with the defect of the edits planted; no edits build it as
// it is. An edit that changes no code is no defect: the binary must differ from `clean`, unless that is "".
func Build(root, dir, clean string, edits []Edit) (string, error) {
	out := filepath.Join(dir, "custody-museum")
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", out}
	if len(edits) > 0 {
		overlay, err := Plant(root, dir, edits)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.Command("go", append(args, "./cmd/custody-museum")...)
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("museum: go build: %w\n%s", err, text)
	}
	if clean == "" {
		return out, nil
	}
	same, err := sameFile(out, clean)
	if err == nil && same {
		err = fmt.Errorf("museum: the planted binary equals the clean one: the edit is no defect")
	}
	return out, err
}

func sameFile(a, b string) (bool, error) {
	x, err := sum(a)
	if err != nil {
		return false, err
	}
	y, err := sum(b)
	return bytes.Equal(x, y), err
}

func sum(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	h := sha256.Sum256(data)
	return h[:], err
}
