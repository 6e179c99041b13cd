// Package plan describes writes: a plan is a list of edits, each guarded by the digest of the file as it was
// when the plan was made. Nothing is written in another way.
//
// A plan is a value. It can be printed, counted, compared, refused, approved by its digest and applied;
// package store applies it. This package does no I/O and reads no clock.
package plan

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Version is the version of the form in which this package writes plans.
const Version = 1

// ErrNewer is the error for a plan that a newer Keepsake wrote.
var ErrNewer = errors.New("plan: written by a newer version")

// Verb is what an edit does to its record.
type Verb string

// The verbs. Delete removes a file. Revert brings back what a file said before an earlier plan, or removes a
// file that the earlier plan made. All others write the whole file.
const (
	Create    Verb = "create"
	Update    Verb = "update"
	Retire    Verb = "retire"
	Archive   Verb = "archive"
	Unarchive Verb = "unarchive"
	Restore   Verb = "restore"
	Delete    Verb = "delete"
	Revert    Verb = "revert"
)

// Edit writes or removes one file.
type Edit struct {
	Path   string `json:"path"` // below the store's root, with slashes
	Verb   Verb   `json:"verb"`
	Before string `json:"before"` // DigestOf the file as it was; "" means that it must not exist
	After  []byte `json:"after"`  // the whole new file; nil if the file is removed, and only then

	Category string `json:"category"` // for people
	Title    string `json:"title"`    // for people

	// Modified is when the file says that it was last written. The zero time stands for when the plan is
	// applied. Only Markdown files keep it.
	Modified time.Time `json:"modified,omitzero"`
}

// TimeOf returns a time as an edit has it: in UTC, and the zero time for one that no text can hold.
func TimeOf(t time.Time) time.Time {
	if y := t.UTC().Year(); y < 1 || y > 9999 {
		return time.Time{}
	}
	return t.UTC()
}

// Plan is a list of edits that are made together or not at all. All are of records, or all are of Markdown
// files.
type Plan struct {
	Version int    `json:"version"` // 0 is read as Version
	Edits   []Edit `json:"edits"`
}

// DigestOf returns the guard of a file with these bytes: their SHA-256 in hex, or "" for nil, which stands
// for an absent file.
func DigestOf(b []byte) string {
	if b == nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Digest returns the name of the plan: the SHA-256, in hex, of a canonical form in which the length precedes
// each part and edits are sorted by path. Two plans with one digest are the same, byte for byte.
func (p Plan) Digest() string {
	edits := slices.Clone(p.Edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return strings.Compare(a.Path, b.Path) })
	sum := sha256.New()
	h := bufio.NewWriter(sum) // takes a string without a copy of its own
	writePart(h, "keepsake plan")
	writeNumber(h, uint64(p.version()))
	writeNumber(h, uint64(len(edits)))
	for _, e := range edits {
		writePart(h, e.Path)
		writePart(h, string(e.Verb))
		writePart(h, e.Before)
		writeNumber(h, uint64(len(e.After)))
		h.Write(e.After)
		writePart(h, e.Category)
		writePart(h, e.Title)
		if e.After != nil && len(e.After) == 0 {
			writePart(h, "an empty file") // an empty file is not an absent one
		}
		if !e.Modified.IsZero() {
			writePart(h, e.Modified.UTC().Format(time.RFC3339Nano))
		}
	}
	h.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}

// Paths returns the files that the plan writes, in its order.
func (p Plan) Paths() []string {
	paths := make([]string, len(p.Edits))
	for i, e := range p.Edits {
		paths[i] = e.Path
	}
	return paths
}

func writePart(h *bufio.Writer, s string) {
	writeNumber(h, uint64(len(s)))
	h.WriteString(s)
}

func writeNumber(h *bufio.Writer, n uint64) {
	h.Write(binary.BigEndian.AppendUint64(h.AvailableBuffer(), n))
}

func (p Plan) version() int {
	if p.Version == 0 {
		return Version
	}
	return p.Version
}

// Validate returns an error unless the plan may be applied: all paths name records, or all name Markdown
// files; no path occurs twice; and each edit has a known verb and the guard that the verb needs. It does not
// look at the text.
func (p Plan) Validate() error {
	if v := p.version(); v > Version {
		return fmt.Errorf("%w: version %d, this one reads up to %d", ErrNewer, v, Version)
	} else if v < 1 {
		return fmt.Errorf("plan: version %d is not a version", v)
	}
	seen := make(map[string]bool, len(p.Edits))
	for i, e := range p.Edits {
		if err := CheckPath(e.Path); err != nil {
			return fmt.Errorf("plan: edit %d: %w", i+1, err)
		}
		// A file system may fold case, so names that differ only in case are one.
		key := strings.ToLower(e.Path)
		if first := p.Edits[0].Path; (CheckRecord(first) == nil) != (CheckRecord(e.Path) == nil) {
			return fmt.Errorf("plan: edit %d: %s: does not go with %s; hint: a plan is of records or of "+
				"Markdown files", i+1, e.Path, first)
		}
		if seen[key] {
			return fmt.Errorf("plan: edit %d: %s: is edited twice", i+1, e.Path)
		}
		seen[key] = true
		if err := e.validate(); err != nil {
			return fmt.Errorf("plan: edit %d: %s: %w", i+1, e.Path, err)
		}
	}
	return nil
}

func (e Edit) validate() error {
	switch e.Verb {
	case Retire, Unarchive, Restore:
		if CheckRecord(e.Path) != nil {
			return fmt.Errorf("%s is for records, and this is a Markdown file", e.Verb)
		}
	}
	guarded := len(e.Before) == 2*sha256.Size && strings.Trim(e.Before, "0123456789abcdef") == ""
	switch e.Verb {
	case Create:
		if e.Before != "" {
			return errors.New("create has a guard, but the file must not exist")
		}
	case Update, Retire, Archive, Unarchive, Restore, Delete:
		if !guarded {
			return fmt.Errorf("%s needs the digest of the file as it was", e.Verb)
		}
	case Revert:
		if e.Before != "" && !guarded {
			return errors.New("revert has a guard that is no digest")
		}
		if e.Before == "" && e.Deletes() {
			return errors.New("revert of nothing to nothing")
		}
	default:
		return fmt.Errorf("verb %q is unknown", string(e.Verb))
	}
	switch {
	case e.Verb == Delete && !e.Deletes():
		return errors.New("delete has something to write")
	case e.Verb != Delete && e.Verb != Revert && len(e.After) == 0:
		return errors.New("has nothing to write")
	}
	return nil
}

// Deletes reports whether the edit removes its file.
func (e Edit) Deletes() bool { return e.After == nil }
