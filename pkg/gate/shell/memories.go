package shell

import (
	"path"
	"strings"

	"keepsake/pkg/gate/rules"
)

// A deed is what is done to a file.
type deed uint8

const (
	touched  deed = iota // its time, its mode, another name for it
	edited               // changed in place
	appended             // added to
	replaced             // its content made anew, or the file created
	removed              // taken away, or given another name
)

// maxReorganised is how many calls after one prompt may rewrite, remove, move or rename memories
// before the person is asked, so that a loop can't empty a directory.
const maxReorganised = 3

// breaker stops the call that reorganises memories once too often.
func (j *judge) breaker() {
	if j.reorganises == "" || j.call.Reorganised == nil || j.stopped() ||
		j.answer(rules.RuleBreaker) == rules.Pass {
		return
	}
	if j.call.Reorganised() > maxReorganised {
		j.addFinding(rules.RuleBreaker, j.reorganises)
	}
}

// memory judges a change of the file p if it is a planning file or lies in a memory directory: the
// client's auto memory, or a directory called memory that has an index.
func (j *judge) memory(p, cwd string, d deed, subject func() string) {
	j.call.Watch.Changed(j.absolute(p, cwd))
	if d == touched || d != removed && noNote(p) {
		return
	}
	if p = j.absolute(p, cwd); p == "" {
		return
	}
	p = cleanPath(p)
	name := strings.ToLower(path.Base(p))
	if d != removed && !strings.HasSuffix(name, ".md") && !strings.ContainsAny(name, "*?[") &&
		!hasHole(name) {
		return
	}
	if j.planning(p, name) {
		if strings.HasPrefix(j.call.Agent, "keepsake:") {
			j.addFinding(rules.RulePlanningOwn, subject())
		} else {
			j.addFinding(rules.RulePlanning, subject())
		}
	}
	m, ok := j.memoryDir(p)
	if !ok {
		if real, linked := j.leadsTo(p); linked {
			p = real
			m, ok = j.memoryDir(p)
		}
	}
	if !ok {
		return
	}
	if m.auto {
		j.addFinding(rules.RuleAutoMemory, subject())
	}
	if !j.there(p, d) {
		return
	}
	if j.appendOnly(m, d) {
		j.addFinding(rules.RuleAppendOnly, subject())
	}
	// A topic file is a note beside the index.
	if d == replaced && strings.HasSuffix(m.below, ".md") && !strings.Contains(m.below, "/") &&
		!listed(m.below, "memory.md index.md") {
		j.addFinding(rules.RuleTopic, subject())
	}
	if (d == removed || d == replaced) && j.reorganises == "" {
		j.reorganises = subject()
	}
}

// noNote reports whether a path can't be a note by the name at its end, whatever the rest of it is.
// It settles most paths.
func noNote(p string) bool {
	name := p[strings.LastIndexByte(p, '/')+1:]
	return len(name) > 2 && !strings.EqualFold(name[len(name)-3:], ".md") &&
		!strings.ContainsAny(name, "*?[") && !hasHole(name)
}

// planning reports whether p is a file of the person's planning tools. A pattern counts when it
// matches a file that is there.
func (j *judge) planning(p, name string) bool {
	for _, plan := range [...]string{"task_plan.md", "findings.md", "progress.md"} {
		if name == plan || matchesName(name, plan) && j.exists(path.Join(path.Dir(p), plan)) {
			return true
		}
	}
	return false
}

// A memoryFile is where a file lies in a memory directory.
type memoryFile struct {
	dir   string // the directory
	below string // the rest of the path, in lower case; "" for the directory itself
	auto  bool   // it is the client's own auto memory
}

// memoryDir returns the memory directory in which a clean path lies. It does not find the record store,
// which has a checkpoint of its own.
func (j *judge) memoryDir(p string) (memoryFile, bool) {
	if !path.IsAbs(p) || len(p) > maxPath {
		return memoryFile{}, false
	}
	low := lower(p)
	for i := 0; ; {
		k := strings.Index(low[i:], "/memory")
		if k < 0 {
			break
		}
		i += k + len("/memory")
		if i < len(low) && low[i] != '/' {
			continue
		}
		dir, above := p[:i], low[:i-len("/memory")]
		if strings.HasSuffix(above, "/.claude") {
			return memoryFile{}, false
		}
		m := memoryFile{dir: dir, below: strings.TrimPrefix(low[i:], "/"), auto: j.clientProject(above)}
		if m.auto || strings.HasSuffix(above, "/.agents") || j.hasIndex(dir) {
			return m, true
		}
	}
	j.roots()
	for _, r := range j.autos {
		if dir := path.Clean(r.path); within(low, lower(dir)) {
			return memoryFile{dir: dir, below: strings.TrimPrefix(low[len(dir):], "/"), auto: true}, true
		}
	}
	return memoryFile{}, false
}

// clientProject reports whether dir is a project's folder of the client, in which its
// auto memory lies: <client>/projects/<slug>.
func (j *judge) clientProject(dir string) bool {
	projects := path.Dir(dir)
	client := path.Dir(projects)
	return path.Base(projects) == "projects" &&
		(path.Base(client) == ".claude" || j.call.ClientDir != "" &&
			client == lower(path.Clean(j.call.ClientDir)))
}

// hasIndex reports whether a directory holds the index of a memory.
func (j *judge) hasIndex(dir string) bool {
	if j.call.Lstat == nil || hasHole(dir) {
		return false
	}
	has, known := j.indexed[dir]
	if !known && len(j.indexed) < maxIndexed {
		for _, name := range [...]string{"/MEMORY.md", "/INDEX.md"} {
			k := j.lstat(dir + name).Kind
			has = has || k == Regular || k == Other
		}
		if j.indexed == nil {
			j.indexed = make(map[string]bool)
		}
		j.indexed[dir] = has
	}
	return has
}

// maxIndexed bounds how many directories of one call are looked into.
const maxIndexed = 64

// there reports whether the file that a deed is done to exists. A name that only the shell will know
// stands for a new file when one is written, and for any existing file when one is changed or removed.
func (j *judge) there(p string, d deed) bool {
	switch base := path.Base(p); {
	case hasHole(base):
		return d == removed || d == edited
	case hasHole(p), strings.ContainsAny(base, "*?["):
		return true
	}
	return j.exists(p) && (d == removed || !j.isFolder(p))
}

// isFolder reports whether p is a directory.
func (j *judge) isFolder(p string) bool {
	return j.call.Lstat != nil && !hasHole(p) && j.lstat(p).Kind == Directory
}

// appendOnly reports whether a deed touches files that are only ever added to: a note under events
// or cases, or for a removal a folder that holds some.
func (j *judge) appendOnly(m memoryFile, d deed) bool {
	names := strings.Split(m.below, "/")
	last := names[len(names)-1]
	for _, n := range names[:len(names)-1] {
		if onlyAdded(n) {
			return strings.HasSuffix(last, ".md") || strings.HasSuffix(last, "*") || hasHole(last)
		}
	}
	if d != removed || strings.HasSuffix(last, ".md") {
		return false
	}
	if onlyAdded(last) {
		return true
	}
	for _, sub := range [...]string{"events", "cases", "user/events", "agent/cases"} {
		if j.isFolder(path.Join(m.dir, m.below, sub)) {
			return true
		}
	}
	return false
}

func onlyAdded(name string) bool { return name == "events" || name == "cases" }

// MemoryRead returns which Markdown file of a memory directory a call is about to read: the directory,
// and the file's path below it. Only the client's own Read counts. Reading is never judged.
func MemoryRead(c Call) (dir, name string, ok bool) {
	j := judge{call: &c}
	if c.Quiet || c.Tool != "Read" || !j.parse() {
		return "", "", false
	}
	p := j.args.Get("file_path").Str
	if !path.IsAbs(p) || !strings.EqualFold(path.Ext(p), ".md") {
		return "", "", false
	}
	p = path.Clean(p)
	m, ok := j.memoryDir(p)
	name = strings.TrimPrefix(strings.TrimPrefix(p, m.dir), "/")
	return m.dir, name, ok && name != ""
}
