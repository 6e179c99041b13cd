package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/shell"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/mdwalk"
)

// ageNotice returns what an agent that is about to read a memory file is told: that it is old, or
// that nobody knows how old it is. It decides nothing. It leaves a file that can't be looked at to
// the read, and a fault of ours stops no call.
func ageNotice(in hook.Common, c shell.Call, now time.Time) (said string) {
	defer func() {
		if p := recover(); p != nil {
			approval.Call{Session: in.Session, Transcript: in.Transcript, Cwd: in.Cwd,
				ProjectDir: os.Getenv("CLAUDE_PROJECT_DIR")}.Fault("how old a memory file is was not told",
				fmt.Errorf("panic: %v", p))
			said = ""
		}
	}()
	dir, name, ok := shell.MemoryRead(c)
	if !ok {
		return ""
	}
	begin, modified, cut, err := mdwalk.Head(filepath.Join(dir, filepath.FromSlash(name)), memdir.HeadBytes)
	if err != nil {
		return ""
	}
	d, doubtful := memdir.Doubtful(memdir.File{Path: name, Bytes: begin, Modified: modified}, cut, now)
	if !doubtful {
		return ""
	}
	return brief.Doubtful(d)
}
