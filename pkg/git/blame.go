package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
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
	ErrCapped      = errors.New("the latest " + strconv.Itoa(maxBlamed) + " commits of the file did not " +
		"break it; older ones were not looked at")
	ErrTooLong = errors.New("what broke it was not found in " + blameTime.String() +
		"; hint: git log -p -- PATH")
)

// Bounds of Blame: how many commits are looked at, how much of them is read, and how long it may take.
const (
	maxBlamed = 200
	maxBlob   = 1 << 20  // bytes of a file, as in the project's folder
	maxBlobs  = 64 << 20 // bytes of all
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
	return blame(ctx, dir, c, maxBlamed)
}

// blame is Blame that looks at so many commits.
func blame(ctx context.Context, dir string, c memory.Check, most int) (Commit, error) {
	if c.Path == "" {
		return Commit{}, ErrNoCommit // a date and a history have none
	}
	ctx, stop := context.WithTimeout(ctx, blameTime)
	defer stop()
	past := history{ask: Reader(ctx, dir), left: maxBlobs}
	verdict := func(rev string) verify.Verdict {
		return verify.Of(&committed{&past, rev}).Evaluate(c).Verdict
	}
	if verdict("HEAD") == verify.Holds {
		return Commit{}, ErrUncommitted
	}
	args := []string{"--literal-pathspecs", "log", "--no-show-signature", "--no-textconv", "--no-ext-diff",
		fmt.Sprintf("-n%d", most), "--format=%H%x00%cI%x00%an%x00%s"}
	switch c.Kind {
	case memory.FileContains:
		args = append(args, "-S"+c.Name)
	case memory.SymbolDefined:
		// A commit may leave a mention in the place of a definition, so that their number stays.
		args = append(args, "-G"+regexp.QuoteMeta(c.Name[strings.LastIndex(c.Name, ".")+1:]))
	}
	said, err := past.ask(append(args, "--", c.Path)...)
	switch {
	case ctx.Err() != nil:
		return Commit{}, ErrTooLong
	case err != nil:
		return Commit{}, err
	}
	commits := 0
	for line := range strings.Lines(string(said)) {
		commits++
		f := strings.SplitN(strings.TrimRight(line, "\n"), "\x00", 4)
		if len(f) < 4 || verdict(f[0]+"^") != verify.Holds || verdict(f[0]) != verify.Fails {
			continue
		}
		b := Commit{Hash: f[0], Date: f[1], Author: f[2], Subject: f[3]}
		if c.Kind != memory.Requires {
			b.MovedTo = past.movedTo(b.Hash, c.Path)
		}
		return b, nil
	}
	switch {
	case ctx.Err() != nil:
		return Commit{}, ErrTooLong
	case past.capped != nil:
		return Commit{}, past.capped
	case commits == most:
		return Commit{}, ErrCapped
	}
	return Commit{}, ErrNoCommit
}

// A history is the past of a project, of which only so much is read.
type history struct {
	ask    func(args ...string) ([]byte, error)
	left   int   // bytes of files that may still be read
	capped error // what was not read, and why; nil if nothing was passed over
}

// movedTo returns the path to which a commit moved a file, or "".
func (h *history) movedTo(commit, file string) string {
	said, _ := h.ask("show", "--no-show-signature", "--no-textconv", "--no-ext-diff", "--relative", "-M",
		"-z", "--diff-filter=R", "--name-status", "--format=", commit)
	f := strings.Split(string(said), "\x00") // R100, from, to, R087, from, to
	for i := 0; i+2 < len(f); i += 3 {
		if f[i+1] == file {
			return f[i+2]
		}
	}
	return ""
}

// committed is the tree of a commit, as the folder of a project has it.
type committed struct {
	*history
	rev string
}

// list returns the entries of git's tree at a path, or those in it where the path ends in a slash. Each is
// "mode type object size\tpath".
func (t *committed) list(file string) ([]string, error) {
	said, err := t.ask("ls-tree", "-z", "--long", t.rev, "--", "./"+file)
	if err != nil {
		return nil, err
	}
	entries := strings.TrimRight(string(said), "\x00")
	if entries == "" {
		return nil, fs.ErrNotExist
	}
	return strings.Split(entries, "\x00"), nil
}

// IsDir reports whether a path is that of a folder.
func (t *committed) IsDir(file string) (bool, error) {
	entries, err := t.list(file)
	return err == nil && strings.HasPrefix(entries[0], "040000 "), err
}

// Read returns the text of a file. What is too large is not read, nor more than maxBlobs in all.
func (t *committed) Read(file string) ([]byte, error) {
	entries, err := t.list(file)
	if err != nil {
		return nil, err
	}
	entry, _, _ := strings.Cut(entries[0], "\t")
	f := strings.Fields(entry)
	if len(f) != 4 || !strings.HasPrefix(f[0], "100") {
		return nil, disk.ErrNotRegular
	}
	size, err := strconv.Atoi(f[3])
	switch {
	case err != nil:
		return nil, err
	case size > maxBlob:
		t.capped = fmt.Errorf("%s is too large in a commit to be read (more than %d KiB)", file, maxBlob>>10)
		return nil, disk.ErrTooLarge
	case size > t.left:
		t.capped = fmt.Errorf("what broke it was not found in the first %d MiB of the history that were read",
			maxBlobs>>20)
		return nil, disk.ErrTooLarge
	}
	t.left -= size
	return t.ask("cat-file", "blob", f[2])
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
	if err := verify.TooMany(len(names)); err != nil {
		t.capped = fmt.Errorf("%s: %w", folder, err)
		return nil, t.capped
	}
	return names, nil
}
