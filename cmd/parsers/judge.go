package main

import (
	"io"
	"time"

	"keepsake/pkg/gate/host"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/libexec"
)

// maxCall is the longest JSON that is read of one question about a call, in bytes: in base64 the arguments
// are a third more.
const maxCall = 2 * rules.MaxArgs

// judgeCalls prints the gate's verdict on tool calls, given the palaces, links and scripts of this machine.
// It runs none of the calls. The hook that decides is bin/hooks/pretooluse.
func judgeCalls(in io.Reader, out io.Writer) error { return libexec.Serve(in, out, maxCall, judge) }

func judge(q rules.Question) rules.Answer {
	c := host.Call(q.Event)
	c.Dialog = q.Dialog
	guards := host.OpenGuards(q.Event)
	c.Watch = guards.Watch()
	v := host.Judge(q.Event, c)
	switch g := guards.Weigh(v, func() bool { return q.Dialog }, time.Now()); {
	case g.Decision != rules.Pass:
		return rules.Answer{Decision: g.Decision.String(), Checkpoint: "guard", Rule: "guard",
			Reason: g.Reason}
	case v.Decision == rules.Pass && g.Say != "":
		return rules.Answer{Decision: v.Decision.String(), Checkpoint: "guard", Rule: "guard", Reason: g.Say}
	}
	return rules.Answer{Decision: v.Decision.String(), Checkpoint: v.Checkpoint, Rule: v.Rule,
		Reason: v.Reason}
}
