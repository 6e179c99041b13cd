package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/origin"
	"keepsake/pkg/paths"
	"keepsake/pkg/secret"
	"keepsake/pkg/transcript"
)

// maxEvidence bounds how much of the end of one session's transcript is looked at, in
// bytes, and maxForeign how much of one result.
const (
	maxEvidence = 64 << 20
	maxForeign  = 16 << 20
)

// Evidence returns what was said in sessions of the project, for the origins of
// drafts that are made of it. book says in which of them a person sat: at the time
// of the hook, which alone can tell. A session whose transcript is gone has no say.
func (s *Session) Evidence(book *finding.Book, sessions []string) (*origin.Evidence, error) {
	e := origin.New()
	files := s.trackedFiles()
	var errs []error
	for _, id := range sessions {
		path := s.State.Transcript
		if id != s.ID {
			st, err := s.sessions().Load(id)
			if err != nil {
				continue // what it said is in its findings
			}
			path = st.Transcript
		}
		if path == "" {
			continue
		}
		if err := gather(e, path, s.promptsOf(id, book), files); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return e, errors.Join(errs...)
}

// promptsOf returns whose words the prompts of a session are: a person's, an agent's
// where nobody sat, and what an agent put into a call where its client was started by
// another one.
func (s *Session) promptsOf(id string, book *finding.Book) origin.Source {
	found := func(from finding.Origin) bool {
		return book != nil && len(book.Each(func(f finding.Status) bool {
			return f.Session == id && f.By.Person() && f.Origin == from
		})) > 0
	}
	switch {
	case id == s.ID && s.nested(), found(finding.NoOrigin):
		return origin.Called
	case id == s.ID && Attends() == nil, found(finding.FromPerson):
		return origin.Person
	}
	return origin.Agent
}

// gather adds what a transcript holds to the evidence. prompts is whose words its
// prompts are.
func gather(e *origin.Evidence, path string, prompts origin.Source, files trackedFiles) error {
	t, err := OpenTranscript(path)
	if err != nil {
		return err
	}
	defer t.Close()
	from := int64(0)
	if t.size > maxEvidence {
		from, _ = t.nextLine(t.size - maxEvidence)
	}
	span, err := transcript.Read(io.NewSectionReader(t, from, t.size-from), transcript.Request{Whole: true})
	if err != nil {
		return err
	}
	files.written = map[string]bool{}
	add := func(from origin.Source, text string) {
		if text != "" {
			e.Add(from, secret.Redact(text)) // as it stands in findings and drafts
		}
	}
	for _, x := range span.Entries {
		switch {
		case x.Who == transcript.Person:
			by := prompts
			if by == origin.Person && x.Marked != transcript.ByHand {
				by = origin.Agent
			}
			if x.Asked != nil {
				add(origin.Agent, x.Asked.Question)
			}
			add(by, x.Text)
			add(by, x.Plan)
		case x.Who == transcript.Assistant && x.Tool != "":
			add(origin.Called, x.Command)
			add(origin.Called, x.File)
			if c := x.Call; c != nil {
				add(origin.Called, c.File)
				add(origin.Called, c.URL)
				if x.File != "" {
					files.written[files.absolute(x.File)] = true
				}
			}
		case x.Who == transcript.Tool:
			by, counts := files.sourceOf(x.Call)
			text := x.Text
			if by == origin.Foreign && x.Offset >= 0 && len(text) >= transcript.MaxOther/2 {
				if whole, err := wholeResult(t, from+x.Offset); err == nil {
					text = whole
				}
			}
			if counts {
				add(by, text)
			}
		case x.Who == transcript.Assistant, x.Who == transcript.Summary, x.Who == transcript.Notification,
			x.Who == transcript.Peer:
			add(origin.Agent, x.Text)
		}
	}
	return nil
}

// wholeResult reads all of the results in a line of a transcript, of which an entry
// keeps the beginning and the end.
func wholeResult(t io.ReaderAt, at int64) (string, error) {
	var line []byte
	buf := make([]byte, 64<<10)
	for len(line) < maxForeign {
		n, err := t.ReadAt(buf, at+int64(len(line)))
		end := bytes.IndexByte(buf[:n], '\n')
		if end >= 0 {
			line = append(line, buf[:end]...)
			break
		}
		line = append(line, buf[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
	}
	var record struct{ Message struct{ Content any } }
	if err := json.Unmarshal(line, &record); err != nil {
		return "", err
	}
	var b strings.Builder
	texts(&b, record.Message.Content)
	return b.String(), nil
}

// texts collects the texts of decoded JSON, but for the names that hold it together
// and for pictures.
func texts(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(v + "\n")
	case []any:
		for _, x := range v {
			texts(b, x)
		}
	case map[string]any:
		for key, x := range v {
			if !slices.Contains([]string{"type", "tool_use_id", "id", "role", "data", "media_type"}, key) {
				texts(b, x)
			}
		}
	}
}

// trackedFiles tells which files are the project's own.
type trackedFiles struct {
	root    string
	top     string
	known   map[string]bool // below top, with slashes; nil where there is no checkout
	written map[string]bool // by the agent in the session that is looked at, absolute
}

func (s *Session) trackedFiles() trackedFiles {
	f := trackedFiles{root: paths.Resolved(s.Root)}
	g := paths.FindGitIndex(s.Root)
	if f.top = g.Top; f.top == "" {
		return f
	}
	f.known = map[string]bool{}
	names, err := g.Files()
	if err != nil {
		s.Fault("trust", "git's index could not be read", err)
		return f
	}
	for n := range names {
		f.known[string(n)] = true
	}
	return f
}

func (f trackedFiles) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.root, path)
	}
	return filepath.Clean(path)
}

// project reports whether a file is the project's: git tracks it, or a file in the
// folder that is looked through. Outside of a checkout all below the project's folder is.
func (f trackedFiles) project(path string) bool {
	top := f.top
	if top == "" {
		top = f.root
	}
	path = paths.Resolved(f.absolute(path))
	below, err := filepath.Rel(top, path)
	if err != nil || below == ".." || strings.HasPrefix(below, "../") {
		return false
	}
	if f.top == "" || below == "." {
		return true
	}
	below = filepath.ToSlash(below)
	if f.known[below] {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sourceOf says where the result of a call is from. What the agent wrote there itself
// counts for nothing; so does what only says that something was done.
func (f trackedFiles) sourceOf(c *transcript.Call) (from origin.Source, counts bool) {
	if c == nil {
		return origin.Foreign, true
	}
	switch c.Tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit", "TodoWrite", "AskUserQuestion", "ExitPlanMode",
		"Skill", "TaskCreate", "TaskUpdate", "ToolSearch":
		return origin.Called, false
	case "Agent", "Task", "TaskOutput":
		return origin.Agent, true
	case "Read", "NotebookRead", "Grep", "Glob", "LS":
		switch {
		case f.written[f.absolute(c.File)]:
			return origin.Called, false
		case c.File == "" || f.project(c.File):
			return origin.Project, true
		}
		return origin.Foreign, true
	case "Bash", "BashOutput", "Monitor":
		if f.fetches(c.Command) {
			return origin.Foreign, true
		}
		return origin.Project, true
	}
	return origin.Foreign, true // the web, an MCP server, a tool that is not known
}

// fetches reports whether a command prints what came over a network, or a file that
// git does not track.
func (f trackedFiles) fetches(command string) bool {
	low := strings.ToLower(command)
	for _, w := range strings.FieldsFunc(low,
		func(r rune) bool { return strings.ContainsRune(" \t\n;|&()`'\"$", r) }) {
		switch filepath.Base(w) {
		case "curl", "wget", "http", "https", "xh", "gh", "glab", "lynx", "w3m", "nc", "ssh", "scp", "aws",
			"gcloud", "az", "npx", "mcp":
			return true
		}
		if strings.Contains(w, "://") {
			return true
		}
	}
	for _, w := range strings.FieldsFunc(command,
		func(r rune) bool { return strings.ContainsRune(" \t\n;|&()`'\"<>=", r) }) {
		if strings.HasPrefix(w, "-") || !strings.ContainsAny(w, "./") {
			continue
		}
		path := f.absolute(w)
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && !f.project(path) && !f.written[path] &&
			!ownProgram(path) {
			return true
		}
	}
	return false
}

// ownProgram reports whether a path is that of a program, which is run and not read.
func ownProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o111 != 0
}
