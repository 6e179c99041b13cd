package evidence

import (
	"slices"
	"strings"
	"time"

	"keepsake/pkg/capture/origin"
	"keepsake/pkg/client/transcript"
)

// A result is the text that a tool returned, with everything that shows where it is from.
type result struct {
	call   *transcript.Call // nil when it is not known
	text   string
	dirs   []string      // any of them may be where the call was made
	asked  time.Time     // when the call was made, where that is known
	at     time.Time     // when it returned
	agents origin.Source // whose words it has, where an agent reports by it
}

// when returns the time at which the files were as they were read. It is the time of the call, since a call
// can wait for a person before its result comes.
func (r result) when() time.Time {
	if !r.asked.IsZero() && r.asked.Before(r.at) {
		return r.asked
	}
	return r.at
}

// dirsOr returns the folders that the call may have been made in. If none is known, it is root.
func (r result) dirsOr(root string) []string {
	if len(r.dirs) == 0 {
		return []string{root}
	}
	return r.dirs
}

// A part of a result is of one source.
type part struct {
	from origin.Source
	text string
}

// read returns where the parts of a result are from. A part is foreign unless it is known to be the
// project's. A result that only confirms an action has no parts.
func (p *projectFiles) read(r result) []part {
	whole := func(from origin.Source) []part { return []part{{from, r.text}} }
	if r.call == nil {
		return whole(origin.Foreign)
	}
	switch r.call.Tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit", "TodoWrite", "AskUserQuestion", "ExitPlanMode",
		"Skill", "TaskCreate", "TaskUpdate":
		return nil
	case "Agent", "Task":
		return whole(r.agents)
	case "TaskOutput":
		if head, _, ok := strings.Cut(r.text, "<output>"); ok && strings.Contains(head, "agent</task_type>") {
			return whole(r.agents)
		}
	case "Read", "NotebookRead":
		if r.call.File != "" && p.inAll(r, r.call.File, p.file) {
			return whole(origin.Project)
		}
	case "Grep", "Glob", "LS":
		switch {
		case r.call.File != "" && p.inAll(r, r.call.File, p.file):
			return whole(origin.Project)
		case r.call.File == "" || p.inAll(r, r.call.File, p.folder):
			return p.lines(r, nil)
		}
	case "Bash":
		switch kind, echoed := p.command(r); kind {
		case nothing:
			return nil
		case keeps:
			// memories whose words are foreign or nobody's are marked so
			if !strings.Contains(r.text, "held") {
				return nil
			}
		case projects:
			return p.lines(r, func(line string) bool {
				return !slices.Contains(echoed,
					strings.TrimSpace(line))
			})
		case byLine:
			return p.lines(r, nil)
		case builds:
			return whole(origin.Printed)
		}
	}
	return whole(origin.Foreign) // the web, an MCP server, a program, a tool that is not known
}

// inAll reports whether a path is the project's from wherever the call may have been made.
func (p *projectFiles) inAll(r result, path string, is func(path, dir string, at time.Time) bool) bool {
	return !slices.ContainsFunc(r.dirsOr(p.root), func(dir string) bool { return !is(path, dir, r.when()) })
}

// attached returns where something that the client attached is from. counts is false for what doesn't
// count, such as the person's own instructions.
func (p *projectFiles) attached(c *transcript.Call, at time.Time) (from origin.Source, counts bool) {
	switch c.Tool {
	case "file", "new_file", "edited_text_file", "nested_memory", "selected_lines_in_ide",
		"selected_lines_in_diff":
		if c.File != "" && p.file(c.File, "", at) {
			return origin.Project, true
		}
	case "directory":
		if c.File != "" && p.folder(c.File, "", at) {
			return origin.Project, true
		}
	case "instructions", "relevant_memories", "current_session_memory", "ultramemory":
		return origin.Foreign, false // files that the person's client loads at every start
	}
	return origin.Foreign, true
}

// lines returns where the lines of a search's output are from. If keep is nil, the file that a line names
// decides, and a line that is only a file name is checked as such. Otherwise the lines that keep accepts
// are the project's, and the rest is left out.
func (p *projectFiles) lines(r result, keep func(line string) bool) []part {
	var own, foreign strings.Builder
	last, lastIs := "", false
	for line := range strings.Lines(r.text) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case keep != nil:
			if keep(text) {
				own.WriteString(line)
			}
			continue
		case text == "--" || text == "":
			continue
		case !strings.ContainsAny(text, " \t"):
			if (&shellReader{p: p, dirs: r.dirsOr(p.root)}).exists(text) {
				own.WriteString(line)
				continue
			}
		}
		is := false
		for i := 0; i < len(text) && !is; i++ {
			if text[i] != ':' && text[i] != '-' || i == 0 {
				continue
			}
			if text[:i] == last {
				is = lastIs
			} else if text[i] == ':' || i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
				if is = p.inAll(r, text[:i], p.file); is || text[i] == ':' {
					last, lastIs = text[:i], is
				}
			}
			if text[i] == ':' {
				break
			}
		}
		if is {
			own.WriteString(line)
		} else {
			foreign.WriteString(line)
		}
	}
	var parts []part
	if own.Len() > 0 {
		parts = append(parts, part{origin.Project, own.String()})
	}
	if foreign.Len() > 0 {
		parts = append(parts, part{origin.Foreign, foreign.String()})
	}
	return parts
}
