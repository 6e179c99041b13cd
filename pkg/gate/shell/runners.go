package shell

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// unwrapRunner takes off a program that runs another one out of a package or an environment. A package
// named with --from or --with counts as the program when it is MemPalace's.
func (s *shell) unwrapRunner(name string, p *row, f []string) ([]string, bool) {
	i, values := 1, p.values
	if values == "" {
		values = "pnwCc"
	}
	if p.verbs != "" {
		if i = skip(f, values, ofPackages); i >= len(f) || !listed(f[i], p.verbs) {
			return nil, false
		}
		if i++; f[i-1] == "tool" {
			if i >= len(f) || f[i] != "run" {
				return nil, false
			}
			i++
		}
	}
	start := i
	g := append([]string{name}, tail(f, i)...)
	if name == "uv" {
		values = "pw"
	}
	k := skip(g, values, ofPackages)
	rest := tail(g, k)
	opts := g[:min(k, len(g))]
	if p.within && start < len(f) {
		s.judgeAmong(tail(f, start), source{}) // a directory, a profile or a tool stands before the command
	}
	for n, o := range opts {
		switch {
		case strings.HasPrefix(o, "--command=") && name == "flatpak": // in place of the application's own
			return append([]string{o[len("--command="):]}, tail(rest, 1)...), true
		case (o == "-c" || o == "--call" || o == "--command") && n+1 < len(opts):
			s.judgeHanded(opts[n+1])
		case (o == "-m" || o == "--module") && len(g) > n+1:
			return append([]string{"python", "-m"}, g[n+1:]...), true
		}
	}
	if len(rest) == 0 {
		s.blindly(f)
		return nil, true
	}
	if _, inside, ok := strings.Cut(rest[0], ":"); ok && palaceProgram(inside) { // of hatch
		rest[0] = inside
	}
	if listed(path.Ext(rest[0]), ".js .mjs .cjs .ts .mts") { // of bun
		return append([]string{"node"}, rest...), true
	}
	if (name == "uv" || name == "pipx") && (standardInput(rest[0]) || strings.HasSuffix(rest[0], ".py")) {
		return append([]string{"python"}, rest...), true
	}
	if slices.ContainsFunc(valuesOf(opts, "--from --spec --package -p"), palaceProgram) &&
		!palaceProgram(rest[0]) && !interpreter(program(rest[0])) &&
		palace.Command("mempalace", rest[1:]) != palace.Reads {
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
	return rest, true
}

// packages judges a package manager, or husky, that puts a command where it is run later.
func (s *shell) packages(f []string, in source) {
	if len(f) > 3 && listed(f[1], "pkg set-script add set config") {
		for _, a := range f[3:] {
			if strings.Contains(a, " ") && s.runsPalace(filled(a), "") {
				s.addFinding(rules.RuleLater, commandText(f))
			}
		}
	}
	for _, sh := range valuesOf(f, "script-shell --script-shell") {
		s.command([]string{sh, "-c", ""}, source{})
	}
	s.unknown(f, in)
}

// builds judges a program that runs what a folder's file of tasks, or its code, says.
func (s *shell) builds(name string, f []string, in source) {
	args := f[1:]
	for _, a := range args {
		if name, value, _ := strings.Cut(a, "="); assignment(a) {
			s.keep(descriptors+"="+name, value, false)
		}
	}
	t, _ := s.read(in)
	for _, a := range args { // a file of tasks that a substitution prints
		if text := s.printedWord(a); text != a {
			t += text
		}
	}
	if palace.IsNamed(t) {
		s.addFinding(rules.RuleUndecided, commandText(f))
	}
	switch {
	case name == "just":
		s.mentions(args)
	case name != "go" && name != "cargo":
	case len(args) > 0 && args[0] == "run":
		for _, a := range operands(args[1:]) {
			s.programFile(a, f)
		}
		s.mentions(args[1:])
	default:
		for _, to := range valuesOf(args, "-o") { // of go build
			s.target(to, f, replaced)
		}
		s.tests = f
		if name == "cargo" || slices.Contains(args, "generate") { // building runs code
			s.blindly(f)
		}
		return
	}
	s.blindly(f)
	s.zoneArgs(f)
	s.reaches(f)
}
