package upkeep

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"

	"pgregory.net/rapid"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func ago(days float64) string {
	return memory.Stamp(now.Add(-time.Duration(days * 24 * float64(time.Hour))))
}

// stored returns a record as in a store, created and last changed at these times.
func stored(c memory.Category, id, created, updated string) memory.Stored {
	r := memory.Record{
		Category: c, ID: id, Title: "About " + id, Status: memory.Active, CreatedAt: created,
		UpdatedAt: updated, Tags: []string{"t"},
		Content: content(c),
	}
	return put(r)
}

func content(c memory.Category) memory.Content {
	out := memory.Content{}
	for _, f := range memory.Fields(c) {
		switch f.Kind {
		case memory.Text:
			out[f.Name] = "text"
		case memory.Enum:
			out[f.Name] = f.Enum[0]
		case memory.List:
			out[f.Name] = []string{"item"}
		case memory.Flag:
			out[f.Name] = true
		}
	}
	return out
}

func put(r memory.Record) memory.Stored {
	b := r.Encode()
	back, err := memory.Decode(b)
	if err != nil {
		panic(err)
	}
	return memory.Stored{Record: back, Path: memory.Path(r.Category, r.ID), Digest: plan.DigestOf(b)}
}

func retired(r memory.Stored, at string) memory.Stored {
	m, err := r.Retire("why", now)
	if err != nil {
		panic(err)
	}
	m.RetiredAt = &at
	return put(m.Record)
}

func archived(r memory.Stored) memory.Stored {
	m, err := r.Archive("keep", now.Add(-900*24*time.Hour))
	if err != nil {
		panic(err)
	}
	return put(m.Record)
}

func create(rs ...memory.Stored) plan.Plan {
	p := plan.Plan{Version: plan.Version}
	for _, r := range rs {
		p.Edits = append(p.Edits, plan.Edit{Path: r.Path, Verb: plan.Create, After: r.Encode(),
			Category: string(r.Category), Title: r.Title})
	}
	return p
}

// says returns a plan as "verb path" lines, without the edits that were there before.
func says(acts []Act) (out []string) {
	for _, a := range acts {
		out = append(out, fmt.Sprintf("%s %s: %s", a.Verb, a.Path, a.Reason))
	}
	return out
}

func session(id string, days float64) memory.Stored {
	return stored(memory.SessionSummary, id, ago(days), ago(days))
}

// TestWindow: the rolling window of summaries, in the plan of the save itself.
func TestWindow(t *testing.T) {
	five := []memory.Stored{session("e", 1), session("b", 4), session("a", 4), session("c", 3),
		session("d", 2)}
	fresh := create(stored(memory.SessionSummary, "new", ago(0), ago(0)))
	gone := func(names ...string) (out []string) {
		for _, n := range names {
			out = append(out, "retire sessions/"+n+
				".json: Session rolling window: exceeded max_retained limit")
		}
		return out
	}
	undated := session("u", 0)
	undated.CreatedAt = "some day"
	for name, tt := range map[string]struct {
		p       plan.Plan
		records []memory.Stored
		max     int
		want    []string
	}{
		"one too many, by name when the dates agree": {fresh, five, 5, gone("a")},
		"fits":                  {fresh, five, 6, nil},
		"several too many":      {fresh, five, 3, gone("a", "b", "c")},
		"never the new one":     {fresh, five, 1, gone("a", "b", "c", "d", "e")},
		"no window":             {fresh, five, 0, nil},
		"no new session":        {create(stored(memory.Decision, "x", ago(0), ago(0))), five, 3, nil},
		"nothing saved":         {plan.Plan{}, five, 3, nil},
		"undated is the oldest": {fresh, append(slices.Clone(five), undated), 6, gone("u")},
		"archived ones do not count": {fresh,
			[]memory.Stored{archived(five[0]), retired(five[1], ago(1)), five[2]}, 2, nil},
	} {
		p, acts := Save(tt.p, tt.records, Rules{MaxRetained: tt.max}, now)
		if got := says(acts); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if err := p.Validate(); err != nil || len(p.Edits) != len(tt.p.Edits)+len(acts) {
			t.Errorf("%s: %v", name, err)
		}
		for i, e := range tt.p.Edits {
			if !reflect.DeepEqual(p.Edits[i], e) {
				t.Errorf("%s: edit %d was changed", name, i)
			}
		}
	}
	p, _ := Save(fresh, five, Rules{MaxRetained: 5}, now)
	r, err := memory.Decode(p.Edits[1].After)
	if err != nil || r.Status != memory.Retired || *r.RetiredReason != WindowReason ||
		*r.RetiredAt != memory.Stamp(now) || p.Edits[1].Before == "" {
		t.Errorf("%v: %+v", err, r)
	}
	// The window of one save is bounded.
	var many []memory.Stored
	for i := range 100 {
		many = append(many, session(fmt.Sprintf("s%03d", i), float64(200-i)))
	}
	if _, acts := Save(fresh, many, Rules{MaxRetained: 2}, now); len(acts) != 20 ||
		acts[0].Path != "sessions/s000.json" {
		t.Errorf("%d acts", len(acts))
	}
}

func TestLimitAndRetention(t *testing.T) {
	d := func(id string, created, updated float64) memory.Stored {
		return stored(memory.Decision, id, ago(created), ago(updated))
	}
	three := []memory.Stored{d("old-but-tended", 90, 1), d("young-but-left", 30, 30), d("middle", 60, 20)}
	fresh := create(d("new", 0, 0))
	if _, acts := Save(fresh, three, Rules{MaxPerCategory: 3}, now); !reflect.DeepEqual(says(acts),
		[]string{"retire decisions/young-but-left.json: " + LimitReason}) {
		t.Errorf("limit: %q", says(acts))
	}
	if _, acts := Save(create(session("s", 0)), three, Rules{MaxPerCategory: 1}, now); len(acts) != 0 {
		t.Errorf("a limit of another category: %q", says(acts))
	}
	rules := Rules{RetentionDays: map[memory.Category]int{memory.Decision: 20, memory.Runbook: 1}}
	_, acts := Save(fresh, append(three, archived(d("kept", 900, 900)), retired(d("r", 900, 900), ago(900))),
		rules, now)
	if want := []string{"retire decisions/young-but-left.json: Retention: unchanged for 20 days",
		"retire decisions/middle.json: Retention: unchanged for 20 days"}; !reflect.DeepEqual(says(acts),
		want) {
		t.Errorf("retention: %q", says(acts))
	}
	// 19 days and 23 hours count as 19 days.
	if _, acts := Save(fresh, []memory.Stored{d("x", 30, 19.96)}, rules, now); len(acts) > 0 {
		t.Errorf("whole days: %q", says(acts))
	}
	// A record that the plan edits is left alone; one that it retires makes room.
	m, err := three[1].Retire("by a draft", now)
	if err != nil {
		t.Fatal(err)
	}
	p := fresh
	p.Edits = append(slices.Clone(p.Edits), Edit(three[1], plan.Retire, m.Record))
	if _, acts := Save(p, three,
		Rules{MaxPerCategory: 3, RetentionDays: map[memory.Category]int{memory.Decision: 25}},
		now); len(acts) > 0 {
		t.Errorf("edited: %q", says(acts))
	}
	// Times in people's forms count: the oldest record goes.
	dated := []memory.Stored{d("b", 60, 60), d("a", 1, 1)}
	dated[1].UpdatedAt = now.Add(-24 * time.Hour).Format(time.DateOnly)
	if _, acts := Save(fresh, dated, Rules{MaxPerCategory: 2}, now); !reflect.DeepEqual(says(acts),
		[]string{"retire decisions/b.json: " + LimitReason}) {
		t.Errorf("a date: %q", says(acts))
	}
	bad := d("bad", 1, 1)
	bad.UpdatedAt = "once"
	if _, acts, skipped := collect([]memory.Stored{bad}, rules, now); len(acts) > 0 || len(skipped) != 1 ||
		!strings.Contains(skipped[0].Why, "once") {
		t.Errorf("undated: %v %v", acts, skipped)
	}
}

// collect is what gc does: finds what is due by the heads, and makes the plan.
func collect(records []memory.Stored, rules Rules, now time.Time) (plan.Plan, []Act, []Skipped) {
	heads := slices.Clone(records)
	for i := range heads {
		heads[i].Content, heads[i].Changes = nil, nil
	}
	due, skipped := Find(heads, rules, now)
	for i, d := range due {
		at := slices.IndexFunc(records, func(r memory.Stored) bool { return r.Path == d.Record.Path })
		due[i].Record = &records[at]
	}
	p, acts, more := Make(due, now)
	return p, acts, append(skipped, more...)
}

// TestCollect: gc obeys archive_retired (failures-of-the-original.md, 1.12).
func TestCollect(t *testing.T) {
	of := func(id, at string) memory.Stored {
		return retired(stored(memory.Runbook, id, ago(900), ago(900)), at)
	}
	records := []memory.Stored{
		of("due", ago(30)), of("long-due", ago(400)), of("not-yet", ago(29.9)), of("ahead", ago(-3)),
		of("odd", "last week"), of("none", ""),
		archived(stored(memory.Runbook, "kept", ago(900), ago(900))),
		stored(memory.Runbook, "active", ago(900), ago(900)),
	}
	wantSkipped := []Skipped{{"runbooks/odd.json", `retired_at "last week" is not a time`},
		{"runbooks/none.json", "has no retired_at"}}
	p, acts, skipped := collect(records, Rules{GraceDays: 30}, now)
	if want := []string{"delete runbooks/due.json: retired 30 days ago",
		"delete runbooks/long-due.json: retired 400 days ago"}; !reflect.DeepEqual(says(acts), want) ||
		!reflect.DeepEqual(skipped, wantSkipped) {
		t.Errorf("%q %v", says(acts), skipped)
	}
	if err := p.Validate(); err != nil || !p.Edits[0].Deletes() || p.Edits[0].Before != records[0].Digest {
		t.Errorf("%v: %+v", err, p)
	}
	p, acts, _ = collect(records, Rules{GraceDays: 30, ArchiveRetired: true}, now)
	if want := []string{"archive runbooks/due.json: retired 30 days ago",
		"archive runbooks/long-due.json: retired 400 days ago"}; !reflect.DeepEqual(says(acts), want) {
		t.Errorf("%q", says(acts))
	}
	r, err := memory.Decode(p.Edits[0].After)
	if err != nil || r.Status != memory.Archived || r.RetiredAt != nil ||
		*r.ArchivedReason != "Grace period over: why" {
		t.Errorf("%v: %+v", err, r)
	}
	if _, acts, _ := collect([]memory.Stored{of("due", ago(1))}, Rules{GraceDays: 1}, now); len(acts) != 1 ||
		acts[0].Reason != "retired 1 day ago" {
		t.Errorf("a day: %+v", acts)
	}
	if _, acts, _ := collect(records[:1], Rules{}, now); len(acts) != 1 {
		t.Error("no grace: not collected")
	}
	// gc retires and collects in one plan, but never one record twice.
	all := append(slices.Clone(records), session("a", 95), session("b", 1), session("c", 2))
	rules := Rules{GraceDays: 0, MaxRetained: 1, MaxPerCategory: 1,
		RetentionDays: map[memory.Category]int{memory.SessionSummary: 90}}
	p, acts, _ = collect(all, rules, now)
	if err := p.Validate(); err != nil {
		t.Errorf("%v: %q", err, says(acts))
	}
}

// TestSaveKeepsTheWindow: after any plan at most as many session summaries are active as the window holds,
// and archived ones are untouched.
func TestSaveKeepsTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []memory.Stored
		for i := range rapid.IntRange(0, 12).Draw(t, "sessions") {
			r := session(fmt.Sprint("s", i), rapid.Float64Range(0, 200).Draw(t, "age"))
			switch rapid.IntRange(0, 4).Draw(t, "status") {
			case 0:
				r = archived(r)
			case 1:
				r = retired(r, ago(1))
			}
			records = append(records, r)
		}
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		p, _ := Save(create(session("new", 0)), records,
			Rules{MaxRetained: limit, RetentionDays: map[memory.Category]int{memory.SessionSummary: 90}}, now)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		left := 1
		for _, r := range records {
			i := slices.IndexFunc(p.Edits, func(e plan.Edit) bool { return e.Path == r.Path })
			if i >= 0 && r.Status != memory.Active {
				t.Fatalf("%s is %s and was touched", r.Path, r.Status)
			}
			if i < 0 && r.Status == memory.Active {
				left++
			}
		}
		if left > limit {
			t.Fatalf("%d active sessions, want %d", left, limit)
		}
	})
}

// TestActsSayWhy: a record that goes because there are too many has a note that says so, and how to bring it
// back.
func TestActsSayWhy(t *testing.T) {
	d := func(id string, days float64) memory.Stored {
		return stored(memory.Decision, id, ago(days),
			ago(days))
	}
	_, acts := Save(create(d("new", 0)), []memory.Stored{d("a", 9), d("b", 8)}, Rules{MaxPerCategory: 2}, now)
	if want := "the store keeps 2 of a category, and this one was unchanged for the longest time; keepsake " +
		"records restore a brings it back"; len(acts) != 1 || acts[0].Note != want {
		t.Errorf("%+v", acts)
	}
}

// TestGone: a memory is archived the grace period after its branch was deleted without a merge.
func TestGone(t *testing.T) {
	bound := func(id string) memory.Stored {
		r := stored(memory.Decision, id, ago(90), ago(90)).Record
		r.Branch = &memory.Branch{Name: "feat/x", Head: strings.Repeat("1", 40)}
		return put(r)
	}
	old, young, kept, over := bound("old"), bound("young"), stored(memory.Decision, "kept", ago(90), ago(90)),
		retired(bound("over"), ago(1))
	future := bound("future")
	records := []memory.Stored{old, young, kept, over, future}
	rules := Rules{GraceDays: 30, Gone: map[string]time.Time{
		old.Path: now.AddDate(0, 0, -30), young.Path: now.AddDate(0, 0, -29),
		over.Path: now.AddDate(0, 0, -40), kept.Path: now.AddDate(0, 0, -40),
		future.Path: now.AddDate(0, 0, 1),
	}}
	due, skipped := Find(records, rules, now)
	p, acts, more := Make(due, now)
	if len(skipped)+len(more) > 0 || len(p.Edits) != 1 || p.Edits[0].Path != old.Path ||
		p.Edits[0].Verb != plan.Archive {
		t.Fatalf("%+v, %v, %v", acts, skipped, more)
	}
	want := Act{Path: old.Path, Category: memory.Decision, Title: "About old", Verb: plan.Archive,
		Reason: "Branch feat/x: deleted, and not merged",
		Note:   "keepsake records unarchive old brings it back"}
	if acts[0] != want {
		t.Errorf("%+v", acts[0])
	}
	after, err := memory.Decode(p.Edits[0].After)
	if err != nil || after.Status != memory.Archived || after.Branch == nil {
		t.Errorf("%+v, %v", after, err)
	}
	made := plan.Plan{Edits: []plan.Edit{{Path: "decisions/new.json", Verb: plan.Create,
		Category: "decision"}}}
	if p, _ := Save(made, records, rules, now); len(p.Edits) != 2 || p.Edits[1].Path != old.Path {
		t.Errorf("a save: %+v", p.Edits)
	}
}
