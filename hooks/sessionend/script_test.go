package sessionend

import (
	"os"
	"testing"

	"keepsake/internal/script"
)

func TestMain(m *testing.M) {
	script.Main(m, map[string]func(){"sessionend": func() { os.Exit(Run()) }})
}

func TestScripts(t *testing.T) { script.Run(t) }
