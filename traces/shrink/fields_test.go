package shrink

import (
	"reflect"
	"strconv"
	"testing"

	"custody/traces"
)

// What a run does not depend on: where a line stood, and the text of one that does nothing.
var ignoredByRuns = map[string]bool{".Comment": true, ".Expect": true, ".Events[0].Line": true, ".Events[0].Text": true}

// A part of a script that its key forgets makes two scripts one: the second is never executed.
func TestEveryPartOfAScriptCountsInItsKey(t *testing.T) {
	base := keyOf(fullScript())
	eachLeaf(t, reflect.ValueOf(fullScript()).Elem(), "", func(path string, vary func(reflect.Value)) {
		s := fullScript()
		vary(reflect.ValueOf(s).Elem())
		if keyOf(s) == base {
			t.Errorf("%s: two scripts that differ only here have one key", path)
		}
	})
}

// A part of an event that the order forgets lets two different events stand in either order.
func TestEveryPartOfAnEventCountsInTheOrder(t *testing.T) {
	base := &fullScript().Events[0]
	eachLeaf(t, reflect.ValueOf(base).Elem(), ".Events[0]", func(path string, vary func(reflect.Value)) {
		e := &fullScript().Events[0]
		vary(reflect.ValueOf(e).Elem())
		if c, d := compareEvents(base, e), compareEvents(e, base); c == 0 || c != -d {
			t.Errorf("%s: two events that differ only here compare as %d and %d", path, c, d)
		}
	})
}

// fullScript has one of everything, and all that a worker may say.
func fullScript() *traces.Script {
	s := &traces.Script{
		Engine:  traces.Engine{Name: "other", Settings: []traces.Setting{{Key: "key", Value: "value"}}},
		Config:  traces.DefaultConfig(),
		Tenants: []traces.Tenant{{Name: "amber", Marker: []int32{1}}},
		Workers: []traces.Worker{{Name: "w1"}},
		Events:  []traces.Event{{Verb: traces.Submit, Name: "r1", Tenant: "amber", Prompt: []int32{1}}},
	}
	for k := range s.Workers[0].Has {
		s.Workers[0].Has[k] = true
	}
	return s
}

// eachLeaf visits every number, word and flag that a value holds, with its path and a function that makes that one
// another in a value of the same form.
func eachLeaf(t *testing.T, v reflect.Value, path string, visit func(path string, vary func(reflect.Value))) {
	if ignoredByRuns[path] {
		return
	}
	deeper := func(name string, child reflect.Value, step func(reflect.Value) reflect.Value) {
		eachLeaf(t, child, path+name, func(path string, vary func(reflect.Value)) {
			visit(path, func(v reflect.Value) { vary(step(v)) })
		})
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			deeper("."+v.Type().Field(i).Name, v.Field(i), func(v reflect.Value) reflect.Value { return v.Field(i) })
		}
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 {
			t.Fatalf("%s: the full script has none", path)
		}
		for i := range v.Len() {
			deeper("["+strconv.Itoa(i)+"]", v.Index(i), func(v reflect.Value) reflect.Value { return v.Index(i) })
		}
	default:
		visit(path, func(v reflect.Value) { makeOther(t, path, v) })
	}
}

// makeOther changes a number, a word or a flag.
func makeOther(t *testing.T, path string, v reflect.Value) {
	switch {
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() + 1)
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		t.Fatalf("%s: a %s is neither a number nor a word nor a flag", path, v.Kind())
	}
}
