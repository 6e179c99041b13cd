package mempalace_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"keepsake/pkg/why/mempalace"
)

// rows returns a table as the program counts it.
func rows(after int64, all ...mempalace.Row) mempalace.Count {
	c := mempalace.Count{Rows: int64(len(all)), Last: all[max(0, len(all)-mempalace.Newest):]}
	for _, r := range all {
		c.Max = max(c.Max, r.Row)
		if r.Row > after {
			c.Later++
		}
	}
	return c
}

func row(n int64, id string) mempalace.Row { return mempalace.Row{Row: n, ID: id} }

// many returns n rows from 1 on.
func many(n int) (all []mempalace.Row) {
	for i := range n {
		all = append(all, row(int64(i+1), fmt.Sprint("m", i+1)))
	}
	return all
}

func TestBetween(t *testing.T) {
	a, b, c := row(1, "a"), row(2, "b"), row(3, "c")
	for name, tt := range map[string]struct {
		before, now []mempalace.Row
		want        mempalace.Change
	}{
		"nothing": {[]mempalace.Row{a, b}, []mempalace.Row{a, b}, mempalace.Change{}},
		"one new": {[]mempalace.Row{a, b}, []mempalace.Row{a, b, c},
			mempalace.Change{New: []string{"c"}}},
		"first":    {nil, []mempalace.Row{a}, mempalace.Change{New: []string{"a"}}},
		"one gone": {[]mempalace.Row{a, b}, []mempalace.Row{b}, mempalace.Change{Gone: 1}},
		"all gone": {[]mempalace.Row{a, b}, nil, mempalace.Change{Gone: 2}},
		"one in another's place": {[]mempalace.Row{a, b}, []mempalace.Row{a, row(2, "x")},
			mempalace.Change{New: []string{"x"}, Gone: 1}},
		"an old one, low down":     {many(500), many(500)[1:], mempalace.Change{Gone: 1}},
		"old ones come into sight": {many(500), many(450), mempalace.Change{Gone: 50}},
		"more than are named": {many(1), many(301),
			mempalace.Change{New: ids(many(301)[201:]), More: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			before := rows(0, tt.before...)
			if got := mempalace.Between(before, rows(before.Max, tt.now...)); !reflect.DeepEqual(got,
				tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func ids(all []mempalace.Row) (out []string) {
	for _, r := range all {
		out = append(out, r.ID)
	}
	return out
}

// However rows come and go near the end of a table, each new one is found and the total is right.
func TestBetweenFindsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := many(rapid.IntRange(0, 300).Draw(t, "size"))
		before, next := rows(0, table...), 0
		old := ids(table)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			if n := len(table); n > 0 && rapid.Bool().Draw(t, "delete") {
				table = slices.Delete(slices.Clone(table), n-1, n)
				continue
			}
			top := int64(0)
			if len(table) > 0 {
				top = table[len(table)-1].Row
			}
			next++
			table = append(slices.Clone(table), row(top+1, fmt.Sprint("n", next)))
		}
		var fresh []string
		kept := 0
		for _, id := range ids(table) {
			if slices.Contains(old, id) {
				kept++
			} else {
				fresh = append(fresh, id)
			}
		}
		got := mempalace.Between(before, rows(before.Max, table...))
		if !slices.Equal(got.New, fresh) || got.More != 0 || got.Gone != int64(len(old)-kept) {
			t.Fatalf("got %+v, want new %v and %d gone", got, fresh, len(old)-kept)
		}
	})
}

func TestLess(t *testing.T) {
	all := mempalace.Change{New: []string{"drawer_a_b_1", "drawer_a_b_2_chunk_000000",
		"drawer_a_b_2_chunk_000001", "drawer_a_b_3"}, Gone: 2}
	for name, tt := range map[string]struct {
		yes  mempalace.Approved
		want mempalace.Change
	}{
		"none": {mempalace.Approved{}, all},
		"some": {mempalace.Approved{IDs: []string{"drawer_a_b_1", "drawer_a_b_2"}},
			mempalace.Change{New: []string{"drawer_a_b_3"}, Gone: 2}},
		"a piece": {mempalace.Approved{IDs: []string{"drawer_a_b_2_chunk_000000"}},
			mempalace.Change{New: []string{"drawer_a_b_1", "drawer_a_b_2_chunk_000001", "drawer_a_b_3"},
				Gone: 2}},
		"deletion": {mempalace.Approved{Removes: true}, mempalace.Change{New: all.New}},
		"command":  {mempalace.Approved{Open: true}, mempalace.Change{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := all.Less(tt.yes); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}
