package draft

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
)

// secrets are put together at run time, so that no scanner takes this file for a leak. The marker, in lower
// case, must not be found again.
var secrets = map[string]struct{ text, marker string }{
	"token":      {"ghp_" + strings.Repeat("aB3d", 9), "ab3dab3d"},
	"address":    {"https://user:" + "pa55w0rdx@host/x.git", "pa55w0rdx"},
	"assignment": {"password=" + "hunter2hunter2", "hunter2"},
	"hidden":     {"gh\u200bp_" + strings.Repeat("aB3d", 9), "ab3dab3d"},
}

// sample returns a draft of a category with a text in every field.
func sample(c memory.Category) map[string]any {
	content := map[string]any{}
	for _, f := range memory.Fields(c) {
		switch f.Kind {
		case memory.Text:
			content[f.Name] = "about " + f.Name
		case memory.Enum:
			content[f.Name] = f.Enum[0]
		case memory.Flag:
			content[f.Name] = true
		case memory.List:
			content[f.Name] = []any{"one", "two"}
		case memory.Alternatives:
			content[f.Name] = []any{map[string]any{"option": "a", "rejected_reason": "b"},
				map[string]any{"choice": "c"}, "d: e"}
		case memory.Examples:
			content[f.Name] = map[string]any{"prefer": []any{"p"}, "avoid": []any{"a"}}
		}
	}
	return map[string]any{
		"category": string(c), "new_info_summary": "What is new.", "intended_action": "create",
		"lifecycle_hints": []any{"resolved"},
		"target":          "some-id", "noop_reason": "none", "origin": "x",
		"partial_content": map[string]any{
			"title": "A title", "tags": []any{"one", "two"}, "confidence": 0.8,
			"related_files":  []any{"a.go", "b.go"},
			"change_summary": "What changed.", "content": content,
		},
	}
}

// leaves calls visit for every text below v with a way to set it, and for every
// list and object with a way to put text in its place.
func leaves(at string, v any, set func(any), visit func(at string, old any, set func(any))) {
	visit(at, v, set)
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			leaves(fmt.Sprintf("%s[%d]", at, i), e, func(n any) { v[i] = n }, visit)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			leaves(at+"."+k, v[k], func(n any) { v[k] = n }, visit)
		}
	}
}

// A secret anywhere in a draft is nowhere in the result: not in the plan, and not in what is said about it.
func TestNoSecretComesThrough(t *testing.T) {
	t.Parallel()
	for _, c := range memory.Categories() {
		for name, secret := range secrets {
			top := sample(c)
			leaves("draft", top, func(any) {}, func(at string, old any, set func(any)) {
				if at == "draft" {
					return
				}
				for i, planted := range []any{
					secret.text,
					strings.Repeat("x", memory.MaxTitle-16) + " " + secret.text,
					[]any{secret.text},
					map[string]any{secret.text: "v"},
					map[string]any{"password": "hunter2hunter2", "k": secret.text},
				} {
					set(planted)
					b, err := json.Marshal(top)
					set(old)
					if err != nil {
						t.Fatal(err)
					}
					written := [][]byte{b}
					if i == 0 { // with words around it, and cut short
						written = append(written,
							[]byte("Here it is, with "+secret.text+":\n```json\n"+string(b)+"\n```"),
							b[:len(b)-2])
					}
					for _, raw := range written {
						if leak := told(raw, c); strings.Contains(strings.ToLower(leak), secret.marker) ||
							strings.Contains(leak, "hunter2") {
							t.Fatalf("%s, %s in %s:\n%s", c, name, at, leak)
						}
					}
				}
			})
		}
	}
}

// told returns as text everything that results from a draft.
func told(raw []byte, c memory.Category) string {
	var all strings.Builder
	d, notes, err := Parse(raw, c)
	fmt.Fprintln(&all, notes, err, d.Title)
	if err != nil {
		o, _ := json.Marshal(Outcome{Category: c}.Refuse(err))
		return all.String() + string(o)
	}
	if slug := slugOf(titleOf(d), d.Summary); slug != "" {
		fmt.Fprintln(&all, slug)
	}
	p, outcomes := Resolve(Input{Drafts: []Draft{d}, Now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)})
	for _, e := range p.Edits {
		fmt.Fprintln(&all, e.Path, e.Title, string(e.After))
	}
	o, _ := json.Marshal(outcomes)
	return all.String() + string(o)
}

// TestTopicNamesItsValue: the topic of a preference can show that its value is a secret.
func TestTopicNamesItsValue(t *testing.T) {
	for _, tt := range []struct{ topic, value, want string }{
		{"Admin password for staging", "hunter22" + "x", "[redacted]"},
		{"DB passwort", "Tr0ub4" + "dor&3", "[redacted]"},
		{"Database password", "use the one in 1Password", "use the one in 1Password"},
		{"Password policy", "at least 12 characters", "at least 12 characters"},
		{"token", "JWT", "JWT"},
	} {
		v := cleanJSON(map[string]any{"topic": tt.topic, "value": tt.value}).(map[string]any)
		if v["value"] != tt.want || v["topic"] != tt.topic {
			t.Errorf("%s: %v", tt.topic, v)
		}
	}
}
