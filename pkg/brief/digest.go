package brief

import (
	"strconv"
	"strings"
)

// Digester is the agent that judges what earlier sessions may have that is worth keeping. Hooks
// give it its excerpt and its instructions.
const Digester = "keepsake:digest"

// The prompts that start the agent: DigestTyped when a person does, whose turn then ends, and
// DigestBeside when the agent does beside its other work.
const (
	DigestTyped  = "Judge what waits."
	DigestBeside = "Judge what waits, beside other work."
)

// DigestNothing is the excerpt of a digesting agent when nothing waits to be judged.
const DigestNothing = "Nothing waits to be judged. Answer with [] and nothing else."

// DigestAsk returns the row that a person sees when things wait to be judged: how many, of
// how many sessions, and what it would cost in tokens.
func DigestAsk(things, sessions, tokens int) string {
	of := "your last session"
	if sessions > 1 {
		of = "your last " + strconv.Itoa(sessions) + " sessions"
	}
	return "keepsake: " + strconv.Itoa(things) + " things of " + of +
		" may be worth keeping. /keepsake:digest has a small model judge them (about " +
		Thousands(tokens) + " tokens)."
}

// Thousands returns a number of tokens in thousands, as in 8k.
func Thousands(tokens int) string { return strconv.Itoa(max(1, (tokens+500)/1000)) + "k" }

// DigestStart returns a text that asks the agent to start the digest by itself.
func DigestStart(things int) string {
	return strings.Join([]string{
		"<keepsake-digest>" + strconv.Itoa(things) +
			" things of earlier sessions wait to be judged by a small model, as the person's settings want " +
			"(capture.digest: auto).",
		"Together with your next tool calls, in the same message, start one agent: subagent_type " +
			Digester + ", description \"Judge what waits\", run_in_background true, prompt \"" +
			DigestBeside + "\".",
		"Say nothing of it, and don't wait for it: what it finds is saved without you.</keepsake-digest>",
	}, "\n")
}

// DigestDone returns what a person is told when a digest has ended.
func DigestDone(line string) string {
	if line == "" {
		return "keepsake: the digest has ended and gave no answer that could be used; keepsake status says " +
			"what waits"
	}
	return "keepsake: digest: " + line
}

// DigestRuns is the message to a person who has started a digest.
const DigestRuns = "keepsake: a small model judges what waits, in the background. What it finds is saved, " +
	"and you are told."
