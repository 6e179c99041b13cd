package secret

import (
	"bytes"
	"encoding/json"
	"strings"
)

// RedactJSON replaces every secret in the strings of a JSON value, and leaves the form, the order of the keys
// and everything else as they are. A string is replaced whole if its key says that it is a secret
// ({"password": "..."}). Input that is not JSON is redacted like any other text and returned as a JSON
// string.
func RedactJSON(b []byte) []byte { return redactJSON(b, func(string) {}) }

// ValuesJSON returns the secrets that RedactJSON replaces.
func ValuesJSON(b []byte) (all []string) {
	redactJSON(b, func(value string) { all = append(all, value) })
	return all
}

// redactJSON is RedactJSON, and calls see with every secret.
func redactJSON(b []byte, see func(value string)) []byte {
	if !json.Valid(b) {
		return quoteJSON(redact(string(b), see))
	}
	var out bytes.Buffer
	key, done := "", 0 // the key of the value that comes next; b[:done] is written
	for i := 0; i < len(b); {
		if b[i] != '"' {
			if c := b[i]; c == ',' || c == '{' || c == '[' || c == ']' || c == '}' {
				key = ""
			}
			i++
			continue
		}
		end := i + 1
		for b[end] != '"' {
			if b[end] == '\\' {
				end++
			}
			end++
		}
		end++
		var text string
		if json.Unmarshal(b[i:end], &text) != nil { // cannot happen: the whole is valid
			return quoteJSON(redact(string(b), see))
		}
		after := end
		for after < len(b) && (b[after] == ' ' || b[after] == '\t' || b[after] == '\n' || b[after] == '\r') {
			after++
		}
		isKey := after < len(b) && b[after] == ':'
		kept := redact(text, see)
		if !isKey && key != "" && Names(key, text) {
			kept = Redacted
			see(text)
		}
		if kept != text {
			out.Write(b[done:i])
			out.Write(quoteJSON(kept))
			done = end
		}
		if key = ""; isKey {
			key = text
		}
		i = end
	}
	if done == 0 {
		return b
	}
	out.Write(b[done:])
	return out.Bytes()
}

// Names reports whether a name, such as a key, says that the text beside it is a secret.
func Names(name, text string) bool {
	if len(text) > maxValue || strings.Contains(text, "\n") || text == Redacted || Redact(name) != name {
		return false
	}
	said := name + ": " + text
	return Redact(said) != said && Redact(text) == text
}

// quoteJSON returns s as a JSON string.
func quoteJSON(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return bytes.TrimRight(b.Bytes(), "\n")
}
