package evidence

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/client/transcript"
	"keepsake/pkg/disk"
	"keepsake/pkg/layout"
)

// Git runs git in the project's folder and returns what it printed, as far as that was
// wanted. That it found nothing is no error.
type Git func(args ...string) ([]byte, error)

// projectFiles knows which files are the project's own. They must be in the commit that the checkout was at
// when they were read. A file that is only in git's index, or that was committed later, may be an agent's
// work. Outside of a checkout, files below the project's folder count if they are older than the
// conversation.
type projectFiles struct {
	root  string // of the project, without links
	top   string // of its checkout, "" for none
	git   Git
	moves []layout.HeadMove
	first string           // the commit before all moves, "" where git keeps no log
	began *string          // the commit when the first conversation began, where git keeps no log
	stood map[int64]string // at a time, in seconds, once it was asked for
	trees map[string]*tree
	start time.Time // when the first conversation began

	written map[string]bool // absolute, by the agent's editing tools
	err     error           // the last
}

// A tree is the files of a commit, below the checkout and with slashes.
type tree struct{ files, dirs map[string]bool }

func newProjectFiles(root string, git Git) *projectFiles {
	p := &projectFiles{root: layout.Resolved(root), git: git, trees: map[string]*tree{},
		stood:   map[int64]string{},
		written: map[string]bool{}}
	g := layout.FindGitIndex(root)
	p.top = g.Top
	if p.moves, p.err = g.HeadMoves(); len(p.moves) > 0 {
		p.first = p.moves[0].From
	}
	return p
}

// begin notes when the conversations began, and leaves out the commits that an agent made
// in them: what it brought so is no more the project's than before.
func (p *projectFiles) begin(all []*conversation) {
	type span struct{ from, to time.Time }
	var runs []span
	for _, c := range all {
		asked := map[string]time.Time{}
		for _, e := range c.entries {
			if !e.Time.IsZero() && (p.start.IsZero() || e.Time.Before(p.start)) {
				p.start = e.Time
			}
			switch {
			case e.Tool != "" && e.Call != nil && e.Call.Command != "":
				asked[e.Call.ID] = e.Time
			case e.Who == transcript.Tool && e.Call != nil:
				if from := asked[e.Call.ID]; !from.IsZero() {
					runs = append(runs, span{from, e.Time})
				}
			}
		}
	}
	p.moves = slices.DeleteFunc(p.moves, func(m layout.HeadMove) bool {
		kind, _, _ := strings.Cut(strings.ReplaceAll(m.Why, ":", " "), " ")
		return slices.Contains([]string{"commit", "cherry-pick", "am", "revert", "rebase"}, kind) &&
			slices.ContainsFunc(runs, func(r span) bool {
				return m.Time.Unix() >= r.from.Unix() && m.Time.Unix() <= r.to.Unix()
			})
	})
}

// at returns the files of the commit at which the checkout was at a time, nil for none.
func (p *projectFiles) at(t time.Time) *tree {
	if p.top == "" || p.git == nil {
		return nil
	}
	return p.tree(p.commitAt(t))
}

// commitAt returns the commit at which the checkout was at a time, the last one where the
// time is not known; "" for none.
func (p *projectFiles) commitAt(t time.Time) string {
	switch {
	case p.first == "": // git keeps no log of it
		if p.began == nil {
			args := []string{"rev-list", "-1", "HEAD", "--"}
			if !p.start.IsZero() {
				args = slices.Insert(args, 2, "--before="+strconv.FormatInt(p.start.Unix()-1, 10))
			}
			out, _ := p.git(args...) // without a commit it fails
			commit := strings.TrimSpace(string(out))
			p.began = &commit
		}
		return *p.began
	case t.IsZero() && len(p.moves) > 0:
		return p.moves[len(p.moves)-1].Commit
	}
	if commit, ok := p.stood[t.Unix()]; ok {
		return commit
	}
	commit := p.first
	for _, m := range p.moves {
		if m.Time.Unix() < t.Unix() { // in the same second it may have been later
			commit = m.Commit
		}
	}
	p.stood[t.Unix()] = commit
	return commit
}

// tree returns the files of a commit, nil where there is none.
func (p *projectFiles) tree(commit string) *tree {
	if strings.Trim(commit, "0") == "" {
		return nil
	}
	if t, ok := p.trees[commit]; ok {
		return t
	}
	out, err := p.git("ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		p.err = err
		p.trees[commit] = nil
		return nil
	}
	t := &tree{files: map[string]bool{}, dirs: map[string]bool{".": true}}
	for len(out) > 0 {
		var row []byte
		row, out, _ = bytes.Cut(out, []byte{0})
		mode, name, ok := strings.Cut(string(row), "\t")
		if !ok || !strings.HasPrefix(mode, "100") { // a link, or another repository
			continue
		}
		t.files[name] = true
		for dir := filepath.Dir(name); !t.dirs[dir]; dir = filepath.Dir(dir) {
			t.dirs[dir] = true
		}
	}
	p.trees[commit] = t
	return t
}

// below returns a path relative to the checkout, or to the project's folder if there is no checkout.
func (p *projectFiles) below(path, dir string) (string, bool) {
	if strings.HasPrefix(path, "~") {
		return "", false
	}
	if !filepath.IsAbs(path) {
		if dir == "" {
			dir = p.root
		}
		path = filepath.Join(dir, path)
	}
	top := p.top
	if top == "" {
		top = p.root
	}
	return layout.Relative(top, layout.Resolved(filepath.Clean(path)))
}

// file reports whether a file was the project's at a time.
func (p *projectFiles) file(path, dir string, at time.Time) bool {
	below, ok := p.below(path, dir)
	switch {
	case !ok:
		return false
	case p.top == "":
		info, err := os.Stat(filepath.Join(p.root, below))
		return err == nil && (info.IsDir() || p.start.IsZero() || info.ModTime().Before(p.start))
	}
	t := p.at(at)
	return t != nil && t.files[below]
}

// folder reports whether a folder was the project's at a time: it has files of it, or some
// that the agent wrote.
func (p *projectFiles) folder(path, dir string, at time.Time) bool {
	below, ok := p.below(path, dir)
	if !ok {
		return false
	}
	if p.top == "" || below == "." {
		return true
	}
	if t := p.at(at); t != nil && t.dirs[below] {
		return true
	}
	full := filepath.Join(p.top, below) + "/"
	for w := range p.written {
		if strings.HasPrefix(w, full) {
			return true
		}
	}
	return false
}

// nameOf returns the file in the project that a call reads or changes, as people name it. The file need not
// exist: the agent named it.
func (p *projectFiles) nameOf(call transcript.Entry) string {
	if call.Call.File == "" {
		return ""
	}
	below, ok := p.below(call.Call.File, call.Cwd)
	if !ok || below == "." {
		return ""
	}
	top := p.top
	if top == "" {
		top = p.root
	}
	if call.File != "" {
		p.written[filepath.Join(top, below)] = true
	}
	return below + "\n\n" + filepath.Join(top, below)
}

// How much is looked through for what looks foreign, in bytes and files.
const (
	maxFound   = 4 << 20
	maxLooked  = 64 << 20
	maxLookAt  = 20_000
	maxOneFile = 2 << 20
	maxDoubts  = 300
)

// find returns what the project had of words before the first conversation began: the
// names of its files, and the lines with the words in them and those around them.
func (p *projectFiles) find(words []string) (texts []string) {
	words = words[:min(len(words), maxDoubts)]
	if p.top == "" {
		return p.walk(words)
	}
	t := p.at(p.start)
	if t == nil {
		return nil
	}
	var names []string
	for name := range t.files {
		low := strings.ToLower(name)
		if slices.ContainsFunc(words,
			func(w string) bool { return strings.Contains(low, w) || underTop(p.top, low, w) }) {
			names = append(names, name, filepath.Join(p.top, name))
		}
	}
	slices.Sort(names)
	texts = append(texts, strings.Join(names, "\n\n"))
	args := []string{"grep", "-F", "-i", "-I", "-h", "-C1", "--no-color", "--no-line-number"}
	for _, w := range words {
		args = append(args, "-e", w)
	}
	args = append(args, p.commitAt(p.start), "--", ":/")
	out, err := p.git(args...)
	if err != nil {
		p.err = err
	}
	for _, part := range bytes.Split(out[:min(len(out), maxFound)], []byte("\n--\n")) {
		texts = append(texts, string(part))
	}
	return texts
}

// underTop reports whether a word is the whole path of a file below a folder, or of a
// folder of it.
func underTop(top, name, word string) bool {
	return strings.HasPrefix(word, "/") && strings.HasPrefix(strings.ToLower(top)+"/"+name+"/", word+"/")
}

// walk does the work of find outside of a checkout.
func (p *projectFiles) walk(words []string) (texts []string) {
	looked, files, found := 0, 0, 0
	filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != p.root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil || !p.start.IsZero() && !info.ModTime().Before(p.start) {
			return nil
		}
		if files++; files > maxLookAt || looked > maxLooked || found > maxFound {
			return filepath.SkipAll
		}
		if below, err := filepath.Rel(p.root, path); err == nil {
			texts = append(texts, below+"\n\n"+path)
		}
		if info.Size() > maxOneFile {
			return nil
		}
		looked += int(info.Size())
		b, err := disk.Read(path, maxOneFile)
		if err != nil || bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0 {
			return nil
		}
		before, keep := "", false
		lines := bufio.NewScanner(bytes.NewReader(b))
		lines.Buffer(nil, maxOneFile)
		for lines.Scan() {
			line := lines.Text()
			low := strings.ToLower(line)
			if has := slices.ContainsFunc(words,
				func(w string) bool { return strings.Contains(low, w) }); has || keep {
				texts = append(texts, before+"\n"+line)
				found += len(before) + len(line)
				keep = has
			}
			before = line
		}
		return nil
	})
	return texts
}
