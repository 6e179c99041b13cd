package main

import (
	"path/filepath"
	"slices"

	"keepsake/pkg/brief"
	"keepsake/pkg/secret"
)

// maxPoints is how many memory files a prompt is pointed to.
const maxPoints = 2

// point returns the client's memory files that the prompt is clearly about, each once until the
// conversation is compacted. The client loads MEMORY.md by itself, but not these files.
func (p *prompt) point() (text string, shown []string) {
	if !p.Config.Retrieval.Enabled || !p.Config.Retrieval.Point {
		return "", nil
	}
	dir := p.MemoryDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	found, err := p.Pointed(p.Text, maxPoints, func(name string) bool {
		return !slices.Contains(p.State.Shown, at(name))
	})
	if err != nil {
		p.Fault(hookName, "a prompt was not pointed to the client's memory files", err)
	}
	var files []brief.Pointer
	for _, f := range found {
		files = append(files, brief.Pointer{Path: at(f.Path), Description: secret.Redact(f.Description)})
		shown = append(shown, at(f.Path))
	}
	return brief.Pointed(files), shown
}
