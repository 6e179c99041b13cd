package draft

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// TestRulesAreDocumented compares the table in docs/resolution.md with Rules, row by row. KEEPSAKE_GOLDEN=1
// writes it.
func TestRulesAreDocumented(t *testing.T) {
	const path, head = "../../../docs/resolution.md", "| --- | --- | --- | --- | --- |\n"
	var want strings.Builder
	for _, r := range Rules() {
		seed := fmt.Sprint(r.Seed)
		if r.Seed == 0 {
			seed = ""
		}
		fmt.Fprintf(&want, "| %s | `%s` | `%s` | `%s` | %s |\n", seed, r.Store, r.Wish, r.State, r.Why)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), head)
	got, after, ok2 := strings.Cut(rest, "\n## ")
	if !ok || !ok2 {
		t.Fatalf("%s has lost its table", path)
	}
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.WriteFile(path, []byte(before+head+want.String()+"\n## "+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if strings.TrimSpace(got) != strings.TrimSpace(want.String()) {
		t.Errorf("the table differs; KEEPSAKE_GOLDEN=1 rewrites it\n%s", want.String())
	}
}

// TestRulesOfTheSeeds: all of seed 3's rows are there, unchanged, and every pair that can occur has a row.
func TestRulesOfTheSeeds(t *testing.T) {
	for _, row := range []struct {
		store Store
		wish  Wish
		want  State
	}{
		{NoCandidate, WantsCreate, Create}, {UpdateOrDelete, WantsUpdate, Update},
		{UpdateOrDelete, WantsDelete, Retire},
		{NoCandidate, WantsUpdate, Create}, {NoCandidate, WantsDelete, Nothing},
		{UpdateOrDelete, WantsCreate, Create},
		{Veto, WantsCreate, Nothing}, {Veto, WantsUpdate, Nothing}, {Veto, WantsDelete, Nothing},
		{NoTarget, WantsCreate, Nothing}, {NoTarget, WantsUpdate, Nothing}, {NoTarget, WantsDelete, Nothing},
	} {
		i := slices.IndexFunc(Rules(), func(r Rule) bool {
			return r.Store == row.store && (r.Wish == row.wish || r.Wish == AnyWish)
		})
		if i < 0 || Rules()[i].Seed != 3 || stateFor(row.store, row.wish) != row.want {
			t.Errorf("%s, %s: %s, want %s by a row of seed 3", row.store, row.wish,
				stateFor(row.store, row.wish),
				row.want)
		}
	}
	for _, s := range []Store{Replaced, Veto, AppendOnly, NoTarget, NoCandidate, UpdateOrDelete, UpdateOnly,
		Duplicate, News, Conflict} {
		for _, w := range []Wish{WantsCreate, WantsUpdate, WantsDelete} {
			if stateFor(s, w) == Rejected && (w != WantsDelete || s != News && s != Conflict) {
				t.Errorf("%s, %s: no row", s, w)
			}
		}
	}
}

// TestDedup checks seed 2's table end to end: each row is there, and a draft for it ends as the row says.
func TestDedup(t *testing.T) {
	old := recordOf(memory.Decision, "queue")
	same := with(draftOf(memory.Decision, "queue"), func(d *Draft) { d.Target = old.ID })
	more := with(same, func(d *Draft) {
		d.Content = memory.Content{"rationale": append(slices.Clone(old.Content["rationale"].([]string)),
			"it is cheap")}
	})
	other := with(same, func(d *Draft) {
		d.Content = memory.Content{"decision": "None for now, the queue " +
			"decision waits"}
	})
	beside := with(same, func(d *Draft) {
		d.Intended = "create"
		d.Content = draftOf(memory.Decision, "queue").Content
		d.Content["decision"] = "None at all"
	})
	for name, c := range map[string]struct {
		draft Draft
		says  Store
		wish  Wish
		want  State
		note  string
	}{
		"exact duplicate": {same, Duplicate, WantsUpdate, Nothing, ""},
		"update":          {more, News, WantsUpdate, Update, ""},
		"conflict":        {other, Conflict, WantsUpdate, Update, "the old version stays"},
		"conflict beside": {beside, Conflict, WantsCreate, Create, "stands beside " + old.ID},
		"entirely new":    {draftOf(memory.Decision, "cache"), News, WantsCreate, Create, ""},
	} {
		i := slices.IndexFunc(Rules(), func(r Rule) bool {
			return r.Store == c.says && (r.Wish == c.wish || r.Wish == AnyWish)
		})
		if i < 0 || Rules()[i].Seed != 2 || Rules()[i].State != c.want {
			t.Errorf("%s: the row of %s and %s is not seed 2's", name, c.says, c.wish)
		}
		p, out := Resolve(Input{Drafts: []Draft{c.draft}, Existing: []memory.Stored{old}, Now: now})
		notes := strings.Join(out[0].Notes, "\n")
		if out[0].State != c.want || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: %+v", name, out[0])
			continue
		}
		if c.want != Update {
			continue
		}
		r, err := memory.Decode(p.Edits[0].After)
		if err != nil {
			t.Fatal(err)
		}
		last := r.Changes[len(r.Changes)-1]
		if last.Date != memory.Stamp(now) || last.OldValue == nil || last.NewValue == nil {
			t.Errorf("%s: change %+v", name, last)
		}
	}
}

// TestHintsSetWhatTheDraftLeftOut: the record says that its subject has ended.
func TestHintsSetWhatTheDraftLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		category memory.Category
		hint     string
		content  memory.Content
		field    string
		want     any
	}{
		"a debt that is paid":    {memory.TechDebt, "resolved", nil, "status", "resolved"},
		"a debt that is dropped": {memory.TechDebt, "deprecated", nil, "status", "wont_fix"},
		"a limit that is gone":   {memory.Constraint, "removed", nil, "active", false},
		"a choice that is old":   {memory.Decision, "deprecated", nil, "status", "deprecated"},
		"the draft knows better": {memory.TechDebt, "resolved", memory.Content{"status": "in_progress"},
			"status", "in_progress"},
	} {
		old := recordOf(c.category, "queue")
		d := Draft{Category: c.category, Target: old.ID, Summary: "It ended.", Tags: []string{"untagged"},
			Hints: []string{c.hint}, Content: c.content}
		p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
		if out[0].State != Update {
			t.Errorf("%s: %+v", name, out[0])
			continue
		}
		if r, err := memory.Decode(p.Edits[0].After); err != nil || r.Content[c.field] != c.want {
			t.Errorf("%s: %s is %v, want %v (%v)", name, c.field, r.Content[c.field], c.want, err)
		}
	}
}

// TestAHintFindsWhatEnded: a draft with only a title and the hint that it has ended ends the memory with that
// title.
func TestAHintFindsWhatEnded(t *testing.T) {
	old := recordOf(memory.TechDebt, "queue")
	text := `{"category": "tech_debt", "new_info_summary": "It is paid.", "lifecycle_hints": "resolved", "partial_content": {"title": "` + old.Title + `"}}`
	d, _, err := Parse([]byte(text), memory.TechDebt)
	if err != nil {
		t.Fatal(err)
	}
	p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
	if out[0].State != Update || out[0].ID != old.ID {
		t.Fatalf("%+v", out[0])
	}
	if r, err := memory.Decode(p.Edits[0].After); err != nil || r.Content["status"] != "resolved" {
		t.Errorf("%v, %v", r.Content["status"], err)
	}
	d.Title = "Another thing altogether"
	if _, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old},
		Now: now}); out[0].State != Nothing {
		t.Errorf("of nothing that is recorded: %+v", out[0])
	}
}

// TestTargetIsNotObeyedBlindly: an id that the drafter was not shown, of a memory about something else, is a
// guess.
func TestTargetIsNotObeyedBlindly(t *testing.T) {
	jwt := stored(record(memory.Decision, "use-jwt-for-the-public-api", []string{"auth"}, memory.Content{
		"status": "accepted", "context": "third parties call us", "decision": "JWT",
		"rationale": []string{"stateless"}}))
	okta := Draft{Category: memory.Decision, Summary: "Okta.", Title: "Okta chosen for employee auth",
		Tags: []string{"auth"}, Target: jwt.ID, Intended: "update",
		Content: memory.Content{"status": "accepted", "context": "employees sign in", "decision": "Okta",
			"rationale": []string{"SSO"}}}
	for name, c := range map[string]struct {
		shown map[memory.Category][]string
		want  State
	}{
		"shown":           {map[memory.Category][]string{memory.Decision: {jwt.ID}}, Update},
		"nobody can tell": {nil, Update},
		"not shown":       {map[memory.Category][]string{memory.Decision: {"another"}}, Create},
		"none was shown":  {map[memory.Category][]string{memory.Decision: {}}, Create},
	} {
		_, out := Resolve(Input{Drafts: []Draft{okta}, Existing: []memory.Stored{jwt}, Now: now,
			Shown: c.shown})
		if out[0].State != c.want || c.want == Create &&
			!strings.Contains(out[0].Notes[0], "was not shown it") {
			t.Errorf("%s: %+v", name, out[0])
		}
	}
	okta.Origin = ByHand // it was chosen from all memories
	_, out := Resolve(Input{Drafts: []Draft{okta}, Existing: []memory.Stored{jwt}, Now: now,
		Shown: map[memory.Category][]string{memory.Decision: {}}})
	if out[0].State != Update {
		t.Errorf("by hand: %+v", out[0])
	}
	same := Draft{Category: memory.Decision, Summary: "JWT for the public API, since it is stateless.",
		Title: "JWT for the public API", Tags: []string{"api"}, Target: jwt.ID,
		Content: memory.Content{"decision": "JWT, signed with ES256"}}
	_, out = Resolve(Input{Drafts: []Draft{same}, Existing: []memory.Stored{jwt}, Now: now,
		Shown: map[memory.Category][]string{memory.Decision: {}}})
	if out[0].State != Update {
		t.Errorf("about the same: %+v", out[0])
	}
}
