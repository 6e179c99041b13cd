// Command mempalace asks a MemPalace through its MCP server. Keepsake starts it as
// bin/libexec/mempalace, so that nothing else links the SDK of that protocol and
// the network that comes with it. It reads one tiers.PalaceAsk, starts the server
// that is named there, and prints one tiers.PalaceAnswer. With the argument "server" it is Keepsake's own MCP
// server, for keepsake mcp.
//
// Its input stays open as long as somebody waits for the answer. When that ends,
// it ends the server and itself, so that nothing is left of a killed Keepsake.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"keepsake/pkg/libexec"
	"keepsake/pkg/search/tiers"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "server" {
		ask := func(ctx context.Context, q libexec.HostCall) (libexec.HostAnswer, error) {
			return askKeepsake(ctx, os.Args[2:], q)
		}
		err := serveHost(context.Background(), newLines(os.Stdin, os.Stdout, libexec.MaxHostCall), ask)
		if err != nil && !errors.Is(err, io.EOF) {
			fmt.Fprintf(os.Stderr, "keepsake: mcp: %v\n", err)
			os.Exit(1)
		}
		return
	}
	// This is not MemPalace's own command line. The gate lets calls pass whose arguments only read, so
	// such a call can arrive here, and is refused.
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
	// If nobody reads the answer any more, printing it fails with an error and not with a signal, so that
	// the server is still ended.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	a, end := answer(ctx, q)
	err := json.NewEncoder(os.Stdout).Encode(a)
	end()
	if (ctx.Err() != nil || err != nil) && syscall.Getpgrp() == os.Getpid() {
		// Nobody waits for the answer any more. So this kills its whole process group: itself and what
		// the server left running.
		_ = syscall.Kill(0, syscall.SIGKILL)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr,
			"mempalace: print the answer: %v; hint: keepsake recall and keepsake notes promote run this\n",
			err)
		os.Exit(1)
	}
}

// answer starts the server and asks it. The caller ends the server with end.
func answer(ctx context.Context, q tiers.PalaceAsk) (a tiers.PalaceAnswer, end func()) {
	s, err := start(ctx, q.Server, q.Do != "add" && q.Do != "remove" && q.Do != "call")
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
		case "call":
			a.Done, err = s.calls(ctx, q.Calls)
		default:
			err = trouble{what: fmt.Sprintf("can't %q", q.Do)}
		}
	}
	if err != nil {
		s.end() // explain quotes what the server prints while it ends
		t := s.explain(err)
		return tiers.PalaceAnswer{Trouble: t.what, Hint: t.hint}, func() {}
	}
	return a, s.end
}
