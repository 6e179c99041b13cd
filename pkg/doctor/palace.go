package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
	"keepsake/pkg/why/mempalace"
)

// recent is how long a finding of the palace is shown.
const recent = 14 * 24 * time.Hour

// palaceLook is how long doctor lets the palaces be counted.
const palaceLook = 3 * time.Second

// checkPalace reports how much the palaces hold, what has appeared since the last look, and what appeared
// lately without an approval. It stores nothing.
func checkPalace(p Patient, r *report) {
	client := layout.ClientHere()
	log := mempalace.Log{Path: layout.PalaceLog(client)}
	found, err := log.Found()
	if err != nil {
		r.note("the next session begins it anew; what came before is not known", "%v", err)
	}
	for _, f := range found {
		what := p.age(f.At) + " ago: " + session.Appeared(f)
		switch {
		case p.Now.Sub(f.At) > recent:
		case f.Away:
			r.note("", "%s No session was open: that is yours, or another program's", what)
		case f.Kind == mempalace.Own:
			r.note("each is a file <wing>/<room>/<id>.md there: read it, and move aside what is not yours",
				"%s", what)
		default:
			r.note("keepsake gate revoke shows it and takes it back; if MemPalace's own hooks stored it "+
				"(wing sessions, agent session-hook), see autosave", "%s", what)
		}
	}
	files := session.Audited(client)
	if len(files) == 0 {
		r.ok("no palace is here")
		return
	}
	asks := log.Asks(files)
	ctx, cancel := context.WithTimeout(context.Background(), palaceLook)
	defer cancel()
	counts, err := mempalace.Run(ctx, layout.Libexec("palace"), asks)
	if err != nil {
		r.bad(p.repair(), "the palace cannot be counted: %v", err)
		return
	}
	later, err := log.Later(asks, counts, func(since time.Time) (mempalace.Approved, error) {
		return session.Approved(client, since)
	})
	if err != nil {
		r.note("what was approved is not known, so it may be told as new", "%v", err)
	}
	for _, f := range later {
		since := "turn"
		if f.Away {
			since = "session"
		}
		r.note("", "since the last %s: %s", since, session.Appeared(f))
	}
	sums, in := map[mempalace.Kind]int64{}, 0
	for _, a := range asks {
		c := counts[a.Path]
		if c.Error != "" {
			remedy := "if MemPalace is just writing, try again; else see whether MemPalace itself can read it"
			if a.Kind == mempalace.Own {
				remedy = "what appears there is not told until it can be"
			}
			r.note(remedy, "%s cannot be counted: %s", a.Path, c.Error)
		}
		if sums[a.Kind] += c.Rows; a.Kind != mempalace.Own {
			in++
		}
	}
	what := "no palace is here"
	if in > 0 {
		var parts []string
		for _, k := range []mempalace.Kind{mempalace.Drawers, mempalace.Facts, mempalace.Tunnels} {
			parts = append(parts, text.Count(int(sums[k]), string(k)))
		}
		what = fmt.Sprintf("%s in %s, counted without a write", strings.Join(parts, ", "),
			text.Count(in, "file"))
	}
	if in < len(asks) {
		what += fmt.Sprintf("; %s of Keepsake's own",
			text.Count(int(sums[mempalace.Own]), string(mempalace.Drawers)))
	}
	r.ok("%s", what)
}
