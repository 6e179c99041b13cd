package markdown

import "strings"

// Visible returns a text without its comments and its fenced blocks of code. A sign that would begin a
// comment doesn't in code, in a line as well as in a block.
func Visible(text string) string {
	var out []string
	var fence Fence
	comment := false
	for line := range strings.SplitSeq(text, "\n") {
		if !comment && fence.Read(line) {
			continue
		}
		line, comment = uncommented(line, comment)
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// uncommented returns a line without comments. in reports whether the line begins inside of a comment,
// still whether the next line does.
func uncommented(line string, in bool) (out string, still bool) {
	for {
		if in {
			_, rest, ended := strings.Cut(line, "-->")
			if !ended {
				return out, true
			}
			line, in = rest, false
		}
		before, rest, begins := strings.Cut(line, "<!--")
		switch {
		case !begins:
			return out + line, false
		case strings.Count(out+before, "`")%2 == 1 && strings.Contains(rest, "`"): // in code
			out += before + "<!--"
			line = rest
		default:
			out += before
			line, in = rest, true
		}
	}
}

// CutComments returns a line without the comments that begin and end in it, and those. A sign that would
// begin a comment doesn't in code.
func CutComments(line string) (text string, comments []string) {
	var b strings.Builder
	for {
		before, rest, begins := strings.Cut(line, "<!--")
		in, after, ended := strings.Cut(rest, "-->")
		if !begins || !ended {
			b.WriteString(line)
			return b.String(), comments
		}
		b.WriteString(before)
		if strings.Count(b.String(), "`")%2 == 1 && strings.Contains(rest, "`") { // in code
			b.WriteString("<!--")
			line = rest
			continue
		}
		comments = append(comments, "<!--"+in+"-->")
		line = after
	}
}
