package shell

import (
	"path"
	"slices"
	"strings"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// mutates judges a program that changes files. It returns false if p is no such program.
func (s *shell) mutates(name string, p *row, f []string, in source) bool {
	args := f[1:]
	switch p.kind {
	case kindRemoves:
		s.removes(name, args, f)
	case kindChanges:
		s.changes(name, p, f, in)
	case kindCopies:
		if ops := operands(args); len(ops) > 0 && (slices.ContainsFunc(ops, standardInput) || name == "dd") {
			s.keep(ops[len(ops)-1], s.standing(in), false)
			s.judgePut(ops[len(ops)-1], filled(s.standing(in)), replaced)
		}
		return s.copies(name, args, f)
	case kindBackups: // they only read the files that they back up
		return slices.Contains(args, "backup") || slices.Contains(args, "create")
	case kindFilters:
		s.filter(name, f, in)
	case kindOutputs:
		for _, to := range valuesOf(args, p.puts) {
			s.target(to, f, replaced)
		}
	case kindArchives:
		s.unpack(name, args, f)
	default:
		return false
	}
	return true
}

// removes judges a program that takes files away or gives them another name.
func (s *shell) removes(name string, args, f []string) {
	ops := operands(args)
	moves := strings.HasSuffix(name, "mv")
	for i, a := range ops {
		if moves && i == len(ops)-1 && i > 0 {
			s.findWrite(s.zoneOf(a, s.cwd)|s.swallows(a, s.cwd)|s.takesTranscripts(a, s.cwd), f)
		} else {
			s.target(a, f, removed)
		}
	}
	if moves {
		s.judgeDestination("mv", args, f)
	}
}

// changes judges a program that changes the files in its operands.
func (s *shell) changes(name string, p *row, f []string, in source) {
	args, d := f[1:], p.deed
	if p.prints && prints(args) || strings.Contains(name, "vi") && slices.Contains(args, "-R") {
		return
	}
	if listed(name, "tee gtee sponge") {
		d = teeDeed(f)
	}
	fed := s.standing(in)
	if name == "patch" {
		s.keep(quotedHole, fed, false)
	}
	if len(operands(args)) < 2 { // what it changes stands in its input or its script
		s.findWrite(s.named(".")&inPalace, f)
	}
	for _, a := range operands(args) {
		s.target(a, f, d)
		if name != "tee" && d != touched {
			s.keep(a, fed, fed == "" && len(args) > 1 && s.look(args[:len(args)-1]).palace)
		}
		if name == "patch" {
			s.findWrite(s.takesTranscripts(a, s.cwd), f) // the folder of -d
		}
	}
	if d == edited && name != "patch" && len(palace.Options(args)) > 0 { // a script of an editor
		s.blindly(f)
	}
	for _, code := range valuesOf(args, "--eval -eval --execute") { // of emacs
		s.program(code, f)
	}
	if strings.HasSuffix(name, "ln") {
		s.judgeDestination("ln", args, f)
		s.linked(args, f)
	}
	for _, text := range append([]string{fed}, args...) { // an editor's way to a shell
		if containsAny(text, "!", "system(", "shell-command") && mayWritePalace(text) {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	}
}

// copies judges a program that copies files.
func (s *shell) copies(name string, args, f []string) bool {
	switch name {
	case "aws", "gsutil", "s5cmd":
		if !slices.Contains(args, "cp") && !slices.Contains(args, "sync") && !slices.Contains(args, "rsync") {
			return false
		}
		s.judgeDestination("rclone", args, f)
		return true
	case "dd":
		for _, to := range valuesOf(args, "of") {
			for _, from := range valuesOf(args, "if") {
				s.followCopy(from, to)
			}
			s.target(to, f, replaced)
		}
		return true
	}
	if strings.HasSuffix(name, "install") && flagged(args, "d", "--directory") {
		for _, o := range operands(args) {
			s.target(o, f, replaced)
		}
	}
	s.judgeDestination(strings.TrimPrefix(name, "g"), args, f)
	if strings.HasSuffix(name, "cp") && flagged(args, "ls", "--link", "--symbolic-link") {
		s.linked(args, f)
	}
	return true
}

// filter judges a program that edits its operands in place when an option says so.
func (s *shell) filter(name string, f []string, in source) {
	args := f[1:]
	if edits(name, args) {
		for _, a := range operands(args) {
			s.target(a, f, edited)
		}
		return
	}
	if !strings.HasSuffix(name, "sed") {
		return
	}
	for _, a := range args { // the w and e commands of a script
		if z := zoneIn(a); z != 0 && strings.Contains(a, "w ") {
			s.findWrite(z, f)
		}
		if !sedRuns(a) {
			continue
		}
		if s.judgeHanded(s.standing(in)); palace.IsNamed(a) {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	}
}

// linked judges a command that gives files another name. A folder of transcripts, or the client's folder
// around it, would not be recognised by that name. The last operand is the new name.
func (s *shell) linked(args, f []string) {
	ops := operands(args)
	for i, o := range ops {
		last := i > 0 && i == len(ops)-1 && !slices.Contains(args, "-t") && s.takesTranscripts(o, s.cwd) == 0
		if !last && (s.zoneOf(o, s.cwd)&inSpoken != 0 || s.holdsTranscripts(o, s.cwd)) {
			s.findWrite(inSpoken, f)
		}
	}
}

// flagged reports whether the options have one of the letters as a short option, or one of the long
// options.
func flagged(args []string, letters string, long ...string) bool {
	return slices.ContainsFunc(palace.Options(args), func(a string) bool {
		return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, letters) ||
			slices.Contains(long, a)
	})
}

// prints reports whether the options make gzip and its like write to standard output or only test or
// list.
func prints(args []string) bool {
	return flagged(args, "clt", "--stdout", "--to-stdout", "--list", "--test")
}

// operands returns the arguments that are no options, and the values of --name=value.
func operands(args []string) []string {
	out := make([]string, 0, len(args))
	for i, a := range args {
		switch {
		case a == "--":
			return append(out, args[i+1:]...)
		case len(a) > 1 && a[0] == '-':
			if _, v, ok := strings.Cut(a, "="); ok {
				out = append(out, v)
			}
		default:
			out = append(out, a)
		}
	}
	return out
}

// target judges one file that f changes. Removing or moving a folder also does so to everything below it.
func (s *shell) target(p string, f []string, d deed) {
	var z zone
	if d == removed {
		z = s.zoneOf(p, s.cwd) | s.swallows(p, s.cwd) | s.takesTranscripts(p, s.cwd)
	} else {
		z = s.changed(p, s.cwd)
	}
	s.findWrite(z, f)
	s.memory(p, s.cwd, d, func() string { return commandText(f) })
	s.settings(p, f, d)
	if d != touched && runsLater(p) {
		for _, a := range f[1:] {
			if palace.IsNamed(a) && strings.Contains(a, " ") {
				s.mentions(strings.Fields(strings.NewReplacer(`\t`, " ", `\n`, " ").Replace(a)))
			}
		}
	}
}

// judgeDestination judges the destination of cp, mv, ln and the like, which is the last operand or
// the one of -t: the destination itself, and as the folder that the sources land in.
func (s *shell) judgeDestination(name string, args, f []string) {
	c := copying(name, args)
	args = copiedArgs(args)
	ops := operands(args)
	var to string
	for _, dir := range valuesOf(args, "-t --target-directory") {
		to = dir
	}
	if to == "" && len(ops) > 1 {
		to = ops[len(ops)-1]
	}
	all := strings.Join(palace.Options(args), " ") // of rsync: what it takes away there, or here
	there, here := strings.Contains(all, "--delete"), strings.Contains(all, "--remove-source")
	for _, o := range ops {
		if o == to && there || o != to && here {
			s.findWrite(s.changed(o, s.cwd)|s.swallows(o, s.cwd), f)
		}
	}
	if to == "" {
		return
	}
	s.target(to, f, replaced)
	if c.folders && strings.EqualFold(path.Base(s.absolute(to, s.cwd)), ".claude") && !c.spares {
		s.findWrite(s.swallows(to, s.cwd), f)
	}
	landed := 0
	for _, o := range ops {
		if o == to || o == "" {
			continue
		}
		if hasHole(o) {
			s.followCopy(o, to)
			s.copied(o, to)
			continue
		}
		bare := strings.HasSuffix(o, "/") || strings.HasSuffix(o, "/.") || o == "." || o == ".."
		if c.folders && (bare || c.merges) {
			s.lands(o, to, c, f)
		}
		if bare && (c.slash || path.Base(o) == "." || path.Base(o) == "..") {
			continue
		}
		base := path.Base(o)
		inside := to + "/" + base
		if c.folders {
			s.lands(o, inside, c, f)
		}
		switch base {
		case ".mempalace", ".claude": // a copy elsewhere is none of ours
			s.findWrite(s.swallows(inside, s.cwd), f)
		default:
			s.target(inside, f, replaced)
		}
		if landed++; landed > maxLanded {
			continue
		}
		s.followCopy(o, to)
		s.followCopy(o, inside)
		if strings.HasSuffix(to, "/") || s.isFolder(cleanPath(s.absolute(to, s.cwd))) {
			s.copied(o, inside)
		} else {
			s.copied(o, to)
		}
	}
}

// maxLanded bounds how many files of one copy are followed to where they land.
const maxLanded = 64

// followCopy remembers that this call copies a file, so that a script which is copied and then run
// is read.
func (s *shell) followCopy(from, to string) {
	if from, to = s.fileOf(from), s.fileOf(to); palaceProgram(from) {
		s.keep(to, "mempalace \"$@\"", false)
	}
	if hasHole(to) {
		if text, ok := s.scriptText(from); ok {
			s.keep(to, text, false)
		}
		return
	}
	if !path.IsAbs(from) && !hasHole(from) || !path.IsAbs(to) {
		return
	}
	if first, again := s.moved[from]; again {
		from = first
	}
	if s.moved == nil {
		s.moved = make(map[string]string)
	}
	s.moved[to] = from
}

// copied judges a file that gets the text of another one.
func (s *shell) copied(from, to string) {
	if !runsLater(to) && !s.settingsFile(to, s.cwd) {
		return
	}
	text, ok := s.scriptText(from)
	if !ok && from != "" && from[0] != '/' { // a link is read from where it lies
		text, ok = s.scriptText(path.Join(path.Dir(to), from))
	}
	if ok && !strings.Contains(text, darkText) || from == "/dev/null" {
		s.judgePut(to, text, replaced)
	} else if runsLater(to) {
		s.putsLater(to)
	}
}

// putsLater judges a file that is run later and whose new text is not known. It judges the strings in the
// words of the last eight commands.
func (s *shell) putsLater(p string) {
	for _, c := range s.commands[max(0, len(s.commands)-8):] {
		for _, a := range c[1:] {
			if palace.IsNamed(a) && s.runsPalace(a, "") {
				s.addFinding(rules.RuleLater, shortPath(p), rules.Clip(show(a), 90))
			}
		}
	}
}

// A copies is what a program like cp does with folders.
type copies struct {
	folders bool // it copies folders with their contents
	merges  bool // the contents land in the destination itself, whatever the source is called
	slash   bool // a slash behind a source means its contents alone
	spares  bool // an option excludes .claude or its memory
}

func copying(name string, args []string) copies {
	c := copies{folders: name == "ditto" || name == "rclone", merges: name == "ditto" || name == "rclone",
		slash: name == "rsync"}
	for _, v := range valuesOf(args, "--exclude") {
		v = strings.Trim(v, "/*")
		c.spares = c.spares || matchesName(v, ".claude") || matchesName(v, "memory") ||
			zoneNamed(v) == inStore
	}
	for _, a := range args {
		switch {
		case a == "--recursive" || a == "--archive":
			c.folders = true
		case a == "--no-target-directory":
			c.merges = true
		case len(a) > 1 && a[0] == '-' && a[1] != '-':
			switch name {
			case "cp", "scp", "rsync":
				c.folders = c.folders || strings.ContainsAny(a, "rRa")
			}
			c.merges = c.merges || name == "cp" && strings.Contains(a, "T")
		}
	}
	return c
}

// copiedArgs returns args without rsync's options --exclude and their values.
func copiedArgs(args []string) (out []string) {
	for i, a := range args {
		if !strings.HasPrefix(a, "--exclude") && (i == 0 || args[i-1] != "--exclude") {
			out = append(out, a)
		}
	}
	return out
}

// lands judges the copy of a folder to a place above a store. When the source has something where
// the store lies below that place, it lands in the store.
func (s *shell) lands(from, to string, c copies, f []string) {
	if c.spares {
		return
	}
	s.findWrite(s.takesTranscripts(to, s.cwd), f)
	from, to = s.absolute(from, s.cwd), s.absolute(to, s.cwd)
	if !path.IsAbs(from) || !path.IsAbs(to) || hasHole(from) || hasHole(to) {
		return
	}
	top := clean(to)
	if !above(top, s.call.ProjectDir) && !above(top, s.cwd) {
		return
	}
	for _, dir := range [...]string{s.call.ProjectDir, s.cwd} {
		store := path.Join(dir, ".claude", "memory")
		if dir == "" || top == "/" || clean(store) == top || !within(clean(store), top) || !s.exists(store) {
			continue
		}
		if s.exists(path.Join(from, store[len(top):])) {
			s.findWrite(inStore, f)
		}
	}
}

// above reports whether a clean path may be a folder above the store of dir.
func above(p, dir string) bool {
	return dir != "" && (within(p, clean(dir)) || within(clean(dir), p) || p == "/")
}

// sedRuns reports whether a sed script holds the e command or flag, which runs a program.
func sedRuns(script string) bool {
	for i := 0; i < len(script); i++ {
		if script[i] == 'e' && (i == 0 || strings.IndexByte("0123456789;$/{}|", script[i-1]) >= 0) &&
			(i+1 == len(script) || strings.IndexByte(" ;}\n", script[i+1]) >= 0) {
			return true
		}
	}
	return false
}

// edits reports whether the arguments make a program edit in place that usually prints.
func edits(name string, args []string) bool {
	letter := "i"
	switch name {
	case "black", "isort":
		return !slices.Contains(args, "--check") && !slices.Contains(args, "--diff")
	case "gofmt", "shfmt", "prettier", "biome":
		letter = "w"
	}
	return slices.ContainsFunc(palace.Options(args), func(a string) bool {
		long, _, _ := strings.Cut(a, "=")
		// -e, -f and -l take the rest for their value
		short := strings.IndexAny(a+"e", letter+"efl")
		return listed(long, "--in-place --inplace --write -write --fix") ||
			len(a) > 1 && a[0] == '-' && a[1] != '-' && short < len(a) && a[short] == letter[0]
	})
}

// zoneIn returns the zones whose fixed names occur anywhere in a text such as a script.
func zoneIn(text string) zone {
	low := strings.ToLower(text)
	var z zone
	if strings.Contains(low, ".mempalace") || strings.Contains(low, ".config/mempalace") {
		z |= inPalace
	}
	if inSequence(low, "share", "keepsake", "drawers") ||
		inSequence(low, "application support", "keepsake", "drawers") {
		z |= inPalace
	}
	if i := strings.Index(low, ".claude"); i >= 0 && strings.Contains(low[i:], "memory") {
		rest := strings.Trim(low[i+len(".claude"):], `/\'", )(+`)
		if strings.Contains(low, ".claude/memory") || strings.HasPrefix(rest, "memory") {
			z |= inStore
		}
	}
	if strings.Contains(low, ".keepsake-staging-") {
		z |= inOwn
	}
	if namesTranscripts(low) {
		z |= inSpoken
	}
	if inSequence(low, "state", "keepsake") && (strings.Contains(low, "records.") ||
		strings.Contains(low, "journal") || strings.Contains(low, "settled.")) {
		z |= inSpoken
	}
	for rest := range behind(low, ".claude") { // .claude/keepsake, in one string or joined from several
		if next := strings.TrimLeft(rest, `/\'", )(+`); len(next) < len(rest) &&
			strings.HasPrefix(next, "keepsake") && (len(next) == 8 || !letter(next[8]) && next[8] != '@') {
			z |= inLocked
		}
	}
	return z
}

// inSequence reports whether names follow each other in a text, in one path or joined from several
// strings.
func inSequence(text string, names ...string) bool {
	for rest := range behind(text, names[0]) {
		all := true
		for _, n := range names[1:] {
			next := strings.TrimLeft(rest, `/\'", )(+`)
			if rest, all = strings.CutPrefix(next, n); !all {
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

// unpack judges an archive program: the archive that it makes, or where it extracts to.
func (s *shell) unpack(name string, args, f []string) {
	first, ops := "", operands(args)
	if len(args) > 0 {
		first = strings.TrimLeft(args[0], "-")
	}
	has := func(letter string, long ...string) bool {
		return flagged(args, letter, long...) || name != "unzip" && strings.Contains(first, letter)
	}
	if flagged(args, "", "--move", "--remove-files") || name == "zip" && slices.Contains(args, "-m") {
		for _, o := range ops {
			s.target(o, f, removed)
		}
	}
	for _, run := range valuesOf(args, "--checkpoint-action --to-command --use-compress-program -I") {
		s.judgeHanded(strings.TrimPrefix(run, "exec="))
	}
	copies := name == "cpio" && strings.HasPrefix(first, "p")
	extracts := copies || name == "unzip" || has("x", "--extract", "--get") ||
		name == "cpio" && has("i") || name == "7z" && first == "e"
	if name == "zip" || !extracts {
		made := valuesOf(args, "-f --file")
		if name == "zip" && len(ops) > 0 {
			made = ops[:1]
		} else if strings.HasSuffix(first, "f") && len(args) > 1 {
			made = append(made, args[1])
		}
		for _, to := range made {
			if !has("t", "--list") {
				s.target(to, f, replaced)
			}
		}
		return
	}
	dir := "."
	for _, d := range valuesOf(args, "-C --directory -d -D") {
		dir = d
	}
	for _, a := range args {
		if len(a) > 2 && (strings.HasPrefix(a, "-C") || name == "7z" && strings.HasPrefix(a, "-o")) {
			dir = a[2:]
		}
	}
	if copies && len(ops) > 0 {
		dir = ops[len(ops)-1]
	}
	s.target(dir, f, touched)
	s.findWrite(s.takesTranscripts(dir, s.cwd), f)
	if strings.EqualFold(path.Base(path.Clean(s.absolute(dir, s.cwd))), ".claude") {
		s.findWrite(s.swallows(dir, s.cwd), f)
	}
	for _, o := range ops { // members
		if o == dir || containsAny(o, ".tar", ".tgz", ".zip") {
			continue
		}
		s.findWrite(zoneNamed(o), f)
		if dir != "." {
			s.findWrite(s.zoneOf(path.Join(dir, o), s.cwd), f)
		}
	}
}

// git judges the sub-commands that change files of the work tree when they name
// a zone or run inside one.
func (s *shell) git(args, f []string) {
	cwd, i := s.cwd, skip(f, "Cc", "work-tree git-dir namespace exec-path")-1
	if i >= len(args) {
		return
	}
	for _, dir := range valuesOf(args[:i], "-C --work-tree") {
		cwd = s.absolute(dir, cwd)
	}
	for _, set := range valuesOf(args[:i], "-c") {
		_, v, _ := strings.Cut(set, "=")
		if v = strings.TrimPrefix(v, "!"); palace.IsNamed(v) {
			s.judgeHanded(v)
		}
	}
	for _, to := range valuesOf(args[i+1:], "--output") { // of diff, log and their kin
		s.target(s.absolute(to, cwd), f, replaced)
	}
	switch verb, rest := args[i], args[i+1:]; verb {
	case "checkout", "restore", "rm", "mv", "clean", "reset", "stash", "switch", "apply", "am", "merge",
		"rebase", "pull", "revert", "cherry-pick", "clone", "worktree", "submodule", "sparse-checkout",
		"filter-branch", "init":
		if (verb == "rm" || verb == "reset" || verb == "stash") &&
			slices.ContainsFunc(rest, func(a string) bool { return listed(a, "--cached list show") }) {
			return
		}
		z := zone(0)
		if cwd != "" && verb != "init" {
			z = s.zoneOf(cwd, "") | s.takesTranscripts(cwd, "")
		}
		for _, o := range operands(rest) {
			if !strings.Contains(o, "://") && !strings.Contains(o, "@") {
				z |= s.zoneOf(o, cwd)
				s.call.Watch.Changed(s.absolute(o, cwd))
			}
		}
		if verb == "rm" || verb == "clean" || verb == "mv" {
			for i, o := range operands(rest) {
				z |= s.swallows(o, cwd)
				if verb == "rm" || verb == "mv" && i == 0 {
					s.memory(o, cwd, removed, func() string { return commandText(f) })
				}
			}
		}
		s.findWrite(z, f)
	case "config":
		for _, o := range rest {
			// An alias, or a program that git runs, such as core.pager.
			run, alias := strings.CutPrefix(o, "!")
			if (alias || strings.Contains(o, " ")) && s.writesPalace(filled(run)) {
				s.addFinding(rules.RuleLater, commandText(f))
			}
		}
	}
	switch verb := strings.Join(args[i:min(i+2, len(args))], " "); {
	case verb == "bisect run":
		s.command(args[i+2:], source{})
	case listed(args[i], "submodule rebase filter-branch"):
		s.judgeAmong(args[i+1:], source{})
	}
}

// sqlite judges an SQL shell on a palace's database. It lets pass only plain queries.
func (s *shell) sqlite(f []string, in source) {
	t, known := s.read(in)
	z, db := zoneIn(t), 0 // ATTACH, .save, .backup of a palace
	for i, a := range f[1:] {
		for _, escape := range [...]string{".shell ", ".system "} {
			if _, cmd, ok := strings.Cut(a, escape); ok {
				s.judgeHanded(cmd)
			}
		}
		at := s.zoneOf(strings.TrimPrefix(a, "file:"), s.cwd)
		if at != 0 && db == 0 && !strings.Contains(a, " ") {
			z, db = z|at, i+1
		}
		z |= zoneIn(a)
		if listed(a, "-readonly --readonly") || containsAny(a, "mode=ro", "immutable=1") {
			return
		}
	}
	sql := tail(f, db+1)
	if db == 0 {
		sql = slices.DeleteFunc(slices.Clone(sql), func(a string) bool { return zoneIn(a) == 0 })
	}
	if known || len(sql) == 0 {
		sql = append(sql[:len(sql):len(sql)], t)
	}
	for _, q := range append(valuesOf(f[:db+1], "-cmd --cmd -init"), sql...) {
		if z != 0 && (!queries(q) || q == "" && !known) {
			s.findWrite(z, f)
			return
		}
	}
}

// database judges the client of a database server, in which newer MemPalaces
// can live: only statements that name one and may write are put to the person.
func (s *shell) database(f []string, in source) {
	t, _ := s.read(in)
	named := strings.Contains(lower(strings.Join(f, " ")+t), "mempalace")
	s.blindly(f) // a file has commands
	for _, a := range append([]string{t}, f[1:]...) {
		if _, cmd, ok := strings.Cut(a, `\!`); ok {
			s.judgeHanded(cmd)
		}
		if named && strings.ContainsAny(a, " \n") && !queries(a) {
			s.addFinding(rules.RuleUndecided, commandText(f))
		}
	}
}

// queries reports whether every statement of an SQL text only reads.
func queries(sql string) bool {
	if hasHole(sql) {
		return false
	}
	low := strings.ToLower(sql)
	for _, w := range [...]string{"insert", "update", "delete", "replace", "drop", "alter", "attach",
		"writefile", "load_extension", "vacuum", "create", "reindex", "edit(", "fts5"} {
		if strings.Contains(low, w) {
			return false
		}
	}
	for stmt := range strings.FieldsFuncSeq(low, func(r rune) bool { return r == ';' || r == '\n' }) {
		word, _, _ := strings.Cut(strings.TrimSpace(stmt), " ")
		if word = strings.TrimSpace(word); word == "" || word == "pragma" && !strings.Contains(stmt, "=") {
			continue
		}
		if !listed(word, `select explain with from where order limit group and join left inner union having on
			.tables .table .schema .dump .mode .headers .header .databases .indexes .indices .quit .exit
			.width .help .stats .timeout .dbinfo .fullschema .show`) {
			return false
		}
	}
	return true
}
