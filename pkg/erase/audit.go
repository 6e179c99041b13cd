package erase

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/git"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/store"
)

// Found is one secret in a file.
type Found struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Kind string `json:"kind"`
	Mine bool   `json:"yours"` // the person's own: named, and left as it is

	how  cleaning
	root string // of its vault, where the vault is cleaned as a whole
}

// Committed is one secret that a commit has put into a file of the stores.
type Committed struct {
	Commit string `json:"commit"`
	Path   string `json:"path"`
	Kind   string `json:"kind"`
}

// Audit is one look at everything.
type Audit struct {
	Found   []Found     `json:"found"`
	Git     []Committed `json:"git"`
	Cleaned []string    `json:"cleaned"` // files from which they were taken out
	Left    int         `json:"left"`    // how many are still there, but for git
	Unread  []string    `json:"unread"`  // files that could not be looked at
	Files   int         `json:"-"`       // looked at

	s    *session.Session
	warn func(path string, err error)
}

// LookForSecrets reads every file of every place where Keepsake stores, each once. warn hears of
// those that can't be read.
func LookForSecrets(s *session.Session, warn func(path string, err error)) *Audit {
	a := &Audit{s: s, warn: warn, Found: []Found{}, Git: []Committed{}, Cleaned: []string{},
		Unread: []string{}}
	fail := func(path string, err error) {
		a.Unread = append(a.Unread, path)
		warn(path, err)
	}
	seen := map[string]bool{}
	for _, v := range vaultsOf(s) {
		if v.how != byStore && v.root != "" { // the store follows no link
			v.root = layout.Resolved(v.root)
		}
		v.walk(nil, func(path string) {
			if seen[path] {
				return
			}
			seen[path] = true
			if err := a.read(v, path); err != nil {
				fail(path, fmt.Errorf("not looked at: %w", err))
			}
		}, fail)
	}
	a.Left = len(a.Found)
	return a
}

// read searches one file for secrets.
func (a *Audit) read(v vault, path string) error {
	b, err := disk.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) { // a session has just written it anew
		return nil
	}
	if err != nil {
		return err
	}
	a.Files++
	how, root := cleaningOf(v, path)
	text := string(b)
	line, at := 1, 0
	for _, f := range secret.Find(text) {
		line += strings.Count(text[at:f.From], "\n")
		at = f.From
		a.Found = append(a.Found, Found{path, line, f.Kind, how == theirs, how, root})
	}
	return nil
}

// cleaningOf returns how one file of a vault is cleaned, and what is cleaned with it.
func cleaningOf(v vault, path string) (how cleaning, root string) {
	rel, _ := filepath.Rel(v.root, path)
	parts := strings.Split(rel, string(filepath.Separator))
	switch {
	case v.how == byStore && rel == "memory-config.json":
		return theirs, v.root
	// brought back byte for byte, by their digests
	case v.how == asText && slices.Contains(parts, "snapshots"):
		return theirs, v.root
	case v.how == asText && slices.Contains(parts, ".history"):
		return byLog, path[:strings.LastIndex(path, string(filepath.Separator)+".history")]
	}
	return v.how, v.root
}

// Cleanable returns how many of the secrets are not the person's own to take out.
func (a *Audit) Cleanable() (n int) {
	for _, f := range a.Found {
		if !f.Mine {
			n++
		}
	}
	return n
}

// Clean takes out what was found, and looks what is left.
func (a *Audit) Clean(ctx context.Context) error {
	done := map[string]bool{}
	var errs []error
	whole := func(root string, scrub func() ([]string, error)) {
		if done[root] {
			return
		}
		done[root] = true
		changed, err := scrub()
		errs = append(errs, err)
		for _, path := range changed {
			a.Cleaned = append(a.Cleaned, filepath.Join(root, filepath.FromSlash(path)))
		}
	}
	for _, f := range a.Found {
		switch {
		case done[f.Path]:
		case f.how == byStore:
			whole(f.root, func() ([]string, error) { return a.s.Store().Scrub(ctx, secret.Redact) })
		case f.how == byLog:
			whole(f.root, func() ([]string, error) { return store.ScrubHistory(ctx, f.root, secret.Redact) })
		case f.how == anew, f.how == asText:
			done[f.Path] = true
			if err := cleanFile(f.Path, f.how == anew); err != nil {
				errs = append(errs, err)
			} else {
				a.Cleaned = append(a.Cleaned, f.Path)
			}
		}
	}
	err := errors.Join(errs...)
	// What is derived is made anew of what is left.
	if _, serr := os.Lstat(a.s.MemoryRoot()); err == nil && serr == nil {
		err = rebuildIndex(a.s)
	}
	if err == nil {
		a.Left = len(LookForSecrets(a.s, a.warn).Found)
	}
	return err
}

// rebuildIndex makes the search index anew of the records that there are.
func rebuildIndex(s *session.Session) error {
	ix, err := s.Store().Rebuild()
	if err != nil {
		return err
	}
	return ix.Close()
}

// cleanFile takes the secrets out of one file, in its form and with its mode, or
// removes it where it is made anew.
func cleanFile(path string, cache bool) error {
	b, info, err := disk.ReadInfo(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case cache:
		return disk.Remove(path)
	case !utf8.Valid(b):
		return fmt.Errorf("%s: is no text, so nothing was taken out; hint: delete it if you can do without",
			path)
	}
	return disk.Write(path, redactFile(path, b), info.Mode().Perm())
}

// redactFile returns a file without its secrets, in the form that it has.
func redactFile(path string, b []byte) []byte {
	switch filepath.Ext(path) {
	case ".json":
		if json.Valid(b) {
			return secret.RedactJSON(b)
		}
	case ".jsonl", ".1", ".log":
		lines := bytes.SplitAfter(b, []byte("\n"))
		for i, l := range lines {
			if json.Valid(l) {
				lines[i] = secret.RedactJSON(l)
			} else {
				lines[i] = []byte(secret.Redact(string(l)))
			}
		}
		return bytes.Join(lines, nil)
	case ".packed":
		if all, err := guard.Unpack(b); err == nil {
			return guard.Pack(redactRules(all), guard.Basis(b))
		}
	}
	return []byte(secret.Redact(string(b)))
}

// redactRules returns rules of guards without secrets.
func redactRules(all []guard.Rule) (clean []guard.Rule) {
	for _, r := range all {
		b, _ := json.Marshal(r) // of strings
		var next guard.Rule
		if json.Unmarshal(secret.RedactJSON(b), &next) == nil && next.Valid() == nil {
			clean = append(clean, next)
		}
	}
	return clean
}

// OtherProjects returns the homes of other projects of which Keepsake knows sessions.
func OtherProjects(s *session.Session) (homes []string) {
	states, _ := s.Dirs.States() // what can't be listed has none that is known
	for _, state := range states {
		all, err := stage.Sessions{Dir: state.Sessions()}.All()
		if err != nil {
			continue
		}
		for _, st := range all {
			if st.Home != "" && st.Home != s.Place.Home && !slices.Contains(homes, st.Home) {
				homes = append(homes, st.Home)
			}
		}
	}
	return homes
}

// auditTime is how long git may take to print all that was ever committed of the stores.
const auditTime = 2 * time.Minute

// LookInGit adds the secrets that commits have put into the files of the project's stores, each once, by
// the latest commit that did. It only reads.
func (a *Audit) LookInGit(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, auditTime)
	defer stop()
	s := a.s
	if _, err := git.Run(ctx, s.Root, "rev-parse", "--git-dir"); err != nil {
		return nil // no repository, or no git
	}
	for _, root := range []string{s.MemoryRoot(), s.Place.Agents()} {
		rel, err := filepath.Rel(s.Root, root)
		if err != nil || strings.HasPrefix(rel, "..") {
			continue
		}
		log, err := git.Run(ctx, s.Root, "log", "--all", "--no-color", "--no-ext-diff", "--no-textconv",
			"--unified=0", "--format=commit %h", "-p", "--", filepath.ToSlash(rel))
		if err != nil {
			return err
		}
		for _, c := range secretsInLog(log) {
			if !slices.Contains(a.Git, c) {
				a.Git = append(a.Git, c)
			}
		}
	}
	return nil
}

// secretsInLog returns the secrets in the lines that commits added, by the output of git log.
func secretsInLog(log string) (all []Committed) {
	seen := map[Committed]bool{}
	commit, path := "", ""
	for line := range strings.Lines(log) {
		switch {
		case strings.HasPrefix(line, "commit "):
			commit = strings.TrimSpace(line[len("commit "):])
		case strings.HasPrefix(line, "+++ b/"):
			path = strings.TrimSpace(line[len("+++ b/"):])
		case strings.HasPrefix(line, "+"):
			for _, f := range secret.Find(line[1:]) {
				if c := (Committed{commit, path, f.Kind}); !seen[c] {
					seen[c] = true
					all = append(all, c)
				}
			}
		}
	}
	return all
}
