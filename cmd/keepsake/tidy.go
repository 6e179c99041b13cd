package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/tidy"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/store"
)

type tidyCmd struct {
	Sheet tidySheetCmd `cmd:"" default:"withargs" help:"List what is to be judged in a directory of Markdown memories."`
	Plan  tidyPlanCmd  `cmd:"" help:"Turn the answers into a plan, and print it with its digest."`
	Apply tidyApplyCmd `cmd:"" help:"Write exactly the plan with this digest."`
}

func (tidyCmd) Help() string {
	return `Lists what only a reader can decide about a directory of Markdown memories: which of two
statements holds, whether a fact is still true of the project, whether two say the same, what a file is
about. Run keepsake md fix first.

The sheet numbers what is to be decided, with the statements word for word. The answers go into the file
that it names, as {"answers": [...]}. Each answer has an action:

` + actionsText() + `
file, line and text name a statement; text is the whole statement, word for word, and an answer whose text is
not there is refused. call is the number on the sheet. Nothing is written before keepsake md tidy apply.

Examples:

    keepsake md tidy
    keepsake md tidy plan
    keepsake md tidy apply 1f0c2a9d44b1`
}

func actionsText() string {
	var b strings.Builder
	for _, a := range tidy.Actions() {
		fmt.Fprintf(&b, "    %-9s %s (%s)\n", a.Name, a.Says, a.Needs)
	}
	return b.String()
}

type tidySheetCmd struct {
	Dir     string `arg:"" optional:"" help:"A directory of memories (default: the client's own memory of this project)."`
	Profile string `help:"How it is laid out: auto, pointer, density or table (default: memdir.profile of the settings)." placeholder:"PROFILE" enum:",auto,pointer,density,table" default:""`
	JSON    bool   `help:"Print one JSON object: dir, profile, files, fixable, calls, left, answers."`
}

func (tidySheetCmd) Help() string {
	return `The same as keepsake md tidy alone. It changes no memory.

Example:

    keepsake md tidy sheet --json`
}

type tidySheetJSON struct {
	Dir     string `json:"dir"`
	Profile string `json:"profile"`
	Files   int    `json:"files"`
	tidy.Sheet
	Answers string `json:"answers"` // the file that they go into
}

// What lies on the session's desk for tidy: the answers, and the plan that waits.
const (
	tidyAnswers = "tidy.json"
	tidyPlan    = "tidy-plan.json"
)

func (v tidySheetCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	look, err := c.tidied(s, v.Dir, v.Profile)
	if err != nil {
		return err
	}
	if err := s.Desk.Make(); err != nil { // so that the answers can be written
		return err
	}
	out := tidySheetJSON{look.dir, look.profile.Name, len(look.Files), look.sheet,
		filepath.Join(s.Desk.Dir, tidyAnswers)}
	if out.Calls == nil {
		out.Calls = []tidy.Call{}
	}
	tellSheet(c, out)
	c.value(out)
	return nil
}

// looked is a directory of memories with what is to be decided about it.
type looked struct {
	memdir.Dir
	dir     string
	profile memdir.Profile
	sheet   tidy.Sheet
}

// tidied reads a directory, the client's own memory of the project for "".
func (c *call) tidied(s *session.Session, dir, profile string) (looked, error) {
	var out looked
	if dir == "" {
		dir = s.MemoryDir()
		if _, err := os.Stat(dir); err != nil {
			return out, failed(err,
				"the client keeps no memory of this project there; name the folder if autoMemoryDirectory "+
					"moved it")
		}
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.cwd, dir)
	}
	out.dir = filepath.Clean(dir)
	var err error
	out.Dir, err = session.ReadMemories(out.dir, c.now(), func(_, why string) {
		c.note("%s", brief.Line(why))
	})
	if err != nil {
		return out, err
	}
	out.Alike = alike.Notes
	if profile == "" {
		profile = s.Config.Memdir.Profile
	}
	set := false
	if out.profile, set = memdir.Named(profile); !set {
		out.profile = memdir.Detect(out.Files)
	}
	rewritten(c.ctx, out.dir, out.Files)
	out.sheet = tidy.NewSheet(out.Dir, out.profile, memdir.Lint(out.Dir, out.profile), c.repo(s, out.dir))
	return out, nil
}

type tidyPlanCmd struct {
	Dir     string `arg:"" optional:"" help:"The directory that the answers are about (default: the client's own memory of this project)."`
	Profile string `help:"How it is laid out: auto, pointer, density or table (default: memdir.profile of the settings)." placeholder:"PROFILE" enum:",auto,pointer,density,table" default:""`
	JSON    bool   `help:"Print one JSON object: dir, digest, done, kept, refused, open, files, notes, resolved."`
}

func (tidyPlanCmd) Help() string {
	return `Reads the answers, compares each with what the directory says now, and prints what would be
done: each deleted statement with the reason, each new text, the files before and after, the answers that
are refused and why, and the questions without an answer. Nothing is written; the plan waits for keepsake
md tidy apply. Exit code 1 says that nothing is to be done, or that answers were refused.

Example:

    keepsake md tidy plan`
}

// tidyFile is tidy-plan.json on the stage.
type tidyFile struct {
	Version int       `json:"version"`
	Digest  string    `json:"digest"`
	Made    time.Time `json:"made_at"`
	Dir     string    `json:"dir"`
	tidy.Outcome
}

// tidyPlanJSON is what tidy plan and tidy apply print with --json.
type tidyPlanJSON struct {
	Dir      string            `json:"dir"`
	Digest   string            `json:"digest,omitempty"` // none when nothing is to be done
	Done     []tidy.Change     `json:"done"`
	Kept     []tidy.Change     `json:"kept"`
	Refused  []tidy.Refused    `json:"refused"`
	Open     []tidy.Call       `json:"open"`
	Files    []tidy.FileChange `json:"files"`
	Notes    []string          `json:"notes"`
	Resolved []tidy.Resolved   `json:"resolved"`
	Applied  bool              `json:"applied"`
}

func (f tidyFile) json(applied bool) tidyPlanJSON {
	return tidyPlanJSON{f.Dir, f.Digest, f.Done, f.Kept, f.Refused, f.Open, f.Files, f.Notes, f.Resolved,
		applied}
}

func (v tidyPlanCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	path := filepath.Join(s.Desk.Dir, tidyAnswers)
	b, err := s.Desk.Read(tidyAnswers)
	if isAbsent(err) {
		return failed(err, "keepsake md tidy says what is to be decided; the answers go into "+path)
	}
	if err != nil {
		return err
	}
	look, err := c.tidied(s, v.Dir, v.Profile)
	if err != nil {
		return err
	}
	answers, err := tidy.ParseAnswers(b, look.dir)
	if err != nil {
		return failed(fmt.Errorf("%s: %w", path, err),
			`write it again as {"answers": [...]}; keepsake md tidy --help has the form`)
	}
	f := tidyFile{Version: stage.PlanVersion, Made: c.now().UTC(), Dir: look.dir,
		Outcome: tidy.Plan(look.Dir, look.profile, look.sheet.Calls, answers)}
	if len(f.Plan.Edits) > 0 {
		f.Digest = f.Plan.Digest()
		if err := s.Desk.WritePlan(tidyPlan, f); err != nil {
			return err
		}
	} else if _, err := s.Desk.Remove(tidyPlan); err != nil { // no plan from before is meant any more
		return err
	}
	tellTidyPlan(c, f)
	c.value(f.json(false))
	if f.Digest == "" || len(f.Refused) > 0 {
		return quiet{exitFailed}
	}
	return nil
}

type tidyApplyCmd struct {
	Digest string `arg:"" help:"Digest that keepsake md tidy plan printed; its first 8 characters or more."`
	JSON   bool   `help:"Print one JSON object, as tidy plan does."`
}

func (tidyApplyCmd) Help() string {
	return `Writes exactly the plan with this digest, whole or not at all, and reports what became of the
directory. If a file changed since the plan was made nothing is written and the exit code is 3: plan
again. keepsake undo brings everything back.

Example:

    keepsake md tidy apply 1f0c2a9d44b1`
}

func (v tidyApplyCmd) Run(c *call) error {
	c.json = v.JSON
	digest := strings.ToLower(v.Digest)
	if len(digest) < minDigest || strings.Trim(digest, "0123456789abcdef") != "" {
		return usage("digest %q: want at least %d hex digits of what keepsake md tidy plan printed", v.Digest,
			minDigest)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	f, err := waitingTidy(s)
	switch {
	case err == nil && strings.HasPrefix(f.Digest, digest):
	case c.saver(s).Applied(digest):
		c.line("Tidied already: this plan was applied before")
		c.value(tidyPlanJSON{Digest: digest, Applied: true})
		return nil
	case isAbsent(err):
		return failed(fmt.Errorf("no plan waits: %w", err),
			"keepsake md tidy plan makes one from the answers")
	case err != nil:
		return err
	default:
		return failed(fmt.Errorf("digest %s: the plan that waits is %s", digest, f.Digest[:12]),
			"keepsake md tidy plan shows it; apply takes the digest of the plan that was shown last")
	}
	if err := c.writeTidy(s, f); err != nil {
		return err
	}
	err = s.Update(func(st *stage.State) error {
		if !slices.Contains(st.Digests, f.Digest) {
			st.Digests = append(st.Digests, f.Digest)
		}
		return nil
	})
	if err != nil {
		c.note("session state: %v", err) // the memories are written
	}
	if _, err := s.Desk.Remove(tidyAnswers, tidyPlan); err != nil {
		return fmt.Errorf("tidied, but the plan stays on the stage: %w", err)
	}
	_ = os.Remove(s.Desk.Dir) // only when empty
	tellTidied(c, f)
	c.value(f.json(true))
	return nil
}

// waitingTidy returns the plan that waits; none is fs.ErrNotExist.
func waitingTidy(s *session.Session) (tidyFile, error) {
	return stage.ReadPlan(s.Desk, tidyPlan, func(f tidyFile) (plan.Plan, string) { return f.Plan, f.Digest })
}

// writeTidy applies the plan. A conflict with our own writing, left by a call that
// was killed after the store had it all, is success.
func (c *call) writeTidy(s *session.Session, f tidyFile) error {
	err := s.Notes(f.Dir).Apply(c.ctx, f.Plan)
	if errors.Is(err, store.ErrUnfinished) {
		return failed(err,
			"when what is in the way is gone, run the same keepsake md tidy apply again: it finishes what "+
				"was begun")
	}
	if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrExists) {
		return err
	}
	for _, e := range f.Plan.Edits {
		b, rerr := os.ReadFile(filepath.Join(f.Dir, filepath.FromSlash(e.Path)))
		if isAbsent(rerr) {
			b, rerr = nil, nil
		}
		if rerr != nil || plan.DigestOf(b) != plan.DigestOf(e.After) {
			return &failure{exitConflict, err,
				[]string{"run keepsake md tidy plan again: nothing was written"}}
		}
	}
	return nil
}
