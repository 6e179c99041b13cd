// Package status reports the state of a session's work and of a project's memories.
package status

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/project/session"
	"keepsake/pkg/recovery"
	"keepsake/pkg/text"
)

// Status is how they stand.
type Status struct {
	Project string `json:"project"`
	Session string `json:"session,omitempty"` // "" when no session is known
	Stage   Stage  `json:"stage"`
	// Findings are what was noticed in the project, by what became of it.
	Findings map[finding.State]int        `json:"findings"`
	ToReview ToReview                     `json:"to_review"`
	Pending  map[string][]memory.Category `json:"pending"` // by the session that left it
	Refused  []Refused                    `json:"rejected"`
	Read     *Read                        `json:"read,omitempty"`
	Saves    int                          `json:"saves"` // feedbacks given since the last compaction
	Budget   int                          `json:"max_saves_per_session"`
	Context  *Context                     `json:"context,omitempty"` // absent where it is unknown
	Last     *Last                        `json:"last_save,omitempty"`
	Stored   map[memory.Category]int      `json:"stored"` // active memories
	Other    int                          `json:"stored_inactive"`
	Bad      int                          `json:"unreadable"`
	Given    Given                        `json:"given"`
}

// Given is how often memories were given to a model, and what followed.
type Given struct {
	Memories int         `json:"memories"` // that were given at all
	Count    usage.Count `json:"count"`
	Idle     int         `json:"idle"` // active ones that were given often and never used
}

// givenOf returns what became of memories, by their counts.
func givenOf(s *session.Session, counts map[string]usage.Count) (g Given) {
	for _, c := range counts {
		if c.Given() > 0 {
			g.Memories++
		}
		g.Count.Add(c)
	}
	g.Idle = len(s.Idle())
	return g
}

// line returns in words what became of the memories that were given.
func (g Given) line() string {
	line := fmt.Sprintf("%s %s", text.Count(g.Memories, "memory"), text.Count(g.Count.Given(), "time"))
	for _, part := range []struct {
		n    int
		what string
	}{{g.Count.Used, "used after"}, {g.Count.Corrected, "corrected after"},
		{g.Count.Contradicted, "contradicted"}, {g.Count.Guarded, "guard spoke"},
		{g.Count.Broken, "broken"}} {
		if part.n > 0 || part.what == "used after" {
			line += fmt.Sprintf(", %s %d", part.what, part.n)
		}
	}
	if g.Idle > 0 {
		line += fmt.Sprintf("; %s never used (keepsake inbox)", text.Count(g.Idle, "memory"))
	}
	return line
}

// ToReview is how much wants the person's answer in a project, by kind.
type ToReview struct {
	Findings int `json:"findings"`
	Drawers  int `json:"drawers"`  // proposed by a memory-keeper
	Calls    int `json:"calls"`    // that the gate stopped
	Drafts   int `json:"drafts"`   // that could not be saved
	Memories int `json:"memories"` // that are held
	Notes    int `json:"notes"`    // changes of notes, proposed by agents
	Failing  int `json:"failing"`  // memories of which a check fails, or that expired
	Merged   int `json:"merged"`   // branches whose memories came with a merge
}

// Total returns how much it is in all.
func (r ToReview) Total() int {
	return r.Findings + r.Drawers + r.Calls + r.Drafts + r.Memories + r.Notes + r.Failing + r.Merged
}

// String returns in words how much of what waits.
func (r ToReview) String() string {
	var parts []string
	for _, k := range []struct {
		n         int
		one, many string
	}{{r.Calls, "stopped call", "stopped calls"}, {r.Findings, "finding", "findings"},
		{r.Drawers, "proposed drawer", "proposed drawers"}, {r.Drafts, "draft", "drafts"},
		{r.Memories, "held memory", "held memories"},
		{r.Notes, "proposed change of notes", "proposed changes of notes"},
		{r.Failing, "memory that may not hold", "memories that may not hold"},
		{r.Merged, "merged branch", "merged branches"}} {
		switch {
		case k.n == 1:
			parts = append(parts, "1 "+k.one)
		case k.n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", k.n, k.many))
		}
	}
	return strings.Join(parts, ", ")
}

// A Last is the last save of a session.
type Last struct {
	stage.Result
	TakenBack bool `json:"taken_back,omitempty"`
}

// lastOf returns the last save of a session, or nil if it saved nothing yet.
func lastOf(s *session.Session) (*Last, error) {
	saved := s.State.Result
	if saved == nil {
		return nil, nil
	}
	last := &Last{Result: *saved}
	if saved.Plan == "" {
		return last, nil
	}
	var err error
	last.TakenBack, err = recovery.IsTakenBack(s.Store(), saved.Plan)
	return last, err
}

// line returns in words what became of it.
func (l Last) line(now time.Time) string {
	line := fmt.Sprintf("%s (%s ago)", brief.Line(l.Line), text.Age(now.Sub(l.At)))
	if l.TakenBack {
		line += ", taken back since"
	}
	return line
}

// Context is how full the model's context window is.
type Context struct {
	Used   int64 `json:"used"`   // tokens, at the last answer that a hook saw
	Window int64 `json:"window"` // tokens
}

// Refused is a draft that could not be saved.
type Refused struct {
	Category memory.Category `json:"category"`
	Title    string          `json:"title,omitempty"`
	Reason   string          `json:"reason"`
	Blocked  bool            `json:"blocked"` // held back by somebody, not refused
	Session  string          `json:"session"` // that it was refused in, or that is drafting it again
	At       time.Time       `json:"at,omitzero"`
	File     string          `json:"file"` // the draft, with all notes
}

// Stage is the work on a session's stage.
type Stage struct {
	Dir     string            `json:"dir"`
	Noticed []memory.Category `json:"noticed"`
	// statements for the Markdown memories that nobody was told of
	Moments  int               `json:"moments"`
	Drafted  []memory.Category `json:"drafted"`
	Drafters int               `json:"drafters_ended"`
	Plan     string            `json:"plan,omitempty"` // digest
}

// Read is how far the transcript has been read.
type Read struct {
	Transcript string    `json:"transcript"`
	Offset     int64     `json:"offset"` // bytes
	Behind     int64     `json:"behind"` // bytes not read yet
	Seen       time.Time `json:"seen"`   // last hook of the session
}

// Of returns the status of a session and its project, as they are at a look. planned is the digest of the
// plan on the stage, or "", and waits is what the inbox counts.
func Of(s *session.Session, at session.Look, planned string, waits ToReview) (Status, error) {
	st := Status{Project: s.Root, Saves: s.State.Saves, Budget: s.Config.Capture.MaxSaves,
		ToReview: waits}
	if s.Known {
		st.Session = s.ID
	}
	st.Stage = Stage{Plan: planned, Dir: s.Desk.Dir, Noticed: []memory.Category{},
		Drafted: []memory.Category{}, Drafters: len(s.State.Drafters)}
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
	st.Findings, st.Stage.Moments = at.Tally.States, at.Tally.Moments
	if p := s.State.Pressure; p.Used > 0 && p.Window >= p.Used {
		st.Context = &Context{p.Used, p.Window}
	}
	if st.Pending, err = s.Pending().Waiting(); err != nil {
		return st, err
	}
	kept, err := s.Pending().Refused()
	if err != nil {
		return st, err
	}
	st.Refused = []Refused{}
	for _, k := range kept {
		st.Refused = append(st.Refused, Refused{k.Category, k.Title, k.Reason, k.Blocked, k.Session, k.At,
			k.Path})
	}
	if path := s.State.Transcript; s.Known && path != "" {
		st.Read = &Read{Transcript: path, Offset: s.State.Mark.Offset, Seen: s.State.Seen}
		if info, err := os.Stat(path); err == nil {
			st.Read.Behind = max(0, info.Size()-s.State.Mark.Offset)
		}
	}
	counted, err := s.CountRecords(at)
	st.Stored, st.Other, st.Bad = counted.Active, counted.Others, counted.Bad
	log, uerr := s.Usage()
	st.Given = givenOf(s, log.Counts())
	var lerr error
	st.Last, lerr = lastOf(s)
	return st, cmp.Or(err, uerr, lerr)
}

// reasonRunes is how many runes of a reason are shown.
const reasonRunes = 300

// Lines returns how they stand, for people.
func (st Status) Lines(now time.Time) (lines []string) {
	add := func(label, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%-8s ", label)+fmt.Sprintf(format, args...))
	}
	add("project", "%s", brief.Line(st.Project))
	if st.Session != "" {
		add("session", "%s", st.Session)
	}
	add("stage", "%s", st.Stage.line())
	if line := st.findingsLine(); line != "" {
		add("noticed", "%s", line)
	}
	if n := st.ToReview.Total(); n > 0 {
		add("review", "%d to review: %s (keepsake review)", n, st.ToReview)
	}
	for _, id := range slices.Sorted(maps.Keys(st.Pending)) {
		add("pending", "%s, left by session %s", names(st.Pending[id]), id)
	}
	for _, r := range st.Refused {
		state, title := "rejected", ""
		if r.Blocked {
			state = "blocked"
		}
		if r.Title != "" {
			title = ` "` + brief.Line(r.Title) + `"`
		}
		add(state, "%s%s of session %s: %s", r.Category, title, r.Session,
			text.Shorten(brief.Line(r.Reason), reasonRunes))
		add("", "the draft is kept in %s", brief.Line(r.File))
	}
	if r := st.Read; r != nil {
		add("read", "to byte %d, %d behind, last hook %s ago", r.Offset, r.Behind, text.Age(now.Sub(r.Seen)))
	}
	add("budget", "%d of %d feedbacks used", st.Saves, st.Budget)
	if w := st.Context; w != nil {
		add("context", "%d %% of %d tokens", 100*w.Used/w.Window, w.Window)
	}
	if st.Last != nil {
		add("last", "%s", st.Last.line(now))
	}
	add("stored", "%s", st.storedLine())
	if st.Given.Memories > 0 {
		add("given", "%s", st.Given.line())
	}
	return lines
}

// line returns in words what lies on the stage.
func (s Stage) line() string {
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
		line += "; " + text.Count(s.Moments, "statement") + " for the Markdown memories"
	}
	return line
}

// findingsLine returns in words how many findings have which outcome.
func (st Status) findingsLine() string {
	var parts []string
	for _, s := range finding.States() {
		if n := st.Findings[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(s), "_", " ")))
		}
	}
	return strings.Join(parts, ", ")
}

// storedLine returns how many memories are stored, in words.
func (st Status) storedLine() string {
	var parts []string
	for _, cat := range memory.Categories() {
		if n := st.Stored[cat]; n > 0 {
			parts = append(parts, cat.Count(n))
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

// names returns categories in words.
func names(cats []memory.Category) string {
	out := make([]string, len(cats))
	for i, c := range cats {
		out[i] = string(c)
	}
	return strings.Join(out, ", ")
}
