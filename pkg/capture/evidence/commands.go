package evidence

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/layout"

	"keepsake/pkg/verbs"
)

// A printed is what a shell command prints. Of several the worst counts.
type printed int

const (
	nothing  printed = iota // what stands in it, or nothing at all
	projects                // files of the project, or their names
	keeps                   // what Keepsake holds about memories
	byLine                  // lines with the name of their file before them
	builds                  // what a build or a test of the project says
	others                  // anything
)

// command returns what a call of Bash prints, and the lines of the output that the command's own words
// produce. It understands only literal words, and only the programs below.
func (p *projectFiles) command(r result) (kind printed, echoed []string) {
	lines, ok := literalPipelines(r.call.Command)
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
	dirs   []string // any of them may be where the next command runs
	echoed []string
}

// file reports whether a path is a file of the project, folder whether it is a folder.
func (sh *shellReader) file(path string) bool { return sh.all(path, sh.p.file) }

func (sh *shellReader) folder(path string) bool { return sh.all(path, sh.p.folder) }

func (sh *shellReader) all(path string, is func(path, dir string, at time.Time) bool) bool {
	return !slices.ContainsFunc(sh.dirs, func(dir string) bool { return !is(path, dir, sh.at) })
}

// run returns what a command prints whose input is in. If it is the first of its pipeline, it may read
// files instead.
func (sh *shellReader) run(words []string, in printed, first bool) printed {
	name, args := words[0], words[1:]
	if name == "timeout" && len(args) > 1 && strings.Trim(args[0], "0123456789smh") == "" {
		name, args = args[1], args[2:]
	}
	switch name {
	case "cd":
		return sh.cd(args)
	case "true", "false", ":", "pwd", "date", "whoami":
		if len(args) > 0 && name != "true" {
			return others
		}
		return in
	case "sleep", "mkdir", "touch", "which", "basename", "dirname":
		if slices.ContainsFunc(args, func(a string) bool { return strings.ContainsAny(a, " \t\n") }) {
			return others // it is said back
		}
		return in
	case "echo":
		sh.echoed = append(sh.echoed, strings.Join(args, " "))
		return nothing
	case "ls", "tree", "du", "file", "find":
		return sh.list(name, args)
	case "git":
		return sh.git(args)
	}
	if isOwn(name) {
		return max(sh.keepsake(args), in) // it may say what it read
	}
	if o, ok := readerOptions(name); ok {
		return sh.reads(name, args, o, in, first)
	}
	if sh.builds(name, args) {
		return max(in, builds)
	}
	return others
}

// isOwn reports whether a program is the one that runs here, the command line.
func isOwn(name string) bool {
	return name == "keepsake" || filepath.Base(name) == "keepsake" && layout.StartsThis(name)
}

// keepsake returns what a command of Keepsake prints. It prints what Keepsake holds, except for commands
// that print files and folders from their arguments: there all of these must be the project's.
func (sh *shellReader) keepsake(args []string) printed {
	var operands []string
	for i := 0; i < len(args); i++ {
		name, value, with := strings.Cut(args[i], "=")
		switch {
		case name == "--project" || name == "--dir":
			if !with && i+1 < len(args) {
				i++
				value = args[i]
			}
			if name == "--dir" && !sh.whole(value) || name == "--project" && !sh.all(value, sh.p.same) {
				return others
			}
		case !strings.HasPrefix(name, "-"):
			operands = append(operands, args[i])
		}
	}
	verb, n := verbs.Find(operands)
	named := operands[n:]
	switch {
	case verb == nil:
		if len(named) > 0 {
			return others
		}
	case verb.Prints == verbs.Held:
		return keeps
	case verb.Prints == verbs.Given && len(named) == 0:
		return others
	}
	if slices.ContainsFunc(named, func(path string) bool { return !sh.whole(path) }) {
		return others
	}
	return keeps
}

// same reports whether a folder lies in this checkout, or below the project's folder where
// there is none, and in no other checkout.
func (p *projectFiles) same(path, dir string, _ time.Time) bool {
	if below, ok := p.below(path, dir); ok && path != "" {
		top := p.top
		if top == "" {
			top = p.root
		}
		return layout.FindGitIndex(filepath.Join(top, below)).Top == p.top
	}
	return false
}

// whole reports whether a path is a file of the project, or a folder with nothing else in
// it.
func (sh *shellReader) whole(path string) bool {
	if sh.file(path) {
		return true
	}
	if path == "" || !sh.folder(path) {
		return false
	}
	return sh.all(path, func(path, dir string, at time.Time) bool {
		files := 0
		err := filepath.WalkDir(pathFrom(dir, path), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if files++; files > maxWhole || !sh.p.file(path, "", at) {
				return fs.ErrExist
			}
			return nil
		})
		return err == nil && files > 0
	})
}

// maxWhole bounds how many files of a folder are looked at.
const maxWhole = 2000

func (sh *shellReader) cd(args []string) printed {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") || strings.ContainsAny(args[0], " \t\n") &&
		!sh.exists(args[0]) {
		return others
	}
	for i, dir := range sh.dirs {
		sh.dirs[i] = filepath.Clean(pathFrom(dir, args[0]))
	}
	return nothing
}

// Options are those of a program that neither read what is not named, nor run anything,
// nor print what they are given.
type options struct {
	flags  string // of one letter; they can stand in one word
	valued string // of one letter, with a value in this word or the next
	long   string // with two hyphens, with a value behind "=" or none
	values string // the long ones whose value may be the next word
}

// split returns the operands of a command and its options, the flags of one letter one by
// one. ok is false for an option that is not known.
func (o options) split(args []string) (operands, found []string, ok bool) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return append(operands, args[i+1:]...), found, true
		case len(a) < 2 || a[0] != '-':
			operands = append(operands, a)
		case strings.HasPrefix(a, "--"):
			name, _, with := strings.Cut(a[2:], "=")
			valued := slices.Contains(strings.Fields(o.values), name)
			if !valued && !slices.Contains(strings.Fields(o.long), name) {
				return nil, nil, false
			}
			if found = append(found, "--"+name); valued && !with {
				i++
			}
		default:
			for n := 1; n < len(a); n++ {
				c := a[n]
				found = append(found, "-"+string(c))
				if strings.IndexByte(o.valued, c) >= 0 {
					if n == len(a)-1 {
						i++
					}
					break
				}
				if strings.IndexByte(o.flags, c) < 0 {
					return nil, nil, false
				}
			}
		}
	}
	return operands, found, true
}

// has reports whether an option of a list was given.
func has(found []string, list string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(l string) bool { return slices.Contains(found, l) })
}

// list returns what a command prints that lists files.
func (sh *shellReader) list(name string, args []string) printed {
	var operands []string
	ok := true
	switch name {
	case "ls":
		operands, _, ok = options{flags: "aAlhRrtSd1FpLGogns", long: "all color recursive"}.split(args)
	case "tree":
		operands, _, ok = options{flags: "adfFhp", valued: "LIP",
			long: "noreport dirsfirst gitignore"}.split(args)
	case "du":
		operands, _, ok = options{flags: "shakcm", valued: "d", values: "max-depth"}.split(args)
	case "file":
		operands, _, ok = options{flags: "bihL"}.split(args)
	case "find":
		for i := 0; i < len(args); i++ {
			switch a := args[i]; {
			case !strings.HasPrefix(a, "-"):
				operands = append(operands, a)
			case slices.Contains([]string{"-name", "-iname", "-type", "-path", "-maxdepth", "-mindepth",
				"-newer", "-size", "-mtime"}, a):
				i++
			case !slices.Contains(strings.Fields("-not -o -a -print -print0 -prune"), a):
				return others
			}
		}
	}
	if !ok || !sh.folder(".") {
		return others
	}
	for _, o := range operands {
		if _, ok := sh.p.below(o, sh.dirs[0]); !ok || !sh.exists(o) && !sh.file(o) {
			return others // what is not there is said back
		}
	}
	return projects
}

// readerOptions returns the options of a program that prints what stands in files, or in
// what it is given; false for any other program.
func readerOptions(name string) (o options, ok bool) {
	switch name {
	case "cat":
		return options{flags: "AbeEnstTuv"}, true
	case "less", "more":
		return options{flags: "NRSFX"}, true
	case "wc":
		return options{flags: "lwcmL", long: "lines words bytes"}, true
	case "head", "tail":
		return options{flags: "qv0123456789", valued: "nc", values: "lines bytes"}, true
	case "nl":
		return options{flags: "ba"}, true
	case "sort":
		return options{flags: "bdfghinrRuVMz", valued: "kt", long: "unique reverse numeric-sort"}, true
	case "uniq":
		return options{flags: "cdDiu", valued: "fsw", long: "count"}, true
	case "cut":
		return options{flags: "sn", valued: "dfcb"}, true
	case "tr":
		return options{flags: "cdst"}, true
	case "sed":
		return options{flags: "nEr", long: "quiet silent"}, true
	case "diff":
		return options{flags: "ucbwBqyria", valued: "UC", long: "unified brief"}, true
	case "cmp":
		return options{flags: "bls"}, true
	case "grep", "egrep", "fgrep":
		return options{flags: "abcEFGHhiIlLnoPqrRsvwxyz", valued: "eABCm",
			long: "color colour line-number recursive ignore-case count only-matching fixed-strings " +
				"extended-regexp perl-regexp word-regexp files-with-matches no-filename with-filename " +
				"invert-match no-messages",
			values: "regexp include exclude exclude-dir max-count after-context before-context context"}, true
	case "rg":
		return options{flags: "acFHiIlLnNopPqSsuUvwx.0", valued: "eABCmgtTj",
			long: "files hidden no-ignore ignore-case smart-case line-number no-line-number no-heading " +
				"heading count only-matching fixed-strings word-regexp files-with-matches no-filename " +
				"with-filename multiline",
			values: "regexp glob type type-not max-count " +
				"after-context before-context context max-depth color sort"}, true
	}
	return options{}, false
}

// reads returns what a program prints that reads files or its input.
func (sh *shellReader) reads(name string, args []string, known options, in printed, first bool) printed {
	operands, found, ok := known.split(args)
	if !ok {
		return others
	}
	searches := strings.HasSuffix(name, "grep") || name == "rg"
	bare := has(found, "-h --no-filename") && name != "rg" || name == "rg" && has(found, "-I --no-filename")
	switch {
	case searches:
		if !has(found, "-e --regexp --files") && len(operands) > 0 {
			operands = operands[1:]
		}
	case name == "sed":
		if len(operands) == 0 || strings.Trim(operands[0], "0123456789,;$pdq ") != "" {
			return others // it could print what stands in it, read files and run programs
		}
		operands = operands[1:]
	case name == "tr":
		if len(operands) > 2 || first {
			return others
		}
		operands = nil
	}
	if len(operands) == 0 && !first {
		if in == byLine && (name == "cut" || name == "sed" || name == "tr" || searches &&
			has(found, "-o --only-matching")) {
			return others // what stands before the lines is lost
		}
		return in
	}
	if len(operands) == 0 {
		if !searches || name != "rg" && !has(found, "-r -R --recursive") {
			return others
		}
		operands = []string{"."}
	}
	kind := projects
	for _, o := range operands {
		switch {
		case sh.file(o):
		case sh.folder(o) && searches && !bare:
			kind = byLine
		default:
			return others
		}
	}
	return kind
}

// gitOptions returns the options of a command of git that shows the project's own
// history; false for any other command.
func gitOptions(command string) (o options, ok bool) {
	const shown = "oneline stat shortstat numstat name-only name-status graph decorate no-decorate patch " +
		"no-patch follow merges no-merges first-parent reverse cached staged no-color color summary " +
		"abbrev-commit unified check ignore-all-space diff-filter find-renames"
	switch command {
	case "status":
		return options{flags: "sb", long: "short porcelain branch"}, true
	case "branch":
		return options{flags: "avr", long: "show-current list all"}, true
	case "tag":
		return options{flags: "l", long: "list"}, true
	case "ls-files":
		return options{flags: "comd", long: "others cached modified exclude-standard"}, true
	case "rev-parse":
		return options{long: "short abbrev-ref show-toplevel verify"}, true
	case "log", "show", "whatchanged":
		return options{flags: "puwbMCsciEF0123456789", valued: "nSGLU", long: shown,
			values: "max-count since until after before author committer grep skip"}, true
	case "diff":
		return options{flags: "puwbMCs", valued: "SGU", long: shown}, true
	case "blame":
		return options{flags: "wMCs", valued: "L"}, true
	case "shortlog":
		return options{flags: "sne"}, true
	case "grep":
		return options{flags: "nilwEFchpv", valued: "eABC"}, true
	}
	return options{}, false
}

// git returns what a git command prints.
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
	command := args[0]
	known, ok := gitOptions(command)
	if !ok {
		return others
	}
	args = slices.DeleteFunc(slices.Clone(args[1:]), knownFormat)
	operands, found, ok := known.split(args)
	if !ok {
		return others
	}
	if command == "grep" && !has(found, "-e") && len(operands) > 0 {
		operands = operands[1:]
	}
	for _, o := range operands {
		if !ownRevision(o) && !sh.file(o) && !sh.folder(o) {
			return others
		}
	}
	return projects
}

// knownFormat reports whether an argument of git asks for one of its own formats.
func knownFormat(arg string) bool {
	name, value, _ := strings.Cut(arg, "=")
	switch name {
	case "--pretty", "--format":
		return slices.Contains([]string{"oneline", "short", "medium", "full", "fuller", "reference", "raw"},
			value)
	case "--date":
		return slices.Contains([]string{"short", "iso", "relative", "local", "default"}, value)
	}
	return false
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

// builderVerbs returns the commands that a program for building and testing may be called with, "" for any.
// It is false for other programs.
func builderVerbs(name string) (verbs string, ok bool) {
	switch name {
	case "gofmt", "goimports", "staticcheck", "make", "gmake", "pytest", "jest", "vitest", "mocha",
		"tsc", "eslint", "prettier", "ruff", "mypy", "black", "flake8", "pylint", "mvn", "gradle", "ctest",
		"rspec", "rake", "phpunit", "rubocop", "shellcheck":
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
			strings.HasPrefix(a, "-vettool") || strings.HasPrefix(a, "-overlay") ||
			strings.HasPrefix(a, "-modfile") ||
			strings.HasPrefix(a, "--") &&
				slices.ContainsFunc(strings.Fields("directory prefix cwd dir makefile file "+
					"manifest-path rootdir config eval include-dir require plugin"), func(l string) bool {
					name, _, _ := strings.Cut(a[2:], "=")
					return name != "" && strings.HasPrefix(l, name)
				}) {
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
		_, err := os.Lstat(pathFrom(dir, name))
		return err == nil
	})
}

// pathFrom returns the path that a name has in a folder.
func pathFrom(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
