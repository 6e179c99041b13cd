//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// The person says in plain words what should be different. The agent finds the key, says what it will change,
// and the dialog is the person's yes; the next prompt goes by it. A key that does nothing here is refused
// with the reason, and the settings stay.
func TestConfigInWords(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const (
			less  = "Please bring back one memory at a time, not three."
			judge = "And let another model judge which memories are brought back."
		)
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.rememberLimits(6, "Ten at most")
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			tail, last := r.Tail(), r.LastCall()
			run := func(rest string) Reply {
				m := regexp.MustCompile("`(/\\S+/bin/keepsake) config list`").FindStringSubmatch(r.Text())
				if m == nil {
					return l.Model.GiveUp("the skill's text does not name the binary")
				}
				return Bash(m[1] + " config " + rest)
			}
			switch verb := last.Command()[strings.LastIndex(last.Command(), " config ")+1:]; {
			case strings.Contains(tail, less), strings.Contains(tail, judge):
				return Call("Skill", map[string]any{"skill": "keepsake:memory"})
			case last.Name == "Skill":
				return run("list")
			case verb == "config list" && !strings.Contains(r.Text(), judge):
				if !regexp.MustCompile(`retrieval\.max_inject +3 +default`).MatchString(tail) {
					return l.Model.GiveUp("config list does not show what is set: " + tail)
				}
				return run("explain retrieval.max_inject")
			case verb == "config list":
				return Say("I set retrieval.judge to true.").And(run("set retrieval.judge true"))
			case verb == "config explain retrieval.max_inject":
				return Say("I set retrieval.max_inject from 3 to 1 in " +
					"memory-config.json.").And(run("set retrieval.max_inject 1"))
			case strings.HasPrefix(verb, "config set"):
				_, says, _ := strings.Cut(tail, "[result] ")
				return Say("It answers: " + says)
			}
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		})
		term := l.Terminal("--permission-mode", "default")
		brought := func(prompt string) int {
			term.Send(prompt)
			r := l.Model.Await(prompt, func(r *Request) bool {
				return strings.Contains(r.Tail(), prompt) && r.Route == "main"
			})
			term.Wait(fmt.Sprintf("answer %d", r.N))
			return len(regexp.MustCompile(`(?m)^- \[.*\[source: `).FindAllString(recalled(r), -1))
		}
		if n := brought("How many workers may a job queue have?"); n != 3 {
			t.Errorf("%d memories were brought back before, want 3\n%s", n, l.Model.Digest())
		}
		for _, change := range []struct{ prompt, says string }{
			{less, `It answers: retrieval\.max_inject = 1`},
			{judge, `It answers: [\s\S]*retrieval\.judge: does nothing here`},
		} {
			term.Send(change.prompt)
			if screen := term.WaitDialog(); !strings.Contains(screen, "config set") {
				t.Errorf("the dialog does not show the change\n%s", screen)
			}
			term.Answer("1")
			term.Wait(change.says)
		}
		if n := brought("And again, how many workers may a job queue have?"); n != 1 {
			t.Errorf("%d memories were brought back after, want 1\n%s", n, l.Model.Digest())
		}
		if got := l.Read(l.memories("memory-config.json")); strings.Contains(got, "judge") ||
			!strings.Contains(got, "max_inject") {
			t.Errorf("the settings are\n%s", got)
		}
		if got := term.Dialogs(); len(got) != 2 {
			t.Errorf("%d dialogs, want 2", len(got))
		}
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}

// recalled is the memory context that the newest part of a request brings, "" when it brings none.
func recalled(r *Request) string {
	_, text, _ := strings.Cut(r.Tail(), "<memory-context")
	text, _, found := strings.Cut(text, "</memory-context>")
	if !found {
		return ""
	}
	return "<memory-context" + text + "</memory-context>"
}

// rememberLimits puts constraints into the store that one question is about.
func (l *Lab) rememberLimits(n int, rule string) {
	l.t.Helper()
	for i := range n {
		id := fmt.Sprintf("workers-of-job-queue-%c", 'a'+i)
		l.Remember("constraints/"+id+".json", map[string]any{
			"schema_version": "1.0", "category": "constraint", "id": id,
			"title":         fmt.Sprintf("Workers of job queue %c", 'A'+i),
			"record_status": "active", "created_at": ago(4), "updated_at": ago(4),
			"tags": []string{"workers", "job-queue"}, "related_files": nil, "confidence": 0.9, "changes": nil,
			"times_updated": 0,
			"content": map[string]any{"kind": "technical", "rule": rule,
				"impact": []string{"Jobs wait for workers"}, "severity": "low", "active": true},
		})
	}
}
