package memdir

import (
	"path"
	"time"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// HeadBytes is as much of a topic file as is read to know what it is about: its
// frontmatter and its title.
const HeadBytes = 4 << 10

// About is what a topic file has about itself.
type About struct {
	Type        string // user, feedback, project or reference; "" for none of them
	Name        string // "" for none
	Description string // in one line; "" for none
	Title       string // its first heading; "" for none
}

// AboutOf reads the beginning of a topic file, which may be cut off anywhere.
func AboutOf(begin []byte) About {
	d := Parse(whole(begin))
	var a About
	if t, _ := typeOfHead(d.Front); known(t) {
		a.Type = t
	}
	a.Name, _ = d.Front.Get("name")
	a.Description, _ = d.Front.Get("description")
	a.Description = text.OneLine(a.Description)
	for _, l := range d.Body() {
		if l.Kind == markdown.Heading {
			a.Title = markdown.Title(l.Text)
			break
		}
	}
	return a
}

// whole returns a text without the bytes at its end that are a part of a character.
func whole(b []byte) []byte {
	for range utf8.UTFMax - 1 {
		if r, size := utf8.DecodeLastRune(b); r != utf8.RuneError || size != 1 {
			break
		}
		b = b[:len(b)-1]
	}
	return b
}

// Topics returns those of the paths, which are below the directory, whose files hold knowledge. Indexes,
// daily logs, archives and project cards are left out.
func Topics(paths []string) []string {
	files := make([]File, len(paths))
	for i, p := range paths {
		files[i].Path = p
	}
	var out []string
	v := look(Dir{Files: files}, profiles[0])
	for p := range v.topics {
		out = append(out, p.Path)
	}
	return out
}

// A Doubt is why a topic file is to be checked before anybody relies on it.
type Doubt struct {
	Bare bool      // nobody knows its age: it says so, or has no frontmatter in a profile that wants some
	At   time.Time // when it was last changed, and
	Says string    // how that is known: "was last updated on"; not of a bare one
	Days int       // how long ago that is
}

// Doubtful calls Profile.Doubtful with the profile that is detected from the file alone.
func Doubtful(f File, cut bool, now time.Time) (Doubt, bool) {
	return Detect([]File{f}).Doubtful(f, cut, now)
}

// Doubtful reports whether a topic file should be checked, by the rules head-missing and date-old. f.Path
// is below the directory. f.Bytes is the beginning of the file, and cut reports whether the file goes on.
func (profile Profile) Doubtful(f File, cut bool, now time.Time) (Doubt, bool) {
	f.Path = path.Clean(f.Path)
	f.Bytes = whole(f.Bytes)
	v := look(Dir{Files: []File{f}, Now: now}, profile)
	p := v.at[f.Path]
	if p == nil || p.role != topic {
		return Doubt{}, false
	}
	if h := p.doc.Front; h.Lines == 0 && len(h.Faults) == 0 && v.Keys != nil || ageless(h) {
		return Doubt{Bare: true}, true
	}
	at, line, says := v.age(p)
	if cut && !at.IsZero() && line > p.doc.Front.Lines { // a later line may have a later date
		at, says = f.Modified, "was last written on"
	}
	d := Doubt{At: at, Says: says, Days: daysAgo(at, now)}
	return d, stale(at, now)
}

func daysAgo(at, now time.Time) int { return int(now.Sub(at).Hours() / 24) }

// stale reports whether a file that was last changed at a time should be checked. A zero time is never
// stale.
func stale(at, now time.Time) bool { return !at.IsZero() && daysAgo(at, now) > staleDays }
