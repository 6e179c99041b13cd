package stance

import "keepsake/pkg/text"

// leadsIn reports whether a word may stand before what a sentence says.
func leadsIn(w string) bool {
	return text.OneOf(w,
		"ok okay so well no nope actually hmm hm wait sorry please oh and but right alright also yes yeah "+
			"nah then now look listen hey btw wow great good thanks um nein ja nee ach gut dann moment na "+
			"und "+
			"aber bitte übrigens eigentlich danke doch")
}

// contrasts reports whether a word turns from what was said to what is meant.
func contrasts(w string) bool {
	return text.OneOf(w, "but however nevertheless instead aber sondern jedoch trotzdem stattdessen dennoch")
}

// supposes reports whether a word makes a condition.
func supposes(w string) bool {
	return text.OneOf(w,
		"if unless whether suppose supposing imagine assuming hypothetically provided wenn falls sofern "+
			"angenommen ob hypothetisch theoretically theoretisch")
}

// times reports whether a word makes a condition where a sentence begins with it.
func times(w string) bool {
	return text.OneOf(w, "when whenever once until sobald solange")
}

// doubts reports whether a word leaves a sentence open.
func doubts(w string) bool {
	return text.OneOf(w, "maybe perhaps possibly vielleicht eventuell womöglich möglicherweise evtl")
}

// weighs reports whether a word makes a clause a possibility.
func weighs(w string) bool {
	return text.OneOf(w,
		"would could might wouldnt couldnt würde würden könnte könnten wäre wären hätte hätten")
}

// wishes reports whether a word behind "would" makes a wish of it.
func wishes(w Word) bool {
	return text.OneOf(w.Text, "like love prefer rather want gern gerne lieber bevorzugen")
}

// considers reports whether a word marks a thing as only thought about.
func considers(w string) bool {
	return text.OneOf(w,
		"wonder wondering consider considering considered thinking tempted unsure undecided debating "+
			"überlege überlegen erwäge erwägen unsicher pretend")
}

// formerly reports whether a word puts a thing into the past.
func formerly(w string) bool {
	return text.OneOf(w, "previously formerly früher damals ehemals")
}

// passes reports whether a word may stand between the speaker's name and the verb of saying.
func passes(w string) bool {
	return text.OneOf(w,
		"also just recently once already still always often have has had hat really even clearly explicitly "+
			"auch schon mal only then again now both all")
}

// isOwn reports whether a word stands for the speaker of the sentence.
func isOwn(w string) bool {
	return text.OneOf(w, "i we ive weve id wed ich wir me us uns mir lets")
}

// isReport reports whether a word is a verb of saying in a form that somebody else's
// words follow.
func isReport(w string) bool {
	return text.OneOf(w,
		"says said suggests suggested recommends recommended thinks thought claims claimed proposes "+
			"proposed argues argued insists insisted states stated mentions mentioned wrote tells told asks "+
			"asked wants wanted prefers preferred believes believed advises advised warns warned reckons "+
			"sagt "+
			"sagte meint meinte schlägt schlug empfiehlt empfahl behauptet behauptete denkt dachte glaubt "+
			"glaubte fordert forderte schreibt schrieb steht rät riet wollte möchte fragt fragte")
}

// judges reports whether a word marks what follows as false or unwanted.
func judges(w string) bool {
	return text.OneOf(w, "wrong mistake false untrue nonsense doubtful unlikely falsch fehler unsinn")
}

// isDenier reports whether a word turns what follows it into its opposite.
func isDenier(w string) bool {
	return text.OneOf(w,
		"not never no dont doesnt didnt wont cant cannot mustnt shouldnt isnt arent wasnt without stop "+
			"avoid against instead neither nor nobody forbid refuse rather havent hasnt werent nicht nie "+
			"niemals kein keine keinen keiner keinem keinesfalls keineswegs ohne statt anstatt jamais pas "+
			"sans "+
			"nunca sin non mai senza")
}
