package memdir_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/tidy"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/alike"
)

// TestStaysWhole holds chains of md fix, md upkeep, tidy and undo over messy directories to what they promise
// of every statement: its words stay, nothing looks newer for it, what belongs to it goes with it, and it
// stays in its place among the others of its file. Undo brings every byte and every time back.
func TestStaysWhole(t *testing.T) {
	t.Parallel()
	for seed := range uint64(120) {
		p := memdir.Profiles()[seed%3]
		t.Run(fmt.Sprintf("%s-%d", p.Name, seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 15))
			g := &messy{r: r, profile: p}
			d := g.dir()
			first := d
			for range 5 {
				before := d
				var made plan.Plan
				what, joined := "", map[string]bool{}
				switch r.IntN(5) {
				case 0, 1:
					what, made = "fix", memdir.Format(d, p).Plan
				case 2:
					what, made = "upkeep", memdir.Upkeep(d, p).Plan
				case 3:
					what, made = "tidy", g.tidied(d, joined)
				case 4:
					what, made = "undo", plan.Plan{}
				}
				if err := made.Validate(); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				d = applied(t, before, made)
				if what == "undo" {
					d = first
					continue
				}
				compare(t, what, before, d, p, joined)
				if t.Failed() {
					t.Fatalf("by %s\nBEFORE\n%s\nAFTER\n%s", what, dump(before), dump(d))
				}
				if back := undone(d, before, made); !slices.EqualFunc(back.Files, before.Files, sameFile) {
					t.Fatalf("%s is not undone\n%s", what, dump(back))
				}
			}
		})
	}
}

func sameFile(a, b memdir.File) bool {
	return a.Path == b.Path && bytes.Equal(a.Bytes, b.Bytes) && a.Modified.Equal(b.Modified)
}

// undone returns a directory as it was before a plan, as the store brings it back.
func undone(d, before memdir.Dir, p plan.Plan) memdir.Dir {
	out := d
	out.Files = slices.Clone(d.Files)
	for _, e := range p.Edits {
		out.Files = slices.DeleteFunc(out.Files, func(f memdir.File) bool { return f.Path == e.Path })
		if i := slices.IndexFunc(before.Files, func(f memdir.File) bool { return f.Path == e.Path }); i >= 0 {
			out.Files = append(out.Files, before.Files[i])
		}
	}
	slices.SortFunc(out.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// messy makes a directory of memories as people have them. Each line that says something has a number, such
// as s17x, by which it is found again.
type messy struct {
	r       *rand.Rand
	profile memdir.Profile
	n       int
	said    []string // whole items, to be said a second time elsewhere
}

func (g *messy) one(all ...string) string { return all[g.r.IntN(len(all))] }
func (g *messy) chance(n int) bool        { return g.r.IntN(n) == 0 }

var subjects = []string{"the importer", "the queue", "billing", "the gateway", "every customer",
	"the nightly job",
	"the mobile client", "search", "the audit log", "the staging database"}
var facts = []string{"allows 50 requests a second", "keeps its jobs in PostgreSQL",
	"is deployed on Tuesdays at nine", "writes to the bucket of the team", "retries at most five times",
	"must not be restarted by hand",
	"was moved to the new cluster", "needs the flag that Dana set",
	"answers within 200 ms on the test machine"}

func (g *messy) says() string {
	g.n++
	return fmt.Sprintf("%s %s s%dx", g.one(subjects...), g.one(facts...), g.n)
}

// item returns an item of a list with what belongs to it.
func (g *messy) item(indent string) (out []string) {
	lead := ""
	switch g.r.IntN(12) {
	case 0:
		lead = g.day(300) + ": "
	case 1:
		lead = "**Note:** "
	}
	out = []string{indent + "- " + lead + g.says()}
	if g.chance(4) {
		out = append(out, indent+"  goes on with "+g.says())
	}
	if g.chance(6) {
		out = append(out, "", indent+"  and below a blank line "+g.says())
	}
	if g.chance(4) {
		for range 1 + g.r.IntN(2) {
			lead := g.one("except for ", "but not for ", "because of ", "see [B](topic1.md) and ")
			out = append(out, indent+"  - "+lead+g.says())
			if g.chance(3) {
				out = append(out, indent+"    - "+g.says())
			}
		}
	}
	if g.chance(12) {
		code := fmt.Sprintf("%s  make s%dx", indent, g.next())
		out = append(out, "", indent+"  ```", code, indent+"  ```", "")
	}
	if g.chance(7) {
		out = append(out, indent+"- "+g.one("Except ", "But ", "Unless ", "However, ")+g.says())
	}
	return out
}

func (g *messy) list(n int) (out []string) {
	for range n {
		if len(g.said) > 0 && g.chance(6) {
			out = append(out, strings.Split(g.said[g.r.IntN(len(g.said))], "\n")...) // once more
			continue
		}
		it := g.item("")
		if g.chance(3) {
			g.said = append(g.said, strings.Join(it, "\n"))
		}
		out = append(out, it...)
	}
	return out
}

// day returns a day of the last n ones.
func (g *messy) day(n int) string { return now.AddDate(0, 0, -g.r.IntN(n)).Format(time.DateOnly) }

// part returns some lines of one kind.
func (g *messy) part() (out []string) {
	switch g.r.IntN(9) {
	case 0:
		return []string{"It is known that " + g.says() + ".", "It goes on and " + g.says() + "."}
	case 1:
		return []string{"The rule is that " + g.says() + ".", "", "Except that " + g.says() + "."}
	case 2:
		return []string{"| what | value |", "| --- | --- |", "| " + g.says() + " | 1 |",
			"| " + g.says() + " | 2 |"}
	case 3:
		return []string{"```sh", fmt.Sprintf("make s%dx", g.next()), "",
			fmt.Sprintf("make s%dx", g.next()), "```"}
	case 4:
		return []string{"> " + g.says(), "> " + g.says()}
	case 5:
		return []string{"These hold for " + g.says() + ":", "", "1. " + g.says(), "2. " + g.says()}
	}
	return g.list(1 + g.r.IntN(5))
}

func (g *messy) next() int { g.n++; return g.n }

func (g *messy) section(level int, titles ...string) (out []string) {
	out = []string{strings.Repeat("#", level) + " " + g.one(titles...), ""}
	for range 1 + g.r.IntN(2) {
		out = append(append(out, g.part()...), "")
	}
	return out
}

var titles = []string{"Build", "Deploys", "Billing", "Notes", "People", "Preferences", "Lessons",
	"Gateway limits", "Misc",
	"2026-10-01 Cutover", "[2026-05-02] Migration", "Open questions", "Tools", "History"}

func (g *messy) index(names []string) []string {
	out := []string{"# Memory", ""}
	if g.chance(3) {
		out = append(append(out, g.part()...), "")
	}
	pointers := func(names []string) {
		for _, n := range names {
			title := strings.TrimSuffix(path.Base(n), ".md")
			switch g.profile.Name {
			case "table":
				out = append(out, "| ["+title+"]("+n+") | what "+title+" has | "+g.one("", g.day(300))+" |")
			case "density":
				out = append(out, "- **"+title+"**: what "+title+" has → `"+n+"`")
			default:
				out = append(out, "- ["+title+"]("+n+") — what "+title+" has")
				if g.chance(5) {
					out = append(out, "  - "+g.says())
				}
			}
		}
	}
	if g.profile.Name == "table" {
		out = append(out, "| File | What it has | Last Updated |", "| --- | --- | --- |")
	}
	half := len(names) / 2
	pointers(names[:half])
	out = append(out, "")
	for range g.r.IntN(8) {
		out = append(out, g.section(2, titles...)...)
		if g.chance(3) {
			out = append(out, g.section(3, titles...)...)
		}
	}
	if g.profile.Name == "table" {
		out = append(out, "| File | What it has | Last Updated |", "| --- | --- | --- |")
	}
	pointers(names[half:])
	return out
}

func (g *messy) head(name string) (out []string) {
	if g.chance(3) {
		return nil
	}
	out = []string{"---"}
	if g.chance(4) {
		out = append(out, "# a comment that somebody left")
	}
	if g.profile.Name == "table" && !g.chance(4) {
		out = append(out, "last_updated: "+g.day(300), "topics: [x]")
	}
	if g.profile.Name != "table" || g.chance(3) {
		out = append(out, "name: "+g.one(name, "The "+name),
			"description: What everybody should know of "+name+" first")
		switch g.r.IntN(3) {
		case 0:
			out = append(out, "metadata:", "  type: "+g.one(memdir.Types()...),
				"  modified: "+g.day(300)+"T10:11:12.000Z", "  last_updated: "+g.day(300), "  topics: [y]")
		case 1:
			out = append(out, "type: "+g.one(memdir.Types()...))
		}
	}
	return append(out, "---", "")
}

func (g *messy) topic(name string) []string {
	out := g.head(name)
	if !g.chance(4) {
		out = append(out, "# "+name, "")
	}
	for range g.r.IntN(4) {
		out = append(append(out, g.part()...), "")
	}
	sections := g.r.IntN(4)
	if g.chance(5) {
		sections = 12 + g.r.IntN(30)
	}
	for range sections {
		out = append(out, g.section(2, titles...)...)
	}
	if g.chance(4) {
		out = append(out, "## ["+g.day(300)+"] The move of "+name, "", "Status: done ✅")
		for range 8 {
			if g.chance(2) {
				out = append(out, "- "+g.one("it stood still in ", "Ada looked at ", "we restarted ")+
					fmt.Sprintf("s%dx", g.next()))
				continue
			}
			out = append(out, g.item("")...)
		}
		out = append(out, "")
	}
	if g.chance(6) {
		out = append(out, "_Updated: "+g.day(300)+"_")
	}
	return out
}

func (g *messy) dir() memdir.Dir {
	d := memdir.Dir{Now: now, Alike: alike.Notes}
	age := func() time.Time { return now.Add(-time.Duration(g.r.IntN(400*24)) * time.Hour) }
	add := func(name string, lines []string) {
		eol := g.one("\n", "\n", "\n", "\r\n")
		d.Files = append(d.Files, memdir.File{Path: name, Bytes: []byte(strings.Join(lines, eol) + eol),
			Modified: age()})
	}
	var names []string
	for i := range 2 + g.r.IntN(6) {
		name := fmt.Sprintf("topic%d.md", i)
		switch {
		case g.profile.Name == "density":
			name = g.one("user/entities/", "user/preferences/", "agent/patterns/", "") + name
		case g.chance(4):
			name = g.one("feedback_", "project_") + name
		}
		names = append(names, name)
		add(name, g.topic(strings.TrimSuffix(path.Base(name), ".md")))
	}
	if last := d.Files[len(d.Files)-1]; g.chance(3) { // a copy of it
		last.Path, last.Modified = strings.Replace(last.Path, ".md", " copy.md", 1), age()
		d.Files = append(d.Files, last)
	}
	if g.profile.Name == "density" && g.chance(2) {
		add("user/events/2026-05-launch.md", []string{"# Launch", "", "- " + g.says()})
	}
	for range g.r.IntN(3) {
		add(g.day(60)+".md", g.list(3))
	}
	if !g.chance(10) {
		add(memdir.Index, g.index(names))
	}
	slices.SortFunc(d.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
	d.Files = slices.CompactFunc(d.Files, func(a, b memdir.File) bool { return a.Path == b.Path })
	return d
}

// tidied returns a plan of tidy that moves some statements to other files and joins two. It notes the file
// that got another one.
func (g *messy) tidied(d memdir.Dir, joined map[string]bool) plan.Plan {
	var topics []string
	m := d.Map(g.profile)
	for name := range m.Topics {
		if !m.Once(name) {
			topics = append(topics, name)
		}
	}
	if len(topics) < 2 {
		return plan.Plan{}
	}
	var answers []tidy.Answer
	for _, f := range d.Files {
		doc := memdir.Parse(f.Bytes)
		for b := range doc.Blocks {
			if (b.Kind == markdown.Item || b.Kind == markdown.Paragraph) && g.chance(12) {
				answers = append(answers, tidy.Answer{Place: tidy.Place{File: f.Path, Line: b.From + 1,
					Text: doc.BlockText(b)}, Action: "move", To: g.one(topics...), Reason: "it fits"})
			}
		}
	}
	if g.chance(3) {
		answers = append([]tidy.Answer{{Place: tidy.Place{File: g.one(topics...)}, Action: "join",
			To: g.one(topics...), Reason: "they are one"}}, answers...)
	}
	out := tidy.Plan(d, g.profile, nil, answers)
	for _, c := range out.Done {
		if c.Action == "join" {
			joined[c.To] = true
		}
	}
	return out.Plan
}

var numbered = regexp.MustCompile(`s\d+x`)

// A seen is a statement where it stands.
type seen struct {
	file     string
	words    string
	parent   string // the number of the item above it
	goesOn   string // the number of the line that it goes on with, or makes an exception from
	modified time.Time
	doubt    memdir.Doubt
	doubtful bool
	topic    bool
}

var exceptional = regexp.MustCompile(`^\s*(- )?(Except|But|Unless|However)\b`)

// seenIn returns the places of all numbered lines, by their numbers, and the numbers in each file, in order.
func seenIn(d memdir.Dir, p memdir.Profile) (all map[string][]seen, order map[string][]string) {
	all, order = map[string][]seen{}, map[string][]string{}
	m := d.Map(p)
	for _, f := range d.Files {
		doubt, doubtful := p.Doubtful(f, false, d.Now)
		type open struct {
			depth int
			id    string
		}
		var above []open
		last := ""
		doc := memdir.Parse(f.Bytes)
		leads := map[int]bool{} // what only leads to a file may repeat what the file says
		if name := path.Base(f.Path); name == memdir.Index || name == "INDEX.md" {
			for _, r := range memdir.Refs(doc) {
				leads[r.Line] = r.Form != memdir.Loose
			}
		}
		for i, l := range doc.Lines {
			id := numbered.FindString(l.Text)
			depth := len(markdown.Indent(l.Text))
			if l.Kind == markdown.Heading {
				above, last = nil, ""
			}
			if l.Kind == memdir.Pointer && leads[i+1] {
				above = []open{{depth, ""}}
			}
			if id == "" || l.Kind == markdown.Front || leads[i+1] {
				continue
			}
			s := seen{file: f.Path, words: words(l.Text), modified: f.Modified, doubt: doubt,
				doubtful: doubtful, topic: m.Topic(f.Path)}
			for len(above) > 0 && above[len(above)-1].depth >= depth {
				above = above[:len(above)-1]
			}
			if len(above) > 0 {
				s.parent = above[len(above)-1].id
			}
			if exceptional.MatchString(l.Text) {
				s.goesOn = last
			}
			if strings.HasPrefix(strings.TrimSpace(l.Text), "- ") {
				above = append(above, open{depth, id})
				last = id
			} else if l.Kind == markdown.Paragraph {
				above, last = nil, id
			}
			all[id] = append(all[id], s)
			order[f.Path] = append(order[f.Path], id)
		}
	}
	return all, order
}

// compare holds a directory to what it was.
func compare(t *testing.T, what string, before, after memdir.Dir, p memdir.Profile,
	joined map[string]bool) {
	t.Helper()
	was, order := seenIn(before, p)
	is, now := seenIn(after, p)
	for _, id := range slices.Sorted(maps.Keys(was)) {
		old, got := was[id], is[id]
		if len(got) == 0 {
			t.Errorf("%s: %s is lost: %s", what, id, old[0].words)
			continue
		}
		for _, g := range got {
			if !slices.ContainsFunc(old, func(o seen) bool { return o.parent == g.parent }) {
				t.Errorf("%s: %s in %s is torn: it was below %q, and is below %q", what, id, g.file,
					old[0].parent, g.parent)
			}
			if !slices.ContainsFunc(old, func(o seen) bool { return o.goesOn == g.goesOn }) {
				t.Errorf("%s: %s in %s is torn: it went on with %q, and does with %q", what, id, g.file,
					old[0].goesOn, g.goesOn)
			}
			if what == "tidy" && !slices.ContainsFunc(old, func(o seen) bool { return o.file == g.file }) {
				continue // an agent put it there
			}
			older := func(o seen) bool { // the time of an index says nothing of its lines
				return !o.modified.Before(g.modified) || o.file == memdir.Index
			}
			if !slices.ContainsFunc(old, older) && !strings.Contains(g.file, "archive/") && !joined[g.file] {
				t.Errorf("%s: %s in %s looks newer: %v, was %v", what, id, g.file, g.modified,
					old[0].modified)
			}
			fresh := func(o seen) bool { // what it was didn't warn, or it still does
				return !o.topic || !g.topic || joined[g.file] || !o.doubtful || g.doubtful
			}
			if !slices.ContainsFunc(old, fresh) {
				t.Errorf("%s: %s: %s warned of %s (%v), and %s doesn't", what, id, old[0].words, old[0].file,
					old[0].doubt, g.file)
			}
		}
	}
	for file, ids := range order {
		for other, theirs := range now {
			at := map[string]int{}
			for i, id := range theirs {
				at[id] = i
			}
			last, lastID := -1, ""
			for _, id := range ids {
				i, there := at[id]
				if !there || len(was[id]) > 1 || len(is[id]) > 1 {
					continue
				}
				if i < last && what != "tidy" {
					t.Errorf("%s: %s comes before %s in %s and came behind it in %s", what, id, lastID, other,
						file)
					break
				}
				last, lastID = i, id
			}
		}
	}
}
