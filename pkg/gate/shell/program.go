package shell

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// standardInput reports whether a name of a script means what the program reads.
func standardInput(name string) bool {
	return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0" || name == "/proc/self/fd/0"
}

// programInput judges code that comes through stdin.
func (s *shell) programInput(f []string, in source) {
	switch t := s.standing(in); {
	case in.known || in.hdoc != nil:
		s.program(t, f)
	case in.file != "":
		if text, ok := s.scriptText(in.file); ok {
			s.program(text, f)
		} else if s.reaches(f); palaceSource(in.file) {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	case in.saw.palace:
		s.addFinding(rules.RuleUndecided, commandText(f))
	default:
		if !helpsItself(f) {
			s.reaches(f)
		}
	}
}

// palaceSource reports whether a script path is one of MemPalace's own modules.
func palaceSource(p string) bool {
	low := strings.ToLower(p)
	return strings.Contains(low, "mempalace/") || strings.HasSuffix(low, "/mempalace") ||
		strings.HasPrefix(low, "mempalace.") || palaceProgram(p) && !isTest(p)
}

// module judges python -m.
func (s *shell) module(m string, args, f []string, in source) {
	if u, ok := palace.Module(m, args); ok {
		if u != palace.Reads {
			s.addFinding(rules.RulePalaceCommand, commandText(f))
		}
		return
	}
	if hasHole(m) && (palace.IsNamed(m) || strings.Contains(m, "palace")) {
		s.addFinding(rules.RuleUndecided, commandText(f))
		return
	}
	switch m {
	case "code", "asyncio":
		s.programInput(f, in)
	case "uv", "pipx", "IPython", "sqlite3": // the programs of these names
		s.command(append([]string{lower(m)}, args...), in)
	case "json.tool":
		if ops := operands(args); len(ops) > 1 {
			s.target(ops[1], f, replaced)
		}
	case "pytest", "unittest":
		s.preloads(programNamed("pytest"), append([]string{m}, args...))
		s.tests = f
	case "pip", "venv", "build", "http.server", "pydoc", "compileall", "mypy", "ruff", "flake8", "pylint":
	default:
		found := s.loaded(m, f)
		for i, a := range args { // of a profiler or a debugger
			if a == "-m" && i+1 < len(args) {
				s.module(args[i+1], args[i+2:], f, in)
				return
			}
			found = strings.HasSuffix(a, ".py") && s.programFile(a, f) || found
			if strings.Contains(a, " ") {
				s.program(a, f)
			}
		}
		s.mentions(args)
		if !found {
			s.blindly(f)
			s.reaches(f)
		}
		s.zoneArgs(append([]string{f[0]}, args...))
	}
}

// loaded judges the file of a module that f loads. It returns false if it can't be read.
func (s *shell) loaded(m string, f []string) (found bool) {
	dotted := strings.ReplaceAll(m, ".", "/")
	known, _ := s.scope.get("PYTHONPATH")
	for _, file := range [...]string{m, m + ".js", m + ".cjs", m + ".mjs", m + ".rb", dotted + ".py",
		dotted + "/__main__.py"} {
		found = s.programFile(file, f) || found
		if dir, _, _ := strings.Cut(strings.Join(known, ":"), ":"); dir != "" && !hasHole(dir) {
			found = s.programFile(dir+"/"+file, f) || found
		}
	}
	return found
}

// interpreted judges an interpreter: code behind -e and its kin, a module, a script, or stdin.
func (s *shell) interpreted(name string, p *row, f []string, in source) {
	s.preloads(p, f)
	if (name == "node" || name == "nodejs") && len(f) > 1 && (f[1] == "--check" || f[1] == "-c") {
		return // the script is only parsed
	}
	awk, python := strings.HasSuffix(name, "awk"), p.kind == kindPython
	var ops []string
	inPlace, coded := false, false
	code := func(text string) {
		if coded = true; name != "perl" || !substitutes(text) {
			s.programFed(text, f, in)
		}
	}
words:
	for i := 1; i < len(f); i++ {
		a := f[i]
		switch {
		case python && (a == "-" || a[:min(1, len(a))] != "-"): // all behind a script is the script's
			if standardInput(a) {
				if s.programInput(f, in); capable(s.standing(in)) {
					s.zoneArgs(f[i:])
				}
				return
			}
			ops = f[i:]
			break words
		case python && strings.HasPrefix(a, "--"):
		case python && strings.ContainsAny(a, "cmXW"):
			k := strings.IndexAny(a, "cmXW")
			value := a[k+1:]
			if value == "" && i+1 < len(f) {
				i++
				value = f[i]
			}
			switch a[k] {
			case 'c':
				code(value)
				ops = tail(f, i+1)
				break words
			case 'm':
				s.module(value, tail(f, i+1), f, in)
				return
			}
		case a == "--eval" || a == "-eval" || a == "--print" || a == "--execute":
			if i+1 < len(f) {
				code(f[i+1])
				i++
			}
		case strings.HasPrefix(a, "--eval=") || strings.HasPrefix(a, "--eval:") ||
			strings.HasPrefix(a, "--print="):
			code(a)
		case (name == "deno" || name == "crystal") && i == 1 && a == "eval" && i+1 < len(f):
			s.program(f[len(f)-1], f)
			return
		case awk && (a == "-f" || a == "-v" || a == "-F") && i+1 < len(f):
			i++
			if a == "-f" {
				s.programFile(f[i], f)
				coded = true
			}
		case awk && a == "-i" && i+1 < len(f):
			i++
			inPlace = inPlace || f[i] == "inplace"
		case len(a) > 1 && a[0] == '-' && a[1] != '-' && !awk:
			k := strings.IndexAny(a[1:], p.codes)
			inPlace = inPlace || (name == "perl" || name == "ruby") && strings.Contains(a, "i") &&
				(k < 0 || strings.IndexByte(a, 'i') <= k)
			if k < 0 {
				continue
			}
			coded = true
			if text := a[k+2:]; text != "" && !strings.Contains(p.codes, text[:1]) {
				code(text)
			} else if i+1 < len(f) {
				i++
				code(f[i])
			}
		case len(a) > 1 && a[0] == '-':
		case standardInput(a) && len(ops) == 0 && !awk:
		default:
			ops = append(ops, a)
		}
	}
	if (name == "deno" || name == "bun") && len(ops) > 1 && (ops[0] == "run" || ops[0] == "test") {
		ops = ops[1:]
		if name, ok := strings.CutPrefix(ops[0], "npm:"); ok { // a package's own command
			s.command(append([]string{name}, ops[1:]...), source{})
			return
		}
	}
	if awk && !coded && len(ops) > 0 {
		code(ops[0])
		coded = false
		ops = ops[1:]
	} else if !coded && len(ops) > 0 {
		if text, ok := s.folderText(ops[0]); ok {
			s.program(text, f)
		} else if s.reaches(f); zoneNamed(ops[0])&inPalace != 0 || palaceSource(ops[0]) {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
		ops = ops[1:]
		s.mentions(ops)
		if !awk {
			s.zoneArgs(append([]string{name}, ops...))
		}
	} else if !coded {
		s.programInput(f, in)
	}
	if inPlace {
		for _, o := range ops {
			s.target(o, f, edited)
		}
	} else if coded && !awk && name != "perl" && name != "ruby" {
		s.zoneArgs(append([]string{name}, ops...))
	}
}

// substitutes reports whether Perl code is one s/…/…/ that puts a text and runs none.
func substitutes(code string) bool {
	code = strings.TrimRight(code, "; ")
	if len(code) < 4 || code[0] != 's' || letter(code[1]) || code[1] == ' ' {
		return false
	}
	parts := strings.Split(strings.ReplaceAll(code[2:], `\`+code[1:2], ""), code[1:2])
	return len(parts) == 3 && strings.Trim(parts[2], "gimsx") == "" &&
		!containsAny(code, "(?{", "(??{", "@{", "${")
}

// program judges code that a command runs, also when it is read from a file there.
// Scripts that it names and runs are read, too.
func (s *shell) program(text string, f []string) {
	text = put(s.printedWord(text))
	s.judge.program(text, f)
	if changesFiles(text) {
		if palace.IsNamed(text) { // what it writes is not known
			s.keep(quotedHole, "mempalace $@", false)
		}
		s.reaches(f)
	}
	s.tests = f // it may load what this call wrote
	if unknown, _ := starts(text); unknown {
		s.blindly(f)
		s.keep(descriptors+"=", strings.Join(f[1:], " "), false)
	}
	for _, w := range s.wrote {
		name, given := strings.CutPrefix(w.name, descriptors+"=")
		name = strings.TrimSuffix(path.Base(name), path.Ext(name))
		if !given && len(name) > 2 && strings.Contains(text, name) && !isDocument(w.name) {
			s.judge.program(w.text, f) // it may load what this call wrote
		}
		if given && name != "" && strings.Contains(text, name) && changesFiles(text) &&
			s.zoneOf(w.text, s.cwd)&inPalace != 0 {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	}
	for _, name := range scriptsIn(text) {
		if t, ok := s.scriptText(name); ok && strings.HasSuffix(name, "sh") {
			s.anyScript(t, f)
		} else if ok {
			s.judge.program(t, f)
		}
	}
}

// programFile judges the script that f runs. It returns false if it can't be read.
func (s *shell) programFile(name string, f []string) bool {
	text, ok := s.folderText(name)
	if ok {
		s.program(text, f)
	}
	return ok
}

// programFed judges code that may run what it reads.
func (s *shell) programFed(text string, f []string, in source) {
	s.program(text, f)
	fed := s.standing(in)
	if unknown, _ := starts(text); unknown && fed != "" {
		s.program(text+"\n"+fed, f)
	}
}

// starts reports whether code starts a program that it does not name itself, and whether it starts one that
// writes a palace.
func starts(text string) (unknown, writes bool) {
	for _, w := range [...]string{"system", "exec", "spawn", "popen", "Popen", "subprocess", "Command",
		"ProcessBuilder", "shell-command", "-process"} {
		for rest := range behind(text, w) {
			if w == "exec" && (strings.HasPrefix(rest, "ut") || strings.HasPrefix(rest, "(") &&
				strings.Contains(text, ".exec(") && !strings.Contains(text, "child_process")) {
				continue // of a database, of an expression
			}
			rest = strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.:")
			call := strings.HasPrefix(rest, "(")
			rest = strings.TrimLeft(rest[:min(len(rest), 300)], "( \t\n[{*&")
			switch {
			case rest == "" || rest[0] == ')':
			case strings.IndexByte("'\"`", rest[0]) >= 0:
				line, _, _ := strings.Cut(rest, "\n")
				words := wordsOf(line)
				shell := len(words) > 0 && interpreter(program(words[0]))
				unknown = unknown || shell || rest[1:] != "" && strings.IndexByte("$#{", rest[1]) >= 0
				writes = writes || palaceWrite(words) >= 0 && (shell || palaceProgram(words[0]))
			case call || rest[0] == '@' || rest[0] == '$' || strings.HasPrefix(rest, "shift"):
				unknown = true
			}
		}
	}
	return unknown, writes
}

// wordsOf returns the words of a line of code of any language.
func wordsOf(line string) []string {
	apart := func(r rune) bool { return strings.ContainsRune(" \t\"'`[](){},;=<>&|!", r) }
	return slices.DeleteFunc(strings.FieldsFunc(line, apart), func(w string) bool {
		return len(w) > 1 && w[0] == '.' && letter(w[1]) || // a method
			listed(w, "nil args args: argv : string /string") // of Lisp, JSON and plists
	})
}

// folderText returns the text of a script, or the one that runs for a folder.
func (s *shell) folderText(name string) (string, bool) {
	if text, ok := s.scriptText(name); ok {
		return text, true
	}
	found := ""
	for _, entry := range [...]string{"__main__.py", "main.go", "index.js", "main.ts"} {
		if text, ok := s.scriptText(path.Join(name, entry)); ok {
			found += text + "\n"
		}
	}
	s.blindly([]string{name})
	return found, found != ""
}

// pieces removes what stands between the pieces of which code puts a word together.
var pieces = strings.NewReplacer(" ", "", "\t", "", "\n", "", "'", "", `"`, "", "`", "", ",", "", "+", "",
	".", "", "(", "", ")", "", "[", "", "]", "", "{", "", "}", "", "$", "", "concat", "")

// put adds the palace's name to code that puts it together, as in 'mem' + 'palace'.
func put(text string) string {
	if len(text) > maxCode || palace.IsNamed(text) || !palace.IsNamed(pieces.Replace(text)) {
		return text
	}
	return text + "\n.mempalace"
}

// scriptsIn returns the names of scripts that stand in quotes in code which runs others: at most eight.
func scriptsIn(text string) (names []string) {
	// whose tests nobody reads either
	if len(text) > maxCode || !runsOthers(text) || containsAny(text, "pytest", "unittest") {
		return nil
	}
	for _, m := range forms().script.FindAllStringSubmatch(text, 8) {
		names = append(names, m[1])
	}
	return names
}

// runsOthers reports whether code runs other code.
func runsOthers(text string) bool {
	return containsAny(text, "exec(", "execfile(", "execSync(", "execFile", "run_path(", "system(",
		"subprocess.", "spawn", "popen", "load(", "os.exec")
}

// program judges code of a language the gate does not parse. Code that names no palace and no zone
// passes; so does code that names one only in words, or only reads.
func (j *judge) program(text string, f []string) {
	if approves(text) && canStart(text) {
		j.addFinding(rules.RuleApproval, commandText(f))
		return
	}
	z := zoneIn(text)
	if namesSettings(text) && capable(text) {
		h := harmsIn(text)
		if low := lower(text); strings.Contains(low, "enabledplugins") && strings.Contains(low, "keepsake") &&
			unloads(low) {
			h.unloads++
		}
		if what := h.beyond(harm{palace: 1}); what != "" {
			j.addFinding(rules.RuleSettings, commandText(f), what)
		}
	}
	named := palace.IsNamed(text) || z&inPalace != 0 || strings.Contains(text, ":8765/mcp") ||
		palace.IsEncoded(text) || strings.Contains(text, "tool_add_drawer")
	if !named && z == 0 {
		return
	}
	if z == inSpoken && !named && !changesFiles(text) {
		return
	}
	used := named && palace.IsUsed(text)
	reaches := named && !used && reachesOut(text)
	if reaches {
		if rest, ok := j.startsReads(text); ok {
			reaches = reachesOut(rest)
		}
	}
	switch {
	case used, reaches, z&inPalace != 0 && capable(text),
		(capable(text) || containsAny("\n"+text, "\n!", "\n%")) && mayWritePalace(text): // ! is a shell's
		j.addFinding(rules.RuleUndecided, commandText(f))
	case capable(text): // a palace that is only spoken of is text for some other file
		j.findWrite(z, f)
	}
}

// changesFiles reports whether code changes files or starts a program that may. What only
// reads transcripts to count something has much of what [capable] looks for.
func changesFiles(text string) bool {
	if len(text) > maxCode {
		return true
	}
	t := strings.ReplaceAll(strings.ToLower(text), "readlink(", "")
	if containsAny(t, "subprocess", "system(", "popen", "spawn", "exec(", "execl", "execv", "execsync",
		"execfile", "child_process", "eval(", "`", "write_text", "write_bytes", "writefile", "appendfile",
		"createwritestream", "file.write", "io.write", "put_contents", "fputs", "shutil", "rename", "unlink",
		"os.replace(", "link(", "copyfile", "truncate", "fileinput", "inplace", "$^i", "os.remove", "rmtree",
		"fileutils", "file.open", "fs.rm", "rmsync", "fs.cp", "bun.write", "deno.write", "mmap", "os.open",
		"atomic", `>> "`, `>>"`, `> "`, `>"`, `| "`, `|"`, // of awk
		".writelines(", "write-region", "write-file", "append-to-file", "save-buffer") {
		return true
	}
	said := 0 // to its own output
	for _, w := range [...]string{"stdout.write(", "stderr.write(", "stdout.buffer.write(",
		"stderr.buffer.write("} {
		said += strings.Count(t, w)
	}
	return strings.Count(t, ".write(") > said ||
		strings.Count(t, ", file=") > strings.Count(t, ", file=sys.") || opensToWrite(t)
}

// maxCode is how much code of another language is looked at, in bytes.
const maxCode = 128 << 10

// capable reports whether code can start programs, reach the network, or change files and databases. Code
// past all measure can.
func capable(text string) bool {
	t := strings.ToLower(text)
	return changesFiles(text) || reachesOut(text) || containsAny(t, "write(", "touch(", "mkdir", "symlink",
		"cpsync", "cp(", "rm_r", "remove(", "os.link(", "linksync(", "file.link(", "hardlink", "copy(\"",
		"copy('", "move(\"", "move('", "extractall", "json.dump(", "to_csv", "to_json", ".save(", ".dump(",
		"writelines(") || strings.Contains(t, "path") && containsAny(t, "\").replace(", "').replace(")
}

// reachesOut reports whether code can start programs, reach the network or a database, or run other code.
func reachesOut(text string) bool {
	t := strings.ToLower(text)
	if n := strings.Count(t, "mode=ro") + strings.Count(t, "immutable=1"); n > 0 &&
		strings.Count(t, "connect(") <= n { // databases that are only read
		t = strings.NewReplacer("sqlite", "", "chroma.", "", ".execute(", "").Replace(t)
	}
	t = strings.ReplaceAll(t, "executable", "")
	return len(text) > maxCode || canStart(t) || containsAny(t, "open2", "open3", "system ", "cmd(", "shell",
		"eval", "compile(", "__import__", "import_module", "runpy", "sqlite", "chroma", "urllib", "requests",
		"httpx", "http.client", "qdrant", "milvus", "psycopg", "system2(",
		"aiohttp", "fetch(", "xmlhttp", "net::", "net/http", "%x", "getline", "| \"",
		"\"|", "'|", "deno.command", "bun.$", "'zx'", "\"zx\"", "passthru", "proc_open", "plumbum",
		"webbrowser", "startfile", "-process", "import foundation", "syscmd", "sys.command", "callcommand",
		"sys.process", "run-program", "run \"", "run '") ||
		strings.Contains(t, ">") && strings.Contains(t, "print")
}

// opensToWrite reports whether code, in small letters, opens a file with a quoted mode
// in which it is changed, such as "w", 'rb+' or ">>".
func opensToWrite(t string) bool {
	const far = 400 // bytes that a call to open has, at most
	for rest := t; ; {
		i := strings.Index(rest, "open")
		if i < 0 {
			return false
		}
		rest = rest[i+len("open"):]
		depth := 0
		for k := 0; k < min(len(rest), far); k++ {
			switch c := rest[k]; {
			case c == '(':
				depth++
			case c == ')':
				if depth--; depth <= 0 {
					k = far
				}
			case depth == 0 && (c == ';' || c == '\n'):
				k = far
			// ">>name" is of Perl
			case (c == '\'' || c == '"') && (changing(rest[k:]) || k+1 < len(rest) && rest[k+1] == '>'):
				return true
			}
		}
	}
}

// changing reports whether a text begins with a quoted mode of opening a file that changes it.
func changing(t string) bool {
	k := 1
	for k < len(t) && k < 6 && strings.IndexByte("rwaxbt+<>", t[k]) >= 0 {
		k++
	}
	return k > 1 && k < len(t) && (t[k] == t[0] || t[k] == ':') && strings.ContainsAny(t[1:k], "wax+>")
}

// network judges a client that can send a body: MemPalace's server answers HTTP on the loopback.
func (s *shell) network(f []string, in source) {
	text := strings.Join(f, " ") + " " + s.standing(in)
	for _, a := range f[1:] { // @name is a file
		if i := strings.IndexByte(a, '@'); i >= 0 {
			if t, ok := s.scriptText(a[i+1:]); ok {
				text += " " + t
			}
		}
	}
	write, read := palace.ToolNames(text)
	low := strings.ToLower(text)
	pipes := listed(program(f[0]), "nc ncat netcat socat websocat")
	if (pipes || strings.Contains(low, "--unix-socket")) && (approves(text) || typesAnswer(text)) {
		s.addFinding(rules.RuleApproval, commandText(f))
	}
	local := containsAny(low, "localhost", "127.0.0.1", "[::1]")
	raw := !slices.Contains(f, "-z") && !slices.Contains(f, "-l") && slices.Contains(f, "8765") // nc
	endpoint := raw || strings.Contains(low, ":8765") || strings.Contains(low, "/.mempalace/") || local &&
		palace.IsNamed(text)
	switch {
	case palace.IsNamed(text) && pipes && (containsAny(low, "exec:", "system:", "cmd:") ||
		slices.ContainsFunc(f, func(a string) bool { return listed(a, "-e -c") })):
		s.addFinding(rules.RuleUndecided, commandText(f))
	// a page that is only asked for stores nothing
	case write != "" && (sends(f, in) || strings.Contains(low, ":8765")):
		s.addFinding(rules.RulePalaceCommand, commandText(f))
	case endpoint && read == "" && sends(f, in) && !lists(low):
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
	s.download(f)
}

// lists reports whether all that a text calls by JSON-RPC is what a server has.
func lists(low string) bool {
	calls := strings.Count(low, `"method"`)
	for _, method := range [...]string{"tools/list", "resources/list", "prompts/list", "initialize", "ping"} {
		calls -= strings.Count(low, `"`+method+`"`)
	}
	return calls <= 0 && strings.Contains(low, `"method"`)
}

// download judges the files an HTTP client writes.
func (s *shell) download(f []string) {
	short := byte('o')
	if program(f[0]) == "wget" {
		short = 'O'
	}
	// by the name it has there
	if short == 'O' || flagged(f[1:], "OJ", "--remote-name", "--remote-name-all", "--output-dir") {
		s.findWrite(s.takesTranscripts(".", s.cwd), f)
	}
	to := valuesOf(f, "--output --output-document --output-dir -P --directory-prefix")
	for i, a := range f {
		if k := strings.IndexByte(a, short); k > 0 && a[0] == '-' && a[1] != '-' {
			if v := a[k+1:]; v != "" {
				to = append(to, v)
			} else {
				to = append(to, f[min(i+1, len(f)-1)])
			}
		}
	}
	for _, p := range to {
		s.target(p, f, replaced)
	}
}

// sends reports whether an HTTP command line carries a body.
func sends(f []string, in source) bool {
	switch program(f[0]) {
	case "nc", "ncat", "netcat", "socat", "telnet", "websocat", "grpcurl", "hurl":
		return true
	}
	if in.known || in.hdoc != nil || in.file != "" {
		return true
	}
	for i, a := range f[1:] {
		name, value, _ := strings.Cut(a, "=")
		if i+2 < len(f) && (a == "-X" || a == "--request") {
			value = f[i+2]
		}
		letters := ""
		if len(a) > 1 && a[0] == '-' && a[1] != '-' {
			letters = a[1:]
		}
		switch k := strings.IndexAny(letters, "dFTXK"); {
		case listed(strings.ToLower(a), "post put patch delete"):
			return true
		case listed(name, `--data --data-raw --data-binary --data-urlencode --data-ascii --json --form --form-string
			--upload-file --config --post-data --post-file --body-data --body-file`):
			return true
		case k < 0 && name != "--request" && name != "--method",
			k > strings.IndexAny(letters+"H", "HouAbcewmxUyYzCEtPQr"): // in the value of another option
		case !listed(value+letters[k+1:], "GET HEAD"):
			return true
		}
	}
	return false
}

// agent judges a coding agent started from a command, since no hook of this session sees what it
// does. One whose task names MemPalace is put to the person, and none may get an approval to type.
func (s *shell) agent(f []string, in source) {
	s.answersFor(f, in)
	ops := operands(f[1:])
	if len(ops) > 0 && listed(ops[0], "mcp plugin plugins config") {
		s.agentSettings(f, ops)
		return
	}
	if len(f) > 1 && listed(f[1], "doctor update --version -v --help -h login logout install agents") {
		return
	}
	for _, text := range valuesOf(f, "--settings") {
		if file, read := s.scriptText(text); read {
			text = file
		}
		if h := harms(text); h.off > 0 {
			s.addFinding(rules.RuleSettings, commandText(f), h.beyond(harm{}))
		}
	}
	text, _ := s.scriptText(in.file)
	for _, a := range append([]string{s.standing(in)}, f[1:]...) {
		text += "\n" + s.printedWord(a)
	}
	if s.look(f[1:]).palace || palace.IsNamed(text) || in.saw.palace {
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
}

// agentSettings judges the commands of a coding agent that change its settings,
// its plugins and its servers. ops begins with the group.
func (s *shell) agentSettings(f, ops []string) {
	verb, rest := "", []string(nil)
	for i, o := range ops[1:] {
		if o != "marketplace" {
			verb, rest = o, ops[i+2:]
			break
		}
	}
	text := strings.Join(rest, " ")
	h := harmsIn(text)
	switch ops[0] {
	case "mcp":
		if !strings.HasPrefix(verb, "add") {
			return
		}
		h.palace += harmsIn(strings.Join(f, " ")).palace // behind --, too
	default:
		switch {
		case listed(verb, "disable uninstall remove rm") && strings.Contains(lower(text), "keepsake"):
			h.unloads++
		case !listed(verb, "install i enable add set"):
			h.palace = 0
		}
	}
	if what := h.beyond(harm{}); what != "" {
		s.addFinding(rules.RuleSettings, commandText(f), what)
	}
}

// service judges service and container managers: starting MemPalace's server opens a way to write that no
// hook sees, and a container may run any command.
func (s *shell) service(name string, f []string, in source) {
	k := slices.IndexFunc(f, func(a string) bool {
		return listed(a, `exec run cp up start restart reload enable try-restart load bootstrap kickstart
			submit`)
	})
	container := name != "kubectl" && name != "oc"
	if !container {
		s.judgeAmong(tail(f, slices.Index(f, "--")+1), in)
	}
	if k < 1 {
		return
	}
	if name == "docker-compose" || slices.Contains(f[:k], "compose") { // they run what a file of theirs says
		s.keep(quotedHole, s.standing(in), false)
		s.blindly(f)
	}
	switch rest := f[k+1:]; {
	case f[k] == "cp":
		s.judgeDestination("docker", rest, f)
	case !container:
	case f[k] == "exec" || f[k] == "run" && name != "brew":
		s.containerCommand(rest, in)
		s.zoneArgs(append([]string{name}, rest...))
	case slices.ContainsFunc(f[1:], func(a string) bool {
		return palaceProgram(strings.TrimSuffix(a, ".service")) ||
			strings.Contains(lower(a), "mempalace") && !strings.ContainsAny(a, "/=:")
	}):
		s.addFinding(rules.RulePalaceCommand, commandText(f))
	}
}

// containerCommand judges what runs in a container: the words behind the image or the container.
func (s *shell) containerCommand(args []string, in source) {
	const long = "name volume env env-file network user workdir publish mount label entrypoint hostname " +
		"platform memory cpus gpus add-host restart ulimit shm-size tmpfs device cap-add cap-drop " +
		"security-opt log-driver log-opt ip dns pull index detach-keys"
	g := append([]string{"run"}, args...)
	i := skip(g, "veuwplhmc", long)
	for _, entry := range valuesOf(g[:min(i, len(g))], "--entrypoint") {
		s.command(append([]string{entry}, tail(g, i+1)...), in)
	}
	cmd := tail(g, i+1)
	if len(cmd) > 0 {
		c := s.sub()
		c.depth++
		c.command(cmd, in)
	}
	// the image's entry point
	if i < len(g) && palaceProgram(g[i]) && palace.Command("mempalace", cmd) == palace.Writes {
		s.addFinding(rules.RulePalaceCommand, commandText(args))
	}
	s.mentions(cmd)
}
