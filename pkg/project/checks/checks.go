// Package checks finds out which of a project's memories have a check that fails, or have expired. A session
// start does, and keeps it for its worktree, since no prompt has the time. What was looked at and has not
// changed is not evaluated again.
//
// It is no part of package session, because what it links is not for the programs that answer every call.
package checks

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/project/verify"
	"keepsake/pkg/store"
)

// checkLimit is how long a session start reads records whose files have changed, and then evaluates checks.
// What is left is for the next one.
const checkLimit = 250 * time.Millisecond

// Records evaluates the checks of the project's memories of which what they look at has changed, but not of
// those that are held, and keeps for this worktree what is known against memories. ancestor, which may be
// nil, says whether HEAD has a commit in its history; it is asked where HEAD has moved or the answer is not
// known.
func Records(s *session.Session, now time.Time, ancestor func(commit string) (bool, error)) error {
	root, path := s.Root, s.CachePath("checks-"+layout.Key(s.Root)+".idx")
	cache := readChecks(path)
	until := time.Now().Add(checkLimit)
	changed := cache.refresh(s, until)
	p, err := verify.Open(root, now.UTC().Format(time.DateOnly))
	if err != nil {
		return err
	}
	defer p.Close()
	p.Ancestor = ancestor
	_, head := layout.Head(s.Place.Top)
	until = time.Now().Add(checkLimit)
	chosen, err := s.Choices().Read()
	if err != nil {
		s.Fault("standing", "what you chose for memories of which a check fails could not be read", err)
	}
	var rows []standing.Row
	for _, name := range slices.Sorted(maps.Keys(cache.Records)) {
		r := cache.Records[name]
		if len(r.Checks) == 0 && r.Expires == nil {
			continue
		}
		if t := s.TrustOf(memory.Stored{Path: name, Digest: r.Digest}); t.Held {
			continue // it is told to nobody, and nothing is done for whoever wrote it
		}
		changed = r.evaluate(p, head, until) || changed
		texts := r.texts()
		if len(texts) == 0 {
			continue
		}
		if _, err := os.Lstat(filepath.Join(s.MemoryRoot(), filepath.FromSlash(name))); err != nil {
			delete(cache.Records, name) // the memory itself is gone
			changed = true
			continue
		}
		leaveOut := standing.Of(chosen, name, r.Digest) == standing.LeaveOut
		for _, said := range texts {
			rows = append(rows, standing.Row{Path: name, Digest: r.Digest, Text: said, LeaveOut: leaveOut})
		}
	}
	err = s.SetStanding(rows)
	if changed {
		err = errors.Join(err, writeChecks(path, cache))
	}
	return err
}

// readAtOnce is how many records are read before the time is looked at.
const readAtOnce = 500

// refresh reads the records whose files are not as they were, until a time, and reports whether there are
// any.
func (c *checkCache) refresh(s *session.Session, until time.Time) (changed bool) {
	indexed := make(map[string]memory.File, len(c.Records))
	for name, r := range c.Records {
		indexed[name] = memory.File{Time: r.Time, Size: r.Size}
	}
	st := s.Store()
	paths, _ := st.Differing(indexed)
	for some := range slices.Chunk(paths, readAtOnce) {
		if changed && time.Now().After(until) {
			break
		}
		c.read(st, some)
		changed = true
	}
	return changed
}

// read puts records as they are now into the cache.
func (c *checkCache) read(st *store.Store, paths []string) {
	records, bad := st.ReadAll(paths)
	for _, b := range bad {
		delete(c.Records, b.Path)
	}
	for _, m := range records {
		now := &checkedRecord{Time: m.File.Time, Size: m.File.Size, Digest: m.Digest}
		if m.Status == memory.Active {
			for _, check := range m.Checks() {
				now.Checks = append(now.Checks, checkedLine{Line: check.String()})
			}
			if _, acts := m.Expiry(); acts {
				now.Expires = &checkedLine{Line: m.Expires()}
			}
		}
		c.Records[m.Path] = now
	}
}

// evaluate gives each check its verdict, until a time, and reports whether one is another.
func (r *checkedRecord) evaluate(p *verify.Project, head string, until time.Time) (changed bool) {
	again := func(l *checkedLine, state string) bool {
		return (state == "" || state != l.State || l.Was.Verdict == "") && !time.Now().After(until)
	}
	set := func(l *checkedLine, state string, now verify.Result) {
		if now.Verdict == verify.Unknown {
			state = ""
		}
		changed = changed || l.State != state || l.Was != now
		l.State, l.Was = state, now
	}
	for i := range r.Checks {
		if time.Now().After(until) {
			return changed
		}
		l := &r.Checks[i]
		c, err := memory.ParseCheck(l.Line)
		if err != nil {
			continue // the cache was edited
		}
		if state := p.State(c, head); again(l, state) {
			set(l, state, p.Evaluate(c))
		}
	}
	if l := r.Expires; l != nil {
		if e, acts := memory.ParseExpiry(l.Line); acts {
			if state := p.ExpiryState(e, head); again(l, state) {
				set(l, state, p.Expired(e))
			}
		}
	}
	return changed
}

// texts returns what is told with the record: that checks fail, and that it expired.
func (r *checkedRecord) texts() (all []string) {
	var fails []string
	for _, l := range r.Checks { // a file that is gone takes all checks of it along
		if l.Was.Verdict == verify.Fails && !slices.Contains(fails, l.Was.Why) {
			fails = append(fails, l.Was.Why)
		}
	}
	if len(fails) > 0 {
		said := "its check fails: " + fails[0]
		if n := len(fails) - 1; n > 0 {
			said += fmt.Sprintf(", and %d more", n)
		}
		all = append(all, said)
	}
	if r.Expires != nil && r.Expires.Was.Verdict == verify.Fails {
		all = append(all, "it expired: "+r.Expires.Was.Why)
	}
	return all
}
