package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepsake/pkg/verbs"
	"keepsake/pkg/why/palace"
)

// reaches stops code, or an unknown program, that may change transcripts without naming one: it runs in
// their folder or in the client's folder around it, it gets such a folder as an argument, or it gets the
// name of a transcript in a variable.
func (s *shell) reaches(f []string) {
	if s.nearTranscripts(f) {
		s.findWrite(inSpoken, f)
	}
}

// nearTranscripts reports whether a program that runs now is led to transcripts.
func (s *shell) nearTranscripts(f []string) bool {
	if s.given != "" || s.cwd != "" && s.holdsTranscripts(s.cwd, "") {
		return true
	}
	for _, a := range f[min(1, len(f)):] {
		if strings.Contains(a, "projects") && !strings.ContainsAny(a, " \t\"'(") &&
			s.takesTranscripts(a, s.cwd) != 0 {
			return true
		}
	}
	return false
}

// matchesSpoken reports whether a pattern may mean transcripts: in their folder, or by naming it.
func (s *shell) matchesSpoken(pattern string) bool {
	return (strings.Contains(pattern, "projects") || s.cwd != "" && s.holdsTranscripts(s.cwd, "")) &&
		s.zoneOf(pattern, s.cwd)&inSpoken != 0
}

// followed reports whether the text of the function or shell script that f runs is judged by itself. A
// call that only asks for help or the version counts as followed.
func (s *shell) followed(f []string) bool {
	if _, ok := s.functions[f[0]]; ok || helpsItself(f) {
		return true
	}
	if !strings.Contains(f[0], "/") && !strings.HasSuffix(f[0], ".sh") {
		return false
	}
	text, ok := s.scriptText(f[0])
	first, _, _ := strings.Cut(text, "\n")
	if !ok || strings.IndexByte(text, 0) >= 0 {
		return false
	}
	return !strings.HasPrefix(first, "#!") || strings.Contains(first, "sh") || !changesFiles(text)
}

// helpsItself reports whether a program is only asked for its version or its help.
func helpsItself(f []string) bool {
	return len(f) == 2 && listed(f[1], "--version -V --help -h version help")
}

// gives notes a variable that programs get, and when a transcript's name or their folder's is in it.
func (s *shell) gives(name, value string) {
	s.keep(descriptors+"="+name, value, false)
	if (strings.Contains(value, "projects") || strings.Contains(value, "keepsake")) &&
		(s.zoneOf(value, s.cwd)&inSpoken != 0 || s.takesTranscripts(value, s.cwd) != 0) {
		s.given = name
	}
}

// declared judges what export and similar builtins do besides setting a variable.
func (s *shell) declared(c *syntax.DeclClause, a *syntax.Assign) {
	exports := c.Variant.Value == "export"
	for _, o := range c.Args {
		if o.Naked && o.Name == nil && o.Value != nil {
			lit := o.Value.Lit()
			exports = exports || strings.HasPrefix(lit, "-") && strings.Contains(lit, "x")
		}
	}
	if a.Name == nil {
		return
	}
	if a.Naked && namesClient(a.Name.Value) && len(c.Args) > 1 { // -n, +x
		s.nameless = true
	}
	if v, ok := s.variable(a.Name.Value); ok && exports {
		s.environment(a.Name.Value, v)
		s.gives(a.Name.Value, v)
	}
}

// defined remembers the body of a function, which is judged again where it is called.
func (s *shell) defined(c *syntax.FuncDecl) {
	if c.Name == nil {
		return
	}
	if s.functions == nil {
		s.functions = make(map[string]*syntax.Stmt)
	}
	s.functions[c.Name.Value] = c.Body
}

// called judges a function where it is called, with the arguments and the input that it gets there. It
// returns false if f is no function.
func (s *shell) called(f []string, in source) bool {
	body := s.functions[f[0]]
	if body == nil || s.calls == maxCalls {
		return body != nil
	}
	s.calls++
	s.functions[f[0]] = nil // it may call itself
	params, known, folded := s.params, s.paramsKnown, s.subst
	s.params, s.paramsKnown, s.subst = f[1:], true, make(map[syntax.Node]string)
	if s.depth++; s.depth <= maxNested {
		s.stmt(body, in)
	}
	s.depth--
	s.params, s.paramsKnown, s.subst = params, known, folded
	s.functions[f[0]] = body
	return true
}

// maxCalls is how many calls of functions are followed.
const maxCalls = 64

// placed judges the command of parallel or fd with what it is given in the place of its
// braces, as far as that is known: where it comes from.
func (s *shell) placed(name string, args []string, in source) {
	spoken := name == "parallel" && in.saw.taint() == spokenHole ||
		name != "parallel" && s.holdsTranscripts(s.cwd, "")
	spoken = spoken || slices.ContainsFunc(args, func(a string) bool {
		return s.takesTranscripts(a, s.cwd) != 0 || s.zoneOf(a, s.cwd)&inSpoken != 0
	})
	if !spoken {
		return
	}
	text := strings.Join(args, "\n")
	if !strings.Contains(text, "{}") {
		text += "\n{}"
	}
	words := strings.Split(strings.ReplaceAll(text, "{}", bareHole+spokenHole), "\n")
	i := skip(append([]string{name}, words...), "jnLNIaC",
		"jobs max-args max-lines arg-file colsep delimiter joblog results") - 1
	if name != "parallel" {
		i = slices.IndexFunc(words, func(w string) bool { return listed(w, "-x -X --exec --exec-batch") }) + 1
		if i == 0 {
			return
		}
	}
	words = tail(words, i)
	if end := slices.IndexFunc(words, func(w string) bool { return listed(w, "::: :::: ;") }); end >= 0 {
		words = words[:end]
	}
	c := s.sub()
	c.depth++
	switch {
	case len(words) == 0 || c.depth > maxNested:
	case name == "parallel": // a shell reads it
		s.judgeHanded(strings.Join(words, " "))
	default:
		c.command(words, source{})
	}
}

// puts judges the file to which the options of f make a program write that usually prints.
func (s *shell) puts(p *row, args, f []string) {
	to := valuesOf(args, p.puts)
	if ops := operands(args); len(ops) > 1 && listed(program(f[0]), "xxd uniq") {
		to = append(to, ops[len(ops)-1])
	}
	for _, p := range to {
		s.findWrite(s.zoneOf(p, s.cwd)&inSpoken, f)
	}
}

// namesTranscripts reports whether code, in small letters, names the folder of the client's
// transcripts, in one path or put together: .claude and projects, but for the memory below a project.
func namesTranscripts(low string) bool {
	for rest := range behind(low, ".claude") {
		if !strings.Contains(rest, "projects") {
			return false
		}
		if strings.Contains(low, ".jsonl") {
			return true
		}
		if letter(rest[0]) || strings.IndexByte(".-_", rest[0]) >= 0 { // .claude.json has projects of its own
			continue
		}
		if (strings.Contains(rest, `'projects'`) || strings.Contains(rest, `"projects"`)) &&
			!strings.Contains(rest, "memory") {
			return true
		}
		after, ok := strings.CutPrefix(strings.TrimLeft(rest, `/\'", )(+`), "projects")
		if !ok || after != "" && letter(after[0]) {
			continue
		}
		if line, _, _ := strings.Cut(after, "\n"); !strings.Contains(line, "memory") {
			return true
		}
	}
	return false
}

// clientVariables are those by which a program knows that a client runs it.
const clientVariables = "CLAUDECODE CLAUDE_CODE_SESSION_ID CLAUDE_CODE_EXECPATH"

func namesClient(name string) bool { return listed(name, clientVariables) }

// unset notes whether unset removes a variable by which a program knows that a client runs it.
func (s *shell) unset(args []string) {
	for _, a := range args {
		s.nameless = s.nameless || namesClient(a) || hasHole(a)
	}
}

// takesVariables reports whether options of env take away a variable by which a client is known.
func takesVariables(options []string) bool {
	names := valuesOf(options, "--unset")
	for i, a := range options {
		short := len(a) > 1 && a[0] == '-' && a[1] != '-'
		k := strings.IndexByte(a, 'u')
		switch {
		case a == "-" || a == "--ignore-environment", short && strings.Contains(a[:max(k, 0)], "i"),
			short && k < 0 && strings.Contains(a, "i"):
			return true
		case short && k > 0 && k+1 < len(a):
			names = append(names, a[k+1:])
		case short && k > 0 && i+1 < len(options):
			names = append(names, options[i+1])
		}
	}
	return slices.ContainsFunc(names, func(n string) bool { return namesClient(n) || hasHole(n) })
}

// unattended reports whether the current command is cut loose from its client. Keepsake would take it for
// the person's own command.
func (s *shell) unattended() bool {
	if s.adrift > 0 || s.nameless {
		return true
	}
	for name := range strings.FieldsSeq(clientVariables) {
		if _, ok := s.scope.get(name); ok {
			return true
		}
	}
	return false
}

// onlyLooks reports whether a call of Keepsake writes no memory, because its verb or its options only
// read, or because it only fills the stage.
func (s *shell) onlyLooks(c ownCall) bool {
	if c.Verb == nil {
		return c.Named == len(c.Words) || palace.Helps(c.Args) // it says how it is used
	}
	switch c.Verb.Does {
	case verbs.Nothing, verbs.Stage, verbs.File:
		return true
	}
	if palace.Helps(c.Args) || c.looks() || c.Verb.With != "" && !c.writes() {
		return true
	}
	call := *s.call
	call.Mode = planMode
	j := *s.judge
	j.call = &call
	return j.everyday(c)
}
