package main

import (
	"testing"

	"keepsake/internal/script"
)

func TestMain(m *testing.M) { script.Main(m, map[string]func(){"subagentstart": main}) }

func TestScripts(t *testing.T) { script.Run(t) }
