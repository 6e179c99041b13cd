package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// values are texts that a reader of JSON may get wrong, with what is no JSON.
var values = []string{
	`{}`, `[]`, `""`, `0`, `-0`, `null`, `true`, `false`, ` { "a" : [ 1 , { "b" : "c" } ] , "d" : "" } `,
	`{"a":1,"a":2}`, `[[[["x"],[]],{}],"y"]`,
	`{"\u0061\n":"\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00x\ud83d \udc00"}`,
	`"12345678\"90123456"`, `"1234567"`, `"12345678"`, `"123456789"`, `"ä日😀"`, "\"\xff\"",
	`1e5`, `1E+5`, `-1.50e-3`, `12345678901234567890`, `123456789012345`,
	``, ` `, `{`, `}`, `[`, `]`, `"`, `"a`, `"\"`, `"\x"`, `"\u12g4"`, `"\u123`, "\"a\nb\"", "\"\x00\"",
	`{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{1:2}`, `[1,]`, `[,1]`, `[1 2]`, `[1}`, `{"a":1]`,
	`01`, `1.`, `.5`, `+1`, `-`, `1e`, `1e+`, `tru`, `nulll`, `truefalse`, `{} {}`, `{}x`, `'a'`, "\ufeff{}", `"a" "b"`, "{\"a\":1}\x00",
}

// TestValue: a line is read as gjson reads it.
func TestValue(t *testing.T) {
	for _, s := range values {
		compareToGJSON(t, []byte(s))
	}
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			compareToGJSON(t, []byte(line))
			compareToGJSON(t, []byte(line[:len(line)/2]))
		}
	}
}

// TestDepth: a line that would take a large stack is broken. What stands side by side is not deep.
func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		open, inner, shut string
		depth             int
		want              bool
	}{
		{"[", "", "]", maxDepth, true},
		{"[", "", "]", maxDepth + 1, false},
		{`{"a":`, "1", "}", maxDepth, true},
		{`{"a":`, "1", "}", maxDepth + 1, false},
		{`[{"a":`, "1", "}]", maxDepth / 2, true},
		{`[{"a":`, "1", "}]", maxDepth/2 + 1, false},
		{"[", strings.Repeat("[],", maxDepth) + "{}", "]", maxDepth - 1, true},
	} {
		line := strings.Repeat(tt.open, tt.depth) + tt.inner + strings.Repeat(tt.shut, tt.depth)
		if _, ok := parseValue([]byte(line), nil); ok != tt.want {
			t.Errorf("%d times %s: %v", tt.depth, tt.open, ok)
		}
	}
}

// FuzzValue: also any other text.
func FuzzValue(f *testing.F) {
	for _, s := range values {
		f.Add([]byte(s))
	}
	f.Fuzz(compareToGJSON)
}

func compareToGJSON(t *testing.T, line []byte) {
	var room []node
	v, ok := parseValue(line, &room)
	if ok != gjson.ValidBytes(line) {
		t.Fatalf("%q: valid is %v", line, ok)
	}
	if !ok {
		if v.exists() {
			t.Fatalf("%q is a value", line)
		}
		return
	}
	sameValue(t, v, gjson.ParseBytes(line))
	again, _ := parseValue(line, &room)
	sameValue(t, again, gjson.ParseBytes(line))
}

func sameValue(t *testing.T, v value, g gjson.Result) {
	t.Helper()
	str := ""
	if g.Type == gjson.String {
		str = g.Str
	}
	text := g.String()
	if !v.isString() { // gjson leaves the blanks behind a number or an object
		text = strings.TrimRight(text, " \t\r\n")
	}
	if !v.exists() || v.str() != str || v.text() != text || v.bool() != g.Bool() || v.int() != g.Int() ||
		v.isObject() != g.IsObject() || v.isArray() != g.IsArray() {
		t.Fatalf("%q %q %v %d, but gjson %q %q %v %d", v.str(), v.text(), v.bool(), v.int(), str, text,
			g.Bool(), g.Int())
	}
	if !g.IsObject() && !g.IsArray() {
		return
	}
	var keys, vkeys []string
	var all []gjson.Result
	first := map[string]gjson.Result{}
	g.ForEach(func(k, x gjson.Result) bool {
		keys, all = append(keys, k.Str), append(all, x)
		if _, known := first[k.Str]; !known {
			first[k.Str] = x
		}
		return true
	})
	v.each(func(k []byte, x value) bool {
		if len(vkeys) < len(all) {
			sameValue(t, x, all[len(vkeys)])
		}
		vkeys = append(vkeys, string(k))
		return true
	})
	if strings.Join(keys, "\x00") != strings.Join(vkeys, "\x00") || len(keys) != len(vkeys) {
		t.Fatalf("keys %q, but gjson %q", vkeys, keys)
	}
	if v.isObject() {
		for k, x := range first {
			if raw := string(v.get(k).raw()); raw != strings.TrimRight(x.Raw, " \t\r\n") {
				t.Fatalf("%q is %q, but gjson %q", k, raw, x.Raw)
			}
		}
	}
	if len(vkeys) > 0 {
		seen := 0
		v.each(func([]byte, value) bool { seen++; return false })
		if seen != 1 {
			t.Fatalf("went on %d times", seen)
		}
	}
	if v.get("no such key").exists() {
		t.Fatal("has a key that it has not")
	}
}
