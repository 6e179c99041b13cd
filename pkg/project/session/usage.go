package session

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/disk"
	"keepsake/pkg/gate/armed"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/usage"
	"keepsake/pkg/plan"
	"keepsake/pkg/search/records"
	"keepsake/pkg/store"
)

// Bounds of the log of what became of memories. Notes older than usageApart are put together once it has
// grown past usageMax. One that is not written by half of that time is not written at all: it could be among
// those.
const (
	usageMax   = 512 << 10 // bytes
	usageApart = 60 * 24 * time.Hour
)

// Give notes in the state that the model is given some memories.
func (fl *InFlight) Give(st *stage.State, with string, now time.Time, paths ...string) {
	if len(paths) == 0 {
		return
	}
	end := int64(0) // a transcript that is not there yet begins
	if file, err := OpenTranscript(st.Transcript); err == nil {
		end = file.Size()
		file.Close()
	}
	for _, p := range paths {
		if slices.ContainsFunc(st.Given, func(g usage.Given) bool {
			return g.Path == p && g.With == with && g.Offset == end
		}) {
			continue // a second hook of the same prompt
		}
		st.Given = append(st.Given, usage.Given{Path: p, With: with, At: now.UTC(), Offset: end})
	}
}

// usageLog returns the log of what became of the project's memories.
func (ms *Memories) usageLog() journal.Journal { return journal.Journal(ms.state().Usage()) }

// Usage returns what became of the project's memories: when they were given to a model, and what followed.
func (ms *Memories) Usage() (usage.Log, error) {
	if ms.state() == "" {
		return usage.Log{}, nil
	}
	log, _, err := ms.readUsage()
	return log, err
}

// readUsage also returns what guards did that the log's file has not yet.
func (ms *Memories) readUsage() (log usage.Log, guards []usage.Note, err error) {
	lines, _, _, err := ms.usageLog().Read(journal.Position{})
	if err != nil {
		return log, nil, err
	}
	log = usage.Parse(lines)
	marks, err := ms.Armed().Marks()
	for _, m := range marks {
		n := usage.Note{Memory: m.Record, At: m.At.UTC(), Session: m.Session, Guard: m.What}
		switch m.What {
		case armed.Said:
			n.Broken = true
		case armed.Passed:
			n.Guard, n.Broken = "", true
		case armed.Asked, armed.Denied:
		default:
			continue
		}
		guards = append(guards, n)
	}
	return log, log.Add(guards), err
}

// noteUsage reads on in the turns of the memories that the model was given, and notes what became of them
// and of those that a finding turns against. With ended, the session is over. What can't be noted now is
// noted with the next stretch.
func (ca *Capture) noteUsage(st *stage.State, x Stretch, added []finding.Finding, ended bool,
	now time.Time) {
	if len(st.Given) > 0 && len(x.Heard) > 0 {
		ca.usageReader(x).Follow(st.Given, x.Heard)
	}
	var notes []usage.Note
	for _, g := range st.Given {
		if (g.Over || ended && !g.Noted) && now.Sub(g.At) < usageApart/2 {
			notes = append(notes, usage.NoteOf(g, ca.ID))
		}
	}
	for _, f := range added {
		if f.Kind == finding.Change && plan.CheckRecord(f.Target) == nil {
			notes = append(notes, usage.Note{Memory: f.Target, At: now.UTC(), Session: ca.ID,
				Finding: f.Number})
		}
	}
	if err := ca.appendUsage(notes); err != nil {
		if !errors.Is(err, disk.ErrLocked) {
			ca.Fault("usage", "what became of the memories that were given was not noted", err)
		}
		return
	}
	st.Given = slices.DeleteFunc(st.Given, func(g usage.Given) bool { return g.Over })
	for i := range st.Given { // a session that goes on notes it once more, in the place of that
		st.Given[i].Noted = st.Given[i].Noted || ended
	}
}

func (ms *Memories) appendUsage(notes []usage.Note) error {
	if len(notes) == 0 || ms.state() == "" {
		return nil
	}
	ctx, cancel := (&Findings{Memories: ms}).lockContext()
	defer cancel()
	_, err := ms.usageLog().Append(ctx, false, func([]byte) (lines []byte, err error) {
		for _, n := range notes {
			lines = n.Append(lines)
		}
		return lines, nil
	})
	return err
}

// usageReader answers what the entries of a stretch don't say.
func (ca *Capture) usageReader(x Stretch) usage.Reader {
	rare := map[string]bool{}
	return usage.Reader{
		Record: func(path string) (memory.Record, bool) {
			m, err := ca.Store().Read(path)
			return m.Record, err == nil
		},
		Rare: func(word string) bool {
			is, known := rare[word]
			if !known {
				is = ca.isRare(word)
				rare[word] = is
			}
			return is
		},
		Lines: func(from, to int64, see func(transcript.Line)) {
			if err := transcript.EachLine(x.file, from, to, see); err != nil {
				ca.Fault("usage", "where words of a memory came from could not be read", err)
			}
		},
		Corrects: change.Corrects,
	}
}

// A word is rare if at most rareShare of the memories have it, or few of them.
const (
	rareShare = 10 // one of so many
	rareCount = 3
)

// isRare reports whether few of the project's memories have a word.
func (ms *Memories) isRare(word string) (is bool) {
	err := ms.Index(func(ix *records.Index) error {
		n, of, err := ix.Has(word)
		is = n <= max(rareCount, of/rareShare)
		return err
	})
	return err == nil && is
}

// Idle returns the paths of memories that were given so often, and never used, that they come after others.
// They are those of the last look at the log.
func (ms *Memories) Idle() map[string]bool {
	b, err := disk.Read(ms.state().Idle(), usageMax)
	if err != nil || len(b) == 0 {
		return nil
	}
	idle := map[string]bool{}
	for path := range strings.Lines(string(b)) {
		idle[strings.TrimSuffix(path, "\n")] = true
	}
	return idle
}

// sunk is how far an idle memory sinks among others, by the logarithm of its odds: it comes after those that
// are up to 1.65 times less likely to be meant. Its score stays, so that nothing sinks below a floor.
const sunk = 0.5

// SunkScore returns the score by which a hit is ordered that is idle.
func SunkScore(score float64) float64 {
	if score <= 0 || score >= 1 {
		return score
	}
	return records.Below(score, sunk)
}

// sinkIdle puts the hits that are idle after others that are nearly as good.
func sinkIdle(hits []records.Hit, idle map[string]bool) {
	if len(idle) == 0 {
		return
	}
	rank := func(h records.Hit) float64 {
		if idle[h.Path] {
			return SunkScore(h.Score)
		}
		return h.Score
	}
	slices.SortStableFunc(hits, func(a, b records.Hit) int { return cmp.Compare(rank(b), rank(a)) })
}

// An IdleMemory is an active memory that was given often and never used.
type IdleMemory struct {
	memory.Stored
	Count usage.Count
}

// IdleMemories returns the memories of some records that were given often and never used, those first that
// came most often, without the person's rules: who obeys one need not say its words.
func (ms *Memories) IdleMemories(all []memory.Stored, counts map[string]usage.Count) (idle []IdleMemory) {
	for _, r := range all {
		c := counts[r.Path]
		if r.Status != memory.Active || !c.IsIdle() {
			continue
		}
		t := ms.TrustOf(r)
		rule := r.Category == memory.Constraint || r.Category == memory.Preference
		if t.Held || rule && (t.Persons() || !t.Known()) {
			continue // of a rule from before origins were kept, nobody knows whose it is
		}
		idle = append(idle, IdleMemory{r, c})
	}
	slices.SortFunc(idle, func(a, b IdleMemory) int {
		return cmp.Or(b.Count.Prompts-a.Count.Prompts, cmp.Compare(a.Path, b.Path))
	})
	return idle
}

// KeepIdle notes that the person wants to keep a memory that was never used. It comes after no other any
// more.
func (ms *Memories) KeepIdle(path string, now time.Time) error {
	if ms.state() == "" {
		return errors.New("there is no folder for Keepsake's state")
	}
	note := usage.Note{Memory: path, At: now.UTC().Truncate(time.Second), Kept: true}
	if err := ms.appendUsage([]usage.Note{note}); err != nil {
		return err
	}
	return ms.TidyUsage(now)
}

// TidyUsage notes what guards did, finds out which memories come after others, and puts old notes together
// once the log has grown.
func (ms *Memories) TidyUsage(now time.Time) error {
	if ms.state() == "" {
		return nil
	}
	log, guards, err := ms.readUsage()
	if err == nil { // their own file keeps the newest only
		err = ms.appendUsage(guards)
	}
	if err != nil {
		return err
	}
	counts := log.Counts()
	var often []memory.Stored
	for path, c := range counts {
		if !c.IsIdle() {
			continue
		}
		switch r, err := ms.Store().Read(path); {
		case err == nil:
			often = append(often, r)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrConflict):
			return err
		}
	}
	var paths []string
	for _, m := range ms.IdleMemories(often, counts) {
		paths = append(paths, m.Path+"\n")
	}
	slices.Sort(paths)
	text := strings.Join(paths, "")
	if was, _ := disk.Read(ms.state().Idle(), usageMax); string(was) != text {
		if err := disk.Write(ms.state().Idle(), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if ms.usageLog().Size() < usageMax {
		return nil
	}
	ctx, cancel := (&Findings{Memories: ms}).lockContext()
	defer cancel()
	return ms.usageLog().Rewrite(ctx, func(lines []byte) ([]byte, error) {
		return usage.Parse(lines).Folded(now.Add(-usageApart)), nil
	})
}

// ForgetUsage takes what became of some memories out of the log.
func (ms *Memories) ForgetUsage(paths ...string) error {
	if ms.state() == "" {
		return nil
	}
	log, err := ms.Usage()
	if err != nil {
		return err
	}
	counts := log.Counts()
	if !slices.ContainsFunc(paths, func(p string) bool { return !counts[p].IsZero() }) {
		return nil
	}
	ctx, cancel := (&Findings{Memories: ms}).lockContext()
	defer cancel()
	err = ms.usageLog().Rewrite(ctx, func(lines []byte) ([]byte, error) {
		return usage.Parse(lines).Without(paths...), nil
	})
	return errors.Join(err, ms.TidyUsage(time.Now()))
}
