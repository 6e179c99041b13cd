package secret

import (
	"slices"
	"strings"
)

// maxSaid is how many words may stand between a name and its value: "the password of the staging database is
// ...".
const maxSaid = 5

// maxOwned is maxSaid for words that say whose the secret is, or what it is for.
const maxOwned = 9

// saidValue finds the secret in a sentence that says what the name from i to end is.
func saidValue(s string, i, end int, known secretName) Found {
	at := end
	owned := true // the words between say whose it is, or what for
	labelled := false
	for n, most := 0, maxSaid; n <= most; n++ {
		at = pastAside(s, at)
		if from, sure := pastSign(s, at, n == 0); from > at && owned {
			return valueOfStatement(s, i, from, known, sure, true)
		}
		if at < len(s) && s[at] == ',' { // "..., c'est ..."
			k := skip(s, at+1, " ", 1)
			if pastCopula(s, k, wordOf(s, k, false), known) == k {
				return Found{}
			}
			at++
		}
		next := skip(s, at, " *_`\"'", 4)
		if next == at || next >= len(s) {
			return Found{}
		}
		w := wordOf(s, next, n > 0 && owned)
		if w == next && !isDigit(s[w]) {
			return Found{}
		}
		if n == 0 && known.traits&chosen != 0 { // "use the password hunter2!"
			if f := valueAt(s, at, known, true); f.To > 0 {
				return f
			}
		}
		if n == 0 && known.traits&chosen == 0 { // "API key 3f9a1c2b..."
			if f := drawnAt(s, next, known); f.To > 0 {
				return f
			}
		}
		if from := pastCopula(s, next, w, known); from > next {
			from = pastColon(s, from)
			for range 2 { // "is now ...", "ist jetzt ..."
				if f := valueOfStatement(s, i, from, known, false, owned); f.To > 0 {
					return f
				}
				k := skip(s, from, " ", 2)
				e := k
				for e < len(s) && (isLetter(s[e]) || s[e] >= 0x80) && e-k < 16 {
					e++
				}
				if !isTimeWord(s[k:e]) {
					break
				}
				from = pastColon(s, e)
			}
			if f := weakAt(s, i, from, known); f.To > 0 && n == 0 {
				return f
			}
		}
		if w == next || w-next >= 40 || !owned && w-next >= 20 {
			return Found{}
		}
		if n == 0 {
			owned = saysWhose(s[next:w])
			labelled = isOwnerLabel(s[next:w])
			if owned {
				most = maxOwned
			}
		}
		if from := pastColon(s, w); from > w && (owned || labelled) { // "das Passwort vom Admin: ..."
			return valueAt(s, from, known, !owned)
		}
		labelled = false
		at = w
	}
	return Found{}
}

// valueOfStatement finds the value of the name that begins at name, behind the verb or the sign that ends
// before from.
func valueOfStatement(s string, i, from int, known secretName, sure, owned bool) Found {
	if known.name == pin {
		return pinAt(s, skip(s, from, " *`\"'", 3))
	}
	if f := valueAt(s, from, known, sure); f.To > 0 {
		return f
	}
	if !owned {
		return Found{}
	}
	if known.traits&chosen == 0 { // a person's password that is called a key
		short := known
		short.least = 8
		f := valueAt(s, from, short, true)
		if f.To > 0 && isPasswordLike(s[f.From:f.To]) {
			return f
		}
		return Found{}
	}
	if f := hyphenatedAt(s, from, known); f.To > 0 {
		return f
	}
	return passphraseAt(s, i, from, known)
}

// wordOf returns the end of the word at i. The name of a thing may have digits and dots.
func wordOf(s string, i int, thing bool) int {
	w, most := i, 20
	if thing {
		most = 40
	}
	for w < len(s) && w-i < most && (isLetter(s[w]) || s[w] >= 0x80 || s[w] == '-' || thing &&
		(isWord(s[w]) || s[w] == '.' && w+1 < len(s) && isWord(s[w+1]))) {
		w++
	}
	return w
}

// maxAside is the length of the longest aside, in brackets or between commas, in bytes.
const maxAside = 40

// pastAside returns the place behind the aside at i, as in "the password (staging) is" and "the password, by
// the way, is"; i if there is no aside.
func pastAside(s string, i int) int {
	from := skip(s, i, " ", 1)
	if from >= len(s) || (s[from] != '(' || from == i) && (from > i || s[from] != ',') {
		return i
	}
	end := byte(')')
	if s[from] == ',' {
		end = ','
		k := skip(s, from+1, " ", 1)
		if w := wordOf(s, k, false); pastCopula(s, k, w, secretName{}) > k {
			return i
		}
	}
	for k := from + 1; k < len(s) && k-from < maxAside; k++ {
		switch s[k] {
		case end:
			if end == ')' {
				return k + 1
			}
			next := skip(s, k+1, " ", 1)
			if pastCopula(s, next, wordOf(s, next, false), secretName{}) > next {
				return k + 1
			}
			return i
		case '\n', ';', '(', ':':
			return i
		}
	}
	return i
}

// pastSign returns the place behind the sign at i that stands for "is", or i if there is none. sure reports
// that the sign is weak evidence, so that the value must look more like a secret. first says that i is right
// behind the name.
func pastSign(s string, i int, first bool) (from int, sure bool) {
	if first && strings.HasPrefix(s[i:], "? ") {
		return i + 1, true
	}
	for _, is := range [...]string{"'s ", "’s "} {
		if first && strings.HasPrefix(s[i:], is) {
			return i + len(is) - 1, true
		}
	}
	k := skip(s, i, " ", 1)
	for _, sign := range [...]string{"->", "=>", "→", "="} {
		if k > i && strings.HasPrefix(s[k:], sign) {
			return k + len(sign), true
		}
	}
	return i, false
}

// pastCopula returns the place behind the words at i that join a name with its value, the first of which ends
// at w; i if there are no such words.
func pastCopula(s string, i, w int, known secretName) int {
	switch word := s[i:w]; {
	case isCopula(word):
		return w
	case (word == "c" || word == "C") && (strings.HasPrefix(s[w:], "'est ") ||
		strings.HasPrefix(s[w:], "’est ")):
		return w + strings.IndexByte(s[w:], ' ')
	case word == "should", word == "must", word == "shall", word == "will":
		if strings.HasPrefix(s[w:], " be ") {
			return w + len(" be")
		}
	case word == "a" && (known.name == "contraseña" || known.name == "contrasena" || known.name == "clave"):
		return w
	}
	return i
}

// pastColon returns the place behind the colon at i, or i if there is none. A blank may precede the colon.
func pastColon(s string, i int) int {
	k := noBreak(s, skip(s, skip(s, i, "*", 2), " ", 1))
	if k < len(s) && s[k] == ':' {
		return k + 1
	}
	return i
}

// calledBefore finds a value that a sentence gives before its name: "use ... as the password". The name
// begins at i and ends at end.
func calledBefore(s string, i, end int, known secretName) Found {
	if known.traits&chosen == 0 || i < 10 || !endsClause(s, end) {
		return Found{}
	}
	at, other := i, 0
	for n := 0; ; n++ {
		to := at
		for to > 0 && s[to-1] == ' ' && at-to < 2 {
			to--
		}
		from := to
		for from > 0 && (isLetter(s[from-1]) || s[from-1] >= 0x80) && to-from < 16 {
			from--
		}
		if to == at || from == to || n == 5 {
			return Found{}
		}
		at = from
		switch w := strings.ToLower(s[from:to]); w {
		case "as", "als", "comme", "como":
			return valueBefore(s, at, known)
		case "the", "a", "my", "our", "your", "its", "their", "his", "her", "this", "new", "das",
			"ein", "mein", "unser", "dein", "neues", "sein", "le", "mon", "notre", "votre", "ton", "son",
			"mot", "de", "la", "una", "mi", "tu", "su", "nuestra", "nueva", "nouveau":
		case "and", "or", "not", "in", "of", "to", "for", "on", "at", "with", "und", "oder", "et", "ou", "y":
			return Found{}
		default:
			if other++; other > 2 {
				return Found{}
			}
		}
	}
}

// logins are the words that begin a sentence about logging in.
var logins = [...]string{
	"log", "logged", "logging", "sign", "signed", "signing", "login", "logon", "log-in", "signin", "sign-in",
	"credentials", "creds", "zugangsdaten", "anmeldedaten", "anmeldung", "anmelden", "einloggen", "melde",
	"logge", "identifiants", "connexion", "connecte-toi", "connectez-vous", "credenciales",
	"sesión", "inicia",
}

// loginPassword finds the password in "log in with bob / ...". The word from i to end may begin that.
func loginPassword(s string, i, end int) Found {
	at, w := end, strings.ToLower(s[i:end])
	if !slices.Contains(logins[:], w) {
		return Found{}
	}
	switch w {
	case "log", "logged", "logging", "sign", "signed", "signing":
		if !strings.HasPrefix(s[end:], " in ") && !strings.HasPrefix(s[end:], " on ") {
			return Found{}
		}
		at += len(" in")
	}
	for n := 0; ; n++ { // up to the word before the user
		if at < len(s) && s[at] == ':' {
			at++
			break
		}
		from := skip(s, at, " ", 2)
		to := from
		for to < len(s) && (isLetter(s[to]) || s[to] >= 0x80) && to-from < 16 {
			to++
		}
		if from == at || to == from || n == 4 {
			return Found{}
		}
		at = to
		if introducesUser(strings.ToLower(s[from:to])) {
			break
		}
	}
	for _, label := range [...]string{" user ", " username ", " Benutzer ", " utilisateur ", " usuario "} {
		if strings.HasPrefix(s[at:], label) {
			at += len(label) - 1
		}
	}
	from := skip(s, at, " *`\"'", 4)
	to, lower := from, true
	for to < len(s) && to-from < 64 && (isKeyDot(s[to]) || s[to] == '@') {
		lower = lower && !isUpper(s[to])
		to++
	}
	if from == at || to-from < 2 || !isLetter(s[from]) {
		return Found{}
	}
	sign := skip(s, skip(s, to, "`\"'", 1), " ", 1)
	if sign >= len(s) || s[sign] != '/' && s[sign] != ':' {
		return Found{}
	}
	from = skip(s, skip(s, sign+1, " ", 1), "*`\"'", 2)
	if (s[sign-1] == ' ') != (s[sign+1:][:min(1, len(s)-sign-1)] == " ") { // root: see below
		return Found{}
	}
	for to = from; to < len(s) && to-from < 100 && s[to] > ' ' && strings.IndexByte("\"'`<>\\", s[to]) < 0; {
		to++
	}
	for to > from && strings.IndexByte(".,;:)?*]", s[to-1]) >= 0 {
		to--
	}
	v := s[from:to]
	if len(v) < 6 || isPlaceholder(v) || isTechnicalTerm(v) || isCode(v) || isGenericName(v) ||
		strings.Contains(v, "/") ||
		!looksDrawn(v, false) && !randomLetters(v) || !lower && !strings.ContainsAny(v, "!@#$%^&*+=~?") {
		return Found{}
	}
	return Found{from, to, "password"}
}

// introducesUser reports whether a user's name follows the word w in a sentence about logging in.
func introducesUser(w string) bool {
	switch w {
	case "with", "as", "using", "are", "is", "mit", "als", "sind", "ist", "avec", "sont", "est", "con", "son",
		"como":
		return true
	}
	return false
}

// endsClause reports whether the word before i stands alone at the end of its clause, unlike in "the password
// hash".
func endsClause(s string, i int) bool {
	if i >= len(s) || s[i] != ' ' {
		return i >= len(s) || strings.IndexByte(".,;:!?)\"'\n\r`*", s[i]) >= 0
	}
	k := i + 1
	if isRedacted(s[k:]) { // another word may have stood there
		return false
	}
	for k < len(s) && (isLetter(s[k]) || s[k] >= 0x80) && k-i < 16 {
		k++
	}
	switch w := strings.ToLower(s[i+1 : k]); w {
	case "", "and", "when", "if", "so", "now", "here", "there", "everywhere", "please", "until",
		"till", "und", "wenn", "bis", "et", "quand", "jusqu", "y", "cuando", "hasta":
		return true
	default:
		return saysWhose(w)
	}
}

// valueBefore finds the value that ends before the blank at i.
func valueBefore(s string, i int, known secretName) Found {
	to := i
	for to > 0 && s[to-1] == ' ' && i-to < 2 {
		to--
	}
	if to == i {
		return Found{}
	}
	for to > 0 && strings.IndexByte("\"'`*", s[to-1]) >= 0 {
		to--
	}
	from := to
	for from > 0 && to-from < 100 && s[from-1] > ' ' && strings.IndexByte("\"'`*<>(", s[from-1]) < 0 {
		from--
	}
	v := s[from:to]
	if len(v) < known.least || to-from == 100 || isPlaceholder(v) || isTechnicalTerm(v) || isCode(v) ||
		isPath(v) ||
		strings.Contains(v, "://") || isGenericName(v) {
		return Found{}
	}
	if !looksDrawn(v, true) && !randomLetters(v) && !isPassphrase(v) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// isGenericName reports whether v names one of several things: field2, ARG1.
func isGenericName(v string) bool {
	name := strings.TrimRight(v, "0123456789")
	switch strings.ToLower(strings.Trim(name, "_-#$")) {
	case "arg", "argument", "param", "parameter", "field", "column", "col", "line", "row", "step", "key",
		"value", "val", "user", "env", "var", "variable", "str", "string", "input", "slot", "item", "version",
		"option", "opt", "group", "part", "secret", "page", "password", "pass", "word", "text", "token",
		"number", "feld", "spalte", "zeile", "champ", "ligne", "campo", "oauth", "":
		return name != ""
	}
	return strings.ToUpper(v) == v && len(v) < 10 // UUID4
}

// maxWords is the number of words a passphrase may have.
const maxWords = 12

// passphraseAt finds the passphrase behind the blanks and quotes at i, if the name that begins at name
// announces one. It is three or more words up to the end of the clause that make no sentence. Other passwords
// of several words count only in quotes.
func passphraseAt(s string, name, i int, known secretName) Found {
	if known.traits&chosen == 0 {
		return Found{}
	}
	from := skip(s, i, " *", 4)
	if from == i {
		return Found{}
	}
	quote := byte(0)
	if from < len(s) && strings.IndexByte("\"'`", s[from]) >= 0 {
		quote = s[from]
		from++
	} else {
		for _, open := range [...]string{"„", "“", "«"} {
			if strings.HasPrefix(s[from:], open) {
				from, quote = skip(s, from, "„“«\u00a0", 5), open[0]
			}
		}
	}
	if to := passphraseEnd(s, name, from, quote, known); to > 0 {
		return Found{from, to, known.kind}
	}
	return Found{}
}

// passphraseEnd returns the end of the passphrase that begins at i, behind the quote, or 0.
func passphraseEnd(s string, name, i int, quote byte, known secretName) int {
	if known.traits&chosen == 0 || !saysPhrase(s, name, known) && (quote == 0 || known.name == "pass") {
		return 0 // also in 'what to pass to "go tool cover"'
	}
	n := 0
	for at := i; ; n++ {
		to := at
		for to < len(s) && to-at < 24 && (isWord(s[to]) || s[to] >= 0x80) && !isClosingQuote(s[to:]) &&
			!strings.HasPrefix(s[to:], "…") {
			to++
		}
		if w := strings.ToLower(s[at:to]); to-at < 2 || to-at == 24 || n == maxWords || isJoiningWord(w) ||
			isFunctionWord(w) || isDescription(w) || strings.HasSuffix(w, "ly") {
			return 0
		}
		at = to
		if to < len(s) && s[to] == ' ' {
			at++
			continue
		}
		if n < 2 || to < len(s) && strings.IndexByte(".,;!\n\r\"'`\\<", s[to]) < 0 &&
			!isClosingQuote(s[to:]) {
			return 0
		}
		return to
	}
}

// isClosingQuote reports whether s begins with a closing quote of more than one byte, or with the no-break
// space before one.
func isClosingQuote(s string) bool {
	return strings.HasPrefix(s, "“") || strings.HasPrefix(s, "”") || strings.HasPrefix(s, "»") ||
		strings.HasPrefix(s, "\u00a0")
}

// saysPhrase reports whether the name that begins at i is that of a passphrase.
func saysPhrase(s string, i int, known secretName) bool {
	if known.name == "passphrase" {
		return true
	}
	before := strings.ToLower(s[max(0, i-len("phrase de ")):i])
	return strings.HasSuffix(before, "phrase de ") || strings.HasSuffix(before, "frase de ")
}

// isFunctionWord reports whether w is a word that sentences need, so that it is not part of a passphrase.
func isFunctionWord(w string) bool {
	switch w {
	case "is", "are", "was", "be", "being", "by", "as", "at", "in", "on", "of", "or", "to", "if", "it",
		"we", "you", "they", "he", "she", "us", "me", "my", "no", "so", "do", "does", "did", "done", "then",
		"when", "which", "while", "where", "what", "who", "why", "how", "that", "this", "these", "those",
		"there", "here", "before", "after", "until", "since", "during", "between", "through", "without",
		"within", "under", "over", "about", "above", "below", "again", "against", "because", "both", "each",
		"every", "few", "most", "other", "some", "such", "same", "different", "also", "already", "always",
		"often", "sometimes", "still", "just", "very", "really", "quite", "rather", "either", "neither",
		"nor", "should", "would", "could", "shall", "might", "were", "had", "having", "an", "only", "even",
		"ever", "else", "anywhere", "everywhere", "somewhere", "nowhere", "nothing", "something", "anything",
		"everything", "anyone", "someone", "nobody", "wrong", "right", "valid", "invalid", "empty", "missing",
		"optional", "unknown", "secret", "short", "long", "longer", "shorter", "weak", "strong", "random",
		"words", "word", "characters", "character", "bytes", "letters", "digits", "passphrase", "passphrases",
		"ist", "sind", "war", "wird", "werden", "wurde", "auch", "als", "anders", "immer", "nie", "niemals",
		"schon", "sehr", "zu", "wie", "wo", "wenn", "dass", "weil", "bei", "nach", "vor", "über", "unter",
		"ohne", "durch", "gegen", "seit", "bis", "im", "am", "auf", "es", "er", "sie", "wir", "ihr", "sich",
		"nur", "einem", "einen", "einer", "keine", "leer", "falsch", "richtig", "kurz", "lang", "wörter",
		"zeichen", "est", "sont", "était", "être", "le", "la", "les", "un", "du", "de", "et", "ou", "où",
		"dans", "avec", "sans", "sous", "très", "trop", "jamais", "toujours", "déjà", "aussi", "que", "qui",
		"ne", "nous", "vous", "il", "elle", "ce", "cette", "au", "aux", "en", "par", "vide", "fausse",
		"correcte", "mots", "caractères", "son", "el", "lo", "y", "o", "u", "se", "su", "muy", "nunca",
		"siempre", "también", "ya", "cuando", "donde", "como", "entre", "hasta", "desde", "sobre", "vacía",
		"incorrecta", "palabras", "caracteres":
		return true
	}
	return false
}

// saysWhose reports whether w begins a phrase that says whose something is, or what it is for.
func saysWhose(w string) bool {
	switch strings.ToLower(w) {
	case "of", "for", "to", "on", "in", "at", "from", "für", "von", "vom", "des", "der", "zum", "zur", "auf",
		"im", "du", "de", "pour", "sur", "del", "para", "en", "al":
		return true
	}
	return false
}

// drawnAt finds a machine-drawn value right behind a name. No verb is needed, as nobody writes anything else
// like it there.
func drawnAt(s string, from int, known secretName) Found {
	to := from
	for to < len(s) && to-from < maxValue && (isWord(s[to]) || strings.IndexByte("-.+/=~", s[to]) >= 0) {
		to++
	}
	to = from + len(strings.TrimRight(s[from:to], ".-"))
	v := s[from:to]
	if len(v) < max(known.least, 16) || !isDrawn(v, known) && !isHexadecimal(v) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// isHexadecimal reports whether v is written in hexadecimal digits and is neither a word nor a number.
func isHexadecimal(v string) bool {
	digits, letters := 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isDigit(c):
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			letters++
		default:
			return false
		}
	}
	return digits > 2 && letters > 2
}

// hyphenatedAt finds words joined by hyphens behind the blanks and quotes at i that a person may have made a
// password of.
func hyphenatedAt(s string, i int, known secretName) Found {
	if known.traits&chosen == 0 {
		return Found{}
	}
	from := skip(s, i, " *_`\"'", 4)
	if from == i {
		return Found{}
	}
	for _, open := range [...]string{"„", "“", "«"} {
		if strings.HasPrefix(s[from:], open) {
			from = skip(s, from, "„“«\u00a0", 5)
		}
	}
	to := from
	for to < len(s) && to-from < maxValue && (isLetter(s[to]) || s[to] >= 0x80 || s[to] == '-') {
		if rest := s[to:]; strings.HasPrefix(rest, "“") || strings.HasPrefix(rest, "”") ||
			strings.HasPrefix(rest, "»") {
			break
		}
		to++
	}
	if to < len(s) && (isWord(s[to]) || strings.IndexByte("/@", s[to]) >= 0) || !isPassphrase(s[from:to]) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// isPassphrase reports whether v is a password made of words: three or more that make no sentence. A
// description ("end-to-end-encrypted", "nicht-mehr-gültig") has small words in it, or ends like a participle.
func isPassphrase(v string) bool {
	parts := strings.Split(v, "-")
	if len(parts) < 3 {
		return false
	}
	for _, p := range parts {
		p = strings.ToLower(p)
		if len(p) < 3 || isJoiningWord(p) {
			return false
		}
	}
	return !isDescription(strings.ToLower(parts[len(parts)-1]))
}

// isDescription reports whether a word in lower case has an ending of adjectives and participles.
func isDescription(w string) bool {
	for _, end := range [...]string{
		"ed", "ing", "able", "ible", "less", "ly", "only", "based", "wide", "proof", "safe", "aware",
		"like", "free", "sensitive", "long", "encrypted", "hidden", "known", "written", "given", "shown",
		"sent", "kept", "set", "made", "needed", "bar", "lich", "frei", "bare", "ert", "elt", "tet", "isch",
		"pflichtig", "ung", "é", "ée", "és", "ées", "ante", "ado", "ada", "ido", "ida",
	} {
		if strings.HasSuffix(w, end) && (len(end) > 2 || len(w) > len(end)+2) {
			return true
		}
	}
	return false
}

// isJoiningWord reports whether w only joins other words, or negates them.
func isJoiningWord(w string) bool {
	switch w {
	case "the", "and", "but", "not", "non", "for", "off", "out", "per", "via", "one", "two", "way", "too",
		"its", "own", "self", "well", "case", "time", "user", "must", "never", "with", "from", "into",
		"only", "more", "less", "than", "your", "their", "our", "has", "have", "been", "will", "can", "may",
		"any", "all", "yet", "now", "end", "day", "days", "und", "oder", "nicht", "kein", "von", "vom",
		"mit", "für", "aus", "ein", "eine", "zum", "zur", "der", "die", "das", "den", "dem", "noch", "mehr",
		"ende", "sur", "une", "des", "les", "pas", "plus", "bout", "jour", "por", "con", "para", "sin",
		"una", "uno", "los", "las", "del", "que", "más", "solo", "usuario", "read", "write", "plain",
		"hash", "server", "client", "password", "passwort", "secret", "token", "key", "default":
		return true
	}
	return false
}

// isCopula reports whether w joins a name with its value, as "is" does.
func isCopula(w string) bool {
	switch strings.ToLower(w) {
	case "is", "was", "are", "equals", "to", "ist", "war", "lautet", "heißt", "heisst", "auf", "est", "était",
		"à", "es", "era", "será", "con":
		return true
	}
	return false
}

// isTimeWord reports whether w only says when.
func isTimeWord(w string) bool {
	switch strings.ToLower(w) {
	case "now", "still", "currently", "simply", "just", "jetzt", "nun", "noch", "aktuell", "derzeit",
		"maintenant", "toujours", "ahora", "actualmente", "set", "to":
		return true
	}
	return false
}

// valueAt finds the value behind the blanks and quotes at i, if it looks like one: what follows "the password
// is" is mostly an ordinary word. sure says that no verb precedes it, so that it must look more like a
// secret.
func valueAt(s string, i int, known secretName, sure bool) Found {
	from := skip(s, i, " *", 4)
	if from == i || from >= len(s) {
		return Found{}
	}
	quote := byte(0)
	if c := s[from]; c == '"' || c == '\'' || c == '`' {
		quote = c
		from++
	} else if strings.HasPrefix(s[from:], "„") || strings.HasPrefix(s[from:], "“") ||
		strings.HasPrefix(s[from:], "«") {
		from = skip(s, from, "„“«\u00a0", 5)
	}
	to := from
	for to < len(s) && to-from < maxValue && s[to] > ' ' && s[to] != 0x7f && s[to] != quote {
		if quote == 0 && strings.IndexByte("\"'`<>\\", s[to]) >= 0 || strings.HasPrefix(s[to:], "“") ||
			strings.HasPrefix(s[to:], "”") || strings.HasPrefix(s[to:], "»") {
			break
		}
		to++
	}
	for to > from && strings.IndexByte(".,;:)?*]", s[to-1]) >= 0 {
		to--
	}
	v := s[from:to]
	if len(v) < known.least || quote != 0 && (to >= len(s) || s[to] != quote) || isPlaceholder(v) {
		return Found{}
	}
	if isTechnicalTerm(v) || isCode(v) || isPath(v) || strings.HasSuffix(v, "()") ||
		strings.Contains(v, "://") {
		return Found{}
	}
	// In "the password is password=...", the second name is looked at by itself.
	if n := strings.IndexByte(v, '='); sure && quote == 0 && n >= 2 && !hasSign(v[:n]) {
		return Found{}
	}
	if n := strings.IndexAny(v, "=:"); n >= 2 && nameOf(v, 0, n).name != "" {
		return Found{}
	}
	// What one passes to DynamoDB is not a password.
	if drawn := known.traits&chosen != 0 && !sure && known.name != "pass" && randomLetters(v); !drawn &&
		(!looksDrawn(v, known.traits&chosen != 0) || sure && quote == 0 && !hasStrongSigns(v)) {
		return Found{}
	}
	if isNumber(v) && isCount(s, to) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// looksDrawn reports whether v looks like a secret: letters with digits, or with signs that no word has.
// Chosen values may be numbers.
func looksDrawn(v string, chosen bool) bool {
	letters, digits, signs, upper, lower, snake := 0, 0, 0, 0, 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isUpper(c):
			letters++
			upper++
		case isLower(c):
			letters++
			lower++
		case isDigit(c):
			digits++
		case c == '_':
			snake++
		case strings.IndexByte("!@#$%^&*+=~?|", c) >= 0:
			signs++
		case c >= 0x80:
			letters++
		}
	}
	switch {
	case snake > 0 && lower == 0 && signs == 0 && len(v) < 40: // SIGNING_KEY_2
		return false
	case letters > 0 && digits > 0:
		return true
	case letters > 0 && signs > 0 && strings.TrimRight(v, "!?*") != "" &&
		hasSign(strings.TrimRight(v, "!?*")):
		return true
	case chosen && digits >= 6 && letters == 0 && !strings.ContainsAny(v, "-.:/"):
		return true
	case len(v) >= 20 && upper > 1 && lower > 1 && !strings.ContainsAny(v, "-./") && upper*2 > lower/2:
		return true
	}
	return false
}

// hasStrongSigns reports whether v can hardly be a name: it has two kinds of signs beside small letters.
func hasStrongSigns(v string) bool {
	digit, sign, upper := false, false, false
	for i := range len(v) {
		c := v[i]
		digit = digit || isDigit(c)
		upper = upper || isUpper(c) && i > 0
		sign = sign || strings.IndexByte("!@#$%^&*+=~?", c) >= 0
	}
	return digit && (sign || upper || isLetter(v[0]) && isDigit(v[len(v)-1])) || sign && upper
}

// isNumber reports whether v has only digits.
func isNumber(v string) bool {
	for i := range len(v) {
		if !isDigit(v[i]) {
			return false
		}
	}
	return true
}

// isCount reports whether a word follows at i, so that the number before it counts something.
func isCount(s string, i int) bool {
	i = skip(s, i, " ", 1)
	return i < len(s) && isLower(s[i])
}

// isTechnicalTerm reports whether v is a term with digits or signs rather than a value: an algorithm, a size,
// a version, a file.
func isTechnicalTerm(v string) bool {
	folded := strings.ToLower(strings.Trim(v, "()[]{}*`'\""))
	for _, p := range [...]string{
		"sha1", "sha2", "sha3", "sha-", "sha5", "md5", "bcrypt", "argon2", "scrypt", "pbkdf2", "hmac", "aes",
		"rsa", "ecdsa", "ed25519", "x25519", "p-256", "p256", "base64", "base32", "base58", "base16", "utf8",
		"utf-8", "hs256", "hs384", "hs512", "rs256", "rs384", "rs512", "es256", "es384", "ps256", "eddsa",
		"oauth", "oidc", "openid", "saml", "jwt", "uuid", "ulid", "hotp", "totp", "2fa", "mfa", "x509",
		"x.509", "pkcs", "ascii", "unicode", "iso", "rfc", "crc32", "hex", "k8s", "http", "tls", "ssl",
		"ipv4", "ipv6", "utf16", "int64", "int32", "uint", "float", "null", "none",
	} {
		rest, ok := strings.CutPrefix(folded, p)
		if ok && (len(rest) <= 4 || len(rest) <= 18 && strings.Contains(rest, "-")) && isPlainName(rest) {
			return true
		}
	}
	if folded == "" {
		return true
	}
	n := 0
	for n < len(folded) && (isDigit(folded[n]) || folded[n] == '.') {
		n++
	}
	if n > 0 && n <= 6 { // 32-byte, 8-64, 256bit, 1.5x, 90-days-old, 3rd-party
		rest := strings.TrimLeft(folded[n:], "-–+")
		joined := len(rest) < len(folded)-n // by a hyphen
		switch {
		case rest == "":
		case isNumber(rest):
			return n < 4 && len(rest) < 5
		case !hasSign(rest) && (joined || len(rest) <= 3 || isUnit(rest)):
			return true
		}
	}
	// v2, v1.2.3
	if folded[0] == 'v' && len(folded) > 1 && isNumber(strings.ReplaceAll(folded[1:], ".", "")) {
		return true
	}
	// A file, a member, or a name with its version: main.go:12, app.config2, gpt-4o-mini.
	dot := strings.LastIndexByte(folded, '.')
	if dot > 0 && !hasSign(folded[:dot]) && len(folded)-dot <= 12 &&
		!strings.ContainsAny(folded[dot:], "!@#$%^&*") {
		return true
	}
	return false
}

// isPlainName reports whether v consists of letters, digits and the signs that join names.
func isPlainName(v string) bool {
	for i := range len(v) {
		if c := v[i]; !isWord(c) && c != '-' && c != '.' && c != '/' && c != ',' && c != '+' {
			return false
		}
	}
	return true
}

// isUnit reports whether v names what is counted.
func isUnit(v string) bool {
	switch strings.TrimSuffix(v, "s") {
	case "bit", "byte", "char", "character", "digit", "letter", "day", "hour", "minute", "second", "week",
		"month", "year", "time", "word", "round", "line", "step", "min", "hr", "sec", "ms":
		return true
	}
	return false
}
