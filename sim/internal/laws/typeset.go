package laws

import "go/types"

// some reports whether a type that t may stand for has an underlying type of the kind T.
func some[T types.Type](t types.Type) bool {
	found := false
	eachType(t, func(u types.Type) {
		if _, is := u.(T); is {
			found = true
		}
	})
	return found
}

// someFloat reports whether a value of the type may be a floating point number.
func someFloat(t types.Type) bool {
	found := false
	eachType(t, func(u types.Type) {
		if basic, ok := u.(*types.Basic); ok && basic.Info()&types.IsFloat != 0 {
			found = true
		}
	})
	return found
}

// eachType visits the underlying types that t may stand for: its own, or for a type parameter those of its constraint.
func eachType(t types.Type, visit func(types.Type)) {
	if t == nil {
		return
	}
	param, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		visit(t.Underlying())
		return
	}
	if constraint, ok := param.Constraint().Underlying().(*types.Interface); ok && eachTerm(constraint, visit) {
		return
	}
	visit(types.Typ[types.Float64]) // without terms it may be anything; only floats matter where nothing else can be done
}

// eachTerm visits the terms of a constraint, and reports whether it has any.
func eachTerm(constraint *types.Interface, visit func(types.Type)) bool {
	seen := false
	for i := range constraint.NumEmbeddeds() {
		switch e := constraint.EmbeddedType(i).(type) {
		case *types.Union:
			for j := range e.Len() {
				seen = visitTerm(e.Term(j).Type(), visit) || seen
			}
		default:
			seen = visitTerm(e, visit) || seen
		}
	}
	return seen
}

// visitTerm visits a type, or the terms of a constraint that stands inside another.
func visitTerm(t types.Type, visit func(types.Type)) bool {
	if inner, ok := t.Underlying().(*types.Interface); ok {
		return eachTerm(inner, visit)
	}
	visit(t.Underlying())
	return true
}

// holdsFloats reports whether the type is a float, or a pointer, slice, array or map that leads to floats.
// The fields of structs are followed one by one and do not count.
func holdsFloats(t types.Type) bool { return holdsFloatsWithin(t, 8) }

// The depth ends types that contain themselves, such as type T []T.
func holdsFloatsWithin(t types.Type, depth int) bool {
	found := someFloat(t)
	eachType(t, func(u types.Type) {
		if outer, ok := u.(interface{ Elem() types.Type }); ok && !found && depth > 0 {
			found = holdsFloatsWithin(outer.Elem(), depth-1)
		}
	})
	return found
}
