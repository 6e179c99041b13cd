package guard

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// Propose returns the guard that a memory's own words give, and the sentence that gave it. ok is false where
// they give none. It knows four shapes, each about a command, a path or a tool that is named:
//
//	never run X                       stops X
//	use Y, not X                      stops X
//	don't touch PATH                  asks before a change of PATH
//	always run Z before W             stops W until Z ran
//
// A sentence with a condition of its own, such as "never X unless …", gives none, except where the condition
// is the person's word: "without asking me".
func Propose(words ...string) (g memory.Guard, from string, ok bool) {
	for _, text := range words {
		for _, sentence := range sentences(text) {
			if g, ok = ofSentence(tokens(sentence)); ok {
				return g, strings.TrimSpace(sentence), true
			}
		}
	}
	return g, "", false
}

// WordsOf returns what a record says that may give a guard: its rule, then its title. Only a constraint that
// is in force and a preference have one.
func WordsOf(r memory.Record) []string {
	field := map[memory.Category]string{memory.Constraint: "rule", memory.Preference: "value"}[r.Category]
	if field == "" || r.Content["active"] == false {
		return nil
	}
	rule, _ := r.Content[field].(string)
	return []string{rule, r.Title}
}

// sentences cuts a text at the ends of its sentences and lines, but not within code. Questions are left out.
func sentences(text string) (all []string) {
	from, code := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '`':
			code = !code
		case c == '.' && strings.HasSuffix(text[:i], "/.."): // "go test ./... before"
		case c == '\n', !code && strings.IndexByte(".!?;", c) >= 0 && (i+1 == len(text) || text[i+1] == ' ' ||
			text[i+1] == '\n'):
			if c != '?' {
				all = append(all, text[from:i])
			}
			from, code = i+1, false
		}
	}
	return append(all, text[from:])
}

// A token is a word of a sentence, or a stretch of code in it.
type token struct {
	text  string // without the punctuation around it
	low   string // the same in small letters
	code  bool
	pause bool // a comma, a colon or a dash follows
}

func tokens(sentence string) (all []token) {
	for i, part := range strings.Split(sentence, "`") {
		if i%2 == 1 {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, token{text: part, low: strings.ToLower(part), code: true})
			}
			continue
		}
		part = strings.NewReplacer("’", "'", "“", "\"", "”", "\"", "—", " — ", "–", " – ").Replace(part)
		for w := range strings.FieldsSeq(part) {
			bare := strings.TrimRight(strings.TrimLeft(w, `"'(_`), `"'),:;*_!?`)
			if !strings.HasPrefix(bare, "*.") && !strings.HasPrefix(bare, "**/") { // else a pattern of paths
				bare = strings.TrimLeft(bare, `*"'(_`)
			}
			if bare == "" || bare == "-" || bare == "—" || bare == "–" { // punctuation
				if len(all) > 0 && w != `"` && w != "'" {
					all[len(all)-1].pause = true
				}
				continue
			}
			if strings.HasSuffix(bare, ".") && !strings.HasPrefix(bare, ".") {
				bare = strings.TrimRight(bare, ".")
			}
			all = append(all, token{text: bare, low: strings.ToLower(bare),
				pause: strings.ContainsAny(w[len(w)-1:], ",:;)")})
		}
	}
	return all
}

// ofSentence tries the shapes on a sentence, the narrowest first.
func ofSentence(t []token) (g memory.Guard, ok bool) {
	for _, shape := range [...]func([]token) (memory.Guard, bool){before, insteadOf, never, germanNever,
		germanBefore, germanTouch} {
		if g, ok = shape(t); ok {
			return g, true
		}
	}
	return g, false
}

// Words of the shapes.
const (
	runs = " run use call execute invoke type issue start do try prefer "
	// gerunds of them
	running = " running using calling executing invoking typing issuing starting doing "
	touches = " touch edit modify change alter rewrite overwrite delete remove write update hand-edit "
	// gerunds of them
	touching = " touching editing modifying changing altering rewriting overwriting deleting removing " +
		"writing " +
		"updating hand-editing "
	fills = " the a an any our my this that files file folder directory anything to in into under on " +
		"command "
	adverbs = " ever directly manually again just simply even please also the "
	// ends may follow an object and change nothing of what was said of it
	ends = " directory folder file files here again anymore directly manually yourself by because " +
		"since as it please ever at locally " +
		"ausführen benutzen verwenden nutzen aufrufen starten laufen "
)

func is(list string, t token) bool { return !t.code && strings.Contains(list, " "+t.low+" ") }

// negation returns how many words from i say that something must not be done, 0 for none.
func negation(t []token, i int) int {
	two := ""
	if i+1 < len(t) {
		two = t[i].low + " " + t[i+1].low
	}
	switch {
	case t[i].code:
	case two == "do not", two == "must not", two == "should not", two == "shall not", two == "must never",
		two == "should never", two == "not ever":
		return 2
	case is(" no ", t[i]) && (i == 0 || t[i-1].pause) && i+1 < len(t):
		if g, _, ok := object(t, i+1, false); ok && len(g.Command) > 0 {
			return 1
		}
	case is(" never don't dont mustn't shouldn't avoid nie niemals ", t[i]):
		return 1
	}
	return 0
}

// never is "never run X" and "don't touch PATH".
func never(t []token) (g memory.Guard, ok bool) {
	for i := range t {
		n := negation(t, i)
		if n == 0 {
			continue
		}
		if i > 0 && is(" i if when they he she it ", t[i-1]) {
			continue // "I never …", "if … never"
		}
		j := i + n
		for j < len(t) && is(adverbs, t[j]) {
			j++
		}
		if j >= len(t) {
			return g, false
		}
		touch, deletes := false, is(" delete remove deleting removing ", t[j])
		switch {
		case is(runs+running, t[j]):
			j++
		case is(touches+touching, t[j]):
			touch = true
			j++
		}
		for j < len(t) && (is(fills, t[j]) || touch && madeIn(t, j)) {
			j++
		}
		g, end, found := object(t, j, touch)
		asks, holds := condition(t, end)
		if !found || !holds || deletes && g.Path != "" { // a guard of a path meets all changes
			return g, false
		}
		g.Does = memory.Deny
		if touch || asks {
			g.Does = memory.Ask
		}
		return g, true
	}
	return g, false
}

// madeIn reports whether words from i say what lies in a folder that is named: "generated files in gen/". Of
// any other kind of files in a folder the rule would not be about all of it.
func madeIn(t []token, i int) bool {
	return i+3 < len(t) &&
		is(" generated auto-generated autogenerated compiled vendored third-party ", t[i]) &&
		is(" code files file sources output stubs ", t[i+1]) && is(" in under inside below ", t[i+2])
}

// condition looks at what follows an object: asks reports that the person's word lifts the rule, and ok that
// nothing else does.
func condition(t []token, i int) (asks, ok bool) {
	rest := t[min(i, len(t)):]
	if len(rest) > 1 && is(" or nor oder ", rest[0]) { // of a list the guard has the first
		if _, end, ok := object(t, i+1, false); ok {
			return condition(t, end)
		}
	}
	if i > 0 && i <= len(t) && t[i-1].pause || len(rest) == 0 || is(ends, rest[0]) {
		return false, !slices.ContainsFunc(rest, func(x token) bool {
			return is(" unless except until without ", x)
		}) || personsWord(rest)
	}
	if is(" in on ", rest[0]) && len(rest) > 1 && is(" this the our ", rest[1]) &&
		(len(rest) < 3 || is(" repo repository project codebase package ", rest[2])) {
		return condition(t, len(t))
	}
	return true, personsWord(rest)
}

// personsWord reports whether a condition is the person's yes.
func personsWord(rest []token) bool {
	for i, x := range rest {
		if !is(" without unless until ", x) {
			continue
		}
		for _, y := range rest[i+1 : min(len(rest), i+5)] {
			if is(" asking ask permission approval approving ok okay consent confirmation told say tell ",
				y) {
				return true
			}
		}
	}
	return false
}

// insteadOf is "use Y, not X" and its kin.
func insteadOf(t []token) (g memory.Guard, ok bool) {
	for i := range t {
		n := 0
		switch {
		case t[i].code:
		case is(" not over never nicht statt ", t[i]):
			n = 1
		case i+1 < len(t) && (t[i].low == "instead" && t[i+1].low == "of" ||
			t[i].low == "rather" && t[i+1].low == "than"):
			n = 2
		}
		if n == 0 || i == 0 {
			continue
		}
		j := i + n
		for j < len(t) && (is(adverbs+" use run ", t[j]) || is(running, t[j])) {
			j++
		}
		not, end, found := object(t, j, false)
		if !found || len(not.Command) == 0 || !pausesOrEnds(t, end) {
			continue
		}
		// what is to be used stands before it
		for k := i - 1; k >= 0; k-- {
			use, after, found := object(t, k, false)
			if !found || len(use.Command) == 0 || after > i || k > 0 && negation(t, max(0, k-2)) > 0 {
				continue
			}
			if matchCommand(not.Command, normal(use.Command)) {
				return g, false // it would stop what is to be used
			}
			not.Does = memory.Deny
			return not, true
		}
	}
	return g, false
}

func pausesOrEnds(t []token, i int) bool {
	_, ok := condition(t, i)
	return ok
}

// before is "always run Z before W", "before W, run Z" and "never W before running Z".
func before(t []token) (g memory.Guard, ok bool) {
	for i := range t {
		if t[i].code || t[i].low != "before" && (t[i].low != "without" || i == 0) {
			continue
		}
		denied := false
		for k := range t[:i] {
			denied = denied || negation(t, k) > 0
		}
		if t[i].low == "without" && !denied {
			continue
		}
		first, last := t[:i], t[i+1:]
		z, w := last, first // "never commit before running Z"
		if !denied {
			if w = last; len(first) == 0 { // "before W, run Z"
				cut := slices.IndexFunc(last, func(x token) bool { return x.pause })
				if cut < 0 {
					return g, false
				}
				w, first = last[:cut+1], last[cut+1:]
			}
			z = first
		}
		needs, found := commandAfterRun(z)
		if !found {
			return g, false
		}
		if what, found := act(w); found && !matchCommand(what, normal(needs)) {
			return memory.Guard{Command: what, Needs: needs, Does: memory.Deny}, true
		}
		return g, false
	}
	return g, false
}

// germanConditions are words with which a German rule has a condition of its own.
const germanConditions = " wenn falls außer ohne solange sofern bis es "

// Words with which a German rule says to run something: in front, and at its end.
const (
	germanRuns    = " führe führt starte startet benutze benutzt verwende verwendet nutze nutzt rufe ruft "
	germanRunning = " ausführen aufrufen benutzen verwenden nutzen starten lassen "
)

// germanNever is "führe niemals X aus" and "X niemals ausführen".
func germanNever(t []token) (g memory.Guard, ok bool) {
	if len(t) == 0 || !is(germanRuns, t[0]) && !is(germanRunning, t[len(t)-1]) {
		return g, false
	}
	denied := false
	for i := 0; i < len(t); i++ {
		switch {
		case is(" nie niemals nicht keinesfalls ", t[i]):
			denied = true
			continue
		case is(germanRuns+germanRunning+" aus auf bitte hier direkt mehr ", t[i]):
			continue
		}
		c, end, found := object(t, i, false)
		if !found || len(c.Command) == 0 || len(g.Command) > 0 { // of anything more it would not be about all
			return memory.Guard{}, false
		}
		g, i = c, end-1
	}
	g.Does = memory.Deny
	return g, denied && len(g.Command) > 0
}

// germanBefore is "vor jedem Commit Z ausführen".
func germanBefore(t []token) (g memory.Guard, ok bool) {
	for i := range t {
		if !is(" vor bevor ", t[i]) || slices.ContainsFunc(t, func(x token) bool {
			return is(germanConditions+" nie niemals nicht kein keine ", x)
		}) {
			continue
		}
		for j := i + 1; j < min(len(t), i+3); j++ {
			for _, a := range acts {
				if !is(a.words, t[j]) {
					continue
				}
				for k := range t {
					z, _, found := object(t, k, false)
					if found && len(z.Command) > 0 && (k < i || k > j) && !matchCommand(a.command,
						normal(z.Command)) {
						return memory.Guard{Command: a.command, Needs: z.Command, Does: memory.Deny}, true
					}
				}
			}
		}
	}
	return g, false
}

// germanTouch is "fass PATH nicht an" and "PATH nicht ändern".
func germanTouch(t []token) (g memory.Guard, ok bool) {
	denied, touched := false, false
	for i, x := range t {
		if is(germanConditions, x) {
			return g, false
		}
		denied = denied || is(" nicht nie niemals keinesfalls ", x)
		touched = touched ||
			is(" anfassen ändern bearbeiten editieren verändern überschreiben anrühren ", x) ||
			is(" fass fasse fasst rühr rühre ", t[0]) && is(" an ", x) && i == len(t)-1
		if p, _, found := object(t, i, true); found && p.Path != "" {
			if g.Path != "" { // of several it would have one
				return g, false
			}
			g = p
		}
	}
	g.Does = memory.Ask
	return g, denied && touched && g.Path != ""
}

// commandAfterRun returns the command that some words say to run.
func commandAfterRun(t []token) ([]string, bool) {
	for i := range t {
		if !is(runs+running, t[i]) || negation(t, max(0, i-1)) > 0 && !is(running, t[i]) {
			continue
		}
		j := i + 1
		for j < len(t) && is(fills, t[j]) {
			j++
		}
		if g, _, ok := object(t, j, false); ok && len(g.Command) > 0 {
			return g.Command, true
		}
	}
	return nil, false
}

// acts are what is done with git, in the forms in which it follows "before".
var acts = [...]struct {
	words   string
	command []string
}{
	{" commit commits committing committed committen committest ", []string{"git", "commit"}},
	{" push pushes pushing pushed pushen pushst ", []string{"git", "push"}},
	{" merge merges merging mergen mergst ", []string{"git", "merge"}},
	{" rebase rebases rebasing ", []string{"git", "rebase"}},
}

// act returns the command that the words around "before" are about.
func act(t []token) ([]string, bool) {
	for i := range t {
		if g, _, ok := object(t, i, false); ok && len(g.Command) > 0 {
			return g.Command, true
		}
		for _, a := range acts {
			if is(a.words, t[i]) {
				return a.command, true
			}
		}
		if i > 4 {
			break
		}
	}
	return nil, false
}

// object reads the command, the path or the tool at i, and returns where it ends.
func object(t []token, i int, touch bool) (g memory.Guard, end int, ok bool) {
	if i < 0 || i >= len(t) {
		return g, i, false
	}
	x := t[i]
	switch {
	case isToolName(x.text):
		g.Tool = x.text
		return g, i + 1, true
	case x.code && !touch && !looksLikePath(x.text):
		words := strings.Fields(x.text)
		if len(words) == 1 { // an option that belongs to one program
			for _, p := range phrases {
				if p.words == x.low && words[0][0] == '-' {
					words = strings.Fields(p.command)
				}
			}
		}
		if isCommand(words) {
			words[0] = path.Base(words[0])
			g.Command = words
			return g, i + 1, valid(&g)
		}
	case !touch && !x.code && i > 0 && is(runs+running, t[i-1]) && isCommand([]string{x.text}) &&
		strings.HasPrefix(x.text, "./"):
		g.Command = []string{path.Base(x.text)}
		return g, i + 1, valid(&g)
	case looksLikePath(x.text) && (touch || x.code),
		touch && (isFolderPath(x.text) || x.code && !strings.Contains(x.text, " ")):
		if g.Path = asPattern(x.text); g.Path != "" {
			return g, i + 1, valid(&g)
		}
	case !touch && !x.code:
		run := i > 0 && is(runs+running, t[i-1]) || is(germanRuns, t[0]) || is(germanRunning, t[len(t)-1])
		if words, n := spoken(t[i:], run); n > 0 {
			g.Command = words
			return g, i + n, valid(&g)
		}
	}
	return memory.Guard{}, i, false
}

// valid reports whether a guard, with any deed, may stand in a record.
func valid(g *memory.Guard) bool {
	h := *g
	h.Does = memory.Say
	return h.Valid() == nil
}

// isToolName reports whether a word is the name of one of the client's tools or of an MCP tool. Names that
// are words of every day don't count.
func isToolName(w string) bool {
	switch w {
	case "WebFetch", "WebSearch", "NotebookEdit", "MultiEdit", "TodoWrite":
		return true
	}
	return strings.HasPrefix(w, "mcp__") && !strings.ContainsAny(w, " *")
}

// looksLikePath reports whether a text names a file or a folder of a project.
func looksLikePath(w string) bool {
	if rest, ok := strings.CutPrefix(w, "~/"); ok {
		return rest != "" && !strings.ContainsAny(rest, " \t$<>|&;()'\"")
	}
	if strings.ContainsAny(w, " \t$<>|&;()'\"") || strings.Contains(w, "://") || strings.HasPrefix(w, "-") ||
		strings.HasPrefix(w, "@") || strings.HasPrefix(w, "~") || strings.HasPrefix(w, "..") {
		return false
	}
	name := path.Base(w)
	ext := path.Ext(name)
	switch {
	case strings.HasSuffix(w, "/"), strings.Contains(w, "*"):
		return true
	case strings.Contains(w, "/"):
		return strings.Contains(w, ".") || strings.Count(w, "/") > 1
	case strings.HasPrefix(name, ".") && len(name) > 2:
		return true
	}
	return len(ext) > 1 && len(ext) <= 6 && len(name) > len(ext) && strings.Trim(ext[1:],
		"0123456789") != "" &&
		strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") == "" && !isDomain(ext)
}

// isFolderPath reports whether a text of something that is not to be touched names a folder without saying so
// by a slash at its end, as db/migrations.
func isFolderPath(w string) bool {
	parent, name, two := strings.Cut(w, "/")
	return two && len(parent) > 1 && len(name) > 1 && w != "and/or" &&
		strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789_-/") == ""
}

func isDomain(ext string) bool {
	return ext == ".com" || ext == ".org" || ext == ".net" || ext == ".io"
}

// asPattern returns a path as a pattern of a guard.
func asPattern(w string) string {
	return strings.TrimPrefix(w, "./")
}

// isCommand reports whether the words of a piece of code are a command: of a program that is known, or of
// several words of which the first may be one.
func isCommand(words []string) bool {
	if len(words) == 0 || strings.ContainsAny(strings.Join(words, " "), "$<>|&;(){}=\"'*") {
		return false
	}
	for i, w := range words {
		if w[0] == '[' || i == 0 && (w[0] == '-' || strings.ToLower(w) != w) {
			return false
		}
	}
	name := path.Base(words[0])
	if strings.Contains(words[0], "/") && !strings.HasPrefix(words[0], "./") {
		return false
	}
	_, known := programNamed(name)
	return known || strings.HasPrefix(words[0], "./") || len(words) > 1 && !strings.Contains(name, ".")
}

// programs are those that are known outside of code, with their subcommands: only these follow them there. A
// program with no subcommand is one by its name alone. "-" stands for a name that is also a word of English,
// and counts in code or with a subcommand.
var programs = [...]struct{ name, subcommands string }{
	{"alembic", "upgrade downgrade revision"}, {"ansible-playbook", ""}, {"apt", "- install"},
	{"apt-get", "install"}, {"aws", ""}, {"bash", ""}, {"black", "-"}, {"brew", "install"},
	{"bun", "install add remove run test"}, {"bundle", "- install update exec"},
	{"cargo", "build test run publish update clippy fmt"}, {"cat", "-"},
	{"composer", "install update require"}, {"curl", ""}, {"deno", "- run test"},
	{"docker", "build run push pull compose system"}, {"docker-compose", "up down"},
	{"dotnet", "build test run"}, {"eslint", ""}, {"find", "-"}, {"gcloud", ""},
	{"gh", "pr release repo"},
	{"git",
		"push pull commit rebase merge reset stash checkout switch restore tag clean cherry-pick revert add"},
	{"go", "- get mod test build install run generate vet"}, {"gradle", ""}, {"grep", "-"},
	{"head", "-"}, {"helm", "install upgrade"}, {"jest", ""}, {"jq", ""}, {"just", "-"},
	{"kubectl", "apply delete edit exec"}, {"make", "- test lint build"}, {"mocha", ""}, {"mvn", ""},
	{"mypy", ""}, {"mysql", ""}, {"node", "-"},
	{"npm", "install ci publish audit update uninstall test run start"}, {"npx", ""}, {"php", "-"},
	{"pip", "install"}, {"pip3", "install"}, {"pipenv", "install"},
	{"pnpm", "install add remove run test publish"}, {"poetry", "install add update"},
	{"prettier", ""}, {"psql", ""}, {"pytest", ""}, {"python", "-"}, {"python3", ""},
	{"rails", "- db:migrate"}, {"rake", "-"}, {"redis-cli", ""}, {"rg", ""}, {"rm", "-"},
	{"ruff", "-"}, {"scp", ""}, {"sed", ""}, {"sh", "-"}, {"ssh", ""}, {"sudo", ""},
	{"swift", "- build test"}, {"terraform", "apply destroy plan init"}, {"tox", ""}, {"tsc", ""},
	{"uv", "pip add sync run"}, {"vim", ""}, {"vitest", ""}, {"wget", ""},
	{"yarn", "install add remove run test publish"},
}

func programNamed(name string) (subcommands string, known bool) {
	for _, p := range programs {
		if p.name == name {
			return p.subcommands, true
		}
	}
	return "", false
}

// phrases are ways to speak of a command.
var phrases = [...]struct {
	words   string
	command string
}{
	{"force push to main", "git push --force main"}, {"force-push to main", "git push --force main"},
	{"force pushes to main", "git push --force main"}, {"force-pushes to main", "git push --force main"},
	{"force pushing to main", "git push --force main"}, {"force-pushing to main", "git push --force main"},
	{"force push to master", "git push --force master"}, {"force-push to master", "git push --force master"},
	{"force pushes to master", "git push --force master"}, {"force pushes", "git push --force"},
	{"force-pushes", "git push --force"}, {"skip hooks with --no-verify", "git commit --no-verify"},
	{"skip hooks", "git commit --no-verify"}, {"--no-verify", "git commit --no-verify"},
	{"force push", "git push --force"}, {"force-push", "git push --force"},
	{"force pushing", "git push --force"}, {"force-pushing", "git push --force"},
	{"push to main", "git push main"}, {"push to master", "git push master"},
	{"push directly to main", "git push main"}, {"push directly to master", "git push master"},
	{"push to the main branch", "git push main"}, {"push directly to the main branch", "git push main"},
	{"auf main pushen", "git push main"}, {"auf master pushen", "git push master"},
	{"commit with --no-verify", "git commit --no-verify"},
	{"amend commits", "git commit --amend"}, {"amend a commit", "git commit --amend"},
}

// spoken reads a command outside of code, and returns how many words it takes, 0 for none. run reports that
// the word before says to run what follows, so that make may have any target.
func spoken(t []token, run bool) (words []string, n int) {
	for _, p := range phrases {
		said := strings.Fields(p.words)
		if len(said) <= len(t) && slices.EqualFunc(said, t[:len(said)], func(w string, x token) bool {
			return !x.code && x.low == w
		}) {
			return strings.Fields(p.command), len(said)
		}
	}
	subs, known := programNamed(t[0].text)
	if !known {
		return nil, 0
	}
	words = []string{t[0].text}
	for n = 1; n < len(t) && !t[n-1].pause && !t[n].code; n++ {
		w := t[n].text
		option := strings.HasPrefix(w, "--") && len(w) > 3 || isLetters(w) || len(w) == 2 && w[0] == '-'
		named := len(words) == 1 && (slices.Contains(strings.Fields(subs), w) || run && takesTarget(words) &&
			isTarget(t[n])) || len(words) == 2 && takesTarget(words) && isTarget(t[n]) ||
			len(words) == 2 && words[0] == "docker" && is(dockerVerbs, t[n])
		if !option && !named {
			break
		}
		words = append(words, w)
	}
	if len(words) == 1 && strings.HasPrefix(subs, "-") {
		return nil, 0
	}
	if slices.Contains(words, "push") && n+1 < len(t) && is(" to ", t[n]) && is(" main master ", t[n+1]) {
		return append(words, t[n+1].low), n + 2
	}
	if _, ok := shortOf(words, "--global"); ok && n < len(t) && is(" globally global ", t[n]) {
		return append(words, "--global"), n + 1
	}
	return words, n
}

// dockerVerbs follow "docker compose" and "docker system".
const dockerVerbs = " up down build run exec push pull prune start stop restart rm "

// takesTarget reports whether what follows these words is a name that the project gives.
func takesTarget(words []string) bool {
	return len(words) == 1 && (words[0] == "make" || words[0] == "just") ||
		len(words) == 2 && words[1] == "run" && strings.Contains(" npm pnpm yarn bun ", " "+words[0]+" ")
}

// isTarget reports whether a word may be such a name, and not one of the sentence.
func isTarget(x token) bool {
	return !x.code && x.text != "" && strings.Trim(x.text, "abcdefghijklmnopqrstuvwxyz0123456789:_-") == "" &&
		!is(" a an and any as at before but by every first for from if in into it its of on once only or "+
			"our sure "+
			"that the then this to twice until up use when with without you your ", x)
}
