package shell

import (
	"errors"
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// Limits of one judgement. Past them nothing more is parsed, and a call that still names a palace is
// undecided.
const (
	// bytes of shell outside here-documents, all texts together (Linux runs no longer argument)
	maxShell   = 128 << 10
	maxScript  = 1 << 20 // bytes of shell with here-documents
	perText    = 32      // bytes of shell that a text costs beside its length
	maxNested  = 8       // texts within texts: sh -c "sh -c …"
	maxPending = 32      // wrappers around one command

	maxCommands = 4096 // simple commands that are remembered
)

// A shell walks commands in order. It keeps what folding needs: variables, the directory, and the data in
// a pipeline.
type shell struct {
	*judge
	scope  *scope
	cwd    string // "" once it is not known
	params []string
	// paramsKnown is false inside a function, whose arguments come later.
	paramsKnown bool
	self        string // $0
	depth       int    // texts within texts
	loose       int    // >0 in a branch that may not run
	adrift      int    // >0 where commands run on without the client
	given       string // a variable that programs get, with the name of a transcript in it
	saw         *sight
	*shared
}

// shared is the part of a shell that its subshells share.
type shared struct {
	files map[string]*strings.Builder // written by this very call: path -> content
	subst map[syntax.Node]string      // folded substitutions, each judged once
	procs []output                    // what <( ) and $(cat name) print
	moved map[string]string           // copies of files that this very call makes: path -> original

	wrote  []writing         // texts that may be run
	kept   int               // bytes of them that were kept or read again
	opened map[string]string // descriptors that stand for files: /dev/fd/3 -> path
	blind  []string          // the first command that runs something unknown
	tests  []string          // the last one that may load code that this call wrote, as tests do

	refers bool // some variable stands for another one

	functions map[string]*syntax.Stmt // their bodies
	calls     int                     // of them so far
	nameless  bool                    // a variable by which a client is known was taken away

	commands [][]string // simple commands so far, for the settings they may edit
	weighed  int        // how many of them were weighed
	worst    harm       // the worst harm that they do to settings
	here     struct {   // the directory last asked for, and its zone
		dir  string
		zone zone
	}
}

// A sight is the palace and the zones that the commands of one pipeline stage or substitution named.
type sight struct {
	palace bool
	zones  zone
}

func (g *sight) add(o sight) {
	g.palace = g.palace || o.palace
	g.zones |= o.zones
}

// A scope holds the variables of one shell; subshells see those above.
type scope struct {
	vars map[string][]string
	up   *scope
}

func (c *scope) get(name string) ([]string, bool) {
	for ; c != nil; c = c.up {
		if v, ok := c.vars[name]; ok {
			return v, v != nil
		}
	}
	return nil, false
}

func (c *scope) set(name string, v []string) {
	if c.vars == nil {
		c.vars = make(map[string][]string)
	}
	c.vars[name] = v
}

// An output is what a substitution prints: a text, or the name of a file that is printed unchanged.
type output struct{ text, file string }

// A source is the standard input of a command.
type source struct {
	str   string
	known bool
	hdoc  *syntax.Redirect // folded when a command reads it
	file  string           // of <file
	saw   sight            // what the commands that made it named
}

// shellText judges a whole shell text, as the Bash tool or sh -c gets it.
func (j *judge) shellText(text string) {
	s := &shell{
		judge: j, cwd: j.call.Cwd, paramsKnown: true, saw: new(sight), scope: new(scope),
		shared: &shared{subst: make(map[syntax.Node]string)},
	}
	s.script(text)
	s.lastResort()
	if j.folded > maxFolded || s.kept > maxKept {
		j.addFinding(rules.RuleUndecided, "a command that expands past all measure")
	}
}

// sub returns a shell whose changes to variables and directory stay its own.
func (s *shell) sub() *shell {
	c := *s
	c.scope = &scope{up: s.scope}
	return &c
}

// script judges text as commands of this shell.
func (s *shell) script(text string) {
	if s.stopped() || strings.TrimSpace(text) == "" {
		return
	}
	if text == s.refused {
		return
	}
	dense, deep := density(text)
	if s.spent += dense + perText; s.spent > maxShell || len(text) > maxScript || deep ||
		s.depth > maxNested {
		s.tooMuch(text)
		return
	}
	if !s.parseRun(text, syntax.LangBash) && !s.stopped() && !s.parseRun(text, syntax.LangZsh) {
		s.tooMuch(text)
	}
}

// parseRun judges statement by statement, so that what stands before a syntax
// error is judged as a shell would have run it. It returns false on an error.
func (s *shell) parseRun(text string, lang syntax.LangVariant) bool {
	for range maxUnclosed {
		err := s.parseOnce(text, lang)
		if err == nil || s.stopped() {
			return true
		}
		// Shells end an unclosed here-document where the text ends.
		end, ok := strings.CutPrefix(err.Text, "unclosed here-document `")
		if !ok {
			return false
		}
		text += "\n" + strings.TrimSuffix(end, "`") + "\n"
	}
	return false
}

// maxUnclosed is how many here-documents of one text are closed for it.
const maxUnclosed = 4

func (s *shell) parseOnce(text string, lang syntax.LangVariant) *syntax.ParseError {
	var failed *syntax.ParseError
	parser := s.idle[lang]
	delete(s.idle, lang) // what is judged below takes another one
	if parser == nil {
		parser = syntax.NewParser(syntax.Variant(lang))
	}
	for st, err := range parser.StmtsSeq(strings.NewReader(text)) {
		// The parser goes on after an error and minds if the loop does not.
		switch {
		case failed != nil || s.stopped():
		case err == nil:
			s.stmt(st, source{})
		default:
			failed = new(syntax.ParseError)
			errors.As(err, failed)
		}
	}
	if s.idle == nil {
		s.idle = make(map[syntax.LangVariant]*syntax.Parser)
	}
	s.idle[lang] = parser
	return failed
}

// tooMuch gives the verdict on text that was not parsed.
func (s *shell) tooMuch(text string) {
	if s.refused == text { // a script that is run again and again
		return
	}
	s.refused = text
	s.call.Watch.Missed(text)
	text = unquoted(text)
	switch {
	case palace.IsNamed(text) || palace.IsEncoded(text) || zoneIn(text)&inPalace != 0:
		s.addFinding(rules.RuleUndecided, "a command that cannot be parsed")
	case zoneIn(text)&inSpoken != 0:
		s.addFinding(rules.RuleSpoken, "a command that cannot be parsed")
	case zoneIn(text)&inStore != 0:
		s.addFinding(rules.RuleStoreCommand, "a command that cannot be parsed")
	}
}

// unquoted returns text without quotes, backslashes and the brackets of patterns.
func unquoted(text string) string {
	b := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; c {
		case '\'', '"', '\\', '[', ']':
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// density counts the bytes of text outside here-documents, and reports whether it nests too deeply
// to be parsed. It reads the text roughly, since it protects the parser and decides nothing.
func density(text string) (dense int, deep bool) {
	if len(text) < 2048 {
		return len(text), false
	}
	depth, double := 0, 0
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		dense += len(line)
		for i := 0; i < len(line); i++ {
			switch line[i] {
			case '(', '{':
				depth++
				if i > 0 && line[i-1] == '(' {
					double++
				}
			case ')', '}':
				depth--
			case 'i', 'w', 'u', 'c', 'f', 'd', 'e', 's':
				if i == 0 || line[i-1] == ' ' || line[i-1] == ';' || line[i-1] == '\t' {
					depth += nests(line[i:])
				}
			}
			if depth > rules.MaxNesting {
				return dense, true
			}
		}
		if i := strings.Index(line, "<<"); i >= 0 && !strings.HasPrefix(line[i:], "<<<") {
			end := strings.Trim(strings.TrimLeft(line[i+2:], "- \t"), " \t")
			if k := strings.IndexAny(end, " \t;|&>)<"); k > 0 {
				end = end[:k]
			}
			quoted := strings.ContainsAny(end, `'"\`)
			end = strings.Trim(end, `'"\`)
			for rest != "" {
				var l string
				l, rest, _ = strings.Cut(rest, "\n")
				if strings.TrimLeft(l, "\t") == end {
					break
				}
				if !quoted { // what it expands is parsed after all
					dense += 16 * (strings.Count(l, "$") + strings.Count(l, "`"))
				}
			}
		}
		text = rest
	}
	return dense, double > rules.MaxNesting
}

// nests returns +1 for a keyword at the start of s that opens a block, and -1 for one that closes it.
func nests(s string) int {
	word := s
	if k := strings.IndexAny(s, " ;\t\n"); k >= 0 {
		word = s[:k]
	}
	switch word {
	case "if", "while", "until", "case", "for", "select":
		return 1
	case "fi", "done", "esac":
		return -1
	}
	return 0
}

func (s *shell) stmts(list []*syntax.Stmt) { s.group(list, source{}) }

// branch judges statements that may not run. The variables that they set may stay unset.
func (s *shell) branch(list []*syntax.Stmt) {
	s.loose++
	s.stmts(list)
	s.loose--
}

func (s *shell) stmt(st *syntax.Stmt, in source) {
	if st.Background || st.Coprocess || st.Disown {
		s.adrift++
		defer func() { s.adrift-- }()
	}
	var into []sink
	for _, r := range st.Redirs {
		d := replaced
		switch r.Op {
		case syntax.RdrIn:
			name := s.text(r.Word)
			if fd := descriptor(r.N); fd != "" {
				s.open(fd, name)
				continue
			}
			in = source{file: name, saw: s.look([]string{name})}
			in.str, in.known = s.written(name)
			continue
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			doc := s.document(r)
			if fd := descriptor(r.N); fd != "" {
				s.keep(fd, s.standing(doc), false)
			} else {
				in = doc
			}
			continue
		case syntax.DplIn:
			if t := s.text(r.Word); len(t) == 1 && t[0] > '2' {
				in = source{file: descriptors + t}
				in.str, in.known = s.written(in.file)
			}
			continue
		case syntax.DplOut:
			t := s.text(r.Word)
			if to, ok := s.opened[descriptors+t]; ok {
				into = append(into, sink{to, appended})
				continue
			}
			if t == "" || t == "-" || t[0] >= '0' && t[0] <= '9' {
				continue
			}
		case syntax.AppOut, syntax.AppAll, syntax.AppClob, syntax.AppAllClob:
			d = appended
		case syntax.RdrInOut:
			d = edited
		}
		to := s.text(r.Word)
		if fd := descriptor(r.N); fd != "" {
			s.open(fd, to)
		}
		into = append(into, sink{to, d})
	}
	for _, t := range into {
		s.redirect(t)
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		s.simple(c, in, into)
	case *syntax.BinaryCmd:
		s.binary(c, in)
	case *syntax.Subshell:
		s.sub().group(c.Stmts, in)
	case *syntax.Block:
		s.group(c.Stmts, in)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			s.stmts(c.Cond)
			s.branch(c.Then)
		}
	case *syntax.WhileClause:
		s.group(c.Cond, in)
		s.branch(c.Do)
	case *syntax.ForClause:
		s.forLoop(c)
	case *syntax.CaseClause:
		s.text(c.Word)
		for _, it := range c.Items {
			for _, p := range it.Patterns {
				s.inner(p)
			}
			s.branch(it.Stmts)
		}
	case *syntax.FuncDecl:
		f := s.sub()
		f.params, f.paramsKnown = nil, false
		f.loose++
		f.stmt(c.Body, source{})
		s.defined(c)
	case *syntax.DeclClause:
		refers := false
		for _, a := range c.Args {
			refers = refers || a.Naked && a.Value != nil && a.Value.Lit() == "-n"
			if refers && a.Name != nil && a.Value != nil {
				s.refer(a.Name.Value, s.text(a.Value))
				continue
			}
			s.assign(a)
			s.setsProgram(a)
			s.declared(c, a)
		}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			s.stmt(c.Stmt, in)
		}
	case *syntax.CoprocClause:
		beside := s.sub()
		beside.adrift++
		beside.stmt(c.Stmt, in)
	case *syntax.TestDecl:
		s.sub().stmt(c.Body, source{})
	case nil:
	default: // tests and arithmetic: only what they substitute runs
		s.inner(c)
	}
	if _, simple := st.Cmd.(*syntax.CallExpr); !simple {
		s.collect(st.Cmd, in, into)
	}
}

// A sink is a file that a command writes by redirection, or as tee does.
type sink struct {
	name string
	deed deed
}

// collect judges the files into which all commands of a compound write.
func (s *shell) collect(c syntax.Command, in source, into []sink) {
	if len(into) == 0 {
		return
	}
	text, known := "", false
	switch c := c.(type) {
	case nil: // the file is emptied
		known = true
	case *syntax.Block:
		text, known = s.output(c.Stmts, in)
	case *syntax.Subshell:
		text, known = s.output(c.Stmts, in)
	}
	for _, t := range into {
		if known {
			s.judgePut(t.name, text, t.deed)
			s.keep(t.name, text, false)
		} else {
			s.settings(t.name, []string{">", t.name}, t.deed)
		}
	}
}

// group judges the statements of a block whose input is in.
func (s *shell) group(list []*syntax.Stmt, in source) {
	for _, st := range list {
		if s.stopped() {
			return
		}
		s.stmt(st, in)
	}
}

// binary judges a pipeline or a list. The parser leans both to the left, as
// long as they are: the spine is walked in a loop.
func (s *shell) binary(c *syntax.BinaryCmd, in source) {
	spine := []*syntax.BinaryCmd{c}
	for {
		x, ok := spine[len(spine)-1].X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(spine[len(spine)-1].X.Redirs) > 0 {
			break
		}
		spine = append(spine, x)
	}
	first := spine[len(spine)-1]
	flow := s.stage(first.X, in, piped(first))
	for i := len(spine) - 1; i >= 0 && !s.stopped(); i-- {
		b := spine[i]
		feeds := i > 0 && piped(spine[i-1])
		if piped(b) {
			flow = s.stage(b.Y, flow, feeds)
			continue
		}
		s.loose++
		flow = s.stage(b.Y, source{}, feeds)
		s.loose--
	}
}

func piped(b *syntax.BinaryCmd) bool { return b.Op == syntax.Pipe || b.Op == syntax.PipeAll }

// stage judges one command of a pipeline and returns the input of the next one.
func (s *shell) stage(st *syntax.Stmt, in source, feeds bool) source {
	if !feeds {
		s.stmt(st, in)
		return source{}
	}
	outer := s.saw
	s.saw = new(sight)
	s.saw.add(in.saw)
	s.sub().stmt(st, in)
	next := source{saw: *s.saw}
	if next.str, next.known = s.prints(st, in); !next.known {
		next.file = s.shown(st)
		if in.file != "" && s.filters(st) { // a filter behind a filter reads the file of the first
			if _, ok := s.scriptText(next.file); !ok {
				next.file = in.file
			}
		}
	}
	outer.add(*s.saw)
	s.saw = outer
	return next
}

func (s *shell) forLoop(c *syntax.ForClause) {
	if it, ok := c.Loop.(*syntax.WordIter); ok {
		value, known, every := bareHole, []string(nil), true
		for i, w := range it.Items {
			for k, f := range s.fields(w) {
				s.saw.add(s.look([]string{f}))
				if i == 0 && k == 0 && len(it.Items) == 1 || interesting(f) {
					value = f
				}
				known = append(known, f)
				every = every && !hasHole(f) && !strings.ContainsAny(f, "*?[")
			}
		}
		// Each round is judged by itself.
		if n := len(known); every && n > 1 && n <= maxRounds && s.calls+n <= maxCalls {
			folded := s.subst
			for _, v := range known {
				s.calls++
				s.subst = make(map[syntax.Node]string)
				s.scope.set(it.Name.Value, []string{v})
				s.branch(c.Do)
			}
			s.subst = folded
			return
		}
		if strings.ContainsAny(value, "*?[") && zoneNamed(value) == 0 && !s.matchesSpoken(value) &&
			!strings.HasSuffix(value, ".md") {
			value = bareHole
		}
		s.scope.set(it.Name.Value, []string{value})
	} else {
		s.inner(c.Loop)
	}
	s.branch(c.Do)
}

// maxRounds is how many rounds of a loop are judged one by one.
const maxRounds = 8

// simple judges one simple command.
func (s *shell) simple(c *syntax.CallExpr, in source, into []sink) {
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			s.assign(a)
			s.setsProgram(a)
		}
		for _, t := range into {
			s.judgePut(t.name, "", t.deed)
		}
		return
	}
	for _, a := range c.Assigns {
		s.saw.add(s.look([]string{s.text(a.Value)}))
		s.setsProgram(a)
	}
	f := make([]string, 0, len(c.Args))
	for _, w := range c.Args {
		if lit, ok := asItStands(w); ok {
			f = append(f, lit)
		} else {
			f = append(f, s.fields(w)...)
		}
		if len(f) > 1<<16 {
			f = append(f, bareHole)
			break
		}
	}
	if len(f) == 0 {
		return
	}
	s.saw.add(s.look(f))
	s.saw.add(in.saw)
	if in.hdoc != nil && len(into) == 0 {
		s.saw.palace = s.saw.palace || palace.IsNamed(hereText(in.hdoc))
	}
	if len(s.commands) < maxCommands {
		s.commands = append(s.commands, f)
	}
	naked := bare(f)
	s.remember(naked, in, into)
	for _, t := range into {
		// somebody's terminal
		if strings.HasPrefix(t.name, "/dev/pts/") || strings.HasPrefix(t.name, "/dev/tty") ||
			strings.HasPrefix(t.name, "/proc/") {
			s.answersFor(f, in)
		}
		// the shell's own way to a network
		if strings.HasPrefix(t.name, "/dev/tcp/") && palace.IsNamed(strings.Join(f, " ")) {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	}
	given := s.given
	defer func() { s.given = given }()
	for _, a := range c.Assigns {
		if a.Name == nil {
			continue
		}
		if len(naked) > 0 {
			s.environment(a.Name.Value, s.text(a.Value))
		}
		s.gives(a.Name.Value, s.text(a.Value))
		if a.Name.Value == "IFS" && len(naked) > 0 && naked[0] == "read" {
			was, _ := s.variable("IFS")
			s.assign(a)
			defer s.scope.set("IFS", []string{was})
		}
	}
	// What it runs sees them.
	if len(c.Assigns) > 0 && len(naked) > 0 && (interpreter(program(naked[0])) ||
		s.functions[naked[0]] != nil || program(naked[0]) == "keepsake" || strings.Contains(naked[0], "/")) {
		sub := s.sub()
		for _, a := range c.Assigns {
			sub.assign(a)
		}
		sub.command(f, in)
		return
	}
	s.command(f, in)
}

// setsProgram judges what is assigned to a variable whose value programs run.
func (s *shell) setsProgram(a *syntax.Assign) {
	if a.Name != nil && a.Value != nil {
		s.variableRuns(a.Name.Value, s.text(a.Value))
	}
}

// variableRuns judges the value of a variable if programs run it.
func (s *shell) variableRuns(name, value string) {
	if startsProgram(name) {
		s.judgeHanded(strings.TrimLeft(value, "|-"))
	}
}

// startsProgram reports whether programs run the value of a variable of this name.
func startsProgram(name string) bool {
	return strings.HasSuffix(name, "EDITOR") || strings.HasSuffix(name, "PAGER") ||
		strings.HasSuffix(name, "COMMAND") ||
		listed(name, "LESSOPEN GIT_EXTERNAL_DIFF VISUAL PS4 GIT_SSH BROWSER")
}

// remember keeps the content of a file that this command writes, so that a
// script written and run in one call is read.
func (s *shell) remember(f []string, in source, into []sink) {
	if len(f) == 0 {
		return
	}
	tee := program(f[0]) == "tee"
	if tee {
		d := teeDeed(f)
		for _, name := range operands(f[1:]) {
			into = append(into, sink{name, d})
		}
	}
	for _, t := range into {
		p := s.fileOf(t.name)
		if p == "." || strings.HasPrefix(p, "/dev/") {
			continue
		}
		text, ok := s.printed(f, in)
		if tee {
			text, ok = s.read(in)
		}
		if !ok {
			if len(f) == 2 && program(f[0]) == "cat" {
				s.followCopy(f[1], t.name)
			} else if in.file != "" && (tee || program(f[0]) == "cat") {
				s.followCopy(in.file, t.name)
			}
			s.partly(t, f, in)
			continue
		}
		s.judgePut(p, text, t.deed)
		s.keep(p, text, false)
	}
}

// partly judges a file whose new text is known only in part.
func (s *shell) partly(t sink, f []string, in source) {
	s.settings(t.name, f, t.deed)
	var text string
	switch program(f[0]) {
	case "echo", "printf":
		text = strings.Join(f[1:], " ")
	case "cat", "tee":
		text = s.standing(in)
	}
	named := in.saw.palace || s.look(f).palace || palace.IsNamed(s.standing(in))
	s.keep(t.name, filled(text), text == "" && named)
	if runsLater(t.name) {
		s.putsLater(t.name)
		s.judgePut(t.name, filled(text), appended)
	}
}

// standing returns the text of a here-document, with holes where it is not known.
func (s *shell) standing(in source) string {
	if in.hdoc == nil || in.hdoc.Hdoc == nil {
		return in.str
	}
	if verbatim(in.hdoc.Word) {
		return hereText(in.hdoc)
	}
	return s.hereFold(in.hdoc.Hdoc)
}

// descriptor returns the path of a descriptor that a redirection names, or "" for the standard ones.
func descriptor(n *syntax.Lit) string {
	if n == nil || len(n.Value) == 1 && n.Value[0] < '3' {
		return ""
	}
	return descriptors + strings.Trim(n.Value, "{}")
}

// open notes that a descriptor stands for a file.
func (s *shell) open(fd, name string) {
	if s.opened == nil {
		s.opened = make(map[string]string)
	}
	s.opened[fd] = s.fileOf(name)
}

// filled returns a folded text with an unknown variable in place of each hole, so that it can be parsed.
func filled(text string) string {
	if !hasHole(text) {
		return text
	}
	return holesUnknown.Replace(text)
}

// teeDeed returns whether tee replaces its files or appends to them.
func teeDeed(f []string) deed {
	if flagged(f[1:], "a", "--append") {
		return appended
	}
	return replaced
}

// written returns the text that this call itself wrote into a file.
func (s *shell) written(name string) (string, bool) {
	p := s.fileOf(name)
	if b := s.files[p]; b != nil {
		return b.String(), true
	}
	return s.someText(p, false)
}

// assign sets a variable. In a branch, an earlier value that matters is not forgotten.
func (s *shell) assign(a *syntax.Assign) {
	if a.Name == nil {
		if a.Value != nil {
			s.text(a.Value)
		}
		return
	}
	if a.Index != nil {
		s.inner(a.Index)
	}
	name := s.meant(a.Name.Value)
	if a.Naked {
		return
	}
	old, _ := s.scope.get(name)
	var v []string
	switch {
	case a.Array != nil:
		if a.Append {
			v = append(v, old...)
		}
		for _, e := range a.Array.Elems {
			if len(v) > maxFields {
				break
			}
			if e.Value != nil {
				v = append(v, s.fields(e.Value)...)
			}
		}
	case a.Index != nil:
		v = append(append(v, old...), s.text(a.Value))
	default:
		t := s.text(a.Value)
		if a.Append && len(old) > 0 {
			t = old[0] + t
		}
		if len(t) > maxText {
			t = quotedHole + s.taint(t)
		}
		v = []string{t}
	}
	if v == nil {
		v = []string{}
	}
	if s.loose > 0 && len(old) > 0 && interesting(strings.Join(old, " ")) &&
		!interesting(strings.Join(v, " ")) {
		v = []string{quotedHole + s.taint(strings.Join(old, " "))}
	}
	s.saw.add(s.look(v))
	s.scope.set(name, v)
}

// refer makes one name stand for another variable, as declare -n does.
func (s *shell) refer(name, to string) {
	s.scope.set("reference "+name, []string{s.meant(to)})
	s.refers = true
}

// meant returns the variable that a name stands for.
func (s *shell) meant(name string) string {
	if s.refers {
		if to, ok := s.scope.get("reference " + name); ok {
			return to[0]
		}
	}
	return name
}

// variable returns the value of one name; set is false for what only the shell knows.
func (s *shell) variable(name string) (v string, set bool) {
	name = s.meant(name)
	if items, ok := s.scope.get(name); ok {
		if len(items) == 0 {
			return "", true
		}
		return items[0], true
	}
	switch name {
	case "HOME":
		return s.call.Home, s.call.Home != ""
	case "CLAUDE_CONFIG_DIR":
		return s.call.ClientDir, s.call.ClientDir != ""
	case "PWD":
		return s.cwd, s.cwd != ""
	case "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR":
		if s.call.Base != nil {
			return s.call.Base(name), true
		}
		return "", false
	case "IFS":
		return " ", true
	case "0":
		return s.self, s.self != ""
	case "@", "*":
		if s.paramsKnown {
			return strings.Join(s.params, " "), true
		}
		return "", false
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 && s.paramsKnown {
		if n <= len(s.params) {
			return s.params[n-1], true
		}
		return "", true
	}
	return "", false
}

// shown returns the file that a statement prints, or "": cat name, <name alone, or a
// filter of it, which leaves out some of it.
func (s *shell) shown(st *syntax.Stmt) string {
	switch c := st.Cmd.(type) {
	case nil:
		if len(st.Redirs) == 1 && st.Redirs[0].Op == syntax.RdrIn {
			return s.text(st.Redirs[0].Word)
		}
	case *syntax.CallExpr:
		if len(st.Redirs) > 1 || len(st.Redirs) == 1 && st.Redirs[0].Op != syntax.RdrIn || !s.filters(st) {
			return ""
		}
		f := s.words(c)
		if len(st.Redirs) == 1 {
			return s.text(st.Redirs[0].Word)
		}
		if last := f[len(f)-1]; len(f) > 1 && last != "" && last[0] != '-' &&
			(len(f) == 2 || program(f[0]) != "cat") {
			return last
		}
	}
	return ""
}

// filtering are the programs that print some of what a file holds, as it is or nearly.
const filtering = "cat head tail sed grep awk gawk tac sort uniq envsubst"

// filters reports whether a command is one of them.
func (s *shell) filters(st *syntax.Stmt) bool {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) > 16 {
		return false
	}
	f := s.words(c)
	return len(f) > 0 && listed(program(f[0]), filtering)
}

// words returns the folded words of a command without its plain wrappers.
func (s *shell) words(c *syntax.CallExpr) []string {
	var f []string
	for _, w := range c.Args {
		f = append(f, s.fields(w)...)
	}
	return bare(f)
}

// substitution judges the commands of $(…) and folds it to what they print, or
// to a hole that keeps what they named.
func (s *shell) substitution(c *syntax.CmdSubst) string {
	if v, ok := s.subst[c]; ok {
		return v
	}
	s.subst[c] = quotedHole
	v, known, taint := s.captured(c.Stmts)
	if known {
		v = strings.TrimRight(v, "\n")
	} else if v = quotedHole + taint; len(c.Stmts) == 1 && taint == "" {
		if name := s.shown(c.Stmts[0]); name != "" {
			v = s.printing(output{file: name})
		}
	}
	s.subst[c] = v
	return v
}

// captured judges the commands of a substitution. It returns what they print, if that is known, and what to
// put beside a hole for them.
func (s *shell) captured(list []*syntax.Stmt) (text string, known bool, taint string) {
	outer := s.saw
	s.saw = new(sight)
	s.sub().stmts(list)
	text, known = s.output(list, source{})
	taint = s.saw.taint()
	outer.add(*s.saw)
	s.saw = outer
	return text, known, taint
}

// printing returns a word that stands for what is printed.
func (s *shell) printing(o output) string {
	s.procs = append(s.procs, o)
	return procMark + strconv.Itoa(len(s.procs)-1)
}

func (g *sight) taint() string {
	switch {
	case g.zones&inPalace != 0:
		return "/.mempalace/" + quotedHole
	case g.palace:
		return "mempalace" + quotedHole
	case g.zones&inLocked != 0:
		return "/.claude/keepsake/" + quotedHole
	case g.zones&inSpoken != 0:
		return spokenHole
	case g.zones&inStore != 0:
		return "/.claude/memory/" + quotedHole
	case g.zones&inOwn != 0:
		return "/.keepsake-staging-/" + quotedHole
	}
	return ""
}

// procMark precedes the number of a constant <( ) in a folded word.
const procMark = quotedHole + "<"

func (s *shell) process(p *syntax.ProcSubst) string {
	if v, ok := s.subst[p]; ok {
		return v
	}
	s.subst[p] = quotedHole
	out, known, taint := s.captured(p.Stmts)
	v := quotedHole + taint
	if p.Op == syntax.CmdOut {
	} else if known {
		v = s.printing(output{text: out})
	} else if len(p.Stmts) == 1 && s.shown(p.Stmts[0]) != "" {
		v = s.printing(output{file: s.shown(p.Stmts[0])})
	}
	s.subst[p] = v
	return v
}

// inner judges the substitutions below a node that is not folded itself.
func (s *shell) inner(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			s.substitution(n)
			return false
		case *syntax.ProcSubst:
			s.process(n)
			return false
		}
		return true
	})
}

// document returns the source of a here-document or a here-string.
func (s *shell) document(r *syntax.Redirect) source {
	if r.Op == syntax.WordHdoc {
		t := s.text(r.Word)
		return source{str: t + "\n", known: !hasHole(t), saw: s.look([]string{t})}
	}
	if r.Hdoc != nil && len(r.Hdoc.Parts) > 1 {
		s.inner(r.Hdoc)
	}
	return source{hdoc: r}
}

// hereText returns the raw text of a here-document.
func hereText(r *syntax.Redirect) string {
	if r.Hdoc == nil {
		return ""
	}
	if lit := r.Hdoc.Lit(); lit != "" {
		return lit
	}
	text, _ := wordText(r.Hdoc)
	return text
}

// read returns what a source holds; false when that is not known.
func (s *shell) read(in source) (string, bool) {
	if in.hdoc == nil {
		return in.str, in.known
	}
	t := s.standing(in)
	return t, !hasHole(t)
}

// hereFold folds the body of a here-document, of any length.
func (s *shell) hereFold(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); ok {
			b.WriteString(unescape(lit.Value, true))
			continue
		}
		f := folder{s: s}
		f.part(p, true)
		b.WriteString(strings.Join(f.done(), " "))
	}
	return b.String()
}

// verbatim reports whether the delimiter of a here-document is quoted.
func verbatim(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

// look notes what words name, without asking the disk.
func (s *shell) look(words []string) (g sight) {
	for _, w := range words {
		if !g.palace && (palace.IsNamed(w) || palace.IsEncoded(w)) {
			g.palace = true
		}
		if g.palace && strings.Contains(w, "palace_path") { // code that prints where a palace lies
			g.zones |= inPalace
		}
		g.zones |= s.named(w)
	}
	return g
}

// named returns the zone that a word names as a path, by fixed names alone.
func (s *shell) named(w string) zone {
	if w == "" || len(w) > maxPath {
		return 0
	}
	z := zoneNamed(w)
	if z != 0 || s.cwd == "" || w[0] == '/' || w[0] == '-' {
		return z
	}
	if strings.Contains(w, "..") {
		return zoneNamed(path.Join(s.cwd, w))
	}
	if s.cwd != s.here.dir {
		s.here.dir, s.here.zone = s.cwd, zoneNamed(s.cwd)
	}
	if s.here.zone != 0 {
		return s.here.zone
	}
	if last := s.cwd[strings.LastIndexByte(s.cwd, '/')+1:]; last != "" && last[0] == '.' {
		return zoneNamed(last + "/" + w)
	}
	return 0
}

// redirect judges a file that a redirection writes.
func (s *shell) redirect(t sink) {
	if strings.HasPrefix(t.name, "/dev/") {
		// where MemPalace's server listens
		if strings.HasPrefix(t.name, "/dev/tcp/") && strings.HasSuffix(t.name, "/8765") {
			s.addFinding(rules.RuleUndecided, "> "+show(t.name))
		}
		return
	}
	subject := func() string { return "> " + show(shortPath(t.name)) }
	if z := s.changed(t.name, s.cwd); z != 0 {
		s.findZone(z, subject(), false)
	}
	s.memory(t.name, s.cwd, t.deed, subject)
}

// show returns text with its holes made visible.
func show(t string) string {
	if !hasHole(t) {
		return t
	}
	return holesShown.Replace(t)
}
