package answer

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/journal"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
	"keepsake/pkg/store"
	"keepsake/pkg/text"
)

// An Outcome is what became of one prompt: a line of the log of prompts.
type Outcome struct {
	Time    time.Time `json:"time"`
	Session string    `json:"session"`           // the beginning of its id
	Prompt  string    `json:"prompt"`            // its beginning, without secrets and private text
	Floor   float64   `json:"floor"`             // the lowest score of a memory that is shown
	Came    []Near    `json:"came"`              // what it was given, best first
	Near    []Near    `json:"near"`              // what it was not given, best first
	Skipped string    `json:"skipped,omitempty"` // why nothing was looked up: no_memories or failed
}

// A Near is something that was found for a prompt.
type Near struct {
	// of a memory below the store's root; "#" and the number of a statement; of one of the client's own
	// memory files absolute; "" for what is held back
	Path  string  `json:"path,omitempty"`
	Title string  `json:"title,omitempty"`
	Score float64 `json:"score,omitempty"`
	Why   Reason  `json:"why,omitempty"` // it was not given
	By    string  `json:"by,omitempty"`  // what says it, for SameAs, Superseded and Loaded; why, for LeftOut
}

// Bounds of the log of prompts.
const (
	maxOutcomes     = 200
	maxOutcomeBytes = 256 << 10
	promptRunes     = 80
	titleRunes      = 60
	maxNears        = 5 // that were not given

	// promptHead is as much of a prompt as is looked through for secrets before its beginning is taken, in
	// bytes.
	promptHead = 16 << 10
)

// outcomes returns the log of what the project's last prompts were given.
func outcomes(s *session.Session) journal.Ring {
	return journal.Ring{Path: s.Dirs.Of(s.Place.Home).Prompts(), Lines: maxOutcomes, Bytes: maxOutcomeBytes}
}

// Outcomes returns what became of the project's last prompts, oldest first, and how many lines of the log
// can't be read.
func Outcomes(s *session.Session) (all []Outcome, broken int, err error) {
	lines, err := outcomes(s).Read()
	if err != nil {
		return nil, 0, err
	}
	all, broken = parseOutcomes(lines)
	return all[max(0, len(all)-maxOutcomes):], broken, nil
}

// parseOutcomes returns the outcomes in some lines, and how many lines have none.
func parseOutcomes(lines []byte) (all []Outcome, broken int) {
	for line := range bytes.Lines(lines) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var o Outcome
		if json.Unmarshal(line, &o) != nil || o.Time.IsZero() {
			broken++
			continue
		}
		all = append(all, o)
	}
	return all, broken
}

// came notes what a prompt was given and what came near.
func (p *Prompt) came(got session.Result, memories []brief.Recalled, shown []string) {
	if !p.Config.Retrieval.Log {
		return
	}
	scores := map[string]float64{}
	for _, h := range got.Hits {
		scores[h.Path] = h.Score
	}
	given := map[string]bool{}
	took := map[string]string{} // the memory in whose place another one was shown, and that one
	for _, m := range memories {
		if !slices.Contains(shown, m.Path) {
			continue
		}
		given[m.Path] = true
		p.Came.Came = append(p.Came.Came, nearOf(m.Path, m.Title, scores[m.Path]))
		for _, d := range m.Disputes {
			took[d.Path] = m.Path
		}
	}
	if p.left.heard.Path != "" {
		p.Came.Came = append(p.Came.Came, p.left.heard)
	}
	for _, h := range got.Hits {
		if given[h.Path] || len(p.Came.Near) == maxNears {
			continue
		}
		n := nearOf(h.Path, h.Title, h.Score)
		isThis := func(f session.Found) bool { return f.Path == h.Path }
		isShown := func(m brief.Recalled) bool { return m.Path == h.Path }
		switch l, known := p.left.why[h.Path]; {
		case slices.ContainsFunc(got.Held, isThis): // its title is nobody's to see
			n = Near{Score: n.Score, Why: HeldBack}
		case took[h.Path] != "":
			n.Why, n.By = Superseded, took[h.Path]
		case h.Score < p.floor():
			n.Why = BelowFloor
		case known:
			n.Why, n.By = l.why, l.by
		case slices.ContainsFunc(got.Found, isThis) && !slices.ContainsFunc(memories, isShown):
			n.Why = Superseded // by one that the model knows
		case slices.ContainsFunc(got.Bad, func(b store.Bad) bool { return b.Path == h.Path }):
			n.Why = Gone
		default:
			n.Why = NoRoom
		}
		p.Came.Near = append(p.Came.Near, n)
	}
}

func nearOf(path, title string, score float64) Near {
	return Near{Path: path, Title: text.Shorten(text.FlatLine(secret.Redact(title)), titleRunes),
		Score: math.Round(score*1000) / 1000}
}

// Note puts what became of the prompt into the log of prompts, with the client's memory files that it was
// pointed to. Like any log it must cost its caller nothing: what can't be written is lost.
func (p *Prompt) Note(pointed []string) {
	if !p.Config.Retrieval.Log || !p.Config.Retrieval.Enabled {
		return
	}
	if line, err := json.Marshal(p.outcome(pointed)); err == nil {
		_ = outcomes(p.Session).Append(line)
	}
}

// outcome returns what became of the prompt, with the files that it was pointed to.
func (p *Prompt) outcome(pointed []string) Outcome {
	o := p.Came
	o.Time, o.Session, o.Floor = p.Now.UTC(), text.CutBytes(p.ID, sessionBytes), p.floor()
	o.Prompt = beginning(p.Text)
	for _, path := range pointed {
		o.Came = append(o.Came, Near{Path: path})
	}
	if o.Came == nil {
		o.Came = []Near{}
	}
	if o.Near == nil {
		o.Near = []Near{}
	}
	return o
}

// sessionBytes is as much of a session's id as tells it from others.
const sessionBytes = 8

// beginning returns the beginning of a prompt in one line, without secrets and private text.
func beginning(prompt string) string {
	public, _ := secret.WithoutPrivate(prompt)
	return text.Shorten(text.FlatLine(secret.Redact(text.CutBytes(public, promptHead))), promptRunes)
}
