package lessons

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// journal returns a journal with lessons by number, each with the days on which it came up.
func journal(lessons map[int][]int) []byte {
	var b []byte
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	for n := range 20 {
		days := lessons[n]
		if len(days) == 0 {
			continue
		}
		slices.Sort(days)
		b, _ = Append(b, Lesson{Title: fmt.Sprint("lesson ", n), Trigger: fmt.Sprint("trigger ", n),
			Lesson: fmt.Sprint("taught ", n), Next: fmt.Sprint("next ", n)}, day(1))
		for _, d := range days {
			all := Read(Journal, b)
			b, _, _ = all[len(all)-1].Count(b, day(d))
		}
	}
	return b
}

func read(b []byte) map[string][]string {
	out := map[string][]string{}
	for _, e := range Read(Journal, b) {
		out[strings.Join([]string{e.Title, e.Trigger, e.Lesson.Lesson, e.Next}, "|")] = e.Seen
	}
	return out
}

// TestMergeLessons: what either side learned or counted is there, whatever side it is and in whatever order
// three people come together.
func TestMergeLessons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := map[int][]int{}
		for n := range rapid.IntRange(0, 3).Draw(t, "old") {
			base[n] = []int{1}
		}
		side := func(first int) []byte {
			mine := map[int][]int{}
			for n, days := range base {
				mine[n] = slices.Clone(days)
				if rapid.Bool().Draw(t, "again") {
					mine[n] = append(mine[n], rapid.IntRange(2, 5).Draw(t, "day"))
				}
			}
			for n := range rapid.IntRange(0, 3).Draw(t, "new") {
				mine[first+n] = []int{1}
			}
			return journal(mine)
		}
		was, a, b, c := journal(base), side(5), side(9), side(13)
		merge := func(x, y []byte) []byte {
			m, ok := Merge(was, x, y)
			if !ok {
				t.Fatalf("a conflict of\n%s\nand\n%s", x, y)
			}
			return m
		}
		m := merge(merge(a, b), c)
		for what, other := range map[string][]byte{"exchanged": merge(c, merge(b, a)),
			"in another order": merge(a, merge(b, c)), "once more": merge(m, c)} {
			if fmt.Sprint(read(m)) != fmt.Sprint(read(other)) {
				t.Fatalf("%s:\n%s\nand\n%s", what, m, other)
			}
		}
		want := map[string][]string{}
		for _, x := range [][]byte{a, b, c} {
			for lesson, seen := range read(x) {
				for _, day := range seen {
					if !slices.Contains(want[lesson], day) {
						want[lesson] = append(want[lesson], day)
					}
				}
				slices.Sort(want[lesson])
			}
		}
		if fmt.Sprint(read(m)) != fmt.Sprint(want) {
			t.Fatalf("%v\nwant\n%v", read(m), want)
		}
		if string(merge(a, a)) != string(a) && len(a) > 0 {
			t.Fatalf("with itself:\n%s\nof\n%s", merge(a, a), a)
		}
	})
}

func TestMergeLessonsConflict(t *testing.T) {
	one := string(journal(map[int][]int{1: {1}}))
	const code = "```\n## not a lesson\n```\n"
	dos := strings.ReplaceAll(one, "\n", "\r\n")
	edit := func(old, next string) []byte { return []byte(strings.Replace(one, old, next, 1)) }
	for what, tt := range map[string]struct {
		base, ours, theirs []byte
		want               string // in the merged file; "" for a conflict
	}{
		"both changed the words": {[]byte(one), edit("taught", "said"), edit("taught", "showed"), ""},
		"one did, the other counted": {[]byte(one), edit("taught", "said"),
			edit("2026-11-01\n", "2026-11-01, 2026-11-02\n"), ""},
		"one took it out, one edited": {[]byte(one), []byte("# Learnings\n"), edit("taught", "said"), ""},
		"one heading, two lessons":    {nil, []byte(one), edit("taught", "said"), ""},
		"two of one heading":          {nil, []byte(one + one[len("# Learnings\n"):]), []byte(one), ""},
		"one took it out":             {[]byte(one), []byte("# Learnings\n"), []byte(one), "# Learnings\n"},
		"the same on both sides":      {nil, []byte(one), []byte(one), one},
		"a file with DOS lines":       {nil, []byte(dos), []byte(one), dos},
		"both have DOS lines":         {[]byte(dos), []byte(dos), []byte(dos), dos},
		"code that looks like a heading": {[]byte(one), []byte(one + "\n" + code), []byte(one),
			one + "\n" + code},
		"twice in code": {[]byte(one), []byte(one + "\n" + code + "\n" + code), []byte(one),
			one + "\n" + code + "\n" + code},
		"code that is not closed": {nil, []byte(one + "\n```\nx\n"), []byte(one + "\n## Other\n\nx\n"), ""},
	} {
		got, ok := Merge(tt.base, tt.ours, tt.theirs)
		if ok != (tt.want != "") || ok && string(got) != tt.want {
			t.Errorf("%s: %v\n%s", what, ok, got)
		}
	}
}

func FuzzMergeLessons(f *testing.F) {
	one := journal(map[int][]int{1: {1}, 2: {2}})
	f.Add(one, one, journal(map[int][]int{1: {1, 2}, 3: {3}}))
	f.Add([]byte(nil), []byte("a\n\n## b\n"), []byte("## b\r\n- **Seen**: 2026-11-01"))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		a, ok1 := Merge(base, ours, theirs)
		b, ok2 := Merge(base, theirs, ours)
		if ok1 != ok2 || ok1 && len(Read(Journal, a)) != len(Read(Journal, b)) {
			t.Errorf("%q and exchanged %q", a, b)
		}
	})
}
