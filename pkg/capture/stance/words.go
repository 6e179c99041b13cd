package stance

// leadsIn reports whether a word may stand before what a sentence says.
func leadsIn(w string) bool {
	switch w {
	case "ok", "okay", "so", "well", "no", "nope", "actually", "hmm", "hm", "wait", "sorry", "please", "oh",
		"and", "but", "right", "alright", "also", "yes", "yeah", "nah", "then", "now", "look", "listen",
		"hey", "btw", "wow", "great", "good", "thanks", "um", "nein", "ja", "nee", "ach", "gut", "dann",
		"moment", "na", "und", "aber", "bitte", "übrigens", "eigentlich", "danke", "doch":
		return true
	}
	return false
}

// contrasts reports whether a word turns from what was said to what is meant.
func contrasts(w string) bool {
	switch w {
	case "but", "however", "nevertheless", "instead", "aber", "sondern", "jedoch", "trotzdem", "stattdessen",
		"dennoch":
		return true
	}
	return false
}

// supposes reports whether a word makes a condition.
func supposes(w string) bool {
	switch w {
	case "if", "unless", "whether", "suppose", "supposing", "imagine", "assuming",
		"hypothetically", "provided", "wenn", "falls", "sofern", "angenommen", "ob", "hypothetisch",
		"theoretically", "theoretisch":
		return true
	}
	return false
}

// times reports whether a word makes a condition where a sentence begins with it.
func times(w string) bool {
	switch w {
	case "when", "whenever", "once", "until", "sobald", "solange":
		return true
	}
	return false
}

// doubts reports whether a word leaves a sentence open.
func doubts(w string) bool {
	switch w {
	case "maybe", "perhaps", "possibly", "vielleicht", "eventuell", "womöglich", "möglicherweise", "evtl":
		return true
	}
	return false
}

// weighs reports whether a word makes a clause a possibility.
func weighs(w string) bool {
	switch w {
	case "would", "could", "might", "wouldnt", "couldnt", "würde", "würden", "könnte", "könnten", "wäre",
		"wären", "hätte", "hätten":
		return true
	}
	return false
}

// wishes reports whether a word behind "would" makes a wish of it.
func wishes(w Word) bool {
	switch w.Text {
	case "like", "love", "prefer", "rather", "want", "gern", "gerne", "lieber", "bevorzugen":
		return true
	}
	return false
}

// considers reports whether a word says that something is only thought about.
func considers(w string) bool {
	switch w {
	case "wonder", "wondering", "consider", "considering", "considered", "thinking", "tempted", "unsure",
		"undecided", "debating", "überlege", "überlegen", "erwäge", "erwägen", "unsicher",
		"pretend":
		return true
	}
	return false
}

// formerly reports whether a word says that something was so once.
func formerly(w string) bool {
	switch w {
	case "previously", "formerly", "früher", "damals", "ehemals":
		return true
	}
	return false
}

// passes reports whether a word may stand between who says something and the verb.
func passes(w string) bool {
	switch w {
	case "also", "just", "recently", "once", "already", "still", "always", "often", "have", "has",
		"had", "hat", "really", "even", "clearly", "explicitly", "auch", "schon", "mal", "only", "then",
		"again", "now", "both", "all":
		return true
	}
	return false
}

// isOwn reports whether a word names the speaker as who says something.
func isOwn(w string) bool {
	switch w {
	case "i", "we", "ive", "weve", "id", "wed", "ich", "wir", "me", "us", "uns", "mir", "lets":
		return true
	}
	return false
}

// isReport reports whether a word is a verb of saying in a form that somebody else's
// words follow.
func isReport(w string) bool {
	switch w {
	case "says", "said", "suggests", "suggested", "recommends", "recommended", "thinks", "thought", "claims",
		"claimed", "proposes", "proposed", "argues", "argued", "insists", "insisted", "states", "stated",
		"mentions", "mentioned", "wrote", "tells", "told", "asks", "asked", "wants", "wanted", "prefers",
		"preferred", "believes", "believed", "advises", "advised", "warns", "warned", "reckons", "sagt",
		"sagte", "meint", "meinte", "schlägt", "schlug", "empfiehlt", "empfahl", "behauptet", "behauptete",
		"denkt", "dachte", "glaubt", "glaubte", "fordert", "forderte", "schreibt", "schrieb", "steht", "rät",
		"riet", "wollte", "möchte", "fragt", "fragte":
		return true
	}
	return false
}

// judges reports whether a word says that what follows is not so, or not to be.
func judges(w string) bool {
	switch w {
	case "wrong", "mistake", "false", "untrue", "nonsense", "doubtful", "unlikely", "falsch",
		"fehler", "unsinn":
		return true
	}
	return false
}

// isDenier reports whether a word turns what follows it into its opposite.
func isDenier(w string) bool {
	switch w {
	case "not", "never", "no", "dont", "doesnt", "didnt", "wont", "cant", "cannot", "mustnt", "shouldnt",
		"isnt", "arent", "wasnt", "without", "stop", "avoid", "against", "instead", "neither", "nor",
		"nobody", "forbid", "refuse", "rather", "havent", "hasnt", "werent", "nicht", "nie", "niemals",
		"kein", "keine", "keinen", "keiner", "keinem", "keinesfalls", "keineswegs", "ohne", "statt",
		"anstatt", "jamais", "pas", "sans", "nunca", "sin", "non", "mai", "senza":
		return true
	}
	return false
}
