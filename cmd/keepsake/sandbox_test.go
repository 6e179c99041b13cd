package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestSandboxHints(t *testing.T) {
	for _, err := range []error{&fs.PathError{Op: "open", Path: "/s", Err: syscall.EROFS},
		fmt.Errorf("lock /s: %w", syscall.EPERM), errors.New("no drafts"), nil} {
		refused := errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EPERM)
		for _, variable := range []string{"1", ""} {
			t.Setenv("SANDBOX_RUNTIME", variable)
			got := strings.Join(sandboxHints(err), " ")
			if strings.Contains(got, "in a terminal") != (refused && variable != "") {
				t.Errorf("%v with %q: %q", err, variable, got)
			}
		}
	}
}
