package text

// Stem cuts an English word in lower case to its stem, in place: Porter's algorithm of 1980,
// so that "caching", "cached" and "caches" are one term. Words with anything but
// a to z in them stay as they are, and so do words of three letters or fewer but
// for "use".
func Stem(w []byte) []byte {
	if len(w) <= 3 {
		if string(w) == "use" {
			return w[:2]
		}
		return w
	}
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return w
		}
	}
	w = plural(w)
	w = past(w)
	// Only after a consonant, as in Porter's later version: deploy is in deployment.
	if n := len(w) - 1; n > 1 && w[n] == 'y' && consonant(w, n-1) {
		w[n] = 'i'
	}
	w = derived(w)
	return tail(w)
}

// consonant reports whether w[i] is one: y after a consonant is a vowel.
func consonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

// measure returns the number of vowel-consonant groups of w.
func measure(w []byte) int {
	n, vowel := 0, false
	for i := range w {
		if c := consonant(w, i); !c {
			vowel = true
		} else if vowel {
			n++
			vowel = false
		}
	}
	return n
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

// short reports whether w ends consonant, vowel, consonant other than w, x, y:
// such a stem has lost an e ("cach" has not, "fil" has).
func short(w []byte) bool {
	n := len(w)
	if n < 3 || !consonant(w, n-1) || consonant(w, n-2) || !consonant(w, n-3) {
		return false
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}

func doubled(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonant(w, n-1)
}

func plural(w []byte) []byte {
	n := len(w)
	if w[n-1] != 's' {
		return w
	}
	switch {
	case ends(w, "sses"), ends(w, "ies"):
		return w[:n-2]
	case w[n-2] == 's', w[n-2] == 'u', w[n-2] == 'i': // class, status, redis
		return w
	}
	return w[:n-1]
}

func past(w []byte) []byte {
	var s []byte
	switch {
	case ends(w, "eed"):
		if measure(w[:len(w)-3]) > 0 {
			w = w[:len(w)-1]
		}
		return w
	case ends(w, "ed"):
		s = w[:len(w)-2]
	case ends(w, "ing"):
		s = w[:len(w)-3]
	default:
		return w
	}
	if len(s) < 2 || !hasVowel(s) {
		return w
	}
	switch n := len(s); {
	case ends(s, "at"), ends(s, "bl"), ends(s, "iz"):
		return append(s, 'e')
	case doubled(s) && s[n-1] != 'l' && s[n-1] != 's' && s[n-1] != 'z':
		return s[:n-1]
	case measure(s) == 1 && short(s):
		return append(s, 'e')
	}
	return s
}

// derived takes off, or shortens, the endings that make a word from another.
func derived(w []byte) []byte {
	for _, r := range &shortened {
		if ends(w, r.from) {
			if s := w[:len(w)-len(r.from)]; measure(s) > 0 {
				w = append(s, r.to...)
			}
			break
		}
	}
	for _, r := range &softened {
		if ends(w, r.from) {
			if s := w[:len(w)-len(r.from)]; measure(s) > 0 {
				w = append(s, r.to...)
			}
			break
		}
	}
	for _, end := range &removed {
		if ends(w, end) {
			if s := w[:len(w)-len(end)]; measure(s) > 1 {
				if end == "ion" && !ends(s, "s") && !ends(s, "t") {
					break
				}
				w = s
			}
			break
		}
	}
	return w
}

func tail(w []byte) []byte {
	if n := len(w) - 1; w[n] == 'e' {
		if m := measure(w[:n]); m > 1 || m == 1 && !short(w[:n]) {
			w = w[:n]
		}
	}
	if n := len(w); doubled(w) && w[n-1] == 'l' && measure(w[:n-1]) > 1 {
		w = w[:n-1]
	}
	return w
}

type ending struct{ from, to string }

// Longer endings stand before the shorter ones they end with. No replacement is
// longer than what it replaces, so a word is never cut outside its own bytes.
var (
	shortened = [...]ending{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
		{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
		{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
		{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
		{"logi", "log"},
	}
	softened = [...]ending{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""},
		{"ness", ""},
	}
	removed = [...]string{
		"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous",
		"ive", "ize", "al", "er", "ic", "ou",
	}
)

func ends(w []byte, end string) bool {
	n := len(w) - len(end)
	return n >= 0 && w[len(w)-1] == end[len(end)-1] && string(w[n:]) == end // mostly the last letter says no
}
