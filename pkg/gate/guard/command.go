package guard

import (
	"path"
	"slices"
	"strings"
)

// normal returns the words of a command under the name by which guards know its program: without a folder,
// and a module of Python or a plugin of Docker as the program it is.
func normal(words []string) []string {
	name := path.Base(words[0])
	rest := words[1:]
	switch name {
	case "python", "python3":
		if len(rest) > 1 && rest[0] == "-m" {
			return append([]string{oneName(rest[1])}, rest[2:]...)
		}
	case "docker-compose":
		return append([]string{"docker", "compose"}, rest...)
	}
	return append([]string{oneName(name)}, rest...)
}

func oneName(name string) string {
	switch name {
	case "pip3":
		return "pip"
	case "gmake":
		return "make"
	}
	return name
}

// valued are the options of some programs that stand before the subcommand and take the next word.
var valued = [...]struct{ program, options string }{
	{"alembic", "-c --config -n --name -x"},
	{"cargo", "-C --config --color -Z"},
	{"docker", "-H --host -c --context --config -l --log-level"},
	{"git", "-C -c --git-dir --work-tree --namespace --exec-path --config-env"},
	{"go", "-C"},
	{"kubectl", "-n --namespace --context --kubeconfig --cluster --user"},
	{"make", "-C -f -I -j -o"},
	{"npm", "--prefix -w --workspace"},
	{"pnpm", "-C --dir -F --filter"},
	{"yarn", "--cwd"},
}

// aliases are the other names of subcommands, as `npm help`, `cargo help` and their like print them.
var aliases = [...]struct{ program, name, others string }{
	{"cargo", "build", "b"}, {"cargo", "check", "c"}, {"cargo", "run", "r"}, {"cargo", "test", "t"},
	{"npm", "ci", "clean-install ic install-clean isntall-clean"},
	{"npm", "exec", "x"},
	{"npm", "install", "add i in ins inst insta instal isnt isnta isntal isntall"},
	{"npm", "run", "run-script rum urn"},
	{"npm", "test", "t tst"},
	{"npm", "uninstall", "unlink remove rm r un"},
	{"npm", "update", "up upgrade udpate"},
	{"pnpm", "install", "i"}, {"pnpm", "remove", "rm un uninstall"}, {"pnpm", "update", "up upgrade"},
	{"pnpm", "test", "t tst"},
	{"bun", "install", "i"}, {"bun", "add", "a"}, {"bun", "remove", "rm"},
}

// shortOptions are options with a letter that means the same.
var shortOptions = [...]struct{ program, name, short string }{
	{"git push", "--force", "-f"}, {"git push", "--delete", "-d"},
	{"git commit", "--all", "-a"}, {"git commit", "--no-verify", "-n"}, {"git clean", "--force", "-f"},
	{"git checkout", "--force", "-f"}, {"rm", "--recursive", "-r"}, {"rm", "--recursive", "-R"},
	{"rm", "-R", "-r"}, {"rm", "--force", "-f"},
	{"npm install", "--global", "-g"}, {"npm install", "--save-dev", "-D"},
}

// subcommand returns a subcommand under its own name.
func subcommand(program, name string) string {
	for _, a := range aliases {
		if a.program == program && slices.Contains(strings.Fields(a.others), name) {
			return a.name
		}
	}
	return name
}

// matchCommand reports whether a command, as normal returns it, is one that a guard is about: it has the
// guard's program; the guard's first word that is no option is its subcommand; and all other words of the
// guard are among its arguments, wherever they stand.
func matchCommand(guard, words []string) bool {
	if len(guard) == 0 || len(words) == 0 {
		return false
	}
	guard = normal(guard)
	program := words[0]
	if guard[0] != program {
		return false
	}
	given := operandsOf(words)
	if program == "yarn" && len(given) == 0 && !slices.ContainsFunc(words[1:], asksHelp) {
		given = []string{"install"}
	}
	if len(given) > 0 {
		given[0] = subcommand(program, given[0])
	}
	if program == "git" && len(given) > 0 && given[0] == "push" {
		given, words = pushed(given, words)
	}
	first := true
	for _, want := range guard[1:] {
		switch {
		case want[0] == '-' && len(want) > 1:
			if !hasOption(program, given, words[1:], want) {
				return false
			}
		case first:
			first = false
			if len(given) == 0 || given[0] != subcommand(program, want) {
				return false
			}
		case !slices.Contains(given[1:], want) && !pushesAll(program, given, words):
			return false
		}
	}
	return true
}

// operandsOf returns the words of a command that are no options, behind the program.
func operandsOf(words []string) (given []string) {
	takes := ""
	for _, v := range valued {
		if v.program == words[0] {
			takes = v.options
		}
	}
	for i := 1; i < len(words); i++ {
		switch w := words[i]; {
		case w == "" || w == "--":
		case w[0] != '-' || w == "-":
			given = append(given, w)
		case len(given) == 0 && slices.Contains(strings.Fields(takes), w):
			i++
		}
	}
	return given
}

// pushesUnnamed reports whether a command is a git push of the branch that is checked out, without its name.
func pushesUnnamed(words []string) bool {
	if words[0] != "git" {
		return false
	}
	given := operandsOf(words)
	if len(given) == 0 || given[0] != "push" {
		return false
	}
	return len(given) < 3 || slices.ContainsFunc(given[2:], func(w string) bool {
		return w == "HEAD" || w == "@" || w == "+HEAD"
	})
}

// pushesAll reports whether a command is a git push of every branch.
func pushesAll(program string, given, words []string) bool {
	return program == "git" && given[0] == "push" && slices.ContainsFunc(words, func(w string) bool {
		return w == "--all" || w == "--mirror" || w == "--branches"
	})
}

// pushed returns the operands and the words of a git push with what its refspecs say: the branch that
// HEAD:main changes, the option that + stands for, and the one that stands for a branch of nothing.
func pushed(given, words []string) (operands, said []string) {
	operands, said = slices.Clip(given), slices.Clip(words)
	for _, w := range given[1:] {
		ref, force := strings.CutPrefix(w, "+")
		src, dst, two := strings.Cut(ref, ":")
		if !two {
			dst = src
		}
		operands = append(operands, strings.TrimPrefix(dst, "refs/heads/"))
		if force {
			said = slices.Insert(said, 1, "--force")
		}
		if two && src == "" && dst != "" {
			said = slices.Insert(said, 1, "--delete")
		}
	}
	return operands, said
}

// shortOf returns the letter of an option that a command has.
func shortOf(words []string, option string) (letter string, ok bool) {
	command := strings.Join(words, " ")
	for _, s := range shortOptions {
		if s.program == command && s.name == option {
			return s.short, true
		}
	}
	return "", false
}

func asksHelp(w string) bool { return w == "--help" || w == "--version" || w == "-v" || w == "-h" }

// hasOption reports whether a command has an option, under either of its names, with a value or without, or
// among letters that stand together. Of -rf it must have both letters, wherever they stand.
func hasOption(program string, given, words []string, want string) bool {
	if isLetters(want) && !slices.Contains(words, want) {
		for _, letter := range want[1:] {
			if !hasOption(program, given, words, "-"+string(letter)) {
				return false
			}
		}
		return true
	}
	names := []string{want}
	with := program
	if len(given) > 0 {
		with += " " + given[0]
	}
	for _, s := range shortOptions {
		if s.program != program && s.program != with {
			continue
		}
		if want == s.name {
			names = append(names, s.short)
		} else if want == s.short {
			names = append(names, s.name)
		}
	}
	for _, w := range words {
		if w == "--" {
			return false
		}
		for _, name := range names {
			letter := len(name) == 2
			if w == name || !letter && strings.HasPrefix(w, name+"=") ||
				letter && isLetters(w) && strings.IndexByte(w, name[1]) > 0 {
				return true
			}
		}
	}
	return false
}

// isLetters reports whether a word is options of one letter each, such as -rf.
func isLetters(w string) bool {
	return len(w) > 2 && len(w) <= 6 && w[0] == '-' && strings.Trim(w[1:], letters) == ""
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// rehearsals are the options with which a program only says what it would do. Those of every program have no
// name.
var rehearsals = [...]struct{ program, options string }{
	{"", "--help --version --dry-run --dryrun --just-print --list"},
	{"make", "-n --recon --question -q --touch -t"}, {"ninja", "-n"}, {"just", "-n -l"}, {"rake", "-n -T"},
	{"go", "-n -list"}, {"cargo", "--no-run"}, {"pytest", "--collect-only --co"}, {"gradle", "-m"},
	{"tox", "--notest -l"}, {"jest", "--listTests"},
}

// rehearses reports whether a command, as normal returns it, does not do what a guard needs, but only says
// what it would do. What the guard's own words have is what it needs.
func rehearses(needs, words []string) bool {
	needs = normal(needs)
	for _, r := range rehearsals {
		if r.program != "" && r.program != words[0] {
			continue
		}
		for _, option := range strings.Fields(r.options) {
			for _, w := range words[1:] {
				if w == "--" {
					break
				}
				among := r.program == "make" && len(option) == 2 && isLetters(w) &&
					strings.IndexByte(w, option[1]) > 0
				if (w == option || among) && !slices.Contains(needs, option) {
					return true
				}
			}
		}
	}
	return false
}
