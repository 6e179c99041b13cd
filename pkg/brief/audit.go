package brief

import (
	"fmt"
	"slices"
	"strings"

	"keepsake/pkg/text"
)

// Stored is a change in a palace, or among Keepsake's own drawers, without a person's approval.
type Stored struct {
	Kind string // drawer, fact or tunnel
	Own  bool   // Keepsake's own
	IDs  []string
	New  int64 // how many appeared, those in IDs included
	Gone int64
}

// namedIDs is how many ids are named in one line.
const namedIDs = 3

// maxID is how much of one id is shown, in bytes. An id is partly made of names that a person or an agent
// chose.
const maxID = 80

// Appeared returns lines for the person about unapproved changes in a palace, or "" if there are none.
func Appeared(all []Stored) string {
	lines := Findings(all)
	if len(lines) == 0 {
		return ""
	}
	hint := "`keepsake doctor` says what may have done it."
	if slices.ContainsFunc(all, func(s Stored) bool { return !s.Own }) {
		hint = "`keepsake gate revoke` shows it and takes it back."
	}
	return "keepsake: " + strings.Join(lines, "\nkeepsake: ") + "\nkeepsake: If that was not you: " + hint
}

// Findings returns the same as plain lines, without a hint.
func Findings(all []Stored) []string {
	var lines []string
	for _, s := range all {
		in, from := "in the palace", "the palace"
		if s.Own {
			in, from = "among Keepsake's own", "Keepsake's own"
		}
		if s.New > 0 {
			lines = append(lines,
				fmt.Sprintf("%s appeared %s without an approval%s.", text.Count(int(s.New), s.Kind), in,
					listIDs(s)))
		}
		if s.Gone > 0 {
			verb := "are"
			if s.Gone == 1 {
				verb = "is"
			}
			lines = append(lines,
				fmt.Sprintf("%s %s gone from %s without an approval.", text.Count(int(s.Gone), s.Kind), verb,
					from))
		}
	}
	return lines
}

// listIDs returns the first ids and how many more there are.
func listIDs(s Stored) string {
	if len(s.IDs) == 0 {
		return ""
	}
	var ids []string
	for _, id := range s.IDs[:min(namedIDs, len(s.IDs))] {
		ids = append(ids, Text(id, maxID))
	}
	text := ": " + strings.Join(ids, ", ")
	if more := s.New - int64(len(ids)); more > 0 {
		text += fmt.Sprintf(" (+%d more)", more)
	}
	return text
}
