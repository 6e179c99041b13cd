package evidence

import (
	"reflect"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

func TestLiteralPipelines(t *testing.T) {
	for command, want := range map[string][]pipeline{
		"":                                   nil,
		"ls":                                 {{{"ls"}}},
		"cat 'a b.md' \"c\"d | head -n 5":    {{{"cat", "a b.md", "cd"}, {"head", "-n", "5"}}},
		"cd x && git log HEAD~3..HEAD^; pwd": {{{"cd", "x"}}, {{"git", "log", "HEAD~3..HEAD^"}}, {{"pwd"}}},
		"go test ./... 2>&1 | tail -5":       {{{"go", "test", "./..."}, {"tail", "-5"}}},
		"cat x 2>/dev/null || true\nls\n":    {{{"cat", "x"}}, {{"true"}}, {{"ls"}}},
		"cat x |\nhead":                      {{{"cat", "x"}, {"head"}}},
	} {
		if got, ok := literalPipelines(command); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, %v; want %q", command, got, ok, want)
		}
	}
	for _, command := range []string{"cat ~/x", "cat $HOME/x", "cat `ls`", "cat $(ls)", "cat *.md", "cat <x",
		"echo a >b", "cat <<<x", "a &", "a & b", "(a)", "{ a; }", "a || ", "&& a", "| a", "a | ; b", "a;;b",
		"echo \"$x\"",
		`a\b`, "cat 'x",
		"a |& b", "cat {a,b}", "cat ?", "cat [a]", "! a", "a # b", "PATH=~/x a", "echo 2>&1x", "a ; ; b",
		strings.Repeat("a ", maxLiteral)} {
		if got, ok := literalPipelines(command); ok {
			t.Errorf("%.40q: %q", command, got)
		}
	}
}

// FuzzLiteralPipelines holds what is accepted to what the parser of the gate makes of it.
func FuzzLiteralPipelines(f *testing.F) {
	for _, s := range []string{"a 'b' \"c\" | d 2>&1 && e\n\nf;", "a |\n b", "if a; then b; fi", "a=1 b",
		"a~b c^ d#e", "time a",
		"function f", "a\n;b", "a 2>/dev/null&&b", "[[ a", "a=~b", "12>&1", "a&&\nb", "a ||\n\nb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		all, ok := literalPipelines(command)
		if !ok {
			return
		}
		for _, p := range all {
			for _, c := range p {
				switch c[0] { // words of the shell's own: no reader of commands knows such a program
				case "if", "for", "while", "until", "case", "select", "function", "time", "coproc",
					"then", "else", "elif", "fi", "do", "done", "esac", "in", "declare", "local", "export",
					"readonly", "typeset", "nameref", "let", "eval", "test":
					return
				}
				if strings.Contains(c[0], "=") {
					return
				}
			}
		}
		file, err := syntax.NewParser().Parse(strings.NewReader(command), "")
		if err != nil {
			t.Fatalf("%q: %q, and the parser: %v", command, all, err)
		}
		var parsed []pipeline
		var commands func(s *syntax.Stmt) [][]string
		commands = func(s *syntax.Stmt) [][]string {
			switch c := s.Cmd.(type) {
			case *syntax.BinaryCmd:
				if c.Op == syntax.Pipe {
					return append(commands(c.X), commands(c.Y)...)
				}
				for _, x := range []*syntax.Stmt{c.X, c.Y} {
					if l := commands(x); l != nil {
						parsed = append(parsed, l)
					}
				}
				return nil
			case *syntax.CallExpr:
				var words []string
				for _, w := range c.Args {
					words = append(words, literalWord(t, command, w))
				}
				return [][]string{words}
			}
			t.Fatalf("%q: %T", command, s.Cmd)
			return nil
		}
		for _, s := range file.Stmts {
			if s.Background || s.Negated || s.Coprocess {
				t.Fatalf("%q: %q", command, all)
			}
			if l := commands(s); l != nil {
				parsed = append(parsed, l)
			}
		}
		if len(all)+len(parsed) > 0 && !reflect.DeepEqual(all, parsed) {
			t.Errorf("%q: %q, and the parser: %q", command, all, parsed)
		}
	})
}

// literal returns the text of a word in which nothing is expanded.
func literalWord(t *testing.T, command string, w *syntax.Word) string {
	var b strings.Builder
	var add func(parts []syntax.WordPart)
	add = func(parts []syntax.WordPart) {
		for _, p := range parts {
			switch p := p.(type) {
			case *syntax.Lit:
				b.WriteString(p.Value)
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				add(p.Parts)
			default:
				t.Fatalf("%q: %T", command, p)
			}
		}
	}
	add(w.Parts)
	return b.String()
}
