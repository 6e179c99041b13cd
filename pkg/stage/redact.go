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
	{"glpat-", 20, isKey},                                                                                                              // GitLab
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
const maxJWT = 2 << 10

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

// secretNames are what is on the left of an assigned secret, folded to lower
// case without separators; a longer name counts by its end (DB_PASSWORD).
var secretNames = [...]string{"password", "passwd", "secret", "secretkey", "clientsecret", "apikey", "accesstoken", "authtoken", "secretaccesskey", "privatekey", "bearer", "basic", "authorization"}

// minValue is the shortest assigned value that is taken for a secret, in bytes:
// shorter ones are as often words ("password: required").
const minValue = 8

// maxValue bounds the look for the end of a value, in bytes, as maxJWT does.
const maxValue = 512

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
	name := ""
	for _, k := range secretNames {
		if strings.HasSuffix(string(folded[:n]), k) {
			name = k
			break
		}
	}
	if name == "" {
		return 0, 0
	}
	j, sign := end, false
	for j < len(s) && (s[j] == ' ' || s[j] == '"' || s[j] == '\'' || s[j] == ':' || s[j] == '=') {
		sign = sign || s[j] == ':' || s[j] == '='
		j++
	}
	scheme := name == "bearer" || name == "basic" // separated by a blank, as in a header
	if name == "authorization" {
		return 0, 0 // its value is a scheme, whose own name comes next
	}
	if !sign && !(scheme && j > end) {
		return 0, 0
	}
	k, digits := j, false
	for k < len(s) && k-j < maxValue && s[k] > ' ' && !strings.ContainsRune("\"'`,;)}]<>", rune(s[k])) && s[k] < 0x80 {
		digits = digits || s[k] >= '0' && s[k] <= '9'
		k++
	}
	value := s[j:k]
	switch {
	case len(value) < minValue, strings.HasPrefix(value, "$"), strings.HasPrefix(value, "process.env"), strings.HasPrefix(value, "os."), value == Redacted:
		return 0, 0
	case scheme && len(value) < 2*minValue, !digits && isProse(value):
		return 0, 0
	}
	return j, k
}

// isProse tells a plain word or call ("required", "getPassword(") from a value.
func isProse(v string) bool {
	for i := 0; i < len(v); i++ {
		if c := v[i]; c >= '0' && c <= '9' || c == '+' || c == '=' || c == '!' || c == '#' || c == '%' || c == '^' || c == '&' || c == '*' {
			return false
		}
	}
	return len(v) < 24
}
