// Package approvers says which bytes of a team's memories somebody signed, and checks the signature with
// ssh-keygen, a program of the machine.
//
// Both are files of the store, which come with the repository:
//
//	approvers       who may approve: the allowed signers of ssh-keygen, a principal and a key in each line
//	signatures/*    each a list of records with the digests of their files, and the signature of the list
//
// Whoever can commit writes both, so neither counts by itself. The caller knows whether the person accepted
// these bytes of approvers.
package approvers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/plan"
	"keepsake/pkg/text"
)

// Namespace is what a signature is for, in the words of ssh-keygen: one for another namespace does not count.
const Namespace = "keepsake"

// Name and Folder are the paths of the approvers and of the signed lists, below the store's root.
const (
	Name   = "approvers"
	Folder = "signatures"
)

// How much of one of these files is read, in bytes, and how many lists there are at most.
const (
	maxApprovers = 64 << 10
	maxList      = 4 << 20
	maxLists     = 10_000
)

// A Signed is one version of a record.
type Signed struct {
	Path   string // below the store's root
	Digest string // of its file: plan.DigestOf
}

// A List is what somebody signs: versions of records of one project.
type List struct {
	// Project is where the list counts: the repository's first commit, and the project's folder in it. What
	// was approved in one project is not approved in another.
	Project string
	Records []Signed
}

// first is how the first line of a list begins, which names the project. sha256sum takes it for a comment.
const first = "# keepsake approves in "

const armor = "-----BEGIN SSH SIGNATURE-----\n"

// Text returns the list as it is signed: after the first line that of sha256sum, run in the store's root.
func (l List) Text() []byte {
	var b strings.Builder
	b.WriteString(first + l.Project + "\n")
	for _, r := range l.Records {
		b.WriteString(r.Digest + "  " + r.Path + "\n")
	}
	return []byte(b.String())
}

// ErrList is the error for a file that is no signed list.
var ErrList = errors.New("is no list of records with a signature")

// Parse parses a signed list. The signature is not checked. Whatever Text does not write is refused, so that
// nothing is signed that a person was not shown.
func Parse(file []byte) (l List, signature []byte, err error) {
	i := bytes.Index(file, []byte(armor))
	if i < 0 {
		return l, nil, ErrList
	}
	said, signature := file[:i], file[i:]
	for n, line := range strings.Split(strings.TrimSuffix(string(said), "\n"), "\n") {
		if n == 0 {
			project, ok := strings.CutPrefix(line, first)
			if !ok {
				return List{}, nil, ErrList
			}
			l.Project = project
			continue
		}
		digest, path, ok := strings.Cut(line, "  ")
		if !ok || len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" ||
			plan.CheckRecord(path) != nil {
			return List{}, nil, ErrList
		}
		l.Records = append(l.Records, Signed{path, digest})
	}
	if !bytes.Equal(l.Text(), said) || text.Safe(l.Project) != l.Project || len(l.Records) == 0 {
		return List{}, nil, ErrList
	}
	return l, signature, nil
}

// Read returns the approvers of a store; the error is fs.ErrNotExist if it has none.
func Read(root string) ([]byte, error) { return disk.Read(filepath.Join(root, Name), maxApprovers) }

// Lists returns the paths of the signed lists of a store, below its root.
func Lists(root string) ([]string, error) {
	dir, there, err := disk.Below(root, Folder)
	if !there {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	var all []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), suffix) {
			all = append(all, Folder+"/"+e.Name())
		}
	}
	return all[:min(len(all), maxLists)], err
}

const suffix = ".sig"

// ReadList returns the file of a signed list.
func ReadList(root, path string) ([]byte, error) {
	return disk.Read(filepath.Join(root, filepath.FromSlash(path)), maxList)
}

// Write puts a signed list into a store and returns its path below the root. It is named by its digest, so
// that no two branches write one file, and a merge has no conflict.
func Write(root string, file []byte) (path string, err error) {
	dir, err := disk.MakeBelow(root, Folder, 0o755)
	if err != nil {
		return "", err
	}
	name := plan.DigestOf(file)[:16] + suffix
	return Folder + "/" + name, disk.Write(filepath.Join(dir, name), file, 0o644)
}

// A Tool is the ssh-keygen of this machine.
type Tool struct{ path string }

// ErrNoTool is the error for a machine without ssh-keygen.
var ErrNoTool = errors.New("ssh-keygen is not on this machine")

// FindTool looks for ssh-keygen on PATH, but nowhere in the project: what lies there may have come with it.
func FindTool(project ...string) (Tool, error) {
	if path := layout.FirstOnPath("ssh-keygen", project...); path != "" {
		return Tool{path}, nil
	}
	return Tool{}, ErrNoTool
}

// RefusedError says why a signature does not count. Asked again, ssh-keygen would say the same.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

// Sign returns a list with its signature by the key in a file: a private key, or the public one of a key that
// ssh-agent or a device holds. ssh-keygen asks for a passphrase or a touch at the controlling terminal.
func (t Tool) Sign(ctx context.Context, key string, l List) ([]byte, error) {
	signature, err := t.run(ctx, l.Text(), os.Environ(), "-Y", "sign", "-f", key, "-n", Namespace)
	if err != nil {
		return nil, err
	}
	file := slices.Concat(l.Text(), signature)
	if _, _, err := Parse(file); err != nil {
		return nil, fmt.Errorf("ssh-keygen gave no signature: %w", err)
	}
	return file, nil
}

// Verify returns the principal of approvers who signed a list. The error is a RefusedError if nobody among
// them did; any other error says nothing of the signature.
func (t Tool) Verify(ctx context.Context, approvers, file []byte) (principal string, l List, err error) {
	l, signature, err := Parse(file)
	if err != nil {
		return "", List{}, &RefusedError{err.Error()}
	}
	dir, err := os.MkdirTemp("", "keepsake-")
	if err != nil {
		return "", List{}, err
	}
	defer os.RemoveAll(dir)
	// The bytes that were accepted, and not what the file says by now.
	allowed, sig := filepath.Join(dir, "allowed"), filepath.Join(dir, "sig")
	for path, b := range map[string][]byte{allowed: approvers, sig: signature} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return "", List{}, err
		}
	}
	env := []string{"LC_ALL=C"}
	said, err := t.run(ctx, nil, env, "-Y", "find-principals", "-s", sig, "-f", allowed)
	if err != nil {
		return "", List{}, err
	}
	principal, _, _ = strings.Cut(strings.TrimSpace(string(said)), "\n")
	if _, err := t.run(ctx, l.Text(), env, "-Y", "verify", "-f", allowed, "-I", principal, "-n", Namespace,
		"-s", sig); err != nil {
		return "", List{}, err
	}
	return principal, l, nil
}

// exitRefused is how ssh-keygen ends when it looked and says no. For options that it does not know it ends
// with 1.
const exitRefused = 255

// run runs ssh-keygen and returns what it printed.
func (t Tool) run(ctx context.Context, stdin []byte, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.path, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = bytes.NewReader(stdin), &out, &errs, env
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.Bytes(), nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("ssh-keygen: %w", ctx.Err())
	case !errors.As(err, &exit):
		return nil, fmt.Errorf("ssh-keygen: %w", err)
	}
	why := lastLine(errs.String())
	if exit.ExitCode() == exitRefused {
		return nil, &RefusedError{why}
	}
	return nil, fmt.Errorf("ssh-keygen ended with %d: %s", exit.ExitCode(), why)
}

// lastLine returns the last line that says something.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return text.Shorten(text.Safe(strings.TrimSpace(lines[len(lines)-1])), 200)
}
