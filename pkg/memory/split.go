package memory

import (
	"encoding/json"
	"strings"
)

// The functions here read the plain parts of JSON, as encoding/json would, in a quarter of the time: it looks
// at each byte of a record five times. What is not plain is left to it. The text is valid UTF-8, and need not
// be JSON.

// A member is a field of a JSON object.
type member struct {
	name  string
	value string // JSON without space around it; "" for one that was taken
}

// A list of members in their order. Of two with one name, the later counts.
type members []member

// membersOf returns the members of a JSON object, and reports whether s is one and it could tell.
func membersOf(s string) (members, bool) {
	all := make(members, 0, 16) // few objects have more
	plain := true
	end := skipObject(s, skipSpace(s, 0), 0, func(name, value string) {
		text, ok := plainText(name)
		plain = plain && ok
		all = append(all, member{text, value})
	})
	return all, plain && end != 0 && skipSpace(s, end) == len(s)
}

// take returns the value of the member of a name, and takes it out; "" for none.
func (all members) take(name string) (value string) {
	for i, m := range all {
		if m.name == name && m.value != "" {
			value, all[i].value = m.value, ""
		}
	}
	return value
}

// rest returns what was not taken, by name.
func (all members) rest() map[string]json.RawMessage {
	left := map[string]json.RawMessage{}
	for _, m := range all {
		if m.value != "" {
			left[m.name] = json.RawMessage(m.value)
		}
	}
	return left
}

// plainTexts returns the texts of a JSON array, and reports whether it is one that has nothing else. s is
// valid JSON without space around it.
func plainTexts(s string) ([]string, bool) {
	if s == "" || s[0] != '[' {
		return nil, false
	}
	all, plain := make([]string, 0, 4), true
	skipArray(s, 0, 0, func(value string) {
		text, ok := plainText(value)
		plain = plain && ok
		all = append(all, text)
	})
	return all, plain
}

// plainObjects is plainTexts for objects.
func plainObjects(s string) (all []members, plain bool) {
	plain = s != "" && s[0] == '['
	skipArray(s, 0, 0, func(value string) {
		one, ok := membersOf(value)
		plain = plain && ok
		all = append(all, one)
	})
	return all, plain
}

// plainText returns the text of a JSON string, and reports whether it is one without escapes. s is valid JSON
// without space around it.
func plainText(s string) (string, bool) {
	if s == "" || s[0] != '"' || strings.IndexByte(s, '\\') >= 0 {
		return "", false
	}
	return s[1 : len(s)-1], true
}

func skipSpace(s string, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\n' || s[at] == '\t' || s[at] == '\r') {
		at++
	}
	return at
}

// maxDeep is how deep values may lie in one another here; encoding/json reads deeper ones.
const maxDeep = 100

// skipValue returns where the JSON value at a place ends, and 0 if there is none or it could not tell.
func skipValue(s string, at, deep int) (end int) {
	if at >= len(s) || deep > maxDeep {
		return 0
	}
	switch s[at] {
	case '"':
		return skipText(s, at)
	case '{':
		return skipObject(s, at, deep, nil)
	case '[':
		return skipArray(s, at, deep, nil)
	}
	for end = at; end < len(s) && !strings.ContainsRune(",]} \n\t\r", rune(s[end])); {
		end++
	}
	if bare := s[at:end]; !isDigit(bare) && bare != "true" && bare != "false" && bare != "null" &&
		!json.Valid([]byte(bare)) {
		return 0
	}
	return end
}

func isDigit(s string) bool { return len(s) == 1 && s[0] >= '0' && s[0] <= '9' }

// skipObject is skipValue for an object. It calls see, if that is not nil, with each member: the key as a
// JSON string.
func skipObject(s string, at, deep int, see func(key, value string)) (end int) {
	return skipParts(s, at, '{', '}', func(at int) int {
		end := skipValue(s, at, maxDeep)
		if s[at] != '"' || end == 0 {
			return 0
		}
		key := s[at:end]
		if at = skipSpace(s, end); at == len(s) || s[at] != ':' {
			return 0
		}
		at = skipSpace(s, at+1)
		if end = skipValue(s, at, deep+1); end != 0 && see != nil {
			see(key, s[at:end])
		}
		return end
	})
}

// skipArray is skipValue for an array. It calls see, if that is not nil, with each value.
func skipArray(s string, at, deep int, see func(value string)) (end int) {
	return skipParts(s, at, '[', ']', func(at int) int {
		end := skipValue(s, at, deep+1)
		if end != 0 && see != nil {
			see(s[at:end])
		}
		return end
	})
}

// skipParts skips what stands between two brackets, with commas between its parts, each of which skip skips.
func skipParts(s string, at int, opening, closing byte, skip func(at int) (end int)) (end int) {
	if at == len(s) || s[at] != opening {
		return 0
	}
	if at = skipSpace(s, at+1); at < len(s) && s[at] == closing {
		return at + 1
	}
	for at < len(s) {
		if at = skip(at); at == 0 {
			return 0
		}
		if at = skipSpace(s, at); at == len(s) {
			return 0
		}
		switch s[at] {
		case closing:
			return at + 1
		case ',':
			at = skipSpace(s, at+1)
		default:
			return 0
		}
	}
	return 0
}

// skipText is skipValue for a string.
func skipText(s string, at int) (end int) {
	escaped := false
	for end = at + 1; end < len(s); end++ {
		switch c := s[end]; {
		case c == '"' && escaped && !json.Valid([]byte(s[at:end+1])):
			return 0
		case c == '"':
			return end + 1
		case c == '\\':
			escaped = true
			end++
		case c < ' ':
			return 0
		}
	}
	return 0
}
