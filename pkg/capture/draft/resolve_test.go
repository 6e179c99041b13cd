package draft

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"

	"pgregory.net/rapid"
)

var now = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

func digest(b []byte) string { return plan.DigestOf(b) }

// draftOf returns a complete draft of a category with the word in its title and its text.
func draftOf(c memory.Category, word string) Draft {
	content := make(memory.Content)
	for _, f := range memory.Fields(c) {
		if !f.Required {
			continue
		}
		switch f.Kind {
		case memory.Enum:
			content[f.Name] = f.Enum[0]
		case memory.Flag:
			content[f.Name] = true
		case memory.List:
			content[f.Name] = []string{f.Label + " of " + word}
		default:
			content[f.Name] = f.Label + " of " + word
		}
	}
	return Draft{Category: c, Summary: "About " + word + ".", Title: "About " + word, Tags: []string{word},
		ChangeSummary: word + " noted", Content: content}
}

// recordOf returns the record of draftOf.
func recordOf(c memory.Category, word string) memory.Stored {
	d := draftOf(c, word)
	r := record(c, d.Title, d.Tags, d.Content)
	r.Title = d.Title
	return stored(r)
}

func with(d Draft, change func(*Draft)) Draft {
	change(&d)
	return d
}

// TestTable checks seed 3's table of what a draft may do, for every category.
func TestTable(t *testing.T) {
	for _, c := range memory.Categories() {
		deletable := c != memory.SessionSummary && c != memory.Decision && c != memory.Preference
		for _, tt := range []struct {
			intended  string
			candidate bool
			want      State
		}{
			{"", false, Create}, {"create", false, Create}, {"update", false, Create},
			{"delete", false, Nothing},
			{"", true, Update}, {"create", true, Create}, {"update", true, Update}, {"delete", true, Retire},
		} {
			want := tt.want
			switch {
			case c == memory.SessionSummary && tt.intended == "delete":
				want = Nothing
			case c == memory.SessionSummary:
				want = Create
			case want == Retire && !deletable:
				want = Rejected // no person backs it
			}
			old := recordOf(c, "queue")
			d := with(draftOf(c, "cache"), func(d *Draft) {
				d.Intended = tt.intended
				if tt.candidate {
					d.Target = old.ID
				}
			})
			p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
			if len(out) != 1 || out[0].State != want {
				t.Errorf("%s, %q with candidate %v: %+v, want %s", c, tt.intended, tt.candidate, out, want)
				continue
			}
			check(t, p, []memory.Stored{old})
			if wantEdits := want != Nothing && want != Rejected; (len(p.Edits) == 1) != wantEdits {
				t.Errorf("%s, %q: %d edits", c, tt.intended, len(p.Edits))
			}
			if len(p.Edits) == 1 &&
				(string(p.Edits[0].Verb) != string(want) || p.Edits[0].Path != out[0].Path ||
					p.Edits[0].Title != out[0].Title) {
				t.Errorf("%s, %q: edit %s %s, outcome %+v", c, tt.intended, p.Edits[0].Verb, p.Edits[0].Path,
					out[0])
			}
		}
	}
}

// check compares a plan with the records that it was made from: the plan is valid, its guards hold, and it
// writes valid records in their places.
func check(t interface{ Errorf(string, ...any) }, p plan.Plan, existing []memory.Stored) {
	if err := p.Validate(); err != nil {
		t.Errorf("%v", err)
	}
	for _, e := range p.Edits {
		guard := ""
		if i := slices.IndexFunc(existing, func(r memory.Stored) bool { return r.Path == e.Path }); i >= 0 {
			guard = existing[i].Digest
		}
		if e.Before != guard {
			t.Errorf("%s: guard %q, want %q", e.Path, e.Before, guard)
		}
		r, err := memory.Decode(e.After)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		if memory.Path(r.Category, r.ID) != e.Path || e.Category != string(r.Category) || e.Title != r.Title {
			t.Errorf("%s: is %s %s", e.Path, r.Category, r.ID)
		}
	}
}

func TestCreate(t *testing.T) {
	prov := &memory.Provenance{Session: "s1", Origin: "drafter", Branch: "main", Commit: "abc"}
	d := goodDraft()
	delete(d.Content, "status")
	p, out := Resolve(Input{Drafts: []Draft{d}, Now: now, Provenance: prov})
	if out[0].State != Create || out[0].ID != "use-postgres-for-billing" ||
		out[0].Path != "decisions/use-postgres-for-billing.json" ||
		!slices.Equal(out[0].Notes, []string{"content.status: not said, taken as accepted"}) {
		t.Fatalf("%+v", out)
	}
	r, err := memory.Decode(p.Edits[0].After)
	if err != nil {
		t.Fatal(err)
	}
	want := memory.Record{
		SchemaVersion: "1.1", Category: memory.Decision, ID: "use-postgres-for-billing",
		Title: "Use Postgres for billing", Status: memory.Active,
		CreatedAt: "2026-11-20T09:30:00Z", UpdatedAt: "2026-11-20T09:30:00Z", Tags: d.Tags,
		RelatedFiles: d.RelatedFiles, Confidence: d.Confidence,
		Content: d.Content, Changes: []memory.Change{{Date: "2026-11-20T09:30:00Z",
			Summary: "Postgres chosen"}}, Provenance: prov,
	}
	want.Content["status"] = "accepted"
	if !reflect.DeepEqual(r, want) {
		t.Errorf("\n got %+v\nwant %+v", r, want)
	}
	p, _ = Resolve(Input{Drafts: []Draft{d}, Now: now})
	if r, err := memory.Decode(p.Edits[0].After); err != nil || r.SchemaVersion != "1.0" {
		t.Errorf("without provenance: %v, %v", r.SchemaVersion, err)
	}
}

func TestUpdate(t *testing.T) {
	old := record(memory.Decision, "use-postgres", []string{"billing", "db"}, goodDraft().Content)
	old.Title = "Use Postgres"
	old.RelatedFiles = []string{"z.go", "a.go"}
	f := 0.7
	old.Confidence = &f
	old.Changes = []memory.Change{{Date: "2026-11-01T09:00:00Z", Summary: "noted"}}
	was := stored(old)
	before := string(was.Encode())
	g := 0.9
	d := Draft{
		Category: memory.Decision, Target: "use-postgres", Title: "Use Postgres with a replica",
		Tags: []string{"billing", "postgres"}, Confidence: &g,
		RelatedFiles: []string{"b.go", "a.go"}, Summary: "A replica.", ChangeSummary: "Got a replica",
		Content: memory.Content{"status": "accepted", "decision": "Postgres 16 and a replica",
			"rationale": []string{"reads scale"}},
	}
	p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{was}, Now: now,
		Provenance: &memory.Provenance{Session: "s2"}})
	if out[0].State != Update || out[0].Reason != "named by the draft" || out[0].ID != "use-postgres" ||
		out[0].Title != "Use Postgres with a replica" {
		t.Fatalf("%+v", out)
	}
	check(t, p, []memory.Stored{was})
	r, err := memory.Decode(p.Edits[0].After)
	if err != nil {
		t.Fatal(err)
	}
	const stamp = "2026-11-20T09:30:00Z"
	want := was.Record
	want.SchemaVersion, want.Provenance = "1.1", &memory.Provenance{Session: "s2"}
	want.Title, want.UpdatedAt, want.TimesUpdated, want.Confidence = "Use Postgres with a replica",
		stamp, 1, &g
	want.Tags = []string{"billing", "db", "postgres"}
	want.RelatedFiles = []string{"a.go", "b.go", "z.go"}
	want.Content = goodDraft().Content
	want.Content["decision"], want.Content["rationale"] = "Postgres 16 and a replica",
		[]string{"transactions", "known", "reads scale"}
	list := func(s ...any) any { return s }
	want.Changes = append(slices.Clone(old.Changes),
		memory.Change{Date: stamp, Summary: "Got a replica"},
		memory.Change{Date: stamp, Summary: "title changed", Field: "title", OldValue: "Use Postgres",
			NewValue: "Use Postgres with a replica"},
		memory.Change{Date: stamp, Summary: "content.decision changed", Field: "content.decision",
			OldValue: "Postgres 16", NewValue: "Postgres 16 and a replica"},
		memory.Change{Date: stamp, Summary: "content.rationale changed", Field: "content.rationale",
			OldValue: list("transactions", "known"), NewValue: list("transactions", "known", "reads scale")},
		memory.Change{Date: stamp, Summary: "tags changed", Field: "tags", OldValue: list("billing", "db"),
			NewValue: list("billing", "db", "postgres")},
		memory.Change{Date: stamp, Summary: "related_files changed", Field: "related_files",
			OldValue: list("z.go", "a.go"), NewValue: list("a.go", "b.go", "z.go")},
	)
	if !reflect.DeepEqual(r, want) {
		t.Errorf("\n got %+v\nwant %+v", r, want)
	}
	if string(was.Encode()) != before {
		t.Error("the record that was given has changed")
	}
}

// TestNothing: what is recorded is not recorded again, so a save that runs twice saves once.
func TestNothing(t *testing.T) {
	for _, c := range memory.Categories() {
		d := draftOf(c, "queue")
		p, out := Resolve(Input{Drafts: []Draft{d}, Now: now})
		after := p.Edits[0].After
		r, err := memory.Decode(after)
		if err != nil {
			t.Fatal(err)
		}
		existing := []memory.Stored{{Record: r, Path: out[0].Path, Digest: digest(after)}}
		f := 0.99
		for name, again := range map[string]Draft{
			"the same":         d,
			"create":           with(d, func(d *Draft) { d.Intended = "create" }),
			"named":            with(d, func(d *Draft) { d.Target = r.ID }),
			"more certain":     with(d, func(d *Draft) { d.Confidence = &f }),
			"other words only": with(d, func(d *Draft) { d.Summary, d.ChangeSummary = "Again.", "again" }),
		} {
			p, out := Resolve(Input{Drafts: []Draft{again}, Existing: existing, Now: now.Add(time.Hour)})
			if len(p.Edits) > 0 || out[0].State != Nothing || out[0].ID != r.ID || out[0].Path == "" ||
				out[0].Reason == "" {
				t.Errorf("%s, %s: %+v", c, name, out[0])
			}
		}
	}
	_, out := Resolve(Input{Drafts: []Draft{{Category: memory.Decision, Noop: true},
		{Category: memory.Decision, Noop: true, NoopReason: "small talk"}}, Now: now})
	if out[0].State != Nothing || out[0].Reason == "" || out[1].Reason != "small talk" {
		t.Errorf("noop: %+v", out)
	}
}

// TestOneTagNeverMerges is for the original's most destructive fault.
func TestOneTagNeverMerges(t *testing.T) {
	jwt := record(memory.Decision, "use-jwt-for-the-public-api", []string{"auth"}, memory.Content{
		"status": "accepted", "context": "c", "decision": "JWT", "rationale": []string{"stateless"},
		"consequences": []string{"refresh tokens"}})
	jwt.Title = "Use JWT for the public API"
	was := stored(jwt)
	d := Draft{Category: memory.Decision, Summary: "Okta.", Title: "Okta chosen for employee auth",
		Tags: []string{"auth"},
		Content: memory.Content{"status": "accepted", "context": "employees", "decision": "Okta",
			"rationale": []string{"SSO"}}}
	for _, intended := range []string{"", "update", "create"} {
		d.Intended = intended
		p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{was}, Now: now})
		if out[0].State != Create || len(p.Edits) != 1 ||
			p.Edits[0].Path != "decisions/okta-chosen-for-employee-auth.json" {
			t.Errorf("%q: %+v", intended, out)
		}
	}
}

// TestSessionsNeverMerge: two sessions about one topic are two records.
func TestSessionsNeverMerge(t *testing.T) {
	old := recordOf(memory.SessionSummary, "queue")
	d := with(draftOf(memory.SessionSummary, "queue"), func(d *Draft) {
		d.Target, d.Intended = old.ID, "update"
		d.Content["next_actions"] = []string{"deploy"}
	})
	p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
	if out[0].State != Create || out[0].ID != "about-queue-2" || len(p.Edits) != 1 ||
		p.Edits[0].Verb != plan.Create {
		t.Errorf("%+v", out)
	}
}

func TestRetire(t *testing.T) {
	old := recordOf(memory.TechDebt, "queue")
	d := Draft{Category: memory.TechDebt, Intended: "delete", Target: old.ID,
		Summary: strings.Repeat("It was mended. ", 30), ChangeSummary: "mended", Hints: []string{"resolved"},
		Tags: []string{"untagged"}}
	p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
	if out[0].State != Retire || p.Edits[0].Verb != plan.Retire {
		t.Fatalf("%+v", out)
	}
	check(t, p, []memory.Stored{old})
	r, err := memory.Decode(p.Edits[0].After)
	if err != nil {
		t.Fatal(err)
	}
	last := r.Changes[len(r.Changes)-1]
	if r.Status != memory.Retired || r.RetiredAt == nil || *r.RetiredAt != "2026-11-20T09:30:00Z" ||
		r.RetiredReason == nil || len([]rune(*r.RetiredReason)) > memory.MaxSummary ||
		last.Field != "record_status" || last.OldValue != "active" || last.NewValue != "retired" ||
		!reflect.DeepEqual(r.Content, old.Content) {
		t.Errorf("%+v", r)
	}
	// A second time there is nothing to retire.
	_, out = Resolve(Input{Drafts: []Draft{d},
		Existing: []memory.Stored{{Record: r, Path: old.Path, Digest: digest(p.Edits[0].After)}}, Now: now})
	if out[0].State != Nothing || !slices.ContainsFunc(out[0].Notes, func(n string) bool {
		return strings.Contains(n, "retired")
	}) {
		t.Errorf("twice: %+v", out)
	}
}

func TestVetoWithoutContent(t *testing.T) {
	old := recordOf(memory.Decision, "queue")
	d := Draft{Category: memory.Decision, Intended: "delete", Target: old.ID, Summary: "Reversed.",
		Tags: []string{"untagged"}}
	p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
	if out[0].State != Rejected || len(p.Edits) > 0 || out[0].Code != memory.CodeUnbacked ||
		out[0].Supersedes != old.Path || !strings.Contains(out[0].Reason, "ask the person") {
		t.Errorf("%+v", out)
	}
	d.Backed, d.Approved = true, true
	if p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old},
		Now: now}); out[0].State != Retire || len(p.Edits) != 1 {
		t.Errorf("backed: %+v", out)
	}
}

// TestHints: a draft that says that something unrecorded is resolved does nothing; one that says that a
// decision was reversed is news.
func TestHints(t *testing.T) {
	for c, want := range map[memory.Category]State{memory.TechDebt: Nothing, memory.Runbook: Nothing,
		memory.Constraint: Nothing, memory.Decision: Create, memory.Preference: Create,
		memory.SessionSummary: Create} {
		d := with(draftOf(c, "queue"), func(d *Draft) { d.Hints = []string{"resolved"} })
		if _, out := Resolve(Input{Drafts: []Draft{d}, Now: now}); out[0].State != want {
			t.Errorf("%s: %+v, want %s", c, out[0], want)
		}
		d.Intended = "create"
		if _, out := Resolve(Input{Drafts: []Draft{d}, Now: now}); out[0].State != Create {
			t.Errorf("%s with create: %+v", c, out[0])
		}
	}
}

// TestSlugs: a file that has the name already is not overwritten, whatever it is.
func TestSlugs(t *testing.T) {
	status := func(s memory.Stored, st memory.Status) memory.Stored {
		s.Status = st
		at := "2020-01-01T00:00:00Z"
		s.RetiredAt = &at
		return stored(s.Record)
	}
	other := recordOf(memory.Decision, "queue")
	other.Title, other.Content["decision"] = "About queue", "something else altogether"
	other = stored(other.Record)
	for name, tt := range map[string]struct {
		existing []memory.Stored
		taken    []string
		title    string
		want     string
	}{
		"free": {nil, nil, "About queue", "about-queue"},
		"unrelated": {[]memory.Stored{status(other, memory.Active)}, nil, "About queue",
			"about-queue-2"},
		"retired": {[]memory.Stored{status(other, memory.Retired)}, nil, "About queue",
			"about-queue-2"},
		"archived": {[]memory.Stored{status(other, memory.Archived)}, nil, "About queue",
			"about-queue-2"},
		"unreadable": {nil, []string{"decisions/about-queue.json", "decisions/About-Queue-2.json"},
			"About queue", "about-queue-3"},
		"other folder":  {nil, []string{"runbooks/about-queue.json"}, "About queue", "about-queue"},
		"Korean":        {nil, nil, "결제 큐", "결제-큐"},
		"Korean, taken": {nil, []string{"decisions/결제-큐.json"}, "결제 큐", "결제-큐-2"},
		"no letters":    {nil, nil, "🚀🚀", "about-queue"},
		"long":          {nil, nil, strings.Repeat("a", 100), strings.Repeat("a", 80)},
		"long, taken": {nil, []string{"decisions/" + strings.Repeat("a", 80) + ".json"},
			strings.Repeat("a", 100), strings.Repeat("a", 78) + "-2"},
		"long Korean": {nil, []string{"decisions/" + strings.Repeat("결", 66) + ".json"},
			strings.Repeat("결", 70), strings.Repeat("결", 66) + "-2"},
		"hyphen at the end": {nil, []string{"decisions/" + strings.Repeat("a", 77) + "-bb.json"},
			strings.Repeat("a", 77) + " bb", strings.Repeat("a", 77) + "-2"},
	} {
		d := with(draftOf(memory.Decision, "queue"), func(d *Draft) {
			d.Title, d.Intended = tt.title, "create"
		})
		p, out := Resolve(Input{Drafts: []Draft{d}, Existing: tt.existing, Taken: tt.taken, Now: now})
		if out[0].State != Create || out[0].ID != tt.want {
			t.Errorf("%s: %+v, want %s", name, out[0], tt.want)
		}
		check(t, p, tt.existing)
	}
	d := with(draftOf(memory.Decision, "x"), func(d *Draft) { d.Title, d.Summary = "!!!", "???" })
	if _, out := Resolve(Input{Drafts: []Draft{d}, Now: now}); out[0].ID != "untitled" {
		t.Errorf("nothing to name it by: %+v", out[0])
	}
}

// TestResurrection: a repetition of what was retired today is not saved. What was retired long ago may be
// saved again, beside the old record.
func TestResurrection(t *testing.T) {
	for name, tt := range map[string]struct {
		at    string
		title string
		want  State
	}{
		"an hour ago": {"2026-11-20T08:30:00Z", "About queue", Nothing},
		"a week ago":  {"2026-11-13T08:30:00Z", "About queue", Create},
		"tomorrow":    {"2026-11-21T08:30:00Z", "About queue", Nothing},
		"unreadable":  {"yesterday", "About queue", Nothing},
	} {
		old := recordOf(memory.Decision, "queue")
		old.Status, old.RetiredAt = memory.Retired, &tt.at
		old = stored(old.Record)
		_, out := Resolve(Input{Drafts: []Draft{draftOf(memory.Decision, "queue")},
			Existing: []memory.Stored{old}, Now: now})
		if out[0].State != tt.want || tt.want == Create && out[0].ID != "about-queue-2" {
			t.Errorf("%s: %+v, want %s", name, out[0], tt.want)
		}
	}
}

// TestAntiResurrection: for a day the name of a retired record is not used again, even for other words. A
// session may have the title of another.
func TestAntiResurrection(t *testing.T) {
	lately, long := "2026-11-20T08:30:00Z", "2026-11-13T08:30:00Z"
	for name, tt := range map[string]struct {
		cat  memory.Category
		at   string
		want State
	}{
		"lately":  {memory.Decision, lately, Rejected},
		"long":    {memory.Decision, long, Create},
		"session": {memory.SessionSummary, lately, Create},
	} {
		old := recordOf(tt.cat, "queue")
		old.Status, old.RetiredAt = memory.Retired, &tt.at
		old = stored(old.Record)
		d := with(draftOf(tt.cat, "cache"), func(d *Draft) { d.Title = old.Title })
		_, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
		if out[0].State != tt.want || tt.want == Rejected &&
			!strings.HasPrefix(out[0].Reason, "ANTI_RESURRECTION_ERROR: id: expected ") {
			t.Errorf("%s: %+v, want %s", name, out[0], tt.want)
		}
	}
}

// TestInactiveTarget: a draft cannot change a retired or archived record.
func TestInactiveTarget(t *testing.T) {
	for _, st := range []memory.Status{memory.Retired, memory.Archived} {
		old := recordOf(memory.Decision, "queue")
		old.Status = st
		old = stored(old.Record)
		d := with(draftOf(memory.Decision, "cache"), func(d *Draft) {
			d.Target, d.Intended = old.ID, "update"
		})
		p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
		if out[0].State != Create || p.Edits[0].Path == old.Path ||
			!strings.Contains(strings.Join(out[0].Notes, " "), string(st)) {
			t.Errorf("%s: %+v", st, out[0])
		}
	}
	d := with(draftOf(memory.Decision, "cache"), func(d *Draft) {
		d.Target, d.Intended = "nowhere", "update"
	})
	if _, out := Resolve(Input{Drafts: []Draft{d}, Now: now}); out[0].State != Create ||
		!strings.Contains(out[0].Notes[0], `"nowhere"`) {
		t.Errorf("unknown target: %+v", out[0])
	}
}

// TestIncompleteBecomesNew: an update without a record to update is rejected if it is incomplete as a new
// record, and the problems say what is missing.
func TestIncompleteBecomesNew(t *testing.T) {
	d := Draft{Category: memory.Decision, Summary: "s", Intended: "update", Title: "t", Tags: []string{"x"},
		Content: memory.Content{"status": "superseded"}}
	p, out := Resolve(Input{Drafts: []Draft{d}, Now: now})
	if out[0].State != Rejected || len(p.Edits) > 0 ||
		!strings.Contains(out[0].Reason, "content.rationale: expected a list") {
		t.Errorf("%+v", out)
	}
	if _, out := Resolve(Input{Drafts: []Draft{{Category: "gossip", Title: "t"}},
		Now: now}); out[0].State != Rejected {
		t.Errorf("unknown category: %+v", out)
	}
}

// TestBatch: drafts of one batch for one record give one edit, guarded by the file on disk.
func TestBatch(t *testing.T) {
	old := recordOf(memory.TechDebt, "queue")
	first := with(draftOf(memory.TechDebt, "queue"), func(d *Draft) {
		d.Target = old.ID
		d.Content["priority"] = "high"
	})
	second := Draft{Category: memory.TechDebt, Target: old.ID, Intended: "update", Summary: "s",
		Tags: []string{"second"}, Content: memory.Content{"status": "in_progress"}}
	third := Draft{Category: memory.TechDebt, Target: old.ID, Intended: "delete", Summary: "done",
		Tags: []string{"untagged"}}
	existing := []memory.Stored{old}

	p, out := Resolve(Input{Drafts: []Draft{first, second}, Existing: existing, Now: now})
	check(t, p, existing)
	if len(p.Edits) != 1 || p.Edits[0].Verb != plan.Update || out[0].State != Update ||
		out[1].State != Update || len(out[1].Notes) == 0 {
		t.Fatalf("%d edits, %+v", len(p.Edits), out)
	}
	r, _ := memory.Decode(p.Edits[0].After)
	if r.Content["priority"] != "high" || r.Content["status"] != "in_progress" || r.TimesUpdated != 2 ||
		!slices.Equal(r.Tags, []string{"queue", "second"}) {
		t.Errorf("both: %+v", r)
	}

	p, out = Resolve(Input{Drafts: []Draft{first, third}, Existing: existing, Now: now})
	check(t, p, existing)
	if len(p.Edits) != 1 || p.Edits[0].Verb != plan.Retire || out[1].State != Retire {
		t.Errorf("update and retire: %+v", out)
	}

	// A record that is new in the batch is updated by the next draft, and stays new.
	p, out = Resolve(Input{Drafts: []Draft{draftOf(memory.Decision, "cache"),
		with(draftOf(memory.Decision, "cache"), func(d *Draft) {
			d.Tags = []string{"more"}
		})}, Now: now})
	check(t, p, nil)
	if len(p.Edits) != 1 || p.Edits[0].Verb != plan.Create || out[0].State != Create ||
		out[1].State != Update {
		t.Errorf("create and update: %+v", out)
	}
	// Two new ones with one title and different texts.
	p, out = Resolve(Input{Drafts: []Draft{
		with(draftOf(memory.Decision, "cache"), func(d *Draft) { d.Title = "One name" }),
		with(draftOf(memory.Decision, "queue"), func(d *Draft) { d.Title = "One name" }),
	}, Now: now})
	check(t, p, nil)
	if len(p.Edits) != 2 || out[0].ID != "one-name" || out[1].ID != "one-name-2" {
		t.Errorf("one name: %+v", out)
	}
}

// TestTooLarge: a record that the store could not read again is not planned.
func TestTooLarge(t *testing.T) {
	d := with(draftOf(memory.Decision, "queue"), func(d *Draft) {
		d.Content["context"] = strings.Repeat("x", memory.MaxBytes)
	})
	p, out := Resolve(Input{Drafts: []Draft{d}, Now: now})
	if out[0].State != Rejected || len(p.Edits) > 0 || !strings.Contains(out[0].Reason, "KiB") {
		t.Errorf("%+v", out[0].State)
	}
}

// A new memory without tags is noted as untagged; an update is not.
func TestUntagged(t *testing.T) {
	said := func(d Draft, existing ...memory.Stored) bool {
		_, out := Resolve(Input{Drafts: []Draft{d}, Existing: existing, Now: now})
		if out[0].State == Rejected || out[0].State == Nothing {
			t.Fatalf("%+v", out[0])
		}
		return slices.Contains(out[0].Notes, "tags: none, marked as untagged")
	}
	d := with(draftOf(memory.Decision, "queue"), func(d *Draft) { d.Tags = []string{memory.Untagged} })
	if !said(d) {
		t.Error("a new memory")
	}
	old := recordOf(memory.Decision, "queue")
	d.Target, d.Content = old.ID, memory.Content{"decision": "Something else."}
	if said(d, old) {
		t.Error("an update")
	}
}

// A related file that no longer exists is dropped with the next draft that names files. Existing files,
// entries that are no paths, and files of other records stay.
func TestGoneFiles(t *testing.T) {
	old := recordOf(memory.Decision, "queue")
	old.RelatedFiles = []string{"gone.go", "here.go", "https://example.com/x"}
	old = stored(old.Record)
	exists := func(file string) bool { return file == "here.go" }
	for name, tt := range map[string]struct {
		files, want []string
		exists      func(string) bool
	}{
		"files named": {[]string{"new.go"}, []string{"here.go", "https://example.com/x", "new.go"},
			exists},
		"the gone one too": {[]string{"gone.go", "new.go"},
			[]string{"gone.go", "here.go", "https://example.com/x", "new.go"}, exists},
		"none named": {nil, old.RelatedFiles, exists},
		"nobody can tell": {[]string{"new.go"},
			[]string{"gone.go", "here.go", "https://example.com/x", "new.go"}, nil},
	} {
		d := Draft{Category: memory.Decision, Target: old.ID, Summary: "More.",
			Tags: []string{memory.Untagged}, RelatedFiles: tt.files,
			Content: memory.Content{"decision": "Else"}}
		p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now,
			Exists: tt.exists})
		if out[0].State != Update {
			t.Fatalf("%s: %+v", name, out[0])
		}
		r, err := memory.Decode(p.Edits[0].After)
		if err != nil || !slices.Equal(r.RelatedFiles, tt.want) {
			t.Errorf("%s: %q, %v", name, r.RelatedFiles, err)
		}
	}
}

// Priorities as trackers write them.
func TestPriorities(t *testing.T) {
	for said, want := range map[string]string{"P0": "critical", "p1": "high", "P2": "medium", "P3": "low"} {
		p := new(coercer)
		if got := p.enum("content.priority", []string{"critical", "high", "medium", "low"},
			said); got != want {
			t.Errorf("%s: %v, %v", said, got, p.problems)
		}
	}
}

// TestUpdatesNeverEnd updates one record again and again. Each update with something new is made, history
// grows only up to its limit, and tags never prevent one.
func TestUpdatesNeverEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]memory.Category{memory.Decision, memory.Runbook, memory.Constraint,
			memory.TechDebt, memory.Preference}).Draw(t, "category")
		r := recordOf(c, "queue")
		// Includes records with more tags than are written now.
		r.Tags = rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,3}`), 1, 15, func(s string) string {
			return s
		}).Draw(t, "tags")
		r = stored(r.Record)
		for i := range rapid.IntRange(1, 30).Draw(t, "updates") {
			tags := memory.CleanTags(rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,3}`), 0, 14).Draw(t,
				"more tags"))
			d := with(draftOf(c, strings.Repeat("m", i+2)), func(d *Draft) { d.Target, d.Tags = r.ID, tags })
			p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{r},
				Now: now.Add(time.Duration(i) * time.Minute)})
			if out[0].State != Update {
				t.Fatalf("update %d: %+v", i, out[0])
			}
			check(t, p, []memory.Stored{r})
			next, err := memory.Decode(p.Edits[0].After)
			if err != nil {
				t.Fatal(err)
			}
			if next.ID != r.ID || next.CreatedAt != r.CreatedAt || next.Category != r.Category ||
				next.Status != memory.Active || next.TimesUpdated != r.TimesUpdated+1 {
				t.Fatalf("%+v", next)
			}
			for _, tag := range memory.CleanTags(r.Tags) {
				if tag != memory.Untagged && !slices.Contains(next.Tags, tag) {
					t.Fatalf("tag %s is lost: %v of %v", tag, next.Tags, r.Tags)
				}
			}
			for _, tag := range tags { // a new one is added, or noted as left out
				said := slices.ContainsFunc(out[0].Notes, func(n string) bool {
					return strings.Contains(n, "left out: ") && strings.Contains(n, tag)
				})
				if tag != memory.Untagged && !slices.Contains(next.Tags, tag) &&
					!(said && len(next.Tags) == memory.MaxTags) {
					t.Fatalf("tag %s is lost: %v of %v, %q", tag, next.Tags, tags, out[0].Notes)
				}
			}
			// The old entries that are kept are the last ones, unchanged.
			grown := len(next.Changes) - len(r.Changes)
			if grown < 0 || len(next.Changes) > memory.MaxChanges || grown == 0 &&
				len(next.Changes) < memory.MaxChanges {
				t.Fatalf("%d changes after %d", len(next.Changes), len(r.Changes))
			}
			kept := slices.IndexFunc(next.Changes, func(ch memory.Change) bool {
				return ch.Date == next.UpdatedAt
			})
			// an update has at most ten entries
			if kept < 0 || kept < min(len(r.Changes), memory.MaxChanges-10) {
				t.Fatalf("%d of %d old entries are kept", kept, len(r.Changes))
			}
			if kept > 0 && !reflect.DeepEqual(next.Changes[:kept], r.Changes[len(r.Changes)-kept:]) {
				t.Fatalf("history was rewritten")
			}
			r = memory.Stored{Record: next, Path: r.Path, Digest: digest(p.Edits[0].After)}
		}
	})
}

// TestRejectedSaysWhatToMend: the outcome of a rejected draft has seed 3's code, and field, expected, got and
// fix.
func TestRejectedSaysWhatToMend(t *testing.T) {
	at := "2026-11-20T08:30:00Z"
	old := recordOf(memory.Decision, "queue")
	old.Status, old.RetiredAt = memory.Retired, &at
	old = stored(old.Record)
	for name, tt := range map[string]struct {
		draft Draft
		code  memory.Code
		field string
	}{
		"just retired": {with(draftOf(memory.Decision, "cache"), func(d *Draft) {
			d.Title = old.Title
		}), memory.CodeAntiResurrection, "id"},
		"half of one": {with(draftOf(memory.Decision, "cache"), func(d *Draft) {
			delete(d.Content, "rationale")
		}), memory.CodeValidation, "content.rationale"},
		"too large": {with(draftOf(memory.Decision, "cache"), func(d *Draft) {
			d.Content["context"] = strings.Repeat("x", memory.MaxBytes)
		}),
			memory.CodeValidation, "content"},
	} {
		_, out := Resolve(Input{Drafts: []Draft{tt.draft}, Existing: []memory.Stored{old}, Now: now})
		o := out[0]
		if o.State != Rejected || o.Code != tt.code || len(o.Problems) != 1 || o.Reason == "" {
			t.Errorf("%s: %+v", name, o)
			continue
		}
		if p := o.Problems[0]; p.Field != tt.field || p.Expected == "" || p.Got == "" || p.Fix == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestTargetThatIsNotThere: for an incomplete draft with an unknown id, the error is about the id.
func TestTargetThatIsNotThere(t *testing.T) {
	d := Draft{Category: memory.Decision, Target: "no-such", Intended: "update", Summary: "More.",
		Title: "A queue", Tags: []string{"untagged"}, Content: memory.Content{"context": "more"}}
	_, out := Resolve(Input{Drafts: []Draft{d}, Now: now})
	o := out[0]
	if o.State != Rejected || len(o.Problems) != 3 || o.Problems[0].Field != "target" ||
		!strings.HasPrefix(o.Reason, `target: expected the id of an active decision, got "no-such"; fix: `) {
		t.Errorf("%+v", o)
	}
}

// TestDuplicateStandsBesideNothing: a draft that is not written gets no note that it stands beside another.
func TestDuplicateStandsBesideNothing(t *testing.T) {
	old := recordOf(memory.Decision, "queue")
	d := with(draftOf(memory.Decision, "queue"), func(d *Draft) { d.Intended = "create" })
	_, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
	if out[0].State != Nothing || len(out[0].Notes) != 0 {
		t.Errorf("%+v", out[0])
	}
}

// TestEveryDraftEnds: for any drafts there is one outcome each, in order, and the plan has the edits of the
// outcomes.
func TestEveryDraftEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := []string{"queue", "cache", "결제", "log"}
		draw := func(label string) (memory.Category, string) {
			return rapid.SampledFrom(memory.Categories()).Draw(t, label+" category"),
				rapid.SampledFrom(words).Draw(t, label)
		}
		var existing []memory.Stored
		for range rapid.IntRange(0, 4).Draw(t, "records") {
			r := recordOf(draw("record"))
			r.Status = rapid.SampledFrom([]memory.Status{memory.Active, memory.Retired,
				memory.Archived}).Draw(t, "status")
			r = stored(r.Record)
			if !slices.ContainsFunc(existing, func(o memory.Stored) bool { return o.Path == r.Path }) {
				existing = append(existing, r)
			}
		}
		var drafts []Draft
		for range rapid.IntRange(0, 6).Draw(t, "drafts") {
			d := draftOf(draw("draft"))
			d.Intended = rapid.SampledFrom([]string{"", "create", "update", "delete"}).Draw(t, "intended")
			d.Noop = rapid.IntRange(0, 9).Draw(t, "noop") == 0
			if rapid.Bool().Draw(t, "names") {
				d.Target = memory.Slug("About " + rapid.SampledFrom(words).Draw(t, "target"))
			}
			if rapid.Bool().Draw(t, "hints") {
				d.Hints = []string{"resolved"}
			}
			if rapid.Bool().Draw(t, "partial") {
				for _, f := range memory.Fields(d.Category)[:2] {
					delete(d.Content, f.Name)
				}
			}
			drafts = append(drafts, d)
		}
		p, out := Resolve(Input{Drafts: drafts, Existing: existing, Now: now})
		if len(out) != len(drafts) {
			t.Fatalf("%d outcomes of %d drafts", len(out), len(drafts))
		}
		check(t, p, existing)
		paths := make(map[string]bool)
		for i, o := range out {
			switch o.State {
			case Create, Update, Retire:
				paths[o.Path] = true
			case Nothing, Rejected:
				if o.Reason == "" {
					t.Fatalf("%s without a reason", o.State)
				}
			default:
				t.Fatalf("state %q", o.State)
			}
			if o.Category != drafts[i].Category {
				t.Fatalf("outcome %d is of %s", i, o.Category)
			}
		}
		for _, e := range p.Edits {
			if !paths[e.Path] {
				t.Fatalf("%s is written, but no outcome says so", e.Path)
			}
			delete(paths, e.Path)
		}
		if len(paths) > 0 {
			t.Fatalf("outcomes without an edit: %v", paths)
		}
	})
}

// TestFoldersAgree compares the folders in package plan with those in memory, as neither imports the other.
func TestFoldersAgree(t *testing.T) {
	for _, c := range memory.Categories() {
		if err := plan.CheckPath(memory.Path(c, "id")); err != nil {
			t.Error(err)
		}
	}
}
