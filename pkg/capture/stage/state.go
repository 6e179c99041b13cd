package stage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/memory/usage"
)

// StateVersion is the version of the state file that this code writes.
const StateVersion = 1

// ErrNewer is a state file of a newer version, which is left as it is.
var ErrNewer = errors.New("written by a newer version of keepsake")

// A Place is one between two lines of a journal. Its fields are those of
// journal.Position, so that one converts to the other.
type Place struct {
	Writing string
	Offset  int64 // bytes
}

// State is what is known about one session. It is under the state home because it must outlive a logout:
// <state>/<project>/sessions/<session>.json. All worktrees of a repository are one project here.
type State struct {
	Version    int
	Session    string
	Root       string // project root in the session's checkout, absolute
	Home       string // the same folder in the repository's main worktree
	Transcript string // the session file
	Stage      string // the desk's directory
	Client     Process
	Started    time.Time // UTC
	Seen       time.Time // last hook, UTC

	// Fresh is a session that began from nothing: until there is a watermark, its transcript is read from the
	// beginning.
	Fresh bool
	Mark  finding.Mark
	// Journal is the place behind the line of the project's journal that has this
	// session's last findings, and how far the transcript was read with them.
	Journal Place
	// First is the place before the line that has its first findings.
	First Place
	// Noted is how far the transcript was read when that line was written, in bytes.
	Noted int64

	// Given is what the model was given, as long as its turn is read.
	Given []usage.Given
	Shown []string // paths of memories the model has seen since the last compaction
	// Compaction is when the conversation was last compacted, as far as known.
	Compaction time.Time

	// Saves counts the feedbacks given since the last compaction. Due is set while something is staged that
	// the agent hasn't heard about yet.
	Saves int
	Due   bool
	// Over is set when the client reported the session's end. The session may still go on in another one,
	// as after /clear.
	Over bool
	// Again are the numbers of findings that the person asked for once more. They are shown again although
	// they were shown before.
	Again []int
	// Form is set when the agent has got the form for writing up a finding, since the last compaction.
	Form bool

	Pressure Pressure

	// Saving is set from a feedback until the end of the turn that applies. What the agent says meanwhile
	// is about the save, and is not noticed.
	Saving bool
	// Awaits is set when the agent ended its turn with something for the person to do.
	Awaits bool
	// Applied is set by a save and cleared at the next Stop. Saved are the paths of the
	// records that its drafts became, or that said the same already.
	Applied bool
	Saved   []string
	// Claimed are the ended sessions whose work this one took over: its drafts are made of
	// what was said there.
	Claimed []string
	// Digests are the plans this session applied, newest last, so that a repeated apply saves nothing twice.
	Digests []string

	Drafters []Drafter // ended since the last feedback
	Activity Activity
	Result   *Result
	// Told is the time up to which the ledger was reported. Spoke is when failures and waiting work were
	// last reported, and Waits how much work waited then.
	Told  time.Time
	Spoke time.Time
	Waits int
	// Keeper is what this session heard about its memory-keeper.
	Keeper Keeper
	// Notes are what subagents wrote into the Markdown memories, until the agent hears of it.
	Notes []Noted
	// Continued is when a hook of Keepsake last made the agent go on at the end of a turn. It is zero once
	// the person has prompted again. Until then a dialog would open under what they type. Rested is set
	// once the turn has ended for which the agent went on.
	Continued time.Time
	Rested    bool
	// Looked is when the palaces were first looked at in this session.
	Looked time.Time
	// Versions are those of Keepsake that worked for this session since its client began.
	Versions Versions
}

// Versions are versions of Keepsake. Told is of how many of them the person was told that they are several.
type Versions struct {
	Ran  []string
	Told int
}

// Add adds a version.
func (v *Versions) Add(version string) {
	if !slices.Contains(v.Ran, version) && len(v.Ran) < maxVersions {
		v.Ran = append(v.Ran, version)
	}
}

// Tell returns the versions if there are several and the person was not told so, and notes that they are.
func (v *Versions) Tell() []string {
	if len(v.Ran) < 2 || v.Told == len(v.Ran) {
		return nil
	}
	v.Told = len(v.Ran)
	return v.Ran
}

// Pressure is how full the model's context window is, as far as known.
type Pressure struct {
	Model  string // as the client named it at the start, perhaps with "[1m]"
	Window int64  // tokens; 0 is unknown
	Used   int64  // tokens, at the last answer
	Said   int    // the highest threshold reported since the last compaction, in percent
}

// Keeper is what a session heard about notes to look through, and what came of it.
type Keeper struct {
	Named  int // how often the agent was asked to start a memory-keeper
	Unread int // notes that were new at the last request; 0 once a keeper has looked
	// What an ended memory-keeper proposed, until the person hears of it.
	Taken   int
	Refused int
}

// A Drafter is one drafter subagent that has ended.
type Drafter struct {
	Agent    string
	Category memory.Category // "" if it isn't known
}

// Activity counts what was done since the last session summary.
type Activity struct {
	From      int64 // transcript offset where counting began, bytes
	Tools     int
	Names     []string // distinct tools
	Exchanges int
	Turns     int // that the person opened
}

// Add counts one use of a tool.
func (a *Activity) Add(tool string) {
	a.Tools++
	if !slices.Contains(a.Names, tool) {
		a.Names = append(a.Names, tool)
	}
}

// A Result is the result of the last save, until somebody was told of it. `keepsake status --json` prints
// it.
type Result struct {
	At   time.Time `json:"at"`
	Line string    `json:"line"`           // "Saved: decision (create)"
	Plan string    `json:"plan,omitempty"` // its digest; "" if it changed nothing
	Told bool      `json:"told,omitempty"`
}

// maxDigests, maxShown, maxGiven and maxVersions bound the lists that grow with a session's length.
const (
	maxDigests  = 50
	maxShown    = 500
	maxGiven    = 100
	maxVersions = 8
)

// Sessions is the folder of a project's state files. Those of sessions that were put to rest lie in a folder
// below it for each month: a project may have a thousand, and what begins a session reads none of them.
type Sessions struct{ Dir string }

func (s Sessions) file(session string) string { return filepath.Join(s.Dir, session+".json") }

// read returns the file of a session, at rest or not, and its path.
func (s Sessions) read(session string) (b []byte, path string, err error) {
	path = s.file(session)
	b, err = disk.Read(path, MaxFile)
	if !errors.Is(err, fs.ErrNotExist) {
		return b, path, err
	}
	for _, dir := range s.months() {
		path := Sessions{dir}.file(session)
		if b, err := disk.Read(path, MaxFile); !errors.Is(err, fs.ErrNotExist) {
			return b, path, err
		}
	}
	b, err = disk.Read(path, MaxFile) // it may have been woken meanwhile
	return b, path, err
}

// Load returns a session's state; one that isn't there is fs.ErrNotExist, one of a newer version ErrNewer. A
// broken file is an error naming it.
func (s Sessions) Load(session string) (State, error) {
	st, _, err := s.load(session)
	return st, err
}

func (s Sessions) load(session string) (st State, path string, err error) {
	b, path, err := s.read(session)
	if err != nil {
		return State{}, path, err
	}
	st, err = parseState(b, path)
	return st, path, err
}

// DeskOf returns the directory of a session's desk, as its state names it in a file of
// whatever version; "" where none does.
func (s Sessions) DeskOf(session string) string {
	b, _, err := s.read(session)
	if err != nil {
		return ""
	}
	st, _ := decodeState(b) // a desk that stands in a broken state is this session's all the same
	return st.Stage
}

// Update changes a session's state under its lock: it loads what is there (or begins with fresh), calls
// change and writes the result. When change fails nothing is written. A lock that is not free within 100 ms
// is an error, and so is a newer file; a broken one is put aside as <name>.broken.<Unix time> and begun
// again. It wakes a session at rest.
func (s Sessions) Update(session string, fresh State, change func(*State) error) error {
	if err := disk.Private(s.Dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock, err := disk.Exclusive(ctx, filepath.Join(s.Dir, session+".lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	st, path, err := s.load(session)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		st = fresh
	case errors.Is(err, ErrNewer):
		return err
	default:
		aside := fmt.Sprintf("%s.broken.%d", s.file(session), time.Now().Unix())
		if rerr := os.Rename(path, aside); rerr != nil {
			return errors.Join(err, rerr)
		}
		st = fresh
	}
	if err := change(&st); err != nil {
		return err
	}
	st.Version, st.Session = StateVersion, session
	st.Digests = st.Digests[max(0, len(st.Digests)-maxDigests):]
	st.Claimed = st.Claimed[max(0, len(st.Claimed)-maxDigests):]
	st.Saved = st.Saved[max(0, len(st.Saved)-maxDigests):]
	st.Shown = st.Shown[max(0, len(st.Shown)-maxShown):]
	st.Given = st.Given[max(0, len(st.Given)-maxGiven):]
	if rerr := disk.Replace(s.file(session), printState(st), 0o600); rerr != nil {
		return rerr
	}
	if err == nil && path != s.file(session) {
		return os.Remove(path)
	}
	return nil
}

// Remove forgets a session.
func (s Sessions) Remove(session string) error {
	return errors.Join(os.Remove(s.file(session)), os.Remove(filepath.Join(s.Dir, session+".lock")))
}

// names returns the sessions that have a state in a folder.
func names(dir string) (all []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			all = append(all, name)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return all, err
}

// Awake returns the names of the sessions that are not at rest. Any other is over.
func (s Sessions) Awake() ([]string, error) { return names(s.Dir) }

// each calls see with the state of each session but one, or with why its file can't be
// read.
func (s Sessions) each(but string, see func(State, error)) error {
	var errs []error
	seen := map[string]bool{but: true} // a process killed while it woke a session leaves it at rest, too
	for _, dir := range append([]string{s.Dir}, s.months()...) {
		all, err := names(dir)
		errs = append(errs, err)
		for _, name := range all {
			if !seen[name] {
				seen[name] = true
				see(s.Load(name))
			}
		}
	}
	return errors.Join(errs...)
}

// All returns the states of the project's sessions, most recently seen first. Files that can't be read are
// passed over.
func (s Sessions) All() (all []State, err error) {
	err = s.each("", func(st State, err error) {
		if err == nil {
			all = append(all, st)
		}
	})
	return bySeen(all), err
}

// Recent is All without the sessions at rest.
func (s Sessions) Recent() (all []State, err error) {
	awake, err := s.Awake()
	for _, name := range awake {
		if st, err := s.Load(name); err == nil {
			all = append(all, st)
		}
	}
	return bySeen(all), err
}

func bySeen(all []State) []State {
	slices.SortStableFunc(all, func(a, b State) int { return b.Seen.Compare(a.Seen) })
	return all
}

// restFolder has a folder for each month in which sessions at rest were seen last.
const (
	restFolder = "rest"
	restMonth  = "2006-01"
)

// months returns the folders of sessions at rest, newest first: of two states that a killed process left, the
// one seen last counts.
func (s Sessions) months() (all []string) {
	dir := filepath.Join(s.Dir, restFolder)
	entries, _ := os.ReadDir(dir) // none, as a rule
	for _, e := range slices.Backward(entries) {
		all = append(all, filepath.Join(dir, e.Name()))
	}
	return all
}

// Rest puts a session to rest that is over and of which nothing is left to do or to tell. Load finds it all
// the same, and Update wakes it.
func (s Sessions) Rest(st State) error {
	dir := filepath.Join(s.Dir, restFolder, st.Seen.UTC().Format(restMonth))
	if err := disk.Private(dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock, err := disk.Exclusive(ctx, filepath.Join(s.Dir, st.Session+".lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if now, err := s.Load(st.Session); err != nil || !now.Seen.Equal(st.Seen) {
		return err // it goes on
	}
	return os.Rename(s.file(st.Session), Sessions{dir}.file(st.Session))
}

// ForgetRested removes the sessions at rest that were seen last in a month before the one of a time.
func (s Sessions) ForgetRested(before time.Time) error {
	var errs []error
	for _, dir := range s.months() {
		if filepath.Base(dir) >= before.UTC().Format(restMonth) {
			continue
		}
		all, err := names(dir)
		errs = append(errs, err, os.RemoveAll(dir))
		for _, name := range all {
			if _, err := s.Load(name); errors.Is(err, fs.ErrNotExist) {
				_ = os.Remove(filepath.Join(s.Dir, name+".lock")) // it may never have had one
			}
		}
	}
	return errors.Join(errs...)
}

// Marks returns where the sessions of the project stand, without one of them. Files that can't be read are
// passed over.
func (s Sessions) Marks(but string) (all []finding.Mark) {
	_ = s.each(but, func(st State, err error) { // All says what is the matter with the folder
		if err == nil {
			all = append(all, st.Mark)
		}
	})
	return all
}

// Unread returns the errors of the state files that All passes over because they can't be read. Each names
// its file.
func (s Sessions) Unread() (errs []error) {
	_ = s.each("", func(_ State, err error) { // All says what is the matter with the folder
		if err != nil {
			errs = append(errs, err)
		}
	})
	return errs
}

// sameCompaction is how far apart the two reports of one compaction can be: the client writes the boundary
// about 40 ms after it runs SessionStart (2.1.329), and no two compactions come this close, since each takes
// a model's summary.
const sameCompaction = 10 * time.Second

// steppedBack is how much earlier than the last known compaction a report must be for the clock to have been
// set back in between. No report is that late.
const steppedBack = time.Hour

// Compacted forgets what the model has forgotten: the memories it was shown may be shown again, the budget
// of feedbacks is full, and its window is empty. SessionStart and the transcript both report a compaction.
// The second report changes nothing, even if it has the earlier time.
func (st *State) Compacted(at time.Time) {
	if d := at.Sub(st.Compaction); d > sameCompaction || d < -steppedBack {
		st.Compaction, st.Shown, st.Saves, st.Form = at, nil, 0, false
		st.Pressure.Used, st.Pressure.Said = 0, 0
	}
}
