package memory

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

// FuzzMembers: whatever is read of valid JSON is what encoding/json reads.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{}`, ` { "a" : 1 , "b":[ "x", "" ],"a":{"c":"}"} } `, `{"a\"":"\\","b":"\\\""}`,
		`[]`, `[ "a" , "b" ]`, `["a",null]`, `"text"`, `"\u0041"`, `{"":"","content":{"a":[],"b":true}}`, `null`,
		`{"a":-1e9,"b":false}`, `{"a":[{"b":"]"}]}`, "\"\xff\"", `{"a":1e999}`, `{"steps":["a"],"trigger":["b"]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !utf8.Valid(b) || !json.Valid(b) {
			return
		}
		raw := bytes.TrimSpace(b)
		if got, ok := members(b); ok {
			var want map[string]json.RawMessage
			if err := json.Unmarshal(b, &want); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s, want %s, %v", b, got, want, err)
			}
		} else if raw[0] == '{' && !bytes.Contains(raw, []byte(`\`)) {
			t.Errorf("%s: could not tell", b)
		}
		if got, ok := plainTexts(raw); ok {
			var want []string
			if err := json.Unmarshal(b, &want); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q, want %q, %v", b, got, want, err)
			}
		}
		if got, ok := plainText(raw); ok {
			var want string
			if err := json.Unmarshal(b, &want); err != nil || got != want {
				t.Errorf("%s: %q, want %q, %v", b, got, want, err)
			}
		}
		if got, ok := plainContent(Runbook, raw); ok {
			var want map[string]any
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatalf("%s: read, but %v", b, err)
			}
			for _, f := range Fields(Runbook) {
				if v, ok := want[f.Name]; ok && f.Kind == List {
					want[f.Name] = f.normal(v)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %#v, want %#v", b, got, want)
			}
		}
	})
}
