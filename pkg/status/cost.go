package status

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/journal/analyze"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// Costs are what memory cost in a project and what it brought, day by day.
type Costs struct {
	Days  map[string]analyze.Cost `json:"days"` // by date, where the person is
	Total analyze.Cost            `json:"total"`
	Limit int                     `json:"tokens_per_day,omitempty"`
	// Imported is how many findings keepsake init made in this time: they were said before Keepsake was
	// there, and noticed on no day.
	Imported int `json:"imported,omitempty"`
	// Counted is false where the settings keep from the log what is counted.
	Counted bool `json:"counted"`
}

// maxCosts bounds the events that are read.
const maxCosts = 200_000

// CostsSince returns the costs since a time. What was noticed, saved and refused is from the journal of
// findings, what was used from the log of what became of memories, the rest from the event log. Where a part
// can't be read, the error is about that.
func CostsSince(s *session.Session, from time.Time, in *time.Location) (Costs, error) {
	logging := s.Config.Logging
	c := Costs{Days: map[string]analyze.Cost{}, Limit: s.Config.Budget.TokensPerDay,
		Counted: logging.Enabled && event.Info.AtLeast(event.Level(logging.Level))}
	add := func(at time.Time, cost analyze.Cost) {
		if at.Before(from) || cost == (analyze.Cost{}) {
			return
		}
		day := c.Days[analyze.Day(at, in)]
		day.Add(cost)
		c.Days[analyze.Day(at, in)] = day
		c.Total.Add(cost)
	}
	book, err := s.Whole()
	if err != nil && book.Len() == 0 {
		return c, err
	}
	for _, f := range book.Each(nil) {
		if !f.Imported {
			add(f.Time, analyze.Cost{Noticed: 1})
		} else if !f.Since.Before(from) {
			c.Imported++
		}
		switch f.State {
		case finding.Saved, finding.Merged:
			add(f.Since, analyze.Cost{Saved: 1})
		case finding.Rejected:
			add(f.Since, analyze.Cost{Refused: 1})
		}
	}
	log, uerr := s.Usage()
	for _, n := range log.Since(from) {
		if len(n.Used) > 0 {
			add(n.At, analyze.Cost{Used: 1})
		}
	}
	read, lerr := s.AllEvents().Last(from, maxCosts, func(e event.Event) bool {
		return analyze.CostOf(e) != (analyze.Cost{})
	})
	for _, e := range read.Events {
		add(e.Time, analyze.CostOf(e))
	}
	return c, cmp.Or(err, uerr, lerr)
}

// Lines returns the costs as a table, for people.
func (c Costs) Lines() (lines []string) {
	row := func(day string, of analyze.Cost) {
		added := strconv.Itoa(of.Bytes) + " B"
		if of.Bytes >= 1000 {
			added = text.Size(int64(of.Bytes))
		}
		const form = "%-10s  %7d  %5d  %8d  %4d  %7d  %8d  %7s  %8d"
		lines = append(lines, strings.TrimRight(fmt.Sprintf(form, day,
			of.Noticed, of.Saved, of.Recalled, of.Used, of.Refused, of.Requests, added, of.Tokens), " "))
	}
	if len(c.Days) == 0 {
		lines = append(lines, "nothing was noticed or recalled in this time")
	} else {
		lines = append(lines,
			"day         noticed  saved  recalled  used  refused  requests    added    tokens")
		for _, day := range slices.Sorted(maps.Keys(c.Days)) {
			row(day, c.Days[day])
		}
		row("all", c.Total)
	}
	if c.Imported > 0 {
		lines = append(lines, "not counted as noticed: "+text.Count(c.Imported, "finding")+
			" of keepsake init")
	}
	if c.Limit > 0 {
		lines = append(lines, fmt.Sprintf("at most %d tokens a day (budget.tokens_per_day)", c.Limit))
	}
	if !c.Counted {
		lines = append(lines, "recalls, requests, bytes and tokens are not counted: logging.enabled is "+
			"off, or logging.level is above info")
	}
	return lines
}
