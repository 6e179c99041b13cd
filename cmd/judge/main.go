// Command judge says what the gate does with a tool call, with the palaces, links and
// scripts of this machine, and runs none. `keepsake gate test` starts it as
// bin/libexec/judge, so that the command line doesn't link the parser of shell commands,
// whose tables slow every start; the hook that decides is bin/hooks/pretooluse. It reads
// rules.Question, one JSON object after the other, and prints one
// rules.Answer for each, until its input ends.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"keepsake/pkg/gate/host"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/gate/shell"
)

// limit is how long one call may take: whoever started this may be gone.
const limit = time.Minute

// most is the longest JSON that is read of one question, in bytes: in base64 the
// arguments are a third more.
const most = 2 * rules.MaxArgs

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "judge: %v; hint: `keepsake gate test` runs this\n", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	bounded := &io.LimitedReader{R: in}
	from, to := json.NewDecoder(bounded), json.NewEncoder(out)
	for {
		bounded.N = most
		var q rules.Question
		if err := from.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a call: %w", err)
		}
		late := time.AfterFunc(limit, func() {
			fmt.Fprintf(os.Stderr, "judge: a call of %s was not judged within %v\n", q.Tool, limit)
			os.Exit(1)
		})
		c := host.Call(q.Event)
		c.Dialog = q.Dialog
		v := shell.Judge(c)
		err := to.Encode(rules.Answer{Decision: v.Decision.String(), Checkpoint: v.Checkpoint, Rule: v.Rule,
			Reason: v.Reason})
		late.Stop()
		if err != nil {
			return fmt.Errorf("print a verdict: %w", err)
		}
	}
}
