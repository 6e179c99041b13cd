package date_test

import (
	"testing"
	"time"

	"keepsake/pkg/text/date"
)

func TestRead(t *testing.T) {
	friday := time.Date(2026, 11, 27, 15, 4, 5, 0, time.UTC)
	for words, want := range map[string]string{
		"today": "2026-11-27", "Tomorrow": "2026-11-28", "yesterday": "2026-11-26",
		"friday": "2026-12-04", "sat": "2026-11-28", "thursday": "2026-12-03",
		"this friday": "2026-11-27", "this sunday": "2026-11-29", "this monday": "2026-11-30",
		"next friday": "2026-12-04", "next monday": "2026-11-30", "next sunday": "2026-12-06",
		"last friday": "2026-11-20", "last monday": "2026-11-16",
		"this week": "2026-11-23 2026-11-29", "next week": "2026-11-30 2026-12-06",
		"last month": "2026-10-01 2026-10-31", "next month": "2026-12-01 2026-12-31",
		"this quarter": "2026-10-01 2026-12-31", "next quarter": "2027-01-01 2027-03-31",
		"last year":    "2025-01-01 2025-12-31",
		"end of month": "2026-11-30", "end of the week": "2026-11-29", "end of this year": "2026-12-31",
		"in 2 weeks": "2026-12-11", "in a month": "2026-12-27", "in three days": "2026-11-30",
		"3 days ago": "2026-11-24", "a year ago": "2025-11-27", "in 3 months": "2027-02-27",
		"": "", "soon": "", "in many days": "", "in -1 days": "", "in 2000 days": "",
		"the 5th": "", "next": "",
		"end of": "", "end of days": "", "next friday week": "", "in 2 sprints": "",
	} {
		got := ""
		if s, ok := date.Read(words, friday); ok {
			if got = s.First.Format(time.DateOnly); !s.First.Equal(s.Last) {
				got += " " + s.Last.Format(time.DateOnly)
			}
		}
		if got != want {
			t.Errorf("%q is %q, want %q", words, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("next friday", int64(0))
	f.Add("in 12 months", int64(1e9))
	f.Fuzz(func(t *testing.T, words string, at int64) {
		s, ok := date.Read(words, time.Unix(at%(1<<36), 0).UTC())
		if ok && (s.Last.Before(s.First) || s.First.Hour() != 0 || s.Last.Hour() != 0) {
			t.Fatalf("%q: %v", words, s)
		}
	})
}
