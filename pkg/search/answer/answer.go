// Package answer chooses which tiers answer a question, and in what order. It finds the memories that a
// prompt gets along, and the list of `keepsake recall`.
package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/records"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/text"
	"keepsake/pkg/why/promote"
)

// A Result is one thing that was found.
type Result struct {
	Title    string          `json:"title"` // of a Markdown memory the heading that the line stands below
	Category memory.Category `json:"category"`
	ID       string          `json:"id"`
	// of a memory below the store's root, of WHY wing/room/drawer, of a Markdown memory absolute, else below
	// the project's folder; of what was said "#" and its number
	Path      string        `json:"path"`
	Tags      []string      `json:"tags"`
	Status    memory.Status `json:"status"`
	Snippet   string        `json:"snippet"`
	UpdatedAt string        `json:"updated_at"`
	Score     float64       `json:"score"` // 0..1: how surely it answers, whatever its source
	// too low for a prompt, or not sure to hold
	Weak bool `json:"weak"`
	// the tier: scratch, project, WHERE, WHY or markdown; or heard
	Source string `json:"source"`
	// in the file of a note, a place or a Markdown memory, from 1
	Line int `json:"line,omitempty"`
	// the path that an annotation names and that is no longer there
	Gone string `json:"gone,omitempty"`
	// Past reports whether it says what was: it is from the log of a day or an archive, or was replaced.
	Past bool `json:"past,omitempty"`
	// of a replaced statement of a Markdown memory the date, and what holds now
	Replaced string `json:"replaced,omitempty"`
	Stale    string `json:"stale,omitempty"` // why a Markdown memory is to be checked
	// of a memory: "said by the agent", "accepted by the user", or why it is held
	Trust string `json:"trust,omitempty"`
	// of a memory: what is known against it here, such as that its check fails
	Flags []string `json:"flags,omitempty"`
	// of a memory: what says the opposite, a newer or an older memory or the person
	Disputed string `json:"disputed,omitempty"`
	// of a drawer: the memory that took the place of the one that it was promoted of
	SupersededBy string `json:"superseded_by,omitempty"`
	// who said what nobody has written up: typed, chosen, agent or program
	By     string `json:"by,omitempty"`
	Said   string `json:"-"`                // By, in words for people
	Idle   bool   `json:"idle,omitempty"`   // of a memory: it was given often and never used
	OfHeld bool   `json:"-"`                // it is from a memory that is held back
	Denied bool   `json:"denied,omitempty"` // something that was said later turns against it
}

// A Question is what somebody asks.
type Question struct {
	Text     string
	Tier     Tier            // look only there; Any: as the question begins
	Category memory.Category // only memories of this category; "" for all
	Retired  bool            // also what is retired or archived
	Limit    int
	// Person reports whether a person asks. Memories that are held back are shown to nobody else.
	Person func() bool
	Now    time.Time
}

// An Answer is what was found for a question.
type Answer struct {
	Results []Result // best first
	Skill   *ToSkill // that is to be asked too; nil for none
	Held    int      // memories among them that only a person may see
}

// Recall answers a question.
func (b BackEnds) Recall(ctx context.Context, q Question) (Answer, error) {
	tier, about := TierOf(q.Text)
	switch {
	case q.Tier != Any:
		tier = q.Tier
	case q.Category != "" || q.Retired:
		tier = Project
	}
	a := asked{BackEnds: b, Question: q, about: about}
	if in := intentOf(q.Text, q.Now); q.Tier == Any && (tier == Any || tier == Why) && in.all {
		a.listed = in
	}
	search := records.Query{Text: q.Text, Limit: q.Limit, Retired: q.Retired, Category: q.Category,
		Now: q.Now}
	var err error
	silent := func() bool { return err == nil && !a.answered() && !a.heard() }
	if q.Tier == Any || q.Tier == Project {
		if err := a.said(q.Category); err != nil {
			return Answer{}, err
		}
	}
	switch tier {
	case Scratch:
		err = a.notes()
	case Markdown:
		err = a.markdown()
	case Project:
		err = a.memories(search)
	case Where:
		if err = a.places(ctx); err != nil || q.Tier != Any {
			break
		}
		placed := a.answered() && a.skill == nil
		if err = a.memories(search); err == nil && !placed {
			err = a.notes()
		}
		if silent() {
			err = a.markdown()
		}
	case Why:
		if err = a.promoted(ctx); err != nil {
			break
		}
		decisions := search
		decisions.Category = memory.Decision
		if err = a.memories(decisions); err == nil && q.Tier == Any {
			err = a.memories(search)
		}
		if err == nil && (!a.answered() || a.skill != nil) {
			err = a.notes()
		}
		if silent() {
			err = a.markdown()
		}
	default:
		if err = a.notes(); err == nil {
			err = a.memories(search)
		}
		if silent() {
			err = a.markdown()
		}
		if silent() {
			// Nobody asked for it by name, but that it can't answer is not "nothing".
			if trouble := a.places(ctx); trouble != nil && len(a.found) == 0 {
				err = trouble
			} else if trouble != nil {
				a.Note("%s", brief.Line(trouble.Error()))
			}
		}
	}
	if err != nil {
		return Answer{}, err
	}
	inOrder(a.found, tier)
	return Answer{cut(a.found, tier, q.Limit), a.skill, a.held}, nil
}

// asked is what was found for a question so far.
type asked struct {
	BackEnds
	Question
	about string // the question without the words that name a tier

	listed intent // the newest memories are asked for, and no subject

	found []Result

	kept    *[]promote.Kept // what was promoted from here; nil before it is needed
	records []memory.Stored // all of them; nil before they are needed

	skill *ToSkill // that is to be asked too; nil for none

	held int // memories that are held
}

// SnippetRunes is the longest snippet, in runes: two lines of a terminal.
const SnippetRunes = 160

// promoted looks into what was promoted. When the back end of the settings can't
// answer, nothing takes its place.
func (a *asked) promoted(ctx context.Context) error {
	if on, err := a.routed("WHY"); on {
		return err
	}
	keeper, choice, err := a.Keeper()
	if err != nil {
		return err
	}
	if choice.Backend == "embedded" { // reads files, and starts nothing
		ctx = context.Background()
	}
	return a.ask(ctx, keeper)
}

// stands reports whether a drawer may be shown. It is false if the drawer's memory no longer holds and no
// other memory replaced it. If one did, by is that memory, and the drawer is shown among the weak results.
func (a *asked) stands(h tiers.Hit) (by string, ok bool) {
	if a.kept == nil {
		all, err := promote.Register{Path: a.Drawers()}.All()
		if err != nil {
			a.Note("%v", err)
		}
		a.kept = &all
	}
	k, known := promote.Find(*a.kept, h.Path)
	if !known || len(k.Records) == 0 {
		return "", true
	}
	if a.records == nil {
		loaded, err := a.Store().Load()
		if err != nil { // then the memories themselves can't be shown either
			return "", true
		}
		a.records = loaded.Records
	}
	f := k.Fate(a.records)
	return f.By, !f.Over || f.By != ""
}

// notes looks into the notes of this checkout. It changes and starts nothing, so
// that Ctrl-C may come at any time.
func (a *asked) notes() error {
	return a.ask(context.Background(), tiers.Scratch{Root: a.Root, Warn: a.Warn})
}

// places searches the annotations, and then the project's files with the back end of the settings. If that
// back end can't answer, no other one does.
func (a *asked) places(ctx context.Context) error {
	if err := a.ask(ctx, tiers.Annotations{Root: a.Root, Warn: a.Warn}); err != nil {
		return err
	}
	if on, err := a.routed("WHERE"); on {
		return err
	}
	finder, _ := a.Locator()
	return a.ask(ctx, finder)
}

func (a *asked) ask(ctx context.Context, f tiers.Finder) error {
	hits, err := f.Find(ctx, a.about, a.Limit)
	if err != nil {
		return err
	}
	for _, h := range hits {
		by, weak := "", h.Score < records.Floor
		if h.Source == "WHY" {
			ok := true
			if by, ok = a.stands(h); !ok {
				continue
			}
			weak = weak || by != ""
		}
		a.found = append(a.found, Result{SupersededBy: by, Path: h.Path, Tags: []string{},
			Snippet: brief.Line(h.Text), UpdatedAt: h.Date, Score: h.Score, Source: h.Source, Line: h.Line,
			Gone: h.Gone, Weak: weak})
	}
	return nil
}

// memories looks into the project's memories. One that was found before is not
// listed again.
func (a *asked) memories(q records.Query) error {
	all := func(records.Hit) bool { return true }
	got, err := session.Result{}, error(nil)
	if a.listed.all {
		got, err = a.Newest(a.listed.categories, a.Limit, a.listed.isOfTime)
	} else {
		got, err = a.Search(q, a.Limit, all)
	}
	if err != nil {
		return err
	}
	for _, b := range got.Bad {
		a.Note("%s: %v", b.Path, b.Err)
	}
	if a.Person() { // an agent is not told what is held
		got.Found = append(got.Found, got.Held...)
	} else if n := len(got.Held); n > 0 {
		a.held = cmp.Or(a.held, n)
		a.saidOf(got.Held)
	}
	contested := a.contested(got.Found)
	for _, f := range got.Found {
		r := Result{
			Trust: TrustMark(f.Trust), Flags: FlagMarks(f.Trust),
			Title: f.Title, Category: f.Category, ID: f.ID, Path: f.Path, Status: f.Status,
			Tags: append([]string{}, f.Tags...),
			Snippet: text.Shorten(brief.Line(records.Snippet(f.Record, q.Text, SnippetRunes)),
				SnippetRunes),
			UpdatedAt: f.UpdatedAt, Score: f.Score, Weak: f.Score < records.Floor, Source: string(Project),
			Disputed: contested[f.Path], Idle: f.Idle,
		}
		listed := func(x Result) bool { return x.Source == r.Source && x.Path == r.Path }
		if !slices.ContainsFunc(a.found, listed) {
			a.found = append(a.found, r)
		}
	}
	return nil
}

// contested returns what contradicts memories, by their paths.
func (a *asked) contested(found []session.Found) map[string]string {
	said := map[string]string{}
	stored := make([]memory.Stored, len(found))
	for i, f := range found {
		stored[i] = f.Stored
	}
	_, disputes, _ := a.Disputed(stored)
	for newer, all := range disputes {
		for _, d := range all {
			said[d.Path] = "a newer memory says the opposite: " + newer
			said[newer] = "an older memory says the opposite: " + d.Path
		}
	}
	book, _ := a.Book() // its errors are reported with the findings
	for _, f := range session.TurnedAgainst(book) {
		said[f.Target] = fmt.Sprintf("the user turned against this on %s: %q",
			f.Time.UTC().Format(time.DateOnly),
			text.Shorten(brief.Line(f.Text), SnippetRunes))
	}
	return said
}

// markdown looks into the Markdown memories of the project and of the root scope.
func (a *asked) markdown() error {
	found, err := a.Markdown(a.about, a.Limit, a.Now, func(path, why string) {
		a.Note("%s: %s; passed over", brief.Line(path), brief.Line(why))
	})
	for _, p := range found {
		r := Result{
			Title: p.Heading, Path: p.Path, Tags: []string{}, Snippet: brief.Line(p.Text),
			UpdatedAt: p.Date, Score: p.Score,
			Weak: p.Score < records.Floor, Source: string(Markdown), Line: p.Line, Past: p.Past,
			Replaced: brief.Line(p.Replaced),
		}
		if p.Stale {
			r.Stale = brief.Stale(p.Doubt)
		}
		a.found = append(a.found, r)
	}
	return err
}

// TrustMark returns whose words a memory has, for a list; "" if there is nothing to add.
func TrustMark(t session.TrustLevel) string {
	switch {
	case t.Held:
		return "held: " + brief.Line(t.Why)
	case t.Signer() != "":
		return "approved by " + brief.Line(t.Signer())
	case t.Known() && t.Origin == finding.FromAgent && !t.Accepted():
		return "said by the agent"
	case t.Accepted():
		return "accepted by the user"
	}
	return ""
}

// FlagMarks returns what is known against a memory in this worktree, for a list.
func FlagMarks(t session.TrustLevel) (marks []string) {
	for _, r := range t.Standing {
		mark := brief.Line(r.Text)
		if r.LeaveOut {
			mark += "; left out at prompts"
		}
		marks = append(marks, mark)
	}
	return marks
}
