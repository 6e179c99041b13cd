package memory

import "strings"

// A Moment is a kind of news that has no category and belongs into a project's Markdown memories at once.
type Moment string

const (
	Progress   Moment = "progress"   // the project's work was done, blocked, delayed
	Entity     Moment = "entity"     // a person, a tool or an account is new or changed
	Pattern    Moment = "pattern"    // a gotcha, a detour, a better way
	Correction Moment = "correction" // the person said that something was wrong
)

// Moments returns the moments in the order in which they are shown.
func Moments() []Moment { return []Moment{Progress, Entity, Pattern, Correction} }

// Display returns the moment as people see it: "PROGRESS".
func (m Moment) Display() string { return strings.ToUpper(string(m)) }
