package files

import (
	"strings"
	"unicode"
)

// Ladder turns a question into queries for an engine that wants every word of a
// query in a file, has no use for stop words and reads signs as orders: its words
// without those of the question itself, then without those that rather name the
// kind of place, then the longest word alone. Each is tried when the one before
// it finds nothing. A question of nothing but stop words is asked as it is.
func Ladder(question string) (queries []string) {
	var all, said, strong []string
	longest := ""
	for _, w := range strings.FieldsFunc(question, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' && r != '.'
	}) {
		if w = strings.Trim(w, "._"); w == "" {
			continue
		}
		all = append(all, w)
		if silent()[strings.ToLower(w)] {
			continue
		}
		said = append(said, w)
		parts, weak := 0, false
		eachTerm([]byte(w), func(t []byte) { parts++; weak = parts == 1 && faint()[string(t)] })
		if weak {
			continue
		}
		strong = append(strong, w)
		if len(w) > len(longest) {
			longest = w
		}
	}
	if len(said) == 0 {
		said = all
	}
	for _, q := range []string{strings.Join(said, " "), strings.Join(strong, " "), longest} {
		if q != "" && (len(queries) == 0 || queries[len(queries)-1] != q) {
			queries = append(queries, q)
		}
	}
	return queries
}
