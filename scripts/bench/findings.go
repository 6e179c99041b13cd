package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// findings are prompts in a project whose journal has n findings, beside one in a
// project as large that has none: a prompt that none of them is about, one that is
// shown what was said, and one right after a turn that had findings.
func (w *world) findings(n int) ([]bench, error) {
	without, err := w.recalls(1000, "<= 3")
	if err != nil {
		return nil, err
	}
	here, err := w.at(1001)
	if err != nil {
		return nil, err
	}
	if _, _, err := here.once([]string{filepath.Join(w.bin, "keepsake"), "index", "rebuild"},
		nil); err != nil {
		return nil, err
	}
	const id = "findings"
	restore, err := here.session(id, filepath.Join(w.dir, "none.jsonl"), nil)
	if err != nil {
		return nil, err
	}
	state, err := w.state(id)
	if err != nil {
		return nil, err
	}
	log := filepath.Join(filepath.Dir(filepath.Dir(state)), "journal.jsonl")
	if err := writeJournal(log, n); err != nil {
		return nil, err
	}
	next := n + 1
	said := func() error { // a turn ended between two prompts
		f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err = f.Write(finding.Turn{At: time.Now(), Session: "s",
			Findings: []finding.Finding{saidOf(next)}}.Append(nil, next)); err != nil {
			return err
		}
		next++
		return restore()
	}
	prompt := func(text string) []byte {
		return event(map[string]any{
			"session_id": id, "transcript_path": filepath.Join(w.dir, "none.jsonl"), "cwd": here.project,
			"hook_event_name": "UserPromptSubmit",
			"permission_mode": "default", "prompt": text,
		})
	}
	hook := w.hook("UserPromptSubmit")
	name := fmt.Sprintf("UserPromptSubmit, %d findings", n)
	starts, err := w.starts(1500)
	if err != nil {
		return nil, err
	}
	return append(starts, []bench{
		without[0],
		{name: name + ", none shown", aim: "<= 3", argv: hook, prepare: restore, stdin: prompt(longPrompt),
			world: here},
		{name: name + ", one shown", aim: "<= 3", argv: hook, prepare: restore, stdin: prompt(saidOf(n).Text),
			world: here},
		{name: name + ", one is new", aim: "<= 3", argv: hook, prepare: said, stdin: prompt(longPrompt),
			world: here},
	}...), nil
}

// starts are sessions that begin in a project without findings, and in one where n wait
// for the person.
func (w *world) starts(n int) (all []bench, err error) {
	for i, waiting := range []int{0, n} {
		here, err := w.at(i + 1)
		if err != nil {
			return nil, err
		}
		id := fmt.Sprint("begins-", waiting)
		if _, err := here.session(id, filepath.Join(w.dir, "none.jsonl"), nil); err != nil {
			return nil, err
		}
		state, err := w.state(id)
		if err != nil {
			return nil, err
		}
		log := filepath.Join(filepath.Dir(filepath.Dir(state)), "journal.jsonl")
		if waiting > 0 {
			if err := writeJournal(log, waiting); err != nil {
				return nil, err
			}
		}
		all = append(all, bench{
			name: fmt.Sprintf("SessionStart, %d findings wait", waiting), aim: []string{"<= 3", "<= 16"}[i],
			argv: w.hook("SessionStart"), world: here,
			prepare: func() error { return os.Remove(state) }, // a session that is new
			stdin: event(map[string]any{
				"session_id": id, "transcript_path": filepath.Join(w.dir, "none.jsonl"), "cwd": here.project,
				"hook_event_name": "SessionStart", "source": "startup",
			}),
		})
	}
	return all, nil
}

// saidOf is a finding as a turn leaves it.
func saidOf(number int) finding.Finding {
	rng := rand.New(rand.NewSource(int64(number)))
	f := finding.Finding{
		Number: number, Text: "We decided " + text(rng, 14), By: finding.Typed,
		Session: fmt.Sprint("s", number/50), Record: fmt.Sprintf("00000000-0000-4000-8000-%012d", number),
		Offset: int64(number) * 900, Time: time.Now().UTC().Add(-time.Hour), Branch: "main",
		Commit:   "0123456789abcdef0123456789abcdef01234567",
		Category: memory.Decision, Score: 0.8, Cue: "decided", Level: finding.Sure,
		Origin: finding.FromPerson,
		Context: []finding.Line{{By: finding.Typed, Text: text(rng, 30)},
			{By: finding.Agent, Text: text(rng, 50)}},
	}
	f.Digest = finding.Digest(f.Text)
	return f
}

// writeJournal writes a journal of n findings.
func writeJournal(path string, n int) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	out.WriteString(`{"journal":"bench","version":1}` + "\n")
	for i := 1; i <= n; i++ {
		said := saidOf(i)
		out.Write(finding.Turn{At: said.Time, Session: said.Session,
			Findings: []finding.Finding{said}}.Append(nil, i))
	}
	return out.Flush()
}
