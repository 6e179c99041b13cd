package session

import (
	"os"
	"path/filepath"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/disk"
	"keepsake/pkg/memdir"
	"keepsake/pkg/stage"
)

// maxIndex is how much of a MEMORY.md is read to see how it is laid out.
const maxIndex = 64 << 10

// Files says whether subagents of the project are told how to file what lasts: by
// the setting memdir.subagents, and with "auto" where the directory has layers or a
// routing table. Where there is no MEMORY.md nobody is told.
func (s *Session) Files() bool {
	mode, dir := s.Config.Memdir.Subagents, s.MemoryDir()
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
	if p, set := memdir.Named(s.Config.Memdir.Profile); set {
		return !p.Types
	}
	files := []memdir.File{{Path: memdir.Index, Bytes: index}}
	for _, name := range [...]string{"INDEX.md", "memory/INDEX.md"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			files = append(files, memdir.File{Path: name})
		}
	}
	return !memdir.Detect(files).Types
}

// Filed is what subagents filed since the agent was told last, in words for it; it
// is told once. Without any it opens nothing.
func (s *Session) Filed(hook string) string {
	if len(s.State.Notes) == 0 {
		return ""
	}
	var notes []stage.Noted
	err := s.Update(func(st *stage.State) error {
		notes, st.Notes = st.Notes, nil
		return nil
	})
	if err != nil {
		s.Fault(hook, "what a subagent filed could not be told", err)
		return ""
	}
	var said []string
	for _, n := range notes {
		said = append(said, brief.Filed(n.By, n.Paths))
	}
	return strings.Join(said, "\n")
}
