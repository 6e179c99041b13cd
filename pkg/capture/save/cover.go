package save

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// findingsOf returns the findings that drafts are checked against: those that their drafters got, and those
// that a draft names. For a category that the stage lacks (it may have vanished), it adds the session's
// waiting findings.
func (w *Saver) findingsOf(book *finding.Book, numbers []int,
	parsed []draft.Draft) (all []finding.Status) {
	staged := map[memory.Category]bool{}
	for _, n := range numbers {
		f, _ := book.Find(n)
		staged[f.Category] = true
	}
	for _, d := range parsed {
		numbers = append(numbers, d.Covers...)
	}
	waiting, _ := w.Waiting(book, false)
	for _, f := range waiting {
		if !staged[f.Category] {
			numbers = append(numbers, f.Number)
		}
	}
	return named(book, numbers)
}

// named returns the findings of some numbers. A finding that was merged into another one is replaced by
// that.
func named(book *finding.Book, numbers []int) (all []finding.Status) {
	numbers = slices.Clone(numbers)
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		f, ok := book.Find(n)
		for steps := 0; ok && f.State == finding.Merged && strings.HasPrefix(f.To, "#") &&
			steps < maxSteps; steps++ {
			on, _ := finding.ParseNumber(f.To)
			next, found := book.Find(on)
			if !found {
				break
			}
			next.Finding.Context = append(slices.Clone(f.Context), next.Context...)
			f, f.Number = next, n
			f.To = cmp.Or(f.To, "#"+strconv.Itoa(on))
		}
		if ok {
			all = append(all, f)
		}
	}
	return all
}

// maxSteps bounds how often a finding goes on in another.
const maxSteps = 20

// onDesk returns the numbers of the findings on the stage.
func (w *Saver) onDesk() (numbers []int) {
	contexts, _ := w.Desk.Contexts() // one that can't be read has been told elsewhere
	for _, c := range contexts {
		numbers = append(numbers, c.Numbers()...)
	}
	return numbers
}

// cover records in the drafts which findings each of them covers. It returns the parsed drafts that are
// left, in order, for the drafts without a state. A draft is refused if none of the findings that it names
// exists, or if all its findings are settled: a saved one is not saved twice, and one that a person
// rejected comes back only from a person. next is the first number that no finding has had. turned returns
// the record or finding that a sentence turns against.
func cover(drafts []Draft, parsed []draft.Draft, findings []finding.Status, person bool, next int,
	turned func(said string) string) []draft.Draft {
	statements := make([]draft.Statement, len(findings))
	for i, f := range findings {
		statements[i] = draft.Statement{Number: f.Number, Category: f.Category, Text: f.Text}
	}
	covers := draft.Assign(statements, parsed)
	left, at := parsed[:0:0], 0
	for i := range drafts {
		d := &drafts[i]
		if d.State != "" {
			continue
		}
		p := parsed[at]
		d.Covers, d.Noop = covers[at], p.Noop
		at++
		unknown := draft.UnknownCovers(statements, p)
		for _, n := range unknown {
			d.Notes = append(d.Notes, fmt.Sprintf("covers: there is no finding %d", n))
		}
		if len(unknown) > 0 && len(unknown) == len(p.Covers) && slices.Min(unknown) >= next {
			d.Outcome, d.Title = d.Refuse(fmt.Errorf("covers: no finding has the number %d; hint: the "+
				"number stands "+
				"in the line that asked for it, and keepsake inbox lists what waits", unknown[0])), p.Title
			continue
		}
		if d.settledBefore(findings, person) {
			d.Title = p.Title
			continue
		}
		_, said, against := wordsOf(findings, d.Covers)
		if err := grounded(p, findings, d.Covers); err != nil {
			d.Outcome, d.Title = d.Refuse(err), p.Title
			continue
		}
		p.Backed = p.Backed || len(said) > 0
		if p.Supersedes != "" || p.Target != "" { // it may be to end a record
			for _, text := range said {
				against = append(against, turned(text))
			}
		}
		p.Covers, p.Said, p.Against = d.Covers, said, against
		if p.Supersedes == "" && p.Target == "" && !p.Noop && p.Intended != "delete" {
			p.Supersedes = turnedAgainst(findings, d.Covers, p.Category)
		}
		left = append(left, p)
	}
	return left
}

// grounded returns why a draft can't be of one of the findings that it covers: whatever it has of the others,
// that one would end without a word of it.
func grounded(p draft.Draft, findings []finding.Status, covers []int) error {
	for _, n := range covers {
		words, _, _ := wordsOf(findings, []int{n})
		if err := draft.Grounded(p, words); err != nil {
			return err
		}
	}
	return nil
}

// settledBefore ends a draft whose findings are all settled, and takes those that are
// out of what it covers otherwise.
func (d *Draft) settledBefore(findings []finding.Status, person bool) bool {
	var open []int
	var last *finding.Status
	for i, f := range findings {
		if !slices.Contains(d.Covers, f.Number) {
			continue
		}
		if f.State.Waits() || f.State == finding.Expired || person && !f.State.Kept() {
			open = append(open, f.Number)
		} else {
			last = &findings[i]
		}
	}
	if last == nil || len(open) > 0 {
		d.Covers = open
		return false
	}
	switch last.State {
	case finding.Rejected, finding.SetAside:
		d.State, d.Code = draft.Rejected, memory.CodeValidation
		d.Reason = fmt.Sprintf("[%d] was set aside (%s); only a person brings it back, with keepsake "+
			"remember",
			last.Number, cmp.Or(last.Why, "the person said no"))
		d.Covers = nil // it is not this draft's any more
	default:
		d.State, d.Reason = draft.Nothing, fmt.Sprintf("[%d] is saved already", last.Number)
		d.Path = last.To
	}
	return true
}

// turnedAgainst returns the id of the record of a category that covered findings turn
// against, "" for none.
func turnedAgainst(findings []finding.Status, numbers []int, c memory.Category) string {
	for _, f := range findings {
		if slices.Contains(numbers, f.Number) && f.Kind == finding.Change &&
			strings.HasPrefix(f.Target, c.Folder()+"/") {
			return strings.TrimSuffix(path.Base(f.Target), ".json")
		}
	}
	return ""
}

// wordsOf returns what findings say with what explains them, what of it a person said, and
// the paths of the records that they turned against with it.
func wordsOf(findings []finding.Status, numbers []int) (words, said, against []string) {
	for _, f := range findings {
		if !slices.Contains(numbers, f.Number) {
			continue
		}
		words = append(words, f.Text)
		for _, l := range f.Context {
			words = append(words, l.Text)
		}
		if f.By.Person() && f.Origin == finding.FromPerson {
			said = append(said, f.Text)
			if f.Kind == finding.Change && f.Target != "" {
				against = append(against, f.Target)
			}
		}
	}
	return words, said, against
}

// A Left is a statement that was given to drafters and that no draft takes up.
type Left struct {
	Number   int             `json:"number"`
	Category memory.Category `json:"category"`
	Text     string          `json:"text"`
}

// left returns the findings that were given to drafters and that no draft covers. They stay open in the
// journal.
func left(findings []finding.Status, drafts []Draft) (all []Left) {
	drafted := map[memory.Category]bool{}
	for _, d := range drafts {
		drafted[d.Category] = true
	}
	for _, f := range findings {
		taken := slices.ContainsFunc(drafts,
			func(d Draft) bool { return slices.Contains(d.Covers, f.Number) })
		if !taken && f.State.Waits() && drafted[f.Category] {
			all = append(all, Left{f.Number, f.Category, f.Text})
		}
	}
	return all
}

// settle notes in the journal what became of the findings of a plan that was applied.
// It may come again: what is settled stays so. Findings whose draft was refused or
// held back stay open.
func (w *Saver) settle(p Plan) error {
	by := cmp.Or(p.by, w.settler())
	book, err := w.Book()
	if err != nil {
		return err
	}
	var moves []finding.Move
	for _, d := range p.Drafts {
		m := finding.Move{At: w.Now().UTC(), Numbers: goingOn(book, d.Covers), To: d.Path, By: by,
			Plan: p.Digest}
		if p.yes {
			m.Why = saidYes
		}
		switch {
		case d.State == draft.Create:
			m.Act = finding.Save
		case d.State == draft.Update, d.State == draft.Retire:
			m.Act = finding.Merge
		case d.State == draft.Nothing && d.Path != "":
			m.Act, m.Plan = finding.Know, ""
		case d.State == draft.Nothing && !d.Noop:
			continue // nothing could be done with it, and nobody said that it is not worth keeping
		case d.State == draft.Nothing:
			m.Act, m.Plan, m.Why = finding.PutAside, "", brief.Text(d.Reason, MaxReason)
			if by != "person" {
				m.Numbers = slices.DeleteFunc(m.Numbers, func(n int) bool { return isChange(book, n) })
			}
		default:
			continue
		}
		moves = append(moves, m)
	}
	return w.MoveFindings(moves...)
}

// isChange reports whether with a finding the person turned against a memory: whether that holds on, only
// they say.
func isChange(book *finding.Book, number int) bool {
	f, ok := book.Find(number)
	return ok && f.Kind == finding.Change && f.By.Person() && strings.Contains(f.Target, "/")
}

// goingOn returns some numbers of findings, with those that the findings were merged into.
func goingOn(book *finding.Book, numbers []int) []int {
	all := slices.Clone(numbers)
	for i := 0; i < len(all) && i < len(numbers)+maxSteps; i++ {
		f, _ := book.Find(all[i])
		if on, ok := finding.ParseNumber(f.To); ok && strings.HasPrefix(f.To, "#") &&
			!slices.Contains(all, on) {
			all = append(all, on)
		}
	}
	return all
}

// saidYes is the reason of a move with which a finding was kept on the person's yes to it.
const saidYes = "the person said yes to it"

// TakeBack notes that a plan was undone, by the digests of both plans, or that records are recalled no more,
// by their paths. The findings that became these are set aside. But those that the person said yes to with
// the plan wait again, as do those that it took back: their numbers are returned.
func (w *Saver) TakeBack(undone, by string, paths ...string) (again []int, err error) {
	book, err := w.Whole()
	if err != nil && book.Len() == 0 {
		return nil, err
	}
	var ended []int
	if undone != "" {
		for _, f := range book.Each(func(f finding.Status) bool { return f.Plan == undone }) {
			if f.State.Kept() {
				ended = append(ended, f.Number)
			}
			answered := f.Why == saidYes && f.Cue != cueEdited || f.State == finding.SetAside
			if answered && f.Text != "" {
				again = append(again, f.Number)
			}
		}
	}
	for _, p := range paths {
		ended = append(ended, finding.Numbers(book.Became(p))...)
	}
	at := w.Now().UTC()
	err = w.MoveFindings(
		finding.Move{At: at, Act: finding.TakeBack, Numbers: ended, Why: "taken back", By: w.settler(),
			Plan: by},
		finding.Move{At: at, Act: finding.Reopen, Numbers: again, By: w.settler(), Plan: by})
	if err == nil {
		err = w.ForgetAnswers(again)
	}
	return again, err
}

// DoAgain notes that a plan is in force again, by its digest, since the undo of it with the digest undo was
// undone. What TakeBack did to findings that are as it left them is taken back. It returns the numbers of
// those that wait no more.
func (w *Saver) DoAgain(again, undo string) (settled []int, err error) {
	book, err := w.Whole()
	if err != nil && book.Len() == 0 {
		return nil, err
	}
	at := w.Now().UTC()
	var moves []finding.Move
	for _, f := range book.Each(func(f finding.Status) bool { return f.Plan == undo }) {
		m := finding.Move{At: at, Act: finding.Save, Numbers: []int{f.Number}, To: f.To, By: w.settler(),
			Plan: again}
		if f.State.Waits() {
			settled = append(settled, f.Number)
			m.Why = saidYes
		}
		if plan.CheckRecord(f.To) != nil { // it was set aside by what was undone
			m.Act, m.To, m.Why = finding.PutAside, "", "taken back again"
		}
		moves = append(moves, m)
	}
	return settled, w.MoveFindings(moves...)
}
