package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/cues"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// leastCause is how many words a sentence that says why has at least.
const leastCause = 7

// fixes hears why a command failed that passes now, after something was changed: the sentence between that
// says most of it. The command and its output are the evidence. It is a candidate, as most of what is
// mended in passing is worth nothing later.
func (l *listening) fixes() {
	if l.o.Off[memory.Runbook] {
		return
	}
	if !slices.ContainsFunc(l.entries, func(e transcript.Entry) bool {
		return e.Who == transcript.Tool && e.Call != nil && e.Call.Command != "" &&
			(e.Failed || showsFailure(e.Text))
	}) {
		return
	}
	h := workIn(l.entries)
	for _, r := range h.repairs {
		if len(r.changed) == 0 {
			continue
		}
		best, most, at := triage.Sentence{}, 0, -1
		for i := r.failed + 1; i < r.passed; i++ {
			if !h.at(i).Has(Fixed) {
				continue
			}
			for _, s := range triage.Sentences(h.all[i].Text) {
				if n := saysWhy(s); n > most {
					best, most, at = s, n, i
				}
			}
		}
		if at < 0 || l.heardIn(at, best.Text) {
			continue
		}
		l.heard = append(l.heard, Heard{
			Statement: triage.Statement{Text: best.Text, By: triage.Assistant, ID: h.all[at].UUID,
				Line: best.Line, Category: memory.Runbook, Score: doubtScore, Cue: Mended,
				Level: finding.Candidate},
			Entry: at, Text: text.OneLine(best.Text), By: finding.Agent,
		})
	}
}

// saysWhy returns how clearly a sentence of the agent says why something failed, 0 if it does not.
func saysWhy(s triage.Sentence) (n int) {
	words, has := splitWords(s.Text), cues.Find(s.Text)
	if s.Question || len(words) < leastCause || strings.HasSuffix(s.Text, ":") || words[0].text == "let" ||
		!has.Has(cues.Cause) {
		return 0
	}
	n = 1
	for _, f := range [...]cues.Family{cues.Symptom, cues.Negation, cues.Limit} {
		if has.Has(f) {
			n++
		}
	}
	if strings.Contains(s.Text, "`") {
		n++
	}
	return n
}

// heardIn reports whether something was heard in an entry that has these words, or is in them.
func (l *listening) heardIn(i int, words string) bool {
	words = text.OneLine(words)
	return slices.ContainsFunc(l.heard, func(h Heard) bool {
		return h.Entry == i && (strings.Contains(h.Text, words) || strings.Contains(words, h.Text))
	})
}
