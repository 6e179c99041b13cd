package main

import (
	"os"
	"time"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/host"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/journal"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/config"
)

const hookName = "pretooluse"

// logVerdict logs a verdict: which tool, what was decided, by which rule, and by which approval. It
// leaves out what the call was about.
func logVerdict(in hook.PreToolUse, v rules.Verdict, approval string, took time.Duration) {
	level := event.Info
	if v.Decision == rules.Deny {
		level = event.Warning
	}
	data := event.Data{"tool": in.Tool, "decision": v.Decision.String(), "checkpoint": v.Checkpoint,
		"rule": v.Rule, "mode": in.Mode, "agent": in.AgentType}
	if approval != "" {
		data["approval"] = approval
	}
	place := layout.Project(os.Getenv("CLAUDE_PROJECT_DIR"), in.Cwd)
	logEvent(layout.DirsFor(place, in.Transcript), place, event.Event{
		Type: event.GateDecision, Level: level, Session: layout.Session(in.Session), Took: took, Data: data,
	})
}

// logGuard logs what a person's guard added to a call, and no more of the guard than that.
func logGuard(in hook.PreToolUse, g host.Guarded, took time.Duration) {
	decision := "say"
	if g.Decision != rules.Pass {
		decision = g.Decision.String()
	}
	place := layout.Project(os.Getenv("CLAUDE_PROJECT_DIR"), in.Cwd)
	logEvent(layout.DirsFor(place, in.Transcript), place, event.Event{
		Type: event.GateDecision, Level: event.Info, Session: layout.Session(in.Session), Took: took,
		Data: event.Data{"tool": in.Tool, "decision": decision, "checkpoint": "guard", "rule": "guard",
			"mode": in.Mode, "agent": in.AgentType},
	})
}

// logEvent writes an event as the settings have it. A project can change the settings, which decide
// about the log and about nothing else here.
func logEvent(d layout.Dirs, p layout.Place, e event.Event) {
	dir := d.Of(p.Home).Events()
	user, _ := host.ReadSmall(d.Settings())
	project, _ := host.ReadSmall(p.Settings())
	c, _ := config.Parse(user, project, os.Environ()...)
	if !c.Logging.Enabled || dir == "" {
		return
	}
	e.Hook = hookName
	_ = journal.Events{Dir: dir, Least: event.Level(c.Logging.Level),
		Days: c.Logging.RetentionDays}.Append(time.Now(), e)
}
