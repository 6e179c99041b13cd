package shell

import (
	"path"
	"strings"

	"keepsake/pkg/gate/rules"
)

// A zone is a place whose files nobody writes directly. Zones are bits, so that
// a set of them can be carried along a pipeline.
type zone uint8

const (
	inPalace zone = 1 << iota // files of a MemPalace, and Keepsake's own drawers
	inStore                   // a .claude/memory folder, of any project
	inOwn                     // Keepsake's own stage, state, cache, settings
	inLocked                  // approvals, and the gate's own programs and hooks
	inSpoken                  // the client's transcripts, and Keepsake's files about who said what
)

// A root is a directory of a zone that has no fixed name.
type root struct{ path, folded string }

// roots asks once for the directories that have no fixed name.
func (j *judge) roots() {
	if j.asked {
		return
	}
	j.asked = true
	add := func(list *[]root, from func() []string) {
		if from == nil {
			return
		}
		for _, p := range from() {
			if !path.IsAbs(p) || path.Clean(p) == "/" {
				continue
			}
			*list = append(*list, root{p, clean(p)})
			if j.call.Resolve != nil {
				if r := j.resolve(p); clean(r) != clean(p) {
					*list = append(*list, root{r, clean(r)})
				}
			}
		}
	}
	add(&j.palaces, j.call.Palaces)
	add(&j.own, j.call.Own)
	add(&j.autos, j.call.AutoMemory)
	add(&j.locked, j.lockedPlaces)
}

// lockedPlaces returns the paths that the gate itself depends on: Keepsake's folder below the client's,
// and this plugin's programs and hooks.
func (j *judge) lockedPlaces() []string {
	var dirs []string
	if j.call.ClientDir != "" {
		dirs = append(dirs, path.Join(j.call.ClientDir, "keepsake"))
	}
	if j.call.PluginRoot != nil {
		if root := j.call.PluginRoot(); root != "" {
			dirs = append(dirs, path.Join(root, "bin"), path.Join(root, "hooks", "hooks.json"),
				path.Join(root, ".claude-plugin"))
		}
	}
	return dirs
}

// clean returns a path in the one form that zones compare: no dots, lower case
// (macOS folds case, and no other zone differs from these by case alone).
func clean(p string) string { return strings.ToLower(cleanPath(p)) }

// cleanPath is path.Clean, which it skips for a path that is clean already, as most are.
func cleanPath(p string) string {
	if p != "" && p[0] != '.' && p[len(p)-1] != '/' && !strings.Contains(p, "//") &&
		!strings.Contains(p, "/.") {
		return p
	}
	return path.Clean(p)
}

// zoneOf returns the zones that p lies in, both as it is written and with its links resolved. A
// relative p lies in cwd. p may hold holes and glob characters.
func (j *judge) zoneOf(p, cwd string) zone {
	return j.paths.once(asZone, p, cwd, j.findZoneOf)
}

func (j *judge) findZoneOf(p, cwd string) zone {
	p = j.absolute(p, cwd)
	if p == "" {
		return 0
	}
	low := clean(j.apart(p))
	z := j.zoneAt(low)
	if z == 0 && cwd != "" && (strings.HasPrefix(p, quotedHole) || strings.HasPrefix(p, bareHole)) {
		// a name that is not known, perhaps in the directory
		return j.zoneOf(cwd, "") | j.takesTranscripts(cwd, "")
	}
	if z == 0 {
		if real, ok := j.leadsTo(p); ok {
			z = j.zoneAt(clean(real))
		}
	}
	return z
}

// apart returns p without the name of a transcript that comes only from a hole, if p begins at another
// place. So /tmp/$(basename "$f") is no transcript.
func (j *judge) apart(p string) string {
	i := strings.IndexAny(p, quotedHole+bareHole)
	if i < 1 || p[0] != '/' {
		return p
	}
	begins, projects := clean(p[:i]), j.projects()+"/"
	if p[i-1] == '/' && begins != "/" {
		begins += "/"
	}
	if strings.HasPrefix(projects, begins) || strings.HasPrefix(begins, projects) || zoneNamed(p[:i]) != 0 {
		return p
	}
	return p[:i] + strings.ReplaceAll(strings.ReplaceAll(p[i:], bareHole, quotedHole), spokenHole, "")
}

// changed is zoneOf for a file whose bytes are changed in place. If the file has another name in a store,
// it is a record.
func (j *judge) changed(p, cwd string) zone {
	return j.paths.once(asChanged, p, cwd, j.findChanged)
}

func (j *judge) findChanged(p, cwd string) zone {
	z := j.findZoneOf(p, cwd)
	if z != 0 || j.call.Lstat == nil || j.call.Twin == nil || hasHole(p) || j.twins == maxTwins {
		return z
	}
	j.twins++
	if p = j.absolute(p, cwd); !path.IsAbs(p) {
		return 0
	}
	file := j.lstat(p)
	if file.Kind == Other && j.call.Resolve != nil {
		p = j.resolve(p)
		file = j.lstat(p)
	}
	if file.Kind != Regular || file.Links < 2 {
		return 0
	}
	return j.zoneOf(j.call.Twin(p), "")
}

// maxResolved bounds how many paths of one call have their links resolved, and
// maxTwins how many files have theirs counted.
const (
	maxResolved = 256
	maxTwins    = 2048
)

// maxPath is the longest text that is taken for a path, and maxCwd the longest directory that a series of
// cd is followed into, both in bytes.
const (
	maxPath = 4096
	maxCwd  = 512
)

// absolute returns p joined to cwd, with a leading ~ expanded. It keeps dots, which mean something else
// behind a link. It returns "" if p is no path.
func (j *judge) absolute(p, cwd string) string {
	if p == "" || len(p) > maxPath || strings.IndexByte(p, '\n') >= 0 {
		return ""
	}
	p = strings.TrimPrefix(p, "file://")
	switch {
	case p == "~":
		return j.call.Home
	case strings.HasPrefix(p, "~/"):
		return j.call.Home + p[1:]
	case path.IsAbs(p) || strings.HasPrefix(p, quotedHole) || strings.HasPrefix(p, bareHole):
		return p
	case cwd == "":
		return p
	case len(cwd) > maxCwd:
		return ""
	}
	return cwd + "/" + p
}

// zoneAt returns the zone that a clean path lies in, by fixed names and by the roots that were
// asked for.
func (j *judge) zoneAt(p string) zone {
	if z := zoneNamed(p); z != 0 {
		return z
	}
	j.roots()
	for _, r := range j.palaces {
		// what is put there brings its own drawers
		if above, ok := strings.CutSuffix(r.folded, "/drawers"); within(p, r.folded) || ok && p == above {
			return inPalace
		}
	}
	for _, r := range j.locked {
		if within(p, r.folded) {
			return inLocked
		}
	}
	if within(p, j.projects()) && transcript(p[len(j.projects()):]) {
		return inSpoken
	}
	for _, r := range j.own {
		if within(p, r.folded) {
			if spoken(p[len(r.folded):]) {
				return inSpoken
			}
			return inOwn
		}
	}
	return 0
}

// projects returns the folder of the client's transcripts, "/" where it is not known: no
// path lies in that but the root.
func (j *judge) projects() string {
	if j.call.ClientDir == "" {
		return "/"
	}
	return clean(path.Join(j.call.ClientDir, "projects"))
}

// transcript reports whether a path below the client's projects is a session file, or may
// be one: <project>/<session>.jsonl, or one of a subagent further below. The
// client's own memory lies there too.
func transcript(below string) bool {
	below = strings.Trim(below, "/")
	name := path.Base(below)
	if strings.Contains("/"+below, "/memory/") {
		return false
	}
	if open := name[strings.LastIndexAny(name, quotedHole+bareHole)+1:] == ""; open && hasHole(name) {
		return true // a name, or a path, that only the shell knows
	}
	if below == name {
		return false
	}
	return strings.HasSuffix(name, ".jsonl") ||
		strings.ContainsAny(name, "*?[") && matchesName(name, "0.jsonl")
}

// spoken reports whether a path below Keepsake's folder of states, <project>/<file>, is a file that says
// whose words a record has, or what the person answered.
func spoken(below string) bool {
	_, file, _ := strings.Cut(strings.Trim(below, "/"), "/")
	file, _, _ = strings.Cut(file, "/")
	for _, name := range [...]string{"records.jsonl", "journal.jsonl", "settled.jsonl", "tracked.json",
		"answers.jsonl", "guards.json", "standing"} {
		kind, _, _ := strings.Cut(name, ".")
		if strings.HasPrefix(file, kind) || matchesName(file, name) { // of a pattern
			return true
		}
	}
	return false
}

// takesTranscripts returns inSpoken if p is the folder of the client's transcripts, or a project's folder
// below it; else 0. All that is moved out of it or copied into it are transcripts.
func (j *judge) takesTranscripts(p, cwd string) zone {
	return j.paths.once(asTranscripts, p, cwd, j.findTranscripts) & inSpoken
}

// holdsTranscripts reports whether p is such a folder, or the client's own folder around it. From there a
// name is enough to reach a transcript.
func (j *judge) holdsTranscripts(p, cwd string) bool {
	return j.paths.once(asTranscripts, p, cwd, j.findTranscripts) != 0
}

// aroundSpoken is the result of findTranscripts for the client's own folder.
const aroundSpoken = inOwn

func (j *judge) findTranscripts(p, cwd string) zone {
	p = j.absolute(p, cwd)
	if p == "" || hasHole(p) {
		return 0
	}
	low := clean(p)
	z := j.transcriptsAt(low)
	if z == 0 {
		if real, ok := j.leadsTo(p); ok {
			z = j.transcriptsAt(clean(real))
		}
	}
	return z
}

// transcriptsAt is findTranscripts for a clean path.
func (j *judge) transcriptsAt(low string) zone {
	projects := j.projects()
	rest, ok := belowOf(low, projects)
	if !ok {
		i := strings.LastIndex(low+"/", "/.claude/projects/")
		if i < 0 {
			if around := path.Dir(projects); projects != "/" && low == around ||
				low == clean(path.Join("/", j.call.Home, ".claude")) {
				return aroundSpoken
			}
			return 0
		}
		rest = (low + "/")[i+len("/.claude/projects"):]
	}
	if strings.Contains(rest+"/", "/memory/") {
		return 0
	}
	return inSpoken
}

// belowOf returns the rest of p behind dir. ok reports whether p is dir or lies below it. p may have glob
// characters.
func belowOf(p, dir string) (rest string, ok bool) {
	for dir = strings.Trim(dir, "/"); dir != ""; {
		var a, b string
		a, p, _ = strings.Cut(strings.TrimPrefix(p, "/"), "/")
		b, dir, _ = strings.Cut(dir, "/")
		if !matchesName(a, b) {
			return "", false
		}
		ok = true
	}
	return "/" + p, ok
}

// palaceFile is the name of a file that only a palace has.
const palaceFile = "knowledge_graph.sqlite3"

// zoneNamed returns the zone that p lies in by the names in it. p may be an argument with a path
// behind = or : .
func zoneNamed(p string) zone {
	if len(p) > maxPath || !strings.ContainsAny(p, "/.") {
		return 0
	}
	rest := strings.ToLower(p)
	if !strings.Contains(rest, "mem") && !strings.Contains(rest, "keepsake") &&
		!strings.Contains(rest, palaceFile) &&
		!strings.Contains(rest, "projects") && strings.IndexByte(rest, '*') < 0 &&
		strings.IndexByte(rest, '?') < 0 && strings.IndexByte(rest, '[') < 0 {
		return 0 // all names below hold one of these: most paths are done with here
	}
	prev, before := "", "" // the one before it
	for rest != "" {
		k := 0
		for k < len(rest) && rest[k] != '/' && rest[k] != '=' && rest[k] != ':' && rest[k] != ',' {
			k++
		}
		c := rest[:k]
		rest = rest[min(k+1, len(rest)):]
		switch {
		case c == "" || c == ".":
			continue
		case matchesName(c, ".mempalace"), matchesName(c, "mempalace") && prev == ".config",
			strings.HasPrefix(c, palaceFile) && p[0] != '/', // at a place that is known, it may be a copy
			matchesName(c, "drawers") && matchesName(prev, "keepsake") &&
				(matchesName(before, "share") || matchesName(before, "application support")):
			return inPalace
		case strings.HasPrefix(c, ".keepsake-staging-"):
			return inOwn
		case matchesName(c, "memory") && matchesName(prev, ".claude"):
			if rest == "memory-config.json" {
				return 0 // the person's settings; the client has its own dialog for .claude
			}
			return inStore
		// of whatever client
		case c == "keepsake" && (prev == ".claude" || prev == "bin" && before == ".local"),
			matchesName(c, "approvals") && prev == "keepsake":
			return inLocked
		case matchesName(c, "projects") && prev == ".claude":
			if transcript(rest) {
				return inSpoken
			}
		case c == "keepsake" && (prev == ".config" || prev == ".cache" || prev == "state"):
			if prev == "state" && spoken(rest) {
				return inSpoken
			}
			return inOwn
		}
		before, prev = prev, c
	}
	return 0
}

// matchesName reports whether a path component may be a name, letting glob characters in the
// component stand for what they match. A hidden name is not matched by a pattern that does not
// begin with the dot, as in a shell.
func matchesName(component, name string) bool {
	if component == name {
		return true
	}
	if component == "" || name[0] == '.' && component[0] != '.' {
		return false
	}
	if strings.IndexByte(component, '*') < 0 && strings.IndexByte(component, '?') < 0 &&
		strings.IndexByte(component, '[') < 0 {
		return false
	}
	ok, err := path.Match(component, name)
	return ok && err == nil
}

// covers reports whether dir is what p names or lies below it; p may hold glob characters.
func covers(p, dir string) bool {
	for p != "" && p != "/" {
		if dir == "" {
			return false
		}
		var a, b string
		a, p, _ = strings.Cut(strings.TrimPrefix(p, "/"), "/")
		b, dir, _ = strings.Cut(strings.TrimPrefix(dir, "/"), "/")
		if b == "" || !matchesName(a, b) {
			return false
		}
	}
	return true
}

// within reports whether p is dir or lies below it; both are clean.
func within(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

// swallows returns the zones that lie below p, so that removing or moving p takes them along: the
// palace of this person, the store of this project, and any .claude folder that holds a store.
func (j *judge) swallows(p, cwd string) zone {
	return j.paths.once(asSwallowed, p, cwd, j.findSwallows)
}

func (j *judge) findSwallows(p, cwd string) zone {
	p = j.absolute(p, cwd)
	if p == "" || !path.IsAbs(p) || hasHole(p) {
		return 0
	}
	p = cleanPath(p)
	var z zone
	low, pattern := strings.ToLower(p), strings.ContainsAny(p, "*?[")
	for _, h := range j.holdings(cwd) {
		if (low == "/" || within(h.folded, low) || pattern && covers(low, h.folded)) && j.exists(h.path) {
			z |= h.zone
		}
	}
	if strings.EqualFold(path.Base(p), ".claude") && j.exists(path.Join(p, "memory")) {
		z |= inStore
	}
	return z
}

// A holding is a directory that a folder above it takes along.
type holding struct {
	root
	zone zone
}

// holdings returns the palaces, what the gate rests on, and the stores of the project and of cwd.
func (j *judge) holdings(cwd string) []holding {
	if j.held != nil && j.heldIn == cwd {
		return j.held
	}
	j.roots()
	list := []holding{{root{path: path.Join("/", j.call.Home, ".mempalace")}, inPalace}}
	for _, r := range j.palaces {
		list = append(list, holding{r, inPalace})
	}
	for _, r := range j.locked {
		list = append(list, holding{r, inLocked})
	}
	for _, dir := range [...]string{j.call.ProjectDir, cwd} {
		if dir != "" {
			list = append(list, holding{root{path: path.Join(dir, ".claude", "memory")}, inStore})
		}
	}
	for i := range list {
		list[i].folded = clean(list[i].path)
	}
	j.held, j.heldIn = list, cwd
	return list
}

// exists reports whether there is a file. Where that is not known it is true: what may be there counts.
func (j *judge) exists(p string) bool {
	return j.call.Lstat == nil || j.lstat(p).Kind != Absent
}

// findZone adds the finding of a write into zones, the gravest first.
func (j *judge) findZone(z zone, subject string, byFile bool) {
	store := rules.RuleStoreCommand
	if byFile {
		store = rules.RuleStoreFile
	}
	switch {
	case z&inPalace != 0:
		j.addFinding(rules.RulePalaceFile, subject)
	case z&inLocked != 0:
		j.addFinding(rules.RuleLocked, subject)
	case z&inSpoken != 0:
		j.addFinding(rules.RuleSpoken, subject)
	case z&inStore != 0:
		j.addFinding(store, subject)
	case z&inOwn != 0:
		j.addFinding(rules.RuleOwnFile, subject)
	}
}

// findWrite is findZone for the words of a command.
func (j *judge) findWrite(z zone, f []string) {
	if z != 0 {
		j.findZone(z, commandText(f), false)
	}
}
