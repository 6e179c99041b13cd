package blackboard

import (
	"strings"
	"time"

	"keepsake/pkg/text/date"
)

// Day returns the day that words name as a due date, at midnight in now's location. The words are those
// that package date reads, or a date as YYYY-MM-DD. They may have "on", "by" or "until" before them. For a
// week or a longer time it is the last day.
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
