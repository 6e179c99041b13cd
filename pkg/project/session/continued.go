package session

import (
	"strings"
	"time"

	"keepsake/pkg/capture/stage"
)

// IsNotice reports whether a prompt is the client's own: the report of an agent or a task that has ended. A
// prompt that the model scheduled looks like one that a person typed.
func IsNotice(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return strings.HasPrefix(prompt, "<task-notification>") || strings.HasPrefix(prompt, "<agent-message") ||
		strings.HasPrefix(prompt, "[Subagent hand-back]")
}

// Prompted notes that the person prompted, if a hook has made the agent go on before. From now on a dialog
// is what they expect. What they type while the agent still goes on does not count yet: the newer client
// tells of it at once, and the agent reads it later. The gate finds it in the transcript then.
func (fl *InFlight) Prompted(prompt string) error {
	if fl.State.Continued.IsZero() || !fl.State.Rested {
		return nil
	}
	return fl.Update(func(st *stage.State) error {
		if !IsNotice(prompt) { // else the agent goes on again
			st.Continued = time.Time{}
		}
		st.Rested = false
		return nil
	})
}
