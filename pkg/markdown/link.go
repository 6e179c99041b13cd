package markdown

import (
	"encoding/hex"
	"strings"
)

// ReplaceTargets returns a text with other targets of its links, or of the link that it defines. Code within
// it stays.
func ReplaceTargets(text string, other func(target string) string) string {
	if label, target := LinkDefinition(text); label != "" {
		if at := strings.IndexAny(target, " \t"); at >= 0 {
			target = target[:at] // without its title
		}
		target = strings.TrimSuffix(strings.TrimPrefix(target, "<"), ">")
		if at := strings.Index(text, "]:") + len("]:"); target != "" {
			at += strings.Index(text[at:], target)
			return text[:at] + other(target) + text[at+len(target):]
		}
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '`':
			if n := strings.IndexByte(text[i+1:], '`'); n >= 0 {
				i += n + 1
			}
		case strings.HasPrefix(text[i:], "]("):
			from := i + len("](")
			target, rest, ok := parseTarget(text[from:])
			if !ok || target == "" {
				continue
			}
			at := from + strings.Index(text[from:], target)
			b.WriteString(text[done:at] + other(target))
			done = at + len(target)
			i = len(text) - len(rest) - 1
		}
	}
	return b.String() + text[done:]
}

// HasExt reports whether a path is that of a Markdown file, by its ending.
func HasExt(p string) bool {
	n := len(p) - len(".md")
	return n >= 0 && strings.EqualFold(p[n:], ".md")
}

// TrimExt returns the path of a Markdown file without its ending.
func TrimExt(p string) string {
	if HasExt(p) {
		return p[:len(p)-len(".md")]
	}
	return p
}

// LinkDefinition reads "[label]: target", which links of the form [text][label] use. Both results are ""
// for any other line, and for a footnote.
func LinkDefinition(text string) (label, target string) {
	t := strings.TrimSpace(Clip(text))
	if !strings.HasPrefix(t, "[") || strings.HasPrefix(t, "[^") {
		return "", ""
	}
	label, target, ok := strings.Cut(t[1:], "]:")
	if target = strings.TrimSpace(target); !ok || target == "" || strings.ContainsAny(label, "[]") ||
		strings.ContainsAny(target, " \t") && !strings.ContainsAny(target, `"'`) {
		return "", ""
	}
	return label, target
}

// SplitTarget returns the two parts of a link's target: the path as the file has it, and the anchor.
func SplitTarget(target string) (path, anchor string) {
	if before, a, ok := strings.Cut(target, "#"); ok && !HasExt(a) { // "c# tips.md" has none
		target, anchor = before, a
	}
	target = decodePercent(target)
	if strings.Contains(target, `\`) {
		target = unescaped.Replace(target)
	}
	return strings.TrimPrefix(target, "./"), anchor
}

// unescaped takes away the backslashes that Markdown has before marks in a path.
var unescaped = strings.NewReplacer(`\[`, "[", `\]`, "]", `\(`, "(", `\)`, ")", `\_`, "_",
	`\#`, "#", `\&`, "&", `\*`, "*", `\!`, "!", `\-`, "-", `\.`, ".")

// ParseLink reads "[title](target)" at the beginning of a text, also in emphasis.
func ParseLink(t string) (title, target, rest string, ok bool) {
	t = strings.TrimLeft(t, "*_")
	if !strings.HasPrefix(t, "[") {
		return "", "", "", false
	}
	depth, end := 0, -1
	for i := range len(t) {
		if t[i] == '[' {
			depth++
		} else if t[i] == ']' {
			if depth--; depth == 0 {
				end = i
				break
			}
		}
	}
	if end < 0 || end+1 >= len(t) || t[end+1] != '(' {
		return "", "", "", false
	}
	target, rest, ok = parseTarget(t[end+2:])
	if !ok {
		return "", "", "", false
	}
	return t[1:end], target, strings.TrimLeft(rest, "*_"), true
}

// parseTarget reads the target of a link, up to its closing parenthesis: a path between "<" and ">", or one
// whose own parentheses are closed. It leaves out the title of a link, in quotation marks. Other blanks
// count as a part of the path.
func parseTarget(t string) (target, rest string, ok bool) {
	if strings.HasPrefix(t, "<") {
		in, after, shut := strings.Cut(t[1:], ">")
		_, rest, ok = strings.Cut(after, ")")
		return in, rest, shut && ok
	}
	depth := 0
	for i := range len(t) {
		switch t[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				target = strings.TrimSpace(t[:i])
				at := strings.IndexAny(target, " \t")
				if at >= 0 && strings.ContainsAny(target[at+1:at+2], `"'(`) {
					target = target[:at]
				}
				return target, t[i+1:], true
			}
		}
	}
	return "", "", false
}

// decodePercent returns a target with its percent signs decoded, or the target itself if a percent sign has
// no two digits behind it. net/url could do it, but would make the start of every hook a twentieth slower.
func decodePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return s
		}
		c, err := hex.DecodeString(s[i+1 : i+3])
		if err != nil {
			return s
		}
		b.Write(c)
		i += 2
	}
	return b.String()
}
