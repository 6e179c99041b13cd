// The rules of the house, as tests. Each reads the files themselves in this
// process: a test that runs `go list` is cached by `go test` and goes stale.
package keepsake_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"keepsake/hooks"
	"keepsake/pkg/verbs"
)

const module = "keepsake"

// A floor of the house: packages under pkg/ that import only what stands on a floor below, never
// sideways or up.
type floor struct {
	name     string
	pure     bool // no I/O and no clock; a pure floor stands on pure ones only
	packages []string
}

// floors are listed from the ground up; the programs, hooks/* and cmd/*, stand on top.
var floors = []floor{
	{"texts", true, []string{"client/codex", "secret", "text", "text/date", "text/version",
		"why/palace"}},
	{"forms", true, []string{
		"capture/cues", "capture/stance", "capture/wording",
		"client/permissions", "client/transcript",
		"gate/rules",
		"journal/event",
		"markdown", "memory", "plan", "verbs"}},
	{"readers", true, []string{
		"capture/finding", "capture/learn", "capture/score",
		"gate/guard", "gate/shell",
		"importer/exchange",
		"journal/analyze",
		"memdir", "memdir/memtool", "memory/ancestry", "memory/source", "memory/upkeep", "scratch",
		"search/alike", "search/segment",
		"why/drawer"}},
	{"judgements", true, []string{
		"capture/change", "capture/draft", "capture/origin", "capture/triage",
		"importer/reading",
		"memdir/blackboard", "memdir/lessons", "memdir/tidy", "memory/usage",
		"search/records"}},
	{"composition", true, []string{
		"brief",
		"capture/digest", "capture/explain",
		"memdir/classify",
		"project/config",
		"search/files"}},
	{"disk", false, []string{"disk"}},
	{"files", false, []string{
		"capture/stage",
		"client/hook", "gate/armed",
		"journal", "layout",
		"memdir/proposed", "memdir/snapshot",
		"project/standing", "project/trust", "project/verify", "search/kept",
		"why/candidate"}},
	{"surroundings", false, []string{
		"capture/evidence",
		"gate/approval", "gate/host",
		"libexec",
		"memdir/mdwalk",
		"project/approvers",
		"search/tiers",
		"store",
		"why/mempalace"}},
	{"session", false, []string{"project/session"}},
	{"services", false, []string{"capture/save", "git", "project/checks", "why/promote", "why/revoke"}},
	{"flows", false, []string{"gate/backtest", "handoff", "importer", "memdir/folder", "project/settings",
		"recovery",
		"search/answer"}},
	{"reports", false, []string{"doctor", "erase", "eval", "importer/backfill", "status"}},
	{"inbox", false, []string{"why/inbox"}},
}

// floorOf returns the number of the floor that a package under pkg/ stands on, the lowest being 0.
func floorOf(pkg string) (int, bool) {
	i := slices.IndexFunc(floors, func(f floor) bool { return slices.Contains(f.packages, pkg) })
	return i, i >= 0
}

// worldly packages of the standard library have no place in a pure package.
var worldly = map[string]string{
	"os": "pure packages touch no files and no environment", "os/exec": "pure packages start nothing",
	"net":      "no package talks to a network",
	"net/http": "no package talks to a network",
	"syscall":  "pure packages call no system", "log": "only a program speaks", "io/ioutil": "gone",
}

func TestImportsGoDown(t *testing.T) {
	all := packages(t)
	for i, f := range floors {
		if i > 0 && f.pure && !floors[i-1].pure {
			t.Errorf("%s are pure and stand on %s, which are not", f.name, floors[i-1].name)
		}
		for _, p := range f.packages {
			if _, ok := all["pkg/"+p]; !ok {
				t.Errorf("%s have %s, which is no package", f.name, p)
			}
		}
	}
	for dir, pkg := range all {
		name, ok := strings.CutPrefix(dir, "pkg/")
		if !ok {
			continue
		}
		at, ok := floorOf(name)
		if !ok {
			t.Errorf("pkg/%s stands on no floor; give it one in house_test.go and design its imports", name)
			continue
		}
		for imp := range pkg.imports {
			if why := worldly[imp]; floors[at].pure && why != "" {
				t.Errorf("pkg/%s imports %s: %s", name, imp, why)
			}
			ours, ok := strings.CutPrefix(imp, module+"/pkg/")
			if below, known := floorOf(ours); ok && known && below >= at {
				t.Errorf("pkg/%s (%s) imports %s (%s): imports go down, never sideways or up", name,
					floors[at].name, ours, floors[below].name)
			}
		}
	}
}

// TestTourHasTheFloors compares the table of docs/tour.md with the floors above: one row for each, below
// that of the programs.
func TestTourHasTheFloors(t *testing.T) {
	tour, err := os.ReadFile("docs/tour.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(tour), "\n| floor | packages |\n| --- | --- |\n| programs:")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")[1:]
	if len(rows) != len(floors) {
		t.Fatalf("docs/tour.md has %d floors below the programs, house_test.go %d", len(rows), len(floors))
	}
	slices.Reverse(rows)
	for i, f := range floors {
		_, packages, _ := strings.Cut(strings.Trim(rows[i], "|"), "|")
		if got := strings.Fields(strings.ReplaceAll(packages, "`", "")); !slices.Equal(got, f.packages) ||
			f.pure != strings.Contains(rows[i], ", pure |") {
			t.Errorf("docs/tour.md says of a floor %s\nhouse_test.go says %s, pure: %v", rows[i], f.packages,
				f.pure)
		}
	}
}

func TestNobodyImportsPrograms(t *testing.T) {
	for dir, pkg := range packages(t) {
		for imp := range pkg.imports {
			if strings.HasPrefix(imp, module+"/hooks/") && dir != "hooks/event" && dir != "hooks/turn" ||
				strings.HasPrefix(imp, module+"/cmd/") {
				t.Errorf("%s imports the program %s", dir, imp)
			}
			if imp == module+"/pkg/client/hook" && !strings.HasPrefix(dir, "hooks/") {
				t.Errorf("%s imports hook: only the mains in hooks/ speak the protocol", dir)
			}
		}
	}
}

// TestPurePackagesReadNoClock keeps the time an argument of whatever is to be tested with a table.
func TestPurePackagesReadNoClock(t *testing.T) {
	for dir, pkg := range packages(t) {
		if at, ok := floorOf(strings.TrimPrefix(dir, "pkg/")); !ok || !floors[at].pure {
			continue
		}
		for path, f := range pkg.files {
			ast.Inspect(f, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if x, isIdent := selX(sel, ok); isIdent && x == "time" &&
					slices.Contains([]string{"Now", "Since", "Sleep", "After", "Tick"}, sel.Sel.Name) {
					t.Errorf("%s calls time.%s: in a pure package time is an argument", path, sel.Sel.Name)
				}
				return true
			})
		}
	}
}

// TestNobodyWaitsForAPipe keeps os.ReadFile, which waits for ever where a pipe stands in a file's place,
// to what a person names on a command line and to measuring. Everything else is read by pkg/disk.
func TestNobodyWaitsForAPipe(t *testing.T) {
	for dir, pkg := range packages(t) {
		if !strings.HasPrefix(dir, "pkg/") && !strings.HasPrefix(dir, "cmd/") &&
			!strings.HasPrefix(dir, "hooks/") || dir == "pkg/eval" {
			continue
		}
		for path, f := range pkg.files {
			if filepath.Base(path) == "gatetest.go" {
				continue // a file that the person names
			}
			ast.Inspect(f, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if x, isIdent := selX(sel, ok); isIdent && x == "os" && sel.Sel.Name == "ReadFile" {
					t.Errorf("%s calls os.ReadFile: disk.Read and disk.ReadLinked never wait", path)
				}
				return true
			})
		}
	}
}

// TestOneHandKnowsThePaths keeps links and the names of Keepsake's folders and files to pkg/layout: whoever
// follows a link or joins a path by hand gives a second answer to where something is.
func TestOneHandKnowsThePaths(t *testing.T) {
	all := packages(t)
	const owner = "pkg/layout"
	known := map[string]bool{}
	for _, f := range all[owner].files {
		for _, name := range joinedNames(f) {
			known[name] = true
		}
	}
	for _, name := range []string{"ledger.jsonl", ".claude", "memory", "sessions", "libexec"} {
		if !known[name] {
			t.Errorf("%s joins no %q; has the test gone blind?", owner, name)
		}
	}
	for dir, pkg := range all {
		if dir == owner || dir == "pkg/gate/shell" || !strings.HasPrefix(dir, "pkg/") &&
			!strings.HasPrefix(dir, "cmd/") &&
			!strings.HasPrefix(dir, "hooks/") { // the gate judges paths of whatever machine, and touches none
			continue
		}
		for path, f := range pkg.files {
			for _, name := range joinedNames(f) {
				if known[name] {
					t.Errorf("%s joins %q: that path is a function of %s", path, name, owner)
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if x, isIdent := selX(sel, ok); isIdent && x == "filepath" && sel.Sel.Name == "EvalSymlinks" {
					t.Errorf("%s calls filepath.EvalSymlinks: links are followed by %s", path, owner)
				}
				return true
			})
		}
	}
}

// joinedNames returns the literal names that a file puts paths together of: those that path.Join,
// filepath.Join and, in the owner of paths, at join.
func joinedNames(f *ast.File) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		x, isIdent := selX(sel, ok)
		fun, isAt := call.Fun.(*ast.Ident)
		joins := isIdent && (x == "path" || x == "filepath") && sel.Sel.Name == "Join"
		if !joins && !(isAt && fun.Name == "at") {
			return true
		}
		for _, arg := range call.Args {
			if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				name, _ := strconv.Unquote(lit.Value)
				names = append(names, name)
			}
		}
		return true
	})
	return names
}

func selX(sel *ast.SelectorExpr, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	return id.Name, true
}

// owners say who may import a dependency, so that each is wrapped once.
var owners = map[string][]string{
	"github.com/tidwall/gjson": {"pkg/client/hook", "pkg/client/transcript", "pkg/gate/shell",
		"pkg/gate/rules", "pkg/client/permissions", "pkg/project/config", "pkg/capture/stage",
		"pkg/capture/finding", "pkg/client/codex"},
	"github.com/BurntSushi/toml":      {"pkg/doctor", "pkg/memory/source"},
	"golang.org/x/mod":                {"pkg/memory/source"},
	"github.com/gofrs/flock":          {"pkg/disk"},
	"github.com/google/renameio/v2":   {"pkg/disk"},
	"golang.org/x/sys":                {"pkg/disk", "cmd/keepsake"},
	"mvdan.cc/sh/v3":                  {"pkg/gate/shell"},
	"github.com/alecthomas/kong":      {"cmd/keepsake"},
	"github.com/rogpeppe/go-internal": {"pkg/brief", "internal/script"},
	"golang.org/x/text":               {"pkg/text"},
	"github.com/yuin/goldmark":        {"pkg/importer/reading"},
	"go.yaml.in/yaml/v4":              {"pkg/importer/reading"},
	"github.com/ncruces/go-sqlite3":   {"cmd/palace", "scripts/bench"},

	"charm.land/bubbletea/v2": {"cmd/tui"},
	"charm.land/lipgloss/v2":  {"cmd/tui"},

	"github.com/modelcontextprotocol/go-sdk": {"cmd/mempalace"},
}

func TestEveryDependencyHasAnOwner(t *testing.T) {
	used := map[string]bool{}
	for dir, pkg := range packages(t) {
		for imp := range pkg.imports {
			if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
				continue
			}
			dep := ""
			for d := range owners {
				if imp == d || strings.HasPrefix(imp, d+"/") {
					dep = d
				}
			}
			if dep == "" {
				t.Errorf("%s imports %s, which has no owner in house_test.go", dir, imp)
				continue
			}
			used[dep] = true
			if !slices.Contains(owners[dep], dir) {
				t.Errorf("%s imports %s, which belongs to %s", dir, imp, strings.Join(owners[dep], ", "))
			}
		}
	}
	for dep := range owners {
		if !used[dep] {
			t.Errorf("%s has an owner and no use", dep)
		}
	}
}

func TestOnePackageComment(t *testing.T) {
	for dir, pkg := range packages(t) {
		var with []string
		for path, f := range pkg.files {
			if f.Doc != nil {
				with = append(with, path)
			}
		}
		if len(with) != 1 {
			t.Errorf("%s has %d package comments %v; want one", dir, len(with), with)
		}
	}
}

func TestManifestsAgree(t *testing.T) {
	var root, hidden map[string]any
	readJSON(t, "plugin.json", &root)
	readJSON(t, ".claude-plugin/plugin.json", &hidden)
	if !reflect.DeepEqual(root, hidden) {
		t.Error("plugin.json and .claude-plugin/plugin.json differ; the client reads the second")
	}
}

// oldEvents are the events that the oldest supported client knows: there, one
// unknown name switches off every hook of the plugin without a word.
var oldEvents = []string{"SessionStart", "SessionEnd", "UserPromptSubmit", "UserPromptExpansion",
	"PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStart", "SubagentStop", "PreCompact"}

func TestHooksAndFoldersAgree(t *testing.T) {
	var file struct {
		Hooks map[string][]struct {
			Matcher *string
			Hooks   []struct {
				Type, If, Command, OnFailure string
				Timeout                      float64
			}
		}
	}
	readJSON(t, "hooks/hooks.json", &file)
	folders := map[string]bool{}
	entries, err := os.ReadDir("hooks")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			folders[e.Name()] = true
		}
	}
	for event, matchers := range file.Hooks {
		if !slices.Contains(oldEvents, event) {
			t.Errorf("hooks.json: %s is unknown to the oldest supported client and would kill all hooks "+
				"there", event)
		}
		name := strings.ToLower(event)
		if !folders[name] {
			t.Errorf("hooks.json has %s and there is no hooks/%s", event, name)
		}
		delete(folders, name)
		program, args := hooks.Call(event)
		delete(folders, program)
		for _, several := range []string{"event", "turn"} {
			is := packages(t)["hooks/"+several].imports[module+"/hooks/"+name]
			if is != (several == program) {
				t.Errorf("hooks/%s imports hooks/%s: %v, and hooks.Call says that %s answers %s",
					several, name, is, program, event)
			}
		}
		call := strings.Join(append([]string{`"$h"`}, args...), " ") + " "
		for _, m := range matchers {
			for _, h := range m.Hooks {
				trip := h.OnFailure == "block"
				if trip && (event != "PreToolUse" || !strings.HasPrefix(h.Command, ": '")) {
					t.Errorf("hooks.json: %s runs %q and blocks where it fails: a plugin folder that "+
						"vanishes would end the session's work", event, h.Command)
				}
				if h.Type != "command" || !trip &&
					(!strings.Contains(h.Command, "${CLAUDE_PLUGIN_ROOT}/bin/hooks/"+program+`"`) ||
						!strings.Contains(h.Command, call)) {
					t.Errorf("hooks.json: %s runs %q, not its own program", event, h.Command)
				}
				if h.Timeout <= 0 {
					t.Errorf("hooks.json: %s has no timeout", event)
				}
				if event == "PreToolUse" && !trip && !strings.Contains(h.Command, "|| exit 2") {
					t.Errorf("hooks.json: the gate must fail closed: || exit 2")
				}
				if event == "PreToolUse" && h.Timeout < 60 {
					t.Errorf("hooks.json: a timeout of the gate lets the call through, and %v s can pass",
						h.Timeout)
				}
			}
		}
	}
	for f := range folders {
		t.Errorf("hooks/%s is in no entry of hooks.json", f)
	}
}

// TestNamedVerbsExist looks for `keepsake VERB` in code spans and code blocks
// of what agents and people read: each is a verb or a group, by the spelling that help shows.
func TestNamedVerbsExist(t *testing.T) {
	named := regexp.MustCompile("(?m)(?:`|^\\s*(?:\\$ )?|bin/)keepsake ([a-z][a-z -]*)")
	for _, root := range []string{"skills", "agents", "docs", "README.md", "CONTRIBUTING.md"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				words := strings.Fields(m[1])
				v, n := verbs.Find(words)
				switch {
				case n == 0:
					t.Errorf("%s names `keepsake %s`, which does not exist", path, m[1])
				case v != nil && words[0] != strings.Fields(v.Name)[0] &&
					!strings.HasPrefix(path, "docs/adr/"):
					t.Errorf("%s names `keepsake %s`, an earlier spelling of %s", path, m[1], v.Name)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// forbidden packages may not be linked into a hook.
var forbidden = map[string]string{
	"net":                      "a hook has no business on a network, and resolver and poller slow its start",
	"net/http":                 "a hook has no business on a network",
	"net/url":                  "net/netip below it costs every start 0.2 ms",
	"os/user":                  "asks the network's directory services on some systems",
	"crypto/tls":               "a hook has no business on a network",
	"charm.land":               "a hook draws nothing on a terminal",
	"github.com/yuin/goldmark": "a hook reads no Markdown, and the parser's tables slow its start",
	"go.yaml.in/yaml":          "a hook reads no YAML",
	"github.com/ncruces": "a database engine makes a hook three times as large: bin/libexec/palace " +
		"counts",
	"keepsake/pkg/eval": "a hook judges; how well it does is measured from outside",
}

func TestHooksLinkNoNetworkAndNoTerminal(t *testing.T) {
	graph := newGraph(t)
	for why := range forbidden {
		if !strings.Contains(why, ".") && graph.imports(why) == nil {
			t.Errorf("package %s is gone; the rule against it has rotted", why)
		}
	}
	for dir := range packages(t) {
		if strings.HasPrefix(dir, "hooks/") {
			graph.linksNone(t, dir, forbidden)
		}
	}
}

// slow packages may not be linked into the command line: an agent starts it for
// every note, and what they set up costs each start, whatever it does.
var slow = map[string]string{
	"github.com/yuin/goldmark": "its tables cost every start 0.4 ms: bin/libexec/parsers " +
		"reads Markdown",
	"go.yaml.in/yaml": "its tables cost every start 0.15 ms: bin/libexec/parsers " +
		"reads YAML",
	"debug/buildinfo": "readers of five kinds of object files cost every start 0.1 " +
		"ms: doctor looks for the lines it needs",
	"github.com/ncruces": "a database engine costs every start: bin/libexec/palace " +
		"counts",
	"github.com/modelcontextprotocol/go-sdk": "the protocol and its network cost every start: " +
		"bin/libexec/mempalace asks",
	"mvdan.cc/sh": judgesOnly,
	"charm.land":  "what draws on a terminal costs every start: bin/libexec/tui draws",
}

// judgesOnly says why only a judge reads shell commands.
const judgesOnly = "the parser of shell commands costs every start 0.1 ms: pkg/gate/rules has the words of " +
	"the gate, bin/hooks/pretooluse and bin/libexec/parsers judge"

func TestCommandLineStartsFast(t *testing.T) {
	newGraph(t).linksNone(t, "cmd/keepsake", slow)
}

func TestOnlyTheGateReadsShell(t *testing.T) {
	graph := newGraph(t)
	for dir := range packages(t) {
		if strings.HasPrefix(dir, "hooks/") && dir != "hooks/pretooluse" {
			graph.linksNone(t, dir, map[string]string{"mvdan.cc/sh": judgesOnly})
		}
	}
}

// linksNone says of every bad package that dir links by which way it comes there.
func (g *graph) linksNone(t *testing.T, dir string, bad map[string]string) {
	t.Helper()
	for _, path := range g.reach(t, module+"/"+dir) {
		last := path[len(path)-1]
		for name, why := range bad {
			if last == name || strings.HasPrefix(last, name+"/") && strings.Contains(name, ".") {
				t.Errorf("%s\n\t%s", strings.Join(path, " -> "), why)
			}
		}
	}
}

// TestOneProgramTalks keeps the network out of everything but the client of
// MemPalace, whose protocol can also be spoken over one.
func TestOneProgramTalks(t *testing.T) {
	graph := newGraph(t)
	links := func(dir string) bool {
		return slices.ContainsFunc(graph.reach(t, module+"/"+dir), func(path []string) bool {
			return path[len(path)-1] == "net"
		})
	}
	for dir := range packages(t) {
		if strings.HasPrefix(dir, "hooks/") || strings.HasPrefix(dir, "cmd/") {
			if got, want := links(dir), dir == "cmd/mempalace"; got != want {
				t.Errorf("%s links net: %v, want %v", dir, got, want)
			}
		}
	}
}

func TestNothingIsReplaced(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`(?m)^\s*replace\b`).Match(mod) {
		t.Error("go.mod has a replace: whoever installs with the go command won't get it")
	}
}

// TestLinesAreShort holds Go files to 110 columns, a tab being four. What can't be wrapped doesn't count: the
// inside of raw strings, such as scripts, JSON and the tags of the command line, and links.
func TestLinesAreShort(t *testing.T) {
	const most, tab = 110, "    "
	link := regexp.MustCompile(`https?://\S+`)
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	files := 0
	var long []string
	err := walkGoFiles(func(path string) error {
		files++
		text, err := os.ReadFile(path)
		if err != nil || generated.Match(text) {
			return err
		}
		for i, line := range strings.Split(withoutRawStrings(text), "\n") {
			line = link.ReplaceAllString(strings.ReplaceAll(line, "\t", tab), "")
			if n := utf8.RuneCountInString(line); n > most {
				long = append(long, fmt.Sprintf("%s:%d has %d columns; %d is the most", path, i+1, n, most))
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Errorf("%d Go files; has the test gone blind? %v", files, err)
	}
	if len(long) > 0 {
		t.Errorf("%d lines are too long:\n%s", len(long), strings.Join(long, "\n"))
	}
}

// withoutRawStrings returns a Go file's text, with nothing but the line breaks left between back quotes.
func withoutRawStrings(text []byte) string {
	var left strings.Builder
	from := 0
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return left.String() + string(text[from:])
		}
		if tok == token.STRING && lit[0] == '`' {
			at := file.Offset(pos)
			left.Write(text[from:at])
			left.WriteString(strings.Repeat("\n", strings.Count(lit, "\n")))
			from = at + len(lit)
		}
	}
}

// A parsed package of this module, without its tests.
type source struct {
	files   map[string]*ast.File
	imports map[string]bool
}

// packages returns those of this module by their folders, read once for all tests.
func packages(t *testing.T) map[string]source {
	t.Helper()
	all, err := readPackages()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var readPackages = sync.OnceValues(func() (map[string]source, error) {
	all := map[string]source{}
	err := walkGoFiles(func(path string) error {
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		s, ok := all[dir]
		if !ok {
			s = source{map[string]*ast.File{}, map[string]bool{}}
			all[dir] = s
		}
		s.files[path] = f
		for _, i := range f.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			s.imports[p] = true
		}
		return nil
	})
	return all, err
})

// walkGoFiles calls visit with each Go file of this module.
func walkGoFiles(visit func(path string) error) error {
	return filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if n := d.Name(); path != "." &&
				(strings.HasPrefix(n, ".") || n == "testdata" || n == "node_modules" || n == "bin") {
				return filepath.SkipDir
			}
		case strings.HasSuffix(path, ".go"):
			return visit(path)
		}
		return nil
	})
}

// A graph of imports across this module, its dependencies and the standard
// library, read from the source files that a build would use.
type graph struct {
	std     string            // the folder of the standard library
	roots   map[string]string // module path -> folder
	modules []string          // longest first
	seen    map[string][]string
	broken  map[string]error // dependencies that can't be read
}

// newGraph returns the graph, which all tests share: what is read of it stays read.
func newGraph(t *testing.T) *graph {
	t.Helper()
	g, err := openGraph()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

var openGraph = sync.OnceValues(func() (*graph, error) {
	// A test that was built with -trimpath does not know where the standard library is.
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		return nil, err
	}
	std, cache, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return nil, err
	}
	g := &graph{std: filepath.Join(std, "src"), roots: map[string]string{module: "."},
		seen: map[string][]string{}, broken: map[string]error{}}
	required := regexp.MustCompile(`(?m)^\s*(?:require )?(\S+\.\S+/?\S*) (v\S+)`)
	for _, m := range required.FindAllStringSubmatch(string(mod), -1) {
		// The cache spells a capital letter as an exclamation mark and a small one.
		escaped := regexp.MustCompile(`[A-Z]`).ReplaceAllStringFunc(m[1], func(c string) string {
			return "!" + strings.ToLower(c)
		})
		g.roots[m[1]] = filepath.Join(cache, escaped+"@"+m[2])
	}
	g.modules = slices.SortedFunc(maps.Keys(g.roots), func(a, b string) int { return len(b) - len(a) })
	return g, nil
})

func (g *graph) imports(path string) []string {
	if known, ok := g.seen[path]; ok {
		return known
	}
	dir := filepath.Join(g.std, path)
	for _, m := range g.modules {
		if path == m || strings.HasPrefix(path, m+"/") {
			dir = filepath.Join(g.roots[m], strings.TrimPrefix(path, m))
			break
		}
	}
	ctx := build.Default
	ctx.CgoEnabled = false
	p, err := ctx.ImportDir(dir, 0)
	if err != nil {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") &&
			!strings.HasPrefix(path, "golang.org/x/") {
			g.broken[path] = err
		}
		g.seen[path] = nil // vendored into the standard library
		return nil
	}
	g.seen[path] = p.Imports
	return p.Imports
}

// reach returns one path of imports to every package that path links.
func (g *graph) reach(t *testing.T, path string) [][]string {
	var all [][]string
	done := map[string]bool{}
	for queue := [][]string{{path}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		last := at[len(at)-1]
		if done[last] || last == "C" || last == "unsafe" {
			continue
		}
		done[last] = true
		all = append(all, at)
		imports := g.imports(last)
		if err := g.broken[last]; err != nil {
			t.Errorf("can't read package %s: %v", last, err)
		}
		for _, next := range imports {
			queue = append(queue, append(slices.Clone(at), next))
		}
	}
	return all
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
