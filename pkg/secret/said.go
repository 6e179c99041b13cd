package secret

import (
	"slices"
	"strings"
)

// maxSaid is how many words may stand between a name and what it is said to be:
// "the password of the staging database is ...".
const maxSaid = 5

// maxOwned is how many there may be where they say whose something is, or what for.
const maxOwned = 9

// said finds the value in a sentence that says what the name from i to end is.
func said(s string, i, end int, known secretName) Found {
	at := end
	owned := true // what stands between says whose it is, or what for
	labelled := false
	for n, most := 0, maxSaid; n <= most; n++ {
		at = pastAside(s, at)
		if from, sure := pastSign(s, at, n == 0); from > at && owned {
			return isSaid(s, i, from, known, sure, true)
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
			if f := value(s, at, known, true); f.To > 0 {
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
			for tries := 0; tries < 2; tries++ { // "is now ...", "ist jetzt ..."
				if f := isSaid(s, i, from, known, false, owned); f.To > 0 {
					return f
				}
				k := skip(s, from, " ", 2)
				e := k
				for e < len(s) && (isLetter(s[e]) || s[e] >= 0x80) && e-k < 16 {
					e++
				}
				if !meanwhile(s[k:e]) {
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
			owned = belongs(s[next:w])
			labelled = label(s[next:w])
			if owned {
				most = maxOwned
			}
		}
		if from := pastColon(s, w); from > w && (owned || labelled) { // "das Passwort vom Admin: ..."
			return value(s, from, known, !owned)
		}
		labelled = false
		at = w
	}
	return Found{}
}

// isSaid finds what a name that begins at i is said to be, behind the verb or the sign before from.
func isSaid(s string, i, from int, known secretName, sure, owned bool) Found {
	if known.name == pin {
		return pinAt(s, skip(s, from, " *`\"'", 3))
	}
	if f := value(s, from, known, sure); f.To > 0 {
		return f
	}
	if !owned {
		return Found{}
	}
	if known.traits&chosen == 0 { // a person's password under the name of a key
		short := known
		short.least = 8
		f := value(s, from, short, true)
		if f.To > 0 && passwordLike(s[f.From:f.To]) {
			return f
		}
		return Found{}
	}
	if f := phraseAt(s, from, known); f.To > 0 {
		return f
	}
	return wordsAt(s, i, from, known)
}

// wordOf returns the end of the word at i; the name of a thing may have digits and dots.
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

// maxAside is the longest aside, in bytes: what stands in brackets or between commas.
const maxAside = 40

// pastAside returns the place behind the aside at i, as in "the password (staging) is" and "the password, by
// the way, is", or i.
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

// pastSign returns the place behind a sign at i that stands for "is", or i. Some are so weak that what
// follows must show more. first is for the place right behind the name.
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

// pastCopula returns the place behind the word from i to w, and what belongs to it, where it joins a name
// with what it is, or i.
func pastCopula(s string, i, w int, known secretName) int {
	switch word := s[i:w]; {
	case copula(word):
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

// pastColon returns the place behind the colon at i, which a blank may stand before, or i.
func pastColon(s string, i int) int {
	k := noBreak(s, skip(s, skip(s, i, "*", 2), " ", 1))
	if k < len(s) && s[k] == ':' {
		return k + 1
	}
	return i
}

// calledBefore finds a value that a sentence names before it says what it is: "use ... as the password",
// where the name from i to end begins at i.
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

// logins begin what says with what to log in.
var logins = [...]string{
	"log", "logged", "logging", "sign", "signed", "signing", "login", "logon", "log-in", "signin", "sign-in",
	"credentials", "creds", "zugangsdaten", "anmeldedaten", "anmeldung", "anmelden", "einloggen", "melde",
	"logge", "identifiants", "connexion", "connecte-toi", "connectez-vous", "credenciales",
	"sesión", "inicia",
}

// loggedIn finds the password in "log in with bob / ...", where the word from i to end may begin that.
func loggedIn(s string, i, end int) Found {
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
	for n := 0; ; n++ { // to the word before the user
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
		if introduces(strings.ToLower(s[from:to])) {
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
	if len(v) < 6 || placeholder(v) || technical(v) || calls(v) || generic(v) || strings.Contains(v, "/") ||
		!telling(v, false) && !randomLetters(v) || !lower && !strings.ContainsAny(v, "!@#$%^&*+=~?") {
		return Found{}
	}
	return Found{from, to, "password"}
}

// introduces reports whether a user's name follows the word w in a sentence about logging in.
func introduces(w string) bool {
	switch w {
	case "with", "as", "using", "are", "is", "mit", "als", "sind", "ist", "avec", "sont", "est", "con", "son",
		"como":
		return true
	}
	return false
}

// endsClause reports whether nothing follows at i that the word before it describes, as in "the password
// hash".
func endsClause(s string, i int) bool {
	if i >= len(s) || s[i] != ' ' {
		return i >= len(s) || strings.IndexByte(".,;:!?)\"'\n\r`*", s[i]) >= 0
	}
	k := i + 1
	if takenOut(s[k:]) { // a word may have stood there
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
		return belongs(w)
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
	if len(v) < known.least || to-from == 100 || placeholder(v) || technical(v) || calls(v) || pathLike(v) ||
		strings.Contains(v, "://") || generic(v) {
		return Found{}
	}
	if !telling(v, true) && !randomLetters(v) && !phrase(v) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// generic reports whether v is the name of one of several things, and no value: field2, ARG1.
func generic(v string) bool {
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

// maxWords is how many words a passphrase may have.
const maxWords = 12

// wordsAt finds the words of a passphrase behind the blanks and quotes at i, where the name that begins at
// name says that they are one: three or more, up to the end of the clause, that say nothing together. Other
// passwords are of several words only in quotes.
func wordsAt(s string, name, i int, known secretName) Found {
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
	if to := wordsEnd(s, name, from, quote, known); to > 0 {
		return Found{from, to, known.kind}
	}
	return Found{}
}

// wordsEnd returns the end of the words of a passphrase that begin at i, behind the quote, or 0.
func wordsEnd(s string, name, i int, quote byte, known secretName) int {
	if known.traits&chosen == 0 || !saysPhrase(s, name, known) && (quote == 0 || known.name == "pass") {
		return 0 // also in 'what to pass to "go tool cover"'
	}
	n := 0
	for at := i; ; n++ {
		to := at
		for to < len(s) && to-at < 24 && (isWord(s[to]) || s[to] >= 0x80) && !closes(s[to:]) &&
			!strings.HasPrefix(s[to:], "…") {
			to++
		}
		if w := strings.ToLower(s[at:to]); to-at < 2 || to-at == 24 || n == maxWords || joins(w) ||
			functional(w) || describes(w) || strings.HasSuffix(w, "ly") {
			return 0
		}
		at = to
		if to < len(s) && s[to] == ' ' {
			at++
			continue
		}
		if n < 2 || to < len(s) && strings.IndexByte(".,;!\n\r\"'`\\<", s[to]) < 0 && !closes(s[to:]) {
			return 0
		}
		return to
	}
}

// closes reports whether s begins with a closing quote of more than one byte, or the blank before one.
func closes(s string) bool {
	return strings.HasPrefix(s, "“") || strings.HasPrefix(s, "”") || strings.HasPrefix(s, "»") ||
		strings.HasPrefix(s, "\u00a0")
}

// saysPhrase reports whether the name that begins at i is the one of a passphrase.
func saysPhrase(s string, i int, known secretName) bool {
	if known.name == "passphrase" {
		return true
	}
	before := strings.ToLower(s[max(0, i-len("phrase de ")):i])
	return strings.HasSuffix(before, "phrase de ") || strings.HasSuffix(before, "frase de ")
}

// functional reports whether w is a word that sentences need, and no passphrase.
func functional(w string) bool {
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

// belongs reports whether w begins what says whose something is, or what for.
func belongs(w string) bool {
	switch strings.ToLower(w) {
	case "of", "for", "to", "on", "in", "at", "from", "für", "von", "vom", "des", "der", "zum", "zur", "auf",
		"im", "du", "de", "pour", "sur", "del", "para", "en", "al":
		return true
	}
	return false
}

// drawnAt finds what a machine has drawn right behind a name, where no verb stands
// between: nobody else would write that there.
func drawnAt(s string, from int, known secretName) Found {
	to := from
	for to < len(s) && to-from < maxValue && (isWord(s[to]) || strings.IndexByte("-.+/=~", s[to]) >= 0) {
		to++
	}
	to = from + len(strings.TrimRight(s[from:to], ".-"))
	v := s[from:to]
	if len(v) < max(known.least, 16) || !isDrawn(v, known) && !hexadecimal(v) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// hexadecimal reports whether v is written in hexadecimal digits, and is no word and no number.
func hexadecimal(v string) bool {
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

// phraseAt finds words that hyphens join behind the blanks and quotes at i, where a
// person may have made a password of them.
func phraseAt(s string, i int, known secretName) Found {
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
	if to < len(s) && (isWord(s[to]) || strings.IndexByte("/@", s[to]) >= 0) || !phrase(s[from:to]) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// phrase reports whether v is a password made of words: three or more that say nothing
// together. What describes something ("end-to-end-encrypted", "nicht-mehr-gültig") joins
// its words by small ones, or ends as what was done to it.
func phrase(v string) bool {
	parts := strings.Split(v, "-")
	if len(parts) < 3 {
		return false
	}
	for _, p := range parts {
		p = strings.ToLower(p)
		if len(p) < 3 || joins(p) {
			return false
		}
	}
	return !describes(strings.ToLower(parts[len(parts)-1]))
}

// describes reports whether a word in lower case ends as what is said of a thing does.
func describes(w string) bool {
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

// joins reports whether a word only joins others, or turns what follows.
func joins(w string) bool {
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

// copula reports whether w joins a name with what it is.
func copula(w string) bool {
	switch strings.ToLower(w) {
	case "is", "was", "are", "equals", "to", "ist", "war", "lautet", "heißt", "heisst", "auf", "est", "était",
		"à", "es", "era", "será", "con":
		return true
	}
	return false
}

// meanwhile reports whether w only says when.
func meanwhile(w string) bool {
	switch strings.ToLower(w) {
	case "now", "still", "currently", "simply", "just", "jetzt", "nun", "noch", "aktuell", "derzeit",
		"maintenant", "toujours", "ahora", "actualmente", "set", "to":
		return true
	}
	return false
}

// value finds a value after the blanks and quotes at i, if it looks like one: what
// is said of a password is mostly an ordinary word. sure is for what follows the
// name without a verb, which must show more.
func value(s string, i int, known secretName, sure bool) Found {
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
	if len(v) < known.least || quote != 0 && (to >= len(s) || s[to] != quote) || placeholder(v) {
		return Found{}
	}
	if technical(v) || calls(v) || pathLike(v) || strings.HasSuffix(v, "()") || strings.Contains(v, "://") {
		return Found{}
	}
	// "the password is password=...": found by that name
	if n := strings.IndexByte(v, '='); sure && quote == 0 && n >= 2 && !odd(v[:n]) { // another name
		return Found{}
	}
	if n := strings.IndexAny(v, "=:"); n >= 2 && nameOf(v, 0, n).name != "" {
		return Found{}
	}
	// What one passes to DynamoDB is no password.
	if drawn := known.traits&chosen != 0 && !sure && known.name != "pass" && randomLetters(v); !drawn &&
		(!telling(v, known.traits&chosen != 0) || sure && quote == 0 && !strongly(v)) {
		return Found{}
	}
	if number(v) && measures(s, to) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// telling reports whether v looks like a value: letters with digits, or with signs
// that no word has. chosen ones may be numbers.
func telling(v string, chosen bool) bool {
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
	case letters > 0 && signs > 0 && strings.TrimRight(v, "!?*") != "" && odd(strings.TrimRight(v, "!?*")):
		return true
	case chosen && digits >= 6 && letters == 0 && !strings.ContainsAny(v, "-.:/"):
		return true
	case len(v) >= 20 && upper > 1 && lower > 1 && !strings.ContainsAny(v, "-./") && upper*2 > lower/2:
		return true
	}
	return false
}

// strongly reports whether v can hardly be a name of anything: two kinds of signs
// beside small letters.
func strongly(v string) bool {
	digit, sign, upper := false, false, false
	for i := range len(v) {
		c := v[i]
		digit = digit || isDigit(c)
		upper = upper || isUpper(c) && i > 0
		sign = sign || strings.IndexByte("!@#$%^&*+=~?", c) >= 0
	}
	return digit && (sign || upper || isLetter(v[0]) && isDigit(v[len(v)-1])) || sign && upper
}

// number reports whether v has nothing but digits.
func number(v string) bool {
	for i := range len(v) {
		if !isDigit(v[i]) {
			return false
		}
	}
	return true
}

// measures reports whether a word follows at i, so that a number before it counts
// something.
func measures(s string, i int) bool {
	i = skip(s, i, " ", 1)
	return i < len(s) && isLower(s[i])
}

// technical reports whether v is a word of the trade that has digits or signs, and
// no value: an algorithm, a size, a version, a file.
func technical(v string) bool {
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
		if ok && (len(rest) <= 4 || len(rest) <= 18 && strings.Contains(rest, "-")) && plainName(rest) {
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
		case number(rest):
			return n < 4 && len(rest) < 5
		case !odd(rest) && (joined || len(rest) <= 3 || unit(rest)):
			return true
		}
	}
	if folded[0] == 'v' && len(folded) > 1 && number(strings.ReplaceAll(folded[1:], ".", "")) { // v2, v1.2.3
		return true
	}
	// A file, a member of something, or a name with its version: main.go:12, app.config2, gpt-4o-mini.
	dot := strings.LastIndexByte(folded, '.')
	if dot > 0 && !odd(folded[:dot]) && len(folded)-dot <= 12 &&
		!strings.ContainsAny(folded[dot:], "!@#$%^&*") {
		return true
	}
	return false
}

// plainName reports whether v is made of letters, digits and what joins names.
func plainName(v string) bool {
	for i := range len(v) {
		if c := v[i]; !isWord(c) && c != '-' && c != '.' && c != '/' && c != ',' && c != '+' {
			return false
		}
	}
	return true
}

// unit reports whether v names what is counted.
func unit(v string) bool {
	switch strings.TrimSuffix(v, "s") {
	case "bit", "byte", "char", "character", "digit", "letter", "day", "hour", "minute", "second", "week",
		"month", "year", "time", "word", "round", "line", "step", "min", "hr", "sec", "ms":
		return true
	}
	return false
}
