package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/save"
	"keepsake/pkg/store"
	"keepsake/pkg/why/inbox"
)

// TestDisputeAsItWasShown: neither answer to two memories that say opposite things counts once one of them is
// gone or changed: a yes would retire the only one that is left.
func TestDisputeAsItWasShown(t *testing.T) {
	now := time.Now()
	s, _, _ := inboxLab(t, now)
	keepsake := func(at time.Time, args ...string) string {
		t.Helper()
		out, errs, _, code := answering("", at, append([]string{"--project", s.Root}, args...)...)
		if code != exitDone {
			t.Fatalf("%q: exit %d\n%s%s", args, code, out, errs)
		}
		return out
	}
	const newer = "constraints/logs-must-be-kept-for-40-days.json"
	keepsake(now.Add(-time.Minute), "remember", "--as", "decision", "Logs are kept for 10 days.")
	keepsake(now, "remember", "--as", "constraint", "Logs must be kept for 40 days.")
	_, list, ok := strings.Cut(keepsake(now, "inbox"), "Memories that contradict each other")
	_, list, _ = strings.Cut(list, "\n")
	id, _, _ := strings.Cut(strings.TrimSpace(list), " ")
	if !ok || !strings.HasPrefix(id, "o") {
		t.Fatalf("no dispute is listed: %q", list)
	}
	b := inbox.Inbox{Now: time.Now, Open: func() (*save.Saver, error) {
		return (&call{ctx: context.Background(), now: time.Now}).saver(s), nil
	}}
	shown, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	v := shown.View()
	if strings.Contains(v.Text, `"`) || !strings.Contains(v.Text, "Logs are kept for 10 days.") ||
		!strings.Contains(v.Near, "- 10") || !strings.Contains(v.Near, "+ 40") {
		t.Errorf("it is shown so: %+v", v)
	}
	keepsake(now, "forget", newer)
	for _, yes := range []bool{true, false} {
		if _, err := shown.Answer(context.Background(), yes); !errors.Is(err, store.ErrConflict) ||
			!strings.Contains(err.Error(), newer+" is no longer what you were shown") {
			t.Errorf("yes %v: %v", yes, err)
		}
	}
	if list := keepsake(now, "list"); !strings.Contains(list, "Logs are kept for 10 days") {
		t.Errorf("the only one that is left is retired: %s", list)
	}
}
