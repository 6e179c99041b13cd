package save

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/evidence"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/origin"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// A judge computes whose words drafts and memories have. What was said is read once, when it
// is first asked for.
type judge struct {
	w        *Saver
	covers   []int           // the findings that the drafts take up
	records  []memory.Stored // as they are on disk; may be nil
	book     *finding.Book
	evidence *evidence.Evidence
}

// hear reads what was said.
func (j *judge) hear() error {
	if j.evidence != nil {
		return nil
	}
	book, err := j.w.Whole()
	if err != nil && book.Len() == 0 {
		return err
	}
	sessions := append([]string{j.w.ID}, j.w.State.Claimed...)
	for _, f := range named(book, j.covers) {
		if !slices.Contains(sessions, f.Session) {
			sessions = append(sessions, f.Session)
		}
	}
	evidence, err := j.w.Evidence(book, sessions, j.w.Git)
	if err != nil {
		return err
	}
	j.book, j.evidence = book, evidence
	return nil
}

// plan computes of each record that the drafts of a plan write whose words it has. It is
// asked before the plan is applied: of an update only what changes is looked at.
func (j *judge) plan(p Plan) (map[string]session.Judged, error) {
	if err := j.hear(); err != nil {
		return nil, err
	}
	all := map[string]session.Judged{}
	for _, e := range p.Plan.Edits {
		drafts := slices.DeleteFunc(slices.Clone(p.Drafts), func(d Draft) bool {
			return d.Path != e.Path || d.State != draft.Create && d.State != draft.Update
		})
		if e.After == nil || len(drafts) == 0 {
			continue
		}
		r, err := memory.Decode(e.After)
		if err != nil {
			return nil, err
		}
		old := j.before(e, p.Plan.Digest())
		v := j.record(old, r, coveredBy(drafts))
		var was session.TrustLevel
		if old != nil {
			was = j.w.TrustOf(*old)
		}
		if was.Held && !was.Known() {
			v.Unknown = was.Why
		}
		if old != nil && isHeld(v) && !was.Held {
			if !slices.ContainsFunc(drafts, func(d Draft) bool { return d.approved }) {
				return nil, conflict(fmt.Errorf("%s: with what it adds nobody could be told of it: %s",
					e.Path, v.Why),
					"run keepsake records plan again: what it adds becomes a question to the person")
			}
			v.Origin, v.Why = finding.FromAgent, "" // a person was shown it whole and said yes
		}
		all[e.Path] = v
	}
	return all, nil
}

// held reports whether a memory is held back.
func (j *judge) held(path string) bool {
	i := slices.IndexFunc(j.records, func(r memory.Stored) bool { return r.Path == path })
	return i >= 0 && j.w.TrustOf(j.records[i]).Held
}

// isHeld reports whether a record is held back if it has only this judgement.
func isHeld(v session.Judged) bool {
	return v.Origin != finding.FromPerson && v.Origin != finding.FromAgent
}

// before returns the record that an edit changes, as it was. It is nil if there was none, or if it is gone.
// If the plan was applied by an earlier call that was killed, the record comes from the history.
func (j *judge) before(e plan.Edit, digest string) (old *memory.Stored) {
	if e.Before == "" {
		return nil
	}
	st := j.w.Store()
	if r, err := st.Read(e.Path); err == nil && r.Digest == e.Before {
		return &r
	}
	_ = st.History(func(a store.Applied) bool {
		for _, done := range a.Edits {
			if a.Digest == digest && done.Path == e.Path && plan.DigestOf(done.Old) == e.Before {
				if r, err := memory.Decode(done.Old); err == nil {
					old = &memory.Stored{Record: r, Path: e.Path, Digest: e.Before}
				}
			}
		}
		return old == nil
	}, nil) // what can't be read has all of the record looked at
	return old
}

// record returns whose words a record has that is made of findings. If the record changes an older one, it
// judges only what is new in it.
func (j *judge) record(old *memory.Stored, r memory.Record, covers []int) session.Judged {
	fields, was := fieldTexts(r), map[string]string(nil)
	var replaced []string
	if old != nil {
		before, now := fieldTexts(old.Record), fieldTexts(r)
		was = map[string]string{}
		for name, text := range now {
			if text == before[name] {
				delete(fields, name)
				continue
			}
			added, goesOn := addedTo(before[name], text)
			if fields[name] = added; added == "" {
				delete(fields, name)
			}
			if was[name] = before[name]; !goesOn {
				replaced = append(replaced, name)
			}
		}
		for name, text := range before {
			if now[name] == "" {
				was[name], replaced = text, append(replaced, name)
			}
		}
	}
	var cited []origin.Cited
	var numbers []int
	covered := named(j.book, covers)
	untyped := j.w.NotTyped(covered)
	for _, f := range covered {
		if f.Text != "" {
			from := f.Origin
			if slices.Contains(untyped, f.Number) {
				from = finding.NoOrigin
			}
			cited = append(cited, origin.Cited{Text: f.Text, By: f.By, Origin: from, Context: f.Context})
			numbers = append(numbers, f.Number)
		}
	}
	j.evidence.Settle(slices.Collect(maps.Values(fields))...)
	for _, f := range cited {
		if f.By == finding.Chosen {
			j.evidence.Settle(f.Text)
		}
	}
	v := origin.Draft(fields, cited, j.evidence.Evidence)
	if r.Category == memory.SessionSummary && len(cited) == 0 {
		v = origin.Summary(fields, j.evidence.Evidence)
	}
	judged := session.Judged{Origin: v.Origin, Quotes: v.Quotes, Agent: v.Agent, Findings: numbers,
		Why: v.Why,
		Was: was, Replaced: replaced}
	if old != nil && len(fields) == 0 && (len(cited) == 0 || isHeld(judged)) {
		// It says nothing new: a tag, or less than before. Of a finding that is held it has no word.
		judged.Origin, judged.Why, judged.Findings = finding.FromAgent, "", nil
	}
	return judged
}

// fieldTexts returns the fields of a record that are somebody's words.
func fieldTexts(r memory.Record) map[string]string {
	fields := origin.Fields(r)
	maps.DeleteFunc(fields, func(_, text string) bool { return text == draft.Unsaid })
	return fields
}

// addedTo returns the sentences and entries of a field that it did not have before, and
// whether it still has all of those. A sentence is looked at whole: what is new in it is not
// taken out of what stood around it.
func addedTo(before, now string) (added string, goesOn bool) {
	left := partsOf(now)
	goesOn = before != ""
	same := func(part string) func(string) bool {
		part = strings.TrimRight(part, ".!? ")
		return func(s string) bool { return strings.TrimRight(s, ".!? ") == part }
	}
	for _, part := range partsOf(before) {
		if i := slices.IndexFunc(left, same(part)); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			goesOn = false
		}
	}
	return strings.Join(left, "\n\n"), goesOn
}

// said returns the person's exact words in a memory that isn't held back, by field, and whether the memory
// is the person's. Words that a person was shown whole and accepted are theirs. A choice from before
// origins were recorded is treated as the person's.
func (j *judge) said(m memory.Stored) (words map[string][]string, persons bool) {
	t := j.w.TrustOf(m)
	persons = t.Persons()
	if t.Held || !persons && (t.Known() || !m.Category.IsChoice()) {
		return nil, false
	}
	var said []origin.Text
	for _, q := range t.Quotes {
		said = append(said, origin.Text{From: origin.Person, Text: q})
	}
	quotes := origin.New(said...)
	words = map[string][]string{}
	for name, text := range fieldTexts(m.Record) {
		_, oneText := m.Content[strings.TrimPrefix(name, "content.")].(string)
		switch oneText = oneText || name == "title"; {
		case !slices.Contains(t.Agent, name) || t.Accepted():
			words[name] = []string{text}
			if !oneText {
				words[name] = slices.DeleteFunc(strings.Split(text, "\n\n"),
					func(entry string) bool { return entry == draft.Unsaid })
			}
			continue
		}
		for _, kept := range t.Kept {
			if strings.Contains(text, kept) {
				words[name] = append(words[name], kept)
			}
		}
		for _, part := range partsOf(text) {
			if len(t.Quotes) > 0 && quotes.Of(part) == finding.FromPerson &&
				!slices.ContainsFunc(words[name], func(w string) bool { return strings.Contains(w, part) }) {
				words[name] = append(words[name], part)
			}
		}
	}
	return words, persons
}

// partsOf cuts a field into the entries of a list, and these into sentences.
func partsOf(field string) (parts []string) {
	for entry := range strings.SplitSeq(field, "\n") {
		for from, i := 0, 0; i < len(entry); i++ {
			if last := i == len(entry)-1; last || strings.ContainsRune(".!?", rune(entry[i])) &&
				entry[i+1] == ' ' {
				if part := strings.TrimSpace(entry[from : i+1]); part != "" {
					parts = append(parts, part)
				}
				from = i + 1
			}
		}
	}
	return parts
}

// theirs reports whether a text of a draft is, word for word, in the person's findings that the draft
// covers.
func theirs(d draft.Draft, text string) bool {
	var said []origin.Text
	for _, s := range d.Said {
		said = append(said, origin.Text{From: origin.Person, Text: s})
	}
	return len(said) > 0 && origin.New(said...).Of(text) == finding.FromPerson
}

// unfit returns why a memory would be held back after what a draft adds to it, "" if it wouldn't or already
// is.
func (j *judge) unfit(before memory.Stored, after memory.Record, d draft.Draft) string {
	known := slices.ContainsFunc(j.records, func(r memory.Stored) bool { return r.Path == before.Path })
	if !known || j.held(before.Path) {
		return ""
	}
	if err := j.hear(); err != nil {
		j.w.Fault("trust", "whose words a draft has can't be told yet", err) // apply says no, and why
		return ""
	}
	if v := j.record(&before, after, d.Covers); isHeld(v) {
		if v.Why == "" {
			v.Why = "nothing in the conversation supports it"
		}
		return v.Why
	}
	return ""
}

// judged computes of each record that drafts write whose words it has.
func (w *Saver) judged(p Plan) (map[string]session.Judged, error) {
	j := p.judge
	if j == nil {
		j = &judge{w: w, covers: coveredBy(p.Drafts)}
	}
	all, err := j.plan(p)
	var known *Error
	if err != nil && !errors.As(err, &known) {
		err = fmt.Errorf("nothing is saved: whose words the drafts have can't be told: %w", err)
	}
	return all, err
}

// coveredBy returns the numbers of the findings that drafts cover.
func coveredBy(drafts []Draft) (numbers []int) {
	for _, d := range drafts {
		numbers = append(numbers, d.Covers...)
	}
	return numbers
}
