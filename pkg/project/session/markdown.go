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
	"unicode/utf8"

	"keepsake/pkg/disk"
	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/lessons"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/records"
	"keepsake/pkg/secret"
)

// A Passage is where a Markdown memory answers a question.
type Passage struct {
	Path    string // absolute
	Line    int    // from 1
	Heading string // the heading that the line stands below; "" for none
	Text    string // the statement that says most, with what belongs to it, in one line
	// when the statement was written or confirmed, else when the file was last changed: by its frontmatter,
	// else by its modification time; "" for a replaced statement without a date of its own
	Date     string
	Score    float64
	Past     bool   // it says what was: a replaced statement, or one of the log of a day or an archive
	Replaced string // of a replaced statement the date, and what holds now; "" while it holds
	memdir.Doubt
	Stale bool // the file is to be checked before it is relied on
}

// Limits of what is looked through for one question in a directory of memories.
const (
	maxSearched  = 64 << 20  // bytes
	maxJournal   = 512 << 10 // bytes of the lessons
	passageRunes = 160       // the longest text of a passage that is no statement
)

// Markdown returns up to n passages that q is about in the project's and the root scope's directories of
// Markdown memories, best first: one of each file, and behind it a replaced statement that has more of the
// question. It reads every file each time, so it is not for a hook. pass is told what was left out and why.
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
	probe := records.ProbeOf(q)
	for _, h := range hits {
		f := d.Files[slices.IndexFunc(d.Files, func(f memdir.File) bool { return f.Path == h.Path })]
		doc := memdir.Parse(f.Bytes)
		date := f.Modified.UTC().Format(time.RFC3339)
		tomorrow := now.Add(24 * time.Hour)
		if at, _ := memdir.Updated(doc.Front); !at.IsZero() && at.Before(tomorrow) {
			date = at.Format(time.DateOnly)
		}
		for _, p := range passagesIn(doc, probe, leadsToHit(doc, hits)) {
			p.Path, p.Score = filepath.Join(dir, filepath.FromSlash(h.Path)), h.Score
			p.Past = p.Past || memdir.Past(h.Path)
			_, _, p.Heading = doc.HeadingAbove(p.Line - 2)
			p.Text, p.Replaced = secret.Redact(p.Text), secret.Redact(p.Replaced)
			if f.Path != lessons.Journal && p.Replaced == "" { // each lesson has days of its own
				p.Doubt, p.Stale = profile.Doubtful(f, false, now)
			}
			if p.Date > tomorrow.Format(time.DateOnly) { // a date to come says nothing of when it was said
				p.Date = ""
			}
			if p.Date == "" && p.Replaced == "" && f.Path != memdir.Index { // its lines have their own ages
				p.Date = date
			}
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, currentFirst)
	return found[:min(n, len(found))], nil
}

// leadsToHit returns the lines of an index, as indices, that lead to a file that was found too.
func leadsToHit(doc markdown.Doc, hits []records.Hit) map[int]bool {
	lines := map[int]bool{}
	for _, r := range memdir.Refs(doc) {
		if slices.ContainsFunc(hits, func(h records.Hit) bool { return h.Path == path.Clean(r.Target) }) {
			lines[r.Line-1] = true
		}
	}
	return lines
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

// maxTied is how many statements of one file are shown that answer equally well. If there are more, it is the
// first one alone.
const maxTied = 3

// passagesIn returns the statement of a file that answers best, with its line, text and date, and behind it a
// replaced one that has more of the question: whoever asks by the old words is told that they no longer hold.
// Equally good ones are shown, too. Without a statement it is the file's description, or
// its first statement. Lines in skip are left out, and so is all of a file where one of them answers best.
func passagesIn(doc markdown.Doc, q *records.Probe, skip map[int]bool) (out []Passage) {
	facts := memdir.Facts(doc)
	var best []int
	old, most, mostOld, skipped := -1, 0, 0, 0
	for i, f := range facts {
		switch worth := worthOf(facts, i, q); {
		case worth == 0:
		case skip[f.From]:
			skipped = max(skipped, worth)
		case f.Replaced == nil && worth > most:
			best, most = []int{i}, worth
		case f.Replaced == nil && worth == most:
			if !isPartOf(facts, i, best[len(best)-1]) { // which is shown with it
				best = append(best, i)
			}
		case f.Replaced != nil && worth > mostOld:
			old, mostOld = i, worth
		}
	}
	if skipped > max(most, mostOld) {
		return nil
	}
	if mostOld <= most {
		old = -1
	}
	isNow := func(f memdir.Fact) bool { return old >= 0 && f.From == facts[old].Replaced.By }
	switch now := slices.IndexFunc(facts, isNow); {
	case len(best) > maxTied:
		best = best[:1]
	case len(best) > 0:
	case now >= 0:
		best = []int{now}
	case old < 0:
		if description, at := doc.Front.Get("description"); q.Worth(description) > 0 {
			return []Passage{{Line: at, Text: q.Around(description, passageRunes)}}
		}
		first := func(f memdir.Fact) bool { return f.Replaced == nil && !skip[f.From] }
		if i := slices.IndexFunc(facts, first); i >= 0 {
			best = []int{i}
		}
	}
	for _, i := range best {
		out = append(out, passageOf(doc, facts, i, q))
	}
	if old >= 0 {
		p := passageOf(doc, facts, old, q)
		p.Past, p.Replaced = true, facts[old].Replaced.On.Format(time.DateOnly)
		if now := slices.IndexFunc(facts, isNow); now >= 0 {
			p.Replaced += " by: " + memdir.Show(facts, now, q.Around)
		}
		out = append(out, p)
	}
	return out
}

// isPartOf reports whether the i-th statement is a point, or a point of a point, of another one.
func isPartOf(facts []memdir.Fact, i, other int) bool {
	for ; i >= 0; i = facts[i].Parent {
		if i == other {
			return true
		}
	}
	return false
}

func passageOf(doc markdown.Doc, facts []memdir.Fact, i int, q *records.Probe) Passage {
	f := facts[i]
	p := Passage{Line: f.From + 1}
	if f.First && q.Worth(f.Text) == 0 { // the heading names it
		p.Text = memdir.ShowSection(facts, i, q.Around)
	} else {
		p.Text = memdir.Show(facts, i, q.Around)
	}
	for n, most := f.From, 0; n < f.To; n++ { // of a long statement the line that is meant
		if worth := q.Worth(doc.Lines[n].Text); worth > most {
			p.Line, most = n+1, worth
		}
	}
	if at := memdir.SaidOn(doc, f.From); !at.IsZero() {
		p.Date = at.Format(time.DateOnly)
	}
	return p
}

// worthOf returns how much of a question the i-th statement has: in its own words, of a long one in one
// sentence, and in the heading whose first statement it is; and less in what it is a point of and in the
// other headings above it.
func worthOf(facts []memdir.Fact, i int, q *records.Probe) int {
	f := facts[i]
	own, near := f.Text, slices.Clone(f.Headings)
	if utf8.RuneCountInString(own) > passageRunes {
		own, near = q.Around(own, utf8.RuneCountInString(own)), append(near, f.Text)
	}
	if f.First {
		own += "\n" + f.Headings[0]
	}
	for p := f.Parent; p >= 0; p = facts[p].Parent {
		near = append(near, facts[p].Text)
	}
	return q.Worth(own, near...)
}
