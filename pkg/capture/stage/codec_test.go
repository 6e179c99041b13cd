package stage

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// fill gives every field below v a value of its own, so that one that is not read
// back is missed.
func fill(t testing.TB, v reflect.Value, n *int64) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString("text \"" + string(rune('a'+*n%26)) + "\" é\n")
	case reflect.Int, reflect.Int64:
		v.SetInt(1<<40 + *n)
	case reflect.Uint64:
		v.SetUint(1<<63 + uint64(*n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(t, v.Index(i), n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 11, 22, 1, 2, 3, int(*n)*1000, time.UTC)))
			return
		}
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	default:
		t.Fatalf("a state has a field of the kind %v, which nothing reads", v.Kind())
	}
}

// TestStateIsKeptWhole: what is written of a State is what is read, whatever fields a
// State has, and it is JSON.
func TestStateIsKeptWhole(t *testing.T) {
	var full State
	var n int64
	fill(t, reflect.ValueOf(&full).Elem(), &n)
	full.Version = StateVersion
	for name, want := range map[string]State{"full": full, "empty": {},
		"usual": {Version: 1, Session: "s1", Client: Process{PID: 7},
			Notes: []Noted{{By: "x"}, {Paths: []string{"a.md"}}}}} {
		b := printState(want)
		if !json.Valid(b) {
			t.Errorf("%s is no JSON: %s", name, b)
		}
		if got, err := parseState(b, "s1.json"); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, want)
		}
	}
}

// TestStateFile: the form of the file, as versions before this one wrote it too.
func TestStateFile(t *testing.T) {
	st := State{
		Version: 1, Session: "s1", Root: "/p", Client: Process{PID: 7, Start: "99"},
		Seen: time.Date(2026, 11, 22, 1, 2, 3, 4000, time.UTC),
		Mark: finding.Mark{Inode: 1 << 63, Offset: 12}, Shown: []string{"a \"b\".json"},
		Drafters: []Drafter{{Agent: "d", Category: memory.Decision}},
		Result:   &Result{Line: "Saved: decision (create)"},
	}
	const file = `{
	"version": 1,
	"session": "s1",
	"root": "/p",
	"client": {"pid": 7, "start": "99"},
	"seen": "2026-11-22T01:02:03.000004Z",
	"mark": {"inode": 9223372036854775808, "offset": 12},
	"shown": ["a \"b\".json"],
	"drafters": [{"agent": "d", "category": "decision"}],
	"result": {"line": "Saved: decision (create)"}
}
`
	if got := string(printState(st)); got != file {
		t.Errorf("got %s\nwant %s", got, file)
	}
}

func TestParseState(t *testing.T) {
	for file, want := range map[string]string{
		`{"version":1,"saves":"3"}`:                `s1.json: not a state file: a whole number was wanted, not "3"`,
		`{"version":1,"saves":1.5}`:                `s1.json: not a state file: a whole number was wanted, not 1.5`,
		`{"version":1,"due":"yes"}`:                `s1.json: not a state file: true or false was wanted, not "yes"`,
		`{"version":1,"shown":{"a":1}}`:            `s1.json: not a state file: a list was wanted, not {"a":1}`,
		`{"version":1,"shown":["a",1]}`:            `s1.json: not a state file: a text was wanted, not 1`,
		`{"version":1,"mark":[]}`:                  `s1.json: not a state file: an object was wanted, not []`,
		`{"version":1,"mark":{"inode":-1}}`:        `s1.json: not a state file: a whole number was wanted, not -1`,
		`{"version":1,"seen":"today"}`:             `s1.json: not a state file: a time was wanted, not "today"`,
		`{"version":1} {}`:                         `s1.json: not a state file: no JSON`,
		`[]`:                                       `s1.json: not a state file: an object was wanted, not []`,
		`{"version":1,"later":{"saves":"x"}}`:      ``,
		`{"version":1,"result":null,"shown":null}`: ``,
	} {
		said := ""
		if _, err := parseState([]byte(file), "s1.json"); err != nil {
			said = err.Error()
		}
		if said != want {
			t.Errorf("%s: %q, want %q", file, said, want)
		}
	}
	if _, err := parseState([]byte(`{"saves":"x","version":2}`), "s1.json"); !errors.Is(err, ErrNewer) {
		t.Errorf("of a newer version: %v", err)
	}
}

// FuzzParseState: what could be read is read the same again once it was written.
func FuzzParseState(f *testing.F) {
	f.Add([]byte(`{"version":1,"root":"/p","mark":{"inode":7,"offset":12},"shown":["a"],"result":{"at":"2026-11-22T01:02:03Z"}}`))
	f.Add([]byte(`{"version":1,"notes":[{"by":"x","paths":null},null]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		st, err := parseState(file, "s1.json")
		if err != nil {
			return
		}
		b := printState(st)
		again, err := parseState(b, "s1.json")
		if c := printState(again); err != nil || string(b) != string(c) {
			t.Errorf("%v: %s is read as %s", err, b, c)
		}
	})
}
