package memdir

import (
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/text"
)

func TestAboutOf(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want About
	}{
		"the client's form": {"---\nname: no-mocks\ndescription: No mocks in\n  integration " +
			"tests\nmetadata:\n  type: feedback\n---\n\n# No mocks\n",
			About{"feedback", "no-mocks", "No mocks in integration tests", "No mocks"}},
		"another type":   {"---\nname: a\ntype: misc\n---\n", About{Name: "a"}},
		"no frontmatter": {"# Billing\n\ntext\n", About{Title: "Billing"}},
		"cut off":        {"---\nname: a\ndescription: about bil", About{}},
		"cut in a letter": {"---\nname: a\n---\n# Zü"[:len("---\nname: a\n---\n# Zü")-1],
			About{Name: "a", Title: "Z"}},
		"empty": {"", About{}},
	} {
		if got := AboutOf([]byte(c.text)); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestTopics(t *testing.T) {
	got := Topics([]string{"MEMORY.md", "billing.md", "2026-11-20.md", "archive/old.md", "teams/search.md",
		"team/MEMORY.md", "team/x.md", "blackboard/REGISTRY.md"})
	if want := []string{"billing.md", "teams/search.md"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDoubtful(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	old, fresh := now.AddDate(0, 0, -200), now.AddDate(0, 0, -3)
	head := func(fields string) string { return "---\n" + fields + "---\n\nSome text.\n" }
	project := head("name: a\ndescription: b\ntype: project\n")
	for name, c := range map[string]struct {
		path, text string
		modified   time.Time
		cut        bool
		want       string // "", "bare", or how and when
	}{
		"old project":        {"a.md", project, old, false, "was last written on 2026-05-05, 200 days"},
		"fresh project":      {"a.md", project, fresh, false, ""},
		"a rule doesn't age": {"a.md", head("name: a\ndescription: b\ntype: feedback\n"), old, false, ""},
		"by its own date": {"a.md", head("last_updated: 2026-03-01\ntopics: [x]\n"), fresh, false,
			"was last updated on 2026-03-01, 265 days"},
		"the 90th day": {"a.md", head("last_updated: 2026-08-23\ntopics: [x]\n"), fresh, false, ""},
		"the 91st day": {"a.md", head("last_updated: 2026-08-22\ntopics: [x]\n"), fresh, false,
			"was last updated on 2026-08-22, 91 days"},
		"own date is newer":   {"a.md", head("last_updated: 2026-11-20\ntopics: [x]\n"), old, false, ""},
		"bare":                {"a.md", "# Billing\n\nWe bill monthly.\n", fresh, false, "bare"},
		"frontmatter cut off": {"a.md", "---\nname: a\n", fresh, true, ""},
		"index":               {"MEMORY.md", "# Memory\n", old, false, ""},
		"daily log":           {"2026-01-02.md", "text\n", old, false, ""},
		"archive":             {"archive/a.md", "text\n", old, false, ""},
		"entity": {"user/entities/shop.md", "# Shop\n\n- is a shop\n\n_Updated: 2026-01-02_\n",
			fresh, false, "was last updated on 2026-01-02, 323 days"},
		"entity, more below": {"user/entities/shop.md", "# Shop\n\n- is a shop\n\n_Updated: 2026-01-02_\n",
			fresh, true, ""},
		"preference": {"user/preferences/go.md", "# Go\n\n- tabs\n\n_Updated: 2025-01-02_\n", old,
			false, ""},
		"future": {"a.md", head("last_updated: 2027-03-01\ntopics: [x]\n"), fresh, false, ""},
	} {
		d, yes := Doubtful(File{Path: c.path, Bytes: []byte(c.text), Modified: c.modified}, c.cut, now)
		got := ""
		switch {
		case yes && d.Bare:
			got = "bare"
		case yes:
			got = d.Says + " " + d.At.Format(time.DateOnly) + ", " +
				strings.Join(strings.Fields(text.Count(d.Days, "day")), " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
