package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"custody/cmd/custody/internal/source"
	"custody/invariants"
	"custody/sim/gen"
)

// Flag values that say in words what they expect.

// choice is one of a few words.
type choice struct {
	value string
	known []string
}

func newChoice(value string, known ...string) *choice { return &choice{value, known} }

func (c *choice) String() string { return c.value }

// Type is what the help shows: the words, if they are few.
func (c *choice) Type() string {
	if len(c.known) > 5 {
		return "ID"
	}
	return strings.Join(c.known, "|")
}

func (c *choice) Set(s string) error {
	if !slices.Contains(c.known, s) {
		return fmt.Errorf("it is not known (known: %s)", strings.Join(c.known, ", "))
	}
	c.value = s
	return nil
}

func newModel() *choice {
	return newChoice(source.HashModel, source.HashModel, source.TransformerModel)
}

func newRunModel() *choice {
	return newChoice(source.BothModels, source.BothModels, source.HashModel, source.TransformerModel)
}

func newProfile() *choice {
	var names []string
	for _, p := range gen.Profiles {
		names = append(names, p.Name)
	}
	return newChoice(names[0], names...)
}

// profileNamed is the profile of a choice that newProfile made.
func profileNamed(c *choice) gen.Profile {
	p, _ := gen.FindProfile(c.value)
	return p
}

func newPromise() *choice {
	var names []string
	for i := range invariants.Statements {
		names = append(names, invariants.Statements[i].Name)
	}
	return newChoice("", names...)
}

// whole is a whole number of 64 bits, from a least one.
type whole struct {
	value uint64
	least uint64
	most  uint64 // 0: no limit
	set   bool
}

func (n *whole) String() string { return strconv.FormatUint(n.value, 10) }
func (n *whole) Type() string   { return "N" }

func (n *whole) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	most := n.most
	if most == 0 {
		most = math.MaxUint64
	}
	if err != nil || v < n.least || v > most {
		return fmt.Errorf("expected a whole number from %d to %d", n.least, most)
	}
	n.value, n.set = v, true
	return nil
}

// span is a duration above nothing.
type span struct {
	value time.Duration
	set   bool
}

func (d *span) String() string { return d.value.String() }
func (d *span) Type() string   { return "D" }

func (d *span) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil || v <= 0 {
		return fmt.Errorf("expected a time above zero, as 5s, 2m or 1h, and at the most 2562047h")
	}
	d.value, d.set = v, true
	return nil
}
