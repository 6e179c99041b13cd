// Peak runs a program and writes into a file how much memory it held at most, in the unit of the system. The
// system counts as a program's own what the process held that started it. So a program that is measured is
// started by this one, which is small, and not by bench, which holds more than most of what it measures.
//
//	peak FILE PROGRAM [ARGUMENT ...]
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

func main() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if cmd.ProcessState != nil {
		used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		err = os.WriteFile(os.Args[1], strconv.AppendInt(nil, int64(used.Maxrss), 10), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(1)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}
