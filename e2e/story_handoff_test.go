//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Work in flight goes from session to session: what is open stands in the catch-up when a session begins,
// after /clear and when one is resumed; a session that ends leaves a note; and planning files are never
// written.
func TestHandoff(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const (
			plan = "# Task Plan: invoices\n\n## Phases\n### Phase 1: Discovery\n- [x] read the law\n- " +
				"**Status:** complete\n### Phase 2: Data model\n- [x] tables\n- [ ] ids as ULIDs\n- " +
				"**Status:** in_progress\n\n## Key Questions\n1. Which region keeps the backups?\n"
			noted    = "The importer fails on an empty row. Do we skip it?"
			question = "What is next, please?"
			wrapUp   = "/keepsake:handoff promote"
			resume   = "asking Ann for the region"
		)
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberLimits(1, "Ten workers at most")
		l.Write(filepath.Join(l.Project, "task_plan.md"), plan)
		l.Write(filepath.Join(l.Project, "STATE.md"), "# State\n")
		bin := l.keepsake()
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			tail, last := r.Tail(), r.LastCall()
			skill, called := calledNow(r, "Hand the work over")
			switch {
			case called && strings.HasPrefix(skill.args, "promote"):
				return Bash(bin + " handoff promote --resume '" + resume + "'")
			case last.Name == "Bash":
				return Say("Done: " + strings.Join(strings.Fields(tail), " "))
			case strings.Contains(tail, "Note this: "):
				return Bash(bin + " save '" + noted + "'")
			}
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		})
		ask := func(term *Terminal, prompt string) *Request {
			before := len(l.Model.Requests())
			term.Send(prompt)
			r := l.Model.Await(prompt, func(r *Request) bool {
				return r.N > before && r.Route == "main" && strings.Contains(r.Tail(), prompt)
			})
			term.Wait(fmt.Sprintf("answer %d", r.N))
			return r
		}
		// caughtUp is the newest catch-up of a request.
		caughtUp := func(r *Request) string {
			all := regexp.MustCompile(`<memory-brief[\s\S]*?</memory-brief>`).FindAllString(r.Text(), -1)
			if len(all) == 0 {
				return ""
			}
			return all[len(all)-1]
		}
		wants := func(when, text string, parts ...string) {
			t.Helper()
			for _, p := range parts {
				if !strings.Contains(text, p) {
					t.Errorf("%s: the catch-up lacks %q\n%s", when, p, text)
				}
			}
		}
		term := l.Terminal("--permission-mode", "default")
		text := caughtUp(ask(term, question))
		wants("startup", text,
			`The active phase of the plan is "Phase 2: Data model", in progress, with 1 of 2 steps done and "ids as ULIDs" next [source: task_plan.md].`,
			`One question is open: "Which region keeps the backups?" [source: task_plan.md].`,
			"There are no notes in scratch.",
			"STATE.md says more of the project.")
		term.Send("Note this: " + noted)
		term.Wait("Saved to scratch / topic=phase-2-data-model")

		term.Send("/clear")
		term.until("the new session has begun", func() bool {
			return !strings.Contains(term.Screen(), "Saved to scratch")
		})
		r := ask(term, question)
		if strings.Contains(r.Text(), "Note this: ") {
			t.Fatalf("the conversation was not cleared:\n%s", r.Text())
		}
		wants("clear", caughtUp(r), "One note in scratch is not promoted yet", `the newest says "`+noted+`"`,
			"2 questions are open: ")
		note := ""
		term.until("the cleared session has left its note", func() bool {
			note = l.Read(filepath.Join(l.Project, ".agents", "memory", "handoff.md"))
			return strings.Contains(note, "### Handoff 2")
		})
		wants("the note of the cleared session", note, "### Handoff 2",
			"**Active phase at session end:** Phase 2: Data model", "**Not promoted:** 1 entry",
			"- Which region keeps the backups? [source: task_plan.md]",
			"- ids as ULIDs [source: task_plan.md]")

		term.Send(wrapUp)
		term.Wait(`handoff\s+note:\s+\.agents/memory/handoff\.md`)
		if !regexp.MustCompile(`s[0-9a-z]{5} +note`).MatchString(term.History()) {
			t.Errorf("the note is not listed with its id\n%s", term.History())
		}
		term.Quit()

		term = l.Terminal("--permission-mode", "default", "--continue")
		wants("resume", caughtUp(ask(term, question)), `says to resume by "`+resume+
			`" [source: .agents/memory/handoff.md]; STATE.md says more`)
		for _, screen := range term.Dialogs() {
			t.Errorf("a dialog was shown\n%s", screen)
		}
		checkQuietHooks(t, l, term)
		term.Quit()
		if got := l.Read(filepath.Join(l.Project, "task_plan.md")); got != plan {
			t.Errorf("the plan was written:\n%s", got)
		}
		if l.Exists(filepath.Join(l.Project, "progress.md")) ||
			l.Exists(filepath.Join(l.Project, "findings.md")) {
			t.Error("a planning file appeared")
		}
	})
}

// A project without plan and notes is told nothing, and gets no new files.
func TestNoHandoff(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		})
		term := l.Terminal("--permission-mode", "default")
		for _, prompt := range []string{"Hello there.", "/clear", "Hello again."} {
			term.Send(prompt)
			if prompt != "/clear" {
				r := l.Model.Await(prompt, func(r *Request) bool {
					return r.Route == "main" && strings.Contains(r.Tail(), prompt)
				})
				term.Wait(fmt.Sprintf("answer %d", r.N))
				if strings.Contains(r.Text(), "memory-brief") {
					t.Errorf("told a catch-up:\n%s", r.Text())
				}
			}
		}
		term.Quit()
		if l.Exists(filepath.Join(l.Project, ".agents")) ||
			l.Exists(filepath.Join(l.Project, ".claude", "memory")) {
			t.Errorf("the project has %q", l.Files(l.Project))
		}
	})
}
