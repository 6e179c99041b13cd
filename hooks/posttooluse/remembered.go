package main

import (
	"encoding/json"
	"strings"
	"time"

	"keepsake/pkg/hook"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

// remembers reports whether a call was the command by which the main agent writes up
// findings.
func remembers(in hook.PostToolUse) bool {
	if in.Tool != "Bash" || in.AgentID != "" {
		return false
	}
	var args struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(in.Args, &args) != nil {
		return false
	}
	program := session.Program()
	return program != "" && strings.HasPrefix(args.Command, program+" remember ")
}

// remembered ends the turn in which an agent has written up all that it was asked to
// keep: that turn was ours, the person has seen what was saved, and one more request
// would only say so again. A turn in which the person has typed goes on, and so does
// one in which something is left to be written up.
func remembered(in hook.PostToolUse) (end string, err error) {
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil || !s.State.Asked || !session.Attended() {
		return "", err
	}
	book, err := s.Recent()
	if err != nil {
		return "", err
	}
	statements, _ := s.Waiting(book, true)
	for _, f := range statements {
		if f.Told == s.ID && f.Since.After(time.Now().Add(-askedFor)) {
			return "", nil
		}
	}
	saved := ""
	err = s.Update(func(st *stage.State) error {
		if st.Asked = false; st.Result != nil {
			saved = st.Result.Line
		}
		return nil
	})
	return saved, err
}

// askedFor is how old what an agent was asked to keep may be and still be part of the
// turn that asked.
const askedFor = 10 * time.Minute
