package userpromptsubmit

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"keepsake/internal/script"
	"keepsake/internal/stopped"
	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/standing"
)

func TestMain(m *testing.M) {
	script.Main(m, stopped.Programs(map[string]func(){
		"userpromptsubmit": func() { os.Exit(Run()) }, "lab": lab,
	}))
}

func TestScripts(t *testing.T) { script.Run(t) }

// lab does what other hooks and verbs would have done to session s1.
func lab() {
	if err := labour(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

func labour(verb string, args []string) error {
	s, err := session.Open(session.Call{ID: "s1", Cwd: "/"})
	if err != nil {
		return err
	}
	switch verb {
	case "noted": // SESSION BY LEVEL TEXT [TARGET]: a finding of a session, perhaps against another
		return noted(args)
	case "moved": // NUMBER ACT: something becomes of a finding
		n, err := strconv.Atoi(args[0])
		return errors.Join(err, s.MoveFindings(finding.Move{At: time.Now(), Act: finding.Act(args[1]),
			Numbers: []int{n}, By: "person"}))
	case "again": // the person asked for this one once more
		n, err := strconv.Atoi(args[0])
		return errors.Join(err, s.Update(func(st *stage.State) error {
			st.Again = append(st.Again, n)
			return nil
		}))
	case "saved": // a save ended with this line
		return s.Update(func(st *stage.State) error {
			st.Result = &stage.Result{At: time.Now(), Line: args[0]}
			return nil
		})
	case "filed": // a subagent filed a memory
		return s.Update(func(st *stage.State) error {
			st.Note(stage.Noted{By: args[0], Paths: args[1:]})
			return nil
		})
	case "continued": // Stop made the agent go on, and that turn has ended or, with "still", not
		return s.Update(func(st *stage.State) error {
			st.Continued, st.Rested = time.Now().UTC(), len(args) == 0
			return nil
		})
	case "state": // prints whether it did, and the person has not prompted since
		fmt.Println("continued:", !s.State.Continued.IsZero())
		return nil
	case "compacted": // Stop saw a compaction
		return s.Update(func(st *stage.State) error { st.Compacted(time.Now().UTC()); return nil })
	case "trusted": // PATH NUMBER: the memory is of this finding
		m, err := s.Store().Read(args[0])
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(args[1])
		p := plan.Plan{Edits: []plan.Edit{{Path: m.Path, Verb: plan.Create, After: m.Encode()}}}
		return errors.Join(err, s.Trust(p, map[string]session.Judged{m.Path: {Origin: finding.FromPerson,
			Findings: []int{n}}}, false, time.Now()))
	case "standing": // PATH TEXT [out]: a session start found this against the memory
		m, err := s.Store().Read(args[0])
		if err != nil {
			return err
		}
		return s.StandingFile().Replace([]standing.Row{{Path: m.Path, Digest: m.Digest, Text: args[1],
			LeaveOut: len(args) > 2}})
	case "pending": // an ended session left this category
		return s.Pending().Add(args[0],
			stage.Context{Category: memory.Category(args[1]), Score: 1, Excerpt: "x"})
	case "failed":
		s.Fault("stop", args[0], nil)
		return nil
	case "hours": // that many hours pass
		return s.Update(func(st *stage.State) error {
			d, err := time.ParseDuration(args[0] + "h")
			st.Told, st.Spoke = st.Told.Add(-d), st.Spoke.Add(-d)
			return err
		})
	}
	return fmt.Errorf("no verb %s", verb)
}

func noted(args []string) error {
	s, err := session.Open(session.Call{ID: args[0], Cwd: "/"})
	if err != nil {
		return err
	}
	f := finding.Finding{
		By: finding.Speaker(args[1]), Level: finding.Level(args[2]), Text: args[3], Session: s.ID,
		Category: memory.Decision, Origin: finding.FromAgent,
		Time: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), Explicit: os.Getenv("EXPLICIT") != "",
	}
	if f.By.Person() {
		f.Origin = finding.FromPerson
	}
	if f.By == finding.Chosen { // of a plan it would have none
		f.Context = []finding.Line{{By: f.By, Role: finding.Answer, Text: f.Text}}
	}
	if len(args) > 4 {
		f.Kind, f.Target = finding.Change, args[4]
	}
	return s.Update(func(st *stage.State) error {
		_, err := s.AddFindings(st, transcript.Mark(st.Mark), []finding.Finding{f}, time.Now().UTC())
		return err
	})
}
