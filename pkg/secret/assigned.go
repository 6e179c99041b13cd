package secret

import (
	"encoding/base64"
	"strings"
)

// A secretName is a name that can stand on the left of a secret, in lower case without separators. A longer
// name matches by its end (DB_PASSWORD). least is the length in bytes of the shortest value that is taken for
// a secret: shorter ones are as often words ("password: required", "the token is valid").
type secretName struct {
	name  string
	least int
	kind  string
	traits
}

// traits are the special properties of a name.
type traits byte

const (
	chosen traits = 1 << iota // chosen by a person: may be short, a phrase, or a number
	whole                     // matches only a word of its own: pass, not compass
	drawn                     // its value counts only if a machine has drawn it
	spoken                    // also found in a sentence: "the password is ..."
	header                    // a scheme of the Authorization header: a blank separates it from the value
)

var secretNames = [...]secretName{
	{"password", 5, "password", chosen | spoken}, {"passwd", 5, "password", chosen | spoken},
	{"passphrase", 5, "passphrase", chosen | spoken},
	{"passcode", 4, "password", chosen | spoken}, {"pwd", 5, "password", chosen | spoken | whole},
	{"sshpass", 5, "password", chosen}, {"pass", 5, "password", chosen | spoken | whole},
	{"pw", 5, "password", chosen | spoken | whole},
	{"passwort", 5, "password", chosen | spoken}, {"kennwort", 5, "password", chosen | spoken},
	{"motdepasse", 5, "password", chosen | spoken},
	{"passe", 5, "password", chosen | spoken | whole}, {"mdp", 5, "password", chosen | spoken | whole},
	{"contraseña", 5, "password", chosen | spoken}, {"contrasena", 5, "password", chosen | spoken},
	{"clave", 6, "password", chosen | spoken | whole}, {"schlüssel", 12, "key", spoken},
	{"clé", 12, "key", spoken | whole}, {"jeton", 12, "token", spoken | whole},
	{"geheimnis", 8, "secret", spoken}, {"secreto", 8, "secret", spoken},
	{"secretkey", 8, "secret key", spoken}, {"clientsecret", 8, "secret", spoken},
	{"secret", 8, "secret", spoken},
	{"apikey", 8, "API key", spoken}, {"accesskey", 16, "access key", spoken},
	{"accesskeyid", 16, "access key", 0},
	{"privatekey", 16, "private key", spoken}, {"signingkey", 16, "secret key", spoken},
	{"encryptionkey", 16, "secret key", spoken}, {"masterkey", 16, "secret key", spoken},
	{"authkey", 16, "secret key", spoken}, {"licensekey", 16, "license key", spoken},
	{"accountkey", 16, "access key", spoken}, {"storagekey", 16, "access key", drawn | spoken},
	{"herokukey", 16, "API key", 0}, {"snykkey", 16, "API key", 0}, {"hubspotkey", 16, "API key", 0},
	{"cloudflare", 32, "API key", drawn}, {"sourcegraph", 40, "token", drawn},
	{"artifactory", 60, "token", drawn}, {"jfrog", 60, "token", drawn},
	{"birdclientid", 30, "client id", 0}, {"accessid", 14, "access id", 0}, {"sonarlogin", 30, "token", 0},
	{"contribsyscom", 17, "password", 0},
	{"key", 20, "key", drawn | whole},
	{"secretkeybase", 8, "secret key", 0}, {"rediscliauth", 5, "password", chosen},
	{"recoverycode", 6, "code", spoken}, {"backupcode", 6, "code", spoken},
	{"accesscode", 6, "code", chosen | spoken}, {"zugangscode", 5, "password", chosen | spoken},
	{pin, 4, "PIN", chosen | spoken | whole}, {several, 5, "password", chosen},
	{"token", 11, "token", spoken}, {"cookie", 16, "cookie", 0}, {"sessionid", 16, "session id", 0},
	{"credentials", 16, "credentials", drawn}, {"credential", 16, "credentials", drawn},
	{"creds", 16, "credentials", drawn}, {"auth", 8, "password", drawn | whole},
	{"authorization", 16, "password", drawn},
	{"bearer", 16, "bearer token", header}, {"basic", 8, "password", header},
}

// Names with rules of their own: pin is the name of a number, several heads a list of passwords.
const (
	pin     = "pin"
	several = "passwords"
)

// nameless are words before "key" that make it a key to look things up with, not one that opens something.
var nameless = [...]string{
	"public", "primary", "foreign", "cache", "idempotency", "partition", "sort", "row", "dedup", "dedupe",
	"deduplication", "group", "hash", "index", "lookup", "map", "unique", "composite", "candidate", "project",
	"issue", "routing", "redis", "registry", "message", "event", "param", "config", "dict", "json", "hot",
	"short", "object", "s3", "i18n", "translation", "host", "file",
}

// maxBare is how many bytes of an unquoted value are looked at.
const maxBare = 200

// maxValue is the length of the longest quoted secret, in bytes. Longer strings are texts.
const maxValue = 512

// assignedValue finds the secret that the name from i to end introduces: in `name = value`, `"name":
// "value"`, `Bearer value`, or a sentence about it.
func (sc *scanner) assignedValue(t *tables, i, end int) Found {
	s := sc.s
	if end-i < 2 {
		return Found{}
	}
	// "pw" is the only name of two letters.
	if short := s[end-1]|0x20 == 'w'; !short && (end-i < 3 || !t.endings.has(ending(s, end))) {
		return Found{}
	}
	known := nameOf(s, i, end)
	if known.name == "key" && end-i == 3 || known.name == "" && s[i:end] == "code" {
		if two := twoWords(s, i, end); two.name != "" { // "the API key is ..."
			known = two
		}
	}
	if known.name == "" || known.name == pin && !strings.HasSuffix(s[i:end], "PIN") {
		return Found{}
	}
	j, quote, how := readAssignment(s, i, end)
	if known.name == several {
		return listedPassword(s, j, known, how)
	}
	if known.name == pin {
		if f := pinAt(s, j); how != nothing || f.To > 0 {
			return f
		}
	}
	if f := tabledValue(s, i, end, known); f.To > 0 {
		return f
	}
	switch {
	case how == nothing && isConfigSetting(s, i):
		from, to, ok := argumentAt(s, skip(s, end, " ", 1))
		if ok && from > end && to-from >= 5 && !isSample(s[from:to]) {
			return Found{from, to, known.kind}
		}
		return Found{}
	// the next item of a list, as of tags
	case known.traits&header != 0 && strings.ContainsRune(s[end:j], ','):
		return Found{}
	case how == nothing && known.traits&header != 0 && j > end:
	case how == nothing && known.name == "token" && isAuthorized(s, i) && j > end:
	case how == nothing && known.traits&spoken != 0:
		if known.name == "passwd" && strings.HasSuffix(s[i:end], "htpasswd") { // the program, not a name
			return Found{}
		}
		sc.found(calledBefore(s, i, end, known), i, len(s))
		return saidValue(s, i, end, known)
	case how == nothing:
		return Found{}
	}
	// This comes before the value is read to its end, so that no text is read twice.
	for _, other := range [...]string{
		"$", "<", "{", "%(", "%{", "#{", "process.env", "os.", "env.", "*", Redacted,
	} {
		if strings.HasPrefix(s[j:], other) && !(other == "*" && quote != 0) {
			return Found{}
		}
	}
	if quote != 0 && strings.HasPrefix(s[j:], " ") { // a prompt: Print("Password: ")
		return Found{}
	}
	if strings.HasPrefix(s[j:], "----") {
		if k := armourEnd(s, j); k > 0 {
			return Found{j, k, privateKey}
		}
	}
	k, ok := valueEnd(s, j, quote)
	if how == element {
		if e := skip(s, k, blanks, 40); e >= len(s) || s[e] != '<' {
			return Found{}
		}
	}
	if quote == 0 && i > 0 && (s[i-1] == '?' || s[i-1] == '&') { // in a URL, which may go on
		if n := strings.IndexAny(s[j:k], "&#"); n >= 0 {
			k = j + n
		}
	}
	v := s[j:k]
	if !ok || isPlaceholder(v) {
		return Found{}
	}
	if known.traits&chosen != 0 && how == equals && sc.runs(i, client) && !isSample(v) {
		return Found{j, k, known.kind} // the flag of a known program: any value counts
	}
	if to := passphraseEnd(s, i, j, quote, known); to > 0 {
		return Found{j, to, known.kind}
	}
	if how == spacedColon && quote == 0 && isOwnerLabel(v) { // "password: admin ..."
		return listedPassword(s, j, known, how)
	}
	// the name of a session
	if known.name == "sessionid" && len(v) >= 36 && isUUID(v[:36]) && !isWord((v + " ")[36]) {
		return Found{}
	}
	if quote == 0 && how == equals && s[end] == '=' && isAssigned(s, i, end, v, known) {
		return Found{j, k, known.kind}
	}
	if len(v) < known.least {
		return Found{}
	}
	if known.traits&drawn != 0 && !isDrawn(v, known) {
		return Found{}
	}
	if bare := known.name == "key" && end-i == 3; bare && (strings.ToLower(v) == v ||
		strings.ToUpper(v) == v) {
		return Found{}
	}
	if known.name == "token" && len(v) < 16 && !isDrawn(v, known) {
		return Found{}
	}
	if quote == 0 && isCode(v) {
		return Found{}
	}
	authorized := isAuthorized(s, i)
	if prose := how == spacedColon || known.traits&header != 0; prose && quote == 0 && !authorized &&
		isTechnicalTerm(v) {
		return Found{}
	}
	if known.traits&(chosen|header) == chosen && len(v) < 8 && !looksDrawn(v, true) {
		return Found{}
	}
	if known.traits&chosen != 0 && isPath(v) {
		return Found{}
	}
	if strings.Count(v, " ") > 4 { // a sentence in quotes
		return Found{}
	}
	if !hasSign(v) && !authorized {
		joined := known.traits&chosen != 0 && strings.Count(v, "-") > 1 && strings.ToLower(v) == v
		if joined && !isPassphrase(v) { // a description of a password
			return Found{}
		}
		if !joined && len(v) < 24 && !(known.traits&spoken != 0 && randomLetters(v)) { // a word
			return Found{}
		}
	}
	if known.name == "cookie" {
		for k < len(s) && s[k] != '\n' && s[k] != '"' && s[k] != '\'' {
			k++ // the header's other pairs
		}
	}
	if quote == 0 && len(v) == maxBare {
		k = runEnd(s, k)
	}
	return Found{j, k, known.kind}
}

// twoWords returns the secretName that the word before the key from i to end makes together with it.
func twoWords(s string, i, end int) secretName {
	k := i - 1
	if k < 0 || s[k] != ' ' && s[k] != '-' {
		return secretName{}
	}
	for k > 0 && isLetter(s[k-1]) && i-k < 12 {
		k--
	}
	known := nameOf(s[k:i-1]+"_"+s[i:end], 0, end-k)
	if known.name == "key" {
		return secretName{}
	}
	return known
}

// isConfigSetting reports whether the name at i is a setting whose value follows behind a blank.
func isConfigSetting(s string, i int) bool {
	return s[i] == '_' && i > 0 && s[i-1] == ':' || strings.HasSuffix(s[:i], "configure set ")
}

// hasSign reports whether v holds anything but letters (of any language) and the signs that join words.
func hasSign(v string) bool {
	for i := range len(v) {
		if c := v[i]; !isLetter(c) && c < 0x80 && c != '-' && c != '.' && c != '_' && c != ' ' {
			return true
		}
	}
	return false
}

// nameOf returns the secretName that matches the name from i to end; its zero value if none does.
func nameOf(s string, i, end int) (known secretName) {
	var folded [32]byte // the end of the name; longer than any name above
	n := len(folded)
	for k := end - 1; k >= i && n > 0; k-- {
		c := s[k]
		if c == '_' || c == '-' {
			continue
		}
		if isUpper(c) {
			c += 'a' - 'A'
		}
		if c >= 0x80 && c <= 0x9e && k > i && s[k-1] == 0xc3 { // a capital of Latin-1
			c += 0x20
		}
		n--
		folded[n] = c
	}
	name := string(folded[n:])
	for _, k := range secretNames {
		if k.name[len(k.name)-1] != folded[len(folded)-1] || !strings.HasSuffix(name, k.name) {
			continue
		}
		at := end - len(k.name) // a name that must be whole has no separators inside
		if k.traits&whole != 0 && at > i && isLetter(s[at-1]) && (isUpper(s[at-1]) || !isUpper(s[at])) {
			continue
		}
		if k.name == "key" {
			for _, none := range nameless {
				if strings.HasSuffix(strings.TrimSuffix(name, "key"), none) {
					return secretName{}
				}
			}
		}
		return k
	}
	return secretName{}
}

// A sign is how a value is assigned to a name.
type sign byte

const (
	nothing     sign = iota
	spacedColon      // as in prose: "password: required"
	equals           // any other
	element          // <password>value</password>
)

// readAssignment reads what stands between the name from i to end and its value at j: blanks, a sign, quotes,
// and the backslashes of quotes inside of quotes.
func readAssignment(s string, i, end int) (j int, quote byte, how sign) {
	j = skip(s, end, "\\", 2)
	quoted := j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`')
	if quoted {
		j++
		if j < len(s) && s[j] == ']' { // config["password"] =
			j++
		}
	} else {
		j = end
	}
	j = skip(s, j, "*", 2) // **Password**: in Markdown
	j = noBreak(s, skip(s, j, " \t", 40))
	if j >= len(s) {
		return j, 0, nothing
	}
	switch c := s[j]; {
	case c == ':':
		k := skip(s, j, ":", 3)
		if k < len(s) && s[k] == '=' {
			j, how = k+1, equals
		} else if k == j+1 {
			j, how = k, equals
			if k < len(s) && (s[k] == ' ' || s[k] == '\t') && !quoted {
				how = spacedColon
			}
		}
	case c == '=':
		j, how = skip(s, j, "=>", 3), equals
	case c == '?' || c == '.' || c == '+' || c == '|':
		if k := skip(s, j, "?.+", 2); k < len(s) && s[k] == '=' {
			j, how = k+1, equals
		} else if strings.HasPrefix(s[j:], "||") {
			j, how = j+2, equals
		}
	case c == '>' && i > 0 && s[i-1] == '<': // <password>value</password>
		j, how = skip(s, j+1, blanks, 40), element
	case c == ',' && quoted: // set("password", "value")
		if k := skip(s, j+1, blanks, 12); k < len(s) && (s[k] == '"' || s[k] == '\'') {
			j, how = k, equals
			if pastValueKey(s, k+1) > 0 { // {"name": "PASSWORD", "value": "..."}
				return valueOfPair(s, k)
			}
		}
	case pastStringType(s, j) > j: // var password string = "value"
		if k := pastStringType(s, j); k < len(s) && s[k] == '=' {
			j, how = k+1, equals
		}
	}
	if how == nothing {
		if j, quote, how = valueOfPair(s, skip(s, j, blanks, 40)); how != nothing {
			return j, quote, how
		}
		return skip(s, end, " ", 1), 0, nothing
	}
	j = skip(s, j, "*", 2)
	j = skip(s, j, " \t", 40)
	if k := pastStringType(s, j); k > j && k < len(s) && s[k] == '=' { // password: str = "value"
		j = skip(s, k+1, " \t", 8)
	}
	k := skip(s, j, "\\", 2)
	if k < len(s) && (s[k] == '"' || s[k] == '\'' || s[k] == '`') {
		quote = s[k]
		j = k + 1
		if k > 0 && s[k-1] == '\\' {
			quote |= escaped
		}
		if quote == '`' && strings.HasPrefix(s[j:], "`") {
			return j, 0, nothing // a block of code opens here
		}
	}
	return j, quote, how
}

// escaped marks a quote that follows a backslash; the value ends at the next such quote.
const escaped = 0x80

// pastValueKey returns the place behind the word "value" at i, or 0.
func pastValueKey(s string, i int) int {
	if strings.HasPrefix(s[i:], "value") && i+5 < len(s) && !isWord(s[i+5]) {
		return i + 5
	}
	return 0
}

// valueOfPair reads the assignment after a name that is itself a value: at i stands `value: "..."`, with
// quotes.
func valueOfPair(s string, i int) (j int, quote byte, how sign) {
	i = skip(s, i, "\"'", 1)
	k := 0
	if i < len(s) {
		k = pastValueKey(s, i)
	}
	if k == 0 {
		return i, 0, nothing
	}
	k = skip(s, skip(s, k, "\"'", 1), " ", 2)
	if k >= len(s) || s[k] != ':' && s[k] != '=' {
		return i, 0, nothing
	}
	j = skip(s, k+1, " ", 2)
	if j < len(s) && (s[j] == '"' || s[j] == '\'') {
		return j + 1, s[j], equals
	}
	return j, 0, equals
}

// pastStringType returns the place behind the type of a string and its blank at i, or i.
func pastStringType(s string, i int) int {
	for _, name := range [...]string{"string ", "str ", "String ", "&str "} {
		if strings.HasPrefix(s[i:], name) {
			return i + len(name)
		}
	}
	return i
}

// valueEnd returns the end of the value at j. It stops after maxBare bytes if the value is unquoted, and
// reports false if it is quoted text too long for a value.
func valueEnd(s string, j int, quote byte) (int, bool) {
	k := j
	if quote == 0 {
		for k < len(s) && k-j < maxBare && s[k] != ';' && !endsValue(s[k]) {
			k++
		}
		for k > j && (s[k-1] == '.' || s[k-1] == ':') { // the sentence's own
			k--
		}
		return k, true
	}
	end := quote &^ escaped
	for ; k < len(s) && s[k] != '\n'; k++ {
		if k-j > maxValue {
			return k, false
		}
		switch {
		case s[k] == '\\' && quote&escaped != 0: // before the closing quote, or in a value of a value
			if k+1 >= len(s) || s[k+1] == end || s[k+1] == 'n' {
				return k, true
			}
			k++
		case s[k] == '\\':
			if k+1 < len(s) && s[k+1] == 'n' {
				return k, true
			}
			k++
		case s[k] == end:
			return k, true
		}
	}
	return min(k, len(s)), true
}

// isAuthorized reports whether the word at i follows "Authorization:".
func isAuthorized(s string, i int) bool {
	before := strings.TrimRight(s[max(0, i-24):i], " \t'\"\\")
	return len(before) >= 14 && strings.EqualFold(before[len(before)-14:], "authorization:")
}

// isCode reports whether v begins a call or an index expression, and so is code.
func isCode(v string) bool {
	n := strings.IndexAny(v, "([")
	if n <= 0 {
		return false
	}
	for i := range n {
		if c := v[i]; !isLetter(c) && c != '.' && c != '_' && c != ':' {
			return false
		}
	}
	return true
}

// isDrawn reports whether v was drawn by a machine. Weak names ask for this proof.
func isDrawn(v string, known secretName) bool {
	if known.name == "auth" {
		plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
		if err == nil && strings.IndexByte(string(plain), ':') > 0 && isASCII(string(plain)) {
			return true
		}
		if len(v) < 20 {
			return false
		}
	}
	digits, letters, upper, lower, breaks := 0, 0, 0, 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isDigit(c):
			digits++
		case isUpper(c):
			upper++
			letters++
		case isLower(c):
			lower++
			letters++
		case c == '+', c == '=' && strings.Trim(v[i:], "=") == "":
		case c == '/' || c == '-' || c == '_' || c == '.' || c == '~':
			breaks++
		default:
			return false
		}
	}
	switch oneCase := upper == 0 || lower == 0; {
	case isUUID(v):
		return known.name == "authorization"
	case len(v) < 16:
		return digits >= 1 && letters >= 3 && breaks == 0
	case digits < 3 || letters < 3:
		return len(v) >= 24 && breaks == 0 && upper > 4 && lower > 4
	case oneCase:
		return len(v) >= 32 && breaks*16 <= len(v)
	default:
		return breaks*8 <= len(v)
	}
}

// isUUID reports whether v has the form of a UUID, which is a name rather than a secret.
func isUUID(v string) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
}

// isASCII reports whether s is plain ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// isPlaceholder reports whether v stands in the place of a value: a variable, an ellipsis, a template.
func isPlaceholder(v string) bool {
	switch {
	case v == "", v[0] == '$', v[0] == '<', v[0] == '{', strings.HasPrefix(v, "%{"),
		strings.HasPrefix(v, "%("), strings.HasPrefix(v, "env:"), strings.HasPrefix(v, "file:"):
		return true
	case strings.HasPrefix(strings.TrimLeft(v, "[\\"), "redacted"): // also where a form took the brackets off
		return true
	}
	for i := 1; i < len(v); i++ { // ****, xxxx, ....
		if v[i] != v[0] {
			return false
		}
	}
	return !isDigit(v[0])
}

// isPath reports whether v is a path: it begins like one and holds only names.
func isPath(v string) bool {
	rest := v
	for _, p := range [...]string{"~/", "./", "../", "/"} {
		if strings.HasPrefix(v, p) {
			rest = v[len(p):]
			break
		}
	}
	if rest == v || strings.ContainsAny(rest, "+=!@#$%^&*") {
		return false
	}
	return strings.Contains(rest, "/") || strings.Contains(rest, ".") || !isMachineMade(rest)
}
