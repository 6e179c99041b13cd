package brief

import "testing"

func TestEffect(t *testing.T) {
	for want, e := range map[string]Effect{
		"nothing": {},
		"MEMORY.md 366 to 148 lines, 62 new files, 1 merged, 3 deletions": {Before: 366, After: 148,
			Created: 62, Merged: 1, Deleted: 3},
		"MEMORY.md 3 to 1 line, 1 new file, 2 changed, 4 moved, 1 deletion": {Before: 3, After: 1, Created: 1,
			Changed: 2, Moved: 4, Deleted: 1},
		"1 changed":                              {Before: 5, After: 5, Changed: 1},
		"1 merged, 2 lines taken out: b.md goes": {Merged: 1, Lines: 2, Gone: []string{"b.md"}},
		"2 deletions: b.md, c.md go":             {Deleted: 2, Gone: []string{"b.md", "c.md"}},
		"4 deletions":                            {Deleted: 4, Gone: []string{"a", "b", "c", "d"}},
		"2 changed: a.md, MEMORY.md are overwritten": {Changed: 2,
			Overwritten: []string{"a.md", "MEMORY.md"}},
	} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
