package memory

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
)

// ByCategory yields the records of each category that has some, the newest first.
func ByCategory(records []Stored) iter.Seq2[Category, []Stored] {
	return func(yield func(Category, []Stored) bool) {
		for _, c := range Categories() {
			of := slices.DeleteFunc(slices.Clone(records), func(r Stored) bool { return r.Category != c })
			slices.SortStableFunc(of, func(a, b Stored) int {
				return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.Path, b.Path))
			})
			if len(of) > 0 && !yield(c, of) {
				return
			}
		}
	}
}

// A Row is the content of a field of a record for people to read: one text, or a list.
type Row struct {
	Label string
	Text  string
	Items []string
}

// Rows returns what a value of the field says, nothing where it is empty.
func (f Field) Rows(value any) (rows []Row) {
	list := func(label string, items []string) {
		if len(items) > 0 {
			rows = append(rows, Row{Label: label, Items: items})
		}
	}
	switch v := value.(type) {
	case string:
		if v != "" {
			rows = append(rows, Row{Label: f.Label, Text: v})
		}
	case bool:
		rows = append(rows, Row{Label: f.Label, Text: strconv.FormatBool(v)})
	case []string:
		list(f.Label, v)
	case []map[string]string:
		var items []string
		for _, m := range v {
			items = append(items, m["option"]+": "+m["rejected_reason"])
		}
		list(f.Label, items)
	case map[string][]string:
		list(f.Label+", prefer", v["prefer"])
		list(f.Label+", avoid", v["avoid"])
	}
	return rows
}
