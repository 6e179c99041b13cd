package evidence

import (
	"strings"
	"unicode/utf8"
)

// A pipeline is the commands that are joined by pipes, each as its words without quotes.
type pipeline [][]string

// maxLiteral bounds what is read, in bytes.
const maxLiteral = 64 << 10

// literalPipelines returns the pipelines of a command, in their order. A pipeline ends with ";", "&&", "||"
// or the end of a line. ok is false for a command with anything but literal words and redirections that
// write no file.
//
// It is no parser: it refuses anything that a shell would expand, redirect into a file, group or branch on.
// A command that it accepts means the same to the gate's parser, which the command line may not link. A
// fuzz test checks that.
func literalPipelines(command string) (all []pipeline, ok bool) {
	if len(command) > maxLiteral || !utf8.ValidString(command) || strings.ContainsAny(command, "\x00\r") {
		return nil, false
	}
	r := wordReader{rest: command}
	for {
		word, op, ok := r.next()
		switch {
		case !ok:
			return nil, false
		case op == "":
			r.words = append(r.words, word)
		case op == "|":
			if !r.endCommand() {
				return nil, false
			}
			r.piped = true
		default:
			joins := op == "&&" || op == "||"
			switch {
			case len(r.words) == 0 && r.piped: // a pipe goes on behind the end of a line
				if op != "\n" {
					return nil, false
				}
				continue
			case len(r.words) == 0 && (joins || op == ";" || op == endOfCommand && r.joined):
				return nil, false
			case len(r.words) == 0:
				if op == endOfCommand {
					return r.all, true
				}
				continue
			}
			r.endCommand()
			r.all, r.line, r.piped, r.joined = append(r.all, r.line), nil, false, joins
			if op == endOfCommand {
				return r.all, !joins
			}
		}
	}
}

// endOfCommand is the operator at the end of a command.
const endOfCommand = "end"

type wordReader struct {
	rest   string
	words  []string // of the command under way
	line   pipeline // the commands before it
	all    []pipeline
	piped  bool // a pipe stands before it
	joined bool // "&&" or "||" stands before it
}

func (r *wordReader) endCommand() bool {
	if len(r.words) == 0 {
		return false
	}
	r.line, r.words, r.joined = append(r.line, r.words), nil, false
	return true
}

// next returns the next word, or the next operator.
func (r *wordReader) next() (word, op string, ok bool) {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t")
		if n := quietRedirection(r.rest); n > 0 && len(r.words) > 0 {
			r.rest = r.rest[n:]
			continue
		}
		break
	}
	if r.rest == "" {
		return "", endOfCommand, true
	}
	for _, op := range [...]string{"&&", "||", "|", ";", "\n"} {
		if rest, found := strings.CutPrefix(r.rest, op); found {
			if op == "|" && strings.HasPrefix(rest, "&") || op == ";" && strings.HasPrefix(rest, ";") {
				return "", "", false
			}
			r.rest = rest
			return "", op, true
		}
	}
	return r.word()
}

// quietRedirection returns the length of a redirection that writes no file at the start of a text.
func quietRedirection(s string) int {
	for _, form := range [...]string{"2>&1", "1>&2", ">&2", "2>/dev/null", "2> /dev/null", ">/dev/null",
		"> /dev/null", "&>/dev/null", "&> /dev/null", "</dev/null", "< /dev/null"} {
		if rest, ok := strings.CutPrefix(s, form); ok && (rest == "" ||
			strings.IndexByte(" \t\n;|", rest[0]) >= 0 ||
			strings.HasPrefix(rest, "&&")) {
			return len(form)
		}
	}
	return 0
}

// word reads one word.
func (r *wordReader) word() (word, op string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '\'':
			n := strings.IndexByte(r.rest[i+1:], '\'')
			if n < 0 {
				return "", "", false
			}
			b.WriteString(r.rest[i+1 : i+1+n])
			i += n + 1
		case c == '"':
			n := strings.IndexByte(r.rest[i+1:], '"')
			if n < 0 || strings.ContainsAny(r.rest[i+1:i+1+n], "$`\\!") {
				return "", "", false
			}
			b.WriteString(r.rest[i+1 : i+1+n])
			i += n + 1
		case c == ' ', c == '\t', c == '\n', c == ';', c == '|', c == '&':
			if c == '&' && !strings.HasPrefix(r.rest[i:], "&&") {
				return "", "", false
			}
			r.rest = r.rest[i:]
			return b.String(), "", true
		case c < ' ' || c >= 0x7F || strings.IndexByte("$`\\<>(){}[]*?!#~^", c) >= 0:
			// Some of these are literal in places, as in HEAD~1 and HEAD^.
			if c != '~' && c != '^' && c != '#' || i == 0 || r.rest[i-1] == '=' || r.rest[i-1] == ':' {
				return "", "", false
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	r.rest = ""
	return b.String(), "", true
}
