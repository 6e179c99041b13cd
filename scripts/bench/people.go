package main

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"keepsake/pkg/memory"
)

// merges measures merging what p people wrote, each on a branch of their own from one base of 1,000 records:
// ten new records, five others changed, and in one of them a text that others may change too.
func (s *scaled) merges(p int) error {
	s.n = p
	const base, fresh, changed = 1000, 10, 5
	here, err := s.at(base)
	if err != nil {
		return err
	}
	defer os.RemoveAll(here.project)
	here.env = append(here.env, "GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.email",
		"GIT_CONFIG_VALUE_0=a@example.org", "GIT_CONFIG_KEY_1=user.name", "GIT_CONFIG_VALUE_1=a")
	keepsake := filepath.Join(here.bin, "keepsake")
	sh := func(script string, args ...string) error {
		_, _, err := here.once(append([]string{"/bin/sh", "-c", script, keepsake}, args...), nil)
		return err
	}
	if err := sh(`git init -q -b trunk . && "$0" records index rebuild >/dev/null &&
"$0" team git-setup >/dev/null && git add -f .claude .gitattributes && git commit -q -m base`); err != nil {
		return err
	}
	store := filepath.Join(here.project, ".claude", "memory")
	for who := range p {
		if err := sh(`git checkout -q -b "person-$1" trunk`, strconv.Itoa(who)); err != nil {
			return err
		}
		if err := person(store, who, base, fresh, changed); err != nil {
			return err
		}
		if err := sh(`"$0" records index rebuild >/dev/null && git add -f .claude && git commit -q -m "$1"`,
			strconv.Itoa(who)); err != nil {
			return err
		}
	}
	if err := sh(`git checkout -q trunk`); err != nil {
		return err
	}
	begun := time.Now()
	var before, after syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &before); err != nil {
		return err
	}
	conflicts := 0
	for who := range p {
		cmd := here.command("/bin/sh", "-c", `git merge -q --no-edit "person-$0" >/dev/null 2>&1 && exit 0
n=$(git diff --name-only --diff-filter=U | wc -l)
git diff --name-only --diff-filter=U | xargs git checkout -q --theirs -- && git add -f .claude &&
git commit -q --no-edit && echo $n`, strconv.Itoa(who))
		cmd.Env, cmd.Dir = here.env, here.project
		said, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("merging %d of %d: %v %s", who, p, err, said)
		}
		if n, err := strconv.Atoi(strings.TrimSpace(string(said))); err == nil {
			conflicts += n
		}
	}
	took := time.Since(begun)
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &after); err != nil {
		return err
	}
	cpu := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
	_, _, files := sizeOf(store)
	s.row("people merged, one after the other", "%.1f s, CPU %.0f ms each; %d conflicts in %d changed "+
		"records; %d files then", took.Seconds(), ms(cpu)/float64(p), conflicts, p*changed, files)
	return nil
}

// person writes what one person of a team adds and changes.
func person(store string, who, base, fresh, changed int) error {
	k := kind{"decision", "decisions", func(t func(int) string) map[string]any {
		return map[string]any{"status": "accepted", "context": t(25), "decision": t(15),
			"rationale": []string{t(12), t(12)}, "consequences": []string{t(10)}}
	}}
	for i := range fresh {
		if err := k.write(store, base+who*fresh+i); err != nil {
			return err
		}
	}
	rng := rand.New(rand.NewSource(int64(who)))
	for i := range changed {
		n := rng.Intn(base/5) * 5 // one of the decisions
		path := filepath.Join(store, filepath.FromSlash(memory.Path(memory.Decision, fmt.Sprint("dec-", n))))
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r, err := memory.Decode(b)
		if err != nil {
			return err
		}
		at := memory.Stamp(time.Date(2026, 11, 20, 9, 0, who, 0, time.UTC))
		list, _ := r.Content["consequences"].([]string)
		r.Content["consequences"] = append(list, fmt.Sprintf("Person %d relies on it.", who))
		if i == 0 {
			r.Content["decision"] = fmt.Sprintf("Person %d says it otherwise.", who)
		}
		r.UpdatedAt, r.TimesUpdated = at, r.TimesUpdated+1
		r.Changes = memory.AppendChanges(r.Changes, memory.Change{Date: at, Summary: fmt.Sprint("by ", who)})
		if err := os.WriteFile(path, r.Encode(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
