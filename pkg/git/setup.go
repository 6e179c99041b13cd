package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

// Step is one change that sharing memories makes, or takes back.
type Step struct {
	What string   `json:"what"`
	Rows []string `json:"rows,omitempty"` // as they will stand in the file, or "key = value"

	Do func() error `json:"-"`
}

// Sharing puts the memories of a project into its git repository, for a team.
type Sharing struct {
	ctx    context.Context
	Dir    string // of the project, in the main worktree
	driver string // command line of the merge driver
}

// maxFile bounds what is read of a file that git has, in bytes.
const maxFile = 16 << 20

const storeDir = ".claude/memory"

// probe stands for any record when git is asked what it ignores.
const probe = storeDir + "/decisions/a-record.json"

// NewSharing returns the sharing of the memories of a project.
func NewSharing(ctx context.Context, dir string) (Sharing, error) {
	g := Sharing{ctx: ctx, Dir: dir}
	if layout.Project(dir, "").Top == "" {
		return g, fmt.Errorf("%s: is in no git repository; hint: git init makes it one", dir)
	}
	switch in, err := Run(ctx, dir, "rev-parse", "--is-inside-work-tree"); {
	case err != nil:
		return g, fmt.Errorf("%s: is no checkout: %w; hint: run this in the main worktree", dir, err)
	case in != "true":
		return g, fmt.Errorf("%s: is no checkout; hint: run this in the main worktree", dir)
	}
	if exe := cmp.Or(layout.OnPath(), layout.CommandPath()); exe != "" { // the first outlives an update
		g.driver = driverCommand(exe)
		return g, nil
	}
	return g, errors.New("the path of keepsake itself can't be told")
}

// driverArgs is how git calls the merge driver.
const driverArgs = " merge %O %A %B %P"

// driverCommand returns the command line of the merge driver. A shell reads it, after git
// has put in what a percent sign stands for. Where the program is gone, as after
// an update of the plugin, git merges the lines: without that it would leave our
// version as it is, and theirs would be lost with the next git add.
func driverCommand(exe string) string {
	word := strings.ReplaceAll(text.ShellQuoted(exe), "%", "%%")
	return "test -x " + word + " || exec git merge-file -L ours -L base -L theirs %A %O %B; exec " + word +
		driverArgs
}

// DriverProgram returns the program of a merge driver's command line, also of one that only
// names it.
func DriverProgram(driver string) string {
	word := strings.TrimSuffix(driver, driverArgs)
	if rest, ok := strings.CutPrefix(driver, "test -x "); ok {
		word, _, _ = strings.Cut(rest, " || exec git merge-file")
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.Trim(word, "'"), `'\''`, "'"), "%%", "%")
}

// attributes are the rows of .gitattributes. The last one keeps the settings,
// which are no record, to git's own merge.
var attributes = []string{
	storeDir + "/**/*.json merge=keepsake",
	storeDir + "/index.md merge=keepsake",
	"**/" + lessons.Journal + " merge=keepsake",
	storeDir + "/memory-config.json merge",
}

// Steps returns what is to be done so that the memories are shared.
func (g Sharing) Steps() ([]Step, error) {
	steps, err := g.block(nil, ".gitattributes", attributes)
	if err != nil {
		return nil, err
	}
	for _, kv := range [][2]string{{"merge.keepsake.name", "Keepsake memories"},
		{"merge.keepsake.driver", g.driver}} {
		now, err := Run(g.ctx, g.Dir, "config", "--local", "--get", kv[0])
		if err != nil && !SaidNo(err) {
			return nil, err
		}
		if now != kv[1] {
			steps = append(steps,
				Step{"set in this clone's git configuration:", []string{kv[0] + " = " + kv[1]}, func() error {
					_, err := Run(g.ctx, g.Dir, "config", "--local", kv[0], kv[1])
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
func (g Sharing) storeIgnore(steps []Step, from, to, what string) ([]Step, bool, error) {
	path := filepath.Join(g.Dir, storeDir, ".gitignore")
	now, err := disk.Read(path, maxFile)
	// Earlier versions wrote the verb by its old name.
	was := strings.Replace(string(now), "`keepsake git-setup`", "`keepsake team git-setup`", 1)
	if errors.Is(err, fs.ErrNotExist) || err == nil && was != from {
		return steps, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return append(steps, Step{what, nil, func() error { return disk.Write(path, []byte(to), 0o644) }}), true,
		nil
}

// Removal returns what is to be done so that they are not. Memories that are committed stay so.
func (g Sharing) Removal() ([]Step, error) {
	var steps []Step
	tracked, err := Run(g.ctx, g.Dir, "ls-files", "--", storeDir)
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
	_, err = Run(g.ctx, g.Dir, "config", "--local", "--get", "merge.keepsake.driver")
	switch {
	case err == nil:
		steps = append(steps, Step{"take out of this clone's git configuration:", []string{"merge.keepsake"},
			func() error {
				_, err := Run(g.ctx, g.Dir, "config", "--local", "--remove-section", "merge.keepsake")
				return err
			}})
	case !SaidNo(err):
		return nil, err
	}
	return steps, nil
}

// unignore returns the rows for .gitignore that bring the store back if something ignores it. If the
// whole of .claude is ignored, the rest of it stays so. private reports that the store has ignored itself
// until now.
func (g Sharing) unignore(private bool) (rows []string, err error) {
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

// ignoredBy returns the rule by which git ignores a path of the project, "file:line:
// pattern", and "" when it does not.
func (g Sharing) ignoredBy(path string) (string, error) {
	out, err := Run(g.ctx, g.Dir, "check-ignore", "-v", "--no-index", "--", filepath.Join(g.Dir, path))
	if SaidNo(err) {
		return "", nil
	}
	rule, _, _ := strings.Cut(out, "\t")
	if parts := strings.SplitN(rule, ":", 3); len(parts) == 3 && strings.HasPrefix(parts[2], "!") {
		return "", nil
	}
	return rule, err
}

// Commit returns the command line that commits those files of ours that are there. It is an error
// when git still ignores the memories.
func (g Sharing) Commit() (command string, err error) {
	if why, err := g.ignoredBy(probe); err != nil {
		return "", err
	} else if why != "" {
		return "",
			fmt.Errorf("%s is still ignored by %s; hint: take that rule out, and run keepsake team "+
				"git-setup "+
				"again", filepath.Join(g.Dir, storeDir), why)
	}
	var names []string
	for _, name := range []string{".gitattributes", ".gitignore", storeDir} {
		if _, err := os.Lstat(filepath.Join(g.Dir, name)); err == nil {
			names = append(names, name)
		}
	}
	return "git add " + strings.Join(names, " ") + " && git commit", nil
}

const (
	blockBegin = layout.GitSetup
	blockEnd   = "# keepsake git-setup: end"
)

// block adds the step that gives a file our rows between two lines that say so,
// or takes them out when there are none. What others wrote is left alone.
func (g Sharing) block(steps []Step, name string, rows []string) ([]Step, error) {
	path := filepath.Join(g.Dir, name)
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
	return append(steps, Step{what, rows, func() error {
		if now, err := disk.Read(path, maxFile); err != nil && !errors.Is(err, fs.ErrNotExist) ||
			!bytes.Equal(now, old) {
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
