package museum

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The canary: an edit that changes nothing is no exhibit, and the museum says so.
func TestAnEditThatChangesNothingIsNoDefect(t *testing.T) {
	old := "h = mix(h, uint64(id.Epoch))"
	for _, same := range []string{"h = mix(h,   uint64(id.Epoch))", old + " // the epoch", old + ";"} {
		e := Edit{File: "cache/key.go", Func: "rootKey", Old: old, New: same}
		_, err := Plant(root, t.TempDir(), []Edit{e})
		require.ErrorContains(t, err, "it is no defect", same)
	}
}

func TestAnEditMustBeFoundOnceInItsFunction(t *testing.T) {
	source := []byte("package p\n\nfunc (x *T) f() {\n\tg(1,\n\t\t2)\n}\n\nfunc g(int, int) {}\n")
	for name, c := range map[string]struct {
		edit Edit
		want string
	}{
		"white space is folded": {
			Edit{File: "p.go", Func: "T.f", Old: "g(1, 2)", New: "g(2, 1)"},
			"package p\n\nfunc (x *T) f() {\n\tg(2, 1)\n}\n\nfunc g(int, int) {}\n",
		},
		"another function": {Edit{File: "p.go", Func: "g", Old: "g(1, 2)"}, "occurs 0 times"},
		"no such function": {Edit{File: "p.go", Func: "T.h", Old: "g(1, 2)"}, "has no function T.h"},
		"too often":        {Edit{File: "p.go", Func: "T.f", Old: ")"}, "occurs 3 times"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.edit.apply(source)
			if err != nil {
				require.ErrorContains(t, err, c.want)
				return
			}
			require.Equal(t, c.want, string(got))
		})
	}
}
