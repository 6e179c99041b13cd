package secret

import "strings"

// isOwnerLabel reports whether w names the owner or the purpose of a password, and has nothing of the
// password.
func isOwnerLabel(w string) bool {
	switch strings.ToLower(w) {
	case "admin", "root", "user", "wifi", "wlan", "prod", "production", "staging", "test", "dev", "db",
		"database", "server", "sudo", "ssh", "ftp", "sftp", "smtp", "imap", "mail", "vpn", "login",
		"postgres", "mysql", "redis", "grafana", "deploy", "guest", "backup", "administrator",
		"administrateur", "administrador", "utilisateur", "usuario", "benutzer", "serveur", "servidor",
		"base", "gast":
		return true
	}
	return false
}

// listedPassword finds the password in "passwords: admin SECRET", where the word "admin" stands at j.
func listedPassword(s string, j int, known secretName, how sign) Found {
	if how != spacedColon && how != equals {
		return Found{}
	}
	w := wordOf(s, j, false)
	if !isOwnerLabel(s[j:w]) {
		return Found{}
	}
	return valueAt(s, pastColon(s, w), known, true)
}

// pinAt finds the digits of a PIN at i, unless they count something.
func pinAt(s string, i int) Found {
	to := i
	for to < len(s) && isDigit(s[to]) {
		to++
	}
	if n := to - i; n < 4 || n > 12 || to < len(s) && (isWord(s[to]) || s[to] == '.' && to+1 < len(s) &&
		isDigit(s[to+1])) || isCount(s, to) {
		return Found{}
	}
	return Found{i, to, "PIN"}
}

// tabledValue finds the value in the next cell of a table, or alone on the next line.
func tabledValue(s string, i, end int, known secretName) Found {
	k := skip(s, skip(s, end, "*`:", 3), " \t", 40)
	if k >= len(s) {
		return Found{}
	}
	switch c := s[k]; {
	case c == '|' && beginsField(s, i, "|"):
		return cellValue(s, k+1, "|", known)
	case c == '\r' && strings.HasPrefix(s[k:], "\r\n"):
		k++
		fallthrough
	case c == '\n' && beginsField(s, i, ""):
		return cellValue(s, k+1, "\r\n", known)
	}
	return Found{}
}

// beginsField reports whether the name at i is the first thing behind the sign, or in its line if sign is "".
func beginsField(s string, i int, sign string) bool {
	for n := 0; i > 0 && n < 8 && strings.IndexByte(" \t*`#", s[i-1]) >= 0; n++ {
		i--
	}
	if sign != "" {
		return i > 0 && s[i-1] == sign[0]
	}
	return i == 0 || s[i-1] == '\n'
}

// endsField reports whether only quotes and blanks stand between i and one of the signs or the end.
func endsField(s string, i int, signs string) bool {
	i = skip(s, i, "`*\"' \t", 40)
	return i >= len(s) || strings.IndexByte(signs, s[i]) >= 0
}

// cellValue finds the value that fills the cell or line at i, up to one of the signs.
func cellValue(s string, i int, signs string, known secretName) Found {
	from := skip(s, i, " \t*`", 40)
	to := from
	for to < len(s) && to-from < 100 && s[to] > ' ' && s[to] != '|' && s[to] != '`' {
		to++
	}
	v := s[from:to]
	if !endsField(s, to, signs) || isPlaceholder(v) || isTechnicalTerm(v) || isGenericName(v) || isCode(v) ||
		isPath(v) || strings.Contains(v, "://") || !isPasswordLike(v) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// isPasswordLike reports whether v can be a password even though its name says little: letters with two
// digits or with a digit and a sign, and nothing that joins the parts of a name.
func isPasswordLike(v string) bool {
	letters, digits, signs, upper, lower := 0, 0, 0, 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isUpper(c):
			upper++
			letters++
		case isLower(c):
			lower++
			letters++
		case isDigit(c):
			digits++
		case strings.IndexByte("!@#$%^&*+~?", c) >= 0:
			signs++
		case strings.IndexByte("./:,;()[]{}|<>=\\_-", c) >= 0:
			return false
		}
	}
	if len(v) < 8 || letters < 3 || lower == 0 || strings.HasPrefix(v, "varchar") {
		return false
	}
	return digits > 1 && isLetter(v[0]) && !isGenericName(v) || digits > 0 && signs > 0
}

// isAssigned reports whether v, right behind the name from i to end and a "=", is a value even though it does
// not look like one. Shells and programs get no prose there.
func isAssigned(s string, i, end int, v string, known secretName) bool {
	if i > 1 && s[i-1] == '-' && s[i-2] == '-' { // --token=SECRET
		return known.traits&(drawn|header|chosen) == 0 && len(v) >= 5 && looksDrawn(v, false) &&
			!isTechnicalTerm(v) && !isCode(v) && !isGenericName(v) && !isPath(v)
	}
	if known.traits&(chosen|whole) != chosen || isCode(v) ||
		!isNumber(v) && (isTechnicalTerm(v) || isGenericName(v)) {
		return false
	}
	digits, upper, lower := 0, 0, 0
	for k := range len(v) {
		switch c := v[k]; {
		case isDigit(c):
			digits++
		case isUpper(c):
			upper++
		case isLower(c):
			lower++
		default:
			return false
		}
	}
	if len(v) < 8 && digits > 0 && upper > 0 && lower > 0 && len(v) > 2 {
		return true
	}
	name := s[i:end]
	if name != strings.ToUpper(name) { // environment variables are in upper case, unlike most code
		return false
	}
	if k := end + 1 + len(v); k < len(s) && s[k] > ' ' && s[k] != ';' || i > 0 && s[i-1] == '$' {
		return false
	}
	if digits == len(v) {
		return digits >= 4
	}
	return upper == 0 && len(v) >= 4 && !isPasswordProse(v) && !isSample(v)
}

// weakAt finds a password of one ordinary word: the word behind a verb that ends before from and has the name
// at i for its subject. The word must end its clause and say nothing about a password. A word with a single
// capital is a proper name (Kerberos).
func weakAt(s string, i, from int, known secretName) Found {
	if known.traits&(chosen|whole) != chosen || from < 3 {
		return Found{}
	}
	if verb := s[from-3 : from]; verb != " is" && verb != "tet" { // lautet
		return Found{}
	}
	at := skip(s, from, " *`\"'", 3)
	to, upper := at, 0
	for to < len(s) && isLetter(s[to]) && to-at < 20 {
		if isUpper(s[to]) {
			upper++
		}
		to++
	}
	v := s[at:to]
	if to-at < 5 || to-at == 20 || at == from || upper > len(v)/2 ||
		upper == 1 && isUpper(v[0]) || isPlaceholder(v) || isTechnicalTerm(v) ||
		isPasswordProse(strings.ToLower(v)) || isSample(v) {
		return Found{}
	}
	end := skip(s, to, "`*\"'", 2)
	if end < len(s) && strings.IndexByte(".,;!\n\r", s[end]) < 0 || end+1 < len(s) && s[end] == '.' &&
		s[end+1] > ' ' {
		return Found{}
	}
	before := strings.Fields(strings.ToLower(s[max(0, i-40):i])) // "if the new password is ..."
	for n := len(before) - 1; n >= 0 && n >= len(before)-4; n-- {
		switch strings.Trim(before[n], "*_(\"'`") {
		case "if", "when", "whether", "unless", "until", "once", "because", "since", "where", "while",
			"after", "before", "that", "no", "every", "each", "any", "which", "what", "how", "ensure", "sure",
			"check", "as", "a", "an", "wenn", "ob", "falls", "dass", "weil", "kein", "jedes", "ein":
			return Found{}
		}
	}
	return Found{at, to, known.kind}
}

// isPasswordProse reports whether w, in lower case, is a word with which sentences about passwords go on.
func isPasswordProse(w string) bool {
	if isFunctionWord(w) || isJoiningWord(w) || isDescription(w) || isFlagProse(w) || isUnit(w) {
		return true
	}
	for _, end := range [...]string{
		"al", "ic", "ive", "ous", "ant", "ent", "ary", "ory", "ful", "ence", "tion", "ity", "ness", "ble",
		"text", "ig", "los", "haft", "pt", "en", "ct", "ar", "ern", "sch",
	} {
		if strings.HasSuffix(w, end) && len(w) > len(end)+2 {
			return true
		}
	}
	switch w {
	case "plain", "clear", "stale", "unset", "there", "gone", "lost", "fine", "good", "great", "safe",
		"unsafe", "secure", "insecure", "simple", "complex", "easy", "hard", "crap", "true", "false", "null",
		"none", "nil", "undefined", "blank", "yours", "mine", "ours", "theirs", "hers", "public", "private",
		"local",
		"remote", "global", "shared", "alone", "old", "older", "new", "newer", "fresh", "same", "constant",
		"bogus", "fake", "dummy", "mock", "sample", "example", "test", "tests", "string", "number", "bytes",
		"alphanumeric", "ascii", "unicode", "case", "first", "last", "second", "third", "next", "late",
		"early", "ready", "active", "inactive", "alive", "dead", "broken", "overdue", "due", "obsolete",
		"deprecated", "unclear", "obvious", "complete", "incomplete", "enough", "mandatory", "necessary",
		"unnecessary", "needless", "useless", "bad", "worse", "better", "best", "okay", "ok", "free",
		"elsewhere", "back", "today", "tomorrow", "yesterday", "later", "soon", "again", "changeme",
		"replaceme", "changeit", "yes", "on", "off", "prompt", "ask", "stdin", "file", "env", "vault",
		"keyring", "input", "hash", "salt", "salty", "unique", "static", "dynamic", "separate", "opaque",
		"raw", "binary", "verbatim", "absent", "present", "up", "down", "nonsense", "trivial", "guess",
		"guessable", "personal", "temporary", "default", "root", "admin", "user", "part", "two", "three",
		"four", "five", "half", "data", "mehr", "weg", "neu", "unsicher", "sicher", "geheim", "gleich", "gut",
		"schlecht", "schwach", "stark", "alt", "wie", "so", "folgt", "abgelaufen", "verloren", "unbekannt",
		"bekannt", "overkill", "sacred", "history", "rubbish", "garbage", "another", "common", "rare", "wide",
		"close", "tight", "loose", "legacy", "moot", "short", "shorter", "longest", "longer", "large",
		"small", "visible", "cheap", "costly", "unused", "unwanted", "stateless", "toxic", "sane", "worth",
		"king", "key", "sent", "left", "kept", "held", "known", "unknown", "away", "aside", "ahead", "behind",
		"inside", "outside", "online", "offline", "inline", "upstream", "downstream", "outdated", "cached",
		"leaked", "weird", "odd", "strange", "funny", "sorry", "likely", "unlikely", "possible", "impossible",
		"important", "critical", "crucial", "vital", "essential", "legit":
		return true
	}
	return false
}
