package draft

import (
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// saysNothingSaid reports whether a text only states that there is nothing to state: "Not stated by the
// user", "No reason was given", "n/a: user did not say". Each of its parts must do so or be a placeholder.
// Any other word makes it a real text: "No reason to keep Redis".
func saysNothingSaid(s string, f memory.Field) bool {
	some := false
	s = strings.ReplaceAll(strings.ToLower(s), " - ", ", ")
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return strings.ContainsRune("():;,.!–—[]\n", r)
	}) {
		words := strings.Fields(part)
		for i := range words {
			words[i] = strings.Trim(words[i], "\"'`“”„*_-")
		}
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
		switch {
		case len(words) == 0:
		case isUnstated(words, f):
			some = true
		case !isStandIn(strings.Join(words, " "), f):
			return false
		}
	}
	return some
}

// isUnstated reports whether a clause states that nothing was said. It maps each word to its kind, and
// compares the kinds with the word orders of such clauses in English and German.
func isUnstated(words []string, f memory.Field) bool {
	row := make([]byte, 0, len(words)+4)
	for _, w := range words {
		kinds := kindOfWord(strings.ReplaceAll(w, "’", "'"), f)
		if kinds == "" {
			return false
		}
		row = append(row, kinds...)
	}
	clause := strings.NewReplacer("-", "", "F", "", "qddv", "", "qdv", "", "qv", "",
		"ydp", "", "yp", "").Replace(string(row))
	r := &rowReader{clause}
	for _, form := range [...]func() bool{
		// "the reason was not stated", "nicht angegeben", "is unknown"
		func() bool {
			r.noun()
			r.any("bh")
			if r.one("u") {
				return true
			}
			negated := r.one("N")
			r.any("bh")
			return negated && r.one("s")
		},
		// "no reason was given", "es wurde kein Grund genannt", "keine Angabe"
		func() bool {
			r.any("d")
			r.any("bh")
			if core := r.at("zc"); !r.nothing() {
				return false
			} else if r.any("bh"); core && !r.has("s") {
				return true
			}
			return r.one("s")
		},
		// "the user did not say", "der Nutzer hat es nicht gesagt"
		func() bool {
			r.any("h") // "hat der Nutzer nicht gesagt"
			if !r.person() {
				return false
			}
			r.any("ah")
			r.any("d")
			if !r.one("N") || !r.one("s") {
				return false
			}
			r.noun()
			return true
		},
		// "der Nutzer hat keinen Grund genannt"
		func() bool { return r.person() && r.one("h") && r.nothing() && r.one("s") },
		// "the user gave no reason"
		func() bool {
			if !r.person() {
				return false
			}
			r.any("h")
			return r.one("s") && r.nothing()
		},
		// "without a given reason", "ohne Angabe von Gründen"
		func() bool {
			if !r.one("o") {
				return false
			}
			r.any("ds")
			return r.one("c") && (!r.at("yc") || r.one("y") && r.one("c"))
		},
	} {
		r.rest = clause
		if form() && r.tail() {
			return true
		}
	}
	return false
}

// A rowReader reads a row of kinds of words from its beginning.
type rowReader struct{ rest string }

func (r *rowReader) at(kinds string) bool { return strings.HasPrefix(r.rest, kinds) }

func (r *rowReader) has(kind string) bool { return strings.Contains(r.rest, kind) }

// one reads one word of any of the kinds.
func (r *rowReader) one(kinds string) bool {
	if r.rest == "" || !strings.Contains(kinds, r.rest[:1]) {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

// any reads all following words of the kinds.
func (r *rowReader) any(kinds string) { r.rest = strings.TrimLeft(r.rest, kinds) }

// noun reads a noun with its articles, or a pronoun: "it", "das".
func (r *rowReader) noun() bool {
	before := r.rest
	r.any("d")
	return r.one("cn") || r.rest != before
}

// nothing reads "nothing", or a negated noun.
func (r *rowReader) nothing() bool { return r.one("0") || r.one("z") && r.one("cn") }

func (r *rowReader) person() bool {
	r.any("d")
	return r.one("p")
}

// tail reads what may follow, up to the end: for what, and why. Phrases of place and agent were removed
// before, as they can be anywhere.
func (r *rowReader) tail() bool {
	for r.rest != "" {
		switch {
		case r.one("wb"):
		case r.one("f"):
			r.any("d")
			if !r.one("cnm") && r.rest != "" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// kindOfWord returns the kind of a word in a statement that nothing was said: d an article or "it", c and n
// what could have been said, b, h and a "was", "has" and "did", N "not", z "no", 0 "nothing", s "said", u
// "unknown", p who, v where, y "by", q "in", f "for", F "for it", w why, m what it is about, o "without", -
// nothing; "" for any other word.
func kindOfWord(w string, f memory.Field) string {
	if stem, ok := strings.CutSuffix(w, "n't"); ok {
		kind := kindOfWord(stem, f)
		if kind == "b" || kind == "h" || kind == "a" {
			return kind + "N"
		}
		return ""
	}
	switch w {
	case "the", "a", "an", "any", "this", "that", "its", "it", "their", "der", "die", "das", "den", "dem",
		"ein", "eine", "einen", "es", "dies", "diese", "diesen", "dieser":
		return "d"
	case "reason", "reasons", "rationale", "explanation", "justification", "context", "information", "info",
		"details", "detail", "background", "angabe", "angaben", "grund", "gründe", "gründen", "begründung",
		"kontext", "informationen", "erklärung", "hintergrund":
		return "c"
	case "was", "is", "were", "are", "been", "be", "wurde", "wurden", "worden", "ist", "sind", "war", "waren":
		return "b"
	case "has", "have", "had", "hat", "haben", "hatte":
		return "h"
	case "did", "does", "do":
		return "a"
	case "not", "never", "nicht", "nie", "niemals":
		return "N"
	case "no", "kein", "keine", "keinen", "keiner", "keinerlei":
		return "z"
	case "none", "nothing", "nichts":
		return "0"
	case "said", "say", "says", "stated", "state", "states", "given", "give", "gave", "mentioned", "mention",
		"specified", "specify", "provided", "provide", "explained", "explain", "recorded", "documented",
		"discussed", "noted", "named", "indicated", "expressed", "elaborated", "clarified", "gesagt",
		"genannt", "nannte", "angegeben", "erwähnt", "erwähnte", "erklärt", "begründet", "gegeben",
		"mitgeteilt", "besprochen", "erläutert", "dokumentiert", "gemacht", "festgehalten", "known",
		"available", "bekannt", "verfügbar":
		return "s"
	case "unknown", "unspecified", "unstated", "unclear", "unexplained", "undocumented", "unbekannt",
		"unklar":
		return "u"
	case "user", "person", "they", "he", "she", "human", "developer", "nutzer", "nutzerin", "benutzer",
		"anwender", "er", "sie":
		return "p"
	case "conversation", "chat", "discussion", "transcript", "excerpt", "session", "thread", "gespräch",
		"unterhaltung", "sitzung", "auszug", "verlauf":
		return "v"
	case "by", "von", "vom", "durch":
		return "y"
	case "in", "during", "within", "from", "im", "während", "aus":
		return "q"
	case "for", "about", "für", "zu":
		return "f"
	case "dafür", "dazu", "hierzu", "hierfür", "darüber":
		return "F"
	case "why", "so", "anything", "one", "warum", "wieso", "weshalb":
		return "w"
	case "decision", "choice", "preference", "constraint", "rule", "entscheidung", "wahl", "regel", "vorgabe":
		return "m"
	case "without", "ohne":
		return "o"
	case "explicitly", "explicit", "specific", "specifically", "particular", "further", "other", "clear",
		"clearly", "additional", "actually", "yet", "ever", "far", "at", "all", "here", "anywhere", "simply",
		"also", "weitere", "weiteren", "konkrete", "konkreten", "konkreter", "nähere", "näheren", "näher",
		"bisher", "noch", "ausdrücklich", "explizit", "jemals", "hier", "auch":
		return "-"
	}
	if slices.Contains(strings.Fields(strings.ToLower(f.Label)), w) {
		return "n"
	}
	return ""
}
