package main

import (
	"errors"
	"os"
	"testing"
	"time"
)

// TestRememberAtTerminal: who typed no text is told so at once, and not waited for.
func TestRememberAtTerminal(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	was := os.Stdin
	os.Stdin = tty
	defer func() { os.Stdin = was }()
	for _, text := range [][]string{nil, {""}, {" "}} {
		said := make(chan error, 1)
		go func() {
			_, err := rememberCmd{Text: text}.text()
			said <- err
		}()
		select {
		case err := <-said:
			var f *failure
			if !errors.As(err, &f) || f.code != exitUsage {
				t.Errorf("%q: %v, want a usage error", text, err)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%q waits for the terminal", text)
		}
	}
}
