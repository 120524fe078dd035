package model_test

import (
	"fmt"

	"custody/cache"
	"custody/model"
)

// A worker whose layout differs from the engine's in one field must not run; the handshake names the field.
func ExampleHandshake() {
	engine, worker := model.LayoutFields{}, model.LayoutFields{}
	worker[model.BlockTokens] = 16
	differs, ok := model.Handshake(&engine, &worker)
	fmt.Println(differs == model.BlockTokens, ok)
	// Output: true false
}

// Text is bytes, one token each.
func ExampleAppendText() {
	tokens := model.AppendText([]cache.Token{model.BOS}, "hi")
	fmt.Println(tokens)
	fmt.Printf("%q\n", model.AppendTokens(nil, tokens[1:]))
	// Output:
	// [1 104 105]
	// "hi"
}
