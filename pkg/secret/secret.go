// Package secret knows the shapes of secrets, so that none gets into a memory
// unseen: keys of clouds, forges and model providers, JSON web tokens, PEM
// private keys, credentials in headers and URLs, and values assigned to names
// such as password or api_key. A secret that looks like nothing in particular
// stays unknown.
package secret

import (
	"slices"
	"strings"
	"sync"
)

// Redacted stands where a secret stood.
const Redacted = "[redacted]"

// Redact replaces every secret in s. It is one pass over the text.
func Redact(s string) string {
	var b strings.Builder
	done := 0 // s[:done] is written
	each(s, func(from, to int, _ string) {
		b.WriteString(s[done:from])
		b.WriteString(Redacted)
		done = to
	})
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// Kinds names the kinds of the secrets in s, such as "AWS key", each once and in
// the order in which they come. It is one pass over the text.
func Kinds(s string) []string {
	var kinds []string
	each(s, func(_, _ int, kind string) {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	})
	return kinds
}

// each calls see with the places of the secrets in s, first to last.
func each(s string, see func(from, to int, kind string)) {
	inside := false // the place before is part of a word
	for i := 0; i < len(s); {
		c := s[i]
		word := wordly[c]
		if word && !inside || c == '-' || c == ':' || c == slackHook[0] { // where one may begin
			if from, to, kind := secretAt(s, i); to > i {
				see(from, to, kind)
				i = to
				inside = wordly[s[i-1]]
				continue
			}
		}
		inside = word
		i++
	}
}

// secretAt looks at the place i of s and returns where a secret found there
// begins and ends, or to == 0, and what it is. It looks only where a word
// begins, so that no text is looked at many times.
func secretAt(s string, i int) (from, to int, kind string) {
	switch s[i] {
	case '-':
		if strings.HasPrefix(s[i:], "-----BEGIN ") {
			return i, pemEnd(s, i), "private key"
		}
		if strings.HasPrefix(s[i:], "-u ") || strings.HasPrefix(s[i:], "--user ") {
			from, to = curlUser(s, i)
			return from, to, "password"
		}
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			from, to = urlCredential(s, i+3)
			return from, to, "password in a URL"
		}
	case slackHook[0]:
		if strings.HasPrefix(s[i:], slackHook) {
			from, to = run(s, i+len(slackHook))
			return from, to, "Slack webhook"
		}
	}
	if !isWord(s[i]) || i > 0 && isWord(s[i-1]) {
		return 0, 0, ""
	}
	if end, kind := tokenAt(s, i); end > 0 {
		return i, end, kind
	}
	if end := jwtEnd(s, i); end > 0 {
		return i, end, "JSON web token"
	}
	return assigned(s, i)
}

// tokenAt returns the end of a token that begins at i, or 0, and its kind.
func tokenAt(s string, i int) (end int, kind string) {
	for _, t := range beginning()[s[i]] {
		if !strings.HasPrefix(s[i:], t.prefix) {
			continue
		}
		from := i + len(t.prefix)
		for end = from; end < len(s) && t.in(s[end]); {
			end++
		}
		if end-from >= t.min {
			return end, t.kind
		}
	}
	return 0, ""
}

// A token is a secret known by its prefix: at least min more characters follow.
type token struct {
	prefix string
	min    int
	in     func(byte) bool
	kind   string
}

// The prefixes are the ones their issuers document for secret scanning.
var tokens = [...]token{
	{"AKIA", 16, isUpperDigit, "AWS key"}, {"ASIA", 16, isUpperDigit, "AWS key"},
	{"AIza", 35, isKey, "Google key"}, {"ya29.", 20, isKey, "Google token"},
	{"ghp_", 30, isWord, gitHub}, {"gho_", 30, isWord, gitHub}, {"ghu_", 30, isWord, gitHub},
	{"ghs_", 30, isWord, gitHub}, {"ghr_", 30, isWord, gitHub}, {"github_pat_", 22, isWord, gitHub},
	{"glpat-", 20, isKey, gitLab}, {"glrt-", 20, isKey, gitLab}, {"gldt-", 20, isKey, gitLab},
	{"glcbt-", 20, isKey, gitLab}, {"glptt-", 20, isKey, gitLab}, {"gloas-", 20, isKey, gitLab},
	{"xoxb-", 10, isKey, slack}, {"xoxa-", 10, isKey, slack}, {"xoxp-", 10, isKey, slack},
	{"xoxr-", 10, isKey, slack}, {"xoxs-", 10, isKey, slack}, {"xapp-", 10, isKey, slack},
	{"sk-", 20, isKey, "API key"}, // OpenAI, Anthropic and others that follow them
	{"sk_live_", 16, isWord, stripe}, {"rk_live_", 16, isWord, stripe}, {"sk_test_", 16, isWord, stripe}, {"whsec_", 16, isWord, stripe},
	{"npm_", 36, isWord, "npm token"},
	{"pypi-", 50, isKey, "PyPI token"},
	{"hf_", 30, isWord, "Hugging Face token"},
	{"dop_v1_", 40, isWord, "DigitalOcean token"},
	{"SG.", 40, isKeyDot, "SendGrid key"},
	{"shpat_", 32, isWord, "Shopify token"},
	{"AccountKey=", 40, isBase64, "Azure key"},
	{"SharedAccessKey=", 30, isBase64, "Azure key"},
	{"AGE-SECRET-KEY-", 40, isUpperDigit, "age key"},
}

// beginning holds the tokens by their first byte. Most runs of a hook look for none.
var beginning = sync.OnceValue(func() *[256][]token {
	var first [256][]token
	for _, t := range tokens {
		first[t.prefix[0]] = append(first[t.prefix[0]], t)
	}
	return &first
})

// Kinds that several prefixes share.
const (
	gitHub = "GitHub token"
	gitLab = "GitLab token"
	slack  = "Slack token"
	stripe = "Stripe key"
)

func isUpperDigit(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }
func isWord(c byte) bool       { return wordly[c] }

// wordly are the bytes that words are made of.
var wordly = func() (in [256]bool) {
	for c := range in {
		in[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
	}
	return in
}()

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

// maxJWT bounds the look for the end of a token, in bytes. Real ones fit in a
// header line.
const maxJWT = 8 << 10

// jwtEnd returns the end of a JSON web token at i, or 0. Its first part is
// base64 of `{"`, so it begins with "eyJ", and not inside another word: a text of
// nothing but beginnings is one word, which is looked at once.
func jwtEnd(s string, i int) int {
	if !strings.HasPrefix(s[i:], "eyJ") || i > 0 && isKey(s[i-1]) {
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
	kind  string
}

var secretNames = [...]secretName{
	{"password", 8, "password"}, {"passwd", 8, "password"}, {"passphrase", 8, "passphrase"},
	{"secret", 8, "secret"}, {"secretkey", 8, "secret key"}, {"clientsecret", 8, "secret"}, {"apikey", 8, "API key"}, {"accesskey", 16, "access key"},
	{"token", 16, "token"}, {"privatekey", 16, "private key"}, {"cookie", 16, "cookie"}, {"sessionid", 16, "session id"},
	// Schemes of an Authorization header, separated by a blank.
	{"bearer", 16, "bearer token"}, {"basic", 8, "password"},
}

// assigned finds the value in `name = value`, `"name": "value"`, `Bearer value`
// where the name at i says that the value is secret.
func assigned(s string, i int) (from, to int, kind string) {
	if i > 0 && s[i-1] == '-' {
		return 0, 0, "" // the middle of a name that was looked at from its beginning
	}
	end := i
	for end < len(s) && (wordly[s[end]] || s[end] == '-') {
		end++
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
	if !sign && (j == end || strings.IndexByte("rcnRCN_-", s[end-1]) < 0) {
		return 0, 0, "" // most words: nothing is assigned to them, and none is bearer, basic or token
	}
	var folded [32]byte // the last bytes of the name, more than any below has
	n := len(folded)
	for k := end - 1; k >= i && n > 0; k-- {
		if c := s[k]; c != '_' && c != '-' {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			n--
			folded[n] = c
		}
	}
	name := string(folded[n:])
	var known secretName
	for _, k := range secretNames {
		if strings.HasSuffix(name, k.name) {
			known = k
			break
		}
	}
	if known.name == "" {
		return 0, 0, ""
	}
	header := known.name == "bearer" || known.name == "basic" || known.name == "token" && authorizes(s, i)
	if !sign && !(header && j > end) {
		return 0, 0, ""
	}
	// Looked at before the value is read to its end, so that no text is read twice.
	for _, other := range [...]string{"$", "<", "process.env", "os.", Redacted} {
		if strings.HasPrefix(s[j:], other) {
			return 0, 0, ""
		}
	}
	k, odd := j, false
	for k < len(s) && s[k] != '\n' {
		if quote != 0 && (s[k] == quote || s[k] == '\\') || quote == 0 && (endsValue(s[k]) || s[k] == ';') {
			break
		}
		if k-j == maxValue && quote != 0 {
			return 0, 0, "" // a text in quotes, not a value
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
		return 0, 0, ""
	}
	return j, k, known.kind
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
