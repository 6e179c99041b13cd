package inbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"keepsake/pkg/gate/approval"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// callThing returns the Thing for a call that the gate stopped.
func (b *Inbox) callThing(r approval.Request) Thing {
	t := Thing{ID: r.ID, Whole: wholeCall(r, b.Now()), Approve: "Approve this one call?",
		Reject: "Reject this call?", Review: "Approve this one call?", Keys: "ynlq",
		Unanswered: r.ID + stillWaits}
	if r.By != "" {
		t.Unanswered = r.ID + " stays as you answered it"
	}
	t.Answer = func(_ context.Context, yes bool) (Done, error) {
		if !yes {
			_, err := b.Calls.Reject(r.ID, approval.Terminal, "", b.Now())
			return Done{Said: "rejected: " + r.ID}, err
		}
		_, err := b.Calls.Approve(r.ID, approval.Terminal, "", b.Now())
		return Done{Said: fmt.Sprintf("approved: %s, for one call within %d minutes", r.ID,
			int(approval.Valid.Minutes()))}, err
	}
	return t
}

// callLine returns the line of a call in a list: the id, how long ago it was asked, the project, and the
// first two lines of the reason (what is at stake, and where to).
func callLine(c approval.Request, now time.Time) string {
	lines := strings.SplitN(c.Reason, "\n", 3)
	return fmt.Sprintf("%-8s %-9s %s: %s", c.ID, ago(now.Sub(c.Asked)), text.Safe(path.Base(c.Project)),
		text.Safe(strings.Join(lines[:min(2, len(lines))], ", ")))
}

// wholeCall returns every stored byte of the call's arguments, line by line. It reports whether secrets
// were taken out.
func wholeCall(c approval.Request, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, asked %s\n\n", c.ID, ago(now.Sub(c.Asked)))
	for line := range strings.SplitSeq(c.Reason, "\n") {
		if !strings.HasPrefix(line, "hint: ") {
			fmt.Fprintf(&b, "  %s\n", text.Safe(line))
		}
	}
	b.WriteByte('\n')
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-11s %s\n", name, text.Safe(value))
		}
	}
	row("tool", c.Tool)
	row("project", c.Project)
	row("session", c.Session)
	row("agent", c.Agent)
	row("checkpoint", c.Checkpoint)
	if bytes.Contains(c.Args, []byte(secret.Redacted)) || strings.Contains(c.Reason, secret.Redacted) {
		row("taken out", "a secret stood where "+secret.Redacted+
			" stands: it is not kept, and the yes is for the call with it")
	}
	return b.String() + "\n" + arguments(c.Args)
}

// arguments prints the members of one JSON object in their order. A text of several lines stands below its
// name, each line behind a bar.
func arguments(args []byte) string {
	var b strings.Builder
	broken := func() string { return b.String() + "  | " + text.Safe(string(args)) + "\n" }
	d := json.NewDecoder(bytes.NewReader(args))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return broken()
	}
	for d.More() {
		key, err := d.Token()
		var raw json.RawMessage
		if err != nil || d.Decode(&raw) != nil {
			return broken()
		}
		name := text.Safe(fmt.Sprint(key))
		var value string
		if json.Unmarshal(raw, &value) != nil {
			value = string(raw)
		}
		lines := strings.Count(value, "\n") + 1
		if lines == 1 && len(value) < 60 {
			fmt.Fprintf(&b, "%s: %s\n", name, text.Safe(value))
			continue
		}
		fmt.Fprintf(&b, "%s (%s, %s):\n%s", name, text.Count(lines, "line"), text.Count(len(value), "byte"),
			text.SafeLines("  | ", value))
	}
	return b.String()
}

// Approvals are the calls that the gate stopped in any project, and the person's answers.
type Approvals struct {
	Waiting  []approval.Request `json:"waiting"`
	Approved []approval.Request `json:"approved"` // not used yet
	Rejected []approval.Request `json:"rejected"`
	Settled  []approval.Outcome `json:"settled"`
}

// Approvals returns the calls that wait, the answers that still count, and the outcomes of approved calls
// in the last day. It returns an error for what can't be read, and still returns the rest.
func (b *Inbox) Approvals() (a Approvals, err error) {
	now := b.Now()
	waiting, werr := b.Calls.Waiting(now)
	given, refused, aerr := b.Calls.Answered(now)
	done, serr := b.Calls.Settled(now.Add(-approval.Kept))
	a.Waiting = append([]approval.Request{}, waiting...)
	a.Approved = append([]approval.Request{}, given...)
	a.Rejected = append([]approval.Request{}, refused...)
	a.Settled = append([]approval.Outcome{}, done...)
	return a, errors.Join(werr, aerr, serr)
}

// Text returns the approvals as a person reads them.
func (a Approvals) Text(now time.Time) string {
	var g groups
	for _, some := range [...]struct {
		head  string
		calls []approval.Request
	}{{"Waits for you (keepsake review shows all of it):", a.Waiting},
		{"Approved, not used yet:", a.Approved}, {"Rejected:", a.Rejected}} {
		var lines []string
		for _, r := range some.calls {
			lines = append(lines, callLine(r, now))
		}
		g.add(some.head, lines...)
	}
	var lines []string
	for _, o := range a.Settled {
		lines = append(lines, settledLine(o, now))
	}
	if g.add("Settled:", lines...); g == "" {
		return "nothing waits, and nothing was answered in the last day"
	}
	return string(g)
}

// settledLine returns a line with the outcome of an approved call.
func settledLine(o approval.Outcome, now time.Time) string {
	line := fmt.Sprintf("%-8s %-9s %s by %s: %s", o.ID, ago(now.Sub(o.Time)), o.Result, o.By,
		text.Safe(o.Tool))
	if len(o.Stored) > 0 {
		line += " " + text.Safe(strings.Join(o.Stored[:min(3, len(o.Stored))], ", "))
		if len(o.Stored) > 3 {
			line += fmt.Sprintf(" (+%d more)", len(o.Stored)-3)
		}
	}
	return line
}
