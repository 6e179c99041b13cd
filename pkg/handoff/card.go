package handoff

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/records"
	"keepsake/pkg/text"
)

// Limits of what a session puts on its project's card.
const (
	maxItems = 12
	maxItem  = 200 // runes
)

// Clear puts what a cleared session leaves open on its project's card: what its summary says is under way or
// comes next, the current step of the plan, and the open questions. A project without a card gets none.
func (l Look) Clear(ctx context.Context) error {
	id := l.ProjectID()
	if id == "" {
		return nil
	}
	if _, err := os.Lstat(filepath.Join(l.MemoryDir(),
		filepath.FromSlash(blackboard.CardPath(id)))); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	s, unread := l.Standing(ctx)
	items, err := l.leftToDo()
	if unread = errors.Join(unread, err); s.Phase.Next != "" {
		items = append(items, s.Phase.Next)
	}
	for _, q := range s.Questions {
		items = append(items, q.Text)
	}
	var c blackboard.Change
	for _, item := range items[:min(len(items), maxItems)] {
		c.Open = append(c.Open, blackboard.Item{Text: text.Shorten(text.OneLine(item),
			maxItem)})
	}
	if len(c.Open) == 0 {
		return unread
	}
	notes := l.Session.Notes(l.MemoryDir())
	_, _, err = l.ChangeBoard(func(do func() error) error { return notes.PlanInTurn(ctx, do) }, id, c, l.Now,
		func(p plan.Plan) error { return notes.Apply(ctx, p) })
	return errors.Join(unread, err)
}

// leftToDo returns what is left to do according to the newest summary saved in this session.
func (l Look) leftToDo() (items []string, err error) {
	err = l.Index(func(index *records.Index) error {
		m, err := l.newest(index, memory.SessionSummary)
		if err != nil || m == nil || l.State.Started.IsZero() || m.UpdatedAt < memory.Stamp(l.State.Started) {
			return err
		}
		for _, name := range [...]string{"in_progress", "next_actions"} {
			list, _ := m.Content[name].([]string)
			items = append(items, slices.DeleteFunc(slices.Clone(list), func(s string) bool {
				return strings.TrimSpace(s) == ""
			})...)
		}
		return nil
	})
	return items, err
}
