package shell

import (
	"encoding/base32"
	"encoding/base64"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// output returns what statements print when that is a constant: echo, printf, cat of a
// here-document, and the usual decoders behind them. It runs nothing and judges nothing, since the
// statements are judged where they are met.
func (s *shell) output(stmts []*syntax.Stmt, in source) (string, bool) {
	var b strings.Builder
	for _, st := range stmts {
		out, ok := s.prints(st, in)
		if !ok || b.Len()+len(out) > maxText {
			return "", false
		}
		b.WriteString(out)
	}
	return b.String(), true
}

func (s *shell) prints(st *syntax.Stmt, in source) (string, bool) {
	if st.Negated || st.Background {
		return "", false
	}
	for _, r := range st.Redirs {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			in = s.document(r)
		case syntax.RdrIn:
			in = source{}
			in.str, in.known = s.scriptText(s.text(r.Word))
		case syntax.DplOut, syntax.RdrOut, syntax.AppOut:
			if r.N == nil || r.N.Value != "2" {
				return "", false
			}
		default:
			return "", false
		}
	}
	switch c := st.Cmd.(type) {
	case *syntax.Subshell:
		return s.output(c.Stmts, in)
	case *syntax.Block:
		return s.output(c.Stmts, in)
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.Pipe:
			left, ok := s.prints(c.X, in)
			if !ok {
				return "", false
			}
			return s.prints(c.Y, source{str: left, known: true})
		case syntax.AndStmt:
			left, ok := s.prints(c.X, in)
			right, ok2 := s.prints(c.Y, in)
			return left + right, ok && ok2
		}
	case *syntax.CallExpr:
		return s.printed(s.words(c), in)
	}
	return "", false
}

// joined returns what cat prints of a few named files, when all of them can be read.
func (s *shell) joined(names []string) (string, bool) {
	if len(names) > maxJoined {
		return "", false
	}
	var b strings.Builder
	for _, n := range names {
		text, ok := s.scriptText(n)
		if !ok || strings.HasPrefix(n, "-") {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// maxJoined bounds how many files of one cat are read.
const maxJoined = 8

// printed returns what one simple command prints.
func (s *shell) printed(f []string, in source) (string, bool) {
	if len(f) == 0 {
		return "", true
	}
	if holed(f) {
		return "", false
	}
	args := f[1:]
	switch program(f[0]) {
	case "true", ":", "sleep":
		return "", true
	case "echo":
		escapes, newline := false, true
		for len(args) > 0 && len(args[0]) > 1 && strings.Trim(args[0], "neE") == "-" {
			escapes = escapes || strings.Contains(args[0], "e")
			newline = newline && !strings.Contains(args[0], "n")
			args = args[1:]
		}
		if s.folded > maxFolded {
			return "", false
		}
		t := strings.Join(args, " ")
		if escapes {
			t = ansiC(t)
		}
		if newline {
			t += "\n"
		}
		return t, true
	case "printf":
		if len(args) > 0 && args[0] == "--" {
			args = args[1:]
		}
		if len(args) == 0 || args[0] == "-v" {
			return "", false
		}
		return formatted(args[0], args[1:])
	case "cat", "envsubst": // a shell that reads it fills it in as well
		if len(args) == 0 || len(args) == 1 && args[0] == "-" {
			return s.read(in)
		}
		if len(args) == 1 {
			return s.written(args[0])
		}
		return s.joined(args)
	case "base64", "base32":
		if !flagged(args, "dD", "--decode") {
			return "", false
		}
		text, ok := s.read(in)
		if names := operands(args); len(names) == 1 && names[0] != "-" {
			text, ok = s.scriptText(names[0])
		}
		decode := base64.StdEncoding.DecodeString
		if program(f[0]) == "base32" {
			decode = base32.StdEncoding.DecodeString
		}
		out, err := decode(strings.Join(strings.Fields(text), ""))
		return string(out), ok && (err == nil || len(out) > 0)
	case "which", "realpath", "readlink", "basename", "dirname":
		if len(args) > 0 {
			last := args[len(args)-1]
			if f[0] == "dirname" {
				last = last[:max(0, strings.LastIndexByte(last, '/'))]
			}
			return last + "\n", true
		}
	case "command", "type":
		if len(args) == 2 && strings.Trim(args[0], "vVpP") == "-" {
			return args[1] + "\n", true
		}
	}
	return "", false
}

// formatted returns what printf prints for the conversions that keep text: %s, %b, %c and %%.
func formatted(format string, args []string) (string, bool) {
	const percent = "\x02" // stands for %%
	var b strings.Builder
	parts := strings.Split(strings.ReplaceAll(ansiC(format), "%%", percent), "%")
	for {
		b.WriteString(parts[0])
		for i, p := range parts[1:] {
			if p == "" || strings.IndexByte("sbc", p[0]) < 0 || b.Len() > maxText {
				return "", false
			}
			a := strings.Join(tail(args, i)[:min(1, max(0, len(args)-i))], "")
			switch p[0] {
			case 'b':
				a = ansiC(a)
			case 'c':
				a = a[:min(1, len(a))]
			}
			b.WriteString(a + p[1:])
		}
		if args = tail(args, len(parts)-1); len(parts) == 1 || len(args) == 0 {
			return strings.ReplaceAll(b.String(), percent, "%"), b.Len() <= maxText
		}
	}
}
