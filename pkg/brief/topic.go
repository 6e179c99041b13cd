package brief

import "strings"

// Topic returns what a Stop hook says when the person has closed a topic of a project that
// has a card: the words that closed it, and the command that sums it up.
func Topic(words string) string {
	var b strings.Builder
	b.WriteString("The user closed a topic: " + quoted(words, maxQuote) + " [source: user].\n")
	b.WriteString("The project has a card on the blackboard of its Markdown memories, and the user has set " +
		"Keepsake up to keep closed topics there, in short and without the conversation. One command does " +
		"it, whose path the skill `keepsake:memory` has:\n")
	b.WriteString("`keepsake project topic 'WHAT IT WAS ABOUT' --points 'one or two sentences'`, with " +
		"`--status 'in progress'` or `--status pending` unless it is done, `--decision TEXT` if there was " +
		"one, `--follow-up TEXT` for what is still open, `--details PATH` where more is to be found.\n")
	b.WriteString("If there was nothing that a later session needs, leave it. One line that says what was " +
		"done is enough.")
	return b.String()
}
