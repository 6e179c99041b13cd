package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	maxWord = 200 // bytes of a string
	maxList = 20  // entries of a list or a map
)

// Withheld replaces a value that could be text somebody said.
const Withheld = "(withheld)"

const stamp = "2006-01-02T15:04:05.000Z"

// Append appends the event's line, with its newline, to b.
func (e Event) Append(b []byte) []byte {
	level := e.Level
	if level == "" {
		level = Info
	}
	b = append(b, `{"schema_version":`...)
	b = strconv.AppendInt(b, SchemaVersion, 10)
	b = append(b, `,"timestamp":"`...)
	b = e.Time.UTC().AppendFormat(b, stamp)
	b = append(b, '"')
	for _, f := range [...]struct{ name, value string }{
		{"event_type", e.Type}, {"level", string(level)}, {"hook", e.Hook}, {"script", e.Script},
		{"session_id", e.Session},
	} {
		b = append(b, `,"`...)
		b = append(b, f.name...)
		b = append(b, `":`...)
		b = appendWord(b, f.value)
	}
	b = append(b, `,"duration_ms":`...)
	if e.Took < 0 {
		b = append(b, "null"...)
	} else {
		b = appendNumber(b, float64(e.Took.Microseconds())/1000)
	}
	b = append(b, `,"data":{`...)
	for i, name := range slices.Sorted(maps.Keys(e.Data)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendWord(b, name)
		b = append(b, ':')
		b = appendValue(b, e.Data[name])
	}
	b = append(b, `},"error":`...)
	if e.Error == "" {
		b = append(b, "null"...)
	} else {
		b = appendWord(b, e.Error)
	}
	return append(b, "}\n"...)
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendWord(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		return appendNumber(b, v)
	case []string:
		b = append(b, '[')
		for i, s := range v[:min(len(v), maxList)] {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendWord(b, s)
		}
		return append(b, ']')
	case map[string]float64:
		b = append(b, '{')
		names := slices.Sorted(maps.Keys(v))
		for i, name := range names[:min(len(names), maxList)] {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendWord(b, name)
			b = append(b, ':')
			b = appendNumber(b, v[name])
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// appendNumber appends x with at most three decimals, or null if it is not a number.
func appendNumber(b []byte, x float64) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return append(b, "null"...)
	}
	if r := math.Round(x*1000) / 1000; !math.IsInf(r, 0) {
		x = r
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

// appendWord appends s in quotes if it is an identifier, and Withheld if it may be text.
func appendWord(b []byte, s string) []byte {
	if !isWord(s) {
		s = Withheld
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// isWord reports whether a string can be an identifier: it has no white space, no unprintable character and
// none that must be escaped.
func isWord(s string) bool {
	if len(s) > maxWord {
		return false
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return false
			}
		}
		if r == '"' || r == '\\' || r == ' ' || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// ErrNewer is the error for a line of an unknown version.
var ErrNewer = errors.New("is of a newer version of keepsake")

// Parse parses one line.
func Parse(line []byte) (Event, error) {
	var raw struct {
		Version  int      `json:"schema_version"`
		Time     string   `json:"timestamp"`
		Type     string   `json:"event_type"`
		Level    string   `json:"level"`
		Hook     string   `json:"hook"`
		Script   string   `json:"script"`
		Session  string   `json:"session_id"`
		Duration *float64 `json:"duration_ms"`
		Data     Data     `json:"data"`
		Error    *string  `json:"error"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return Event{}, fmt.Errorf("no event: %w", err)
	}
	switch {
	case raw.Version > SchemaVersion:
		return Event{}, ErrNewer
	case raw.Version < 1 || raw.Type == "":
		return Event{}, errors.New("no event: schema_version or event_type is missing")
	}
	at, err := time.Parse(time.RFC3339, raw.Time)
	if err != nil {
		return Event{}, fmt.Errorf("no event: timestamp %q", raw.Time)
	}
	e := Event{
		Time: at.UTC(), Type: raw.Type, Level: Level(raw.Level), Hook: raw.Hook, Script: raw.Script,
		Session: raw.Session,
		Took:    Untimed, Data: raw.Data,
	}
	for name, v := range e.Data {
		e.Data[name] = narrow(v)
	}
	if raw.Duration != nil && *raw.Duration >= 0 && *raw.Duration < math.MaxInt64/1e6 {
		e.Took = time.Duration(*raw.Duration * float64(time.Millisecond))
	}
	if raw.Error != nil {
		e.Error = *raw.Error
	}
	if e.Level == "" {
		e.Level = Info
	}
	return e, nil
}

// narrow converts a decoded list or object to the types of Data, and drops members of other types.
func narrow(v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]string, 0, len(v))
		for _, m := range v {
			if s, ok := m.(string); ok {
				list = append(list, s)
			}
		}
		return list
	case map[string]any:
		numbers := make(map[string]float64, len(v))
		for name, m := range v {
			if x, ok := m.(float64); ok {
				numbers[name] = x
			}
		}
		return numbers
	}
	return v
}
