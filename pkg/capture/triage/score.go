package triage

import (
	"bytes"

	"keepsake/pkg/memory"
)

// category returns the category of a topic.
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

// maxTokens is how many words of a statement are listened to.
const maxTokens = 400

// scores are by topic, from 0 to 1.
type scores [topics]float64

// listener scores statements. It keeps its slices from one to the next, so that the inner loop allocates
// nothing.
type listener struct {
	m      *matcher
	tokens []token
	hits   []hit
	at     []roles // by token, the roles there

	block int        // the block that parts is from
	parts [3]float64 // runbook parts of the statement before

	// About the last statement heard, by topic: what the boosters added, and the phrases that scored.
	boost scores
	cues  [topics]place
	fixed bool  // it begins with what helped: "Solved by adding it"
	asked place // the person's phrase of asking to remember something
	back  bool  // and the request is for what was said before: see asksBack
}

// roles is a set of them.
type roles uint16

func (r roles) has(x role) bool { return r>>x&1 != 0 }

// scoreStatement scores a statement. reason is how well it explains a decision in the statement before; asked
// reports whether the person asks in it to remember something.
func (l *listener) scoreStatement(st statement, by Speaker) (s scores, reason float64, asked bool) {
	abroad, back := false, false
	if by == Person {
		abroad, back = l.asksAbroad(st)
	}
	l.read(st.mask)

	if l.back = false; by == Person {
		asked = l.isRequest(st)
		if l.back = l.asksBack(st) || back; (l.back || abroad) && !asked {
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

// read finds the words of a statement, the phrases in it, and the roles at each token.
func (l *listener) read(mask []byte) {
	l.tokens = l.m.tokenize(l.tokens[:0], mask)
	if len(l.tokens) > maxTokens {
		l.tokens = l.tokens[:maxTokens]
	}
	l.hits = l.m.find(l.hits[:0], l.tokens)
	l.annotate()
}

// annotate notes the roles at each token.
func (l *listener) annotate() {
	if cap(l.at) < len(l.tokens) {
		l.at = make([]roles, max(64, 2*len(l.tokens)))
	}
	l.at = l.at[:len(l.tokens)]
	clear(l.at)
	for _, h := range l.hits {
		if h.role < negation || h.flags&opens != 0 && !l.opensClause(h.from) {
			continue
		}
		for i := h.from; i < h.to; i++ {
			l.at[i] |= 1 << h.role
		}
	}
}

// opensClause reports whether a clause begins at token i, perhaps after a few words such as "ok" and
// "please".
func (l *listener) opensClause(i int) bool {
	for range 4 {
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

// beginsStatement reports whether the statement begins at token i.
func (l *listener) beginsStatement(i int) bool {
	for i > 0 && l.opener(i-1) {
		i--
	}
	return i == 0
}

func (l *listener) opener(i int) bool {
	return l.m.isA(l.tokens[i].id, opener)
}

// isQuestion reports whether the statement is a question without its mark.
func (l *listener) isQuestion() bool {
	i := 0
	for i < len(l.tokens) && i < 4 && l.opener(i) {
		i++
	}
	return i < len(l.tokens) && l.at[i].has(asking)
}

// weigh returns the scores of a statement that is no question, and its parts of a runbook.
func (l *listener) weigh(st statement, by Speaker) (s scores, parts [3]float64) {
	supposedFrom, laterFrom, doubted, asks := len(l.tokens), len(l.tokens), false, l.isQuestion()
	for i, r := range l.at {
		if r.has(supposed) && i < supposedFrom {
			supposedFrom = i
		}
		if r.has(later) && i < laterFrom {
			laterFrom = i
		}
		doubted = doubted || r.has(doubt)
	}
	acting := by == Assistant && l.isActing()

	var best [topics]hit
	var first, second, boost scores
	part := 0.0 // weight of the surest part of a runbook
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
		case h.flags&(opens|begins) != 0 && (!l.opensClause(h.from) || l.isCompound(st, h.to)),
			h.flags&begins != 0 && !l.beginsStatement(h.from),
			h.flags&habit != 0 && l.isPast(st, h.to),
			h.flags&object != 0 && (h.to >= len(l.tokens) || l.tokens[h.to].start),
			asks && (h.from == 0 || !l.tokens[h.from].start), // excludes "could we… (I'd go with 4)"
			l.isVoid(h),
			h.role != booster && h.flags&plain == 0 && l.isNegated(h),
			h.flags&subject != 0 && l.isOthersChoice(h),
			by == Person && h.role == primary && l.tellsNothing(st, h):
			w = 0
		case h.role == booster:
		case (h.topic == decision || h.topic == techDebt || h.topic >= firstMoment) &&
			(supposedFrom < h.from || l.isModal(h.from)):
			w *= 0.2
		case h.topic == progress && laterFrom < h.from:
			w = 0
		case acting && !l.at[h.from].has(doing): // "I'll go with" is a decision
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
			if h.role == fix && l.isFixFor(st, h) {
				w = max(w, fixForWeight)
				h.weight = w
			}
			l.fixed = l.fixed || h.role == fix && w >= namedFix && l.beginsStatement(h.from)
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
			s[t] = raise(1-(1-first[t])*(1-second[t]/2), min(boost[t], 0.6))
		}
	}
	l.boost = boost
	return s, parts
}

// raise returns a score raised by what supports it; a weak score is raised in proportion.
func raise(score, by float64) float64 {
	return 1 - (1-score)*(1-by*min(1, score/0.45))
}

// isCompound reports whether a hyphen joins a phrase to the word behind it: "always-visible" is no rule.
func (l *listener) isCompound(st statement, to int) bool {
	end := int(l.tokens[to-1].to)
	return end < len(st.mask) && st.mask[end] == '-'
}

// reason returns how well a statement explains a decision in the one before.
func (l *listener) reason() float64 {
	r := 0.0
	for _, h := range l.hits {
		if h.role == booster && h.topic == decision {
			r = 1 - (1-r)*(1-h.weight)
		}
	}
	return 0.6 * min(r, 0.6)
}

// isPast reports whether the word at token i is a past form: "we never settled" is a story, "we never
// settle" a habit.
func (l *listener) isPast(st statement, i int) bool {
	if i >= len(l.tokens) {
		return false
	}
	word := st.mask[l.tokens[i].from:l.tokens[i].to]
	return bytes.HasSuffix(word, []byte("ed")) && !bytes.HasSuffix(word, []byte("eed"))
}

// Weights of phrases for what helped.
const (
	namedFix     = 0.4 // from here on a phrase names a cause or a fix as such
	fixForWeight = 0.5 // of "the fix for the login was …", as much as of "the fix was …"
)

// maxFixFor is how many words may say what a fix is for.
const maxFixFor = 8

// isFixFor reports whether a hit that only names a fix is followed by what it was: "the fix for the full disk
// was".
func (l *listener) isFixFor(st statement, h *hit) bool {
	if h.to+1 >= len(l.tokens) || l.tokens[h.to].start || !l.m.isA(l.tokens[h.to-1].id, remedy) ||
		!l.m.isA(l.tokens[h.to].id, against) || l.m.isA(l.tokens[h.to+1].id, opener) { // "for now"
		return false
	}
	var word [maxWord]byte
	switch string(l.lowerWord(st, h.to+1, &word)) {
	case "it", "this", "that", "these", "those", "them", "him", "her", "me", "us", "you", "which":
		return false // later nobody can tell for what
	}
	for i := h.to + 2; i < len(l.tokens) && i < h.to+maxFixFor && !l.tokens[i].start; i++ {
		if l.m.isA(l.tokens[i].id, being) {
			return !l.isPast(st, i+1) && !l.isVague(st, i+1) // "was merged", "was easy"
		}
	}
	return false
}

// isVague reports whether the words from token i on describe how or where a fix is, not the fix itself:
// "already in", "easy", "three lines long", "a small change".
func (l *listener) isVague(st statement, i int) bool {
	sized, article := false, false // a noun behind a size may still name the fix: "a simple retry"
	for n := i; n < len(l.tokens) && (n == i || !l.tokens[n].start); n++ {
		var word [maxWord]byte
		switch string(l.lowerWord(st, n, &word)) {
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

// lowerWord returns the word at token i in lower case, or nil if it is too long for any comparison.
func (l *listener) lowerWord(st statement, i int, into *[maxWord]byte) []byte {
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

// joinParts scores a runbook: two of symptom, cause and fix, in one statement or together with the one before
// it in its paragraph.
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

// isVoid reports whether a hit shares words with a phrase of the role void.
func (l *listener) isVoid(h *hit) bool {
	for i := h.from; i < h.to; i++ {
		if l.at[i].has(void) {
			return true
		}
	}
	return false
}

// isNegated reports whether a negation stands within three words before a hit, in its clause. It looks at ids
// of words, as it is asked of every hit of a conversation. stance.Of, which says how far a denial reaches, is
// asked of single sentences.
func (l *listener) isNegated(h *hit) bool {
	for i := h.from; i > 0 && i > h.from-3 && !l.tokens[i].start; i-- {
		if l.at[i-1].has(negation) {
			return true
		}
	}
	return false
}

// isModal reports whether the clause of a hit only considers it: "we could go with".
func (l *listener) isModal(from int) bool {
	for i := from; i > 0 && i > from-10 && !l.tokens[i].start; i-- {
		if l.at[i-1].has(modal) {
			return true
		}
	}
	return false
}

// isOthersChoice reports whether the nearest person before a verb of choice is a third one: "the user
// selected a row" describes a program.
func (l *listener) isOthersChoice(h *hit) bool {
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

// isActing reports whether the assistant describes what it is doing now.
func (l *listener) isActing() bool {
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

// itIs returns the weight of "Postgres it is".
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

// isRequest reports whether the person asks to remember something, rather than speaking of remembering.
func (l *listener) isRequest(st statement) bool {
	words := 0 // length of the longest phrase that asks
	for _, h := range l.hits {
		if h.role != remember || h.flags&opens != 0 && !l.opensClause(h.from) {
			continue
		}
		if last := l.tokens[h.to-1]; last.id == l.m.memory && h.to < len(l.tokens) {
			// "update memory limits" means something else.
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
		polite := l.isPolite(h.from)
		if st.question && !polite {
			continue
		}
		if h.flags&plain != 0 || l.opensClause(h.from) || polite {
			if h.to-h.from > words {
				words, l.asked = h.to-h.from, h.place
			}
		}
	}
	return words > 0
}

// isPolite reports whether a request to this assistant leads up to token i: "can you", "I want you to",
// "please".
func (l *listener) isPolite(i int) bool {
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
