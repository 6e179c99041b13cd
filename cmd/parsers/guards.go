package main

import (
	"encoding/json"
	"io"

	"keepsake/pkg/gate/guard"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/gate/shell"
	"keepsake/pkg/libexec"
)

// hearCommands says which guards shell commands are about. It runs none of them, and asks nothing of this
// machine: they are commands of the past.
func hearCommands(in io.Reader, out io.Writer) error {
	return libexec.Serve(in, out, maxCall+2*guard.MaxPacked, hear)
}

func hear(q guard.Question) (a guard.Answer) {
	w, err := guard.NewWatch(q.Packed, "Bash", q.Cwd, q.Project)
	if err != nil || w == nil {
		return a
	}
	w.Home = q.Home
	args, _ := json.Marshal(map[string]string{"command": q.Command}) // of strings
	shell.Judge(shell.Call{Tool: "Bash", Args: args, Cwd: q.Cwd, Home: q.Home, ProjectDir: q.Project,
		Watch: &rules.Watch{Text: w.Text, Command: w.Command, File: w.Changed}})
	a.Hits = w.Met()
	for _, r := range w.Ran {
		a.Ran = append(a.Ran, r.Key())
	}
	return a
}
