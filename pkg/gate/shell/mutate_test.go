package shell

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"keepsake/pkg/gate/rules"
)

// A mutation rewrites a command and keeps what it does. It returns "" where it
// does not apply.
type mutation struct {
	name  string
	apply func(string) string
}

func quoted(cmd string) string {
	q, err := syntax.Quote(cmd, syntax.LangBash)
	if err != nil {
		return ""
	}
	return q
}

func around(before, after string) func(string) string {
	return func(cmd string) string { return before + cmd + after }
}

func passed(before string) func(string) string {
	return func(cmd string) string {
		if q := quoted(cmd); q != "" {
			return before + q
		}
		return ""
	}
}

// rewritten applies change to the words of every simple command and prints the
// result.
func rewritten(change func(c *syntax.CallExpr)) func(string) string {
	return func(cmd string) string {
		f, err := syntax.NewParser().Parse(strings.NewReader(cmd), "")
		if err != nil {
			return ""
		}
		syntax.Walk(f, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				change(c)
			}
			return true
		})
		var b strings.Builder
		if syntax.NewPrinter().Print(&b, f) != nil {
			return ""
		}
		return b.String()
	}
}

// program word of a call, when it is plain.
func plainName(c *syntax.CallExpr) string { return c.Args[0].Lit() }

// spelled writes the program's name another way.
func spelled(how func(string) []syntax.WordPart) func(string) string {
	return rewritten(func(c *syntax.CallExpr) {
		if name := plainName(c); len(name) > 2 && !strings.ContainsAny(name, `\*?[]{}~$=`) {
			c.Args[0] = &syntax.Word{Parts: how(name)}
		}
	})
}

func lit(s string) *syntax.Lit { return &syntax.Lit{Value: s} }

// wrapped puts another program before a command that is no builtin of the shell.
func wrapped(words ...string) func(string) string {
	builtins := []string{"cd", "eval", "source", ".", "set", "alias", "trap", "read", "printf", "export",
		"exec", "command", "builtin", "shift", "pushd", "popd", "type", "unset", "wait", "true", "false", ":",
		"[", "test", "echo", "mapfile", "fc", "history", "f", "coproc", "mp", "break", "return", "exit",
		"let"}
	return rewritten(func(c *syntax.CallExpr) {
		name := plainName(c)
		if name == "" || slices.Contains(builtins, name) || strings.HasPrefix(name, "=") {
			return
		}
		var front []*syntax.Word
		for _, w := range words {
			front = append(front, &syntax.Word{Parts: []syntax.WordPart{lit(w)}})
		}
		c.Args = append(front, c.Args...)
	})
}

// spaced puts tabs and continued lines between the words of every simple command.
func spaced(cmd string) string {
	f, err := syntax.NewParser().Parse(strings.NewReader(cmd), "")
	if err != nil || strings.Contains(cmd, "<<") || strings.Contains(cmd, "`") {
		return ""
	}
	var at []uint
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			for _, w := range c.Args {
				at = append(at, w.Pos().Offset())
			}
		}
		return true
	})
	slices.Sort(at)
	var b strings.Builder
	from := uint(0)
	for i, to := range slices.Compact(at) {
		b.WriteString(cmd[from:to] + [...]string{"\t  ", " \\\n\t"}[i%2])
		from = to
	}
	return b.String() + cmd[from:]
}

var mutations = []mutation{
	{"spaced", spaced},
	{"after another", around("true\n", "")},
	{"before another", around("", "\ntrue")},
	{"subshell", around("(\n", "\n)")},
	{"group", around("{\n", "\n}")},
	{"branch", around("if test -e x; then\n", "\nfi")},
	{"loop", around("while test -e x; do\n", "\ndone")},
	{"function", around("run_it() {\n", "\n}\nrun_it")},
	{"piped on", around("{\n", "\n} | cat")},
	{"background", around("{\n", "\n} &")},
	{"output kept", around("out=$(\n", "\n)")},
	{"output kept in quotes", around("echo \"$(\n", "\n)\"")},
	{"bash -c", passed("bash -c ")},
	{"sh -c in sh -c", func(cmd string) string {
		if q := quoted(cmd); q != "" {
			return "sh -c " + quoted("bash -c "+q)
		}
		return ""
	}},
	{"eval", passed("eval ")},
	{"eval of a variable", func(cmd string) string {
		if q := quoted(cmd); q != "" {
			return "c=" + q + "\neval \"$c\""
		}
		return ""
	}},
	{"heredoc to bash", around("bash <<'XEOF'\n", "\nXEOF")},
	{"echo to sh", func(cmd string) string {
		if q := quoted(cmd); q != "" && !strings.Contains(cmd, `\`) {
			return "printf '%s\\n' " + q + " | bash"
		}
		return ""
	}},
	{"empty quotes in the name", spelled(func(n string) []syntax.WordPart {
		return []syntax.WordPart{lit(n[:2]), &syntax.SglQuoted{}, lit(n[2:])}
	})},
	{"name in double quotes", spelled(func(n string) []syntax.WordPart {
		return []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{lit(n)}}}
	})},
	{"escaped letter", spelled(func(n string) []syntax.WordPart {
		return []syntax.WordPart{lit(n[:1] + `\` + n[1:])}
	})},
	{"ansi quotes", spelled(func(n string) []syntax.WordPart {
		return []syntax.WordPart{&syntax.SglQuoted{Dollar: true, Value: n}}
	})},
	{"env", wrapped("env")},
	{"env with options", wrapped("env", "-u", "X", "A=b")},
	{"command", wrapped("command")},
	{"nohup", wrapped("nohup")},
	{"timeout", wrapped("timeout", "-k", "5", "60")},
	{"nice", wrapped("nice", "-n", "5")},
	{"sudo", wrapped("sudo", "-u", "bob", "--")},
	{"stdbuf", wrapped("stdbuf", "-oL")},
}

// unfit are samples whose meaning a mutation changes: aliases and functions are
// not found behind a wrapper or in quotes, and $0, exec and traps belong to
// their own shell; an unclosed here-document swallows what comes behind it; and where
// Keepsake runs on without its client is TestCutLoose's.
func unfit(cmd string, m mutation) bool {
	if (m.name == "background" || m.name == "nohup") && strings.Contains(cmd, "keepsake ") {
		return true
	}
	for _, w := range []string{"alias ", "exec ", "set ", "coproc", "f()", "f ()", "function f", "$0", "$@",
		"popd", "trap", "<<'X'"} {
		if strings.Contains(cmd, w) {
			return true
		}
	}
	return strings.Contains(cmd, "<<") && (m.name == "echo to sh" || strings.Contains(m.name, "-c")) &&
		strings.Contains(cmd, "`")
}

// TestMutated: what a command does decides, not how it is written. Every sample
// is judged the same under every mutation, and under pairs of them.
func TestMutated(t *testing.T) {
	for file, stops := range map[string]bool{"stop.jsonl": true, "pass.jsonl": false} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			mutated(t, samples(t, file), stops)
		})
	}
}

// mutated judges samples under mutations and pairs of them, with -short under an eighth.
func mutated(t *testing.T, all []sample, stops bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 0
	for _, s := range all {
		if s.Bash == "" {
			continue
		}
		for _, m := range mutations {
			second := mutations[rng.IntN(len(mutations))]
			if unfit(s.Bash, m) || unfit(s.Bash, second) || m.name == second.name ||
				testing.Short() && rng.IntN(8) > 0 {
				continue
			}
			once := m.apply(s.Bash)
			if once == "" {
				continue
			}
			twice := second.apply(once)
			for _, cmd := range []string{once, twice} {
				if cmd == "" {
					continue
				}
				variant := s
				variant.Bash = cmd
				c := variant.call(t)
				if v := Judge(c); (v.Decision >= rules.Ask) != stops {
					t.Errorf("%s, then %s: %v by %s\n was: %s\n now: %s", m.name, second.name, v.Decision,
						v.Rule, s.Bash, cmd)
				}
				n++
			}
		}
	}
	t.Logf("%d variants", n)
}

// FuzzMutated: the same of any sample under any three mutations, one after another.
func FuzzMutated(f *testing.F) {
	stop, pass := samples(f, "stop.jsonl"), samples(f, "pass.jsonl")
	all := slices.DeleteFunc(slices.Concat(stop, pass), func(s sample) bool { return s.Bash == "" })
	stopping := map[string]bool{}
	for _, s := range stop {
		stopping[s.Bash] = true
	}
	f.Add(uint16(0), byte(0), byte(1), byte(2))
	f.Fuzz(func(t *testing.T, n uint16, one, two, three byte) {
		s := all[int(n)%len(all)]
		was, names := s.Bash, []string(nil)
		for _, k := range []byte{one, two, three} {
			m := mutations[int(k)%len(mutations)]
			if unfit(was, m) || slices.Contains(names, m.name) {
				continue
			}
			if cmd := m.apply(s.Bash); cmd != "" {
				s.Bash, names = cmd, append(names, m.name)
			}
		}
		if v := Judge(s.call(t)); (v.Decision >= rules.Ask) != stopping[was] {
			t.Errorf("%q: %v by %s\n was: %s\n now: %s", names, v.Decision, v.Rule, was, s.Bash)
		}
	})
}
