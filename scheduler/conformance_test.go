package scheduler_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var vectorsPath = flag.String("vectors", os.Getenv("CUSTODY_VECTORS"),
	"run the conformance vectors of this file instead of our own")

// deviations are the vectors in which this engine does something else than vLLM, by id, and why. Each must go on to
// differ, and no other may.
var deviations = map[string]string{}

func TestTheEngineDoesWhatVLLMDoes(t *testing.T) {
	path, own := *vectorsPath, false
	if path == "" {
		path, own = "testdata/vllm.jsonl", true
	}
	list, err := loadVectors(path)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for i := range list {
		v := &list[i]
		t.Run(v.ID, func(t *testing.T) {
			if why := v.beyond(); why != "" {
				require.False(t, own, "one of our own vectors cannot run: %s", why)
				t.Skip(why)
			}
			conform(t, v)
		})
	}
	if own {
		require.Len(t, list, 30)
	}
}

func conform(t *testing.T, v *vector) {
	diff, known := replay(v), deviations[v.ID]
	switch {
	case diff != "" && known == "":
		t.Errorf("%s\nsource: %s\nnote: %s", diff, v.Source, v.Note)
	case diff == "" && known != "":
		t.Errorf("holds, although deviations lists it: %s", known)
	}
}

// replay applies a vector's events and says which expected fact does not hold first.
func replay(v *vector) string {
	s := newVectorEngine(v)
	head := arrange(v)
	for _, want := range v.Expect {
		if n := want.after(); n < 0 || n >= len(v.Events) {
			return "a fact without an event"
		}
	}
	for i := range v.Events {
		if err := s.do(&v.Events[i]); err != nil {
			return fmt.Sprintf("event %d: %v", i, err)
		}
		for _, want := range v.Expect {
			if want.after() != i {
				continue
			}
			if i < head-1 {
				return fmt.Sprintf("a fact after event %d, which was moved into its order of arrival", i)
			}
			if diff := want.check(s); diff != "" {
				return fmt.Sprintf("after event %d (%s %s): %s", i, v.Events[i].Op, v.Events[i].Req, diff)
			}
		}
	}
	if v.Pipeline == "" {
		return ""
	}
	if err := s.pipeline(v); err != nil {
		return fmt.Sprintf("pipeline: %v", err)
	}
	return v.Final.check(s)
}

// arrange puts the submissions before the first other event into their order of arrival: here, a request arrives when
// it is submitted. It returns how many events it may have moved.
func arrange(v *vector) int {
	n := slices.IndexFunc(v.Events, func(e event) bool { return e.Op != "submit" })
	head := v.Events[:max(n, 0)]
	byArrival := func(a, b event) int { return cmp.Compare(a.Arrival, b.Arrival) }
	if slices.IsSortedFunc(head, byArrival) {
		return 0
	}
	slices.SortStableFunc(head, byArrival)
	return len(head)
}

func (f facts) after() int {
	n := -1
	if err := json.Unmarshal(f["after"], &n); err != nil {
		return -1
	}
	return n
}

// check says which fact does not hold.
func (f facts) check(s *vectorEngine) string {
	for _, kind := range slices.Sorted(maps.Keys(f)) {
		if kind == "after" {
			continue
		}
		check := factKinds[kind]
		if check == nil {
			return fmt.Sprintf("unknown kind of fact %q", kind)
		}
		if diff := check(s, f[kind]); diff != "" {
			return kind + ": " + diff
		}
	}
	return ""
}

func TestAVectorWithAnUnknownFactFails(t *testing.T) {
	v := &vector{Level: "kv", Config: setup{BlockSize: 4, NumBlocks: 3}, Events: []event{{Op: "reset_prefix_cache"}},
		Expect: []facts{{"after": json.RawMessage("0"), "colour": json.RawMessage("1")}}}
	require.Equal(t, `after event 0 (reset_prefix_cache ): unknown kind of fact "colour"`, replay(v))
}

func TestAVectorWithAnUnknownFieldIsNotRead(t *testing.T) {
	var v vector
	require.ErrorContains(t, strict([]byte(`{"id":"x","config":{"colour":1}}`), &v), `unknown field "colour"`)
}
