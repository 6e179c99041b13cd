package explain

import (
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/text"
)

// reversal hears that a person takes something back: "I've reverted your change, keep the old name". Words
// that only point get what the agent said last with them. A question about it is none.
func (l *listening) reversal(i int, e transcript.Entry) {
	all := triage.Sentences(headOf(e.Text))
	for n, s := range all[:min(len(all), maxReferring)] {
		words := splitWords(s.Text)
		if !takesBack(words) || s.Question && !wantsDone(s.Text) ||
			hasWord(words, "conflict conflicts rebase merge") {
			continue
		}
		if l.heardIn(i, s.Text) {
			return
		}
		said := s.Text
		if n+1 < len(all) && !all[n+1].Question { // why, or what instead
			said += " " + all[n+1].Text
		}
		if len(splitWords(said)) <= leastWords {
			if last := l.lastSaid(i); last != "" {
				said += joint + last
			}
		}
		l.add(i, finding.Typed, said, Reverted, doubtScore)
		return
	}
}

// lastSaid returns the first sentence of the agent's last words before a new entry.
func (l *listening) lastSaid(i int) string {
	all := l.since(0)
	for at := l.shift + i - 1; at >= 0 && !all[at].Boundary && all[at].Who != transcript.Person; at-- {
		if e := all[at]; e.Who == transcript.Assistant && e.Tool == "" {
			for _, s := range triage.Sentences(e.Text) {
				if len(strings.Fields(s.Text)) >= leastWords && !s.Question {
					return text.OneLine(s.Text)
				}
			}
			return ""
		}
	}
	return ""
}
