package digest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Outcome is what became of a thing later in its conversation.
type Outcome string

// The outcomes.
const (
	Accepted Outcome = "accepted"
	Reverted Outcome = "reverted"
	Unknown  Outcome = "unknown"
)

// A CitedDraft is one thing that the model found, with the lines that say it.
type CitedDraft struct {
	Category memory.Category
	Title    string
	Lines    []int
	Outcome  Outcome
	Noop     bool   // not worth keeping, by the model's word
	Why      string // of a noop
	Text     []byte // the draft as draft.Parse reads it, without its lines
}

// ErrNoAnswer is an answer without any JSON in it.
var ErrNoAnswer = errors.New("the model's answer has no list of drafts in it")

// ParseAnswer reads what the model wrote. whole reports whether nothing of it is
// missing, so that what it does not name is not worth keeping by its word. Drafts
// that can't be read cost themselves, and whole.
func ParseAnswer(text string) (drafts []CitedDraft, whole bool, err error) {
	objects, whole := draft.Objects([]byte(text))
	if len(objects) == 0 && !whole {
		return nil, false, ErrNoAnswer
	}
	for _, m := range objects {
		d, ok := citedDraft(m)
		if !ok {
			whole = false
			continue
		}
		drafts = append(drafts, d)
	}
	return drafts, whole, nil
}

// citedDraft reads one object of an answer.
func citedDraft(m map[string]any) (d CitedDraft, ok bool) {
	d.Lines = draft.Numbers(take(m, "lines", "line", "cites", "covers"))
	d.Outcome = Unknown
	if s, _ := take(m, "outcome").(string); s != "" {
		switch o := Outcome(strings.ToLower(strings.TrimSpace(s))); o {
		case Accepted, Reverted:
			d.Outcome = o
		case "rejected", "reversed", "undone", "abandoned", "superseded":
			d.Outcome = Reverted
		}
	}
	action, _ := m["action"].(string)
	intended, _ := m["intended_action"].(string)
	d.Noop = strings.EqualFold(action, "noop") || strings.EqualFold(intended, "noop")
	if category, _ := m["category"].(string); category != "" {
		c, err := memory.ParseCategory(category)
		if err != nil && !d.Noop {
			return d, false
		}
		d.Category = c
	} else if !d.Noop {
		return d, false
	}
	part, _ := m["partial_content"].(map[string]any)
	d.Title = firstText(part["title"], m["title"], m["new_info_summary"])
	d.Why = firstText(m["noop_reason"], m["reason"])
	var err error
	d.Text, err = json.Marshal(m)
	return d, err == nil
}

// take returns the first of several values that is there and takes all of them out.
func take(m map[string]any, names ...string) (v any) {
	for _, n := range names {
		if v == nil {
			v = m[n]
		}
		delete(m, n)
	}
	return v
}

func firstText(all ...any) string {
	for _, v := range all {
		if s, ok := v.(string); ok && strings.TrimSpace(s) != "" {
			return oneLine(s)
		}
	}
	return ""
}

// A Judgement is the result of an answer.
type Judgement struct {
	Kept    []Kept
	Aside   []Aside
	Refused []Refused
}

// Kept is a draft with what it is made of.
type Kept struct {
	CitedDraft
	Session string // the one in which it was said
	Numbers []int  // findings that stand in its lines
	New     []Line // lines that it cites and that are no finding yet
}

// Aside are findings that the model thinks not worth keeping.
type Aside struct {
	Numbers []int
	Why     string
}

// Refused is a draft that can't be used.
type Refused struct {
	Title string
	Why   string
}

// Why findings are set aside.
const (
	notWorth      = "not worth keeping"
	revertedLater = "reverted later"
)

// Judge returns what an answer about the excerpt comes to. Findings that are sure are
// never set aside because a model does not name them.
func (e *Excerpt) Judge(drafts []CitedDraft, whole bool) (j Judgement) {
	named := map[int]bool{}
	var aside []Kept
	for _, d := range drafts {
		k := e.made(d)
		for _, n := range k.Numbers {
			named[n] = named[n] || !d.Noop && d.Outcome != Reverted
		}
		switch {
		case d.Noop || d.Outcome == Reverted:
			aside = append(aside, k)
		case k.Session == "":
			j.Refused = append(j.Refused, Refused{d.Title, "it cites no line of the conversation"})
		case len(k.Numbers)+len(k.New) == 0:
			j.Refused = append(j.Refused, Refused{d.Title, "it cites only what programs printed"})
		default:
			j.Kept = append(j.Kept, k)
		}
	}
	told := map[int]bool{}
	put := func(numbers []int, why string) {
		numbers = slices.DeleteFunc(slices.Clone(numbers), func(n int) bool { return named[n] || told[n] })
		for _, n := range numbers {
			told[n] = true
		}
		if len(numbers) > 0 {
			j.Aside = append(j.Aside, Aside{numbers, why})
		}
	}
	for _, k := range aside {
		why := revertedLater
		if k.Outcome != Reverted {
			why = notWorth
			if k.Why != "" {
				why += ": " + text.Shorten(k.Why, memory.MaxSummary)
			}
		}
		put(k.Numbers, why)
	}
	if whole {
		var rest []int
		for _, f := range e.ShownCandidates() {
			if _, seen := named[f.Number]; !seen && f.Level == finding.Candidate {
				rest = append(rest, f.Number)
			}
		}
		put(rest, notWorth)
	}
	return j
}

// made returns the lines and findings that a draft is made of. Lines that the model was not shown don't
// count.
func (e *Excerpt) made(d CitedDraft) Kept {
	k := Kept{CitedDraft: d}
	for _, n := range d.Lines {
		l, ok := e.Line(n)
		if !ok || !l.Shown || k.Session != "" && l.Session != k.Session {
			continue
		}
		k.Session = l.Session
		for _, c := range l.Candidates {
			if !slices.Contains(k.Numbers, c) {
				k.Numbers = append(k.Numbers, c)
			}
		}
		if len(l.Candidates) == 0 && l.By != finding.Program && l.Role != finding.Question {
			k.New = append(k.New, l)
		}
	}
	return k
}

// Finding returns the finding that a cited line becomes. attended reports whether other findings show that
// a person typed in its session.
func (e *Excerpt) Finding(l Line, c memory.Category, attended bool) finding.Finding {
	f := finding.Finding{
		Text: l.Text, By: l.By, Session: l.Session, Record: l.Record, Offset: l.Offset, Time: l.Time,
		Category: c, Cue: "digest", Level: finding.Candidate, Origin: finding.FromAgent,
		Digest: finding.Digest(l.Text),
	}
	switch {
	case !l.By.Person():
	case l.Marked == transcript.ByHand || l.Marked == transcript.Unmarked && attended:
		f.Origin = finding.FromPerson
	case l.Marked == transcript.BySDK && attended: // an agent's own client went on with the session
		f.Origin = finding.Tainted
	}
	if before, ok := e.Line(l.Number - 1); ok && before.Session == l.Session &&
		before.Role != finding.Passed {
		f.Context = []finding.Line{{By: before.By, Role: before.Role, Text: before.Text}}
	}
	return f
}

// Attended reports whether the findings that are known of a session have words of a
// person that sat there.
func (e *Excerpt) Attended(session string) bool {
	return slices.ContainsFunc(e.Marked, func(f finding.Status) bool {
		return f.Session == session && f.By.Person() && f.Origin == finding.FromPerson
	})
}

// Draft returns the draft's text for planning, which names the findings that it covers.
func (k Kept) Draft(covers []int) ([]byte, error) {
	var m map[string]any
	if err := json.Unmarshal(k.Text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Title, err)
	}
	m["covers"] = covers
	return json.Marshal(m)
}

// Where returns the branch and the commit that the findings of a session know of.
func (e *Excerpt) Where(session string) (branch, commit string) {
	for _, f := range e.Marked {
		if f.Session == session {
			branch, commit = f.Branch, f.Commit
		}
	}
	return branch, commit
}
