package stage

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestDocs holds docs/formats.md to the files under the state home: every key is
// named there.
func TestDocs(t *testing.T) {
	b, err := os.ReadFile("../../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for section, typ := range map[string]reflect.Type{
		"sessions/": reflect.TypeFor[State](), "pending/": reflect.TypeFor[Refused](),
	} {
		_, text, ok := strings.Cut(string(b), "\n## "+section+"\n")
		if !ok {
			t.Errorf("docs/formats.md has no section %s", section)
			continue
		}
		text, _, _ = strings.Cut(text, "\n## ")
		for key := range keys(typ) {
			if !mentions(text, key) {
				t.Errorf("docs/formats.md: %s does not name %q", section, key)
			}
		}
	}
}

// keys are the JSON names in a struct, those of the structs in it included.
func keys(typ reflect.Type) map[string]bool {
	all := map[string]bool{}
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		all[name] = true
		inner := f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct {
			for k := range keys(inner) {
				all[k] = true
			}
		}
	}
	return all
}

func mentions(text, key string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !(r == '_' || r >= 'a' && r <= 'z')
	}) {
		if w == key {
			return true
		}
	}
	return false
}
