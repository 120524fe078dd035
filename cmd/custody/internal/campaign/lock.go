package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFile keeps a second process out of --out. The system holds the lock for the process and takes it back when that
// ends, however it ends; the file that stays behind locks nobody out.
const lockFile = "lock"

// lockOut takes the directory for results, or says that another process has it.
func (r *campaign) lockOut() error {
	lock := flock.New(filepath.Join(r.Out, lockFile))
	mine, err := lock.TryLock()
	switch {
	case errors.Is(err, fs.ErrNotExist): // no directory: there is nothing to resume, and the journal says so
		return nil
	case err != nil: // as on some network file systems
		r.console.Warn("custody run: %s cannot be locked (%v): let no other process write to it", r.Out, err)
		return nil
	case !mine:
		return fmt.Errorf("another process writes to %s (it holds %s): let it end, or choose another --out", r.Out, lock.Path())
	}
	r.lock = lock
	return nil
}

func (r *campaign) unlock() {
	if r.lock != nil {
		_ = r.lock.Unlock() // the process ends soon, and the lock with it
	}
}
