package classify

import (
	"time"

	"keepsake/pkg/markdown"
	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
	"keepsake/pkg/text"
)

// maxLog is how large a daily log may become, in bytes.
const maxLog = 256 << 10

// log adds a line to the log of the day.
func (j *job) log(what string) {
	name := j.m.Base() + j.date + ".md"
	if s := j.open(name); !s.record(j.dir.Now, what) {
		delete(j.desk, name)
	}
}

// record writes one line with the time; false when the log is full, or not to be
// added to.
func (s *sheet) record(now time.Time, what string) bool {
	if !s.was {
		s.insert(0, "# "+now.Format(time.DateOnly), "")
	} else if len(s.old) > maxLog || s.open() {
		return false
	}
	line := "- " + now.Format("15:04") + " " + text.OneLine(what)
	if n := len(s.doc.Lines); n > 0 && s.doc.Lines[n-1].Kind == markdown.Item {
		s.insert(n, line)
	} else {
		s.end(line)
	}
	return true
}

// LogCategory is the category of an edit of the log of the day that comes beside a
// save: nobody means it by "the last plan".
const LogCategory = "log"

// Log returns the plan that adds a line to the log of the day. It has no edit if the log is full.
func Log(d memdir.Dir, p memdir.Profile, what string) plan.Plan {
	j := newJob(d, p)
	j.log(what)
	made := j.plan()
	for i := range made.Edits {
		made.Edits[i].Category = LogCategory
	}
	return made
}
