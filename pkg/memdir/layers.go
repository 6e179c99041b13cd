package memdir

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

func (v *view) placeWrong() {
	for _, p := range v.pages {
		rest := strings.TrimPrefix(p.Path, v.base)
		dir, name := path.Split(rest)
		if isArchive(name) && p.role != archived {
			_, moves := v.homeOf(p)
			v.find(p.Path, 0, moves, "is an archive and belongs in %sarchive/", v.base)
			continue
		}
		if len(v.Tree) == 0 || p.role != topic {
			continue
		}
		_, moves := v.homeOf(p)
		switch {
		case dir == "":
			v.find(p.Path, 0, moves, "only daily logs and INDEX.md lie here; %s", v.suggest(name))
		case v.fits(rest):
		case dir == "user/events/":
			v.find(p.Path, 0, false, "an event is called YYYY-MM-name.md")
		default:
			v.find(p.Path, 0, moves, "lies outside of %s",
				strings.ReplaceAll(strings.Join(v.Tree, ", "), "DATE", "YYYY-MM"))
		}
	}
}

func isArchive(name string) bool {
	at := strings.LastIndex(name, "-archive-")
	return at > 0 && len(name) == at+len("-archive-2006.md") && markdown.HasExt(name)
}

// fits reports whether a path is in the profile's tree.
func (v *view) fits(rest string) bool {
	for _, want := range v.Tree {
		dir, name := path.Split(want)
		if rest == want {
			return true
		}
		own, file := path.Split(rest)
		if own != dir || !strings.Contains(name, "*") {
			continue
		}
		if !strings.HasPrefix(name, "DATE-") {
			return true
		}
		if _, ok := month(file); ok {
			return true
		}
	}
	return false
}

// month returns the month that the name of an event begins with.
func month(name string) (time.Time, bool) {
	if len(name) < len("2006-01-x.md") || name[7] != '-' {
		return time.Time{}, false
	}
	t, err := time.Parse("2006-01", name[:7])
	return t, err == nil
}

// home returns where a file of that name belongs in the tree, "" if the name doesn't decide it.
func home(name string) string {
	switch markdown.TrimExt(name) {
	case "profile":
		return "user/profile.md"
	case "people", "tools":
		return "user/entities/" + name
	case "learning", "lifestyle", "tech", "communication":
		return "user/preferences/" + name
	}
	if _, ok := month(name); ok {
		return "user/events/" + name
	}
	return ""
}

func (v *view) suggest(name string) string {
	if h := home(name); h != "" {
		return "it belongs at " + v.base + h
	}
	return "it belongs below " + v.base + "user/ or " + v.base + "agent/"
}

// logDays is how long a daily log may stay in the memory root.
const logDays = 7

func (v *view) logOld() {
	for _, p := range v.pages {
		if n := v.logAge(p); n > logDays {
			v.find(p.Path, 0, false, "is %s old; logs older than %d go to %sarchive/%s/",
				text.Count(n, "day"),
				logDays, v.base, path.Base(p.Path)[:7])
		}
	}
}

// once reports whether a file is in a folder whose files are never changed, only added.
func (v *view) once(p *page) bool {
	rest := strings.TrimPrefix(p.Path, v.base)
	return p.role == topic && (strings.HasPrefix(rest, "user/events/") ||
		strings.HasPrefix(rest, "agent/cases/"))
}

func (v *view) appendOnly() {
	for p := range v.topics {
		if !v.once(p) {
			continue
		}
		if p.Rewritten {
			v.find(p.Path, 0, false, "git or a snapshot knows of a change after it was added")
			continue
		}
		var last time.Time
		if m, ok := month(path.Base(p.Path)); ok {
			last = m.AddDate(0, 2, -1) // what happened at the end of a month may be written in the next
		}
		for _, s := range stampsOf(p.doc) {
			if !last.IsZero() && s.date.After(last) {
				v.find(p.Path, s.line, false, "has an update of %s", s.date.Format(time.DateOnly))
				break
			}
			if last.IsZero() {
				last = s.date
			}
		}
	}
}

// A stamp is a line "_Updated: YYYY-MM-DD_", or one with who wrote it.
type stamp struct {
	line  int
	date  time.Time
	least bool // it is one of StampBefore, which says nothing of its file
}

func stampsOf(d markdown.Doc) (out []stamp) {
	for i, l := range d.Lines {
		if l.Kind == markdown.Code || len(l.Text) > 200 || !strings.Contains(l.Text, "_") {
			continue
		}
		t := strings.ToLower(l.Text)
		at := strings.Index(t, "_updated:")
		if at < 0 {
			at = strings.Index(t, "_written by:")
		}
		if at < 0 {
			continue
		}
		for word := range strings.FieldsSeq(t[at:]) {
			if date, err := time.Parse(time.DateOnly, strings.Trim(word, "_*.)")); err == nil {
				out = append(out, stamp{i + 1, date, strings.Contains(l.Text, orBefore)})
			}
		}
	}
	return out
}

// layered yields the topic files below the folders of the layers, user/ and agent/.
func (v *view) layered(yield func(*page) bool) {
	for p := range v.topics {
		rest := strings.TrimPrefix(p.Path, v.base)
		if (strings.HasPrefix(rest, "user/") || strings.HasPrefix(rest, "agent/")) && !yield(p) {
			return
		}
	}
}

func (v *view) layerMissing() {
	if v.at[v.base+overview] != nil {
		return
	}
	n := 0
	for range v.layered {
		n++
	}
	if n > 0 {
		v.find(v.base+overview, 0, true, "there is none, and %s below user/ and agent/",
			text.Count(n, "file"))
	}
}

func (v *view) layerStep() {
	overviewed, indexed, reached := v.knows(v.base+overview), v.knows(Index), v.reached()
	for p := range v.layered {
		if !reached[p.Path] {
			continue // an orphan
		}
		if overviewed != nil && !overviewed(p.Path) {
			v.find(p.Path, 0, v.listable(p) && v.free(v.at[v.base+overview]), "INDEX.md doesn't name it")
		}
		if indexed != nil && v.once(p) && !indexed(p.Path) {
			v.find(p.Path, 0, v.listable(p) && v.free(v.index()) && v.room() > 0 &&
				!strings.Contains(p.Path, " "),
				"an event or a case, and no line of MEMORY.md leads to it or to its folder")
		}
	}
}

// knows returns a function that reports whether an index leads to a file, or to a folder above it. It is
// nil if there is no such index.
func (v *view) knows(name string) func(string) bool {
	p := v.at[name]
	if p == nil {
		return nil
	}
	known := map[string]bool{}
	for _, r := range p.refs {
		if to, there, _ := v.lead(r.Target); there {
			known[to] = true
		}
	}
	return func(file string) bool {
		if known[file] {
			return true
		}
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			if known[dir+"/"] {
				return true
			}
		}
		return false
	}
}

func (v *view) layerLong() {
	if n := v.overviewWords(); n > v.Words {
		v.find(v.base+overview, 0, false, "has %d words; the overview stays under %d", n, v.Words)
	}
}

// What an overview has to have: so many words, if it is one of so many files that
// each of them could have twenty.
const (
	thinWords = 500
	thinFiles = 25
)

func (v *view) layerThin() {
	files := 0
	for range v.layered {
		files++
	}
	if n := v.overviewWords(); n > 0 && n < thinWords && files >= thinFiles {
		v.find(v.base+overview, 0, false,
			"has %s for %d files; from %d on, an overview of fewer than %d says too little of each",
			text.Count(n, "word"), files, thinFiles, thinWords)
	}
}

// overviewWords returns how many words INDEX.md has, 0 if there is no such file.
func (v *view) overviewWords() (n int) {
	if p := v.at[v.base+overview]; p != nil {
		for _, l := range p.doc.Lines {
			for word := range strings.FieldsSeq(l.Text) {
				if strings.Trim(word, "|-:#*") != "" {
					n++
				}
			}
		}
	}
	return n
}

func (v *view) dateStep() {
	for r := range v.hooked {
		p := v.target(r)
		if p == nil || p.role != topic {
			continue
		}
		at, _ := Updated(p.doc.Front) // the client's own stamp among them, which the row gets
		ok := !at.IsZero()
		switch listed, dated := day(r.Date); {
		case !ok: // head-key or head-date says it
		case !dated:
			_, steps := v.stepped(r)
			v.find(Index, r.Line, steps, "has no date for %s, which was last updated on %s", short(p.Path),
				at.Format(time.DateOnly))
		case !listed.Equal(at):
			_, steps := v.stepped(r)
			v.find(Index, r.Line, steps, "says %s for %s, which says %s", listed.Format(time.DateOnly),
				short(p.Path), at.Format(time.DateOnly))
		}
	}
}

// boardStep: the card of a project and its row in the registry say the same.
func (v *view) boardStep() {
	if v.dir.Apart == nil {
		return
	}
	apart := v.dir.Apart(v.dir.Files)
	for _, path := range slices.Sorted(maps.Keys(apart)) {
		for _, why := range apart[path] {
			v.find(path, 0, false, "%s", why)
		}
	}
}
