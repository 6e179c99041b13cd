package source

import (
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A language says how the definitions of a language are told from mentions, by form. It need not know the
// language's grammar: what is surely no definition is told apart, and all else counts as one. To miss that a
// definition is gone costs less than to say so of one that is there.
type language struct {
	line   []string    // what begins a comment that ends with its line
	block  [][2]string // what begins and ends other comments, and texts of several lines
	quotes string      // what begins and ends a text in one line
	chars  bool        // an apostrophe stands around one character
	// typed: a name behind another word is defined by it, as in "int n" and "get n()". In other languages
	// only a keyword does that.
	typed bool
	// commands: a line that is a name alone, or begins with one, runs it.
	commands bool
	// methods: name(…) { … } defines. In other languages it is a call with a block.
	methods  bool
	patterns bool   // /…/ is a regular expression where no value stands before it
	brackets string // those within which a name is an argument or an entry
	upper    bool   // keywords are written in capital letters too
	named    bool   // what is defined stands in quotes
}

var (
	slashes = [][2]string{{"/*", "*/"}}
	typed   = language{line: []string{"//"}, block: slashes, quotes: `"`, chars: true, typed: true,
		methods: true}
	scripted = language{line: []string{"//"},
		block:  append([][2]string{{"`", "`"}, {"<!--", "-->"}}, slashes...),
		quotes: `"'`, typed: true, methods: true, patterns: true}
	keyed = language{line: []string{"//"}, block: append([][2]string{{`"""`, `"""`}}, slashes...),
		quotes: `"`, chars: true}
	hashes = language{line: []string{"#"}, quotes: `"'`, commands: true}
	dashes = language{line: []string{"--"}, block: [][2]string{{"--[[", "]]"}, {"{-", "-}"}, {"/*", "*/"}},
		quotes: `"'`, upper: true}
	indents = language{line: []string{"#"}, block: [][2]string{{`"""`, `"""`}, {"'''", "'''"}}, quotes: `"'`,
		commands: true, brackets: "{}"}
	php = language{line: []string{"//", "# "}, block: slashes, quotes: `"'`, methods: true, named: true}
	hcl = language{line: []string{"#", "//"}, block: slashes, typed: true, methods: true, named: true}
)

// languages returns those whose definitions are told, by the ends of their files' names. Most programs that
// link this never ask.
var languages = sync.OnceValue(func() map[string]*language {
	all := map[string]*language{}
	for l, ends := range map[*language]string{
		&typed:    "c h cc cpp cxx hh hpp hxx m mm java cs dart proto",
		&scripted: "js jsx mjs cjs ts tsx mts cts vue svelte",
		&keyed:    "rs kt kts swift scala sc",
		&hashes:   "sh bash zsh rb rake ex exs graphql mk make",
		&dashes:   "sql lua hs",
		&indents:  "py pyi",
		&php:      "php",
		&hcl:      "tf",
	} {
		for end := range strings.FieldsSeq(ends) {
			all["."+end] = l
		}
	}
	return all
})

// languageOf returns the language of a file.
func languageOf(file string) (*language, bool) {
	if base := path.Base(file); base == "Makefile" || base == "Rakefile" {
		return &hashes, true
	}
	l, known := languages()[strings.ToLower(path.Ext(file))]
	return l, known
}

// Words before a name, and what they say of it.
var (
	// keywords define it.
	keywords = set(`func function fun def defp defmodule defmacro class interface type struct union enum trait
		impl fn const let var val static module mod namespace package object protocol record macro
		macro_rules typedef typealias alias extension sub proc table view index procedure trigger actor
		message service rpc input scalar data newtype define using delegate event associatedtype
		local export readonly declare typeset resource variable output provider attr_reader attr_writer
		attr_accessor constructor get set init mut ref lazy`)
	// mentions use it.
	mentions = set(`return await yield new throw raise extends implements instanceof typeof in is as not and or
		if elif elsif else unless while until for case when match do then go defer delete assert goto del
		print puts echo import from use require include with except rescue catch switch where undef ifdef
		ifndef`)
	// imports begin a line that brings names from elsewhere.
	imports = set(`import from use require include #include #undef #ifdef #ifndef #if package`)
	// parameters stand before a parameter that is a member too.
	parameters = set(`val var public private protected readonly`)
	// variants stand before several names.
	variants = set(`case enum const let var val attr_reader attr_writer attr_accessor`)
)

// set returns whether a word is one of some. They are taken apart at the first question, as most programs
// that link this ask none.
func set(words string) func(word string) bool {
	all := sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			all[w] = true
		}
		return all
	})
	return func(word string) bool { return all()[word] }
}

// code returns a text whose comments and quoted texts are blank. Where one of several lines does not end,
// what begins it is no such thing.
func (l *language) code(text string) string {
	out := []byte(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	open := slices.Clone(l.block) // those of which there are more that end
	lineEnd := -1
	for i := 0; i < len(text); {
		rest, end := text[i:], 0
		for j, b := range open {
			if b[0] == "" || !strings.HasPrefix(rest, b[0]) {
				continue
			}
			if n := strings.Index(rest[len(b[0]):], b[1]); n >= 0 {
				end = len(b[0]) + n + len(b[1])
				break
			}
			open[j] = [2]string{}
		}
		if lineEnd < i {
			if lineEnd = len(text); strings.IndexByte(rest, '\n') >= 0 {
				lineEnd = i + strings.IndexByte(rest, '\n')
			}
		}
		eol := lineEnd - i
		switch {
		case end > 0:
		case slices.ContainsFunc(l.line, func(c string) bool { return strings.HasPrefix(rest, c) }) &&
			(rest[0] != '#' || i == 0 || text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == '\n'):
			end = eol
		case l.named && strings.HasSuffix(text[:i], "define("):
		case strings.IndexByte(l.quotes, rest[0]) >= 0:
			if end = quoted(rest[:eol]); end == 0 {
				end = eol
			}
		case l.patterns && rest[0] == '/' && opensPattern(text[:i]):
			end = pattern(rest[:min(eol, maxAround)])
		case l.chars && rest[0] == '\'':
			_, size := utf8.DecodeRuneInString(rest[1:])
			switch {
			case strings.HasPrefix(rest, `'\`):
				end = quoted(rest[:min(eol, maxAround)])
			case strings.HasPrefix(rest[1+size:], "'"):
				end = size + 2
			}
		}
		if end == 0 {
			i++
			continue
		}
		blank(i, i+end)
		i += end
	}
	return string(out)
}

// opensPattern reports whether a slash behind a text begins a regular expression.
func opensPattern(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	return before == "" || strings.IndexByte("=(,:!&|?{};[+", before[len(before)-1]) >= 0 ||
		strings.HasSuffix(before, "return")
}

// pattern returns the length of the regular expression with which a line begins, 0 if it does not end in it.
func pattern(line string) int {
	class := false
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '[' || c == ']':
			class = c == '['
		case c == '/' && !class:
			return i + 1
		}
	}
	return 0
}

// quoted returns the length of the quoted text with which a line begins, 0 if it does not end in it.
func quoted(line string) int {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[0]:
			return i + 1
		}
	}
	return 0
}

// Bounds of what is looked at: bytes before and behind a mention, and mentions. What is beyond may define.
const maxAround, maxMentions = 3000, 500

// defines reports whether a mention of a name in code, whose comments and texts are blank, may define it.
func (l *language) defines(code, name string) bool {
	for at, n := 0, 0; ; {
		i := strings.Index(code[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		whole := (i == 0 || !isWord(code[i-1])) && (at == len(code) || !isWord(code[at]))
		if !whole {
			continue
		}
		from := max(0, i-maxAround)
		if n++; n > maxMentions || l.isDefinition(code[from:min(len(code), at+maxAround)], i-from, at-from) {
			return true
		}
	}
}

// isBetween reports whether a rune stands between words.
func isBetween(r rune) bool { return r < 0x80 && !isWord(byte(r)) }

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// isDefinition reports whether the mention at code[from:to] may be a definition.
func (l *language) isDefinition(code string, from, to int) bool {
	lineFrom := strings.LastIndexByte(code[:from], '\n') + 1
	line := code[lineFrom:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	before := strings.TrimRight(code[lineFrom:from], " \t$@")
	sigil := strings.TrimRight(code[lineFrom:from], " \t") != before
	after := code[to:]
	words := wordsOf(line)
	next := strings.TrimLeft(after, " \t")
	assigned := isAssigned(next)
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	inLine := words[:len(wordsOf(before))] // the words before it
	keyed := slices.ContainsFunc(inLine, func(w string) bool {
		return keywords(w) || l.upper && keywords(strings.ToLower(w))
	})
	if imports(first) || first == "using" && !assigned || l.inImport(code, from) {
		return false
	}
	last := ""
	if before != "" {
		last = before[len(before)-1:]
	}
	switch {
	case last == "": // it begins the line
		// Its type may stand in the line before.
		return l.begins(code, from, next, sigil) ||
			l.typed && l.continues(code[:lineFrom]) && !l.inParens(code, from) && l.isBody(next)
	case isWord(last[0]) || last == "-" && l.commands:
		word := before[strings.LastIndexFunc(before, isBetween)+1:]
		switch {
		case sigil && (parameters(word) || word == "static"):
			return true
		case keywords(word) && !l.inParens(code, from), l.commands && keywords(first) && last == "-":
			return true
		case word == "case" && variantCase(code, from):
			return true
		case mentions(word):
			return false
		case l.inParens(code, from):
			return l.brackets == "" && (parameters(word) || isHeader(before))
		case next != "" && isWord(next[0]) && !keyed && !strings.HasPrefix(next, "extends"):
			return l.commands && keywords(first) // it is a type, or a word among others
		case l.typed, keyed:
			return true
		}
		return next != "" && (assigned || next[0] == ':' && !strings.HasPrefix(next, "::"))
	case last == "{", last == "}", last == ";":
		return l.begins(code, from, next, sigil)
	case last == "." || last == ":" && (strings.HasSuffix(before, "::") || keyed && code[from-1] == ':'):
		switch {
		case assigned, keyed && !strings.ContainsAny(before, "=({"), l.commands && variants(first):
			return true
		}
		return strings.HasSuffix(before, "::") && l.typed && l.isBody(next) && !strings.Contains(before, "=")
	case last == `"` || last == "'":
		return l.named && keyed
	case last == "=":
		return assigned && targets(line) && !l.inParens(code, from) // a = b = 1
	case last == "," || last == "[" || last == ":" && l.commands:
		several := !l.inParens(code, from) && !strings.Contains(before, "(")
		return several && (variants(first) || last == "," && (l.typed || keyed || targets(line)))
	case strings.Contains(">*&]?)!#(", last):
		switch {
		case strings.HasSuffix(before, "=>"), strings.HasSuffix(before, "->"),
			strings.HasSuffix(before, "&&"):
			return false
		case last == "!":
			return strings.HasSuffix(before, "macro_rules!")
		case strings.HasSuffix(before, "(*") && l.chars: // a pointer to a function
			return true
		case last == "*" && strings.TrimSpace(before) == "*": // a generator
			return l.methods && l.isBody(next)
		case last == "(", l.inParens(code, from):
			return l.brackets == "" && isHeader(before)
		case last == "#":
			return l.begins(code, from, next, sigil)
		case strings.Contains(before, "=") && last != "]":
			return false
		case last == "*" || last == "&" || last == ")":
			return keyed || isWordOrEnd(strings.TrimRight(before, "*& ")) && !mentions(first)
		}
		return true
	}
	return false
}

// begins reports whether a mention that begins a statement may be a definition, by what follows.
func (l *language) begins(code string, from int, next string, sigil bool) bool {
	switch {
	case l.inParens(code, from):
		return false
	case next == "" || next[0] == '\n' || next[0] == '\r':
		return !l.commands && !sigil && !l.isBody(next) || l.methods && l.isBody(next)
	case isAssigned(next), strings.HasPrefix(next, "::") && !l.typed && !strings.HasPrefix(next[2:], "<"):
		return !strings.HasPrefix(next, "::") || len(next) > 2 && next[2] == ' '
	case next[0] == ':':
		return !strings.HasPrefix(next, "::")
	case next[0] == ',':
		return !l.commands || targets(next)
	case next[0] == '(', next[0] == '<':
		return l.isBody(next)
	case strings.HasPrefix(next, ".prototype."):
		return true
	case next[0] == ';', next[0] == '}', next[0] == '?':
		return l.typed
	case next[0] == '{': // a variant, or a field of C#
		return !l.commands
	}
	return false
}

// isBody reports whether the parameters with which a text begins are those of a definition: something follows
// that no call has.
func (l *language) isBody(next string) bool {
	next = strings.TrimLeft(next, " \t\r\n")
	if strings.HasPrefix(next, "<") {
		if end := closing(next, '<', '>'); end > 0 {
			next = strings.TrimLeft(next[end:], " \t")
		}
	}
	if !strings.HasPrefix(next, "(") {
		return strings.HasPrefix(next, "{") && l.methods
	}
	end := closing(next, '(', ')')
	if end == 0 {
		return true // it can't be told
	}
	empty := strings.TrimSpace(next[1:end-1]) == ""
	rest := strings.TrimLeft(next[end:], " \t")
	body := strings.TrimLeft(rest, " \t\r\n")
	switch {
	case strings.HasPrefix(rest, ","): // a variant
		return !l.commands
	case l.commands && len(l.brackets) == 0:
		return empty && (strings.HasPrefix(body, "{") || strings.HasPrefix(body, "(")) ||
			strings.HasPrefix(rest, ":")
	case !l.methods, l.commands:
		return false
	case strings.HasPrefix(body, "{"), strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "->"),
		strings.HasPrefix(rest, "=>"), strings.HasPrefix(rest, "="):
		return true
	}
	if l.chars { // words before the body, and what a constructor sets
		body = strings.TrimLeft(body, wordBytes+" \t\r\n(),:&<>")
	}
	return strings.HasPrefix(body, "{")
}

const wordBytes = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// closing returns the length of a text in brackets, 0 if it does not end.
func closing(text string, open, end byte) int {
	depth := 0
	for i := range min(len(text), 4000) {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// inParens reports whether what is at a place is within parentheses of the statement.
func (l *language) inParens(code string, at int) bool {
	depth := 0
	for i := at - 1; i >= 0; i-- {
		switch c := code[i]; {
		case c == ')', c == ']', l.brackets != "" && c == '}':
			depth++
		case c == '(', c == '[', l.brackets != "" && c == '{':
			if depth--; depth < 0 {
				return true
			}
		case (c == ';' || c == '{' || c == '}') && depth == 0 && l.brackets == "":
			return false
		}
	}
	return false
}

// inImport reports whether a mention stands in the braces of an import or an export of several lines.
func (l *language) inImport(code string, at int) bool {
	open := strings.LastIndexAny(code[:at], "{};")
	if open < 0 || code[open] != '{' {
		return false
	}
	from := strings.LastIndexByte(code[:open], '\n') + 1
	words := wordsOf(code[from:open])
	return len(words) > 0 && (imports(words[0]) || words[0] == "pub" && len(words) > 1 && words[1] == "use" ||
		words[0] == "export" && (len(words) == 1 || len(words) == 2 && words[1] == "type"))
}

// continues reports whether code ends in a line that goes on with the name that it defines: "static int".
func (l *language) continues(before string) bool {
	line := strings.TrimRight(before, " \t\r\n")
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if line == "" || line[0] == '#' || strings.ContainsAny(line, "(=;{") {
		return false
	}
	last := line[len(line)-1]
	return isWord(last) || last == '*' || last == '>'
}

// isHeader reports whether the parentheses that are open at the end of a text belong to a class or a record,
// whose parameters are members.
func isHeader(before string) bool {
	open := strings.IndexByte(before, '(')
	return open > 0 && slices.ContainsFunc(wordsOf(before[:open]), func(w string) bool {
		return w == "class" || w == "record" || w == "struct"
	})
}

// variantCase reports whether the word case before a mention names a variant, and no branch of a switch.
func variantCase(code string, from int) bool {
	line, _, _ := strings.Cut(code[from:], "\n")
	return !strings.ContainsAny(line, ":>")
}

// targets reports whether a line assigns to several names: "a, b = load()".
func targets(line string) bool {
	left, _, is := strings.Cut(line, "=")
	return is && strings.Trim(left, " \t,:"+wordBytes) == ""
}

// isAssigned reports whether a text begins with an assignment.
func isAssigned(next string) bool {
	next = strings.TrimLeft(next, ":?+|")
	return strings.HasPrefix(next, "=") && !strings.HasPrefix(next, "==") && !strings.HasPrefix(next, "=>") &&
		!strings.HasPrefix(next, "=~")
}

// isWordOrEnd reports whether a text ends in a word or a closing bracket.
func isWordOrEnd(s string) bool {
	return s != "" && (isWord(s[len(s)-1]) || s[len(s)-1] == ')' || s[len(s)-1] == '>')
}

// wordsOf returns the words of a line.
func wordsOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return isBetween(r) && r != '#' })
}
