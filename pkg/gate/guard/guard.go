// Package guard matches tool calls with the guards of a project: which calls a rule of the person's is about,
// and what happens before one. It reads the packed file of guards, hears from the judge of commands
// (pkg/gate/shell) what a call runs and changes, and makes a guard out of a memory's words.
//
// A guard only adds to the gate: it tells the agent something, asks the person, or stops the call. It never
// lets a call pass that the gate stops. The package reads no disk and no clock.
package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"keepsake/pkg/memory"
)

// A Rule is a guard that acts, with the memory that it comes from.
type Rule struct {
	memory.Guard
	Record string `json:"record"` // its path, below the store's root
	Title  string `json:"title"`
	Words  string `json:"words"`          // of the memory that say it, on one line
	Once   bool   `json:"once,omitempty"` // nobody armed it: it is said once a session
}

// ID returns the id of the memory.
func (r Rule) ID() string {
	name := r.Record[strings.LastIndexByte(r.Record, '/')+1:]
	return strings.TrimSuffix(name, ".json")
}

// Digest identifies a guard of a record by its bytes: a guard that was changed is another one.
func Digest(record string, g memory.Guard) string {
	b, _ := json.Marshal(g) // of strings
	sum := sha256.Sum256(append([]byte(record+"\n"), b...))
	return hex.EncodeToString(sum[:16])
}

// Key is the Digest of the rule.
func (r Rule) Key() string { return Digest(r.Record, r.Guard) }

// A Hit is a call that a rule is about.
type Hit struct {
	Rule
	What  string // the command or the path of the call
	Ready bool   // what the rule needs ran earlier in this very call
}

// A Watch hears what one call runs and changes, and collects the rules that are about it. The judge of
// commands tells it (rules.Watch).
type Watch struct {
	rows []row
	left int      // how much work may still be done
	text string   // the first shell text that was asked about, which has all others
	dirs []string // the project's folder, as the client and as the system name it, without a slash at the end
	cwd  string

	last, finds []string // the command that was heard last, and the last find

	// Home is the person's home directory, absolute; "" where it is not known.
	Home string
	// Resolve returns a path with all links in it resolved. It may be nil.
	Resolve func(path string) string
	// Branch returns the branch that is checked out, "" if that is not known. It may be nil.
	Branch func() string

	Hits []Hit
	Ran  []Rule // rules of which this call runs what they need
	// Unheard is set if the call was too much to hear all of it, so that guards may have missed something.
	Unheard bool
}

// NewWatch returns the watch of a call of a tool, given a packed file. dirs are the names of the project's
// folder. It is nil, with no error, where no guard may be about the call.
func NewWatch(packed []byte, tool, cwd string, dirs ...string) (*Watch, error) {
	rows, err := rowsOf(packed)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	w := &Watch{cwd: cwd, left: maxWork}
	for _, d := range dirs {
		if d = strings.TrimRight(d, "/"); d != "" && !slices.Contains(w.dirs, d) {
			w.dirs = append(w.dirs, d)
		}
	}
	for _, r := range rows {
		switch {
		case r.kind != 't':
			w.rows = append(w.rows, r)
		case isTool(r.key, tool):
			if rule := r.rule(); rule != nil {
				w.addHit(*rule, tool)
			}
		}
	}
	return w, nil
}

// maxWork bounds the work for one call, roughly in nanoseconds: no call is stopped since its guards took too
// long. What is heard past it meets no guard.
const maxWork = 100e6

// spend reports whether there is time for so much work.
func (w *Watch) spend(n int) bool {
	w.left -= n
	w.Unheard = w.Unheard || w.left <= 0
	return w.left > 0
}

// isTool reports whether a tool is the one of a guard, or one of the MCP server that the guard names.
func isTool(name, tool string) bool {
	return tool == name || strings.HasPrefix(name, "mcp__") && strings.HasPrefix(tool, name+"__")
}

// Text reports whether a guard may be about something that a shell command does, so that it is to be parsed.
// A guard's program, or the fixed part of its pattern, stands in the command then; or the command runs in a
// folder with that name. What takes a folder away or changes files by a pattern is parsed anyway.
func (w *Watch) Text(text string) bool {
	if w.text == "" {
		w.text = text
	}
	return slices.ContainsFunc(w.rows, func(r row) bool {
		return strings.Contains(text, r.key) || r.needs != "" && strings.Contains(text, r.needs) ||
			r.kind == 'p' && strings.Contains(w.cwd, r.key)
	})
}

// Command hears of a command, its words folded. The program may have wrappers such as sudo in front: it is
// heard with and without them.
func (w *Watch) Command(words []string) {
	if len(words) == 0 {
		return
	}
	words = normal(words)
	if w.last = words; words[0] == "find" || words[0] == "gfind" {
		w.finds = words
	}
	for i := range w.rows {
		r := &w.rows[i]
		about, needed := r.kind == 'c' && r.key == words[0], r.needs != "" && r.needs == words[0]
		if !about && !needed || !w.spend(5000+50*len(words)) {
			continue
		}
		rule := r.rule()
		switch {
		case rule == nil:
		case needed && !r.ran && matchCommand(rule.Needs, words) && !rehearses(rule.Needs, words):
			r.ran = true
			w.Ran = append(w.Ran, *rule)
		case about && !r.hit && (matchCommand(rule.Command, words) || w.pushes(rule.Command, words)):
			r.hit = true
			w.addHit(*rule, legible(words))
		}
	}
}

// pushes reports whether a guard is about the branch that a git push without a name changes: the one that is
// checked out.
func (w *Watch) pushes(guard, words []string) bool {
	if w.Branch == nil || !pushesUnnamed(words) || !slices.Contains(guard, "push") {
		return false
	}
	branch := w.Branch()
	return branch != "" && matchCommand(guard, append(slices.Clip(words), branch))
}

// maxShown is how many words of a command are kept to be shown.
const maxShown = 40

// legible returns a command as people read it. In its words control characters stand for what only the shell
// will know, such as each file that find comes upon.
func legible(words []string) string {
	out := make([]string, min(len(words), maxShown))
	for i := range out {
		out[i] = strings.ReplaceAll(words[i], "\x00", "…")
		if strings.HasPrefix(words[i], "\x01") {
			out[i] = "…"
		}
	}
	return strings.Join(out, " ")
}

// addHit adds a hit.
func (w *Watch) addHit(r Rule, what string) {
	key := r.Key()
	ready := slices.ContainsFunc(w.Ran, func(x Rule) bool { return x.Key() == key })
	w.Hits = append(w.Hits, Hit{r, what, ready && w.follows(r)})
}

// unbroken takes out of a shell text what goes on only after a success, and what only leads output elsewhere.
var unbroken = strings.NewReplacer("&&", " ", ">&", " ", "&>", " ")

// follows reports whether a rule's command runs in this call only once what the rule needs has run without a
// failure: between their names stands && and nothing that would go on after a failure.
func (w *Watch) follows(r Rule) bool {
	if len(r.Command) == 0 {
		return true
	}
	needs, command := normal(r.Needs)[0], normal(r.Command)[0]
	for rest := w.text; ; {
		_, behind, ok := strings.Cut(rest, needs)
		if !ok {
			return false
		}
		between, _, ok := strings.Cut(behind, command)
		if ok && strings.Contains(between, "&&") &&
			!strings.ContainsAny(unbroken.Replace(between), ";\n|&") {
			return true
		}
		if fails := strings.Index(w.text, "set -e"); ok && fails >= 0 &&
			fails < len(w.text)-len(behind) && !strings.Contains(between, "||") {
			return true
		}
		rest = behind
	}
}

// Matches reports whether a guard is about one command, its words folded, as for a guard that is proposed.
func Matches(command, words []string) bool { return matchCommand(command, normal(words)) }

// A Question asks which rules of a packed file a shell command is about. bin/libexec/parsers answers it.
type Question struct {
	Packed  []byte `json:"packed"`
	Command string `json:"command"`
	Cwd     string `json:"cwd"`
	Project string `json:"project"`
	Home    string `json:"home"`
}

// An Answer names rules by their keys.
type Answer struct {
	Hits []Met    `json:"hits"`
	Ran  []string `json:"ran"` // rules of which the command runs what they need
}

// Met is a rule that a call is about.
type Met struct {
	Key   string `json:"key"`
	Ready bool   `json:"ready"` // what the rule needs ran earlier in the same call
}

// Met returns the rules that the call is about so far.
func (w *Watch) Met() (all []Met) {
	for _, h := range w.Hits {
		all = append(all, Met{h.Key(), h.Ready})
	}
	return all
}
