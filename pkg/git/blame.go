package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/verify"
)

// A Commit is a commit as it is shown: all of it is what somebody wrote.
type Commit struct {
	Hash    string `json:"commit"` // whole
	Date    string `json:"date"`   // RFC 3339
	Author  string `json:"author"`
	Subject string `json:"subject"`
	// MovedTo is the path to which it moved the file, if that is what it did.
	MovedTo string `json:"moved_to,omitempty"`
}

// Short returns the first letters of the commit's name.
func (c Commit) Short() string { return c.Hash[:min(len(c.Hash), 12)] }

// Errors of Blame.
var (
	ErrUncommitted = errors.New("what broke it is not committed yet")
	ErrNoCommit    = errors.New("git's history has no commit before which it held")
)

// Bounds of Blame: how many commits are looked at, and how long it may take.
const (
	maxBlamed = 200
	blameTime = 10 * time.Second
)

// HasCommit reports whether HEAD of the checkout around a folder has a commit in its history. It starts git.
func HasCommit(ctx context.Context, dir, commit string) (bool, error) {
	_, err := Run(ctx, dir, "merge-base", "--is-ancestor", commit+"^{commit}", "HEAD")
	if SaidNo(err) {
		return false, nil
	}
	return err == nil, err
}

// Blame returns the commit that broke a check which fails now in the project in a folder: the newest one in
// which it fails and before which it held. Nothing is checked out.
func Blame(ctx context.Context, dir string, c memory.Check) (Commit, error) {
	if c.Path == "" {
		return Commit{}, ErrNoCommit // a date and a history have none
	}
	ctx, stop := context.WithTimeout(ctx, blameTime)
	defer stop()
	verdict := func(rev string) verify.Verdict {
		return verify.Of(&committed{ctx, dir, rev}).Evaluate(c).Verdict
	}
	if verdict("HEAD") == verify.Holds {
		return Commit{}, ErrUncommitted
	}
	args := []string{"--literal-pathspecs", "log", "--no-show-signature", "--no-textconv", "--no-ext-diff",
		fmt.Sprintf("-n%d", maxBlamed), "--format=%H%x00%cI%x00%an%x00%s"}
	switch c.Kind {
	case memory.FileContains:
		args = append(args, "-S"+c.Name)
	case memory.SymbolDefined:
		// A commit may leave a mention in the place of a definition, so that their number stays.
		args = append(args, "-G"+regexp.QuoteMeta(c.Name[strings.LastIndex(c.Name, ".")+1:]))
	}
	said, err := Run(ctx, dir, append(args, "--", c.Path)...)
	if err != nil {
		return Commit{}, err
	}
	for line := range strings.Lines(said) {
		f := strings.SplitN(strings.TrimRight(line, "\n"), "\x00", 4)
		if len(f) < 4 || verdict(f[0]+"^") != verify.Holds || verdict(f[0]) != verify.Fails {
			continue
		}
		b := Commit{Hash: f[0], Date: f[1], Author: f[2], Subject: f[3]}
		if c.Kind != memory.Requires {
			b.MovedTo = movedTo(ctx, dir, b.Hash, c.Path)
		}
		return b, nil
	}
	if err := ctx.Err(); err != nil {
		return Commit{}, err
	}
	return Commit{}, ErrNoCommit
}

// movedTo returns the path to which a commit moved a file, or "".
func movedTo(ctx context.Context, dir, commit, file string) string {
	said, _ := Run(ctx, dir, "show", "--no-show-signature", "--no-textconv", "--no-ext-diff", "--relative",
		"-M",
		"-z", "--diff-filter=R", "--name-status", "--format=", commit)
	f := strings.Split(said, "\x00") // R100, from, to, R087, from, to
	for i := 0; i+2 < len(f); i += 3 {
		if f[i+1] == file {
			return f[i+2]
		}
	}
	return ""
}

// committed is the tree of a commit, as the folder of a project has it.
type committed struct {
	ctx context.Context
	dir string
	rev string
}

// list returns the entries of git's tree at a path, or those in it where the path ends in a slash. Each is
// "mode type object\tpath".
func (t *committed) list(file string) ([]string, error) {
	said, err := Run(t.ctx, t.dir, "ls-tree", "-z", t.rev, "--", "./"+file)
	if err != nil {
		return nil, err
	}
	if said = strings.TrimRight(said, "\x00"); said == "" {
		return nil, fs.ErrNotExist
	}
	return strings.Split(said, "\x00"), nil
}

// IsDir reports whether a path is that of a folder.
func (t *committed) IsDir(file string) (bool, error) {
	entries, err := t.list(file)
	return err == nil && strings.HasPrefix(entries[0], "040000 "), err
}

// Read returns the text of a file.
func (t *committed) Read(file string) ([]byte, error) {
	entries, err := t.list(file)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(entries[0], "100") {
		return nil, disk.ErrNotRegular
	}
	text, err := Run(t.ctx, t.dir, "cat-file", "blob", t.rev+":./"+file)
	return []byte(text), err
}

// Files returns the names of the regular files right in a folder.
func (t *committed) Files(folder string) (names []string, err error) {
	entries, err := t.list(folder + "/")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if _, file, ok := strings.Cut(e, "\t"); ok && strings.HasPrefix(e, "100") {
			names = append(names, path.Base(file))
		}
	}
	return names, nil
}
