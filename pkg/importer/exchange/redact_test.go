package exchange

import (
	"encoding/json"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// A secret in any text of a memory that is imported stays outside.
func TestImportLeavesSecretsOutside(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3d", 9)
	for _, c := range memory.Categories() {
		content := map[string]any{}
		for _, f := range memory.Fields(c) {
			content[f.Name] = map[memory.Kind]any{
				memory.Text: "text", memory.Flag: true, memory.List: []any{"one"},
				memory.Alternatives: []any{map[string]any{"option": "a", "rejected_reason": "b"}},
				memory.Examples:     map[string]any{"prefer": []any{"p"}, "avoid": []any{"a"}},
			}[f.Kind]
			if f.Kind == memory.Enum {
				content[f.Name] = f.Enum[0]
			}
		}
		record := map[string]any{
			"schema_version": "1.1", "category": string(c), "id": "some-id", "title": "Some id",
			"record_status": "retired",
			"created_at":    "2026-11-20T09:00:00Z", "updated_at": "2026-11-20T09:00:00Z", "tags": []any{"a"},
			"related_files": []any{"a.go"}, "content": content, "times_updated": 1,
			"retired_at": "2026-11-20T09:00:00Z", "retired_reason": "why",
			"changes": []any{map[string]any{"date": "2026-11-20T09:00:00Z", "summary": "s",
				"field": "tags", "old_value": []any{"x"}, "new_value": map[string]any{"k": "v"}}},
			"provenance": map[string]any{"session": "s", "origin": "drafter", "branch": "b", "commit": "c"},
		}
		planted := 0
		plant(record, func() {
			b, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			r, err := memory.Decode(b)
			if err != nil {
				return // a text that may not be just anything
			}
			planted++
			o := Offer{Record: r}
			o.Redact()
			if out := strings.ToLower(o.ID + string(o.Encode())); strings.Contains(out,
				strings.ToLower(token)) {
				t.Errorf("%s:\n%s", c, out)
			}
		}, token)
		if planted < 15 {
			t.Errorf("%s: only %d texts took it", c, planted)
		}
	}
}

// plant puts a text in the place of every text below v in turn, and calls see.
func plant(v any, see func(), text string) {
	try := func(e any, set func(any)) {
		if _, ok := e.(string); ok {
			set(text)
			see()
			set(e)
			return
		}
		plant(e, see, text)
	}
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			try(e, func(n any) { v[i] = n })
		}
	case map[string]any:
		for k, e := range v {
			try(e, func(n any) { v[k] = n })
		}
	}
}
