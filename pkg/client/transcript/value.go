package transcript

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// A value is a JSON value in a line. The zero value stands for none. The line is gone through once: gjson
// goes through what a part holds for the part itself and for each that it is in, and copies the line before.
// That was most of the time that it takes to listen.
type value struct {
	line  []byte
	nodes []node // the value itself, and what is in it
}

// A node is where a value or a key stands in a line.
type node struct {
	from, to int32
	size     int32 // how many nodes it is, with those in it
	plain    bool  // of a string: it has no escapes
}

// parseValue returns the value of a line that is one JSON value and nothing else. nodes, which may be nil,
// has room for what is in it; no value that was read with the same room is valid after that.
func parseValue(line []byte, nodes *[]node) (v value, ok bool) {
	r := valueReader{b: line}
	if nodes != nil {
		r.nodes = (*nodes)[:0]
	}
	i, ok := r.value(r.blank(0))
	if nodes != nil {
		*nodes = r.nodes
	}
	if !ok || r.blank(i) != len(line) {
		return value{}, false
	}
	return value{line, r.nodes}, true
}

func (v value) exists() bool { return len(v.nodes) > 0 }

// raw returns a value as it stands in the line.
func (v value) raw() []byte {
	if !v.exists() {
		return nil
	}
	return v.line[v.nodes[0].from:v.nodes[0].to]
}

// result returns a copy of the value for whoever needs more of it.
func (v value) result() gjson.Result {
	if !v.exists() {
		return gjson.Result{}
	}
	return gjson.ParseBytes(v.raw())
}

func (v value) begins(c byte) bool { return v.exists() && v.line[v.nodes[0].from] == c }
func (v value) isString() bool     { return v.begins('"') }
func (v value) isObject() bool     { return v.begins('{') }
func (v value) isArray() bool      { return v.begins('[') }

// str returns a copy of a string, or "" for any other value.
func (v value) str() string {
	if !v.isString() {
		return ""
	}
	s := v.line[v.nodes[0].from+1 : v.nodes[0].to-1]
	if v.nodes[0].plain {
		return string(s)
	}
	return unescape(s)
}

// text returns a value as text, as gjson's String does.
func (v value) text() string {
	if v.isString() {
		return v.str()
	}
	return v.result().String()
}

func (v value) bool() bool {
	switch string(v.raw()) {
	case "true":
		return true
	case "false", "":
		return false
	}
	return v.result().Bool()
}

// exactDigits is how many digits a number has at most that any reader takes exactly.
const exactDigits = 15

func (v value) int() int64 {
	if raw := v.raw(); len(raw) <= exactDigits {
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return n
		}
	}
	return v.result().Int()
}

// get returns the first member of an object that has a key.
func (v value) get(key string) (found value) {
	if v.isObject() {
		v.each(func(k []byte, x value) bool {
			if string(k) == key {
				found = x
			}
			return !found.exists()
		})
	}
	return found
}

// each calls see with each member of an object, or with each value of an array and no key, until see returns
// false.
func (v value) each(see func(key []byte, v value) bool) {
	object := v.isObject()
	if !object && !v.isArray() {
		return
	}
	for rest := v.nodes[1:]; len(rest) > 0; {
		var key []byte
		if object {
			k := rest[0]
			if key = v.line[k.from+1 : k.to-1]; !k.plain {
				key = []byte(unescape(key))
			}
			rest = rest[1:]
		}
		size := rest[0].size
		if !see(key, value{v.line, rest[:size:size]}) {
			return
		}
		rest = rest[size:]
	}
}

// unescape returns the string that stands between two quotes.
func unescape(b []byte) string {
	var s strings.Builder
	s.Grow(len(b))
	for from := 0; ; {
		at := plainEnd(b, from)
		s.Write(b[from:at])
		if at == len(b) {
			return s.String()
		}
		switch c := b[at+1]; c {
		case 'b':
			s.WriteByte('\b')
		case 'f':
			s.WriteByte('\f')
		case 'n':
			s.WriteByte('\n')
		case 'r':
			s.WriteByte('\r')
		case 't':
			s.WriteByte('\t')
		case 'u': // which may be half of a pair
			rest := append(append([]byte{'"'}, b[at:]...), '"')
			s.WriteString(gjson.ParseBytes(rest).Str)
			return s.String()
		default:
			s.WriteByte(c)
		}
		from = at + 2
	}
}

// plainEnd returns the index of the first byte from i on that is a quote, a backslash or a control
// character, or the length of b. It looks at eight bytes at a time.
func plainEnd(b []byte, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, slash := x^('"'*ones), x^('\\'*ones)
		// The lowest bit that is set here is that of the first such byte; others may be wrong.
		found := ((quote-ones)&^quote | (slash-ones)&^slash | (x-' '*ones)&^x) & tops
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' {
		i++
	}
	return i
}

// maxDepth is how many objects and arrays may stand in each other, as in encoding/json. Each takes a piece of
// the stack.
const maxDepth = 10_000

// valueReader finds the nodes of a value, and whether it is one.
type valueReader struct {
	b     []byte
	nodes []node
	depth int // how many objects and arrays are open
}

// begin adds the part that begins at i, and end says where it ends.
func (r *valueReader) begin(i int) (n int) {
	r.nodes = append(r.nodes, node{from: int32(i), size: 1})
	return len(r.nodes) - 1
}

func (r *valueReader) end(n, i int) int {
	r.nodes[n].to, r.nodes[n].size = int32(i), int32(len(r.nodes)-n)
	return i
}

// value returns where the value ends that begins at i, and whether there is one.
func (r *valueReader) value(i int) (end int, ok bool) {
	if i >= len(r.b) {
		return i, false
	}
	switch c := r.b[i]; {
	case c == '"':
		return r.string(i)
	case c == '{' || c == '[':
		if r.depth == maxDepth {
			return i, false
		}
		n := r.begin(i)
		r.depth++
		i, ok = r.members(i+1, c == '{')
		r.depth--
		return r.end(n, i), ok
	case c == '-' || '0' <= c && c <= '9':
		n := r.begin(i)
		i, ok = r.number(i)
		return r.end(n, i), ok
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if i+len(word) <= len(r.b) && string(r.b[i:i+len(word)]) == word {
			return r.end(r.begin(i), i+len(word)), true
		}
	}
	return i, false
}

// members is like value, for what stands behind the bracket of an object or an array.
func (r *valueReader) members(i int, object bool) (end int, ok bool) {
	b, shut := r.b, byte(']')
	if object {
		shut = '}'
	}
	if i = r.blank(i); i < len(b) && b[i] == shut {
		return i + 1, true
	}
	for {
		if object {
			if i >= len(b) || b[i] != '"' {
				return i, false
			}
			if i, ok = r.string(i); !ok {
				return i, false
			}
			if i = r.blank(i); i >= len(b) || b[i] != ':' {
				return i, false
			}
			i = r.blank(i + 1)
		}
		if i, ok = r.value(i); !ok {
			return i, false
		}
		if i = r.blank(i); i >= len(b) {
			return i, false
		}
		switch b[i] {
		case shut:
			return i + 1, true
		case ',':
			i = r.blank(i + 1)
		default:
			return i, false
		}
	}
}

// string is like value, for a string.
func (r *valueReader) string(i int) (end int, ok bool) {
	b, from, plain := r.b, i, true
	for i++; ; i++ {
		i = plainEnd(b, i)
		if i >= len(b) || b[i] < ' ' {
			return i, false
		}
		if b[i] == '"' {
			r.nodes = append(r.nodes, node{int32(from), int32(i + 1), 1, plain})
			return i + 1, true
		}
		plain = false
		if i++; i >= len(b) {
			return i, false
		}
		switch b[i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			for last := i + 4; i < last; {
				if i++; i >= len(b) || !isHex(b[i]) {
					return i, false
				}
			}
		default:
			return i, false
		}
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// number is like value, for a number.
func (r *valueReader) number(i int) (end int, ok bool) {
	b := r.b
	digits := func() bool {
		from := i
		for i < len(b) && '0' <= b[i] && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if !digits() {
		return i, false
	}
	if i < len(b) && b[i] == '.' {
		if i++; !digits() {
			return i, false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return i, false
		}
	}
	return i, true
}

// blank returns the index of the first byte from i on that is no blank.
func (r *valueReader) blank(i int) int {
	for i < len(r.b) && (r.b[i] == ' ' || r.b[i] == '\t' || r.b[i] == '\n' || r.b[i] == '\r') {
		i++
	}
	return i
}
