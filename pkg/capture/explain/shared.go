package explain

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/text"
)

// Bounds of what takes an option by words that it shares with it, in words.
const (
	maxSharing  = 25 // of the person's sentence
	leastShared = 2  // that only one option has
	leastQuoted = 4  // in a row, of a sentence that repeats one of the agent's
)

// maxQuoted is how much of the end of the agent's text a person may repeat, in bytes.
const maxQuoted = 16 << 10

// mayShare reports whether a sentence may take an option by its words.
func mayShare(words []word) bool {
	return len(words) > 2 && len(words) <= maxSharing && hasWord(words[:min(len(words), 6)], sharingVerbs)
}

// sharingVerbs lead up to an option that is taken by its words, as text.OneOf takes them.
const sharingVerbs = pickVerbs + " let's lets fold handle keep remove drop add should make use"

// sharing returns the option that a person takes with words of it, where they neither count nor name it:
// "fold it into phase 12" to "fold it in, or keep it lean?". Words that several options have say nothing.
func sharing(agent string, said []string) (found, words string, ok bool) {
	if isMenu(agent) || len(said) == 0 {
		return "", "", false
	}
	first := splitWords(said[0])
	if !mayShare(first) || hasWord(first, negations) {
		return "", "", false
	}
	offered := offers(agent)
	for _, l := range slices.Backward(findLists(agent)) {
		if !offered && !l.asked && !l.kind.named() {
			continue
		}
		in := map[string]int{} // options that have a word
		var each [][]word
		for _, o := range l.options {
			label := o.label()
			if l.kind == prose || label == "" {
				label = o.text
			}
			own := content(splitWords(label))
			each = append(each, own)
			for _, w := range own {
				in[w.text]++
			}
		}
		best, most, others := -1, 0, 0
		for i, own := range each {
			n := 0
			for _, w := range own {
				if in[w.text] == 1 && slices.ContainsFunc(first, w.same) {
					n++
				}
			}
			if n > most {
				best, most, others = i, n, others+most
			} else {
				others += n
			}
		}
		if most >= leastShared && others == 0 && !isErrand(l.options[best].text) {
			return l.options[best].text, text.OneLine(said[0]), true
		}
	}
	return "", "", false
}

// content returns the words that say what something is, each once.
func content(words []word) (some []word) {
	for _, w := range words {
		if len(w.text) > 2 && !w.in(leading) && !w.in(articles+" "+prepositions+" and not our") &&
			!slices.ContainsFunc(some, w.same) {
			some = append(some, w)
		}
	}
	return some
}

// quoting returns the item or sentence of the agent that a person repeats to have it done: "let's do
// add a check to the start". It must be the only one with these words.
func quoting(agent string, said []string) (found, words string, ok bool) {
	all := triage.Sentences(text.LastBytes(agent, maxQuoted))
	for _, s := range said[:min(len(said), maxReferring+1)] {
		mine := splitWords(s)
		if len(mine) < leastQuoted || len(mine) > 3*maxSharing || hasWord(mine[:2], negations) ||
			!hasWord(mine[:min(len(mine), 8)], sharingVerbs) {
			continue
		}
		for _, t := range all {
			theirs := splitWords(t.Text)
			n := longestRun(mine, theirs)
			if n < leastQuoted || 2*n < len(theirs) && n < 2*leastQuoted {
				continue
			}
			if ok && found != t.Text {
				return "", "", false
			}
			found, words, ok = t.Text, text.OneLine(s), true
		}
		if ok {
			return found, words, !isErrand(found)
		}
	}
	return "", "", false
}

// longestRun returns the length of the longest run of words that two sentences share.
func longestRun(a, b []word) (best int) {
	if len(a) > 3*maxSharing || len(b) > 3*maxSharing {
		a, b = a[:min(len(a), 3*maxSharing)], b[:min(len(b), 3*maxSharing)]
	}
	run := make([]int, len(b)+1)
	for i := range a {
		before := 0
		for j := range b {
			old := run[j+1]
			run[j+1] = 0
			if a[i].text == b[j].text {
				run[j+1] = before + 1
				best = max(best, run[j+1])
			}
			before = old
		}
	}
	return best
}

// Words with which a reply says yes, or goes on with what was proposed, as text.OneOf takes them.
const (
	saysYesWords = yesWords + " sure oui sí sim да давай ок はい 네 예 good great sounds nice cool"
	goesAhead    = "do implement go try proceed continue follow make add use fix refactor keep start"
)

// saysYes reports whether a message begins with a yes to what the agent put forward, however it goes on.
func saysYes(own string) bool {
	all := triage.Sentences(headOf(own))
	if len(all) == 0 {
		return false
	}
	first := all[0].Text
	words := splitWords(first)
	if affirms(first) {
		return true
	}
	if all[0].Question || len(words) == 0 {
		return false
	}
	for _, yes := range [...]string{"好", "可以", "对", "是的", "はい", "네", "좋"} {
		if strings.HasPrefix(first, yes) {
			return true
		}
	}
	words = words[startsWith(words, "ok okay so then well please alright right fine"):]
	if len(words) == 0 {
		return false
	}
	if words[0].in(saysYesWords) {
		return true
	}
	return len(words) > 1 && words[0].in("let's lets") && words[1].in(goesAhead) ||
		len(words) == 2 && words[0].in("do implement") && words[1].in("it that this both all them")
}
