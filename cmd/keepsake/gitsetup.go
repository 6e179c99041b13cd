package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/paths"
	"keepsake/pkg/session"
	"keepsake/pkg/store"
)

type gitSetupCmd struct {
	DryRun bool `help:"Show what would be done, and do nothing." name:"dry-run" short:"n"`
	Remove bool `help:"Undo what git-setup did. Memories that are committed stay so."`
	JSON   bool `help:"Print one JSON object: folder, steps, next."`
}

func (gitSetupCmd) Help() string {
	return `Makes the project's memories part of its git repository, for a team: rows in .gitattributes that name the merge driver of memories, the driver itself in this clone's configuration, and rows in .gitignore where something ignores the store. Commits nothing.

From then on each worktree has the store of its branch, and merges join them. Everybody runs this once per clone; a clone without it merges memories line by line.

Examples:

    keepsake git-setup --dry-run
    keepsake git-setup
    keepsake git-setup --remove`
}

// step is one change that git-setup makes.
type step struct {
	What string   `json:"what"`
	Rows []string `json:"rows,omitempty"` // as they will stand in the file, or "key = value"

	do func() error
}

// gitSetupJSON is what git-setup --json prints.
type gitSetupJSON struct {
	Folder string `json:"folder"`
	Steps  []step `json:"steps"`
	Done   bool   `json:"done"`
	Next   string `json:"next,omitempty"` // a command line
}

// repository is what git-setup works on: the project's folder in the main
// worktree.
type repository struct {
	*call
	dir    string // of the project
	driver string // command line of the merge driver
}

func (v gitSetupCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	g, err := openRepository(c, s)
	if err != nil {
		return err
	}
	plan := g.setUp
	if v.Remove {
		plan = g.remove
	}
	steps, err := plan()
	if err != nil {
		return err
	}
	c.line("in %s", g.dir)
	if len(steps) == 0 {
		c.line("nothing to do")
	}
	for _, st := range steps {
		c.line("%s", st.What)
		for _, row := range st.Rows {
			c.line("    %s", row)
		}
	}
	out := gitSetupJSON{Folder: g.dir, Steps: append([]step{}, steps...)}
	if v.DryRun {
		c.value(out)
		return nil
	}
	for _, st := range steps {
		if err := st.do(); err != nil {
			return err
		}
	}
	out.Done = true
	if !v.Remove {
		if why, err := g.ignoredBy(probe); err != nil || why != "" {
			return failed(fmt.Errorf("%s is still ignored by %s", filepath.Join(g.dir, storeDir), why), "take that rule out, and run keepsake git-setup again")
		}
		out.Next = "git add " + strings.Join(g.files(), " ") + " && git commit"
		c.line("next: %s", out.Next)
	}
	c.value(out)
	return nil
}

const storeDir = ".claude/memory"

// probe stands for any record when git is asked what it ignores.
const probe = storeDir + "/decisions/a-record.json"

func openRepository(c *call, s *session.Session) (repository, error) {
	g := repository{call: c, dir: s.Place.Home}
	if paths.Project(g.dir, "").Top == "" {
		return g, failed(fmt.Errorf("%s: is in no git repository", g.dir), "git init makes it one")
	}
	if in, err := git(c.ctx, g.dir, "rev-parse", "--is-inside-work-tree"); err != nil || in != "true" {
		return g, errors.Join(failed(fmt.Errorf("%s: is no checkout", g.dir), "run this in the main worktree"), err)
	}
	exe, err := executable()
	if err != nil {
		return g, err
	}
	g.driver = driverOf(exe)
	return g, nil
}

// driverArgs is how git calls the merge driver.
const driverArgs = " merge %O %A %B %P"

// driverOf is the command line of the merge driver. A shell reads it, after git
// has put in what a percent sign stands for. Where the program is gone, as after
// an update of the plugin, git merges the lines: without that it would leave our
// version as it is, and theirs would be lost with the next git add.
func driverOf(exe string) string {
	word := strings.ReplaceAll("'"+strings.ReplaceAll(exe, "'", `'\''`)+"'", "%", "%%")
	return "test -x " + word + " || exec git merge-file -L ours -L base -L theirs %A %O %B; exec " + word + driverArgs
}

// programOf is the program of a driver's command line, also of one that only
// names it.
func programOf(driver string) string {
	word := strings.TrimSuffix(driver, driverArgs)
	if rest, ok := strings.CutPrefix(driver, "test -x "); ok {
		word, _, _ = strings.Cut(rest, " || exec git merge-file")
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.Trim(word, "'"), `'\''`, "'"), "%%", "%")
}

// executable is the path of this program, by the name on PATH if that leads
// here: it may be a link that outlives an update of the plugin.
func executable() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if named, err := exec.LookPath("keepsake"); err == nil && filepath.IsAbs(named) {
		if paths.Resolved(named) == paths.Resolved(exe) {
			return named, nil
		}
	}
	return exe, nil
}

// attributes are the rows of .gitattributes. The last one keeps the settings,
// which are no record, to git's own merge.
var attributes = []string{
	storeDir + "/**/*.json merge=keepsake",
	storeDir + "/index.md merge=keepsake",
	storeDir + "/memory-config.json merge",
}

func (g repository) setUp() ([]step, error) {
	steps, err := g.block(nil, ".gitattributes", attributes)
	if err != nil {
		return nil, err
	}
	for _, kv := range [][2]string{{"merge.keepsake.name", "Keepsake memories"}, {"merge.keepsake.driver", g.driver}} {
		now, err := git(g.ctx, g.dir, "config", "--local", "--get", kv[0])
		if err != nil && !saidNo(err) {
			return nil, err
		}
		if now != kv[1] {
			steps = append(steps, step{"set in this clone's git configuration:", []string{kv[0] + " = " + kv[1]}, func() error {
				_, err := git(g.ctx, g.dir, "config", "--local", kv[0], kv[1])
				return err
			}})
		}
	}
	steps, private, err := g.storeIgnore(steps, store.PrivateIgnore, store.SharedIgnore,
		"share the store, in "+storeDir+"/.gitignore")
	if err != nil {
		return nil, err
	}
	rows, err := g.unignore(private)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return steps, nil
	}
	return g.block(steps, ".gitignore", rows)
}

// storeIgnore adds the step that makes the store's own .gitignore say something else,
// where it says just what we wrote into it, and reports whether it does.
func (g repository) storeIgnore(steps []step, from, to, what string) ([]step, bool, error) {
	path := filepath.Join(g.dir, storeDir, ".gitignore")
	now, err := disk.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && string(now) != from {
		return steps, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return append(steps, step{what, nil, func() error { return disk.Write(path, []byte(to), 0o644) }}), true,
		nil
}

func (g repository) remove() ([]step, error) {
	var steps []step
	tracked, err := git(g.ctx, g.dir, "ls-files", "--", storeDir)
	if err != nil {
		return nil, err
	}
	if tracked == "" {
		if steps, _, err = g.storeIgnore(steps, store.SharedIgnore, store.PrivateIgnore,
			"keep the store to yourself, in "+storeDir+"/.gitignore"); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{".gitattributes", ".gitignore"} {
		var err error
		if steps, err = g.block(steps, name, nil); err != nil {
			return nil, err
		}
	}
	_, err = git(g.ctx, g.dir, "config", "--local", "--get", "merge.keepsake.driver")
	switch {
	case err == nil:
		steps = append(steps, step{"take out of this clone's git configuration:", []string{"merge.keepsake"}, func() error {
			_, err := git(g.ctx, g.dir, "config", "--local", "--remove-section", "merge.keepsake")
			return err
		}})
	case !saidNo(err):
		return nil, err
	}
	return steps, nil
}

// unignore are the rows that bring the store back where something ignores it.
// Where that is the whole of .claude, the rest of it stays ignored. private says that
// the store ignores itself until now.
func (g repository) unignore(private bool) (rows []string, err error) {
	why, err := g.ignoredBy(probe)
	if err != nil || why == "" {
		return nil, err
	}
	if private && strings.HasPrefix(why, storeDir+"/") {
		if why, err = g.ignoredBy(storeDir); err != nil || why == "" {
			return nil, err
		}
	}
	whole, err := g.ignoredBy(".claude/anything")
	if err != nil {
		return nil, err
	}
	if whole != "" {
		rows = append(rows, "!/.claude/", "/.claude/*")
	}
	return append(rows, "!/"+storeDir+"/", "!/"+storeDir+"/**"), nil
}

// ignoredBy is the rule by which git ignores a path of the project, "file:line:
// pattern", and "" when it does not.
func (g repository) ignoredBy(path string) (string, error) {
	out, err := git(g.ctx, g.dir, "check-ignore", "-v", "--no-index", "--", filepath.Join(g.dir, path))
	if saidNo(err) {
		return "", nil
	}
	rule, _, _ := strings.Cut(out, "\t")
	if parts := strings.SplitN(rule, ":", 3); len(parts) == 3 && strings.HasPrefix(parts[2], "!") {
		return "", nil
	}
	return rule, err
}

// files are what a person commits: those of ours that are there.
func (g repository) files() (names []string) {
	for _, name := range []string{".gitattributes", ".gitignore", storeDir} {
		if _, err := os.Lstat(filepath.Join(g.dir, name)); err == nil {
			names = append(names, name)
		}
	}
	return names
}

const (
	blockBegin = session.GitSetup
	blockEnd   = "# keepsake git-setup: end"
)

// block adds the step that gives a file our rows between two lines that say so,
// or takes them out when there are none. What others wrote is left alone.
func (g repository) block(steps []step, name string, rows []string) ([]step, error) {
	path := filepath.Join(g.dir, name)
	old, err := disk.Read(path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	next := withBlock(string(old), rows)
	if next == string(old) {
		return steps, nil
	}
	what := "write to " + name + ":"
	if len(rows) == 0 {
		what = "take our rows out of " + name
	}
	return append(steps, step{what, rows, func() error {
		if now, err := disk.Read(path, maxFile); err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(now, old) {
			return errors.Join(fmt.Errorf("%s: changed just now", path), err)
		}
		if next == "" {
			return os.Remove(path)
		}
		return disk.Write(path, []byte(next), 0o644)
	}}), nil
}

// withBlock returns text with our rows at its end, or without any. A block that
// has lost its end is not ours to judge, and stays.
func withBlock(text string, rows []string) string {
	for {
		before, rest, ok := strings.Cut(text, blockBegin+"\n")
		_, after, whole := strings.Cut(rest, blockEnd+"\n")
		if !ok || !whole {
			break
		}
		text = before + after
	}
	if len(rows) == 0 {
		return text
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + blockBegin + "\n" + strings.Join(rows, "\n") + "\n" + blockEnd + "\n"
}
