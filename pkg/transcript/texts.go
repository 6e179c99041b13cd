package transcript

import (
	"errors"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// errLine says that a line is no record.
var errLine = errors.New("the line can't be read")

// Texts returns all that a line of a session file says, of whatever kind its parts are,
// but for pictures and the names that hold it together.
func Texts(line []byte) (string, error) {
	if !gjson.ValidBytes(line) {
		return "", errLine
	}
	r := gjson.GetManyBytes(line, "message.content", "attachment")
	var b strings.Builder
	if r[0].Type == gjson.String {
		writeText(&b, r[0].Str)
	}
	if r[0].IsArray() {
		r[0].ForEach(func(_, v gjson.Result) bool {
			switch {
			case v.Get("type").Str == "tool_result":
				writeText(&b, resultText(v.Get("content")))
			case v.Type == gjson.String:
				writeText(&b, v.Str)
			default:
				writeStrings(&b, v, true, false)
			}
			return true
		})
	}
	writeStrings(&b, r[1], true, false)
	return b.String(), nil
}

// resultText is all that a tool's result says to the model: text, and whatever else has
// words in it, such as a search result, a document or a resource.
func resultText(v gjson.Result) string {
	var b strings.Builder
	block := func(v gjson.Result) {
		switch {
		case v.Type == gjson.String:
			writeText(&b, v.Str)
		case v.Get("type").Str == "text" && v.Get("text").Type == gjson.String:
			writeText(&b, v.Get("text").Str)
		default:
			writeStrings(&b, v, true, true)
		}
	}
	if v.IsArray() {
		v.ForEach(func(_, v gjson.Result) bool { block(v); return true })
	} else {
		block(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeText(b *strings.Builder, text string) {
	if text != "" {
		b.WriteString(text + "\n")
	}
}

// writeStrings writes the strings of a value, and the names that hold them where keys
// says so. Of a block its own names are left out.
func writeStrings(b *strings.Builder, v gjson.Result, block, keys bool) {
	switch {
	case v.Type == gjson.String:
		if !encoded(v.Str) {
			writeText(b, v.Str)
		}
	case v.IsArray():
		v.ForEach(func(_, x gjson.Result) bool { writeStrings(b, x, false, keys); return true })
	case v.IsObject() && v.Get("type").Str != "base64": // a picture, or a file's bytes
		v.ForEach(func(key, x gjson.Result) bool {
			if block && slices.Contains([]string{"type", "tool_use_id", "id", "role"}, key.Str) {
				return true
			}
			if keys && !ofBlocks(key.Str) {
				writeText(b, key.Str)
			}
			writeStrings(b, x, false, keys)
			return true
		})
	}
}

// ofBlocks reports whether a name is one of those that every block is made of: nobody says
// anything by it.
func ofBlocks(name string) bool {
	return slices.Contains([]string{"type", "text", "title", "name", "source", "content", "citations",
		"enabled", "media_type", "mimeType", "data", "blob", "url", "uri", "resource", "json", "context",
		"cache_control", "annotations", "_meta"}, name)
}

// leastEncoded is how long a string is at least that is taken for encoded bytes, such as a
// picture: no word is.
const leastEncoded = 512

func encoded(s string) bool {
	return len(s) >= leastEncoded && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') &&
			!strings.ContainsRune("+/=-_\r\n", r)
	}) < 0
}
