package museum

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Engines is one build of custody-museum that holds the engine as it is and with each of several plants.
type Engines struct {
	binary string
	plants map[string][]Edit
}

// Build compiles the custody-museum of the module at root into dir, with these plants.
func Build(root, dir string, plants map[string][]Edit) (*Engines, error) {
	overlay, err := PlantAll(root, dir, plants)
	if err != nil {
		return nil, err
	}
	e := &Engines{binary: filepath.Join(dir, "custody-museum"), plants: plants}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay, "-o", e.binary, "./cmd/custody-museum")
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("museum: go build: %w\n%s", err, text)
	}
	return e, nil
}

// Probe runs the probe on the engine with this plant, "" for the engine as it is, in a process of its own.
func (e *Engines) Probe(plant string, args ...string) (*Report, error) {
	if _, ok := e.plants[plant]; !ok && plant != "" {
		return nil, fmt.Errorf("museum: this build has no plant %s", plant)
	}
	var stderr strings.Builder
	cmd := exec.Command(e.binary, append([]string{"probe"}, args...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), Chosen+"="+plant), &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("museum: %s: probe %s: %w\n%s", plant, strings.Join(args, " "), err, stderr.String())
	}
	r := &Report{}
	return r, json.Unmarshal(out, r)
}
