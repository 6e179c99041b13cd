package brief

import (
	"fmt"
	"slices"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/search/alike"
)

// A Recalled is a memory, with what is known about whose words it has.
type Recalled struct {
	memory.Stored
	Origin   finding.Origin  // "" where it is from before that was kept
	Accepted bool            // the person was shown it whole and said yes
	Signer   string          // who of the approvers that the person accepted signed it; "" for nobody
	Quotes   []string        // what the person said, word for word
	Agent    []string        // the fields that have the agent's wording, as origin.Fields names them
	Disputes []alike.Dispute // the older memories that say the opposite, see Undisputed
	Against  Unwritten       // what the person said against it that is not settled; zero for nothing
	Flags    []string        // what is known against it here, such as that its check fails
}

// maxSaid bounds what a person said beside a memory, in bytes of each quote, and
// shownSaid how many there are.
const (
	maxSaid   = 400
	shownSaid = 3
)

// maxSigner bounds the name of who signed a memory, in bytes.
const maxSigner = 60

// originMark returns the words in the head line of a memory that name its origin, or "" if it is plainly
// the person's.
func (r *Recalled) originMark() string {
	switch {
	case r.Accepted:
		return ", accepted by the user"
	case r.Signer != "":
		return ", approved by " + Text(r.Signer, maxSigner)
	case r.Origin == finding.FromAgent:
		return ", said by the agent"
	}
	return ""
}

// disputeMarks returns the older memories that say the opposite, in the brackets of its head line.
func (r *Recalled) disputeMarks() string {
	marks := ""
	for _, d := range r.Disputes {
		marks += " [disputed: also says " + quoted(d.Title, maxDisputed) + " " + day(d.Since) + "]"
	}
	return marks
}

// flagMarks returns what is known against the memory here, in the brackets of its head line.
func (r *Recalled) flagMarks() string {
	marks := ""
	for _, f := range r.Flags {
		marks += " [" + Text(f, maxFlag) + "]"
	}
	return marks
}

// said returns the person's own words, which stand before the fields where one of these
// has the agent's wording.
func (r *Recalled) said() (fields []field) {
	if r.Origin != finding.FromPerson || len(r.Agent) == 0 {
		return nil
	}
	for _, q := range r.Quotes[:min(len(r.Quotes), shownSaid)] {
		fields = append(fields, field{"The user said", "“" + Text(q, maxSaid) + "”"})
	}
	return fields
}

// label returns the label of a field. In a person's memory it marks a field that has the agent's wording.
func (r *Recalled) label(f memory.Field) string {
	if r.Origin == finding.FromPerson && slices.Contains(r.Agent, "content."+f.Name) {
		return f.Label + " (the agent's words)"
	}
	return f.Label
}

// title returns the title of a memory. In a person's memory it marks a title that has the agent's
// wording.
func (r *Recalled) title() string {
	t := Text(r.Title, maxRecalledTitle)
	if r.Origin == finding.FromPerson && slices.Contains(r.Agent, "title") {
		return t + " (titled by the agent)"
	}
	return t
}

// aside returns the same words as part of a sentence.
func (r *Recalled) aside() string {
	if m := r.originMark(); m != "" {
		return m + ","
	}
	return ""
}

// Held returns a line about n memories on a prompt's subject that wait for the person's yes. It has
// nothing of their content.
func Held(n int) string {
	which := "1 memory about this is"
	if n > 1 {
		which = fmt.Sprintf("%d memories about this are", n)
	}
	return "<memory-note>" + which +
		" not shown: nobody who can be trusted is known to have said it. The user can look " +
		"and say yes with `keepsake review`, typed in a terminal [source: memory].</memory-note>"
}

// NoLocks is what helps where a file system has no locks.
const NoLocks = "mount it with locks (NFS: without nolock; CIFS: without nobrl), or keep the project " +
	"elsewhere"

// Lockless returns a message about a folder whose file system has no locks, "" for none.
func Lockless(dir string) string {
	if dir == "" {
		return ""
	}
	return "keepsake: the file system of " + Line(dir) + " has no locks (flock), so files stand in for " +
		"them; of two machines at work at once one may wait for minutes. hint: " + NoLocks
}
