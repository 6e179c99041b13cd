// Command judge prints the gate's verdict on tool calls, given the palaces, links and scripts of this
// machine. It runs none of the calls. `keepsake gate test` starts it as bin/libexec/judge, so that the
// command line doesn't link the parser of shell commands, whose tables slow every start. The hook that
// decides is bin/hooks/pretooluse. judge reads rules.Question, one JSON object after the other, and
// prints one rules.Answer for each, until its input ends.
package main

import (
	"fmt"
	"io"
	"os"

	"keepsake/pkg/gate/host"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/libexec"
)

// most is the longest JSON that is read of one question, in bytes: in base64 the
// arguments are a third more.
const most = 2 * rules.MaxArgs

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "judge: %v; hint: `keepsake gate test` runs this\n", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error { return libexec.Serve(in, out, most, judge) }

func judge(q rules.Question) rules.Answer {
	c := host.Call(q.Event)
	c.Dialog = q.Dialog
	v := host.Judge(q.Event, c)
	return rules.Answer{Decision: v.Decision.String(), Checkpoint: v.Checkpoint, Rule: v.Rule,
		Reason: v.Reason}
}
