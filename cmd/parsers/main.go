// Command parsers does what needs a parser whose tables slow every start of a program that links it: `parsers
// judge` and `parsers guards` read shell commands, `parsers reading` Markdown and YAML. The command line
// starts it as bin/libexec/parsers. It reads questions, one JSON object after the other, and prints an answer
// to each, until its input ends.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fail("want one argument: guards, judge or reading")
	}
	answer := task(os.Args[1])
	if answer == nil {
		fail("no task " + os.Args[1])
	}
	if err := answer(os.Stdin, os.Stdout); err != nil {
		fail(err.Error())
	}
}

func fail(why string) {
	fmt.Fprintf(os.Stderr, "parsers: %s; hint: `keepsake gate test` and `keepsake records import` run this\n",
		why)
	os.Exit(1)
}

// task returns the function that answers the questions of a task, or nil if there is none.
func task(name string) func(io.Reader, io.Writer) error {
	switch name {
	case "guards":
		return hearCommands
	case "judge":
		return judgeCalls
	case "reading":
		return readTexts
	}
	return nil
}
