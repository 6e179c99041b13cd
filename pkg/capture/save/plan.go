package save

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/ancestry"
	"keepsake/pkg/memory/upkeep"
	"keepsake/pkg/plan"
)

// Options are the settings for making a plan.
type Options struct {
	Partial bool // without the drafts that are missing
	HoldBack

	// Given are to be planned in the place of the drafts on the stage, of findings with
	// these numbers; nil is those on the stage.
	Given   []Given
	Numbers []int
	By      string // who settles the findings, "" for whoever runs this

	// Yes reports that a person agrees to the findings as they were said.
	Yes bool
	// Agree is asked before a plan is applied, and stops that with an error; nil agrees.
	Agree func(Plan) error

	at time.Time // when the plan was shown that is made again; zero is now
}

// A Given is what somebody wrote, before it is parsed.
type Given struct {
	Name     string // of its file, or what it is called by
	Category memory.Category
	Text     []byte
	Said     bool // a person was shown it whole and said yes
	byHand   bool
	err      error // it can't be read
}

// Plan holds drafts against the memories that exist. Every draft is in the plan with
// exactly one outcome; nothing is written.
func (w *Saver) Plan(o Options) (Plan, error) {
	now := o.at
	if now.IsZero() {
		now = w.Store().Later(w.Now())
	}
	direct := o.Given != nil
	given, err := o.Given, error(nil)
	if !direct {
		if given, err = w.intents(); err != nil {
			return Plan{}, err
		}
	}
	drafts, parsed := parseDrafts(given)
	if parsed, err = o.block(drafts, parsed); err != nil {
		return Plan{}, err
	}
	w.checkDrafts(drafts, parsed)
	book, err := w.Book()
	if err != nil {
		w.Note("%v", err) // what can't be told of is still open
	}
	numbers := o.Numbers
	var again remade
	if !direct {
		again = w.remake(book, len(drafts) == 0)
		numbers = w.onDesk()
	}
	findings := w.findingsOf(book, numbers, parsed)
	parsed = cover(drafts, parsed, findings, w.person(), book.Next(), w.turns)
	var missing, ended []string
	if !direct {
		if missing, ended, err = w.undrafted(drafts); err != nil {
			w.Note("%v", err) // what was noticed can't be told; what was drafted can be planned
		}
		if again.data == "" {
			ended = append(ended, again.categories...)
		}
	}
	if len(missing) > 0 && !o.Partial {
		return Plan{}, &Error{Undrafted, fmt.Errorf("no draft yet for %s", strings.Join(missing, ", ")),
			append([]string{
				"while its drafter runs, end the turn and run keepsake records plan again when the last " +
					"one has finished",
				"when none is running any more, keepsake records plan --partial goes on without",
			}, again.hints()...)}
	}
	if len(drafts) == 0 {
		return Plan{}, refused(fmt.Errorf("%s: no drafts", w.Desk.Dir),
			"keepsake records draft makes drafts from the quotes themselves, if anything is staged")
	}
	rules := w.UpkeepRules()
	crowd, err := w.crowdOf(parsed, rules) // before the memories are read: what comes between is then told
	if err != nil {
		return Plan{}, err
	}
	loaded, err := w.around(parsed, rules)
	if err != nil {
		return Plan{}, err
	}
	var taken, broken []string
	for _, b := range loaded.Bad {
		w.Note("%s: %v", b.Path, b.Err)
		if corrupt(b.Err) {
			broken = append(broken, b.Path)
		} else {
			taken = append(taken, b.Path)
		}
	}
	whose := &judge{w: w, covers: coveredBy(drafts), records: loaded.all()}
	branch, commit := w.Head(w.Cwd)
	var shown map[memory.Category][]string
	if !direct {
		shown = w.shown()
	}
	p, outcomes := draft.Resolve(draft.Input{
		Drafts: parsed, Existing: loaded.Records, Taken: taken, Now: now,
		Provenance: &memory.Provenance{Session: w.ID, Origin: "drafter",
			Branch: branch, Commit: commit},
		Branch: w.BranchHere(w.Cwd, ancestry.Git(w.Git)),
		Shown:  shown, Held: whose.held, Said: whose.said, Theirs: theirs, Unfit: whose.unfit,
		Exists: w.Store().InProject,
	})
	for i := range drafts {
		d := &drafts[i]
		if d.State != "" {
			continue
		}
		notes := d.Notes // a draft that could be read: resolve has its outcome, in order
		d.Outcome, outcomes = outcomes[0], outcomes[1:]
		d.Notes = append(notes, d.Notes...)
		if d.State == draft.Create && slices.Contains(broken, d.Path) {
			d.Notes = append(d.Notes, "the broken file of that name will be set aside, as "+
				path.Base(d.Path)+".invalid.<time>")
		}
	}
	broken = slices.DeleteFunc(broken, func(path string) bool {
		return !slices.ContainsFunc(p.Edits, func(e plan.Edit) bool { return e.Path == path })
	})
	p, acts := upkeep.Save(p, loaded.all(), rules, now)
	for i := range drafts {
		drafts[i].Risk = risk(drafts[i])
		if drafts[i].Risk != "" && w.Config.Triage.Parallel.Verify {
			drafts[i].Verify = filepath.Join(w.Desk.Dir, stage.VerifyName(drafts[i].Name))
		}
	}
	return Plan{
		Version: stage.PlanVersion, Digest: p.Digest(), Made: now.UTC(), Root: w.Root,
		Plan: p, Drafts: drafts, Upkeep: acts, Crowd: crowd, Broken: broken,
		Without: append(missing, ended...), Left: left(findings, drafts),
		by: o.By, yes: o.Yes, direct: direct, judge: whose,
	}, nil
}

// checkDrafts gives the drafts that could be read the checks with which they are saved.
func (w *Saver) checkDrafts(drafts []Draft, parsed []draft.Draft) {
	i := 0
	for at := range drafts {
		if drafts[at].State != "" {
			continue
		}
		d := &parsed[i]
		i++
		if w.Check == nil || d.Noop {
			d.Verify = nil
			continue
		}
		var notes []string
		d.Verify, notes = w.Check(*d)
		drafts[at].Notes = append(drafts[at].Notes, notes...)
	}
}

// turns returns the path of the memory that a sentence turns against, "" for none.
func (w *Saver) turns(said string) string {
	against, err := w.Turns(said, time.Time{})
	if err != nil {
		w.Note("what it may turn against is not known: %v", err)
	}
	return against.Record.Ref
}

// shown returns the ids of the memories that the drafters of each context on the stage were given. They are
// empty for a context that was made without looking at the store. A category without a context is not in
// the map.
func (w *Saver) shown() map[memory.Category][]string {
	ids := map[memory.Category][]string{}
	contexts, _ := w.Desk.Contexts() // one that cannot be read costs the check of its category
	for _, c := range contexts {
		ids[c.Category] = []string{}
		for _, k := range c.Existing {
			ids[c.Category] = append(ids[c.Category], k.ID)
		}
	}
	return ids
}

// intents reads the intent files of the stage.
func (w *Saver) intents() (all []Given, err error) {
	names, err := w.Desk.Files()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if cat, ok := intentCategory(name); ok {
			text, err := w.Desk.Read(name)
			all = append(all, Given{Name: name, Category: cat, Text: text,
				byHand: name == stage.HandName(cat),
				err:    err})
		}
	}
	return all, nil
}

// parseDrafts reads drafts. Those that cannot be read as one come back rejected; the
// others are in parsed, in the same order.
func parseDrafts(given []Given) (drafts []Draft, parsed []draft.Draft) {
	for _, g := range given {
		d := Draft{File: g.Name, Sum: plan.DigestOf(g.Text), Outcome: draft.Outcome{Category: g.Category}}
		if g.err != nil {
			d.State, d.Reason = draft.Rejected, g.err.Error()
			drafts = append(drafts, d)
			continue
		}
		parts := draft.Split(g.Text, g.Category)
		for i, part := range parts {
			d, r, err := parseDraft(d, g, part)
			if len(parts) > 1 {
				d.Part = i + 1
			}
			if drafts = append(drafts, d); err == nil {
				parsed = append(parsed, r)
			}
		}
	}
	nameDrafts(drafts)
	return drafts, parsed
}

// parseDraft reads one draft of a text.
func parseDraft(d Draft, g Given, part []byte) (Draft, draft.Draft, error) {
	r, notes, err := draft.Parse(part, g.Category)
	d.raw, d.Notes = part, notes
	if r.Category != "" {
		d.Category = r.Category
	}
	if err != nil {
		d.Outcome, d.Title, d.Covers = d.Refuse(err), r.Title, r.Covers
		return d, r, err
	}
	if g.byHand {
		r.Origin = draft.ByHand
	}
	r.Backed, r.Approved = g.Said, g.Said
	d.Origin, d.Confidence, d.approved = r.Origin, r.Confidence, r.Approved
	return d, r, nil
}

// nameDrafts gives each draft the name that --exclude takes: its category, with a
// number behind where there are several of one category.
func nameDrafts(drafts []Draft) {
	of := map[memory.Category]int{}
	for _, d := range drafts {
		of[d.Category]++
	}
	seen := map[memory.Category]int{}
	for i, d := range drafts {
		drafts[i].Name = string(d.Category)
		if of[d.Category] > 1 {
			seen[d.Category]++
			drafts[i].Name = fmt.Sprintf("%s.%d", d.Category, seen[d.Category])
		}
	}
}

// intentCategory reads the category in an intent file's name. A draft claimed
// beside another one is intent-decision.2.json.
func intentCategory(name string) (memory.Category, bool) {
	rest, ok := strings.CutPrefix(name, "intent-")
	if !ok || !strings.HasSuffix(rest, ".json") {
		return "", false
	}
	stem, _, _ := strings.Cut(rest, ".")
	cat, err := memory.ParseCategory(stem)
	return cat, err == nil && string(cat) == stem
}

// undrafted returns the noticed categories without a draft: those whose drafter may still run, and those
// whose drafter has ended without one. A draft that is older than its context doesn't count, as its drafter
// is still to deliver.
func (w *Saver) undrafted(drafts []Draft) (missing, ended []string, err error) {
	triaged, err := w.Desk.Triage()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	// A drafter that ended without saying for which category stands for any.
	unnamed := 0
	for _, d := range w.State.Drafters {
		if d.Category == "" {
			unnamed++
		}
	}
	for _, t := range triaged.Categories {
		has := func(d Draft) bool { return d.Category == t.Category }
		switch {
		case slices.ContainsFunc(drafts, func(d Draft) bool { return has(d) && w.isCurrent(d) }):
		case slices.ContainsFunc(w.State.Drafters, func(d stage.Drafter) bool {
			return d.Category == t.Category
		}):
		case unnamed > 0:
			unnamed--
		default:
			missing = append(missing, string(t.Category))
			continue
		}
		if !slices.ContainsFunc(drafts, has) {
			ended = append(ended, string(t.Category))
		}
	}
	return missing, ended, nil
}

// isCurrent reports whether a draft was written after its context had become what it
// is. A context that is gone is covered.
func (w *Saver) isCurrent(d Draft) bool {
	return !w.written(stage.ContextName(d.Category)).After(w.written(d.File))
}

// written returns when a file of the stage was written; the zero time if it is gone.
func (w *Saver) written(name string) time.Time {
	info, err := os.Lstat(filepath.Join(w.Desk.Dir, name))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
