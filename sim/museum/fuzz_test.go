package museum

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzExhibit says: whatever an exhibit's file holds, reading it gives a whole exhibit or an error that names the file,
// and its edits change a source or say why they cannot.
func FuzzExhibit(f *testing.F) {
	files, err := filepath.Glob("exhibits/*.txt")
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(text)
		f.Add(bytes.Replace(text, []byte("\n-\t"), []byte("\n-\xff"), -1))
	}
	source := []byte("package a\n\nfunc f() int { return 1 }\n\nfunc (t *T) g() { f() }\n")
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := parseExhibit("fuzz.txt", text)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "museum: fuzz.txt: "), err)
			return
		}
		require.NotEmpty(t, x.Script)
		for i := range x.Edits {
			_, _ = x.Edits[i].apply(source)
			e := x.Edits[i]
			e.Func = "f"
			_, _ = e.apply(source)
		}
	})
}
