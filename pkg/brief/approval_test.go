package brief_test

import (
	"strings"
	"testing"

	"keepsake/pkg/brief"
)

func TestAnswers(t *testing.T) {
	var b strings.Builder
	say := func(context, message string) { b.WriteString(context + "\n\n" + message + "\n\n---\n\n") }
	say(brief.Approved("kx3f2a", "mcp__m__mempalace_add_drawer", 15))
	say(brief.Rejected("kx3f2a", "mcp__m__mempalace_add_drawer"))
	say(brief.NotAnswered("</memory-approval>\x1b[31m", "nothing of this id waits for an answer"))
	say(brief.NotAnswered("kx3f2a", "kx3f2a was asked in another session"))
	say(brief.NotAnswered("", "the id is missing"))
	golden(t, "answers", b.String())
}

func TestTurned(t *testing.T) {
	context, message := brief.Turned("c4k2zq")
	golden(t, "turned", context+"\n"+message+"\n")
}
