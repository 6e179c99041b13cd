// Package draft turns drafts into a plan. It compares what drafting agents left on the stage with the
// memories that exist, and decides whether to create, update or retire a memory or to do nothing.
//
// Every draft ends in exactly one Outcome. A record is updated only if it is clearly the one: the draft names
// its id, or title and text are very similar. In doubt a new record is made, since two records can be merged
// later, but what was overwritten is missed. The rules say what happens then.
//
// A draft that makes another choice than a record does not change it: a new record takes the place of the old
// one, which is retired in the same plan. To end a decision or a preference, or anything else that a person
// said, a draft needs a person's own words against it, see Draft.Against. Session summaries are never retired
// or updated by a draft: each is a new record. A lifecycle hint about something that was never recorded does
// nothing. The package is pure.
package draft

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// State is how a draft ended.
type State string

// The states. Rejected drafts are invalid or not allowed, and blocked ones were held back by somebody; the
// caller stores the payload of both. Resolve itself blocks none.
const (
	Create   State = "create"
	Update   State = "update"
	Retire   State = "retire"
	Nothing  State = "nothing"
	Rejected State = "rejected"
	Blocked  State = "blocked"
)

// Outcome is the end of one draft.
type Outcome struct {
	Category memory.Category `json:"category"`
	State    State           `json:"state"`
	// of the record that is written, or that said it already
	ID    string `json:"id,omitempty"`
	Title string `json:"title,omitempty"` // of the record, or of the draft
	Path  string `json:"path,omitempty"`  // below the store's root
	// Supersedes is the path of the record that is retired because this one takes its place, or that would be
	// if a person had said so.
	Supersedes string   `json:"supersedes,omitempty"`
	Replaced   string   `json:"replaced,omitempty"` // title of that record, if it is retired
	Reason     string   `json:"reason,omitempty"`
	Notes      []string `json:"notes,omitempty"` // decisions made on the way

	Code     memory.Code      `json:"code,omitempty"`     // of a rejected draft, if its error has one
	Problems []memory.Problem `json:"problems,omitempty"` // what must be corrected in a rejected draft
}

// Unmet returns the notes on what the draft names and does not exist: a target, or what it supersedes.
func (o Outcome) Unmet() []string {
	return slices.DeleteFunc(slices.Clone(o.Notes), func(n string) bool {
		return !strings.HasPrefix(n, "target: ") && !strings.HasPrefix(n, "supersedes: ")
	})
}

// Refuse returns the outcome of a draft that is rejected for err.
func (o Outcome) Refuse(err error) Outcome {
	o.State, o.Reason = Rejected, err.Error()
	var invalid *memory.ValidationError
	var refused *memory.Refusal
	switch {
	case errors.As(err, &invalid):
		o.Code, o.Problems = memory.CodeValidation, invalid.Problems
	case errors.As(err, &refused):
		o.Code, o.Problems = refused.Code, []memory.Problem{refused.Problem}
		o.Reason = string(o.Code) + ": " + o.Reason
	}
	return o
}

func invalidDraft(p ...memory.Problem) error { return &memory.ValidationError{Problems: p} }

// Input is everything that Resolve depends on.
type Input struct {
	Drafts     []Draft
	Existing   []memory.Stored    // of all statuses
	Taken      []string           // paths of unreadable files: new records get other names
	Now        time.Time          // becomes created_at, updated_at and the date of changes
	Provenance *memory.Provenance // for every record that is written; may be nil
	// Branch is the branch on which the drafts were made, if it is not the default one: new records of
	// categories that are bound to a branch belong to it. It may be nil.
	Branch *memory.Branch
	// Shown are the ids of the memories that the drafters of a category saw. If a category has no entry, it
	// is unknown what they saw, and any target is accepted.
	Shown map[memory.Category][]string
	// Held reports whether the memory at a path waits for a person's yes, so that its text is not settled. It
	// may be nil.
	Held func(path string) bool
	// Said returns what a person said in a memory, word for word, by field as origin.Fields names them, and
	// whether the memory is a person's. An update keeps these words, and an agent alone cannot end them. It
	// may be nil.
	Said func(memory.Stored) (words map[string][]string, persons bool)
	// Theirs reports whether a text of a draft is a person's, word for word, and so replaces what they said
	// before. It may be nil.
	Theirs func(d Draft, text string) bool
	// Unfit returns why a memory could no longer be shown after a draft's change, or "" if it can. It may be
	// nil.
	Unfit func(before memory.Stored, after memory.Record, d Draft) string
	// Exists reports whether a related file exists; nil means that all do. A missing one is removed from its
	// record by the next draft that names other files.
	Exists func(file string) bool
}

// Resolve returns the plan for the drafts and one outcome for each, in order. Several drafts for one record
// are applied one after the other and give one edit, so that its guard holds.
func Resolve(in Input) (plan.Plan, []Outcome) {
	b := &bench{
		Input:   in,
		records: slices.Clone(in.Existing),
		taken:   make(map[string]bool),
		edits:   make(map[string]int),
		first:   make(map[string]memory.Stored),
		plan:    plan.Plan{Version: plan.Version, Edits: []plan.Edit{}},
	}
	for _, r := range in.Existing {
		b.taken[strings.ToLower(r.Path)] = true
	}
	for _, path := range in.Taken {
		b.taken[strings.ToLower(path)] = true
	}
	out := make([]Outcome, len(in.Drafts))
	for i, d := range in.Drafts {
		out[i] = b.resolveDraft(d)
	}
	return b.plan, out
}

// bench holds the records as they are after the drafts resolved so far.
type bench struct {
	Input
	records []memory.Stored
	taken   map[string]bool // lower-case paths that a new record may not have
	edits   map[string]int  // index of the edit in the plan, by path
	plan    plan.Plan
	first   map[string]memory.Stored // by path, how a changed record is on disk
}

// saidOf returns what a person said in the record at index i as it is on disk, and whether it is a person's.
func (b *bench) saidOf(i int) (words map[string][]string, persons bool) {
	r := b.records[i]
	if first, changed := b.first[r.Path]; changed {
		r = first
	} else if _, fresh := b.edits[r.Path]; fresh {
		return nil, false
	}
	if b.Said == nil {
		return nil, false
	}
	return b.Said(r)
}

// isTheirs returns a function that reports whether a text of a draft is a person's, word for word.
func (b *bench) isTheirs(d Draft) func(text string) bool {
	return func(text string) bool { return b.Theirs != nil && b.Theirs(d, text) }
}

func (b *bench) resolveDraft(d Draft) Outcome {
	o := Outcome{Category: d.Category, Title: d.Title}
	if d.Noop {
		return o.endedAs(Nothing, cmp.Or(d.NoopReason, "the drafter found nothing worth keeping"))
	}
	if d.Category.Folder() == "" {
		return o.endedAs(Rejected, fmt.Sprintf("category %q is unknown", string(d.Category)))
	}
	d = b.withIDs(d)
	if quote := quotedText(d); quote != "" {
		known, less := b.knownAs(d, quote)
		if known >= 0 {
			r := b.records[known]
			o.ID, o.Path, o.Title, o.Category = r.ID, r.Path, r.Title, r.Category
			return o.endedAs(stateFor(duplicate, wantsCreate), "known already as "+r.Path)
		}
		if less >= 0 {
			return b.updateRecord(less, asAddition(b.records[less].Record, d), o, "says more of the same")
		}
	}
	if i, why := b.supersededBy(d, &o); i >= 0 {
		return b.supersede(i, d, o, why)
	}
	says, found, why := b.storeSays(d, &o)
	switch stateFor(says, wishOf(d)) {
	case Create:
		o = b.createRecord(d, o)
		if found < 0 && d.Target != "" && o.Code == memory.CodeValidation {
			// It is incomplete because it was meant for a record that exists.
			o = o.Refuse(invalidDraft(slices.Insert(o.Problems, 0, memory.Problem{
				Field: "target", Expected: "the id of an active " + string(d.Category),
				Got: strconv.Quote(text.Shorten(d.Target, 40)),
				Fix: "name one that there is; without one a draft says all of a new memory",
			})...))
		}
		if found >= 0 && o.State == Create {
			o.Notes = append(o.Notes, "stands beside "+b.records[found].ID+": "+why)
		}
		return o
	case Update:
		if replacesChoice(b.records[found].Record, d) {
			return b.supersede(found, d, o, "makes another choice than "+b.records[found].Path)
		}
		if r := b.records[found]; d.Category.IsChoice() && !saysChoice(d) && d.turnsDown(r) {
			return o.Refuse(invalidDraft(memory.Problem{Field: "content." + d.Category.ChoiceField(),
				Expected: "what holds now, since the person's words turn against " + r.Path, Got: "nothing",
				Fix: "say it; a new memory takes the place of the old one then"}))
		}
		return b.updateRecord(found, d, o, why)
	case Retire:
		if !b.mayEnd(found, d, !mayRetire(d.Category)) {
			return b.refuseUnbacked(found, o)
		}
		return b.retireRecord(found, d, o, why)
	}
	return o.endedAs(Nothing, why)
}

// mayRetire reports whether a draft may retire memories of a category without a person's words. Decisions,
// preferences and summaries do not end just because an agent heard otherwise.
func mayRetire(c memory.Category) bool {
	return c != memory.Decision && c != memory.Preference && c != memory.SessionSummary
}

// storeSays returns how a draft relates to the store, and the index of its record or -1. why is how that is
// known, or why nothing is done.
func (b *bench) storeSays(d Draft, o *Outcome) (says store, found int, why string) {
	if d.Category == memory.SessionSummary {
		if d.Intended == "delete" {
			return veto, -1, "a draft may not delete a session summary"
		}
		return appendOnly, -1, ""
	}
	found, why = b.candidate(d, o)
	switch {
	case found >= 0 && mayRetire(d.Category):
		return updateOrDelete, found, why
	case found >= 0:
		return updateOnly, found, why
	case len(d.Hints) > 0 && wishOf(d) == wantsUpdate && mayRetire(d.Category):
		return noTarget, -1, "says that something is " + d.Hints[0] + " that is not recorded"
	}
	return noCandidate, -1, "there is no active record that it could retire"
}

func (o Outcome) endedAs(s State, reason string) Outcome {
	o.State, o.Reason = s, reason
	return o
}

// candidate returns the index of the active record that the draft is about, or -1, and how it is known.
func (b *bench) candidate(d Draft, o *Outcome) (int, string) {
	if d.Target != "" {
		i, why := b.named(d, d.Target)
		if i >= 0 {
			return i, byName
		}
		o.Notes = append(o.Notes, "target: "+why)
	}
	best := alike.Candidates(d.record(), b.records, 1)
	if len(best) == 0 || !best[0].Same {
		return -1, ""
	}
	i := slices.IndexFunc(b.records, func(r memory.Stored) bool { return r.Path == best[0].Path })
	return i, fmt.Sprintf("says much the same (%.2f)", best[0].Score)
}

// byName is how a record is known that the draft names.
const byName = "named by the draft"

// named returns the index of the active record of an id that a draft names; -1 if it may not change that, and
// why.
func (b *bench) named(d Draft, id string) (i int, why string) {
	switch i = b.find(d.Category, id); {
	case i < 0:
		return -1, fmt.Sprintf("there is no %s %q", d.Category, text.Shorten(id, 40))
	case b.records[i].Status != memory.Active:
		return -1, fmt.Sprintf("%s is %s and stays as it is", id, b.records[i].Status)
	case !b.isHeardOf(d, i):
		return -1, id + " says something else, and the drafter was not shown it"
	}
	return i, ""
}

// find returns the index of a category's record of an id, -1 for none.
func (b *bench) find(c memory.Category, id string) int {
	return slices.IndexFunc(b.records, func(r memory.Stored) bool { return r.Category == c && r.ID == id })
}

// unseenScore is how similar a record must be to a draft that names it without its drafter having been shown
// it. A guessed id must not hit an unrelated memory.
const unseenScore = 0.25

// isHeardOf reports whether a draft may name the record at index i: its drafter was shown it, or chose from
// all records, or the two are similar.
func (b *bench) isHeardOf(d Draft, i int) bool {
	ids, known := b.Shown[d.Category]
	if !known || d.Origin == ByHand || slices.Contains(ids, b.records[i].ID) {
		return true
	}
	like := alike.Candidates(d.record(), b.records, len(b.records))
	return slices.ContainsFunc(like, func(c alike.Candidate) bool {
		return c.Path == b.records[i].Path && c.Score >= unseenScore
	})
}

// createRecord makes a new record unless one says exactly the same.
func (b *bench) createRecord(d Draft, o Outcome, supersedes ...string) Outcome {
	content, notes, problems := completeContent(d.Category, d.Content)
	o.Notes = append(o.Notes, notes...)
	if len(problems) > 0 {
		return o.Refuse(invalidDraft(problems...))
	}
	for _, r := range b.records {
		if r.Category != d.Category || !reflect.DeepEqual(r.Content, content) {
			continue
		}
		if r.Status == memory.Active {
			o.ID, o.Path = r.ID, r.Path
			return o.endedAs(stateFor(duplicate, wantsCreate), "it is recorded already, word for word")
		}
		if r.RetiredLately(b.Now) && !d.Backed { // a person who repeats it means it
			return o.endedAs(stateFor(veto, wantsCreate),
				"it was retired less than a day ago, word for word; keepsake records restore "+
					r.ID+" brings it back")
		}
	}
	title := titleOf(d)
	if title == "" {
		return o.Refuse(invalidDraft(memory.Problem{Field: "partial_content.title", Expected: "a title",
			Got: "nothing", Fix: "add it"}))
	}
	base := slugOf(title, d.Summary)
	i := b.find(d.Category, base)
	if i >= 0 && d.Category != memory.SessionSummary && b.records[i].RetiredLately(b.Now) && !d.Backed {
		return o.Refuse(memory.CheckCreate(b.records[i].Record, b.Now))
	}
	stamp := memory.Stamp(b.Now)
	tags := memory.CleanTags(d.Tags)
	if tags[0] == memory.Untagged {
		o.Notes = append(o.Notes, "tags: none, marked as "+memory.Untagged)
	}
	r := memory.Record{
		Category:     d.Category,
		ID:           b.freeID(d.Category, base),
		Title:        title,
		Status:       memory.Active,
		CreatedAt:    stamp,
		UpdatedAt:    stamp,
		Tags:         tags,
		RelatedFiles: d.RelatedFiles,
		Verify:       d.Verify,
		Confidence:   d.Confidence,
		Content:      content,
		Changes:      []memory.Change{{Date: stamp, Summary: changeSummary(d)}},
		Provenance:   b.provenanceOf(d),
		Supersedes:   supersedes,
	}
	if d.Category.IsBound() {
		r.Branch = b.Branch
	}
	return b.putRecord(-1, r, plan.Create, o, "")
}

// updateRecord amends the record at index i and keeps what a person said in it. If the update would end that,
// or make the memory unfit to be shown, the person is asked instead.
func (b *bench) updateRecord(i int, d Draft, o Outcome, why string) Outcome {
	old := b.records[i]
	words, persons := b.saidOf(i)
	r, says, stay := amend(old.Record, d, memory.Stamp(b.Now), b.Exists, keeper{words, b.isTheirs(d)})
	if persons && isOver(old.Record, r) && !b.mayEnd(i, d, !mayRetire(d.Category)) {
		return b.refuseUnbacked(i, o)
	}
	if len(stay) > 0 {
		o.Notes = append(o.Notes, "what the user said stays, in "+strings.Join(stay, ", ")+
			"; a draft with supersedes puts another choice in its place, if the user made one")
	}
	if left := leftOut(r.Tags, d.Tags); len(left) > 0 {
		o.Notes = append(o.Notes, fmt.Sprintf("tags: it has %d already, left out: %s", memory.MaxTags,
			strings.Join(left, ", ")))
	}
	if stateFor(says, wantsUpdate) == Nothing {
		o.ID, o.Path, o.Title = old.ID, old.Path, old.Title
		return o.endedAs(Nothing, "it is recorded already")
	}
	if b.Unfit != nil && !d.Approved {
		if why := b.Unfit(old, r, d); why != "" {
			return o.refuseUnfit(old, why)
		}
	}
	if says == conflict {
		o.Notes = append(o.Notes,
			"says something else than was recorded; the old version stays in changes and in the history")
	}
	if from := b.provenanceOf(d); from != nil {
		r.Provenance = from
	}
	return b.putRecord(i, r, plan.Update, o, why)
}

func (b *bench) retireRecord(i int, d Draft, o Outcome, why string) Outcome {
	r := retiredRecord(b.records[i].Record, d, memory.Stamp(b.Now))
	if from := b.provenanceOf(d); from != nil {
		r.Provenance = from
	}
	return b.putRecord(i, r, plan.Retire, o, why)
}

// provenanceOf returns the provenance of a draft's text.
func (b *bench) provenanceOf(d Draft) *memory.Provenance {
	if b.Provenance == nil || d.Origin == "" {
		return b.Provenance
	}
	p := *b.Provenance
	p.Origin = d.Origin
	return &p
}

// putRecord puts a record into the plan and on the bench, in place of the one at i.
func (b *bench) putRecord(i int, r memory.Record, verb plan.Verb, o Outcome, why string) Outcome {
	o.Title = r.Title
	if err := r.Validate(); err != nil {
		return o.Refuse(err)
	}
	after := r.Encode()
	if len(after) > memory.MaxBytes {
		return o.Refuse(invalidDraft(memory.Problem{
			Field: "content", Expected: fmt.Sprintf("a record of at most %d KiB", memory.MaxBytes>>10),
			Got: fmt.Sprintf("%d KiB", len(after)>>10), Fix: "say it in fewer words",
		}))
	}
	// As the store will read it: encoding sets the schema version.
	r, err := memory.Decode(after)
	if err != nil {
		return o.Refuse(err)
	}
	stored := memory.Stored{Record: r, Path: memory.Path(r.Category, r.ID), Digest: plan.DigestOf(after)}
	edit := plan.Edit{Path: stored.Path, Verb: verb, After: after, Category: string(r.Category),
		Title: r.Title}
	if _, again := b.edits[stored.Path]; i >= 0 && !again {
		b.first[stored.Path] = b.records[i]
	}
	if i < 0 {
		b.records = append(b.records, stored)
		b.taken[strings.ToLower(stored.Path)] = true
	} else {
		edit.Before = b.records[i].Digest
		b.records[i] = stored
	}
	if n, ok := b.edits[stored.Path]; ok {
		// The guard is that of the first draft's edit, and a record that is new in this plan stays new.
		first := b.plan.Edits[n]
		edit.Before = first.Before
		if first.Verb == plan.Create {
			edit.Verb = plan.Create
		}
		b.plan.Edits[n] = edit
		o.Notes = append(o.Notes, "an earlier draft changes the same record; this one goes on top of it")
	} else {
		b.edits[stored.Path] = len(b.plan.Edits)
		b.plan.Edits = append(b.plan.Edits, edit)
	}
	o.ID, o.Path = r.ID, stored.Path
	switch verb {
	case plan.Create:
		return o.endedAs(Create, why)
	case plan.Retire:
		return o.endedAs(Retire, why)
	}
	return o.endedAs(Update, why)
}

// slugOf returns the slug of a title, or else of a summary; it is never "".
func slugOf(title, summary string) string {
	return cmp.Or(memory.Slug(title), memory.Slug(summary), "untitled")
}

// Paths returns the paths that a draft's record may have, in the order in which they are tried: the slug of
// its title, then the slug with -2, -3, … The sequence never ends.
func Paths(d Draft) iter.Seq[string] {
	return func(yield func(string) bool) {
		for id := range numberedIDs(slugOf(titleOf(d), d.Summary)) {
			if !yield(memory.Path(d.Category, id)) {
				return
			}
		}
	}
}

// numberedIDs returns base, base-2, base-3, …, each no longer than an id may be.
func numberedIDs(base string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(base) {
			return
		}
		for n := 2; ; n++ {
			suffix := fmt.Sprintf("-%d", n)
			stem := base
			for len(stem)+len(suffix) > memory.MaxIDBytes || utf8.RuneCountInString(stem)+
				len(suffix) > memory.MaxID {
				_, size := utf8.DecodeLastRuneInString(stem)
				stem = stem[:len(stem)-size]
			}
			if !yield(strings.TrimRight(stem, "-") + suffix) {
				return
			}
		}
	}
}

// freeID returns the first of a slug's ids that no other record has.
func (b *bench) freeID(c memory.Category, base string) string {
	for id := range numberedIDs(base) {
		if !b.taken[strings.ToLower(memory.Path(c, id))] {
			return id
		}
	}
	return "" // ids never ends
}

// titleOf returns the title of a draft, or else the first sentence of its summary.
func titleOf(d Draft) string {
	if d.Title != "" {
		return d.Title
	}
	s, _, _ := strings.Cut(d.Summary, "\n")
	if i := strings.Index(s, ". "); i > 0 {
		s = s[:i]
	}
	return memory.CleanTitle(strings.TrimRight(s, "."))
}

func changeSummary(d Draft) string {
	return text.Shorten(text.OneLine(cmp.Or(d.ChangeSummary, d.Summary)), memory.MaxSummary)
}
