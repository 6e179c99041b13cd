package triage

import (
	"bytes"

	"keepsake/pkg/memory"
)

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

	// Of the statement that was heard last, by topic: what made it surer, and the
	// phrases that made it score.
	boost scores
	cues  [topics]place
	fixed bool  // it begins with what helped: "Solved by adding it"
	asked place // the phrase by which the person asked for something to be remembered
	back  bool  // and that is what was said before: see asksBack
}

// roles is a set of them.
type roles uint16

func (r roles) has(x role) bool { return r>>x&1 != 0 }

// hear scores a statement. It also tells how much the statement explains a
// decision in the one before, and whether the person asks in it for something
// to be remembered.
func (l *listener) hear(st statement, by Speaker) (s scores, reason float64, asked bool) {
	l.tokens = l.m.tokenize(l.tokens[:0], st.mask)
	if len(l.tokens) > maxTokens {
		l.tokens = l.tokens[:maxTokens]
	}
	l.hits = l.m.find(l.hits[:0], l.tokens)
	l.annotate()

	if l.back = false; by == Person {
		asked = l.request(st)
		if l.back = l.asksBack(st); l.back && !asked {
			asked, l.asked = true, asksBackPlace
		}
	}
	parts := [3]float64{}
	l.boost, l.cues, l.fixed = scores{}, [topics]place{}, false
	if !st.question {
		s, parts = l.weigh(st, by)
		reason = l.reason()
	}
	before := [3]float64{}
	if st.block == l.block {
		before = l.parts
	}
	s[runbook] = joinParts(parts, before)
	l.block, l.parts = st.block, parts
	return s, reason, asked
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

// begins reports whether the statement begins at token i.
func (l *listener) begins(i int) bool {
	for i > 0 && l.opener(i-1) {
		i--
	}
	return i == 0
}

func (l *listener) opener(i int) bool {
	return l.m.isA(l.tokens[i].id, opener)
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
func (l *listener) weigh(st statement, by Speaker) (s scores, parts [3]float64) {
	supposedFrom, laterFrom, doubted, asks := len(l.tokens), len(l.tokens), false, l.question()
	for i, r := range l.at {
		if r.has(supposed) && i < supposedFrom {
			supposedFrom = i
		}
		if r.has(later) && i < laterFrom {
			laterFrom = i
		}
		doubted = doubted || r.has(doubt)
	}
	acting := by == Assistant && l.acting()

	var best [topics]hit
	var first, second, boost scores
	part := 0.0 // the weight of the surest part of a runbook
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
		case h.flags&(opens|begins) != 0 && (!l.opens(h.from) || l.compound(st, h.to)),
			h.flags&begins != 0 && !l.begins(h.from),
			h.flags&habit != 0 && l.past(st, h.to),
			h.flags&object != 0 && (h.to >= len(l.tokens) || l.tokens[h.to].start),
			asks && (h.from == 0 || !l.tokens[h.from].start), // "could we… (I'd go with 4)"
			l.void(h),
			h.role != booster && h.flags&plain == 0 && l.negated(h),
			h.flags&subject != 0 && l.othersChoice(h),
			by == Person && h.role == primary && l.tellsNothing(st, h):
			w = 0
		case h.role == booster:
		case (h.topic == decision || h.topic == techDebt || h.topic >= firstMoment) &&
			(supposedFrom < h.from || l.modal(h.from)):
			w *= 0.2
		case h.topic == progress && laterFrom < h.from:
			w = 0
		case acting && !l.at[h.from].has(doing): // but "I'll go with" is what it decides
			w *= 0.35
		}
		if doubted && h.role != booster && h.topic != decision && h.topic != techDebt {
			w *= 0.6
		}
		h.weight = w
		switch {
		case h.role == cause && h.from > 1 && l.m.isA(l.tokens[h.from-1].id, against) &&
			l.m.isA(l.tokens[h.from-2].id, remedy): // "the fix for the bug was" names no cause
		case h.role >= symptom:
			if h.role == fix && l.fixFor(st, h) {
				w = max(w, fixForWeight)
				h.weight = w
			}
			l.fixed = l.fixed || h.role == fix && w >= namedFix && l.begins(h.from)
			parts[h.role-symptom] = max(parts[h.role-symptom], w)
			if w > part {
				part, l.cues[runbook] = w, h.place
			}
		case h.role == primary && w > first[h.topic]:
			first[h.topic], best[h.topic], l.cues[h.topic] = w, *h, h.place
		}
	}
	if w := l.itIs(by, supposedFrom); w > first[decision] {
		first[decision], l.cues[decision] = w, itIsPlace
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
			s[t] = surer(1-(1-first[t])*(1-second[t]/2), min(boost[t], 0.6))
		}
	}
	l.boost = boost
	return s, parts
}

// surer raises a score by what speaks for it; a weak one in proportion.
func surer(score, by float64) float64 {
	return 1 - (1-score)*(1-by*min(1, score/0.45))
}

// compound reports that a hyphen joins a phrase to the word behind it:
// "always-visible" asks for nothing.
func (l *listener) compound(st statement, to int) bool {
	end := int(l.tokens[to-1].to)
	return end < len(st.mask) && st.mask[end] == '-'
}

// reason is how much a statement does to explain a decision in the one before.
func (l *listener) reason() float64 {
	r := 0.0
	for _, h := range l.hits {
		if h.role == booster && h.topic == decision {
			r = 1 - (1-r)*(1-h.weight)
		}
	}
	return 0.6 * min(r, 0.6)
}

// past reports that the word at token i is a past form: "we never settled"
// tells a story, "we never settle" a habit.
func (l *listener) past(st statement, i int) bool {
	if i >= len(l.tokens) {
		return false
	}
	word := st.mask[l.tokens[i].from:l.tokens[i].to]
	return bytes.HasSuffix(word, []byte("ed")) && !bytes.HasSuffix(word, []byte("eed"))
}

// Weights of what helped.
const (
	namedFix     = 0.4 // from which a cause or a fix is named as one
	fixForWeight = 0.5 // of "the fix for the login was …", as of "the fix was …"
)

// maxFixFor is how many words say what something is the fix for.
const maxFixFor = 8

// fixFor reports that a hit which only names a fix says what it was: "the fix for the full disk was".
func (l *listener) fixFor(st statement, h *hit) bool {
	if h.to+1 >= len(l.tokens) || l.tokens[h.to].start || !l.m.isA(l.tokens[h.to-1].id, remedy) ||
		!l.m.isA(l.tokens[h.to].id, against) || l.m.isA(l.tokens[h.to+1].id, opener) { // "for now"
		return false
	}
	var word [maxWord]byte
	switch string(l.word(st, h.to+1, &word)) {
	case "it", "this", "that", "these", "those", "them", "him", "her", "me", "us", "you", "which":
		return false // for what, nobody can tell later
	}
	for i := h.to + 2; i < len(l.tokens) && i < h.to+maxFixFor && !l.tokens[i].start; i++ {
		if l.m.isA(l.tokens[i].id, being) {
			return !l.past(st, i+1) && !l.describes(st, i+1) // "was merged", "was easy"
		}
	}
	return false
}

// describes reports that what stands from token i on tells how or where a fix is, not what it is:
// "already in", "easy", "three lines long", "a small change".
func (l *listener) describes(st statement, i int) bool {
	sized, article := false, false // a noun behind what sizes it may still name it: "a simple retry"
	for n := i; n < len(l.tokens) && (n == i || !l.tokens[n].start); n++ {
		var word [maxWord]byte
		switch string(l.word(st, n, &word)) {
		case "a", "an", "the", "just", "only":
			article = true
			continue
		case "very", "really", "quite", "pretty", "so", "too", "fairly", "rather", "surprisingly":
			continue
		case "easy", "simple", "trivial", "small", "tiny", "short", "long", "big", "quick", "hard", "tricky",
			"straightforward", "obvious", "minimal":
			if sized = true; !article {
				return true
			}
		case "one", "two", "three", "four", "five", "six", "ten", "few", "couple", "several":
			sized = true
		case "of":
			if sized {
				continue
			}
			return false
		case "line", "lines", "liner", "character", "characters", "change", "changes", "patch", "diff",
			"commit":
			return sized
		case "already", "not", "never", "in", "on", "out", "there", "here", "done", "sent", "written", "lost",
			"wrong", "right", "correct", "incomplete", "complete", "fine", "good", "great", "bad", "ok",
			"okay", "ready", "part", "mine", "yours", "enough", "late", "new", "due", "still", "also":
			return !article
		default:
			if l.tokens[n].id == idNumber {
				sized = true
				continue
			}
			return false
		}
	}
	return sized
}

// word returns the word at token i in lower case, nil where it is longer than any that is asked for.
func (l *listener) word(st statement, i int, into *[maxWord]byte) []byte {
	if i >= len(l.tokens) {
		return nil
	}
	n := 0
	for _, c := range st.mask[l.tokens[i].from:l.tokens[i].to] {
		switch {
		case c == filler:
			continue
		case n == len(into):
			return nil
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		into[n] = c
		n++
	}
	return into[:n]
}

// joinParts scores a runbook: two of symptom, cause and fix, in one statement
// or with the one before it in the same paragraph.
func joinParts(parts, before [3]float64) float64 {
	own, all, kinds := 0.0, 1.0, 0
	for i, p := range parts {
		own = max(own, p)
		parts[i] = max(p, 0.7*before[i])
		if parts[i] > 0 {
			kinds++
		}
		all *= 1 - parts[i]
	}
	named := max(parts[cause-symptom], parts[fix-symptom])
	switch {
	case own == 0, kinds == 1 && named < namedFix:
		return 0
	case kinds == 2 && parts[cause-symptom] == 0 && named < namedFix:
		return 0 // "all linting errors are fixed" helps nobody later
	}
	return 1 - all
}

// void reports that a hit shares words with what only looks like it.
func (l *listener) void(h *hit) bool {
	for i := h.from; i < h.to; i++ {
		if l.at[i].has(void) {
			return true
		}
	}
	return false
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

// modal reports that the clause of a hit only weighs it: "we could go with".
func (l *listener) modal(from int) bool {
	for i := from; i > 0 && i > from-10 && !l.tokens[i].start; i-- {
		if l.at[i-1].has(modal) {
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
		if end := i + 2; end < len(l.tokens) && !l.tokens[end].start && l.tokens[end].id != l.m.then ||
			l.at[i].has(void) || supposedFrom < i {
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
func (l *listener) request(st statement) bool {
	words := 0 // of the longest phrase that asks
	for _, h := range l.hits {
		if h.role != remember || h.flags&opens != 0 && !l.opens(h.from) {
			continue
		}
		if last := l.tokens[h.to-1]; last.id == l.m.memory && h.to < len(l.tokens) {
			// "update memory limits" is about something else.
			if next := l.tokens[h.to]; !next.start && next.id != idColon && !l.m.isA(next.id, joining) {
				continue
			}
		}
		if h.flags&opens != 0 && h.to < len(l.tokens) &&
			(l.at[h.to].has(asking) || l.m.isA(l.tokens[h.to].id, recalling)) {
			continue // "remember when we…", "remember me"
		}
		if l.savesAway(st, h) || l.isTask(st, h) || l.isUnwanted(st, h) {
			continue
		}
		polite := l.polite(h.from)
		if st.question && !polite {
			continue
		}
		if h.flags&plain != 0 || l.opens(h.from) || polite {
			if h.to-h.from > words {
				words, l.asked = h.to-h.from, h.place
			}
		}
	}
	return words > 0
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
			return !l.m.isA(l.tokens[i-1].id, telling)
		case id == l.m.please:
			return true
		case !l.m.isA(id, leading):
			return false
		}
	}
	return false
}
