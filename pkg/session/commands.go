package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/paths"
	"keepsake/pkg/text/shellwords"
)

// A printed says what a shell command prints. The worst of several counts.
type printed int

const (
	nothing  printed = iota // what stands in it, or nothing at all
	projects                // files of the project, or their names
	keeps                   // what Keepsake says of memories
	byLine                  // lines with the name of their file before them
	builds                  // what a build or a test of the project says
	others                  // anything
)

// command says what a call of Bash prints, and the lines that it has from the command
// itself. Only literal words are understood, and only the programs below.
func (p *projectFiles) command(r result) (kind printed, echoed []string) {
	lines, ok := shellwords.Literal(r.call.Command)
	if !ok || len(lines) == 0 {
		return others, nil
	}
	sh := &shellReader{p: p, at: r.when(), dirs: slices.Clone(r.dirsOr(p.root))}
	for _, line := range lines {
		k := sh.run(line[0], nothing, true)
		for _, c := range line[1:] {
			k = sh.run(c, k, false)
		}
		if len(line) > 1 && filepath.Base(line[0][0]) == "cd" {
			return others, nil
		}
		if kind = max(kind, k); kind == others {
			break
		}
	}
	return kind, sh.echoed
}

// A shellReader follows simple commands.
type shellReader struct {
	p      *projectFiles
	at     time.Time
	dirs   []string // in any of which the next command may run
	echoed []string
}

// file reports whether a path is a file of the project, folder whether it is a folder.
func (sh *shellReader) file(path string) bool { return sh.all(path, sh.p.file) }

func (sh *shellReader) folder(path string) bool { return sh.all(path, sh.p.folder) }

func (sh *shellReader) all(path string, is func(path, dir string, at time.Time) bool) bool {
	return !slices.ContainsFunc(sh.dirs, func(dir string) bool { return !is(path, dir, sh.at) })
}

// run says what a command prints that reads what kind says, or files where it is the
// first of its pipeline.
func (sh *shellReader) run(words []string, in printed, first bool) printed {
	name, args := words[0], words[1:]
	if name == "timeout" && len(args) > 1 && strings.Trim(args[0], "0123456789smh") == "" {
		name, args = args[1], args[2:]
	}
	switch name {
	case "cd":
		return sh.cd(args)
	case "true", "false", ":", "pwd", "date", "whoami", "sleep", "mkdir", "touch", "which":
		return in
	case "echo":
		sh.echoed = append(sh.echoed, strings.Join(args, " "))
		return nothing
	case "ls", "tree", "du", "stat", "file", "find", "basename", "dirname":
		return sh.list(name, args)
	case "git":
		return sh.git(args)
	}
	if isOwn(name) {
		return keeps
	}
	if valued, ok := readerOptions(name); ok {
		return sh.reads(name, args, valued, in, first)
	}
	if sh.builds(name, args) {
		return max(in, builds)
	}
	return others
}

// isOwn reports whether a program is the one that runs here, the command line.
func isOwn(name string) bool {
	if name == "keepsake" {
		return true
	}
	exe, err := os.Executable()
	return err == nil && filepath.Base(name) == "keepsake" && paths.Resolved(name) == paths.Resolved(exe)
}

func (sh *shellReader) cd(args []string) printed {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		return others
	}
	for i, dir := range sh.dirs {
		if filepath.IsAbs(args[0]) {
			sh.dirs[i] = filepath.Clean(args[0])
		} else {
			sh.dirs[i] = filepath.Join(dir, args[0])
		}
	}
	return nothing
}

// split returns the operands and the options of a command. valued are the options that
// take the next word.
func split(args []string, valued string) (operands, options []string) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--":
			return append(operands, args[i+1:]...), options
		case len(a) < 2 || a[0] != '-':
			operands = append(operands, a)
		default:
			options = append(options, a)
			if slices.Contains(strings.Fields(valued), a) {
				i++
			}
		}
	}
	return operands, options
}

// hasOption reports whether one of the options is among those of a list: a long one by its
// beginning, since it can be cut short, a short one also in a bundle.
func hasOption(options []string, list string) bool {
	return slices.ContainsFunc(options, func(o string) bool {
		o, _, _ = strings.Cut(o, "=")
		return slices.ContainsFunc(strings.Fields(list), func(l string) bool {
			if strings.HasPrefix(l, "--") {
				return len(o) > 2 && strings.HasPrefix(l, o)
			}
			return !strings.HasPrefix(o, "--") && strings.Contains(o, l[1:])
		})
	})
}

// list says what a command prints that names files.
func (sh *shellReader) list(name string, args []string) printed {
	operands, options := split(args, "-I -P -L -w -d -c -f --format -name -iname -type -path -maxdepth -mindepth "+
		"-newer -size -mtime")
	switch name {
	case "basename", "dirname":
		return nothing
	case "find":
		for _, o := range options {
			switch o {
			case "-name", "-iname", "-type", "-path", "-maxdepth", "-mindepth", "-newer", "-size", "-mtime", "-not", "-o",
				"-a", "-print", "-print0", "-prune":
			default:
				return others
			}
		}
	case "stat":
		if hasOption(options, "-c -f --format --printf") {
			return others
		}
	}
	if len(operands) == 0 {
		operands = []string{"."}
	}
	for _, o := range operands {
		if _, ok := sh.p.below(o, sh.dirs[0]); !ok || !sh.folder(".") || !sh.exists(o) && !sh.file(o) {
			return others // what is not there is said back
		}
	}
	return projects
}

// readerOptions returns of a program that prints what stands in files, or in what it is
// given, the options that take a word; false for any other.
func readerOptions(name string) (valued string, ok bool) {
	switch name {
	case "cat", "less", "more", "wc", "tr":
		return "", true
	case "head", "tail":
		return "-n -c", true
	case "nl":
		return "-b -w -s -v", true
	case "sort":
		return "-k -t", true
	case "uniq":
		return "-f -s -w", true
	case "cut":
		return "-d -f -c -b", true
	case "column":
		return "-s -c", true
	case "sed":
		return "-e", true
	case "diff", "cmp":
		return "-U -C", true
	case "grep", "egrep", "fgrep", "rg":
		return grepOptions, true
	}
	return "", false
}

const grepOptions = "-e -A -B -C -m -g -t -T -j --glob --type --type-not --max-count --after-context " +
	"--before-context --context --include --exclude --exclude-dir --regexp --max-depth"

// reads says what such a program prints.
func (sh *shellReader) reads(name string, args []string, valued string, in printed, first bool) printed {
	operands, options := split(args, valued)
	searches := strings.HasSuffix(name, "grep") || name == "rg"
	switch {
	case searches:
		if hasOption(options, "-f --file --pre -z --search-zip --replace -r") && name == "rg" ||
			name != "rg" && hasOption(options, "-f --file --label") {
			return others
		}
		if !hasOption(options, "-e --regexp") && !slices.Contains(options, "--files") && len(operands) > 0 {
			operands = operands[1:]
		}
	case name == "sed":
		if hasOption(options, "-f -i --file --in-place -s") {
			return others
		}
		scripts := operands[:min(1, len(operands))]
		if hasOption(options, "-e --expression") {
			return others
		}
		operands = operands[len(scripts):]
		if len(scripts) != 1 || strings.Trim(scripts[0], "0123456789,;$pdq ") != "" {
			return others // it could print what stands in it, read files and run programs
		}
	case name == "tr":
		if len(operands) > 2 || first {
			return others
		}
		operands = nil
	case hasOption(options, "--files0-from --output -o"):
		return others
	}
	if len(operands) == 0 && !first {
		if in == byLine && (name == "cut" || name == "sed" || name == "tr" || name == "column" ||
			searches && hasOption(options, "-o --only-matching -h --no-filename")) {
			return others // what stands before the lines is lost
		}
		return in
	}
	if len(operands) == 0 {
		if !searches || name != "rg" && !hasOption(options, "-r -R --recursive") {
			return others
		}
		operands = []string{"."}
	}
	kind := projects
	for _, o := range operands {
		switch {
		case sh.file(o):
		case sh.folder(o) && searches && !hasOption(options, "-h --no-filename") &&
			(name != "rg" || !hasOption(options, "-I")):
			kind = byLine
		default:
			return others
		}
	}
	return kind
}

// git says what a command of git prints that shows the project's own history.
func (sh *shellReader) git(args []string) printed {
	before := slices.Clone(sh.dirs)
	defer func() { sh.dirs = before }()
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "--no-pager", "-P":
			args = args[1:]
		case "-C":
			if sh.cd(args[1:2]) == others {
				return others
			}
			args = args[2:]
		default:
			return others
		}
	}
	if len(args) == 0 || !sh.folder(".") {
		return others
	}
	operands, options := split(args[1:], "-n -S -G -L --max-count --since --until --after --before --author --grep "+
		"-U -e -A -B -C")
	switch args[0] {
	case "status", "ls-files", "branch", "tag":
		if hasOption(options, "--format") {
			return others
		}
		return projects
	case "rev-parse":
		if len(options) > 0 && !hasOption(options, "--short --abbrev-ref --show-toplevel --verify") {
			return others
		}
	case "add":
		return nothing
	case "diff", "log", "show", "blame", "shortlog", "whatchanged", "grep":
		options = slices.DeleteFunc(options, knownFormat)
		if hasOption(options, "--no-index --ext-diff --textconv --output --all --remotes --branches --glob --reflog "+
			"--walk-reflogs --contents --open-files-in-pager --untracked --exec --format --pretty --stdin --alternate-refs "+
			"--bisect --src-prefix --dst-prefix --line-prefix") ||
			slices.Contains(options, "-g") || args[0] == "grep" && hasOption(options, "-f -O") {
			return others
		}
	default:
		return others
	}
	if args[0] == "grep" && !hasOption(options, "-e") && len(operands) > 0 {
		operands = operands[1:]
	}
	for _, o := range operands {
		if !ownRevision(o) && !sh.file(o) && !sh.folder(o) {
			return others
		}
	}
	return projects
}

// knownFormat reports whether an option is one of git's own formats.
func knownFormat(option string) bool {
	name, value, _ := strings.Cut(option, "=")
	return (name == "--pretty" || name == "--format") && slices.Contains([]string{"oneline", "short", "medium", "full",
		"fuller", "reference", "raw"}, value)
}

// ownRevision reports whether an argument of git names a commit of the project's own
// history, or two.
func ownRevision(arg string) bool {
	rest, path, ok := strings.Cut(arg, ":")
	if ok && (rest == "" || path == "") {
		return false
	}
	for rev := range strings.SplitSeq(strings.ReplaceAll(rest, "...", ".."), "..") {
		if i := strings.IndexAny(rev, "~^"); i >= 0 {
			if strings.Trim(rev[i:], "~^0123456789") != "" {
				return false
			}
			rev = rev[:i]
		}
		switch strings.TrimPrefix(rev, "origin/") {
		case "HEAD", "@", "main", "master", "trunk", "":
		default:
			if len(rev) < 7 || strings.Trim(rev, "0123456789abcdef") != "" {
				return false
			}
		}
	}
	return rest != ""
}

// builderVerbs returns of a program that builds and tests a project what it may be told to
// do, "" for anything; false for any other.
func builderVerbs(name string) (verbs string, ok bool) {
	switch name {
	case "gofmt", "goimports", "staticcheck", "make", "gmake", "pytest", "jest", "vitest", "mocha", "tsc", "eslint",
		"prettier", "ruff", "mypy", "black", "flake8", "pylint", "mvn", "gradle", "ctest", "rspec", "rake", "phpunit",
		"rubocop", "shellcheck":
		return "", true
	case "go":
		return "build test vet list fmt version mod", true
	case "golangci-lint":
		return "run", true
	case "cargo":
		return "build check test clippy fmt bench", true
	case "npm", "pnpm", "yarn":
		return "test t run run-script lint build typecheck", true
	case "bun":
		return "test run", true
	case "dotnet", "swift":
		return "build test", true
	}
	return "", false
}

// builds reports whether a command builds or tests the project and nothing else.
func (sh *shellReader) builds(name string, args []string) bool {
	switch {
	case name == "npx" && len(args) > 0:
		name, args = args[0], args[1:]
		if verbs, _ := builderVerbs(name); verbs != "" {
			return false
		}
	case (name == "python" || name == "python3") && len(args) > 1 && args[0] == "-m":
		if name, args = args[1], args[2:]; name == "unittest" {
			name = "pytest"
		}
	}
	verbs, ok := builderVerbs(name)
	if !ok || !sh.folder(".") {
		return false
	}
	if verbs != "" {
		if len(args) == 0 || !slices.Contains(strings.Fields(verbs), args[0]) {
			return false
		}
		args = args[1:]
	}
	for _, a := range args {
		// They change the folder, the file of rules, or what is run.
		if strings.HasPrefix(a, "-C") || strings.HasPrefix(a, "-exec") || strings.HasPrefix(a, "-toolexec") ||
			strings.HasPrefix(a, "-vettool") || strings.HasPrefix(a, "-overlay") || strings.HasPrefix(a, "-modfile") ||
			strings.HasPrefix(a, "--") && hasOption([]string{a}, "--directory --prefix --cwd --dir --makefile --file "+
				"--manifest-path --rootdir --config --eval --include-dir --require --plugin") {
			return false
		}
		if strings.HasSuffix(name, "make") && (strings.HasPrefix(a, "-f") || strings.HasPrefix(a, "-I") ||
			strings.Contains(a, "=")) {
			return false
		}
		if strings.HasPrefix(a, "-") {
			_, a, _ = strings.Cut(a, "=")
		}
		a, _, _ = strings.Cut(a, "::")
		a = strings.TrimSuffix(strings.TrimSuffix(a, "..."), "/")
		if strings.Contains(a, "/") && !sh.file(a) && !sh.folder(a) {
			return false
		}
		if a != "" && !strings.Contains(a, "/") && !sh.file(a) && !sh.folder(a) && sh.exists(a) {
			return false
		}
	}
	return true
}

// exists reports whether there is a file of a name where the command may have run.
func (sh *shellReader) exists(name string) bool {
	return slices.ContainsFunc(sh.dirs, func(dir string) bool {
		if !filepath.IsAbs(name) {
			dir = filepath.Join(dir, name)
		} else {
			dir = name
		}
		_, err := os.Lstat(dir)
		return err == nil
	})
}
