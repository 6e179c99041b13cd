package doctor

import (
	"cmp"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// Unused is a memory that came with many prompts and was never used, or one that the agent does not keep to.
type Unused struct {
	Path  string      `json:"path"` // below the store's root
	Title string      `json:"title"`
	Count usage.Count `json:"count"`
}

// Line returns what is proposed as a person reads it.
func (u Unused) Line() string { return brief.Idle(u.Path, u.Title, u.Count) }

// Remedy returns the commands that settle it.
func (u Unused) Remedy() string {
	return "keepsake forget " + brief.ShellWord(u.Path) + ", or keepsake show " + brief.ShellWord(u.Path) +
		" --uses to see when it came"
}

// UnusedMemories returns the active memories of a project that came with many prompts and were never used,
// those first that came most often. The person's rules are not among them.
func UnusedMemories(s *session.Session, loaded store.Loaded) (all []Unused, err error) {
	log, err := s.Usage()
	for _, m := range s.IdleMemories(loaded.Records, log.Counts()) {
		all = append(all, Unused{m.Path, m.Title, m.Count})
	}
	slices.SortFunc(all, func(a, b Unused) int {
		return cmp.Or(b.Count.Prompts-a.Count.Prompts, cmp.Compare(a.Path, b.Path))
	})
	return all, err
}

// checkUsage tells of memories that help nobody, and of those that the agent does not keep to.
func checkUsage(p Patient, r *report) {
	loaded, err := p.Store().Load()
	if err != nil {
		return // the check of the store says why
	}
	all, err := UnusedMemories(p.Session, loaded)
	if err != nil {
		r.bad("look at its file, or delete it: it has only counts",
			"what became of memories can't be read: %v", err)
		return
	}
	for _, u := range all {
		r.note(u.Remedy(), "%s", u.Line())
	}
	log, _ := p.Usage()
	counts := log.Counts()
	for _, m := range loaded.Records {
		if c := counts[m.Path]; c.Broken > 0 && m.Status == memory.Active {
			r.note("keepsake show "+brief.ShellWord(m.Path)+" --uses shows when", "%s",
				brief.Broken(m.Path, m.Title, c))
		}
	}
	if len(r.found) == 0 {
		r.ok("no memory came with %d prompts without being used", usage.Idle)
	}
}
