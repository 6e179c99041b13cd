package alike

import (
	"slices"
	"strconv"
	"strings"

	"keepsake/pkg/text"
)

// An update is a statement that gives a thing another value: "log files are now kept for 30 days", "the
// timeout was raised from 30 to 60 seconds", "standup moved to 10:00".
type update struct {
	value piece           // the new one: a quantity, a number, a time of day or a weekday
	was   piece           // the old one, if named
	from  bool            // the old one is named
	about map[string]bool // the words of what has the value
}

// updateOf returns the update that a statement makes, and whether it makes one. It must say that the value is
// new: a value alone may be one more.
func updateOf(statement string) (u update, ok bool) {
	all := sentencesOf(statement)
	if len(all) == 0 || !marksOf(statement).saysNew() {
		return update{}, false
	}
	s := all[0]
	if i := slices.IndexFunc(s, isValue); i >= 0 {
		for j := i + 1; j < len(s); j++ {
			if isValue(s[j]) && tooMuch(s[j+1:]) { // "20 was too few" gives the old one, and the reason
				u.was, u.from, s = s[j], true, s[:j]
			}
		}
	}
	for i, p := range s {
		switch {
		case !isValue(p):
		case isLeft(s[:i]) && !u.from:
			u.was, u.from = p, true
		case u.value.root == "":
			u.value = p
		case !u.from && comesAfter(s[:i]): // "went from three attempts to five"
			u.was, u.from, u.value = u.value, true, p
		default:
			return update{}, false
		}
	}
	if u.value.root == "" {
		return update{}, false
	}
	u.alignUnits()
	u.about = aboutOf(s, isGerman(statement))
	return u, len(u.about) > 0
}

// alignUnits gives the one of the two values that has no unit that of the other: "from 30 to 60 seconds".
func (u *update) alignUnits() {
	lend := func(to *piece, from piece) {
		n, err := strconv.ParseFloat(to.root, 64)
		if to.role != bareNumber || from.role != quantity || err != nil {
			return
		}
		*to = from
		if to.root = strconv.FormatFloat(n, 'g', -1, 64) + " " + from.class; from.unit > 0 {
			to.root = strconv.FormatFloat(n*from.unit, 'g', -1, 64) + from.class
		}
	}
	lend(&u.was, u.value)
	lend(&u.value, u.was)
}

// replaces reports whether an update gives another value to what a text gives one.
func (u update) replaces(said string) bool {
	german := isGerman(said)
	for _, s := range sentencesOf(said) {
		at := slices.IndexFunc(s, isValue)
		if at < 0 || slices.ContainsFunc(s[at+1:], isValue) || slices.ContainsFunc(s, negates) {
			continue
		}
		p := s[at]
		if (kindOfValue(p) == kindOfValue(u.value) || u.counts(p)) &&
			p.root != u.value.root && (!u.from || p.root == u.was.root) && u.isAbout(aboutOf(s, german), p) {
			return true
		}
	}
	return false
}

// counts reports whether an update has no unit, and a value that has one is of what it is about: "the number
// of jobs was raised to 8".
func (u update) counts(p piece) bool {
	return kindOfValue(u.value) == "" && p.role == quantity && p.unit == 0 && hasAkin(u.about, p.class)
}

// isAbout reports whether an update is about a thing. It may name nothing that the thing does not, or it is
// about a part of that, and must name all of it if it does not name the old value.
func (u update) isAbout(thing map[string]bool, value piece) bool {
	if u.counts(value) {
		thing[value.class] = false
	}
	own := func(a, b map[string]bool) (n, nouns int) {
		for root, isVerb := range a {
			if !hasAkin(b, root) {
				n++
				if !isVerb {
					nouns++
				}
			}
		}
		return n, nouns
	}
	a, nouns := own(u.about, thing)
	b, others := own(thing, u.about)
	if len(u.about) == a || len(thing) == b {
		return false
	}
	return nouns == 0 && (u.from || others == 0)
}

func hasAkin(set map[string]bool, root string) bool {
	for other := range set {
		if akin(root, other) || len(root) > 5 && verbStem(root) == verbStem(other) {
			return true
		}
	}
	return false
}

// verbStem returns a German verb without its ending: "deployen" and "deployt" have one.
func verbStem(root string) string {
	for _, end := range [...]string{"en", "et", "st", "t", "e", "n"} {
		if stem, ok := strings.CutSuffix(root, end); ok {
			return stem
		}
	}
	return root
}

// isValue reports whether a piece is a value that a thing can have.
func isValue(p piece) bool {
	return p.role == quantity || p.role == bareNumber || p.class == "weekday"
}

// kindOfValue returns what kind of value a piece is. Only values of one kind replace each other.
func kindOfValue(p piece) string {
	if p.role == bareNumber && strings.Contains(p.root, ":") {
		return "time of day"
	}
	return p.class
}

// isChanging reports whether a word is about another value.
func isChanging(w string) bool {
	return text.OneOf(w,
		"raise raised raising rais increas decreas reduc extend shorten lower lowered lowering increase "+
			"increased increasing decrease decreased "+
			"decreasing reduce reduced reducing extend extended extending shorten shortened shortening bump "+
			"bumped bumping cut cutting doubled halved went erhöht erhöhen gesenkt senken verlängert "+
			"verlängern verkürzt verkürzen angehoben heraufgesetzt herabgesetzt hochgesetzt reduziert "+
			"verschoben verschieben")
}

// isLeft reports whether what follows the beginning of a sentence is left: "from 30", "instead of 20".
func isLeft(before sentence) bool {
	for i := len(before) - 1; i >= 0 && i >= len(before)-3; i-- {
		if text.OneOf(before[i].root, "from von instead stat statt anstatt anstelle not nicht longer than") {
			return true
		}
		if before[i].role != preposition && before[i].root != "mehr" {
			break
		}
	}
	return false
}

// tooMuch reports whether what follows a value turns it down: "20 was too few".
func tooMuch(after sentence) bool {
	for i, p := range after {
		if i < 3 && p.role == copula && i+1 < len(after) && text.OneOf(after[i+1].root, "too zu") {
			return true
		}
	}
	return false
}

// comesAfter reports whether what follows the beginning of a sentence is the newer of two values: "from three
// attempts to five".
func comesAfter(before sentence) bool {
	return len(before) > 0 && text.OneOf(before[len(before)-1].root, "to auf")
}

// aboutOf returns the words of what has a value, each with whether it is a verb.
func aboutOf(s sentence, german bool) map[string]bool {
	about := map[string]bool{}
	for i := 0; i < len(s); i++ {
		p := s[i]
		root := p.root
		switch {
		case isValue(p) || p.role == copula || p.role == preposition || p.role == purpose,
			isChanging(root) || isMoving(root) || isMeasuring(root) || p.stop,
			isCueWord(root, ""):
			continue
		}
		about[root] = p.role == verb || keepsFor(root) || german && !p.name && i > 0
	}
	return about
}

// isMeasuring reports whether a word only says that a value follows.
func isMeasuring(root string) bool {
	return isMeasure(root) || text.OneOf(root,
		"limit size bar threshold level value length period number count rat frist grenz wert zahl dauer")
}
