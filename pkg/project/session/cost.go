package session

import (
	"time"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/journal/event"
	"keepsake/pkg/text"
)

// Added returns the event of a text that a hook gave the model with a request that is made anyway.
func Added(hook, said string) event.Event {
	return event.Event{Type: event.Cost, Hook: hook, Took: event.Untimed, Data: event.Data{
		"bytes": len(said), "tokens": text.ModelTokens(said), "requests": 0}}
}

// Continued returns the event of a text for which the agent goes on after its turn. Its tokens are those of
// the requests that follow.
func Continued(hook, said string) event.Event {
	return event.Event{Type: event.Cost, Hook: hook, Took: event.Untimed, Data: event.Data{
		"bytes": len(said), "tokens": 0, "requests": 0}}
}

// Worked returns the event of requests that were made for Keepsake: those of a turn of the agent's, or of a
// subagent's conversation. The last answer may not be in the file yet. It then counts as one that read
// window tokens from the cache.
func Worked(hook string, entries []transcript.Entry, window int64) event.Event {
	tokens := int64(0)
	answers := map[string]transcript.Usage{} // by message, whose blocks are entries of their own
	requests := 0
	for _, e := range entries {
		switch {
		case e.Who != transcript.Assistant:
		case e.UUID == "":
			requests++
			tokens += transcript.Usage{CacheRead: window}.Tokens() + int64(text.ModelTokens(e.Text))
		case e.Usage != (transcript.Usage{}):
			answers[e.MessageID] = e.Usage
		}
	}
	for _, u := range answers {
		tokens += u.Tokens()
	}
	return event.Event{Type: event.Cost, Hook: hook, Took: event.Untimed, Data: event.Data{
		"bytes": 0, "tokens": int(tokens), "requests": requests + len(answers)}}
}

// LogAgent logs what one of Keepsake's own agents took, as the transcript of its conversation has it.
func (pl *Place) LogAgent(hook, path string) {
	f, err := OpenTranscript(path)
	if err != nil {
		return // the client of that version keeps none
	}
	defer f.Close()
	span, err := transcript.Read(f, transcript.Request{Device: f.Device, Inode: f.Inode, Whole: true,
		Sources: true})
	if err != nil {
		pl.Fault(hook, "what an agent of Keepsake's took could not be counted", err)
		return
	}
	pl.Log(Worked(hook, span.Entries, 0))
}

// maxCosts bounds the events of one day that are counted.
const maxCosts = 20_000

// A Spending is how many tokens memory cost today, of how many (budget.tokens_per_day).
type Spending struct {
	Tokens, Limit int
	Told          bool // the person knows that they are used up
}

// Over reports whether the day's tokens are used up.
func (sp Spending) Over() bool { return sp.Limit > 0 && sp.Tokens >= sp.Limit }

// HoldToBudget has the agent asked to save nothing but what the person asks for, if the day's tokens are
// used up. They are counted from the event log.
func (s *Session) HoldToBudget(now time.Time) (sp Spending) {
	if sp.Limit = s.Config.Budget.TokensPerDay; sp.Limit == 0 {
		return sp
	}
	y, m, d := now.Local().Date()
	r, err := s.Events().Last(time.Date(y, m, d, 0, 0, 0, 0, time.Local), maxCosts,
		func(e event.Event) bool { return e.Type == event.Cost || e.Type == event.BudgetReached })
	if err != nil {
		s.Fault("budget", "what memory cost today could not be counted whole", err)
	}
	for _, e := range r.Events {
		sp.Tokens += int(e.Data.Number("tokens"))
		sp.Told = sp.Told || e.Type == event.BudgetReached
	}
	if sp.Over() {
		s.Config.Capture.MaxSaves = 0
	}
	return sp
}
