package eval

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"keepsake/pkg/capture/triage"
)

// Options say how sessions are run.
type Options struct {
	// Triage is handed to what listens, so that a run can be made with other settings or with another model.
	Triage triage.Options
}

// A Result is what was heard in some sessions. It can be written to a file, and all figures are counted from
// it.
type Result struct {
	Version  int               `json:"version"`
	Data     map[string]string `json:"data,omitempty"` // the digest of each set
	Sessions []SessionRun      `json:"sessions,omitempty"`
	Units    []UnitRun         `json:"units,omitempty"`
	Prompts  []PromptRun       `json:"prompts,omitempty"`
}

// resultVersion is the version of the form of a Result.
const resultVersion = 1

// A SessionRun is what was heard in one session.
type SessionRun struct {
	Set   string `json:"set"`
	File  string `json:"file"`
	Repo  string `json:"repo"`
	Lang  string `json:"lang"`
	Items []Item `json:"items"`

	Found    []Found       `json:"found"`
	Turns    int           `json:"turns"`
	Notices  int           `json:"notices"`  // turns in which something sure was heard
	Moments  int           `json:"moments"`  // turns in which a sure moment was heard
	Bytes    int64         `json:"bytes"`    // of the transcript
	Said     int64         `json:"said"`     // bytes that people and the agent said
	Took     time.Duration `json:"took"`     // to read, listen and note
	Listened time.Duration `json:"listened"` // the part of it that judges and explains what was read
	Judged   time.Duration `json:"judged"`   // to judge the statements alone, once more
}

// Found is one finding, with all lines that said it.
type Found struct {
	Turn     int     `json:"turn"`
	Lines    []int   `json:"lines"`
	Category string  `json:"category,omitempty"`
	Moment   string  `json:"moment,omitempty"` // instead of a category
	By       string  `json:"by"`
	Level    string  `json:"level"`
	Score    float64 `json:"score"`
	Cue      string  `json:"cue"`
	Explicit bool    `json:"explicit,omitempty"`
	Text     string  `json:"text"`
	States   []int   `json:"states,omitempty"`  // the items that it states
	Repeats  bool    `json:"repeats,omitempty"` // it says what an earlier finding says
}

// Run puts sessions through the Stop hook's own path and returns what it heard.
func Run(sessions []Session, o Options) (*Result, error) {
	r := &Result{Version: resultVersion}
	for _, s := range sessions {
		run, err := hearSession(s, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.File, err)
		}
		r.Sessions = append(r.Sessions, run)
	}
	return r, nil
}

// Merge returns one result of several, such as those of the folds of a cross-validation. A session that
// several have is taken from the last.
func Merge(results ...*Result) *Result {
	all := &Result{Version: resultVersion, Data: map[string]string{}}
	at := map[[2]string]int{}
	for _, r := range results {
		for set, digest := range r.Data {
			all.Data[set] = digest
		}
		for _, s := range r.Sessions {
			key := [2]string{s.Set, s.File}
			if i, ok := at[key]; ok {
				all.Sessions[i] = s
				continue
			}
			at[key] = len(all.Sessions)
			all.Sessions = append(all.Sessions, s)
		}
		all.Units, all.Prompts = append(all.Units, r.Units...), append(all.Prompts, r.Prompts...)
	}
	return all
}

// Filter returns the result of the sessions that keep accepts.
func (r *Result) Filter(keep func(SessionRun) bool) *Result {
	some := *r
	some.Sessions = slices.DeleteFunc(slices.Clone(r.Sessions), func(s SessionRun) bool { return !keep(s) })
	return &some
}

// OfSet returns the result of the units and prompts whose set keep accepts.
func (r *Result) OfSet(keep func(set string) bool) *Result {
	some := *r
	some.Units = slices.DeleteFunc(slices.Clone(r.Units), func(u UnitRun) bool { return !keep(u.Set) })
	some.Prompts = slices.DeleteFunc(slices.Clone(r.Prompts), func(p PromptRun) bool { return !keep(p.Set) })
	return &some
}

// Encode returns a result as a file holds it.
func (r *Result) Encode() ([]byte, error) {
	b, err := json.MarshalIndent(r, "", " ")
	return append(b, '\n'), err
}

// ReadResult returns the result that a file holds.
func ReadResult(path string) (*Result, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r Result
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.Version != resultVersion {
		return nil, fmt.Errorf("%s: version %d of a run, this program reads %d; make the run again", path,
			r.Version, resultVersion)
	}
	return &r, nil
}

// RunDir returns the run of a directory of labelled sessions, with its digest.
func RunDir(dir string, o Options) (*Result, error) {
	sessions, err := ReadSessions(dir)
	if err != nil {
		return nil, err
	}
	digest, err := Digest(dir)
	if err != nil {
		return nil, err
	}
	r, err := Run(sessions, o)
	if err == nil {
		r.Data = map[string]string{nameOf(dir): digest}
	}
	return r, err
}
