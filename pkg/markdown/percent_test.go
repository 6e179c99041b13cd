package markdown

import (
	"net/url"
	"testing"
)

// FuzzDecodePercent holds decodePercent against net/url, which hooks don't link.
func FuzzDecodePercent(f *testing.F) {
	for _, s := range []string{"", "a b.md", "a%20b.md", "%C5%81%c3%b3d%c5%ba", "100%", "50%2", "%zz", "%%41",
		"a+b", "%00", "%2e%2E/x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := url.PathUnescape(s)
		if err != nil {
			want = s
		}
		if got := decodePercent(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	})
}
