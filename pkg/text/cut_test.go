package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"keepsake/pkg/text"
)

func TestCuts(t *testing.T) {
	for _, tt := range []struct {
		name string
		cut  func(string, int) string
		s    string
		n    int
		want string
	}{
		{"runes: it fits", text.Shorten, "über", 4, "über"},
		{"runes: a word", text.Shorten, "we keep the queue in Postgres", 23, "we keep the queue in…"},
		{"runes: inside of a long word", text.Shorten, "a Donaudampfschifffahrt", 10, "a Donauda…"},
		{"runes: a letter with its mark", text.Shorten, "cafe\u0301s", 5, "caf…"},
		{"bytes: it fits", text.ShortenBytes, "über", 5, "über"},
		{"bytes: a character", text.ShortenBytes, "aüüü", 6, "aü…"},
		{"bytes: a blank", text.ShortenBytes, "ab cdef", 6, "ab…"},
		{"bytes: nothing fits", text.ShortenBytes, "abcdef", 2, "…"},
		{"first: it fits", text.CutBytes, "über", 5, "über"},
		{"first: a character", text.CutBytes, "aü", 2, "a"},
		{"first: an emoji", text.CutBytes, "👍👍", 7, "👍"},
		{"first: nothing", text.CutBytes, "ü", 1, ""},
		{"first: less than nothing", text.CutBytes, "abc", -1, ""},
		{"last: it fits", text.LastBytes, "über", 9, "über"},
		{"last: a character", text.LastBytes, "üa", 2, "a"},
		{"last: nothing", text.LastBytes, "aü", 1, ""},
		{"last: less than nothing", text.LastBytes, "abc", -1, ""},
		{"marks", text.CutRunes, "e\u0301e\u0301", 3, "e\u0301"},
	} {
		if got := tt.cut(tt.s, tt.n); got != tt.want {
			t.Errorf("%s: %q in %d: %q, want %q", tt.name, tt.s, tt.n, got, tt.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{" a\n\tb  c ": "a b c", "": "", "a\u00a0b": "a b", "\r\n": ""} {
		if got := text.OneLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestAround(t *testing.T) {
	long := "we had used MySQL for years, and then moved the queue to Postgres, because of jsonb"
	for _, tt := range []struct {
		s, about string
		n        int
		want     string
	}{
		{"short", "", 10, "short"},
		{long, "we", 30, "we had used MySQL for years,…"},
		{long, "Postgres", 30, "…queue to Postgres, because…"},
		{long, "jsonb", 30, "…to Postgres, because of jsonb"},
		{long, "jsonb", 3, "…"},
		{long, "jsonb", 0, ""},
	} {
		if got := text.Around(tt.s, strings.Index(tt.s, tt.about), tt.n); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.about, tt.n, got, tt.want)
		}
	}
}

// FuzzCuts: no cut is longer than it may be, or splits a character that was whole.
func FuzzCuts(f *testing.F) {
	f.Add("über 👍 e\u0301 and so on", 7, 3)
	f.Add("\xffü", 1, 9)
	f.Fuzz(func(t *testing.T, s string, n, at int) {
		n = min(n, 1<<20)
		whole := utf8.ValidString(s)
		for name, got := range map[string]string{
			"CutBytes": text.CutBytes(s, n), "LastBytes": text.LastBytes(s, n),
			"CutRunes":     text.CutRunes(s, max(n, 0)),
			"ShortenBytes": text.ShortenBytes(s, max(n, 3)), "Shorten": text.Shorten(s, max(n, 1)),
			"Around": text.Around(s, at, n),
		} {
			size := len(got)
			if strings.HasSuffix(name, "Runes") || name == "Shorten" || name == "Around" {
				size = utf8.RuneCountInString(got)
			}
			most := max(n, 0)
			switch name {
			case "ShortenBytes":
				most = max(n, 3)
			case "Shorten":
				most = max(n, 1)
			}
			if size > most || whole && !utf8.ValidString(got) {
				t.Errorf("%s of %q in %d: %q", name, s, n, got)
			}
		}
	})
}

// TestOneLineAsItIs: a text that is one line already, as OneLine sees by its bytes, is what it would be made.
func TestOneLineAsItIs(t *testing.T) {
	parts := []string{"", " ", "a", "\t", "\u00a0", "\u0085", "\u2003", "\u3000", "\u1680", "é",
		"…", "\xff", "\v"}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				s := a + b + c
				if got, want := text.OneLine(s), strings.Join(strings.Fields(s), " "); got != want {
					t.Errorf("OneLine(%q) = %q, want %q", s, got, want)
				}
			}
		}
	}
}
