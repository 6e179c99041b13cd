package memory

import (
	"bytes"
	"encoding/json"
)

// The functions here read the plain parts of valid JSON, as encoding/json would, in a third of the time: it
// looks at each byte of a record five times. What is not plain is left to it.

// members returns the values of a JSON object by key, and reports whether it could tell. raw is valid JSON.
func members(raw []byte) (map[string]json.RawMessage, bool) {
	raw = bytes.TrimSpace(raw)
	if raw[0] != '{' {
		return nil, false
	}
	all := map[string]json.RawMessage{}
	for at := skipSpace(raw, 1); raw[at] != '}'; {
		end := skipValue(raw, at)
		key, ok := plainText(raw[at:end])
		if !ok {
			return nil, false
		}
		at = skipSpace(raw, end)
		at = skipSpace(raw, at+1) // a colon
		end = skipValue(raw, at)
		all[key] = raw[at:end:end]
		if at = skipSpace(raw, end); raw[at] == ',' {
			at = skipSpace(raw, at+1)
		}
	}
	return all, true
}

// plainTexts returns the texts of a JSON array, and reports whether it is one that has nothing else. raw is
// valid JSON without space around it.
func plainTexts(raw []byte) ([]string, bool) {
	if raw[0] != '[' {
		return nil, false
	}
	all := []string{}
	for at := skipSpace(raw, 1); raw[at] != ']'; {
		end := skipValue(raw, at)
		s, ok := plainText(raw[at:end])
		if !ok {
			return nil, false
		}
		all = append(all, s)
		if at = skipSpace(raw, end); raw[at] == ',' {
			at = skipSpace(raw, at+1)
		}
	}
	return all, true
}

// plainText returns the text of a JSON string, and reports whether it is one without escapes. raw is valid
// JSON, in valid UTF-8, without space around it.
func plainText(raw []byte) (string, bool) {
	if raw[0] != '"' || bytes.IndexByte(raw, '\\') >= 0 {
		return "", false
	}
	return string(raw[1 : len(raw)-1]), true
}

func skipSpace(raw []byte, at int) int {
	for raw[at] == ' ' || raw[at] == '\n' || raw[at] == '\t' || raw[at] == '\r' {
		at++
	}
	return at
}

// skipValue returns where the JSON value at a place ends.
func skipValue(raw []byte, at int) int {
	for depth := 0; ; {
		switch raw[at] {
		case '"':
			at = skipText(raw, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case ',', ':', ' ', '\n', '\t', '\r':
			at++
			continue // between two values, so inside of another one
		default: // a number, true, false or null
			at = skipBare(raw, at)
		}
		if depth == 0 {
			return at
		}
	}
}

// skipBare returns where a number, true, false or null ends.
func skipBare(raw []byte, at int) int {
	for ; at < len(raw); at++ {
		switch raw[at] {
		case ',', ']', '}', ' ', '\n', '\t', '\r':
			return at
		}
	}
	return at
}

// skipText returns where the JSON string at a place ends.
func skipText(raw []byte, at int) int {
	for at++; ; {
		at += bytes.IndexByte(raw[at:], '"') + 1
		slashes := 0
		for raw[at-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
	}
}
