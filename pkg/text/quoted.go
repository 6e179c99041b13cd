package text

import "strings"

// ShellQuoted returns a text as one word of a POSIX shell's command, in single quotes.
func ShellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
