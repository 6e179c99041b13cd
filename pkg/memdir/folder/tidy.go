package folder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/git"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/tidy"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// What lies on the session's desk for tidy: the answers, and the plan that waits.
const (
	tidyAnswers = "tidy.json"
	tidyPlan    = "tidy-plan.json"
)

// TidyAnswers returns the path of the file for the answers to a sheet.
func TidyAnswers(s *session.Session) string { return filepath.Join(s.Desk.Dir, tidyAnswers) }

// TidySheet returns all that is to be decided about the directory, kept or not.
func (f Folder) TidySheet(ctx context.Context) tidy.Sheet {
	return tidy.NewSheet(f.Dir, f.Profile, memdir.Lint(f.Dir, f.Profile), f.repo(ctx))
}

// maxKept bounds the file of what was answered with keep, in bytes.
const maxKept = 4 << 20

func (f Folder) keptPath() string { return filepath.Join(f.session.Beside(f.Root), "tidy-kept.json") }

// TidyKept returns what was answered with keep. It is empty if that can't be read: asking twice is better
// than never.
func (f Folder) TidyKept() (k tidy.Kept) {
	if b, err := disk.Read(f.keptPath(), maxKept); err == nil {
		_ = json.Unmarshal(b, &k)
	}
	return k
}

// keep stores what was answered with keep.
func (f Folder) keep(k tidy.Kept) error {
	if maps.Equal(k, f.TidyKept()) {
		return nil
	}
	b, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return errors.Join(disk.Private(filepath.Dir(f.keptPath())), disk.Replace(f.keptPath(), b, 0o600))
}

// A TidyPlan is the plan made of answers, as it waits on the session's desk.
type TidyPlan struct {
	Version int       `json:"version"`
	Digest  string    `json:"digest"` // none when nothing is to be done
	Made    time.Time `json:"made_at"`
	Dir     string    `json:"dir"`
	tidy.Outcome
}

// PlanTidy turns the answers on the session's desk into a plan, which waits there. A plan from before is
// meant no more.
func (f Folder) PlanTidy(ctx context.Context) (p TidyPlan, err error) {
	desk := f.session.Desk
	b, err := desk.Read(tidyAnswers)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; hint: keepsake md tidy says what is to be decided; the answers go into %s", err,
			TidyAnswers(f.session))
	}
	if err != nil {
		return p, err
	}
	answers, err := tidy.ParseAnswers(b, f.Root)
	if err != nil {
		return p,
			fmt.Errorf(`%s: %w; hint: write it again as {"answers": [...]}; keepsake md tidy --help has the form`,
				TidyAnswers(f.session), err)
	}
	sheet, kept := f.TidySheet(ctx), f.TidyKept()
	p = TidyPlan{Version: stage.PlanVersion, Made: f.Now.UTC(), Dir: f.Root,
		Outcome: tidy.Plan(f.Dir, f.Profile, sheet.Calls, answers)}
	if err := f.keep(sheet.Update(kept, p.Outcome, f.Now)); err != nil {
		return p, err
	}
	p.Open = sheet.Open(f.TidyKept()).Among(p.Open)
	if len(p.Plan.Edits) == 0 {
		_, err = desk.Remove(tidyPlan)
		return p, err
	}
	p.Digest = p.Plan.Digest()
	return p, desk.WriteJSON(tidyPlan, p)
}

// WaitingTidy returns the plan that waits; fs.ErrNotExist for none.
func WaitingTidy(s *session.Session) (TidyPlan, error) {
	return stage.ReadPlan(s.Desk, tidyPlan, func(p TidyPlan) (plan.Plan, string) { return p.Plan, p.Digest })
}

// Apply writes the plan, and takes it and the answers off the desk. note hears of what went wrong after that.
func (p TidyPlan) Apply(ctx context.Context, s *session.Session,
	note func(format string, args ...any)) error {
	if err := Write(ctx, s, p.Dir, p.Plan); errors.Is(err, store.ErrUnfinished) {
		return fmt.Errorf("%w; hint: when what is in the way is gone, run the same keepsake md tidy apply "+
			"again: it "+
			"finishes what was begun", err)
	} else if err != nil {
		return err
	}
	err := s.Update(func(st *stage.State) error {
		if !slices.Contains(st.Digests, p.Digest) {
			st.Digests = append(st.Digests, p.Digest)
		}
		return nil
	})
	if err != nil {
		note("session state: %v", err) // the memories are written
	}
	if _, err := s.Desk.Remove(tidyAnswers, tidyPlan); err != nil {
		return fmt.Errorf("tidied, but the plan stays on the stage: %w", err)
	}
	_ = os.Remove(s.Desk.Dir) // only when empty
	return nil
}

// Limits of what is asked of a project.
const (
	maxFact  = 512 << 10 // bytes of a file with facts of the project
	maxAsked = 2000      // paths that are looked for
	maxTree  = 32 << 20  // bytes of git's list of files
)

// repo gathers the facts of the project that its memories are checked against. A file that can't be read is
// left out.
func (f Folder) repo(ctx context.Context) (r tidy.Repo) {
	top := f.session.Root
	for _, name := range tidy.Files() {
		if b, err := disk.Read(filepath.Join(top, name), maxFact); err == nil {
			r.Read(name, b)
		}
	}
	tree, err := git.Run(ctx, top, "ls-files", "-z")
	if err != nil || len(tree) > maxTree {
		tree = ""
	}
	tree = "/" + strings.ReplaceAll(tree, "\x00", "\x00/") + "\x00"
	known := map[string]bool{}
	r.Has = func(path string) bool {
		has, asked := known[path]
		if asked || len(known) >= maxAsked {
			return has || !asked // nothing is said of what wasn't looked for
		}
		for _, root := range [...]string{top, f.Root} {
			if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path))); err == nil {
				has = true
			}
		}
		has = has || strings.Contains(tree, "/"+path+"\x00") || strings.Contains(tree, "/"+path+"/")
		known[path] = has
		return has
	}
	return r
}
