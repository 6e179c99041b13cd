//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// Saver is the mind of a model that follows skills/save/SKILL.md to the letter: each answer depends only on
// what the request shows, as with a real model. Prompts that are not about saving go to Chat.
type Saver struct {
	Chat Turn
	// Slow is a model that plans too early, against the skill: all drafters but the decision's wait until
	// plan has twice said that drafts are missing.
	Slow bool
	Idle bool // drafters end without a draft
	// Pending is a model whose person wants what earlier sessions left unsaved.
	Pending bool
	// Drafts are what drafters write instead of the usual, by category.
	Drafts map[string]any
	// Verdict is what a verifier answers, having read the draft.
	Verdict func(draft string) string
	Model   *Model
}

var (
	feedback   = heard("Stop", `<triage_data_file>/`)
	triageFile = regexp.MustCompile(`<triage_data_file>(/[^<]+)</triage_data_file>`)
	skillBody  = regexp.MustCompile(`(/\S+/bin/keepsake) (?:dev )?version`)
	digest     = regexp.MustCompile(`\b[0-9a-f]{64}\b|apply ([0-9a-f]{8,64})\b`)
	savedLine  = regexp.MustCompile(`Saved: (?:\w+ \(\w+\)|nothing).*`)
	exitOne    = regexp.MustCompile(`[Ee]xit code 1\b`)
	exitFive   = regexp.MustCompile(`[Ee]xit code 5\b`)
	parallel   = regexp.MustCompile(`"parallel_config":\s*(\{(?:[^{}]|\{[^{}]*\})*\})`)
	verifyLine = regexp.MustCompile(`verify (\S+) \([^)]*\): (\S+)`)
)

// Answer is the main conversation's turn.
func (s *Saver) Answer(r *Request) Reply {
	tail, last := r.Tail(), r.LastCall()
	switch {
	case feedback.MatchString(tail):
		return Call("Skill", map[string]any{"skill": "keepsake:save"})
	case strings.Contains(tail, "<task-notification>"):
		switch {
		case savedLine.MatchString(r.Text()):
			return Say("It is saved already.")
		case verifying(r):
			return s.judged(r)
		}
		return s.plan(r)
	case last.Name == "Skill":
		return Bash(s.binary(r) + " version")
	case last.Name == "Agent" && verifying(r):
		return s.judged(r)
	case last.Name == "Agent":
		return s.plan(r)
	case last.Name == "Read" && strings.Contains(string(last.Input), "triage-data.json"):
		return s.draft(tail)
	case last.Name == "Bash" && strings.HasPrefix(last.Command(), "/"):
		return s.next(r, last.Command()[strings.LastIndex(last.Command(), "/bin/keepsake")+
			len("/bin/keepsake"):])
	}
	return s.Chat(r)
}

// plan is the step after drafters were started or have ended.
func (s *Saver) plan(r *Request) Reply {
	if !s.Slow && !s.reported(r) {
		return Say(drafting)
	}
	return Bash(s.binary(r) + " plan")
}

// drafting is the one word that the skill asks for while drafters run.
const drafting = "Drafting."

// next is the step after a command of the CLI.
func (s *Saver) next(r *Request, verb string) Reply {
	tail := r.Tail()
	switch {
	case verb == " version" && s.Pending:
		return Bash(s.binary(r) + " triage --pending")
	case verb == " version" && !triageFile.MatchString(r.Text()):
		return Bash(s.binary(r) + " triage")
	case verb == " version", strings.HasPrefix(verb, " triage"):
		found := triageFile.FindAllStringSubmatch(r.Text(), -1)
		if len(found) == 0 {
			return s.Model.GiveUp("keepsake triage noticed nothing: " + tail)
		}
		return Call("Read", map[string]any{"file_path": found[len(found)-1][1]})
	case verb == " plan" && exitFive.MatchString(tail):
		if s.reported(r) {
			return Bash(s.binary(r) + " plan --partial")
		}
		return Say(drafting)
	case strings.HasPrefix(verb, " plan") && exitOne.MatchString(tail):
		return Bash(s.binary(r) + " draft")
	case verb == " draft":
		return Say("Drafts made from your own words are waiting.")
	case strings.HasPrefix(verb, " plan") && verifyLine.MatchString(tail):
		return s.verify(r)
	case strings.HasPrefix(verb, " plan"):
		if m := digest.FindStringSubmatch(tail); m != nil {
			return Bash(s.binary(r) + " apply " + strings.TrimPrefix(m[0], "apply "))
		}
	case strings.HasPrefix(verb, " apply"):
		if m := savedLine.FindString(tail); m != "" {
			return Say(m)
		}
	}
	return s.Model.GiveUp("keepsake" + verb + ": " + tail)
}

// reported says that every drafter that was started has come back. Agents in the foreground have when their
// call returns.
func (s *Saver) reported(r *Request) bool {
	text := r.Text()
	return strings.Count(text, "Async agent launched") == strings.Count(text, "<task-notification>")
}

// binary is the path of the CLI as the skill's text spells it.
func (s *Saver) binary(r *Request) string {
	if m := skillBody.FindStringSubmatch(r.Text()); m != nil {
		return m[1]
	}
	s.Model.GiveUp("the skill's text does not name the binary")
	return "false"
}

// draft starts one drafter per category that has a context, all in one message.
func (s *Saver) draft(tail string) Reply {
	var reply Reply
	config := parallelConfig(tail)
	for _, m := range regexp.MustCompile(`"context_file":\s*"([^"]+/context-([a-z_]+)\.txt)"`).FindAllStringSubmatch(tail, -1) {
		context, category := m[1], m[2]
		reply = reply.And(Call("Agent", map[string]any{
			"subagent_type": "keepsake:drafter", "description": "Draft the " + category,
			"model": config.model(category),
			"prompt": fmt.Sprintf("Category: %s\nContext file: %s\nOutput: %s", category, context,
				filepath.Join(filepath.Dir(context), "intent-"+category+".json")),
		}))
	}
	if len(reply.Blocks) == 0 {
		return s.Model.GiveUp("the triage data names no context: " + tail)
	}
	return reply
}

var drafterTask = regexp.MustCompile(`Category: (\w+)\nContext file: (\S+)\nOutput: (\S+)`)

// Drafter is a drafter's turn: read the context, write the draft, say so.
func (s *Saver) Drafter(r *Request) Reply {
	task := drafterTask.FindStringSubmatch(r.First())
	category, context, output := task[1], task[2], task[3]
	switch r.LastCall().Name {
	case "":
		if s.Idle {
			return Say(category + ": I could not read the context.")
		}
		reply := Call("Read", map[string]any{"file_path": context})
		if s.Slow && category != "decision" {
			reply.Hold = s.Model.Hold(func(r *Request) bool {
				return len(exitFive.FindAllString(r.Text(), -1)) == 2
			})
		}
		return reply
	case "Read":
		draft, own := s.Drafts[category]
		if !own {
			draft = drafts[category]
		}
		text, err := json.MarshalIndent(draft, "", "  ")
		if err != nil {
			return s.Model.GiveUp(err.Error())
		}
		return Call("Write", map[string]any{"file_path": output, "content": string(text)})
	}
	return Say(category + ": drafted")
}

// drafts are what the drafters write, by category.
var drafts = map[string]any{
	"decision": map[string]any{
		"category": "decision", "new_info_summary": "The job queue moves from Redis to PostgreSQL.",
		"intended_action": "create",
		"partial_content": map[string]any{
			"title": "Keep the job queue in PostgreSQL", "tags": []string{"postgresql", "job-queue"},
			"confidence":    0.9,
			"related_files": []string{queueFile}, "change_summary": "First record of the choice",
			"content": map[string]any{"status": "accepted", "context": "A restart of Redis loses jobs.",
				"decision": "Jobs are rows of the PostgreSQL table jobs.",
				"alternatives": []any{map[string]any{"option": "Redis",
					"rejected_reason": "Jobs do not survive a restart."}},
				"rationale": []string{"Jobs must survive a restart.",
					"The shop runs PostgreSQL already."}}}},
	"preference": map[string]any{
		"category": "preference", "new_info_summary": "Migrations run with make migrate.",
		"intended_action": "create",
		"partial_content": map[string]any{
			"title": "Run migrations with make migrate", "tags": []string{"migrations"}, "confidence": 0.9,
			"change_summary": "First record of the convention",
			"content": map[string]any{"topic": "migrations", "value": "make migrate, never by hand",
				"reason": "Staging and production stay the same.", "strength": "strong"}}},
	"session_summary": map[string]any{
		"category": "session_summary", "action": "noop", "noop_reason": "The session has only begun."},
	"constraint": map[string]any{
		"category": "constraint", "action": "noop", "noop_reason": "No constraint was stated."},
	"runbook": map[string]any{
		"category": "runbook", "action": "noop", "noop_reason": "No fault was fixed."},
	"tech_debt": map[string]any{
		"category": "tech_debt", "action": "noop", "noop_reason": "Nothing was deferred."},
}
