package memory

import "strings"

// A Moment is news that is no memory of a category and belongs into a project's
// Markdown memories at once.
type Moment string

const (
	Progress   Moment = "progress"   // the project's work was done, blocked, delayed
	Entity     Moment = "entity"     // a person, a tool or an account is new or changed
	Pattern    Moment = "pattern"    // a gotcha, a detour, a better way
	Correction Moment = "correction" // the person said that something was wrong
)

// Moments lists them in the order in which they are told.
func Moments() []Moment { return []Moment{Progress, Entity, Pattern, Correction} }

// Display is its name in a list, as Category.Display is that of a category.
func (m Moment) Display() string { return strings.ToUpper(string(m)) }
