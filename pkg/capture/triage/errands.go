package triage

// An errand is something to do now, asked for in words that also ask to remember or that decide: "save that
// fix in a new branch", "remember to close the PR", "I'd rather not".

// savesAway reports whether a request names where to write something, which makes it work: a path, or "to",
// "in" or "into" and a noun with an article. It does not if the place is memory or the project.
func (l *listener) savesAway(st statement, h hit) bool {
	var first, last, word [maxWord]byte
	switch string(l.lowerWord(st, h.from, &first)) {
	case "save", "record", "note", "make":
	default:
		return false
	}
	noted := false
	switch string(l.lowerWord(st, h.to-1, &last)) {
	case "that", "memory", "later":
		return false
	case "of":
		noted = true // in "make a note of the limit in the API" the place says which limit
	}
	for i := h.to; i < len(l.tokens) && (!l.tokens[i].start || l.isHiddenFile(st, i)); i++ {
		switch string(l.lowerWord(st, i, &word)) {
		case "that", "because", "which", "when", "if", "while":
			return false
		case "to", "in", "into", "onto", "im", "ins":
			if l.isPlace(st, i+1, noted && i != h.to+1) {
				return true
			}
		}
	}
	return false
}

// isPlace reports whether a place begins at token i: a path, or, unless named is set, a noun with its
// article.
func (l *listener) isPlace(st statement, i int, named bool) bool {
	if i >= len(l.tokens) {
		return false
	}
	if l.tokens[i].id == idCode || l.isHiddenFile(st, i) {
		return true
	}
	article := false
	for n := i; n < len(l.tokens) && !l.tokens[n].start && n < i+4; n++ {
		var word [maxWord]byte
		switch string(l.lowerWord(st, n, &word)) {
		case "a", "an", "the", "my", "our", "your", "this", "its", "another", "der", "die", "das", "den":
			article = article || n == i
		case "memory", "memories", "mind", "project", "message", "answer", "reply", "future", "team":
			return false
		case "disk", "main", "master", "git":
			return n == i
		default:
			if l.tokens[n].id == idCode {
				return true
			}
		}
	}
	return article && !named
}

// isHiddenFile reports whether the word at token i is the name of a hidden file.
func (l *listener) isHiddenFile(st statement, i int) bool {
	from := int(l.tokens[i].from)
	return from > 1 && st.mask[from-1] == '.' && st.mask[from-2] == ' '
}

// isTask reports whether a request to remember is one to do something once: it has an infinitive, no word
// that makes it a rule, and no verb for a lasting state. "Remember to close the PR" is done once, "remember
// to always close it" is not.
func (l *listener) isTask(st statement, h hit) bool {
	var word [maxWord]byte
	from := h.to
	switch string(l.lowerWord(st, h.to-1, &word)) {
	case "remember":
		if from++; string(l.lowerWord(st, h.to, &word)) != "to" {
			return false
		}
	case "to", "dran", "daran", "nicht":
	default:
		return false
	}
	german := string(l.lowerWord(st, h.to-1, &word)) != "to" && from == h.to
	infinitive := !german
	for i := from; i < len(l.tokens); i++ {
		w := l.lowerWord(st, i, &word)
		switch string(w) {
		case "use", "prefer", "avoid", "keep", "stick", "follow", "respect", "be", "repo", "project",
			"codebase", "benutzen", "verwenden", "nutzen", "vermeiden", "always", "never", "not", "every",
			"each", "whenever", "when", "after", "before", "if", "any", "all", "only", "from", "because",
			"since", "as", "unless", "until", "immer", "nie", "niemals", "nicht", "jede", "jeden", "jedem",
			"jeder", "jedes", "wenn", "nach", "vor", "bevor", "nachdem", "alle", "stets", "dass", "weil",
			"nur", "kein", "keine", "keinen":
			return false
		case "zu":
			infinitive = true
		}
		infinitive = infinitive || len(w) > 6 && isSeparable(w)
	}
	return infinitive
}

// isSeparable reports whether a German word is an infinitive with "zu" inside: abzuschalten.
func isSeparable(w []byte) bool {
	if string(w[len(w)-2:]) != "en" {
		return false
	}
	switch {
	case string(w[:4]) == "abzu", string(w[:4]) == "anzu", string(w[:4]) == "umzu", string(w[:4]) == "zuzu",
		string(w[:5]) == "aufzu", string(w[:5]) == "auszu", string(w[:5]) == "einzu",
		string(w[:5]) == "nachz":
		return true
	}
	return false
}

// isUnwanted reports whether a request is taken back or is only for the work at hand: "merk dir nichts
// davon", "keep that in mind while you refactor".
func (l *listener) isUnwanted(st statement, h hit) bool {
	var word [maxWord]byte
	switch string(l.lowerWord(st, h.to-1, &word)) {
	case "dir":
		switch string(l.lowerWord(st, h.to, &word)) {
		case "nichts", "nix", "nicht", "kein", "keine", "keinen":
			return !l.tokens[h.to].start
		}
		end := len(l.tokens) - 1
		return end > h.to && end < h.to+4 && string(l.lowerWord(st, end, &word)) == "nicht" &&
			!l.tokens[h.to].start
	case "mind":
		switch string(l.lowerWord(st, h.from+1, &word)) {
		case "this", "that":
		default:
			return false
		}
		switch string(l.lowerWord(st, h.to, &word)) {
		case "while", "when", "as", "during", "whilst":
			return true
		}
	}
	return false
}

// tellsNothing reports whether a phrase of choice or blame is part of a refusal, an order, or a reference to
// what was said: "I'd rather not", "I'd rather see the diff first", "summarise what we decided", "remember
// what I told you".
func (l *listener) tellsNothing(st statement, h *hit) bool {
	var word [maxWord]byte
	if h.topic == decision && h.to-h.from == 2 && string(l.lowerWord(st, h.to-1, &word)) == "rather" {
		return l.refuses(st, h.to)
	}
	if h.from == 0 || h.topic != decision && h.topic != correction && h.topic != preference {
		return false
	}
	switch string(l.lowerWord(st, h.from-1, &word)) {
	case "what", "everything", "all":
	default:
		return false
	}
	i := 0
	for i < h.from && l.opener(i) {
		i++
	}
	switch string(l.lowerWord(st, i, &word)) {
	case "summarise", "summarize", "recap", "list", "tell", "show", "explain", "repeat", "describe",
		"outline", "document", "check", "read", "forget":
		return true
	case "remember", "recall", "given", "considering":
		return h.topic != decision
	}
	return false
}

// refuses reports whether the words behind "I'd rather" decide nothing: "not", "not do that now", "see it
// first".
func (l *listener) refuses(st statement, i int) bool {
	var word [maxWord]byte
	end := i
	for end < len(l.tokens) && (end == i || !l.tokens[end].start) {
		end++
	}
	if i >= end {
		return true
	}
	switch string(l.lowerWord(st, end-1, &word)) {
	case "first", "now", "yet", "today":
		return true
	}
	switch string(l.lowerWord(st, i, &word)) {
	case "see", "look", "wait", "hear", "know", "check", "discuss", "talk", "think", "review":
		return true
	case "not":
	default:
		return false
	}
	if i+1 >= end {
		return true
	}
	switch string(l.lowerWord(st, min(i+2, end-1), &word)) {
	case "that", "this", "it", "so":
		return i+3 >= end || l.tokens[min(i+3, len(l.tokens)-1)].start
	}
	return false
}
