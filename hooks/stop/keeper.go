package stop

import (
	"path/filepath"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
)

// keeperEvery is how many more notes make a session name the memory-keeper again.
const keeperEvery = 5

// nameKeeper returns a text that names the agent that looks through notes, if there are notes that no
// such agent has looked at. It takes the text from the budget. Until that agent has ended, the session is
// about the notes, as in a save.
func (t turn) nameKeeper(st *stage.State) string {
	if t.Codex() || !t.Config.Inbox.Keeper || t.Config.Inbox.DailyProposals == 0 ||
		st.Saves >= t.Config.Capture.MaxSaves {
		return ""
	}
	n, err := t.Unseen()
	if err != nil {
		t.Fault(hookName, "the notes could not be looked at, so no memory-keeper was named", err)
		return ""
	}
	if n == 0 || st.Keeper.Named > 0 && n < st.Keeper.Unread+keeperEvery {
		return ""
	}
	// What it proposes today would not be taken: the notes wait for another day.
	if filed, err := t.Inbox().Filed(t.now); err != nil || filed >= t.Config.Inbox.DailyProposals {
		if err != nil {
			t.Fault(hookName, "the inbox could not be looked at, so no memory-keeper was named", err)
		}
		return ""
	}
	contexts, err := t.Desk.Contexts()
	if err != nil {
		t.Fault(hookName, "a memory-keeper is shown no passages", err)
	}
	var passages []string
	for _, c := range contexts {
		passages = append(passages, filepath.Join(t.Desk.Dir, c.Name()))
	}
	st.Saves++
	st.Keeper.Named++
	st.Keeper.Unread = n
	st.Enter(stage.Ask)
	return brief.Unseen(n, passages)
}

// forgetTold returns k without what the person has just been told.
func forgetTold(k stage.Keeper) stage.Keeper {
	k.Taken, k.Refused = 0, 0
	return k
}
