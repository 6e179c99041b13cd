package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/git"
	"keepsake/pkg/memdir"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

type fmtCmd struct {
	Dir     string `arg:"" optional:"" help:"A directory of memories (default: the client's own memory of this project)."`
	Write   bool   `help:"Write it." short:"w"`
	Diff    bool   `help:"Show every change as a diff." short:"d"`
	Profile string `help:"How it is laid out: auto, pointer, density or table (default: memdir.profile of the settings)." placeholder:"PROFILE" enum:",auto,pointer,density,table" default:""`
	Force   bool   `help:"Write into a folder that doesn't look like one of memories."`
	JSON    bool   `help:"Print one JSON value."`
}

func (fmtCmd) Help() string {
	return `Mends what keepsake md check calls fixable in a directory of Markdown memories: content in
MEMORY.md moves to topic files, pointers that lead nowhere are repaired, files get frontmatter and a
pointer, relative dates become dates, and exact duplicates become one. Nothing else is removed. Without
--write it only says what it would do.

A folder that looks like other documents is not written without --force. keepsake undo takes it back.

Examples:

    keepsake md fix
    keepsake md fix -d
    keepsake md fix -w
    keepsake md fix ~/.claude/projects/-home-me-shop/memory -w`
}

// fmtJSON is what fmt --json prints.
type fmtJSON struct {
	Dir     string           `json:"dir"`
	Profile string           `json:"profile"`
	Written bool             `json:"written"`
	Digest  string           `json:"digest,omitempty"` // of the plan, for keepsake undo
	Before  int              `json:"before"`           // lines of MEMORY.md
	After   int              `json:"after"`
	Created []string         `json:"created"`
	Changed []string         `json:"changed"`
	Merged  []memdir.Merge   `json:"merged"`
	Moved   []memdir.Merge   `json:"moved"`
	Mended  map[string]int   `json:"mended"` // findings by rule
	Left    []memdir.Finding `json:"left"`   // what somebody has to judge
}

func (v fmtCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	f := changeFlags{DryRun: !v.Write, Diff: v.Diff, JSON: v.JSON}
	return onceMore(func() error {
		m, err := c.readMemories(v.Dir, v.Profile, func(string, string) {})
		if err != nil {
			return err
		}
		blamed(c.ctx, m.dir, m.Files)
		r := memdir.Format(m.Dir, m.profile)
		at := c.notesOf(s, m.dir)
		switch {
		case len(r.Plan.Edits) == 0:
		case v.Write:
			if err = m.mayWrite(s, "md fix", v.Force); err == nil {
				err = c.change(at, r.Plan, f)
			}
		case v.Diff:
			c.diff(brief.Plan(r.Plan, at.before))
		default:
			c.edits(r.Plan, f)
		}
		if err == nil {
			v.tell(c, s, m, r)
		}
		return err
	})
}

// onceMore does again what somebody else's write came in between of, as the client's may:
// it reads the files anew.
func onceMore(do func() error) error {
	err := do()
	if errors.Is(err, store.ErrConflict) {
		err = do()
	}
	return err
}

// mayWrite refuses a folder that a person may have named by mistake; verb is what
// would write.
func (m memories) mayWrite(s *session.Session, verb string, force bool) error {
	if force || own(s, m.dir) {
		return nil
	}
	if ok, why := memdir.Kept(m.Files, m.profile); !ok {
		return failed(fmt.Errorf("%s doesn't look like a directory of memories: %s", brief.Line(m.dir),
			brief.Line(why)),
			"keepsake "+verb+" -d shows what would be written; --force writes it")
	}
	return nil
}

// own says that a directory is where this project's memories are, or the root scope's.
func own(s *session.Session, dir string) bool {
	return dir == s.MemoryDir() || dir == s.RootMemoryDir()
}

// tell ends with what was done, and what was not.
func (v fmtCmd) tell(c *call, s *session.Session, m memories, r memdir.Result) {
	rep := r.Report
	out := fmtJSON{Dir: m.dir, Profile: m.profile.Name, Written: v.Write && len(r.Plan.Edits) > 0,
		Before: rep.Before, After: rep.After,
		Created: append([]string{}, rep.Created...), Changed: append([]string{}, rep.Changed...),
		Merged: append([]memdir.Merge{}, rep.Merged...),
		Moved:  append([]memdir.Merge{}, rep.Moved...), Mended: rep.Mended,
		Left: append([]memdir.Finding{}, rep.Left...)}
	if len(r.Plan.Edits) > 0 {
		out.Digest = r.Plan.Digest()
		for _, g := range rep.Merged {
			c.line("merged: %s says what %s says", brief.Line(g.From), brief.Line(g.To))
		}
		for _, g := range rep.Moved {
			c.line("moved: %s to %s", brief.Line(g.From), brief.Line(g.To))
		}
		c.line("MEMORY.md: %s before, %d after", count(rep.Before, "line"), rep.After)
		c.line("files: %d created, %d changed, %d merged, %d moved; %s", len(rep.Created), len(rep.Changed),
			len(rep.Merged), len(rep.Moved), mendedLine(rep.Mended))
	} else if len(m.Files) > 0 {
		c.line("nothing to mend in %s (profile %s)", count(len(m.Files), "file"), m.profile.Name)
	}
	switch n := len(rep.Left); {
	case n > 0:
		c.line("left to judge: %s, contradictions among them if there are any (keepsake md tidy)",
			count(n, "finding"))
	case len(r.Plan.Edits) > 0:
		c.line("left to judge: nothing that lint finds; contradictions are for keepsake md tidy")
	}
	if len(r.Plan.Edits) > 0 {
		if v.Write {
			// With the directory it can take back nothing else, so the gate need not ask an agent for it.
			c.line("keepsake undo %s --dir %s takes it back", out.Digest[:12], brief.ShellWord(m.dir))
		} else {
			c.line("nothing was written: keepsake md fix -w does it")
		}
	}
	c.value(out)
}

// mendedLine says what was mended, the rule with most findings first.
func mendedLine(mended map[string]int) string {
	var ids []string
	n := 0
	for id, k := range mended {
		ids = append(ids, id)
		n += k
	}
	slices.SortFunc(ids, func(a, b string) int {
		if mended[a] != mended[b] {
			return mended[b] - mended[a]
		}
		return strings.Compare(a, b)
	})
	for i, id := range ids {
		ids[i] = fmt.Sprintf("%d %s", mended[id], id)
	}
	return count(n, "finding") + " mended (" + strings.Join(ids, ", ") + ")"
}

// maxBlamed bounds for how many files git is asked.
const maxBlamed = 50

// blamed tells of the lines of files with relative dates when they were written, as
// far as git knows.
func blamed(ctx context.Context, dir string, files []memdir.File) {
	asked := 0
	for i, f := range files {
		if asked == maxBlamed || !memdir.Timely(f) {
			continue
		}
		asked++
		out, err := git.Run(ctx, dir, "blame", "--line-porcelain", "--", filepath.FromSlash(f.Path))
		if err != nil {
			if asked == 1 && !inGit(ctx, dir) {
				return
			}
			continue
		}
		if written := blameTimes(out); len(written) == strings.Count(string(f.Bytes), "\n") ||
			len(written) == strings.Count(string(f.Bytes), "\n")+1 {
			files[i].Written = written
		}
	}
}

func inGit(ctx context.Context, dir string) bool {
	_, err := git.Run(ctx, dir, "rev-parse", "--git-dir")
	return err == nil
}

// blameTimes are the times of the lines of git blame --line-porcelain; zero for a
// line that isn't committed.
func blameTimes(out string) (at []time.Time) {
	var now time.Time
	committed := false
	for line := range strings.Lines(out) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case strings.HasPrefix(line, "\t"):
			if !committed {
				now = time.Time{}
			}
			at = append(at, now)
		case len(key) >= 40 && strings.Trim(key, "0123456789abcdef") == "":
			committed = strings.Trim(key, "0") != ""
		case key == "author-time":
			n, _ := strconv.ParseInt(value, 10, 64)
			now = time.Unix(n, 0)
		}
	}
	return at
}
