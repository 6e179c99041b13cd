package memdir

import "strings"

// Scalar is a value of frontmatter, in quotation marks where a reader of YAML would
// take it for something else than a text.
func Scalar(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	plainly := s != "" && !strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`=~ ") && !strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":")
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null":
		plainly = false
	}
	switch {
	case plainly:
		return s
	case !strings.ContainsAny(s, `"\`):
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", "’") + "'"
}
