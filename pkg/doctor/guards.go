package doctor

import (
	"keepsake/pkg/brief"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/text"
)

// checkGuards reports whether the file that the gate reads is whole, which armed guards no longer act, and of
// which the memory is another than it was.
func checkGuards(p Patient, r *report) {
	packed, err := p.Session.Armed().Packed()
	if err == nil {
		_, err = guard.Unpack(packed)
	}
	if err != nil {
		r.bad("start a session: it is made anew", "no guard acts: %v", err)
	}
	all, err := p.Session.Guards()
	if err != nil {
		r.bad("move that file away, and arm the guards again",
			"the guards can't be read, so the gate uses those that it has: %v", err)
		return
	}
	loaded, err := p.Store().Load()
	if err != nil {
		return // the check of the store says why
	}
	acting := 0
	for _, g := range all {
		if g.Idle != "" {
			id := brief.Line(g.ID())
			back := "keepsake records restore " + id + " brings both back"
			if loaded.At(g.Record) == nil {
				back = "keepsake records history " + id + " shows which plan to undo"
			}
			r.note(back+"; keepsake guard disarm "+id+" lets go of it", "the guard of %s does not act: %s",
				id, g.Idle)
		} else if g.Armed {
			acting++
			if g.Apart != "" {
				r.note("keepsake guard disarm "+brief.Line(g.ID())+" lifts it", "the guard of %s acts: %s",
					brief.Line(g.ID()), g.Apart)
			}
		}
	}
	if acting > 0 {
		r.ok("%s armed", text.Count(acting, "guard"))
	}
}
