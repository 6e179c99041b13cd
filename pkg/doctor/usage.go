package doctor

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/project/session"
)

// checkUsage tells of memories that help nobody, and of those that the agent does not keep to.
func checkUsage(p Patient, r *report) {
	loaded, err := p.Store().Load()
	if err != nil {
		return // the check of the store says why
	}
	log, err := p.Usage()
	if err != nil {
		r.bad("look at its file, or delete it: it has only counts",
			"what became of memories can't be read: %v", err)
		return
	}
	counts := log.Counts()
	for _, m := range p.IdleMemories(loaded.Records, counts) {
		r.note("keepsake review asks whether to keep it; keepsake show "+brief.ShellWord(m.Path)+
			" --uses says when it came", "%s", brief.Idle(m.Path, m.Title, m.Count))
	}
	guards, err := p.Session.Guards()
	if err != nil {
		guards = nil // the check of the guards says why
	}
	for _, m := range loaded.Records {
		if c := counts[m.Path]; c.Broken > 0 && m.Status == memory.Active {
			r.note("keepsake show "+brief.ShellWord(m.Path)+" --uses shows when; "+guardHint(m, guards), "%s",
				brief.Broken(m.Path, m.Title, c))
		}
	}
	if len(r.found) == 0 {
		r.ok("no memory came with %d prompts without being used", usage.Idle)
	}
}

// guardHint says what a guard can do for a memory that the agent does not keep to.
func guardHint(m memory.Stored, guards []session.GuardState) string {
	path := brief.ShellWord(m.Path)
	for _, g := range guards {
		switch {
		case g.Record != m.Path || !g.Armed && m.Guard == nil:
		case g.Armed && g.Idle == "":
			return "its guard is armed: keepsake guard list shows what it does"
		default:
			return "keepsake guard arm " + path + " lets its guard act, which can stop the call"
		}
	}
	return "keepsake guard propose " + path + " makes a guard of it, which can stop the call"
}
