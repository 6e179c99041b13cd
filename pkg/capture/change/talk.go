package change

import (
	"slices"
	"strings"

	"keepsake/pkg/capture/stance"
	"keepsake/pkg/text"
)

// isTalk reports whether a sentence asks, supposes, reports, or describes a mistake, and so decides
// nothing.
func isTalk(s sentence) bool {
	if supposes(s) {
		return true
	}
	first := 0
	for first < len(s.tokens)-1 && text.OneOf(s.tokens[first].word, leadIns) {
		first++
	}
	if s.is(first, "do", "not") {
		first++
	}
	if _, ok := saidAbout(s, first); ok || s.is(first, "was", "ich wir") {
		return false // it is no question
	}
	switch s.tokens[first].word {
	case "what", "why", "how", "who", "where", "which", "should", "could", "can", "would", "is", "are", "do",
		"does", "did", "after", "before", "has", "have", "was", "were", "while", "wer", "wie", "wo", "wann",
		"welche", "sollen", "sollten", "sollte", "können", "könnten", "könnte", "kann", "haben", "hast",
		"würde", "würden", "wollen", "ist", "sind", "nachdem", "bevor":
		return true
	}
	for i := range s.tokens {
		if s.is(i, "because weil denn") || s.is(i, "so", "that") || s.is(i, "due", "to") {
			break // a reason may well be an error
		}
		switch s.tokens[i].word {
		case "error", "errors":
			if !s.is(i+1, "tracking reporting monitoring handling") {
				return true
			}
		case "restart", "restarted", "crash", "crashed", "crashes", "failing", "consider",
			"yesterday", "gestern", "abgestürzt", "neustart":
			return true
		case "fehler":
			if !s.is(i-1, "ein") { // "Redis war ein Fehler" judges
				return true
			}
		}
	}
	return false
}

// supposes reports whether a sentence asks, supposes or reports something.
func supposes(s sentence) bool {
	words := make([]stance.Word, len(s.tokens))
	for i, t := range s.tokens {
		words[i] = stance.Word{Text: strings.ReplaceAll(t.word, "'", ""),
			Pause: i+1 < len(s.tokens) && s.tokens[i+1].breaks}
	}
	return stance.Supposed(words, s.asks)
}

// denied reports whether a word right before a token denies what begins there: "don't drop", "no need to".
// Only the last few words count, since one farther off denies something else: "Redis is not what we need,
// drop it". The package stance works out how far a denial reaches.
func denied(s sentence, i int) bool {
	for n := i - 1; n >= 0 && n >= i-4; n-- {
		w := s.tokens[n].word
		if w == "not" || w == "never" || w == "without" || strings.HasSuffix(w, "n't") || w == "dont" ||
			w == "cannot" || w == "need" && n > 0 && s.tokens[n-1].word == "no" {
			return true
		}
		if s.tokens[n].breaks {
			break
		}
	}
	return false
}

// told reports whether the verb at a token has another subject than the speakers, or is in the past: "the
// migration drops the table".
func told(s sentence, i int) bool {
	if i == 0 || s.tokens[i].breaks {
		return false
	}
	n := i - 1
	for n >= 0 && slices.Contains([]string{"to", "just", "now", "finally", "simply", "also", "please", "then",
		"and", "rather", "completely", "are", "am"}, s.tokens[n].word) {
		n--
	}
	if n < 0 {
		return false
	}
	if s.is(n, "can") && n > 0 {
		return !s.is(n-1, "we i you team")
	}
	switch w := s.tokens[n].word; w {
	case "we", "i", "we'll", "i'll", "we're", "i'm", "we've", "i've", "let's", "lets", "want", "wants",
		"decided", "should", "will", "going", "gonna", "must", "can", "like", "have", "need", "had", "us",
		"team", "time":
		return false
	default:
		return !text.OneOf(w, leadIns)
	}
}

// ownWords reports whether a sentence speaks of what its speaker does, before a token.
func ownWords(s sentence, i int) bool {
	return i == 0 || has(s.tokens[:i], "we i let's we'll we're we've i'll i'm i've i'd team")
}

// commands reports whether the words before a token are an order to somebody: "do not use X", "please don't
// use X".
func commands(s sentence, i int) bool {
	return !slices.ContainsFunc(s.tokens[:i], func(t token) bool {
		return t.word != "do" && t.word != "just" && t.word != "from" && t.word != "now" && t.word != "on" &&
			!text.OneOf(t.word, leadIns)
	})
}

// choosesBefore reports whether a sentence chooses something before a token, in the
// words of one who decides.
func choosesBefore(s sentence, i int) bool {
	return has(s.tokens[:i],
		"use using take go going pick choose prefer want switch deploy let's we'll adopt "+
			"run host stick write store keep need answer speak") &&
		!has(s.tokens[:i], "it here this does line shows")
}

// retells reports whether the words before a token make the sentence its speaker's own plan, or an order.
// Reports of what was done don't count.
func retells(s sentence, i int) bool {
	for n, t := range s.tokens[:i] {
		if text.OneOf(t.word, "is are was were been it this that here does did had gets got shows should "+
			"accidentally they he she you") || denied(s, n) ||
			strings.HasSuffix(t.word, "ed") && !text.OneOf(t.word, "decided agreed need") {
			return false
		}
	}
	return ownWords(s, i) || i > 2 && !isDeterminer(s.tokens[0].word) && isDeterminer(s.tokens[1].word)
}
