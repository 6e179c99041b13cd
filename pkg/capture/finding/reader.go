package finding

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// A reader takes a line of JSON apart in one pass: a hook reads a journal of a thousand
// lines while somebody waits. What it returns of texts without escapes are parts of the
// line. The first thing that is no JSON, or of another kind than was wanted, ends it.
type reader struct {
	s      string
	at     int // bytes
	depth  int
	broken bool
}

// maxDepth bounds how deep the values of unknown fields may be nested.
const maxDepth = 100

// next returns the next byte that is no blank without taking it, 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.s) && !r.broken; r.at++ {
		switch c := r.s[r.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// take takes the next byte if it is c, and otherwise ends the reading.
func (r *reader) take(c byte) {
	if r.next() != c {
		r.broken = true
		return
	}
	r.at++
}

// done reports whether the line was JSON to its end.
func (r *reader) done() bool { return r.next() == 0 && r.at == len(r.s) && !r.broken }

// object calls field for each field; it has to take the value. Null is an object without
// fields.
func (r *reader) object(field func(name string)) {
	if r.null() {
		return
	}
	r.items('{', '}', func() {
		name := r.text()
		r.take(':')
		field(name)
	})
}

// list calls item for each value of a list, which it has to take. Null is an empty one.
func (r *reader) list(item func()) {
	if !r.null() {
		r.items('[', ']', item)
	}
}

func (r *reader) items(begin, end byte, item func()) {
	if r.depth++; r.depth > maxDepth {
		r.broken = true
	}
	r.take(begin)
	for first := true; !r.broken && (!first || r.next() != end); first = false {
		if item(); r.next() != ',' {
			break
		}
		r.at++
		if r.next() == end { // a comma with nothing behind it
			r.broken = true
		}
	}
	r.take(end)
	r.depth--
}

func (r *reader) null() bool { return r.next() == 'n' && r.word("null") }

// word takes a word if it is there, and otherwise ends the reading.
func (r *reader) word(w string) bool {
	if !strings.HasPrefix(r.s[r.at:], w) {
		r.broken = true
		return false
	}
	r.at += len(w)
	return true
}

// text takes a text; null is an empty one.
func (r *reader) text() string {
	if r.null() {
		return ""
	}
	r.take('"')
	if r.broken {
		return ""
	}
	plain := r.run()
	if r.at < len(r.s) && r.s[r.at] == '"' {
		r.at++
		return plain
	}
	return r.escaped(plain)
}

// run takes the bytes of a text that stand for themselves.
func (r *reader) run() string {
	s := r.s[r.at:]
	n := 0
	for n < len(s) && s[n] != '"' && s[n] != '\\' && s[n] >= ' ' {
		n++
	}
	r.at += n
	return s[:n]
}

// escaped takes the rest of a text that has escapes.
func (r *reader) escaped(begun string) string {
	var b strings.Builder
	b.Grow(len(begun) + r.rest())
	b.WriteString(begun)
	for !r.broken {
		b.WriteString(r.run())
		left := r.s[r.at:]
		if left != "" && left[0] == '"' {
			r.at++
			return b.String()
		}
		if len(left) < 2 || left[0] != '\\' {
			break
		}
		if left[1] == 'u' {
			b.WriteRune(r.unicode())
			continue
		}
		i := strings.IndexByte(`"\/bfnrt`, left[1])
		if i < 0 {
			break
		}
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		r.at += 2
	}
	r.broken = true
	return ""
}

// rest returns how far it is to the end of a text, in bytes.
func (r *reader) rest() (n int) {
	for s := r.s[r.at:]; n < len(s) && s[n] != '"'; n++ {
		if s[n] == '\\' {
			n++
		}
	}
	return n
}

// unicode takes an escape of four hexadecimal digits, or the two that make one character.
func (r *reader) unicode() rune {
	c := r.hex()
	if !utf16.IsSurrogate(c) {
		return c
	}
	before := r.at
	if strings.HasPrefix(r.s[r.at:], `\u`) {
		if both := utf16.DecodeRune(c, r.hex()); both != utf8.RuneError {
			return both
		}
		r.at = before
	}
	return utf8.RuneError
}

func (r *reader) hex() rune {
	if r.at+6 > len(r.s) {
		r.broken = true
		return 0
	}
	n, err := strconv.ParseUint(r.s[r.at+2:r.at+6], 16, 32)
	r.broken = r.broken || err != nil
	r.at += 6
	return rune(n)
}

// token takes the characters of a number and returns them; null is 0.
func (r *reader) token() string {
	if r.null() {
		return "0"
	}
	begin := r.at
	digits := func() {
		from := r.at
		for r.at < len(r.s) && '0' <= r.s[r.at] && r.s[r.at] <= '9' {
			r.at++
		}
		r.broken = r.broken || r.at == from
	}
	has := func(set string) bool {
		ok := r.at < len(r.s) && strings.IndexByte(set, r.s[r.at]) >= 0
		if ok {
			r.at++
		}
		return ok
	}
	has("-")
	if !has("0") {
		digits()
	}
	if has(".") {
		digits()
	}
	if has("eE") {
		has("+-")
		digits()
	}
	return r.s[begin:r.at]
}

func (r *reader) number() int64 {
	n, err := strconv.ParseInt(r.token(), 10, 64)
	r.broken = r.broken || err != nil
	return n
}

func (r *reader) unsigned() uint64 {
	n, err := strconv.ParseUint(r.token(), 10, 64)
	r.broken = r.broken || err != nil
	return n
}

func (r *reader) float() float64 {
	n, err := strconv.ParseFloat(r.token(), 64)
	r.broken = r.broken || err != nil
	return n
}

func (r *reader) yes() bool {
	switch r.next() {
	case 't':
		return r.word("true")
	case 'n':
		r.null()
		return false
	}
	r.word("false")
	return false
}

func (r *reader) time() time.Time {
	t, err := time.Parse(time.RFC3339Nano, r.text())
	r.broken = r.broken || err != nil
	return t
}

// skip takes a value that nobody wants to know.
func (r *reader) skip() {
	switch c := r.next(); c {
	case '{':
		r.object(func(string) { r.skip() })
	case '[':
		r.list(r.skip)
	case '"':
		r.text()
	case 't', 'f', 'n':
		r.yes()
	default:
		r.token()
	}
}
