package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// errLine is the error for a line that is no record.
var errLine = errors.New("the line can't be read")

// Texts returns all words of a line of a session file, whatever kinds of parts it has. It leaves out pictures
// and the names of fields that every part has.
func Texts(line []byte) (string, error) {
	if !gjson.ValidBytes(line) {
		return "", errLine
	}
	var b strings.Builder
	if isRollout(line) {
		payload := gjson.GetBytes(line, "payload")
		for _, name := range [...]string{"content", "output", "arguments", "input", "action"} {
			writeText(&b, resultText(payload.Get(name)))
		}
		return b.String(), nil
	}
	r := gjson.GetManyBytes(line, "message.content", "attachment")
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

// A Line is a line of a session file in which somebody says something.
type Line struct {
	Entries []Entry
	Words   string // all of them
	Cut     bool   // the line was too long, and has more
}

// EachLine calls see with each line between two offsets in which somebody says something, also with those
// that Read leaves out without Sources. It begins with the first whole line, and leaves out the conversations
// of agents. A negative end is that of the file.
func EachLine(src Source, from, to int64, see func(Line)) error {
	if to < 0 || to > src.Size() {
		to = src.Size()
	}
	from, err := firstLine(src, from, to)
	if err != nil {
		return fmt.Errorf("transcript: %w", err)
	}
	lines := newLines(src, from, to, nil)
	lines.long.all = true
	for {
		line, at, ok := lines.next()
		if !ok {
			break
		}
		entries := parseLine(line, at, nil, nil, true, nil).entries
		if len(entries) == 0 || entries[0].Sidechain {
			continue
		}
		l := Line{Entries: entries, Cut: lines.done-at-1 > int64(len(line))}
		if l.Words, err = Texts(line); err != nil {
			l.Cut = true
		}
		see(l)
	}
	if lines.err != nil {
		return fmt.Errorf("transcript: %w", lines.err)
	}
	return nil
}

// resultText returns everything that a tool's result says to the model: text, and also the words of search
// results, documents or resources.
func resultText(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
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

// writeStrings writes the strings of a value, and the names of its members if keys is set. The names that
// every block has are left out.
func writeStrings(b *strings.Builder, v gjson.Result, block, keys bool) {
	switch {
	case v.Type == gjson.String:
		if !isEncoded(v.Str) {
			writeText(b, v.Str)
		}
	case v.IsArray():
		v.ForEach(func(_, x gjson.Result) bool { writeStrings(b, x, false, keys); return true })
	case v.IsObject() && v.Get("type").Str != "base64": // else it is a picture, or the bytes of a file
		v.ForEach(func(key, x gjson.Result) bool {
			if block && slices.Contains([]string{"type", "tool_use_id", "id", "role"}, key.Str) {
				return true
			}
			if keys && !isBlockField(key.Str) {
				writeText(b, key.Str)
			}
			writeStrings(b, x, false, keys)
			return true
		})
	}
}

// isBlockField reports whether a name is one that every block has, and so says nothing.
func isBlockField(name string) bool {
	return slices.Contains([]string{"type", "text", "title", "name", "source", "content", "citations",
		"enabled", "media_type", "mimeType", "data", "blob", "url", "uri", "resource", "json", "context",
		"cache_control", "annotations", "_meta"}, name)
}

// leastEncoded is the length of the shortest string that is taken for encoded bytes, such as a picture. No
// word is that long.
const leastEncoded = 512

func isEncoded(s string) bool {
	return len(s) >= leastEncoded && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') &&
			!strings.ContainsRune("+/=-_\r\n", r)
	}) < 0
}
