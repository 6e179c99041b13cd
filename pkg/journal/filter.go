package journal

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/journal/event"
)

// ParseSince reads a point in time as people write it: a date, a time, or how long ago (90m, 7d). "" is
// the beginning of time.
func ParseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 100_000 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, fmt.Errorf("%q: want a date (2026-11-20), a time (2026-11-20T09:00:00Z) or so long "+
		"(90m, 2h, 7d)", text)
}

// OfType returns a function that reports whether an event has a type, or a type of a group. It accepts
// every event if filter is "".
func OfType(filter string) func(event.Event) bool {
	group := strings.TrimSuffix(filter, ".") + "."
	return func(e event.Event) bool {
		return filter == "" || e.Type == filter || strings.HasPrefix(e.Type, group)
	}
}
