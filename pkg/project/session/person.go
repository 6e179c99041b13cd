package session

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"keepsake/pkg/capture/stage"
	"keepsake/pkg/layout"
)

// Errors of [Person], [attends] and [Alone].
var (
	ErrNobody  = errors.New("this session has no person at a terminal")
	ErrNested  = errors.New("this runs inside another session of the client")
	ErrLineage = errors.New("it can't be told which programs run this")
)

// ancestors returns the processes above this one. It asks the system once, since each answer takes
// a dozen files.
var ancestors = sync.OnceValue(stage.Lineage)

// Person returns nil if a person may have typed what a hook of this client hears, and else why not.
// The client must call itself a terminal client, must not have been started to print, and must not
// run inside another client, whose agent could have started it and typed into it. Whoever runs
// programs as this user outside of any client can forge all of this; see docs/threat-model.md.
func Person() error {
	if !attended() {
		return ErrNobody
	}
	// The client gives these to what its Bash tool starts, and so to a client
	// in there; a client that a person started has none when a prompt is typed.
	if os.Getenv(execPath) != "" || os.Getenv("CLAUDE_EFFORT") != "" {
		return ErrNested
	}
	return personIn(ancestors())
}

// attends returns nil if a person may sit at the client of any hook or command, and else why not.
// It is [Person] without the variables of this process: these tell that a client runs inside
// another one only when a prompt is typed, since around a tool and at the end of a turn every
// client sets one of them. It asks the environment that the client was started with.
func (pl *Place) attends() error {
	if !pl.Attended() {
		return ErrNobody
	}
	up := ancestors()
	if startedInside(up, stage.Environ) {
		return ErrNested
	}
	return personIn(up)
}

// nested reports whether this runs below a client that the agent of another client started. What is
// typed or passed to it are then that agent's words, said to itself. Where the system does not say
// what a client was started with, a hook goes by its own environment, which it inherits from the
// client and which has no such variable of that client's own.
func (pl *Place) nested() bool {
	up := ancestors()
	return nestedIn(up) || startedInside(up, stage.Environ) || pl.hook && os.Getenv(execPath) != ""
}

// execPath is the variable that a client sets for what its Bash tool starts.
const execPath = "CLAUDE_CODE_EXECPATH"

// startedInside reports whether the nearest client in a lineage was started by what another
// client's agent ran, even where no process of that other client is above it any more.
func startedInside(up []stage.Ancestor, environ func(pid int) func(string) string) bool {
	at := slices.IndexFunc(up, isClient)
	if at < 0 {
		return false
	}
	getenv := environ(up[at].PID)
	return getenv != nil && (getenv(execPath) != "" || getenv(codexThread) != "")
}

// codexThread is the variable that Codex CLI sets for what its shell tool starts.
const codexThread = "CODEX_THREAD_ID"

// Alone returns nil if this process runs outside of any client, as the command of a person in a
// terminal does, and else why not.
func Alone() error {
	if os.Getenv("CLAUDECODE") != "" || OfAgent() != "" {
		return ErrNested
	}
	return aloneIn(ancestors(), stage.Environ, stage.SessionID())
}

// ClientDir returns the client's configuration directory for a command that an agent runs. It is the one
// with which the client itself was started, which no variable of a project or a command can move. Outside
// of a client, or if the system does not show it, it is that of layout.ClientHere.
func ClientDir() string {
	return cmp.Or(clientDirIn(ancestors(), stage.Environ), layout.ClientHere())
}

// clientDirIn returns the configuration directory with which the outermost client of a lineage was started,
// or "".
func clientDirIn(up []stage.Ancestor, environ func(pid int) func(string) string) string {
	client, getenv := outermostClient(up, environ)
	switch {
	case getenv == nil:
		return ""
	case isCodex(client):
		return layout.CodexOf(getenv)
	}
	return layout.ClientOf(getenv)
}

// outermostClient returns the client that is farthest up a lineage, with the environment with which it was
// started. Of several clients that is the one that a person has started. The environment is nil if there is
// none or the system does not show it.
func outermostClient(up []stage.Ancestor,
	environ func(pid int) func(string) string) (stage.Ancestor, func(string) string) {
	for _, a := range slices.Backward(up) {
		if isClient(a) {
			return a, environ(a.PID)
		}
	}
	return stage.Ancestor{}, nil
}

// aloneIn returns nil if a lineage is known and has no client in it, nor a process that a client's
// tool started and cut loose. sid is the session of processes that this one is in. Where only the
// system's first process is above this one, who started it is not known, unless it is the shell of
// a container.
func aloneIn(up []stage.Ancestor, environ func(pid int) func(string) string, sid int) error {
	if up == nil || len(up) == 1 && up[0].PID == 1 && sid != 1 {
		return ErrLineage
	}
	if slices.ContainsFunc(up, isClient) {
		return ErrNested
	}
	for _, a := range up {
		if getenv := environ(a.PID); getenv != nil && (getenv("CLAUDECODE") != "" || getenv(execPath) != "" ||
			getenv(codexThread) != "") {
			return ErrNested
		}
	}
	return nil
}

// personIn returns nil if a lineage has one client in it, and that does not print.
func personIn(up []stage.Ancestor) error {
	at := slices.IndexFunc(up, isClient)
	if at < 0 {
		return ErrLineage
	}
	for _, a := range up[at].Args[min(1, len(up[at].Args)):] {
		if isCodex(up[at]) {
			break // its session file says how a turn began
		}
		flag, _, _ := strings.Cut(a, "=")
		switch {
		case flag == "--print", flag == "--input-format", flag == "--output-format", flag == "--sdk-url":
			return ErrNobody
		case strings.HasPrefix(flag, "-") && !strings.HasPrefix(flag, "--") && strings.Contains(flag, "p"):
			return ErrNobody // -p, alone or in a bundle of short options
		}
	}
	if nestedIn(up) {
		return ErrNested
	}
	return nil
}

// nestedIn reports whether a lineage has a client above the nearest one.
func nestedIn(up []stage.Ancestor) bool {
	at := slices.IndexFunc(up, isClient)
	above := up[at+1:]
	if at >= 0 && len(above) > 0 && isWrapper(above[0]) {
		above = above[1:]
	}
	for at >= 0 && isCodex(up[at]) && len(above) > 0 && isCodex(above[0]) {
		above = above[1:] // its terminal, which started the server that runs hooks
	}
	return at >= 0 && slices.ContainsFunc(above, isClient)
}

// isCodex reports whether a process is Codex CLI, its server, or what its sandbox begins with.
func isCodex(a stage.Ancestor) bool {
	if a.Name == "codex" || strings.HasPrefix(a.Name, "codex-") {
		return true
	}
	for _, arg := range a.Args[:min(2, len(a.Args))] {
		base := filepath.Base(arg)
		if base == "codex" || base == "codex.js" || strings.HasPrefix(base, "codex-linux-") {
			return true
		}
	}
	return false
}

// isClient reports whether a process is a client, by its own name or by the package that it comes in.
func isClient(a stage.Ancestor) bool {
	if a.Name == "claude" || isCodex(a) {
		return true
	}
	for _, arg := range a.Args[:min(2, len(a.Args))] {
		if base := filepath.Base(arg); base == "claude" || base == "claude.exe" ||
			strings.Contains(arg, "/claude-code") {
			return true
		}
	}
	return false
}

// isWrapper reports whether a process is the small script of the client's npm package that starts
// the real program and waits for it.
func isWrapper(a stage.Ancestor) bool {
	return isClient(a) && (a.Name == "node" || a.Name == "bun")
}
