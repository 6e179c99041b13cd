package draft

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/text"
)

// maxCovers is how many findings one draft can cover, and how many numbers a range may have.
const maxCovers = 200

// covers returns the numbers of the findings that a draft takes up, from [1, 3], "1, 3", "[7]", "#7", "2-4"
// or 7. Anything else is dropped with a note.
func (p *coercer) covers(v any) []int {
	var out []int
	add := func(n int) {
		if n > 0 && len(out) < maxCovers && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	bad := func(s string) {
		p.note(fmt.Sprintf("covers: %q is no number of a finding, dropped", text.Shorten(s, 30)))
	}
	var read func(v any)
	read = func(v any) {
		switch v := v.(type) {
		case nil:
		case []any:
			for _, e := range v {
				read(e)
			}
		case json.Number:
			if n, ok := wholeNumber(v.String()); ok {
				add(n)
			} else {
				bad(v.String())
			}
		case map[string]any:
			if n := firstOf(snakeKeys(v), "number", "id", "finding", "n"); n != nil {
				read(n)
			} else {
				bad(flatText(v))
			}
		case string:
			for _, token := range strings.FieldsFunc(v,
				func(r rune) bool { return strings.ContainsRune(",;[](){} \t\n&\"'", r) }) {
				from, to, isRange := strings.Cut(strings.NewReplacer("–", "-", "#", "").Replace(token), "-")
				a, ok := wholeNumber(strings.TrimRight(from, "."))
				b, okTo := wholeNumber(to)
				switch {
				case ok && isRange && okTo && a <= b && b-a < maxCovers:
					for n := a; n <= b; n++ {
						add(n)
					}
				case ok && !isRange:
					add(a)
				case slices.Contains([]string{"and", "finding", "findings", "number", "numbers", "no.",
					"none", "null", "n/a", "all", "to"}, strings.ToLower(token)):
					if strings.ToLower(token) == "all" {
						bad(token)
					}
				default:
					bad(token)
				}
			}
		default:
			bad(flatText(v))
		}
	}
	read(v)
	slices.Sort(out)
	return out
}

// wholeNumber parses a positive number as models write it; 3.0 is 3.
func wholeNumber(s string) (int, bool) {
	s = strings.TrimSuffix(s, ".0")
	n, err := strconv.ParseInt(s, 10, 32)
	return int(n), err == nil && n > 0
}
