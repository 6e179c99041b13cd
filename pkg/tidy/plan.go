package tidy

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
)

// A Change is an answer that the plan carries out.
type Change struct {
	Call   int    `json:"call,omitempty"`
	Action string `json:"action"`
	Statement
	New    string      `json:"new,omitempty"`
	To     string      `json:"to,omitempty"`
	With   []Statement `json:"with,omitempty"`
	Reason string      `json:"reason,omitempty"`
	By     string      `json:"by,omitempty"`
}

// A Refused is an answer that the plan leaves out.
type Refused struct {
	Number int    `json:"number"` // which of the answers, from 1
	Action string `json:"action"`
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Text   string `json:"text,omitempty"`
	Why    string `json:"why"`
}

// A FileChange is a file before and after.
type FileChange struct {
	File   string `json:"file"`
	Before int    `json:"before"` // lines
	After  int    `json:"after"`  // 0 when it is gone
	Gone   string `json:"gone,omitempty"`
}

// An Outcome is what becomes of answers.
type Outcome struct {
	Plan    plan.Plan    `json:"plan"`
	Done    []Change     `json:"done"`
	Kept    []Change     `json:"kept"` // keep: nothing is changed
	Refused []Refused    `json:"refused"`
	Open    []Call       `json:"open"`  // judgement calls without an answer
	Files   []FileChange `json:"files"` // those that change, MEMORY.md always
	Notes   []string     `json:"notes"` // what else is to be done
	// Resolved are the contradictions of the sheet that were answered.
	Resolved []Resolved `json:"resolved"`
}

// Resolved is a contradiction and what becomes of it.
type Resolved struct {
	Call Call     `json:"call"`
	By   []Change `json:"by"`
}

// maxNew bounds a new text, in bytes.
const maxNew = 8000

// planner turns answers into drafts of files.
type planner struct {
	m      memdir.Map
	p      memdir.Profile
	now    time.Time
	paths  []string // in the order of the directory
	files  map[string]*draft
	taken  map[place]int // statements that an answer acts on, and its number
	out    Outcome
	number int
}

type place struct {
	file string
	line int
}

// Plan works out what becomes of a directory by the answers to its sheet. What an
// answer names must be there word for word; what is not, what is ambiguous and what
// must not be changed is refused with the reason, and the rest goes on.
func Plan(d memdir.Dir, p memdir.Profile, calls []Call, answers []Answer) Outcome {
	w := &planner{m: d.Map(p), p: p, now: d.Now, files: map[string]*draft{}, taken: map[place]int{}}
	w.out = Outcome{Done: []Change{}, Kept: []Change{}, Refused: []Refused{}, Open: []Call{}, Files: []FileChange{}, Notes: []string{}, Resolved: []Resolved{}}
	for _, f := range d.Files {
		if doc, b, ok := w.m.Doc(f.Path); ok {
			w.files[f.Path] = newDraft(f.Path, doc, b)
			w.paths = append(w.paths, f.Path)
		}
	}
	circle := w.circles(answers)
	for i, a := range answers {
		w.number = i + 1
		why := circle[i]
		if why == "" {
			why = w.do(a)
		}
		if why != "" {
			w.out.Refused = append(w.out.Refused, Refused{w.number, a.Action, a.File, a.Line, a.Text, why})
		}
	}
	w.emptied()
	w.pointers()
	w.dates()
	w.edits()
	w.answered(calls)
	return w.out
}

// do carries out one answer; it returns why not.
func (w *planner) do(a Answer) (why string) {
	c := Change{Call: a.Call, Action: a.Action, Reason: a.Reason, By: a.By}
	c.New = secret.Redact(a.New)
	known := slices.IndexFunc(Actions(), func(k Action) bool { return k.Name == a.Action })
	switch {
	case a.fault != "":
		return "can't be read: " + a.fault
	case a.Action == "":
		return "has no action"
	case known < 0:
		return fmt.Sprintf("action %q is none of %s", a.Action, names())
	case len(c.New) > maxNew:
		return fmt.Sprintf("new has %d bytes; at most %d", len(c.New), maxNew)
	case a.Action == "keep":
		c.Statement = Statement{File: a.File, Line: a.Line, Text: a.Text}
		w.out.Kept = append(w.out.Kept, c)
		return ""
	case a.File == "":
		return "names no file"
	}
	f := w.files[a.File]
	if f == nil {
		return w.missing(a.File)
	}
	if why := w.changeable(a.File); why != "" {
		return why
	}
	if f.gone {
		return "another answer takes the whole file"
	}
	switch a.Action {
	case "join":
		return w.join(f, a, c)
	case "describe", "retype", "confirm":
		return w.head(f, a, c)
	}
	var s Statement
	if a.Text != "" || a.Action != "add" {
		if s, why = w.find(a.Place); why != "" {
			return why
		}
	}
	c.Statement = s
	c.File = a.File
	needsNew := a.Action == "replace" || a.Action == "add" || a.Action == "heading"
	switch {
	case needsNew && c.New == "":
		return "says nothing new"
	case a.Reason == "" && a.Action != "heading":
		return "gives no reason"
	case a.Action != "heading" && !whole(c.New):
		return "new has a heading, a rule, or a comment or code that is not closed: it would change what stands below it"
	case s.kind == memdir.Row && c.New != "" && (needsNew || a.Action == "merge") && !rows(c.New):
		return "is a row of a table: new must be one, | a | b |"
	}
	switch a.Action {
	case "delete":
		why = w.remove(f, s)
	case "replace":
		why = w.replace(f, s, c.New)
	case "merge":
		why = w.merge(f, s, a, &c)
	case "move":
		why = w.move(f, s, a, &c)
	case "add":
		why = w.add(f, s, a, c.New)
	case "heading":
		why = w.heading(f, s, &c)
	}
	if why == "" {
		w.out.Done = append(w.out.Done, c)
	}
	return why
}

// whole says that a text stands for itself: what is below it stays what it is.
func whole(text string) bool {
	all := memdir.Parse([]byte("\n" + text + "\n\nend")).Lines
	for _, l := range all {
		if l.Kind == memdir.Heading || l.Kind == memdir.Break {
			return false
		}
	}
	return all[len(all)-1].Kind == memdir.Paragraph
}

// rows says that each line of a text is a row of a table.
func rows(text string) bool {
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(l), "|") {
			return false
		}
	}
	return true
}

func names() string {
	var all []string
	for _, a := range Actions() {
		all = append(all, a.Name)
	}
	return strings.Join(all, ", ")
}

// changeable says why a file must not be changed, "" if it may be.
func (w *planner) changeable(file string) string {
	switch {
	case w.m.Once(file):
		return "lies where files are added and never changed; write a new one that says what holds now"
	case file == memdir.Index, file == w.m.Overview(), w.m.Topic(file):
		return ""
	}
	return "is no topic file: logs, archives and project cards are not tidied"
}

// missing says that there is no such file, and which one may be meant.
func (w *planner) missing(file string) string {
	const why = "there is no such file in the directory"
	name := strings.TrimSuffix(path.Base(file), ".md") + ".md"
	for _, p := range w.paths {
		if strings.EqualFold(path.Base(p), name) {
			return why + "; there is " + p
		}
	}
	return why
}

// find is the statement that a place names, word for word. Its line decides only
// where the same words stand twice.
func (w *planner) find(p Place) (s Statement, why string) {
	f := w.files[p.File]
	if f == nil {
		return s, p.File + ": " + w.missing(p.File)
	}
	want := quoted(p.Text)
	if plain(want) == "" {
		return s, "quotes no statement"
	}
	var same, shown []Statement
	for _, s := range f.said {
		if s.Text == want || quoted(s.Text) == want {
			same = append(same, s)
		} else if plain(quoted(s.Text)) == plain(want) {
			shown = append(shown, s)
		}
	}
	if len(same) == 0 {
		same = shown
	}
	switch len(same) {
	case 1:
		return same[0], ""
	case 0:
		for _, s := range f.said {
			if p.Line >= s.Line && p.Line <= s.last {
				return s, fmt.Sprintf("%s:%d says otherwise: %s", p.File, s.Line, beginning(s.Text))
			}
		}
		return s, fmt.Sprintf("%s doesn't say so, word for word", p.File)
	}
	for _, s := range same {
		if p.Line >= s.Line && p.Line <= s.last {
			return s, ""
		}
	}
	return s, fmt.Sprintf("%s says so on lines %d and %d; which of them?", p.File, same[0].Line, same[1].Line)
}

func beginning(s string) string {
	const most = 120
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// take marks statements as acted on; it says why not when one is already.
func (w *planner) take(all ...Statement) string {
	for i, s := range all {
		if by := w.taken[place{s.File, s.Line}]; by > 0 {
			return fmt.Sprintf("answer %d acts on %s:%d already", by, s.File, s.Line)
		}
		if slices.ContainsFunc(all[:i], func(t Statement) bool { return t.File == s.File && t.Line == s.Line }) {
			return fmt.Sprintf("names %s:%d twice", s.File, s.Line)
		}
	}
	for _, s := range all {
		w.taken[place{s.File, s.Line}] = w.number
	}
	return ""
}

// alone says why a statement can't be taken away by itself.
func (w *planner) alone(f *draft, all ...Statement) string {
	for _, s := range all {
		if s.kind == memdir.Pointer && (s.File == memdir.Index || s.File == w.m.Overview()) || s.kind == memdir.Row && w.leads(f, s) {
			return "leads to a file: the line goes by itself when its file does"
		}
		for _, t := range f.said {
			if t.Line > s.last && t.kind != memdir.Item && t.kind != memdir.Pointer {
				break
			}
			if t.Line <= s.last {
				continue
			}
			if s.kind != memdir.Item && s.kind != memdir.Pointer || t.depth <= s.depth {
				break
			}
			if !f.drop[t.Line] && !slices.ContainsFunc(all, func(o Statement) bool { return o.Line == t.Line }) {
				return fmt.Sprintf("has points below it (line %d); answer these first, or replace it", t.Line)
			}
		}
	}
	return ""
}

// leads says that a row of an index leads to a file of the directory.
func (w *planner) leads(f *draft, s Statement) bool {
	if f.path != memdir.Index && f.path != w.m.Overview() {
		return false
	}
	for _, r := range f.doc.Refs() {
		if r.Line == s.Line {
			return true
		}
	}
	return false
}

func (w *planner) remove(f *draft, s Statement) string {
	if why := w.alone(f, s); why != "" {
		return why
	}
	if why := w.take(s); why != "" {
		return why
	}
	f.remove(s)
	return ""
}

func (w *planner) replace(f *draft, s Statement, text string) string {
	if s.kind == memdir.Pointer || w.leads(f, s) {
		if !slices.Equal(targets(strings.Join(f.lines(s), "\n")), targets(strings.Join(s.form(f.doc.Lines[s.Line-1].Text, text), "\n"))) {
			return "a line that leads to a file may say something else, and must lead to the same file"
		}
	}
	if flat(text) == s.Text {
		return "is what it says already"
	}
	if why := w.take(s); why != "" {
		return why
	}
	w.say(f, s, text)
	return ""
}

// say puts a text in the place of a statement; one that had a stamp has that of
// today.
func (w *planner) say(f *draft, s Statement, text string) {
	if stamps.MatchString(s.Text) && !stamps.MatchString(flat(text)) {
		text += "\n" + w.stamp()
	}
	f.say(s, text)
}

// stamp is the line that dates what is written today.
func (w *planner) stamp() string { return "_Updated: " + w.now.Format(time.DateOnly) + "_" }

// targets are the files that lines lead to.
func targets(text string) (out []string) {
	for _, r := range memdir.Parse([]byte(text)).Refs() {
		out = append(out, r.Target)
	}
	return out
}

func (w *planner) merge(f *draft, s Statement, a Answer, c *Change) string {
	all := []Statement{s}
	for _, p := range a.With {
		if p.File == "" {
			p.File = a.File
		}
		t, why := w.find(p)
		if why != "" {
			return why
		}
		if why := w.changeable(p.File); why != "" {
			return p.File + ": " + why
		}
		if w.files[p.File].gone {
			return p.File + ": another answer takes the whole file"
		}
		all = append(all, t)
	}
	if len(all) < 2 {
		return "names nothing to merge with"
	}
	for _, t := range all[1:] {
		if why := w.alone(w.files[t.File], t); why != "" {
			return fmt.Sprintf("%s:%d %s", t.File, t.Line, why)
		}
	}
	if s.kind == memdir.Pointer && (s.File == memdir.Index || s.File == w.m.Overview()) {
		return "is a line of the index: merge what its file says"
	}
	if why := w.take(all...); why != "" {
		return why
	}
	if c.New != "" && plain(c.New) != plain(s.Text) {
		w.say(f, s, c.New)
	}
	for _, t := range all[1:] {
		w.files[t.File].remove(t)
	}
	c.With = all[1:]
	return ""
}

// target is the topic file that something is to go to.
func (w *planner) target(from *draft, to string) (t *draft, why string) {
	switch t = w.files[to]; {
	case to == "":
		return nil, "doesn't say to which file"
	case t == nil:
		return nil, to + ": " + w.missing(to)
	case t == from:
		return nil, "is in that file already"
	case !w.m.Topic(to) || w.m.Once(to):
		return nil, to + ": is no topic file that may be changed"
	case t.gone:
		return nil, to + ": another answer takes the whole file"
	}
	return t, ""
}

func (w *planner) move(f *draft, s Statement, a Answer, c *Change) string {
	to, why := w.target(f, a.To)
	if why != "" {
		return why
	}
	at, ok := to.end(a.Under)
	if !ok {
		return fmt.Sprintf("%s has no heading %q", to.path, a.Under)
	}
	if s.kind == memdir.Row && (at == 0 || to.doc.Lines[at-1].Kind != memdir.Row) {
		return "is a row of a table, and there is none to move it to: add what it says there, and delete it here"
	}
	if why := w.alone(f, s); why != "" {
		return why
	}
	if why := w.take(s); why != "" {
		return why
	}
	c.To = to.path
	lines := f.lines(s)
	if s.kind != memdir.Code {
		for i, l := range lines {
			lines[i] = l[min(s.depth, depth(l)):]
		}
	}
	f.remove(s)
	to.after(at, lines)
	return ""
}

func (w *planner) add(f *draft, s Statement, a Answer, text string) string {
	if f.path == memdir.Index || f.path == w.m.Overview() {
		return "is an index: add it to a topic file"
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	at := s.last
	switch {
	case s.Line == 0:
		at, _ = f.end("")
	case s.kind == memdir.Item || s.kind == memdir.Pointer:
		lines = s.form(f.doc.Lines[s.Line-1].Text, text)
	}
	f.after(at, lines)
	return ""
}

func (w *planner) heading(f *draft, s Statement, c *Change) string {
	if f.path == memdir.Index || f.path == w.m.Overview() {
		return "is an index"
	}
	title := flat(strings.TrimLeft(c.New, "# "))
	if title == "" || s.depth > 0 || s.kind == memdir.Row || len(f.above[s.Line]) > 0 {
		return "no heading can stand there"
	}
	c.New = "## " + title
	lines := []string{c.New}
	if s.Line > 1 && strings.TrimSpace(f.doc.Lines[s.Line-2].Text) != "" {
		lines = []string{"", c.New}
	}
	f.above[s.Line] = lines
	return ""
}

// join puts all that a file says at the end of another one.
func (w *planner) join(f *draft, a Answer, c Change) string {
	if !w.m.Topic(f.path) {
		return "is an index"
	}
	if a.Reason == "" {
		return "gives no reason"
	}
	to, why := w.target(f, a.To)
	if why != "" {
		return why
	}
	if f.changed() || slices.ContainsFunc(f.said, func(s Statement) bool { return w.taken[place{f.path, s.Line}] > 0 }) {
		return "another answer changes the file: join it first, and go on with the next plan"
	}
	var lines []string
	title := ""
	for _, l := range f.doc.Lines[f.doc.Head.Lines:] {
		if t, ok := strings.CutPrefix(l.Text, "# "); ok && title == "" && l.Kind == memdir.Heading && len(strings.TrimSpace(strings.Join(lines, ""))) == 0 {
			title, lines = flat(t), nil
			continue
		}
		lines = append(lines, l.Text)
	}
	name, _ := f.doc.Head.Get("name")
	title = cmp.Or(title, flat(name), strings.TrimSuffix(path.Base(f.path), ".md"))
	body := strings.Split(strings.Trim(strings.Join(lines, "\n"), "\n"), "\n")
	at, _ := to.end("")
	to.after(at, append([]string{"## " + title, ""}, body...))
	f.gone, f.moved = true, true
	c.File, c.To = f.path, to.path
	w.out.Done = append(w.out.Done, c)
	return ""
}

// head changes what the frontmatter says of a file.
func (w *planner) head(f *draft, a Answer, c Change) string {
	c.File = f.path
	if !w.m.Topic(f.path) {
		return "is an index, and has no frontmatter"
	}
	if len(f.doc.Head.Faults) > 0 {
		return "its frontmatter can't be read: mend it by hand"
	}
	switch a.Action {
	case "describe":
		if c.New = flat(c.New); c.New == "" {
			return "says nothing new"
		}
		old, _ := f.doc.Head.Get("description")
		c.Text = flat(old)
		f.set("description", c.New)
		w.hook(f.path, c.Text, c.New)
	case "retype":
		c.New = strings.ToLower(c.New)
		if !slices.Contains(Types(), c.New) {
			return fmt.Sprintf("%q is none of %s", c.New, strings.Join(Types(), ", "))
		}
		key := "type"
		for _, field := range f.doc.Head.Fields {
			if field.Key == "metadata.type" {
				key = field.Key
			}
		}
		old, _ := f.doc.Head.Get("type", "metadata.type")
		c.Text = old
		f.set(key, c.New)
	case "confirm":
		if a.Reason == "" {
			return "gives no reason"
		}
		if old, _ := f.doc.Head.Get("last_updated"); old == "" && w.p.Tree != nil {
			w.confirm(f)
		} else {
			f.date(w.now, true)
		}
	}
	w.out.Done = append(w.out.Done, c)
	return ""
}

// confirm dates a file as the layout dates its files: by a stamp at its end.
func (w *planner) confirm(f *draft) {
	if n := len(f.said); n > 0 && updated.MatchString(f.said[n-1].Text) && w.take(f.said[n-1]) == "" {
		f.say(f.said[n-1], w.stamp())
		return
	}
	at, _ := f.end("")
	f.after(at, []string{w.stamp()})
}

var updated = regexp.MustCompile(`^_Updated: [\d-]+_$`)

// Types are the types of memories, in the order of the client.
func Types() []string { return []string{"user", "feedback", "project", "reference"} }

// hook gives the line that leads to a file a new hook, where it had none or the old
// description.
func (w *planner) hook(file, old, now string) {
	index := w.files[memdir.Index]
	if index == nil {
		return
	}
	for _, r := range index.doc.Refs() {
		to, ok := w.m.Leads(r)
		if !ok || to != file || r.Form != memdir.Link || index.drop[r.Line] || w.taken[place{memdir.Index, r.Line}] > 0 {
			continue
		}
		text := index.doc.Lines[r.Line-1].Text
		switch {
		case r.Hook == "":
			text = strings.TrimRight(text, " \t—–-:") + " — " + now
		case flat(r.Hook) == old:
			text = strings.Replace(text, r.Hook, now, 1)
		default:
			continue
		}
		index.drop[r.Line] = true
		index.put[r.Line] = []string{text}
	}
}

// emptied takes away topic files of which nothing is left.
func (w *planner) emptied() {
	for _, p := range w.paths {
		if f := w.files[p]; w.m.Topic(p) && !f.gone && f.changed() && len(f.said) > 0 && f.says() == 0 {
			f.gone = true
		}
	}
}

// pointers takes the lines of the indexes away that lead to files which go.
func (w *planner) pointers() {
	for _, name := range [...]string{memdir.Index, w.m.Overview()} {
		f := w.files[name]
		if f == nil {
			continue
		}
		leads, goes := map[int]int{}, map[int]int{}
		for _, r := range f.doc.Refs() {
			leads[r.Line]++
			if to, ok := w.m.Leads(r); ok && w.files[to] != nil && w.files[to].gone {
				goes[r.Line]++
			}
		}
		for _, s := range f.said {
			switch n := goes[s.Line]; {
			case n == 0:
			case n < leads[s.Line]:
				w.out.Notes = append(w.out.Notes, fmt.Sprintf("%s:%d leads to a file that goes, and to others: mend it", name, s.Line))
			default:
				delete(f.put, s.Line)
				f.remove(s)
			}
		}
	}
	for _, p := range w.paths {
		if !w.files[p].gone {
			continue
		}
		for _, q := range w.paths {
			if f := w.files[q]; q != p && !f.gone && (w.m.Topic(q) || w.m.Once(q)) {
				for i, l := range f.doc.Lines {
					if !f.drop[i+1] && strings.Contains(l.Text, path.Base(p)) {
						w.out.Notes = append(w.out.Notes, fmt.Sprintf("%s:%d names %s, which goes", q, i+1, p))
						break
					}
				}
			}
		}
	}
}

// dates brings last_updated and the dates of a routing table up to the day.
func (w *planner) dates() {
	index := w.files[memdir.Index]
	today := w.now.Format(time.DateOnly)
	for _, p := range w.paths {
		f := w.files[p]
		if f.gone || !f.changed() || !w.m.Topic(p) || len(f.doc.Head.Faults) > 0 {
			continue
		}
		f.date(w.now, false)
		if index == nil {
			continue
		}
		for _, r := range index.doc.Refs() {
			if to, ok := w.m.Leads(r); !ok || to != p || r.Form != memdir.Table || r.Date == "" || index.drop[r.Line] {
				continue
			}
			if _, err := time.Parse(time.DateOnly, r.Date); err == nil && r.Date != today {
				text := index.doc.Lines[r.Line-1].Text
				at := strings.LastIndex(text, r.Date)
				index.drop[r.Line] = true
				index.put[r.Line] = []string{text[:at] + today + text[at+len(r.Date):]}
			}
		}
	}
}

// edits are what the files that change become.
func (w *planner) edits() {
	for _, p := range w.paths {
		f := w.files[p]
		now := f.bytes
		if f.changed() && !f.gone {
			now = f.print()
		}
		same := string(now) == string(f.bytes)
		if f.gone || !same {
			e := plan.Edit{Path: p, Verb: plan.Update, Before: plan.DigestOf(f.bytes), After: now, Category: "memory", Title: p}
			if f.gone || len(now) == 0 {
				e.Verb, e.After = plan.Delete, nil
			}
			w.out.Plan.Edits = append(w.out.Plan.Edits, e)
		}
		if change := (FileChange{File: p, Before: lines(f.bytes), After: lines(now)}); f.gone || !same || p == memdir.Index {
			switch {
			case f.moved:
				change.After, change.Gone = 0, "merged"
			case f.gone:
				change.After, change.Gone = 0, "deleted"
			}
			w.out.Files = append(w.out.Files, change)
		}
	}
	w.out.Plan.Version = plan.Version
}

// lines counts as the client does.
func lines(b []byte) int {
	n := strings.Count(string(b), "\n")
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// circles refuses to delete statements that are each to be superseded by the other:
// nothing would be left of either.
func (w *planner) circles(answers []Answer) map[int]string {
	why := map[int]string{}
	at := map[place]int{}
	by := map[int]place{}
	for i, a := range answers {
		if a.Action != "delete" {
			continue
		}
		if s, no := w.find(a.Place); no == "" {
			at[place{s.File, s.Line}] = i
			if p, ok := w.named(a.By); ok {
				by[i] = p
			}
		}
	}
	for i := range by {
		seen := map[int]bool{}
		for j, ok := i, true; ok && !seen[j]; j, ok = next(at, by, j) {
			seen[j] = true
			if p := by[j]; at[p] == i && (p == place{answers[i].File, w.lineOf(answers[i])}) {
				why[i] = "what supersedes it is deleted as well, because of this one: one of them must stay"
				break
			}
		}
	}
	return why
}

func next(at map[place]int, by map[int]place, i int) (int, bool) {
	p, ok := by[i]
	if !ok {
		return 0, false
	}
	j, ok := at[p]
	return j, ok
}

func (w *planner) lineOf(a Answer) int {
	s, _ := w.find(a.Place)
	return s.Line
}

// named is the statement that FILE:LINE names at the beginning of a text.
func (w *planner) named(by string) (p place, ok bool) {
	word, _, _ := strings.Cut(by, " ")
	file, line, ok := strings.Cut(strings.Trim(word, "`,;()"), ".md:")
	f := w.files[file+".md"]
	if !ok || f == nil {
		return p, false
	}
	n, err := strconv.Atoi(strings.Trim(line, ":,;."))
	if err != nil {
		return p, false
	}
	for _, s := range f.said {
		if n >= s.Line && n <= s.last {
			return place{s.File, s.Line}, true
		}
	}
	return p, false
}

// answered says which calls of the sheet are answered, by number or because a
// change is of one of its statements, and how contradictions were.
func (w *planner) answered(calls []Call) {
	all := slices.Concat(w.out.Done, w.out.Kept)
	for _, call := range calls {
		var by, numbered []Change
		for _, c := range all {
			if call.about(c) {
				by = append(by, c)
			} else if c.Call == call.Number && c.Action != "heading" {
				numbered = append(numbered, c)
			}
		}
		if len(by) == 0 {
			by = numbered // a number may be a slip: what is done to the statements counts first
		}
		switch {
		case len(by) == 0:
			w.out.Open = append(w.out.Open, call)
		case call.Kind == Contradiction:
			w.out.Resolved = append(w.out.Resolved, Resolved{call, by})
		}
	}
}
