package resolve

import (
	"errors"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

func TestIsPlaceholder(t *testing.T) {
	reason := memory.Field{Name: "reason", Label: "Reason"}
	for _, s := range []string{
		"Not recorded.", "not recorded", "TBD", "tbd.", "N/A", "n/a", "unknown", "Unknown.", "…", "...", "-",
		"?", "none given", "None", "none.", "<reason>", "<why it was chosen>", "[reason]", "[reason here]",
		"{reason}", "{{reason}}", "Reason", "reason:", "REASON", "(none)", "Not specified",
		"No reason given.", "To be determined", "not stated", "TODO", "string", "See above.", "placeholder",
		"`unknown`", "**TBD**",
	} {
		if !isPlaceholder(s, reason) {
			t.Errorf("%q says something", s)
		}
	}
	for _, s := range []string{
		"it is fast", "the reason is speed", "none of the others replays", "unknown hosts are refused",
		"TBD is written as TODO here", "<b> is stripped", "[redacted]", "no", "Go", "npm", "5", "未定ではない",
		"nothing else scales", "recorded nowhere else", "[1] and [2]", "No rationale beats speed",
	} {
		if isPlaceholder(s, reason) {
			t.Errorf("%q says nothing", s)
		}
	}
	if isPlaceholder("none", memory.Field{Name: "expires", Label: "Expires"}) {
		t.Error("a constraint may expire with nothing")
	}
}

// TestPlaceholdersOfUpdates: what an update has no words for stays as it is.
func TestPlaceholdersOfUpdates(t *testing.T) {
	d, notes, err := ParseDraft([]byte(`{"new_info_summary": "s", "intended_action": "update", "target": "x", "partial_content": {"title": "TBD", "content": {"decision": "Postgres 17", "context": "N/A"}}}`), memory.Decision)
	if err != nil || d.Title != "" || len(d.Content) != 1 ||
		!strings.Contains(strings.Join(notes, "\n"), `content.context: "N/A" says nothing, left as it is`) {
		t.Errorf("%+v %q %v", d, notes, err)
	}
}

func TestGrounded(t *testing.T) {
	redis := saidAs{memory.Decision, "", "Use Redis for the cache", "Redis caches sessions",
		"latency"}.draft()
	for name, tt := range map[string]struct {
		draft Draft
		words []string
		want  bool
	}{
		"a name":              {redis, []string{"ok, redis it is"}, true},
		"a word":              {redis, []string{"caching should be quick"}, true},
		"another ending":      {redis, []string{"we cached it"}, true},
		"in what explains it": {redis, []string{"yes, do that", "Shall sessions go to Redis?"}, true},
		"a number": {saidAs{memory.Constraint, "", "Limit", "At most 400 each", ""}.draft(),
			[]string{"400 it is"}, true},
		"nothing": {redis, []string{"we deploy with Nomad on Fridays"}, false},
		// no words to be held against
		"only grammar": {redis, []string{"we use it for the other thing"}, true},
		"only a weak word": {saidAs{memory.Decision, "", "Save new files", "Store new files",
			""}.draft(), []string{"Nomad should run in a new project"}, false},
		"no words": {redis, nil, true},
		"a noop":   {Draft{Noop: true}, []string{"Nomad"}, true},
		"another script": {saidAs{memory.Decision, "", "データベース", "Postgresを使う", ""}.draft(),
			[]string{"データベースはPostgresに決めた"}, true},
		"another script, other": {saidAs{memory.Decision, "", "認証方式", "認証方式を変更", ""}.draft(),
			[]string{"来週は休みです"}, false},
		"Cyrillic": {saidAs{memory.Decision, "", "Кэш", "Кэш в Редисе", ""}.draft(),
			[]string{"используем Редисе для кэша"}, true},
	} {
		err := Grounded(tt.draft, tt.words)
		var v *memory.ValidationError
		if (err == nil) != tt.want || err != nil && !errors.As(err, &v) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Grounded(redis, []string{"we deploy with Nomad"}); !strings.Contains(err.Error(),
		`covers: expected a draft of what was said: "we deploy with Nomad", got "Use Redis for the cache", which shares no word with it`) {
		t.Error(err)
	}
}
