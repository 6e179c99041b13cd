package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/approvers"
	"keepsake/pkg/project/trust"
	"keepsake/pkg/search/records"
)

// Approvers are the bytes of the file that says whose signatures count, and what the person said of them.
type Approvers struct {
	Text  []byte
	Entry trust.Entry // its Act is "" if they have not answered
}

// Accepted reports whether the person accepted these bytes.
func (a Approvers) Accepted() bool { return a.Entry.Act == trust.Accepted }

// Waits reports whether these bytes wait for the person's answer.
func (a Approvers) Waits() bool { return len(a.Text) > 0 && a.Entry.Act == "" }

// Approvers returns the approvers of the project's store. A project without any has no Text.
func (ms *Memories) Approvers() (a Approvers, err error) {
	a.Text, err = approvers.Read(ms.MemoryRoot())
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return Approvers{}, nil
	}
	if err != nil {
		return a, err
	}
	v, err := ms.Records().View()
	if err != nil {
		return a, err
	}
	defer v.Close()
	a.Entry = trust.Entry{Path: approvers.Name, Digest: plan.DigestOf(a.Text)}
	if e, ok := v.Know(approvers.Name, a.Entry.Digest); ok {
		a.Entry = e
	}
	return a, nil
}

// AnswerApprovers stores the answer of a person at a terminal who was shown the approvers whole. project is
// where what they sign counts. Only one version of the file counts at a time: a yes to this one ends the
// trust that rests on another.
func (ms *Memories) AnswerApprovers(a Approvers, yes bool, project string, now time.Time) error {
	v, err := ms.Records().View()
	if err != nil {
		return err
	}
	defer v.Close()
	next := trust.Entry{At: now, Act: trust.Refused, Path: approvers.Name, Digest: a.Entry.Digest}
	var entries []trust.Entry
	if yes {
		next.Act, next.Project = trust.Accepted, project
		err = v.Each(func(e trust.Entry) bool {
			if e.Path == approvers.Name && e.Act == trust.Accepted && e.Digest != next.Digest {
				e.At, e.Act = now, "" // should it come back, it is asked about again
				entries = append(entries, e)
			}
			return true
		})
	}
	if err != nil {
		return err
	}
	ms.reloadTrust()
	return ms.Records().Add(append(entries, next)...)
}

// isVoid reports whether an entry rests on approvers that the person does not accept any more.
func isVoid(v *trust.View, e trust.Entry) bool {
	if e.Act != trust.Signed {
		return false
	}
	by, ok := v.Know(approvers.Name, e.Approvers)
	return !ok || by.Act != trust.Accepted
}

// Taken is how many memories were accepted since somebody signed them.
type Taken struct {
	By       string
	Memories int
}

// manyVersions is how many versions of one record may come at once before the one that is in the store has to
// be found out, since trust.Records keeps only some.
const manyVersions = 8

// TakeSigned accepts the records that somebody among the accepted approvers has signed, without asking. What
// the person has answered themselves stays. It verifies each signed list once, and where it has to stop, as
// for the end of ctx, it goes on next time. A list that can't be read keeps none of the others. It starts
// ssh-keygen, but not where nothing is new.
func (ms *Memories) TakeSigned(ctx context.Context, now time.Time) (taken []Taken, err error) {
	a, err := ms.Approvers()
	if err != nil || !a.Accepted() {
		return nil, err
	}
	root := ms.MemoryRoot()
	lists, err := approvers.Lists(root)
	if err != nil || len(lists) == 0 {
		return nil, err
	}
	v, err := ms.Records().View()
	if err != nil {
		return nil, err
	}
	defer v.Close()
	var tool approvers.Tool
	var entries, looked []trust.Entry
	byPath := map[string]int{}
	var stopped error
	var faults []error
	for _, path := range lists {
		if stopped = ctx.Err(); stopped != nil {
			break
		}
		file, err := approvers.ReadList(root, path)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		digest := plan.DigestOf(file)
		if e, ok := v.Know(path, digest); ok && e.Approvers == a.Entry.Digest {
			continue
		}
		if tool == (approvers.Tool{}) {
			if tool, err = approvers.FindTool(ms.Place.Dir, ms.Place.Home, ms.Place.Top); err != nil {
				return nil, err
			}
		}
		look := trust.Entry{At: now, Act: trust.Signed, Path: path, Digest: digest, Approvers: a.Entry.Digest}
		by, list, verr := tool.Verify(ctx, a.Text, file)
		var refused *approvers.RefusedError
		switch {
		case errors.As(verr, &refused):
			look.Act, look.Why = trust.Refused, refused.Why
		case verr != nil:
			stopped = verr
		case list.Project != a.Entry.Project:
			look.Act, look.Why = trust.Refused, "it was signed in another project"
		}
		if stopped != nil {
			break
		}
		if looked = append(looked, look); look.Act == trust.Refused {
			continue
		}
		n := 0
		for _, r := range list.Records {
			old, known := v.Know(r.Path, r.Digest)
			answered := old.Act == trust.Accepted || old.Act == trust.Refused
			if known && (answered || !old.Held() && !isVoid(v, old)) {
				continue // by the person themselves, or it is told anyway
			}
			entries = append(entries, trust.Entry{At: now, Act: trust.Signed, Path: r.Path, Digest: r.Digest,
				Origin: finding.FromAgent, By: by, Approvers: a.Entry.Digest})
			byPath[r.Path]++
			n++
		}
		if n > 0 {
			taken = append(taken, Taken{by, n})
		}
	}
	ms.currentLast(entries, byPath)
	ms.reloadTrust()
	faults = append(faults, stopped)
	if err := ms.Records().Add(append(looked, entries...)...); err != nil {
		return nil, errors.Join(append(faults, err)...)
	}
	return joined(taken), errors.Join(faults...)
}

// currentLast moves the versions that are in the store behind the others, where there are many of a record.
func (ms *Memories) currentLast(entries []trust.Entry, versions map[string]int) {
	st := ms.Store()
	now := map[string]string{}
	for path, n := range versions {
		if n > manyVersions {
			if r, err := st.Read(path); err == nil {
				now[path] = r.Digest
			}
		}
	}
	slices.SortStableFunc(entries, func(a, b trust.Entry) int {
		rank := func(e trust.Entry) int {
			if now[e.Path] == e.Digest {
				return 1
			}
			return 0
		}
		return rank(a) - rank(b)
	})
}

// joined adds up what the same person signed.
func joined(all []Taken) (out []Taken) {
	for _, t := range all {
		i := slices.IndexFunc(out, func(o Taken) bool { return o.By == t.By })
		if i < 0 {
			out = append(out, t)
		} else {
			out[i].Memories += t.Memories
		}
	}
	return out
}

// RefusedLists returns a line about each signed list that does not count, by the accepted approvers.
func (ms *Memories) RefusedLists(a Approvers) (lines []string, err error) {
	root := ms.MemoryRoot()
	lists, err := approvers.Lists(root)
	if err != nil || !a.Accepted() {
		return nil, err
	}
	v, err := ms.Records().View()
	if err != nil {
		return nil, err
	}
	defer v.Close()
	for _, path := range lists {
		file, err := approvers.ReadList(root, path)
		if err != nil {
			lines = append(lines, fmt.Sprintf("%s: %v", path, err))
			continue
		}
		e, ok := v.Know(path, plan.DigestOf(file))
		switch {
		case !ok || e.Approvers != a.Entry.Digest:
			lines = append(lines, path+": was not looked at yet")
		case e.Act == trust.Refused:
			lines = append(lines, path+": "+e.Why)
		}
	}
	return lines, nil
}

// maxRecord bounds what is read of a record, in bytes.
const maxRecord = 16 << 20

// mostUnaccepted is how many memories Unaccepted reads, the newest first.
const mostUnaccepted = 100

// Unaccepted returns how many memories that came with the repository wait for the person's yes. more reports
// that only the newest were looked at.
func (ms *Memories) Unaccepted() (n int, more bool, err error) {
	if !ms.isGitTracked() {
		return 0, false, nil
	}
	st := ms.Store()
	type file struct {
		path string
		time int64
	}
	var newest []file
	keep := func() {
		slices.SortFunc(newest, func(a, b file) int {
			return cmp.Or(cmp.Compare(b.time, a.time), strings.Compare(a.path, b.path))
		})
		more = more || len(newest) > mostUnaccepted
		newest = newest[:min(len(newest), mostUnaccepted)]
	}
	err = ms.useIndex(st, st.Index, func(ix *records.Index) error {
		newest, more = nil, false
		return ix.Each(func(e records.Entry) bool {
			if e.Status == memory.Active {
				newest = append(newest, file{e.Path, e.File.Time})
			}
			if len(newest) == 4*mostUnaccepted {
				keep()
			}
			return true
		})
	})
	if err != nil {
		return 0, false, err
	}
	keep()
	root := ms.MemoryRoot()
	for _, f := range newest {
		// The bytes are all that is asked of: to read what they say would take four times as long.
		b, err := disk.Read(filepath.Join(root, filepath.FromSlash(f.path)), maxRecord)
		if err != nil {
			continue // doctor names what can't be read
		}
		if t := ms.TrustOf(memory.Stored{Path: f.path, Digest: plan.DigestOf(b)}); t.Held && t.Tracked {
			n++
		}
	}
	return n, more && n > 0, nil
}

// ToSign returns the active records that nobody among the accepted approvers has signed as they are, without
// those that the person refused.
func (ms *Memories) ToSign() (all []memory.Stored, err error) {
	loaded, err := ms.Store().Load()
	if err != nil {
		return nil, err
	}
	signed, err := ms.signed()
	if err != nil {
		return nil, err
	}
	for _, r := range loaded.Records {
		if t := ms.TrustOf(r); r.Status == memory.Active && t.Act != trust.Refused &&
			!signed[approvers.Signed{Path: r.Path, Digest: r.Digest}] {
			all = append(all, r)
		}
	}
	return all, nil
}

// signed returns what the signed lists that count have, by the accepted approvers: also what is told anyway,
// which trust.Records does not say of.
func (ms *Memories) signed() (map[approvers.Signed]bool, error) {
	all := map[approvers.Signed]bool{}
	a, err := ms.Approvers()
	if err != nil || !a.Accepted() {
		return all, err
	}
	root := ms.MemoryRoot()
	lists, err := approvers.Lists(root)
	if err != nil || len(lists) == 0 {
		return all, err
	}
	v, err := ms.Records().View()
	if err != nil {
		return nil, err
	}
	defer v.Close()
	for _, path := range lists {
		file, err := approvers.ReadList(root, path)
		if err != nil {
			continue // RefusedLists names it
		}
		if e, ok := v.Know(path, plan.DigestOf(file)); !ok || e.Act != trust.Signed ||
			e.Approvers != a.Entry.Digest {
			continue
		}
		if list, _, err := approvers.Parse(file); err == nil {
			for _, r := range list.Records {
				all[r] = true
			}
		}
	}
	return all, nil
}
