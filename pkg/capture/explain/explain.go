// Package explain turns what was said into what is to be kept of it: each statement
// with whose it is, what it means where it only points, and the part of the
// conversation that explains it.
//
// Triage hears statements by their words. Much of what a person decides is in no words
// of their own: "go with the second one", an answer to a question that the client
// asked, a yes to a plan, "remember that". Those are resolved here to what they mean.
//
// The package is pure. Texts come out as they were said: who stores them redacts them.
package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/score"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// Heard is a statement that may be worth keeping.
type Heard struct {
	Statement triage.Statement // as triage heard it, or made here of what was chosen
	Entry     int              // index of the new entry that has it, or the request for it
	Text      string           // one line: what was said, with what it means
	By        finding.Speaker
	Context   []finding.Line // what explains it, oldest first, at most 3 KB
	// Source is the offset of the line that has what it takes up: an offer, a question, a plan, or what a
	// request points at. It is 0 if there is none.
	Source int64

	refers string // what the agent had listed or proposed, of a pick or a yes
	offer  int    // index of where it did, in all of the entries
	likely bool   // only the model heard it
}

// Events that make a statement without a phrase of triage's, as its Cue.
const (
	Answered = "answer"    // to a question that the client asked
	Picked   = "option"    // of those that the agent listed
	Agreed   = "agreement" // to what the agent proposed
	Planned  = "plan"      // approved or handed over
	Refused  = "refusal"   // said with the refusal of a call
	Reverted = "reversal"  // of what was done or decided
	Mended   = "fix"       // of a command that failed and passes now
)

// Scores of what was chosen: a choice is as clear as a plain statement of one.
const (
	answerScore = 0.6
	pickScore   = 0.5
	doubtScore  = 0.3
)

// maxText bounds the text of what was heard, in bytes.
const maxText = 2000

// A listening gathers what was heard.
type listening struct {
	entries []transcript.Entry
	before  Earlier
	reach   int                // how many exchanges before the new entries are in all
	all     []transcript.Entry // those before and the new ones, once they were needed
	shift   int                // index in all of the first new one
	o       triage.Options
	heard   []Heard
	model   *score.Model   // nil hears by words and choices alone
	cutOf   []heardPassage // by entry: what its units were cut of when it was heard
	units   []Unit         // every statement of the new entries
	at      map[[2]int]int // index of the first of them, by its entry and its line
	taken   []bool         // by unit: something was heard in it
}

// Earlier returns what was said before new entries: at least so many exchanges, if there are as many, or with
// 0 the last words. It may return more. nil stands for nothing.
type Earlier func(exchanges int) []transcript.Entry

// Listen returns all that may be worth keeping in new entries, in the order it was said. It reads
// what was said before only as far as there is something to explain by it.
func Listen(before Earlier, entries []transcript.Entry, o triage.Options) []Heard {
	return listen(before, entries, o, score.Shipped())
}

func listen(before Earlier, entries []transcript.Entry, o triage.Options,
	m *score.Model) []Heard {
	l := listening{entries: entries, before: before, o: o, model: m}
	pointers := l.hear()
	if m != nil {
		l.rescore()
	}
	for i := range pointers {
		l.point(pointers[i])
		l.take(&pointers[i])
	}
	if m != nil {
		l.addLikely()
	}
	slices.SortStableFunc(l.heard, func(x, y Heard) int {
		return cmp.Or(cmp.Compare(x.Entry, y.Entry), cmp.Compare(x.Statement.Line, y.Statement.Line))
	})
	for i := range l.heard {
		l.heard[i].Text = text.ShortenBytes(l.heard[i].Text, maxText)
		l.heard[i].Context = l.explain(l.heard[i])
		l.heard[i].Source = cmp.Or(l.heard[i].Source, l.source(l.heard[i]))
	}
	return l.heard
}

// hear hears what phrases say and what the person chose. Requests that only point are returned.
func (l *listening) hear() (pointers []Heard) {
	passages, at := readPassages(l.entries)
	statements, units := triage.Hear(passages, l.o)
	l.cutOf = make([]heardPassage, len(l.entries))
	for n, p := range passages {
		l.cutOf[at[n]] = heardPassage{p, units[n]}
	}
	for _, s := range statements {
		h := Heard{Statement: s, Entry: at[s.Passage], Text: text.OneLine(s.Text), By: speakerOf(s.By)}
		if s.Pointer {
			pointers = append(pointers, h)
			continue
		}
		l.heard = append(l.heard, h)
	}
	for i, e := range l.entries {
		switch {
		case e.Who != transcript.Person:
		case e.Asked != nil:
			l.answer(i, e)
		case e.Plan != "":
			l.plan(i, e)
		case e.Refused:
			l.refusal(i, e)
		default:
			l.pick(i, e)
			l.reversal(i, e)
		}
	}
	l.fixes()
	return pointers
}

// source returns the offset of what a statement takes up, 0 if that is nothing.
func (l *listening) source(h Heard) int64 {
	e := l.entries[h.Entry]
	if h.refers != "" {
		return max(0, l.whole()[h.offer].Offset)
	}
	if e.Who != transcript.Person || e.Asked == nil && e.Plan == "" || e.Handed() {
		return 0
	}
	all := l.since(0)
	for _, x := range slices.Backward(all[:l.shift+h.Entry]) {
		if x.Who != transcript.Assistant || x.Call == nil {
			continue
		}
		asks := e.Asked != nil && slices.ContainsFunc(x.Call.Asks, func(a transcript.Asked) bool {
			return a.Question == e.Asked.Question
		})
		if asks || e.Asked == nil && x.Call.Plan != "" {
			return max(0, x.Offset)
		}
	}
	return 0
}

// readPassages returns what people and the agent said in their own words, and the entry of each.
func readPassages(entries []transcript.Entry) (ps []triage.Passage, at []int) {
	for i, e := range entries {
		p := triage.Passage{By: triage.Assistant, Text: e.Text, ID: e.UUID}
		switch {
		case e.Who == transcript.Person && e.Asked != nil && e.Asked.Chose(e.Text):
			continue
		case e.Who == transcript.Person:
			p.By, p.Text = triage.Person, e.Own()
		case e.Who != transcript.Assistant || e.Tool != "":
			continue
		}
		if p.Text != "" {
			ps, at = append(ps, p), append(at, i)
		}
	}
	return ps, at
}

func speakerOf(by triage.Speaker) finding.Speaker {
	if by == triage.Person {
		return finding.Typed
	}
	return finding.Agent
}

// whole returns the new entries behind the exchanges that explain them.
func (l *listening) whole() []transcript.Entry { return l.since(maxExchanges) }

// since returns the new entries behind at least some exchanges.
func (l *listening) since(exchanges int) []transcript.Entry {
	if l.all == nil || l.reach < exchanges {
		l.all, l.shift, l.reach = l.entries, 0, exchanges
		if l.before != nil {
			if before := l.before(exchanges); len(before) > 0 {
				l.all, l.shift = slices.Concat(before, l.entries), len(before)
			}
		}
	}
	return l.all
}

// add notes a decision that no phrase of triage's made one, and returns it; nil when
// decisions are not noticed.
func (l *listening) add(i int, by finding.Speaker, said, cue string, score float64) *Heard {
	if l.o.Off[memory.Decision] {
		return nil
	}
	e := l.entries[i]
	s := triage.Statement{
		Text: e.Text, By: triage.Person, ID: e.UUID,
		Category: memory.Decision, Score: score, Cue: cue, Level: finding.Candidate,
	}
	if score >= pickScore {
		s.Level = finding.Sure
	}
	l.heard = append(l.heard, Heard{Statement: s, Entry: i, Text: text.OneLine(said), By: by})
	return &l.heard[len(l.heard)-1]
}

// answer hears what the person answered to a question of the client. A question about
// how to go on is answered by words of their own, or by nothing worth keeping.
func (l *listening) answer(i int, e transcript.Entry) {
	if leavesOpen(e.Asked.Question, e.Text) {
		return
	}
	by, score, said := finding.Chosen, answerScore, e.Asked.Question+joint+e.Text
	if !e.Asked.Chose(e.Text) {
		by = finding.Typed
		own := func(h Heard) bool { return h.Entry == i }
		if slices.ContainsFunc(l.heard, func(h Heard) bool {
			return own(h) && h.Statement.Level == finding.Sure && (h.Statement.Category == memory.Decision ||
				h.Statement.Category != "" && kindOf(*e.Asked, e.Text) != aboutChoice)
		}) {
			return // by its own words, which need no question
		}
		l.heard = slices.DeleteFunc(l.heard, own) // it is in the answer
		if r, ok := Resolve(offerOf(transcript.Entry{Tool: "?", Call: &transcript.Call{
			Asks: []transcript.Asked{*e.Asked}}}), e.Text); ok {
			said += joint + r.Text
		}
	}
	switch kindOf(*e.Asked, e.Text) {
	case aboutWork:
		if by == finding.Chosen || strings.Count(e.Text, " ") < 5 {
			return
		}
		score = doubtScore
	case aboutFacts, aboutEither:
		score = doubtScore
	}
	l.add(i, by, said, Answered, score)
}

// joint stands between a person's words and what they refer to.
const joint = " — "

// pick hears which option the person took, or what they agreed to.
func (l *listening) pick(i int, e transcript.Entry) {
	if !mayRefer(e.Text) {
		return
	}
	r, at, ok := l.resolve(i, e.Text)
	if !ok {
		l.doubtPicks(i)
		return
	}
	// What triage heard by the same words means more now.
	for n := range l.heard {
		h := &l.heard[n]
		if h.Entry == i && (strings.Contains(h.Text, r.words) || strings.Contains(r.words, h.Text)) {
			h.By, h.refers, h.offer = finding.Chosen, text.OneLine(r.Text), at
			h.Text += joint + h.refers
			prefers := h.Statement.Category == memory.Preference && !h.Statement.Explicit
			if prefers && r.Cue == Picked && !l.o.Off[memory.Decision] { // "I'd prefer A"
				h.Statement.Category = memory.Decision
			}
			if r.Sure && h.Statement.Category == memory.Decision {
				h.Statement.Level = finding.Sure
			}
			return
		}
	}
	score := doubtScore
	if r.Sure {
		score = pickScore
	}
	words := r.words
	if len(e.Text) <= wholePick {
		words = e.Text
	}
	if h := l.add(i, finding.Chosen, words+joint+r.Text, r.Cue, score); h != nil {
		h.refers, h.offer = text.OneLine(r.Text), at
	}
}

// doubtPicks turns statements of an entry that only pick into candidates, if it isn't known what they pick:
// "I'd rather have A".
func (l *listening) doubtPicks(i int) {
	for n := range l.heard {
		h := &l.heard[n]
		if h.Entry != i || h.Statement.Explicit || h.Statement.Category != memory.Decision &&
			h.Statement.Category != memory.Preference {
			continue
		}
		if _, picks := parsePick(h.Text, true); picks || takesAdvice(h.Text) {
			h.Statement.Level, h.Statement.Score = finding.Candidate, min(h.Statement.Score, doubtScore)
		}
	}
}

// resolve returns what the message of a new entry refers to, as resolveIn does.
func (l *listening) resolve(i int, message string) (r Resolved, from int, ok bool) {
	return resolveIn(l.whole(), l.shift+i, message)
}

// resolveIn returns what a message of the person refers to, and the entry of the agent that
// offered it: its last words, or earlier ones that are still open. They are open until the
// person took one of them or the agent changed a file; a message in between that is no
// question leaves them open only to words that name what they take.
func resolveIn(all []transcript.Entry, by int, message string) (r Resolved, from int, ok bool) {
	said, prompts, others := false, 0, 0
	var between []string
	for at := by - 1; at >= 0 && !all[at].Boundary; at-- {
		e := all[at]
		switch {
		case e.Who == transcript.Person:
			if prompts++; e.Asked != nil || e.Plan != "" || prompts > lastExchanges {
				return r, from, ok
			}
			if said = false; !asks(e.Text) {
				others++
			}
			between = append(between, e.Text)
			continue
		case e.Who != transcript.Assistant:
			continue
		case e.File != "":
			if prompts > 0 || said {
				return r, from, ok
			}
			continue
		}
		offer := offerOf(e)
		if offer == "" || said {
			continue
		}
		said = true // only its last words in a turn
		if prompts > 0 && slices.ContainsFunc(between, func(text string) bool {
			_, took := Resolve(offer, text)
			return took
		}) {
			return r, from, ok
		}
		x, is := Resolve(offer, message)
		if is && prompts > 0 && !x.far && (others > 0 || x.Cue != Picked) {
			break
		}
		if is && (!ok || x.Sure) {
			r, from, ok = x, at, true
		}
		// What only sounds like a proposal may be an answer to a question about another one.
		if is && (x.Sure || x.Cue == Picked) || isMenu(offer) || asks(offer) && !namesOption(message) {
			break
		}
	}
	return r, from, ok
}

// asks reports whether a text ends in a question, with its mark or without.
func asks(text string) bool {
	all := triage.Sentences(text)
	for _, s := range all[max(0, len(all)-2):] {
		if s.Question || startsWith(splitWords(s.Text), "what why how which where when who was warum "+
			"wieso wie welche welcher welches wo wann wer") > 0 {
			return true
		}
	}
	return false
}

// namesOption reports whether a message takes an option in words that fit no other question.
func namesOption(message string) bool {
	for n, s := range saidFirst(message) {
		if p, ok := parsePick(s, n == 0); ok && p.worded || takesAdvice(s) {
			return true
		}
		words := splitWords(s)
		if hasWord(words[:min(len(words), 4)], pickVerbs) && mayName(words) && len(nameIn(words)) > 0 {
			return true
		}
	}
	return false
}

// offerOf returns the agent's words in an entry: its text, or the only question that the client asked for
// it. The person may answer that question in a message of their own.
func offerOf(e transcript.Entry) string {
	if e.Tool == "" {
		return e.Text
	}
	if e.Call == nil || len(e.Call.Asks) != 1 {
		return ""
	}
	var b strings.Builder
	q := e.Call.Asks[0]
	b.WriteString("Options:\n\n")
	for i, o := range q.Options {
		fmt.Fprintf(&b, "%d. %s\n", i+1, text.OneLine(o.String()))
	}
	return b.String() + "\n" + text.OneLine(q.Question)
}

// wholePick is the greatest length in bytes of a picking message that is kept whole.
const wholePick = 300

// maxChoices is how many statements of an approved plan are kept, and leastReasoned how
// many words one has that no phrase of triage's made one.
const (
	maxChoices    = 4
	leastReasoned = 6
)

// plan hears the choices of a plan that the person approved: what triage hears in it,
// the best, then what planChoices finds, else the choice that its title names.
func (l *listening) plan(i int, e transcript.Entry) {
	o := l.o
	o.NoMoments = true
	all := triage.Statements([]triage.Passage{{By: triage.Assistant, Text: e.Plan, ID: e.UUID}}, o)
	slices.SortStableFunc(all, func(x, y triage.Statement) int { return cmp.Compare(y.Score, x.Score) })
	all = all[:min(len(all), maxChoices)]
	for _, s := range planChoices(e.Plan) {
		if len(all) == maxChoices || l.o.Off[memory.Decision] {
			break
		}
		if !slices.ContainsFunc(all,
			func(x triage.Statement) bool { return strings.Contains(x.Text, s.Text) }) {
			all = append(all, triage.Statement{
				Text: s.Text, By: triage.Assistant, ID: e.UUID, Line: s.Line,
				Category: memory.Decision, Score: doubtScore, Cue: Planned, Level: finding.Candidate,
			})
		}
	}
	for _, s := range all {
		if choosesSurely(s) && !l.o.Off[memory.Decision] {
			s.Category, s.Moment, s.Cue, s.Score = memory.Decision, "", Planned, max(s.Score, pickScore)
			s.Level = finding.Sure
		}
		h := Heard{Statement: s, Entry: i, Text: text.OneLine(s.Text), By: finding.Chosen}
		// The agent may have said the same before it asked.
		if n := slices.IndexFunc(l.heard, func(x Heard) bool { return x.Text == h.Text }); n >= 0 {
			l.heard[n].By, l.heard[n].Entry = finding.Chosen, i
			continue
		}
		l.heard = append(l.heard, h)
	}
	if len(all) == 0 {
		if about := planTitle(e.Plan); about != "" {
			l.add(i, finding.Chosen, about, Planned, doubtScore)
		}
	}
}

// choosesSurely reports whether a statement of a plan is a decision: it has something to use, and a reason
// or an alternative. A statement of what always holds is a rule instead, and a step that changes something
// is work.
func choosesSurely(s triage.Statement) bool {
	if s.Category != memory.Decision && s.Category != memory.Preference {
		return false
	}
	words := splitWords(s.Text)
	for _, w := range words {
		if w.in(reasons) {
			break // what must be so is why
		}
		if w.in("always never every everywhere must immer nie niemals überall") {
			return false
		}
	}
	words = words[startsWith(words, "we we'll i i'll will to the wir decision entscheidung"):]
	if len(words) < leastReasoned/2 || !contrasts(words) {
		return false
	}
	return isVerb(words[0].text, settling) ||
		words[len(words)-1].in("nehmen verwenden nutzen behalten speichern")
}

// settling are verbs of what is to be, and not of a step that makes it so, by their stems.
const settling = "use keep adopt stay stick prefer choose pick go rely stor store default standardize " +
	"standardise target support avoid treat nehmen verwenden nutzen behalten nutze verwende nimm behalte"
