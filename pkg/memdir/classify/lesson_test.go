package classify_test

import (
	"testing"

	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/search/alike"
)

// TestKeepLesson keeps one lesson on several days: it is created, counted once a day, and proposed
// as an instinct when it came up often enough, as long as it is none.
func TestKeepLesson(t *testing.T) {
	l := lessons.Lesson{Trigger: "a test needs a new column",
		Lesson: "the test database is not migrated by itself",
		Next:   "run the migration before the tests"}
	if err := l.Check(); err != nil {
		t.Fatal(err)
	}
	for kind, path := range map[lessons.Kind]string{lessons.Correction: lessons.Journal, "gotcha": ""} {
		d := memdir.Dir{Now: now, Alike: alike.Notes, Files: []memdir.File{
			{Path: "MEMORY.md", Bytes: []byte("# Memory\n\n- [User](user.md): who the user is\n"),
				Modified: now},
			{Path: "user.md", Bytes: []byte("# User\n\nThe user drinks tea.\n"), Modified: now},
		}}
		var journal []byte
		var instincts []string
		for _, step := range []struct {
			day      int
			status   string
			count    int
			proposed bool
		}{
			{0, classify.LessonCreated, 1, false}, {0, classify.LessonAlready, 1, false},
			{1, classify.LessonCounted, 2, false},
			{2, classify.LessonCounted, 3, true}, {2, classify.LessonAlready, 3, true},
			{3, classify.LessonCounted, 4, true},
		} {
			d.Now = now.AddDate(0, 0, step.day)
			known := classify.ReadLessons(d, memdir.Detect(d.Files), journal, instincts)
			kept, err := known.Keep(l, kind, false, d.Now)
			if err != nil {
				t.Fatal(err)
			}
			if kept.Status != step.status || len(kept.Entry.Seen) != step.count ||
				kept.Proposed != step.proposed {
				t.Errorf("%s, day %d: %s, %d times, proposed %v; want %+v", kind, step.day, kept.Status,
					len(kept.Entry.Seen), kept.Proposed, step)
			}
			if path != "" && kept.Entry.Path != path {
				t.Errorf("%s: in %s, want %s", kind, kept.Entry.Path, path)
			}
			for _, e := range kept.Plan.Edits {
				if e.Path == lessons.Journal {
					journal = e.After
					continue
				}
				for i := range d.Files {
					if d.Files[i].Path == e.Path {
						d.Files[i].Bytes, e.Path = e.After, ""
					}
				}
				if e.Path != "" {
					d.Files = append(d.Files, memdir.File{Path: e.Path, Bytes: e.After, Modified: d.Now})
				}
			}
		}
		instincts = []string{classify.ReadLessons(d, memdir.Detect(d.Files), journal, nil).All[0].ID()}
		known := classify.ReadLessons(d, memdir.Detect(d.Files), journal, instincts)
		if kept, err := known.Keep(l, kind, false, now.AddDate(0, 0, 9)); err != nil || kept.Proposed {
			t.Errorf("%s: an instinct is proposed again: %+v, %v", kind, kept, err)
		}
	}
}
