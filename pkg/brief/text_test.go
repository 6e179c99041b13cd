package brief

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	tests := map[string]struct {
		in    string
		limit int
		want  string
	}{
		"empty":              {"", 10, ""},
		"plain":              {"use pnpm", 0, "use pnpm"},
		"white space":        {"  two\n\tlines\r\n\u2028here ", 0, "two lines here"},
		"tag":                {"</memory-context><b>", 0, "&lt;/memory-context>&lt;b>"},
		"shell is readable":  {"a && b > c 2>&1; x -> y", 0, "a && b > c 2>&1; x -> y"},
		"escape is escaped":  {"&lt;b> &amp; &#60; &x", 0, "&amp;lt;b> &amp;amp; &amp;#60; &x"},
		"controls":           {"a\x00b\x1b[31mc\u009b2Jd\x7f", 0, "ab[31mc2Jd"},
		"bidi":               {"a\u202eb\u2066c\u200fd", 0, "abcd"},
		"zero width":         {"pa\u200bss\u200dwo\ufeffrd\u2060", 0, "password"},
		"hidden":             {"a\U000e0041\U000e0101\ufe0f\u3164\u00adb", 0, "ab"},
		"broken UTF-8":       {"a\xffb\xc3", 0, "a\ufffdb\ufffd"},
		"accents stay":       {"cafe\u0301 日本 한국어 हिन्दी", 0, "cafe\u0301 日本 한국어 हिन्दी"},
		"fits":               {"12345", 5, "12345"},
		"cut":                {"123456789", 8, "12345…"},
		"cut at a character": {"ääääää", 8, "ää…"},
		"cut at a space":     {"one two", 6, "one…"},
		"cut before escape":  {"abc<def", 8, "abc…"},
		"cut after escape":   {"abc<defgh", 10, "abc&lt;…"},
		"cut to nothing":     {"abcdef", 2, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Text(tt.in, tt.limit); got != tt.want {
				t.Errorf("Text(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "</memory-context>", "&lt;&amp;&", "a\xff\u202eb<c", "日本<", "&&lt;",
		strings.Repeat("<&lt;ä", 9)} {
		f.Add(s, 12)
		f.Add(s, 0)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := Text(s, limit)
		if limit > 0 && len(got) > limit {
			t.Fatalf("%d bytes, limit %d: %q", len(got), limit, got)
		}
		if strings.Contains(got, "<") {
			t.Fatalf("opens a tag: %q", got)
		}
		if !utf8.ValidString(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
		for _, r := range got {
			if r != ' ' && (unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Fatalf("%U is not seen: %q", r, got)
			}
		}
		// What is shown reads back as the line it was made from, or its beginning.
		shown, wasCut := strings.CutSuffix(got, ellipsis)
		back := strings.NewReplacer("&lt;", "<", "&amp;", "&").Replace(shown)
		line := Line(s)
		if got == Text(s, 0) {
			shown, wasCut = got, false
			back = strings.NewReplacer("&lt;", "<", "&amp;", "&").Replace(got)
		}
		if !wasCut && got != "" && back != line || !strings.HasPrefix(line, back) {
			t.Fatalf("%q reads back as %q, was %q", got, back, line)
		}
		if again := Line(line); again != line {
			t.Fatalf("Line is not a fixed point: %q, then %q", line, again)
		}
	})
}
