package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/markdown"
	"keepsake/pkg/text"
)

// Words in the headings of a plan, as text.OneOf takes them.
const (
	// choiceHeadings name the parts with its choices.
	choiceHeadings = "decision decisions choice choices rationale principles constraints tradeoff " +
		"tradeoffs " +
		"trade-offs entscheidung entscheidungen begründung"
	// introHeadings name the parts that say what it is about.
	introHeadings = "context summary overview approach solution goal goals design background problem " +
		"key why " +
		"strategy fix architecture concept kontext überblick ansatz lösung ziel entwurf problem"
	// stepHeadings name the parts that only say how it is carried out or tried.
	stepHeadings = "verification verify test tests testing files file modify steps step checklist " +
		"execution order " +
		"critical validation rollout timeline prüfung dateien schritte reihenfolge umsetzung"
)

// Words of the sentences of a plan, as text.OneOf takes them.
const (
	// limiting words say what else could have been, and is not.
	limiting = "not only just single any no without unnecessary should must never always both existing " +
		"same " +
		"nicht nur kein keine ohne soll muss nie immer beide selbe"
	// replacing are verbs of a change that puts one thing in the place of another.
	replacing = "replac replace mov move remov remove switch drop merg merge renam rename reus reuse us " +
		"use keep " +
		"mak make introduc introduce extract split ersetzen verschieben entfernen behalten"
	// asItIs begin sentences about what is now.
	asItIs = "currently current today now sees problem example bisher aktuell derzeit heute"
	// trying are verbs of a step that only shows that it works.
	trying = "run test verify check open click confirm ensure add update create write import"
)

// leastPlanned is the score of a sentence of a plan that may be one of its choices.
const leastPlanned = 3

// planChoices returns the sentences of a plan that say what was chosen, the clearest first: what stands under
// a heading that names choices, gives a reason, or says what else could have been; a plan says it early. Its
// steps, its files and how it is tried are none.
func planChoices(plan string) (found []triage.Sentence) {
	under := planHeadings(plan)
	all := triage.Sentences(plan)
	var scores []int
	for i, s := range all {
		n := plannedScore(s, under[s.Line])
		if n > 0 && i <= len(all)/3 {
			n++
		}
		scores = append(scores, n)
	}
	for n := slices.Max(append(scores, 0)); n >= leastPlanned; n-- {
		for i, s := range all {
			if scores[i] == n {
				found = append(found, s)
			}
		}
	}
	return found
}

// plannedScore returns how clearly a sentence of a plan says what was chosen; under is what kind of heading
// it stands under.
func plannedScore(s triage.Sentence, under int) (n int) {
	words := splitWords(s.Text)
	if s.Question || len(words) < leastReasoned/2 || strings.HasSuffix(plain(s.Text), ":") ||
		isVerb(words[0].text, trying) && !contrasts(words) {
		return 0
	}
	n = under
	if len(words) >= leastReasoned && contrasts(words) {
		n += 3
	}
	if hasWord(words[:min(len(words), 6)], asItIs) || words[0].in("file files line lines") {
		n -= 2
	}
	if hasWord(words, limiting) {
		n++
	}
	if isVerb(words[0].text, replacing) {
		n++
	}
	if strings.HasPrefix(s.Text, "**") && len(words) >= leastReasoned { // "**Goal**: …"
		n++
	}
	return n
}

// planHeadings returns, by line, how much the heading above it promises a choice.
func planHeadings(plan string) map[int]int {
	under := map[int]int{}
	var fence markdown.Fence
	on := 0
	for n, line := range strings.Split(plan, "\n") {
		code := fence.Read(line)
		if level, head := markdown.ParseHeading(line); !code && level > 0 {
			words := splitWords(head)
			switch {
			case hasWord(words, choiceHeadings):
				on = 3
			case hasWord(words, stepHeadings):
				on = -1
			case hasWord(words, introHeadings):
				on = 1
			default:
				on = 0
			}
			continue
		}
		under[n] = on
	}
	return under
}

// planTitle returns the title of a plan if it names a choice: "Replace polling with a watch". Headings alone
// name only work.
func planTitle(plan string) string {
	var fence markdown.Fence
	for line := range strings.SplitSeq(plan, "\n") {
		code := fence.Read(line)
		level, head := markdown.ParseHeading(line)
		if code || level == 0 || head == "" {
			continue
		}
		head = plain(head)
		if _, after, ok := strings.Cut(head, ": "); ok { // "Plan: …", "ENT-12: …"
			head = after
		}
		if words := splitWords(head); len(words) >= leastWords && isVerb(words[0].text, replacing) {
			return text.ShortenBytes(head, maxLine)
		}
		return ""
	}
	return ""
}
