package scheduler_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"custody/cache"
)

// The schema of conformance vectors: engine-neutral cases, one JSON object a line. An event or configuration field that
// is not listed here is an error, so that nothing in a file is passed over in silence.

type vector struct {
	ID, Cls, Engine, Source, Area, Level, Note, Verified string

	Config   setup
	Events   []event
	Expect   []facts
	Pipeline string
	Aborts   []int `json:"pipeline_abort"`
	Final    facts `json:"pipeline_expect"`
}

// facts is what is expected after an event, by kind. The kind "after" is the event's index.
type facts map[string]json.RawMessage

type setup struct {
	BlockSize int32  `json:"block_size"`
	NumBlocks int32  `json:"num_blocks"`
	MaxSeqs   int32  `json:"max_num_seqs"`
	Budget    int32  `json:"token_budget"`
	MaxLen    int32  `json:"max_model_len"`
	Prefix    *bool  `json:"prefix_caching"`
	Chunk     int32  `json:"long_prefill_threshold"`
	Policy    string `json:"policy"`
	Chunked   *bool  `json:"chunked_prefill"`
	KVEvents  bool   `json:"kv_events"`
	Async     bool   `json:"async"`

	Initial []cache.BlockID `json:"initial"` // level freelist: what is free at first
	Others  []cache.BlockID `json:"others"`  // and what exists beside it

	// What this engine has not.
	Connector  json.RawMessage `json:"connector"`
	SpecTokens int             `json:"spec_tokens"`
	Eagle      bool            `json:"eagle"`
	DeferFree  bool            `json:"defer_free"`
	Window     int             `json:"sliding_window"`
}

type event struct {
	Op     string
	Req    string
	Tokens json.RawMessage // submit, append: a run of tokens; output: tokens by request
	submission
	New, Lookahead   int32
	Step, As, Status string
	Default          cache.Token
	Token            cache.Token
	N                int32
	Block            cache.BlockID
	Blocks           []cache.BlockID
	absent
}

type submission struct {
	Salt, Adapter string
	Priority      int32
	Arrival       float64
	Max           int32 `json:"max_output"`
	NoRead        bool  `json:"no_cache_read"`
	IgnoreEOS     bool  `json:"ignore_eos"`
}

// absent is what this engine has not.
type absent struct {
	MinOutput int                        `json:"min_output"`
	Stop      []int                      `json:"stop"`
	Drafts    map[string][]int           `json:"drafts"`
	Async     bool                       `json:"async"`
	RecvDone  []string                   `json:"kv_recv_done"`
	SendDone  []string                   `json:"kv_send_done"`
	Invalid   map[string][]cache.BlockID `json:"kv_invalid"`
}

// loadVectors reads a file of vectors.
func loadVectors(path string) ([]vector, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return readVectors(path, text)
}

func readVectors(path string, text []byte) ([]vector, error) {
	var list []vector
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var v vector
		if err := strict(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		list = append(list, v)
	}
	return list, lines.Err()
}

func strict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// beyond says what a vector needs that this engine has not, or nothing.
func (v *vector) beyond() string {
	c := &v.Config
	switch {
	case len(c.Connector) > 0:
		return "needs a connector"
	case c.SpecTokens > 0 || c.Eagle:
		return "needs speculative decoding"
	case c.DeferFree:
		return "asks for vLLM's deferred frees, which only a connector turns on"
	case c.Window > 0:
		return "needs a sliding window"
	case c.Chunked != nil && !*c.Chunked:
		return "needs prefill without chunks"
	case v.Pipeline != "" && v.Pipeline != "depth2":
		return "unknown pipeline " + v.Pipeline
	}
	for i := range v.Events {
		if why := v.Events[i].beyond(); why != "" {
			return why
		}
	}
	return ""
}

func (e *event) beyond() string {
	switch {
	case e.Op == "draft":
		return "needs speculative decoding"
	case strings.HasPrefix(e.Op, "connector") || e.Op == "evict_blocks_of" || e.RecvDone != nil ||
		e.SendDone != nil || e.Invalid != nil:
		return "needs a connector"
	case e.Op == "drop_hash":
		return "drops one entry, which no request can do here"
	case e.MinOutput > 0 || e.Stop != nil:
		return "needs stop tokens or a minimum of output"
	}
	return ""
}

// Bounds of a run of tokens: without them a few bytes of a short form could ask for any number.
const (
	maxRun   = 1 << 20 // tokens
	maxParts = 16      // levels of parts in parts
)

// run reads a run of tokens: a list, or one of the short forms.
func run(raw json.RawMessage) ([]cache.Token, error) { return appendRun(nil, raw, 0) }

func appendRun(list []cache.Token, raw json.RawMessage, level int) ([]cache.Token, error) {
	var plain []cache.Token
	if json.Unmarshal(raw, &plain) == nil {
		return append(list, plain...), nil
	}
	var short struct {
		RLE     [][2]int32
		Range   *[2]int32
		Fill, N int32
		Parts   []json.RawMessage
	}
	err := strict(raw, &short)
	if err == nil && level == maxParts {
		err = fmt.Errorf("more than %d levels of parts", maxParts)
	}
	for _, x := range short.RLE {
		list, err = appendSpan(list, err, cache.Token(x[0]), int64(x[1]), 0)
	}
	if r := short.Range; r != nil {
		list, err = appendSpan(list, err, cache.Token(r[0]), int64(r[1])-int64(r[0]), 1)
	}
	for _, part := range short.Parts {
		if err == nil {
			list, err = appendRun(list, part, level+1)
		}
	}
	if list, err = appendSpan(list, err, cache.Token(short.Fill), int64(short.N), 0); err != nil {
		return nil, fmt.Errorf("tokens %.60s: %w", raw, err)
	}
	return list, nil
}

// appendSpan appends n tokens, each by a step larger than the one before it, unless there was an error.
func appendSpan(list []cache.Token, err error, t cache.Token, n int64, step cache.Token) ([]cache.Token, error) {
	if err == nil && int64(len(list))+n > maxRun {
		err = fmt.Errorf("more than %d tokens", maxRun)
	}
	for ; err == nil && n > 0; n-- {
		list = append(list, t)
		t += step
	}
	return list, err
}
