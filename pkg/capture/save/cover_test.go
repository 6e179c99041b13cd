package save

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// TestCover: a draft takes up what it names, is refused for what it can't have, and is over
// where all that it takes up is.
func TestCover(t *testing.T) {
	const says = "We use Postgres for the queue."
	found := func(state finding.State, to string) []finding.Status {
		return []finding.Status{{Finding: finding.Finding{Number: 7, Text: says, Category: memory.Decision,
			By: finding.Typed, Origin: finding.FromPerson}, State: state, To: to}}
	}
	changed := found(finding.Open, "")
	changed[0].Kind, changed[0].Target = finding.Change, "decisions/use-redis.json"
	for name, c := range map[string]struct {
		covers   string
		findings []finding.Status
		person   bool

		state      draft.State
		reason     string
		numbers    []int
		supersedes string
	}{
		"open":    {"7", found(finding.Open, ""), false, "", "", []int{7}, ""},
		"offered": {"7", found(finding.Offered, ""), false, "", "", []int{7}, ""},
		"expired": {"7", found(finding.Expired, ""), false, "", "", []int{7}, ""},
		"saved": {"7", found(finding.Saved, "decisions/x.json"), false,
			draft.Nothing, "[7] is saved already", []int{7}, ""},
		"saved, by a person": {"7", found(finding.Saved, "decisions/x.json"), true,
			draft.Nothing, "saved already", []int{7}, ""},
		"rejected": {"7", found(finding.Rejected, ""), false,
			draft.Rejected, "only a person brings it back", nil, ""},
		"rejected, by a person": {"7", found(finding.Rejected, ""), true, "", "", []int{7}, ""},
		"of a later number": {"12", found(finding.Open, ""), false,
			draft.Rejected, "no finding has the number 12", nil, ""},
		"turned against a memory":   {"7", changed, false, "", "", []int{7}, "use-redis"},
		"one of two is not known":   {"7,12", found(finding.Open, ""), false, "", "", []int{7}, ""},
		"a number that is gone now": {"3", found(finding.Open, ""), false, "", "", nil, ""},
	} {
		text := `{"covers":[` + c.covers +
			`],"category":"decision","title":"Use Postgres for the queue","content":` +
			`{"decision":"Postgres for the queue","context":"the queue","rationale":["it is there"]}}`
		drafts, parsed := parseDrafts([]Given{{Name: "remember", Text: []byte(text)}})
		left := cover(drafts, parsed, c.findings, c.person, 9, func(string) string { return "" })
		d := drafts[0]
		if d.State != c.state || !strings.Contains(d.Reason, c.reason) || !slices.Equal(d.Covers, c.numbers) {
			t.Errorf("%s: %q, %q, covers %v", name, d.State, d.Reason, d.Covers)
		}
		switch {
		case (len(left) == 1) != (c.state == ""):
			t.Errorf("%s: %d drafts are left", name, len(left))
		case len(left) == 1 && left[0].Supersedes != c.supersedes:
			t.Errorf("%s: supersedes %q, want %q", name, left[0].Supersedes, c.supersedes)
		}
	}
}

// TestHoldBack: a category holds back all of its drafts, a name one, and a name that no draft
// has is a mistake.
func TestHoldBack(t *testing.T) {
	given := []Given{
		{Name: "a",
			Text: []byte(`{"category":"decision","title":"One","content":{"decision":"x","context":"c","rationale":["r"]}}`)},
		{Name: "b",
			Text: []byte(`{"category":"preference","title":"Two","content":{"topic":"t","value":"v","reason":"r"}}`)},
		{Name: "c", Category: memory.Decision, Text: []byte(`{`)},
		{Name: "d",
			Text: []byte(`{"category":"decision","title":"Three","content":{"decision":"y","context":"c","rationale":["r"]}}`)},
	}
	for names, want := range map[string][]draft.State{
		"":                      {"", "", draft.Rejected, ""},
		"preference":            {"", draft.Blocked, draft.Rejected, ""},
		"decision":              {draft.Blocked, "", draft.Blocked, draft.Blocked},
		"decision.3":            {"", "", draft.Rejected, draft.Blocked},
		"decision.1,preference": {draft.Blocked, draft.Blocked, draft.Rejected, ""},
		"runbook":               nil,
		"decision.4":            nil,
	} {
		drafts, parsed := parseDrafts(given)
		h := HoldBack{Exclude: strings.FieldsFunc(names, func(r rune) bool { return r == ',' })}
		left, err := h.block(drafts, parsed)
		var e *Error
		if want == nil {
			if !errors.As(err, &e) || e.Why != Misused {
				t.Errorf("%q: %v", names, err)
			}
			continue
		}
		open := 0
		for i, d := range drafts {
			if d.State != want[i] {
				t.Errorf("%q: %s is %q, want %q", names, d.Name, d.State, want[i])
			}
			if d.State == "" {
				if open++; open > len(left) || left[open-1].Title == "" {
					t.Errorf("%q: %d drafts are left", names, len(left))
				}
			}
		}
		if p := (Plan{Drafts: drafts}); err != nil || open != len(left) || !p.holdsBack(h) {
			t.Errorf("%q: %v, %d left", names, err, len(left))
		}
	}
}

func TestRisk(t *testing.T) {
	low, high := 0.4, 0.5
	for want, d := range map[string]Draft{
		"": {Outcome: draft.Outcome{State: draft.Create, Category: memory.Runbook},
			Confidence: &high},
		"confidence 0.4": {Outcome: draft.Outcome{State: draft.Create, Category: memory.Runbook},
			Confidence: &low},
		"a decision": {Outcome: draft.Outcome{State: draft.Update, Category: memory.Decision},
			Confidence: &low},
		"a constraint":     {Outcome: draft.Outcome{State: draft.Create, Category: memory.Constraint}},
		"retires a memory": {Outcome: draft.Outcome{State: draft.Retire, Category: memory.Runbook}},
	} {
		if got := risk(d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if d.State = draft.Rejected; risk(d) != "" {
			t.Errorf("%q: what is not written is no risk", want)
		}
	}
}
