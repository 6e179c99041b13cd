package reading

import (
	"encoding/json"
	"reflect"
	"testing"

	"keepsake/pkg/importer/exchange"
)

// What is read comes through JSON as it is: Keepsake reads it from another program.
func TestReadThroughJSON(t *testing.T) {
	texts := []exchange.Text{
		{Kind: exchange.Rules, File: "/p/CLAUDE.md", Bytes: []byte(instructions)},
		{Kind: exchange.Rules, File: "/p/CLAUDE.md", Bytes: []byte(instructions), All: true},
		{Kind: exchange.Rules, File: "f.md", Bytes: []byte("- Use 🙂\n- Use <b>\xff & \u2028\n")},
		{Kind: exchange.Index, File: "MEMORY.md", Bytes: []byte("- [Tabs](tabs.md)\n- we ship on Fridays\n")},
		{Kind: exchange.Note, File: "empty.md"},
	}
	for _, c := range notes {
		texts = append(texts, exchange.Text{Kind: exchange.Note, File: c.file, Bytes: []byte(c.text)})
	}
	offers, passed := 0, 0
	for _, text := range texts {
		text.At = noon.Unix()
		want := Read(through(t, text))
		if got := through(t, want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s %q:\n%+v\nwant\n%+v", text.Kind, text.Bytes, got, want)
		}
		for _, o := range want.Offers {
			if o.UpdatedAt != "2026-11-20T12:00:00Z" {
				t.Errorf("%s: of %s", o.Title, o.UpdatedAt)
			}
		}
		offers, passed = offers+len(want.Offers), passed+len(want.Passed)
	}
	if offers < len(notes)+10 || passed < 15 {
		t.Errorf("only %d offers and %d passed", offers, passed)
	}
}

func through[T any](t *testing.T, v T) (out T) {
	t.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A text that is of no kind, and one of which nothing can be made, are passed.
func TestReadNothing(t *testing.T) {
	for kind, why := range map[exchange.TextKind]string{
		exchange.Note: "has no text", "poem": "is of a kind that this program does not know: poem",
	} {
		want := exchange.Reading{Passed: []exchange.Passed{{From: "f.md", Why: why}}}
		if got := Read(exchange.Text{Kind: kind, File: "f.md"}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
	}
}
