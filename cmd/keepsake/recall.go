package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/promote"
	"keepsake/pkg/recall"
	"keepsake/pkg/resolve"
	"keepsake/pkg/route"
	"keepsake/pkg/session"
	"keepsake/pkg/tiers"
)

type recallCmd struct {
	Query          []string `arg:"" help:"Words to look for, or a question."`
	Tier           string   `help:"Look only there: scratch, project, where, why or markdown (default: as the question begins)." enum:",scratch,project,where,why,markdown" default:"" placeholder:"TIER"`
	Category       string   `help:"Only memories of this category." placeholder:"CATEGORY"`
	IncludeRetired bool     `help:"Also find what is retired or archived."`
	Limit          int      `help:"Show at most this many." default:"5"`
	JSON           bool     `help:"Print one JSON object: query, total_results, results, best first."`
}

func (recallCmd) Help() string {
	return `Finds notes of this checkout (scratch) that have most of the words, and the active memories (project) that have any of them, best first, with where each comes from and the sentence that says most of what was asked. Words are found in titles, tags and texts, in other forms of the word too; identifiers whole and in parts. Memories that a prompt would not have brought by itself, and notes with just half of the words, stand below the others as weak. Finding nothing is no failure.

A question that begins with where, which file, which directory, find or locate has places in the project's files (WHERE) first; any other has them only where neither a note nor a memory answers. One that begins with why, decision, history or "what did we decide" has what was promoted (WHY) first and decisions before other memories, and notes where none of them answers.

What was said and nobody has written up yet stands below the memories, as heard, with its number, who said it and when. What may only be worth keeping stands among the weak ones.

Where all of that has nothing good enough, the Markdown memories (markdown) of the project and of the root scope (scope.root) are asked: the file with its line, the heading above it, and whether it is stale, that is not updated for more than 90 days and of a kind that goes stale, or without frontmatter.

Examples:

    keepsake recall job queue
    keepsake recall 'why postgres' --limit 1
    keepsake recall where is the parser
    keepsake recall --tier scratch importer
    keepsake recall --tier markdown staging cluster
    keepsake recall redis --include-retired --category decision --json`
}

// recallJSON is what recall --json prints; the names are seed 3's, but for source
// and line.
type recallJSON struct {
	Query   string     `json:"query"`
	Total   int        `json:"total_results"`
	Results []recalled `json:"results"`
	Ask     *toSkill   `json:"ask,omitempty"` // with tiers.router: what the agent is to ask too
}

type recalled struct {
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
	Score     float64       `json:"score"` // 0..1
	// perhaps about something else; a memory or drawer too low for a prompt
	Weak bool `json:"weak"`
	// the tier: scratch, project, WHERE, WHY or markdown; or heard
	Source string `json:"source"`
	// in the file of a note, a place or a Markdown memory, from 1
	Line int `json:"line,omitempty"`
	// the path that an annotation names and that is no longer there
	Gone  string `json:"gone,omitempty"`
	Stale string `json:"stale,omitempty"` // why a Markdown memory is to be checked
	// of a memory: "said by the agent", "accepted by the user", or why it is held
	Trust string `json:"trust,omitempty"`
	// of a memory: what says the opposite, a newer or an older memory or the person
	Disputed string `json:"disputed,omitempty"`
	// of a drawer: the memory that took the place of the one that it was promoted of
	SupersededBy string `json:"superseded_by,omitempty"`
	// who said what nobody has written up: typed, chosen, agent or program
	By     string `json:"by,omitempty"`
	said   string // By, as people are told
	ofHeld bool   // a memory says it, which is held
	Denied bool   `json:"denied,omitempty"` // something that was said later turns against it
}

// snippetRunes is the longest snippet, in runes: two lines of a terminal.
const snippetRunes = 160

func (v recallCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Limit < 1 {
		return usage("--limit %d: want 1 or more", v.Limit)
	}
	only, err := categories(strings.Fields(v.Category))
	if err != nil {
		return err
	}
	text := strings.Join(v.Query, " ")
	tier, about := route.Of(text)
	switch {
	case v.Tier != "" && v.Tier != string(route.Project) && (v.Category != "" || v.IncludeRetired):
		return usage("--tier %s: only memories have a category and can be retired", v.Tier)
	case v.Tier != "":
		tier = route.Tier(v.Tier)
	case v.Category != "" || v.IncludeRetired:
		tier = route.Project
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	a := answer{call: c, Session: s, text: text, about: about, limit: v.Limit}
	q := recall.Query{Text: text, Limit: v.Limit, Retired: v.IncludeRetired}
	if len(only) > 0 {
		q.Category = only[0]
	}
	if v.Tier == "" || v.Tier == string(route.Project) {
		if err := a.said(q.Category); err != nil {
			return err
		}
	}
	switch tier {
	case route.Scratch:
		err = a.notes()
	case route.Markdown:
		err = a.markdown()
	case route.Project:
		err = a.memories(q)
	case route.Where:
		if err = a.places(); err == nil && v.Tier == "" {
			err = a.memories(q)
			if len(a.found) > 0 && a.skill == nil {
				a.weak = nil
			} else if err == nil {
				err = a.notes()
			}
			if err == nil {
				err = a.fallBack()
			}
		}
	case route.Why:
		if err = a.promoted(); err != nil {
			break
		}
		decisions := q
		decisions.Category = memory.Decision
		if err = a.memories(decisions); err == nil && v.Tier == "" {
			err = a.memories(q)
		}
		if err == nil && (len(a.found)+len(a.strong) == 0 || a.skill != nil) {
			if err = a.notes(); err == nil {
				err = a.fallBack()
			}
		}
	default:
		if err = a.notes(); err == nil {
			err = a.memories(q)
		}
		if err == nil {
			err = a.fallBack()
		}
		if err == nil && len(a.found)+len(a.strong)+len(a.heard) == 0 {
			// Nobody asked for it by name, but that it can't answer is not "nothing".
			if trouble := a.places(); trouble != nil && len(a.weak) == 0 {
				err = trouble
			} else if trouble != nil {
				a.note("%s", brief.Line(trouble.Error()))
			}
			a.leave(len(a.weak))
		}
	}
	if err != nil {
		return err
	}
	a.tell()
	return nil
}

// An answer is what was found of a question so far, best first in each list.
type answer struct {
	*call
	*session.Session
	text, about string // the question, and without the words that name a tier
	limit       int

	found  []recalled // drawers, notes or places
	strong []recalled // memories
	weak   []recalled // drawers, then memories

	heard     []recalled // what was said and nobody has written up
	heardWeak []recalled

	kept    *[]promote.Kept // what was promoted from here; nil before it is needed
	records []memory.Stored // all of them; nil before they are needed

	skill *toSkill // that is to be asked too; nil for none

	toldHeld bool // that something is held
}

// promoted looks into what was promoted. When the back end of the settings can't
// answer, nothing takes its place.
func (a *answer) promoted() error {
	if on, err := a.routed("WHY"); on {
		return err
	}
	keeper, choice, err := keeper(a.call, a.Session)
	if err != nil {
		return failed(err)
	}
	ctx := context.Background() // reads files, and starts nothing
	if choice.Backend != "embedded" {
		ctx = a.ctx
	}
	return a.ask(ctx, keeper)
}

// stands reports whether a drawer may be told as a truth. One that another memory took
// the place of is told as that, among what is weak; of one whose memory holds no longer
// nothing is told.
func (a *answer) stands(h tiers.Hit) (by string, ok bool) {
	if a.kept == nil {
		all := a.call.kept(a.Session)
		a.kept = &all
	}
	k, known := promote.Find(*a.kept, h.Path)
	if !known || len(k.Records) == 0 {
		return "", true
	}
	if a.records == nil {
		loaded, err := a.Store().Load()
		if err != nil { // the memories themselves can't be told then either
			return "", true
		}
		a.records = loaded.Records
	}
	f := k.Fate(a.records)
	return f.By, !f.Over || f.By != ""
}

// notes looks into the notes of this checkout. It changes and starts nothing, so
// that Ctrl-C may come at any time.
func (a *answer) notes() error {
	return a.ask(context.Background(), tiers.Scratch{Root: a.Root, Warn: a.passed})
}

// places looks into what was said of where things are, and then into the project's
// files, with the back end of the settings. When that can't answer, no other one does.
func (a *answer) places() error {
	if err := a.ask(a.ctx, tiers.Annotations{Root: a.Root, Warn: a.passed}); err != nil {
		return err
	}
	if on, err := a.routed("WHERE"); on {
		return err
	}
	said := a.found
	a.found = nil
	finder, _ := a.locator(a.Session)
	if err := a.ask(a.ctx, finder); err != nil {
		return err
	}
	// What has only half of the words may be about another place: one such line comes
	// last. Else there is something of both, as far as there is room.
	var sure, perhaps []recalled
	for _, r := range said {
		if r.Score > 0.5 || len(a.found) == 0 {
			sure = append(sure, r)
		} else if len(perhaps) < min(a.limit/2, 1) {
			perhaps = append(perhaps, r)
		}
	}
	a.found = a.found[:min(len(a.found), a.limit-len(perhaps))]
	sure = sure[:min(len(sure), max(a.limit-len(perhaps)-len(a.found), (a.limit+1)/2))]
	a.found = slices.Concat(sure, a.found, perhaps)
	return nil
}

// passed tells of a file that was passed over, and last how to mend it.
func (c *call) passed(err error) {
	what, hint, is := strings.Cut(brief.Line(err.Error()), "; hint: ")
	if what += "; passed over"; is {
		what += "; hint: " + hint
	}
	c.note("%s", what)
}

func (a *answer) ask(ctx context.Context, f tiers.Finder) error {
	hits, err := f.Find(ctx, a.about, a.limit)
	if err != nil {
		return failed(err)
	}
	for _, h := range hits {
		by := ""
		if h.Source == "WHY" {
			ok := true
			if by, ok = a.stands(h); !ok {
				continue
			}
			h.Weak = h.Weak || by != ""
		}
		list := &a.found
		if h.Weak {
			list = &a.weak
		}
		*list = append(*list, recalled{SupersededBy: by, Path: h.Path, Tags: []string{},
			Snippet: brief.Line(h.Text), UpdatedAt: h.Date, Score: h.Score, Source: h.Source, Line: h.Line,
			Gone: h.Gone, Weak: h.Weak})
	}
	return nil
}

// memories looks into the project's memories. One that was found before is not
// listed again.
func (a *answer) memories(q recall.Query) error {
	got, err := a.Search(q, a.limit, func(recall.Hit) bool { return true })
	if err != nil {
		return err
	}
	for _, b := range got.Bad {
		a.note("%s: %v", b.Path, b.Err)
	}
	if a.person.alone() == nil { // an agent is not told what is held
		got.Found = append(got.Found, got.Held...)
	} else if n := len(got.Held); n > 0 {
		if !a.toldHeld {
			a.note("%s held and not shown: the person looks at it with keepsake review, in a terminal",
				isAre(n, "memory"))
			a.toldHeld = true
		}
		a.saidOf(got.Held)
	}
	contested := a.contested(got.Found)
	for _, f := range got.Found {
		r := recalled{
			Trust: marked(f.Trust),
			Title: f.Title, Category: f.Category, ID: f.ID, Path: f.Path, Tags: append([]string{}, f.Tags...), Status: f.Status,
			Snippet:   cut(brief.Line(recall.Snippet(f.Record, q.Text, snippetRunes)), snippetRunes),
			UpdatedAt: f.UpdatedAt, Score: f.Score, Weak: f.Score < recall.Floor, Source: string(route.Project),
			Disputed: contested[f.Path],
		}
		list := &a.strong
		if r.Weak {
			list = &a.weak
		}
		if !slices.ContainsFunc(*list, func(x recalled) bool { return x.Path == r.Path }) {
			*list = append(*list, r)
		}
	}
	return nil
}

// contested says of memories, by path, what says the opposite of them.
func (a *answer) contested(found []session.Found) map[string]string {
	said := map[string]string{}
	stored := make([]memory.Stored, len(found))
	for i, f := range found {
		stored[i] = f.Stored
	}
	_, disputes := resolve.Disputed(stored, quotesOf(a.Session))
	for newer, all := range disputes {
		for _, d := range all {
			said[d.Path] = "a newer memory says the opposite: " + newer
			said[newer] = "an older memory says the opposite: " + d.Path
		}
	}
	book, _ := a.Book() // what can't be read of it is told with what was said
	for _, f := range session.TurnedAgainst(book) {
		said[f.Target] = fmt.Sprintf("the user turned against this on %s: %q",
			f.Time.UTC().Format(time.DateOnly),
			cut(brief.Line(f.Text), snippetRunes))
	}
	return said
}

// fallBack asks the Markdown memories where nothing good enough was found.
func (a *answer) fallBack() error {
	if len(a.found)+len(a.strong)+len(a.heard) > 0 {
		return nil
	}
	return a.markdown()
}

// markdown looks into the Markdown memories of the project and of the root scope.
func (a *answer) markdown() error {
	found, err := a.Markdown(a.about, a.limit, a.now(), func(path, why string) {
		a.note("%s: %s; passed over", brief.Line(path), brief.Line(why))
	})
	for _, p := range found {
		r := recalled{
			Title: p.Heading, Path: p.Path, Tags: []string{}, Snippet: brief.Line(p.Text), UpdatedAt: p.Date, Score: p.Score,
			Weak: p.Score < recall.Floor, Source: string(route.Markdown), Line: p.Line,
		}
		if p.Stale {
			r.Stale = brief.Stale(p.Doubt)
		}
		list := &a.found
		if r.Weak {
			list = &a.weak
		}
		*list = append(*list, r)
	}
	return err
}

// leave cuts notes or places short, so that so many memories find room below
// them, or take half of it.
func (a *answer) leave(memories int) {
	a.found = a.found[:min(len(a.found), max(a.limit-memories, (a.limit+1)/2))]
}

// tell prints what was found, notes or places first.
func (a *answer) tell() {
	a.leaveHeard()
	a.leave(len(a.strong))
	all := slices.Concat(a.found, a.strong)
	all = all[:min(len(all), a.limit)]
	weak := a.weak[:min(len(a.weak), a.limit-len(all))]
	all = slices.Concat(all, a.heard, weak, a.heardWeak)
	told := false
	for _, r := range all {
		if r.Weak && !told {
			a.line("weak matches, perhaps about something else:")
			told = true
		}
		if r.Source == sourceHeard {
			a.sayHeard(r)
			continue
		}
		if r.Source == string(route.Project) {
			status := ""
			if r.Status != memory.Active {
				status = ", " + string(r.Status)
			}
			if r.Trust != "" {
				status += ", " + r.Trust
			}
			a.line("[source: %s] .claude/memory/%s (%s%s)", r.Source, brief.Line(r.Path), day(r.UpdatedAt), status)
			a.line("  %s", brief.Line(r.Title))
			if r.Disputed != "" {
				a.line("  disputed: %s", brief.Line(r.Disputed))
			}
		} else {
			var about []string
			place := fmt.Sprintf("%s:%d", brief.Line(r.Path), r.Line)
			if r.Line == 0 {
				place = brief.Line(r.Path)
			}
			if r.UpdatedAt != "" && r.Stale == "" && (r.Source != "WHERE" || r.Path == tiers.AnnotationsFile) {
				about = append(about, day(r.UpdatedAt))
			}
			if r.Stale != "" {
				about = append(about, "stale: "+brief.Line(r.Stale))
			}
			if r.SupersededBy != "" {
				about = append(about, "superseded by "+brief.Line(r.SupersededBy))
			}
			if r.Gone != "" {
				about = append(about, "stale: "+brief.Line(r.Gone)+" is gone")
			}
			when := ""
			if len(about) > 0 {
				when = " (" + strings.Join(about, ", ") + ")"
			}
			a.line("[source: %s] %s%s", r.Source, place, when)
			if r.Title != "" {
				a.line("  %s", brief.Line(r.Title))
			}
		}
		if r.Snippet != "" {
			a.line("  %s", r.Snippet)
		}
	}
	switch {
	case a.skill != nil:
		a.line("ask the skill %s: %s", a.skill.Skill, brief.Line(a.skill.Words))
	case len(all) == 0:
		a.line("nothing remembered about that")
	}
	a.value(recallJSON{Query: a.text, Total: len(all), Results: append([]recalled{}, all...), Ask: a.skill})
}
