package memory

import (
	"strings"
	"testing"
)

func TestRewriteReachesEveryText(t *testing.T) {
	why := "secret"
	for _, c := range Categories() {
		content := Content{}
		for _, f := range Fields(c) {
			content[f.Name] = map[Kind]any{
				Text: "secret", Enum: "low", Flag: true, List: []string{"secret"},
				Alternatives: []map[string]string{{"option": "secret", "rejected_reason": "secret"}},
				Examples:     map[string][]string{"prefer": {"secret"}, "avoid": {"secret"}},
			}[f.Kind]
		}
		r := Record{
			Category: c, Title: "secret", Tags: []string{"secret", "a"}, RelatedFiles: []string{"secret"},
			RetiredReason: &why, ArchivedReason: &why, Content: content,
			Changes: []Change{
				{Summary: "secret", Field: "content.secret",
					OldValue: []any{"secret", map[string]any{"secret": "secret"}}, NewValue: "secret"},
			},
			Provenance: &Provenance{Session: "secret", Origin: "secret", Branch: "secret", Commit: "secret"},
			Verify:     []string{"path_exists secret"},
			Branch:     &Branch{Name: "feat/secret", Head: "1", Base: "1"},
		}
		was := string(r.Encode())
		copied := r.Rewrite(func(s string) string { return strings.ReplaceAll(s, "secret", "-") })
		if got := string(copied.Encode()); strings.Contains(got, "secret") ||
			len(copied.Content) != len(content) {
			t.Errorf("left:\n%s", got)
		}
		if string(r.Encode()) != was {
			t.Error("the record that was given has changed")
		}
	}
}

// The replacement of a secret can be longer than the secret.
func TestRewriteKeepsLimits(t *testing.T) {
	why := strings.Repeat("x", MaxSummary)
	r := whole()
	r.Title, r.RetiredReason, r.Changes[0].Summary = strings.Repeat("x", MaxTitle), &why, why
	r.Tags = []string{"ab", "cb"}
	got := r.Rewrite(func(s string) string {
		return strings.NewReplacer("x", "yy", "ab", "yb", "cb", "yb").Replace(s)
	})
	if err := got.Validate(); err != nil || len(got.Tags) != 1 {
		t.Errorf("%v, tags %q", err, got.Tags)
	}
}
