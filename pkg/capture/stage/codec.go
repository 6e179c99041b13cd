package stage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

//go:generate env KEEPSAKE_GOLDEN=1 go test -run TestTheCodecIsOfTheState .

// parseState reads a state file field by field: every hook and most verbs begin with
// one, and encoding/json takes 0.1 ms to learn the form of a State. A field that is
// missing or null keeps its zero, one that is unknown is passed over, and one with a
// value of another kind is an error.
func parseState(b []byte, path string) (State, error) {
	st, err := decodeState(b)
	if st.Version > StateVersion { // whatever else has another form there
		return State{}, fmt.Errorf("%s: version %d: %w", path, st.Version, ErrNewer)
	}
	if err != nil {
		return State{}, fmt.Errorf("%s: not a state file: %w", path, err)
	}
	return st, nil
}

// decodeState returns what can be read of a state file, whatever version wrote it, with
// the first thing in it that has another form than it should have.
func decodeState(b []byte) (st State, err error) {
	if !gjson.ValidBytes(b) {
		return st, errors.New("no JSON")
	}
	var r stateReader
	r.state(&st, gjson.ParseBytes(b))
	return st, r.err
}

const usualState = 2 << 10 // bytes of most state files

// printState returns the state file of a State, as parseState reads it: one JSON object, with a line for
// each field. Zero fields are left out.
func printState(st State) []byte {
	w := stateWriter{b: append(make([]byte, 0, usualState), '{'), depth: 1}
	w.state(&st)
	return append(w.b, "\n}\n"...)
}

// A stateReader reads values and remembers the first that is of another kind than it
// should be. Null is nothing, as encoding/json has it.
type stateReader struct{ err error }

func (r *stateReader) is(ok bool, v gjson.Result, want string) bool {
	if v.Type == gjson.Null {
		return false
	}
	if !ok && r.err == nil {
		r.err = errors.New(want + " was wanted, not " + v.Raw[:min(len(v.Raw), 30)])
	}
	return ok
}

func (r *stateReader) object(v gjson.Result, field func(name string, v gjson.Result)) {
	if r.is(v.IsObject(), v, "an object") {
		v.ForEach(func(name, v gjson.Result) bool {
			field(name.Str, v)
			return true
		})
	}
}

func (r *stateReader) list(v gjson.Result, item func(gjson.Result)) {
	if r.is(v.IsArray(), v, "a list") {
		v.ForEach(func(_, v gjson.Result) bool {
			item(v)
			return true
		})
	}
}

func (r *stateReader) texts(v gjson.Result) (all []string) {
	r.list(v, func(v gjson.Result) { all = append(all, r.text(v)) })
	return all
}

func (r *stateReader) counts(v gjson.Result) (all []int) {
	r.list(v, func(v gjson.Result) { all = append(all, r.count(v)) })
	return all
}

func (r *stateReader) text(v gjson.Result) string {
	r.is(v.Type == gjson.String, v, "a text")
	return strings.ToValidUTF8(v.Str, "\uFFFD")
}

func (r *stateReader) yes(v gjson.Result) bool {
	r.is(v.IsBool(), v, "true or false")
	return v.Type == gjson.True
}

func (r *stateReader) time(v gjson.Result) (t time.Time) {
	if r.is(v.Type == gjson.String, v, "a time") {
		err := t.UnmarshalText([]byte(v.Str))
		r.is(err == nil, v, "a time")
	}
	return t
}

func (r *stateReader) count(v gjson.Result) int { return int(r.number(v)) }

func (r *stateReader) number(v gjson.Result) int64 {
	n, err := strconv.ParseInt(v.Raw, 10, 64)
	r.is(err == nil, v, "a whole number")
	return n
}

func (r *stateReader) id(v gjson.Result) uint64 {
	n, err := strconv.ParseUint(v.Raw, 10, 64)
	r.is(err == nil, v, "a whole number")
	return n
}

// A stateWriter appends fields to an object.
type stateWriter struct {
	b     []byte
	depth int // of the object, from 1
}

// name begins a field.
func (w *stateWriter) name(name string) {
	first := w.b[len(w.b)-1] == '{'
	switch {
	case w.depth == 1 && first:
		w.b = append(w.b, "\n\t"...)
	case w.depth == 1:
		w.b = append(w.b, ",\n\t"...)
	case !first:
		w.b = append(w.b, ", "...)
	}
	w.b = append(append(append(w.b, '"'), name...), `": `...)
}

// object appends a field with an object. It is left out if fields appends nothing.
func (w *stateWriter) object(name string, fields func()) {
	before := len(w.b)
	w.name(name)
	w.b = append(w.b, '{')
	begun := len(w.b)
	w.depth++
	fields()
	w.depth--
	if len(w.b) == begun {
		w.b = w.b[:before]
		return
	}
	w.b = append(w.b, '}')
}

// list appends a field with a list of n items. It is left out if n is 0. item appends the item i.
func (w *stateWriter) list(name string, n int, item func(i int)) {
	if n == 0 {
		return
	}
	w.name(name)
	w.b = append(w.b, '[')
	for i := range n {
		if i > 0 {
			w.b = append(w.b, ", "...)
		}
		item(i)
	}
	w.b = append(w.b, ']')
}

// objects appends a field with a list of n objects.
func (w *stateWriter) objects(name string, n int, fields func(i int)) {
	w.list(name, n, func(i int) {
		w.b = append(w.b, '{')
		w.depth++
		fields(i)
		w.depth--
		w.b = append(w.b, '}')
	})
}

func (w *stateWriter) texts(name string, all []string) {
	w.list(name, len(all), func(i int) { w.b = gjson.AppendJSONString(w.b, all[i]) })
}

func (w *stateWriter) counts(name string, all []int) {
	w.list(name, len(all), func(i int) { w.b = strconv.AppendInt(w.b, int64(all[i]), 10) })
}

func (w *stateWriter) text(name, v string) {
	if v != "" {
		w.name(name)
		w.b = gjson.AppendJSONString(w.b, v)
	}
}

func (w *stateWriter) yes(name string, v bool) {
	if v {
		w.name(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *stateWriter) time(name string, v time.Time) {
	if !v.IsZero() {
		w.name(name)
		w.b = append(v.AppendFormat(append(w.b, '"'), time.RFC3339Nano), '"')
	}
}

func (w *stateWriter) number(name string, v int64) {
	if v != 0 {
		w.name(name)
		w.b = strconv.AppendInt(w.b, v, 10)
	}
}

func (w *stateWriter) id(name string, v uint64) {
	if v != 0 {
		w.name(name)
		w.b = strconv.AppendUint(w.b, v, 10)
	}
}
