package shell

import (
	"regexp"
	"strings"
	"sync"

	"keepsake/pkg/gate/rules"
)

// The forms of code that starts a program.
var forms = sync.OnceValue(func() (f struct{ literal, start, script *regexp.Regexp }) {
	f.literal = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)
	f.start = regexp.MustCompile("`[^`]*`|" + `\b(?:run|call|check_\w+|Popen|system|p?open2?|exec\w*|spawn\w*)\b`)
	f.script = regexp.MustCompile("['\"`]" + `([\w./~-]+\.(?:py|sh|bash|[mc]?js|rb|pl|php|lua))(?:[^\w./~-]|$)`)
	return f
})

// startsReads reports whether all programs that code starts are named in it, each with its verb, and are
// commands of MemPalace or of programs that read which write no palace. It returns the code without them.
func (j *judge) startsReads(text string) (rest string, ok bool) {
	if len(text) > maxCode {
		return "", false
	}
	f, found := forms(), 0
	for _, at := range f.start.FindAllStringIndex(text, -1) {
		after := text[at[1]:]
		list, call := strings.CutPrefix(after, "(")
		if text[at[0]] == '`' { // of Ruby and Perl
			list, call = "'"+text[at[0]+1:at[1]-1]+"'", true
		}
		if next := strings.TrimLeft(after, " \t"); !call {
			if next != "" && strings.IndexByte(",})\n;'\"", next[0]) < 0 {
				return "", false // it gets another name
			}
			continue
		}
		command := commandIn(list)
		words := strings.Fields(command)
		if text[at[0]:at[1]] == "open" && len(words) < 2 {
			continue // a file
		}
		if len(words) == 0 || !palaceProgram(words[0]) && programNamed(program(words[0])).kind != kindReads ||
			j.writesPalace(command) {
			return "", false
		}
		found++
	}
	return strings.NewReplacer("subprocess", "", "child_process", "", "shell=", "").Replace(
		f.start.ReplaceAllString(text, "")), found > 0
}

// commandIn returns the command that the arguments of a call begin with: a string, a list of words, or a
// program and a list; "" for anything else.
func commandIn(args string) string {
	const wordLetters = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	args, literal := strings.TrimLeft(args, " \t\n"), forms().literal
	at := literal.FindStringIndex(args)
	if at == nil || at[0] > 1 || at[0] == 1 && args[0] != '[' {
		return ""
	}
	command := strings.Trim(args[at[0]:at[1]], `'"`)
	list := strings.TrimLeft(args[at[1]:], ", \t\n")
	switch after, named := strings.CutPrefix(strings.TrimLeft(list, wordLetters), "="); {
	case at[0] == 1:
		command = rules.Quote(command)
	case strings.HasPrefix(list, "["):
		list = list[1:]
	case list == "" || named && after != "" || strings.IndexByte("){", list[0]) >= 0: // options, or nothing
		return command
	default:
		return command + " $unknown"
	}
	for {
		if list = strings.TrimLeft(list, ", \t\n"); list == "" || list[0] == ']' {
			return command
		}
		if at := literal.FindStringIndex(list); at != nil && at[0] == 0 {
			command += " " + rules.Quote(strings.Trim(list[:at[1]], `'"`))
			list = list[at[1]:]
			continue
		}
		command += ` "$unknown"`
		list = list[max(1, strings.IndexAny(list, ",]")):]
	}
}
