package blackboard

import (
	"strings"
	"time"

	"keepsake/pkg/text/date"
)

// Day returns the day by which something is due, in the words of package date or as YYYY-MM-DD, also behind
// "on", "by" or "until", seen from now: of a week or a longer time its last day. It is at midnight, in now's
// place.
func Day(words string, now time.Time) (time.Time, bool) {
	w := strings.Fields(strings.ToLower(words))
	if len(w) > 1 && (w[0] == "on" || w[0] == "by" || w[0] == "until") {
		w = w[1:]
	}
	if len(w) == 1 {
		if t, err := time.ParseInLocation(time.DateOnly, w[0], now.Location()); err == nil {
			return t, true
		}
	}
	s, ok := date.Read(strings.Join(w, " "), now)
	return s.Last, ok
}
