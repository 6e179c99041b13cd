package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memdir"
	"keepsake/pkg/memdir/classify"
	"keepsake/pkg/memdir/folder"
	"keepsake/pkg/project/session"
)

type noteCmd struct {
	Text     []string `arg:"" help:"The statement; - reads it from standard input."`
	Kind     string   `help:"What it is: profile, preference, entity, event, decision, case, fix or pattern, or the client's user, feedback, project or reference (default: told by its words)." placeholder:"KIND" short:"k"`
	Topic    string   `help:"The topic file it goes to (default: by its kind)." placeholder:"NAME"`
	Title    string   `help:"The title of its entry or file (default: its first words)." placeholder:"TEXT"`
	Why      string   `help:"The reason. A new feedback or project memory needs it." placeholder:"TEXT"`
	How      string   `help:"How to apply it. A new feedback or project memory needs it." placeholder:"TEXT"`
	Replaces string   `help:"What no longer holds: some of its words, or file:line." placeholder:"OLD"`
	Also     bool     `help:"If another file has it already, point there from the file of its kind."`
	By       string   `help:"The subagent that says it." placeholder:"AGENT"`
	Root     bool     `help:"File it in the root scope, for more than this project."`
	changeFlags
}

func (noteCmd) Help() string {
	return `For a memory use keepsake remember TEXT: this is for the Markdown memories, MEMORY.md and its
files.

Files one statement where the layout of the directory wants it, with the indexes in step:

  - the client's own form: a file for each statement, with its line in MEMORY.md
  - layers (user/ and agent/): by six kinds, with INDEX.md and MEMORY.md
  - a routing table: decisions.md, debug-journal.md, patterns.md and so on, with their dates

It is one plan, which keepsake undo takes back whole, and it leaves nothing for keepsake md check to find.
Secrets are taken out.

A statement that is there word for word is not written again; if no index leads to it, it gets its line. A
statement that says nearly the same is added below the old one with a date. What no longer holds is named
with --replaces: it stays, with a note that there is a new version, and every other line that still says it is
named, MEMORY.md first. Events and cases are never changed.
Which of two statements holds is for you to say.

The kind is told by words such as "decided", "prefers" or "root cause". If none or several kinds fit,
nothing is written and the exit code is 2. After a change of agents, tools, dates or rules, the other
lines that mention it are listed.

Text that begins with a hyphen goes behind "--".

Examples:

    keepsake md note 'We decided to keep jobs in PostgreSQL' --why 'they must survive a restart' --how 'no job is kept in memory alone'
    keepsake md note --kind feedback 'Run the narrow test first' --why 'the suite takes 9 minutes' --how 'go test ./pkg/x -run Y'
    keepsake md note 'The importer moved to Redis' --kind decision --replaces decisions.md:14 --why 'rows came twice' --how 'look in Redis for what is queued'
    keepsake md note --by code-reviewer --kind reference 'The runbook of the crash of orders is docs/orders.md'
    git log -1 --format='Released: %s, for all customers' | keepsake md note --kind reference -`
}

// noteJSON is what note prints with --json.
type noteJSON struct {
	classify.Result
	Dir    string   `json:"dir"`
	Files  []string `json:"files"` // all that the plan writes
	Digest string   `json:"digest,omitempty"`
	DryRun bool     `json:"dry_run,omitempty"`
}

func (v noteCmd) Run(c *call) error {
	c.json = v.JSON
	text, err := v.text()
	if err != nil {
		return failed(err)
	}
	s, err := c.where()
	if err != nil {
		return err
	}
	dir, err := folder.Place(s, v.Root)
	if err != nil {
		return err
	}
	note := classify.Note{
		Text: text, Kind: classify.Kind(strings.ToLower(v.Kind)), Topic: v.Topic, Title: v.Title, Why: v.Why,
		How:      v.How,
		Replaces: v.Replaces, Also: v.Also, By: v.By, Log: s.KeepsLog(dir),
	}
	at := c.notesOf(s, dir)
	r, err := v.file(c, s, at, note)
	if err != nil {
		return err
	}
	out := noteJSON{Result: r, Dir: at.root, Files: r.Plan.Paths(), DryRun: v.DryRun}
	if len(r.Plan.Edits) > 0 {
		out.Digest = r.Plan.Digest()
		if !v.DryRun {
			orchestrator(c, s, v.By, r)
		}
	}
	v.tell(c, s, at, out)
	c.value(out)
	return nil
}

// text returns the statement: the arguments, or standard input for "-".
func (v noteCmd) text() (string, error) {
	if len(v.Text) != 1 || v.Text[0] != "-" {
		return strings.Join(v.Text, " "), nil
	}
	b, err := io.ReadAll(io.LimitReader(os.Stdin, classify.MaxText+1))
	return string(b), err
}

// file plans the note and writes the plan. It plans again if somebody else writes there meanwhile.
func (v noteCmd) file(c *call, s *session.Session, at place, note classify.Note) (r classify.Result,
	err error) {
	err = v.planAgain(c, at, func() error {
		f, err := c.readNotes(s, at.root)
		if err == nil {
			err = f.CheckIndex()
		}
		if err != nil {
			return err
		}
		r, err = classify.File(f.Dir, f.Profile, note)
		var wrong *classify.Wrong
		if errors.As(err, &wrong) {
			return usage("note: %w", err)
		}
		if err != nil || len(r.Plan.Edits) == 0 {
			return err
		}
		c.edits(at, r.Plan, v.changeFlags)
		return c.change(at, r.Plan, v.changeFlags)
	})
	return r, err
}

// tell prints where the statement stands, and what else its author should know.
func (v noteCmd) tell(c *call, s *session.Session, at place, out noteJSON) {
	for _, kind := range out.Secrets {
		c.note("taken out: %s", kind)
	}
	where := brief.Line(fmt.Sprintf("%s:%d", out.Path, out.Line))
	kind := string(out.Kind)
	if out.Told != "" {
		kind += ", by “" + out.Told + "”"
	}
	will := ""
	if v.DryRun {
		will = "would be "
	}
	switch out.Did {
	case classify.Already:
		c.line("stands there already: %s", where)
	case classify.Created:
		c.line("%snoted (%s) in a new file: %s", will, kind, where)
	case classify.Updated:
		c.line("%snoted (%s): %s, below %s, which says nearly the same", will, kind, where,
			brief.Line(out.Near))
		if !v.DryRun {
			c.line("if it says something else: keepsake undo last --dir %s, then say what is different",
				brief.ShellWord(at.root))
		}
	case classify.Replaced:
		c.line("%snoted (%s): %s, as the new version of %s", will, kind, where, brief.Line(out.Near))
	case classify.Pointed:
		c.line("%snoted (%s): %s points to %s", will, kind, where, brief.Line(out.Near))
	default:
		c.line("%snoted (%s): %s", will, kind, where)
	}
	if others := slices.DeleteFunc(slices.Clone(out.Files), func(p string) bool {
		return p == out.Path
	}); len(others) > 0 {
		c.line("in step with it: %s", brief.Line(strings.Join(others, ", ")))
	}
	says, most := "also mentioned in", maxAlso
	if out.Did == classify.Replaced {
		says, most = "still says what was replaced", maxStill
	}
	for i, p := range out.Cascade {
		if i == most {
			c.line("and %s more; keepsake recall --all-lines WORD lists them",
				count(len(out.Cascade)-i, "place"))
			break
		}
		c.line("%s: %s", says, mentioned(p))
	}
	for _, f := range out.Over {
		how := ""
		if f.Fixable {
			how = "; keepsake md fix mends it"
		}
		c.note("%s: %s%s", brief.Line(f.Path), brief.Line(f.Why), how)
	}
	if out.Wide != "" && !v.Root {
		c.line("“%s”: if it concerns more than this project, note it again with --root", out.Wide)
	}
	if !v.DryRun && len(out.Files) > 0 && !slices.Contains(out.Files, memdir.Index) &&
		folder.Unindexed(at.root) {
		c.note("there is no %s, so that no session knows of these memories; keepsake md fix makes one",
			memdir.Index)
	}
}

// maxAlso is how many mentions of the same thing a note prints.
const maxAlso = 10

// maxStill is how many lines are printed that still say what a note replaced.
const maxStill = 50

// mentioned returns a place and its text on one line.
func mentioned(p classify.Place) string {
	return fmt.Sprintf("%s:%d: %s", brief.Line(p.Path), p.Line,
		cut(brief.Line(strings.TrimSpace(p.Text)), 160))
}

// readNotes reads a directory of Markdown memories; one that isn't there is empty.
func (c *call) readNotes(s *session.Session, dir string) (folder.Folder, error) {
	f, err := folder.OpenNotes(s, dir, c.now())
	c.passedOver(f)
	return f, err
}

// orchestrator notes in the session's state what a subagent has written, so that the agent that started
// it is told.
func orchestrator(c *call, s *session.Session, by string, r classify.Result) {
	if by == "" || !inside(s) {
		return
	}
	err := s.Update(func(st *stage.State) error {
		st.Note(stage.Noted{By: by, Paths: []string{r.Path}})
		return nil
	})
	if err != nil {
		c.note("the agent that started %s is not told: %v", by, err)
	}
}
