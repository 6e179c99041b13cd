//go:build e2e

package e2e

import (
	"regexp"
	"strings"
)

// typed is a skill that the person called by name: its text, as the client puts it into the conversation, and what
// was typed behind the name.
type typed struct{ text, args string }

var typedSkill = regexp.MustCompile(`<command-name>/keepsake:(\w+)</command-name>\s*(?:<command-args>([^<]*)</command-args>)?`)

// typedNow is the skill that the newest part of a request calls.
func typedNow(r *Request, name string) (typed, bool) {
	tail := r.Tail()
	m := typedSkill.FindStringSubmatch(tail)
	if m == nil || m[1] != name {
		return typed{}, false
	}
	return typed{text: tail, args: strings.TrimSpace(m[2])}, true
}

// command is the command that the skill's text gives in the table row, or the line, that begins with the words.
func (s typed) command(words string) (string, bool) {
	for _, line := range lines(s.text) {
		if _, rest, ok := strings.Cut(line, words); ok {
			if m := regexp.MustCompile("`(/[^`]+/bin/keepsake [^`]+)`").FindStringSubmatch(rest); m != nil {
				return m[1], true
			}
		}
	}
	return "", false
}
