package session

import (
	"fmt"
	"os"
	"path/filepath"

	"keepsake/pkg/paths"
	"keepsake/pkg/stage"
)

// Find opens a session by the client's id, whatever project it belongs to. The
// agent's shell knows its session (CLAUDE_CODE_SESSION_ID) but not the project,
// and its working directory may have drifted, so the state file says the rest.
func Find(id string) (*Session, error) {
	name := paths.Session(id)
	matches, err := filepath.Glob(filepath.Join(globQuote(paths.Load().State), "*", "sessions", name+".json"))
	if err != nil {
		return nil, err
	}
	var latest stage.State
	for _, m := range matches { // more than one when a project was moved
		st, err := stage.Sessions{Dir: filepath.Dir(m)}.Load(name)
		if err != nil {
			return nil, err
		}
		if latest.Root == "" || st.Seen.After(latest.Seen) {
			latest = st
		}
	}
	if latest.Root != "" {
		return open(latest.Root, id, latest.Transcript)
	}
	return nil, fmt.Errorf("session %s is not known\nhint: no hook of keepsake has run in it; name the project with --project", id)
}

// globQuote keeps a path with pattern characters from being a pattern.
func globQuote(p string) string {
	var b []byte
	for i := 0; i < len(p); i++ {
		if c := p[i]; c == '*' || c == '?' || c == '[' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, p[i])
	}
	return string(b)
}

// At opens the project of a directory without a session of the client: the
// session with work on its desk that was seen last, else an empty one.
func At(dir string) (*Session, error) {
	root := paths.Project("", dir)
	probe := &Session{Root: root, Dirs: paths.Load()}
	all, err := probe.sessions().All()
	if err != nil {
		return nil, err
	}
	for _, st := range all {
		names, _ := stage.Desk{Dir: st.Stage}.Files()
		for _, n := range names {
			if stage.IsWork(n) {
				return open(root, st.Session, "")
			}
		}
	}
	return open(root, "terminal", "")
}

// Client finds the client process that runs this hook: the client says so
// itself (2.1.329), else it is our parent, or the parent of the shell that the
// client started us with.
func Client() stage.Process {
	if pid := atoi(os.Getenv("CLAUDE_PID")); pid > 1 {
		return stage.ProcessOf(pid)
	}
	pid := os.Getppid()
	if ppid, name := stage.ParentOf(pid); ppid > 1 && (name == "sh" || name == "dash" || name == "bash") {
		pid = ppid
	}
	return stage.ProcessOf(pid)
}

func atoi(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || n > 1<<30 {
			return 0
		}
		n = 10*n + int(s[i]-'0')
	}
	return n
}
