package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
)

// older lays out what a version without a journal left of an ended session.
func older(t *testing.T, s *Session) {
	t.Helper()
	p := s.Pending()
	decision := stage.Context{
		Category: memory.Decision, Score: .8,
		Excerpt: "[user]\nShall it be MySQL?\n[assistant]\nWe use Postgres for billing. It has " +
			"jsonb.\n---\n[user]\nYes.",
		Snippets: []stage.Snippet{{Text: "We use Postgres for billing."}, {Text: "Jobs live in Postgres."}},
	}
	again := stage.Context{Category: memory.Decision, Excerpt: "x",
		Snippets: []stage.Snippet{{Text: "we use postgres for billing"}}}
	refused := stage.Context{Category: memory.Preference, Excerpt: "[assistant]\nAnd indents?\n[user]\nTabs.",
		Snippets: []stage.Snippet{{Text: "Tabs."}}}
	drafted := stage.Context{Category: memory.Runbook, Excerpt: "x",
		Snippets: []stage.Snippet{{Text: "Run make twice."}}}
	summary := stage.Context{Category: memory.SessionSummary, Excerpt: "tool uses: 9"}
	for _, err := range []error{
		p.Add("old", decision), p.Add("old", refused), p.Add("old", drafted), p.Add("old", summary),
		p.Add("older", again),
		p.Refuse("old", stage.Refused{Category: memory.Preference, Reason: "no title", Draft: "{}"}),
		p.Draft("old", stage.IntentName(memory.Runbook), []byte("{}")),
		p.Desk("older").Note(stage.Moment{Kind: memory.Progress, Text: "Phase 2 is done.", Person: true}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestMigrate(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	older(t, s)
	now := time.Now().UTC()
	for range 2 {
		if err := s.Migrate(now); err != nil {
			t.Fatal(err)
		}
		migrated(t, s)
	}
}

// migrated checks that everything that lay there is there once.
func migrated(t *testing.T, s *Session) {
	t.Helper()
	var texts []string
	for _, f := range whole(t, s).Each(nil) {
		texts = append(texts, f.Text)
		by := finding.Agent
		if f.Moment != "" || f.Text == "Tabs." {
			by = finding.Typed
		}
		if f.Cue != Earlier {
			t.Errorf("not known to be of an earlier version: %+v", f)
		}
		if f.State != finding.Open || f.By != by || f.Origin != finding.FromAgent ||
			f.Level != finding.Sure || f.Offset != -1 || f.Session == "" {
			t.Errorf("%+v", f)
		}
		if f.Text == "We use Postgres for billing." && (len(f.Context) != 2 ||
			!strings.Contains(f.Context[1].Text, "It has jsonb.")) {
			t.Errorf("said around it: %+v", f.Context)
		}
	}
	slices.Sort(texts)
	if want := []string{"Jobs live in Postgres.", "Phase 2 is done.", "Run make twice.", "Tabs.",
		"We use Postgres for billing."}; !slices.Equal(texts, want) {
		t.Errorf("%q", texts)
	}
	old := stage.Desk{Dir: filepath.Join(s.Pending().Dir, "old")}
	names, err := old.Files()
	want := []string{"context-preference.txt", "context-runbook.txt", "context-session_summary.txt",
		"intent-runbook.json", "rejected-preference.json"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v", names, err)
	}
	for _, cat := range []memory.Category{memory.Preference, memory.Runbook} {
		if c, err := old.Context(cat); err != nil || !c.Numbered() {
			t.Errorf("%s: %+v, %v", cat, c, err)
		}
	}
	if !absent(filepath.Join(s.Pending().Dir, "older")) {
		t.Error("an empty folder is left")
	}
}

// TestMigrateIsKilled: after each change of a file it begins anew.
func TestMigrateIsKilled(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	older(t, s)
	now := time.Now().UTC()
	before := snapshotOf(t, s.Pending().Dir)
	for i := 0; ; i++ {
		// The journal has the first i steps of it and the files are as they were.
		a := &killed{adopter: adopter{s, now}, after: i}
		err := s.Pending().Adopt(a)
		if a.calls <= i {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if i%2 == 0 { // killed before the files were changed
			os.RemoveAll(s.Pending().Dir)
			restoreTo(t, s.Pending().Dir, before)
		}
	}
	migrated(t, s)
}

// killed fails after so many calls, once the journal has what the last one brought.
type killed struct {
	adopter
	after, calls int
}

func (k *killed) Statements(session string, c stage.Context, at time.Time) ([]int, error) {
	numbers, err := k.adopter.Statements(session, c, at)
	if k.calls++; k.calls > k.after {
		return nil, os.ErrDeadlineExceeded
	}
	return numbers, err
}

func (k *killed) Moments(session string, said []stage.Moment, at time.Time) error {
	err := k.adopter.Moments(session, said, at)
	if k.calls++; k.calls > k.after {
		return os.ErrDeadlineExceeded
	}
	return err
}

func snapshotOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(dir, path)
			files[rel] = readFile(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func restoreTo(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for rel, b := range files {
		path := filepath.Join(dir, rel)
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMigrateADesk: what lies on the desk of a session that goes on gets numbers and
// stays; of one that is over it goes into the journal alone.
func TestMigrateADesk(t *testing.T) {
	home(t)
	s := open1(t, "s1")
	lay := func() {
		c := stage.Context{Category: memory.Decision, Excerpt: "x",
			Snippets: []stage.Snippet{{Text: "We use Postgres."}}}
		if err := s.Desk.Put(c); err != nil {
			t.Fatal(err)
		}
		if err := s.Desk.Note(stage.Moment{Kind: memory.Progress, Text: "Phase 2 is done."}); err != nil {
			t.Fatal(err)
		}
	}
	lay()
	if err := s.Migrate(time.Now()); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Desk.Context(memory.Decision); err != nil || !c.Numbered() {
		t.Errorf("%+v, %v", c, err)
	}
	os.RemoveAll(s.Desk.Dir)
	lay()
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	if names, _ := s.Desk.Files(); len(names) != 0 {
		t.Errorf("%q", names)
	}
	if waiting, err := s.Pending().Waiting(); len(waiting) != 0 || err != nil {
		t.Errorf("%v, %v", waiting, err)
	}
	if n := whole(t, s).Len(); n != 2 {
		t.Errorf("%d findings", n)
	}
}

// TestWhoSaidEarlier: the label above a statement says who said it; one that stands under
// both labels, or whose label the excerpt has lost, is the agent's.
func TestWhoSaidEarlier(t *testing.T) {
	for excerpt, want := range map[string]finding.Speaker{
		"[user]\nHi.\nWe use Go.\n[assistant]\nFine.":            finding.Typed,
		"[assistant]\nWe use Go.\n[user]\nYes.":                  finding.Agent,
		"[user]\nWe use Go.\n[assistant]\nSo: We use Go. Right?": finding.Agent,
		"[user]\nHi.\n---\n[assistant]\nMore.":                   finding.Agent,
		"We use Go.":                                             finding.Agent,
		"":                                                       finding.Agent,
		"[user]\nWe use\n  Go.":                                  finding.Typed,
	} {
		if _, by := saidAround(excerpt, "We use Go."); by != want {
			t.Errorf("%q: %s, want %s", excerpt, by, want)
		}
	}
}
