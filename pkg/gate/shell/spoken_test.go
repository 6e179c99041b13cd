package shell

import (
	"testing"

	"keepsake/pkg/gate/rules"
)

// TestCutLoose: a command of Keepsake's that writes asks where it runs on without its client,
// by whatever way; in the foreground it is judged as ever, and so is one that only looks.
func TestCutLoose(t *testing.T) {
	ways := map[string]func(string) string{
		"background":         around("", " &"),
		"group, background":  around("{ ", "; } &"),
		"pipe, background":   around("", " | cat &"),
		"background, quoted": around("bash -c '", " &'"),
		"coprocess":          around("coproc ", ""),
		"nohup":              around("nohup ", ""),
		"setsid":             around("setsid -f ", ""),
		"nohup, wrapped":     around("nohup nice -n 5 timeout 9 ", ""),
		"at":                 around("echo '", "' | at now"),
		"crontab":            around("echo '* * * * * ", "' | crontab -"),
		"systemd-run":        around("systemd-run --user ", ""),
		"tmux":               around("tmux new -d '", "'"),
		"screen":             around("screen -dmS x ", ""),
		"script":             around("script -qc '", "' /dev/null"),
		"env -u":             around("env -u CLAUDECODE ", ""),
		"env -u, joined":     around("env -uCLAUDE_CODE_SESSION_ID A=b ", ""),
		"env -i":             around("env -i PATH=/bin ", ""),
		"env -S":             around("env -S '-u CLAUDECODE ", "'"),
		"env, empty":         around("env CLAUDECODE= ", ""),
		"unset":              around("unset CLAUDECODE; ", ""),
		"export -n":          around("export -n CLAUDECODE && ", ""),
		"assigned":           around("CLAUDECODE= ", ""),
		"read":               around("read CLAUDECODE < x; ", ""),
		"a function":         around("f() { ", "; }\nf &"),
		"this machine":       around("ssh localhost ", ""),
	}
	verbs := []string{"remember tabs", "save tabs", "note tabs", "lesson tabs", "apply 1234abcd", "commit",
		"import x", "project set x", "move x", "a-verb-of-tomorrow x", "--project /x remember tabs"}
	looks := []string{"list", "recall tabs", "status --json", "remember --help", "forget x --dry-run",
		"config get x", "fmt -d", "plan", "lesson list", "gate explain"}
	judged := func(cmd string) rules.Verdict {
		return Judge(sample{Bash: cmd}.call(t))
	}
	for name, way := range ways {
		for _, program := range []string{"keepsake ", "/opt/keepsake/bin/keepsake "} {
			for _, v := range verbs {
				if got := judged(way(program + v)); got.Rule != "said-file" || got.Decision != rules.Ask {
					t.Errorf("%s: %s: %v by %q, want ask by said-file", name, way(program+v), got.Decision,
						got.Rule)
				}
				if got := judged(program + v); got.Decision >= rules.Ask {
					t.Errorf("%s, in the foreground: %v by %s", program+v, got.Decision, got.Rule)
				}
			}
			for _, v := range looks {
				if got := judged(way(program + v)); got.Decision >= rules.Ask {
					t.Errorf("%s: %s: %v by %s", name, way(program+v), got.Decision, got.Rule)
				}
			}
		}
	}
	for _, beside := range []string{
		"npm run dev &\nkeepsake remember x", "nohup npm start; keepsake remember x",
		"env -u CLAUDECODE npm test; keepsake remember x",
		"(sleep 5 &); keepsake remember x", "CLAUDECODE= npm test; keepsake remember x",
		"tmux new -d 'npm start' && keepsake commit",
	} {
		if got := judged(beside); got.Decision >= rules.Ask {
			t.Errorf("%s: %v by %s", beside, got.Decision, got.Rule)
		}
	}
}

// TestCutLooseScript: a script that goes on without the client is read for what it runs.
func TestCutLooseScript(t *testing.T) {
	for cmd, stops := range map[string]bool{
		"nohup ./keep.sh": true, "./keep.sh &": true, "bash keep.sh &": true, "./keep.sh": false,
		"bash keep.sh":  false,
		"bash loose.sh": true,
	} {
		c := sample{Bash: cmd}.call(t)
		c.Script = func(p string) ([]byte, bool) {
			text := map[string]string{
				"/home/u/proj/keep.sh":  "#!/bin/sh\nkeepsake remember tabs\n",
				"/home/u/proj/loose.sh": "nohup keepsake remember tabs &\n",
			}[p]
			return []byte(text), text != ""
		}
		if v := Judge(c); (v.Decision >= rules.Ask) != stops {
			t.Errorf("%s: %v by %s, want a stop: %v", cmd, v.Decision, v.Rule, stops)
		}
	}
}

// TestElsewhere: the client's folder may lie anywhere, and may be reached by a link.
func TestElsewhere(t *testing.T) {
	for cmd, stops := range map[string]bool{
		"cd /data/cc/projects/p && python3 -c \"open('a.jsonl','a')\"": true,
		"cd /data/cc && /tmp/forge":                                    true,
		"ln -s /data/cc/projects l":                                    true,
		// no project's folder
		"cd /data/cc/projects; xxd -r hex a.jsonl":                               false,
		"cd /data/cc/projects/p; xxd -r hex a.jsonl":                             true,
		"cd /home/u/way && python3 -c \"open('p/a.jsonl','a')\"":                 true,
		"ln -s /home/u/way/p l":                                                  true,
		"cd /data/cc/projects/p; xxd a.jsonl":                                    false,
		"cd /data/cc/projects/p && python3 -c \"print(open('a.jsonl').read())\"": false,
		"cd /data/cc/skills && /tmp/build":                                       false,
		"cd /data/cc/projects/p/memory && /tmp/tidy":                             false,
		"cd /data && /tmp/forge":                                                 false,
	} {
		c := sample{Bash: cmd}.call(t)
		c.ClientDir = "/data/cc"
		c.Resolve = func(p string) string {
			if p == "/home/u/way" {
				return "/data/cc/projects"
			}
			if p == "/home/u/way/p" {
				return "/data/cc/projects/p"
			}
			return p
		}
		if v := Judge(c); (v.Decision >= rules.Ask) != stops {
			t.Errorf("%s: %v by %s, want a stop: %v", cmd, v.Decision, v.Rule, stops)
		}
	}
}
