package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

type statusCmd struct {
	JSON bool `help:"Print one JSON object."`
}

func (statusCmd) Help() string {
	return `Shows the session's stage (what was noticed, drafted and planned), what was noticed in the project and became of it, how much of ended sessions waits, what they left pending, the drafts that could not be saved and why, how far the transcript has been read, the budget of feedbacks, the last save, and how many memories are stored.

A rejected draft is listed until what it was made from is drafted again and saved (keepsake records triage --pending), or its file is deleted.

Example:

    keepsake status --session 4e836284-4a0a-44a1-acb3-38c68db78007`
}

// statusJSON is what status --json prints.
type statusJSON struct {
	Project string    `json:"project"`
	Session string    `json:"session,omitempty"` // "" when no session is known
	Stage   stageJSON `json:"stage"`
	// Findings are what was noticed in the project, by what became of it; Waiting are those
	// of ended sessions that nothing has become of.
	Findings map[finding.State]int        `json:"findings"`
	Waiting  int                          `json:"waiting"`
	Pending  map[string][]memory.Category `json:"pending"` // by the session that left it
	Refused  []refusedJSON                `json:"rejected"`
	Read     *readJSON                    `json:"read,omitempty"`
	Saves    int                          `json:"saves"` // feedbacks given since the last compaction
	Budget   int                          `json:"max_saves_per_session"`
	Context  *contextJSON                 `json:"context,omitempty"` // absent where it is unknown
	Last     *stage.Result                `json:"last_save,omitempty"`
	Stored   map[memory.Category]int      `json:"stored"` // active memories
	Other    int                          `json:"stored_inactive"`
	Bad      int                          `json:"unreadable"`
}

// contextJSON is how full the model's context window is.
type contextJSON struct {
	Used   int64 `json:"used"`   // tokens, at the last answer that a hook saw
	Window int64 `json:"window"` // tokens
}

// refusedJSON is a draft that could not be saved.
type refusedJSON struct {
	Category memory.Category `json:"category"`
	Title    string          `json:"title,omitempty"`
	Reason   string          `json:"reason"`
	Blocked  bool            `json:"blocked"` // held back by somebody, not refused
	Session  string          `json:"session"` // that it was refused in, or that is drafting it again
	At       time.Time       `json:"at,omitzero"`
	File     string          `json:"file"` // the draft, with all notes
}

type stageJSON struct {
	Dir      string            `json:"dir"`
	Noticed  []memory.Category `json:"noticed"`
	Moments  int               `json:"moments"` // statements for the Markdown memories that nobody was told of
	Drafted  []memory.Category `json:"drafted"`
	Drafters int               `json:"drafters_ended"`
	Plan     string            `json:"plan,omitempty"` // digest
}

// readJSON says how far the transcript has been read.
type readJSON struct {
	Transcript string    `json:"transcript"`
	Offset     int64     `json:"offset"` // bytes
	Behind     int64     `json:"behind"` // bytes not read yet
	Seen       time.Time `json:"seen"`   // last hook of the session
}

func (v statusCmd) Run(c *call) error {
	c.json = v.JSON
	s, err := c.where()
	if err != nil {
		return err
	}
	c.untold(s)
	if !s.Known {
		if known, err := latest(s); err == nil {
			s = known // nothing is staged anywhere; the session that was seen last says most
		}
	}
	st, err := statusOf(s, c.now())
	if err != nil {
		return err
	}
	c.line("project  %s", brief.Line(st.Project))
	if st.Session != "" {
		c.line("session  %s", st.Session)
	}
	c.line("stage    %s", stageLine(st.Stage))
	if line := findingsLine(st.Findings); line != "" {
		c.line("noticed  %s", line)
	}
	if st.Waiting > 0 {
		c.line("waiting  %s of earlier sessions (keepsake inbox)", count(st.Waiting, "thing"))
	}
	for _, id := range sortedKeys(st.Pending) {
		c.line("pending  %s, left by session %s", names(st.Pending[id]), id)
	}
	for _, r := range st.Refused {
		word := "rejected"
		if r.Blocked {
			word = "blocked "
		}
		c.line("%s %s", word, refusedLine(r))
		c.line("         the draft is kept in %s", brief.Line(r.File))
	}
	if r := st.Read; r != nil {
		c.line("read     to byte %d, %d behind, last hook %s ago", r.Offset, r.Behind, age(c.now().Sub(r.Seen)))
	}
	c.line("budget   %d of %d feedbacks used", st.Saves, st.Budget)
	if w := st.Context; w != nil {
		c.line("context  %d %% of %d tokens", 100*w.Used/w.Window, w.Window)
	}
	if st.Last != nil {
		c.line("last     %s (%s ago)", brief.Line(st.Last.Line), age(c.now().Sub(st.Last.At)))
	}
	c.line("stored   %s", storedLine(st))
	c.value(st)
	return nil
}

func statusOf(s *session.Session, now time.Time) (statusJSON, error) {
	st := statusJSON{Project: s.Root, Saves: s.State.Saves, Budget: s.Config.Capture.MaxSaves, Last: s.State.Result, Stored: map[memory.Category]int{}}
	if s.Known {
		st.Session = s.ID
	}
	st.Stage = stageJSON{Dir: s.Desk.Dir, Noticed: []memory.Category{}, Drafted: []memory.Category{}, Drafters: len(s.State.Drafters)}
	files, err := s.Desk.Files()
	if err != nil {
		return st, err
	}
	for _, cat := range memory.Categories() {
		if slices.Contains(files, stage.ContextName(cat)) {
			st.Stage.Noticed = append(st.Stage.Noticed, cat)
		}
		if slices.Contains(files, stage.IntentName(cat)) {
			st.Stage.Drafted = append(st.Stage.Drafted, cat)
		}
	}
	book, err := s.Whole()
	if err != nil {
		return st, err
	}
	st.Findings = book.Count()
	_, moments := s.Waiting(book, false)
	st.Stage.Moments = len(moments)
	earlier, err := s.EarlierFindings(now)
	if err != nil {
		return st, err
	}
	st.Waiting = earlier.Findings
	if p := s.State.Pressure; p.Used > 0 && p.Window >= p.Used {
		st.Context = &contextJSON{p.Used, p.Window}
	}
	if p, err := readPlan(s); err == nil {
		st.Stage.Plan = p.Digest
	}
	if st.Pending, err = s.Pending().Waiting(); err != nil {
		return st, err
	}
	kept, err := s.Pending().Refused()
	if err != nil {
		return st, err
	}
	st.Refused = []refusedJSON{}
	for _, k := range kept {
		st.Refused = append(st.Refused, refusedJSON{k.Category, k.Title, k.Reason, k.Blocked, k.Session, k.At, k.Path})
	}
	if path := s.State.Transcript; s.Known && path != "" {
		st.Read = &readJSON{Transcript: path, Offset: s.State.Mark.Offset, Seen: s.State.Seen}
		if info, err := os.Stat(path); err == nil {
			st.Read.Behind = max(0, info.Size()-s.State.Mark.Offset)
		}
	}
	loaded, err := s.Store().Load()
	if err != nil {
		return st, err
	}
	for _, r := range loaded.Records {
		if r.Status == memory.Active {
			st.Stored[r.Category]++
		} else {
			st.Other++
		}
	}
	st.Bad = len(loaded.Bad)
	return st, nil
}

func refusedLine(r refusedJSON) string {
	line := string(r.Category)
	if r.Title != "" {
		line += ` "` + brief.Line(r.Title) + `"`
	}
	return line + " of session " + r.Session + ": " + cut(brief.Line(r.Reason), reasonRunes)
}

func stageLine(s stageJSON) string {
	if len(s.Noticed)+len(s.Drafted)+s.Moments == 0 {
		return "empty"
	}
	line := "noticed " + names(s.Noticed)
	if len(s.Noticed) == 0 {
		line = "nothing noticed"
	}
	if len(s.Drafted) > 0 {
		line += "; drafted " + names(s.Drafted)
	}
	if s.Plan != "" {
		line += "; plan " + s.Plan[:12]
	}
	if s.Moments > 0 {
		line += "; " + count(s.Moments, "statement") + " for the Markdown memories"
	}
	return line
}

// findingsLine says what became of what was noticed.
func findingsLine(counts map[finding.State]int) string {
	var parts []string
	for _, s := range finding.States() {
		if n := counts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(s), "_", " ")))
		}
	}
	return strings.Join(parts, ", ")
}

func storedLine(st statusJSON) string {
	var parts []string
	for _, cat := range memory.Categories() {
		if n := st.Stored[cat]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, cat))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing active"}
	}
	if st.Other > 0 {
		parts = append(parts, fmt.Sprintf("%d retired or archived", st.Other))
	}
	if st.Bad > 0 {
		parts = append(parts, fmt.Sprintf("%d unreadable (keepsake doctor)", st.Bad))
	}
	return strings.Join(parts, ", ")
}

func names(cats []memory.Category) string {
	out := make([]string, len(cats))
	for i, c := range cats {
		out[i] = string(c)
	}
	return strings.Join(out, ", ")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// age rounds a duration to what a person wants to know. A clock that stepped
// back makes it negative, which reads as no time at all.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%dmin", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}
