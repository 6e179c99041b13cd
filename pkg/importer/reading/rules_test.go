package reading

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/memory"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const instructions = `# Shop

This is a web shop. It sells shoes.

See @docs/architecture.md and @README.md

@AGENTS.md

## Code style

- Use tabs, because gofmt does.
- Errors are lower case
- ` + "`gofmt`" + `
- **Never** log a password.
- Tests:
  - Prefer tables.
  - Put files in ` + "`testdata`" + `
- Handlers take a context
  and return an error

## Commands

- ` + "`make build`" + ` builds all
- [guide](docs/guide.md)
- lint

Always run the tests before a commit.

` + "```sh\nnever run this\n```" + `

> never quote this
`

func TestRules(t *testing.T) {
	offers, passed := rules("/p/CLAUDE.md", []byte(instructions), noon, false)
	var got []string
	for _, o := range offers {
		if err := o.Validate(); err != nil {
			t.Errorf("%s: %v", o.From, err)
		}
		got = append(got, fmt.Sprintf("%s %s / %s / %s / %s", o.From, o.Content["topic"], o.Content["value"],
			o.Content["reason"], o.Content["strength"]))
	}
	want := []string{
		"CLAUDE.md:11 Shop, Code style / Use tabs / gofmt does. / default",
		"CLAUDE.md:12 Shop, Code style / Errors are lower case / Stated in CLAUDE.md. / default",
		"CLAUDE.md:14 Shop, Code style / **Never** log a password. / Stated in CLAUDE.md. / strong",
		"CLAUDE.md:16 Shop, Code style, Tests / Prefer tables. / Stated in CLAUDE.md. / default",
		"CLAUDE.md:17 Shop, Code style, Tests / Put files in `testdata` / Stated in CLAUDE.md. / default",
		"CLAUDE.md:18 Shop, Code style / Handlers take a context\nand return an error / Stated in " +
			"CLAUDE.md. / default",
		"CLAUDE.md:27 Shop, Commands / Always run the tests before a commit. / Stated in CLAUDE.md. / strong",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var places []string
	for _, p := range passed {
		places = append(places, strings.TrimPrefix(p.From, "CLAUDE.md:"))
	}
	if got := strings.Join(places, " "); got != "3 5 7 13 23 24 25 29 33" {
		t.Errorf("passed %v", passed)
	}
	all, _ := rules("CLAUDE.md", []byte(instructions), noon, true)
	if len(all) != len(offers)+1 || all[6].Content["value"] != "`make build` builds all" {
		t.Errorf("%d of all", len(all))
	}
}

// Two rules with one title, and one that is a heading of nothing.
func TestRulesAtTheEdges(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "- \n": 0, "# Use\n": 0, "- Use a\n- Use a\n": 2, "---\ndescription: x\n---\n- Use tabs\n": 1,
		"- Use:\n": 0, "- Use:\n  - Use b\n    - Use c\n": 1,
		"* Never x y\r\n* Always z a\r\n": 2, "1. Run it first\n2. Check it\n": 2, "- 数字は必ず半角で書く こと\n": 0,
	} {
		if offers, _ := rules("f.md", []byte(text), noon, false); len(offers) != want {
			t.Errorf("%q: %d offers, want %d", text, len(offers), want)
		}
	}
}

// A title is one line without marks.
func TestRuleTitles(t *testing.T) {
	for text, want := range map[string]string{
		"- **Always** run it first":                              "Always run it first",
		"- Never use `**kwargs` or __init__":                     "Never use `**kwargs` or __init__",
		"- Use src/**/*.go and **only** those":                   "Use src/**/*.go and only those",
		"- Prefer (**small**) steps\n  - of **one** kind\n  - x": "Prefer (small) steps",
		"# Rules\n- 日本語で必ずコメントを書くこと":                             "日本語で必ずコメントを書くこと",
	} {
		offers, passed := rules("f.md", []byte(text), noon, false)
		if len(offers) != 1 || offers[0].Title != want {
			t.Errorf("%q: %v, passed %v; want %q", text, offers, passed, want)
		}
	}
}

// What Keepsake wrote into a file is no rule that somebody wrote down.
func TestOwnSectionIsNoRule(t *testing.T) {
	some, _ := rules("CLAUDE.md", []byte(instructions), noon, true)
	section := string(exchange.AgentsMD([]memory.Stored{{Record: some[0].Record}, {Record: some[1].Record}}))
	text := "- Always do a\n\n" + section + "\n- Always do b\n\n" + section + "- Always do c\n"
	offers, passed := rules("AGENTS.md", []byte(text), noon, true)
	at := strings.Count(text[:strings.Index(text, "- Always do b")], "\n") + 1
	if len(offers) != 3 || offers[1].From != fmt.Sprintf("AGENTS.md:%d", at) || len(passed) != 2 ||
		passed[0].From != "AGENTS.md:3" {
		t.Errorf("%v\npassed %v", offers, passed)
	}
	if offers, _ := rules("AGENTS.md", []byte("- Always do a\n"+exchange.SectionBegin+"\n- Always do b\n"),
		noon, true); len(offers) != 1 {
		t.Errorf("cut short: %v", offers)
	}
}

func TestLoose(t *testing.T) {
	passed := loose("MEMORY.md",
		[]byte("# Memory\n\n## Style\n- [Tabs](feedback_tabs.md) — indentation\n- we ship on "+
			"Fridays\n\nThe database is Postgres.\n"))
	if len(passed) != 2 || passed[0].From != "MEMORY.md:5" || passed[1].From != "MEMORY.md:7" {
		t.Errorf("%v", passed)
	}
}

func FuzzRules(f *testing.F) {
	f.Add(instructions)
	f.Add("- a\n\t- b:\n\t\t- use c\n#### x\n- y\n")
	f.Fuzz(func(t *testing.T, text string) {
		offers, _ := rules("CLAUDE.md", []byte(text), noon, true)
		for _, o := range offers {
			if o.ID == "" || len(text) > 10_000 {
				continue
			}
			if err := o.Validate(); err != nil {
				t.Fatalf("%s: %v\n%s", o.From, err, o.Encode())
			}
		}
	})
}
