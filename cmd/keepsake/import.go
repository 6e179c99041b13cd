package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/exchange"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memory"
	"keepsake/pkg/notes"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
	"keepsake/pkg/store"
)

type importCmd struct {
	Source     string   `arg:"" optional:"" help:"A memory folder, a project that has one, a folder of notes of the client's own memory, a CLAUDE.md, or an export."`
	AutoMemory bool     `help:"Import the client's own memory of this project."`
	As         string   `help:"What the source is, when it can't be told by itself: store, auto-memory, rules or export." placeholder:"KIND" enum:",store,auto-memory,rules,export" default:""`
	All        bool     `help:"Of a CLAUDE.md, take every entry of a list, not only those that tell how to do things."`
	Only       []string `help:"Import only the memories with these ids." placeholder:"ID" sep:","`
	Apply      bool     `help:"Write at once what would be planned. Not for a CLAUDE.md: which of its rules are worth keeping is for a person to say."`
	changeFlags
}

func (importCmd) Help() string {
	return `Brings memories from elsewhere into this project. An import only adds: what is here already stays as it is, whatever its name or status, and a name that is taken gets a number. Secrets are redacted. Importing the same again adds nothing.

Without --apply the plan waits on the stage, and "keepsake records apply DIGEST" writes it.

A store (also one of claude-memory) comes with history and status. A note of the client's memory becomes a preference (user, feedback), a decision or a constraint (project, by its words) or a runbook (reference), with its text whole. Rules of a CLAUDE.md become preferences.

Examples:

    keepsake records import ../other-project
    keepsake records import --auto-memory --dry-run
    keepsake records import CLAUDE.md --only use-tabs,wrap-errors
    keepsake records import memories.json --apply`
}

// importJSON is what import --json prints.
type importJSON struct {
	Source  string             `json:"source"`
	Kind    string             `json:"kind"`
	Digest  string             `json:"digest,omitempty"` // of the plan; none when there is nothing to add
	Added   bool               `json:"added"`            // written, not only planned
	Offers  []exchange.Outcome `json:"offers"`
	Passed  []exchange.Passed  `json:"passed"` // what the source has and no memory was made of
	Created int                `json:"created"`
}

// importFile is import.json on the stage: the plan of an import that waits.
type importFile struct {
	Version int       `json:"version"`
	Digest  string    `json:"digest"`
	Made    time.Time `json:"made_at"`
	Root    string    `json:"root"`
	Source  string    `json:"source"`
	Plan    plan.Plan `json:"plan"`
}

const importName = "import.json"

func (v importCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.staged()
	if err != nil {
		return err
	}
	src, err := v.source(c, s)
	if err != nil {
		return err
	}
	if src.kind == kindRules && v.Apply {
		return usage("--apply: a person chooses which rules of %s to keep: look at the plan, and apply it by its digest", filepath.Base(src.path))
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return err
	}
	var taken []string
	for _, b := range loaded.Bad {
		c.note("%s: %v", b.Path, b.Err)
		taken = append(taken, b.Path)
	}
	for i := range src.offers {
		redactOffer(&src.offers[i])
	}
	if len(v.Only) > 0 {
		if src.offers, err = chosen(src.offers, v.Only); err != nil {
			return err
		}
		src.passed = nil
	}
	branch, commit := s.Head(c.cwd)
	for _, o := range src.offers {
		if p := o.Provenance; p != nil && p.Origin == exchange.Origin {
			p.Branch, p.Commit = branchText(branch), commit
		}
	}
	p, outcomes := exchange.Plan(src.offers, loaded.Records, taken)
	out := importJSON{
		Source: src.path, Kind: src.kind, Created: len(p.Edits),
		Offers: append([]exchange.Outcome{}, outcomes...), Passed: append([]exchange.Passed{}, src.passed...),
	}
	c.line("%s %s", src.kind, brief.Line(src.path))
	tellImport(c, out)
	switch {
	case len(p.Edits) == 0:
		c.line("nothing to add")
	case v.DryRun || v.Apply:
		if err := c.change(recordsOf(s), p, changeFlags{DryRun: v.DryRun, Diff: v.Diff}); err != nil {
			return err
		}
		out.Digest, out.Added = p.Digest(), !v.DryRun
		if out.Added {
			c.line("%s", noteImport(c, s, p))
		}
	default:
		if v.Diff {
			c.diff(brief.Plan(p, recordsOf(s).before))
		}
		out.Digest = p.Digest()
		f := importFile{planVersion, out.Digest, c.now().UTC(), s.Root, src.path, p}
		b, err := json.MarshalIndent(f, "", "  ")
		if err == nil {
			err = s.Desk.Write(importName, append(b, '\n'))
		}
		if err != nil {
			return err
		}
		c.line("plan %s", out.Digest)
		c.line("next: keepsake records apply %s", out.Digest[:12])
	}
	c.value(out)
	if refused := slices.ContainsFunc(outcomes, func(o exchange.Outcome) bool { return o.State == exchange.Rejected }); refused {
		return quiet{exitFailed}
	}
	return nil
}

// tellImport says what becomes of everything in the source.
func tellImport(c *call, out importJSON) {
	for _, o := range out.Offers {
		switch o.State {
		case exchange.Create:
			c.line("  create %s  %s (%s)", brief.Line(o.Path), brief.Line(o.Title), brief.Line(o.From))
		case exchange.Nothing:
			c.line("  skip %s: %s %s", brief.Line(o.From), brief.Line(o.Path), brief.Line(o.Reason))
		default:
			c.line("  reject %s: %s", brief.Line(o.From), cut(brief.Line(o.Reason), reasonRunes))
		}
		for _, n := range o.Notes {
			c.line("    %s", brief.Line(n))
		}
	}
	for _, p := range out.Passed {
		c.line("  pass %s: %s", brief.Line(p.From), brief.Line(p.Why))
	}
}

// chosen are the offers with these ids.
func chosen(offers []exchange.Offer, ids []string) (out []exchange.Offer, err error) {
	for _, id := range ids {
		i := slices.IndexFunc(offers, func(o exchange.Offer) bool { return o.ID == id })
		if i < 0 {
			return nil, usage("--only %s: the source has no such memory", id)
		}
		out = append(out, offers[i])
	}
	return out, nil
}

// redactOffer takes secrets out of all that an offer says, and out of a name
// that was made from it or is one.
func redactOffer(o *exchange.Offer) {
	named := o.ID == memory.Slug(o.Title) || secret.Redact(o.ID) != o.ID
	o.Record = o.Record.Rewrite(secret.Redact)
	if named {
		o.ID = memory.Slug(o.Title)
	}
}

// noteImport leaves word of an import for the session and returns the line that
// tells of it.
func noteImport(c *call, s *session.Session, p plan.Plan) string {
	by := map[string]int{}
	for _, e := range p.Edits {
		by[e.Category]++
	}
	var parts []string
	for _, cat := range memory.Categories() {
		if n := by[string(cat)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, cat))
		}
	}
	line := "Imported: " + strings.Join(parts, ", ")
	err := s.Update(func(st *stage.State) error {
		st.Result = &stage.Result{At: c.now().UTC(), Line: line}
		if d := p.Digest(); !slices.Contains(st.Digests, d) {
			st.Digests = append(st.Digests, d)
		}
		return nil
	})
	if err != nil {
		c.note("session state: %v", err) // the memories are written
	}
	return line
}

// waitingImport is the import on the stage, if it is the one with this digest. One
// of a newer keepsake is an error that names it.
func waitingImport(s *session.Session, digest string) (f importFile, ok bool, err error) {
	b, err := s.Desk.Read(importName)
	if err != nil {
		return f, false, nil // none, or none that can be read
	}
	var v struct{ Version int }
	if err := json.Unmarshal(b, &v); err == nil && v.Version > planVersion {
		return f, false, fmt.Errorf("%s: version %d was written by a newer keepsake", filepath.Join(s.Desk.Dir, importName), v.Version)
	}
	ok = json.Unmarshal(b, &f) == nil && f.Plan.Digest() == f.Digest && strings.HasPrefix(f.Digest, digest)
	return f, ok, nil
}

// applyImport writes the import that waits on the stage.
func applyImport(c *call, s *session.Session, f importFile) error {
	if f.Root != s.Root {
		return failed(fmt.Errorf("the plan was made for %s, this is %s", f.Root, s.Root), "import again")
	}
	if !applied(s, f.Digest) {
		if err := write(c.ctx, s, f.Plan, nil); err != nil {
			return err
		}
		if err := s.Trust(f.Plan, nil, c.person.alone() == nil, c.now().UTC()); err != nil {
			return fmt.Errorf("imported, but not written down: %w", err)
		}
	}
	line := noteImport(c, s, f.Plan)
	if _, err := s.Desk.Remove(importName); err != nil {
		return fmt.Errorf("imported, but the plan stays on the stage: %w", err)
	}
	_ = os.Remove(s.Desk.Dir) // only when empty
	c.line("%s", line)
	c.value(applyJSON{Line: line, Saved: []draft{}, Kept: []draft{}})
	return nil
}

// The kinds of sources.
const (
	kindStore  = "store"
	kindNotes  = "auto-memory"
	kindRules  = "rules"
	kindExport = "export"
)

// A source is what was read of one.
type source struct {
	kind, path string
	offers     []exchange.Offer
	passed     []exchange.Passed
}

func (v importCmd) source(c *call, s *session.Session) (source, error) {
	path := v.Source
	switch {
	case v.AutoMemory && path != "":
		return source{}, usage("--auto-memory and %s: want one of them", path)
	case v.AutoMemory:
		path, v.As = s.MemoryDir(), kindNotes
		if _, err := os.Stat(path); err != nil {
			return source{}, failed(err, "the client keeps no memory of this project there; name the folder if autoMemoryDirectory moved it")
		}
	case path == "":
		return source{}, usage("import: what? Name a folder or a file, or say --auto-memory")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.cwd, path)
	}
	src := source{kind: v.As, path: path}
	if src.kind == "" {
		var err error
		if src.kind, err = kindOf(path); err != nil {
			return src, err
		}
	}
	markdown := sibling{ctx: c.ctx, name: "reading", does: "reads Markdown", most: maxReading}
	defer markdown.end()
	switch src.kind {
	case kindStore:
		return src, src.readStore(s)
	case kindNotes:
		return src, src.readNotes(&markdown)
	case kindRules:
		return src, src.readRules(&markdown, v.All)
	}
	return src, src.readExport()
}

// maxExport bounds an export that is read, maxReading what comes of one text of
// Markdown, both in bytes.
const (
	maxExport  = 256 << 20
	maxReading = 64 << 20
)

// kindOf tells what a source is by what is there.
func kindOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".json":
			return kindExport, nil
		case ".md":
			return kindRules, nil
		}
		return "", failed(fmt.Errorf("%s: is neither .json nor .md", path), "say what it is with --as")
	}
	if storeOf(path) != "" {
		return kindStore, nil
	}
	if names, _ := filepath.Glob(filepath.Join(globbed(path), "*.md")); len(names) > 0 {
		return kindNotes, nil
	}
	return "", failed(fmt.Errorf("%s: has neither memories nor notes", path), "name a project with .claude/memory, that folder itself, or a folder of Markdown notes")
}

// globbed keeps a path with pattern characters from being a pattern.
func globbed(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// storeOf is the store that a folder is or has, "" for none.
func storeOf(dir string) string {
	for _, root := range []string{filepath.Join(dir, ".claude", "memory"), dir} {
		for _, cat := range memory.Categories() {
			if info, err := os.Lstat(filepath.Join(root, cat.Folder())); err == nil && info.IsDir() {
				return root
			}
		}
	}
	return ""
}

func (src *source) readStore(s *session.Session) error {
	root := storeOf(src.path)
	if root == "" {
		return failed(fmt.Errorf("%s: has no memories", src.path), "name a project with .claude/memory, or that folder itself")
	}
	if sameFile(root, s.MemoryRoot()) {
		return usage("%s: is the store of this project", root)
	}
	src.path = root
	loaded, err := store.Open(root, store.Options{}).Load()
	if err != nil {
		return err
	}
	for _, r := range loaded.Records {
		src.offers = append(src.offers, exchange.FromStore(r))
	}
	for _, b := range loaded.Bad {
		src.passed = append(src.passed, exchange.Passed{From: b.Path, Why: b.Err.Error()})
	}
	return nil
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func (src *source) readExport() error {
	b, err := disk.Read(src.path, maxExport)
	if err != nil {
		return err
	}
	if src.offers, src.passed, err = exchange.Unbundle(b); err != nil {
		return fmt.Errorf("%s: %w", src.path, err)
	}
	return nil
}

func (src *source) readNotes(markdown *sibling) error {
	var trouble error // the first ends it
	err := notes.Walk(src.path, func(n notes.Note) {
		kind := exchange.Note
		if n.Name == memdir.Index {
			kind = exchange.Index
		}
		if trouble == nil {
			trouble = src.take(markdown, exchange.Text{Kind: kind, File: n.Name, Bytes: n.Bytes, At: n.Modified.Unix()})
		}
	}, func(name, why string) {
		src.passed = append(src.passed, exchange.Passed{From: name, Why: why})
	})
	return cmp.Or(trouble, err)
}

// readRules reads a file of rules. When it was last written is what is known of when
// they were true.
func (src *source) readRules(markdown *sibling, all bool) error {
	b, info, err := disk.ReadInfo(src.path, exchange.MaxText)
	if err != nil {
		return err
	}
	return src.take(markdown, exchange.Text{Kind: exchange.Rules, File: src.path, Bytes: b, At: info.ModTime().Unix(), All: all})
}

// take adds what a text has.
func (src *source) take(markdown *sibling, t exchange.Text) error {
	var found exchange.Reading
	err := markdown.ask(t.File, t, &found)
	src.offers, src.passed = append(src.offers, found.Offers...), append(src.passed, found.Passed...)
	return err
}
