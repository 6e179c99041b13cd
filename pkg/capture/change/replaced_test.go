package change

import (
	_ "embed"
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

//go:embed testdata/replaced.tsv
var replacedPairs string

//go:embed testdata/replaced_more.tsv
var morePairs string

//go:embed testdata/replaced_heldout.tsv
var heldOutPairs string

// decisionOf returns a decision as "keepsake remember" makes it from a sentence, or from a title and a text.
func decisionOf(said string) memory.Record {
	title, main, ok := strings.Cut(said, " :: ")
	if !ok {
		title, main = alike.Headline(said), said
	}
	return memory.Record{Category: memory.Decision, Title: title, Content: memory.Content{
		"status": "accepted", "context": "Not recorded.", "decision": main,
		"rationale": []string{"Not recorded."},
	}}
}

// TestReplaced counts what is made of statements that name an old choice and a new one: whether they replace
// the memory of the old one, and whether both would be shown as a contradiction if both stood.
func TestReplaced(t *testing.T) {
	type score struct{ Replaces, Replaced, Heard, Opposed, Others, WronglyReplaced, WronglyOpposed int }
	count := func(text string, shown bool) (s score) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			is, was, said := cells[0], decisionOf(cells[1]), cells[2]
			subject := Subject{Ref: "was", Category: was.Category, Title: was.Title, Text: was.Body(),
				Main: was.MainText()}
			_, replaced := Stated(said, finding.Typed, []Subject{subject})
			_, heard := Detect(said, finding.Typed, []Subject{subject})
			opposed := alike.Opposed(was, decisionOf(said))
			if opposed != alike.Opposed(decisionOf(said), was) {
				t.Errorf("not the same both ways: %q", cells)
			}
			if is == "replaces" {
				s.Replaces++
			} else {
				s.Others++
			}
			switch {
			case replaced && is == "replaces":
				s.Replaced++
			case replaced:
				s.WronglyReplaced++
			}
			if heard && is == "replaces" {
				s.Heard++
			}
			switch {
			case opposed && is == "replaces":
				s.Opposed++
			case opposed:
				s.WronglyOpposed++
			}
			if shown && (replaced != (is == "replaces") || opposed != (is == "replaces")) {
				t.Logf("replaced %v, opposed %v: %q", replaced, opposed, cells)
			}
		}
		return s
	}
	t.Logf("developed on: %+v", count(replacedPairs, true))
	t.Logf("more: %+v", count(morePairs, true))
}
