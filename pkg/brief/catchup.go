package brief

import (
	"fmt"
	"strings"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/scratch"
)

// A Standing is where the work on a project stands: what is in flight in its planning files and
// notes. A project without any has the zero Standing.
type Standing struct {
	Plan      bool // there is a task_plan.md
	Phase     scratch.Phase
	Decision  *Recalled  // the newest active one, or what is said against it since; nil when there is none
	Questions []Question // open ones, the newest file's first
	Notes     Notes
	Calls     int      // that the gate stopped and that wait for the person
	Proposed  int      // candidates for a promotion that wait for the person
	Said      Said     // what the last handoff says to go on with
	Files     []string // that say more: STATE.md, PROJECT.md
	NoPlan    bool     // the settings say that there is a plan, and there is none
	NoRouter  bool     // the settings ask for a router that isn't installed
}

// A Question is an open question and the file that it stands in.
type Question struct{ Text, Path string }

// Notes are the notes of a checkout.
type Notes struct {
	Open     int       // not promoted
	Promoted int       // the others
	Since    time.Time // of the oldest open one; zero when unknown
	Newest   string    // text of the newest open one
	Path     string    // of its file, below the project's folder
	Line     int       // where it begins in there, from 1
}

// Said is how a handoff note says to go on.
type Said struct {
	Text string
	At   time.Time
}

// InFlight reports whether there is something to catch up with besides memories.
func (s Standing) InFlight() bool {
	return s.Plan || s.Notes.Open+s.Notes.Promoted+s.Calls+s.Proposed+len(s.Questions) > 0 ||
		s.Said.Text != "" || s.NoPlan || s.NoRouter
}

// Limits of what a catch-up quotes, in bytes.
const (
	maxCaught = 160 // a title, a question, a step
	maxNote   = 200 // a note, a handoff
	maxWhere  = 120 // a path
)

// shownQuestions is how many open questions are quoted.
const shownQuestions = 2

// Handoff is the file of Keepsake's own handoff notes, below the project's folder.
const Handoff = ".agents/memory/handoff.md"

// sentences returns where the work stands in four to six sentences of plain English. When nothing
// is in flight it is the one sentence about the last decision. What comes from a file stands in
// quotation marks, with its source.
func (s Standing) sentences() string {
	var out []string
	say := func(sentence string) {
		if sentence != "" {
			out = append(out, sentence)
		}
	}
	if !s.InFlight() {
		if s.Decision != nil {
			say(s.decision())
		}
		return strings.Join(out, " ")
	}
	say(s.phase())
	say(s.decision())
	say(s.questions())
	say(s.notes())
	say(s.waits())
	say(s.more())
	return strings.Join(out, " ")
}

// marks are the characters that a reader could take for the end of a quotation.
var marks = strings.NewReplacer(`"`, "'", "“", "'", "”", "'", "„", "'", "‟", "'", "«", "'", "»", "'", "″",
	"'", "＂", "'")

// quoted returns one line of foreign text that can't leave its quotation marks.
func quoted(text string, limit int) string {
	return `"` + Text(marks.Replace(text), limit) + `"`
}

// source returns a file's name in brackets, which the name can't leave.
func source(path string) string {
	return "[source: " + Text(strings.NewReplacer("[", "(", "]", ")").Replace(path), maxWhere) + "]"
}

func (s Standing) phase() string {
	const from = " [source: task_plan.md]."
	p := s.Phase
	switch {
	case s.NoPlan:
		return "There is no task_plan.md, which the setting handoff.note expects."
	case !s.Plan:
		return "There is no task_plan.md, so no phase of the work is active."
	case p.Title == "" && p.Phases > 0 && p.Done == p.Phases:
		return fmt.Sprintf("Of the plan's %s every one is done", count(p.Phases, "phase")) + from
	case p.Title == "":
		return "The plan has no active phase" + from
	}
	text := "The active phase of the plan is " + quoted(p.Title, maxCaught)
	switch p.Status {
	case "in_progress":
		text += ", in progress"
	case "pending":
		text += ", which is still pending"
	}
	if p.Steps > 0 {
		text += fmt.Sprintf(", with %d of %s done", p.Ticked, count(p.Steps, "step"))
	}
	if p.Next != "" {
		text += " and " + quoted(p.Next, maxCaught) + " next"
	}
	return text + from
}

func (s Standing) decision() string {
	if s.Decision == nil {
		return "No decision is recorded yet."
	}
	d := s.Decision
	which := "The last recorded decision" + d.aside() + " is "
	if d.Category != memory.Decision {
		which = "Against the last recorded decision stands a newer " + string(d.Category) + d.originMark() +
			": "
	}
	return fmt.Sprintf("%s%s, of %s %s%s%s.", which, quoted(d.Title, maxCaught), day(d.UpdatedAt),
		source(Source+d.Path), d.disputeMarks(), d.flagMarks())
}

func (s Standing) questions() string {
	var parts []string
	for _, q := range s.Questions[:min(shownQuestions, len(s.Questions))] {
		parts = append(parts, quoted(q.Text, maxCaught)+" "+source(q.Path))
	}
	switch n := len(s.Questions); {
	case n == 0:
		return "No open question is written down."
	case n == 1:
		return "One question is open: " + parts[0] + "."
	case n > len(parts):
		return fmt.Sprintf("%d questions are open, among them %s.", n, strings.Join(parts, " and "))
	default:
		return fmt.Sprintf("%d questions are open: %s.", n, strings.Join(parts, " and "))
	}
}

func (s Standing) notes() string {
	n := s.Notes
	switch {
	case n.Open == 0 && n.Promoted > 0:
		return fmt.Sprintf("Every note in scratch is promoted, %d in all.", n.Promoted)
	case n.Open == 0:
		return "There are no notes in scratch."
	}
	text := "One note in scratch is not promoted yet"
	if n.Open > 1 {
		text = fmt.Sprintf("%d notes in scratch are not promoted yet", n.Open)
	}
	if !n.Since.IsZero() {
		text += ", the first of " + n.Since.UTC().Format("2006-01-02 15:04 UTC")
	}
	return fmt.Sprintf("%s; the newest says %s %s.", text, quoted(n.Newest, maxNote),
		source(fmt.Sprintf("%s:%d", n.Path, n.Line)))
}

// waits returns what is known to wait. It says nothing where that is nothing: what else waits, such as held
// memories, takes too long to find out when a session begins.
func (s Standing) waits() string {
	var parts []string
	if s.Calls > 0 {
		parts = append(parts, count(s.Calls, "stopped call"))
	}
	if s.Proposed > 0 {
		parts = append(parts, count(s.Proposed, "candidate"))
	}
	if len(parts) == 0 {
		return ""
	}
	verb := "wait"
	if s.Calls+s.Proposed == 1 {
		verb = "waits"
	}
	return fmt.Sprintf("%s %s for the person's approval, which `keepsake inbox` lists.",
		capital(strings.Join(parts, " and ")), verb)
}

// more returns the last sentence: what to go on with, what else to read, what is missing.
func (s Standing) more() string {
	var parts []string
	if s.Said.Text != "" {
		when := ""
		if !s.Said.At.IsZero() {
			when = " of " + s.Said.At.UTC().Format(time.DateOnly)
		}
		parts = append(parts, fmt.Sprintf("the last handoff%s says to resume by %s %s", when,
			quoted(s.Said.Text, maxNote), source(Handoff)))
	}
	if len(s.Files) > 0 {
		verb := "say"
		if len(s.Files) == 1 {
			verb = "says"
		}
		parts = append(parts, strings.Join(s.Files, " and ")+" "+verb+" more of the project")
	}
	if s.NoRouter {
		parts = append(parts,
			"the skill code-memory-router is not installed, though the setting tiers.router asks for it "+
				"(`keepsake notes tiers` says how)")
	}
	if len(parts) == 0 {
		return ""
	}
	return capital(strings.Join(parts, "; ")) + "."
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
