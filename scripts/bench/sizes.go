package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
	"keepsake/pkg/project/trust"
)

// numbers parses "100,10000"; "" is none.
func numbers(list string) (all []int, err error) {
	if list == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number of records or people", word)
		}
		all = append(all, n)
	}
	return all, nil
}

// scale prints what docs/scale.md says: how large the files of n records are, how long the programs take with
// them, and how long git takes to merge what p people wrote. What breaks is printed, and the rest goes on.
func (w *world) scale(to io.Writer, records, people []int) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	s := &scaled{world: w, out: out}
	for _, n := range records {
		s.n = n
		if err := s.records(); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	for _, p := range people {
		if err := s.merges(p); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// A scaled is one project that is measured.
type scaled struct {
	*world
	n   int
	out *tabwriter.Writer
}

func (s *scaled) row(what, format string, args ...any) {
	fmt.Fprintf(s.out, "%d\t%s\t%s\n", s.n, what, fmt.Sprintf(format, args...))
}

// records measures a project with n records.
func (s *scaled) records() error {
	begun := time.Now()
	here, err := s.at(s.n)
	if err != nil {
		return err
	}
	s.row("written by the bench", "%.1f s", time.Since(begun).Seconds())
	store := filepath.Join(here.project, ".claude", "memory")
	// Or the first save would retire what is over the limit.
	if err := os.WriteFile(filepath.Join(store, "memory-config.json"), []byte(settings), 0o644); err != nil {
		return err
	}
	size, blocks, files := sizeOf(store)
	s.row("store", "%s in %d files, %s on disk", mb(size), files, mb(blocks))
	keepsake := filepath.Join(here.bin, "keepsake")
	s.time(here, "index rebuild", 1, []string{keepsake, "records", "index", "rebuild"}, nil, nil)
	cache, _, _ := sizeOf(filepath.Join(s.dir, "cache"))
	index, _, _ := sizeOf(filepath.Join(store, "index.md"))
	s.row("search index", "%s; index.md %s", mb(cache), mb(index))

	id := fmt.Sprint("scale-", s.n)
	transcript := filepath.Join(s.dir, "none.jsonl")
	restore, err := here.session(id, transcript, nil)
	if err != nil {
		s.row("SessionStart", "broke: %v", err)
		return nil
	}
	state, err := here.state(id)
	if err != nil {
		return err
	}
	folder := filepath.Dir(filepath.Dir(state)) // of the project
	ask := func(of string) {
		s.time(here, "prompt, "+of, 5, here.hook("UserPromptSubmit"),
			event(map[string]any{"session_id": id, "transcript_path": transcript, "cwd": here.project,
				"hook_event_name": "UserPromptSubmit", "permission_mode": "default", "prompt": longPrompt}),
			restore)
	}
	ask("nothing changed")
	other := 0
	change := func() error { // a memory came, as by a pull
		other++
		k := kind{"preference", "preferences", func(t func(int) string) map[string]any {
			return map[string]any{"topic": t(3), "value": t(20), "reason": t(20), "strength": "soft"}
		}}
		if err := restore(); err != nil {
			return err
		}
		return k.write(store, s.n+other)
	}
	s.time(here, "prompt, one memory is new", 3, here.hook("UserPromptSubmit"),
		event(map[string]any{"session_id": id, "transcript_path": transcript, "cwd": here.project,
			"hook_event_name": "UserPromptSubmit", "permission_mode": "default", "prompt": longPrompt}),
		change)
	s.time(here, "session start", 3, here.hook("SessionStart"),
		event(map[string]any{"session_id": id, "transcript_path": transcript, "cwd": here.project,
			"hook_event_name": "SessionStart", "source": "startup"}),
		func() error { return os.Remove(state) })
	s.time(here, "keepsake recall", 3, []string{keepsake, "recall", "--tier", "project", "which", "token",
		"does", "the", "billing", "webhook", "use"}, nil, nil)
	s.time(here, "keepsake list", 1, []string{keepsake, "list"}, nil, nil)
	s.time(here, "keepsake inbox", 1, []string{keepsake, "inbox"}, nil, nil)
	s.time(here, "retire one memory", 1, []string{keepsake, "records", "retire", "pre-4", "--reason", "x"},
		nil, nil)

	if err := s.journals(folder, ask); err != nil {
		return err
	}
	if _, err := exec.LookPath("git"); err == nil {
		s.git(here, ask)
	}
	s.failures(folder)
	return os.RemoveAll(here.project)
}

// failures prints what hooks lost silently, such as by their deadline.
func (s *scaled) failures(folder string) {
	for _, path := range []string{folder, filepath.Dir(folder)} {
		b, err := os.ReadFile(filepath.Join(path, "ledger.jsonl"))
		if err != nil {
			continue
		}
		said := map[string]bool{}
		for line := range strings.Lines(string(b)) {
			var entry struct{ Where, What, Why string }
			if json.Unmarshal([]byte(line), &entry) == nil && !said[entry.Where+entry.What] {
				said[entry.Where+entry.What] = true
				s.row("failed silently", "%s: %s: %.200s", entry.Where, entry.What, entry.Why)
			}
		}
	}
}

// journals measures a journal of n findings, and one of what is known of n records.
func (s *scaled) journals(folder string, ask func(string)) error {
	log := filepath.Join(folder, "journal.jsonl")
	if err := writeJournal(log, s.n); err != nil {
		return err
	}
	info, err := os.Stat(log)
	if err != nil {
		return err
	}
	s.row("journal of as many findings", "%s", mb(info.Size()))
	ask("as many findings")
	if err := os.Remove(log); err != nil {
		return err
	}
	begun := time.Now()
	known := trust.Records{Dir: folder}
	const batch = 1000
	for from := 0; from < s.n; from += batch {
		var entries []trust.Entry
		for i := from; i < min(s.n, from+batch); i++ {
			path := memory.Path(memory.Decision, fmt.Sprint("dec-", i))
			entries = append(entries, trust.Entry{At: time.Now(), Act: trust.Saved, Path: path,
				Digest: plan.DigestOf([]byte(path)), Origin: finding.FromPerson,
				Quotes: []string{"We decided " + saidOf(i).Text}})
		}
		if err := known.Add(entries...); err != nil {
			s.row("journal of trust", "broke after %d records: %v", from, err)
			break
		}
	}
	size, _, _ := sizeOf(filepath.Join(folder, "records.jsonl"))
	index, _, _ := sizeOf(filepath.Join(folder, "records.idx"))
	s.row("journal of trust", "%s, its index %s; written in %.1f s", mb(size), mb(index),
		time.Since(begun).Seconds())
	ask("as many known records")
	return nil
}

// git measures a commit of the store.
func (s *scaled) git(here *world, ask func(string)) {
	here.env = append(here.env, "GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.email",
		"GIT_CONFIG_VALUE_0=a@example.org", "GIT_CONFIG_KEY_1=user.name", "GIT_CONFIG_VALUE_1=a")
	s.time(here, "git init, add, commit", 1, []string{"/bin/sh", "-c",
		"git init -q -b trunk . && git config gc.auto 0 && git add -f .claude && " +
			"git commit -q -m memories && git gc -q"}, nil, nil)
	size, _, _ := sizeOf(filepath.Join(here.project, ".git"))
	index, _, _ := sizeOf(filepath.Join(here.project, ".git", "index"))
	s.row("git", "%s, of these its index %s", mb(size), mb(index))
	s.time(here, "git status", 3, []string{"git", "status", "--porcelain"}, nil, nil)
	ask("a store that git tracks")
}

// longest is how long a command may take, in seconds, until it counts as broken.
const longest = "900"

// time prints how long a command takes, what it uses and how it ends.
func (s *scaled) time(here *world, what string, runs int, argv []string, stdin []byte,
	prepare func() error) {
	var took []time.Duration
	var used *syscall.Rusage
	var peak int64
	argv = append([]string{"/usr/bin/timeout", longest}, argv...)
	for i := range runs + 1 {
		if i == runs && (runs == 1 || took[0] > time.Minute) {
			break // it can't be run again, or it holds more than bench, as used.Maxrss says
		}
		if prepare != nil {
			if err := prepare(); err != nil {
				s.row(what, "broke: %v", err)
				return
			}
		}
		var t time.Duration
		var err error
		if i < runs {
			if t, used, err = here.once(argv, stdin); err == nil {
				took, peak = append(took, t), used.Maxrss
			}
		} else {
			peak, err = here.weighed(argv, stdin)
		}
		if err != nil {
			s.row(what, "broke: %.300v", err)
			return
		}
	}
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	s.row(what, "%.1f ms, CPU %.1f ms, peak %d MB", ms(median(took)), ms(cpu), peak>>10)
}

// sizeOf returns the bytes of the files below a path, what they take on disk, and how many there are.
func sizeOf(path string) (bytes, blocks int64, files int) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error { // none is 0
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes, files = bytes+info.Size(), files+1
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				blocks += st.Blocks * 512
			}
		}
		return nil
	})
	return bytes, blocks, files
}

func mb(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
