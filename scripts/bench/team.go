package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"keepsake/pkg/plan"
	"keepsake/pkg/project/approvers"
	"keepsake/pkg/project/trust"
)

// teams are sessions that begin in a repository with n records: in one where nobody has seen them, and in one
// where approvers signed lists that were looked at before.
func (w *world) teams(n, lists int) (all []bench, err error) {
	for i, signed := range []int{0, lists} {
		here, err := w.at(n + i)
		if err != nil {
			return nil, err
		}
		cmd := here.command("/bin/sh", "-c", "git init -q -b trunk . && git add -f .claude")
		cmd.Dir, cmd.Env = here.project, here.env
		if said, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git: %v %s", err, said)
		}
		if _, _, err := here.once([]string{filepath.Join(w.bin, "keepsake"), "index", "rebuild"},
			nil); err != nil {
			return nil, err
		}
		id := fmt.Sprint("team-", i)
		if _, err := here.session(id, filepath.Join(w.dir, "none.jsonl"), nil); err != nil {
			return nil, err
		}
		state, err := w.state(id)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("SessionStart, %d records of a repository", n)
		if signed > 0 {
			name += fmt.Sprintf(", %d signed lists", signed)
			if err := here.signed(filepath.Dir(filepath.Dir(state)), signed); err != nil {
				return nil, err
			}
		}
		all = append(all, bench{name: name, aim: "<= 12", argv: w.hook("SessionStart"), world: here,
			prepare: func() error { return os.Remove(state) }, // a session that is new
			stdin: event(map[string]any{
				"session_id": id, "transcript_path": filepath.Join(w.dir, "none.jsonl"), "cwd": here.project,
				"hook_event_name": "SessionStart", "source": "startup",
			})})
	}
	return all, nil
}

// signed puts lists into the store that were looked at, by approvers that were accepted.
func (w *world) signed(state string, lists int) error {
	store := filepath.Join(w.project, ".claude", "memory")
	known := trust.Records{Dir: state}
	text := []byte("alice ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINiqGaivi3Ic6wTg+Gf/eKoD6kZUd7tBP8X5a3f/ZBoK\n")
	if err := os.WriteFile(filepath.Join(store, approvers.Name), text, 0o644); err != nil {
		return err
	}
	by := plan.DigestOf(text)
	all := []trust.Entry{{At: time.Now(), Act: trust.Accepted, Path: approvers.Name, Digest: by}}
	for i := range lists {
		l := approvers.List{Project: fmt.Sprint(i)}
		for n := range 50 {
			path := fmt.Sprintf("decisions/dec-%d.json", 5*n)
			l.Records = append(l.Records, approvers.Signed{Path: path, Digest: plan.DigestOf([]byte(path))})
		}
		file := append(l.Text(), "-----BEGIN SSH SIGNATURE-----\n"+strings.Repeat("x", 300)+"\n"...)
		path, err := approvers.Write(store, file)
		if err != nil {
			return err
		}
		all = append(all, trust.Entry{At: time.Now(), Act: trust.Signed, Path: path,
			Digest: plan.DigestOf(file), Approvers: by})
	}
	return known.Add(all...)
}
