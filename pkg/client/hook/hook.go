// Package hook speaks the client's hook protocol: one JSON event on stdin, at most one JSON object on stdout,
// and an exit code.
//
// A main passes its judge to one of the Run functions and exits with the result. Every failure (a panic,
// input that is broken or too large, a judge that takes too long) ends in the safe answer for the event:
// PreToolUse stops the call, every other event says nothing. Options.Fault hears of it. Exit code 2 means
// "block" to the client and is also the exit code of a Go panic, so no panic may leave this package.
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

// Options say where an event comes from and who hears of faults. The zero Options read stdin, write stdout
// and report to nobody.
type Options struct {
	Stdin  io.Reader      // nil means os.Stdin
	Stdout io.Writer      // nil means os.Stdout
	Fault  func(Fault)    // called at most once, after the answer is written
	Exit   func(code int) // ends the process at the deadline; nil means os.Exit
	// Deadline replaces the event's own limit if it is positive.
	Deadline time.Duration
}

// A Fault is one call that could not be judged.
type Fault struct {
	Event  string // the event's name
	Common Common // as far as it could be read
	Err    error
}

// ErrDeadline is the fault of a judge that was still running at the event's deadline. It is a
// context.DeadlineExceeded.
var ErrDeadline error = deadline{}

type deadline struct{}

func (deadline) Error() string        { return "not decided within the hook's own deadline" }
func (deadline) Is(target error) bool { return target == context.DeadlineExceeded }

// An event is how events of one name are read and answered.
type event[E, A any] struct {
	name     string
	deadline time.Duration
	decode   func(Common, fields) E
	encode   func(Common, A) []byte
	// fault returns the answer without a judgement; nil says nothing.
	fault func(error) []byte
}

// garbage is the percentage of new garbage, relative to live memory, at which a hook collects: nearly never.
// A hook lives for some milliseconds, in which a journal's end, a long transcript or a call of a megabyte
// make ten to forty megabytes. Collecting them would take a quarter of a session's start and of a turn's end.
const garbage = 800

// watchdogKey is the key of an event's watchdog in its context.
type watchdogKey struct{}

// Extend gives the judge of an event more time, d from now, and returns the context for it. It reports
// whether there is time: none is left after the deadline.
func Extend(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc, bool) {
	if w, ok := ctx.Value(watchdogKey{}).(*time.Timer); ok {
		if !w.Stop() {
			return ctx, func() {}, false
		}
		w.Reset(d)
	}
	longer, cancel := context.WithTimeout(context.WithoutCancel(ctx), d)
	return longer, cancel, true
}

// reporting is how long the report of a deadline may take: it is a line in a file.
const reporting = 200 * time.Millisecond

// run reads one event, calls judge and writes the answer. It always returns 0: decisions are in the JSON, and
// other exit codes belong to the launcher.
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
		if err != nil && ev.fault != nil {
			out = ev.fault(err)
		}
		if len(out) > 0 {
			o.Stdout.Write(append(out, '\n'))
		}
		if err != nil {
			tell(o.Fault, Fault{Event: ev.name, Common: common, Err: err})
		}
	}
	watchdog := time.AfterFunc(o.Deadline, func() {
		// A disk that hangs holds up the judge, and then the report of that too. Both are left behind.
		told := make(chan struct{})
		go func() {
			defer close(told)
			answer(nil, ErrDeadline)
		}()
		select {
		case <-told:
		case <-time.After(reporting):
		}
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
		ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), watchdogKey{}, watchdog),
			o.Deadline)
		defer cancel()
		a, err := judge(ctx, ev.decode(common, in))
		if err != nil {
			return nil, err
		}
		return ev.encode(common, a), nil
	}()
	answer(out, err)
	return 0
}

// tell reports a fault. A panic of the reporter does not lose the answer.
func tell(report func(Fault), f Fault) {
	if report == nil {
		return
	}
	defer func() { _ = recover() }()
	report(f)
}
