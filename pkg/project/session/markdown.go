package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A Passage is where a Markdown memory answers a question.
type Passage struct {
	Path    string // absolute
	Line    int    // from 1
	Heading string // the heading that the line stands below; "" for none
	Text    string // the sentence that says most, one line
	Date    string // when the file was last changed: by its frontmatter, else by its modification time
	Score   float64
	Past    bool // it is in the log of a day or an archive, and says what was
	memdir.Doubt
	Stale bool // the file is to be checked before it is relied on
}

// Limits of what is looked through for one question in a directory of memories.
const (
	maxSearched  = 64 << 20  // bytes
	maxJournal   = 512 << 10 // bytes of the lessons
	passageRunes = 160       // the longest text of a passage
)

// Markdown returns up to n passages that q is about in the project's and the root scope's
// directories of Markdown memories, best first and one of each file. It reads every file each time,
// so it is not for a hook. pass is told what was left out and why.
func (md *Memdir) Markdown(q string, n int, now time.Time, pass func(path, why string)) ([]Passage, error) {
	md.Settle()
	var found []Passage
	for _, dir := range md.MemoryDirs() {
		in, err := md.markdownIn(dir, q, n, now, pass)
		if err != nil {
			return nil, err
		}
		found = append(found, in...)
	}
	slices.SortStableFunc(found, currentFirst)
	return found[:min(n, len(found))], nil
}

// currentFirst orders passages: those that say what was come after those that say what is, however well they
// answer, and else the better ones first.
func currentFirst(a, b Passage) int {
	switch {
	case a.Past && !b.Past:
		return 1
	case b.Past && !a.Past:
		return -1
	}
	return cmp.Compare(b.Score, a.Score)
}

func (md *Memdir) markdownIn(dir, q string, n int, now time.Time, pass func(path, why string)) ([]Passage,
	error) {
	d, err := ReadMemories(dir, now, func(name, why string) { pass(filepath.Join(dir, name), why) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	profile := md.profile(d.Files)
	// The journal of lessons lies in a hidden folder, and belongs to no layout.
	journal := filepath.Join(dir, filepath.FromSlash(lessons.Journal))
	if b, info, err := disk.ReadInfo(journal, maxJournal); err == nil {
		d.Files = append(d.Files, memdir.File{Path: lessons.Journal, Bytes: b, Modified: info.ModTime()})
	} else if !errors.Is(err, fs.ErrNotExist) {
		pass(journal, err.Error())
	}
	ix, err := indexFiles(d.Files, func(name, why string) { pass(filepath.Join(dir, name), why) })
	if err != nil {
		return nil, err
	}
	hits, err := ix.Search(records.Query{Text: q, Limit: 8 * n})
	if err != nil {
		return nil, err
	}
	var found []Passage
	for _, h := range hits {
		f := d.Files[slices.IndexFunc(d.Files, func(f memdir.File) bool { return f.Path == h.Path })]
		doc := memdir.Parse(f.Bytes)
		p := Passage{Path: filepath.Join(dir, filepath.FromSlash(h.Path)), Score: h.Score,
			Past: memdir.Past(h.Path)}
		p.Line, p.Text = bestPassage(doc, q)
		if leadsToHit(doc, p.Line, hits) {
			continue
		}
		_, _, p.Heading = doc.HeadingAbove(p.Line - 2)
		p.Text = secret.Redact(p.Text)
		if f.Path != lessons.Journal { // each lesson has days of its own
			p.Doubt, p.Stale = profile.Doubtful(f, false, now)
		}
		p.Date = f.Modified.UTC().Format(time.RFC3339)
		if at, _ := memdir.Updated(doc.Front); !at.IsZero() {
			p.Date = at.Format(time.DateOnly)
		}
		found = append(found, p)
	}
	slices.SortStableFunc(found, currentFirst)
	return found[:min(n, len(found))], nil
}

// leadsToHit reports whether a line of an index leads to a file that was found too.
func leadsToHit(doc markdown.Doc, line int, hits []records.Hit) bool {
	return slices.ContainsFunc(memdir.Refs(doc), func(r memdir.Ref) bool {
		return r.Line == line && slices.ContainsFunc(hits, func(h records.Hit) bool {
			return h.Path == path.Clean(r.Target)
		})
	})
}

// indexFiles returns a search index of files, which is kept nowhere.
func indexFiles(files []memdir.File, pass func(name, why string)) (*records.Index, error) {
	change := records.New().Change()
	size := 0
	for _, f := range files {
		if size += len(f.Bytes); size > maxSearched {
			pass(f.Path, fmt.Sprintf("there are more than %d MiB of memories", maxSearched>>20))
			continue
		}
		about := memdir.AboutOf(f.Bytes[:min(len(f.Bytes), memdir.HeadBytes)])
		// The index knows only records, and their category makes no difference to it.
		change.Put(memory.Stored{Path: f.Path, Record: memory.Record{
			Category: memory.Preference, Status: memory.Active,
			Title: strings.Join([]string{about.Description, about.Title,
				strings.TrimSuffix(f.Path, filepath.Ext(f.Path))}, "\n"),
			Content: memory.Content{"topic": string(f.Bytes)},
		}})
	}
	return change.Index()
}

// firstBelow returns the first line of text below a heading, where one is the best passage: the heading names
// the fact and does not say it. Any other passage is returned as it is.
func firstBelow(doc markdown.Doc, line int, says string) (int, string) {
	if doc.Lines[line-1].Kind != markdown.Heading {
		return line, says
	}
	for i, l := range doc.Lines[line:] {
		switch l.Kind {
		case markdown.Blank, markdown.Break, markdown.Comment:
			continue
		case markdown.Heading:
			if markdown.IsUnderline(strings.TrimSpace(l.Text)) {
				continue
			}
			return line, says
		}
		return line + i + 1, text.Shorten(strings.TrimSpace(l.Text), passageRunes)
	}
	return line, says
}

// bestPassage returns the line of a file that answers best, and what it says: a line of its body,
// else its description, else its first line of text.
func bestPassage(doc markdown.Doc, q string) (line int, says string) {
	body := doc.Front.Lines
	var b strings.Builder
	for _, l := range doc.Lines[body:] {
		b.WriteString(l.Text + "\n")
	}
	if line, says = records.Passage(b.String(), q, passageRunes); line > 0 {
		return firstBelow(doc, body+line, says)
	}
	description, at := doc.Front.Get("description")
	if line, says = records.Passage(description, q, passageRunes); line > 0 {
		return at, says
	}
	for i, l := range doc.Lines[body:] {
		if l.Kind != markdown.Blank && l.Kind != markdown.Heading {
			return body + i + 1, text.Shorten(l.Text, passageRunes)
		}
	}
	return 1, ""
}
