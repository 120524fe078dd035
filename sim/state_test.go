package sim

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// noState are the fields of a world that Reset need not return and CloneInto need not copy, with the reason.
var noState = map[string]string{
	"World.cfg":        "the header of the script",
	"World.nodes":      "engine, worker, memory: their packages test their clones",
	"World.watchers":   "those outside do not go along",
	"World.hearers":    "the watchers by kind, and a fact that is valid for a call",
	"World.ledger":     "package invariants tests its clone",
	"World.plan":       "scratch",
	"World.spec":       "scratch",
	"account.ledger":   "see World.ledger",
	"account.world":    "whose it is",
	"account.promises": "of the options",
	"account.ask":      "scratch",
	"Roster.tenants":   "of the header",
	"effects.ops":      "buffers",
	"faults.denied":    "of the present step: empty between two",
	"cursor.world":     "whose it is",
	"cursor.script":    "both have the same",
	"anchored.event":   "a line of the script",
}

// State are the fields that decide how a world goes on, written out: those of the world and of its parts.
func State(w *World) map[string]string {
	state := map[string]string{}
	parts := reflect.ValueOf(w).Elem()
	for i := range parts.NumField() {
		part, name := reflect.Indirect(parts.Field(i)), parts.Type().Field(i).Name
		switch {
		case noState["World."+name] != "":
		case part.Kind() == reflect.Struct && name != "step" && name != "work":
			for j := range part.NumField() {
				if field := part.Type().Field(j).Name; noState[part.Type().Name()+"."+field] == "" {
					state[name+"."+field] = written(part.Field(j))
				}
			}
		default:
			state[name] = written(part)
		}
	}
	return state
}

// written writes a value out, with all that it refers to.
func written(v reflect.Value) string {
	var parts []string
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return written(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i).Name; noState[v.Type().Name()+"."+field] == "" {
				parts = append(parts, field+":"+written(v.Field(i)))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			parts = append(parts, written(v.Index(i)))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			parts = append(parts, written(k)+":"+written(v.MapIndex(k)))
		}
		slices.Sort(parts)
	default:
		return fmt.Sprint(v)
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// Differences are the names of the fields in which two states differ.
func Differences(a, b map[string]string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	return names
}
