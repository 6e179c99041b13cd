package draft

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep lists and objects may be nested.
const maxDepth = 64

// decodeLeniently parses the JSON value with which a text begins, and returns its length. It accepts the
// mistakes
// that models make: extra or missing commas, comments, texts in single or curly quotes, line ends and quotes
// inside a text, keys without quotes, Python's constants. A value must have an end. It takes linear time.
func decodeLeniently(text string) (v any, length int, ok bool) {
	r := &lenientReader{text: text}
	v, ok = r.value(0)
	return v, r.at, ok
}

type lenientReader struct {
	text string
	at   int
}

// space skips white space and comments.
func (r *lenientReader) space() {
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			r.at++
		case strings.HasPrefix(rest, "//") || rest[0] == '#':
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				r.at += i
			} else {
				r.at = len(r.text)
			}
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				r.at = len(r.text)
				return
			}
			r.at += i + 4
		default:
			return
		}
	}
}

// skip skips a byte if it comes next, and reports whether it did.
func (r *lenientReader) skip(c byte) bool {
	r.space()
	if r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *lenientReader) value(depth int) (any, bool) {
	r.space()
	if r.at >= len(r.text) || depth > maxDepth {
		return nil, false
	}
	switch r.text[r.at] {
	case '{':
		r.at++
		return r.object(depth)
	case '[':
		r.at++
		return r.list(depth)
	}
	if _, quoted := r.quote(); quoted {
		return r.quoted()
	}
	return r.bare()
}

func (r *lenientReader) object(depth int) (any, bool) {
	out := map[string]any{}
	for {
		for r.skip(',') {
		}
		if r.skip('}') {
			return out, true
		}
		key, ok := r.key()
		if !ok || !r.skip(':') {
			return nil, false
		}
		v, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		out[key] = v
	}
}

func (r *lenientReader) list(depth int) (any, bool) {
	out := []any{}
	for {
		for r.skip(',') {
		}
		if r.skip(']') {
			return out, true
		}
		v, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
}

func (r *lenientReader) key() (string, bool) {
	r.space()
	if _, quoted := r.quote(); quoted {
		s, ok := r.quoted()
		key, _ := s.(string)
		return key, ok
	}
	start := r.at
	for r.at < len(r.text) && (r.text[r.at] == '_' || r.text[r.at] == '-' || isASCIILetter(r.text[r.at]) ||
		'0' <= r.text[r.at] && r.text[r.at] <= '9') {
		r.at++
	}
	return r.text[start:r.at], r.at > start
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// quote returns the closing quote of the text that begins here.
func (r *lenientReader) quote() (end string, ok bool) {
	if r.at >= len(r.text) {
		return "", false
	}
	switch c, _ := utf8.DecodeRuneInString(r.text[r.at:]); c {
	case '"':
		return `"`, true
	case '\'':
		return "'", true
	case '“', '”':
		return "”", true
	case '‘':
		return "’", true
	}
	return "", false
}

// quoted parses a text. A quote ends it only if a value may end there: before a comma, a colon, a bracket, a
// line end, or another text's quote at the beginning of a line.
func (r *lenientReader) quoted() (any, bool) {
	end, _ := r.quote()
	_, size := utf8.DecodeRuneInString(r.text[r.at:])
	r.at += size
	var b strings.Builder
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			r.escape(&b)
			continue
		case strings.HasPrefix(rest, end) && r.mayEnd(r.at+len(end)):
			r.at += len(end)
			return b.String(), true
		}
		_, size := utf8.DecodeRuneInString(rest)
		b.WriteString(rest[:size])
		r.at += size
	}
	return nil, false
}

// mayEnd reports whether a text may end before a place.
func (r *lenientReader) mayEnd(at int) bool {
	near := r.text[at:min(len(r.text), at+maxGap)]
	rest := strings.TrimLeft(near, " \t\r\n")
	if rest == "" || strings.ContainsRune(",:]}", rune(rest[0])) || strings.HasPrefix(rest, "//") ||
		strings.HasPrefix(rest, "/*") {
		return true
	}
	return strings.Contains(near[:len(near)-len(rest)], "\n") && strings.ContainsRune(`"'#`, rune(rest[0]))
}

// maxGap is how much white space may be between a text and what follows it, in bytes.
const maxGap = 200

// escape parses one escape of a text. An escape unknown to JSON stays as it is.
func (r *lenientReader) escape(b *strings.Builder) {
	n := 2
	if r.text[r.at+1] == 'u' {
		n = 6
		if rest := r.text[r.at+min(6, len(r.text)-r.at):]; strings.HasPrefix(rest, `\u`) && len(rest) >= 6 {
			var pair string // a surrogate pair
			if json.Unmarshal([]byte(`"`+r.text[r.at:r.at+12]+`"`), &pair) == nil &&
				utf8.RuneCountInString(pair) == 1 {
				b.WriteString(pair)
				r.at += 12
				return
			}
		}
	}
	var s string
	if r.at+n <= len(r.text) && json.Unmarshal([]byte(`"`+r.text[r.at:r.at+n]+`"`), &s) == nil {
		b.WriteString(s)
		r.at += n
		return
	}
	if c := r.text[r.at+1]; c != '\'' && c != '\n' {
		b.WriteByte('\\')
	}
	_, size := utf8.DecodeRuneInString(r.text[r.at+1:])
	b.WriteString(r.text[r.at+1 : r.at+1+size])
	r.at += 1 + size
}

// bare parses a value without quotes: a number, true, false, null, or Python's words for these.
func (r *lenientReader) bare() (any, bool) {
	start := r.at
	for r.at < len(r.text) && !strings.ContainsRune(" \t\r\n,:]}[{\"'#/", rune(r.text[r.at])) {
		r.at++
	}
	switch word := r.text[start:r.at]; word {
	case "true", "True":
		return true, true
	case "false", "False":
		return false, true
	case "null", "None", "undefined", "NaN", "Infinity", "-Infinity":
		return nil, true
	default:
		var n json.Number
		if word == "" || json.Unmarshal([]byte(word), &n) != nil {
			return nil, false
		}
		return n, true
	}
}
