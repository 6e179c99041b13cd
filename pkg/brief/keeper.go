package brief

import (
	"strconv"
	"strings"

	"keepsake/pkg/scratch"
)

// Keeper is the agent that looks through notes, and keeperNotes the first line of
// what it is told.
const (
	Keeper      = "keepsake:memory-keeper"
	keeperNotes = "Notes: " + scratch.Dir
)

// Unseen returns the text at the end of a turn about n notes that no memory-keeper has looked at, and how
// to start a memory-keeper. passages are the files with what was noticed in the conversation. It is ""
// without notes.
func Unseen(n int, passages []string) string {
	if n == 0 {
		return ""
	}
	var b strings.Builder
	if n == 1 {
		b.WriteString("One note in .agents/memory/scratch has not been looked at by a memory-keeper yet " +
			"[source: scratch].\n")
	} else {
		b.WriteString(strconv.Itoa(n) +
			" notes in .agents/memory/scratch have not been looked at by a memory-keeper yet [source: " +
			"scratch].\n")
	}
	b.WriteString("The user has set Keepsake up to have that done now, by the agent `" + Keeper +
		"`, which reads only. Its prompt is exactly:\n" + keeperNotes + "\n")
	for _, p := range passages {
		b.WriteString("Passages: " + Text(p, 0) + "\n")
	}
	b.WriteString("When it has ended, Keepsake itself checks what it proposes, puts it on the user's inbox " +
		"and tells the user. Nothing more is to be done: one line that says so is enough, and nothing is " +
		"promoted that the user has not asked for.")
	return b.String()
}

// Proposed returns a line for the person about the outcome of a memory-keeper's document, or "" if it
// proposed nothing.
func Proposed(taken, refused int) string {
	if taken+refused == 0 {
		return ""
	}
	said := "keepsake: the memory-keeper proposed nothing that could be taken"
	switch {
	case taken == 1:
		said = "keepsake: 1 candidate for good keeping waits for you (keepsake review in a terminal)"
	case taken > 1:
		said = "keepsake: " + strconv.Itoa(taken) +
			" candidates for good keeping wait for you (keepsake review in a terminal)"
	}
	if refused > 0 {
		said += "; " + strconv.Itoa(refused) + " not taken, keepsake inbox says why"
	}
	return said
}
