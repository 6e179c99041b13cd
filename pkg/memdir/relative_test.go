package memdir_test

import (
	"strings"
	"testing"

	"keepsake/pkg/memdir"
	"keepsake/pkg/search/alike"
)

// TestRelativeDates has lines with what is relative in them between brackets.
func TestRelativeDates(t *testing.T) {
	for _, marked := range []string{
		"We decided [yesterday] to keep it.", "[Last week] the importer broke.", "Look again [next Friday].",
		"It was [recently] moved.", "[Yesterday]'s build is the candidate.",
		"As of [today] it is the candidate.", "Broken since [last Monday]; fixed [this morning].",
		"Seen [two days ago], then [3 weeks ago] and [a month ago].",
		"It hung [a few days ago] and [a couple of weeks ago].", "Due [by Thursday].",
		"Frozen [until Monday].", "Merges wait [after Thursday].", "Frozen [from Friday] on.",
		"The demo is [on Tuesday].",
		"It ran [two hours ago], [5 minutes ago], [one year ago] and [ten sprints ago].",
		"Frozen [before Friday].", "Shown [this Friday].", "[Next March] it moves.",
		"On call [since Tuesday].", "It goes away [soon].", "Slow [lately], worse [the other day].",
		"Planned for [next quarter], dropped [last year].", "Ships [tomorrow], tested [last night].",
		"It is down [right now].", "2026-10-02: [yesterday] it hung.", "Changed in [the last few weeks].",
		"It ran [an hour ago].", "Ask [this week]'s on-call.", "Moved [last December], twice.",

		"Said on 2026-03-10 (yesterday).", "We decided last week (2026-03-10).",
		"Due next Friday, 2026-03-13.", "It was last March 2025.", "Next Monday, 6 March, is free.",
		`The user said "yesterday it worked".`, "“Last week” becomes a date.",
		"They call it 'next week' there.", "Run `git log --since=yesterday`.",
		"See [next week](next-week.md).", "The last week of the month has no deploys.",
		"As soon as it is green, merge.", "The least recently used entry goes.", "Most recently, first.",
		"Sort by recently used.", "Standup on Monday at 9.", "Deploys are on Monday and Thursday.",
		"Deploys are on Monday or Thursday.", "Closed from Friday to Sunday.", "Open on Sunday mornings.",
		"Always deploy by Thursday.", "Each week ends on Friday.", "Review every week on Friday.",
		"Tokens expire in 30 days.", "The next day belongs to on-call.", "Use next.js and last_week.go.",
		"The widget shows today and tomorrow.", "Yesterdays are gone.", "lastweek",
		"Open from Monday to Friday.", "It logs at the moment of a crash.",
		"The next step is a test, the last one a deploy.", "Never deploy on Friday.",
		"The cron texts tomorrow's loads.", "It shows today's orders.", "It took 3 weeks.", "", "Sundays",
	} {
		var want []string
		for rest := marked; ; {
			_, after, ok := strings.Cut(rest, "[")
			if !ok || strings.Contains(marked, "](") {
				break
			}
			var phrase string
			phrase, rest, _ = strings.Cut(after, "]")
			want = append(want, phrase)
		}
		text := marked
		if len(want) > 0 {
			text = strings.NewReplacer("[", "", "]", "").Replace(marked)
		}
		var got []string
		d := memdir.Dir{Now: now, Files: []memdir.File{{Path: "a.md", Bytes: []byte(text)}},
			Alike: alike.Notes}
		for _, f := range memdir.Lint(d, memdir.Profiles()[0]) {
			if f.Rule == "date-relative" {
				_, quoted, _ := strings.Cut(f.Why, `"`)
				phrase, _, _ := strings.Cut(quoted, `"`)
				got = append(got, phrase)
			}
		}
		if strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("%s\n got %q\nwant %q", text, got, want)
		}
	}
}
