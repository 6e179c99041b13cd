package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// TestUnseen: what nobody sees is counted, and what only joins is not.
func TestUnseen(t *testing.T) {
	for in, want := range map[string]int{
		"plain text,\n\ttwo lines\r\n":       0,
		"non\u00a0breaking":                  0,
		"👩\u200d💻 and ✔\ufe0f 1\ufe0f\u20e3": 0,
		"می\u200cخواهم":                      0,
		"क्\u200dष":                          0,
		"a\u200db":                           1,
		"日\u200c":                            1,
		"a\ufe0fb":                           1,
		"line\rover":                         1,
		"bell\a":                             1,
		"soft\u00adhyphen":                   1,
		"\ufeffmark":                         1,
		"\u2066a\u2069":                      2,
		"a\u3164":                            1,
		"a\u2028b":                           1,
		"a\xffb\ufffd":                       1,
	} {
		if got := slices.Collect(text.Unseen(in)); len(got) != want || text.HasUnseen(in) != (want > 0) {
			t.Errorf("%q: %q, want %d", in, got, want)
		}
	}
}

// TestInvisibleIsOneSet holds IsInvisible against Unicode's Default_Ignorable_Code_Point, derived as UAX 44
// has it, and against the ranges of its file DerivedCoreProperties.txt (Unicode 15) that are not assigned to
// anybody yet.
func TestInvisibleIsOneSet(t *testing.T) {
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		ignorable := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Cf,
			unicode.Variation_Selector) && !unicode.In(r, unicode.White_Space,
			unicode.Prepended_Concatenation_Mark) && (r < 0xFFF9 || r > 0xFFFB) &&
			(r < 0x13430 || r > 0x1343F)
		if ignorable {
			n++
		}
		if (ignorable || unicode.Is(unicode.Bidi_Control, r)) && !text.IsInvisible(r) {
			t.Errorf("%U is ignorable by default, and is taken for visible", r)
		}
		if text.IsInvisible(r) && utf8.ValidRune(r) {
			if s := "a" + string(r) + "b"; !text.HasUnseen(s) && r != '\u200c' && r != '\u200d' ||
				strings.ContainsRune(text.Safe(s), r) {
				t.Errorf("%U is invisible and is shown as it is", r)
			}
		}
	}
	if n != 4174 { // "Total code points: 4174"
		t.Errorf("%d code points are ignorable by default, want 4174", n)
	}
	for _, r := range []rune{0xE00E0, 0xE01F0, 0xE0FFF, 0x2065, 0xFFF0, 0x180F, 0x3164, 0x2800} {
		if !text.IsInvisible(r) {
			t.Errorf("%U is taken for visible", r)
		}
	}
	for _, r := range "aé 日\u0600\u06DD\u00A0\n✔" {
		if text.IsInvisible(r) {
			t.Errorf("%U is taken for invisible", r)
		}
	}
}

// TestPartWords: what parts words that nothing else parts becomes a blank, and all else stays as it is.
func TestPartWords(t *testing.T) {
	for in, want := range map[string]string{
		"use\u202eNATS":             "use NATS",
		"use\u200b\u202eNATS":       "use\u200b NATS",
		"use\u200cNATS":             "use NATS",
		"use\x07NATS":               "use NATS",
		"use \u202eNATS\u202c now":  "use \u202eNATS\u202c now",
		"\ufeffUse NATS\u200b.":     "\ufeffUse NATS\u200b.",
		"Donau\u00addampfer":        "Donau\u00addampfer",
		"نمی\u200cخواهم":            "نمی\u200cخواهم",
		"a\ufe0fb":                  "a\ufe0fb",
		"plain, with ümlauts and 字": "plain, with ümlauts and 字",
		"":                          "",
	} {
		got := text.PartWords(in)
		if got != want || text.PartWords(got) != got {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
