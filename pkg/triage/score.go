package triage

import "keepsake/pkg/memory"

// category is the text category of a topic.
func (t topic) category() memory.Category {
	switch t {
	case decision:
		return memory.Decision
	case runbook:
		return memory.Runbook
	case constraint:
		return memory.Constraint
	case techDebt:
		return memory.TechDebt
	case preference:
		return memory.Preference
	}
	return ""
}

// maxTokens bounds a statement in words; what follows is not listened to.
const maxTokens = 400

// scores are by topic, from 0 to 1.
type scores [topics]float64

// listener scores statements. Its slices are kept between them, so that the
// inner loop allocates nothing.
type listener struct {
	m      *matcher
	tokens []token
	hits   []hit
	at     []roles // by token: the roles that stand at it

	block int        // where the parts below were said
	parts [3]float64 // of a runbook, in the statement before
}

// roles is a set of them.
type roles uint16

func (r roles) has(x role) bool { return r>>x&1 != 0 }

// hear scores a statement, and tells whether the person asks in it for
// something to be remembered.
func (l *listener) hear(st statement, by Speaker) (s scores, asked bool) {
	l.tokens = l.m.tokenize(l.tokens[:0], st.mask)
	if len(l.tokens) > maxTokens {
		l.tokens = l.tokens[:maxTokens]
	}
	l.hits = l.m.find(l.hits[:0], l.tokens)
	l.annotate()

	if by == Person {
		asked = l.request(st.question)
	}
	parts := [3]float64{}
	if !st.question && !l.question() {
		s, parts = l.weigh(by)
	}
	before := [3]float64{}
	if st.block == l.block {
		before = l.parts
	}
	s[runbook] = joinParts(parts, before)
	l.block, l.parts = st.block, parts
	return s, asked
}

// annotate notes at each token which roles stand there.
func (l *listener) annotate() {
	if cap(l.at) < len(l.tokens) {
		l.at = make([]roles, max(64, 2*len(l.tokens)))
	}
	l.at = l.at[:len(l.tokens)]
	clear(l.at)
	for _, h := range l.hits {
		if h.role < negation || h.flags&opens != 0 && !l.opens(h.from) {
			continue
		}
		for i := h.from; i < h.to; i++ {
			l.at[i] |= 1 << h.role
		}
	}
}

// opens reports whether a clause begins at token i, perhaps after a few words
// like "ok" and "please".
func (l *listener) opens(i int) bool {
	for n := 0; n < 4; n++ {
		if i == 0 || l.tokens[i].start {
			return true
		}
		i--
		if !l.opener(i) {
			return false
		}
	}
	return false
}

func (l *listener) opener(i int) bool {
	id := l.tokens[i].id
	return id >= idFirst && l.m.openers[id]
}

// question reports a question that lacks its mark.
func (l *listener) question() bool {
	i := 0
	for i < len(l.tokens) && i < 4 && l.opener(i) {
		i++
	}
	return i < len(l.tokens) && l.at[i].has(asking)
}

// weigh scores a statement that is no question, and the parts of a runbook in it.
func (l *listener) weigh(by Speaker) (s scores, parts [3]float64) {
	supposedFrom, doubted := len(l.tokens), false
	for i, r := range l.at {
		if r.has(supposed) && i < supposedFrom {
			supposedFrom = i
		}
		doubted = doubted || r.has(doubt)
	}
	acting := by == Assistant && l.acting()

	var best [topics]hit
	var first, second, boost scores
	for i := range l.hits {
		h := &l.hits[i]
		if h.role > fix {
			continue
		}
		w := float64(h.person)
		if by != Person {
			w = float64(h.assistant)
		}
		switch {
		case h.flags&opens != 0 && !l.opens(h.from),
			h.role != booster && h.flags&plain == 0 && l.negated(h),
			h.flags&subject != 0 && l.othersChoice(h):
			w = 0
		case h.role == booster:
		case (h.topic == decision || h.topic == techDebt) && supposedFrom < h.from:
			w *= 0.2
		case acting && !(h.topic == decision && by == Person):
			w *= 0.35
		}
		if doubted && h.role != booster {
			w *= 0.6
		}
		h.weight = w
		switch {
		case h.role >= symptom:
			parts[h.role-symptom] = max(parts[h.role-symptom], w)
		case h.role == primary && w > first[h.topic]:
			first[h.topic], best[h.topic] = w, *h
		}
	}
	if w := l.itIs(by, supposedFrom); w > first[decision] {
		first[decision] = w
	}
	for _, h := range l.hits {
		t := h.topic
		if h.role > booster || first[t] == 0 || h.from < best[t].to && best[t].from < h.to {
			continue
		}
		if h.role == primary {
			second[t] = max(second[t], h.weight)
		} else {
			boost[t] = 1 - (1-boost[t])*(1-h.weight)
		}
	}
	for t := decision; t < topics; t++ {
		if first[t] > 0 {
			// What makes a weak sign surer makes it so in proportion.
			b := min(boost[t], 0.6) * min(1, first[t]/0.45)
			s[t] = 1 - (1-first[t])*(1-second[t]/2)*(1-b)
		}
	}
	return s, parts
}

// joinParts scores a runbook: two of symptom, cause and fix, in one statement
// or with the one before it in the same paragraph.
func joinParts(parts, before [3]float64) float64 {
	kinds, score := 0, 1.0
	own := 0.0
	for i, p := range parts {
		own = max(own, p)
		p = max(p, 0.7*before[i])
		if p > 0 {
			kinds++
		}
		score *= 1 - p
	}
	switch {
	case own == 0:
		return 0
	case kinds < 2:
		return own
	}
	return 1 - score
}

// negated reports a negation within the three words before a hit, in its clause.
func (l *listener) negated(h *hit) bool {
	for i := h.from; i > 0 && i > h.from-3 && !l.tokens[i].start; i-- {
		if l.at[i-1].has(negation) {
			return true
		}
	}
	return false
}

// othersChoice reports that the nearest person before a verb of choice is a
// third one: "the user selected a row" is what a program does.
func (l *listener) othersChoice(h *hit) bool {
	if l.at[h.from].has(ours) {
		return false
	}
	for i := h.from - 1; i >= 0 && i >= h.from-6; i-- {
		switch {
		case l.at[i].has(ours):
			return false
		case l.at[i].has(another):
			return true
		}
	}
	return false
}

// acting reports that the assistant tells what it is doing now.
func (l *listener) acting() bool {
	for i, t := range l.tokens {
		if i > 12 {
			break
		}
		if (i == 0 || t.start || l.opener(i-1)) && l.at[i].has(doing) {
			return true
		}
	}
	return false
}

// itIs weighs "Postgres it is".
func (l *listener) itIs(by Speaker, supposedFrom int) float64 {
	for i := 1; i+1 < len(l.tokens) && i <= 4; i++ {
		if l.tokens[i].id != l.m.it || l.tokens[i+1].id != l.m.is || l.tokens[i].start {
			continue
		}
		if end := i + 2; end < len(l.tokens) && !l.tokens[end].start || l.at[i].has(negation) || supposedFrom < i {
			continue
		}
		if by == Person {
			return 0.5
		}
		return 0.4
	}
	return 0
}

// request reports that the person asks for something to be remembered, and
// does not speak of remembering.
func (l *listener) request(question bool) bool {
	for _, h := range l.hits {
		if h.role != remember || h.flags&opens != 0 && !l.opens(h.from) {
			continue
		}
		if last := l.tokens[h.to-1]; last.id == l.m.memory && h.to < len(l.tokens) {
			// "update memory limits" is about something else.
			if next := l.tokens[h.to]; !next.start && next.id != idColon && !l.m.joins[next.id] {
				continue
			}
		}
		if h.flags&opens != 0 && h.to < len(l.tokens) && (l.at[h.to].has(asking) || l.m.asks[l.tokens[h.to].id]) {
			continue // "remember when we…", "remember me"
		}
		polite := l.polite(h.from)
		if question && !polite {
			continue
		}
		if h.flags&plain != 0 || l.opens(h.from) || polite {
			return true
		}
	}
	return false
}

// polite reports that a request to this assistant leads up to token i: "can
// you", "I want you to", "please".
func (l *listener) polite(i int) bool {
	for n := 0; n < 4 && i > 0; n++ {
		i--
		switch id := l.tokens[i].id; {
		case id == l.m.you:
			if i == 0 || l.tokens[i].start {
				return n > 0 // "you should remember", not "you remember"
			}
			return !l.m.does[l.tokens[i-1].id]
		case id == l.m.please:
			return true
		case !l.m.modal[id]:
			return false
		}
	}
	return false
}
