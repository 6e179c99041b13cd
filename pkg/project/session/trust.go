package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/project/trust"
	"keepsake/pkg/search/alike"
)

// Records returns this user's records of how far the project's memories are trusted.
func (ms *Memories) Records() trust.Records { return trust.Records{Dir: string(ms.state())} }

// A TrustLevel is how far a record is trusted.
type TrustLevel struct {
	trust.Entry        // what is known; its Act is "" if nothing is known
	Tracked     bool   // nothing is known, and it came with the repository
	Held        bool   // no agent is told of it before a person has approved
	Why         string // why it is held, in a sentence
	// Standing is what a session start found against it in this worktree: its check fails, or it belongs to
	// another branch.
	Standing []standing.Row
}

// Said returns the person's words, verbatim, in a record that is held. They may be told: the record is
// held because of its other words.
func (t TrustLevel) Said() []string {
	if !t.Held || t.Act != trust.Saved {
		return nil
	}
	return t.Quotes
}

// Known reports whether this user's Keepsake wrote the record, or a person answered for it.
func (t TrustLevel) Known() bool { return t.Act != "" }

// TrustOf returns how far a record is trusted. It goes by what is known of the bytes of its file,
// never by what the file says of itself. Of a record that is not known,
//
//   - one in a store that git tracks is held, since whoever can commit wrote it;
//   - one that says it was written by hand is held: an agent that writes a draft by itself makes it
//     say so, and a draft that came by Keepsake is known;
//   - any other is told, as it was before origins were kept. Its Origin is "".
func (ms *Memories) TrustOf(m memory.Stored) TrustLevel {
	t := ms.vouched(m)
	t.Standing = ms.standingOf(m)
	return t
}

// StandingFile returns the file of what is known against records in this worktree.
func (pl *Place) StandingFile() standing.File {
	return standing.File{Path: pl.state().Standing(pl.Root)}
}

// SetStanding puts what a session start found out in the place of what was known against records.
func (ms *Memories) SetStanding(rows []standing.Row) error {
	ms.standing = nil
	return ms.StandingFile().Replace(rows)
}

// Choices returns the file of what the person chose for records of which a check fails.
func (pl *Place) Choices() standing.Choices { return standing.Choices{Path: pl.state().Choices()} }

// standingOf returns what is known against a record in this worktree.
func (ms *Memories) standingOf(m memory.Stored) []standing.Row {
	if ms.standing == nil {
		rows, err := ms.StandingFile().Read()
		if err != nil {
			ms.Fault("standing", "what is known against records could not be read", err)
		}
		ms.standing = &rows
	}
	rows := ms.standing.Of(m.Path, m.Digest)
	if row, is := ms.branchRow(m); is {
		rows = append(rows, row)
	}
	return rows
}

// vouched is TrustOf without what is known against the record in this worktree.
func (ms *Memories) vouched(m memory.Stored) TrustLevel {
	if ms.trusted == nil {
		v, err := ms.Records().View()
		if err != nil {
			ms.Fault("trust", "what is known of records could not be read", err)
			v = &trust.View{}
		}
		ms.trusted = v
	}
	if e, ok := ms.trusted.Know(m.Path, m.Digest); ok && !isVoid(ms.trusted, e) {
		t := TrustLevel{Entry: e, Held: e.Held(), Why: e.Why}
		if ms.past != nil && e.Act == trust.Accepted && e.At.After(ms.past.at) {
			t.Held, t.Why = true, "nobody had said yes to it"
		}
		switch {
		case !t.Held:
			t.Why = ""
		case e.Act == trust.Refused:
			t.Why = "you said no to it"
		case t.Why == "":
			t.Why = "nothing in a conversation supports it"
		}
		return t
	}
	t := TrustLevel{Entry: trust.Entry{Path: m.Path, Digest: m.Digest}}
	switch p := m.Provenance; {
	case ms.isGitTracked():
		t.Tracked, t.Held = true, true
		t.Why = "it came with the repository, and you did not accept it yet"
	case p != nil && (p.Origin == draft.ByHand || p.Origin == "person"): // as older versions called it
		t.Origin, t.Held = finding.NoOrigin, true
		t.Why = "an agent may have written it by hand: its file says it is yours, and nothing else does"
	}
	return t
}

// A Judged is the trust that was computed for a record that a plan writes.
type Judged struct {
	Origin   finding.Origin
	Quotes   []string // what the person said, word for word
	Agent    []string // the fields that have the agent's wording
	Findings []int
	Why      string // why it is held, in a sentence; "" if it is not

	// Was holds, for an update, the old text of each field that it changes, and Replaced the fields that
	// no longer have all of it.
	Was      map[string]string
	Replaced []string
	Unknown  string // why it was held while nothing was known of it, or ""
}

// Trust stores how far the records of an applied plan are trusted. Those in judged, by path, are trusted
// as computed. A change of status leaves the trust as it was. Any other record is not trusted, unless
// accepted: then a person at a terminal wrote the records, or was shown them. An updated record is never
// trusted more than before, since its old words are still in it. An agent's addition does not lower the
// trust in a person's record, but is marked as the agent's part. Trust may be called again for the same
// plan.
func (ms *Memories) Trust(p plan.Plan, judged map[string]Judged, accepted bool, now time.Time) error {
	ended := ms.endGuards(p)
	v, err := ms.Records().View()
	if err != nil {
		return errors.Join(ended, err)
	}
	defer v.Close()
	var entries []trust.Entry
	for _, e := range p.Edits {
		if e.After == nil || plan.CheckRecord(e.Path) != nil {
			continue
		}
		digest := plan.DigestOf(e.After)
		before, known := v.Know(e.Path, e.Before)
		j, computed := judged[e.Path]
		next := trust.Entry{At: now, Act: trust.Saved, Path: e.Path, Digest: digest}
		switch {
		case computed:
			next.Origin, next.Quotes, next.Agent, next.Findings, next.Why = j.Origin, j.Quotes, j.Agent,
				j.Findings, j.Why
			if e.Before != "" && !accepted && !ms.mergeKnown(&next, j, before, known) {
				continue
			}
			if accepted {
				next.Act = trust.Accepted
			}
		case e.Verb == plan.Revert:
			if _, again := v.Know(e.Path, digest); again || !accepted {
				continue // what was known of these bytes still holds, or nothing was
			}
			next.Act = trust.Accepted
		case accepted && (e.Verb == plan.Create || e.Verb == plan.Update):
			next.Act = trust.Accepted
		case e.Verb == plan.Create || e.Verb == plan.Update:
			next.Origin, next.Why = finding.NoOrigin, "an agent brought it in from elsewhere"
		case known:
			before.At, before.Digest = now, digest
			next = before
		default:
			continue
		}
		if old, again := v.Know(e.Path, digest); again && old.Act != trust.Saved {
			continue // a person has answered for these bytes
		}
		entries = append(entries, next)
	}
	ms.reloadTrust()
	if len(entries) > 0 {
		ended = errors.Join(ended, ms.begin())
	}
	err = errors.Join(ended, ms.Records().Add(entries...))
	ms.RenewGuards("trust")
	return err
}

// mergeKnown merges the trust computed for an update with the trust in the record that it updates. It
// reports whether next is to be stored: an update without new words, such as one that adds a tag, makes
// an unknown record no better known.
func (ms *Memories) mergeKnown(next *trust.Entry, j Judged, before trust.Entry, known bool) bool {
	persons := before.Persons()
	quotes := next.Quotes
	if known {
		next.Quotes = slices.Clone(quotes)
		for _, q := range before.Quotes {
			if !slices.Contains(next.Quotes, q) {
				next.Quotes = append(next.Quotes, q)
			}
		}
		next.Kept = before.Kept
	}
	switch {
	case !known && j.Unknown != "" && !ms.isGitTracked():
		next.Origin, next.Why = finding.NoOrigin, j.Unknown
	case len(j.Was) == 0 && j.Was != nil: // its words are unchanged
		if known {
			next.Act, next.Origin, next.Agent, next.Why = before.Act, before.Origin, before.Agent, before.Why
			next.By, next.Approvers = before.By, before.Approvers
		}
		return known
	case known && persons && before.Act != trust.Refused && !next.Held():
		next.Origin, next.Why = finding.FromPerson, ""
		addAgentPart(next, before, j)
	case known && before.Act == trust.Accepted:
		// A person was shown all that it said.
	case known:
		if worse := next.Origin.Worse(before.Origin); worse != next.Origin {
			next.Origin = worse
			if next.Why == "" {
				next.Why = before.Why
			}
		}
	case ms.isGitTracked():
		next.Origin = finding.NoOrigin
		next.Why = "it changes a record that came with the repository, and that you did not accept"
	default: // from before origins were kept
		next.Origin = next.Origin.Worse(finding.FromAgent)
	}
	return true
}

// addAgentPart marks an agent's additions to a person's record: the fields that have the agent's wording,
// and the person's old words in fields that had only theirs.
func addAgentPart(next *trust.Entry, before trust.Entry, j Judged) {
	worded := before.Origin == finding.FromPerson // the fields not in Agent are the person's, word for word
	agent := slices.Clone(j.Agent)
	if worded {
		for _, name := range before.Agent {
			if !slices.Contains(j.Replaced, name) && !slices.Contains(agent, name) {
				agent = append(agent, name)
			}
		}
	}
	slices.Sort(agent)
	next.Agent = agent
	for _, name := range slices.Sorted(maps.Keys(j.Was)) {
		was := j.Was[name]
		switch {
		case was == "" || slices.Contains(before.Agent, name) && worded || !slices.Contains(agent, name):
		case worded && len(before.Quotes) == 0: // only the field itself shows that it is theirs
			next.Quotes = append(next.Quotes, was)
		case !slices.Contains(next.Kept, was):
			next.Kept = append(slices.Clone(next.Kept), was)
		}
	}
}

// Answer stores the answer of a person at a terminal about records that they were shown whole.
func (ms *Memories) Answer(act trust.Act, now time.Time, seen ...TrustLevel) error {
	entries := make([]trust.Entry, len(seen))
	for i, t := range seen {
		entries[i] = t.Entry
		if entries[i].Why == "" {
			entries[i].Why = t.Why
		}
	}
	ms.reloadTrust()
	err := errors.Join(ms.begin(), ms.Records().Accept(act, now, entries...))
	ms.RenewGuards("trust")
	return err
}

// reloadTrust drops what was read, so that the next question reads it again.
func (ms *Memories) reloadTrust() {
	if ms.trusted != nil {
		ms.trusted.Close()
		ms.trusted = nil
	}
}

// tracking is the stored answer to whether git tracks a store.
type tracking struct {
	Indexes []indexState `json:"indexes,omitempty"` // git's files, none outside of a checkout
	Tracked bool         `json:"tracked"`
	Since   time.Time    `json:"since,omitzero"` // when it was first found tracked
	Looked  time.Time    `json:"looked"`
}

// indexState is the index of a checkout as it was when it was looked at.
type indexState struct {
	File string `json:"file"`
	Size int64  `json:"size"` // 0 for none
	Time int64  `json:"time"` // nanoseconds since 1970
}

const (
	maxTracked = 1 << 20 // bytes of that file
	quickIndex = 4 << 20 // bytes of an index that a hook reads whenever it changed
	lookAgain  = 10 * time.Minute
)

// isGitTracked reports whether git tracks a record of the store, or once did: an agent that takes
// the store out of git's index has not made its records the person's. The answer is kept as long as
// git's index does not change.
func (ms *Memories) isGitTracked() bool {
	if ms.isTracked == nil {
		is := ms.findTracked(time.Now())
		ms.isTracked = &is
	}
	return *ms.isTracked
}

// findTracked is isGitTracked without the answer of this process.
func (ms *Memories) findTracked(now time.Time) bool {
	root := ms.MemoryRoot()
	file := ms.state().Tracked()
	all := map[string]tracking{}
	if b, err := disk.Read(file, maxTracked); err == nil {
		_ = json.Unmarshal(b, &all) // what can't be read is found out again
	}
	old, looked := all[root]
	around := storeIndexes(root)
	is := tracking{Since: old.Since, Looked: now.UTC()}
	var size int64
	for _, g := range around {
		x := indexState{File: g.File}
		info, err := g.Stat()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			ms.Fault("trust", "git's index could not be looked at", err)
			return true
		default:
			x.Size, x.Time = info.Size(), info.ModTime().UnixNano()
			size += x.Size
		}
		is.Indexes = append(is.Indexes, x)
	}
	if len(around) > 0 && looked {
		same := slices.Equal(old.Indexes, is.Indexes)
		recent := ms.hook && size > quickIndex && now.Sub(old.Looked) < lookAgain &&
			slices.EqualFunc(old.Indexes, is.Indexes, func(x, y indexState) bool { return x.File == y.File })
		if same || recent {
			return old.Tracked || !old.Since.IsZero()
		}
	}
	for _, g := range around {
		tracks, err := tracksStore(g, root)
		if err != nil {
			ms.Fault("trust", "git's index could not be read", err)
			return true
		}
		is.Tracked = is.Tracked || tracks
	}
	if is.Tracked && is.Since.IsZero() {
		is.Since = now.UTC()
	}
	if !looked && !is.Tracked && len(around) == 0 {
		return false // nothing to remember
	}
	if ms.looks {
		return is.Tracked || !is.Since.IsZero()
	}
	all[root] = is
	if b, err := json.Marshal(all); err == nil && disk.Private(string(ms.state())) == nil &&
		ms.begin() == nil {
		_ = disk.Replace(file, b, 0o600)
	}
	return is.Tracked || !is.Since.IsZero()
}

// storeIndexes returns the git indexes of all checkouts that a store lies in, and of those that are
// one of its folders.
func storeIndexes(root string) []layout.GitIndex {
	all := layout.GitIndexes(root)
	dirs, _ := os.ReadDir(root) // what can't be read brings no record
	for _, d := range dirs {
		dir := filepath.Join(root, d.Name())
		if layout.IsCheckout(dir) {
			all = append(all, layout.GitIndexes(dir)[0])
		}
	}
	return all
}

// tracksStore reports whether a git index has a record of a store. The store may lie in the index's
// checkout, or the checkout in the store.
func tracksStore(g layout.GitIndex, root string) (bool, error) {
	if layout.Inside(g.Top, root) {
		return g.Has(g.Top)
	}
	return g.Has(root)
}

// Recalled returns a record as it is told.
func (t TrustLevel) Recalled(m memory.Stored) brief.Recalled {
	return brief.Recalled{Stored: m, Origin: t.Origin, Accepted: t.Act == trust.Accepted, Signer: t.Signer(),
		Quotes: t.Quotes, Agent: t.Agent, Flags: t.Flags()}
}

// Flags returns what is known against a record in this worktree, in words.
func (t TrustLevel) Flags() (said []string) {
	for _, r := range t.Standing {
		said = append(said, r.Text)
	}
	return said
}

// Disputed is alike.DisputedAmong, by the words of the person that the records are trusted for, and without
// those of which the person said that both hold.
func (ms *Memories) Disputed(all []memory.Stored) (keep []memory.Stored, disputes map[string][]alike.Dispute,
	partly int) {
	return alike.DisputedAmong(all, func(m memory.Stored) []string {
		if t := ms.TrustOf(m); t.Origin == finding.FromPerson {
			return t.Quotes
		}
		return nil
	}, ms.BothHold)
}

// BothHold reports whether the person said that two records both hold, as they are now.
func (ms *Memories) BothHold(a, b memory.Stored) bool {
	if ms.chosen == nil {
		chosen, err := ms.Choices().Read()
		if err != nil {
			ms.Fault("standing", "of which memories you said that both hold could not be read", err)
		}
		ms.chosen = &chosen
	}
	return slices.Contains(*ms.chosen, standing.Both(a.Path, a.Digest, b.Path, b.Digest))
}

// BothHolding returns the pairs of records of which the person said that both hold, as they are now, the
// newer one first.
func (ms *Memories) BothHolding(all []memory.Stored) (pairs [][2]memory.Stored) {
	chosen, _ := ms.Choices().Read() // BothHold reports what can't be read
	at := func(path, digest string) int {
		return slices.IndexFunc(all, func(r memory.Stored) bool {
			return r.Path == path && r.Digest == digest && r.Status == memory.Active
		})
	}
	for _, c := range chosen {
		a, b := at(c.Path, c.Digest), at(c.With, c.WithDigest)
		if c.Choice != standing.BothHold || a < 0 || b < 0 {
			continue
		}
		if alike.IsOlder(all[a], all[b]) {
			a, b = b, a
		}
		pairs = append(pairs, [2]memory.Stored{all[a], all[b]})
	}
	return pairs
}

// SetBothHold notes that the person said that two records both hold, or takes that back.
func (ms *Memories) SetBothHold(a, b memory.Stored, both bool) error {
	to := standing.Both(a.Path, a.Digest, b.Path, b.Digest)
	if !both {
		to.Choice = ""
	}
	ms.chosen = nil
	return ms.Choices().Set(to)
}

// Signer returns who signed the record, "" if the person's trust in it does not rest on a signature.
func (t TrustLevel) Signer() string {
	if t.Act != trust.Signed {
		return ""
	}
	return t.By
}

// Accepted reports whether a person said yes to the record.
func (t TrustLevel) Accepted() bool { return t.Act == trust.Accepted }
