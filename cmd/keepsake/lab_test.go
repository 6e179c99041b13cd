package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/session"
	"keepsake/pkg/stage"
)

// lab is a program of the scripts: it does what hooks and drafters would have
// done, so that a script can begin anywhere.
//
//	lab session ID [TRANSCRIPT]     a session is known
//	lab notice ID CATEGORY QUOTE…   a category is staged and announced
//	lab more ID CATEGORY QUOTE…     a category is staged while drafters are at work
//	lab put ID NAME FILE            a file lies on the session's stage
//	lab forget ID                   the session's state knows of no save
//	lab ended ID CATEGORY           a drafter has ended
//	lab leave ID                    the session is over, its stage goes to pending
//	lab ls ID                       lists the stage
//	lab kept ID                     lists what is pending of the session
//	lab cat ID NAME                 prints a file of the stage
//	lab backdate ID NAME            a file of the stage was written an hour ago
//	lab grow ID NAME                a file of the stage is larger than can be read
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
	case "notice", "more":
		cat, err := memory.ParseCategory(rest[0])
		if err != nil {
			return err
		}
		if err := s.Desk.Put(stage.Context{Category: cat, Score: 0.8, Excerpt: strings.Join(rest[1:], "\n"), Snippets: rest[1:]}); err != nil {
			return err
		}
		if verb == "more" {
			return nil
		}
		_, _, err = s.Desk.Announce(stage.ParallelConfig{Enabled: true, DefaultModel: "haiku"}, time.Now())
		return err
	case "put":
		b, err := os.ReadFile(rest[1])
		if err != nil {
			return err
		}
		return s.Desk.Write(rest[0], b)
	case "ended":
		return s.Update(func(st *stage.State) error {
			st.Drafters = append(st.Drafters, stage.Drafter{Agent: rest[0], Category: memory.Category(rest[0])})
			return nil
		})
	case "forget":
		return s.Update(func(st *stage.State) error {
			st.Digests, st.Result, st.Applied = nil, nil, false
			return nil
		})
	case "leave":
		return s.Pending().Take(id, s.Desk)
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
