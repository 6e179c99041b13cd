package mempalace

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
)

// TestOwnBetween: what came and went is found wherever it stands among the rest.
func TestOwnBetween(t *testing.T) {
	count := func(paths string) (c Count) {
		for _, path := range strings.Fields(paths) {
			at := strings.LastIndexByte(path, '/') + 1
			sum := sha256.Sum256([]byte(path))
			c.own, c.Names = append(c.own, drawer{path[:at], path[at:]}), append(c.Names, sum[:packed]...)
		}
		return c
	}
	for _, tt := range []struct {
		before, now, fresh string
		gone               int64
	}{
		{"", "", "", 0},
		{"", "w/r/a w/r/b", "a b", 0},
		{"w/r/a w/r/b", "", "", 2},
		{"w/r/a w/r/b w/r/c", "w/r/a w/r/b w/r/c", "", 0},
		{"w/r/b w/r/c", "w/r/a w/r/b w/r/c", "a", 0},
		{"w/r/a w/r/c", "w/r/a w/r/b w/r/c", "b", 0},
		{"w/r/a w/r/b", "w/r/a w/r/b w/r/c", "c", 0},
		{"w/r/a w/r/b w/r/c", "w/r/a w/r/c", "", 1},
		{"w/r/a w/r/b w/r/c", "w/r/a w/r/d w/r/c", "d", 1},
		{"w/r/a w/r/b w/r/c w/r/d", "w/r/x w/r/b w/r/y w/r/d", "x y", 2},
		{"w/r/a w/r/b w/r/c", "w/r/c w/r/b w/r/a", "", 0}, // in another order
		{"w/r/a", "w/r/a w/s/a", "w/s/a", 0},              // an id that another has
		{"w/r/a w/s/b", "w/r/a w/r/b w/s/b", "w/r/b", 0},
	} {
		got := ownBetween(count(tt.before).Names, count(tt.now))
		if !slices.Equal(got.New, strings.Fields(tt.fresh)) || got.Gone != tt.gone {
			t.Errorf("%q, %q: %+v", tt.before, tt.now, got)
		}
	}
}

// TestOwnBetweenDamaged: what a damaged log holds is compared with nothing.
func TestOwnBetweenDamaged(t *testing.T) {
	sum := sha256.Sum256([]byte("w/r/a"))
	whole := Count{Names: sum[:packed], own: []drawer{{"w/r/", "a"}}}
	for name, tt := range map[string]struct{ before, now Count }{
		"cut before":    {Count{Names: []byte("abc")}, whole},
		"cut behind":    {Count{Names: append(sum[:packed:packed], "abc"...)}, Count{}},
		"cut now":       {whole, Count{Names: []byte("abc")}},
		"no drawers":    {Count{}, Count{Names: sum[:packed]}},
		"other drawers": {Count{}, Count{Names: sum[:packed], own: append(whole.own, whole.own...)}},
	} {
		if got := Between(tt.before, tt.now); got.isAny() {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := Between(Count{}, whole); !slices.Equal(got.New, []string{"a"}) {
		t.Errorf("whole counts: %+v", got)
	}
}
