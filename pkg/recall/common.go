package recall

// stopWord reports whether w is a word that carries no topic in a prompt: the
// grammar of English, and the manners people have with an assistant.
func stopWord(w []byte) bool {
	switch string(w) {
	case "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "aren", "as", "at",
		"be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
		"can", "cannot", "cant", "could", "couldn", "couldnt",
		"did", "didn", "didnt", "do", "does", "doesn", "doesnt", "doing", "don", "done", "dont", "down", "during",
		"each", "either", "else", "etc", "ever", "every",
		"few", "for", "from", "further",
		"get", "gets", "getting", "got", "had", "has", "hasn", "have", "haven", "having", "he", "hello", "help", "her", "here", "hers", "hey", "hi", "him", "his", "how",
		"if", "in", "into", "is", "isn", "isnt", "it", "its", "itself", "ive",
		"just", "know", "let", "lets", "like", "ll", "look",
		"many", "may", "maybe", "me", "might", "mine", "more", "most", "much", "must", "my", "myself",
		"need", "needs", "neither", "no", "nor", "not", "now",
		"of", "off", "ok", "okay", "on", "once", "only", "onto", "or", "other", "others", "our", "ours", "out", "over", "own",
		"per", "please", "quite", "rather", "re", "really",
		"same", "say", "see", "shall", "she", "should", "shouldn", "since", "so", "some", "something", "still", "such", "sure",
		"tell", "than", "thank", "thanks", "that", "thats", "the", "their", "theirs", "them", "then", "there", "these", "they", "thing", "things", "this", "those", "though", "through", "to", "too",
		"under", "until", "up", "upon", "us", "ve", "very", "via",
		"want", "wants", "was", "wasn", "we", "well", "were", "weren", "what", "whats", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "won", "wont", "would", "wouldn",
		"yes", "yet", "you", "your", "yours", "yourself":
		return true
	}
	return false
}

// canonical maps the short forms programmers use to the stem of the long one.
func canonical(w []byte) []byte {
	switch string(w) {
	case "authent": // authentication, authenticate
		return []byte("auth")
	case "databas":
		return []byte("db")
	case "repositori":
		return []byte("repo")
	case "configur":
		return []byte("config")
	case "environ":
		return []byte("env")
	case "kubernet":
		return []byte("k8s")
	case "postgresql":
		return []byte("postgr")
	case "javascript":
		return []byte("js")
	case "typescript":
		return []byte("ts")
	case "document":
		return []byte("doc")
	case "perform":
		return []byte("perf")
	case "depend":
		return []byte("dep")
	}
	return w
}
