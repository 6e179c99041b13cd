// Package secret finds secrets by their shapes, so that none gets into a memory unseen: tokens by the
// prefixes of their issuers, JSON web tokens, armoured private keys, credentials in headers, URLs and command
// lines, values assigned to names such as password or api_key, and values given in a sentence ("the admin
// password is ..."). It cannot find a secret that looks like ordinary text.
//
// The scan is written by hand and reads a text once: it runs in hooks, which cannot spend a millisecond on
// compiling patterns.
package secret

import (
	"slices"
	"strings"
	"sync"
)

// cutRedacted is the beginning of Redacted that a text cut short still shows.
const cutRedacted = "[red"

// Redacted replaces a secret.
const Redacted = "[redacted]"

// isRedacted reports whether s begins with Redacted. That may have been cut short since, even before its
// first character, or joined by a hyphen, as the words of a tag are.
func isRedacted(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if strings.HasPrefix(s, cutRedacted) {
		return true
	}
	for n := len(cutRedacted) - 1; n >= 0; n-- {
		if strings.HasPrefix(s, cutRedacted[:n]+"…") {
			return true
		}
	}
	return false
}

// Redact replaces every secret in s. It is one pass over the text.
func Redact(s string) string { return redact(s, func(string) {}) }

// redact is Redact, and calls saw with every secret.
func redact(s string, saw func(value string)) string {
	var b strings.Builder
	done := 0 // s[:done] is written
	eachSecret(s, func(f Found) {
		saw(s[f.From:f.To])
		b.WriteString(s[done:f.From])
		b.WriteString(Redacted)
		done = f.To
	})
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// RedactValues replaces every secret in s and every place where one of values stands. They are the secrets of
// the text from which s was made: a secret that was cut short, or whose line breaks have become blanks, no
// longer has its shape.
func RedactValues(s string, values []string) string {
	for _, v := range values {
		for i := 0; i < len(s); i++ {
			if n := matchLen(s[i:], v); n > 0 {
				s = s[:i] + Redacted + s[i+n:]
				i += len(Redacted) - 1
			}
		}
	}
	return Redact(s)
}

// leastMatch is how many bytes of a value, without blanks, must match to rule out chance. A shorter value
// must match whole.
const leastMatch = 8

// matchLen returns how many bytes of s match the beginning of value, ignoring blanks, or 0 if they are too
// few.
func matchLen(s, value string) int {
	i, j, n := 0, 0, 0
	for i < len(s) && j < len(value) {
		switch {
		case value[j] <= ' ':
			j++
		case s[i] <= ' ' && n > 0:
			i++
		case s[i] == value[j]:
			i, j, n = i+1, j+1, n+1
		default:
			if n >= leastMatch {
				return i
			}
			return 0
		}
	}
	if n >= leastMatch || j == len(value) && n > 0 {
		return i
	}
	return 0
}

// Kinds returns the kinds of the secrets in s, such as "AWS key", each once, in the order of the text. It is
// one pass over the text.
func Kinds(s string) []string {
	var kinds []string
	eachSecret(s, func(f Found) {
		if !slices.Contains(kinds, f.Kind) {
			kinds = append(kinds, f.Kind)
		}
	})
	return kinds
}

// A Found is the place of a secret in a text, in bytes, and its kind.
type Found struct {
	From, To int
	Kind     string
}

// Find returns the places of the secrets in s, in order.
func Find(s string) (all []Found) {
	eachSecret(s, func(f Found) { all = append(all, f) })
	return all
}

// A scanner is one pass over a text.
type scanner struct {
	s    string
	t    *tables
	see  func(Found)
	done int // everything before it was given to see
	// The last program named so far whose short flag takes a password, and where its name ends.
	program   program
	programAt int
	noPuTTY   bool // the rest of the text holds no private part of a PuTTY key
}

// eachSecret calls see with the places of the secrets in s, in order.
func eachSecret(s string, see func(Found)) {
	sc := scanner{s: s, t: table(), see: see}
	sc.scan(0, len(s))
}

// scan looks for secrets that begin from i to end.
func (sc *scanner) scan(i, end int) {
	s := sc.s
	inside := i > 0 && isWord(s[i-1]) // the byte before is part of a word
	for i < end {
		c := s[i]
		class := classes[c]
		if class == 0 || class == wordClass && inside { // nothing can begin here
			inside = class == wordClass
			i++
			continue
		}
		var f Found
		if class&wordClass != 0 {
			var prev byte
			if i > 0 {
				prev = s[i-1]
			}
			f = sc.secretAtWord(sc.t, i, prev)
		} else {
			f = sc.secretAtSign(sc.t, i)
		}
		if f.To > 0 {
			if next := sc.found(f, i, end); next > i {
				i, inside = next, isWord(s[next-1])
				continue
			}
		}
		if c == '\\' && isEscape(s, i) { // a word may go on behind a written-out \n
			i += 2
			inside = false
			if i < end && isWord(s[i]) {
				if next := sc.found(sc.secretAtWord(sc.t, i, 0), i, end); next > i {
					i, inside = next, isWord(s[next-1])
					continue
				}
				inside = true
				i++
			}
			continue
		}
		inside = class&wordClass != 0
		i++
	}
}

// found calls see with f, found at i, and first with any password between i and f: a token may be the user's
// name before it. It returns where to go on: i if f is empty.
func (sc *scanner) found(f Found, i, end int) int {
	if f.To <= sc.done || f.From >= end || isRedacted(sc.s[max(f.From, sc.done):]) {
		return i
	}
	if f.From > i+1 {
		sc.scan(i+1, f.From)
	}
	if f.From = max(f.From, sc.done); f.From < f.To {
		sc.see(f)
		sc.done = f.To
	}
	return sc.done
}

// isEscape reports whether a written-out line break or tab is at i, as in JSON.
func isEscape(s string, i int) bool {
	return i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 'r' || s[i+1] == 't')
}

// Classes of bytes: those of words, and the signs at which a secret may begin.
const (
	wordClass = 1 << iota
	signClass
)

var classes = func() (in [256]byte) {
	for c := range in {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			in[c] = wordClass
		}
	}
	for _, c := range "-:\\~<" {
		in[c] = signClass
	}
	return in
}()

// secretAtSign finds a secret at the sign at i.
func (sc *scanner) secretAtSign(t *tables, i int) Found {
	s := sc.s
	switch s[i] {
	case '-':
		if i > 0 && isWord(s[i-1]) {
			return Found{} // in the middle of a name, as most are
		}
		if strings.HasPrefix(s[i:], "----") {
			return Found{i, armourEnd(s, i), "private key"}
		}
		return sc.flagValue(i)
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			from, to := urlCredential(s, i+3)
			return Found{from, to, "password in a URL"}
		}
		if strings.HasPrefix(s[i:], ":5432:") {
			from, to := pgpassPassword(s, i+6)
			return Found{from, to, "password"}
		}
	case '<':
		return Found{i, privateEnd(s, i), privateText}
	case '~':
		return azureSecret(s, i)
	case '\\': // the letter of a written-out line break may also begin a word
		if isEscape(s, i) && i+2 < len(s) && isWord(s[i+2]) {
			return sc.secretAtWord(t, i+1, s[i])
		}
	}
	return Found{}
}

// secretAtWord finds a secret at i, where a word begins behind the byte prev.
func (sc *scanner) secretAtWord(t *tables, i int, prev byte) Found {
	s := sc.s
	if i+1 < len(s) && t.begins(s[i], s[i+1]) {
		if end, kind := t.tokenAt(s, i); end > 0 {
			return Found{i, end, kind}
		}
		if end := jwtEnd(s, i, prev); end > 0 {
			return Found{i, end, "JSON web token"}
		}
		if f := sc.secretByContext(i); f.To > 0 {
			return f
		}
	}
	if prev == '&' || prev == '?' || prev == ';' || prev == '\\' {
		if f := signatureAt(s, i); f.To > 0 {
			return f
		}
	}
	if prev == '-' && i > 1 && isWord(s[i-2]) {
		return Found{} // a name is looked at only from its beginning
	}
	end := nameEnd(s, i)
	if s[end-1] >= 0x80 {
		for _, blank := range noBreaks {
			end = i + len(strings.TrimSuffix(s[i:end], blank))
		}
	}
	if c := s[i]; c >= '0' && c <= '9' {
		if f := numberedToken(s, i, end); f.To > 0 {
			return f
		}
	}
	if end < len(s) && s[end] == '.' {
		if f := dottedToken(s, i, end); f.To > 0 {
			return f
		}
	}
	if f := sc.commandSecret(i, end); f.To > 0 {
		return f
	}
	return sc.assignedValue(t, i, end)
}

// nameEnd returns the end of the name that begins at i: letters of any language,
// digits, underscores, and single hyphens between them.
func nameEnd(s string, i int) int {
	for i < len(s) {
		if c := s[i]; isWord(c) || c >= 0x80 || c == '-' && i+1 < len(s) &&
			(isWord(s[i+1]) || s[i+1] >= 0x80) {
			i++
			continue
		}
		break
	}
	return i
}

// noBreaks are the no-break spaces, which French puts before a colon.
var noBreaks = [...]string{"\u00a0", "\u202f"}

// noBreak returns the place behind the no-break space at i, or i.
func noBreak(s string, i int) int {
	for _, blank := range noBreaks {
		if strings.HasPrefix(s[i:], blank) {
			return i + len(blank)
		}
	}
	return i
}

// table returns the tables of the scan. They are built on first use, as most runs of a hook scan nothing.
var table = sync.OnceValue(func() *tables {
	var t tables
	for i := len(tokens) - 1; i >= 0; i-- {
		p := tokens[i].prefix
		t.next[i], t.first[p[0]] = t.first[p[0]], uint16(i+1)
		t.pair(p[0], p[1])
	}
	// secretAtWord and secretByContext look for these
	for _, p := range [...]string{"ey", puTTY, "machine", "default", "bot"} {
		t.pair(p[0], p[1])
	}
	for _, h := range hooks {
		t.pair(h.prefix[0], h.prefix[1])
	}
	for _, w := range logins {
		t.logins[0][w[0]&31] |= 1 << (w[1] & 31)
		t.logins[1][w[0]&31] |= 1 << (w[2] & 31)
	}
	for _, n := range secretNames {
		if len(n.name) >= 3 {
			t.endings.add(ending(n.name, len(n.name)))
		}
		if before, ok := strings.CutSuffix(n.name, "id"); ok && before != "" { // session_id
			t.endings.add(ending("_id", 3))
			t.endings.add(ending("-id", 3))
		}
	}
	return &t
})

// tables are small, as each page of them costs more than what is looked up in most runs.
type tables struct {
	first   [256]uint16         // by first byte, the number of the first token from 1; 0 if there is none
	next    [len(tokens)]uint16 // by token, the number of the next one with the same first byte
	pairs   [256][4]uint64      // by first byte, the second bytes
	endings endings             // of names
	logins  [2][32]uint32       // by first letter of logins, the second and third ones
}

// pair notes that a token or a name may begin with a and b.
func (t *tables) pair(a, b byte) { t.pairs[a][b>>6] |= 1 << (b & 63) }

// begins reports whether a token or a name may begin with a and b.
func (t *tables) begins(a, b byte) bool { return t.pairs[a][b>>6]&(1<<(b&63)) != 0 }

// endings are a set of numbers that ending returns.
type endings [1 << 15 / 64]uint64

func (e *endings) add(n int)      { e[n/64] |= 1 << (n % 64) }
func (e *endings) has(n int) bool { return e[n/64]&(1<<(n%64)) != 0 }

// ending folds the three bytes of s before end, whatever their case, into a number.
func ending(s string, end int) int {
	return int(s[end-3]&31)<<10 | int(s[end-2]&31)<<5 | int(s[end-1]&31)
}

func isWord(c byte) bool       { return classes[c] == wordClass }
func isDigit(c byte) bool      { return c >= '0' && c <= '9' }
func isUpper(c byte) bool      { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool      { return c >= 'a' && c <= 'z' }
func isLetter(c byte) bool     { return isUpper(c) || isLower(c) }
func isAlnum(c byte) bool      { return isWord(c) && c != '_' }
func isUpperDigit(c byte) bool { return isUpper(c) || isDigit(c) }
func isHex(c byte) bool        { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
func isKey(c byte) bool        { return isWord(c) || c == '-' }
func isKeyDot(c byte) bool     { return isKey(c) || c == '.' }
func isKeyEqual(c byte) bool   { return isKey(c) || c == '=' || c == '.' }
func isBase64(c byte) bool     { return isWord(c) || c == '+' || c == '/' || c == '=' || c == '-' }

// endsValue reports whether c is a character that no unquoted value holds.
func endsValue(c byte) bool {
	return c <= ' ' || c == 0x7f || strings.IndexByte("\"'`,)}]<>\\", c) >= 0
}

// runEnd returns the end of the stretch of s from i that holds no blank, quote or bracket.
func runEnd(s string, i int) int {
	for i < len(s) && !endsValue(s[i]) {
		i++
	}
	return i
}

// skip returns the place behind the characters of set at i, of which it passes at most limit.
func skip(s string, i int, set string, limit int) int {
	for limit > 0 && i < len(s) && strings.IndexByte(set, s[i]) >= 0 {
		i++
		limit--
	}
	return i
}
