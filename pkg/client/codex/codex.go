// Package codex reads what Codex CLI's own tools are called with: the patches of apply_patch, and commands of
// its shells. Its events call every shell "Bash"; its session files have the tools' own names.
package codex

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/tidwall/gjson"
)

// Patch is the tool that changes files. Its argument is the text of a patch.
const Patch = "apply_patch"

// IsShell reports whether a tool of a session file runs a command. Older sessions have other names for it.
func IsShell(tool string) bool {
	switch tool {
	case "exec_command", "shell", "shell_command", "local_shell", "container.exec":
		return true
	}
	return false
}

// Command returns the command in the arguments of a call, a JSON object. It is a string, or a list of words,
// of which bash -lc and the like are left out.
func Command(args []byte) string {
	in := gjson.ParseBytes(args)
	for _, name := range [...]string{"cmd", "command"} {
		v := in.Get(name)
		if v.Type == gjson.String {
			return v.Str
		}
		if v.IsArray() {
			return joinWords(v)
		}
	}
	return ""
}

func joinWords(v gjson.Result) string {
	var words []string
	v.ForEach(func(_, w gjson.Result) bool {
		words = append(words, w.String())
		return true
	})
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		switch path.Base(words[0]) {
		case "bash", "sh", "zsh", "dash":
			return words[2]
		}
	}
	for i, w := range words {
		if w == "" || strings.ContainsFunc(w, isSpecial) {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// isSpecial reports whether a shell may read a character of a word as something else.
func isSpecial(r rune) bool {
	return !strings.ContainsRune("%+,-./:=@_", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') &&
		(r < 'A' || r > 'Z')
}

// A Kind is what a patch does to a file.
type Kind string

const (
	Add    Kind = "add"
	Update Kind = "update"
	Delete Kind = "delete"
)

// A Change is one file in a patch.
type Change struct {
	Kind Kind
	Path string // as the patch names it
	To   string // where an update moves the file; "" leaves it
	Text string // the whole of an added file
	Edit []Edit // of an update
}

// An Edit is a place of a file that an update changes.
type Edit struct{ Old, New string }

// Lines of a patch.
const (
	begin   = "*** Begin Patch"
	end     = "*** End Patch"
	addFile = "*** Add File: "
	update  = "*** Update File: "
	remove  = "*** Delete File: "
	moveTo  = "*** Move to: "
	eof     = "*** End of File"
	remote  = "*** Environment ID: "
)

// ErrPatch is the error of ParsePatch for what is no patch.
var ErrPatch = errors.New("not a patch")

// ParsePatch returns the changes of a patch, in their order. The text is apply_patch's own form; blank lines
// and a heredoc around it are left out, as Codex does. It fails on any line that it does not know, so that no
// change is overlooked.
func ParsePatch(text string) ([]Change, error) {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
	if n := len(lines); n >= 4 && strings.HasPrefix(lines[0], "<<") { // a heredoc, as a model quotes it
		word := strings.Trim(strings.TrimPrefix(lines[0], "<<"), `'"`)
		if strings.HasSuffix(lines[n-1], word) {
			lines = lines[1 : n-1]
		}
	}
	n := len(lines)
	if n < 2 || strings.TrimSpace(lines[0]) != begin || strings.TrimSpace(lines[n-1]) != end {
		return nil, fmt.Errorf("%w: it does not begin with %q and end with %q", ErrPatch, begin, end)
	}
	p := parser{lines: lines[1 : len(lines)-1], number: 2}
	for len(p.lines) > 0 {
		if err := p.change(); err != nil {
			return nil, err
		}
	}
	if len(p.all) == 0 {
		return nil, fmt.Errorf("%w: it changes no file", ErrPatch)
	}
	return p.all, nil
}

// A parser holds the lines that are still to be read.
type parser struct {
	lines  []string
	number int // of the first of them
	all    []Change
}

func (p *parser) next() string {
	l := p.lines[0]
	p.lines, p.number = p.lines[1:], p.number+1
	return l
}

func (p *parser) unknown(line string) error {
	return fmt.Errorf("%w: line %d: %.80q", ErrPatch, p.number-1, line)
}

// change reads one file.
func (p *parser) change() error {
	line := p.next()
	head := strings.TrimSpace(line)
	c := Change{}
	switch {
	case head == "" || strings.HasPrefix(head, remote):
		return nil
	case strings.HasPrefix(head, addFile):
		c.Kind, c.Path = Add, head[len(addFile):]
		c.Text = p.added()
	case strings.HasPrefix(head, remove):
		c.Kind, c.Path = Delete, head[len(remove):]
	case strings.HasPrefix(head, update):
		c.Kind, c.Path = Update, head[len(update):]
		if len(p.lines) > 0 {
			if to, ok := strings.CutPrefix(strings.TrimSpace(p.lines[0]), moveTo); ok {
				p.next()
				if c.To = strings.TrimSpace(to); c.To == "" {
					return p.unknown(line)
				}
			}
		}
		if err := p.edits(&c); err != nil {
			return err
		}
	default:
		return p.unknown(line)
	}
	if c.Path = strings.TrimSpace(c.Path); c.Path == "" {
		return p.unknown(line)
	}
	p.all = append(p.all, c)
	return nil
}

// added reads the lines of an added file.
func (p *parser) added() string {
	var b strings.Builder
	for len(p.lines) > 0 && strings.HasPrefix(p.lines[0], "+") {
		b.WriteString(p.next()[1:])
		b.WriteByte('\n')
	}
	return b.String()
}

// edits reads the places of an update, up to the next file.
func (p *parser) edits(c *Change) error {
	var e Edit
	flush := func() {
		if e != (Edit{}) {
			c.Edit = append(c.Edit, e)
		}
		e = Edit{}
	}
	for len(p.lines) > 0 {
		line := p.lines[0]
		switch {
		case strings.HasPrefix(line, "@@"), strings.TrimSpace(line) == eof:
			flush()
		case strings.HasPrefix(line, "*** "):
			flush()
			return nil
		case strings.HasPrefix(strings.TrimSpace(line), "*** "): // a line of the file, or the next one's head
			p.next()
			return p.unknown(line)
		case line == "":
			e.Old, e.New = e.Old+"\n", e.New+"\n"
		case line[0] == ' ':
			e.Old, e.New = e.Old+line[1:]+"\n", e.New+line[1:]+"\n"
		case line[0] == '-':
			e.Old += line[1:] + "\n"
		case line[0] == '+':
			e.New += line[1:] + "\n"
		default:
			p.next()
			return p.unknown(line)
		}
		p.next()
	}
	flush()
	return nil
}

// Patches returns the patches in a shell command, which Codex applies itself instead of running it, and the
// folder that the command changes to before, "" for none. ok reports whether the command is of such a form:
// apply_patch <<'EOF', alone or behind one cd. named reports whether it names apply_patch and has a patch in
// any form at all.
func Patches(command string) (text, dir string, ok, named bool) {
	if !strings.Contains(command, begin) ||
		!strings.Contains(command, "apply_patch") && !strings.Contains(command, "applypatch") {
		return "", "", false, false
	}
	rest := strings.TrimSpace(command)
	if after, found := strings.CutPrefix(rest, "cd "); found {
		var then string
		if dir, then, found = strings.Cut(after, "&&"); !found {
			return "", "", false, true
		}
		dir = strings.TrimSpace(dir)
		if n := len(dir); n > 1 && (dir[0] == '\'' || dir[0] == '"') && dir[n-1] == dir[0] {
			dir = dir[1 : n-1]
		}
		if dir == "" || strings.ContainsAny(dir, "'\"$`\\;|&<>(){}*?[~\n") {
			return "", "", false, true
		}
		rest = strings.TrimSpace(then)
	}
	for _, name := range [...]string{"apply_patch", "applypatch"} {
		after, found := strings.CutPrefix(rest, name)
		after = strings.TrimSpace(after)
		if !found || !strings.HasPrefix(after, "<<") {
			continue
		}
		head, body, _ := strings.Cut(after, "\n")
		word := strings.Trim(strings.TrimSpace(strings.TrimPrefix(head, "<<")), `'"`)
		body, found = strings.CutSuffix(strings.TrimRight(body, " \n"), "\n"+word)
		if word == "" || strings.ContainsFunc(word, isSpecial) || !found ||
			strings.Contains(body, "\n"+word+"\n") {
			return "", "", false, true
		}
		return body, dir, true, true
	}
	return "", "", false, true
}
