package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepsake/pkg/search/records"
)

// topicFiles are a usual directory: what each file says that it is about.
var topicFiles = map[string]string{
	"user_role.md":            "User is a PM who is learning the codebase",
	"feedback_testing.md":     "Integration tests run against a real database, never a mock",
	"feedback_commits.md":     "Commit messages are imperative and name the area first",
	"project_billing.md":      "How billing talks to the ledger and retries failed invoices",
	"project_migration.md":    "The move of the job queue from Redis to PostgreSQL, and what is left of it",
	"project_search.md":       "Search index rebuild: nightly at 02:00 by the importer, takes 40 minutes",
	"reference_dashboards.md": "Grafana dashboards for latency and error budgets",
	"reference_linear.md":     "Bugs are tracked in the Linear project INGEST",
	"project_release.md":      "Merge freeze before the mobile release",
	"feedback_answers.md":     "Short answers without a summary at the end",
	"project_auth.md":         "The auth middleware rewrite is driven by legal's session token storage rules",
	"reference_staging.md":    "Staging cluster access: kubectl context and VPN",
	"decisions.md":            "Decisions on architecture and tools with their reasons",
	"debug-journal.md":        "Bugs that were fixed and their causes",
	"phase_orders.md":         "Phase 7 of the orders rollout",
	"phase_returns.md":        "Phase 7 of the returns rollout",
	"patterns.md":             "Conventions of the code: error handling, naming, layout of packages",
}

// TestPointed: a prompt is pointed to the file that it is clearly about, and a prompt
// about something else to none.
func TestPointed(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	dir := t.TempDir()
	s.Config.Memdir.Dir = dir
	for name, about := range topicFiles {
		text := fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\nText.\n", strings.TrimSuffix(name, ".md"),
			about)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for prompt, want := range map[string]string{
		"Why does billing retry failed invoices twice?":           "project_billing.md",
		"how far is the queue migration from redis to postgresql": "project_migration.md",
		"write an integration test for the database layer":        "feedback_testing.md",
		"open the grafana dashboard with the latency":             "reference_dashboards.md",
		"I need access to the staging cluster with kubectl":       "reference_staging.md",
		"when does the search index rebuild run?":                 "project_search.md",
		"rewrite the auth middleware's session token storage":     "project_auth.md",
		"is there a merge freeze for the mobile release?":         "project_release.md",

		"fix the typo in the readme":                         "",
		"what is left in phase 7 of the rollout":             "", // two files, as near as each other
		"do 7 of these":                                      "",
		"run the tests":                                      "",
		"please add a button to the settings page":           "",
		"thanks, that works":                                 "",
		"what's the weather like in Paris":                   "",
		"refactor this function so that it returns an error": "",
		"write a SQL query that lists customers by country":  "",
		"why is the build slow on my machine":                "",
		"commit this":                                        "",
		"explain what a goroutine is":                        "",
	} {
		found, err := s.Pointed(prompt, 2, func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, f.Path)
		}
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0] != want) {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

// TestPointedFollowsTheFiles: what was indexed is used again until a file changes.
func TestPointedFollowsTheFiles(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	dir := filepath.Join(t.TempDir(), "memory")
	s.Config.Memdir.Dir = dir
	pointed := func(want ...string) {
		t.Helper()
		found, err := s.Pointed("where are the grafana dashboards for latency?", 2, func(path string) bool {
			return path != "told.md"
		})
		var got []string
		for _, f := range found {
			got = append(got, f.Path+": "+f.Description)
		}
		if err != nil || strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("pointed to %q, %v; want %q", got, err, want)
		}
	}
	put := func(name, about string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("---\ndescription: "+about+"\n---\n"),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	pointed() // there is no directory
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put("MEMORY.md", "Grafana dashboards for latency")
	pointed()
	put("a.md", "Grafana dashboards for latency")
	put("told.md", "Grafana dashboards for latency")
	pointed("a.md: Grafana dashboards for latency")
	index := s.CachePath(fmt.Sprintf("memdir-%d.idx", records.Version))
	before, err := os.Stat(index)
	if err != nil {
		t.Fatal(err)
	}
	pointed("a.md: Grafana dashboards for latency")
	if after, err := os.Stat(index); err != nil || !os.SameFile(before, after) {
		t.Errorf("nothing changed and the index was made anew, %v", err)
	}
	put("a.md", "Commit messages of the importer")
	pointed()
	put("a.md", "Grafana dashboards, by latency")
	pointed("a.md: Grafana dashboards, by latency")
	if err := os.WriteFile(index, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	pointed("a.md: Grafana dashboards, by latency")
}

// TestManifest: what drafters are told of memory files has no secret.
func TestManifest(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	s.Config.Memdir.Dir = t.TempDir()
	text := "---\nname: db\ndescription: the database is opened with password=hunter2secretX9\nmetadata:\n " +
		" type: reference\n---\n\nText.\n"
	if err := os.WriteFile(filepath.Join(s.Config.Memdir.Dir, "db.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Manifest(); err != nil ||
		fmt.Sprint(got) != "[[reference] db.md: the database is opened with password=[redacted]]" {
		t.Errorf("%q, %v", got, err)
	}
}
