//go:build e2e

package e2e

import (
	"fmt"
	"os"
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
