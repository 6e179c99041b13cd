package change

import (
	"slices"
	"strings"

	"keepsake/pkg/search/alike"
	"keepsake/pkg/text"
)

// hasCue reports whether a statement has a word that every turn has one of. It is all
// that most statements cost.
func hasCue(statement string) bool {
	begins := -1
	for i := 0; i <= len(statement); i++ {
		if i < len(statement) && (statement[i]|0x20 >= 'a' && statement[i]|0x20 <= 'z' ||
			statement[i] >= 0x80) {
			if begins < 0 {
				begins = i
			}
			continue
		}
		if begins >= 0 && i-begins <= longestCue && isCue(statement[begins:i]) {
			return true
		}
		begins = -1
	}
	return false
}

const longestCue = 14

// isCue reports whether a word is one of those that turns are made of.
func isCue(word string) bool {
	var low [longestCue]byte
	for i := range len(word) {
		if low[i] = word[i]; word[i] < 0x80 {
			low[i] |= 0x20
		}
	}
	switch string(low[:len(word)]) {
	case "mind", "minds", "scrap", "scrapped", "scrapping", "drop", "dropped", "dropping", "ditch",
		"ditched", "ditching", "abandon", "abandoned", "abandoning", "forget", "revert", "reverse",
		"reversed", "undo", "cancel", "withdraw", "revoke", "retract", "longer", "anymore", "more", "all",
		"instead", "rather", "switch", "switching", "switched", "move", "moving", "moved", "migrate",
		"migrating", "replace", "replacing", "replaced", "back", "dead", "out", "gone", "off", "obsolete",
		"history", "cancelled", "canceled", "void", "outdated", "nevermind", "strike", "thought", "thoughts",
		"stop", "stopped", "quit", "overrule", "override", "ignore", "disregard", "changed", "change",
		"changing", "invalid", "mistake", "rid", "against", "wrong", "bad", "go", "done", "work", "replaces",
		"roll", "scratch", "return", "returning", "not", "won", "remove", "removing", "mehr", "länger",
		"doch", "lieber", "anders", "meinung", "zurück", "vergiss", "vergesst", "vergessen", "lass", "lasst",
		"lassen", "statt", "anstatt", "anstelle", "wechsel", "wechseln", "wechsle", "umsteigen", "steigen",
		"stellen", "umstellen", "migrieren", "ziehen", "ersetzen", "ersetze", "ersetz", "schluss", "raus",
		"weg", "verzichten", "verzichte", "verwerfen", "verwerfe", "streichen", "streiche", "kippen", "kippe",
		"aufheben", "gestorben", "passé", "hinfällig", "geschichte", "gestrichen", "obsolet", "überholt",
		"tisch", "fehler", "falsche", "schlechte", "umgestiegen", "umgestellt", "gewechselt", "migriert",
		"umgezogen", "um", "auf", "gegen", "ersetzt", "nicht",
		// of forms.go
		"ab", "abgehen", "abgelöst", "abgerückt", "abgeschafft", "abkommen", "ablassen", "ablösen",
		"abolish", "abrücken", "abschaffen", "abschied", "absehen", "actually", "aren", "aufgeben",
		"aufgegeben", "aufgehört", "aufhören", "ausgetauscht", "austauschen", "away", "axe", "axing",
		"backs", "bail", "bailed", "bailing", "banned", "behind", "bleibenlassen", "bye", "company",
		"correction", "cut", "daraus", "decommission", "door", "eingestampft", "einstampfen", "enough",
		"entfern", "entferne", "entfernen", "entfernt", "entfällt", "erledigt", "exchange", "exchanging",
		"farewell", "fällt", "gave", "genug", "getauscht", "getrennt", "give", "given", "giving", "goodbye",
		"isn", "jetzt", "kill", "killing", "korrektur", "künftig", "leaving", "left", "lift", "lifting",
		"los", "lose", "losing", "loswerden", "loszuwerden", "löst", "migrated", "nein", "never", "nix",
		"nixing", "no", "nope", "now", "outgrew", "outgrown", "over", "pivot", "pivoting", "plug",
		"rausgeschmissen", "rausgeworfen", "raushauen", "rausnehmen", "rausschmeißen", "rauswerfen",
		"regret", "rein", "repeal", "rescind", "retire", "retired", "retiring", "revidiere", "revidieren",
		"seinlassen", "shelve", "shelving", "shift", "shifting", "sofort", "stampfe", "stampfen", "streich",
		"strip", "substitute", "substituting", "sunset", "sunsetting", "swap", "swapped", "swapping",
		"tausch", "tausche", "tauschen", "today", "toss", "tossing", "trade", "trading", "transition",
		"transitioning", "trenne", "trennen", "verabschiede", "verabschieden", "verabschiedet", "verworfen",
		"wait", "waive", "rückgängig", "needn", "ways", "weggehen", "wegkommen", "weglassen", "wegmigrieren",
		"wegziehen", "working":
		return true
	}
	return false
}

// isTime reports whether the words at a token name a time.
func isTime(s sentence, i int) bool {
	return s.is(i, "soon immediately asap finally") ||
		s.is(i, "this next", "week month quarter sprint year release") || s.is(i, "from", "now today here")
}

// endsPhrase reports whether a word begins something else than what is turned down.
func endsPhrase(word string) bool {
	return text.OneOf(word,
		"because since as so but and then if when until which while please altogether completely entirely "+
			"again now again, anymore too it's we we're i i'd let's")
}

// leadsIn reports whether a word comes before what is said, in English or German.
func leadsIn(w string) bool { return text.OneOf(w, leadIns) || text.OneOf(w, germanLeadIns) }

// leadIns come before what is said.
const leadIns = "ok okay so well no nope actually hmm hm wait sorry please oh and but right alright also " +
	"yes yeah nah then argh look listen"

// isName reports whether a phrase is a name of at most three words: nothing that is done
// with what it names, and no part of it.
func isName(phrase string) bool {
	tokens := tokensOf(phrase)
	return len(tokens) > 0 && len(tokens) <= 3 && !isArtefact(phrase) && names(phrase) &&
		!has(tokens,
			"a an this that my you me us him her them error errors tests client consumer schema logs "+
				"config settings")
}

// names reports whether a phrase from within a sentence has a name. The capital of its first word counts
// like that of any other.
func names(phrase string) bool { return alike.PhraseOf("the " + phrase).Names() }

// nouns are the words for what people decide.
const nouns = "decision decisions idea plan rule choice preference agreement convention policy constraint " +
	"requirement thing"

// uses are verbs of those who use, want or keep something.
const uses = "use using want need support deploy deploying store keep keeping allow write rely relying go " +
	"going run running prefer do doing require follow accept host adopt adopting have having stick " +
	"sticking stay staying continue continuing build building"

// handles reports whether a cue is also the word for work on things: a table is dropped,
// a branch switched.
func handles(cue string) bool {
	return !text.OneOf(cue,
		"no not don't dont won't isn't aren't doesn't changed instead rather stop quit stopped forget never "+
			"nevermind")
}

// isCode reports whether a phrase has code or a path in it.
func isCode(phrase string) bool {
	if strings.ContainsAny(phrase, "`/\\=(){}[]<>$") {
		return true
	}
	return slices.ContainsFunc(tokensOf(phrase), func(t token) bool {
		base, ending, ok := strings.Cut(t.word, ".")
		return ok && !slices.Contains([]string{"node", "next", "vue", "nuxt"}, base) &&
			!strings.ContainsAny(ending, "0123456789")
	})
}

// isArtefact reports whether a phrase is about a thing that work is done on, which is
// dropped, reverted or switched without any change of mind.
func isArtefact(phrase string) bool {
	if isCode(phrase) {
		return true
	}
	return has(tokensOf(headOf(phrase)),
		"branch branches commit commits change changes edit edits table tables column columns index row "+
			"rows file files folder directory function method class variable argument parameter field line "+
			"lines import imports test case pr migration migrations container containers pod process server "+
			"connection connections session window screen page view task todo step steps key keys value "+
			"values "+
			"message log logs print comment section paragraph sentence word header button link stash merge "+
			"pull request rebase build job run instance cluster volume image packet packets frame frames "+
			"download upload part bit prefix suffix draft version patch diff flag warning topic subject "+
			"previous last password account user users event events database dependency directory, loop "+
			"mutex "+
			"lock thread queue main master develop root editor terminal mode repo repository question work "+
			"original beginning start")
}
