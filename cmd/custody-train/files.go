package main

import (
	"os"
	"path/filepath"
)

// writeFile writes a whole file or none. What is there and is no file, such as a device, is written to as it stands.
func writeFile(name string, data []byte) error {
	if at, err := os.Stat(name); err == nil && !at.Mode().IsRegular() {
		return os.WriteFile(name, data, 0o644)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
