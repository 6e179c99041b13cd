package rules

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Digest returns the name of a call for approvals: the SHA-256, in hex, of the checkpoint, the tool and the
// canonical arguments. The order of keys and the blanks between tokens do not count; every other byte does.
// It is "" if args is not a single JSON object or names a key twice, so that what two readers could
// understand differently cannot be approved.
func Digest(checkpoint, tool string, args []byte) string {
	if !Shallow(args) || !gjson.ValidBytes(args) {
		return ""
	}
	args = bytes.Trim(args, blanks)
	if args[0] != '{' {
		return ""
	}
	h := sha256.New()
	w := bufio.NewWriter(h) // writing to a hash cannot fail
	w.WriteString(checkpoint)
	w.WriteByte(0)
	w.WriteString(tool)
	w.WriteByte(0)
	if !writeCanonical(w, args) {
		return ""
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil))
}

// blanks are the characters between the tokens of JSON.
const blanks = " \t\r\n"

// writeCanonical writes v, a valid JSON value, with sorted keys and no blanks between tokens. It returns
// false if an object names a key twice. Only keys are decoded, since v may hold a megabyte of strings.
func writeCanonical(w *bufio.Writer, v []byte) bool {
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
			m.raw = rest[:valueEnd(rest)]
			m.key = gjson.ParseBytes(m.raw).Str
			rest = next(rest[len(m.raw):])
		}
		m.value = rest[:valueEnd(rest)]
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
		if !writeCanonical(w, m.value) {
			return false
		}
	}
	w.WriteByte(v[len(v)-1])
	return true
}

// valueEnd returns the end of the JSON value with which v, a part of valid JSON, begins.
func valueEnd(v []byte) int {
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
			if depth == 0 { // this closes what v is in
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
