package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/text"
)

// Resolved is what words of a person refer to.
type Resolved struct {
	Text  string // as the agent listed or proposed it
	Cue   string // Picked or Agreed
	Sure  bool   // it is clear by itself that this is a choice worth keeping
	words string // of the person, that refer to it
	far   bool   // they say enough to mean what was offered before the last question
}

// mayRefer reports whether words of a person may pick or agree at all, so that nothing is read for the
// others.
func mayRefer(said string) bool { return lastReferring.Of(said, refers) }

var lastReferring text.Memo[bool]

func refers(said string) bool {
	for n, s := range saidFirst(said) {
		words := splitWords(s)
		if _, ok := pickIn(words, n == 0); ok || takesAdviceIn(words) ||
			n == 0 && (affirmIn(words) || mayName(words) || mayShare(words)) {
			return true
		}
	}
	return false
}

// maxReferring is how many sentences of a message are looked at for a pick.
const maxReferring = 5

// saidFirst returns the first line of a message as it was typed, and its first
// sentences that ask nothing.
func saidFirst(message string) (said []string) {
	message = strings.TrimSpace(message)
	line, rest, _ := strings.Cut(message, "\n")
	if _, key, _, ok := readItem(line); ok && key > 0 {
		if _, key, _, ok := readItem(strings.TrimSpace(rest)); ok && key > 0 {
			return nil // a list of their own
		}
	}
	if end := strings.IndexAny(line, "?？"); end < 0 {
		said = append(said, text.ShortenBytes(line, wholePick))
	} else if before := strings.LastIndexAny(line[:end], ".!,;。！，；"); before > 0 &&
		(strings.IndexAny(line[before:], ",，") != 0 || !weighs(line[:before]) ||
			asksKindly(strings.TrimLeft(line[before:end], ",，"))) {
		said = append(said, line[:before])
	}
	for _, s := range triage.Sentences(text.CutBytes(message, 4*wholePick)) {
		if len(said) > maxReferring {
			break
		}
		if !s.Question && !slices.Contains(said, s.Text) {
			said = append(said, s.Text)
		}
	}
	if len(said) > 0 {
		said = append(said, laterClauses(said[0])...)
	}
	return said
}

// weighs reports whether a clause picks only by praise, which a question behind it takes back: "B
// looks good, what do you think?"
func weighs(clause string) bool {
	words := splitWords(clause)
	_, picks := parsePick(clause, true)
	for i := range words {
		if picks && isPraised(words, i) {
			return true
		}
	}
	return false
}

// asksKindly reports whether a question asks for something to be done: "can you add it".
func asksKindly(question string) bool {
	words := splitWords(question)
	words = words[startsWith(words, "so and then please und dann also bitte"):]
	return len(words) > 1 && words[0].in("can could will would kannst könntest würdest magst") &&
		words[1].in("you we du wir")
}

// laterClauses returns the clauses of a sentence behind its first one, which may pick where that
// one judges: "too expensive, let's go with 2". Behind a condition nothing is picked.
func laterClauses(sentence string) (clauses []string) {
	rest := sentence
	for len(clauses) < 3 {
		clause, after, ok := strings.Cut(rest, ", ")
		if !ok {
			if clause, after, ok = cutWideComma(rest); !ok {
				break
			}
		}
		if hasWord(splitWords(clause), "if when unless once wenn falls sobald sofern") {
			return clauses
		}
		rest = after
		clauses = append(clauses, rest)
	}
	return clauses
}

// cutWideComma cuts a sentence behind its first comma or stop of Chinese or Japanese.
func cutWideComma(s string) (clause, after string, ok bool) {
	i := strings.IndexAny(s, "，、。！")
	if i < 0 {
		return s, "", false
	}
	after = s[i+len("，"):]
	return s[:i], after, after != ""
}

// Resolve returns what a message of the person takes of the agent's last words: one of the options that it
// listed, or what it proposed. It is careful: a number that answers a menu, and a yes to going on with the
// work, mean nothing that lasts.
func Resolve(agent, person string) (Resolved, bool) {
	said := saidFirst(person)
	if len(said) == 0 {
		return Resolved{}, false
	}
	for n, s := range said {
		words := text.OneLine(s)
		if p, ok := parsePick(s, n == 0); ok {
			if found, sure, ok := p.find(agent); ok {
				return Resolved{found, Picked, sure, words, p.worded}, true
			}
		}
		if takesAdvice(s) {
			if r, ok := advised(agent); ok {
				r.words, r.far = words, true
				return r, true
			}
		}
	}
	first, words := said[0], text.OneLine(said[0])
	if found, ok := named(agent, first); ok {
		return Resolved{found, Picked, true, words, true}, true
	}
	if affirms(first) {
		if p, ok := findProposal(agent); ok {
			if found, sure, ok := p.option(agent); ok {
				return Resolved{found, Picked, sure, words, tells(first)}, true
			}
			return Resolved{p.text, Agreed, p.isChoice(), words, tells(first)}, true
		}
	}
	if found, words, ok := sharing(agent, said); ok {
		return Resolved{Text: found, Cue: Picked, words: words}, true
	}
	if found, words, ok := quoting(agent, said); ok {
		return Resolved{Text: found, Cue: Picked, words: words}, true
	}
	return Resolved{}, false
}

// find returns the text of what is picked.
func (p pick) find(agent string) (text string, sure, ok bool) {
	if isMenu(agent) {
		return "", false, false
	}
	lists := findLists(agent)
	if p.latter || p.former || p.allThem {
		return p.ofTwo(agent, lists)
	}
	best := -1
	rank := func(k listKind) int { // of a list that the pick may mean, 0 if it can't
		switch {
		case !p.place && !k.keyed() && (p.letter || !p.noun), !p.place && k.keyed() &&
			p.letter && !k.letters():
			return 0
		case !p.place && k.letters() && !p.letter:
			return 1 // a number counts letters where nothing has numbers
		}
		return 1 + int(max(k, bulleted)) // what was asked in prose came last
	}
	for i, l := range lists {
		none := slices.Contains(p.keys, middle) && len(l.options)%2 == 0
		if slices.Max(p.keys) > len(l.options) || none || rank(l.kind) == 0 {
			continue
		}
		if best < 0 || rank(l.kind) >= rank(lists[best].kind) {
			best = i
		}
	}
	if best < 0 {
		return "", false, false
	}
	l := lists[best]
	offered := l.kind.named() || l.asked || offers(agent)
	if !offered && (!p.worded || !l.kind.keyed()) {
		return "", false, false
	}
	var texts []string
	errands := 0
	for _, key := range p.keys {
		switch {
		case key == middle:
			key = (len(l.options) + 1) / 2
		case key < 0:
			key = len(l.options)
		}
		t := l.options[key-1].text
		if !l.kind.named() && isErrand(t) {
			errands++
		}
		texts = append(texts, t)
	}
	if errands == len(texts) && !p.adds {
		return "", false, false
	}
	clear := p.worded || p.adds || l.kind.named() || len(p.keys) == 1 && isLasting(agent, l)
	sure = offered && errands == 0 && clear
	return strings.Join(texts, "; "), sure, true
}

// ofTwo resolves "the latter", "the former" and "both".
func (p pick) ofTwo(agent string, lists []list) (text string, sure, ok bool) {
	for _, l := range slices.Backward(lists) {
		if p.every && len(l.options) <= maxItem && (l.kind.named() || offers(agent)) {
			var texts []string
			for _, o := range l.options {
				if isErrand(o.text) {
					return "", false, false
				}
				texts = append(texts, o.text)
			}
			return strings.Join(texts, "; "), true, true
		}
		if len(l.options) != 2 || !l.kind.named() && !l.asked && !offers(agent) {
			continue
		}
		switch {
		case p.allThem:
			return l.options[0].text + "; " + l.options[1].text, true, true
		case p.latter:
			return l.options[1].text, true, true
		}
		return l.options[0].text, true, true
	}
	return "", false, false
}

// offers reports whether the agent asks which of several things it is to be.
func offers(agent string) bool {
	all := triage.Sentences(agent)
	for _, s := range all[max(0, len(all)-6):] {
		if asksToChoose(s) {
			return true
		}
	}
	for _, s := range all {
		words := splitWords(s.Text)
		for i, w := range words {
			several := i > 0 && (cardinals[words[i-1].text] > 1 || words[i-1].in("2 3 4 several mehrere"))
			if w.in("options approaches alternatives choices "+germanOptions) ||
				several && w.in("ways wege") {
				return true
			}
			if i+1 < len(words) { // "I'd take option 2"
				if keys, letter, _ := readKeys(words, i+1); len(keys) > 0 &&
					(!letter || words[i+1].raw != "a") && isOptionNoun(w.raw) {
					return true
				}
			}
		}
	}
	return false
}

// Words of a question that has several things to choose from, as text.OneOf takes them.
const (
	offering = "which prefer preference either option options approach approaches choice thoughts " +
		"welche welcher welches welchen welchem lieber bevorzugst entweder variante option meinst " +
		germanOptions
	germanOptions = "optionen varianten möglichkeiten alternativen ansätze lösungen"
)

// isLasting reports whether the agent asks which of a list to choose, and not how to go on. Then a bare
// number is a choice as well. A list of the agent's own next steps, or of work, is about how to go on.
func isLasting(agent string, l list) bool {
	for _, o := range l.options {
		words := splitWords(o.text)
		if len(words) > 0 && (isErrand(o.text) || isVerb(words[0].text, doing) ||
			words[0].in(working)) {
			return false
		}
		if hasWord(words[:min(len(words), 12)], "i i'll i'd me you ich mir du") {
			return false
		}
	}
	all := triage.Sentences(agent)
	asks := false
	for n, s := range all {
		late := n >= len(all)-6-len(l.options)
		words := splitWords(s.Text)
		about := late && (s.Question || strings.HasSuffix(plain(s.Text), ":")) ||
			hasWord(words, "options approaches alternatives choices ways wege "+germanOptions)
		if about && asksToGoOn(words) {
			return false
		}
		asks = asks || s.Question && late && !isAboutWork(s.Text)
	}
	return asks
}

// asksToGoOn reports whether a question, or what leads to a list, is about how to go on:
// what is done next, or what the agent is to do.
func asksToGoOn(words []word) bool {
	for i, w := range words {
		next := textAt(words, i+1)
		switch {
		case w.in(goingOn), w.text == "me" && next == "to", w.text == "this" && next == "session",
			w.in("should shall can") && (next == "i" || text.OneOf(next, errands)),
			w.text == "soll" && next == "ich":
			return true
		}
	}
	return false
}

// Words of a question about how to go on, and verbs of work, as text.OneOf takes them.
const (
	goingOn = "execution execute proceed next first start begin tackle continue order now fix priority " +
		"today after done look run try debug investigate task tasks remaining steps todo " +
		"nächstes weiter weitermachen fortfahren zuerst anfangen beginnen jetzt reihenfolge aufgabe " +
		"aufgaben schritte heute danach"
	working = "write remove delete rename create bump document refactor leave stop finish close merge ask " +
		"wait yes no"
	germanWorking = "reparieren anpassen aktualisieren schreiben hinzufügen entfernen löschen umbenennen " +
		"korrigieren ergänzen beheben erstellen anlegen dokumentieren umbauen aufräumen"
)

// isMenu reports whether the agent asks for a number only to go on.
func isMenu(agent string) bool {
	low := strings.ToLower(agent[max(0, len(agent)-600):])
	for _, ask := range []string{
		"reply with a number", "enter a number", "type a number", "pick a number", "select a number",
		"what would you like to do next",
	} {
		if strings.Contains(low, ask) {
			return true
		}
	}
	return false
}

// maxNaming is how many words a message has that picks an option by its name.
const maxNaming = 8

// Small words before what a prose option is about, and where that ends, as text.OneOf takes them.
const prepositions = "as behind in on at by via with without for from to through inside within under of " +
	"als hinter mit ohne für von zu durch über unter im am per auf bei"

// headsWith reports whether a name is the head of an option in prose: "a flag" of "behind a feature flag
// for 5% of the tenants".
func headsWith(label, name []word) bool {
	small := func(words []word) []word {
		return words[startsWith(words, articles+" a an our ein eine einen einem "+prepositions):]
	}
	label, name = small(label), small(name)
	if to := slices.IndexFunc(label, func(w word) bool { return w.in(prepositions) }); to >= 0 {
		label = label[:to]
	}
	if len(name) == 0 || len(name) > len(label) {
		return false
	}
	return slices.EqualFunc(label[len(label)-len(name):], name, sameText)
}

// mayName reports whether words may pick an option by its name: "sqlite", "let's go with
// sqlite", "sqlite, because it is one file".
func mayName(words []word) bool {
	for i, w := range words[:min(len(words), 4)] {
		if i < len(words)-1 && w.in(pickVerbs) {
			return len(words) <= maxNaming || slices.ContainsFunc(words[:maxNaming], func(w word) bool {
				return w.ends || w.in(reasons)
			})
		}
	}
	for i := 1; i <= min(len(words)-1, maxItem+1); i++ {
		if words[i].in(reasons) && (i < maxItem || words[i-1].ends) {
			return true
		}
	}
	for len(words) > 2 && words[len(words)-1].in("please bitte thanks danke") {
		words = words[:len(words)-1]
	}
	first := 0 // words of the first clause
	for first < len(words) && (first == 0 || !words[first-1].ends) {
		first++
	}
	switch {
	case first > 1 && first <= maxItem+1 && words[first-1].in(pickNouns): // "the sqlite one"
		return true
	case first > 2 && first <= maxItem+1 && words[0].in(articles) && words[1].in("with mit"):
		return true
	}
	return len(words) > 0 && (len(words) <= 2 ||
		len(words) <= maxItem && words[0].in(articles+" a an ein eine einen"))
}

// named returns the option that the person names with few other words.
func named(agent, said string) (string, bool) {
	words := splitWords(said)
	if !mayName(words) || isMenu(agent) {
		return "", false
	}
	name := nameIn(words)
	if len(name) == 0 {
		return "", false
	}
	offered := offers(agent)
	for _, l := range slices.Backward(findLists(agent)) {
		if !offered && !l.asked {
			continue
		}
		found, is := "", 0
		for _, o := range l.options {
			label := o.label()
			if label == "" {
				label = o.text
			}
			labelled := splitWords(label)
			if (beginsWith(labelled, name) || l.kind == prose && headsWith(labelled, name)) &&
				!isErrand(o.text) {
				found, is = o.text, is+1
			}
		}
		if is == 1 {
			return found, true
		}
	}
	return "", false
}

// nameIn returns the words with which a person names their choice, nil if they don't. Only words that lead
// up to a pick may stand before the name. Behind it comes the end of the clause, a noun such as "option",
// or a reason.
func nameIn(words []word) (name []word) {
	i := 0
	for i < len(words) && (words[i].in(pickOpeners) || words[i].in(pickVerbs) ||
		words[i].in(leansOn) || words[i].in(articles) || words[i].in("a an ein eine")) {
		i++
	}
	from := i
	for i < len(words) && i-from <= maxItem && (i == from || !words[i].in(pickNouns)) &&
		!words[i].in(pickGoesOn) {
		if i++; words[i-1].ends {
			break
		}
	}
	name = words[from:i]
	switch {
	case hasWord(words[:i], negations):
		return nil
	case len(name) == 0, len(name) == 1 && (len(name[0].text) < 2 || name[0].in("that this them all "+
		"none later done das dies alle")):
		return nil
	case name[len(name)-1].ends, i == len(words), words[i].in(pickNouns),
		words[i].in(pickGoesOn):
		return name
	}
	return nil
}

// beginsWith reports whether what an option is called begins with a name, behind verbs and
// small words: "use SQLite for the queue" is called SQLite.
func beginsWith(label, name []word) bool {
	for len(label) > len(name) && label[0].text != name[0].text && (label[0].in(leading) ||
		isVerb(label[0].text, choosing) || label[0].in(pickVerbs) ||
		label[0].in(leansOn) || label[0].in(articles+" a an in by via our only ein eine einen")) {
		label = label[1:]
	}
	if len(label) < len(name) {
		return false
	}
	for i, w := range name {
		if label[i].text != w.text && label[i].text != w.text+"s" { // "the CRDT approach" is called CRDTs
			return false
		}
	}
	return true
}
