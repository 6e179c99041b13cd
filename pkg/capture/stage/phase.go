package stage

import "slices"

// A Phase is what a session is busy with between two ends of a turn.
type Phase string

// The phases.
const (
	Working Phase = "working" // on what the person asks for
	Saving  Phase = "saving"  // the agent was asked to save, or to have notes looked through
	Applied Phase = "applied" // and a save was applied in this turn
	Beside  Phase = "beside"  // the agent saved something by the way, in a turn of the person's
)

// A Step is an event that changes a session's phase.
type Step string

// The steps. A turn is our own when a hook began it, when a drafter, a verifier or a
// memory-keeper still runs, or when the person has not opened another one since.
const (
	Ask     Step = "ask"      // the agent is asked to save, or to have notes looked through
	Apply   Step = "apply"    // a save is applied
	EndOwn  Step = "end_own"  // a turn of our own doing ends
	EndWork Step = "end_work" // a turn ends that is the person's
)

// A change is one row of the table.
type change struct {
	from []Phase
	step Step
	to   Phase
	own  bool // the turn that ends is about our own doing
}

// changes is the whole life of a session's phase. A save goes over several turns when
// drafters run in the background, each ending in a Stop of its own. It ends with the turn
// that applies, or when the person has opened a turn while nothing was being drafted: then
// the agent did not take it up.
var changes = []change{
	{[]Phase{Working, Saving}, Ask, Saving, false},
	{[]Phase{Applied, Beside}, Ask, Applied, false},
	{[]Phase{Working, Beside}, Apply, Beside, false},
	{[]Phase{Saving, Applied}, Apply, Applied, false},
	{[]Phase{Working}, EndOwn, Working, false},
	{[]Phase{Saving}, EndOwn, Saving, true},
	{[]Phase{Applied, Beside}, EndOwn, Working, true},
	{[]Phase{Working, Saving, Applied, Beside}, EndWork, Working, false},
}

// next returns the phase that a step leads to, and whether the turn that it ends is about
// our own doing.
func (p Phase) next(s Step) (to Phase, own bool) {
	i := slices.IndexFunc(changes, func(c change) bool { return c.step == s && slices.Contains(c.from, p) })
	return changes[i].to, changes[i].own // a test holds that every phase takes every step
}

// Phase returns what the session is about. Its file has two marks for it.
func (st *State) Phase() Phase {
	switch {
	case st.Saving && st.Applied:
		return Applied
	case st.Applied:
		return Beside
	case st.Saving:
		return Saving
	}
	return Working
}

// Enter takes a step. It reports whether the turn that ends was about our own work, whose text nobody
// should notice. The end of a turn forgets which records were saved in it.
func (st *State) Enter(s Step) (own bool) {
	to, own := st.Phase().next(s)
	st.Saving, st.Applied = to == Saving || to == Applied, to == Applied || to == Beside
	if s == EndOwn || s == EndWork {
		st.Saved = nil
	}
	return own
}
