package classify

import (
	"slices"
	"time"

	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/plan"
)

// Lessons are a directory of memories with all lessons in it.
type Lessons struct {
	All []lessons.Entry

	dir       memdir.Dir
	profile   memdir.Profile
	journal   []byte
	instincts []string // ids
}

// ReadLessons reads the lessons of a directory: those of its journal, nil for none, and of the files
// that patterns go to. instincts are the ids of those that are instincts already.
func ReadLessons(d memdir.Dir, p memdir.Profile, journal []byte, instincts []string) Lessons {
	k := Lessons{lessons.Read(lessons.Journal, journal), d, p, journal, instincts}
	m := d.Map(p)
	for path := range m.Topics {
		_, b, _ := m.Doc(path)
		if !m.Once(path) {
			k.All = append(k.All, lessons.Read(path, b)...)
		}
	}
	return k
}

// IsInstinct reports whether a lesson is an instinct already.
func (k Lessons) IsInstinct(id string) bool { return slices.Contains(k.instincts, id) }

// A Listed is a lesson with its id.
type Listed struct {
	ID string `json:"id"`
	lessons.Entry
	Instinct bool `json:"instinct"`
}

// ByCount returns all lessons, those that came up most often first.
func (k Lessons) ByCount() []Listed {
	out := make([]Listed, len(k.All))
	for i, e := range k.All {
		e.Seen = append([]string{}, e.Seen...)
		out[i] = Listed{e.ID(), e, k.IsInstinct(e.ID())}
	}
	slices.SortStableFunc(out, func(a, b Listed) int { return len(b.Seen) - len(a.Seen) })
	return out
}

// Instinct returns the plan that makes an instinct of the lesson with an id. It is false if there is no
// such lesson.
func (k Lessons) Instinct(id string, now time.Time) (p plan.Plan, ok bool) {
	i := slices.IndexFunc(k.All, func(e lessons.Entry) bool { return e.ID() == id })
	if i < 0 {
		return p, false
	}
	p.Edits = []plan.Edit{{Path: lessons.Instincts + id + ".yaml", Verb: plan.Create,
		After:    k.All[i].Print(now),
		Category: "memory", Title: "instinct: " + k.All[i].Title}}
	return p, true
}

// file returns a file of the directory, nil for one that isn't there.
func (k Lessons) file(path string) []byte {
	if path == lessons.Journal {
		return k.journal
	}
	for _, f := range k.dir.Files {
		if f.Path == path {
			return f.Bytes
		}
	}
	return nil
}

// What becomes of a lesson.
const (
	LessonCreated = "created"
	LessonCounted = "counted"
	LessonAlready = "already"
)

// A KeptLesson is the outcome for a lesson, with its plan.
type KeptLesson struct {
	Status   string
	Entry    lessons.Entry
	Proposed bool // as an instinct: it came up often enough, and isn't one yet
	Plan     plan.Plan
}

// Keep counts a lesson that is known, and adds one that is new: a correction to the journal, anything else
// as a pattern. If log is true, the log of the day names a new pattern.
func (k Lessons) Keep(l lessons.Lesson, kind lessons.Kind, log bool, now time.Time) (out KeptLesson,
	err error) {
	e, known := lessons.Find(k.All, l, k.dir.Alike)
	switch {
	case known:
		out, e = k.count(e, now)
	case kind == lessons.Correction:
		out.Status = LessonCreated
		var after []byte
		after, e = lessons.Append(k.journal, l, now)
		out.Plan.Edits = []plan.Edit{k.edit(lessons.Journal, "lesson: "+l.Title, after)}
	default:
		if out, e, err = k.pattern(l, log, now); err != nil {
			return out, err
		}
	}
	out.Entry = e
	if e.Seen == nil {
		out.Entry.Seen = []string{}
	}
	out.Proposed = len(e.Seen) >= lessons.Enough && !k.IsInstinct(e.ID())
	return out, nil
}

// edit returns the edit that makes a file of the directory, or changes it.
func (k Lessons) edit(path, title string, after []byte) plan.Edit {
	e := plan.Edit{Path: path, Verb: plan.Create, After: after, Category: "memory", Title: title}
	if old := k.file(path); old != nil {
		e.Verb, e.Before = plan.Update, plan.DigestOf(old)
	}
	return e
}

// count adds today to the days of a lesson that is known.
func (k Lessons) count(e lessons.Entry, now time.Time) (KeptLesson, lessons.Entry) {
	b, counted, changed := e.Count(k.file(e.Path), now)
	switch {
	case !changed:
		return KeptLesson{Status: LessonAlready}, counted
	case e.Path != lessons.Journal:
		return KeptLesson{Status: LessonCounted, Plan: Dated(k.dir, k.profile, counted.Path, b)}, counted
	}
	edit := k.edit(counted.Path, "lesson: "+counted.Title, b)
	return KeptLesson{Status: LessonCounted, Plan: plan.Plan{Edits: []plan.Edit{edit}}}, counted
}

// pattern files a lesson as a pattern of the directory.
func (k Lessons) pattern(l lessons.Lesson, log bool, now time.Time) (out KeptLesson, e lessons.Entry,
	err error) {
	r, err := File(k.dir, k.profile, Note{Kind: "pattern", Title: l.Title, Text: l.Lesson, Why: l.Trigger,
		How: l.Next,
		Log: log})
	if err != nil {
		return out, e, err
	}
	out.Status, out.Plan = LessonCreated, r.Plan
	for i := range r.Plan.Edits {
		if r.Plan.Edits[i].Path != r.Path {
			continue
		}
		all := lessons.Read(r.Path, r.Plan.Edits[i].After)
		if at, ok := lessons.Find(all, l, func(a, b string) bool { return a == b }); ok {
			r.Plan.Edits[i].After, e, _ = at.Count(r.Plan.Edits[i].After, now)
		}
	}
	if e.Path == "" { // said there already, in other words than a lesson's
		e = lessons.Entry{Lesson: l, Path: r.Path, Line: r.Line}
		if len(r.Plan.Edits) == 0 {
			out.Status = LessonAlready
		}
	}
	return out, e, nil
}
