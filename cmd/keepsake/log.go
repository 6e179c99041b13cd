package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/journal"
	"keepsake/pkg/journal/analyze"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

type logCmd struct {
	Show    logShowCmd    `cmd:"" default:"withargs" help:"Show the last events, oldest first."`
	Analyze logAnalyzeCmd `cmd:"" help:"Say what looks wrong in the events."`
}

func (logCmd) Help() string {
	return `Events are what Keepsake did and how long it took, without any text of the conversation.
docs/formats.md says what each holds. The settings logging.* say which are written and how long they
are kept.

Examples:

    keepsake dev log
    keepsake dev log --filter retrieval --since 2h
    keepsake dev log analyze --since 30d`
}

type logShowCmd struct {
	Lines  int    `short:"n" help:"Show at most this many." default:"20"`
	Filter string `help:"Only events of this type, such as triage.score, or of this group, such as triage." placeholder:"TYPE"`
	Since  string `help:"Only events since a date (2026-11-20), a time (2026-11-20T09:00:00Z) or for so long (90m, 2h, 7d)." placeholder:"WHEN"`
	Watch  bool   `help:"Go on with what comes, until interrupted."`
	JSON   bool   `help:"Print one JSON array; with --watch one JSON object to a line."`
}

func (logShowCmd) Help() string {
	return `Prints one line for each event: when, type, where, session, how long it took, and what else it
holds.

Examples:

    keepsake dev log -n 50
    keepsake dev log --filter gate.decision --since 7d
    keepsake dev log --watch`
}

type logAnalyzeCmd struct {
	Since   string `help:"Look at events since a date, a time or for so long." default:"7d" placeholder:"WHEN"`
	Metrics bool   `help:"Print the numbers too."`
	JSON    bool   `help:"Print one JSON object: events, first, last, findings, metrics."`
}

func (logAnalyzeCmd) Help() string {
	return `Looks for what is wrong: prompts that are not looked up, hooks that do not run, categories
that are never noticed, errors that pile up, work that becomes slow. A finding needs enough events; with
fewer nothing is said. The exit code is 1 when a finding is critical or high.

Examples:

    keepsake dev log analyze
    keepsake dev log analyze --since 30d --metrics`
}

// maxEvents is how many of the newest events are analysed; seed 3's limit.
const maxEvents = 100_000

// pollEvery is how often --watch looks.
const pollEvery = time.Second

// log opens the project's log, also where the settings have none written
// now: what was written before can be read.
func (c *call) log() (*session.Session, journal.Events, error) {
	s, err := c.where()
	if err != nil {
		return nil, journal.Events{}, err
	}
	return s, journal.Events{Dir: s.Dirs.Of(s.Place.Home).Events()}, nil
}

func (v logShowCmd) Run(c *call) error {
	c.json = v.JSON
	if v.Lines < 0 {
		return usage("-n %d: want 0 or more", v.Lines)
	}
	from, err := journal.ParseSince(v.Since, c.now())
	if err != nil {
		return usage("--since %v", err)
	}
	_, l, err := c.log()
	if err != nil {
		return err
	}
	match := journal.OfType(v.Filter)
	var watch *journal.EventWatch
	if v.Watch { // opened before reading, so that nothing falls in between
		if watch, err = l.Watch(c.now()); err != nil {
			return err
		}
		defer watch.Close()
	}
	r, err := l.Last(from, v.Lines, match)
	c.unread(r, err)
	if v.Watch {
		c.json = false
		for _, e := range r.Events {
			c.event(e, v.JSON)
		}
		return c.follow(watch, match, v.JSON)
	}
	all := []json.RawMessage{}
	for _, e := range r.Events {
		c.event(e, false)
		all = append(all, json.RawMessage(e.Append(nil)))
	}
	if len(r.Events) == 0 {
		c.line("no events")
	}
	c.value(all)
	return nil
}

// unread tells of what could not be read of a log.
func (c *call) unread(r journal.EventReading, err error) {
	if err != nil {
		c.note("%v", err)
	}
	if r.Broken > 0 {
		c.note("%s of the log could not be read", count(r.Broken, "line"))
	}
}

// follow prints what comes until the call is interrupted.
func (c *call) follow(w *journal.EventWatch, match func(event.Event) bool, asJSON bool) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return nil
		case <-tick.C:
		}
		events, err := w.Poll(c.now())
		if err != nil {
			return err
		}
		for _, e := range events {
			if match(e) {
				c.event(e, asJSON)
			}
		}
	}
}

// event prints one event on one line.
func (c *call) event(e event.Event, asJSON bool) {
	if asJSON {
		fmt.Fprintf(c.out, "%s", e.Append(nil))
		return
	}
	parts := []string{e.Type, cmp.Or(e.Hook, e.Script, "-"), cut(cmp.Or(e.Session, "-"), 8)}
	if e.Took >= 0 {
		parts = append(parts, fmt.Sprintf("%.1fms", float64(e.Took.Microseconds())/1000))
	}
	if e.Level != event.Info {
		parts = append(parts, string(e.Level))
	}
	if e.Error != "" {
		parts = append(parts, "error="+e.Error)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Data)) {
		if b, err := json.Marshal(e.Data[name]); err == nil {
			parts = append(parts, name+"="+strings.Trim(string(b), `"`))
		}
	}
	for i := range parts {
		parts[i] = brief.Line(parts[i])
	}
	c.line("%s  %-16s  %-16s  %s", e.Time.Local().Format("01-02 15:04:05"), parts[0], parts[1],
		strings.Join(parts[2:], "  "))
}

func (v logAnalyzeCmd) Run(c *call) error {
	c.json = v.JSON
	from, err := journal.ParseSince(v.Since, c.now())
	if err != nil {
		return usage("--since %v", err)
	}
	s, l, err := c.log()
	if err != nil {
		return err
	}
	read, err := l.Last(from, maxEvents, func(event.Event) bool { return true })
	c.unread(read, err)
	if read.More {
		c.note("only the newest %d events are looked at", maxEvents)
	}
	off := map[memory.Category]bool{}
	for cat, conf := range s.Config.Categories {
		off[cat] = !conf.Enabled || !conf.AutoCapture
	}
	o := analyze.Options{Off: off, Least: event.Level(s.Config.Logging.Level)}
	if !event.Info.AtLeast(o.Least) {
		c.note("logging.level is %s: what goes well is not logged, and missing events and the share of "+
			"errors are not judged", o.Least)
	}
	r := analyze.Read(read.Events, o)
	if r.Events > 0 {
		c.line("%s from %s to %s", count(r.Events, "event"), r.First.Format(time.DateOnly),
			r.Last.Format(time.DateOnly))
	}
	serious := false
	for _, f := range r.Findings {
		c.line("%-8s  %s: %s\n          %s", f.Severity, f.Code, brief.Line(f.Says), f.Remedy)
		serious = serious || f.Severity.Serious()
	}
	if len(r.Findings) == 0 {
		c.line("nothing looks wrong")
	}
	if v.Metrics {
		c.metrics(r.Metrics)
	}
	c.value(r)
	if serious {
		return quiet{exitFailed}
	}
	return nil
}

// metrics prints the numbers of an analysis.
func (c *call) metrics(m analyze.Metrics) {
	for _, name := range slices.Sorted(maps.Keys(m.Took)) {
		s := m.Took[name]
		c.line("%-18s  %d timed, mean %.1f, p50 %.1f, p95 %.1f, max %.1f ms", brief.Line(name), s.Count,
			s.Mean, s.P50, s.P95, s.Max)
	}
	if s := m.Saves; s.Count > 0 {
		c.line("%-18s  %d timed, mean %.1f, p50 %.1f, p95 %.1f, max %.1f s (%s)", "whole saves", s.Count,
			s.Mean, s.P50, s.P95, s.Max, numbers(m.Buckets))
	}
	for _, row := range []struct {
		name string
		of   map[string]int
	}{
		{"events", m.Types}, {"noticed", m.Noticed}, {"outcomes", m.Outcomes}, {"saves per session", m.Asked},
		{"verdicts", m.Gate}, {"skipped", m.Skips}, {"failures", m.Failures},
	} {
		if len(row.of) > 0 {
			c.line("%-18s  %s", row.name, numbers(row.of))
		}
	}
}

// numbers is "a 1, b 2".
func numbers(of map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, of[name]))
	}
	return brief.Line(strings.Join(parts, ", "))
}
