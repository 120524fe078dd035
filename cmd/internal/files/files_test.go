package files

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// --out /dev/null must not put a file in its place; the link keeps this test from doing so.
func TestADeviceIsWrittenToAndNotReplaced(t *testing.T) {
	full := filepath.Join(t.TempDir(), "full")
	require.NoError(t, os.Symlink("/dev/full", full))
	require.ErrorIs(t, Write(full, []byte("weights")), syscall.ENOSPC)
	at, err := os.Lstat(full)
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, at.Mode().Type())
}

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	for _, text := range []string{"one", "two"} {
		if err := Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(name); string(got) != text {
			t.Errorf("found %q, want %q", got, text)
		}
	}
	if err := Write(dir, []byte("x")); err == nil {
		t.Error("a directory was written to")
	}
	if err := Write(filepath.Join(dir, "b", "c"), []byte("x")); err == nil {
		t.Error("a file was written in a directory that is not there")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left, want 1", len(left))
	}
}
