package main

import (
	"encoding/json"

	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/shell"
	"keepsake/pkg/project/session"
)

// handBack is the tool by which the client has an agent deliver its answer in auto mode. The event
// of the agent's end then has no answer.
const handBack = "SubagentHandback"

// handedBack notes the answer of a digest that is delivered by that tool.
func handedBack(in hook.PreToolUse) {
	if in.Tool != handBack || in.AgentType != shell.Digester {
		return
	}
	var said struct{ Message string }
	s, err := session.Open(session.Call{ID: in.Session, Transcript: in.Transcript, Cwd: in.Cwd})
	if err != nil {
		return // as the agent's end will say
	}
	if err = json.Unmarshal(in.Args, &said); err == nil {
		_, err = s.KeepDigestAnswer(in.AgentID, said.Message)
	}
	if err != nil {
		s.Fault(hookName, "what a digest found was not noted", err)
	}
}
