package workload

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Row is one request of a recording.
type Row struct {
	Timestamp int64   `json:"timestamp"` // ms since the recording began
	Input     int     `json:"input_length"`
	Output    int     `json:"output_length"`
	Hashes    []int64 `json:"hash_ids"`
}

// Bounds of a row: longer than any context there is, and a year.
const (
	maxTokens    = 1 << 24
	maxTimestamp = 366 * 24 * 3600 * 1000
	maxLine      = 1 << 22 // bytes
)

// Read reads a recording. A row that cannot be read is an error that names its line, or with SkipBad is counted and left
// out.
func (o *Options) Read(name string, in io.Reader) (rows []Row, bad int, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	last, n := int64(0), 0
	for lines.Scan() && (o.Limit == 0 || len(rows) < o.Limit) {
		n++
		r, err := readRow(lines.Bytes(), last)
		switch {
		case err == nil:
			rows, last = append(rows, r), r.Timestamp
		case o.SkipBad:
			bad++
		default:
			return nil, 0, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, 0, fmt.Errorf("%s:%d: the line is longer than %d bytes, expected a JSON object", name, n+1, maxLine)
	case err != nil:
		return nil, 0, fmt.Errorf("%s:%d: %w", name, n+1, err)
	case len(rows) == 0 && bad > 0:
		return nil, 0, fmt.Errorf("%s: holds no request: %d rows cannot be read", name, bad)
	case len(rows) == 0:
		return nil, 0, fmt.Errorf("%s: holds no request", name)
	}
	return rows, bad, nil
}

func readRow(line []byte, last int64) (Row, error) {
	var r Row
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	if err := in.Decode(&r); err != nil {
		if errors.Is(err, io.EOF) {
			return r, errors.New("the line is empty, expected a JSON object")
		}
		return r, err
	}
	if in.More() {
		return r, errors.New("something stands behind the JSON object")
	}
	return r, r.check(last)
}

// check says what no request can have. last is the timestamp of the row before.
func (r *Row) check(last int64) error {
	switch want := (r.Input + hashTokens - 1) / hashTokens; {
	case r.Timestamp < 0 || r.Timestamp > maxTimestamp:
		return fmt.Errorf("timestamp is %d, expected milliseconds from 0 to %d", r.Timestamp, int64(maxTimestamp))
	case r.Timestamp < last:
		return fmt.Errorf("timestamp is %d, before that of the row above (%d)", r.Timestamp, last)
	case r.Input < 1 || r.Input > maxTokens:
		return fmt.Errorf("input_length is %d, expected 1 to %d", r.Input, maxTokens)
	case r.Output < 1 || r.Output > maxTokens:
		return fmt.Errorf("output_length is %d, expected 1 to %d", r.Output, maxTokens)
	case len(r.Hashes) != want:
		return fmt.Errorf("hash_ids has %d ids, expected %d for %d tokens (one for every %d)", len(r.Hashes), want, r.Input, hashTokens)
	}
	return nil
}
