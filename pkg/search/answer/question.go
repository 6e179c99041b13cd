package answer

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"keepsake/pkg/brief"
	"keepsake/pkg/project/session"
	"keepsake/pkg/secret"
)

// QuestionIn returns the part of a prompt that is looked up, or the reason why none is. Reports of
// subagents, which arrive as prompts too, and calls of Keepsake's own skills are not looked up. Of other
// slash commands it returns the text behind the name. A scheduled prompt is looked up like a typed one,
// as they look the same.
func QuestionIn(prompt string) (query, skip string) {
	prompt = strings.TrimSpace(prompt)
	skip = Empty
	switch {
	case session.IsNotice(prompt):
		return "", Unasked
	case strings.HasPrefix(prompt, "/"):
		end := strings.IndexFunc(prompt, unicode.IsSpace)
		if end < 0 {
			end = len(prompt)
		}
		if strings.HasPrefix(prompt, "/keepsake:") {
			return "", Command
		}
		if !strings.Contains(prompt[1:end], "/") { // a path is no command
			prompt, skip = strings.TrimSpace(prompt[end:]), Command
		}
	}
	if prompt != "" {
		skip = ""
	}
	return prompt, skip
}

// maxPoints is how many memory files a prompt is pointed to.
const maxPoints = 2

// Point returns the client's memory files that the prompt is clearly about, each once until the
// conversation is compacted. The client loads MEMORY.md by itself, but not these files.
func (p *Prompt) Point() (text string, shown []string) {
	if !p.Config.Retrieval.Enabled || !p.Config.Retrieval.Point {
		return "", nil
	}
	dir := p.MemoryDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	found, err := p.Pointed(p.Text, maxPoints, func(name string) bool {
		return !slices.Contains(p.State.Shown, at(name))
	})
	if err != nil {
		p.Fault(p.Hook, "a prompt was not pointed to the client's memory files", err)
	}
	var files []brief.Pointer
	for _, f := range found {
		files = append(files, brief.Pointer{Path: at(f.Path), Description: secret.Redact(f.Description)})
		shown = append(shown, at(f.Path))
	}
	return brief.Pointed(files), shown
}
