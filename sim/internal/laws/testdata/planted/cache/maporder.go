package cache

import (
	"maps"
	"reflect"
	"slices"
)

type index map[string]int

func ordered(m index, v reflect.Value) (keys []string) {
	for k := range m { // want "range over a map: the order is not the same twice"
		keys = append(keys, k)
	}
	for k := range maps.Keys(m) { // want "maps.Keys"
		keys = append(keys, k)
	}
	keys = slices.Collect(maps.Keys(m)) // want "maps.Keys"
	_ = slices.Collect(maps.Values(m))  // want "maps.Values"
	for range maps.All(m) {             // want "maps.All"
	}
	_ = v.MapRange() // want "reflect.Value.MapRange"
	_ = v.MapKeys()  // want "reflect.Value.MapKeys"
	return keys
}

func generic[M ~map[K]V, K comparable, V int](m M) {
	for range m { // want "range over a map"
	}
}
