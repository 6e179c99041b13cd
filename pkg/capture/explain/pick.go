package explain

import "strings"

// A pick is which of the agent's options the person takes.
type pick struct {
	keys    []int // places in a list, from 1; -1 is the last
	letter  bool  // by letters
	place   bool  // by their order: "the second one", "the latter"
	worded  bool  // more than a bare number or letter
	adds    bool  // the person goes on: "3, but enabled by default"
	latter  bool
	former  bool
	allThem bool // "both"
}

// word is one of a sentence.
type word struct {
	text string // lower case
	raw  string
	ends bool // a clause ends behind it
}

// splitWords returns the words of a sentence; "1+2" is three.
func splitWords(s string) (words []word) {
	s = strings.ReplaceAll(s, "’", "'")
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
	return words
}

func oneOf(w string, list string) bool {
	for x := range strings.SplitSeq(list, " ") {
		if x == w {
			return true
		}
	}
	return false
}

// Words of a pick, as oneOf takes them.
const (
	pickOpeners = "no yes yep yeah yup ok okay sure so then well please hmm actually i think let's " +
		"lets let us we we'll should i'd i'll would could like to just now maybe definitely agreed " +
		"great my vote is want prefer alright right"
	pickVerbs = "go going do take use pick choose prefer want like try implement stick proceed vote " +
		"choosing picking taking"
	pickNouns = "option options approach choice variant solution alternative way suggestion proposal " +
		"one"
	keyNouns   = "option options approach approaches choice variant alternative solution number no #"
	pickGoesOn = "because since but and please as for looks sounds seems makes works with then it i " +
		"i'd i'm so although though only by without"
	pickPads  = "please then thanks it for now i think is seems looks"
	praise    = "better best fine good great cleaner simpler ok okay right it perfect"
	negations = "not don't dont never neither avoid except without isn't doesn't won't wouldn't if " +
		"unless why what how when which whether"
)

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "1st": 1, "2nd": 2, "3rd": 3,
}

// parsePick reads which option a sentence of the person takes. A bare number or letter
// counts only where they begin with it.
func parsePick(sentence string, begins bool) (p pick, ok bool) {
	words := splitWords(sentence)
	i, verb := 0, false
	for i < len(words) && !verb && (oneOf(words[i].text, pickOpeners) || oneOf(words[i].text, pickVerbs)) {
		if oneOf(words[i].text, pickVerbs) && i+1 < len(words) {
			verb = true
		}
		i++
	}
	for i < len(words) && oneOf(words[i].text, "with for on") && verb {
		i++
	}
	the := false
	for i < len(words) && oneOf(words[i].text, "the your") {
		the = true
		i++
	}
	if i >= len(words) {
		return pick{}, false
	}
	start, next := i, 0
	switch w := words[i]; {
	case w.text == "both":
		next, p.allThem, p.worded = i+1, true, true
		if next < len(words) && oneOf(words[next].text, "of options them approaches") {
			next++
		}
	case the && oneOf(w.text, "latter former"):
		next, p.latter, p.former, p.place, p.worded = i+1, w.text == "latter", w.text == "former", true, true
	case ordinals[w.text] != 0:
		next = i + 1
		noun := next < len(words) && oneOf(words[next].text, pickNouns) && !words[i].ends
		if noun {
			next++
		}
		if !the && !noun {
			return pick{}, false
		}
		p.keys, p.place, p.worded = []int{ordinals[w.text]}, true, true
	default:
		noun := i+1 < len(words) && oneOf(w.text, keyNouns)
		if noun {
			i++
			for i+1 < len(words) && words[i].text == "#" {
				i++
			}
		}
		p.keys, p.letter, next = readKeys(words, i)
		if len(p.keys) == 0 {
			return pick{}, false
		}
		judged := next < len(words) && oneOf(words[next].text, "is looks seems sounds makes")
		if !noun && !verb && !judged && (!begins || start > 0 && !words[start-1].ends) {
			return pick{}, false
		}
		if p.letter && !noun && words[next-1].raw == "a" && !words[next-1].ends {
			return pick{}, false
		}
		p.worded = noun || verb
	}
	if !words[next-1].ends && next < len(words) {
		on := next + 1
		for on < len(words) && oneOf(words[on].text, "the a my") {
			on++
		}
		isGood := words[next].text == "is" && on < len(words) &&
			(oneOf(words[on].text, praise) || oneOf(words[on].text, pickNouns))
		if !isGood && !oneOf(words[next].text, pickGoesOn) {
			return pick{}, false
		}
	}
	for _, w := range words[:next] {
		if oneOf(w.text, negations) {
			return pick{}, false
		}
	}
	for _, w := range words[next:] {
		p.adds = p.adds || !oneOf(w.text, pickPads) && !oneOf(w.text, praise)
	}
	return p, true
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
		if i < len(words) && oneOf(words[i].text, "and + &") && !ended {
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
		"perfect"
	yesPads = "ok okay sure great good fine sounds do it that this go ahead please let's lets " +
		"works makes sense for implement with i like thanks cool all so and love the change then " +
		"right me looks to your plan approach proposal suggestion make those these them is am"
)

// affirms reports whether a sentence of the person begins with a yes to what the agent
// proposed: "yes", "ok do that", "sounds good, go ahead".
func affirms(sentence string) bool {
	words := splitWords(sentence)
	core, before := false, ""
	for n, w := range words {
		if !oneOf(w.text, yesWords) && !oneOf(w.text, yesPads) {
			return core && n > 0 && (words[n-1].ends || oneOf(w.text, "because since but"))
		}
		if n > 9 {
			return false
		}
		switch {
		case oneOf(w.text, yesWords), w.text == "sure" && w.ends && n == 0:
			core = true
		case before == "do" && oneOf(w.text, "it that this those these so"),
			before == "go" && oneOf(w.text, "ahead for"),
			before == "sounds" && oneOf(w.text, "good great fine right"),
			before == "makes" && w.text == "sense",
			before == "implement" && oneOf(w.text, "it that this these the"),
			before == "that" && w.text == "works":
			core = true
		}
		before = w.text
	}
	return core
}
