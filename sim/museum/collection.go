package museum

import (
	"path/filepath"
	"slices"
)

// Museum is what stands in the files, and what campaigns have shown of it, in the order of the files.
type Museum struct {
	Exhibits []*Exhibit
	Controls []*Control
	Seeds    int // of each campaign
	Kills    []*Kill
	Silences []*Silence
}

// Open reads the exhibits and controls of the module at root.
func Open(root string) (*Museum, error) {
	m, dir := &Museum{}, filepath.Join(root, "sim", "museum")
	var err error
	if m.Exhibits, err = load(filepath.Join(dir, "exhibits"), parseExhibit); err != nil {
		return nil, err
	}
	m.Controls, err = load(filepath.Join(dir, "controls"), parseControl)
	return m, err
}

// Exhibit is the one of a name, or nil.
func (m *Museum) Exhibit(id string) *Exhibit {
	for _, x := range m.Exhibits {
		if x.ID == id {
			return x
		}
	}
	return nil
}

// Plants is what the exhibits and controls plant, by name.
func (m *Museum) Plants() map[string][]Edit {
	plants := map[string][]Edit{}
	for _, x := range m.Exhibits {
		plants[x.ID] = x.Edits
	}
	for _, c := range m.Controls {
		plants[c.ID], plants[c.canary()] = c.Edits, slices.Concat(c.Edits, c.Canary)
	}
	return plants
}
