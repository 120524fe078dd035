// Package files writes the files that the commands leave behind. A reader never meets half of one, and nobody's file is
// written over unasked.
package files

import (
	"os"
	"path/filepath"
)

// Write writes a whole file or none: a failure leaves an earlier one as it was. What is there and is no file, such as a
// device, is written to as it stands.
func Write(name string, data []byte) error {
	if at, err := os.Stat(name); err == nil && !at.Mode().IsRegular() {
		return os.WriteFile(name, data, 0o644)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	err = fill(f, data)
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// fill writes and closes a file. Sync reports the full disk that a later close would not.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// Same tells whether two names are of one file that is there.
func Same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// Taken tells whether writing to the name would take the place of a file.
func Taken(name string) bool {
	at, err := os.Stat(name)
	return err == nil && at.Mode().IsRegular()
}
