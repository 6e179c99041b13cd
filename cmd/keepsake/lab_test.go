package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/session"
	"keepsake/pkg/project/trust"
)

// lab is a program of the scripts: it does what hooks and drafters would have
// done, so that a script can begin anywhere.
//
//	lab session ID [TRANSCRIPT]     a session is known
//	lab said ID person|assistant TEXT   a message is in the session's transcript
//	lab worked ID N                 the agent has called N tools
//	lab notice ID CATEGORY QUOTE…   a category is staged and announced
//	lab more ID CATEGORY QUOTE…     a category is staged while drafters are at work
//	lab found ID BY LEVEL TEXT [TARGET [DATE]]   a finding of a decision is in the journal
//	lab put ID NAME FILE            a file lies on the session's stage
//	lab forget ID                   the session's state knows of no save
//	lab ended ID CATEGORY           a drafter has ended
//	lab leave ID                    the session is over, its stage goes to pending
//	lab accept ID                   the person has said yes to all memories that are held
//	lab ls ID                       lists the stage
//	lab kept ID                     lists what is pending of the session
//	lab cat ID NAME                 prints a file of the stage
//	lab backdate ID NAME            a file of the stage was written an hour ago
//	lab grow ID NAME                a file of the stage is larger than can be read
//
// lab plan ID DIR PATH=FILE… a plan of Markdown memories makes PATH what FILE says; PATH= takes it away
//
//	lab edit ID FILE OLD NEW        somebody changes a file, or stage:NAME
func lab() {
	if err := labour(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

func labour(args []string) error {
	if len(args) < 2 {
		return errors.New("want a verb and a session")
	}
	verb, id, rest := args[0], args[1], args[2:]
	s, err := session.Open(session.Call{ID: id, Cwd: os.Getenv("PROJECT")})
	if err != nil {
		return err
	}
	switch verb {
	case "session":
		return s.Update(func(st *stage.State) error {
			st.Fresh = true
			if len(rest) > 0 {
				st.Transcript, err = filepath.Abs(rest[0])
			}
			return err
		})
	case "said":
		return say(id, rest[0], map[string]any{"content": rest[1]})
	case "worked":
		n, err := strconv.Atoi(rest[0])
		for i := range n {
			use := []any{map[string]any{"type": "tool_use", "id": fmt.Sprint("t", i), "name": "Bash",
				"input": map[string]any{"command": "true"}}}
			got := []any{map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint("t", i),
				"content": "ok"}}
			err = errors.Join(err, say(id, "assistant", map[string]any{"content": use}),
				say(id, "user", map[string]any{"content": got}))
		}
		return err
	case "notice", "more":
		cat, err := memory.ParseCategory(rest[0])
		if err != nil {
			return err
		}
		c := stage.Context{Category: cat, Score: 0.8, Excerpt: strings.Join(rest[1:], "\n")}
		var found []finding.Finding
		for _, text := range rest[1:] {
			found = append(found, finding.Finding{Text: text, By: finding.Typed, Session: s.ID,
				Time: time.Now().UTC(), Category: cat,
				Score: 0.8, Level: finding.Sure, Origin: finding.FromPerson, Explicit: true})
		}
		err = s.Update(func(st *stage.State) error {
			found, err = s.AddFindings(st, transcript.Mark(st.Mark), found, time.Now().UTC())
			return err
		})
		if err != nil {
			return err
		}
		for _, f := range found {
			c.Snippets = append(c.Snippets, stage.Snippet{Number: f.Number, Text: f.Text})
		}
		if err := s.Desk.Put(c); err != nil {
			return err
		}
		if verb == "more" {
			return nil
		}
		_, _, err = s.Desk.Announce(stage.ParallelConfig{Enabled: true, DefaultModel: "haiku"}, time.Now())
		return err
	case "found":
		f := finding.Finding{By: finding.Speaker(rest[0]), Level: finding.Level(rest[1]), Text: rest[2],
			Session: s.ID, Category: memory.Decision,
			Origin: finding.FromAgent, Time: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
			Context: []finding.Line{{By: finding.Agent, Role: finding.Question,
				Text: "What of this: " + rest[2]}}}
		if f.By.Person() {
			f.Origin = finding.FromPerson
		}
		if len(rest) > 3 && rest[3] != "" {
			f.Kind, f.Target = finding.Change, rest[3]
		}
		if len(rest) > 4 {
			f.Time, _ = time.Parse(time.DateOnly, rest[4])
		}
		_, err := s.NoteFindings([]finding.Finding{f}, time.Now().UTC())
		return err
	case "becomes": // of a finding, by the person
		n, err := strconv.Atoi(rest[1])
		return errors.Join(err, s.MoveFindings(finding.Move{Act: finding.Act(rest[0]), Numbers: []int{n},
			By: "person"}))
	case "moment": // something for the Markdown memories
		_, err := s.NoteFindings([]finding.Finding{{Text: rest[1], By: finding.Typed, Session: s.ID,
			Time:   time.Now().UTC(),
			Moment: memory.Moment(rest[0]), Score: 0.8, Level: finding.Sure, Origin: finding.FromPerson}},
			time.Now().UTC())
		return err
	case "put":
		b, err := os.ReadFile(rest[1])
		if err != nil {
			return err
		}
		return s.Desk.Write(rest[0], b)
	case "ended":
		return s.Update(func(st *stage.State) error {
			st.Drafters = append(st.Drafters,
				stage.Drafter{Agent: rest[0], Category: memory.Category(rest[0])})
			return nil
		})
	case "forget":
		return s.Update(func(st *stage.State) error {
			st.Digests, st.Result, st.Applied = nil, nil, false
			return nil
		})
	case "leave":
		return errors.Join(s.Finish(),
			s.Update(func(st *stage.State) error {
				st.Client = stage.Process{PID: 1 << 22,
					Start: "1"}
				return nil
			}))
	case "accept":
		sets, err := save.HeldSets(s)
		for _, h := range sets {
			for _, r := range h {
				err = errors.Join(err, s.Answer(trust.Accepted, time.Now(), r.Trust))
			}
		}
		return err
	case "ls":
		names, err := s.Desk.Files()
		fmt.Println(strings.Join(names, "\n"))
		return err
	case "kept":
		entries, err := os.ReadDir(filepath.Join(s.Pending().Dir, id))
		for _, e := range entries {
			fmt.Println(e.Name())
		}
		return err
	case "cat":
		b, err := s.Desk.Read(rest[0])
		os.Stdout.Write(b)
		return err
	case "backdate":
		past := time.Now().Add(-time.Hour)
		return os.Chtimes(filepath.Join(s.Desk.Dir, rest[0]), past, past)
	case "grow":
		return os.Truncate(filepath.Join(s.Desk.Dir, rest[0]), stage.MaxFile+1)
	case "plan":
		return markdownPlan(s, rest[0], rest[1:])
	case "edit":
		path := rest[0]
		if name, ok := strings.CutPrefix(path, "stage:"); ok {
			path = filepath.Join(s.Desk.Dir, name)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed := strings.ReplaceAll(string(b), rest[1], rest[2])
		if changed == string(b) {
			return fmt.Errorf("%s has no %q", path, rest[1])
		}
		return os.WriteFile(path, []byte(changed), 0o600)
	}
	return fmt.Errorf("no verb %s", verb)
}

// markdownPlan applies a plan to a directory of Markdown memories.
func markdownPlan(s *session.Session, dir string, files []string) error {
	var p plan.Plan
	for _, f := range files {
		path, from, _ := strings.Cut(f, "=")
		e := plan.Edit{Path: path, Verb: plan.Create, Title: path}
		if was, err := os.ReadFile(filepath.Join(dir, path)); err == nil {
			e.Verb, e.Before = plan.Update, plan.DigestOf(was)
		}
		if from == "" {
			e.Verb = plan.Delete
		} else if e.After, _ = os.ReadFile(from); e.After == nil {
			return fmt.Errorf("no file %s", from)
		}
		p.Edits = append(p.Edits, e)
	}
	return s.Notes(dir).Apply(context.Background(), p)
}

// say appends one record to a session's transcript, as the client writes it.
func say(id, who string, message map[string]any) error {
	path := filepath.Join(os.Getenv("PROJECT"), id+".jsonl")
	size := int64(0)
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	record := map[string]any{"type": who, "uuid": fmt.Sprintf("%s-%d", id, size),
		"timestamp": "2026-11-20T09:00:00.000Z", "message": message}
	if who == "person" {
		record["type"], record["promptSource"], record["origin"] = "user", "typed",
			map[string]any{"kind": "human"}
	}
	message["role"] = record["type"]
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
