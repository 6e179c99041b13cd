//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Scribe is the mind of a model that follows the part "By hand" of skills/save/SKILL.md. Drafts says what it writes
// for a text that the person typed; target is the id of the same thing as recall found it, "" when it found none.
type Scribe struct {
	Model  *Model
	Drafts func(text, target string) any
}

var (
	draftFile = regexp.MustCompile(`written to (\S+\.json)`)
	foundFile = regexp.MustCompile(`decisions/(\S+)\.json`)
)

// Answer is the main conversation's turn.
func (s *Scribe) Answer(r *Request) Reply {
	tail, last := r.Tail(), r.LastCall()
	saver := Saver{Model: s.Model}
	run := func(rest string) Reply { return Bash(saver.binary(r) + " " + rest) }
	text, args, _ := strings.Cut(s.asked(r), " ")
	verb := last.Command()[strings.LastIndex(last.Command(), "/bin/keepsake")+1:]
	verb = strings.TrimPrefix(verb, "bin/keepsake ")
	switch _, skill := calledNow(r, "Save memories with Keepsake"); {
	case skill:
		return run("version")
	case verb == "version":
		return run("draft --form " + text)
	case strings.HasPrefix(verb, "draft --form"):
		return run("recall invoices kept years")
	case strings.HasPrefix(verb, "recall"):
		target := ""
		if m := foundFile.FindStringSubmatch(tail); m != nil {
			target = m[1]
		}
		files := draftFile.FindAllStringSubmatch(r.Text(), -1)
		if len(files) == 0 {
			return s.Model.GiveUp("the form names no file: " + r.Text())
		}
		b, err := json.Marshal(s.Drafts(args, target))
		if err != nil {
			return s.Model.GiveUp(err.Error())
		}
		return Call("Write", map[string]any{"file_path": files[len(files)-1][1], "content": string(b)})
	case last.Name == "Write":
		return run("plan --partial")
	case strings.HasPrefix(verb, "plan"):
		if m := digest.FindStringSubmatch(tail); m != nil {
			return run("apply " + strings.TrimPrefix(m[0], "apply "))
		}
		return s.Model.GiveUp("no plan: " + tail)
	case strings.HasPrefix(verb, "apply"):
		if m := savedLine.FindString(tail); m != "" {
			return Say(m)
		}
		return s.Model.GiveUp("not saved: " + tail)
	}
	return Say(fmt.Sprintf("I see, says answer %d.", r.N))
}

// asked is what the person typed behind the skill's name last.
func (s *Scribe) asked(r *Request) string {
	all := arguments.FindAllStringSubmatch(r.Text(), -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}
