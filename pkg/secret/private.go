package secret

import "strings"

// privateTag is the tag a person puts around text that must not be stored.
const privateTag = "private"

// privateText is the kind of text between <private> and </private>.
const privateText = "private text"

// tagEnd returns the end of the tag whose name is expected at i, or 0 if another name stands there. Blanks
// may precede its ">".
func tagEnd(s string, i int) int {
	end := i + len(privateTag)
	if end >= len(s) || !strings.EqualFold(s[i:end], privateTag) {
		return 0
	}
	for end < len(s) && (s[end] == ' ' || s[end] == '\t' || s[end] == '\n' || s[end] == '\r') {
		end++
	}
	if end == len(s) || s[end] != '>' {
		return 0
	}
	return end + 1
}

// privateEnd returns the end of the private span whose tag begins at i, or 0 if none begins there. A span
// that is never closed reaches to the end of the text. A tag alone in backquotes (`<private>`) is only
// mentioned, and opens no span.
func privateEnd(s string, i int) int {
	from := tagEnd(s, i+1)
	if from == 0 || i > 0 && s[i-1] == '`' && from < len(s) && s[from] == '`' {
		return 0
	}
	for j := from; ; {
		n := strings.Index(s[j:], "</")
		if n < 0 {
			return len(s)
		}
		j += n + 2
		if end := tagEnd(s, j); end > 0 {
			return end
		}
	}
}

// WithoutPrivate returns s without the spans between <private> and </private>, in any case, and reports
// whether there was one.
func WithoutPrivate(s string) (kept string, cut bool) {
	if !strings.Contains(s, "<") {
		return s, false
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			break
		}
		i += n
		if end := privateEnd(s, i); end > 0 {
			b.WriteString(s[done:i])
			i, done = end, end
			continue
		}
		i++
	}
	if done == 0 {
		return s, false
	}
	b.WriteString(s[done:])
	return b.String(), true
}
