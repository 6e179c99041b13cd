// Package resolve turns drafts into a plan: what drafting agents left on the
// stage, held against the memories that exist, becomes create, update, retire or
// nothing.
//
// Every draft ends in exactly one Outcome. A record is updated only on strong
// identity, the id that the draft names or a high similarity of title and text;
// in doubt a new record is made, since two records can be merged later and an
// overwritten one is missed. What is done then is a table, see Rules.
//
// A draft that makes another choice than a record does not change it: a new record
// takes the place of the old one, which is retired in the same plan. Only a draft that a
// person's own words against it back, see Draft.Against, ends a decision or a preference, or
// anything else that a person said. Session summaries are neither retired by a draft
// nor updated: each is a new record. A lifecycle hint about something that was never
// recorded is nothing, where it could have retired it. The package is pure.
package resolve

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
	"keepsake/pkg/text"
)

// State is how a draft ended.
type State string

// The states. Rejected drafts are invalid, or not allowed; the caller keeps
// their payload, and that of blocked ones: those that somebody held back. No
// draft is blocked by Drafts itself.
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
	ID       string          `json:"id,omitempty"`    // of the record that is written, or that said it already
	Title    string          `json:"title,omitempty"` // of the record, or of the draft
	Path     string          `json:"path,omitempty"`  // below the store's root
	// Supersedes is the path of the record that was retired because this one takes its
	// place, or would have been if a person had said so.
	Supersedes string   `json:"supersedes,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Notes      []string `json:"notes,omitempty"` // what was decided on the way

	Code     memory.Code      `json:"code,omitempty"`     // of a rejected draft, if its trouble has one
	Problems []memory.Problem `json:"problems,omitempty"` // what is to be mended in a rejected draft
}

// Unmet are the notes on what the draft names and what could not be had: a target, or what it
// supersedes.
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

func invalid(p ...memory.Problem) error { return &memory.ValidationError{Problems: p} }

// Input is all that Drafts looks at.
type Input struct {
	Drafts     []Draft
	Existing   []memory.Stored    // of all statuses
	Taken      []string           // paths that hold something unreadable: new records go beside it
	Now        time.Time          // becomes created_at, updated_at and the date of changes
	Provenance *memory.Provenance // put on every record that is written; nil for none
	// Shown are the ids of memories that the drafters of a category were shown.
	// Without an entry for the category it is not known what they saw, and every
	// target is as good as another.
	Shown map[memory.Category][]string
	// Held says of a memory, by its path, whether it waits for a person's yes: what it says is not known yet.
	// Nil takes none to be held.
	Held func(path string) bool
	// Said returns what a person said of a memory, word for word, by field as origin.Fields
	// names them, and whether the memory is a person's: an update leaves what they said, and
	// an agent alone ends nothing of theirs. Nil knows of none.
	Said func(memory.Stored) (words map[string][]string, persons bool)
	// Theirs reports whether a text of a draft is a person's, word for word: then it takes the
	// place of what they said before. Nil takes none to be.
	Theirs func(d Draft, text string) bool
	// Unfit returns why nobody could be told any more of a memory that is told, with what a
	// draft makes of it; "" where it can be told on. Nil takes all to be fit.
	Unfit func(before memory.Stored, after memory.Record, d Draft) string
	// Exists says whether a related file is there; nil takes all of them to be. One
	// that is gone leaves its record with the next draft that names other files.
	Exists func(file string) bool
}

// Drafts works out what the drafts do to the memories that exist. There is one
// outcome per draft, in the same order. Several drafts that hit one record are
// applied one after the other and give one edit, so that their guards agree.
func Drafts(in Input) (plan.Plan, []Outcome) {
	b := &bench{
		records: slices.Clone(in.Existing),
		taken:   make(map[string]bool),
		edits:   make(map[string]int),
		now:     in.Now,
		origin:  in.Provenance,
		shown:   in.Shown,
		exists:  in.Exists,
		held:    in.Held,
		in:      in,
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
		out[i] = b.resolve(d)
	}
	return b.plan, out
}

// bench holds the records as they are after the drafts resolved so far.
type bench struct {
	records []memory.Stored
	taken   map[string]bool // lower-case paths that a new record may not have
	edits   map[string]int  // by path, the edit in the plan
	plan    plan.Plan
	now     time.Time
	origin  *memory.Provenance
	shown   map[memory.Category][]string
	exists  func(file string) bool
	held    func(path string) bool
	in      Input
	first   map[string]memory.Stored // by path, a record that was changed as it is on disk
}

// said returns what a person said of the record at index i as it is on disk, and whether it
// is a person's.
func (b *bench) said(i int) (words map[string][]string, persons bool) {
	r := b.records[i]
	if first, changed := b.first[r.Path]; changed {
		r = first
	} else if _, fresh := b.edits[r.Path]; fresh {
		return nil, false
	}
	if b.in.Said == nil {
		return nil, false
	}
	return b.in.Said(r)
}

// theirs reports of a draft's texts whether they are a person's, word for word.
func (b *bench) theirs(d Draft) func(text string) bool {
	return func(text string) bool { return b.in.Theirs != nil && b.in.Theirs(d, text) }
}

func (b *bench) resolve(d Draft) Outcome {
	o := Outcome{Category: d.Category, Title: d.Title}
	if d.Noop {
		o.State, o.Reason = Nothing, d.NoopReason
		if o.Reason == "" {
			o.Reason = "the drafter found nothing worth keeping"
		}
		return o
	}
	if d.Category.Folder() == "" {
		o.State, o.Reason = Rejected, fmt.Sprintf("category %q is unknown", string(d.Category))
		return o
	}
	d = b.named(d)
	if quote := quoted(d); quote != "" {
		known, less := b.knownAs(d, quote)
		if known >= 0 {
			r := b.records[known]
			o.ID, o.Path, o.Title, o.Category = r.ID, r.Path, r.Title, r.Category
			return o.end(rule(Duplicate, WantsCreate), "known already as "+r.Path)
		}
		if less >= 0 {
			return b.update(less, addition(b.records[less].Record, d), o, "says more of the same")
		}
	}
	if i, why := b.supersededBy(d, &o); i >= 0 {
		return b.supersede(i, d, o, why)
	}
	says, found, why := b.store(d, &o)
	switch rule(says, wish(d)) {
	case Create:
		o = b.create(d, o)
		if found < 0 && d.Target != "" && o.Code == memory.CodeValidation {
			// It was half of a memory because it was meant for one that there is.
			o = o.Refuse(invalid(slices.Insert(o.Problems, 0, memory.Problem{
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
		if replaces(b.records[found].Record, d) {
			return b.supersede(found, d, o, "makes another choice than "+b.records[found].Path)
		}
		if r := b.records[found]; IsChoice(d.Category) && !saysChoice(d) && d.turnsDown(r) {
			return o.Refuse(invalid(memory.Problem{Field: "content." + mainField(d.Category),
				Expected: "what holds now, since the person's words turn against " + r.Path, Got: "nothing",
				Fix: "say it; a new memory takes the place of the old one then"}))
		}
		return b.update(found, d, o, why)
	case Retire:
		if !b.mayEnd(found, d, !mayRetire(d.Category)) {
			return b.unbacked(found, o)
		}
		return b.retire(found, d, o, why)
	}
	return o.end(Nothing, why)
}

// mayRetire says whether a draft may retire memories of a category without a person's
// words behind it. What was decided, preferred or done is not undone by an agent that
// heard otherwise.
func mayRetire(c memory.Category) bool {
	return c != memory.Decision && c != memory.Preference && c != memory.SessionSummary
}

// store says what the store says of a draft, the index of the record that it is
// about, -1 for none, and how that is known, or why nothing is done.
func (b *bench) store(d Draft, o *Outcome) (says Store, found int, why string) {
	if d.Category == memory.SessionSummary {
		if d.Intended == "delete" {
			return Veto, -1, "a draft may not delete a session summary"
		}
		return AppendOnly, -1, ""
	}
	found, why = b.candidate(d, o)
	switch {
	case found >= 0 && mayRetire(d.Category):
		return UpdateOrDelete, found, why
	case found >= 0:
		return UpdateOnly, found, why
	case len(d.Hints) > 0 && wish(d) == WantsUpdate && mayRetire(d.Category):
		return NoTarget, -1, "says that something is " + d.Hints[0] + " that is not recorded"
	}
	return NoCandidate, -1, "there is no active record that it could retire"
}

func (o Outcome) end(s State, reason string) Outcome {
	o.State, o.Reason = s, reason
	return o
}

// candidate returns the index of the active record that the draft is about, -1
// for none, and how it is known.
func (b *bench) candidate(d Draft, o *Outcome) (int, string) {
	if d.Target != "" {
		i := slices.IndexFunc(b.records, func(r memory.Stored) bool { return r.Category == d.Category && r.ID == d.Target })
		switch {
		case i >= 0 && b.records[i].Status == memory.Active && b.heardOf(d, i):
			return i, "named by the draft"
		case i >= 0 && b.records[i].Status == memory.Active:
			o.Notes = append(o.Notes, fmt.Sprintf("target: %s says something else, and the drafter was not shown it", d.Target))
		case i >= 0:
			o.Notes = append(o.Notes, fmt.Sprintf("target: %s is %s and stays as it is", d.Target, b.records[i].Status))
		default:
			o.Notes = append(o.Notes, fmt.Sprintf("target: there is no %s %q", d.Category,
				text.Shorten(d.Target, 40)))
		}
	}
	best := Candidates(d, b.records, 1)
	if len(best) == 0 || !best[0].Same {
		return -1, ""
	}
	i := slices.IndexFunc(b.records, func(r memory.Stored) bool { return r.Path == best[0].Path })
	return i, fmt.Sprintf("says much the same (%.2f)", best[0].Score)
}

// unseenScore is how alike a record and a draft must be that names it without
// having been shown it: a guessed id of an unrelated memory must not hit.
const unseenScore = 0.25

// heardOf says whether a draft may name the record at index i: its drafter was
// shown it, or chose it from all, or is about the same all the same.
func (b *bench) heardOf(d Draft, i int) bool {
	ids, known := b.shown[d.Category]
	if !known || d.Origin == ByHand || slices.Contains(ids, b.records[i].ID) {
		return true
	}
	like := Candidates(d, b.records, len(b.records))
	return slices.ContainsFunc(like, func(c Candidate) bool { return c.Path == b.records[i].Path && c.Score >= unseenScore })
}

// create makes a new record, unless there is one that says exactly the same.
func (b *bench) create(d Draft, o Outcome, supersedes ...string) Outcome {
	content, notes, problems := complete(d.Category, d.Content)
	o.Notes = append(o.Notes, notes...)
	if len(problems) > 0 {
		return o.Refuse(invalid(problems...))
	}
	for _, r := range b.records {
		if r.Category != d.Category || !reflect.DeepEqual(r.Content, content) {
			continue
		}
		if r.Status == memory.Active {
			o.ID, o.Path = r.ID, r.Path
			return o.end(rule(Duplicate, WantsCreate), "it is recorded already, word for word")
		}
		if r.RetiredLately(b.now) && !d.Backed { // a person who says it again means it
			return o.end(rule(Veto, WantsCreate),
				"it was retired less than a day ago, word for word; keepsake records restore "+
					r.ID+" brings it back")
		}
	}
	title := titleOf(d)
	if title == "" {
		return o.Refuse(invalid(memory.Problem{Field: "partial_content.title", Expected: "a title", Got: "nothing", Fix: "add it"}))
	}
	base := slugOf(title, d.Summary)
	i := slices.IndexFunc(b.records,
		func(r memory.Stored) bool { return r.Category == d.Category && r.ID == base })
	if i >= 0 && d.Category != memory.SessionSummary && b.records[i].RetiredLately(b.now) && !d.Backed {
		return o.Refuse(memory.CheckCreate(b.records[i].Record, b.now))
	}
	stamp := memory.Stamp(b.now)
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
		Confidence:   d.Confidence,
		Content:      content,
		Changes:      []memory.Change{{Date: stamp, Summary: changeSummary(d)}},
		Provenance:   b.from(d),
		Supersedes:   supersedes,
	}
	return b.write(-1, r, plan.Create, o, "")
}

// update amends the record at index i. What a person said of it stays. What would end it, or
// have nobody told of it any more, is a question to the person.
func (b *bench) update(i int, d Draft, o Outcome, why string) Outcome {
	old := b.records[i]
	words, persons := b.said(i)
	r, says, stay := amend(old.Record, d, memory.Stamp(b.now), b.exists, keeper{words, b.theirs(d)})
	if persons && isOver(old.Record, r) && !b.mayEnd(i, d, !mayRetire(d.Category)) {
		return b.unbacked(i, o)
	}
	if len(stay) > 0 {
		o.Notes = append(o.Notes, "what the user said stays, in "+strings.Join(stay, ", ")+
			"; a draft with supersedes puts another choice in its place, if the user made one")
	}
	if left := leftOut(r.Tags, d.Tags); len(left) > 0 {
		o.Notes = append(o.Notes, fmt.Sprintf("tags: it has %d already, left out: %s", memory.MaxTags, strings.Join(left, ", ")))
	}
	if rule(says, WantsUpdate) == Nothing {
		o.ID, o.Path, o.Title = old.ID, old.Path, old.Title
		return o.end(Nothing, "it is recorded already")
	}
	if b.in.Unfit != nil && !d.Approved {
		if why := b.in.Unfit(old, r, d); why != "" {
			return o.unfit(old, why)
		}
	}
	if says == Conflict {
		o.Notes = append(o.Notes, "says something else than was recorded; the old version stays in changes and in the history")
	}
	if from := b.from(d); from != nil {
		r.Provenance = from
	}
	return b.write(i, r, plan.Update, o, why)
}

func (b *bench) retire(i int, d Draft, o Outcome, why string) Outcome {
	r := retired(b.records[i].Record, d, memory.Stamp(b.now))
	if from := b.from(d); from != nil {
		r.Provenance = from
	}
	return b.write(i, r, plan.Retire, o, why)
}

// from is the provenance of what a draft says.
func (b *bench) from(d Draft) *memory.Provenance {
	if b.origin == nil || d.Origin == "" {
		return b.origin
	}
	p := *b.origin
	p.Origin = d.Origin
	return &p
}

// write puts a record on the bench, in the place of the one at i, and into the
// plan.
func (b *bench) write(i int, r memory.Record, verb plan.Verb, o Outcome, why string) Outcome {
	o.Title = r.Title
	if err := r.Validate(); err != nil {
		return o.Refuse(err)
	}
	after := r.Encode()
	if len(after) > memory.MaxBytes {
		return o.Refuse(invalid(memory.Problem{
			Field: "content", Expected: fmt.Sprintf("a record of at most %d KiB", memory.MaxBytes>>10),
			Got: fmt.Sprintf("%d KiB", len(after)>>10), Fix: "say it in fewer words",
		}))
	}
	// As the store will read it: encoding settles the schema version.
	r, err := memory.Decode(after)
	if err != nil {
		return o.Refuse(err)
	}
	stored := memory.Stored{Record: r, Path: memory.Path(r.Category, r.ID), Digest: plan.DigestOf(after)}
	edit := plan.Edit{Path: stored.Path, Verb: verb, After: after, Category: string(r.Category), Title: r.Title}
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
		// The file on disk is what the first draft found, and a record that is
		// new in this plan stays new.
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
		return o.end(Create, why)
	case plan.Retire:
		return o.end(Retire, why)
	}
	return o.end(Update, why)
}

// slugOf returns the slug of a title, or else of a summary, never "".
func slugOf(title, summary string) string {
	return cmp.Or(memory.Slug(title), memory.Slug(summary), "untitled")
}

// Paths are the paths that a draft's record may have, in the order in which they
// are tried: the slug of its title, then the same with -2, -3, … It never ends.
func Paths(d Draft) iter.Seq[string] {
	return func(yield func(string) bool) {
		for id := range ids(slugOf(titleOf(d), d.Summary)) {
			if !yield(memory.Path(d.Category, id)) {
				return
			}
		}
	}
}

// ids are base, base-2, base-3, …, each no longer than an id may be.
func ids(base string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(base) {
			return
		}
		for n := 2; ; n++ {
			suffix := fmt.Sprintf("-%d", n)
			stem := base
			for len(stem)+len(suffix) > memory.MaxIDBytes || utf8.RuneCountInString(stem)+len(suffix) > memory.MaxID {
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
	for id := range ids(base) {
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
	s := d.ChangeSummary
	if s == "" {
		s = d.Summary
	}
	return text.Shorten(strings.Join(strings.Fields(s), " "), memory.MaxSummary)
}
