package scratch_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"keepsake/pkg/scratch"
)

func TestQuestions(t *testing.T) {
	for name, tt := range map[string]struct {
		file string
		want []string
	}{
		"none": {"# Plan\n\nWhat is this? A plan.\n", nil},
		"the template": {"## Key Questions\n<!-- EXAMPLE: 1. Should it last? -->\n1. [Question to " +
			"answer]\n2. [Question to answer]\n\n## Decisions Made\n- Which one?\n", nil},
		"a list": {"## Key Questions\n1. Should tasks persist between sessions?\n2. **Which " +
			"region?**\n\n## Notes\n- why?\n",
			[]string{"Should tasks persist between sessions?", "Which region?"}},
		"answered": {"## Key Questions\n1. Should tasks persist? (Yes - need file storage)\n2. " +
			"Format? → JSON\n- [x] Owner?\n- [ ] Budget?\n- ~~Colour?~~\n- Licence? ✅\n",
			[]string{"Budget?"}},
		"answer below": {"## Open questions\n- Which port?\n  - Answer: 8080\n- Which host?\n  - " +
			"Answer: TBD\n", []string{"Which host?"}},
		"not yet answered": {"### Open Questions\n- Which port? (open)\n- Who pays? TBD\n",
			[]string{"Which port? (open)", "Who pays? TBD"}},
		"a statement": {"## Open Questions\n- the retry limit of the importer\n- None.\n",
			[]string{"the retry limit of the importer"}},
		"a table": {"## Questions\n| # | Question | Answer |\n|---|---|---|\n| 1 | Which port? |" +
			" 8080 |\n| 2 | Which host? | - |\n| 3 | Who? | TBD |\n", []string{"Which host?", "Who?"}},
		"headings": {"## Open questions\n### Which port?\ntext\n### Which host?\n## More\n### " +
			"Really?\n", []string{"Which port?", "Which host?"}},
		"closed headings": {"## Open questions ##\n### Port to C#? ###\n###\tWhich port?\n",
			[]string{"Port to C#?", "Which port?"}},
		"a label": {"## Result\n**Open questions:**\n- Which port?\n\n**Next:**\n- deploy it\n",
			[]string{"Which port?"}},
		"a line":        {"text\nOpen question: which port\n", []string{"which port"}},
		"answered ones": {"## Answered questions\n- Which port?\n## Resolved\n- Who?\n", nil},
		"once":          {"## Questions\n- Which port?\n- which port?\n", []string{"Which port?"}},
		"phases below": {"## Key Questions\n1. Which region?\n### Phase 1: A\n- [ ] ask Ann\n- " +
			"**Status:** in_progress\n### 🔄 Phase 2: B\n- [ ] build\n- Which port?\n### More\n- the retry " +
			"limit\n", []string{"Which region?", "Which port?", "the retry limit"}},
		"in code": {"## Questions\n```\n- Which port?\n```\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := scratch.Questions([]byte(tt.file)); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestQuestionsOfANote(t *testing.T) {
	e := scratch.Entry{Text: "The importer fails on an empty row.\nDo we skip such rows?\nIs it the " +
		"driver? No, the parser.\n- [x] Did we ask them?\nOpen question: who owns it"}
	if got, want := e.Questions(), []string{"Do we skip such rows?", "who owns it"}; !slices.Equal(got,
		want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestActive(t *testing.T) {
	for name, tt := range map[string]struct {
		plan string
		want scratch.Phase
	}{
		"no plan": {"", scratch.Phase{}},
		"active": {"## Phases\n### Phase 1: Discovery\n- [x] a\n- **Status:** complete\n### Phase 2: Data " +
			"model\n- [x] tables\n- [ ] **ids** as ULIDs\n- [ ] rules\n- **Status:** in_progress\n### " +
			"Phase 3: UI\n- [ ] c\n- **Status:** pending\n",
			scratch.Phase{Title: "Phase 2: Data model", Status: "in_progress", Steps: 3, Ticked: 1,
				Next: "ids as ULIDs", Phases: 3, Done: 1}},
		"called and waiting": {"Current Phase: Phase 2\n### Phase 2: Data model\n- **Status:** pending\n",
			scratch.Phase{Title: "Phase 2: Data model", Status: "pending", Phases: 1}},
		"called, not there": {"Current Phase: Phase 7\n", scratch.Phase{Title: "Phase 7"}},
		"all done": {"### Phase 1: A\n**Status:** complete\n### Phase 2: B\n**Status:** done\n",
			scratch.Phase{Phases: 2, Done: 2}},
		"a language": {"### Phase 1: Port to C#\n- [ ] b\n",
			scratch.Phase{Title: "Phase 1: Port to C#", Steps: 1, Next: "b", Phases: 1}},
		"another": {"### Phase 1: Port to C++ ✅ ###\n### Phase 2: Port to F# (in progress) ###\n",
			scratch.Phase{Title: "Phase 2: Port to F#", Status: "in_progress", Phases: 2, Done: 1}},
		"only boxes": {"### Phase 1: A\n- [x] a\n### Phase 2: B\n- [ ] b\n",
			scratch.Phase{Title: "Phase 2: B", Steps: 1, Next: "b", Phases: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := scratch.Active([]byte(tt.plan)); got != tt.want {
				t.Errorf("got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func FuzzQuestions(f *testing.F) {
	for _, s := range []string{"", "## Questions\n- a?\n| b? | c |\n",
		"**Open questions:**\n- [ ] a\n- Answer: b", "# \n#\n[", "Open question:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, q := range append(scratch.Questions([]byte(s)), scratch.Entry{Text: s}.Questions()...) {
			if strings.TrimSpace(q) == "" || strings.Contains(q, "\n") || utf8.ValidString(s) &&
				!utf8.ValidString(q) {
				t.Fatalf("%q", q)
			}
		}
		p := scratch.Active([]byte(s))
		if p.Ticked > p.Steps || p.Done > p.Phases || p.Next != "" && p.Steps == 0 {
			t.Fatalf("%+v", p)
		}
	})
}
