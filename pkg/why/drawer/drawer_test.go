package drawer

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestName: what MemPalace takes as the name of a wing or a room, and what it refuses.
func TestName(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"decisions", "decisions"}, {"MDDesign", "MDDesign"}, {"my-proj", "my-proj"}, {"a.b", "a.b"},
		{"a_b", "a_b"},
		{"with space", "with space"}, {"o'brien", "o'brien"}, {"a", "a"}, {"7", "7"}, {"données", "données"},
		{"数据", "数据"}, {"½", "½"},
		{" decisions\t", "decisions"}, {"a--b", "a--b"}, {"a.-.b", "a.-.b"},
		{strings.Repeat("x", 128), strings.Repeat("x", 128)},

		{"", ""}, {" \n", ""}, {".dotfiles", ""}, {"_priv", ""}, {"foo_", ""}, {"foo.", ""}, {"-a", ""},
		{"c++", ""}, {"@scope", ""},
		{"proj (old)", ""}, {"a..b", ""}, {"..", ""}, {"a/b", ""}, {`a\b`, ""}, {"a\x00b", ""}, {"a\nb", ""},
		{"a:b", ""},
		{"e\u0301", ""}, {"a\u202eb", ""}, {"a\xffb", ""}, {strings.Repeat("x", 129), ""},
		{strings.Repeat("数", 86), ""},
	} {
		got, err := Name(tt.name)
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("Name(%q) = %q, %v; want %q", tt.name, got, err, tt.want)
		}
		if err != nil && !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("Name(%q): %v has no hint", tt.name, err)
		}
	}
}

func TestTag(t *testing.T) {
	for root, want := range map[string]string{
		"/home/ada/shop": "shop", "/home/ada/MDDesign/": "MDDesign", "/srv/.dotfiles": "dotfiles",
		"/srv/_priv_": "priv", "/srv/c++": "c",
		"/srv/@scope": "scope", "/srv/proj (old)": "proj -old", "/srv/a..b": "a.b",
		"/srv/re\u0301sume\u0301": "resume", "/srv/données": "données",
		"/srv/👾": "project", "/": "project", "": "project", "/srv/a\nb": "a-b",
		"/srv/" + strings.Repeat("x", 200): strings.Repeat("x", 128),
		"/srv/" + strings.Repeat("数", 100): strings.Repeat("数", 85), "/srv/a\xff": "a",
	} {
		got := Tag(root)
		if got != want {
			t.Errorf("Tag(%q) = %q, want %q", root, got, want)
		}
		if name, err := Name(got); err != nil || name != got {
			t.Errorf("Tag(%q) = %q is no name: %v", root, got, err)
		}
	}
}

func TestID(t *testing.T) {
	d := Drawer{Wing: "shop", Room: "decisions",
		Text:   "Decided to use Postgres over SQLite for the memory store, scaling concern.\nMore.",
		Source: "x.md:1", Filed: filed}
	for name, tt := range map[string]struct {
		change func(*Drawer)
		lead   string
	}{
		"as it is": {func(*Drawer) {}, "decided-to-use-postgres-over-sqlite-for-"},
		"another source": {func(d *Drawer) {
			d.Source, d.Filed = "", time.Time{}
		}, "decided-to-use-postgres-over-sqlite-for-"},
		"another wing": {func(d *Drawer) {
			d.Wing = "till"
		}, "decided-to-use-postgres-over-sqlite-for-"},
		"another room": {func(d *Drawer) {
			d.Room = "notes"
		}, "decided-to-use-postgres-over-sqlite-for-"},
		"a space more": {func(d *Drawer) {
			d.Text += " "
		}, "decided-to-use-postgres-over-sqlite-for-"},
		"no words": {func(d *Drawer) { d.Text = "!?" }, "drawer-"},
		"a path":   {func(d *Drawer) { d.Text = "../../etc/passwd" }, "etc-passwd-"},
		"a long word": {func(d *Drawer) {
			d.Text = strings.Repeat("x", 90)
		}, strings.Repeat("x", 40) + "-"},
		"another script": {func(d *Drawer) { d.Text = "数据 模型" }, "数据-模型-"},
		"a letter of its own": {func(d *Drawer) {
			d.Text = strings.Repeat("İ", 60)
		}, strings.Repeat("i", 40) + "-"},
	} {
		e := d
		tt.change(&e)
		id := e.ID()
		if !strings.HasPrefix(id, tt.lead) || len(id) != len(tt.lead)+12 {
			t.Errorf("%s: %q, want %q and 12 digits", name, id, tt.lead)
		}
		if clean, err := Name(id); err != nil || clean != id {
			t.Errorf("%s: %q is no name: %v", name, id, err)
		}
		if same := e.Wing == d.Wing && e.Room == d.Room && e.Text == d.Text; same != (id == d.ID()) {
			t.Errorf("%s: %q beside %q", name, id, d.ID())
		}
	}
}

func TestDigest(t *testing.T) {
	a, b := Drawer{Wing: "a", Room: "bc", Text: "t"}, Drawer{Wing: "ab", Room: "c", Text: "t"}
	seen := map[string]string{}
	for name, digest := range map[string]string{
		"one": Digest("embedded", []Drawer{a}), "shifted": Digest("embedded", []Drawer{b}),
		"both":   Digest("embedded", []Drawer{a, b}),
		"turned": Digest("embedded", []Drawer{b, a}), "elsewhere": Digest("mempalace", []Drawer{a}),
		"none": Digest("embedded", nil),
	} {
		if other, ok := seen[digest]; ok || len(digest) != 64 {
			t.Errorf("%s has the digest of %s: %s", name, other, digest)
		}
		seen[digest] = name
	}
	later := a
	later.Source, later.Filed = "x", filed
	if Digest("embedded", []Drawer{a}) != Digest("embedded", []Drawer{later}) {
		t.Error("where it was taken from changes what is approved")
	}
}

func TestCheck(t *testing.T) {
	good := Drawer{Wing: "shop", Room: "decisions", Text: "a"}
	for name, tt := range map[string]struct {
		change func(*Drawer)
		want   string
	}{
		"good":       {func(*Drawer) {}, ""},
		"longest":    {func(d *Drawer) { d.Text = strings.Repeat("é", MaxText) }, ""},
		"no wing":    {func(d *Drawer) { d.Wing = "" }, "the wing: a name is missing"},
		"a path":     {func(d *Drawer) { d.Room = "../x" }, "the room: "},
		"spaces":     {func(d *Drawer) { d.Room = " x" }, "has spaces around it"},
		"not UTF-8":  {func(d *Drawer) { d.Text = " \n" }, "without text"},
		"too long":   {func(d *Drawer) { d.Text = strings.Repeat("é", MaxText+1) }, "has 100001 characters"},
		"no UTF-8":   {func(d *Drawer) { d.Text = "a\xff" }, "not UTF-8"},
		"a NUL byte": {func(d *Drawer) { d.Text = "a\x00" }, "not UTF-8"},
	} {
		d := good
		tt.change(&d)
		err := d.Check()
		if (err != nil) != (tt.want != "") || err != nil &&
			(!strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "hint: ")) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

var filed = time.Date(2026, 4, 23, 10, 30, 0, 0, time.UTC)

const whole = "---\nwing: shop\nroom: decisions\nsource: .agents/memory/scratch/general.md:3\nfiled: " +
	"2026-04-23T10:30:00Z\n---\nDecided to use Postgres.\n"

func TestMarkdown(t *testing.T) {
	d := Drawer{Wing: "shop", Room: "decisions", Text: "Decided to use Postgres.",
		Source: ".agents/memory/scratch/general.md:3", Filed: filed}
	if got := string(Encode(d)); got != whole {
		t.Errorf("printed\n%s\nwant\n%s", got, whole)
	}
	d.Source = "x\nwing: other\n---\r\u2028y"
	if got, err := Parse(Encode(d)); err != nil || got.Wing != "shop" || got.Text != d.Text ||
		got.Source != "x wing: other --- y" {
		t.Errorf("a source of many lines became %+v, %v", got, err)
	}
	d.Source = ".agents/memory/scratch/general.md:3"
	text := func(s string) Drawer { return Drawer{Wing: "shop", Room: "decisions", Text: s} }
	for name, tt := range map[string]struct {
		file string
		want Drawer
	}{
		"whole":     {whole, d},
		"CRLF head": {"---\r\nwing: shop\r\nroom: decisions\r\n---\r\na", text("a")},
		"a BOM":     {"\uFEFF---\nwing: shop\nroom: decisions\n---\na\n", text("a")},
		"other lines": {"---\nwing: shop\ntags: [a, b]\n\nroom: decisions\nfiled: yesterday\n---\na\n",
			text("a")},
		"fences inside": {"---\nwing: shop\nroom: decisions\n---\na\n---\nwing: b\n---\n",
			text("a\n---\nwing: b\n---")},
		"space stays": {"---\nwing: shop\nroom: decisions\n---\n\n a \r\n\n", text("\n a \r\n")},
	} {
		if got, err := Parse([]byte(tt.file)); err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for file, want := range map[string]string{
		"": "does not begin", "a": "does not begin", "---\nwing: shop\n": "has no ---",
		"---\n---\na\n":                           "the wing",
		"---\nwing: ../x\nroom: y\n---\na":        "the wing",
		"---\nwing: shop\nroom: decisions\n---\n": "without text", "---\n\xff": "is no text",
	} {
		for range 20 { // what is wrong first is said first
			if _, err := Parse([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("%q: %v, want %q", file, err, want)
			}
		}
	}
}

// FuzzParse: what Parse takes, Encode prints so that Parse reads the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{whole, "---\r\nwing: a\r\nroom: b\r\n---\r\n\r\n---\n",
		"---\nwing: a\nroom: b\nsource: x\u2028y\nfiled: 0000-01-01T00:00:00Z\n---\na", "---\n---\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := Parse(file)
		if err != nil {
			return
		}
		if !utf8.ValidString(d.Source) || strings.ContainsAny(d.Source, "\n\r\x00") {
			t.Errorf("source %q", d.Source)
		}
		again, err := Parse(Encode(d))
		if err != nil || again != d {
			t.Errorf("%+v became %+v, %v", d, again, err)
		}
	})
}
