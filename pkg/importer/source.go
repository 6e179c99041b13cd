// Package importer reads memories from other places, and keeps the plan of an import until somebody
// approves it.
package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/disk"
	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/layout"
	"keepsake/pkg/libexec"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/mdwalk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// The kinds of sources.
const (
	Store  = "store"       // records
	Notes  = "auto-memory" // a folder of the client's notes
	Rules  = "rules"       // a CLAUDE.md
	Export = "export"
)

// Source is a source with the memories that were read from it.
type Source struct {
	Kind, Path string
	Offers     []exchange.Offer
	Passed     []exchange.Passed // parts of the source that became no memory

	markdown libexec.Program
}

// maxExport is the largest export that is read, maxReading the largest answer to one text of Markdown,
// both in bytes.
const (
	maxExport  = 256 << 20
	maxReading = 64 << 20
)

// ErrOwnStore is the error for a source that is the project's own store.
var ErrOwnStore = errors.New("is the store of this project")

// Read reads the source at path. An empty kind is found out by what is there. With all it takes every
// entry of the lists of a CLAUDE.md, and not only those that look like rules. Secrets are taken out.
func Read(ctx context.Context, s *session.Session, path, kind string, all bool) (*Source, error) {
	src := &Source{Kind: kind, Path: path,
		markdown: libexec.Program{Ctx: ctx, Name: "parsers", Task: "reading",
			Does: "reads Markdown", Most: maxReading}}
	defer src.markdown.End()
	var err error
	if src.Kind == "" {
		if src.Kind, err = kindOf(path); err != nil {
			return src, err
		}
	}
	switch src.Kind {
	case Store:
		err = src.readStore(s)
	case Notes:
		err = src.readNotes()
	case Rules:
		err = src.readRules(all)
	default:
		err = src.readExport()
	}
	for i := range src.Offers {
		src.Offers[i].Redact()
	}
	return src, err
}

// Plan returns the plan that adds the source's offers to the records there, and the outcome of each
// offer. An offer that was not a record before gets the branch and the commit as its origin.
func (src *Source) Plan(there store.Loaded, branch, commit string) (plan.Plan, []exchange.Outcome) {
	for _, o := range src.Offers {
		if p := o.Provenance; p != nil && p.Origin == exchange.Origin {
			p.Branch, p.Commit = branch, commit
		}
	}
	var taken []string
	for _, b := range there.Bad {
		taken = append(taken, b.Path)
	}
	return exchange.Plan(src.Offers, there.Records, taken)
}

// kindOf returns the kind of the source at path, found out by what is there.
func kindOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".json":
			return Export, nil
		case ".md":
			return Rules, nil
		}
		return "", fmt.Errorf("%s: is neither .json nor .md; hint: say what it is with --as", path)
	}
	if storeOf(path) != "" {
		return Store, nil
	}
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".md") {
			return Notes, nil
		}
	}
	return "",
		fmt.Errorf("%s: has neither memories nor notes; hint: name a project with .claude/memory, that "+
			"folder itself, or a folder of Markdown notes", path)
}

// storeOf returns the store at dir, or the one of the project at dir; "" if there is neither.
func storeOf(dir string) string {
	for _, root := range []string{layout.StoreIn(dir), dir} {
		for _, cat := range memory.Categories() {
			if info, err := os.Lstat(filepath.Join(root, cat.Folder())); err == nil && info.IsDir() {
				return root
			}
		}
	}
	return ""
}

func (src *Source) readStore(s *session.Session) error {
	root := storeOf(src.Path)
	if root == "" {
		return fmt.Errorf("%s: has no memories; hint: name a project with .claude/memory, or that folder "+
			"itself",
			src.Path)
	}
	if isSameFile(root, s.MemoryRoot()) {
		return fmt.Errorf("%s: %w", root, ErrOwnStore)
	}
	src.Path = root
	loaded, err := store.Open(root, store.Options{}).Load()
	if err != nil {
		return err
	}
	for _, r := range loaded.Records {
		src.Offers = append(src.Offers, exchange.FromStore(r))
	}
	for _, b := range loaded.Bad {
		src.Passed = append(src.Passed, exchange.Passed{From: b.Path, Why: b.Err.Error()})
	}
	return nil
}

func isSameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func (src *Source) readExport() error {
	b, err := disk.Read(src.Path, maxExport)
	if err != nil {
		return err
	}
	if src.Offers, src.Passed, err = exchange.Unbundle(b); err != nil {
		return fmt.Errorf("%s: %w", src.Path, err)
	}
	return nil
}

func (src *Source) readNotes() error {
	var trouble error // the first error; no more notes are taken after it
	err := mdwalk.Walk(src.Path, func(n mdwalk.Note) {
		kind := exchange.Note
		if n.Name == memdir.Index {
			kind = exchange.Index
		}
		if trouble == nil {
			trouble = src.take(exchange.Text{Kind: kind, File: n.Name, Bytes: n.Bytes, At: n.Modified.Unix()})
		}
	}, func(name, why string) {
		src.Passed = append(src.Passed, exchange.Passed{From: name, Why: why})
	})
	return cmp.Or(trouble, err)
}

// readRules reads a file of rules. Their date is the file's time, as nothing better is known.
func (src *Source) readRules(all bool) error {
	b, info, err := disk.ReadInfo(src.Path, exchange.MaxText)
	if err != nil {
		return err
	}
	return src.take(exchange.Text{Kind: exchange.Rules, File: src.Path, Bytes: b, At: info.ModTime().Unix(),
		All: all})
}

// take adds the offers that a text holds, and the parts of it that became none.
func (src *Source) take(t exchange.Text) error {
	var found exchange.Reading
	err := src.markdown.Ask(t.File, t, &found)
	src.Offers, src.Passed = append(src.Offers, found.Offers...), append(src.Passed, found.Passed...)
	return err
}

// Only keeps the offers with these ids, in the order of ids. It returns the first id that the source does
// not have, or "".
func (src *Source) Only(ids []string) (missing string) {
	var out []exchange.Offer
	for _, id := range ids {
		i := 0
		for i < len(src.Offers) && src.Offers[i].ID != id {
			i++
		}
		if i == len(src.Offers) {
			return id
		}
		out = append(out, src.Offers[i])
	}
	src.Offers, src.Passed = out, nil
	return ""
}
