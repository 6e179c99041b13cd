package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/palace"
	"keepsake/pkg/paths"
	"keepsake/pkg/session"
)

// recent is how long a diagnosis of the palace is shown.
const recent = 14 * 24 * time.Hour

// palaceLook is how long doctor lets the palaces be counted.
const palaceLook = 3 * time.Second

// checkPalace counts what the palaces hold, says what appeared since the last look,
// and what lately appeared without an approval. It keeps nothing.
func checkPalace(p patient) []diagnosis {
	client := paths.ClientHere()
	log := palace.Log{Path: paths.PalaceLog(client)}
	var out []diagnosis
	found, err := log.Found()
	if err != nil {
		out = append(out, diagnosis{State: noted, What: err.Error(),
			Remedy: "the next session begins it anew; what came before is not known"})
	}
	for _, f := range found {
		if p.now.Sub(f.At) > recent {
			continue
		}
		what := fmt.Sprintf("%s ago: %s", age(p.now.Sub(f.At)), session.Appeared(f))
		if f.Away {
			out = append(out, diagnosis{State: noted, What: what +
				" No session was open: that is yours, or another program's"})
			continue
		}
		remedy := "look at it with MemPalace; if its own hooks stored it (wing sessions, agent session-hook), see autosave"
		if f.Kind == palace.Own {
			remedy = "each is a file <wing>/<room>/<id>.md there: read it, and move aside what is not yours"
		}
		out = append(out, diagnosis{State: noted, What: what, Remedy: remedy})
	}
	files := session.Audited(client)
	if len(files) == 0 {
		return append(out, diagnosis{What: "no palace is here"})
	}
	asks := log.Asks(files)
	ctx, cancel := context.WithTimeout(context.Background(), palaceLook)
	defer cancel()
	counts, err := palace.Run(ctx, paths.Libexec("palace"), asks)
	if err != nil {
		return append(out, diagnosis{State: wrong, What: "the palace cannot be counted: " + err.Error(),
			Remedy: "make build in " + p.plugin})
	}
	later, err := log.Later(asks, counts, func(since time.Time) (palace.Approved, error) { return session.Approved(client, since) })
	if err != nil {
		out = append(out, diagnosis{State: noted, What: err.Error(),
			Remedy: "what was approved is not known, so it may be told as new"})
	}
	for _, f := range later {
		what := "since the last turn: " + session.Appeared(f)
		if f.Away {
			what = "since the last session: " + session.Appeared(f)
		}
		out = append(out, diagnosis{State: noted, What: what})
	}
	sums, in := map[palace.Kind]int64{}, 0
	for _, a := range asks {
		c := counts[a.Path]
		if c.Error != "" {
			remedy := "if MemPalace is just writing, try again; else see whether MemPalace itself can read it"
			if a.Kind == palace.Own {
				remedy = "what appears there is not told until it can be"
			}
			out = append(out, diagnosis{State: noted, What: fmt.Sprintf("%s cannot be counted: %s", a.Path,
				c.Error), Remedy: remedy})
		}
		if sums[a.Kind] += c.Rows; a.Kind != palace.Own {
			in++
		}
	}
	what := "no palace is here"
	if in > 0 {
		var parts []string
		for _, k := range []palace.Kind{palace.Drawers, palace.Facts, palace.Tunnels} {
			parts = append(parts, brief.Kinds(sums[k], string(k)))
		}
		what = fmt.Sprintf("%s in %s, counted without a write", strings.Join(parts, ", "), count(in, "file"))
	}
	if in < len(asks) {
		what += fmt.Sprintf("; %s of Keepsake's own", brief.Kinds(sums[palace.Own], string(palace.Drawers)))
	}
	return append(out, diagnosis{What: what})
}
