// Package classify puts one statement where it belongs in a directory of Markdown
// memories: by its kind and the directory's profile into a topic file, with the
// indexes above it and the daily log in step, as one plan. What is there already is
// not written again. It also finds the places that speak of a thing.
//
// It touches no files: a directory goes in, a plan comes out.
package classify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/memdir"
	"keepsake/pkg/plan"
	"keepsake/pkg/secret"
	"keepsake/pkg/text"
)

// A Note is one statement to be filed.
type Note struct {
	Text     string
	Kind     Kind   // "" to find it by the words
	Topic    string // the name of the file; "" to find it by the kind
	Title    string // "" is made of the text
	Why, How string // the reason, and how to apply it; feedback and project memories want both
	By       string // the subagent that says it; "" for none
	Replaces string // what no longer holds: file:line, or words of it
	Also     bool   // where the statement stands elsewhere, point to it from here
	Log      bool   // add a line to the daily log
}

// Did is what was done with a note.
type Did string

const (
	Created  Did = "created"  // in a new file
	Added    Did = "added"    // at the end of a file
	Updated  Did = "updated"  // below what says nearly the same, with a date
	Replaced Did = "replaced" // as the new version of what no longer holds
	Pointed  Did = "pointed"  // as a pointer to where it stands
	Already  Did = "already"  // there, word for word: at most an index that didn't lead there is written
)

// A Result is a note that was worked out.
type Result struct {
	Did  Did       `json:"status"`
	Kind Kind      `json:"kind"`
	Told string    `json:"told,omitempty"` // the word that decided the kind; "" if the caller did
	Path string    `json:"path"`           // where the statement stands, or will
	Line int       `json:"line"`           // from 1
	Near string    `json:"near,omitempty"` // file:line of what was updated, replaced or pointed to
	Plan plan.Plan `json:"-"`
	// Over are the findings of lint that the note brings with it: a file or index that
	// is too long now, or an overview that says too little.
	Over    []memdir.Finding `json:"over"`
	Secrets []string         `json:"secrets"`        // kinds of secrets that were taken out
	Wide    string           `json:"wide,omitempty"` // words that name more than one project
	Cascade []Place          `json:"mentions"`       // other places that may have to change with it
}

// A Wrong is an error about a note that can't be filed as it is, with a hint how it could be.
type Wrong struct{ Why, Hint string }

func (w *Wrong) Error() string { return w.Why + "; hint: " + w.Hint }

// A job is one note on its way.
type job struct {
	Note
	dir   memdir.Dir
	p     memdir.Profile
	m     memdir.Map
	where kindOf
	date  string
	desk  map[string]*sheet // what is changed

	replaced string // the old statement
	res      Result
}

// File works a note out. The error is *Wrong when the caller has to say it
// differently.
func File(d memdir.Dir, p memdir.Profile, n Note) (Result, error) {
	j := newJob(d, p)
	j.Note = n
	j.res = Result{Over: []memdir.Finding{}, Secrets: []string{}, Cascade: []Place{}}
	if err := j.clean(); err != nil {
		return Result{}, err
	}
	if err := j.classify(); err != nil {
		return Result{}, err
	}
	j.res.Wide = wide(j.Text)
	if err := j.write(); err != nil {
		return Result{}, err
	}
	j.res.Plan = j.plan()
	if len(j.res.Plan.Edits) == 0 {
		return j.res, nil
	}
	after := j.after()
	if err := j.check(after); err != nil {
		// the statement stands where it should, only the line that leads there can't be had
		if j.res.Did == Already {
			j.res.Plan = plan.Plan{}
			return j.res, nil
		}
		return Result{}, err
	}
	if err := j.find(after); err != nil {
		return Result{}, err
	}
	j.res.Cascade = redacted(j.cascade(after))
	return j.res, nil
}

func newJob(d memdir.Dir, p memdir.Profile) *job {
	return &job{dir: d, p: p, m: d.Map(p), date: d.Now.Format(time.DateOnly), desk: map[string]*sheet{}}
}

// clean makes every text one line without secrets.
func (j *job) clean() error {
	for _, t := range []struct {
		what string
		text *string
	}{{"the statement", &j.Text}, {"--title", &j.Title}, {"--why", &j.Why}, {"--how", &j.How}} {
		s, err := tidy(t.what, *t.text)
		if err != nil {
			return err
		}
		for _, kind := range secret.Kinds(s) {
			if !slices.Contains(j.res.Secrets, kind) {
				j.res.Secrets = append(j.res.Secrets, kind)
			}
		}
		*t.text = memdir.Absolute(secret.Redact(s), j.dir.Now)
	}
	if memdir.IsFew(j.Text) {
		return &Wrong{fmt.Sprintf("the statement %q is too short to be found again", j.Text),
			"say it in a sentence"}
	}
	if j.By != "" && !agent(j.By) {
		return &Wrong{fmt.Sprintf("--by %q is no name of an agent", j.By),
			"one word of letters, digits and -_.:, such as code-reviewer"}
	}
	if j.Topic != "" {
		name := memdir.Slug(strings.TrimSuffix(j.Topic, ".md"))
		switch {
		case name == "":
			return &Wrong{fmt.Sprintf("--topic %q has no letters", j.Topic), "a name such as tech"}
		case name == "memory" || name == "index" || dateLike(name):
			return &Wrong{fmt.Sprintf("--topic %q is the name of an index or a log", j.Topic),
				"a name such as tech"}
		}
		j.Topic = name
	}
	return nil
}

// classify finds the kind, by its name or by the words.
func (j *job) classify() error {
	if j.Kind != "" {
		k, ok := kindNamed(string(j.Kind))
		if !ok {
			return &Wrong{fmt.Sprintf("kind %q is not known", string(j.Kind)), "--kind is one of: " +
				strings.Join(KindNames(), ", ")}
		}
		j.where = k
	} else {
		k, by, tied := byWords(j.Text, j.p)
		if k.kind == "" {
			why := "no word of it says what kind of statement this is"
			if len(tied) > 0 {
				why = "its words fit " + strings.Join(tied, " and ")
			}
			return &Wrong{why, "say --kind; it is one of: " + Listing()}
		}
		j.where, j.res.Told = k, by
	}
	j.res.Kind = j.where.kind
	return nil
}

// write decides where the statement goes and puts it there.
func (j *job) write() error {
	all := j.entries()
	var same, near *entry
	text := exact(j.Text)
	for i := range all {
		if exact(all[i].text) == text && (same == nil || same.past) {
			same = &all[i]
		}
	}
	if same != nil && same.past {
		return &Wrong{"it stands at " + same.at() + " as what no longer holds",
			"say in it that it holds again, and since when"}
	}
	if j.Replaces == "" && j.Topic == "" && same == nil && !j.once() && j.dir.Alike != nil {
		for i := range all {
			if e := &all[i]; j.among(e.path) && j.dir.Alike(norm(e.text), norm(j.Text)) {
				near = e
			}
		}
	}
	switch {
	case j.Replaces != "":
		old, err := named(all, j.Replaces)
		if err != nil {
			return err
		}
		if same != nil {
			return j.already(same)
		}
		if j.m.Once(old.path) {
			return &Wrong{old.at() + " is never changed: what happened stays",
				"note it without --replaces; it becomes a file of its own"}
		}
		s := j.open(old.path)
		s.below(old, "_Updated: "+j.date+memdir.NewerMark)
		j.res.Did, j.res.Near, j.replaced = Replaced, old.at(), norm(old.text)
		if err := j.add(old.path, s); err != nil {
			return err
		}
		j.follow(old, s)
		return nil
	case same != nil && !j.Also:
		return j.already(same)
	case same != nil:
		return j.point(same)
	case near != nil:
		j.res.Did, j.res.Near = Updated, near.at()
		return j.add(near.path, j.open(near.path))
	}
	return j.file()
}

// already leaves all as it is, where the reasons stand there too.
func (j *job) already(e *entry) error {
	doc, _, _ := j.m.Doc(e.path)
	said := text.OneLine(string(doc.Print()))
	if !strings.Contains(said, j.Why) || !strings.Contains(said, j.How) {
		return &Wrong{"it stands at " + e.at() + " already, without these reasons",
			"edit that file, or note the reasons as a statement of their own"}
	}
	j.res.Did, j.res.Path, j.res.Line = Already, e.path, e.from+1
	return j.lead(e.path)
}

// file puts the statement into the file of its kind.
func (j *job) file() error {
	path, err := j.target()
	if err != nil {
		return err
	}
	if _, _, there := j.m.Doc(path); there && !j.once() {
		j.res.Did = Added
		return j.add(path, j.open(path))
	}
	j.res.Did = Created
	return j.create(path)
}

// point writes where the statement stands into the file of its kind.
func (j *job) point(e *entry) error {
	path, err := j.target()
	if err != nil {
		return err
	}
	if path == e.path {
		return j.already(e)
	}
	j.res.Near = e.at()
	j.Title = j.heading() // of the statement, not of the line that leads to it
	j.Text, j.Why, j.How = "See ["+e.path+"]("+memdir.LinkTo(path, e.path)+"): "+memdir.Cut(j.Text, 60), "",
		""
	if j.p.Types {
		return &Wrong{"it stands at " + e.at() + " already",
			"in this layout MEMORY.md is what points to it; leave --also out"}
	}
	if doc, _, there := j.m.Doc(path); there && !j.once() {
		for _, e := range entriesOf(path, doc) {
			if exact(e.text) == exact(j.Text) {
				return j.already(&e)
			}
		}
		err = j.add(path, j.open(path))
	} else {
		err = j.create(path)
	}
	j.res.Did = Pointed
	return err
}

// add puts the statement at the end of a file that is there, and the file's date
// into step.
func (j *job) add(path string, s *sheet) error {
	if s.open() {
		return fmt.Errorf("%s: ends inside a code block or a comment that is not closed, so that nothing "+
			"can be added; hint: close it first", path)
	}
	s.end(j.block(s)...)
	j.front(path, s)
	j.res.Path = path
	return j.index(path)
}

// create makes a new file with the statement.
func (j *job) create(path string) error {
	s := &sheet{}
	if err := j.body(path, s); err != nil {
		return err
	}
	j.desk[path] = s
	j.res.Path = path
	return j.index(path)
}

// open returns a file of the directory, to be changed.
func (j *job) open(path string) *sheet {
	if s := j.desk[path]; s != nil {
		return s
	}
	doc, b, there := j.m.Doc(path)
	s := &sheet{doc: doc, old: b, was: there}
	j.desk[path] = s
	return s
}

// plan returns the edits of the changed files, with the daily log.
func (j *job) plan() plan.Plan {
	if len(j.desk) == 0 {
		return plan.Plan{}
	}
	if j.Log && j.res.Did != Already {
		what := string(j.res.Did) + " " + string(j.res.Kind)
		if j.By != "" {
			what += " by " + j.By
		}
		j.log("note: " + what + " → " + j.res.Path + ": " + memdir.Cut(j.Text, 80))
	}
	var p plan.Plan
	for path, s := range j.desk {
		e := plan.Edit{Path: path, Verb: plan.Create, After: s.doc.Print(), Category: "memory",
			Title: "note: " + path}
		if s.was {
			e.Verb, e.Before = plan.Update, plan.DigestOf(s.old)
		}
		p.Edits = append(p.Edits, e)
	}
	slices.SortFunc(p.Edits, func(a, b plan.Edit) int { return cmp.Compare(a.Path, b.Path) })
	return p
}

// after returns the directory as it is after the plan.
func (j *job) after() memdir.Dir {
	d := j.dir
	d.Files = slices.Clone(d.Files)
	for _, e := range j.res.Plan.Edits {
		f := memdir.File{Path: e.Path, Bytes: e.After, Modified: d.Now}
		if i := slices.IndexFunc(d.Files, func(f memdir.File) bool { return f.Path == e.Path }); i >= 0 {
			f.Rewritten = d.Files[i].Rewritten
			d.Files[i] = f
		} else {
			d.Files = append(d.Files, f)
		}
	}
	slices.SortFunc(d.Files, func(a, b memdir.File) int { return strings.Compare(a.Path, b.Path) })
	return d
}

// size are the rules that any note may bring with it, whatever it says: something has
// grown too long, or the overview says too little of so many files.
var size = []string{"topic-long", "topic-giant", "index-long", "index-cut", "layer-long", "layer-thin"}

// check holds the directory against lint before and after: a note brings no
// finding with it, but those of size.
func (j *job) check(after memdir.Dir) error {
	before := map[[2]string]int{}
	for _, f := range memdir.Lint(j.dir, j.p) {
		before[[2]string{f.Path, f.Rule}]++
	}
	for _, f := range memdir.Lint(after, j.p) {
		key := [2]string{f.Path, f.Rule}
		if before[key]--; before[key] >= 0 {
			continue
		}
		switch {
		case slices.Contains(size, f.Rule):
			j.res.Over = append(j.res.Over, f)
		case f.Rule == "date-relative":
			return &Wrong{"the statement says " + f.Why, "write the date, such as " + j.date}
		case f.Rule == "twice-near" || f.Rule == "twice-file":
			return &Wrong{f.Path + " " + f.Why, "add it there with --topic, or say what is different"}
		default:
			return &Wrong{fmt.Sprintf("it would leave %s not in order: %s [%s]", f.Path, f.Why, f.Rule),
				"say it in other words, or with --title or --topic"}
		}
	}
	return nil
}

// errLost means that the statement isn't where it was put.
var errLost = errors.New("the statement could not be found where it was put; nothing is written")

// find sets the line on which the statement stands after the plan. It returns an error if there is none.
func (j *job) find(after memdir.Dir) error {
	doc, _, _ := after.Map(j.p).Doc(j.res.Path)
	text := exact(j.Text)
	for _, e := range entriesOf(j.res.Path, doc) {
		if exact(e.text) == text {
			j.res.Line = e.from + 1
		}
	}
	if j.res.Line == 0 {
		return errLost
	}
	return nil
}
