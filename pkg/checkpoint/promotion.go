package checkpoint

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"keepsake/pkg/text"
)

// A Promotion is what a call of keepsake promote, or of save --tier why, would
// write, as the program itself says it before it writes.
type Promotion struct {
	Digest  string   // of the back end and of each text with its address
	To      string   // the back end, in words
	Where   string   // the address, in words
	Program string   // this plugin's own, absolute
	Words   []string // its arguments: the verb, what it was told, and last each text whole
	Near    []string // what is kept and says nearly the same, as wing/room/drawer
	Titles  []string // of Near, in words
	Unknown string   // why it was not compared with what is kept, "" when it was
	Secrets []string // the kinds that were taken out of the texts
}

// Input is the tool_input that takes the place of the call's own: the same
// promotion by this plugin's own program, with the nonce that lets it write, and
// with every text, so that the dialog shows it.
func (p Promotion) Input(nonce string) []byte {
	b, err := json.Marshal(map[string]string{"command": p.Command(nonce)})
	if err != nil { // of a string
		return nil
	}
	return b
}

// Command spells the call out for a shell.
func (p Promotion) Command(nonce string) string {
	words := []string{shown(p.Program), p.Words[0], "--approval", nonce}
	for _, w := range p.Words[1:] {
		words = append(words, shown(w))
	}
	return strings.Join(words, " ")
}

// shown quotes a word so that a person can read it and bash and zsh give it back
// byte for byte: in single quotes with its line ends as they are, and where it has
// characters that a terminal would obey or hide, in $'…' with their bytes spelled
// out.
func shown(w string) string {
	name, value, isOption := strings.Cut(w, "=")
	switch {
	case plainWord(w):
		return w
	case isOption && strings.HasPrefix(name, "--") && plainWord(name):
		return name + "=" + shown(value)
	case !text.HasUnseen(w) && !strings.Contains(w, "\r"): // which some shells drop before a line end
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

// plainWord says that a shell takes a word as it is.
func plainWord(w string) bool {
	for i := 0; i < len(w); i++ {
		c := w[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			strings.IndexByte("-_./:,", c) < 0 {
			return false
		}
	}
	return w != ""
}
