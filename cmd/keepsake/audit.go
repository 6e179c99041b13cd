package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/paths"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/store"
)

type auditCmd struct {
	Yes  bool `help:"Take them out without asking. Not for an agent."`
	JSON bool `help:"Print one JSON object, and take nothing out without --yes."`
}

func (auditCmd) Help() string {
	return `Looks for secrets in all that Keepsake stored: this project's memories with their history and what was set aside, notes, drawers, what the gate asked, logs, states of sessions, unsaved work, caches. It prints the file, the line and the kind of each, never the secret, and takes them out after your yes: records stay valid, and plans can still be undone.

What is yours it only names: Markdown memories and their copies (keepsake md snapshot brings those back byte for byte), settings, and commits of git. Whoever read a secret may have it: make a new one. Exits with 1 while anything is left.

Examples:

    keepsake records audit
    keepsake records audit --json
    keepsake records audit --yes`
}

// auditJSON is what audit prints with --json.
type auditJSON struct {
	Found   []auditFound `json:"found"`
	Git     []auditGit   `json:"git"`
	Cleaned []string     `json:"cleaned"` // files from which they were taken out
	Left    int          `json:"left"`    // how many are still there, but for git
	Unread  []string     `json:"unread"`  // files that could not be looked at
}

// auditFound is one secret in a file.
type auditFound struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Kind string `json:"kind"`
	Mine bool   `json:"yours"` // the person's own: named, and left as it is
}

// auditGit is one secret that a commit has put into a file of the stores.
type auditGit struct {
	Commit string `json:"commit"`
	Path   string `json:"path"`
	Kind   string `json:"kind"`
}

// A vault is a place where Keepsake stores, and how it is cleaned.
type vault struct {
	root string
	how  cleaning
	only func(path string) bool // of the files below root; nil: all
}

// cleaning says what becomes of the secrets in the files of a vault.
type cleaning byte

const (
	asText  cleaning = iota // the file is withoutSecrets in its form: text, JSON or JSON lines
	byStore                 // by the store of the project's records
	byLog                   // by the history of Markdown memories
	anew                    // the file is a cache: it goes, and is made anew
	theirs                  // the person's own: it stays
)

// maxAudited is the largest file that is looked at, in bytes.
const maxAudited = 256 << 20

func (v auditCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Yes {
		if err := c.person.alone(); err != nil {
			return &failure{exitPerson, fmt.Errorf("only a person has secrets taken out: %w", err),
				[]string{yourself}}
		}
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	a := audit{call: c, s: s}
	a.look()
	out := auditJSON{Found: []auditFound{}, Git: []auditGit{}, Cleaned: []string{},
		Unread: append([]string{}, a.unread...)}
	cleanable := 0
	for _, f := range a.found {
		out.Found = append(out.Found, f.auditFound)
		said := ""
		if f.Mine {
			said = " (yours: it is left as it is)"
		} else {
			cleanable++
		}
		c.line("%s:%d: %s%s", spelled(f.Path), f.Line, f.Kind, said)
	}
	if out.Git, err = a.git(); err != nil {
		c.note("what git has was not looked at: %v", err)
	}
	for _, g := range out.Git {
		c.line("git %s: %s: %s", g.Commit, spelled(g.Path), g.Kind)
	}
	out.Left = len(a.found)
	if cleanable > 0 {
		yes, err := v.asked(c, cleanable)
		if err != nil {
			return err
		}
		if yes {
			cleaned, err := a.clean()
			if err != nil {
				return failed(err, "keepsake records audit again goes on with the rest")
			}
			out.Cleaned = append(out.Cleaned, cleaned...)
			again := audit{call: c, s: s}
			again.look()
			out.Left = len(again.found)
			c.line("taken out of %s; %d left", count(len(out.Cleaned), "file"), out.Left)
		}
	}
	if len(out.Git) > 0 {
		c.line("Git keeps what was committed: make new secrets, and rewrite the history yourself if it must go.")
	}
	if n := a.others(); len(n) > 0 {
		c.line("Memories of other projects are looked at from there: %s", spelled(strings.Join(n, ", ")))
	}
	if len(a.found)+len(out.Git) == 0 {
		c.line("no secret found in %s", count(a.files, "file"))
	}
	c.value(out)
	if out.Left+len(out.Git)+len(out.Unread) > 0 {
		return quiet{exitFailed}
	}
	return nil
}

// spelled is a path as one line.
func spelled(path string) string { return brief.Line(path) }

// asked reports whether the person wants the secrets taken out.
func (v auditCmd) asked(c *call, n int) (bool, error) {
	if v.Yes || v.JSON {
		return v.Yes, nil
	}
	tty, err := c.person.open()
	if err != nil {
		c.note("%s can be taken out: type keepsake records audit yourself in a terminal outside of Claude Code",
			count(n, "secret"))
		return false, nil
	}
	defer tty.Close()
	question := "Take " + count(n, "secret") + " out? The text around stays. This cannot be undone."
	return ask(tty, bufio.NewReader(tty), question, yesOrNo...) == yes, nil
}

// An audit is one look at everything.
type audit struct {
	*call
	s      *session.Session
	found  []located
	unread []string
	files  int // looked at
}

type located struct {
	auditFound
	how  cleaning
	root string // of its vault, where the vault is cleaned as a whole
}

// vaults are the places where Keepsake stores for this user, and in this project.
func (a *audit) vaults() (all []vault) {
	s := a.s
	markdown := func(path string) bool { return strings.EqualFold(filepath.Ext(path), ".md") }
	all = append(all,
		vault{s.MemoryRoot(), byStore, nil},
		vault{filepath.Join(s.Root, ".agents", "memory"), asText, nil},
		vault{s.Dirs.Drawers(), asText, nil},
		vault{s.Dirs.State, asText, nil},
		vault{s.Dirs.Cache, anew, nil},
		vault{filepath.Dir(s.Desk.Dir), asText, nil},
		vault{s.Dirs.Config, theirs, nil},
	)
	if client := cmp.Or(paths.Client(s.State.Transcript), paths.ClientHere()); client != "" {
		all = append(all, vault{filepath.Dir(paths.Approvals(client)), asText, nil})
	}
	for _, dir := range []string{s.MemoryDir(), s.RootMemoryDir()} {
		if dir != "" {
			all = append(all, vault{dir, theirs, markdown})
		}
	}
	return all
}

// look reads every file of every vault, each once.
func (a *audit) look() {
	seen := map[string]bool{}
	for _, v := range a.vaults() {
		if v.root == "" {
			continue
		}
		// the store follows no link
		if real, err := filepath.EvalSymlinks(v.root); err == nil && v.how != byStore {
			v.root = real
		}
		err := filepath.WalkDir(v.root, func(path string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				a.unread = append(a.unread, path)
				a.note("%s: %v", spelled(path), err)
				return nil
			case !e.Type().IsRegular() || v.only != nil && !v.only(path) || seen[path]:
				return nil
			}
			seen[path] = true
			a.file(v, path)
			return nil
		})
		if err != nil {
			a.note("%s: %v", spelled(v.root), err)
		}
	}
}

// file looks at one file.
func (a *audit) file(v vault, path string) {
	b, err := disk.Read(path, maxAudited)
	if errors.Is(err, fs.ErrNotExist) { // a session has just written it anew
		return
	}
	if err != nil {
		a.unread = append(a.unread, path)
		a.note("%s: not looked at: %v", spelled(path), err)
		return
	}
	a.files++
	how, root := v.how, v.root
	rel, _ := filepath.Rel(v.root, path)
	parts := strings.Split(rel, string(filepath.Separator))
	switch {
	case how == byStore && rel == "memory-config.json":
		how = theirs
	case how == asText && slices.Contains(parts, "snapshots"): // brought back byte for byte, by their digests
		how = theirs
	case how == asText && slices.Contains(parts, ".history"):
		how, root = byLog, path[:strings.LastIndex(path, string(filepath.Separator)+".history")]
	}
	text := string(b)
	line, at := 1, 0
	for _, f := range secret.Find(text) {
		line += strings.Count(text[at:f.From], "\n")
		at = f.From
		a.found = append(a.found, located{auditFound{path, line, f.Kind, how == theirs}, how, root})
	}
}

// clean takes out what was found, and returns the files from which it was.
func (a *audit) clean() (cleaned []string, err error) {
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
			cleaned = append(cleaned, filepath.Join(root, filepath.FromSlash(path)))
		}
	}
	for _, f := range a.found {
		if done[f.Path] {
			continue
		}
		switch f.how {
		case byStore:
			whole(f.root, func() ([]string, error) { return a.s.Store().Scrub(a.ctx, secret.Redact) })
		case byLog:
			whole(f.root, func() ([]string, error) {
				return store.ScrubHistory(a.ctx, f.root,
					secret.Redact)
			})
		case anew, asText:
			done[f.Path] = true
			if err := withoutSecrets(f.Path, f.how == anew); err != nil {
				errs = append(errs, err)
				continue
			}
			cleaned = append(cleaned, f.Path)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return cleaned, err
	}
	// What is derived is made anew of what is left.
	if _, err := os.Lstat(a.s.MemoryRoot()); err != nil {
		return cleaned, nil
	}
	ix, err := a.s.Store().Rebuild()
	if err != nil {
		return cleaned, err
	}
	return cleaned, ix.Close()
}

// withoutSecrets takes the secrets out of one file, in its form and with its mode, or
// removes it where it is made anew.
func withoutSecrets(path string, cache bool) error {
	b, info, err := disk.ReadInfo(path, maxAudited)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if cache {
		return disk.Remove(path)
	}
	if !utf8.Valid(b) {
		return fmt.Errorf("%s: is no text, so nothing was taken out; hint: delete it if you can do without",
			path)
	}
	return disk.Write(path, redactedFile(path, b), info.Mode().Perm())
}

// redactedFile is a file without its secrets, in the form that it has.
func redactedFile(path string, b []byte) []byte {
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
	}
	return []byte(secret.Redact(string(b)))
}

// others are the homes of other projects of which Keepsake knows sessions.
func (a *audit) others() (homes []string) {
	keys, err := os.ReadDir(a.s.Dirs.State)
	if err != nil {
		return nil
	}
	for _, k := range keys {
		all, err := stage.Sessions{Dir: filepath.Join(a.s.Dirs.State, k.Name(), "sessions")}.All()
		if err != nil || !k.IsDir() {
			continue
		}
		for _, st := range all {
			if st.Home != "" && st.Home != a.s.Place.Home && !slices.Contains(homes, st.Home) {
				homes = append(homes, st.Home)
			}
		}
	}
	return homes
}

// git returns the secrets that commits have put into the files of the project's stores,
// each once, by the latest commit that did. It only reads.
func (a *audit) git() (all []auditGit, err error) {
	all = []auditGit{}
	dir := a.s.Root
	if _, err := git(a.ctx, dir, "rev-parse", "--git-dir"); err != nil {
		return all, nil // no repository, or no git
	}
	seen := map[auditGit]bool{}
	for _, root := range []string{a.s.MemoryRoot(), filepath.Join(a.s.Root, ".agents", "memory")} {
		rel, err := filepath.Rel(dir, root)
		if err != nil || strings.HasPrefix(rel, "..") {
			continue
		}
		out, err := git(a.ctx, dir, "log", "--all", "--no-color", "--no-ext-diff", "--no-textconv",
			"--unified=0",
			"--format=commit %h", "-p", "--", filepath.ToSlash(rel))
		if err != nil {
			return all, err
		}
		commit, path := "", ""
		for line := range strings.Lines(out) {
			switch {
			case strings.HasPrefix(line, "commit "):
				commit = strings.TrimSpace(line[len("commit "):])
			case strings.HasPrefix(line, "+++ b/"):
				path = strings.TrimSpace(line[len("+++ b/"):])
			case strings.HasPrefix(line, "+"):
				for _, f := range secret.Find(line[1:]) {
					if g := (auditGit{commit, path, f.Kind}); !seen[g] {
						seen[g] = true
						all = append(all, g)
					}
				}
			}
		}
	}
	return all, nil
}
