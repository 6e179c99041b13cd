package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/memory"
	"keepsake/pkg/project/standing"
)

// TestFailingMemory: a person chooses that a memory is left out while its check fails, keeps it as it is, or
// retires it. The choice is for the memory's bytes.
func TestFailingMemory(t *testing.T) {
	now := time.Now()
	s, _, _ := inboxLab(t, now)
	answering("n\nn\n", now, "--project", s.Root, "review") // the candidate and the draft are for other tests
	r := memory.Record{Category: memory.Decision, ID: "queue", Title: "The queue lives in Redis",
		Status: memory.Active, CreatedAt: "2026-10-02T09:00:00Z", UpdatedAt: "2026-10-02T09:00:00Z",
		Tags: []string{"queue"}, Verify: []string{"path_exists internal/queue/redis.go"},
		Content: memory.Content{"status": "accepted", "context": "Jobs", "decision": "A Redis list",
			"rationale": []string{"fast"}}}
	path := filepath.Join(s.MemoryRoot(), "decisions", "queue.json")
	write := func() {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, r.Encode(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	keepsake := func(typed, want string, code int, args ...string) {
		t.Helper()
		out, errs, shown, got := answering(typed, now, append([]string{"--project", s.Root}, args...)...)
		if all := out + errs + shown; got != code || !strings.Contains(all, want) {
			t.Fatalf("%v: exit %d, %q, want %q", args, got, all, want)
		}
	}
	rows := func() (all []standing.Row) {
		t.Helper()
		read, err := s.StandingFile().Read()
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	write()
	keepsake("", "1 memory with something to check, 1 fail", exitFailed, "records", "check")
	if all := rows(); len(all) != 1 || all[0].LeaveOut {
		t.Fatal(all)
	}
	keepsake("", "Memories that may not hold any more", exitDone, "inbox")
	keepsake("", "left out at prompts while a check of it fails: decisions/queue.json", exitDone,
		"records", "check", "queue", "--leave-out")
	if all := rows(); len(all) != 1 || !all[0].LeaveOut {
		t.Fatal(all)
	}
	keepsake("", "left out at prompts", exitDone, "list")

	// Other bytes are another question.
	r.Content["context"] = "Jobs and mails"
	write()
	keepsake("", "1 fail", exitFailed, "records", "check")
	if all := rows(); len(all) != 1 || all[0].LeaveOut {
		t.Fatal(all)
	}
	keepsake("", "left out at prompts", exitDone, "records", "check", "queue", "--leave-out")
	keepsake("", "told while a check of it fails", exitDone, "records", "check", "queue", "--no-leave-out")
	if all := rows(); len(all) != 1 || all[0].LeaveOut {
		t.Fatal(all)
	}

	// A no in the review keeps it: it is told with its mark, and waits no longer.
	keepsake("n\n", "Retire it? (n keeps it, told with what fails)", exitDone, "review")
	keepsake("", "nothing waits for you", exitDone, "inbox")
	if all := rows(); len(all) != 1 || all[0].LeaveOut {
		t.Fatal(all)
	}

	// A yes retires it.
	r.Content["context"] = "Jobs"
	r.Tags = []string{"queue", "redis"}
	write()
	keepsake("", "1 fail", exitFailed, "records", "check")
	keepsake("y\n", "retired: decisions/queue.json", exitDone, "review")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := memory.Decode(b); err != nil || got.Status != memory.Retired ||
		*got.RetiredReason != "its check fails: internal/queue/redis.go is gone" {
		t.Errorf("%s, %v", b, err)
	}
	keepsake("", "nothing waits for you", exitDone, "inbox")
	keepsake("", "0 memories with something to check, 0 fail", exitDone, "records", "check")
	if all := rows(); len(all) != 0 {
		t.Error(all)
	}
}
