package main

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

// TestAsk: only a key or its word is an answer, and who wants to leave a question is not asked again.
func TestAsk(t *testing.T) {
	for in, want := range map[string]key{
		"y\n": yes, " NO \n": no, "maybe\nyes\n": yes, "q\ny\n": noAnswer, "quit\n": noAnswer, "": noAnswer,
		"x\n": noAnswer,
	} {
		if got := ask(io.Discard, bufio.NewReader(strings.NewReader(in)), "Go on?", yesOrNo...); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := ask(io.Discard, bufio.NewReader(strings.NewReader("q\n")), "Next?", yes, no,
		quit); got != quit {
		t.Errorf("quit where that is a key: %q", got)
	}
}
