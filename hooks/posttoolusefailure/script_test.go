package posttoolusefailure

import (
	"os"
	"testing"

	"keepsake/internal/script"
	"keepsake/internal/stopped"
)

func TestMain(m *testing.M) {
	script.Main(m, stopped.Programs(map[string]func(){"posttoolusefailure": func() { os.Exit(Run()) }}))
}

func TestScripts(t *testing.T) { script.Run(t) }
