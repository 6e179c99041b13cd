package tidy

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// Limits of the comparison: the pairs that are looked at grow with the directory
// and not with its square.
const (
	maxStatements = 20_000
	maxLooked     = 20_000_000 // shared words that are counted in all
	minLooked     = 1_000      // of one statement in any case
	maxCompared   = 16         // statements that one is compared with, those with the most in common
	maxShared     = 400        // bytes of a statement that are compared
)

// gist is a statement as it is compared.
type gist struct {
	words, numbers map[string]bool
	names          map[string]string // by their stems, as they are written
	denies         bool
	short          string // what is compared of its text
	said           func() alike.Statement
}

// pairs returns a call for each pair of statements that may say the same or contradict each other.
func pairs(said []Statement, m memdir.Map, same func(a, b string) bool) (out []Call) {
	var all []Statement
	var gists []gist
	for _, s := range said {
		switch {
		case s.kind != markdown.Item && s.kind != markdown.Paragraph && s.kind != markdown.Row,
			s.past, len(all) >= maxStatements,
			memdir.Label(s.Text, "why"), memdir.Label(s.Text, "how to apply"):
			continue
		}
		g := gistOf(s.Text)
		if n := len(g.words) + len(g.numbers); n >= 3 || n == 2 && g.denies {
			all, gists = append(all, s), append(gists, g)
		}
	}
	for j, near := range nearest(gists, func(i, j int) bool {
		return m.Once(all[i].File) && m.Once(all[j].File)
	}) {
		for _, i := range near {
			kind, why := compare(all[i], all[j], gists[i], gists[j], same)
			if kind == "" || kind == Contradiction && differentSubjects(all[i], all[j], gists[i], gists[j]) {
				continue
			}
			out = append(out, Call{Kind: kind, File: all[i].File, Line: all[i].Line, Why: why,
				Question: pairQuestion(kind), Statements: []Statement{all[i], all[j]}})
		}
	}
	slices.SortStableFunc(out, func(a, b Call) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// nearest returns for each statement the earlier ones that it is to be compared with, in order: of those that
// share half of the words of the shorter one, the ones that have most in common with it. A word counts the
// more, the fewer statements have it, so that many statements of one form don't hide a pair among them. It
// leaves out pairs that skip reports.
func nearest(gists []gist, skip func(i, j int) bool) [][]int {
	in := map[string]int{} // statements with the word
	for _, g := range gists {
		for w := range g.words {
			in[w]++
		}
	}
	weight := func(w string) float64 { return 1 / math.Sqrt(float64(in[w])) }
	total := make([]float64, len(gists))
	with := map[string][]int{} // the statements so far by their words
	both, score := make([]int, len(gists)), make([]float64, len(gists))
	out := make([][]int, len(gists))
	for j, g := range gists {
		words := slices.SortedFunc(maps.Keys(g.words), func(a, b string) int {
			return cmp.Or(cmp.Compare(in[a], in[b]), strings.Compare(a, b))
		})
		var met []int
		for room, k := max(minLooked, maxLooked/len(gists)), 0; k < len(words); k++ {
			w := words[k]
			total[j] += weight(w)
			list := with[w]
			with[w] = append(list, j)
			list = list[len(list)-min(len(list), max(room, 0)):]
			room -= len(list)
			for _, i := range list {
				if both[i] == 0 {
					met = append(met, i)
				}
				both[i]++
				score[i] += weight(w)
			}
		}
		near := slices.DeleteFunc(slices.Clone(met), func(i int) bool {
			return !enough(both[i], gists[i], g) || skip(i, j)
		})
		share := func(i int) float64 { return score[i] / (total[i] + total[j] - score[i]) }
		slices.SortFunc(near, func(a, b int) int {
			return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(b, a))
		})
		out[j] = slices.Clone(near[:min(len(near), maxCompared)])
		slices.Sort(out[j])
		for _, i := range met {
			both[i], score[i] = 0, 0
		}
	}
	return out
}

// enough reports whether two statements share enough words to be compared.
func enough(both int, x, y gist) bool {
	return both >= 2 && 2*both >= min(len(x.words), len(y.words))
}

// compare returns whether two statements may say the same or the opposite, and the reason; "" if neither.
// What sets them apart is asked before how like they are: numbers, then denials.
func compare(a, b Statement, x, y gist, same func(a, b string) bool) (Kind, string) {
	if strings.EqualFold(a.Text, b.Text) {
		return "", "" // word for word: a rule's matter
	}
	both := 0
	for w := range x.words {
		if y.words[w] {
			both++
		}
	}
	less := min(len(x.words), len(y.words))
	if !enough(both, x, y) {
		return "", ""
	}
	apart := false // each gives a number of another thing
	if p, q := only(x.numbers, y.numbers), only(y.numbers, x.numbers); len(p) > 0 && len(q) > 0 {
		apart = len(only(x.words, y.words)) > 0 && len(only(y.words, x.words)) > 0 &&
			(opening(a.Text, y.words) && opening(b.Text, x.words) || x.said().IsOfOtherThing(y.said()))
		if !apart {
			return Contradiction, "other numbers: " + strings.Join(p, ", ") + " and " + strings.Join(q, ", ")
		}
	}
	if same != nil && slices.Equal(sorted(a.Text), sorted(b.Text)) {
		return Contradiction, "the same words in another order"
	}
	if 3*both >= 2*less && (x.denies != y.denies || x.said().Denies(y.said())) {
		return Contradiction, "one denies what the other says"
	}
	if !apart && same != nil && same(x.short, y.short) {
		return Near, "they seem to say the same"
	}
	if 3*both < 2*less {
		return "", ""
	}
	p, q := named(x.names, y.words), named(y.names, x.words)
	if len(p) > 0 && len(q) > 0 && len(p) <= 2 && len(q) <= 2 &&
		!(apart && opening(a.Text, y.words) && opening(b.Text, x.words)) {
		return Contradiction, "other names: " + strings.Join(p, ", ") + " and " + strings.Join(q, ", ")
	}
	return "", ""
}

// sorted returns the words of a text in alphabetical order.
func sorted(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '-'
	})
	slices.Sort(words)
	return words
}

// only returns the members of a that b lacks, in order.
func only(a, b map[string]bool) (out []string) {
	for _, w := range slices.Sorted(maps.Keys(a)) {
		if !b[w] {
			out = append(out, w)
		}
	}
	return out
}

// named returns the names that another text doesn't mention, in order.
func named(names map[string]string, said map[string]bool) (out []string) {
	for _, root := range slices.Sorted(maps.Keys(names)) {
		if !said[root] {
			out = append(out, names[root])
		}
	}
	return out
}

func gistOf(s string) gist {
	s = text.CutBytes(s, maxShared)
	g := gist{words: map[string]bool{}, numbers: map[string]bool{}, names: map[string]string{}, short: s,
		said: sync.OnceValue(func() alike.Statement { return alike.StatementOf(s) })}
	begins := true
	for _, field := range strings.Fields(s) {
		code := strings.Contains(field, "`")
		for w := range strings.FieldsFuncSeq(field, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' && r != '-' &&
				r != '\'' && r != '’'
		}) {
			w = strings.Trim(w, ".-_'’")
			low := strings.ReplaceAll(strings.ToLower(w), "’", "'")
			first, _ := utf8.DecodeRuneInString(w)
			switch {
			case low == "":
				continue
			case text.IsDenial(low):
				g.denies = !g.denies
			case strings.ContainsFunc(w, unicode.IsDigit):
				if !dated(low) {
					g.numbers[low] = true
				}
			case isEmpty(low):
			default:
				root := string(text.Stem([]byte(low)))
				g.words[root] = true
				if code || unicode.IsUpper(first) && !begins ||
					strings.ContainsFunc(w[utf8.RuneLen(first):], unicode.IsUpper) {
					g.names[root] = w
				}
			}
			begins = false
		}
		begins = strings.ContainsAny(field[len(field)-1:], ".!?:")
	}
	return g
}

// dated reports whether a word has the form of a day. Days differ between any two stamped statements.
func dated(w string) bool {
	return len(w) == len("2006-01-02") && w[4] == '-' && w[7] == '-'
}

// isEmpty reports whether a word is one that nearly any statement has.
func isEmpty(w string) bool {
	return text.OneOf(w, "use uses used using version") || text.IsStopWord([]byte(w))
}
