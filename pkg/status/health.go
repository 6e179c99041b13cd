package status

import (
	"slices"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/store"
)

// MuchUpdated is how often a memory may be updated before it is worth a look: it may be several.
const MuchUpdated = 5

// lately is how far back retirements are counted apart.
const lately = 7 * 24 * time.Hour

// Health is how the memories of a project are.
type Health struct {
	Status     string                  `json:"status"` // GOOD or NEEDS ATTENTION
	Active     map[memory.Category]int `json:"active"`
	Retired    int                     `json:"retired"`
	Archived   int                     `json:"archived"`
	Updated    []Updated               `json:"heavily_updated"` // more than 5 times
	Lately     int                     `json:"retired_last_7_days"`
	InStep     bool                    `json:"in_sync"`
	OutOfStep  string                  `json:"out_of_sync"` // what is out of date, "" for nothing
	Unreadable []string                `json:"unreadable"`
}

// Updated is how often a memory was updated.
type Updated struct {
	ID    string `json:"id"`
	Times int    `json:"times_updated"`
}

// HealthOf returns the health of a project's memories. They need attention if one cannot be read, or if
// an index is out of date. Many updates and retirements are reported but are no fault.
func HealthOf(s *session.Session, now time.Time) (Health, error) {
	faults, records, err := s.Store().Validate()
	if err != nil {
		return Health{}, err
	}
	h := Health{Status: "GOOD", Active: map[memory.Category]int{}, Updated: []Updated{},
		InStep: faults.OK(), OutOfStep: faults.String(), Unreadable: Paths(faults.Bad)}
	for _, cat := range memory.Categories() {
		h.Active[cat] = 0
	}
	for _, r := range records {
		switch r.Status {
		case memory.Active:
			h.Active[r.Category]++
			if r.TimesUpdated > MuchUpdated {
				h.Updated = append(h.Updated, Updated{r.ID, r.TimesUpdated})
			}
		case memory.Archived:
			h.Archived++
		case memory.Retired:
			h.Retired++
			if r.RetiredAt == nil {
				break
			}
			if at, ok := memory.ParseStamp(*r.RetiredAt); ok && now.Sub(at) <= lately {
				h.Lately++
			}
		}
	}
	slices.SortStableFunc(h.Updated, func(a, b Updated) int { return b.Times - a.Times })
	if !h.InStep || len(h.Unreadable) > 0 {
		h.Status = "NEEDS ATTENTION"
	}
	return h, nil
}

// Paths returns the files that could not be read.
func Paths(bad []store.Bad) []string {
	out := []string{}
	for _, b := range bad {
		out = append(out, b.Path)
	}
	return out
}
