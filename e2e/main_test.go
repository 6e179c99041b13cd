//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMain lets the test binary be the MCP server that stories configure, and the program that sends a prompt
// to a client's socket: two Go programs less to build.
func TestMain(m *testing.M) {
	if log := os.Getenv(palaceLog); log != "" {
		if err := servePalace(log); err != nil {
			fmt.Fprintln(os.Stderr, "palace:", err)
			os.Exit(1)
		}
		return
	}
	if prompt := os.Getenv(whispered); prompt != "" {
		if err := whisper(prompt); err != nil {
			fmt.Fprintln(os.Stderr, "whisper:", err)
			os.Exit(1)
		}
		return
	}
	for _, built := range []string{"keepsake", "hooks/pretooluse"} {
		if _, err := os.Stat(filepath.Join("..", "bin", built)); err != nil {
			fmt.Fprintf(os.Stderr, "e2e: the plugin is not built: %v\nhint: run make build\n", err)
			os.Exit(1)
		}
	}
	code := m.Run()
	for _, dir := range releases {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// itself names the environment variable that says which story a process of the test binary was started for.
const itself = "KEEPSAKE_E2E_ITSELF"

// byThemselves holds one value for each story that runs in a process of its own.
var byThemselves = make(chan struct{}, 2)

// inItself runs a story in a process of its own, beside the others: its environment is what a package of
// Keepsake reads. In that process it returns false, and the story goes on. Two at a time are enough:
// MemPalace starts again and again in them, and has ten seconds to answer. QMD has five, so its stories,
// which are short, run alone.
func inItself(t *testing.T) bool {
	t.Helper()
	if os.Getenv(itself) == t.Name() {
		return false
	}
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	byThemselves <- struct{}{}
	defer func() { <-byThemselves }()
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=10m")
	cmd.Env = append(os.Environ(), itself+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name()+" ")) {
		t.Errorf("%v\n%s", err, out)
	}
	return true
}
