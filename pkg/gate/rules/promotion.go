package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// A Promotion is the text that a call of keepsake notes promote, or of save --tier why, would write. The
// program itself reports it before it writes.
type Promotion struct {
	Digest  string   // of the back end and of each text with its address
	To      string   // the back end, in words
	Where   string   // the address, in words
	Program string   // absolute path of this plugin's own program
	Words   []string // its arguments: the verb, its flags, and last each text whole
	Near    []string // similar memories, as wing/room/drawer
	Titles  []string // titles of Near
	Unknown string   // why nothing was compared with it, or ""
	Secrets []string // kinds of the secrets taken out of the texts
}

// Input returns the tool_input that replaces the call's own. It runs the same promotion with this plugin's
// own program and the nonce that lets it write. It spells out every text, so that the dialog shows them.
func (p Promotion) Input(nonce string) []byte {
	b, err := json.Marshal(map[string]string{"command": p.Command(nonce)})
	if err != nil { // a string always encodes
		return nil
	}
	return b
}

// Command returns the call as a shell command.
func (p Promotion) Command(nonce string) string {
	words := []string{Quote(p.Program), p.Words[0], "--approval", nonce}
	for _, w := range p.Words[1:] {
		words = append(words, Quote(w))
	}
	return strings.Join(words, " ")
}

// Args returns the arguments with which the program writes.
func (p Promotion) Args(nonce string) []string {
	return slices.Concat(strings.Fields(p.Words[0]), []string{"--approval", nonce}, p.Words[1:])
}

// Quote returns a word quoted so that a person can read it and bash and zsh give it back byte for byte. It
// uses single quotes with line ends as they are, or $'…' with escaped bytes if the word has characters that a
// terminal would obey or hide.
func Quote(w string) string {
	name, value, isOption := strings.Cut(w, "=")
	switch {
	case isPlainWord(w):
		return w
	case isOption && strings.HasPrefix(name, "--") && isPlainWord(name):
		return name + "=" + Quote(value)
	case !text.HasUnseen(w) && !strings.Contains(w, "\r"): // some shells drop \r before a line end
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for rest := w; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case text.IsUnseen(r) || r == utf8.RuneError:
			for _, c := range []byte(rest[:n]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		case r == '\\' || r == '\'':
			b.WriteString(`\` + rest[:n])
		default:
			b.WriteString(rest[:n])
		}
		rest = rest[n:]
	}
	return b.String() + "'"
}

// isPlainWord reports whether a shell takes a word as it is.
func isPlainWord(w string) bool {
	for i := 0; i < len(w); i++ {
		c := w[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			strings.IndexByte("-_./:,", c) < 0 {
			return false
		}
	}
	return w != ""
}
