package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/transcript"
	"keepsake/pkg/triage"
)

// lastExchanges is how many prompts of the person back a request may point.
const lastExchanges = 3

// kinds are the words by which a request names what it points at.
var kinds = []struct {
	category memory.Category
	words    string
}{
	{memory.Decision, "decision decisions decided agreed chose settled entscheidung entscheidungen entschieden"},
	{memory.Preference, "preference preferences convention conventions rule rules " +
		"regel regeln konvention vorgabe"},
	{memory.Constraint, "constraint constraints limit limits limitation limitations einschränkung grenze"},
	{memory.Runbook, "fix workaround runbook lesson learning learned lösung erkenntnis"},
	{memory.TechDebt, "debt"},
}

// namedKind returns the category that a request names, or "".
func namedKind(request string) memory.Category {
	for _, w := range splitWords(request) {
		for _, k := range kinds {
			if oneOf(w.text, k.words) {
				return k.category
			}
		}
	}
	return ""
}

// point replaces a request that only points by what it points at: what follows it where
// the message begins with it, else the nearest statement before it of the category that
// it names, else the best one of the last exchanges, else the last words before it. A
// request that points at nothing says nothing.
func (l *listening) point(request Heard) {
	before, after := around(l.entries[request.Entry].Own(), request.Statement.Text)
	if len(before) == 0 && len(after) > 0 {
		l.pointOn(request, after)
		return
	}
	all := l.whole()
	to := l.shift + request.Entry
	from := to
	for prompts := 0; from > 0 && !all[from-1].Boundary; from-- {
		if e := all[from-1]; e.Who == transcript.Person && e.Asked == nil {
			if prompts++; prompts > lastExchanges {
				break
			}
		}
	}
	var earlier []Heard
	if from < l.shift {
		earlier = Listen(nil, all[from:l.shift], l.o)
	}
	var heard []*Heard // before the request, in order; those of earlier turns first
	for i := range earlier {
		heard = append(heard, &earlier[i])
	}
	for i := range l.heard {
		h := &l.heard[i]
		if h.Entry < request.Entry || h.Entry == request.Entry && slices.Contains(before, h.Statement.Text) {
			heard = append(heard, h)
		}
	}
	if best := pointedAt(heard, namedKind(request.Text)); best < 0 {
		if h := l.lastWords(all[from:to+1], before, request); h != nil {
			ask(&h.Statement)
			l.heard = append(l.heard, *h)
		}
	} else if ask(&heard[best].Statement); best < len(earlier) {
		h := *heard[best] // where it stood is not among the new entries: the request is
		h.Entry, h.Statement.Line = request.Entry, request.Statement.Line
		l.heard = append(l.heard, h)
	}
}

// pointedAt returns which of the statements heard a request means: the last of the kind
// that it names, else the best, the later of two as good; -1 is none.
func pointedAt(heard []*Heard, kind memory.Category) int {
	best, found := -1, -1
	for i, h := range heard {
		if kind != "" && h.Statement.Category == kind {
			found = i
		}
		if best < 0 || h.Statement.Score >= heard[best].Statement.Score {
			best = i
		}
	}
	if found >= 0 {
		return found
	}
	return best
}

// ask notes that the person asked for a statement to be remembered.
func ask(s *triage.Statement) { s.Explicit, s.Level, s.Score = true, finding.Sure, triage.Max }

// around returns the sentences of a message that stand before and behind one of it.
func around(message, one string) (before, after []string) {
	all := triage.Sentences(message)
	at := slices.IndexFunc(all, func(s triage.Sentence) bool { return s.Text == one })
	for i, s := range all {
		switch {
		case i < at:
			before = append(before, s.Text)
		case i > at && at >= 0:
			after = append(after, s.Text)
		}
	}
	return before, after
}

// pointOn takes a request for what follows it in the same message.
func (l *listening) pointOn(request Heard, after []string) {
	some := false
	for i := range l.heard {
		if h := &l.heard[i]; h.Entry == request.Entry && !h.Statement.Pointer {
			ask(&h.Statement)
			some = true
		}
	}
	if some {
		return
	}
	request.Statement.Text, request.Statement.Pointer = strings.Join(after, " "), false
	request.Text = oneLine(request.Statement.Text)
	l.heard = append(l.heard, request)
}

// leastWords is how many words a sentence has that a request may point at.
const leastWords = 4

// reacts reports whether a sentence says nothing itself: "good to know".
func reacts(text string) bool {
	return !slices.ContainsFunc(splitWords(text), func(w word) bool {
		return !oneOf(w.text, yesWords) && !oneOf(w.text, yesPads) && !oneOf(w.text, pickOpeners) &&
			!oneOf(w.text, "know nice interesting see got ah aha wow oh thank you zu wissen interessant verstehe "+
				"ist sind")
	})
}

// lastWords returns the last words before a request that say something: of its own
// message, of the person's last one, of the agent's.
func (l *listening) lastWords(entries []transcript.Entry, before []string, request Heard) *Heard {
	says := func(text string) bool { return len(strings.Fields(text)) >= leastWords }
	found := func(text string, by finding.Speaker) *Heard {
		h := request
		h.Statement.Text, h.Statement.Pointer, h.Text, h.By = text, false, oneLine(text), by
		return &h
	}
	for _, text := range slices.Backward(before) {
		if strings.Count(text, " ") > 1 && !reacts(text) { // it stands beside the request
			return found(text, finding.Typed)
		}
	}
	for _, by := range []triage.Speaker{triage.Person, triage.Assistant} {
		ps, _ := readPassages(entries[:len(entries)-1])
		for _, p := range slices.Backward(ps) {
			if p.By != by {
				continue
			}
			for _, s := range slices.Backward(triage.Sentences(p.Text)) {
				if says(s.Text) && !s.Question && !reacts(s.Text) {
					return found(s.Text, speakerOf(by))
				}
			}
			break
		}
	}
	return nil
}
