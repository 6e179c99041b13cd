//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Terminal is the interactive client in a tmux of its own. A watcher looks at the screen all the time, so
// that a dialog cannot pass unseen.
type Terminal struct {
	lab    *Lab
	t      *testing.T
	socket string
	tmux   *tmuxControl
	stop   chan struct{}
	done   chan struct{}

	mu      sync.Mutex
	dialogs []string  // screens with a dialog, each once
	showing time.Time // when a screen last had the newest of them; zero once it is gone
}

var (
	// ready is the mode line under the prompt, in the words of both clients; 2.1.197 has no shortcuts in it
	// where the person has a status line.
	ready = regexp.MustCompile(`\? for shortcuts|← for agents|auto mode|manual mode|accept edits on|` +
		`plan mode on|bypass permissions on|don.t ask`)
	// dialog is any question of the client that waits for a person.
	dialog = regexp.MustCompile(
		`Do you want to|Use skill|Esc to cancel|Would you like to proceed|Exit plan mode\?`,
	)
	// working is the line of both clients that moves while a turn, its hooks or a compaction runs.
	working = regexp.MustCompile(`(?m)^[·✢✳✶✻✽*] [^\n]*…`)
)

const (
	// beforeKey is how long 2.1.329 drops keys that come after a dialog's first paint.
	beforeKey = 800 * time.Millisecond
	// repaint is longer than a client takes to paint a screen anew: what is away that long is gone.
	repaint = 150 * time.Millisecond
	// paste is longer than a client waits for the rest of a pasted text.
	paste = 200 * time.Millisecond
)

// Terminal starts the interactive client with a screen of 140 by 50 and waits until it takes input.
func (l *Lab) Terminal(args ...string) *Terminal {
	l.t.Helper()
	return l.TerminalOf(140, 50, args...)
}

// TerminalOf is Terminal with a screen of another size.
func (l *Lab) TerminalOf(columns, rows int, args ...string) *Terminal {
	l.t.Helper()
	term := l.TerminalFor(columns, rows, l.Client.Path, l.arguments(args)...)
	term.WaitFor(ready)
	return term
}

// TerminalFor starts any program in a terminal, in the project, with the lab's environment.
func (l *Lab) TerminalFor(columns, rows int, program string, args ...string) *Terminal {
	l.t.Helper()
	l.terminals++ // each has a socket of its own: a server that is going away still answers on its
	socket := filepath.Join(l.Root, "tmux-"+strconv.Itoa(l.terminals))
	term := &Terminal{lab: l, t: l.t, socket: socket, stop: make(chan struct{}), done: make(chan struct{})}
	// Where the suite is killed, what it started in its terminals ends too.
	command := "(while kill -0 " + strconv.Itoa(
		os.Getpid(),
	) + "; do sleep 2; done; kill -KILL 0) </dev/null >/dev/null 2>&1 & env -i"
	for _, kv := range l.environ() {
		command += " " + quote(kv)
	}
	command += " " + quote(program)
	for _, a := range args {
		command += " " + quote(a)
	}
	// The last screen of a client that ended can still be read.
	command += "; echo CLIENT-ENDED-$?; exec sleep 600"
	start := exec.Command("tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-s", "c",
		"-x", strconv.Itoa(columns), "-y", strconv.Itoa(rows), "-c", l.Project, command)
	start.Env = l.environ()
	if out, err := start.CombinedOutput(); err != nil {
		l.t.Fatalf("tmux: %v\n%s", err, out)
	}
	var err error
	if term.tmux, err = newTmuxControl(socket, start.Env); err != nil {
		l.t.Fatalf("tmux: %v", err)
	}
	l.t.Cleanup(term.close)
	go term.watch()
	return term
}

// Screen is what the terminal shows now.
func (term *Terminal) Screen() string {
	term.mu.Lock() // one look at a time, so that a dialog is counted once
	defer term.mu.Unlock()
	out, _ := term.tmux.run("capture-pane", "-p", "-t", "c") // a closed terminal shows nothing
	screen := strings.TrimRight(out, "\n ")
	switch is := dialog.MatchString(screen); {
	case is:
		if term.showing.IsZero() {
			term.dialogs = append(term.dialogs, screen)
		}
		term.showing = time.Now()
	case time.Since(term.showing) > repaint:
		term.showing = time.Time{}
	}
	return screen
}

// asks says that a dialog is open.
func (term *Terminal) asks() bool {
	term.Screen()
	term.mu.Lock()
	defer term.mu.Unlock()
	return !term.showing.IsZero()
}

// History is the screen with what scrolled off it.
func (term *Terminal) History() string {
	out, _ := term.tmux.run("capture-pane", "-p", "-t", "c", "-S", "-5000")
	return strings.TrimRight(out, "\n ")
}

// Wait waits until the screen or what scrolled off it matches.
func (term *Terminal) Wait(pattern string) {
	term.t.Helper()
	term.WaitFor(regexp.MustCompile(pattern))
}

// WaitFor is Wait with a compiled pattern.
func (term *Terminal) WaitFor(re *regexp.Regexp) {
	term.t.Helper()
	term.until("the screen matches "+re.String(), func() bool { return re.MatchString(term.History()) })
}

// WaitDialog waits for a dialog and returns the screen that shows it, once it takes keys.
func (term *Terminal) WaitDialog() string {
	term.t.Helper()
	term.until("a dialog", func() bool { return dialog.MatchString(term.Screen()) })
	time.Sleep(beforeKey)
	screen := ""
	term.until("the dialog stands", func() bool { screen = term.Screen(); return dialog.MatchString(screen) })
	return screen
}

// Answer presses a key in the open dialog and waits until the dialog is gone. Until then the model says
// nothing, so that no other dialog takes its place unseen.
func (term *Terminal) Answer(key string) {
	term.t.Helper()
	if !term.asks() {
		term.t.Fatalf("no dialog to answer\n%s", term.Screen())
	}
	term.lab.answering.Lock()
	defer term.lab.answering.Unlock()
	term.Key(key)
	term.until("the dialog is gone", func() bool { return !term.asks() })
}

func (term *Terminal) until(what string, ok func() bool) {
	term.t.Helper()
	start := time.Now()
	for ; time.Since(start) < patience && !term.lab.Model.gaveUp(); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return
		}
	}
	term.t.Fatalf(
		"waited %v in vain: %s\n%s\n%s",
		time.Since(start).Round(time.Second),
		what,
		term.History(),
		term.lab.Model.Digest(),
	)
}

// Send types a prompt and enters it, once the client has ended the turn before with all its hooks. A
// prompt that comes while a turn runs waits in the client or goes to the model beside something else, as
// its timing has it.
func (term *Terminal) Send(text string) {
	term.t.Helper()
	term.rest()
	term.Interject(text)
}

// Interject is Send while a turn runs.
func (term *Terminal) Interject(text string) {
	term.t.Helper()
	if !strings.HasPrefix(text, "/") { // commands are not written as they were typed
		term.lab.prompted(text)
	}
	term.enter(text, func() bool {
		// A dialog that came at once hides the input line: another Enter would answer it.
		screen := term.Screen()
		return dialog.MatchString(screen) || !strings.Contains(inputOf(screen), squeezed(text))
	})
}

// rest waits until the client works no more; between two things that it does it looks so for a moment.
func (term *Terminal) rest() {
	term.t.Helper()
	var since time.Time
	term.until("the client is at rest", func() bool {
		switch {
		case working.MatchString(term.Screen()):
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		}
		return !since.IsZero() && time.Since(since) > repaint
	})
}

// enter types a text and presses Enter. Text and Enter go apart, or the client takes both as a paste; on a
// busy machine that can happen all the same, so Enter is pressed until the text was taken.
func (term *Terminal) enter(text string, taken func() bool) {
	term.t.Helper()
	term.keys("-l", text)
	term.shows(text)
	time.Sleep(paste)
	term.shows(text) // still: what was typed twice may come late
	for range 10 {
		term.Key("Enter")
		gone, more := 0, 0 // looks in a row
		begun := time.Now()
		for ; time.Since(begun) < patience/10 && more < 2; time.Sleep(50 * time.Millisecond) {
			if gone++; !taken() {
				gone = 0
			}
			if gone == 2 {
				return
			}
			// A second copy came later still, and would be entered with the first.
			if more++; !strings.Contains(term.input(), squeezed(text)) || typed(term.input(), text) {
				more = 0
			}
		}
		if more == 2 {
			term.shows(text)
		}
		time.Sleep(paste)
	}
	term.t.Fatalf("the client did not take %q\n%s", text, term.Screen())
}

// shows waits until the typed text stands in the input line alone. Where something else stands there
// too, or nothing, it is typed again.
func (term *Terminal) shows(text string) {
	term.t.Helper()
	begun, wait := time.Now(), 2*time.Second
	term.until("the typed text shows", func() bool {
		line := term.input()
		if typed(line, text) {
			return true
		}
		// The client puts an earlier prompt back into the line when a turn is interrupted, before or
		// after what is typed.
		if strings.HasSuffix(line, squeezed(text)) || time.Since(begun) > wait {
			term.clear()
			term.keys("-l", text)
			begun, wait = time.Now(), 2*wait
		}
		return false
	})
}

// clear empties the input line. One C-u takes one row of it.
func (term *Terminal) clear() {
	term.t.Helper()
	for before := ""; ; {
		term.Key("C-u")
		time.Sleep(paste)
		line := term.input()
		if line == before { // nothing more goes: it is empty, or holds what the client says of it
			return
		}
		before = line
	}
}

// typed says that a squeezed input line holds the text and nothing else. Behind a command may stand what
// the client says of its arguments.
func typed(line, text string) bool {
	text = squeezed(text)
	return line == text ||
		strings.HasPrefix(text, "/") && strings.HasPrefix(line, text) && !strings.HasSuffix(line, text)
}

// input is what stands in the client's input line, squeezed: the client breaks it where it likes.
func (term *Terminal) input() string { return inputOf(term.Screen()) }

// inputOf finds the input line on a screen: from the last line that begins with its mark to the rule
// below it.
func inputOf(screen string) string {
	_, line, _ := strings.Cut(screen[max(0, strings.LastIndex(screen, "\n❯")):], "❯")
	line, _, _ = strings.Cut(line, "\n─")
	return squeezed(line)
}

// Key presses keys by their tmux names.
func (term *Terminal) Key(names ...string) {
	term.t.Helper()
	term.keys(names...)
}

func (term *Terminal) keys(args ...string) {
	term.t.Helper()
	if out, err := term.tmux.run(append([]string{"send-keys", "-t", "c"}, args...)...); err != nil {
		term.t.Fatalf("tmux send-keys: %v\n%s", err, out)
	}
}

// Dialogs are the screens with a dialog seen so far.
func (term *Terminal) Dialogs() []string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return append([]string(nil), term.dialogs...)
}

// watch looks at the screen all the time.
func (term *Terminal) watch() {
	defer close(term.done)
	for {
		select {
		case <-term.stop:
			return
		case <-time.After(60 * time.Millisecond):
			term.Screen()
		}
	}
}

// Quit ends the session as a person would and waits for the client's end.
func (term *Terminal) Quit() {
	term.t.Helper()
	term.rest()
	term.enter("/exit", func() bool { return strings.Contains(term.History(), "CLIENT-ENDED-") })
	term.close()
}

func (term *Terminal) close() {
	select {
	case <-term.stop:
		return // closed before
	default:
		close(term.stop)
	}
	<-term.done
	if term.t.Failed() {
		term.t.Logf("last screen:\n%s", term.History())
	}
	out, _ := term.tmux.run("display-message", "-p", "-t", "c", "#{pane_pid}")
	_, _ = term.tmux.run("kill-server") // it may be gone before it answers
	term.tmux.close()
	// The client and its children share the pane's session; what tmux's hangup did not end is ended here.
	if pid, err := strconv.Atoi(strings.TrimSpace(out)); err == nil && pid > 1 {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}

// quote makes one shell word.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
