package session

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/search/alike"
)

// Limits of what is read of the memory that the client loads. What goes beyond them counts as not loaded.
const (
	maxLoaded      = 64 << 10 // bytes of one file
	maxLoadedFiles = 40
	maxImports     = 5 // how far a file may be imported by others, the client's own limit
	maxAbove       = 8 // folders above the project
)

// Loaded returns what the client loaded into the model's context by itself when the session began: the
// person's and the project's CLAUDE.md, rules that are meant for all paths, what these import, and the
// beginning of MEMORY.md. Of files that changed after since nothing is known to be loaded; the zero time
// stands for any. What can't be read counts as not loaded: what is told twice costs less than what is never
// told.
func (fl *InFlight) Loaded(since time.Time) *alike.Told {
	l := loading{since: since, seen: map[string]bool{}}
	l.told.Split = statements
	client := fl.ClientConfig()
	own := layout.ClientIn(fl.Root)
	l.within = []string{fl.Root, client}
	l.files(layout.Instructions(client)[:1])
	l.rules(layout.Rules(client))
	dir := fl.Root
	for range maxAbove {
		l.files(layout.Instructions(dir))
		up := filepath.Dir(dir)
		if up == dir || layout.ClientIn(dir) == client { // not above the person's home
			break
		}
		dir = up
	}
	l.rules(layout.Rules(own))
	if !autoMemoryOff(client) {
		l.index(filepath.Join(fl.clientsMemory(), memdir.Index))
	}
	return &l.told
}

// LoadedHere is Loaded for what the model still has before it: what was loaded when the session began, or
// when its conversation was compacted.
func (fl *InFlight) LoadedHere() *alike.Told {
	return fl.Loaded(later(fl.State.Started, fl.State.Compaction))
}

// autoMemoryOff reports whether the person turned the client's own memory off, so that it loads none.
func autoMemoryOff(client string) bool {
	if off := os.Getenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY"); off != "" && off != "0" && off != "false" {
		return true
	}
	off := false
	for _, path := range layout.ClientSettings(client) {
		var conf struct {
			On *bool `json:"autoMemoryEnabled"`
		}
		if b, err := ReadSettings(path); err == nil && json.Unmarshal(b, &conf) == nil && conf.On != nil {
			off = !*conf.On
		}
	}
	return off
}

// A loading is the reading of what the client loads.
type loading struct {
	told   alike.Told
	since  time.Time
	within []string // the folders of which the client imports files without asking
	seen   map[string]bool
}

// read returns a file that the client loaded, once.
func (l *loading) read(path string) (b []byte, ok bool) {
	if path == "" || l.seen[path] || len(l.seen) == maxLoadedFiles {
		return nil, false
	}
	b, info, err := disk.ReadInfo(path, maxLoaded)
	if err != nil || !l.since.IsZero() && disk.Changed(info).After(l.since) {
		return nil, false
	}
	l.seen[path] = true
	return b, true
}

func (l *loading) files(paths []string) {
	for _, path := range paths {
		l.file(path, 0)
	}
}

// file adds what a file says, and the files that it imports.
func (l *loading) file(path string, depth int) {
	b, ok := l.read(path)
	if !ok {
		return
	}
	for _, name := range l.add(path, markdown.Parse(b)) {
		if depth < maxImports {
			l.imported(path, name, depth+1)
		}
	}
}

// imported adds a file that another one imports. Of other folders the client asks the person first, and
// nobody here knows the answer.
func (l *loading) imported(by, name string, depth int) {
	path := expandHome(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(by), path)
	}
	for _, dir := range l.within {
		if _, inside := layout.Relative(dir, path); inside && dir != "" {
			l.file(path, depth)
			return
		}
	}
}

// add adds what a file says, block by block, and returns the names of the files that it imports.
func (l *loading) add(path string, doc markdown.Doc) (imports []string) {
	for b := range doc.Blocks {
		switch b.Kind {
		case markdown.Code, markdown.Comment, markdown.Break, markdown.Heading:
			continue
		}
		said := doc.BlockText(b)
		for word := range strings.FieldsSeq(said) {
			if name, ok := strings.CutPrefix(word, "@"); ok && name != "" {
				imports = append(imports, name)
			}
		}
		l.told.Add(path, said)
	}
	return imports
}

// statements returns what a block of Markdown says: all of it, and each of its sentences.
func statements(block string) []string {
	plain := markdown.PlainText(block)
	all := []string{plain}
	if sentences := triage.Sentences(plain); len(sentences) > 1 {
		for _, s := range sentences {
			all = append(all, s.Text)
		}
	}
	return all
}

// rules adds the rules below a folder that are meant for all paths.
func (l *loading) rules(dir string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !markdown.HasExt(path) || len(l.seen) == maxLoadedFiles {
			return nil // a folder that can't be read has none
		}
		if b, ok := l.read(path); ok {
			if doc := markdown.Parse(b); !doc.Front.Has("paths") {
				l.add(path, doc)
			}
		}
		return nil
	})
}

// index adds the part of MEMORY.md that the client loads.
func (l *loading) index(path string) {
	b, ok := l.read(path)
	if !ok {
		return
	}
	doc := markdown.Parse(b[:min(len(b), memdir.ClientBytes)])
	doc.Lines = doc.Lines[:min(len(doc.Lines), memdir.ClientLines)]
	l.add(path, doc)
}
