//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// parallelism is the part of the triage data that says how agents are started.
type parallelism struct {
	CategoryModels    map[string]string `json:"category_models"`
	DefaultModel      string            `json:"default_model"`
	VerificationModel string            `json:"verification_model"`
}

// parallelConfig finds it in what a Read of the triage data returned: each line there begins with its number.
func parallelConfig(text string) (p parallelism) {
	text = regexp.MustCompile(`(?m)^ *\d+(?:→|\t)`).ReplaceAllString(text, "")
	if m := parallel.FindStringSubmatch(text); m != nil {
		_ = json.Unmarshal([]byte(m[1]), &p) // what is not there leaves the agent's own model
	}
	return p
}

func (p parallelism) model(category string) string {
	if m := p.CategoryModels[category]; m != "" {
		return m
	}
	return p.DefaultModel
}

const verifierAgent = "keepsake:verifier"

// verify starts one verifier for each draft that plan named, all in one message.
func (s *Saver) verify(r *Request) Reply {
	var reply Reply
	model := parallelConfig(r.Text()).VerificationModel
	for _, m := range verifyLine.FindAllStringSubmatch(r.Tail(), -1) {
		category, _, _ := strings.Cut(m[1], ".")
		reply = reply.And(Call("Agent", map[string]any{
			"subagent_type": verifierAgent, "description": verifyOf + m[1], "model": model,
			"prompt": fmt.Sprintf("Draft: %s\nContext file: %s", m[2],
				filepath.Join(filepath.Dir(m[2]), "context-"+category+".txt")),
		}))
	}
	return reply
}

const verifyOf = "Verify "

// verifiers are the drafts that verifiers were started for, by the id of the call.
func verifiers(r *Request) map[string]string {
	names := map[string]string{}
	for _, m := range r.Messages {
		for _, c := range m.Calls {
			var in struct {
				Kind string `json:"subagent_type"`
				What string `json:"description"`
			}
			if c.Name == "Agent" && json.Unmarshal(c.Input, &in) == nil && in.Kind == verifierAgent {
				names[c.ID] = strings.TrimPrefix(in.What, verifyOf)
			}
		}
	}
	return names
}

// verifying says that verifiers were started.
func verifying(r *Request) bool { return len(verifiers(r)) > 0 }

// judged is the step once verifiers were started: when all have answered, apply without what was blocked.
func (s *Saver) judged(r *Request) Reply {
	if !s.reported(r) {
		return Say("Verifying.")
	}
	var blocked, reasons []string
	for name, answer := range verdicts(r) {
		if reason, ok := strings.CutPrefix(answer, "BLOCK: "); ok {
			blocked, reasons = append(blocked, name), append(reasons, reason)
		}
	}
	plans := digest.FindAllString(r.Text(), -1)
	command := s.binary(r) + " apply " + strings.TrimPrefix(plans[len(plans)-1], "apply ")
	if len(blocked) > 0 {
		command += " --exclude " + strings.Join(blocked, ",") + " --reason '" + strings.Join(reasons, " ") +
			"'"
	}
	return Bash(command)
}

// verdicts are the verifiers' answers, by the name of the draft: the result of the call, or, from one in the
// background, what it reported later.
func verdicts(r *Request) map[string]string {
	out := map[string]string{}
	for id, name := range verifiers(r) {
		for _, m := range r.Messages {
			if result, ok := m.Results[id]; ok {
				out[name], _, _ = strings.Cut(result, "\n")
			}
		}
		if m := regexp.MustCompile(`<tool-use-id>` + id +
			`</tool-use-id>[\s\S]*?<result>([^<]*)`).FindStringSubmatch(r.Text()); m != nil {
			out[name] = m[1]
		}
	}
	return out
}

// Verifier is a verifier's turn: read the draft and the context, answer with one line.
func (s *Saver) Verifier(r *Request) Reply {
	task := verifierTask.FindStringSubmatch(r.First())
	if r.LastCall().Name == "" {
		return Call("Read", map[string]any{"file_path": task[1]}).And(Call("Read",
			map[string]any{"file_path": task[2]}))
	}
	return Say(s.Verdict(r.Tail()))
}

var verifierTask = regexp.MustCompile(`Draft: (\S+)\nContext file: (\S+)`)
