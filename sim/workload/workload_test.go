package workload

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/traces"
)

const two = `{"timestamp": 0, "input_length": 1100, "output_length": 130, "hash_ids": [0, 1, 2]}
{"timestamp": 128, "input_length": 1024, "output_length": 10, "hash_ids": [0, 1]}
`

func read(t *testing.T, o Options, text string) []Row {
	t.Helper()
	rows, _, err := o.Read("test", strings.NewReader(text))
	require.NoError(t, err)
	return rows
}

// With a divisor of 64 a hash id stands for 8 tokens. The second prompt is the first one's beginning, of two whole pieces.
func TestLengthsAndTimesAreDividedAndPrefixesStayShared(t *testing.T) {
	o := Defaults()
	o.Faults = 0
	s := o.Script(read(t, o, two))
	require.Len(t, s.Events, 4)
	first, wait, second := s.Events[0], s.Events[1], s.Events[2]
	require.Len(t, first.Prompt, 1100/64)
	require.EqualValues(t, 130/64, first.Args[traces.Max])
	require.Equal(t, traces.Event{Verb: traces.Advance, Args: traces.Args{traces.Ticks: 128 * 64 / 64}}, wait)
	require.Equal(t, first.Prompt[:16], second.Prompt)
	require.EqualValues(t, 1, second.Args[traces.Max], "nothing becomes empty")
	require.Equal(t, first.Tenant, second.Tenant)
	require.Equal(t, traces.Drain, s.Events[3].Verb)
	require.EqualValues(t, 8, s.Config[traces.Block])
}

func TestTenantsComeFromTheSharedPrefix(t *testing.T) {
	o := Defaults()
	tenants := map[int]bool{}
	for id := range int64(40) {
		a, b := Row{Hashes: []int64{0, id, 7}}, Row{Hashes: []int64{0, id, 8}}
		require.Equal(t, o.tenant(&a), o.tenant(&b), "they agree in two ids")
		tenants[o.tenant(&a)] = true
	}
	require.Len(t, tenants, o.Tenants)
}

func TestARowThatCannotBeReadIsAnErrorWithItsLineOrIsCounted(t *testing.T) {
	for text, want := range map[string]string{
		`{"timestamp": 200, "input_length": 0, "output_length": 1, "hash_ids": []}`: "input_length is 0",
		`{"timestamp": 200, "input_length": 513, "output_length": 1, "hash_ids": [1]}`: "hash_ids has 1 ids, expected 2 for " +
			"513 tokens",
		`{"timestamp": 200, "input_length": 1, "output_length": 0, "hash_ids": [1]}`:            "output_length is 0",
		`{"timestamp": -1, "input_length": 1, "output_length": 1, "hash_ids": [1]}`:             "timestamp is -1",
		`{"timestamp": 1e30, "input_length": 1, "output_length": 1, "hash_ids": [1]}`:           "cannot unmarshal number 1e30",
		`{"timestamp": 200, "input_length": 1, "output_length": 1, "hash_ids": [1], "x": 1}`:    `unknown field "x"`,
		`{"timestamp": 200, "input_length": 1, "output_length": 1, "hash_ids": [1]} {}`:         "something stands behind",
		`{"timestamp": 200, "input_length": 999999999999, "output_length": 1, "hash_ids": [1]}`: "input_length is 999999999999",
		`{"timestamp": 200, "input_length": 1, "output_length": 1, "hash_ids": [1]`:             "unexpected EOF",
		``:      "the line is empty",
		`hello`: "invalid character",
	} {
		o := Defaults()
		_, _, err := o.Read("test", strings.NewReader(two+text+"\n"))
		require.ErrorContains(t, err, "test:3: ", text)
		require.ErrorContains(t, err, want)
		o.SkipBad = true
		rows, bad, err := o.Read("test", strings.NewReader(two+text+"\n"+`{"timestamp": 128, "input_length": 1, "output_length": 1, `+
			`"hash_ids": [1]}`))
		require.NoError(t, err)
		require.Len(t, rows, 3)
		require.Equal(t, 1, bad)
	}
	o := Defaults()
	_, _, err := o.Read("test", strings.NewReader(`{"timestamp": 5, "input_length": 1, "output_length": 1, `+
		`"hash_ids": [1]}`+"\n"+two))
	require.ErrorContains(t, err, "test:2: timestamp is 0, before that of the row above (5)")
	_, _, err = o.Read("test", strings.NewReader(""))
	require.ErrorContains(t, err, "holds no request")
}

func TestOptionsThatMakeNoScript(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"the divisor is 3":                 func(o *Options) { o.Divisor = 3 },
		"the divisor is 512":               func(o *Options) { o.Divisor = 512 },
		"0 ticks a millisecond":            func(o *Options) { o.Ticks = 0 },
		"65 tenants":                       func(o *Options) { o.Tenants = 65 },
		"faults in 101 of a hundred":       func(o *Options) { o.Faults = 101 },
		"a limit of -1 requests, expected": func(o *Options) { o.Limit = -1 },
	} {
		o := Defaults()
		require.NoError(t, o.Validate())
		change(&o)
		require.ErrorContains(t, o.Validate(), want)
	}
}

// A year at the default speed fits; 2^36 ticks are 65,536 lines of time. Four prompts of 2^24 tokens are as many as there
// may be.
func TestWhatWouldBecomeGigabytesDoesNotFit(t *testing.T) {
	o := Defaults()
	year := []Row{{Timestamp: maxTimestamp, Input: 1, Output: 1, Hashes: []int64{0}}}
	require.NoError(t, o.Fits(year))
	o.Divisor, o.Ticks = 1, 3
	require.ErrorContains(t, o.Fits(year), "comes after 94867200000 ticks, at the most 68719476736")
	longest := Row{Input: maxTokens, Output: 1, Hashes: make([]int64, maxTokens/hashTokens)}
	rows := []Row{longest, longest, longest, longest}
	require.NoError(t, o.Fits(rows))
	require.ErrorContains(t, o.Fits(append(rows, Row{Input: 1, Output: 1, Hashes: []int64{0}})),
		"the prompts of the first 5 requests have 67108865 tokens, at the most 67108864")
}

func TestALineThatHasNoEndIsNotKept(t *testing.T) {
	o := Defaults()
	_, _, err := o.Read("test", strings.NewReader(two+strings.Repeat(" ", maxLine+1)))
	require.ErrorContains(t, err, "test:3: the line is longer than 4194304 bytes")
	o.SkipBad = true
	_, _, err = o.Read("test", strings.NewReader("hello\n\n"))
	require.ErrorContains(t, err, "test: holds no request: 2 rows cannot be read")
}

// The second of two equal prompts finds all of the first but the piece with its last token.
func TestTheSecondOfTwoEqualPromptsFindsTheFirst(t *testing.T) {
	o := Defaults()
	o.Faults, o.Ticks = 0, 1<<16
	s := o.Script(read(t, o, `{"timestamp": 0, "input_length": 1536, "output_length": 1, "hash_ids": [0, 1, 2]}
{"timestamp": 64, "input_length": 1536, "output_length": 1, "hash_ids": [0, 1, 2]}`))
	r, err := sim.Execute(s, sim.ExecuteOptions{})
	require.NoError(t, err)
	require.True(t, r.OK(), r.Breaches)
	require.EqualValues(t, 2*(24+24), r.Work.Reads, "two layers, each pass reads all 24 positions")
	require.EqualValues(t, 2, r.Work.Passes)
}

// The whole recording, when the folder with it is there: every promise on, faults on top.
func TestTheWholeRecordingKeepsEveryPromise(t *testing.T) {
	f, err := os.Open("../../../shared/workloads/mooncake-conversation.jsonl")
	if err != nil {
		t.Skip("the recording is not here")
	}
	defer f.Close()
	o := Defaults()
	rows, bad, err := o.Read(f.Name(), f)
	require.NoError(t, err)
	require.Len(t, rows, 12_031)
	require.Zero(t, bad)
	r, err := sim.Execute(o.Script(rows), sim.ExecuteOptions{})
	require.NoError(t, err)
	require.True(t, r.OK(), r.Breaches)
	require.Greater(t, r.Work.Tokens, int64(50_000))
}

func FuzzRead(f *testing.F) {
	f.Add(two)
	f.Add(`{"timestamp": 0, "input_length": 16777216, "output_length": 1, "hash_ids": []}`)
	f.Fuzz(func(t *testing.T, text string) {
		o := Defaults()
		o.Limit, o.SkipBad = 4, true
		rows, _, err := o.Read("fuzz", strings.NewReader(text))
		if err != nil {
			return
		}
		if o.Fits(rows) != nil {
			return
		}
		s := o.Script(rows)
		if sim.Runnable("fuzz", s) != nil {
			return
		}
		again, err := traces.Parse("fuzz", s.String())
		require.NoError(t, err)
		require.Equal(t, s.String(), again.String())
	})
}
