// Package change hears when a person changes their mind. It finds which of the things that were recorded
// or said a statement turns against.
//
//	I changed my mind, back to Redis    the decision that took another cache
//	we no longer use Redis              the decision that took Redis
//	scrap that                          what was said or shown last
//
// A change found by mistake hides a true memory. So anything that may be mere talk about a thing is no
// change: a question, a condition, a request with such words in a clause ("explain what happens when we
// drop Redis"). The package is pure.
//
// turns.go has what all sentences must pass, and the English forms with a verb of their own. forms.go has
// the tables of forms that many verbs share, german.go the German ones, and places.go the changes that
// hold for a part only.
package change

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// A Subject is something that a statement can turn against.
type Subject struct {
	Ref         string          // "decisions/use-redis.json", or "#7" of a finding
	Category    memory.Category //
	Title, Text string          // Title is "" for a finding
	Main        string          // what of the text states the choice, "" for all of it
	Time        time.Time       // when it was said
	Injected    bool            // shown or said in this session: "that" can mean it
}

// A Change is a statement that turns against a subject.
type Change struct {
	Target Subject
	Cue    string  // the words that say so
	To     string  // what it has in its place, "" where it does not say
	Score  float64 // 0 to 1
}

const (
	// leastShare is how much of what is turned down a subject must choose.
	leastShare = 0.7
	// leastOfRule is how much of a rule's own words a subject must have if a number is one of them:
	// others may be of that number.
	leastOfRule = 0.8
	// leastWeight is how much must be named where nothing but words is: one word more
	// often means something else.
	leastWeight = 2
	// Pointed is the score of a change that only points ("scrap that").
	Pointed = 0.5
	// rivalling is the score of a change that only names what comes instead.
	rivalling = 0.6
	// longest is how much of a statement is read, in bytes: nobody changes their mind in a
	// page.
	longest = 2000
)

// Detect returns what a statement turns against. Subjects come newest first. Only the statements of a
// person count.
func Detect(statement string, by finding.Speaker, subjects []Subject) (Change, bool) {
	if !by.Person() || len(subjects) == 0 || !hasCue(statement) {
		return Change{}, false
	}
	return hear(readable(statement)).against(subjects)
}

// A heard statement can be held against any subjects.
type heard struct {
	digest    string
	sentences []heardSentence // that turn something down
}

type heardSentence struct {
	turns     []heardTurn
	exchange  alike.Exchange // of what for what, if exchanges
	exchanges bool
}

// A heardTurn is a turn with the phrases of its words.
type heardTurn struct {
	turn
	fromPhrase, namedPhrase, toPhrase alike.Phrase
	brings                            bool // what replaces it is named, and what is rejected is not
}

func hear(statement string) heard {
	h := heard{digest: finding.Digest(statement)}
	for _, s := range sentencesOf(statement) {
		turns := turnsOf(s)
		if len(turns) == 0 || tookBack(s) {
			continue
		}
		var hs heardSentence
		hs.exchange, hs.exchanges = alike.ExchangeOf(s.text)
		for _, t := range turns {
			hs.turns = append(hs.turns, heardTurn{t, alike.PhraseOf(t.from), alike.PhraseOf("the " + t.from),
				alike.PhraseOf(t.to), t.from == "" && names(t.to)})
		}
		h.sentences = append(h.sentences, hs)
	}
	return h
}

// against returns what the statement turns against.
func (h heard) against(subjects []Subject) (best Change, ok bool) {
	for _, s := range h.sentences {
		left := s.replaceable(subjects)
		for _, t := range s.turns {
			if c, ok := t.against(left, h.digest); ok && c.Score > best.Score {
				best = c
			}
		}
	}
	return best, best.Score > 0
}

// Stated returns what a statement turns against that somebody gives to be remembered, and so means as it
// stands. Beside what Detect hears it is what the statement says to put something else in the place of, in
// any wording.
func Stated(statement string, by finding.Speaker, subjects []Subject) (Change, bool) {
	return Stating(statement, by)(subjects)
}

// Stating returns Stated for one statement and any subjects.
func Stating(statement string, by finding.Speaker) func(subjects []Subject) (Change, bool) {
	if !by.Person() {
		return func([]Subject) (Change, bool) { return Change{}, false }
	}
	said := readable(statement)
	var turned heard
	if hasCue(statement) {
		turned = hear(said)
	}
	if onlyTalks(said) {
		return turned.against
	}
	latest, digest := alike.LatestOf(said), finding.Digest(said)
	return func(subjects []Subject) (Change, bool) {
		if c, ok := turned.against(subjects); ok && c.Score > Pointed {
			return c, ok
		}
		for _, s := range subjects {
			if canTurn(s.Category) && finding.Digest(s.Text) != digest && latest.Replaces(s.choice()) {
				return Change{Target: s, Cue: "instead", Score: stated}, true
			}
		}
		return Change{}, false
	}
}

// stated is the score of a change that only the whole statement says.
const stated = 0.7

// Resembling returns the subject whose place a person's statement may take, if it surely takes that of none:
// the likeliest. Whether it does is the person's to say.
func Resembling(statement string, subjects []Subject) (likeliest Subject, ok bool) {
	said := readable(statement)
	if onlyTalks(said) {
		return Subject{}, false
	}
	latest, digest, best := alike.LatestOf(said), finding.Digest(said), 0.0
	for _, s := range subjects {
		if !canTurn(s.Category) || finding.Digest(s.Text) == digest {
			continue
		}
		if likely, asks := latest.Resembles(s.choice()); asks && likely > best {
			likeliest, best = s, likely
		}
	}
	return likeliest, best > 0
}

// onlyTalks reports whether a statement says of nothing that it is otherwise: each of its sentences is a
// question, a condition, of others, or of a part only.
func onlyTalks(statement string) bool {
	return !slices.ContainsFunc(sentencesOf(statement), func(s sentence) bool {
		return !supposes(s) && !onlyHere(s) && !tookBack(s) && !declines(s)
	})
}

// declines reports whether a sentence says that a move was not made, or was somebody else's: "never switch
// from A to B", "we rejected the proposal to move from A to B", "the tutorial switches to B".
func declines(s sentence) bool {
	for i, t := range s.tokens {
		if text.OneOf(t.word, "instead statt anstatt anstelle") && denied(s, i) {
			return true // "we do not use Redis instead of Postgres"
		}
		if !alike.IsMove(t.word) {
			continue
		}
		if denied(s, i) || has(s.tokens[max(0, i-8):i], declining) {
			return true
		}
	}
	return false
}

// declining are words before a move that say that nobody here makes it.
const declining = "never niemals nie nicht keinesfalls rejected declined refused dismissed vetoed " +
	"abgelehnt proposal proposed vorschlag considered competitor competitors customer customers tutorial " +
	"article book blog vendor they he she their his her"

// tookBack reports whether a sentence says that something was as before again: "we switched and went back".
func tookBack(s sentence) bool {
	for i := range s.tokens {
		if i > 3 && s.is(i, "went rolled", "back") && !s.is(i+2, "to") {
			return true
		}
	}
	return false
}

// replaceable returns the subjects that a sentence may turn against. If it names what is left and what is
// taken instead, these are not the subjects that chose the new thing already, nor those that chose the old
// one for something else.
func (h heardSentence) replaceable(subjects []Subject) (all []Subject) {
	if !h.exchanges {
		return subjects
	}
	for _, s := range subjects {
		if !h.exchange.Spares(s.choice()) {
			all = append(all, s)
		}
	}
	return all
}

// choice returns what a subject chooses, in its words.
func (s Subject) choice() string { return s.Title + "\n" + cmp.Or(s.Main, s.Text) }

// MayTurn reports whether a text has words with which people change their minds. It is a cheap check before
// the real one.
func MayTurn(text string) bool { return hasCue(text) }

// Turns reports whether a statement turns something down in words, whatever that is:
// without subjects to hold it against.
func Turns(statement string) bool {
	return hasCue(statement) && len(turnsIn(statement)) > 0
}

// readable returns as much of a statement as is read, in valid UTF-8.
func readable(statement string) string {
	return strings.ToValidUTF8(statement[:min(len(statement), longest)], " ")
}

func turnsIn(statement string) (turns []turn) {
	for _, s := range sentencesOf(readable(statement)) {
		turns = append(turns, turnsOf(s)...)
	}
	return turns
}

// A turn is what a sentence rejects, and what replaces it.
type turn struct {
	cue     string
	from    string // what is rejected, "" if it isn't named
	to      string // what replaces it, "" if it isn't named
	of      string // what changes from the one to the other, "" if it isn't named
	decided bool   // it names a decision, rule or wish, so fewer words are enough
	points  bool   // it means what was said or shown last, if nothing else fits
	makes   bool   // it replaces a name by a name, or a number by a number
	mends   bool   // it corrects an earlier statement in a whole new one
	opens   bool   // what is rejected begins the sentence, so its capital means nothing
	rivals  bool   // the replacement must be of the same kind
	rule    bool   // it ends a rule, in the rule's own words
	counts  bool   // that rule has a number
	retells bool   // its verb makes no choice: it must repeat a record but for a name
	once    bool   // it is about one of many times
	occurs  bool   // what is rejected is one of many times, not the others
	places  []string
}

// against returns the subject that a turn is against.
func (t heardTurn) against(subjects []Subject, digest string) (Change, bool) {
	from, named, to := t.fromPhrase, t.namedPhrase, t.toPhrase
	var best Change
	offer := func(s Subject, score float64) {
		if score > best.Score && finding.Digest(s.Text) != digest {
			best = Change{s, t.cue, t.instead(), min(1, score)}
		}
	}
	if named.Weight() >= leastWeight || t.decided && from.Weight() >= 1 {
		roots, initial := from.Roots(), from
		for _, s := range subjects {
			from := named
			if t.opens && !strings.Contains(s.Text, " "+t.from) {
				from = initial
			}
			if from.Weight() < leastWeight && (!t.decided || from.Weight() < 1) {
				continue
			}
			if !canTurn(s.Category) || !maySay(s, t.from, roots) || t.narrows(s) ||
				t.occurs && isHabit(s.Title+"\n"+s.Text) || !t.countsIn(s, from) ||
				t.retells && !t.saysAnew(s) {
				continue
			}
			g := alike.GistOf(s.Title, s.Text)
			share := g.Chooses(from)
			if t.decided || t.rule { // a rule may be what forbids it
				share = max(share, g.Mentions(from))
			}
			least := leastShare
			if t.counts {
				least = leastOfRule
			}
			if share < least || t.rivals && !g.Rivals(to) ||
				t.to != "" && to.Names() && !from.Names() && g.Chooses(to) > leastShare {
				continue
			}
			offer(s, 0.5+0.3*share+0.2*g.Head(from))
		}
	}
	first := func(in []Subject, score float64, is func(Subject) bool) {
		for _, s := range in {
			if best.Score == 0 && canTurn(s.Category) && is(s) {
				offer(s, score)
			}
		}
	}
	rival := func(s Subject) bool { return alike.GistOf(s.Title, s.Text).Rivals(to) && !t.narrows(s) }
	near := subjects[:min(len(subjects), lookedAt)]
	if t.brings {
		if t.mends {
			first(near, rivalling, func(s Subject) bool { return (!t.rivals || rival(s)) && t.saysAnew(s) })
		} else {
			first(subjects, rivalling, func(s Subject) bool { return s.Injected && rival(s) })
		}
		if t.makes {
			first(subjects, rivalling-0.05, func(s Subject) bool { return s.Injected && t.remakes(s) })
		}
		if !t.mends {
			first(near, rivalling-0.05, rival)
		}
	}
	if t.points {
		// Who goes back to what was said last does not turn against that.
		first(subjects, Pointed, func(s Subject) bool {
			return s.Injected && (t.to == "" || alike.GistOf(s.Title, s.Text).Chooses(to) <= leastShare)
		})
	}
	return best, best.Score > 0
}

// instead returns what a turn puts in the place of what it rejects. It is "" if that names nothing, or is
// another rejection: "forget that, scrap that decision".
func (t turn) instead() string {
	if alike.PhraseOf(t.to).Weight() < 1 || hasCue(t.to) {
		return ""
	}
	return t.to
}

// remakes reports whether a subject has something that can be what a turn makes of it: a
// name for a name, a number of the same for a number.
func (t turn) remakes(s Subject) bool {
	if of, counted := alike.PhraseOf("the " + t.to).Counted(); counted {
		return mentions(s, of)
	}
	if !strings.ContainsAny(t.to, "0123456789") {
		return alike.PhraseOf(s.Title + "\n" + s.Text).Names()
	}
	return mentions(s, alike.PhraseOf(strings.TrimLeft(t.to, "0123456789. ")))
}

// countsIn reports whether a subject may count what a turn counts. Numbers are few and what they
// are of is much: where nothing but a number is turned down, the subject has to have what it is of.
func (t turn) countsIn(s Subject, from alike.Phrase) bool {
	of, counted := from.Counted()
	if !counted || strings.Contains(t.from, ":") { // a time of day is of nothing
		return true
	}
	if of.Weight() == 0 {
		unit := unitIn(t.to)
		if unit == "" {
			unit = lastWord(t.of, tokensOf(t.of))
		}
		of = alike.PhraseOf(unit)
	}
	return mentions(s, of)
}

// mentions reports whether a subject has something of a phrase.
func mentions(s Subject, p alike.Phrase) bool {
	return p.Weight() > 0 && alike.GistOf("", s.Title+"\n"+s.Text).Mentions(p) > 0
}

// unitIn returns what a phrase counts: the word behind its number, or the one before it where none is
// behind, as in "port 80"; "" for neither. A phrase that does not begin with its number may have others
// before it.
func unitIn(phrase string) string {
	tokens := tokensOf(phrase)
	at := -1
	for i := range tokens {
		if at != 0 && numbers(sentence{text: phrase, tokens: tokens[i : i+1]}, 0) {
			at = i
		}
	}
	switch {
	case at < 0:
		return ""
	case strings.TrimLeft(tokens[at].word, "0123456789.,") != "" && !alike.IsNumber(tokens[at].word):
		return strings.TrimLeft(tokens[at].word, "0123456789.,-") // 14px
	case at+1 < len(tokens):
		return lastWord(phrase, tokens[at+1:])
	case at > 0:
		return "the " + phrase[tokens[at-1].start:tokens[at-1].end]
	}
	return ""
}

// lastWord returns the last word that says something of those before a preposition: of "review
// columns in the report" columns.
func lastWord(phrase string, tokens []token) (last string) {
	for _, w := range tokens {
		if text.OneOf(w.word, "of per for in on at with from by as to für im bei pro von mit") {
			break
		}
		if said := "the " + phrase[w.start:w.end]; alike.PhraseOf(said).Weight() > 0 {
			last = said
		}
	}
	return last
}

// saysAnew reports whether a turn repeats a subject with another name or number.
func (t turn) saysAnew(s Subject) bool {
	g := alike.GistOf("", s.Title+"\n"+s.Text)
	var same, all float64
	other := false
	for i, w := range tokensOf(t.to) {
		p := alike.PhraseOf(w.word)
		switch share := g.Mentions(p); {
		case p.Weight() == 0:
		case p.Names() && g.Chooses(p) > 0:
		case p.Names() || share == 0 && names(t.to[w.start:w.end]) && (i > 0 || !t.retells):
			other = true
		default:
			all += p.Weight()
			same += p.Weight() * share
		}
	}
	least, enough := 0.5, 1.0
	switch {
	case t.retells:
		least, enough = 0.75, leastWeight
	case t.rivals:
		least = 0.6
	}
	return other && same >= enough && same >= least*all
}

// lookedAt is how many subjects a turn is compared with if it names only the replacement.
const lookedAt = 200

// canTurn reports whether things of a category hold until somebody turns against them.
func canTurn(c memory.Category) bool {
	return c == memory.Decision || c == memory.Preference || c == memory.Constraint || c == memory.TechDebt
}

// maySay reports, at little cost, whether a subject can have the words of a phrase. A
// root that is not the beginning of one of its words stands for another form.
func maySay(s Subject, phrase string, roots []string) bool {
	low := strings.ToLower(phrase)
	all := strings.ToLower(s.Title + "\n" + s.Text)
	found := 0
	for _, root := range roots {
		if !strings.Contains(low, root) || strings.Contains(all, root) || root[0] <= '9' { // 12 is twelve
			found++
		}
	}
	return 2*found >= len(roots)
}
