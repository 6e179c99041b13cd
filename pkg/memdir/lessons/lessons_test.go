package lessons

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memdir"
)

var day = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

var lesson = Lesson{Title: "Migrate first", Trigger: "a test needs a new column",
	Lesson: "The test database is not migrated by itself.", Next: "Run the migration before the tests."}

// TestRead reads a lesson in the form of each layout.
func TestRead(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []Entry
	}{
		"seed 2": {"# P\n\n## [2026-11-01] Migrate first\n\n- **Trigger**: a test needs\n  a column\n- " +
			"**Lesson**: not by itself\n- **Next time**: migrate\n\n_Updated: 2026-11-01_\n",
			[]Entry{{Lesson: Lesson{"Migrate first", "a test needs a column", "not by itself", "migrate",
				[]string{"2026-11-01"}}, Line: 3, last: 8, mark: "- "}}},
		"the client's form": {"---\nname: a\ntype: feedback\n---\n\nNot by itself.\n\n**Why:** a " +
			"column\nwas missing.\n\n**How to apply:** migrate\n",
			[]Entry{{Lesson: Lesson{"migrate", "a column was missing.", "Not by itself.", "migrate", nil},
				Line: 6, last: 11}}},
		"a table's topic": {"# Patterns\n\n## 2026-11-01 Migrate\n\nNot by itself.\n\n**Why:** a " +
			"column\n\n**How to apply:** migrate\n\n## Other\n\ntext\n",
			[]Entry{{Lesson: Lesson{"Migrate", "a column", "Not by itself.", "migrate",
				[]string{"2026-11-01"}}, Line: 3, last: 9}}},
		"counted": {"## [2026-11-01] T\n\n- **Trigger**: a\n- **Lesson**: b\n- **Next time**: c\n- " +
			"**Seen**: 2026-11-01, 2026-11-05\n",
			[]Entry{{Lesson: Lesson{"T", "a", "b", "c", []string{"2026-11-01", "2026-11-05"}}, Line: 1,
				last: 6, seen: 6, mark: "- "}}},
		"a hash in the title": {"# C#\n\n## [2026-11-01] Generics in C#\n\n- **Trigger**: a\n- **Lesson**: " +
			"b\n- **Next time**: c\n",
			[]Entry{{Lesson: Lesson{"Generics in C#", "a", "b", "c", []string{"2026-11-01"}}, Line: 3,
				last: 7, mark: "- "}}},
		"a fact of the project": {"---\nname: a\nmetadata:\n  type: project\n---\n\nJobs wait.\n\n**Why:** " +
			"a\n\n**How to apply:** b\n", nil},
		"a fact of a tree": {"# Tools\n\nThe shop runs on Go.\n\n**Why:** a\n\n**How to apply:** b\n", nil},
		"a decision":       {"# D\n\n## [2026-11-01] T\n\nSo.\n\n**Why:** a\n\n**How to apply:** b\n", nil},
		"no lesson":        {"# A\n\n- text\n\n## B\n\n- **Trigger**: a\n- **Lesson**: b\n", nil},
	} {
		file := "p.md"
		if strings.HasPrefix(tt.text, "# Patterns") {
			file = "patterns.md"
		}
		got := Read(file, []byte(tt.text))
		for i := range tt.want {
			tt.want[i].Path = file
			tt.want[i].named = strings.Contains(tt.text, "**Trigger**")
		}
		if len(got) != len(tt.want) || len(got) > 0 && !equal(got[0], tt.want[0]) {
			t.Errorf("%s:\n%+v\nwant\n%+v", name, got, tt.want)
		}
	}
}

func equal(a, b Entry) bool {
	return a.Title == b.Title && a.Trigger == b.Trigger && a.Lesson.Lesson == b.Lesson.Lesson &&
		a.Next == b.Next && slices.Equal(a.Seen, b.Seen) &&
		a.Path == b.Path && a.Line == b.Line && a.last == b.last && a.seen == b.seen && a.mark == b.mark
}

// TestCount counts a lesson once a day, in each form, and changes nothing else.
func TestCount(t *testing.T) {
	for _, text := range []string{
		"# P\r\n\r\n## [2026-11-01] Migrate first\r\n\r\n- **Trigger**: a\r\n- **Lesson**: b\r\n- **Next " +
			"time**: c\r\n\r\n_Updated: 2026-11-01_\r\n",
		"---\ntype: feedback\n---\n\nNot by itself.\n\n**Why:** a\n\n**How to apply:** migrate",
		"## 2026-11-01 T\n\nNot.\n\n**Why:** a\n\n**How to apply:** b\n\n## U\n\n- **Trigger**: a\n- " +
			"**Lesson**: b\n- **Next time**: c\n",
	} {
		b := []byte(text)
		first := len(Read("p.md", b)[0].Seen)
		for n := range 3 {
			now, e, ok := Read("p.md", b)[0].Count(b, day.AddDate(0, 0, n))
			if !ok || len(e.Seen) != first+n+1 {
				t.Errorf("%v %v after %d", ok, e.Seen, n)
			}
			if _, _, again := Read("p.md", now)[0].Count(now, day.AddDate(0, 0, n)); again {
				t.Error("counted twice on one day")
			}
			if got := Read("p.md", now)[0].Seen; !slices.Equal(got, e.Seen) {
				t.Errorf("read as %v, want %v\n%s", got, e.Seen, now)
			}
			b = now
		}
		var rest []string
		for l := range strings.SplitSeq(strings.ReplaceAll(string(b), "\r", ""), "\n") {
			if !memdir.Label(l, "seen") && l != "" {
				rest = append(rest, l)
			}
		}
		want := slices.DeleteFunc(strings.Split(strings.ReplaceAll(text, "\r", ""), "\n"),
			func(l string) bool {
				return l == ""
			})
		if !slices.Equal(rest, want) {
			t.Errorf("%q became %q", want, rest)
		}
		if strings.Contains(text, "\r") && bytes.Count(b, []byte("\n")) != bytes.Count(b, []byte("\r\n")) {
			t.Errorf("line endings: %q", b)
		}
	}
}

func TestAppend(t *testing.T) {
	b, e := Append(nil, lesson, day)
	const want = "# Learnings\n\n## [2026-11-21] Migrate first\n\n- **Trigger**: a test needs a new " +
		"column\n- **Lesson**: The test database is not migrated by itself.\n- **Next time**: Run the " +
		"migration before the tests.\n- **Seen**: 2026-11-21\n"
	if string(b) != want || e.Line != 3 || e.ID() != "migrate-first" {
		t.Errorf("%s\n%+v", b, e)
	}
	other := lesson
	other.Title = "Other"
	b, e = Append(b[:len(b)-1], other, day)
	if got := Read(Journal, b); len(got) != 2 || e.Title != "Other" || !strings.HasPrefix(string(b), want) {
		t.Errorf("%s", b)
	}
}

func TestCheckKeepsAHash(t *testing.T) {
	l := lesson
	if l.Title = "# Generics in C#"; l.Check() != nil || l.Title != "Generics in C#" {
		t.Errorf("the title is %q", l.Title)
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		l    Lesson
		want string
	}{
		{lesson, ""}, {Lesson{Trigger: "a", Lesson: "b"}, "--next is missing"},
		{Lesson{Lesson: "b", Next: "c"}, "--trigger is missing"},
		{Lesson{Trigger: "a", Lesson: strings.Repeat("b", MaxText+1), Next: "c"}, "at most"},
		{Lesson{Title: "##", Trigger: "a", Lesson: "b", Next: "c"}, "--title has no words"},
		{Lesson{Trigger: "a", Lesson: "b", Next: "Do  this\nnow."}, ""},
	} {
		err := tt.l.Check()
		if tt.want == "" && (err != nil || tt.l.Title == "") || tt.want != "" &&
			(err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: %v, want %q", tt.l, err, tt.want)
		}
	}
}

// FuzzInstinct prints whatever a lesson says and reads it again.
func FuzzInstinct(f *testing.F) {
	f.Add("a: b", "# c", "\"d\" \\ 'e'")
	f.Add("status: off\nx", "- y", "\x00\u2028")
	f.Fuzz(func(t *testing.T, title, trigger, action string) {
		e := Entry{Lesson: Lesson{Title: title, Trigger: trigger, Next: action, Seen: []string{"2026-11-21"}}}
		b := e.Print(day)
		got, ok := ParseInstinct(b)
		valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
		if want := trigger != "" && action != ""; ok != want || got.Trigger != valid(trigger) ||
			got.Action != valid(action) || got.ID != e.ID() || got.Status != "active" {
			t.Fatalf("%q is read as %+v %v", b, got, ok)
		}
	})
}

func TestParseInstinct(t *testing.T) {
	const text = "id: a\ntrigger: 'it''s late' \naction: go home # now\nstatus: off\n"
	if i, ok := ParseInstinct([]byte(text)); !ok || i.Trigger != "it's late" || i.Action != "go home" ||
		i.Status != "off" {
		t.Errorf("%+v %v", i, ok)
	}
	const block = "trigger: >-\r\n  a release\r\n\r\n  is due # soon\r\naction:\r\n  tag it\r\nseen:\r\n  " +
		"- x\r\n"
	if i, ok := ParseInstinct([]byte(block)); !ok || i.Trigger != "a release is due # soon" ||
		i.Action != "tag it" || i.Status != "active" {
		t.Errorf("%+v %v", i, ok)
	}
	if _, ok := ParseInstinct([]byte("trigger: x\n")); ok {
		t.Error("an instinct without an action")
	}
}
