package memdir

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/markdown"
)

// text returns the text of a file without its frontmatter and without spaces at the ends of lines.
func (p *page) text() string {
	var b strings.Builder
	b.Grow(len(p.Bytes))
	for _, l := range p.doc.Body() {
		b.WriteString(strings.TrimRight(l.Text, " \t"))
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

func (v *view) twiceFile() {
	for later, earlier := range v.same {
		v.find(later, 0, v.exact(later), "says word for word what %s says", earlier)
	}
}

// copies returns the topic files whose text repeats an earlier file, but for comments, each with the path of
// that file.
func (v *view) copies() map[string]string {
	out, seen := map[string]string{}, map[string]string{}
	for p := range v.topics {
		if !slices.ContainsFunc(p.doc.Body(), hasContent) {
			continue
		}
		text := visible(p.doc.Body())
		if earlier, again := seen[text]; again {
			out[p.Path] = earlier
		} else {
			seen[text] = p.Path
		}
	}
	return out
}

// A statement is an item of a list or a paragraph.
type statement struct {
	line, end int // from 1, and the index behind all that belongs to it
	text      string
	whole     string // with what belongs to it; the text if nothing does
}

// Statements shorter than this are words that many files share.
const (
	statementWords = 7
	statementBytes = 40
)

func (v *view) twiceLine() {
	v.twice(func(first, second *page, at, s statement, mends bool) {
		if first == second {
			v.find(second.Path, s.line, mends, "says what line %d says: %s", at.line, short(s.text))
		} else {
			v.find(second.Path, s.line, mends, "says what %s:%d says: %s", first.Path, at.line, short(s.text))
		}
	})
}

// twice hands on each statement that stands in a second place, and whether its second place can be mended.
// Its first place is in a file of a type that says more than reference, else in the file that MEMORY.md leads
// to first. What belongs to a statement that stands in a second place as a whole isn't handed on by itself.
func (v *view) twice(each func(first, second *page, at, s statement, mends bool)) {
	type place struct {
		page *page
		statement
	}
	seen := map[string]place{}
	pages := v.ranked(slices.Collect(v.topics))
	if p := v.index(); p != nil {
		pages = append(pages, p) // last: its place is the topic file
	}
	for _, p := range pages {
		if v.same[p.Path] != "" {
			continue
		}
		within := 0 // the index behind a whole that stands in a second place
		for _, s := range statementsOf(p.doc) {
			at, again := seen[s.whole]
			if !again {
				at, again = seen[s.text]
			}
			switch {
			case s.line <= within:
			case again:
				_, mends := v.again(at.page, p, at.statement, s)
				if each(at.page, p, at.statement, s, mends); mends {
					within = s.end
				}
			default:
				seen[s.text] = place{p, s}
			}
			if _, known := seen[s.whole]; !known {
				seen[s.whole] = place{p, s}
			}
		}
	}
}

// ranked returns pages in the order in which they keep what others say, too: those of a type that says more
// than reference first, then as MEMORY.md and INDEX.md lead to them, then by their paths.
func (v *view) ranked(pages []*page) []*page {
	rank := v.ranks()
	slices.SortStableFunc(pages, func(a, b *page) int { return cmp.Compare(rank(a), rank(b)) })
	return pages
}

// ranks returns the function by which ranked orders pages.
func (v *view) ranks() func(*page) int {
	led := map[*page]int{}
	for index := range v.indexes {
		for _, r := range index.refs {
			if p := v.target(r); p != nil && led[p] == 0 {
				led[p] = len(led) + 1
			}
		}
	}
	return func(p *page) int {
		t, _ := typeOfHead(p.doc.Front)
		at := cmp.Or(led[p], len(led)+1)
		if v.Types && (!known(t) || t == "reference") {
			at += len(led) + 1
		}
		return at
	}
}

// statementsOf returns the statements that are long enough to be compared. Reasons and applications are
// left out: they belong to their rule, and rules may share them.
func statementsOf(d markdown.Doc) (out []statement) {
	for b := range d.Blocks {
		if b.Kind != markdown.Item && b.Kind != markdown.Paragraph {
			continue
		}
		s := d.BlockText(b)
		words := strings.Count(s, " ") + 1
		if (words >= statementWords || len(s) >= statementBytes && (words == statementWords-1 ||
			strings.ContainsFunc(s, dense))) && !belongs(s) && !stampOnly(s) {
			st := statement{b.From + 1, d.Extent(b), s, s}
			if st.end > b.To {
				rest := d.Lines[b.To:st.end]
				var whole strings.Builder
				whole.WriteString(s)
				for _, l := range rest {
					whole.WriteString("\n" + strings.TrimSpace(l.Text))
				}
				st.whole = whole.String()
			}
			out = append(out, st)
		}
	}
	return out
}

// belongs reports whether a text is the reason or the application of the rule above it.
func belongs(text string) bool {
	return Label(text, "why") || Label(text, "how to apply") || Label(text, "trigger") ||
		Label(text, "next time")
}

// stampOnly reports whether a line is only a date or signature of the text above it. Any number of files
// may have the same one.
func stampOnly(text string) bool {
	if !markdown.IsStamp(text) {
		return false
	}
	_, after, ok := strings.Cut(text[1:], "_")
	after = strings.TrimSpace(after)
	return ok && (after == "" || strings.HasPrefix(after, "(") && strings.HasSuffix(after, ")"))
}

// What is compared of two files to see whether they say the same.
const (
	gistBytes = 400
	rareWords = 12 // the rarest of a file's words lead to those like it
	common    = 40 // a word of more files leads nowhere
	shared    = 3  // of the rare words, for two files to be compared
	compared  = 4  // files that one is compared with at most
)

func (v *view) twiceNear() {
	if v.dir.Alike == nil {
		return
	}
	var pages []*page
	var all []gist
	var texts []string
	for p := range v.topics {
		if g := p.gist(); g.lead != "" && !v.once(p) && v.same[p.Path] == "" {
			pages, all, texts = append(pages, p), append(all, g), append(texts, g.about+" "+g.lead)
		}
	}
	told := make([]bool, len(pages))
	for _, pair := range candidates(texts) {
		a, b := min(pair[0], pair[1]), max(pair[0], pair[1])
		if x, y := all[a], all[b]; !told[b] && v.dir.Alike(x.lead, y.lead) &&
			(x.about == "" || y.about == "" || v.dir.Alike(x.about, y.about)) {
			told[b] = true
			v.find(pages[b].Path, 0, false, "says what %s says in other words: %s", pages[a].Path,
				short(all[b].lead))
		}
	}
}

// A gist is the short form of a file. Its two parts are compared one by one, since a denial in each of them
// would cancel out.
type gist struct {
	about string // the description
	lead  string // what stands before the reasons
}

func (p *page) gist() (g gist) {
	g.about, _ = p.doc.Front.Get("description")
	g.about = g.about[:min(len(g.about), gistBytes)]
	for _, l := range p.doc.Body() {
		if Label(l.Text, "why") || Label(l.Text, "how to apply") || len(g.lead) >= gistBytes {
			break
		}
		text := markdown.TrimMarks(l.Text)
		see := len(text) > 5 && strings.EqualFold(text[:5], "see [") // leads to what says it
		if (l.Kind == markdown.Paragraph || l.Kind == markdown.Item || l.Kind == markdown.Continued) &&
			!markdown.IsStamp(l.Text) && !see {
			g.lead += text[:min(len(text), gistBytes)] + "\n"
		}
	}
	g.lead = strings.TrimSpace(g.lead)
	return g
}

// candidates returns pairs of texts that may mean the same: those that share rare words, and neighbours in
// the order of the alphabet.
func candidates(texts []string) [][2]int {
	ids := map[string]int{}
	var in []int // of each word, how many texts have it
	var number []bool
	words := make([][]int, len(texts))
	for i, t := range texts {
		for w := range strings.FieldsFuncSeq(strings.ToLower(t), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			digits := strings.ContainsAny(w, "0123456789")
			if !digits && utf8.RuneCountInString(w) < 4 {
				continue
			}
			id, ok := ids[w]
			if !ok {
				id = len(in)
				ids[w], in, number = id, append(in, 0), append(number, digits)
			}
			if !slices.Contains(words[i], id) {
				words[i] = append(words[i], id)
				in[id]++
			}
		}
	}
	with := make([][]int, len(in))
	var out [][2]int
	score := map[int]int{}
	for i := range texts {
		rare := slices.DeleteFunc(slices.Clone(words[i]), func(w int) bool {
			return in[w] < 2 || in[w] > common
		})
		slices.SortFunc(rare, func(a, b int) int {
			return cmp.Or(cmp.Compare(in[a], in[b]), cmp.Compare(a, b))
		})
		rare = rare[:min(len(rare), rareWords)]
		clear(score)
		for _, w := range rare {
			for _, j := range with[w] {
				score[j]++
			}
			with[w] = append(with[w], i)
		}
		var near []int
		for j, n := range score {
			if n >= min(shared, len(rare)) {
				near = append(near, j)
			}
		}
		near = slices.DeleteFunc(near, func(j int) bool { return !overlap(words[i], words[j], number) })
		slices.SortFunc(near, func(a, b int) int {
			return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b))
		})
		for _, j := range near[:min(len(near), compared)] {
			out = append(out, [2]int{j, i})
		}
	}
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(texts[a], texts[b]), cmp.Compare(a, b))
	})
	for i := 1; i < len(order); i++ {
		if a, b := order[i-1], order[i]; overlap(words[a], words[b], number) {
			out = append(out, [2]int{a, b})
		}
	}
	return out
}

// overlap reports whether two thirds of the shorter text's words are in the longer one, and not both have a
// number that the other lacks. Other pairs differ in any case, and need no closer look.
func overlap(a, b []int, number []bool) bool {
	count := func(a, b []int) (both int, own bool) {
		for _, w := range a {
			if slices.Contains(b, w) {
				both++
			} else {
				own = own || number[w]
			}
		}
		return both, own
	}
	both, owns := count(a, b)
	if 3*both < 2*min(len(a), len(b)) {
		return false
	}
	if owns {
		_, owns = count(b, a)
	}
	return !owns
}
