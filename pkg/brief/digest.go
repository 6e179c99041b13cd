package brief

import (
	"strconv"
	"strings"
)

// Digester is the agent that judges what earlier sessions may have that is worth
// keeping. Its excerpt and its instructions come by hooks.
const Digester = "keepsake:digest"

// The prompts by which the agent is started: by a person, whose turn is over then, and
// by the agent beside its other work.
const (
	DigestTyped  = "Judge what waits."
	DigestBeside = "Judge what waits, beside other work."
)

// DigestNothing is what an agent is told that has nothing to judge.
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

// Thousands says a number of tokens as people do: 8k.
func Thousands(tokens int) string { return strconv.Itoa(max(1, (tokens+500)/1000)) + "k" }

// DigestStart has the agent start the digest without being asked.
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

// DigestRuns ends the turn in which a person started a digest.
const DigestRuns = "keepsake: a small model judges what waits, in the background. What it finds is saved, " +
	"and you are told."
