package reading

import (
	"strings"
	"testing"
	"unicode"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/memory"
)

// notes are as the client writes them, and as models do.
var notes = map[string]struct {
	file, text string
	category   memory.Category
	title      string
	content    map[string]string // lists joined by |
	notes      int
}{
	"feedback with its reason": {
		"feedback_testing.md",
		"---\nname: feedback_testing\ndescription: integration tests use a real database\nmetadata:\n  " +
			"type: feedback\n---\n\nNever mock the database in integration tests.\n\n**Why:** a mocked " +
			"test passed while the migration failed.\n**How to apply:** start the container from `make db` " +
			"first.\n",
		memory.Preference, "Testing",
		map[string]string{"topic": "integration tests use a real database",
			"value": "Never mock the database in integration tests.\n\nstart the container from `make db` " +
				"first.", "reason": "a mocked test passed while the migration failed.", "strength": "strong"},
		0,
	},
	"about the user": {
		"user_role.md",
		"---\nname: Role\ndescription: user is a data scientist\ntype: user\n---\nThe user is a data " +
			"scientist, new to Go.\n\n- knows SQL\n- prefers short answers\n",
		memory.Preference, "Role",
		map[string]string{"topic": "user is a data scientist",
			"value":  "The user is a data scientist, new to Go.\n\n- knows SQL\n- prefers short answers",
			"reason": exchange.NotRecorded, "strength": "default"}, 0,
	},
	"a project's decision": {
		"project-queue.md",
		"---\nname: project-queue\ndescription: job queue storage\nmetadata: {type: project}\n---\nWe " +
			"decided on Postgres instead of Redis.\n\nWhy: jobs were lost.\n\n- twice in May\n\nHow to " +
			"apply: use SKIP LOCKED.\n",
		memory.Decision, "Queue",
		map[string]string{"context": "job queue storage",
			"decision":  "We decided on Postgres instead of Redis.",
			"rationale": "jobs were lost.\n\n- twice in May", "consequences": "use SKIP LOCKED."}, 0,
	},
	"a project's constraint": {
		"freeze.md",
		"---\nname: merge-freeze\ndescription: no merges\ntype: project\n---\nNothing may not be merged " +
			"until 2026-12-01: release freeze.\n",
		memory.Constraint, "Merge freeze",
		map[string]string{"kind": "policy",
			"rule":   "no merges\n\nNothing may not be merged until 2026-12-01: release freeze.",
			"impact": exchange.NotRecorded}, 0,
	},
	"in doubt a decision": {
		"x.md", "---\nname: staging\ndescription: where staging is\ntype: project\n---\n" +
			"Staging runs in Frankfurt.\n",
		memory.Decision, "Staging", map[string]string{"decision": "Staging runs in Frankfurt."}, 0,
	},
	"a reference": {
		"reference_dashboards.md",
		"---\nname: reference_dashboards\ndescription: when latency is high\ntype: reference\n---\n# " +
			"Dashboards\n\n- [latency](https://grafana.example/d/1)\n- errors:\n  - 5xx\n\nAsk in #ops.\n",
		memory.Runbook, "Dashboards",
		map[string]string{"trigger": "when latency is high",
			"steps": "# Dashboards\n\n[latency](https://grafana.example/d/1)|errors:\n- 5xx|Ask in " +
				"#ops.",
			"verification": exchange.NotRecorded}, 0,
	},
	"no head": {"deploy-notes.md", "# Deploys\n\nWe use blue-green because rollbacks are fast.\n",
		memory.Decision, "Deploys",
		map[string]string{"decision": "# Deploys\n\nWe use blue-green because rollbacks are fast."}, 2},
	"a hash in the title": {"csharp.md", "# C#\n\nWe seal records because inheritance surprised us.\n",
		memory.Decision, "C#",
		map[string]string{"decision": "# C#\n\nWe seal records because inheritance surprised us."}, 2},
	"a head that is no YAML": {
		"f.md", "---\nname: tabs\ndescription: style: tabs, \"always\n  type: feedback\n---\n" +
			"Indent with tabs.\n",
		memory.Preference, "Tabs",
		map[string]string{"topic": "style: tabs, \"always", "value": "Indent with tabs."}, 1,
	},
	"blanks behind the rules": {
		"f.md", "--- \nname: tabs\ntype: feedback\n---\t\nIndent with tabs.\n",
		memory.Preference, "Tabs", map[string]string{"value": "Indent with tabs."}, 0,
	},
	"an unknown type": {"f.md", "---\nname: a b\ntype: rumour\n---\nX is said.\n", memory.Decision,
		"A b", nil, 1},
	"text only in the head": {"f.md", "---\nname: tz\ndescription: the team is in Lisbon\ntype: user\n---\n",
		memory.Preference, "Tz", map[string]string{"value": "the team is in Lisbon"}, 0},
	"nothing but a reason": {"f.md", "---\nname: n\ntype: feedback\n---\nWhy: so\n", memory.Preference, "N",
		map[string]string{"value": "Why: so", "reason": exchange.NotRecorded}, 0},
	"Why in code is code": {"f.md", "---\nname: n\ntype: feedback\n---\nRun\n\n```\nWhy: no label\n```\n",
		memory.Preference, "N", map[string]string{"value": "Run\n\n```\nWhy: no label\n```"}, 0},
	"another script": {"f.md",
		"---\nname: データベース\ndescription: 選択\ntype: project\n---\nPostgres を使う。\n", memory.Decision, "データベース",
		map[string]string{"decision": "Postgres を使う。"}, 0},
}

func TestTopics(t *testing.T) {
	for name, c := range notes {
		t.Run(name, func(t *testing.T) {
			topic, err := parseTopic(c.file, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			o := topic.offer(noon)
			if o.Category != c.category || o.Title != c.title || len(o.Notes) != c.notes ||
				o.From != c.file || o.CreatedAt != "2026-11-20T12:00:00Z" {
				t.Errorf("%s %q, notes %q\n%s", o.Category, o.Title, o.Notes, o.Encode())
			}
			if err := o.Validate(); err != nil {
				t.Error(err)
			}
			for field, want := range c.content {
				if got := strings.Join(said(o.Content[field]), "|"); got != want {
					t.Errorf("%s: %q, want %q", field, got, want)
				}
			}
		})
	}
}

func said(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	}
	return nil
}

func TestNoTopic(t *testing.T) {
	for _, text := range []string{"", "---\nname: x\n---\n", "\n\n", "---\n---\n"} {
		if _, err := parseTopic("f.md", []byte(text)); err == nil {
			t.Errorf("%q is a note", text)
		}
	}
}

// letters is what is left of a text when its Markdown is gone: no note may lose
// a word on its way into a record.
func letters(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) && r > '9' {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func FuzzTopic(f *testing.F) {
	for _, c := range notes {
		f.Add(c.file, c.text)
	}
	f.Fuzz(func(t *testing.T, file, text string) {
		topic, err := parseTopic(file, []byte(text))
		if err != nil {
			return
		}
		o := topic.offer(noon)
		if o.ID != "" && len(text) < 10_000 {
			if err := o.Validate(); err != nil {
				t.Fatalf("%v\n%s", err, o.Encode())
			}
		}
		// Every word of the body is in the record, in order within its part.
		var kept strings.Builder
		for _, field := range memory.Fields(o.Category) {
			kept.WriteString(strings.Join(said(o.Content[field.Name]), "\n") + "\n")
		}
		have := letters(kept.String())
		for line := range strings.Lines(topic.Body) {
			for _, label := range []string{"why", "how to apply"} {
				line, _ = cutLabel(line, label)
			}
			if l := letters(line); !strings.Contains(have, l) {
				t.Fatalf("%q is gone from\n%s", line, kept.String())
			}
		}
	})
}

func FuzzBlocks(f *testing.F) {
	for _, c := range notes {
		f.Add(c.text)
	}
	f.Add("a\n\n[x]: y\n\n- b\n  1. c\n\n> - d\n\n    code\n***\n<b>\n")
	f.Fuzz(func(t *testing.T, text string) {
		var b strings.Builder
		for _, part := range blocks([]byte(text)) {
			b.WriteString(part.text)
		}
		if b.String() != text {
			t.Fatalf("%q comes back as %q", text, b.String())
		}
	})
}
