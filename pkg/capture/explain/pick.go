package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/wording"
	"keepsake/pkg/text"
)

// A pick is which of the agent's options the person takes.
type pick struct {
	keys    []int // places in a list, from 1; -1 is the last
	letter  bool  // by letters
	place   bool  // by their order: "the second one", "the latter"
	worded  bool  // more than a bare number or letter
	noun    bool  // "option 2", "Nummer 2"
	adds    bool  // the person goes on: "3, but enabled by default"
	latter  bool
	former  bool
	allThem bool // "both"
	every   bool // "all of them", however many they are
}

// word is one of a sentence.
type word struct {
	text string // lower case
	raw  string
	ends bool // a clause ends behind it
}

// in reports whether a word is in a list, as text.OneOf takes it.
func (w word) in(list string) bool { return text.OneOf(w.text, list) }

func sameText(a, b word) bool { return a.text == b.text }

func (w word) same(other word) bool { return sameText(w, other) }

// hasWord reports whether one of some words is in a list.
func hasWord(words []word, list string) bool {
	return slices.ContainsFunc(words, func(w word) bool { return w.in(list) })
}

// startsWith returns how many words of a list a sentence begins with.
func startsWith(words []word, list string) (n int) {
	for n < len(words) && words[n].in(list) {
		n++
	}
	return n
}

// textAt returns the word at a place, "" where there is none.
func textAt(words []word, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i].text
}

// splitWords returns the words of a sentence; "1+2" is three. Those of a language with a table of its own are
// English where the table knows them. They are not to be changed, as others ask for those of the same
// sentence.
func splitWords(s string) []word { return lastWords.Of(s, wordsOf) }

var lastWords text.Memo[[]word]

func wordsOf(s string) (words []word) {
	if l := wording.Of(s); l != wording.None {
		all := wording.Split(l, s)
		words = make([]word, len(all))
		for i, w := range all {
			words[i] = word{text: w.Text, raw: w.Raw, ends: w.End != 0}
		}
		return words
	}
	s = strings.ReplaceAll(s, "’", "'")
	words = make([]word, 0, strings.Count(s, " ")+2)
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isWord(c):
			from := i
			for i < len(s) && (isWord(s[i]) || s[i] == '.' && i+1 < len(s) && isWord(s[i+1]) && i > from) {
				i++
			}
			words = append(words, word{text: strings.ToLower(s[from:i]), raw: s[from:i]})
		case c == '+' || c == '&' || c == '#':
			words = append(words, word{text: string(c), raw: string(c)})
			i++
		case c == ' ' || c == '*' || c == '"' || c == '`' || c == '_':
			i++
		default:
			if len(words) > 0 {
				words[len(words)-1].ends = true
			}
			i++
		}
	}
	if len(words) > 0 {
		words[len(words)-1].ends = true
	}
	return slices.Clip(words)
}

// Words of a pick, as text.OneOf takes them, English and German.
const (
	pickOpeners = "no yes yep yeah yup ok okay sure so then well please hmm actually i think let's " +
		"lets let us we we'll should i'd i'll would could like to just now maybe definitely agreed " +
		"i'll i'm great my vote is want prefer rather alright right fine cool hm " +
		"ja nein nee gut dann also bitte wir ich lass lasst uns würde würden möchte möchten wollen will " +
		"hätte na klar mir doch lieber eher gern gerne einfach mal"
	// leans lead up to what is picked as a verb does: "lieber B", "I'd rather have B".
	leans     = "lieber eher rather"
	pickVerbs = "go going do take use pick choose prefer want like try implement stick proceed vote " +
		"choosing picking taking follow folge folgen " + wording.Go + " " +
		"nimm nehme nehm nehmen mach mache machen wähl wähle wählen verwende verwenden nutze nutzen " +
		"geh gehe gehen bleib bleibe bleiben bevorzuge bin tendiere möchte hätte"
	// leansOn may stand between a verb and what is picked: "nehmen wir doch das zweite".
	leansOn   = "with for on mit für bei zu wir ich uns mal doch dann lieber gern gerne bitte einfach"
	articles  = "the your das die den der dem dein deine deinen"
	pickNouns = "option options approach choice variant solution alternative way suggestion proposal " +
		"one variante möglichkeit lösung ansatz weg vorschlag"
	keyNouns = "option options approach approaches choice variant alternative solution number no # " +
		"variante nummer nr ansatz lösung möglichkeit vorschlag"
	pickGoesOn = "because since but and please as for looks sounds seems makes works with then it i " +
		"i'd i'm so although though only by without " + reasons + " " + closesVerb + " " + wording.Go + " " +
		"und aber bitte für mit ohne klingt gefällt passt reicht dann ich wir nur"
	reasons = "because since weil denn da"
	// closesVerb ends a German sentence that picks: "ich würde das erste nehmen".
	closesVerb = "nehmen wählen machen verwenden nutzen bevorzugen umsetzen"
	pickPads   = wording.Go + " " +
		"please then thanks it for now i think is seems looks bitte dann danke " + closesVerb
	praise = "better best fine good great cleaner simpler ok okay right correct perfect it besser gut " +
		"super einfacher sauberer richtig"
	negations = "not don't dont never neither avoid except without isn't doesn't won't wouldn't if " +
		"unless why what how when which whether nicht kein keine keinen nie weder wenn falls warum wieso " +
		"was wie welche welcher ob"
)

// cardinals count options where a noun says so: "option two", "Nummer zwei".
var cardinals = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "eins": 1, "zwei": 2, "drei": 3, "vier": 4,
	"fünf": 5,
}

// middle is the place between as many before as behind it.
const middle = -2

// ordinalOf returns the place that an ordinal names, -1 for the last or middle; 0 is no ordinal.
func ordinalOf(w string) int {
	stem := strings.TrimRight(w, "nrs") // German ones have an ending: das zweite, den zweiten, zweiter
	for _, o := range ordinals {
		if text.OneOf(w, o.english) || stem == o.german && len(w)-len(stem) <= 1 {
			return o.place
		}
	}
	return 0
}

var ordinals = [...]struct {
	place           int
	english, german string
}{
	{1, "first 1st", "erste"}, {2, "second 2nd", "zweite"}, {3, "third 3rd", "dritte"},
	{4, "fourth 4th", "vierte"}, {5, "fifth 5th", "fünfte"}, {-1, "last", "letzte"},
	{middle, "middle", "mittlere"},
}

// ofTwoWords reports whether a word names one of two: "the latter", "letzteres".
func ofTwoWords(w string, the bool) (former, latter bool) {
	switch w {
	case "former":
		return the, false
	case "latter":
		return false, the
	case "ersteres", "erstere", "ersteren":
		return true, false
	case "letzteres", "letztere", "letzteren", "zweiteres":
		return false, true
	}
	return false, false
}

// parsePick reads which option a sentence of the person takes. A bare number or letter
// counts only where they begin with it.
func parsePick(sentence string, begins bool) (p pick, ok bool) {
	return pickIn(splitWords(sentence), begins)
}

// pickIn is parsePick of the words of a sentence.
func pickIn(words []word, begins bool) (p pick, ok bool) {
	i, verb, leaning := 0, false, false
	for i < len(words) && !verb && (words[i].in(pickOpeners) || isPickVerb(words, i)) {
		if isPickVerb(words, i) && i+1 < len(words) {
			verb = true
		}
		leaning = leaning || words[i].in(leans)
		i++
	}
	verb = verb || leaning
	for i < len(words) && words[i].in(leansOn) && verb {
		i++
	}
	the := false
	for i < len(words) && words[i].in(articles) {
		the = true
		i++
	}
	if i >= len(words) {
		return pick{}, false
	}
	start, next := i, 0
	former, latter := ofTwoWords(words[i].text, the)
	switch w := words[i]; {
	case w.in("both beide beides all alle"):
		next, p.allThem, p.worded = i+1, true, true
		p.every = w.in("all alle")
		for next < len(words) && !words[next-1].ends && (cardinals[words[next].text] > 1 ||
			words[next].in("of options them approaches optionen varianten")) {
			next++
		}
		if keys, letter, to := readKeys(words, next); len(keys) > 1 && !p.every { // "both 1 and 3"
			p.keys, p.letter, p.allThem, next = keys, letter, false, to
		}
	case former, latter:
		next, p.latter, p.former, p.place, p.worded = i+1, latter, former, true, true
	case ordinalOf(w.text) != 0:
		next = i + 1
		noun := next < len(words) && words[next].in(pickNouns) && !words[i].ends
		if noun {
			next++
		}
		if !the && !noun {
			return pick{}, false
		}
		p.keys, p.place, p.worded = []int{ordinalOf(w.text)}, true, true
	default:
		noun := i+1 < len(words) && w.in(keyNouns)
		if noun {
			i++
			for i+1 < len(words) && words[i].text == "#" {
				i++
			}
		}
		p.keys, p.letter, next = readKeys(words, i)
		alone := verb && the && words[i].ends // "nimm die zwei"
		verb = verb || the && next > i && words[next-1].ends
		if n := cardinals[words[i].text]; n > 0 && (noun || alone) {
			p.keys, p.letter, next = []int{n}, false, i+1
		}
		if len(p.keys) == 0 {
			return pick{}, false
		}
		praised := isPraised(words, next)
		judged := praised || isFavoured(words, next)
		only := next+startsWith(words[next:], pickPads) == len(words) // "ok 2 then"
		if !noun && !verb && !judged && (!begins || start > 0 && !words[start-1].ends && !only) {
			return pick{}, false
		}
		if praised && takenBack(words[next:]) {
			return pick{}, false
		}
		if p.letter && !noun && words[next-1].raw == "a" && !words[next-1].ends {
			return pick{}, false
		}
		p.worded, p.noun = noun || verb, noun
	}
	if !words[next-1].ends && next < len(words) {
		on := next + 1 + startsWith(words[next+1:], "the a my "+articles)
		isOne := words[next].in("is ist") && on < len(words) && words[on].in(pickNouns)
		judges := words[next].in(judging)
		switch good := isPraised(words, next) || isOne || isFavoured(words, next); {
		case judges && !good, !judges && !good && !words[next].in(pickGoesOn):
			return pick{}, false
		}
	}
	if hasWord(words[:next], negations) {
		return pick{}, false
	}
	for _, w := range words[next:] {
		p.adds = p.adds || !w.in(pickPads) && !w.in(praise)
	}
	return p, true
}

// isPickVerb reports whether a word is a verb that picks. "have" picks behind words such as "rather", and
// "wäre" or "ist" behind "mir" or "uns", as in "mir wäre A lieber".
func isPickVerb(words []word, i int) bool {
	before := textAt(words, i-1)
	return words[i].in(pickVerbs) || words[i].text == "have" && text.OneOf(before, "rather prefer to") ||
		words[i].in("wäre ist") && text.OneOf(before, "mir uns")
}

// judging are verbs of what somebody thinks of an option, as text.OneOf takes them.
const judging = "is looks seems sounds feels makes ist klingt sieht scheint wirkt"

// isPraised reports whether what stands before a word is found good, which picks it: "B looks good",
// "2 sounds right to me", "B klingt gut". "B seems risky" objects.
func isPraised(words []word, next int) bool {
	if next < 1 || next+1 >= len(words) || words[next-1].ends || words[next].ends {
		return false
	}
	verb := words[next].text
	for _, w := range words[next+1:] {
		switch {
		case verb == "makes" && w.text == "sense":
			return true
		case verb != "makes" && w.in(praise):
			return text.OneOf(verb, judging)
		case w.ends || !w.in("the a my really very much pretty quite so also like way most more even "+
			"totally about just mir uns mich für auch sehr ganz richtig echt am "+articles):
			return false
		}
	}
	return false
}

// takenBack reports whether words praise and then object: "looks good, but I'd rather not".
func takenBack(words []word) bool {
	but := slices.IndexFunc(words, func(w word) bool { return w.in("but aber though however") })
	return but >= 0 && slices.ContainsFunc(words[but:], func(w word) bool {
		return w.in(negations) || w.in(leans) || w.in("too zu")
	})
}

// isFavoured reports whether the words behind an option say that the person prefers it: "B wäre mir
// lieber", "option A the most", "2 would be best".
func isFavoured(words []word, next int) bool {
	to := next
	for to < len(words) && to < next+5 && (to == next || !words[to-1].ends) {
		to++
	}
	rest := words[next:to]
	if len(rest) == 0 || next == 0 || words[next-1].ends {
		return false
	}
	if !rest[0].in("wäre ist is would gefällt am the") {
		return len(rest) == 1 && rest[0].in("most best more better lieber besser") // "I like B best"
	}
	found := false
	for i, w := range rest {
		switch {
		case w.in(negations) || w.in("gewesen have been than als"):
			return false
		case i < 4 && w.in("lieber liebsten besser besten best better most more favourite "+
			"favorite preference"):
			found = true
		case !found && !w.in("wäre ist is would gefällt am the mir uns be my our to me us der die das "+
			"auch wohl"):
			return false
		}
	}
	return found
}

// readKeys reads "2", "B", "1 and 3", "a + c".
func readKeys(words []word, i int) (keys []int, letters bool, next int) {
	for next = i; i < len(words); {
		key, letter, rest := readKey(words[i].raw)
		if key == 0 || rest != "" || len(keys) > 0 && letter != letters {
			break
		}
		keys, letters = append(keys, key), letter
		next = i + 1
		ended := words[i].ends
		i++
		if i < len(words) && words[i].in("and + &") && !ended {
			i++
		} else if !ended || len(keys) > 7 {
			break
		}
	}
	return keys, letters, next
}

// A yes, and what may stand around it.
const (
	yesWords = "yes yep yeah yup agreed agree exactly correct absolutely definitely lgtm approved " +
		wording.Go + " perfect ja jo jawohl genau einverstanden abgemacht gekauft gerne passt"
	yesPads = "ok okay sure great good fine sounds do it that this go ahead please let's lets " +
		"works makes sense for implement with i like thanks cool all so and love the change then " +
		"recommendation right me looks to your plan approach proposal suggestion make those these them is " +
		"am bitte mach machs machen wir wir's das es gut gern klingt dann prima super danke sehr leg los " +
		"na klar doch alles setz setze um bin ich damit auch vernünftig sinnvoll " +
		"proceed continue way umsetzen nice gute tolle idea idee"
)

// affirms reports whether a sentence of the person begins with a yes to what the agent
// proposed: "yes", "ok do that", "sounds good, go ahead", "ja, mach das".
func affirms(sentence string) bool { return affirmIn(splitWords(sentence)) }

// affirmIn is affirms of the words of a sentence.
func affirmIn(words []word) bool {
	core, told, before := false, false, ""
	for n, w := range words {
		if !w.in(yesWords) && !w.in(yesPads) {
			return told || core && n > 0 && (words[n-1].ends || w.in(reasons) || w.text == "but")
		}
		if n > 9 {
			return false
		}
		switch {
		case w.in(yesWords), w.text == "sure" && w.ends && n == 0, does(before, w.text),
			before == "sounds" && w.in("good great fine right"),
			before == "makes" && w.text == "sense",
			text.OneOf(before, "great good nice gute super tolle") && w.in("idea idee") &&
				(n+1 == len(words) || !words[n+1].in("but aber")),
			before == "that" && w.text == "works",
			before == "klingt" && w.in("gut super vernünftig sinnvoll"):
			core = true
		}
		// "go ahead, and …" is a yes, whatever else is to be done.
		told = told || w.ends && n > 0 && does(before, w.text)
		before = w.text
	}
	return core
}

// does reports whether two words ask the agent to carry out what it described.
func does(first, second string) bool {
	for _, pair := range [...][2]string{
		{"do", "it that this those these so"}, {"go", "ahead for"}, {"with", "that your"},
		{"implement", "it that this these the"}, {"mach setz setze", "das es so"},
		{"bitte so", "umsetzen machen"}, {"machen", "wir wir's"}, {"leg", "los"},
	} {
		if text.OneOf(first, pair[0]) {
			return text.OneOf(second, pair[1])
		}
	}
	return false
}

// tells reports whether a yes names an action, as in "ok, do that then". Such a yes may answer an earlier
// proposal; a bare "yes" may not.
func tells(sentence string) bool {
	words := splitWords(sentence)
	for i := 1; i < len(words); i++ {
		if does(words[i-1].text, words[i].text) {
			return true
		}
	}
	return false
}
