package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// lastExchanges is how many prompts of the person back a request may point.
const lastExchanges = 3

// meansWords returns whose last words a request points at: the agent's of "what you just found
// out", the person's of "what I said"; else it is 0.
func meansWords(request string) triage.Speaker {
	words := splitWords(request)
	for i, w := range words[:max(0, len(words)-1)] {
		if w.in("what was") {
			switch next := words[i+1].text; {
			case text.OneOf(next, "you du"):
				return triage.Assistant
			case text.OneOf(next, "i ich"):
				return triage.Person
			}
		}
	}
	return 0
}

// point replaces a request that only points by the statement that it points at. At the beginning of a
// message that is what follows. Otherwise it is the nearest earlier statement of the category that the
// request names, else the best one of the last exchanges, else the last words before it. The statement gets
// the category that the request names. A request that points at nothing is dropped.
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
	first := from
	if from < l.shift {
		earlier = listen(nil, all[from:l.shift], l.o, l.model)
	}
	kind, by := triage.NamedKind(request.Text), meansWords(request.Text)
	if l.o.Off[kind] {
		kind = ""
	}
	from += lastOf(all[from:to], by)
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
	called := func(h *Heard) bool { return h.Statement.Category == kind }
	least := 0
	switch {
	case by == triage.Assistant, by == triage.Person && len(before) == 0:
		least = from
	case kind != "" && !slices.ContainsFunc(heard, called): // what came last is called so
		least = first + lastOf(all[first:to], triage.Person)
	}
	for i, h := range heard {
		at := first + h.Entry
		if i >= len(earlier) {
			at = l.shift + h.Entry
		}
		if at < least || by != 0 && least == from &&
			(by == triage.Person) != (all[at].Who == transcript.Person) {
			heard[i] = nil
		}
	}
	best := pointedAt(heard, kind)
	if best < 0 {
		if by == triage.Assistant {
			before = nil
		}
		if h := l.lastWords(all[from:to+1], before, request); h != nil {
			ask(&h.Statement, kind)
			l.heard = append(l.heard, *h)
		}
	} else if ask(&heard[best].Statement, kind); best < len(earlier) {
		h := *heard[best] // where it stood is not among the new entries: the request is
		h.Source = max(0, all[first+h.Entry].Offset)
		h.Entry, h.Statement.Line = request.Entry, request.Statement.Line
		l.heard = append(l.heard, h)
	}
}

// lastOf returns the index of the last entry in which somebody says something, 0 where by is
// nobody.
func lastOf(entries []transcript.Entry, by triage.Speaker) int {
	for i, e := range slices.Backward(entries) {
		ps, _ := readPassages(entries[i : i+1])
		if len(ps) > 0 && ps[0].By == by && len(splitWords(e.Text)) >= leastWords && !reacts(e.Text) {
			return i
		}
	}
	return 0
}

// pointedAt returns the index of the statement that a request means. It is the last one of the kind that
// the request names, else the best one, and of equally good ones the later. It is -1 if there is none.
func pointedAt(heard []*Heard, kind memory.Category) int {
	best, found := -1, -1
	for i, h := range heard {
		if h == nil {
			continue
		}
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

// ask notes that the person asked for a statement to be remembered, as what they call it.
func ask(s *triage.Statement, kind memory.Category) {
	s.Explicit, s.Level, s.Score = true, finding.Sure, triage.Max
	if kind != "" {
		s.Category, s.Moment = kind, ""
	}
}

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
	some, kind := false, triage.NamedKind(request.Text)
	if l.o.Off[kind] {
		kind = ""
	}
	for i := range l.heard {
		if h := &l.heard[i]; h.Entry == request.Entry && !h.Statement.Pointer {
			ask(&h.Statement, kind)
			some = true
		}
	}
	if some {
		return
	}
	request.Statement.Text, request.Statement.Pointer = strings.Join(after, " "), false
	request.Text = text.OneLine(request.Statement.Text)
	ask(&request.Statement, kind)
	l.heard = append(l.heard, request)
}

// leastWords is how many words a sentence has that a request may point at.
const leastWords = 4

// reacts reports whether a sentence is only a reaction: "good to know".
func reacts(text string) bool {
	return !slices.ContainsFunc(splitWords(text), func(w word) bool {
		return !w.in(yesWords) && !w.in(yesPads) && !w.in(pickOpeners) &&
			!w.in("know nice interesting see got ah aha wow oh thank you zu wissen interessant verstehe "+
				"ist sind")
	})
}

// lastWords returns the last words with content before a request: of its own message, else of the person's
// last one, else of the agent's.
func (l *listening) lastWords(entries []transcript.Entry, before []string, request Heard) *Heard {
	says := func(text string) bool { return len(splitWords(text)) >= leastWords }
	found := func(said string, by finding.Speaker) *Heard {
		h := request
		h.Statement.Text, h.Statement.Pointer, h.Text, h.By = said, false, text.OneLine(said), by
		return &h
	}
	for _, text := range slices.Backward(before) {
		if len(splitWords(text)) > 2 && !reacts(text) { // it stands beside the request
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
