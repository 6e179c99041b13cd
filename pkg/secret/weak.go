package secret

import "strings"

// label reports whether w says for whom or for what a password is, and nothing about it.
func label(w string) bool {
	switch strings.ToLower(w) {
	case "admin", "root", "user", "wifi", "wlan", "prod", "production", "staging", "test", "dev", "db",
		"database", "server", "sudo", "ssh", "ftp", "sftp", "smtp", "imap", "mail", "vpn", "login", "postgres",
		"mysql", "redis", "grafana", "deploy", "guest", "backup", "administrator", "administrateur",
		"administrador", "utilisateur", "usuario", "benutzer", "serveur", "servidor", "base", "gast":
		return true
	}
	return false
}

// listed finds the password behind who has it, in "passwords: admin SECRET", where who has it stands at j.
func listed(s string, j int, known secretName, how sign) Found {
	if how != spacedColon && how != equals {
		return Found{}
	}
	w := wordOf(s, j, false)
	if !label(s[j:w]) {
		return Found{}
	}
	return value(s, pastColon(s, w), known, true)
}

// pinAt finds the digits of a PIN at i, which nothing counts.
func pinAt(s string, i int) Found {
	to := i
	for to < len(s) && isDigit(s[to]) {
		to++
	}
	if n := to - i; n < 4 || n > 12 || to < len(s) && (isWord(s[to]) || s[to] == '.' && to+1 < len(s) &&
		isDigit(s[to+1])) || measures(s, to) {
		return Found{}
	}
	return Found{i, to, "PIN"}
}

// laidOut finds the value that stands in the next cell of a table, or alone on the next line.
func laidOut(s string, i, end int, known secretName) Found {
	k := skip(s, skip(s, end, "*`:", 3), " \t", 40)
	if k >= len(s) {
		return Found{}
	}
	switch c := s[k]; {
	case c == '|' && begins(s, i, "|"):
		return cell(s, k+1, "|", known)
	case c == '\r' && strings.HasPrefix(s[k:], "\r\n"):
		k++
		fallthrough
	case c == '\n' && begins(s, i, ""):
		return cell(s, k+1, "\r\n", known)
	}
	return Found{}
}

// begins reports whether nothing stands between the name at i and the sign before it, or the beginning of
// its line.
func begins(s string, i int, sign string) bool {
	for n := 0; i > 0 && n < 8 && strings.IndexByte(" \t*`#", s[i-1]) >= 0; n++ {
		i--
	}
	if sign != "" {
		return i > 0 && s[i-1] == sign[0]
	}
	return i == 0 || s[i-1] == '\n'
}

// alone reports whether nothing but quotes and blanks stands between i and one of the signs or the end.
func alone(s string, i int, signs string) bool {
	i = skip(s, i, "`*\"' \t", 40)
	return i >= len(s) || strings.IndexByte(signs, s[i]) >= 0
}

// cell finds the value that fills the cell of a table, or the line, at i, up to one of the signs.
func cell(s string, i int, signs string, known secretName) Found {
	from := skip(s, i, " \t*`", 40)
	to := from
	for to < len(s) && to-from < 100 && s[to] > ' ' && s[to] != '|' && s[to] != '`' {
		to++
	}
	v := s[from:to]
	if !alone(s, to, signs) || placeholder(v) || technical(v) || generic(v) || calls(v) ||
		pathLike(v) || strings.Contains(v, "://") || !passwordLike(v) {
		return Found{}
	}
	return Found{from, to, known.kind}
}

// passwordLike reports whether v can be taken for a password under a name that says little: letters with
// two digits or a sign among them, and nothing that joins the parts of a name.
func passwordLike(v string) bool {
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
	return digits > 1 && isLetter(v[0]) && !generic(v) || digits > 0 && signs > 0
}

// given reports whether v, which stands right behind the name from i to end and a "=", is a value although
// it looks like none: what the shell and programs get there is no prose.
func given(s string, i, end int, v string, known secretName) bool {
	if i > 1 && s[i-1] == '-' && s[i-2] == '-' { // --token=SECRET
		return known.traits&(drawn|header|chosen) == 0 && len(v) >= 5 && telling(v, false) &&
			!technical(v) && !calls(v) && !generic(v) && !pathLike(v)
	}
	if known.traits&(chosen|whole) != chosen || calls(v) ||
		!number(v) && (technical(v) || generic(v)) {
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
	if name != strings.ToUpper(name) { // a variable of the environment, as no code has one
		return false
	}
	if k := end + 1 + len(v); k < len(s) && s[k] > ' ' && s[k] != ';' || i > 0 && s[i-1] == '$' {
		return false
	}
	if digits == len(v) {
		return digits >= 4
	}
	return upper == 0 && len(v) >= 4 && !saysOf(v) && !stands(v)
}

// weakAt finds the one word that a name which begins at i is said to be, behind the verb that ends before
// from, where it ends the clause and says nothing about a password. One with a capital is the name of
// something (Kerberos), unless it has more.
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
		upper == 1 && isUpper(v[0]) || placeholder(v) || technical(v) ||
		saysOf(strings.ToLower(v)) || stands(v) {
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

// saysOf reports whether a word in lower case is one with which sentences about passwords go on.
func saysOf(w string) bool {
	if functional(w) || joins(w) || describes(w) || explains(w) || unit(w) {
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
		"remote", "global", "shared", "alone", "old", "older", "new", "newer", "fresh", "same", "constant", "bogus",
		"fake", "dummy", "mock", "sample", "example", "test", "tests", "string", "number", "bytes", "alphanumeric",
		"ascii", "unicode", "case", "first", "last", "second", "third", "next", "late", "early", "ready", "active",
		"inactive", "alive", "dead", "broken", "overdue", "due", "obsolete", "deprecated", "unclear", "obvious",
		"complete", "incomplete", "enough", "mandatory", "necessary", "unnecessary", "needless", "useless",
		"bad", "worse", "better", "best", "okay", "ok", "free", "elsewhere", "back", "today", "tomorrow",
		"yesterday", "later", "soon", "again", "changeme", "replaceme", "changeit", "yes", "on",
		"off", "prompt", "ask", "stdin", "file", "env", "vault", "keyring", "input", "hash", "salt", "salty",
		"unique", "static", "dynamic", "separate", "opaque", "raw", "binary", "verbatim", "absent", "present",
		"up", "down", "nonsense", "trivial", "guess", "guessable", "personal", "temporary", "default", "root",
		"admin", "user", "part", "two", "three", "four", "five", "half", "data", "mehr", "weg", "neu",
		"unsicher", "sicher", "geheim", "gleich", "gut", "schlecht", "schwach", "stark", "alt",
		"wie", "so", "folgt", "abgelaufen", "verloren", "unbekannt", "bekannt", "overkill", "sacred", "history",
		"rubbish", "garbage", "another", "common", "rare", "wide", "close", "tight", "loose", "legacy", "moot",
		"short", "shorter", "longest", "longer", "large", "small", "visible", "cheap", "costly", "unused",
		"unwanted",
		"stateless", "toxic", "sane", "worth", "king", "key", "sent", "left", "kept", "held", "known", "unknown",
		"away", "aside", "ahead", "behind", "inside", "outside", "online", "offline", "inline", "upstream",
		"downstream", "outdated", "cached", "leaked", "weird", "odd", "strange", "funny", "sorry", "likely",
		"unlikely", "possible", "impossible", "important", "critical", "crucial", "vital", "essential", "legit":
		return true
	}
	return false
}
