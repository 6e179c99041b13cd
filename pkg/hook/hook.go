// Package hook speaks the client's hook protocol: one JSON event on stdin, at
// most one JSON object on stdout, and an exit code.
//
// A main hands its judge to one of the Run functions and exits with what that
// returns. Whatever goes wrong on the way (a panic, input that is broken or too
// large, a judge that takes too long) ends in the right answer for that event:
// PreToolUse stops the call, every other event stays silent, and the fault is
// told to Options.Fault. Exit code 2 means "block" to the client and is also
// what a Go panic exits with, so no panic may leave this package.
package hook

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tidwall/gjson"
)

// Options say where an event comes from and who hears of faults.
// The zero Options read stdin, write stdout and tell nobody.
type Options struct {
	Stdin  io.Reader      // nil means os.Stdin
	Stdout io.Writer      // nil means os.Stdout
	Fault  func(Fault)    // called at most once, before the answer is written
	Exit   func(code int) // how the deadline ends the process; nil means os.Exit
	// Deadline replaces the event's own limit when it is positive.
	Deadline time.Duration
}

// A Fault is one call that could not be judged.
type Fault struct {
	Event  string // the event's name
	Common Common // as far as it could be read
	Err    error
}

// ErrDeadline is the fault of a judge that was still running at the event's
// deadline. It is a context.DeadlineExceeded.
var ErrDeadline error = deadline{}

type deadline struct{}

func (deadline) Error() string        { return "not decided within the hook's own deadline" }
func (deadline) Is(target error) bool { return target == context.DeadlineExceeded }

// An event ties a name to how it is read and answered.
type event[E, A any] struct {
	name     string
	deadline time.Duration
	decode   func(Common, fields) E
	encode   func(A) []byte
	// fault is what the client is told when there is no judgement; nil says nothing.
	fault func(error) []byte
}

// garbage is how much of it a hook collects, in percent of what is alive: nearly none. A hook lives for some
// milliseconds, in which a journal's end, a long transcript or a call of a megabyte make ten to forty
// megabytes. Collecting them takes a quarter of a session's start and of a turn's end.
const garbage = 800

// run reads one event, has it judged and writes the answer. It always returns 0:
// every decision of ours is in the JSON, and exit codes are left to the launcher.
func run[E, A any](o Options, ev event[E, A], judge func(context.Context, E) (A, error)) int {
	debug.SetGCPercent(garbage)
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if o.Stdout == nil {
		o.Stdout = os.Stdout
	}
	if o.Exit == nil {
		o.Exit = os.Exit
	}
	if o.Deadline <= 0 {
		o.Deadline = ev.deadline
	}
	var (
		mu     sync.Mutex // guards common and once
		common Common
		once   bool
	)
	answer := func(out []byte, err error) {
		mu.Lock()
		defer mu.Unlock()
		if once {
			return
		}
		once = true
		if err != nil {
			tell(o.Fault, Fault{Event: ev.name, Common: common, Err: err})
			if ev.fault != nil {
				out = ev.fault(err)
			}
		}
		if len(out) > 0 {
			o.Stdout.Write(append(out, '\n'))
		}
	}
	watchdog := time.AfterFunc(o.Deadline, func() {
		answer(nil, ErrDeadline)
		o.Exit(0)
	})
	defer watchdog.Stop()

	out, err := func() (out []byte, err error) {
		defer func() {
			if p := recover(); p != nil {
				out, err = nil, fmt.Errorf("panic: %v", p)
			}
		}()
		raw, err := readValue(o.Stdin)
		if err != nil {
			return nil, err
		}
		in := fieldsOf(gjson.ParseBytes(raw))
		mu.Lock()
		common = commonOf(in)
		mu.Unlock()
		if common.Event != ev.name {
			return nil, fmt.Errorf("event %q arrived at the hook for %s", common.Event, ev.name)
		}
		ctx, cancel := context.WithTimeout(context.Background(), o.Deadline)
		defer cancel()
		a, err := judge(ctx, ev.decode(common, in))
		if err != nil {
			return nil, err
		}
		return ev.encode(a), nil
	}()
	answer(out, err)
	return 0
}

// tell reports a fault; a reporter that panics must not take the answer with it.
func tell(report func(Fault), f Fault) {
	if report == nil {
		return
	}
	defer func() { _ = recover() }()
	report(f)
}
