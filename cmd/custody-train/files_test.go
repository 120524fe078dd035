package main

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
	require.ErrorIs(t, writeFile(full, []byte("weights")), syscall.ENOSPC)
	at, err := os.Lstat(full)
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, at.Mode().Type())
}
