//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"testing"
)

// TestMain lets the test binary be the MCP server that stories configure: one Go program less to build.
func TestMain(m *testing.M) {
	if log := os.Getenv(palaceLog); log != "" {
		if err := servePalace(log); err != nil {
			fmt.Fprintln(os.Stderr, "palace:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
