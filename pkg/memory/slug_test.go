package memory

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/text"
)

var slugs = []struct{ title, want string }{
	{"Use Postgres for billing", "use-postgres-for-billing"},
	{"  --Use_Postgres?? (v16)--  ", "use-postgres-v16"},
	{"Don't use npm", "don-t-use-npm"},
	{"Über Größe: naïve Łódź, smørrebrød", "uber-grosse-naive-lodz-smorrebrod"},
	{"ﬁle Ⅳ ½ ① x²", "file-iv-1-x2"},
	{"ＦＵＬＬ　ｗｉｄｔｈ", "full-width"},
	{"결제는 포스트그레스로", "결제는-포스트그레스로"},
	{"데이터베이스 v2 결정", "데이터베이스-v2-결정"},
	{"数据库选择：PostgreSQL", "数据库选择-postgresql"},
	{"データベースの選択", "データベースの選択"},
	{"Выбор базы данных", "выбор-базы-данных"},
	{"\u0418\u0306", "й"}, // base and breve: the mark belongs to the letter
	{"डेटाबेस चुनाव", "डेटाबेस-चुनाव"},
	{"قاعدة البيانات ٣", "قاعدة-البيانات-٣"},
	{"İstanbul ISTANBUL ıstanbul", "istanbul-istanbul-istanbul"},
	{"a\u200bb\u202ec", "abc"},
	{"🚀 ship it 🚀", "ship-it"},
	{"🚀🚀", ""},
	{"...", ""},
	{"", ""},
	{"\xff\xfeabc", "abc"},
	{"𝐁𝐨𝐥𝐝 claim", "bold-claim"},
	{"x̂ marks on ascii", "x-marks-on-ascii"},
	{strings.Repeat("a", 90), strings.Repeat("a", 80)},
	{strings.Repeat("a", 79) + " b", strings.Repeat("a", 79)},
	{strings.Repeat("결", 90), strings.Repeat("결", 66)}, // 3 bytes each: 198
	{strings.Repeat("a", 80) + " " + strings.Repeat("b", 5000), strings.Repeat("a", 80)},
}

func TestSlug(t *testing.T) {
	for _, tt := range slugs {
		if got := Slug(tt.title); got != tt.want {
			t.Errorf("Slug(%q) = %q, want %q", tt.title, got, tt.want)
		}
	}
}

func TestValidID(t *testing.T) {
	for _, id := range []string{"a", "0", "use-postgres", "a--b", "결제", "й", "डेटाबेस",
		strings.Repeat("a", 80)} {
		if !ValidID(id) {
			t.Errorf("%q is no id", id)
		}
	}
	for _, id := range []string{"", "-a", "a-", "A", "a b", "a/b", "..", "a.b", "a_b", "\u0438\u0306",
		"a\u200bb", "\u0301a", strings.Repeat("a", 81), strings.Repeat("결", 70), "a\xff", "É"} {
		if ValidID(id) {
			t.Errorf("%q is an id", id)
		}
	}
}

func FuzzSlug(f *testing.F) {
	for _, tt := range slugs {
		f.Add(tt.title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		s := Slug(title)
		if s == "" {
			for _, r := range text.CutBytes(title, 4<<10) {
				if r != utf8.RuneError && !text.IsInvisible(r) &&
					(unicode.IsLetter(r) || unicode.IsDigit(r)) {
					t.Fatalf("Slug(%q) is empty, but it has %q", title, r)
				}
			}
			return
		}
		if !ValidID(s) {
			t.Fatalf("Slug(%q) = %q is no id", title, s)
		}
		if again := Slug(s); again != s {
			t.Fatalf("Slug(%q) = %q, of which the slug is %q", title, s, again)
		}
	})
}

func TestClean(t *testing.T) {
	for _, tt := range []struct{ in, title string }{
		{"  Use\tPostgres \n now ", "Use Postgres now"},
		{"a -> b", "a - b"},
		{"a --> b #tags:x #TAGS:y", "a - - b x y"},
		{"#ta#tags:gs:x", "x"},
		{"Trust me [confidence: high] [ Confidence : low ]", "Trust me"},
		{"[conf[confidence:x]idence: y] z", "z"},
		{"-[confidence:x]> z", "- z"},
		{"no [link] here [", "no [link] here ["},
		{"bidi \u202egnp.exe\u202c", "bidi gnp.exe"},
		{"zero\u200bwidth \ufeffbom \u00adsoft", "zerowidth bom soft"},
		{"tag\U000e0041\U000e0042s", "tags"},
		{"vari\ufe0fation\U000e0100", "variation"},
		{"filler\u3164\u115f", "filler"},
		{"e\u0301 composes", "é composes"},
		{"डेटाबेस हिन्दी", "डेटाबेस हिन्दी"},
		{"שָׁלוֹם עולם", "שָׁלוֹם עולם"},
		{"การตัดสินใจ", "การตัดสินใจ"},
		{"z" + strings.Repeat("\u0335", 30) + "algo", "z" + strings.Repeat("\u0335", 4) + "algo"},
		{"\u0301lone mark", "lone mark"},
		{"null\x00 bell\x07", "null bell"},
		{"bad \xff utf8", "bad \ufffd utf8"},
		{strings.Repeat("word ", 40), strings.TrimSpace(strings.Repeat("word ", 23)) + " word…"},
		{strings.Repeat("x", 200), strings.Repeat("x", 119) + "…"},
		{"", ""},
	} {
		got := CleanTitle(tt.in)
		// Composed and decomposed are one title.
		if want := text.CleanLine(tt.title); got != want {
			t.Errorf("CleanTitle(%q)\n got %q\nwant %q", tt.in, got, want)
		}
	}
}

func FuzzCleanTitle(f *testing.F) {
	for _, tt := range slugs {
		f.Add(tt.title)
	}
	f.Add("a --> b #ta#tags:gs: [conf[confidence:x]idence: y] \u202e" + strings.Repeat("ab ", 60))
	f.Fuzz(func(t *testing.T, s string) {
		title := CleanTitle(s)
		if n := utf8.RuneCountInString(title); n > MaxTitle || !utf8.ValidString(title) {
			t.Fatalf("CleanTitle(%q) = %q", s, title)
		}
		if again := CleanTitle(title); again != title {
			t.Fatalf("not idempotent: %q, then %q", title, again)
		}
		if strings.Contains(title, "->") || strings.Contains(strings.ToLower(title), "#tags:") {
			t.Fatalf("CleanTitle(%q) = %q has a delimiter of index.md", s, title)
		}
		tag := CleanTag(s)
		if strings.ContainsAny(tag, ", \n") || CleanTag(tag) != tag {
			t.Fatalf("CleanTag(%q) = %q, then %q", s, tag, CleanTag(tag))
		}
	})
}

func TestCleanTags(t *testing.T) {
	for _, tt := range []struct {
		in   []string
		want string
	}{
		{nil, "untagged"},
		{[]string{"", " ", ","}, "untagged"},
		{[]string{"untagged", "Auth"}, "auth"},
		{[]string{"Rate Limit", "rate-limit", "#GitHub", "a,b"}, "a-b github rate-limit"},
		{strings.Fields("m l k j i h g f e d c b a"), "b c d e f g h i j k l m"},
		{[]string{"결제", "x -> y #tags:z"}, "x-y-z 결제"},
	} {
		if got := strings.Join(CleanTags(tt.in), " "); got != tt.want {
			t.Errorf("CleanTags(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
