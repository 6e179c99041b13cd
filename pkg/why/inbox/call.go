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
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/git"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// callThing returns the Thing for a call that the gate stopped.
func (b *Inbox) callThing(c Call) Thing {
	r := c.Request
	t := Thing{ID: r.ID, Approve: "Approve this one call?",
		Reject: "Reject this call?", Review: "Approve this one call?", Keys: "ynlq",
		Unanswered: r.ID + stillWaits}
	if r.By != "" {
		t.Unanswered = r.ID + " stays as you answered it"
	}
	t.view = func() View {
		v := View{Text: wholeCall(c, b.Now())}
		if c.Doubtful() {
			v.Alone = r.ID + " wants an answer of its own: " + strings.ToLower(c.CallOrigin.String())
		}
		return v
	}
	undo := func(context.Context) (string, error) {
		_, err := b.Calls.Unanswer(r.ID)
		return r.ID + waitsAgain, err
	}
	t.Answer = func(_ context.Context, yes bool) (Done, error) {
		if !yes {
			_, err := b.Calls.Reject(r.ID, approval.Terminal, "", b.Now())
			return Done{Said: "rejected: " + r.ID, Undo: undo}, err
		}
		_, err := b.Calls.Approve(r.ID, approval.Terminal, "", b.Now())
		return Done{Said: fmt.Sprintf("approved: %s, for one call within %d minutes", r.ID,
			int(approval.Valid.Minutes())), Undo: undo}, err
	}
	return t
}

// A Call is a call that the gate stopped, with what a list shows of it.
type Call struct {
	approval.Request
	Says  string `json:"says"`            // the beginning of what it would keep or run
	Where string `json:"where,omitempty"` // where it would be kept
	session.CallOrigin
}

// rowRunes is how many characters of a line a list shows behind its indentation: it fits a screen of 80
// columns.
const rowRunes = 78

// calls returns stopped calls with what a list shows of them. What was said in their sessions is read.
func (b *Inbox) calls(all []approval.Request) []Call {
	calls := make([]Call, len(all))
	of := map[string][]int{} // by project
	for i, r := range all {
		calls[i] = Call{Request: r, Where: placeOf(r), Says: rules.Says(r.Args)}
		of[r.Project] = append(of[r.Project], i)
	}
	for project, numbers := range of {
		var those []approval.Request
		for _, i := range numbers {
			those = append(those, all[i])
		}
		s, err := session.In(project, "")
		for k, i := range numbers {
			if err != nil {
				calls[i].Why = "what was said in its session can't be read"
			} else if k == 0 {
				for n, o := range s.CallOrigins(those, git.Committed(s.Root)) {
					calls[numbers[n]].CallOrigin = o
				}
			}
		}
	}
	return calls
}

// placeOf returns where a call would keep something, or "". A promotion's place is in its reason.
func placeOf(r approval.Request) string {
	place := rules.Place(r.Args)
	if lines := strings.SplitN(r.Reason, "\n", 3); r.Writes != "" && len(lines) > 1 {
		place = lines[1]
	}
	return text.Safe(place)
}

// head returns the first line of a call in a list: the id, how long ago it was asked, whose words it has, how
// often it was made, the tool, where to and the project. What could be cut stands last.
func (c Call) head(now time.Time) string {
	times := ""
	if c.Times > 1 {
		times = fmt.Sprintf("x%d ", c.Times)
	}
	tool := strings.TrimPrefix(rules.ShortTool(c.Tool), "mempalace_")
	if c.Writes != "" { // the command only carries it
		tool = "promote"
	}
	to := ""
	if c.Where != "" {
		to = " -> " + c.Where
	}
	return text.Shorten(fmt.Sprintf("%-8s %-9s %-14s %s%s%s (%s)", c.ID, ago(now.Sub(c.Asked)),
		c.CallOrigin.String(), times, text.Safe(tool), to, text.Safe(path.Base(c.Project))), rowRunes)
}

// lines returns a call as two lines of a list: its head, and the beginning of its text.
func (c Call) lines(now time.Time) []string {
	return []string{c.head(now), fmt.Sprintf("%9s\"%s\"", "", c.Says)}
}

// callLine returns the line of an answered call in a list.
func callLine(c approval.Request, now time.Time) string {
	first, _, _ := strings.Cut(c.Reason, "\n")
	return text.Shorten(fmt.Sprintf("%-8s %-9s %s: %s", c.ID, ago(now.Sub(c.Asked)),
		text.Safe(path.Base(c.Project)), text.Safe(first)), rowRunes)
}

// brief returns all that a person has to know of a call before they approve it with others: its head, what
// the gate warns of, why its words are in doubt, and every byte of its text and of its other arguments.
func (c Call) brief(now time.Time) []string {
	lines := []string{c.head(now)}
	for _, l := range rules.Warnings(c.Rule, c.Reason, placeOf(c.Request)) {
		lines = append(lines, "  "+text.Safe(l))
	}
	if c.Why != "" {
		lines = append(lines, "  "+text.Safe(c.Why))
	}
	content := rules.Content(c.Args)
	shown := text.SafeLines("  | ", content) + otherArguments(c.Args, content, c.Writes != "")
	return append(lines, strings.Split(strings.TrimSuffix(shown, "\n"), "\n")...)
}

// otherArguments returns the arguments beside the content and the place, as arguments does. A promotion has
// none: its command only repeats its text.
func otherArguments(args []byte, content string, promotion bool) string {
	if promotion || content == string(args) {
		return ""
	}
	var b strings.Builder
	for l := range strings.Lines(arguments(rules.Others(args))) {
		b.WriteString("  " + l)
	}
	return b.String()
}

// wholeCall returns every stored byte of the call's arguments, line by line. It reports whether secrets
// were taken out.
func wholeCall(c Call, now time.Time) string {
	var b strings.Builder
	times := ""
	if c.Times > 1 {
		times = fmt.Sprintf(", %d times", c.Times)
	}
	fmt.Fprintf(&b, "%s, asked %s%s\n\n", c.ID, ago(now.Sub(c.Asked)), times)
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
	whose := c.CallOrigin.String()
	if c.Why != "" {
		whose += ": " + c.Why
	}
	row("origin", whose)
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
	Waiting  []Call             `json:"waiting"`
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
	a.Waiting = b.calls(waiting)
	a.Approved = append([]approval.Request{}, given...)
	a.Rejected = append([]approval.Request{}, refused...)
	a.Settled = append([]approval.Outcome{}, done...)
	return a, errors.Join(werr, aerr, serr)
}

// Text returns the approvals as a person reads them.
func (a Approvals) Text(now time.Time) string {
	var g groups
	var waiting []string
	for _, c := range a.Waiting {
		waiting = append(waiting, c.lines(now)...)
	}
	g.add("Waits for you (keepsake inbox approve or reject ID, ID-ID or all):", waiting...)
	for _, some := range [...]struct {
		head  string
		calls []approval.Request
	}{{"Approved, not used yet:", a.Approved}, {"Rejected:", a.Rejected}} {
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
	if g.add("Settled:", lines...); len(g) == 0 {
		return "nothing waits, and nothing was answered in the last day"
	}
	return g.text()
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
