package text

import "unicode/utf8"

// AppendJSON appends a text as a JSON string. It escapes what encoding/json does when it leaves HTML alone;
// bytes that are not UTF-8 become U+FFFD.
func AppendJSON[T ~string | ~[]byte](b []byte, s T) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	done := 0 // up to here it is appended
	for i := 0; i < len(s); {
		c, escape, n := s[i], "", 1
		switch {
		case c == '"':
			escape = `\"`
		case c == '\\':
			escape = `\\`
		case c == '\n':
			escape = `\n`
		case c == '\t':
			escape = `\t`
		case c == '\r':
			escape = `\r`
		case c == '\b':
			escape = `\b`
		case c == '\f':
			escape = `\f`
		case c < ' ':
			escape = `\u00` + string(hex[c>>4]) + string(hex[c&0xf])
		case c >= utf8.RuneSelf:
			var r rune
			switch r, n = utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)])); {
			case r == utf8.RuneError && n == 1:
				escape = `\ufffd`
			case r == '\u2028':
				escape = `\u2028`
			case r == '\u2029':
				escape = `\u2029`
			}
		}
		if escape != "" {
			b = append(append(b, s[done:i]...), escape...)
			done = i + n
		}
		i += n
	}
	return append(append(b, s[done:]...), '"')
}
