package candidate

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestDocs holds docs/formats.md to the files of the inbox: every key is named there.
func TestDocs(t *testing.T) {
	b, err := os.ReadFile("../../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "\n## inbox/\n")
	text, _, _ = strings.Cut(text, "\n## ")
	words := strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	for _, typ := range []reflect.Type{reflect.TypeFor[file](), reflect.TypeFor[Candidate](),
		reflect.TypeFor[Seen](), reflect.TypeFor[Report](), reflect.TypeFor[Item]()} {
		for f := range typ.Fields() {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !slices.Contains(words, key) {
				t.Errorf("docs/formats.md does not name %s's %q", typ.Name(), key)
			}
		}
	}
}
