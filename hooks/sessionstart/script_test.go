package sessionstart

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"keepsake/internal/script"
	"keepsake/internal/stopped"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
)

func TestMain(m *testing.M) {
	script.Main(m, stopped.Programs(map[string]func(){"sessionstart": func() { os.Exit(Run()) }, "lab": lab}))
}

func TestScripts(t *testing.T) { script.Run(t) }

// lab does what other hooks and verbs would have done to a session.
func lab() {
	if err := labour(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

func labour(verb, id string, args []string) error {
	s, err := session.Open(session.Call{ID: id, Cwd: "/"})
	if err != nil {
		return err
	}
	switch verb {
	case "saved": // a save ended with this line
		return s.Update(func(st *stage.State) error {
			st.Result = &stage.Result{At: time.Now(), Line: args[0]}
			return nil
		})
	case "staged": // a category lies on the desk, as versions without a journal left it
		text := "x"
		if len(args) > 1 {
			text = args[1]
		}
		return s.Desk.Put(stage.Context{Category: memory.Category(args[0]), Score: 1, Excerpt: "x",
			Snippets: []stage.Snippet{{Text: text}}})
	case "drafted": // no drafter delivered
		if err := s.Desk.Write(stage.IntentName(memory.Category(args[0])), []byte("{}")); err != nil {
			return err
		}
		return s.Desk.Write(stage.PendingName, []byte("{}"))
	case "failed":
		s.Fault("stop", args[0], nil)
		return nil
	case "died": // the client of the session is gone
		return s.Update(func(st *stage.State) error {
			st.Client = stage.Process{PID: 1 << 22, Start: "1"}
			return nil
		})
	case "shown": // a memory was recalled, a feedback given, a transcript read
		return s.Update(func(st *stage.State) error {
			st.Shown, st.Saves, st.Fresh, st.Mark.Offset = append(st.Shown, args[0]), 2, false, 500
			return nil
		})
	case "delete": // a plan of keepsake's took a memory file away
		b, err := os.ReadFile(filepath.Join(args[0], args[1]))
		if err != nil {
			return err
		}
		dir, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		return s.Notes(dir).Apply(context.Background(),
			plan.Plan{Version: plan.Version,
				Edits: []plan.Edit{{Path: args[1], Verb: plan.Delete, Before: plan.DigestOf(b)}}})
	case "full": // the context window holds so much for a model; without, print it
		if len(args) == 0 {
			p := s.State.Pressure
			fmt.Printf("model=%s used=%d said=%d\n", p.Model, p.Used, p.Said)
			return nil
		}
		used, err := strconv.ParseInt(args[1], 10, 64)
		if err != nil {
			return err
		}
		return s.Update(func(st *stage.State) error {
			st.Pressure = stage.Pressure{Model: args[0], Used: used, Said: 85}
			return nil
		})
	case "state": // print what matters here
		st := s.State
		fmt.Printf("known=%t fresh=%t shown=%d saves=%d offset=%d client=%t\n", s.Known, st.Fresh,
			len(st.Shown), st.Saves, st.Mark.Offset, st.Client.PID > 1)
		return nil
	case "pending":
		w, err := s.Pending().Waiting()
		fmt.Println(w)
		return err
	}
	return fmt.Errorf("no verb %s", verb)
}
