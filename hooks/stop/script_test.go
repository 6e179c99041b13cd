package stop

import (
	"os"
	"testing"

	"keepsake/internal/script"
)

func TestMain(m *testing.M) { script.Main(m, map[string]func(){"stop": func() { os.Exit(Run()) }}) }

func TestScripts(t *testing.T) { script.Run(t) }
