package main

import "fmt"

// checkJournal looks whether all of the journal of findings can be read.
func checkJournal(p patient) []diagnosis {
	path := string(p.Journal())
	broken, err := p.BrokenFindings()
	switch {
	case err != nil:
		return []diagnosis{{State: wrong, What: fmt.Sprintf("%s: %v", path, err),
			Remedy: "look at the file; moved away, a new one is begun"}}
	case broken > 0:
		return []diagnosis{{State: wrong,
			What: fmt.Sprintf("%s: %s cannot be read, and what it noted is passed over", path,
				count(broken, "line")),
			Remedy: "look at the file; the rest of it is in use"}}
	}
	return []diagnosis{{What: "what was noticed is in " + path}}
}
