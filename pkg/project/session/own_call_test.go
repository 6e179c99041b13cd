package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestAwaitOwnCall: a call that runs before the client wrote it down waits for that, since what was
// read before is written with it.
func TestAwaitOwnCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	use := func(id, command string) string {
		return fmt.Sprintf(`{"message":{"content":[{"type":"tool_use","id":%q,"input":{"command":%q}}]}}`, id,
			command) + "\n"
	}
	result := func(id string) string {
		return fmt.Sprintf(`{"message":{"content":[{"type":"tool_result","tool_use_id":%q}]}}`, id) + "\n"
	}
	write := func(text string) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
			f.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
	program := filepath.Base(os.Args[0])
	write(use("a", program+" remember x") + result("a") + use("b", "make"))
	has := func() bool {
		t.Helper()
		found, err := hasOwnCall(path, program)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if has() {
		t.Error("an earlier call, which has its result, is taken for this one")
	}
	t.Setenv("CLAUDECODE", "1")
	written := make(chan bool)
	go func() {
		time.Sleep(5 * callLook)
		write(result("b") + use("c", "/opt/"+program+" remember y"))
		close(written)
	}()
	awaitOwnCall(path)
	select {
	case <-written:
	default:
		t.Error("it did not wait for what the client had not written yet")
	}
	if !has() {
		t.Error("the call that runs is not found")
	}
}
