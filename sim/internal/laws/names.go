package laws

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// usage tells the lawful names of a package from the others. Either only the listed names are lawful, or only they
// are not. A method is written Type.Method and can only be forbidden.
type usage struct {
	pkg   string
	only  string // all other functions, types and variables of the package are forbidden
	funcs string // all other functions of the package are forbidden, its types and constants are fine
	never string // these are forbidden
	rule  *rule
}

// usages is read from the top: the first line that forbids a name gives the rule.
var usages = []usage{
	{pkg: "time", rule: clock,
		only: "Duration Nanosecond Microsecond Millisecond Second Minute Hour"},

	{pkg: "math/rand", rule: transcendental, never: "NewZipf Rand.NormFloat64 Rand.ExpFloat64"},
	{pkg: "math/rand/v2", rule: transcendental, never: "NewZipf Rand.NormFloat64 Rand.ExpFloat64"},
	{pkg: "math/rand", rule: random, funcs: "New NewSource"},
	{pkg: "math/rand/v2", rule: random, funcs: "New NewPCG NewChaCha8"},

	// What is left out gives other bits on other processors; these are exact, or rounded once as the standard says.
	{pkg: "math", rule: transcendental,
		funcs: "Abs Ceil Copysign Dim FMA Float32bits Float32frombits Float64bits Float64frombits Floor Frexp Ilogb Inf " +
			"IsInf IsNaN Ldexp Logb Max Min Mod Modf NaN Nextafter Nextafter32 Remainder Round RoundToEven Signbit Sqrt Trunc"},

	{pkg: "maps", rule: mapOrder, never: "All Keys Values"},
	{pkg: "reflect", rule: mapOrder, never: "Value.MapRange Value.MapKeys Value.Seq Value.Seq2"},

	{pkg: "iter", rule: concurrency, never: "Pull Pull2"},
	{pkg: "reflect", rule: concurrency, never: "ChanOf MakeChan Select"},

	{pkg: "runtime", rule: callSite, never: "Caller Callers CallersFrames Frame Frames Func FuncForPC"},
	{pkg: "runtime", rule: machine,
		only: "Error TypeAssertionError Caller Callers CallersFrames Frame Frames Func FuncForPC"},

	{pkg: "fmt", rule: outside, never: "Print Printf Println Scan Scanf Scanln"},
	{pkg: "path/filepath", rule: outside, never: "Abs EvalSymlinks Glob Walk WalkDir"},
}

// named judges the use of a name that another package declares.
func (r *reader) named(id *ast.Ident) {
	obj := r.info.Uses[id]
	if obj == nil || obj.Pkg() == nil || r.ordered[id] {
		return
	}
	name := qualified(obj)
	for _, u := range usages {
		if u.pkg == obj.Pkg().Path() && u.forbids(obj, name) {
			r.say(id.Pos(), u.rule, "%s.%s", obj.Pkg().Name(), name)
			return
		}
	}
}

func (u *usage) forbids(obj types.Object, name string) bool {
	topLevel := obj.Parent() == obj.Pkg().Scope()
	_, function := obj.(*types.Func)
	switch {
	case u.only != "":
		return topLevel && !listed(u.only, name)
	case u.funcs != "":
		return topLevel && function && !listed(u.funcs, name)
	}
	return listed(u.never, name) && (topLevel || function)
}

func listed(names, name string) bool {
	return slices.Contains(strings.Fields(names), name)
}

// qualified is the name of an object, with its type before it if it is a method.
func qualified(obj types.Object) string {
	fn, ok := obj.(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return obj.Name()
	}
	recv := fn.Signature().Recv().Type()
	if ptr, ok := recv.(*types.Pointer); ok {
		recv = ptr.Elem()
	}
	if named, ok := recv.(*types.Named); ok {
		return named.Obj().Name() + "." + fn.Name()
	}
	return fn.Name()
}
