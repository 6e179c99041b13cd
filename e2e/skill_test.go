//go:build e2e

package e2e

import (
	"regexp"
	"strings"
)

// A called skill is what the client puts into the conversation when the person types its name: the skill's
// text, and behind it what was typed behind the name.
type called struct{ text, args string }

var arguments = regexp.MustCompile(`(?m)^ARGUMENTS: (.*)$`)

// calledNow is the skill of that heading when the newest part of a request calls it.
func calledNow(r *Request, heading string) (s called, ok bool) {
	_, s.text, ok = strings.Cut(r.Tail(), "\n# "+heading)
	if m := arguments.FindStringSubmatch(s.text); m != nil {
		s.args = m[1]
	}
	return s, ok
}

// row is the commands that the skill's table gives for what the person typed or wants.
func (s called) row(wish string) (commands []string) {
	for _, line := range lines(s.text) {
		cells := strings.Split(line, "|")
		if len(cells) == 4 && strings.Trim(cells[1], " `") == wish {
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1) {
				commands = append(commands, m[1])
			}
		}
	}
	return commands
}

// Curator is the mind of a model that follows skills/memory/SKILL.md.
type Curator struct{ Model *Model }

const yesDo = "Yes, collect them."

// Answer is the main conversation's turn.
func (k *Curator) Answer(r *Request) Reply {
	tail, last := r.Tail(), r.LastCall()
	if s, ok := calledNow(r, "Look after the memories"); ok {
		wish, id, _ := strings.Cut(s.args, " ")
		for _, form := range []string{wish, wish + " ID", "says nothing more"} {
			if commands := s.row(form); len(commands) > 0 && (wish != "") == (form != "says nothing more") {
				id, why, given := strings.Cut(id, " ")
				if !given {
					commands[0] = strings.Replace(commands[0], " --reason 'WHY'", "", 1)
				}
				return Bash(strings.NewReplacer(" ID", " "+id, "WHY", why).Replace(commands[0]))
			}
		}
		return k.Model.GiveUp("the skill's table has no row for " + s.args)
	}
	switch {
	case strings.Contains(tail, yesDo):
		_, text, _ := strings.Cut(r.Text(), "\n# Look after the memories")
		return Bash(called{text: text}.row("--gc")[1])
	case strings.HasSuffix(last.Command(), " gc --dry-run"):
		return Say("Shall I collect them?")
	}
	return Say("That was it.")
}
