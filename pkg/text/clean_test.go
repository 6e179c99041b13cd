package text_test

import (
	"testing"

	"keepsake/pkg/text"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"a\r\nb\tc\x00":             "a\nb\tc",
		"نمی\u200cخواهم":            "نمی\u200cخواهم",
		"run `x`\n\n  indented\x1b": "run `x`\n\n  indented",
		" \n trimmed \n":            "trimmed",
	} {
		if got := text.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\r\nb\tc\x00 \u202e\u200d e\u0301")
	f.Fuzz(func(t *testing.T, s string) {
		clean := text.Clean(s)
		if again := text.Clean(clean); again != clean {
			t.Fatalf("Clean(%q) = %q, then %q", s, clean, again)
		}
		line := text.CleanLine(s)
		if again := text.CleanLine(line); again != line {
			t.Fatalf("CleanLine(%q) = %q, then %q", s, line, again)
		}
	})
}
