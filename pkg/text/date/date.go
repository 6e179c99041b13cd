// Package date reads the days that people name, by how far they are from today or by their date.
package date

import (
	"strconv"
	"strings"
	"time"
)

// A Span is the days that somebody names, from the first to the last, both at midnight: one day, a week, a
// month, a quarter or a year.
type Span struct{ First, Last time.Time }

// Read returns the days that words name, seen from now and in its place; ok is false for what is no such
// name. The words are one of:
//
//   - today, tomorrow, yesterday
//   - friday: the next one to come, never today
//   - this friday: the one of this week, today included; where it is over, the next one to come
//   - next friday, last friday: the one of the week after this one, or before it; weeks begin on Monday
//   - this, next, last week, month, quarter, year
//   - end of week, month, quarter, year, also with "the" or "this"
//   - in 2 weeks, in a month, 3 days ago: days, weeks, months and years
//
// A month from the 31st is the last day of a month that is shorter.
func Read(words string, now time.Time) (s Span, ok bool) {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	w := strings.Fields(strings.ToLower(words))
	switch {
	case len(w) == 1:
		switch w[0] {
		case "today":
			return oneDay(today)
		case "tomorrow":
			return oneDay(today.AddDate(0, 0, 1))
		case "yesterday":
			return oneDay(today.AddDate(0, 0, -1))
		}
		if day, ok := Weekday(w[0]); ok {
			return oneDay(today.AddDate(0, 0, 1+(day-FromMonday(today)+6)%7))
		}
	case len(w) == 2:
		step, known := map[string]int{"last": -1, "this": 0, "next": 1}[w[0]]
		if !known {
			break
		}
		if day, ok := Weekday(w[1]); ok {
			if step == 0 && day < FromMonday(today) {
				step = 1
			}
			return oneDay(today.AddDate(0, 0, 7*step+day-FromMonday(today)))
		}
		return period(w[1], step, today)
	case len(w) > 2 && w[0] == "end" && w[1] == "of":
		w = w[2:]
		if len(w) == 2 && (w[0] == "the" || w[0] == "this") {
			w = w[1:]
		}
		if s, ok = period(w[0], 0, today); ok && len(w) == 1 {
			return oneDay(s.Last)
		}
	case len(w) == 3 && w[0] == "in":
		return away(w[1], w[2], 1, today)
	case len(w) == 3 && w[2] == "ago":
		return away(w[0], w[1], -1, today)
	}
	return Span{}, false
}

// FromMonday returns the day of t's week, 0 for Monday to 6 for Sunday.
func FromMonday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

// Weekday reads the name of a day in lower case, or its first three letters: 0 for Monday to 6 for Sunday.
func Weekday(name string) (day int, ok bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if whole := strings.ToLower(d.String()); name == whole || name == whole[:3] {
			return (int(d) + 6) % 7, true
		}
	}
	return 0, false
}

// Count reads a number of at most 1,000 as people write one in such a phrase: digits, "a", "an", "one" to
// "twelve".
func Count(word string) (n int, ok bool) {
	for i, names := range []string{"a an one", "two", "three", "four", "five", "six", "seven", "eight",
		"nine", "ten",
		"eleven", "twelve"} {
		for name := range strings.FieldsSeq(names) {
			if word == name {
				return i + 1, true
			}
		}
	}
	n, err := strconv.Atoi(word)
	return n, err == nil && n >= 0 && n <= 1000
}

func oneDay(t time.Time) (Span, bool) { return Span{t, t}, true }

// period returns the week, month, quarter or year that is n units from today's.
func period(unit string, n int, today time.Time) (Span, bool) {
	y, m, _ := today.Date()
	on := func(y int, m time.Month, d int) time.Time {
		return time.Date(y, m, d, 0, 0, 0, 0,
			today.Location())
	}
	switch unit {
	case "week":
		monday := today.AddDate(0, 0, 7*n-FromMonday(today))
		return Span{monday, monday.AddDate(0, 0, 6)}, true
	case "month":
		return Span{on(y, m+time.Month(n), 1), on(y, m+time.Month(n)+1, 0)}, true
	case "quarter":
		first := (m-1)/3*3 + 1 + time.Month(3*n)
		return Span{on(y, first, 1), on(y, first+3, 0)}, true
	case "year":
		return Span{on(y+n, 1, 1), on(y+n, 12, 31)}, true
	}
	return Span{}, false
}

// away returns the day that is so many units from today.
func away(count, unit string, sign int, today time.Time) (Span, bool) {
	n, ok := Count(count)
	if !ok {
		return Span{}, false
	}
	n *= sign
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return oneDay(today.AddDate(0, 0, n))
	case "week":
		return oneDay(today.AddDate(0, 0, 7*n))
	case "month":
		return oneDay(months(today, n))
	case "year":
		return oneDay(months(today, 12*n))
	}
	return Span{}, false
}

func months(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	last := time.Date(y, m+time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(y, m+time.Month(n), min(d, last), 0, 0, 0, 0, t.Location())
}
