package stage

import "strings"

// Redacted stands where a secret stood.
const Redacted = "[redacted]"

// Redact replaces well-known shapes of secrets: keys of clouds, forges and
// model providers, JSON web tokens, PEM private keys, credentials in headers
// and URLs, and values assigned to names such as password or api_key. It is one
// pass over the text. A secret that looks like nothing in particular stays.
func Redact(s string) string {
	var b strings.Builder
	done := 0 // s[:done] is written
	replace := func(from, to int) {
		b.WriteString(s[done:from])
		b.WriteString(Redacted)
		done = to
	}
	for i := 0; i < len(s); {
		if from, to := secretAt(s, i); to > i {
			replace(from, to)
			i = to
			continue
		}
		i++
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// secretAt looks at the place i of s and returns where a secret found there
// begins and ends, or to == 0. It looks only where a word begins, so that no
// text is looked at many times.
func secretAt(s string, i int) (from, to int) {
	if strings.HasPrefix(s[i:], "-----BEGIN ") {
		return i, pemEnd(s, i)
	}
	if strings.HasPrefix(s[i:], "://") {
		return urlCredential(s, i+3)
	}
	if strings.HasPrefix(s[i:], slackHook) {
		return run(s, i+len(slackHook))
	}
	if strings.HasPrefix(s[i:], "-u ") || strings.HasPrefix(s[i:], "--user ") {
		return curlUser(s, i)
	}
	if !isWord(s[i]) || i > 0 && isWord(s[i-1]) {
		return 0, 0
	}
	for _, t := range tokens {
		if s[i] != t.prefix[0] || !strings.HasPrefix(s[i:], t.prefix) {
			continue
		}
		end := i + len(t.prefix)
		for end < len(s) && t.in(s[end]) {
			end++
		}
		if end-i-len(t.prefix) >= t.min {
			return i, end
		}
	}
	if end := jwtEnd(s, i); end > 0 {
		return i, end
	}
	return assigned(s, i)
}

// A token is a secret known by its prefix: at least min more characters follow.
type token struct {
	prefix string
	min    int
	in     func(byte) bool
}

// The prefixes are the ones their issuers document for secret scanning.
var tokens = [...]token{
	{"AKIA", 16, isUpperDigit}, {"ASIA", 16, isUpperDigit}, // AWS access key ids
	{"AIza", 35, isKey},  // Google API keys
	{"ya29.", 20, isKey}, // Google OAuth
	{"ghp_", 30, isWord}, // GitHub, personal and the four below for apps
	{"gho_", 30, isWord},
	{"ghu_", 30, isWord},
	{"ghs_", 30, isWord},
	{"ghr_", 30, isWord},
	{"github_pat_", 22, isWord},
	{"glpat-", 20, isKey}, {"glrt-", 20, isKey}, {"gldt-", 20, isKey}, {"glcbt-", 20, isKey}, {"glptt-", 20, isKey}, {"gloas-", 20, isKey}, // GitLab
	{"xoxb-", 10, isKey}, {"xoxa-", 10, isKey}, {"xoxp-", 10, isKey}, {"xoxr-", 10, isKey}, {"xoxs-", 10, isKey}, {"xapp-", 10, isKey}, // Slack
	{"sk-", 20, isKey},                                                                                   // OpenAI, Anthropic and others that follow them
	{"sk_live_", 16, isWord}, {"rk_live_", 16, isWord}, {"sk_test_", 16, isWord}, {"whsec_", 16, isWord}, // Stripe
	{"npm_", 36, isWord},
	{"pypi-", 50, isKey},
	{"hf_", 30, isWord},     // Hugging Face
	{"dop_v1_", 40, isWord}, // DigitalOcean
	{"SG.", 40, isKeyDot},   // SendGrid
	{"shpat_", 32, isWord},  // Shopify
	{"AccountKey=", 40, isBase64},
	{"SharedAccessKey=", 30, isBase64},
	{"AGE-SECRET-KEY-", 40, isUpperDigit},
}

func isUpperDigit(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}
func isKey(c byte) bool    { return isWord(c) || c == '-' }
func isKeyDot(c byte) bool { return isKey(c) || c == '.' }
func isBase64(c byte) bool { return isWord(c) || c == '+' || c == '/' || c == '=' || c == '-' }

// pemEnd returns the end of the PEM block of a private key that begins at i, or
// 0 when it is some other block. A block that never ends is secret to the end.
func pemEnd(s string, i int) int {
	head := s[i:]
	line, _, _ := strings.Cut(head[:min(len(head), 100)], "\n")
	if !strings.Contains(line, "PRIVATE KEY") {
		return 0
	}
	j := strings.Index(head, "-----END ")
	if j < 0 {
		return len(s)
	}
	if k := strings.Index(head[j+9:], "-----"); k >= 0 {
		return i + j + 9 + k + 5
	}
	return len(s)
}

// maxJWT bounds the look for the end of a token, in bytes, which keeps a text
// of nothing but token beginnings linear. Real ones fit in a header line.
const maxJWT = 8 << 10

// jwtEnd returns the end of a JSON web token at i, or 0. Its first part is
// base64 of `{"`, so it begins with "eyJ".
func jwtEnd(s string, i int) int {
	if !strings.HasPrefix(s[i:], "eyJ") {
		return 0
	}
	end, dots, part := i, 0, 0
	for ; end < len(s) && end-i < maxJWT; end++ {
		if s[end] == '.' && part >= 4 && dots < 2 {
			dots, part = dots+1, 0
			continue
		}
		if !isKey(s[end]) {
			break
		}
		part++
	}
	for dots == 2 && end < len(s) && isKeyDot(s[end]) { // what is longer than the look is still a token
		end++
	}
	if dots == 2 && end-i >= 40 {
		return end
	}
	return 0
}

// urlCredential finds the password of user:password@ after the :// of a URL.
func urlCredential(s string, i int) (from, to int) {
	colon := 0
	for j := i; j < len(s) && j < i+200; j++ {
		switch c := s[j]; {
		case c == '@' && colon > 0 && j > colon+1:
			return colon + 1, j
		case c == ':' && colon == 0:
			colon = j
		case c <= ' ' || c == '/' || c == '"' || c == '\'' || c == '`':
			return 0, 0
		}
	}
	return 0, 0
}

// maxValue is the longest secret in quotes, in bytes: what is longer is a text.
const maxValue = 512

// slackHook begins the address of an incoming webhook, whose path is the secret.
const slackHook = "hooks.slack.com/services/"

// run is the stretch of s from i that holds no blank, quote or bracket.
func run(s string, i int) (from, to int) {
	k := i
	for k < len(s) && !endsValue(s[k]) {
		k++
	}
	return i, k
}

// curlUser finds the password of curl's -u user:password.
func curlUser(s string, i int) (from, to int) {
	if i > 0 && s[i-1] != ' ' && s[i-1] != '\n' {
		return 0, 0
	}
	j := i + strings.IndexByte(s[i:], ' ') + 1
	for j < len(s) && (s[j] == '"' || s[j] == '\'') {
		j++
	}
	_, k := run(s, j)
	if colon := strings.IndexByte(s[j:k], ':'); colon > 0 && j+colon+1 < k && s[j+colon+1] != '$' {
		return j + colon + 1, k
	}
	return 0, 0
}

// A secretName is what stands on the left of a secret, folded to lower case
// without separators; a longer name counts by its end (DB_PASSWORD). least is
// the shortest value that is taken for a secret, in bytes: shorter ones are as
// often words ("password: required", "the token is valid").
type secretName struct {
	name  string
	least int
}

var secretNames = [...]secretName{
	{"password", 8}, {"passwd", 8}, {"passphrase", 8}, {"secret", 8}, {"secretkey", 8}, {"clientsecret", 8}, {"apikey", 8}, {"accesskey", 16},
	{"token", 16}, {"privatekey", 16}, {"cookie", 16}, {"sessionid", 16},
	// Schemes of an Authorization header, separated by a blank.
	{"bearer", 16}, {"basic", 8},
}

// assigned finds the value in `name = value`, `"name": "value"`, `Bearer value`
// where the name at i says that the value is secret.
func assigned(s string, i int) (from, to int) {
	if i > 0 && s[i-1] == '-' {
		return 0, 0 // the middle of a name that was looked at from its beginning
	}
	end := i
	var folded [40]byte
	n := 0
	for end < len(s) && (isWord(s[end]) || s[end] == '-') {
		if c := s[end]; c != '_' && c != '-' {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			if n == len(folded) {
				copy(folded[:], folded[1:])
				n--
			}
			folded[n] = c
			n++
		}
		end++
	}
	var known secretName
	for _, k := range secretNames {
		if strings.HasSuffix(string(folded[:n]), k.name) {
			known = k
			break
		}
	}
	if known.name == "" {
		return 0, 0
	}
	// What stands between name and value: blanks, a sign, quotes, and the
	// backslashes of quotes inside of quotes.
	j, sign, quote := end, false, byte(0)
	for j < len(s) && j-end < 8 && strings.IndexByte(" \"'\\:=", s[j]) >= 0 {
		sign = sign || s[j] == ':' || s[j] == '='
		if sign && (s[j] == '"' || s[j] == '\'') {
			quote = s[j]
		}
		j++
	}
	header := known.name == "bearer" || known.name == "basic" || known.name == "token" && authorizes(s, i)
	if !sign && !(header && j > end) {
		return 0, 0
	}
	// Looked at before the value is read to its end, so that no text is read twice.
	for _, other := range [...]string{"$", "<", "process.env", "os.", Redacted} {
		if strings.HasPrefix(s[j:], other) {
			return 0, 0
		}
	}
	k, odd := j, false
	for k < len(s) && s[k] != '\n' {
		if quote != 0 && (s[k] == quote || s[k] == '\\') || quote == 0 && (endsValue(s[k]) || s[k] == ';') {
			break
		}
		if k-j == maxValue && quote != 0 {
			return 0, 0 // a text in quotes, not a value
		}
		odd = odd || !isLetter(s[k]) && s[k] != '-' && s[k] != '.' && s[k] != '_' && s[k] != ' '
		k++
	}
	if known.name == "cookie" {
		for k < len(s) && s[k] != '\n' && s[k] != '"' && s[k] != '\'' {
			k++ // all of the header's pairs
		}
	}
	if k-j < known.least || !odd && k-j < 24 && !authorizes(s, i) { // too short, or a word
		return 0, 0
	}
	return j, k
}

// authorizes tells whether the word at i follows "Authorization:".
func authorizes(s string, i int) bool {
	return strings.HasSuffix(strings.ToLower(s[max(0, i-16):i]), "authorization: ")
}

// endsValue are the characters that no bare value holds.
func endsValue(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("\"'`,)}]<>\\", c) >= 0
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
