package text

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzAppendJSON: a text is written as encoding/json writes it.
func FuzzAppendJSON(f *testing.F) {
	for _, s := range []string{"", "text", `"\`, "a\nb\t\r\b\f", "<&>", "ü", "\xff\xe2", "\u2028", "a\u2029",
		"\x7f", "\x00\x1f", "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		for _, got := range [][]byte{AppendJSON([]byte("x"), s), AppendJSON([]byte("x"), []byte(s))} {
			if got := append(got, '\n'); !bytes.Equal(got[1:], want.Bytes()) || got[0] != 'x' {
				t.Errorf("%q: %s, want %s", s, got, &want)
			}
		}
	})
}
