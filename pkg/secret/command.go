package secret

import "strings"

// secretByContext finds secrets that only the words before them give away: webhooks, PuTTY files and .netrc
// lines.
func (sc *scanner) secretByContext(i int) Found {
	s := sc.s
	switch s[i] {
	case 'b': // api.telegram.org/botNUMBER:SECRET
		if strings.HasPrefix(s[i:], "bot") && i+3 < len(s) && isDigit(s[i+3]) {
			return numberedToken(s, i+3, nameEnd(s, i+3))
		}
	case 'h', 'd':
		for _, h := range hooks {
			if strings.HasPrefix(s[i:], h.prefix) {
				from := i + len(h.prefix)
				to := runEnd(s, from)
				if to > from && s[from] != '.' && !isPlaceholder(s[from:to]) {
					return Found{from, to, h.kind}
				}
			}
		}
		if strings.HasPrefix(s[i:], "default login ") {
			return netrcPassword(s, i+len("default"))
		}
	case 'P':
		if strings.HasPrefix(s[i:], puTTY) {
			return Found{i, sc.puTTYEnd(i), privateKey}
		}
	case 'm':
		if strings.HasPrefix(s[i:], "machine ") {
			at := skip(s, i+len("machine"), " \t", 8)
			return netrcPassword(s, wordEnd(s, at))
		}
	}
	return Found{}
}

// signatureAt finds the signature of a URL, as in ?sv=2022-11-02&sig=SECRET. The name of its parameter begins
// at i, behind ? or & or one of their forms in HTML and JSON.
func signatureAt(s string, i int) Found {
	switch s[i-1] {
	case ';':
		if i < len("&amp;") || s[i-len("&amp;"):i] != "&amp;" {
			return Found{}
		}
	case '\\':
		if !strings.HasPrefix(s[i:], "u0026") {
			return Found{}
		}
		i += len("u0026")
	}
	for _, name := range [...]string{"sig=", "Signature=", "X-Amz-Signature=", "X-Goog-Signature="} {
		if !strings.HasPrefix(s[i:], name) {
			continue
		}
		from := i + len(name)
		to := from
		for to < len(s) && (isBase64(s[to]) || s[to] == '%' || s[to] == '~') {
			to++
		}
		if to-from >= 20 && isMachineMade(s[from:to]) {
			return Found{from, to, "signature"}
		}
	}
	return Found{}
}

// blanks are the characters between the words of a .netrc.
const blanks = " \t\r\n"

// netrcPassword finds the password in "login NAME password SECRET" at i.
func netrcPassword(s string, i int) Found {
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
	if end == i || end-i > 200 || isPlaceholder(s[i:end]) {
		return Found{}
	}
	return Found{i, end, "password"}
}

// wordEnd returns the end of the stretch at i without blanks, at most 200 bytes on.
func wordEnd(s string, i int) int {
	from := i
	for i < len(s) && i-from < 200 && s[i] > ' ' {
		i++
	}
	return i
}

// A program is one that takes a password with a flag of its own.
type program byte

const (
	noProgram program = iota
	mysql             // -pSECRET
	sshpass           // -p SECRET, -pSECRET
	login             // -p SECRET: docker login, mongosh
	redis             // -a SECRET
	ldap              // -w SECRET
	sqlcmd            // -P SECRET
	curl
	zip      // -P SECRET, -rP SECRET
	sevenZip // -pSECRET
	rar      // -pSECRET, -hpSECRET
	openssl  // -k SECRET
	lftp     // -u NAME,SECRET
	samba    // -U NAME%SECRET
	client   // --password=SECRET, "password=SECRET"
)

// maxCommand is how many bytes behind the program's name its flag may stand.
const maxCommand = 400

// commandSecret notes the program named from i to end, and finds values that only the words before them give
// away.
func (sc *scanner) commandSecret(i, end int) Found {
	s := sc.s
	if end-i < 3 && s[i] != '7' || end-i > 14 || end >= len(s) || s[end] != ' ' && s[end] != ':' {
		return Found{}
	}
	if l := &sc.t.logins; end-i > 2 && l[1][s[i]&31]>>(s[i+2]&31)&1 != 0 &&
		l[0][s[i]&31]>>(s[i+1]&31)&1 != 0 {
		if f := loginPassword(s, i, end); f.To > 0 {
			return f
		}
	}
	if s[end] == ':' {
		return Found{}
	}
	p := noProgram
	switch s[i] {
	case 'm':
		switch s[i:end] {
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
		case "smbclient", "smbget", "smbcacls", "smbcquotas":
			p = samba
		case "send":
			return expectSent(s, i, end)
		case "secret": // gh secret set NAME --body SECRET
			if strings.HasPrefix(s[end:], " set ") && strings.HasSuffix(s[:i], "gh ") {
				return ghSecret(s, end+len(" set"))
			}
		}
	case 'r':
		switch s[i:end] {
		case "redis-cli":
			p = redis
		case "rar":
			p = rar
		case "rpcclient":
			p = samba
		case "rabbitmqctl":
			return rabbitPassword(s, end)
		}
	case 'l':
		switch s[i:end] {
		case "ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami", "ldapdelete", "ldappasswd":
			p = ldap
		case "login": // docker login, az login, oc login
			p = login
		case "lftp":
			p = lftp
		}
	case 'c':
		if s[i:end] == "curl" {
			p = curl
		}
	case 'z', 'u':
		switch s[i:end] {
		case "zip", "unzip", "zipcloak":
			p = zip
		case "unrar":
			p = rar
		}
	case '7':
		switch s[i:end] {
		case "7z", "7za", "7zr", "7zz":
			p = sevenZip
		}
	case 'o':
		if s[i:end] == "openssl" {
			p = openssl
		}
	case 'p':
		switch s[i:end] {
		case "printf":
			return pipedSecret(s, end)
		case "psql", "pg_dump", "pg_dumpall", "pg_restore", "pg_basebackup", "pgcli":
			p = client
		}
	case 'g':
		switch s[i:end] {
		case "gpg", "gpg2":
			p = client
		}
	case 'e':
		if s[i:end] == "echo" {
			return pipedSecret(s, end)
		}
	case 'v':
		if s[i:end] == "vault" && strings.HasPrefix(s[end:], " login ") {
			return vaultLogin(s, end+len(" login"))
		}
	case 'I', 'i':
		if strings.EqualFold(s[i:end], "identified") {
			return identifiedBy(s, end)
		}
	case 'w':
		switch s[i:end] {
		case "wget", "wget2":
			p = client
		case "winexe":
			p = samba
		}
	case 'h':
		if s[i:end] == "htpasswd" && (i == 0 || s[i-1] != '.') {
			return htpasswd(s, end)
		}
	case 'n':
		if s[i:end] != "net" {
			break
		}
		switch rest := s[end+1:]; {
		case strings.HasPrefix(rest, "use "):
			return netUse(s, end+len(" use"))
		case strings.HasPrefix(rest, "rpc "), strings.HasPrefix(rest, "ads "):
			p = samba
		}
	}
	if p != noProgram {
		sc.program, sc.programAt = p, end
	}
	return Found{}
}

// eachWord calls see with the words of the command line from i on, without their quotes, until see returns
// false or maxCommand bytes are read.
func eachWord(s string, i int, see func(from, to int) bool) {
	limit := min(len(s), i+maxCommand)
	for {
		i = skip(s, i, " \t", 8)
		if i >= limit || strings.IndexByte("\n|;&<>`)", s[i]) >= 0 {
			return
		}
		from, to, next := i, i, i
		if q := s[i]; q == '"' || q == '\'' {
			n := strings.IndexByte(s[i+1:limit], q)
			if n < 0 {
				return
			}
			from, to, next = i+1, i+1+n, i+n+2
		} else {
			for to < limit && s[to] > ' ' && strings.IndexByte("\"'`|;<>)", s[to]) < 0 {
				to++
			}
			if next = to; next == i {
				return
			}
		}
		if !see(from, to) {
			return
		}
		i = next
	}
}

// htpasswd finds the password in "htpasswd -b FILE USER SECRET" or "htpasswd -nb USER SECRET", where the
// words begin at i.
func htpasswd(s string, i int) (f Found) {
	batch, cost, left := false, false, 3 // left is how many words are left
	eachWord(s, i, func(from, to int) bool {
		v := s[from:to]
		switch {
		case cost:
			cost = false
		case len(v) > 1 && v[0] == '-' && left > 1:
			if v[1] != '-' {
				batch = batch || strings.Contains(v, "b")
				cost = strings.HasSuffix(v, "C") || strings.HasSuffix(v, "r")
			}
			if v[1] != '-' && left == 3 && strings.Contains(v, "n") {
				left = 2 // with -n there is no file
			}
		default:
			if left--; left == 0 && batch && from < to && !isSample(v) {
				f = Found{from, to, "password"}
			}
		}
		return left > 0
	})
	return f
}

// netUse finds the password in "net use X: \\\\host\\share SECRET /user:NAME", where the words begin at i.
func netUse(s string, i int) (f Found) {
	share, user := false, false
	var value Found
	eachWord(s, i, func(from, to int) bool {
		v := s[from:to]
		switch {
		case strings.HasPrefix(v, `\\`):
			share = true
		case len(v) > 6 && strings.EqualFold(v[:6], "/user:"):
			user = true
		case share && v != "" && v[0] != '/' && v != "*" && value.To == 0:
			value = Found{from, to, "password"}
		}
		return true
	})
	if !user || value.To == 0 || isSample(s[value.From:value.To]) {
		return Found{}
	}
	return value
}

// ghSecret finds the secret in "gh secret set NAME --body SECRET", whose words begin at i.
func ghSecret(s string, i int) (f Found) {
	body := false
	eachWord(s, i, func(from, to int) bool {
		v := s[from:to]
		switch rest, ok := strings.CutPrefix(v, "--body="); {
		case v == "--body" || v == "-b" || v == "--body=": // the value may stand in quotes
			body = true
			return true
		case ok:
			from, v = to-len(rest), rest
		case !body:
			return true
		}
		if !isSample(v) {
			f = Found{from, to, "secret"}
		}
		return false
	})
	return f
}

// rabbitPassword finds the password in "rabbitmqctl add_user NAME SECRET", whose words begin at i.
func rabbitPassword(s string, i int) (f Found) {
	n := 0
	eachWord(s, i, func(from, to int) bool {
		v := s[from:to]
		switch n++; {
		case n == 1:
			return v == "add_user" || v == "change_password"
		case isFlagProse(v): // a sentence about the command
			return false
		case n == 3 && !isSample(v):
			f = Found{from, to, "password"}
		}
		return n < 3
	})
	return f
}

// vaultLogin finds the token in "vault login SECRET", whose words begin at i.
func vaultLogin(s string, i int) (f Found) {
	eachWord(s, i, func(from, to int) bool {
		v := s[from:to]
		if v == "" || v[0] == '-' {
			return true
		}
		if !strings.Contains(v, "=") && len(v) >= 5 && !isSample(v) &&
			(looksDrawn(v, false) || randomLetters(v)) {
			f = Found{from, to, "token"}
		}
		return false
	})
	return f
}

// identifiedBy finds the password in "IDENTIFIED BY 'SECRET'" of SQL, whose words begin at i.
func identifiedBy(s string, i int) Found {
	rest := s[i:min(len(s), i+80)]
	if n := strings.IndexAny(rest, "\n;"); n >= 0 {
		rest = rest[:n]
	}
	by := strings.Index(rest, " BY ")
	if by < 0 {
		by = strings.Index(rest, " by ")
	}
	if by < 0 {
		return Found{}
	}
	at := skip(s, i+by+len(" BY"), " ", 4)
	if strings.HasPrefix(s[at:], "PASSWORD ") {
		at += len("PASSWORD ")
	}
	if at = skip(s, at, "\\", 1); at >= len(s) || s[at] != '\'' && s[at] != '"' {
		return Found{}
	}
	from, to, ok := argumentAt(s, at)
	// "identified by 'name'"
	if !ok || isSample(s[from:to]) || rest[by+1] == 'b' && !looksDrawn(s[from:to], true) {
		return Found{}
	}
	return Found{from, to, "password"}
}

// pipedSecret finds what "echo SECRET |" gives to a program that reads a password. The words begin at i.
func pipedSecret(s string, i int) Found {
	var f Found
	n, end := 0, i
	eachWord(s, i, func(from, to int) bool {
		end = to
		if v := s[from:to]; v != "-n" && v != "-e" {
			n++
			f = Found{from, to, "password"}
		}
		return n < 2
	})
	if n != 1 || isSample(s[f.From:f.To]) {
		return Found{}
	}
	at := skip(s, skip(s, end, "\"'", 1), " ", 4)
	if at >= len(s) || s[at] != '|' || strings.HasPrefix(s[at:], "||") {
		return Found{}
	}
	rest := s[at+1 : min(len(s), at+maxCommand)]
	if n := strings.IndexAny(rest, "\n|;`"); n >= 0 {
		rest = rest[:n]
	}
	for _, reads := range [...]string{
		"--password-stdin", "--passphrase-fd 0", "passwd --stdin", "--with-token",
	} {
		if strings.Contains(rest, reads) {
			return f
		}
	}
	sudo := strings.TrimLeft(rest, " ")
	if strings.HasPrefix(sudo, "sudo ") && strings.Contains(sudo+" ", " -S ") {
		return f
	}
	return Found{}
}

// expectSent finds the password that an expect script sends, from i on, after it was asked for one.
func expectSent(s string, i, end int) Found {
	from := skip(s, end, " ", 2)
	if strings.HasPrefix(s[from:], "-- ") {
		from = skip(s, from+3, " ", 2)
	}
	from = skip(s, from, "\\", 1)
	if from >= len(s) || s[from] != '"' {
		return Found{}
	}
	from++
	to := from
	for to < len(s) && to-from < 200 && s[to] != '"' && s[to] != '\n' && s[to] != '\\' {
		to++
	}
	if r := skip(s, to, "\\", 2); to == from || r == to || r >= len(s) || s[r] != 'r' && s[r] != 'n' {
		return Found{}
	}
	before := s[max(0, i-120):i]
	if asks := max(strings.LastIndex(before, "assword"), strings.LastIndex(before, "assphrase")); asks < 0 ||
		strings.Contains(before[asks:], "send ") || isSample(s[from:to]) {
		return Found{}
	}
	return Found{from, to, "password"}
}

// flagValue finds the secret value of the flag that begins at i, or of the header after it.
func (sc *scanner) flagValue(i int) Found {
	s := sc.s
	if i > 0 && strings.IndexByte(" \n\t'\"`\\;(", s[i-1]) < 0 || i+2 >= len(s) {
		return Found{}
	}
	if s[i+1] == '-' {
		if rest := s[i+2:]; strings.HasPrefix(rest, "user ") || strings.HasPrefix(rest, "user=") {
			return sc.userPassword(i, i+len("--user "))
		}
		return sc.longFlag(i)
	}
	c := s[i+1]
	at := i + 2
	spaced := s[at] == ' '
	switch {
	case c == 'u' && spaced && sc.runs(i, lftp):
		return passwordBehind(s, at+1, ',')
	case c == 'u' && spaced:
		return sc.userPassword(i, at+1)
	case c == 'u' && s[at] != '=' && sc.runs(i, curl):
		return sc.userPassword(i, at)
	case c == 'U' && sc.runs(i, samba):
		return passwordBehind(s, skip(s, at, " ", 1), '%')
	case c == 'p' && !spaced && (sc.runs(i, mysql) || sc.runs(i, sshpass) || sc.runs(i, sevenZip) ||
		sc.runs(i, rar)):
	case c == 'p' && spaced && (sc.runs(i, sshpass) || sc.runs(i, login)):
		at++
	case spaced && (c == 'a' && sc.runs(i, redis) || c == 'w' && sc.runs(i, ldap) || c == 'P' &&
		sc.runs(i, sqlcmd) || c == 'k' && sc.runs(i, openssl)):
		at++
	case c == 'h' && s[at] == 'p' && sc.runs(i, rar):
		at++
	case sc.runs(i, zip) && isLetter(c):
		for at--; at < len(s) && isLetter(s[at]) && s[at] != 'P'; at++ {
		}
		if at >= len(s) || s[at] != 'P' {
			return Found{}
		}
		at = skip(s, at+1, " ", 1)
	default:
		return storePassword(s, i)
	}
	from, to, ok := argumentAt(s, at)
	v := s[from:to]
	if !ok || v == "ort" || v == "rotocol" || isFlagProse(v) || sc.program > curl && isSample(v) {
		return Found{}
	}
	return Found{from, to, "password"}
}

// storePassword finds the value of a flag with one hyphen whose name says that it is a password, as keytool
// and openssl have them.
func storePassword(s string, i int) Found {
	end := nameEnd(s, i+1)
	if end >= len(s) || s[end] != ' ' {
		return Found{}
	}
	switch s[i+1 : end] {
	case "pass", "passin", "passout": // openssl's value begins with its source
		if from := skip(s, end, " \"'", 2); strings.HasPrefix(s[from:], "pass:") {
			from += len("pass:")
			if to := runEnd(s, from); to > from && !isSample(s[from:to]) {
				return Found{from, to, "password"}
			}
		}
		return Found{}
	case "storepass", "keypass", "srcstorepass", "srckeypass", "deststorepass", "destkeypass":
		if from, to, ok := argumentAt(s, end+1); ok && !isSample(s[from:to]) {
			return Found{from, to, "password"}
		}
	}
	return Found{}
}

// passwordBehind finds the password behind a user's name at i and the sign that follows it.
func passwordBehind(s string, i int, sign byte) Found {
	i = skip(s, i, "\"'", 1)
	k := i
	for k < len(s) && !endsValue(s[k]) && s[k] != sign || k < len(s) && s[k] == '\\' { // DOMAIN\user
		k++
	}
	if k == i || k >= len(s) || s[k] != sign {
		return Found{}
	}
	from, to, ok := argumentAt(s, k+1)
	if !ok || isSample(s[from:to]) {
		return Found{}
	}
	return Found{from, to, "password"}
}

// isSample reports whether v stands for a password in an explanation of a command: the word itself, or a
// well-known default.
func isSample(v string) bool {
	if isPlaceholder(v) {
		return true
	}
	switch strings.ToLower(strings.Trim(v, "[]{}<>.,:;")) {
	case "password", "passwd", "passphrase", "pass", "pwd", "pw", "passwort", "kennwort", "contraseña",
		"your_password", "your-password", "yourpassword", "mypassword", "my_password", "changeme", "changeit",
		"arg", "argument", "value", "val":
		return true
	}
	return isFlagProse(v)
}

// isFlagProse reports whether v is a word with which a sentence about a flag goes on: "zip -P is weak".
func isFlagProse(v string) bool {
	switch strings.ToLower(v) {
	case "is", "are", "was", "does", "takes", "means", "sets", "asks", "prompts", "reads", "has", "needs",
		"option", "flag", "flags", "switch", "instead", "because", "when", "which", "that", "if", "as", "a",
		"an", "the", "and", "or", "to", "for", "with", "not", "can", "will", "must", "may",
		"should", "in", "on",
		"of", "it", "ist", "fragt", "setzt", "nimmt", "und", "oder", "mit", "für", "est",
		"demande", "ou", "et",
		"avec", "pour", "es", "pide", "o", "y", "con", "para":
		return true
	}
	return false
}

// runs reports whether the flag at i belongs to the program p: it is on its command line, and not behind a
// pipe.
func (sc *scanner) runs(i int, p program) bool {
	if sc.program != p || i-sc.programAt > maxCommand {
		return false
	}
	between := sc.s[sc.programAt:i]
	for k := range len(between) {
		switch between[k] {
		case '|', ';':
			return false
		case '&':
			if k+1 < len(between) && between[k+1] == '&' {
				return false
			}
		case '`':
			if p > curl { // the quoted command has ended
				return false
			}
		case '\n':
			if k == 0 || between[k-1] != '\\' {
				return false
			}
		}
	}
	return true
}

// argumentAt returns the bounds of the one word of a command line at i, without its quotes.
func argumentAt(s string, i int) (from, to int, ok bool) {
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
		from, to = i, runEnd(s, i)
		for to > from && strings.IndexByte(".;:", s[to-1]) >= 0 { // the sentence's or the shell's
			to--
		}
	}
	return from, to, to > from && s[from] != '-' && !isPlaceholder(s[from:to])
}

// longFlag finds the value of a flag such as --password VALUE. --password=VALUE is an assignment like any
// other.
func (sc *scanner) longFlag(i int) Found {
	s := sc.s
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
	from, to, ok := argumentAt(s, end+1)
	if !ok {
		return Found{}
	}
	v := s[from:to]
	switch known := kind == "password" || kind == "passphrase"; {
	case known && strings.HasPrefix(v, "pass:") && len(v) > 5: // openssl's form
		return Found{from + 5, to, kind}
	case strings.HasPrefix("pass:", strings.TrimSuffix(v, "…")): // the same, cut short
	case known && !isSample(v) && !strings.Contains(v, "://") &&
		(sc.runs(i, client) || sc.runs(i, login)):
		return Found{from, to, kind}
	case len(v) >= 5 && (looksDrawn(v, kind == "password") || randomLetters(v)):
		return Found{from, to, kind}
	}
	return Found{}
}

// userPassword finds the password of curl's -u user:password, whose argument stands at i, behind the flag. In
// other programs such a flag counts something or names a number.
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
		from, to, ok := argumentAt(s, k)
		if ok {
			return Found{from, to, "password"}
		}
		return Found{}
	}
	if colon > i && k <= colon+1 && sc.runs(flag, curl) && colon-i >= 8 && looksDrawn(s[i:colon], false) {
		return Found{i, colon, "password"} // curl -u KEY:
	}
	if colon < 0 || k <= colon+1 || isPlaceholder(s[colon+1:k]) {
		return Found{}
	}
	if isNumber(s[colon+1:k]) && !sc.runs(flag, curl) {
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
			if v := s[colon+1 : j]; isPlaceholder(v) || strings.Contains(v, Redacted) {
				return 0, 0
			}
			return colon + 1, j
		case c == ':' && colon == 0:
			colon = j
		case c <= ' ' || c == '/' || c == '"' || c == '\'' || c == '`':
			return teamsHookPath(s, i, j)
		}
	}
	return 0, 0
}

// teamsHookPath finds the secret path of a Microsoft Teams webhook in the URL whose host is s[i:j].
func teamsHookPath(s string, i, j int) (from, to int) {
	if n := strings.Index(s[i:min(len(s), j+len(teamsHook))], teamsHook); n >= 0 {
		from = i + n + len(teamsHook)
		if to = runEnd(s, from); to > from && !isPlaceholder(s[from:to]) {
			return from, to
		}
	}
	return 0, 0
}

// pgpassPassword finds the password in a .pgpass line host:port:database:user:password, in which i is the
// place behind the port.
func pgpassPassword(s string, i int) (from, to int) {
	k, colons := i, 0
	for ; k < len(s) && k-i < 200 && !endsValue(s[k]); k++ {
		if s[k] == ':' {
			if colons++; colons == 2 {
				from = k + 1
			}
		}
	}
	if colons < 2 || k == from || isPlaceholder(s[from:k]) {
		return 0, 0
	}
	return from, k
}
