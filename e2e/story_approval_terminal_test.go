//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Results of calls to store, as the model sees them.
const (
	kept      = `"success": true`
	waits     = `permanent memory write[\s\S]*approve [0-9a-z]{6}`
	isRefused = `The person has said no to exactly this call`
)

// In print mode nobody can be asked, so the call is denied and waits. The person answers in a terminal, and a
// later session of the project makes the call: once, with these bytes, in time. Of two calls at once one gets
// the approval.
func TestApprovedInTerminal(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l, k, args := keeperLab(t, c)
		k.Attacks["both"] = store("drawer-both").And(store("drawer-both"))
		run := l.Headless("store drawer-one, drawer-late, drawer-no, drawer-resumed, drawer-both", args...)
		checkAttempts(
			t,
			l,
			attempt{"drawer-one", waits},
			attempt{"drawer-late", waits},
			attempt{"drawer-no", waits},
			attempt{"drawer-resumed", waits},
			attempt{"drawer-both", waits},
		)
		if run.Code != 0 || len(l.Model.Tails(regexp.MustCompile("typed into this session"))) > 0 {
			t.Errorf(
				"exit %d, or the model was told of a way that this session does not have\n%s",
				run.Code,
				l.Model.Digest(),
			)
		}
		one, late := l.Waits("drawer-one"), l.Waits("drawer-late")
		no, resumed := l.Waits("drawer-no"), l.Waits("drawer-resumed")
		if !strings.Contains(l.Model.Digest(), l.keepsake()+" inbox approve "+one) {
			t.Errorf("the model was not told what the person types\n%s", l.Model.Digest())
		}

		screen := l.AtTerminal([]string{"approve", one, late}, "", "yep", "n", "n")
		if !strings.Contains(screen, one+" still waits") || len(l.Approvals().Waiting) != 5 {
			t.Errorf("what is not a yes was taken for one\n%s", screen)
		}
		// a range is shown and answered at once, behind what is named by itself
		screen = l.AtTerminal([]string{"approve", one + "-" + late, resumed}, "y", "yes")
		for _, want := range []string{
			"permanent memory write", "1. " + one, "| drawer-one", "| drawer-late", "queue-room",
			"Approve 2 calls, each to run once?",
			"approved: " + one, "approved: " + late, "approved: " + resumed, "ENDED-0",
		} {
			if !strings.Contains(screen, want) {
				t.Errorf("the terminal does not show %q\n%s", want, screen)
			}
		}
		l.AtTerminal([]string{"reject", no}, "y")
		l.expire(late)
		if s := l.Approvals(); len(s.Waiting) != 1 || len(s.Approved) != 2 || len(s.Rejected) != 1 {
			t.Errorf("%+v", s)
		}

		l.Headless("store drawer-one1, drawer-one, drawer-one, drawer-late", args...)
		checkAttempts(
			t,
			l,
			attempt{"drawer-one1", waits},
			attempt{"drawer-one", kept},
			attempt{"drawer-one", waits},
			attempt{"drawer-late", waits},
		)
		checkSettled(t, l, one, "terminal", "stored", drawerID("drawer-one"))

		l.Headless(
			"store drawer-no, drawer-resumed, drawer-no",
			append(args, "--resume", run.Init().SessionID)...)
		checkAttempts(
			t,
			l,
			attempt{"drawer-no", isRefused},
			attempt{"drawer-resumed", kept},
			attempt{"drawer-no", isRefused},
		)
		checkSettled(t, l, resumed, "terminal", "stored", drawerID("drawer-resumed"))
		checkKept(t, l, k, "drawer-one", "drawer-resumed")

		both := l.Waits("drawer-both")
		l.AtTerminal([]string{"approve", both}, "y")
		l.Headless("please try both", args...)
		checkSettled(t, l, both, "terminal", "stored", drawerID("drawer-both"))
		checkKept(t, l, k, "drawer-one", "drawer-resumed", "drawer-both")
	})
}

// expire makes a person's yes older than it may get.
func (l *Lab) expire(id string) {
	l.t.Helper()
	path := filepath.Join(l.Home, ".claude", "keepsake", "approvals", "given", id+".json")
	old := time.Now().Add(-16 * time.Minute).UTC().Format(time.RFC3339)
	text := regexp.MustCompile(`"answered":"[^"]*"`).ReplaceAllString(l.Read(path), `"answered":"`+old+`"`)
	if !strings.Contains(text, old) {
		l.t.Fatalf("%s is no approval: %s", path, text)
	}
	l.Write(path, text)
}
