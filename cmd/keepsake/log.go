package main

import (
	"encoding/json"
	"fmt"
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
that are never noticed, errors that pile up, work that becomes slow. A problem needs enough events; with
fewer nothing is said. The exit code is 1 when a problem is critical or high.

Examples:

    keepsake dev log analyze
    keepsake dev log analyze --since 30d --metrics`
}

// maxEvents is how many of the newest events are analysed, the limit of claude-memory.
const maxEvents = 100_000

// pollEvery is how often --watch looks.
const pollEvery = time.Second

func (v logShowCmd) Run(c *call, s *session.Session) error {
	if v.Lines < 0 {
		return usage("-n %d: want 0 or more", v.Lines)
	}
	from, err := journal.ParseSince(v.Since, c.now())
	if err != nil {
		return usage("--since %v", err)
	}
	l := s.AllEvents()
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

// unread notes what could not be read of a log.
func (c *call) unread(r journal.EventReading, err error) {
	if err != nil {
		c.note("%v", err)
	}
	if r.Broken > 0 {
		c.note("%s of the log could not be read", count(r.Broken, "line"))
	}
}

// follow prints new events until the call is interrupted.
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
	c.line("%s", e.Line())
}

func (v logAnalyzeCmd) Run(c *call, s *session.Session) error {
	from, err := journal.ParseSince(v.Since, c.now())
	if err != nil {
		return usage("--since %v", err)
	}
	read, err := s.AllEvents().Last(from, maxEvents, func(event.Event) bool { return true })
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
		for _, line := range r.Metrics.Lines() {
			c.line("%s", line)
		}
	}
	c.value(r)
	if serious {
		return quiet{exitFailed}
	}
	return nil
}
