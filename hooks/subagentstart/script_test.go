package subagentstart

import (
	"os"
	"testing"

	"keepsake/internal/script"
)

func TestMain(m *testing.M) {
	script.Main(m, map[string]func(){"subagentstart": func() { os.Exit(Run(os.Args[1:])) }})
}

func TestScripts(t *testing.T) { script.Run(t) }
