package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/resolve"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/upkeep"
)

type planCmd struct {
	Partial bool `help:"Plan with the drafts that are there, though a noticed category has none and its drafter is not known to have ended."`
	excludeFlags
	Diff bool `short:"d" help:"Also show every change as a diff."`
	JSON bool `help:"Print one JSON object: digest, drafts with their outcome, edits."`
}

func (planCmd) Help() string {
	return `Reads the drafts (intent-*.json) on the session's stage, holds them against the memories that exist, and decides for each one of: create, update, retire, nothing, rejected. Writes no memory. "keepsake records apply DIGEST" then writes exactly what was shown.

Drafts held back with --exclude end as blocked; they are kept with their reason, and not saved. With triage.parallel.verification_enabled the plan also names the drafts that should be verified, each with a file to read.

Exit code 5 says that a noticed category has no draft yet while its drafter may still be running; plan again when the last one has ended.

Examples:

    keepsake records plan
    keepsake records plan --diff
    keepsake records plan --json | jq .digest`
}

func (v planCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.staged()
	if err != nil {
		return err
	}
	p, err := makePlan(c, s, planning{partial: v.Partial, exclude: v.excludeFlags, now: c.now()})
	if err != nil {
		return err
	}
	if err := writePlan(s, p); err != nil {
		return err
	}
	c.block(brief.Outcomes(p.outcomes()))
	for _, line := range actLines(p.Upkeep) {
		c.line("%s", line)
	}
	if len(p.Without) > 0 {
		c.line("not drafted, stays on the stage: %s", strings.Join(p.Without, ", "))
	}
	sayLeft(c, p)
	if v.Diff {
		c.line("")
		c.diff(brief.Plan(p.Plan, recordsOf(s).before))
		c.line("")
	}
	for _, d := range p.Drafts {
		if d.Verify != "" {
			c.line("verify %s (%s): %s", d.Name, d.Risk, d.Verify)
		}
	}
	c.line("plan %s", p.Digest)
	c.line("next: keepsake records apply %s", p.Digest[:12])
	c.value(planShown(p))
	return nil
}

// planJSON is what plan --json prints.
type planJSON struct {
	Digest  string       `json:"digest"`
	Drafts  []draft      `json:"drafts"`
	Edits   []editJSON   `json:"edits"`
	Upkeep  []upkeep.Act `json:"upkeep,omitempty"`
	Without []string     `json:"without"`
	// Left are noticed statements that no draft takes up; they stay open.
	Left []leftFinding `json:"left,omitempty"`
}

type editJSON struct {
	Path  string    `json:"path"`
	Verb  plan.Verb `json:"verb"`
	Title string    `json:"title"`
	After string    `json:"after"` // the file as it shall be
}

func planShown(p planFile) planJSON {
	out := planJSON{Digest: p.Digest, Drafts: p.Drafts, Edits: []editJSON{}, Upkeep: p.Upkeep, Without: append([]string{}, p.Without...), Left: p.Left}
	for _, e := range p.Plan.Edits {
		out.Edits = append(out.Edits, editJSON{e.Path, e.Verb, e.Title, string(e.After)})
	}
	return out
}

// maxBranch bounds the name of a branch in a record, in runes.
const maxBranch = 200

// branchText is the name of a branch as a record has it.
func branchText(branch string) string { return brief.Text(secret.Redact(branch), maxBranch) }

// planning is how a plan is made.
type planning struct {
	partial bool // without the drafts that are missing
	exclude excludeFlags
	now     time.Time

	// drafts are to be planned in the place of those on the stage, of findings with
	// these numbers; nil is those on the stage.
	drafts  []rawDraft
	numbers []int
}

// A rawDraft is what somebody wrote, before it is parsed.
type rawDraft struct {
	name     string // of its file, or what it is called by
	category memory.Category
	text     []byte
	byHand   bool
	said     bool // a person was shown it whole and said yes
}

// shown are the memories that whoever drafted was given, by category. An agent that
// writes a finding up by itself was told of some in passing, and may have looked.
func (p planning) shown(s *session.Session) map[memory.Category][]string {
	if p.drafts != nil {
		return nil
	}
	return shown(s)
}

// read returns the drafts that are to be planned. Those that can't be read as a draft
// come back rejected; the others are in parsed, in the same order.
func (p planning) read(s *session.Session) (drafts []draft, parsed []resolve.Draft, err error) {
	if p.drafts == nil {
		return readDrafts(s)
	}
	for _, raw := range p.drafts {
		d, r := parseRaw(raw)
		drafts, parsed = append(drafts, d...), append(parsed, r...)
	}
	name(drafts)
	return drafts, parsed, nil
}

// makePlan resolves the drafts on the stage against the store. Every draft is
// in the plan file with exactly one outcome.
func makePlan(c *call, s *session.Session, how planning) (planFile, error) {
	drafts, parsed, err := how.read(s)
	if err != nil {
		return planFile{}, err
	}
	if parsed, err = how.exclude.block(drafts, parsed); err != nil {
		return planFile{}, err
	}
	book, err := s.Book()
	if err != nil {
		c.note("%v", err) // what can't be told of is still open
	}
	numbers := how.numbers
	var again remadeStage
	if how.drafts == nil {
		again = remake(c, s, book, len(drafts) == 0)
		numbers = onDesk(s)
	}
	findings := given(s, book, numbers, parsed)
	turned := func(said string) string {
		against, _, err := s.Turns(said)
		if err != nil {
			c.note("what it may turn against is not known: %v", err)
		}
		return against.Ref
	}
	parsed = cover(drafts, parsed, findings, c.person.alone() == nil, book.Next(), turned)
	var missing, ended []string
	if how.drafts == nil {
		if missing, ended, err = undrafted(s, drafts); err != nil {
			c.note("%v", err) // what was noticed can't be told; what was drafted can be planned
		}
		if again.path == "" {
			ended = append(ended, again.categories...)
		}
	}
	if len(missing) > 0 && !how.partial {
		return planFile{}, &failure{exitDrafts, fmt.Errorf("no draft yet for %s", strings.Join(missing, ", ")), append([]string{
			"while its drafter runs, end the turn and run keepsake records plan again when the last one has finished",
			"when none is running any more, keepsake records plan --partial goes on without",
		}, again.hints()...)}
	}
	if len(drafts) == 0 {
		return planFile{}, failed(fmt.Errorf("%s: no drafts", s.Desk.Dir),
			"keepsake records draft makes drafts from the quotes themselves, if anything is staged")
	}
	crowd, err := crowdOf(s, parsed) // before the memories are read: what comes between is then told
	if err != nil {
		return planFile{}, err
	}
	loaded, err := around(s, parsed, rules(s))
	if err != nil {
		return planFile{}, err
	}
	var taken, broken []string
	for _, b := range loaded.Bad {
		c.note("%s: %v", b.Path, b.Err)
		if corrupt(b.Err) {
			broken = append(broken, b.Path)
		} else {
			taken = append(taken, b.Path)
		}
	}
	whose := &judge{s: s, covers: coveredBy(drafts), records: loaded.Records}
	branch, commit := s.Head(c.cwd)
	p, outcomes := resolve.Drafts(resolve.Input{
		Drafts: parsed, Existing: loaded.Records, Taken: taken, Now: how.now,
		Provenance: &memory.Provenance{Session: s.ID, Origin: "drafter", Branch: branchText(branch), Commit: commit},
		Shown:      how.shown(s),
		Held: func(path string) bool {
			i := slices.IndexFunc(loaded.Records, func(r memory.Stored) bool { return r.Path == path })
			return i >= 0 && s.TrustOf(loaded.Records[i]).Held
		},
		Said: whose.said, Theirs: whose.theirs, Unfit: whose.unfit,
		Exists: s.Store().InProject,
	})
	for i := range drafts {
		if drafts[i].State == "" { // a draft that could be read: resolve has its outcome, in order
			notes := drafts[i].Notes
			drafts[i].Outcome, outcomes = outcomes[0], outcomes[1:]
			drafts[i].Notes = append(notes, drafts[i].Notes...)
			if drafts[i].State == resolve.Create && slices.Contains(broken, drafts[i].Path) {
				drafts[i].Notes = append(drafts[i].Notes, "the broken file of that name will be set aside, as "+path.Base(drafts[i].Path)+".invalid.<time>")
			}
		}
	}
	broken = slices.DeleteFunc(broken, func(path string) bool {
		return !slices.ContainsFunc(p.Edits, func(e plan.Edit) bool { return e.Path == path })
	})
	p, acts := upkeep.Save(p, loaded.Records, rules(s), how.now)
	for i := range drafts {
		drafts[i].Risk = risk(drafts[i])
		if drafts[i].Risk != "" && s.Config.Triage.Parallel.Verify {
			drafts[i].Verify = filepath.Join(s.Desk.Dir, stage.VerifyName(drafts[i].Name))
		}
	}
	return planFile{
		Version: planVersion, Digest: p.Digest(), Made: how.now.UTC(), Root: s.Root,
		Plan: p, Drafts: drafts, Upkeep: acts, Crowd: crowd, Broken: broken,
		Without: append(missing, ended...), Left: left(findings, drafts), judge: whose,
	}, nil
}

// shown are the memories that the drafters of each context on the stage were
// given. A context that was made without looking at the store has none, and one
// that is gone says nothing.
func shown(s *session.Session) map[memory.Category][]string {
	ids := map[memory.Category][]string{}
	contexts, _ := s.Desk.Contexts() // one that cannot be read costs the check of its category
	for _, c := range contexts {
		ids[c.Category] = []string{}
		for _, k := range c.Existing {
			ids[c.Category] = append(ids[c.Category], k.ID)
		}
	}
	return ids
}

// readDrafts reads the intent files of the stage. Those that cannot be read as
// a draft come back rejected; the others are in parsed, in the same order.
func readDrafts(s *session.Session) (drafts []draft, parsed []resolve.Draft, err error) {
	names, err := s.Desk.Files()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		cat, ok := intentCategory(name)
		if !ok {
			continue
		}
		b, err := s.Desk.Read(name)
		if err != nil {
			d := draft{File: name, Sum: plan.DigestOf(b), Outcome: resolve.Outcome{Category: cat}}
			d.State, d.Reason = resolve.Rejected, err.Error()
			drafts = append(drafts, d)
			continue
		}
		some, read := parseRaw(rawDraft{name: name, category: cat, text: b,
			byHand: name == stage.HandName(cat)})
		drafts, parsed = append(drafts, some...), append(parsed, read...)
	}
	name(drafts)
	return drafts, parsed, nil
}

// parseRaw reads the drafts of one text.
func parseRaw(raw rawDraft) (drafts []draft, parsed []resolve.Draft) {
	parts := resolve.Split(raw.text, raw.category)
	for i, part := range parts {
		d := draft{File: raw.name, Sum: plan.DigestOf(raw.text),
			Outcome: resolve.Outcome{Category: raw.category}, raw: part}
		if len(parts) > 1 {
			d.Part = i + 1
		}
		r, notes, err := resolve.ParseDraft(part, raw.category)
		d.Notes = notes
		if r.Category != "" {
			d.Category = r.Category
		}
		if err != nil {
			d.Outcome, d.Title, d.Covers = d.Refuse(err), r.Title, r.Covers
		} else {
			if raw.byHand {
				r.Origin = resolve.ByHand
			}
			r.Backed, r.Approved = raw.said, raw.said
			d.Origin, d.Confidence, d.approved = r.Origin, r.Confidence, r.Approved
			parsed = append(parsed, r)
		}
		drafts = append(drafts, d)
	}
	return drafts, parsed
}

// name gives each draft the name that --exclude takes: its category, with a
// number behind where there are several of one category.
func name(drafts []draft) {
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

// undrafted are the noticed categories without a draft: those whose drafter may
// still run, and those whose drafter has ended without one. A draft that is
// older than its context does not cover it: its drafter is still to deliver.
func undrafted(s *session.Session, drafts []draft) (missing, ended []string, err error) {
	triaged, err := s.Desk.Triage()
	if isAbsent(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	// A drafter that ended without saying for which category stands for any.
	unnamed := 0
	for _, d := range s.State.Drafters {
		if d.Category == "" {
			unnamed++
		}
	}
	for _, t := range triaged.Categories {
		has := func(d draft) bool { return d.Category == t.Category }
		switch {
		case slices.ContainsFunc(drafts, func(d draft) bool { return has(d) && covers(s, d) }):
		case slices.ContainsFunc(s.State.Drafters, func(d stage.Drafter) bool { return d.Category == t.Category }):
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

// covers tells whether a draft was written after its context had become what it
// is. A context that is gone is covered.
func covers(s *session.Session, d draft) bool {
	return !written(s, stage.ContextName(d.Category)).After(written(s, d.File))
}

// written is when a file of the stage was written; the zero time if it is gone.
func written(s *session.Session, name string) time.Time {
	info, err := os.Lstat(filepath.Join(s.Desk.Dir, name))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
