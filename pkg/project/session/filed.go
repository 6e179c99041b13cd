package session

import (
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/disk"
	"keepsake/pkg/memdir"
)

// maxIndex is how much of a MEMORY.md is read to see how it is laid out, in bytes.
const maxIndex = 64 << 10

// Files reports whether subagents of the project are told how to file what lasts. The setting
// memdir.subagents decides. With "auto" they are told where the directory has layers or a routing
// table, and without a MEMORY.md nobody is told.
func (md *Memdir) Files() bool {
	mode, dir := md.Config.Memdir.Subagents, md.MemoryDir()
	if mode == "off" || dir == "" {
		return false
	}
	index, err := disk.Read(filepath.Join(dir, memdir.Index), maxIndex)
	if err != nil {
		return false
	}
	if mode == "on" {
		return true
	}
	files := []memdir.File{{Path: memdir.Index, Bytes: index}}
	for _, name := range [...]string{"INDEX.md", "memory/INDEX.md"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			files = append(files, memdir.File{Path: name})
		}
	}
	return !md.profile(files).Types
}

// Filed returns a text for the agent about what subagents filed since it was last told. If there is
// nothing, no file is opened.
func (fl *InFlight) Filed(hook string) string {
	if len(fl.State.Notes) == 0 {
		return ""
	}
	var notes []stage.Noted
	err := fl.Update(func(st *stage.State) error {
		notes, st.Notes = st.Notes, nil
		return nil
	})
	if err != nil {
		fl.Fault(hook, "what a subagent filed could not be told", err)
		return ""
	}
	var said []string
	for _, n := range notes {
		said = append(said, brief.Filed(n.By, n.Paths))
	}
	return strings.Join(said, "\n")
}
