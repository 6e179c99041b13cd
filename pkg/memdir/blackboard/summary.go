package blackboard

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/text"
)

// Summary is what the blackboard has of a project, as it is printed.
type Summary struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Status   string `json:"status"`   // that holds: the registry's
	Deadline string `json:"deadline"` // YYYY-MM-DD, or none
	Goal     string `json:"goal,omitempty"`
	Updated  string `json:"updated,omitempty"`

	Progress    []Entry  `json:"progress"`
	Open        []Task   `json:"open"`
	Conclusions []Entry  `json:"conclusions"`
	Apart       []string `json:"apart"` // where card and registry disagree
	File        string   `json:"file,omitempty"`
}

// Summary returns what the blackboard has of the project.
func (p Project) Summary() Summary {
	status, deadline := p.Standing()
	return Summary{
		ID: p.ID, Title: p.Name(), Status: status, Deadline: cmp.Or(deadline, NoDeadline), Goal: p.Goal,
		Updated: p.Row.Updated, Progress: append([]Entry{}, p.Progress...), Open: p.Tasks(),
		Conclusions: append([]Entry{}, p.Conclusions...), Apart: append([]string{}, p.Apart()...),
	}
}

// Task is an item of a card with the number by which a person names it.
type Task struct {
	N     int    `json:"n,omitempty"` // 0 when it is done
	Text  string `json:"text"`
	Owner string `json:"owner,omitempty"`
	Done  bool   `json:"done,omitempty"`
}

// Mark returns the number of an open item, or that it is done.
func (t Task) Mark() string {
	if t.Done {
		return "done"
	}
	return strconv.Itoa(t.N)
}

// Tasks returns the items of a card, those that are open numbered from 1.
func (c Card) Tasks() []Task {
	out := []Task{}
	n := 0
	for _, it := range c.Open {
		t := Task{Text: it.Text, Owner: it.Owner, Done: it.Done}
		if !it.Done {
			n++
			t.N = n
		}
		out = append(out, t)
	}
	return out
}

// OpenTasks returns the open items that are meant: the one with a number, else those with these
// words; "" is every one.
func (c Card) OpenTasks(want string) []Task {
	open := slices.DeleteFunc(c.Tasks(), func(t Task) bool { return t.Done })
	if i := slices.IndexFunc(open, func(t Task) bool { return t.Mark() == want }); i >= 0 {
		return open[i : i+1]
	}
	return slices.DeleteFunc(open, func(t Task) bool {
		return !strings.Contains(strings.ToLower(t.Text), strings.ToLower(want))
	})
}

// IDs returns the projects of a registry, and after them those that have a card alone.
func IDs(registry []byte, cards []string) []string {
	ids := []string{}
	for _, r := range ParseRegistry(registry) {
		ids = append(ids, r.ID)
	}
	for _, id := range cards {
		if !slices.ContainsFunc(ids, func(has string) bool { return strings.EqualFold(has, id) }) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Due returns a project's deadline and how far away it is, as long as that matters. It is "" if there is no
// deadline, or if it is no date.
func (p Project) Due(now time.Time) string {
	status, deadline := p.Standing()
	day, err := time.ParseInLocation(time.DateOnly, deadline, now.Location())
	if err != nil {
		return ""
	}
	due := deadline + ", " + day.Weekday().String()
	if status == Done || status == "dropped" {
		return due
	}
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, day.Location())
	switch n := int(day.Sub(today).Round(24*time.Hour).Hours() / 24); {
	case n == 0:
		return due + ", today"
	case n < 0:
		return due + ", " + text.Count(-n, "day") + " ago"
	default:
		return due + ", in " + text.Count(n, "day")
	}
}
