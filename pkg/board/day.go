package board

import (
	"strconv"
	"strings"
	"time"
)

// Day reads the day that somebody names, in English and seen from now: a date of
// the form YYYY-MM-DD, "today", "tomorrow", a weekday, which is the next one to
// come, "next friday", which lies in the week after this one, "in 2 weeks",
// "end of month". It is at midnight, in now's place.
func Day(text string, now time.Time) (time.Time, bool) {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	w := strings.Fields(strings.ToLower(text))
	if len(w) > 1 && (w[0] == "on" || w[0] == "by" || w[0] == "until" || w[0] == "this") {
		w = w[1:]
	}
	switch len(w) {
	case 1:
		if t, err := time.ParseInLocation(time.DateOnly, w[0], now.Location()); err == nil {
			return t, true
		}
		switch w[0] {
		case "today":
			return today, true
		case "tomorrow":
			return today.AddDate(0, 0, 1), true
		}
		if day, ok := weekday(w[0]); ok {
			return today.AddDate(0, 0, 1+(int(day)-int(today.Weekday())+6)%7), true
		}
	case 2:
		if day, ok := weekday(w[1]); ok && w[0] == "next" {
			monday := today.AddDate(0, 0, 7-(int(today.Weekday())+6)%7)
			return monday.AddDate(0, 0, (int(day)+6)%7), true
		}
	case 3:
		if w[0] == "end" && w[1] == "of" && w[2] == "month" {
			return time.Date(y, m+1, 0, 0, 0, 0, 0, now.Location()), true
		}
		n, err := strconv.Atoi(w[1])
		if w[1] == "a" || w[1] == "one" {
			n, err = 1, nil
		}
		if w[0] != "in" || err != nil || n < 0 || n > 1000 {
			break
		}
		switch strings.TrimSuffix(w[2], "s") {
		case "day":
			return today.AddDate(0, 0, n), true
		case "week":
			return today.AddDate(0, 0, 7*n), true
		case "month":
			return time.Date(y, m+time.Month(n), min(d, lastDay(y, m+time.Month(n))), 0, 0, 0, 0, now.Location()), true
		}
	}
	return time.Time{}, false
}

func lastDay(y int, m time.Month) int { return time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day() }

func weekday(w string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := strings.ToLower(d.String()); w == name || w == name[:3] {
			return d, true
		}
	}
	return 0, false
}
