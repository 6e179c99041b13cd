package tidy

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/text"
)

// Limits of the comparison: the pairs that are looked at grow with the directory
// and not with its square.
const (
	maxStatements = 20_000
	common        = 24  // a word of more statements leads to none
	maxShared     = 400 // bytes of a statement that are compared
)

// gist is a statement as it is compared.
type gist struct {
	words, numbers map[string]bool
	names          map[string]string // by their stems, as they are written
	denies         bool
}

// pairs returns a call for each pair of statements that may say the same or contradict each other.
func pairs(said []Statement, m memdir.Map, alike func(a, b string) bool) (out []Call) {
	var all []Statement
	var gists []gist
	for _, s := range said {
		switch {
		case s.kind != markdown.Item && s.kind != markdown.Paragraph && s.kind != markdown.Row,
			len(all) >= maxStatements,
			memdir.Label(s.Text, "why"), memdir.Label(s.Text, "how to apply"):
			continue
		}
		g := gistOf(s.Text)
		if n := len(g.words) + len(g.numbers); n >= 3 || n == 2 && g.denies {
			all, gists = append(all, s), append(gists, g)
		}
	}
	with := map[string][]int{}
	for i, g := range gists {
		for w := range g.words {
			with[w] = append(with[w], i)
		}
	}
	for j, g := range gists {
		score := map[int]int{}
		for w := range g.words {
			if len(with[w]) > common {
				continue
			}
			for _, i := range with[w] {
				if i < j {
					score[i]++
				}
			}
		}
		for _, i := range slices.Sorted(maps.Keys(score)) {
			if m.Once(all[i].File) && m.Once(all[j].File) {
				continue
			}
			kind, why := compare(all[i], all[j], gists[i], gists[j], alike)
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

// compare returns whether two statements may say the same or the opposite, and the reason; "" if neither.
func compare(a, b Statement, x, y gist, alike func(a, b string) bool) (Kind, string) {
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
	if both < 2 || 2*both < less {
		return "", ""
	}
	if alike != nil && alike(text.CutBytes(a.Text, maxShared), text.CutBytes(b.Text, maxShared)) {
		return Near, "they seem to say the same"
	}
	if p, q := only(x.numbers, y.numbers), only(y.numbers, x.numbers); len(p) > 0 && len(q) > 0 {
		return Contradiction, "other numbers: " + strings.Join(p, ", ") + " and " + strings.Join(q, ", ")
	}
	if 3*both < 2*less {
		return "", ""
	}
	if x.denies != y.denies {
		return Contradiction, "one denies what the other says"
	}
	if alike != nil && slices.Equal(sorted(a.Text), sorted(b.Text)) {
		return Contradiction, "the same words in another order"
	}
	p, q := named(x.names, y.words), named(y.names, x.words)
	if len(p) > 0 && len(q) > 0 && len(p) <= 2 && len(q) <= 2 {
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
	g := gist{map[string]bool{}, map[string]bool{}, map[string]string{}, false}
	s = text.CutBytes(s, maxShared)
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
			case denial(low):
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

// denial reports whether a word denies what a statement says.
func denial(low string) bool {
	return text.OneOf(low, "not no never without cannot avoid") || strings.HasSuffix(low, "n't")
}

// dated reports whether a word has the form of a day. Days differ between any two stamped statements.
func dated(w string) bool {
	return len(w) == len("2006-01-02") && w[4] == '-' && w[7] == '-'
}

// isEmpty reports whether a word is one that nearly any statement has.
func isEmpty(w string) bool {
	return text.OneOf(w, "use uses used using version") || text.IsStopWord([]byte(w))
}
