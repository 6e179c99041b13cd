package main

import (
	"io"
	"syscall"
	"time"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/importer/reading"
	"keepsake/pkg/libexec"
)

// maxText is the longest JSON that is read of one text, in bytes: in base64 its bytes are a third more.
const maxText = 2 * exchange.MaxText

// readTexts takes memories out of Markdown. It opens no file.
func readTexts(in io.Reader, out io.Writer) error {
	return libexec.Serve(in, out, maxText, func(t exchange.Text) exchange.Reading {
		return within(maxCPU, t, reading.Read)
	})
}

// maxCPU is how long the processor may work on one text. A megabyte of ordinary Markdown takes two thirds of
// it; ten thousand quotations in each other take the parser for ever.
const maxCPU = time.Second

// within returns what read makes of a text, or that it takes too long. read then goes on beside the next
// text, as no parser can be stopped, until the program ends.
func within(limit time.Duration, t exchange.Text,
	read func(exchange.Text) exchange.Reading) exchange.Reading {
	done := make(chan exchange.Reading, 1)
	go func() { done <- read(t) }()
	begun := worked()
	look := time.NewTicker(limit / 30)
	defer look.Stop()
	for {
		select {
		case r := <-done:
			return r
		case <-look.C:
			if worked()-begun > limit {
				return exchange.Reading{Passed: []exchange.Passed{{From: t.File,
					Why: "takes too long to read: it is too large, or nests too deep; import its parts"}}}
			}
		}
	}
}

// worked returns how long the processor has worked for this program.
func worked() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0 // it can't fail for this process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
