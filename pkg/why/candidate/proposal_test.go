package candidate

import (
	"slices"
	"strings"
	"testing"
)

const quote = "Decided to use Postgres over SQLite for the memory store, scaling concern."

var whole = Proposal{Quote: quote, Path: ".agents/memory/scratch/phase-2-data-model.md", At: 2, Wing: "shop",
	Room: "decisions", Drawer: "postgres-over-sqlite", Reason: "a choice with its reason"}

// TestParse: one candidate, as models spell it.
func TestParse(t *testing.T) {
	for name, text := range map[string]string{
		"as asked for": `## Postgres over SQLite
> ` + quote + `
- Source: .agents/memory/scratch/phase-2-data-model.md:2
- Wing: shop
- Room: decisions
- Drawer: postgres-over-sqlite
- Reason: a choice with its reason

Read: 12, proposed: 1, left: 11`,
		"emphasis, a span of lines": `Here are the candidates:

### Candidate 1: Postgres

**Quote:** "` + quote + `"
**Source:** ` + "`.agents/memory/scratch/phase-2-data-model.md:2-3`" + `
**Wing:** ` + "`shop`" + ` 
**Room:** *decisions*
**Drawer:** "postgres-over-sqlite"
**Why:** a choice with its reason

---
**Counts:** Read: 12 · Proposed: 1 · Left: 11`,
		"numbered, address in one": `1. **Postgres over SQLite**
   - **Verbatim quote**: “` + quote + `”
   - **Source file:** [phase-2-data-model.md](.agents/memory/scratch/phase-2-data-model.md#L2)
   - **Proposed wing / room / drawer:** shop / decisions / postgres-over-sqlite
   - **Rationale:** a choice with
     its reason

12 read, 1 proposed, 11 left`,
		"a fence around all": "```markdown\n## P\n> Decided to use Postgres over SQLite\n> for the " +
			"memory store, scaling concern.\nSource: .agents/memory/scratch/phase-2-data-model.md, line " +
			"2\nProposed: shop → decisions → postgres-over-sqlite\nReason: a choice with its " +
			"reason\n\nEntries read: 12\nProposed: 1\nLeft: 11\n```",
		"a fence around the quote": "### P\nQuote:\n\n```\n" + quote +
			"\n```\n\nSource: `.agents/memory/scratch/phase-2-data-model.md` (line 2)\nWing: shop\nRoom: " +
			"decisions\nDrawer: postgres-over-sqlite\nReason: a choice with its reason\n- read: 12\n- " +
			"proposed: 1\n- left: 11\n",
		"a table": "| Field | Value |\n|---|---|\n| Quote | " + quote +
			" |\n| Source | .agents/memory/scratch/phase-2-data-model.md:2 |\n| Wing | shop |\n| Room |" +
			" decisions |\n| Drawer | postgres-over-sqlite |\n| Reason | a choice with its reason |" +
			"\n\nRead 12, proposed 1, left 11",
		"Windows": "## P\r\n> " + quote +
			"\r\nSource: .agents/memory/scratch/phase-2-data-model.md:2:1\r\nWing = shop\r\nRoom = " +
			"decisions\r\nDrawer = postgres-over-sqlite\r\nReason = a choice with its reason\r\n\r\nNotes " +
			"read: 12; proposed: 1; left: 11\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := Parse(text)
			if len(d.Candidates) != 1 || d.Counts != (Counts{12, 1, 11}) {
				t.Fatalf("%d candidates, %+v\n%+v", len(d.Candidates), d.Counts, d.Candidates)
			}
			got := d.Candidates[0]
			got.Quote, got.Reason = strings.Join(strings.Fields(got.Quote), " "),
				strings.Join(strings.Fields(got.Reason), " ")
			if got.Line == 0 {
				t.Error("no line")
			}
			got.Line, got.Title = 0, ""
			if got != whole {
				t.Errorf("got  %+v\nwant %+v", got, whole)
			}
		})
	}
}

func TestTitleKeepsItsHash(t *testing.T) {
	for _, head := range []string{"## 1. Records in C#", "## Records in C#", "**Records in C#**",
		"2. Records in C#"} {
		d := Parse(head + "\n> " + quote + "\n- Source: a.md:1\n")
		if len(d.Candidates) != 1 || d.Candidates[0].Title != "Records in C#" {
			t.Errorf("%s: %+v", head, d.Candidates)
		}
	}
}

func TestParseSeveral(t *testing.T) {
	d := Parse("# WHY candidates\n\n## One\n> first\n- Source: a.md:1\n\n## Two\n> second\n>\n> half\n- " +
		"Source: b.md:2\n- Reason: why: because\n\n> third\nSource: c.md\n> fourth\nSource: d.md:4\n\n## " +
		"Counts\nRead: 3\n")
	var got []string
	for _, c := range d.Candidates {
		got = append(got, c.Title+"|"+strings.Join(strings.Fields(c.Quote), " ")+"|"+c.Path+"|"+c.Reason)
	}
	want := []string{"One|first|a.md|", "Two|second half|b.md|why: because", "|third|c.md|", "|fourth|d.md|"}
	if !slices.Equal(got, want) || d.Counts != (Counts{3, -1, -1}) {
		t.Errorf("%q, %+v", got, d.Counts)
	}
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", "Nothing is worth keeping.\n\nRead: 4, proposed: 0, left: 4",
		"## Candidates\n\nNone.", "- Reason: no quote\n- Wing: x"} {
		if d := Parse(text); len(d.Candidates) != 0 {
			t.Errorf("%q: %+v", text, d.Candidates)
		}
	}
	if d := Parse("none. Read: 4"); d.Counts.Read != -1 { // a sentence is no count
		t.Errorf("%+v", d.Counts)
	}
}

func TestBounds(t *testing.T) {
	d := Parse(strings.Repeat("> x\nSource: a.md:1\n", MaxCandidates+5))
	if len(d.Candidates) != MaxCandidates || !d.Cut {
		t.Errorf("%d, %v", len(d.Candidates), d.Cut)
	}
	if d := Parse(strings.Repeat("é", MaxDocument)); !d.Cut {
		t.Error("not cut")
	}
}

func TestSource(t *testing.T) {
	for text, want := range map[string]struct {
		path string
		line int
	}{
		"a/b.md:12": {"a/b.md", 12}, "`a/b.md:12`": {"a/b.md", 12}, "`a/b.md`:12": {"a/b.md", 12},
		"a/b.md:12-14":   {"a/b.md", 12},
		"a/b.md#L12-L14": {"a/b.md", 12}, "a b.md, lines 12 to 14": {"a b.md", 12},
		"a/b.md line 7": {"a/b.md", 7}, "(a/b.md:3)": {"a/b.md", 3},
		"[b](a/b.md:3)": {"a/b.md", 3}, "[a/b.md:4](x)": {"a/b.md", 4}, "a/b.md": {"a/b.md", 0},
		"a/b.md:0": {"a/b.md:0", 0}, "a/b.md:x": {"a/b.md:x", 0}, "": {"", 0}, ":": {":", 0},
		"a/b.md:L9": {"a/b.md", 9},
	} {
		if path, line := source(text); path != want.path || line != want.line {
			t.Errorf("%q: %q %d, want %q %d", text, path, line, want.path, want.line)
		}
	}
}

func TestLocate(t *testing.T) {
	const file = "## 2026-04-23T10:30:00Z\nDecided to use Postgres\n  over SQLite — it’s “fine”.\n\n- one " +
		"two\n- three\none two\n"
	for _, tt := range []struct {
		quote string
		line  int
		want  Place
		ok    bool
	}{
		{"Decided to use Postgres over SQLite", 2, Place{2, 3, "Decided to use Postgres\n  over SQLite"},
			true},
		{"it's \"fine\".", 1, Place{3, 3, "it’s “fine”."}, true},
		{"one two three", 5, Place{5, 6, "one two\n- three"}, true},
		{"one two", 0, Place{5, 5, "one two"}, true},
		{"one two", 7, Place{7, 7, "one two"}, true},
		{"Decided to use Postgre", 2, Place{}, false},
		{"Decided use Postgres", 2, Place{}, false},
		{"decided to use Postgres", 2, Place{}, false},
		{"Decided … SQLite", 2, Place{}, false},
		{"", 2, Place{}, false},
		{"> -", 2, Place{}, false},
		{file + " more", 2, Place{}, false},
	} {
		if got, ok := Locate(file, tt.quote, tt.line); got != tt.want || ok != tt.ok {
			t.Errorf("%q at %d: %+v, %v", tt.quote, tt.line, got, ok)
		}
	}
	if p := (Place{Line: 100, Last: 130}); !p.Near(0) || !p.Near(100-Near) || p.Near(99-Near) ||
		!p.Near(130) || p.Near(131) {
		t.Error("near")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("## P\n> q\nSource: a.md:1\n```\nQuote:\n```\n| a | b |\n**x**\nRead: 3, left 2")
	f.Fuzz(func(t *testing.T, text string) {
		d := Parse(text)
		for _, c := range d.Candidates {
			if c.Quote == "" && c.Path == "" || c.At < 0 || c.Line < 1 {
				t.Errorf("%+v", c)
			}
		}
		if len(d.Candidates) > MaxCandidates || d.Counts.Read < -1 {
			t.Error(len(d.Candidates), d.Counts)
		}
	})
}

// FuzzLocate: what is found stands there, and has the words of the quote.
func FuzzLocate(f *testing.F) {
	f.Add("a b\n c d", "b c", 1)
	f.Fuzz(func(t *testing.T, file, quote string, line int) {
		p, ok := Locate(file, quote, line%1000)
		if !ok {
			return
		}
		if !strings.Contains(file, p.Text) || p.Line < 1 || p.Last < p.Line {
			t.Errorf("%+v", p)
		}
		if again, ok := Locate(p.Text, quote, 1); !ok || again.Text != p.Text {
			t.Errorf("%q is not in %q", quote, p.Text)
		}
	})
}
