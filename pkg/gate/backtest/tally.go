package backtest

import (
	"strings"
	"time"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/gate/armed"
	"keepsake/pkg/project/session"
)

// A Tally is how often a guard met a call, and what the person did then.
type Tally struct {
	Said    int       `json:"said"`
	Asked   int       `json:"asked"`
	Denied  int       `json:"denied"`
	Allowed int       `json:"allowed"` // of those asked about, the person let them run
	Lifted  int       `json:"lifted"`  // the person disarmed it right after
	Last    time.Time `json:"last,omitzero"`
}

// Hits returns how many calls the guard met.
func (t Tally) Hits() int { return t.Said + t.Asked + t.Denied }

// Overridden returns how often the person went on against the guard.
func (t Tally) Overridden() int { return t.Allowed + t.Lifted }

// TooOften is from how many times on a guard that the person overrode is proposed to be dropped.
const TooOften = 3

// TallyOf counts what became of the calls that guards met, by the guards' keys: a guard that was changed
// begins anew. What a person answered to a question stands in the transcript of the session.
func TallyOf(marks []armed.Mark) map[string]Tally {
	all := map[string]Tally{}
	read := map[string]map[string]bool{}
	for _, m := range marks {
		t := all[m.Guard]
		switch m.What {
		case armed.Said:
			t.Said++
		case armed.Asked:
			t.Asked++
			if read[m.Transcript] == nil {
				read[m.Transcript] = ranIn(m.Transcript)
			}
			if read[m.Transcript][m.Use] {
				t.Allowed++
			}
		case armed.Denied:
			t.Denied++
		case armed.Lifted:
			t.Lifted++
		}
		if m.What != armed.Ran && m.What != armed.Began && m.At.After(t.Last) {
			t.Last = m.At
		}
		all[m.Guard] = t
	}
	return all
}

// ranIn returns the ids of the calls in a transcript that the person did not refuse, and that were not
// stopped for want of a dialog. Where it can't be read, none did.
func ranIn(path string) map[string]bool {
	ran := map[string]bool{}
	file, err := session.OpenTranscript(path)
	if err != nil {
		return ran
	}
	defer file.Close()
	span, err := transcript.Read(file, transcript.Request{Whole: true})
	if err != nil {
		return ran
	}
	for _, e := range span.Entries {
		if e.Who == transcript.Tool && e.Call != nil && !e.Refused &&
			!(e.Failed && strings.Contains(e.Text, "keepsake guard disarm ")) {
			ran[e.Call.ID] = true
		}
	}
	return ran
}

// Right is how long after a guard met a call a disarming counts as an answer to it.
const Right = 30 * time.Minute

// Answers reports whether disarming the guard with a key now answers a call that it stopped or asked about.
func Answers(marks []armed.Mark, key string, now time.Time) bool {
	for _, m := range marks {
		if m.Guard == key && (m.What == armed.Denied || m.What == armed.Asked) && now.Sub(m.At) < Right {
			return true
		}
	}
	return false
}
