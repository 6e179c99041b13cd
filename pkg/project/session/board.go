package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memdir/blackboard"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/store"
)

// maxCard is the largest card or registry that is read, in bytes. A plan can write no larger one.
const maxCard = 512 << 10

// HasCard reports whether the blackboard has a card of the session's project.
func (md *Memdir) HasCard() bool {
	id, dir := md.ProjectID(), md.MemoryDir()
	if id == "" || dir == "" {
		return false
	}
	info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(blackboard.CardPath(id))))
	return err == nil && info.Mode().IsRegular()
}

// CardID returns the id of a project on the blackboard: the name where there is such a card, else
// the slug of the name. It is never a path out of the folder of cards.
func (md *Memdir) CardID(name string) (string, error) {
	if name == filepath.Base(name) && !strings.HasPrefix(name, ".") &&
		plan.CheckMarkdown(blackboard.CardPath(name)) == nil {
		if _, err := os.Lstat(md.boardPath(blackboard.CardPath(name))); err == nil {
			return name, nil
		}
	}
	if id := memory.Slug(name); id != "" {
		return id, nil
	}
	return "", fmt.Errorf("project %q: is no name of a card; hint: name it with --id, in letters and digits",
		name)
}

// boardPath returns the path of a file of the blackboard.
func (md *Memdir) boardPath(path string) string {
	return filepath.Join(md.resolved(md.MemoryDir()), filepath.FromSlash(path))
}

// Board reads the blackboard's files about a project.
func (md *Memdir) Board(id string) (f blackboard.Files, err error) {
	var errs []error
	for path, to := range map[string]*[]byte{blackboard.CardPath(id): &f.Card,
		blackboard.Registry: &f.Registry, blackboard.Schema: &f.Schema} {
		b, err := disk.Read(md.boardPath(path), maxCard)
		switch {
		case err == nil:
			*to = append([]byte{}, b...) // not nil, as an empty file exists
		case !errors.Is(err, fs.ErrNotExist):
			errs = append(errs, err)
		}
	}
	return f, errors.Join(errs...)
}

// Cards returns the ids of the projects that have a card, in order.
func (md *Memdir) Cards() (ids []string, err error) {
	entries, err := os.ReadDir(md.boardPath(blackboard.Cards))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".md"); ok && id != "" && id[0] != '.' &&
			e.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// ChangeBoard changes the card and the registry of a project by one plan, which apply applies. See
// blackboard.Plan for the results. again calls what plans and applies, and calls it again if somebody else
// changed the files meanwhile: store.PlanAgain, or for a plan that is written Store.PlanInTurn. A plan
// without edits is not applied.
func (md *Memdir) ChangeBoard(again func(do func() error) error, id string, c blackboard.Change,
	now time.Time, apply func(plan.Plan) error) (p plan.Plan, taken []string, err error) {
	var half error // one of the two is in place, and an item that was closed there can't be closed again
	err = again(func() error {
		f, err := md.Board(id)
		if err != nil {
			return err
		}
		if p, taken, err = blackboard.Plan(f, id, c, now); err != nil || len(p.Edits) == 0 {
			return err
		}
		if err = apply(p); errors.Is(err, store.ErrByHand) && len(c.Close) > 0 {
			half, err = err, nil
		}
		return err
	})
	return p, taken, cmp.Or(err, half)
}
