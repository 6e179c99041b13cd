package checkpoint

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Digest names one call for an approval: the SHA-256, in hexadecimal, of the
// checkpoint, the tool and the arguments in canonical form. The order of keys
// and the space between tokens don't count; every other byte does. It is ""
// where args are not one JSON object, or name a key twice, so that what two
// readers could take differently can't be approved.
func Digest(checkpoint, tool string, args []byte) string {
	if !Shallow(args) || !gjson.ValidBytes(args) {
		return ""
	}
	args = bytes.Trim(args, blanks)
	if args[0] != '{' {
		return ""
	}
	h := sha256.New()
	w := bufio.NewWriter(h) // which keeps no error of a hash: there is none
	w.WriteString(checkpoint)
	w.WriteByte(0)
	w.WriteString(tool)
	w.WriteByte(0)
	if !canonical(w, args) {
		return ""
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil))
}

// blanks may stand between the tokens of JSON.
const blanks = " \t\r\n"

// canonical writes v, a valid JSON value, with its keys sorted and no space between
// its tokens; false when an object names a key twice. Strings are never decoded but
// for keys: v may be a megabyte of them.
func canonical(w *bufio.Writer, v []byte) bool {
	if v[0] != '{' && v[0] != '[' {
		w.Write(v)
		return true
	}
	type member struct {
		key        string
		raw, value []byte
	}
	var members []member
	object := v[0] == '{'
	next := func(rest []byte) []byte { return bytes.TrimLeft(rest, blanks+",:") }
	for rest := next(v[1:]); rest[0] != '}' && rest[0] != ']'; rest = next(rest) {
		var m member
		if object {
			m.raw = rest[:ends(rest)]
			m.key = gjson.ParseBytes(m.raw).Str
			rest = next(rest[len(m.raw):])
		}
		m.value = rest[:ends(rest)]
		rest = rest[len(m.value):]
		members = append(members, m)
	}
	if object {
		slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	}
	w.WriteByte(v[0])
	for i, m := range members {
		if i > 0 {
			w.WriteByte(',')
		}
		if object {
			if i > 0 && members[i-1].key == m.key {
				return false
			}
			w.Write(m.raw)
			w.WriteByte(':')
		}
		if !canonical(w, m.value) {
			return false
		}
	}
	w.WriteByte(v[len(v)-1])
	return true
}

// ends is where the JSON value ends that v, part of valid JSON, begins with.
func ends(v []byte) int {
	depth := 0
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			for i++; v[i] != '"'; i++ {
				if v[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 { // of what v stands in
				return i
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(v)
}
