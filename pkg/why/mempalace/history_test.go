package mempalace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/why/mempalace"
)

// past is a palace that is looked at once in a minute.
type past struct {
	t       *testing.T
	file    mempalace.File
	history mempalace.History
	now     time.Time
	yes     map[int]mempalace.Approved // by the minute of the look
}

func newPast(t *testing.T, kind mempalace.Kind) *past {
	dir := t.TempDir()
	p := &past{t: t, file: mempalace.File{Path: filepath.Join(dir, "palace"), Kind: kind},
		history: mempalace.History{Dir: filepath.Join(dir, "history")},
		now:     time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), yes: map[int]mempalace.Approved{}}
	write(t, p.file.Path, "x", 0o600)
	return p
}

// holds is a look at a palace that holds items, such as "d1=We use Postgres." in room queue.
func (p *past) holds(items ...string) { p.looks(false, nil, items...) }

func (p *past) looks(away bool, err error, items ...string) {
	p.t.Helper()
	p.now = p.now.Add(time.Minute)
	var all []mempalace.Item
	for _, s := range items {
		id, text, _ := strings.Cut(s, "=")
		all = append(all, mempalace.Item{ID: id, Wing: "shop", Room: "queue", Text: text})
	}
	s := mempalace.Snapshot{History: p.history, Files: []mempalace.File{p.file}, Session: "s1", At: p.now,
		Away: away}
	if e := s.Take(func(mempalace.File) ([]mempalace.Item, error) { return all, err }); e != nil {
		p.t.Fatal(e)
	}
}

// edits returns in short what was edited without a yes.
func (p *past) edits(away bool) string {
	p.t.Helper()
	all, large, err := p.history.Edits(p.file, away,
		func(_, until time.Time) mempalace.Approved { return p.yes[until.Minute()] })
	if err != nil {
		p.t.Fatal(err)
	}
	var out []string
	for _, e := range all {
		out = append(out, fmt.Sprintf("%s %q>%q in %d-%d", e.Before.ID, e.Before.Text, e.After.Text,
			e.Since.Minute(), e.At.Minute()))
	}
	if large {
		out = append(out, "large")
	}
	return strings.Join(out, ", ")
}

func TestEdits(t *testing.T) {
	for name, tt := range map[string]struct {
		looks [][]string
		yes   string // the minute of the look, and an id or a field of Approved
		kind  mempalace.Kind
		want  string
	}{
		"nothing known":   {looks: [][]string{{"a=1"}}},
		"unchanged":       {looks: [][]string{{"a=1"}, {"a=1"}}},
		"new":             {looks: [][]string{{"a=1"}, {"a=1", "b=2"}}},
		"edited":          {looks: [][]string{{"a=1", "b=1"}, {"a=2", "b=1"}}, want: `a "1">"2" in 1-2`},
		"edited twice":    {looks: [][]string{{"a=1"}, {"a=2"}, {"a=3"}}, want: `a "1">"3" in 1-2`},
		"and back":        {looks: [][]string{{"a=1"}, {"a=2"}, {"a=1"}}},
		"approved":        {looks: [][]string{{"a=1"}, {"a=2"}}, yes: "2 a"},
		"piece":           {looks: [][]string{{"a=1"}, {"a=2"}}, yes: "2 a_chunk_1"},
		"another's":       {looks: [][]string{{"a=1"}, {"a=2"}}, yes: "2 b", want: `a "1">"2" in 1-2`},
		"approved later":  {looks: [][]string{{"a=1"}, {"a=2"}, {"a=3"}}, yes: "3 a"},
		"approved before": {looks: [][]string{{"a=1"}, {"a=2"}, {"a=3"}}, yes: "2 a", want: `a "2">"3" in 2-3`},
		"gone":            {looks: [][]string{{"a=1", "b=1"}, {"b=1"}}, want: `a "1">"" in 1-2`},
		"gone after edit": {looks: [][]string{{"a=1"}, {"a=2"}, {}}, want: `a "1">"" in 1-2`},
		"gone and back":   {looks: [][]string{{"a=1"}, {}, {"a=1"}}},
		"gone, approved":  {looks: [][]string{{"a=1"}, {}}, yes: "2 Removes"},
		"new, then gone":  {looks: [][]string{{}, {"a=1"}, {}}, want: `a "1">"" in 2-3`},
		"mined":           {looks: [][]string{{"a=1"}, {"a=2"}}, yes: "2 Open"},
		"fact ended":      {looks: [][]string{{"a=1"}, {"a=2"}}, kind: mempalace.Facts, yes: "2 Ends"},
		"drawer, not fact": {looks: [][]string{{"a=1"}, {"a=2"}}, yes: "2 Ends",
			want: `a "1">"2" in 1-2`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t, tt.kind)
			if minute, what, ok := strings.Cut(tt.yes, " "); ok {
				p.yes[int(minute[0]-'0')] = map[string]mempalace.Approved{"Open": {Open: true},
					"Removes": {Removes: true}, "Ends": {Ends: true}}[what]
				if strings.ToLower(what) == what {
					p.yes[int(minute[0]-'0')] = mempalace.Approved{IDs: []string{what}}
				}
			}
			for _, items := range tt.looks {
				p.holds(items...)
			}
			if got := p.edits(false); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// What changed while no session was open is the person's own, unless they ask for it.
func TestEditsAway(t *testing.T) {
	p := newPast(t, mempalace.Drawers)
	p.holds("a=1")
	p.looks(true, nil, "a=2")
	p.holds("a=2", "b=1")
	if got := p.edits(false); got != "" {
		t.Errorf("got %s", got)
	}
	if got := p.edits(true); got != `a "1">"2" in 1-2` {
		t.Errorf("with away %s", got)
	}
}

// A palace that is too large has no history until it is smaller, and its edits are not known.
func TestHistoryOfALargePalace(t *testing.T) {
	p := newPast(t, mempalace.Drawers)
	p.holds("a=1")
	p.looks(false, mempalace.ErrLarge)
	p.looks(false, mempalace.ErrLarge)
	if got := p.edits(false); got != "large" {
		t.Errorf("got %s", got)
	}
	p.holds("a=2")
	p.holds("a=3")
	if got := p.edits(false); got != `a "2">"3" in 4-5` {
		t.Errorf("got %s", got)
	}
}

// A line that a crash cut off costs one look, and looks of long ago are folded into one.
func TestHistoryIsMendedAndFolded(t *testing.T) {
	p := newPast(t, mempalace.Drawers)
	p.holds("a=1", "b=1")
	p.holds("a=2", "b=1")
	files, err := filepath.Glob(filepath.Join(p.history.Dir, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files[0], int64(len(b)-3)); err != nil {
		t.Fatal(err)
	}
	if got := p.edits(false); got != "" {
		t.Errorf("cut off: %s", got)
	}
	p.holds("a=2", "b=2")
	if got := p.edits(false); got != `a "1">"2" in 1-3, b "1">"2" in 1-3` {
		t.Errorf("mended: %s", got)
	}
	p.now = p.now.Add(61 * 24 * time.Hour)
	p.holds("a=2", "b=3")
	if got := p.edits(false); got != `b "2">"3" in 3-4` {
		t.Errorf("folded: %s", got)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	// The history of a palace that is gone goes with it, after a month.
	if err := os.Remove(p.file.Path); err != nil {
		t.Fatal(err)
	}
	old := p.now.Add(-100 * 24 * time.Hour)
	if err := os.Chtimes(files[0], old, old); err != nil {
		t.Fatal(err)
	}
	s := mempalace.Snapshot{History: p.history, At: p.now}
	if err := s.Take(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(files[0]); !os.IsNotExist(err) {
		t.Errorf("%s is there: %v", files[0], err)
	}
}

// What a person withdrew is in no history any more.
func TestHistoryForgets(t *testing.T) {
	p := newPast(t, mempalace.Drawers)
	if err := p.history.Forget([]string{"a"}); err != nil { // there is none
		t.Fatal(err)
	}
	p.holds("a=secret", "b=1")
	p.holds("a=secret too", "b=2")
	p.holds("b=2")
	if err := p.history.Forget([]string{"a"}); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(p.history.Dir, "*.jsonl"))
	if b, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(b), "secret") {
		t.Errorf("%s, %v", b, err)
	}
	if got := p.edits(false); got != `b "1">"2" in 1-2` {
		t.Errorf("got %s", got)
	}
}
