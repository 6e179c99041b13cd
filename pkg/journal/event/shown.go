package event

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// shownID is how much of a session's id is shown, in characters.
const shownID = 8

// Line returns the event on one line, for people.
func (e Event) Line() string {
	parts := []string{e.Type, cmp.Or(e.Hook, e.Script, "-"), text.Shorten(cmp.Or(e.Session, "-"), shownID)}
	if e.Took >= 0 {
		parts = append(parts, fmt.Sprintf("%.1fms", float64(e.Took.Microseconds())/1000))
	}
	if e.Level != Info {
		parts = append(parts, string(e.Level))
	}
	if e.Error != "" {
		parts = append(parts, "error="+e.Error)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Data)) {
		if b, err := json.Marshal(e.Data[name]); err == nil {
			parts = append(parts, name+"="+strings.Trim(string(b), `"`))
		}
	}
	for i := range parts {
		parts[i] = text.CleanLine(parts[i])
	}
	return fmt.Sprintf("%s  %-16s  %-16s  %s", e.Time.Local().Format("01-02 15:04:05"), parts[0], parts[1],
		strings.Join(parts[2:], "  "))
}
