package text

import "testing"

func TestOneOf(t *testing.T) {
	for w, want := range map[string]bool{
		"boss": true, "is": true, "s": false, "bos": false, "ss": false, "": false, "boss is": true,
	} {
		if OneOf(w, "boss is here") != want {
			t.Errorf("%q: %t", w, !want)
		}
	}
}
