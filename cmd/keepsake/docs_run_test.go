package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"keepsake/pkg/verbs"
)

// TestDocsRun runs every command of the documents, the skills, the agents and the help pages in the project
// that testdata/docs/world.txtar makes. That script has two tables: what stands for a placeholder, and which
// commands do not exit with 0, or can't be run here, with the reason.
func TestDocsRun(t *testing.T) {
	shown := shownCommands(t)
	p := scripts(t, "testdata/docs")
	p.Cmds["captured"] = captured
	p.Cmds["documents"] = func(ts *testscript.TestScript, neg bool, args []string) {
		runDocuments(ts, shown)
	}
	testscript.Run(t, p)
}

// captured is the script command "captured NAME REGEXP": the variable NAME becomes what the first group
// matches in the last standard output.
func captured(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: captured NAME REGEXP")
	}
	m := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("nothing matches %s", args[1])
	}
	ts.Setenv(args[0], m[1])
}

// runDocuments runs each command once, in the state that the script has made.
func runDocuments(ts *testscript.TestScript, shown []shownCommand) {
	const bound = 250 // with fewer something is not read any more
	began := time.Now()
	stands, exits := docRulesOf(ts, "placeholders"), docRulesOf(ts, "exits")
	sh := newShell(ts)
	made := treeOf(ts, ts.Getenv("WORK"))
	var wrong []string
	ran, parsed, named := 0, 0, 0
	done := map[string]bool{}
	for _, c := range shown {
		line := stands.filledIn(c.line)
		if done[line] && !c.console {
			continue
		}
		done[line] = true
		want, runs := "0", true
		if e := exits.of(c.line); e != nil {
			want, runs = e.what, e.what != "-"
		}
		said := sh.keepsake(line, runs)
		err := parse(sh.words)
		switch {
		case err == nil && !runs:
			parsed++
		case err == nil && sh.code == want:
			ran++
			said = strings.NewReplacer(ts.Getenv("PROJECT"), "~/shop", ts.Getenv("HOME"), "~").Replace(said)
			if c.console && !sameOutput(said, c.prints) {
				rewrite(ts, c, said)
				wrong = append(wrong, fmt.Sprintf("%s: %s prints\n%s\nKEEPSAKE_GOLDEN=1 rewrites it", c.page,
					line, said))
			}
		case !c.block && isName(sh.words) && (err != nil || sh.code == "2"):
			named++
		default:
			wrong = append(wrong, fmt.Sprintf("%s: %s: exit %s, want %s\n%s", c.page, line, sh.code, want,
				said))
		}
		made.restore(ts, ts.Getenv("WORK"))
	}
	for _, r := range append(stands, exits...) {
		if !r.used {
			wrong = append(wrong, "no page needs "+strings.Join([]string{r.verb, r.what, r.value}, " | "))
		}
	}
	ts.Logf("of the documents %d commands were run, %d only parsed, %d verbs named, in %.1f s", ran, parsed,
		named, time.Since(began).Seconds())
	if len(wrong) > 0 {
		ts.Fatalf("%d wrong:\n%s", len(wrong), strings.Join(wrong, "\n"))
	}
	if ran < bound {
		ts.Fatalf("only %d commands were run; has the test gone blind?", ran)
	}
}

// sameOutput reports whether a command printed what a page says, but for times, numbers and ids.
func sameOutput(said, page string) bool {
	varies := regexp.MustCompile(`\d{4}-\d\d-\d\d[ T0-9:.]*Z?|\d+[smhd] ago|just now|\b[0-9a-f]{12}\b|` +
		`\b[a-z][0-9a-z]{5}\b|\d+`)
	said, page = varies.ReplaceAllString(said, "*"), varies.ReplaceAllString(page, "*")
	begins, more := strings.CutSuffix(page, "…\n")
	return said == page || more && strings.HasPrefix(said, begins)
}

// rewrite puts what a command printed into its page, with KEEPSAKE_GOLDEN=1.
func rewrite(ts *testscript.TestScript, c shownCommand, said string) {
	if os.Getenv("KEEPSAKE_GOLDEN") != "1" {
		return
	}
	path := filepath.Join("../..", c.page)
	b, err := os.ReadFile(path)
	ts.Check(err)
	head := "```console\n$ " + c.line + "\n"
	ts.Check(os.WriteFile(path, []byte(strings.Replace(string(b), head+c.prints, head+said, 1)), 0o644))
}

// isName reports whether words name a verb, perhaps with one of its flags: in prose that is not a command.
func isName(words []string) bool {
	_, n := verbs.Find(words)
	rest := words[n:]
	return n > 0 && (len(rest) == 0 || strings.HasPrefix(rest[0], "-") && len(rest) < 3)
}

// A tree is what the folders of the script hold.
type tree map[string]treeFile

type treeFile struct {
	info    fs.FileInfo
	content string
}

// treeOf reads the files below a folder.
func treeOf(ts *testscript.TestScript, dir string) tree {
	all := tree{}
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f := treeFile{}
		if f.info, err = d.Info(); err != nil {
			return err
		}
		switch {
		case d.Type() == fs.ModeSymlink:
			f.content, err = os.Readlink(path)
		case d.Type().IsRegular():
			var b []byte
			b, err = os.ReadFile(path)
			f.content = string(b)
		}
		all[path] = f
		return err
	}))
	return all
}

// restore makes the files below a folder what they were.
func (all tree) restore(ts *testscript.TestScript, dir string) {
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if _, known := all[path]; err != nil || known {
			return err
		}
		if err := os.RemoveAll(path); err != nil || !d.IsDir() {
			return err
		}
		return fs.SkipDir
	}))
	for _, path := range slices.Sorted(maps.Keys(all)) {
		f := all[path]
		info, err := os.Lstat(path)
		same := err == nil && info.Mode() == f.info.Mode()
		switch {
		case f.info.IsDir() && !same:
			ts.Check(os.MkdirAll(path, f.info.Mode().Perm()))
		case f.info.IsDir():
		case same && info.Size() == f.info.Size() && info.ModTime().Equal(f.info.ModTime()):
		case f.info.Mode()&fs.ModeSymlink != 0:
			os.Remove(path)
			ts.Check(os.Symlink(f.content, path))
		default:
			os.Remove(path)
			ts.Check(os.WriteFile(path, []byte(f.content), f.info.Mode().Perm()))
			ts.Check(os.Chtimes(path, f.info.ModTime(), f.info.ModTime()))
		}
	}
}

// parse returns the error of the command line's grammar for these arguments.
func parse(words []string) (err error) {
	defer func() {
		if e := recover(); e != nil && e != exited(exitDone) {
			err = fmt.Errorf("%v", e)
		}
	}()
	c := &call{args: words, voice: voice{out: io.Discard, err: io.Discard}}
	parser, _ := c.parser(words)
	_, err = parser.Parse(words)
	return err
}

// A docShell runs command lines as a user's shell does. Its keepsake is a script that writes down the
// arguments and the exit code.
type docShell struct {
	dir   string
	env   []string
	words []string // the arguments of the last keepsake
	code  string
}

func newShell(ts *testscript.TestScript) *docShell {
	sh := &docShell{dir: ts.Getenv("PROJECT")}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "WORK", "PROJECT", "PLUGIN", "XDG_RUNTIME_DIR",
		"COLUMNS"} {
		sh.env = append(sh.env, name+"="+ts.Getenv(name))
	}
	return sh
}

// keepsake runs a command line, or only finds out which arguments it gives keepsake, and returns what it
// prints.
func (sh *docShell) keepsake(line string, runs bool) string {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	words, code := filepath.Join(sh.dir, "../words"), filepath.Join(sh.dir, "../code")
	cmd.Dir, cmd.WaitDelay = sh.dir, time.Second
	cmd.Env = append(sh.env, "WORDS="+words, "CODE="+code)
	if !runs {
		cmd.Env = append(cmd.Env, "ONLY_WORDS=1")
	}
	os.Remove(words)
	os.Remove(code)
	out, _ := cmd.CombinedOutput() // of a pipe the error is another program's
	b, _ := os.ReadFile(words)
	sh.words = strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
	b, _ = os.ReadFile(code)
	sh.code = strings.TrimSpace(string(b))
	return string(out)
}

// A docRule is a line "VERB | WHAT | VALUE" of a table: for command lines that begin with VERB. "VERB …
// --flag" is for those with this flag, "VERB$" for those with nothing else, "any" for all.
type docRule struct {
	verb, what, value string
	used              bool
}

type docRules []*docRule

// docRulesOf returns the docRules of a table, those of the longest verbs first.
func docRulesOf(ts *testscript.TestScript, table string) (all docRules) {
	for line := range strings.Lines(ts.ReadFile(ts.MkAbs("../" + table))) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 {
			ts.Fatalf("%s: %q has not three cells", table, line)
		}
		r := &docRule{verb: strings.TrimSpace(cells[0]), what: cells[1], value: cells[2]}
		r.value = os.Expand(r.value, ts.Getenv)
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b *docRule) int { return cmp.Compare(len(b.verb), len(a.verb)) })
	return all
}

// of returns the rule for a command line, nil for none.
func (all docRules) of(line string) *docRule {
	for _, r := range all {
		if r.fits(line) {
			r.used = true
			return r
		}
	}
	return nil
}

func (r *docRule) fits(line string) bool {
	_, words, _ := strings.Cut(line, "keepsake ")
	verb, flag, _ := strings.Cut(r.verb, " … ")
	return verb == "any" || line == "keepsake "+strings.TrimSuffix(verb, "$") ||
		strings.HasPrefix(words, verb+" ") && strings.Contains(words, flag)
}

// filledIn returns a command line with the values of its placeholders.
func (all docRules) filledIn(line string) string {
	filled := line
	for _, r := range all {
		if r.fits(line) {
			at := regexp.MustCompile(`(^|[\s'"=])` + regexp.QuoteMeta(r.what) + `($|[\s'"])`)
			for at.MatchString(filled) { // twice, where two stand side by side
				r.used = true
				filled = at.ReplaceAllString(filled, "${1}"+strings.ReplaceAll(r.value, "$", "$$")+"${2}")
			}
		}
	}
	return filled
}

// shownCommand is a command line that a page shows.
type shownCommand struct {
	page, line string
	block      bool   // on a line of its own; else it stands between backticks in prose
	prints     string // what the page says it prints: the lines below it in a block that is marked console
	console    bool
}

// shownCommands returns the command lines of all pages, each once.
func shownCommands(t *testing.T) (all []shownCommand) {
	t.Helper()
	seen := map[shownCommand]bool{}
	add := func(page, text string) {
		for _, c := range commandsIn(text) {
			if !seen[c] {
				seen[c] = true
				c.page = page
				all = append(all, c)
			}
		}
	}
	for _, glob := range []string{"README.md", "docs/*.md", "skills/*/*.md", "skills/*/*/*.md",
		"agents/*.md"} {
		paths, err := filepath.Glob(filepath.Join("../..", glob))
		if err != nil || paths == nil {
			t.Fatalf("%s: %v", glob, err)
		}
		for _, path := range paths {
			text := read(t, path)
			before, rest, _ := strings.Cut(text, "<!-- verbs -->") // those are synopses
			_, after, _ := strings.Cut(rest, "<!-- end of verbs -->")
			add(strings.TrimPrefix(path, "../../"), before+after)
		}
	}
	c := &call{voice: voice{out: io.Discard, err: io.Discard}}
	var help func(n *kong.Node)
	help = func(n *kong.Node) {
		if n.Parent == nil || !hidden(n) || pathOf(n) == "md lint" {
			add("keepsake help "+pathOf(n), n.Detail)
			for _, child := range n.Children {
				help(child)
			}
		}
	}
	help(c.grammar().Node)
	return all
}

var (
	// consoleBlock is one command with what it prints. "…" at the end stands for more of it.
	consoleBlock = regexp.MustCompile("(?ms)^```console\n\\$ (keepsake [^\n]*)\n(.*?)^```$")

	fence      = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	span       = regexp.MustCompile("`([^`]+)`")
	blockLine  = regexp.MustCompile(`(?m)^(?: {4,}|\t)(.*)$`)
	ourProgram = regexp.MustCompile(`(^|\| )(?:bin/|\$\{CLAUDE_PLUGIN_ROOT\}/bin/)?keepsake `)
	gaps       = regexp.MustCompile(`\s{2,}.*`)
	either     = regexp.MustCompile(`\b([A-Z]+)\|[A-Z]+\b`)
)

// commandsIn returns the command lines of keepsake in a text.
func commandsIn(text string) (all []shownCommand) {
	add := func(line string, block bool) {
		if ourProgram.MatchString(line) {
			line = ourProgram.ReplaceAllString(line, "${1}keepsake ")
			all = append(all, shownCommand{line: either.ReplaceAllString(line, "$1"), block: block})
		}
	}
	inBlock := func(line string) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		add(gaps.ReplaceAllString(line, ""), true) // what it does stands behind it
	}
	for _, m := range consoleBlock.FindAllStringSubmatch(text, -1) {
		all = append(all, shownCommand{line: m[1], block: true, prints: m[2], console: true})
	}
	text = fence.ReplaceAllStringFunc(consoleBlock.ReplaceAllString(text, ""), func(block string) string {
		for line := range strings.Lines(block) {
			inBlock(line)
		}
		return ""
	})
	for _, m := range blockLine.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], "`") { // else it is prose of a list
			inBlock(m[1])
		}
	}
	for _, m := range span.FindAllStringSubmatch(text, -1) {
		add(strings.ReplaceAll(strings.Join(strings.Fields(m[1]), " "), `\|`, "|"), false)
	}
	return all
}
