// Package doctor checks an installation and a project, and says how to repair what is wrong. It changes
// nothing.
package doctor

import (
	"fmt"
	"iter"
	"os"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// How grave a diagnosis is.
const (
	Fine  = "ok"
	Noted = "note" // worth knowing; no fault
	Wrong = "bad"
)

// Diagnosis is one thing that a check found.
type Diagnosis struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok, note or bad
	What   string `json:"what"`
	Remedy string `json:"remedy,omitempty"`
}

// Patient is the installation and the project that are checked.
type Patient struct {
	*session.Session
	Now time.Time

	// Where and Why try the back ends that answer where things are and why they were decided.
	// They return what was chosen; an error says that it can't be used.
	Where, Why func() (choice string, err error)

	exe    string // this program, links resolved
	plugin string // the plugin's folder: two up from exe
}

// checks are made in this order. fine is the finding of a check that reports nothing.
var checks = []struct {
	name string
	look func(Patient, *report)
	fine string
}{
	{"plugin", checkPlugin, ""},
	{"client", checkClient, ""},
	{"codex", checkCodex, ""},
	{"answers", checkAnswers, "no other hook answers for you"},
	{"autosave", checkAutoSave, ""},
	{"binaries", checkBinaries, ""},
	{"release", checkRelease, ""},
	{"network", checkNetwork, ""},
	{"gate", checkGate, ""},
	{"sandbox", checkSandbox, ""},
	{"palace", checkPalace, ""},
	{"where", func(p Patient, r *report) { tryBackend(p.Where, r) }, ""},
	{"why", func(p Patient, r *report) { tryBackend(p.Why, r) }, ""},
	{"switch", checkSwitch, "on"},
	{"runtime", checkRuntime, ""},
	{"settings", checkSettings, "no warnings"},
	{"store", checkStore, ""},
	{"disputes", checkDisputes, ""},
	{"guards", checkGuards, ""},
	{"usage", checkUsage, ""},
	{"journal", checkJournal, ""},
	{"notes", checkNotes, ""},
	{"git", checkGit, ""},
	{"lock", checkLock, ""},
	{"recall", checkRecall, ""},
	{"log", checkLog, ""},
	{"gone", checkGone, "every project that is known is there, or was lately"},
	{"failures", checkFailures, "none recorded"},
}

// Examine makes all checks, one after the other, and yields what each found.
func Examine(p Patient) iter.Seq[Diagnosis] { return examine(p, func(string) bool { return true }) }

// examine makes the checks whose name is wanted.
func examine(p Patient, wanted func(check string) bool) iter.Seq[Diagnosis] {
	if exe, err := os.Executable(); err == nil {
		p.exe, p.plugin = layout.Resolved(exe), layout.Plugin()
	}
	return func(yield func(Diagnosis) bool) {
		for _, c := range checks {
			if !wanted(c.name) {
				continue
			}
			r := report{check: c.name}
			c.look(p, &r)
			if len(r.found) == 0 && c.fine != "" {
				r.ok("%s", c.fine)
			}
			for _, d := range r.found {
				if !yield(d) {
					return
				}
			}
		}
	}
}

// A report collects what one check found.
type report struct {
	check string
	found []Diagnosis
}

func (r *report) add(state, remedy, format string, args ...any) {
	r.found = append(r.found, Diagnosis{r.check, state, fmt.Sprintf(format, args...), remedy})
}

// ok reports something that is as it should be.
func (r *report) ok(format string, args ...any) { r.add(Fine, "", format, args...) }

// note reports something that is worth knowing but no fault.
func (r *report) note(remedy, format string, args ...any) { r.add(Noted, remedy, format, args...) }

// bad reports a fault.
func (r *report) bad(remedy, format string, args ...any) { r.add(Wrong, remedy, format, args...) }

// maxFile is how much is read of a file that is not Keepsake's, in bytes.
const maxFile = 16 << 20

// maxProgram is the same of one of the plugin's programs.
const maxProgram = 256 << 20

// shownRunes is how many runes are shown of somebody else's text.
const shownRunes = 300

// age returns how long ago something was, in words.
func (p Patient) age(t time.Time) string { return text.Age(p.Now.Sub(t)) }
