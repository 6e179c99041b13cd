//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Scribe is the mind of a model that is called with /keepsake:save and a text: it answers the line that came
// with it by one command. Drafts says what it writes for a finding; near is the id of a memory that the line
// names, "" for none.
type Scribe struct {
	Model  *Model
	Drafts func(near string) map[string]any
}

var nearID = regexp.MustCompile(`keepsake: keep \[\d+\][^\n]* \((?:near|supersedes): ([^,)]+)`)

// Answer is the main conversation's turn.
func (s *Scribe) Answer(r *Request) Reply {
	tail := r.Tail()
	switch {
	case strings.Contains(r.LastCall().Command(), "/bin/keepsake remember"):
		if m := savedLine.FindString(tail); m != "" {
			return Say(m)
		}
		return s.Model.GiveUp("not saved: " + tail)
	case keepLine.MatchString(tail):
		asked := keepLine.FindAllStringSubmatch(tail, -1)
		form := formOf.FindStringSubmatch(r.Text())
		if form == nil {
			return s.Model.GiveUp("nobody said how it is written up: " + tail)
		}
		near := ""
		if m := nearID.FindStringSubmatch(tail); m != nil {
			near = m[1]
		}
		d := s.Drafts(near)
		d["covers"] = []json.Number{json.Number(asked[len(asked)-1][1])}
		b, err := json.Marshal(d)
		if err != nil {
			return s.Model.GiveUp(err.Error())
		}
		return Bash(form[1] + " remember '" + string(b) + "'")
	}
	return Say(fmt.Sprintf("I see, says answer %d.", r.N))
}
