package session

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/digest"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/disk"
	"keepsake/pkg/project/config"
	"keepsake/pkg/text"
)

// A Digest is the input of one request to a small model: sessions with their waiting findings, as many as
// fit.
type Digest struct {
	Excerpt  digest.Excerpt
	Sessions []DigestedSession // oldest first
	Waiting  int               // findings that wait in these sessions
	Later    int               // findings of the sessions that did not fit
}

// A DigestedSession is a session of an excerpt, with how much of its transcript was used.
type DigestedSession struct {
	ID   string `json:"id"`
	Size int64  `json:"size"` // bytes of its transcript; 0 if that is gone
}

// digestSessions is how many sessions one excerpt is made of at most.
const digestSessions = 8

// Digests is the part of a session that has a small model judge the project's ended sessions.
type Digests struct{ *Capture }

// waitingBySession returns the waiting findings of ended sessions, grouped by session. The session with
// the newest finding comes first. If id is not "", it returns only those of that session, ended or not.
// What was imported or proposed waits for the person, not for a model.
func (ds *Digests) waitingBySession(id string) ([][]finding.Status, error) {
	book, err := ds.Book()
	if err != nil && book.Len() == 0 {
		return nil, err
	}
	over := ds.endedSessions()
	of := map[string][]finding.Status{}
	for _, f := range book.Waiting() {
		if f.Moment != "" || f.Text == "" || f.Imported || f.Cue == Proposed || id != "" && f.Session != id {
			continue
		}
		if id != "" || over(f.Session) {
			of[f.Session] = append(of[f.Session], f)
		}
	}
	var all [][]finding.Status
	for _, waiting := range of {
		all = append(all, waiting)
	}
	last := func(w []finding.Status) int { return w[len(w)-1].Number }
	slices.SortFunc(all, func(x, y []finding.Status) int { return cmp.Compare(last(y), last(x)) })
	return all, nil
}

// Digest returns the digest of one session or, if id is "", of the ended sessions: the last ones, as many
// as fit whole.
func (ds *Digests) Digest(id string) (Digest, error) {
	waiting, err := ds.waitingBySession(id)
	if err != nil {
		return Digest{}, err
	}
	var d Digest
	var told []digest.Conversation
	tokens := 0
	for _, w := range waiting {
		c, size := ds.conversation(w, 0)
		one := digest.New("", []digest.Conversation{c}, 1<<30)
		cost := text.ModelTokens(one.Text())
		if len(told) > 0 && (tokens+cost > digest.Budget || len(told) == digestSessions) {
			d.Later += len(w)
			continue
		}
		tokens += cost
		told = append(told, c)
		d.Sessions = append(d.Sessions, DigestedSession{c.Session, size})
		d.Waiting += len(w)
	}
	slices.Reverse(told)
	slices.Reverse(d.Sessions)
	d.Excerpt = digest.New(filepath.Base(ds.Root), told, digest.Budget)
	return d, nil
}

// remakeDigest makes the excerpt of a digest again, from the same sessions and the same bytes of their
// transcripts.
func (ds *Digests) remakeDigest(sessions []DigestedSession) (d Digest, err error) {
	var told []digest.Conversation
	for _, one := range sessions {
		waiting, err := ds.waitingBySession(one.ID)
		if err != nil {
			return Digest{}, err
		}
		w := slices.Concat(waiting...)
		if len(w) == 0 { // all findings were settled meanwhile; the session's lines are still in the excerpt
			w = []finding.Status{{Finding: finding.Finding{Session: one.ID}}}
		} else {
			d.Waiting += len(w)
		}
		c, _ := ds.conversation(w, one.Size)
		told = append(told, c)
	}
	d.Sessions = sessions
	d.Excerpt = digest.New(filepath.Base(ds.Root), told, digest.Budget)
	return d, nil
}

// conversation reads what was said in the session of findings, up to size bytes of its transcript,
// 0 for all. Where the transcript is gone it returns what the journal knows.
func (ds *Digests) conversation(waiting []finding.Status, size int64) (digest.Conversation, int64) {
	c := digest.Conversation{Session: waiting[0].Session, Candidates: waiting}
	st, err := ds.Sessions().Load(c.Session)
	if err == nil && st.Transcript != "" {
		var file Transcript
		if file, err = OpenTranscript(st.Transcript); err == nil {
			defer file.Close()
			if size > 0 {
				file.size = min(size, file.size)
			}
			for _, e := range EntriesSince(file, 0) {
				if !IsOurs(e, true) {
					c.Entries = append(c.Entries, e)
				}
			}
			if len(c.Entries) > 0 {
				return c, file.size
			}
		}
	}
	c.Entries = journaledEntries(waiting)
	return c, 0
}

// journaledEntries returns a conversation as the journal has it: the findings, each with what
// explains it.
func journaledEntries(findings []finding.Status) (entries []transcript.Entry) {
	for _, f := range findings {
		for _, l := range append(slices.Clone(f.Context), finding.Line{By: f.By, Text: f.Text}) {
			e := transcript.Entry{Who: transcript.Assistant, Text: l.Text, UUID: f.Record, Offset: -1,
				Time: f.Time}
			if l.By.Person() {
				e.Who = transcript.Person
			}
			entries = append(entries, e)
		}
	}
	return entries
}

// Sibling opens another session of the project.
func (s *Session) Sibling(id string) (*Session, error) {
	if id == s.ID {
		return s, nil
	}
	st, err := s.Sessions().Load(id)
	if errors.Is(err, fs.ErrNotExist) {
		return open(s.Place.Place, id, "")
	}
	if err != nil {
		return nil, err
	}
	return open(placeOfState(st), id, st.Transcript)
}

// NoteCited puts lines that a draft cites into the journal as findings of the session, and returns
// their numbers. Those that were settled before have none.
func (ca *Capture) NoteCited(found []finding.Finding, now time.Time) (numbers []int, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	err = ca.Update(func(st *stage.State) error {
		_, err := ca.AddFindings(st, transcript.Mark(st.Mark), found, now)
		return err
	})
	if err != nil {
		return nil, err
	}
	book, err := ca.Book()
	for _, f := range found {
		for _, k := range book.Waiting() {
			if k.Digest == f.Digest {
				numbers = append(numbers, k.Number)
				break
			}
		}
	}
	return numbers, err
}

// digestFile is the file with the digests of a project.
type digestFile struct {
	Version int         `json:"version"`
	Told    int         `json:"told,omitempty"` // the last finding that a person was told of
	Runs    []digestRun `json:"runs,omitempty"` // the last ones; at most one for each session of the client
}

// digestRun is the one digest that a session of the client may have.
type digestRun struct {
	Session  string            `json:"session"` // the session that started it
	Agent    string            `json:"agent,omitempty"`
	At       time.Time         `json:"at"`
	Sessions []DigestedSession `json:"sessions,omitempty"` // the sessions that it judges
	Answer   string            `json:"answer,omitempty"`   // the agent's answer, until it is taken
	Line     string            `json:"line,omitempty"`     // the outcome, in one line
}

// Bounds of that file.
const (
	digestVersion = 1
	digestRuns    = 8
	maxDigestFile = 2 << 20
	maxAnswer     = 256 << 10
)

// readDigests returns the file with the project's digests, or an empty one if it can't be read.
func (ds *Digests) readDigests() (f digestFile) {
	b, err := disk.Read(ds.state().Digests(), maxDigestFile)
	if err != nil || json.Unmarshal(b, &f) != nil || f.Version > digestVersion {
		return digestFile{}
	}
	return f
}

// changeDigests changes the file with the project's digests, under a lock.
func (ds *Digests) changeDigests(change func(*digestFile)) error {
	ctx, cancel := ds.lockContext()
	defer cancel()
	path := ds.state().Digests()
	if err := disk.MakeDir(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	lock, err := disk.Exclusive(ctx, path+".lock")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	f := ds.readDigests()
	change(&f)
	f.Version = digestVersion
	slices.SortStableFunc(f.Runs, func(x, y digestRun) int { return x.At.Compare(y.At) })
	if n := len(f.Runs); n > digestRuns {
		f.Runs = f.Runs[n-digestRuns:]
	}
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return disk.Write(path, append(b, '\n'), 0o600)
}

// run returns the digest that a session started.
func (f digestFile) run(session string) (digestRun, bool) {
	i := slices.IndexFunc(f.Runs, func(r digestRun) bool { return r.Session == session })
	if i < 0 {
		return digestRun{}, false
	}
	return f.Runs[i], true
}

func (f *digestFile) set(r digestRun) {
	f.Runs = slices.DeleteFunc(f.Runs, func(o digestRun) bool { return o.Session == r.Session })
	f.Runs = append(f.Runs, r)
}

// digestFrom is how many findings of ended sessions must wait before a person is told that a small
// model could judge them.
const digestFrom = 5

// DigestAtStart returns a message for the person when a session begins or, if the settings let the agent
// start the digest, a context for the agent. Nothing is told twice.
func (ds *Digests) DigestAtStart() (message, context string, err error) {
	mode := ds.Config.Capture.Digest
	if mode == config.DigestOff || ds.Codex() || !ds.Attended() || !ds.Listens() {
		return "", "", nil
	}
	waiting, err := ds.waitingBySession("")
	if err != nil {
		return "", "", err
	}
	file := ds.readDigests()
	all, fresh, last := 0, 0, file.Told
	for _, w := range waiting {
		for _, f := range w {
			if f.Level != finding.Candidate {
				continue // the person is told of sure findings elsewhere
			}
			all++
			if f.Number > file.Told {
				fresh++
			}
			last = max(last, f.Number)
		}
	}
	if all < digestFrom || fresh == 0 || file.Told > 0 && fresh < digestFrom {
		return "", "", nil
	}
	if err := ds.changeDigests(func(f *digestFile) { f.Told = max(f.Told, last) }); err != nil {
		return "", "", err // if it can't be noted as told, it is told later, so that it is told once
	}
	if mode == config.DigestAuto {
		return "", brief.DigestStart(all), nil
	}
	d, err := ds.Digest("")
	if err != nil {
		return "", "", err
	}
	return brief.DigestAsk(all, len(waiting), d.Excerpt.Tokens()), "", nil
}

// DigestPart returns one part of the excerpt for an agent of this session that starts. Parts are counted
// from 1 and have at most limit UTF-16 code units. Only the session's first agent gets any, and only if a
// person sits there. With the first part it stores which sessions the excerpt is made of.
func (ds *Digests) DigestPart(agent string, part, limit int, now time.Time) (string, error) {
	nothing := ""
	if part == 1 {
		nothing = brief.DigestNothing
	}
	if ds.Config.Capture.Digest == config.DigestOff || !ds.Attended() || agent == "" {
		return nothing, nil
	}
	if run, ok := ds.readDigests().run(ds.ID); ok && run.Agent != agent {
		return nothing, nil
	}
	d, err := ds.Digest("")
	if err != nil || d.Waiting == 0 {
		return nothing, err
	}
	if part == 1 {
		run := digestRun{Session: ds.ID, Agent: agent, At: now.UTC(), Sessions: d.Sessions}
		if err := ds.changeDigests(func(f *digestFile) { f.set(run) }); err != nil {
			return nothing, err
		}
	}
	parts := d.Excerpt.Parts(limit)
	if part > len(parts) {
		return "", nil
	}
	return parts[part-1], nil
}

// KeepDigestAnswer stores the answer of this session's digest for TakeDigest. It reports whether agent is
// the agent of that digest and its outcome is still open.
func (ds *Digests) KeepDigestAnswer(agent, answer string) (bool, error) {
	run, ok := ds.readDigests().run(ds.ID)
	if !ok || run.Agent != agent || run.Line != "" {
		return false, nil
	}
	if answer = strings.TrimSpace(answer); answer == "" {
		return run.Answer != "", nil
	}
	if len(answer) > maxAnswer {
		return false, fmt.Errorf("the digest's answer has %d KiB", len(answer)>>10)
	}
	run.Answer = answer
	return true, ds.changeDigests(func(f *digestFile) { f.set(run) })
}

// TakeDigest returns the excerpt that the agent of this session's digest was given, and its answer.
func (ds *Digests) TakeDigest() (d Digest, answer string, err error) {
	run, ok := ds.readDigests().run(ds.ID)
	if !ok || run.Answer == "" {
		return Digest{}, "", errors.New("no digest of this session has an answer that waits")
	}
	d, err = ds.remakeDigest(run.Sessions)
	return d, run.Answer, err
}

// StartedDigest returns a message for the person at the end of a turn in which they started a digest.
// args are the arguments of the call that did; for other arguments it returns "".
func (ds *Digests) StartedDigest(args []byte) string {
	var call struct {
		Kind   string `json:"subagent_type"`
		Prompt string `json:"prompt"`
	}
	if json.Unmarshal(args, &call) != nil || call.Kind != brief.Digester ||
		strings.TrimSpace(call.Prompt) != brief.DigestTyped {
		return ""
	}
	if run, ok := ds.readDigests().run(ds.ID); ok && run.Line != "" { // it ran in the foreground
		return brief.DigestDone(run.Line)
	}
	return brief.DigestRuns
}

// EndDigest notes the outcome of this session's digest, in one line.
func (ds *Digests) EndDigest(line string) error {
	return ds.changeDigests(func(f *digestFile) {
		if run, ok := f.run(ds.ID); ok {
			run.Answer, run.Line = "", line
			f.set(run)
		}
	})
}

// EndedDigest reports whether a prompt is the client's notification that the agent of this
// session's digest has ended, and returns the outcome.
func (ds *Digests) EndedDigest(prompt string) (line string, ended bool) {
	prompt = strings.TrimSpace(prompt)
	if !strings.HasPrefix(prompt, "<task-notification>") && !strings.HasPrefix(prompt, "<agent-message") {
		return "", false
	}
	run, ok := ds.readDigests().run(ds.ID)
	if !ok || run.Agent == "" || !namesAgent(prompt, run.Agent) {
		return "", false
	}
	return run.Line, true
}

// namesAgent reports whether the head of a notification names an agent. An answer that only speaks
// of the agent does not count.
func namesAgent(prompt, agent string) bool {
	head, _, _ := strings.Cut(prompt, "<result>")
	if strings.HasPrefix(prompt, "<agent-message") {
		head, _, _ = strings.Cut(prompt, ">")
	}
	return strings.Contains(head, agent)
}
