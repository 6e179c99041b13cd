package text

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Count returns a number of things in words: "1 draft", "2 drafts", "2 memories".
func Count(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y") && !strings.HasSuffix(thing, "ey") && !strings.HasSuffix(thing, "ay"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(thing, "y")) // memories, but keys and days
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Age returns a duration in the largest unit that fits: "50s", "3 days". A negative duration, from a clock
// that stepped back, counts as zero.
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%dmin", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// Size returns a number of bytes for people: "12 KB", "3.4 MB".
func Size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// ModelTokens estimates how many tokens of a model a text is, rather too many than too few.
func ModelTokens(s string) int {
	ascii, other := 0, 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return (ascii*10 + other*35 + 34) / 35
}
