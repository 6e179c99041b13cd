package brief

import (
	"strings"
)

// Filing returns the instructions for a subagent on how to file what later sessions need. program is the
// path of keepsake, agent the name to sign with. With card they also explain how to add progress to the
// project's card.
func Filing(program, agent string, card bool) string {
	program = ShellWord(program)
	progress := ""
	if card {
		progress = "What moved the project on goes to its card: " + program +
			" project progress 'the sentence'. "
	}
	return "This project keeps memories. If your task settles something that later sessions need (a " +
		"decision, the cause of a bug, a way of working, what the user prefers), file each in one " +
		"sentence, and say in your answer that you did:\n" +
		program + " md note --by " + agent + " 'the sentence'\n" +
		"It finds the file and keeps the indexes in step; write no other memory files. " + progress +
		"Most tasks settle nothing."
}

// maxFiledPaths is how many files are named of what one subagent filed.
const maxFiledPaths = 5

// Filed returns a line for the agent about what a subagent wrote into the memories. The paths are
// relative to their directory.
func Filed(agent string, paths []string) string {
	var named []string
	for _, p := range paths[:min(len(paths), maxFiledPaths)] {
		named = append(named, Text(p, maxQuote))
	}
	files := strings.Join(named, ", ")
	if len(paths) > maxFiledPaths {
		files += ", …"
	}
	return "<memory-note>Subagent " + Text(agent, maxQuote) + " filed memories [source: keepsake md note]: " +
		files +
		". The indexes are in step; if a project's state or rules changed, `keepsake md mentions WORD` " +
		"lists what else speaks of it.</memory-note>"
}
