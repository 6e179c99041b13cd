package save

import (
	"time"

	"keepsake/pkg/journal/event"
	"keepsake/pkg/project/session"
)

// log logs the end of a save: what became of its drafts, by number, and how long applying
// took.
func (w *Saver) log(p Plan, started time.Time, err error) {
	states := map[string]float64{}
	var names []string
	for _, d := range p.Drafts {
		states[string(d.State)]++
		names = append(names, string(d.Category))
	}
	e := event.Event{
		Type: event.SaveComplete, Script: "apply", Took: w.Now().Sub(started), Error: session.Class(err),
		Data: event.Data{"states": states, "categories": names, "edits": len(p.Plan.Edits)},
	}
	if err != nil {
		e.Level = event.Error
	}
	w.Log(e)
}
