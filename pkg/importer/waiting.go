package importer

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

// fileName is the name of the file on the stage, version the version of its form.
const (
	fileName = "import.json"
	version  = 1
)

// Waiting is the plan of an import that waits on the stage.
type Waiting struct {
	Version int       `json:"version"`
	Digest  string    `json:"digest"`
	Made    time.Time `json:"made_at"`
	Root    string    `json:"root"`
	Source  string    `json:"source"`
	Plan    plan.Plan `json:"plan"`
}

// Put writes the plan of an import to the stage.
func Put(s *session.Session, source string, p plan.Plan, at time.Time) error {
	b, err := json.MarshalIndent(Waiting{version, p.Digest(), at, s.Root, source, p}, "", "  ")
	if err != nil {
		return err
	}
	return s.Desk.Write(fileName, append(b, '\n'))
}

// Find returns the import on the stage if its digest begins with digest. A file of a newer Keepsake is an
// error that names the file.
func Find(s *session.Session, digest string) (w Waiting, ok bool, err error) {
	b, err := s.Desk.Read(fileName)
	if err != nil {
		return w, false, nil // none, or none that can be read
	}
	var v struct{ Version int }
	if err := json.Unmarshal(b, &v); err == nil && v.Version > version {
		return w, false, fmt.Errorf("%s: version %d was written by a newer keepsake",
			filepath.Join(s.Desk.Dir, fileName), v.Version)
	}
	ok = json.Unmarshal(b, &w) == nil && w.Plan.Digest() == w.Digest && strings.HasPrefix(w.Digest, digest)
	return w, ok, nil
}

// Remove takes the import off the stage.
func Remove(s *session.Session) error {
	_, err := s.Desk.Remove(fileName)
	return err
}

// Note records in the session's state that a plan was imported, and returns the line that reports it.
func Note(s *session.Session, p plan.Plan, at time.Time) (line string, err error) {
	by := map[string]int{}
	for _, e := range p.Edits {
		by[e.Category]++
	}
	var parts []string
	for _, cat := range memory.Categories() {
		if n := by[string(cat)]; n > 0 {
			parts = append(parts, cat.Count(n))
		}
	}
	line = "Imported: " + strings.Join(parts, ", ")
	return line, s.Update(func(st *stage.State) error {
		digest := p.Digest()
		st.Result = &stage.Result{At: at, Line: line, Plan: digest}
		if !slices.Contains(st.Digests, digest) {
			st.Digests = append(st.Digests, digest)
		}
		return nil
	})
}
