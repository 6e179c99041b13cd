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

// recent is how long a finding of the palace is shown.
const recent = 14 * 24 * time.Hour

// palaceLook is how long doctor lets the palaces be counted.
const palaceLook = 3 * time.Second

// checkPalace counts what the palaces hold, says what appeared since the last look,
// and what lately appeared without an approval. It keeps nothing.
func checkPalace(p patient) []finding {
	client := paths.ClientHere()
	log := palace.Log{Path: paths.PalaceLog(client)}
	var out []finding
	found, err := log.Found()
	if err != nil {
		out = append(out, finding{State: noted, What: err.Error(), Remedy: "the next session begins it anew; what came before is not known"})
	}
	for _, f := range found {
		if p.now.Sub(f.At) > recent {
			continue
		}
		what := fmt.Sprintf("%s ago: %s", age(p.now.Sub(f.At)), session.Appeared(f))
		if f.Away {
			out = append(out, finding{State: noted, What: what + " No session was open: that is yours, or another program's"})
			continue
		}
		out = append(out, finding{State: noted, What: what, Remedy: "look at it with MemPalace; if its own hooks stored it (wing sessions, agent session-hook), see autosave"})
	}
	files := palace.Files(paths.Palaces(paths.Homes(client)))
	if len(files) == 0 {
		return append(out, finding{What: "no palace is here"})
	}
	asks := log.Asks(files)
	ctx, cancel := context.WithTimeout(context.Background(), palaceLook)
	defer cancel()
	counts, err := palace.Run(ctx, session.Counter(), asks)
	if err != nil {
		return append(out, finding{State: wrong, What: "the palace cannot be counted: " + err.Error(), Remedy: "make build in " + p.plugin})
	}
	for _, f := range log.Later(asks, counts) {
		what := "since the last turn: " + session.Appeared(f)
		if f.Away {
			what = "since the last session: " + session.Appeared(f)
		}
		out = append(out, finding{State: noted, What: what})
	}
	sums := map[palace.Kind]int64{}
	for _, a := range asks {
		c := counts[a.Path]
		if c.Error != "" {
			out = append(out, finding{State: noted, What: fmt.Sprintf("%s cannot be counted: %s", a.Path, c.Error), Remedy: "if MemPalace is just writing, try again; else see whether MemPalace itself can read it"})
		}
		sums[a.Kind] += c.Rows
	}
	var parts []string
	for _, k := range []palace.Kind{palace.Drawers, palace.Facts, palace.Tunnels} {
		parts = append(parts, brief.Kinds(sums[k], string(k)))
	}
	return append(out, finding{What: fmt.Sprintf("%s in %s, counted without a write", strings.Join(parts, ", "), count(len(asks), "file"))})
}
