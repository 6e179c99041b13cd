// Command mempalace asks a MemPalace through its MCP server. Keepsake starts it as
// bin/libexec/mempalace, so that nothing else links the SDK of that protocol and
// the network that comes with it. It reads one tiers.PalaceAsk, starts the server
// that is named there, and prints one tiers.PalaceAnswer.
//
// Its input stays open as long as somebody waits for the answer. When that ends,
// it ends the server and itself, so that nothing is left of a killed Keepsake.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"keepsake/pkg/search/tiers"
)

var version = "dev" // set by make build

func main() {
	// Whoever tries the command line of MemPalace on it gets no further: the gate
	// lets arguments that only read pass.
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr,
			"mempalace: takes no arguments; hint: keepsake recall and keepsake notes promote run this")
		os.Exit(2)
	}
	var q tiers.PalaceAsk
	in := json.NewDecoder(os.Stdin)
	if err := in.Decode(&q); err != nil {
		fmt.Fprintf(os.Stderr,
			"mempalace: read what to ask: %v; hint: keepsake recall and keepsake notes promote run this\n",
			err)
		os.Exit(1)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	// Nobody to read the answer is an error like others, and no reason to end before
	// the server has.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	a, end := answer(ctx, q)
	err := json.NewEncoder(os.Stdout).Encode(a)
	end()
	if (ctx.Err() != nil || err != nil) && syscall.Getpgrp() == os.Getpid() {
		// Nobody is there to do it: what the server left behind goes too.
		_ = syscall.Kill(0, syscall.SIGKILL)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr,
			"mempalace: print the answer: %v; hint: keepsake recall and keepsake notes promote run this\n",
			err)
		os.Exit(1)
	}
}

// answer starts the server and asks it. End ends the server, politely at first.
func answer(ctx context.Context, q tiers.PalaceAsk) (a tiers.PalaceAnswer, end func()) {
	s, err := start(ctx, q.Server, q.Do != "add" && q.Do != "remove")
	if err == nil {
		switch q.Do {
		case "search":
			a.Found, err = s.search(ctx, q)
		case "near":
			a.Found, err = s.near(ctx, q)
		case "read":
			a.Found, err = s.read(ctx, q.Text)
		case "add":
			a.IDs, a.Existed, err = s.add(ctx, q)
		case "remove":
			err = s.remove(ctx, q)
		default:
			err = trouble{what: fmt.Sprintf("can't %q", q.Do)}
		}
	}
	if err != nil {
		s.end() // it may have something to say to that
		t := s.explain(err)
		return tiers.PalaceAnswer{Trouble: t.what, Hint: t.hint}, func() {}
	}
	return a, s.end
}
