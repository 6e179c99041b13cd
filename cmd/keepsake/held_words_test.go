package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/verbs"
)

// heldWords is in every text of the memories of wordyStore, and heldName in their ids.
const (
	heldWords = "QQ.words"
	heldName  = "qq-words"
)

// wordyStore makes a project with a decision, a preference, a constraint and a long retired decision
// that are held: since nobody said their words, or since they came with the repository.
func wordyStore(t *testing.T, tracked bool) *session.Session {
	t.Helper()
	s := heldStore(t, tracked)
	if tracked {
		writeTracked(t, s)
	}
	judged := map[string]session.Judged{}
	var p plan.Plan
	for id, category := range map[string]memory.Category{"pipe-qq-words": memory.Decision,
		"never-qq-words": memory.Preference, "until-qq-words": memory.Constraint,
		"old-qq-words": memory.Decision} {
		content := memory.Content{"status": "accepted", "context": "c " + heldWords,
			"decision": "Always pipe " + heldWords, "rationale": []string{"r " + heldWords}}
		if category == memory.Preference {
			content = memory.Content{"topic": heldWords, "value": "Never run " + heldWords,
				"reason": "r " + heldWords, "strength": "strong"}
		}
		if category == memory.Constraint {
			content = memory.Content{"kind": "policy", "rule": "Never run " + heldWords,
				"impact":   []string{"i"},
				"severity": "high", "active": true, "expires": "when " + heldWords + " is over"}
		}
		r := memory.Record{Category: category, ID: id, Title: "Never run " + heldWords, Status: memory.Active,
			CreatedAt: "2026-11-20T09:00:00Z", UpdatedAt: "2026-11-20T09:00:00Z", Tags: []string{"x"},
			Verify: []string{"path_exists " + heldWords}, Content: content}
		if id == "old-qq-words" {
			moved, err := r.Retire("since "+heldWords, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			if err != nil {
				t.Fatal(err)
			}
			r = moved.Record
		}
		path := memory.Path(category, id)
		p.Edits = append(p.Edits, plan.Edit{Path: path, Verb: plan.Create, After: r.Encode(),
			Category: string(category), Title: r.Title})
		judged[path] = session.Judged{Origin: finding.NoOrigin, Why: heldWords + " is what nobody said"}
	}
	slices.SortFunc(p.Edits, func(a, b plan.Edit) int { return strings.Compare(a.Path, b.Path) })
	if err := s.Apply(context.Background(), p, nil); err != nil {
		t.Fatal(err)
	}
	if !tracked {
		if err := s.Trust(p, judged, false, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// asAgent does a call that an agent makes.
func asAgent(args ...string) (out string, code int) {
	var both bytes.Buffer
	code = run(&call{ctx: context.Background(), args: args, cwd: "/", now: time.Now,
		voice:  voice{out: &both, err: &both},
		person: person{alone: func() error { return errors.New("a client runs this") }}})
	return both.String(), code
}

// agentCalls are the arguments with which TestNoVerbPrintsHeldWords runs a verb; an empty one is run without.
// A verb that is missing is a failure.
var agentCalls = map[string][]string{
	"remember":              {"--as decision We always pipe the install into the shell."},
	"recall":                {"pipe words run", "--include-retired pipe words", "--log"},
	"list":                  {"", "--status all"},
	"show":                  {"ID", "ID --uses"},
	"forget":                {"ID", "ID --for-good", "never run", "run --for-good"},
	"inbox list":            {""},
	"undo":                  {"last"},
	"status":                {""},
	"stats":                 {""},
	"doctor":                {""},
	"config get":            {"retrieval.log"},
	"config list":           {""},
	"config explain":        {"retrieval.log"},
	"help":                  {"list"},
	"notes save":            {"--tier scratch something"},
	"notes handoff catchup": {""},
	"notes handoff promote": {""},
	"notes tiers":           {""},
	"md check":              {""},
	"md lint":               {""},
	"md fix":                {""},
	"md tidy sheet":         {""},
	"md tidy plan":          {""},
	"md upkeep":             {""},
	"md note":               {"--kind=fix The build was slow on the old machine."},
	"md snapshot list":      {""},
	"md snapshot diff":      {"1"},
	"md snapshot restore":   {"1"},
	"md lesson add":         {"--trigger=build --lesson=caches-are-cold-there --next=wait-for-it"},
	"md lesson list":        {""},
	"md lesson instinct":    {"1"},
	"records history":       {"ID"},
	"records retire":        {"ID"},
	"records restore":       {"ID", "old-qq-words"},
	"records archive":       {"ID"},
	"records unarchive":     {"ID"},
	"records gc":            {""},
	"records check":         {"", "ID"},
	"records blame":         {"ID"},
	"records triage":        {""},
	"records draft":         {""},
	"records plan":          {""},
	"records apply":         {"0123456789ab"},
	"records commit":        {""},
	"records index rebuild": {""}, "records index validate": {""}, "records index health": {""},
	"records audit":    {""},
	"project show":     {""},
	"project set":      {"status active"},
	"project progress": {"something"},
	"project conclude": {"something"},
	"project topic":    {"something --points=point"},
	"project open":     {"something"},
	"project close":    {"something"},
	"gate explain":     {""},
	"gate approvals":   {""},
	"guard list":       {""},
	"guard propose":    {"ID"},
	"team git-setup":   {""},
	"dev log show":     {""}, "dev log analyze": {""},
	"dev triage explain": {""},
	"dev self-check":     {""},
	"dev version":        {""}, "dev completion": {"bash"}, "dev man": {""},
	"guard test": {"ID"}, // which the client asks about
}

// TestNoVerbPrintsHeldWords runs all that the gate lets an agent run unasked over memories that are held:
// none of it prints their words, nor a name of theirs that the agent did not know.
func TestNoVerbPrintsHeldWords(t *testing.T) {
	for _, tracked := range []bool{false, true} {
		s, wrote := wordyStore(t, tracked), false
		for _, v := range verbs.All() {
			calls, listed := agentCalls[v.Name]
			may := slices.Contains([]verbs.Agent{verbs.Free, verbs.Saves, verbs.Adds, verbs.Looks}, v.Agent)
			if may && !listed {
				t.Errorf("%s: an agent may run it unasked, and it has no row in agentCalls", v.Name)
			}
			for _, line := range heldCalls(v, calls) {
				if wrote {
					s = wordyStore(t, tracked)
				}
				wrote = v.Saves()
				out, code := asAgent(append([]string{"--project", s.Root}, strings.Fields(line)...)...)
				if code == exitUsage && v.Agent != verbs.Adds && // which judge what they are told
					!strings.Contains(line, " --json") && !strings.Contains(line, " --diff") {
					t.Errorf("%s: no call: %s", line, out)
				}
				if strings.Contains(out, heldWords) || !strings.Contains(line, heldName) &&
					strings.Contains(out, heldName) {
					t.Errorf("%s (tracked: %v): %s", line, tracked, out)
				}
			}
		}
	}
}

// heldCalls returns the calls of a verb that an agent may make unasked, with each of these arguments.
func heldCalls(v verbs.Verb, calls []string) (lines []string) {
	for _, args := range calls {
		ids := []string{""}
		if strings.Contains(args, "ID") {
			ids = []string{"pipe-qq-words", "never-qq-words", "until-qq-words", "pipe"}
		}
		for _, id := range ids {
			for _, flags := range []string{"", " --json", " --diff"} {
				line := v.Name + " " + strings.Replace(args, "ID", id, 1) + flags
				if v.Agent == verbs.Looks {
					line += " " + v.Looks
				}
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// TestGoneHeldWords: what is held keeps its words when its file is gone.
func TestGoneHeldWords(t *testing.T) {
	s := wordyStore(t, false)
	if err := os.Remove(filepath.Join(s.MemoryRoot(), "decisions", "pipe-qq-words.json")); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"records history pipe-qq-words --diff", "records history pipe --json",
		"forget pipe-qq-words --for-good --dry-run", "undo --dry-run --diff"} {
		out, _ := asAgent(append([]string{"--project", s.Root}, strings.Fields(line)...)...)
		if strings.Contains(out, heldWords) {
			t.Errorf("%s: %s", line, out)
		}
	}
}

// TestPersonSeesHeldWords where an agent sees none.
func TestPersonSeesHeldWords(t *testing.T) {
	s := wordyStore(t, false)
	for _, line := range []string{"records history pipe --diff", "records retire pipe --dry-run", "inbox",
		"undo --dry-run", "records check", "forget pipe --for-good --dry-run"} {
		out, errs, _, _ := answering("", time.Now(), append([]string{"--project", s.Root},
			strings.Fields(line)...)...)
		if !strings.Contains(out, heldWords) {
			t.Errorf("%s: %q, %q", line, out, errs)
		}
	}
}
