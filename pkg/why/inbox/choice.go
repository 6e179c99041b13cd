package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/text"
	"keepsake/pkg/why/candidate"
)

// All names every stopped call that waits.
const All = "all"

// A Choice is what a person named to answer.
type Choice struct {
	Things []Thing // each is shown and answered alone
	Batch  Batch   // calls that are shown together and answered at once
	Left   []Call  // calls that were in a range or in All, and that have to be approved one by one
}

// A Batch is some stopped calls with one answer.
type Batch struct {
	Calls []Call
	b     *Inbox
}

// Choose returns what ids name: single ids, ranges of them, and All. A range has two ids of the same kind and
// everything that stands between them in the list. Its ends are names, and calls keep the order in which
// they were first asked, so nothing new gets into a range between a list and an answer. Calls of a range and
// of All are answered together. To be approved so, it must be known that their words came from nowhere else.
func (b *Inbox) Choose(ids []string, approve bool) (c Choice, err error) {
	var calls []approval.Request
	seen := map[string]bool{}
	thing := func(id string) error {
		t, err := b.Find(id)
		if err == nil && !seen[t.ID] {
			c.Things, seen[t.ID] = append(c.Things, t), true
		}
		return err
	}
	for _, id := range ids {
		id = strings.ToLower(strings.TrimSpace(id))
		first, last, isRange := strings.Cut(id, "-")
		switch {
		case id == All:
			some, err := b.stopped()
			if err != nil {
				return c, err
			}
			calls = append(calls, some...)
		case !isRange:
			err = thing(id)
		default:
			var names []string
			var some []approval.Request
			if names, some, err = b.between(first, last); err == nil {
				calls = append(calls, some...)
				for _, name := range names {
					err = errors.Join(err, thing(name))
				}
			}
		}
		if err != nil {
			return c, err
		}
	}
	calls = slices.DeleteFunc(calls, func(r approval.Request) bool {
		again := seen[r.ID]
		seen[r.ID] = true
		return again
	})
	c.Batch.b = b
	for _, one := range b.calls(calls) {
		if approve && one.Doubtful() {
			c.Left = append(c.Left, one)
		} else {
			c.Batch.Calls = append(c.Batch.Calls, one)
		}
	}
	return c, nil
}

// between returns everything that waits from one id of a list to another: the names of findings or
// candidates, or calls.
func (b *Inbox) between(first, last string) (names []string, calls []approval.Request, err error) {
	from, isNumber := finding.ParseNumber(first)
	to, areNumbers := finding.ParseNumber(last)
	if isNumber && areNumbers {
		s, err := b.Open()
		if err != nil {
			return nil, nil, err
		}
		book, err := s.Book()
		for _, f := range book.Waiting() { // by number
			if f.Number >= from && f.Number <= to {
				names = append(names, fmt.Sprint(f.Number))
			}
		}
		if err == nil && len(names) == 0 {
			err = fmt.Errorf("%s-%s: no finding of these numbers waits; hint: keepsake inbox lists them",
				first, last)
		}
		return names, nil, err
	}
	all, err := b.stopped()
	if err != nil {
		return nil, nil, err
	}
	if calls = approval.Range(all, first, last); len(calls) > 0 {
		return nil, calls, nil
	}
	if s, err := b.Open(); err == nil {
		waiting, err := s.Inbox().Waiting(b.Now())
		if err != nil {
			return nil, nil, err
		}
		from := slices.IndexFunc(waiting, func(c candidate.Candidate) bool { return c.ID == first })
		to := slices.IndexFunc(waiting, func(c candidate.Candidate) bool { return c.ID == last })
		for i := from; from >= 0 && i <= to; i++ {
			names = append(names, waiting[i].ID)
		}
	}
	if len(names) == 0 {
		err = fmt.Errorf("%s-%s: a range goes from one id in the list to a later one of the same kind, and "+
			"both have to wait; hint: keepsake inbox lists what waits in this project", first, last)
	}
	return names, nil, err
}

// Blocks returns the calls as they are shown, each whole in a block of lines.
func (b Batch) Blocks() (all [][]string) {
	for i, c := range b.Calls {
		lines := c.brief(b.b.Now())
		lines[0] = fmt.Sprintf("%d. %s", i+1, lines[0])
		all = append(all, lines)
	}
	return all
}

// Question returns what a person is asked about the calls together.
func (b Batch) Question(approve bool) string {
	what := text.Count(len(b.Calls), "call")
	if !approve {
		return "Reject " + what + "?"
	}
	return "Approve " + what + ", each to run once?"
}

// Answer carries out one answer for all calls. The lines report what became of each.
func (b Batch) Answer(ctx context.Context, yes bool) (said []string, err error) {
	for _, c := range b.Calls {
		d, aerr := b.b.callThing(c).Answer(ctx, yes)
		if aerr == nil {
			said = append(said, d.Said)
		}
		err = errors.Join(err, aerr)
	}
	return said, err
}

// LeftOut returns the line about a call that has to be approved by itself.
func (c Call) LeftOut() string {
	return fmt.Sprintf("left out: %s, %s; approve it by itself", c.ID, strings.ToLower(c.CallOrigin.String()))
}
