package scratch

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var at = time.Date(2026, 4, 23, 10, 30, 0, 0, time.UTC)

func TestEncode(t *testing.T) {
	want := "## 2026-04-23T10:30:00Z\nDecided to use Postgres.\n"
	if got := string(Encode(Entry{At: at.In(time.FixedZone("x", 3600)),
		Text: "Decided to use Postgres."})); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParse(t *testing.T) {
	for name, tt := range map[string]struct {
		file string
		want []Entry
	}{
		"nothing": {"", nil},
		"one":     {"## 2026-04-23T10:30:00Z\ntext\n", []Entry{{at, "text", 1, nil}}},
		"two": {"## 2026-04-23T10:30:00Z\na\n\n## 2026-04-23T10:30:00Z\nb\nc\n",
			[]Entry{{at, "a", 1, nil}, {at, "b\nc", 4, nil}}},
		"without a line end":  {"## 2026-04-23T10:30:00Z\ntext", []Entry{{at, "text", 1, nil}}},
		"CRLF":                {"## 2026-04-23T10:30:00Z\r\na\r\nb\r\n", []Entry{{at, "a\nb", 1, nil}}},
		"a mark of the order": {"\uFEFF## 2026-04-23T10:30:00Z\ntext\n", []Entry{{at, "text", 1, nil}}},
		"another zone":        {"## 2026-04-23T12:30:00.5+02:00\ntext\n", []Entry{{at, "text", 1, nil}}},
		"text above": {"# Notes\n\nby hand\n\n## 2026-04-23T10:30:00Z\ntext\n",
			[]Entry{{time.Time{}, "# Notes\n\nby hand", 1, nil}, {at, "text", 5, nil}}},
		"other headings": {"## 2026-04-23T10:30:00Z\na\n## Findings\nb\n",
			[]Entry{{at, "a\n## Findings\nb", 1, nil}}},
		"an empty entry": {"## 2026-04-23T10:30:00Z\n\n## 2026-04-23T10:30:00Z\nb\n",
			[]Entry{{at, "b", 3, nil}}},
		"no such time": {"## 2026-14-23T10:30:00Z\na\n",
			[]Entry{{time.Time{}, "## 2026-14-23T10:30:00Z\na", 1, nil}}},
		"promoted": {"## 2026-04-23T10:30:00Z\na\nPROMOTED to MemPalace at 2026-04-24T10:30:00Z " +
			"(drawer_a, drawer_b) \n\n## 2026-04-23T10:30:00Z\nPROMOTED to MemPalace at noon\n",
			[]Entry{{at, "a", 1, []string{Mark(at.AddDate(0, 0, 1), []string{"drawer_a", "drawer_b"})}},
				{at, "PROMOTED to MemPalace at noon", 5, nil}}},
		"a mark in it": {"## 2026-04-23T10:30:00Z\n\\PROMOTED to MemPalace at 2026-04-24T10:30:00Z " +
			"(d)\n", []Entry{{at, "PROMOTED to MemPalace at 2026-04-24T10:30:00Z (d)", 1, nil}}},
		"a heading in it": {"## 2026-04-23T10:30:00Z\n\\## 2026-04-23T10:30:00Z\n\\\\## " +
			"2026-04-23T10:30:00Z\n\\## b\n",
			[]Entry{{at, "## 2026-04-23T10:30:00Z\n\\## 2026-04-23T10:30:00Z\n\\## b", 1, nil}}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Parse([]byte(tt.file)); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"a":                       "a",
		" \n\n  a\n b \n\n":       "  a\n b",
		"a\r\nb\rc":               "a\nb\nc",
		"a\x1b[31mb\x00\tc\u0085": "a[31mb\tc",
		"a\xffb":                  "a\uFFFDb",
		" \n\t":                   "",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestAppendAndParse: what was appended to any file is read back as it was, and
// what stood before stays.
func TestAppendAndParse(t *testing.T) {
	lines := rapid.SliceOf(rapid.SampledFrom([]string{"## 2026-04-23T10:30:00Z", `\## 2026-04-23T10:30:00Z`,
		Mark(at, []string{"d"}), `\` + Mark(at, nil), "## a", "", " ", "text", `\`}))
	text := rapid.OneOf(rapid.String(), rapid.Map(lines, func(l []string) string {
		return strings.Join(l, "\n")
	}))
	rapid.Check(t, func(t *rapid.T) {
		file := []byte(Clean(text.Draw(t, "above")))
		want := Parse(file)
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			e := Entry{At: time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "at"), 0).UTC(),
				Text: Clean(text.Draw(t, "text"))}
			if e.Text == "" {
				continue
			}
			file = append(file, Gap(file)...)
			e.Line = bytes.Count(file, []byte("\n")) + 1
			file = append(file, Encode(e)...)
			want = append(want, e)
		}
		if got := Parse(file); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\ngot  %+v\nwant %+v", file, got, want)
		}
	})
}

// TestMarked: a mark changes nothing but that it is there, whatever file it is put
// into, and the id stays.
func TestMarked(t *testing.T) {
	line := rapid.SampledFrom([]string{"## 2026-04-23T10:30:00Z", "## 2026-04-23T10:31:00Z", Mark(at, nil),
		"", " ", "text", "more", "## a"})
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		file := []byte(strings.Join(rapid.SliceOf(line).Draw(t, "lines"), end))
		all := Parse(file)
		if len(all) == 0 {
			return
		}
		which := rapid.IntRange(0, len(all)-1).Draw(t, "which")
		mark := Mark(at.Add(time.Hour), []string{"drawer_x"})
		out, ok := Marked(file, all[which], mark)
		if !ok || len(out) < len(file)+len(mark) {
			t.Fatalf("%q: %v", out, ok)
		}
		got := Parse(out)
		for i, e := range all {
			want := e
			if i == which {
				want.Promoted = append(slices.Clone(e.Promoted), mark)
			}
			want.Line = got[i].Line
			if !reflect.DeepEqual(got[i], want) || got[i].ID("x") != e.ID("x") || i <= which &&
				got[i].Line != e.Line {
				t.Fatalf("%q:\ngot  %+v\nwant %+v", out, got[i], want)
			}
		}
		if strings.Replace(string(out), mark, "", 1) == string(out) {
			t.Fatalf("%q: no mark", out)
		}
		other := all[which]
		other.Text += "!"
		if _, ok := Marked(file, other, mark); ok {
			t.Fatal("an entry that is not there was marked")
		}
	})
}

func TestID(t *testing.T) {
	e := Entry{At: at, Text: "Decided to use Postgres."}
	if got := e.ID("general"); got != "srmsgh" || !IsID(got) {
		t.Errorf("got %q", got)
	}
	later, other := e, e
	later.At = at.Add(time.Second)
	other.Text += " "
	for _, id := range []string{e.ID("x"), later.ID("general"), other.ID("general")} {
		if id == e.ID("general") || !IsID(id) {
			t.Errorf("%q is not an id of its own", id)
		}
	}
	for _, s := range []string{"", "s1234", "s123456", "c12345", "s1234l", "S12345"} {
		if IsID(s) {
			t.Errorf("%q is no id", s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("## 2026-04-23T10:30:00Z\na\n\n\\## 2026-04-23T10:30:00Z\r\n"))
	f.Add([]byte("above\n## 2026-04-23T10:30:00+02:00\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		lines := strings.Count(string(file), "\n") + 1
		for _, e := range Parse(file) {
			if strings.TrimSpace(e.Text) == "" || e.Line < 1 || e.Line > lines {
				t.Errorf("%+v", e)
			}
		}
	})
}
