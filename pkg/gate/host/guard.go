package host

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/gate/armed"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/journal"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
)

// Guards are a project's guards at one call.
type Guards struct {
	event  rules.Event
	folder armed.Folder
	state  layout.State
	watch  *guard.Watch
}

// OpenGuards reads the guards that may be about a call. It is nil where none is. Guards only add to the gate:
// what can't be read is noted, and no call is stopped for it.
func OpenGuards(e rules.Event) *Guards {
	if os.Getenv("KEEPSAKE") == "off" {
		return nil
	}
	place := layout.Project(e.ProjectDir, e.Cwd)
	// Whether a folder is the person's takes longer to find out than that it has no guards. Only a folder in
	// the project is none of theirs for certain.
	named := layout.Load()
	if !strings.HasPrefix(named.State, place.Dir+"/") && !armed.Folder(named.Of(place.Home)).Has() {
		return nil
	}
	home := func() string { return layout.HomeOf(e.Transcript) }
	own, _ := layout.Dirs{State: named.State}.Trusted(place, home)
	state := own.Of(place.Home)
	g := &Guards{event: e, folder: armed.Folder(state), state: state}
	packed, err := g.folder.Packed()
	if err == nil {
		g.watch, err = guard.NewWatch(packed, e.Tool, e.Cwd, place.Dir, place.Home, e.ProjectDir)
	}
	if err != nil {
		g.fault("the guards could not be read, so none acted", err)
	}
	if g.watch == nil {
		return nil
	}
	g.watch.Home, g.watch.Resolve = os.Getenv("HOME"), layout.Resolved
	g.watch.Branch = func() string { branch, _ := layout.Head(place.Top); return branch }
	return g
}

// Watch returns what the judge of commands tells of the call.
func (g *Guards) Watch() *rules.Watch {
	if g == nil {
		return nil
	}
	return &rules.Watch{
		Text:    func(text string) bool { defer g.recovers(); return g.watch.Text(text) },
		Command: func(words []string) { defer g.recovers(); g.watch.Command(words) },
		File:    func(path string) { defer g.recovers(); g.watch.Changed(path) },
		Lost:    func() { g.watch.Unheard = true },
	}
}

// recovers keeps a fault of the guards from stopping a call.
func (g *Guards) recovers() {
	if p := recover(); p != nil {
		g.fault("the guards failed, and did not act on a call", fmt.Errorf("panic: %v", p))
	}
}

// A Guarded is what guards say to a call.
type Guarded struct {
	Decision rules.Decision // Pass, Ask or Deny
	Reason   string
	Say      string // for the agent, with the result of the call
	marks    []armed.Mark
}

// Weigh returns what the guards add to the gate's own verdict on a call. What the gate stops stays stopped,
// what it asks about can only be stopped, and what is a road of Keepsake's own is left alone. dialog reports
// whether a person can be asked.
func (g *Guards) Weigh(v rules.Verdict, dialog func() bool, now time.Time) (out Guarded) {
	if g == nil || v.Decision == rules.Allow || v.Decision == rules.Deny {
		return out
	}
	if g.watch.Unheard {
		g.fault("a call was too much for the guards to read, so they did not act on all of it", errUnheard)
	}
	if len(g.watch.Hits)+len(g.watch.Ran) == 0 {
		return out
	}
	defer g.recovers()
	session := layout.Session(g.event.Session)
	var earlier []armed.Mark
	read := false
	had := func(key, what string) bool {
		if !read {
			var err error
			if earlier, err = g.folder.Marks(); err != nil {
				g.fault("what guards did before could not be read", err)
			}
			read = true
		}
		for _, m := range earlier {
			if m.Session == session && m.Guard == key && m.What == what {
				return true
			}
		}
		return false
	}
	mark := func(r guard.Rule, what string) armed.Mark {
		return armed.Mark{At: now, Session: session, Record: r.Record, Guard: r.Key(), What: what}
	}
	worst := guard.Hit{}
	for _, h := range g.watch.Hits {
		key := h.Key()
		if len(h.Needs) > 0 && (h.Ready || had(key, armed.Ran)) {
			continue
		}
		if h.Does == memory.Say {
			if h.Once && had(key, armed.Said) {
				out.marks = append(out.marks, mark(h.Rule, armed.Passed))
				continue
			}
			if out.Say != "" {
				out.Say += "\n"
			}
			out.Say += brief.GuardSays(h)
			out.marks = append(out.marks, mark(h.Rule, armed.Said))
			continue
		}
		if d := decisionOf(h); d > out.Decision {
			out.Decision, worst = d, h
		}
	}
	switch {
	// the gate's own question is put, and no other
	case v.Decision == rules.Ask && out.Decision != rules.Deny:
		out = Guarded{}
	case out.Decision == rules.Ask && dialog():
		out.Reason = brief.GuardAsks(worst)
		m := mark(worst.Rule, armed.Asked)
		m.Use, m.Transcript = g.event.UseID, g.event.Transcript
		out.marks = append(out.marks, m)
	case out.Decision != rules.Pass:
		out.Reason = brief.GuardDenies(worst, out.Decision == rules.Ask)
		out.Decision = rules.Deny
		out.marks = append(out.marks, mark(worst.Rule, armed.Denied))
	}
	if out.Decision != rules.Pass { // the client shows no context beside a decision: it is said another time
		out.Say = ""
		out.marks = slices.DeleteFunc(out.marks, func(m armed.Mark) bool {
			return m.What == armed.Said || m.What == armed.Passed
		})
	}
	if out.Decision != rules.Deny {
		for _, r := range g.watch.Ran {
			if !had(r.Key(), armed.Ran) {
				m := mark(r, armed.Began) // whether it failed is known once it has run
				m.Use = g.event.UseID
				out.marks = append(out.marks, m)
			}
		}
	}
	return out
}

var errUnheard = errors.New("it is too long, nested too deep or no shell command")

func decisionOf(h guard.Hit) rules.Decision {
	if h.Does == memory.Deny {
		return rules.Deny
	}
	return rules.Ask
}

// Note writes down what the guards did. Nothing stops for what fails.
func (g *Guards) Note(out Guarded) {
	if g == nil || len(out.marks) == 0 {
		return
	}
	if err := g.folder.Note(out.marks...); err != nil {
		g.fault("what guards did could not be noted: a rule that is said once may be said again", err)
	}
}

func (g *Guards) fault(what string, why error) {
	_ = journal.AppendFailure(g.state.Ledger(), journal.Failure{Time: time.Now(), Where: "gate",
		Session: layout.Session(g.event.Session), What: what, Why: why.Error()})
}
