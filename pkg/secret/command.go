package secret

import "strings"

// place finds what is secret by the words before it: webhooks, files of PuTTY and
// lines of a .netrc.
func (sc *scanner) place(i int) Found {
	s := sc.s
	switch s[i] {
	case 'b': // api.telegram.org/botNUMBER:SECRET
		if strings.HasPrefix(s[i:], "bot") && i+3 < len(s) && isDigit(s[i+3]) {
			return numbered(s, i+3, nameEnd(s, i+3))
		}
	case 'h', 'd':
		for _, h := range hooks {
			if strings.HasPrefix(s[i:], h.prefix) {
				from := i + len(h.prefix)
				to := run(s, from)
				if to > from && s[from] != '.' && !placeholder(s[from:to]) {
					return Found{from, to, h.kind}
				}
			}
		}
		if strings.HasPrefix(s[i:], "default login ") {
			return netrc(s, i+len("default"))
		}
	case 'P':
		if strings.HasPrefix(s[i:], puTTY) {
			return Found{i, sc.puTTYEnd(i), privateKey}
		}
	case 'm':
		if strings.HasPrefix(s[i:], "machine ") {
			at := skip(s, i+len("machine"), " \t", 8)
			return netrc(s, wordEnd(s, at))
		}
	}
	return Found{}
}

// blanks stand between the words of a .netrc.
const blanks = " \t\r\n"

// netrc finds the password in "login NAME password SECRET" at i.
func netrc(s string, i int) Found {
	for _, key := range [...]string{"login", "password"} {
		at := skip(s, i, blanks, 40)
		if at == i || !strings.HasPrefix(s[at:], key) {
			return Found{}
		}
		at += len(key)
		i = skip(s, at, blanks, 40)
		if i == at {
			return Found{}
		}
		if key == "login" {
			i = wordEnd(s, i)
		}
	}
	end := wordEnd(s, i)
	if end == i || end-i > 200 || placeholder(s[i:end]) {
		return Found{}
	}
	return Found{i, end, "password"}
}

// wordEnd returns the end of the stretch at i without blanks, at most 200 bytes.
func wordEnd(s string, i int) int {
	from := i
	for i < len(s) && i-from < 200 && s[i] > ' ' {
		i++
	}
	return i
}

// A program takes a password with a short flag.
type program byte

const (
	noProgram program = iota
	mysql             // -pSECRET
	sshpass           // -p SECRET, -pSECRET
	login             // -p SECRET: docker login, mongosh
	redis             // -a SECRET
	ldap              // -w SECRET
	sqlcmd            // -P SECRET
	curl              // -H "Name: SECRET" is found by its name; -u NAME:SECRET
)

// maxCommand is how far behind the program's name its flag may stand, in bytes.
const maxCommand = 400

// command notes the program that is named from i to end, and finds values that
// only the two words before them show.
func (sc *scanner) command(i, end int) Found {
	s := sc.s
	if end-i < 3 || end-i > 14 || end >= len(s) || s[end] != ' ' {
		return Found{}
	}
	p := noProgram
	switch s[i] {
	case 'm':
		switch name := s[i:end]; name {
		case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck", "mysqlslap",
			"mysqlpump", "mariadb", "mariadb-dump", "mariadb-admin":
			p = mysql
		case "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport":
			p = login
		}
	case 's':
		switch s[i:end] {
		case "sshpass":
			p = sshpass
		case "sqlcmd":
			p = sqlcmd
		}
	case 'r':
		if s[i:end] == "redis-cli" {
			p = redis
		}
	case 'l':
		switch s[i:end] {
		case "ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami", "ldapdelete", "ldappasswd":
			p = ldap
		case "login": // docker login, az login, oc login
			p = login
		}
	case 'c':
		if s[i:end] == "curl" {
			p = curl
		}
	}
	if p != noProgram {
		sc.program, sc.programAt = p, end
	}
	return Found{}
}

// flag finds the value of a flag that begins at i, and of a header after it.
func (sc *scanner) flag(i int) Found {
	s := sc.s
	if i > 0 && strings.IndexByte(" \n\t'\"`\\;(", s[i-1]) < 0 || i+2 >= len(s) {
		return Found{}
	}
	if s[i+1] == '-' {
		if rest := s[i+2:]; strings.HasPrefix(rest, "user ") || strings.HasPrefix(rest, "user=") {
			return sc.userPassword(i, i+len("--user "))
		}
		return longFlag(s, i)
	}
	c := s[i+1]
	if c == 'u' {
		if s[i+2] == ' ' {
			return sc.userPassword(i, i+3)
		}
		if sc.running(i, curl) && s[i+2] != '=' {
			return sc.userPassword(i, i+2)
		}
		return Found{}
	}
	at := i + 2
	spaced := s[at] == ' '
	switch {
	case c == 'p' && !spaced && (sc.running(i, mysql) || sc.running(i, sshpass)):
	case c == 'p' && spaced && (sc.running(i, sshpass) || sc.running(i, login)):
		at++
	case spaced && (c == 'a' && sc.running(i, redis) || c == 'w' && sc.running(i, ldap) || c == 'P' &&
		sc.running(i, sqlcmd)):
		at++
	default:
		return Found{}
	}
	from, to, ok := argument(s, at)
	if !ok || s[from:to] == "ort" || s[from:to] == "rotocol" {
		return Found{}
	}
	return Found{from, to, "password"}
}

// running reports whether the flag at i is one of the program p: on its command
// line, and not behind a pipe.
func (sc *scanner) running(i int, p program) bool {
	if sc.program != p || i-sc.programAt > maxCommand {
		return false
	}
	between := sc.s[sc.programAt:i]
	for k := range len(between) {
		switch between[k] {
		case '|', ';':
			return false
		case '\n':
			if k == 0 || between[k-1] != '\\' {
				return false
			}
		}
	}
	return true
}

// argument returns the one word of a command line at i, without its quotes.
func argument(s string, i int) (from, to int, ok bool) {
	if i >= len(s) {
		return 0, 0, false
	}
	if q := s[i]; q == '"' || q == '\'' {
		from = i + 1
		n := strings.IndexByte(s[from:min(len(s), from+maxValue)], q)
		if n < 1 {
			return 0, 0, false
		}
		to = from + n
	} else {
		from, to = i, run(s, i)
		for to > from && strings.IndexByte(".;:", s[to-1]) >= 0 { // of the sentence or the shell
			to--
		}
	}
	return from, to, to > from && s[from] != '-' && !placeholder(s[from:to])
}

// longFlag finds the value of --password VALUE and its like. --password=VALUE is an
// assignment like any other.
func longFlag(s string, i int) Found {
	end := nameEnd(s, i+2)
	if end >= len(s) || s[end] != ' ' || end-i < 6 || end-i > 40 {
		return Found{}
	}
	kind := ""
	for _, n := range [...]struct{ end, kind string }{
		{"password", "password"}, {"passphrase", "passphrase"}, {"token", "token"}, {"secret", "secret"},
		{"api-key", "API key"}, {"apikey", "API key"}, {"-key", "API key"}, {"-pass", "password"},
		{"passwd", "password"},
	} {
		if strings.HasSuffix(s[i:end], n.end) {
			kind = n.kind
			break
		}
	}
	if kind == "" {
		return Found{}
	}
	from, to, ok := argument(s, end+1)
	if !ok || to-from < 5 || !telling(s[from:to], kind == "password") {
		return Found{}
	}
	return Found{from, to, kind}
}

// userPassword finds the password of curl's -u user:password, which stands at i,
// behind a flag. Other programs count with such a flag, or name numbers.
func (sc *scanner) userPassword(flag, i int) Found {
	s := sc.s
	quote := byte(0)
	for i < len(s) && (s[i] == '"' || s[i] == '\'') {
		quote = s[i]
		i++
	}
	k := i
	colon := -1
	for k < len(s) && k-i < maxValue {
		c := s[k]
		if c == ':' && colon < 0 {
			colon = k
			if quote != 0 && k+1 < len(s) && s[k+1] == quote { // "user":"password"
				break
			}
		}
		if quote != 0 && c == quote || c == '\n' || quote == 0 && (endsValue(c) && c != ')' && c != ']') {
			break
		}
		k++
	}
	// user:"password"
	if colon >= 0 && quote == 0 && colon+1 == k && k < len(s) && (s[k] == '"' || s[k] == '\'') {
		from, to, ok := argument(s, k)
		if ok {
			return Found{from, to, "password"}
		}
		return Found{}
	}
	if colon > i && k <= colon+1 && sc.running(flag, curl) && colon-i >= 8 && telling(s[i:colon], false) {
		return Found{i, colon, "password"} // curl -u KEY:
	}
	if colon < 0 || k <= colon+1 || placeholder(s[colon+1:k]) {
		return Found{}
	}
	if number(s[colon+1:k]) && !sc.running(flag, curl) {
		return Found{}
	}
	return Found{colon + 1, k, "password"}
}

// urlCredential finds the password of user:password@ after the :// of a URL.
func urlCredential(s string, i int) (from, to int) {
	colon := 0
	for j := i; j < len(s) && j < i+200; j++ {
		switch c := s[j]; {
		case c == '@' && colon > 0 && j > colon+1:
			if placeholder(s[colon+1 : j]) {
				return 0, 0
			}
			return colon + 1, j
		case c == ':' && colon == 0:
			colon = j
		case c <= ' ' || c == '/' || c == '"' || c == '\'' || c == '`':
			return teams(s, i, j)
		}
	}
	return 0, 0
}

// teams finds the secret path of a webhook of Microsoft Teams in the URL whose host
// is s[i:j].
func teams(s string, i, j int) (from, to int) {
	if n := strings.Index(s[i:min(len(s), j+len(teamsHook))], teamsHook); n >= 0 {
		from = i + n + len(teamsHook)
		if to = run(s, from); to > from && !placeholder(s[from:to]) {
			return from, to
		}
	}
	return 0, 0
}

// pgpass finds the password of a line host:port:database:user:password of a .pgpass,
// of which i is the place behind the port.
func pgpass(s string, i int) (from, to int) {
	k, colons := i, 0
	for ; k < len(s) && k-i < 200 && !endsValue(s[k]); k++ {
		if s[k] == ':' {
			if colons++; colons == 2 {
				from = k + 1
			}
		}
	}
	if colons < 2 || k == from || placeholder(s[from:k]) {
		return 0, 0
	}
	return from, k
}
