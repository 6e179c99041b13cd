package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/scratch"
	"keepsake/pkg/why/candidate"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// notesLab is a project with notes, and the session of it.
func notesLab(t *testing.T, notes map[string]string) *Session {
	t.Helper()
	dir := t.TempDir()
	for env, d := range map[string]string{"HOME": "home", "XDG_CONFIG_HOME": "config",
		"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run",
		"CLAUDE_PROJECT_DIR": "shop"} {
		path := filepath.Join(dir, d)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(env, path)
	}
	s, err := Open(Call{ID: "s1", Cwd: "/"})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range notes {
		put(t, s, name, text)
	}
	return s
}

// put writes a file of the project, by a path in its folder of notes where it has
// no slash.
func put(t *testing.T, s *Session, name, text string) {
	t.Helper()
	if !strings.Contains(name, "/") {
		name = scratch.Dir + "/" + name
	}
	path := filepath.Join(s.Root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const (
	postgres = "Decided to use Postgres over SQLite for the memory store, scaling concern."
	general  = "## 2026-11-21T10:00:00Z\n" + postgres +
		"\n\n## 2026-11-21T10:05:00Z\nThe importer skips empty rows,\nsince the bank sends them.\n\n" +
		"## 2026-11-21T10:06:00Z\nThe deploy key is AKIA" + "IOSFODNN7EXAMPLE now.\n"
)

func document(quote, source string, more ...string) string {
	return "## C\n> " + strings.ReplaceAll(quote, "\n", "\n> ") + "\n- Source: " + source + "\n" +
		strings.Join(more, "\n") + "\n"
}

const file = scratch.Dir + "/general.md"

func TestPropose(t *testing.T) {
	for name, tt := range map[string]struct {
		doc    string
		why    string // "" when it is taken
		source string
	}{
		"whole":        {document(postgres, file+":2"), "", file + ":2"},
		"another line": {document(postgres, file+":9"), "", file + ":2"},
		"no line":      {document(postgres, file), "", file + ":2"},
		"lines run on": {document("The importer skips empty rows, since the bank sends them.",
			"./"+file+":5"), "", file + ":5"},
		"absolute, inside": {document(postgres, "$ROOT/"+file+":2"), "", file + ":2"},
		"far away":         {document(postgres, file+":99"), "line 2 of", ""},
		"a word more":      {document(postgres+" Always.", file+":2"), "does not stand in", ""},
		"a word less": {document(strings.Replace(postgres, "over SQLite ", "", 1), file+":2"),
			"does not stand in", ""},
		"two notes": {document(general[strings.Index(general, "Decided"):strings.Index(general,
			"\nsince")], file+":2"), "two notes", ""},
		"with the time": {document("## 2026-11-21T10:00:00Z\n"+postgres, file+":1"),
			"the time of the note", ""},
		"too short": {document("The importer", file+":5"), "stand anywhere", ""},
		"a secret": {document("The deploy key is AKIA"+"IOSFODNN7EXAMPLE now.", file+":9"),
			"a secret (AWS", ""},
		"outside":           {document(postgres, "../general.md:2"), "outside", ""},
		"absolute, outside": {document(postgres, "/etc/passwd:2"), "outside", ""},
		"git's":             {document(postgres, ".git/config:2"), "outside", ""},
		"no file":           {document(postgres, scratch.Dir+"/none.md:2"), "no file", ""},
		"a folder":          {document(postgres, scratch.Dir), "regular", ""},
		"a link":            {document(postgres, "link.md:2"), "link", ""},
		"no source":         {"## C\n> " + postgres, "no source", ""},
		"no quote":          {"## C\nSource: " + file + ":2", "no quote", ""},
		"an odd wing":       {document(postgres, file+":2", "- Wing: ../x"), "the wing", ""},
		"an odd room":       {document(postgres, file+":2", "- Room: a/b"), "the room", ""},
		"promoted": {document("This one is kept already.", scratch.Dir+"/done.md:2"),
			"promoted already", ""},
		"elsewhere": {document("The shop sells on three continents.", "findings.md:3"), "",
			"findings.md:3"},
	} {
		t.Run(name, func(t *testing.T) {
			done := scratch.Entry{At: noon, Text: "This one is kept already."}
			s := notesLab(t, map[string]string{"general.md": general,
				"./findings.md": "# Findings\n\nThe shop sells on three continents.\n",
				"done.md": string(scratch.Encode(done)) +
					"PROMOTED to MemPalace at 2026-11-21T11:00:00Z (d1)\n"})
			if err := os.Symlink(filepath.Join(s.Root, file), filepath.Join(s.Root, "link.md")); err != nil {
				t.Fatal(err)
			}
			tt.doc = strings.ReplaceAll(tt.doc, "$ROOT", s.Root)
			r, err := s.Propose(tt.doc, noon, noon)
			if err != nil || len(r.Items) != 1 {
				t.Fatalf("%+v, %v", r, err)
			}
			item := r.Items[0]
			if (item.Why == "") != (tt.why == "") || !strings.Contains(item.Why, tt.why) {
				t.Errorf("%q, want %q", item.Why, tt.why)
			}
			w, err := s.Inbox().Waiting(noon)
			if err != nil || len(w) != r.Taken() {
				t.Fatalf("%v, %v", w, err)
			}
			if tt.why == "" && (w[0].Source != tt.source || w[0].Wing != "shop" || w[0].Room != "decisions" ||
				w[0].ID != item.ID || w[0].Quote == "") {
				t.Errorf("%+v", w[0])
			}
			if told, err := s.Inbox().Told(); err != nil || len(told.Items) != 1 ||
				strings.Contains(told.Document, "IOSFODNN7") {
				t.Errorf("%+v, %v", told, err)
			}
		})
	}
}

// TestRejectedStaysAway: neither the same again, nor a part of it, nor a note that
// says it in other words; the notes are not new either.
func TestRejectedStaysAway(t *testing.T) {
	s := notesLab(t, map[string]string{"general.md": "## 2026-11-21T10:00:00Z\n" + postgres + "\n"})
	if n, err := s.Unseen(); n != 1 || err != nil {
		t.Fatalf("%d new, %v", n, err)
	}
	r, err := s.Propose(document(postgres, file+":2"), noon, noon)
	if err != nil || r.Taken() != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	id := r.Items[0].ID
	if _, err := s.Inbox().Mark(id, candidate.Rejected, noon); err != nil {
		t.Fatal(err)
	}
	put(t, s, "next.md",
		"## 2026-11-22T10:00:00Z\nWe went with Postgres instead of SQLite for the memory store, because of "+
			"scaling.\n")
	if n, err := s.Unseen(); n != 0 || err != nil {
		t.Errorf("%d new once it is said in other words, %v", n, err)
	}
	tomorrow := noon.AddDate(0, 0, 1)
	for _, doc := range []string{
		document(postgres, file+":2"), document("use Postgres over SQLite", file+":2"),
		document("We went with Postgres instead of SQLite for the memory store, because of scaling.",
			scratch.Dir+"/next.md:2"),
	} {
		r, err := s.Propose(doc, tomorrow, tomorrow)
		if err != nil || r.Taken() != 0 || r.Items[0].Like != id ||
			!strings.Contains(r.Items[0].Why, "rejected, "+id) {
			t.Errorf("%+v, %v", r.Items, err)
		}
	}
}

func TestBudget(t *testing.T) {
	var notes, doc strings.Builder
	for i, thing := range []string{"Apples ripen in the cellar", "Boats leave from Lübeck",
		"Candles need cotton wicks", "Doors open inwards", "Engines idle at noon", "Flags fly on Fridays"} {
		fmt.Fprintf(&notes, "## 2026-11-21T10:0%d:00Z\n%s\n\n", i, thing)
		doc.WriteString(document(thing, fmt.Sprint(file, ":", 3*i+2)))
	}
	s := notesLab(t, map[string]string{"general.md": notes.String()})
	r, err := s.Propose(doc.String()+"\nRead: 6, proposed: 6, left: 0", noon, noon)
	if err != nil || r.Taken() != 5 || !strings.Contains(r.Items[5].Why, "stays in the notes") ||
		r.Read != 6 {
		t.Fatalf("%+v, %v", r, err)
	}
	if n, err := s.Unseen(); n != 1 || err != nil {
		t.Errorf("what was left out is to be looked at again: %d, %v", n, err)
	}
	tomorrow := noon.AddDate(0, 0, 1)
	if r, err := s.Propose(doc.String(), tomorrow, tomorrow); err != nil || r.Taken() != 1 ||
		r.Items[5].Why != "" {
		t.Errorf("the next day: %+v, %v", r.Items, err)
	}
	if n, err := s.Unseen(); n != 0 || err != nil {
		t.Errorf("after that: %d, %v", n, err)
	}
}

func TestUnseen(t *testing.T) {
	s := notesLab(t, nil)
	check := func(want int, when string) {
		t.Helper()
		if n, err := s.Unseen(); n != want || err != nil {
			t.Errorf("%s: %d new, want %d; %v", when, n, want, err)
		}
	}
	check(0, "without notes")
	put(t, s, "general.md", general)
	check(3, "with notes")
	if _, err := s.Propose("Nothing.", noon, noon); err != nil {
		t.Fatal(err)
	}
	check(0, "once looked at")
	put(t, s, "general.md", general+"\n## 2026-11-21T13:00:00Z\nAnother thing came up.\n")
	check(1, "one more")
	if _, err := s.Propose("Nothing.", noon, noon); err != nil { // begun before it was written
		t.Fatal(err)
	}
	check(1, "written meanwhile")
	put(t, s, "general.md", general+
		"\n## 2026-11-21T13:00:00Z\nAnother thing came up.\nPROMOTED to MemPalace at 2026-11-21T13:10:00Z "+
		"(d1)\n")
	check(0, "promoted")
	if err := os.WriteFile(filepath.Join(s.state().Inbox(), "seen.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Unseen(); err == nil {
		t.Error("a broken file is no error")
	}
}

// TestNotesThatLeadAway: a link in place of the folder is not followed.
func TestNotesThatLeadAway(t *testing.T) {
	s := notesLab(t, map[string]string{"general.md": general})
	dir := filepath.Join(s.Root, scratch.Dir)
	if err := os.Rename(dir, dir+".real"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir+".real", dir); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Unseen(); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
}
