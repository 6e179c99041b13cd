// Package backtest replays guards over what was said and done in the past: which calls of a project's
// transcripts they would have been about, and of which of these the person said that they were wrong.
package backtest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/change"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/gate/guard"
	"keepsake/pkg/project/session"
	"keepsake/pkg/text"
)

// A Hearing asks a program of its own what shell commands run and change, as the gate hears them.
type Hearing func(guard.Question) (guard.Answer, error)

// A Shot is a call that a guard would have been about.
type Shot struct {
	guard.Rule
	File      string    `json:"file"` // the transcript
	Line      int       `json:"line"`
	Time      time.Time `json:"time,omitzero"`
	Call      string    `json:"call"` // its command, or its tool and path
	Corrected bool      `json:"corrected"`
	Why       string    `json:"why,omitempty"` // what the person did about it
}

// A Result is what a replay found.
type Result struct {
	Shots    []Shot
	Sessions int
	Calls    int
	// calls that the person refused, or corrected in their next words, whether a guard met them or not
	Corrected int
	Passed    []error
}

// Run replays rules over transcripts, from since on; zero replays all. A rule that is said once is said once
// a session. A transcript that can't be read is passed over; that no program hears commands is an error.
func Run(rules []guard.Rule, files []string, since time.Time, hear Hearing) (out Result, err error) {
	home, _ := os.UserHomeDir() // without one no pattern below it is met
	r := replay{home: home, packed: guard.Pack(rules, "replay"), byKey: map[string]guard.Rule{}, hear: hear}
	for _, rule := range rules {
		r.byKey[rule.Key()] = rule
	}
	for _, name := range files {
		shots, n, err := r.session(name, since)
		if errors.Is(err, errHearing) {
			return out, err
		}
		if err != nil {
			out.Passed = append(out.Passed, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if n.calls > 0 {
			out.Sessions++
		}
		out.Calls += n.calls
		out.Corrected += n.corrected
		out.Shots = append(out.Shots, shots...)
	}
	slices.SortStableFunc(out.Shots, func(a, b Shot) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out, nil
}

// errHearing is the error where no program hears commands.
var errHearing = errors.New("what commands run and change could not be told")

type replay struct {
	home   string // the person's
	packed []byte
	byKey  map[string]guard.Rule
	hear   Hearing
}

type counts struct{ calls, corrected int }

// session replays one transcript.
func (r replay) session(name string, since time.Time) (shots []Shot, n counts, err error) {
	file, err := session.OpenTranscript(name)
	if err != nil {
		return nil, n, err
	}
	defer file.Close()
	span, err := transcript.Read(file, transcript.Request{Whole: true})
	if err != nil {
		return nil, n, err
	}
	began := transcript.Began(file).Cwd
	had := map[string]bool{} // what ran, and what was said once
	var at []int64           // of the shots in the file
	for i, e := range span.Entries {
		if e.Who != transcript.Assistant || e.Call == nil || !since.IsZero() && e.Time.Before(since) {
			continue
		}
		n.calls++
		why, corrected := correction(span.Entries, i)
		if corrected {
			n.corrected++
		}
		hits, ran, err := r.about(e, cmp.Or(e.Cwd, began), began)
		if err != nil {
			return nil, n, err
		}
		for _, h := range hits {
			rule := r.byKey[h.Key]
			if len(rule.Needs) > 0 && (h.Ready || had["ran "+h.Key]) || rule.Once && had["said "+h.Key] {
				continue
			}
			had["said "+h.Key] = true
			shots = append(shots, Shot{Rule: rule, File: name, Time: e.Time.UTC(), Call: callOf(e),
				Corrected: corrected, Why: why})
			at = append(at, e.Offset)
		}
		for _, key := range ran {
			had["ran "+key] = had["ran "+key] || succeeded(span.Entries, i)
		}
	}
	lines, err := linesAt(file, at)
	for i := range lines {
		shots[i].Line = lines[i]
	}
	return shots, n, err
}

// about returns the rules that a call is about. Most calls are passed over without asking anybody.
func (r replay) about(e transcript.Entry, cwd, project string) (hits []guard.Met, ran []string, err error) {
	w, err := guard.NewWatch(r.packed, e.Call.Tool, cwd, project)
	if err != nil || w == nil {
		return nil, nil, err
	}
	switch {
	case e.Call.Command != "":
		if !w.Text(e.Call.Command) && !w.MayTake(e.Call.Command) {
			break
		}
		a, err := r.hear(guard.Question{Packed: r.packed, Command: e.Call.Command, Cwd: cwd,
			Project: project, Home: r.home})
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", errHearing, err)
		}
		return a.Hits, a.Ran, nil
	case e.File != "" || e.Call.Tool == "NotebookEdit":
		p := cmp.Or(e.File, e.Call.File)
		if !path.IsAbs(p) {
			p = path.Join(cwd, p)
		}
		w.Home = r.home
		w.Changed(p)
	}
	return w.Met(), nil, nil
}

// callOf returns a call in one line.
func callOf(e transcript.Entry) string {
	said := e.Call.Command
	if said == "" {
		said = strings.TrimSpace(e.Call.Tool + " " + e.Call.File + e.Call.URL)
	}
	return text.Shorten(text.OneLine(said), 160)
}

// maxBehind is how many entries behind a call its result and the person's next words are looked for.
const maxBehind = 400

// correction returns what a person did about the call at i, and whether it corrects it: they refused the
// call, or stopped the agent while it ran, or their next words say that something is wrong.
func correction(all []transcript.Entry, i int) (why string, corrected bool) {
	id := all[i].Call.ID
	later := all[i+1 : min(len(all), i+1+maxBehind)]
	others := 0 // calls after it
	for _, e := range later {
		switch {
		case e.Who == transcript.Tool && e.Refused && e.Call != nil && e.Call.ID == id:
			return "you refused it", true
		case e.Interrupted && others == 0:
			return "you stopped it", true
		case e.Who == transcript.Assistant && e.Call != nil && e.Call.ID != id:
			others++
		case e.Who == transcript.Person && e.Text != "" && e.Asked == nil && e.Call == nil:
			if others > maxOthers || !change.Corrects(text.CutBytes(e.Text, opening)) {
				return "", false
			}
			return `you said: "` + text.Shorten(text.OneLine(e.Text), 80) + `"`, true
		case e.Boundary:
			return "", false
		}
	}
	return "", false
}

// succeeded reports whether the call at i ran and did not fail, as far as its result is there.
func succeeded(all []transcript.Entry, i int) bool {
	id := all[i].Call.ID
	for _, e := range all[i+1 : min(len(all), i+1+maxBehind)] {
		if e.Who == transcript.Tool && e.Call != nil && e.Call.ID == id {
			return !e.Refused && !e.Failed
		}
	}
	return false
}

// maxOthers is how many calls may lie between a call and the words that correct it: the words after a long
// turn are about its end.
const maxOthers = 10

// opening is how much of a prompt is looked at, in bytes: who corrects does so first.
const opening = 400

// linesAt returns the numbers of the lines at these places of a file, which rise, the first line being 1.
func linesAt(src io.ReaderAt, at []int64) (numbers []int, err error) {
	line, from := 1, int64(0)
	buf := make([]byte, 64<<10)
	for _, to := range at {
		for from < to {
			n, err := src.ReadAt(buf[:min(int64(len(buf)), to-from)], from)
			line += bytes.Count(buf[:n], []byte("\n"))
			from += int64(n)
			if err != nil && (n == 0 || !errors.Is(err, io.EOF)) {
				return nil, err
			}
		}
		numbers = append(numbers, line)
	}
	return numbers, nil
}
