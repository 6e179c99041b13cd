package brief

import "keepsake/pkg/text"

// BrokenBy returns a line about the commit that broke a check, and the path to which it moved a file, "" for
// none. All of it is what somebody wrote.
func BrokenBy(commit, date, subject, author, movedTo string) string {
	said := "broken by " + commit + " of " + day(date) + ", \"" +
		Line(text.Shorten(subject, 100)) + "\", by " + Line(text.Shorten(author, 60))
	if movedTo != "" {
		said += "; it moved it to " + Line(text.Shorten(movedTo, 200))
	}
	return said
}
