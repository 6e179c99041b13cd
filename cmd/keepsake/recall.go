package main

import (
	"fmt"
	"strings"

	"keepsake/pkg/brief"
	"keepsake/pkg/git"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/search/tiers"
)

type recallCmd struct {
	Query          []string `arg:"" optional:"" help:"Words to look for, or a question."`
	Tier           string   `help:"Look only there: scratch, project, where, why or markdown (default: as the question begins)." enum:",scratch,project,where,why,markdown" default:"" placeholder:"TIER"`
	Category       string   `help:"Only memories of this category." placeholder:"CATEGORY"`
	IncludeRetired bool     `help:"Also find what is retired or archived."`
	Limit          *int     `help:"Show at most this many (default: 5, with --log all)." placeholder:"N"`
	Log            bool     `help:"Say what the last 200 prompts were given, what came near, and why not more."`
	Replay         string   `help:"Say what each prompt of a transcript would have been given then, or each line of a file of prompts now." placeholder:"FILE"`
	AllLines       bool     `help:"List every line of the Markdown memories that has one of the words, as grep does."`
	JSON           bool     `help:"Print one JSON object: query, total_results, results, best first; with --log: prompts, oldest first; with --replay also text, bytes and lines of each; with --all-lines an array of path, line, text."`
}

func (recallCmd) Help() string {
	return `Finds notes of this checkout (scratch) and active memories (project) that have any of the
words, and lists what answers best first, each with its source and the sentence that answers most. Words
are found in titles, tags and texts, also in other forms of the word; identifiers whole and in parts.
Results that a prompt would not have brought by itself are marked weak and come last. Finding nothing is
no failure.

How the question begins decides what else is searched:

  - where, which file, which directory, find, locate: places in the project's files (WHERE) come first
  - why, decision, history, what did we decide: what was promoted (WHY) and decisions come first;
    notes only if none of them answers
  - anything else: files, only if neither a note nor a memory answers

A statement that nobody has written up yet is listed as heard, with its number, who said it and when.

If nothing of this is good enough, the Markdown memories (markdown) of the project and of the root scope
(scope.root) are searched. Each result has its file and line, the heading above it, and whether it is
stale: without frontmatter, or not updated for 90 days and of a kind that goes stale. A statement is shown
with its exceptions, its points and what it is a point of, and with its own date if it has one. One that was
replaced is only shown if it has more of the words than what holds now, behind that, with the day.

With --all-lines every line of the Markdown memories is listed that has one of the words, in any case and
also as the beginning of a longer word: postgres finds PostgreSQL. Several words in one argument must stand
side by side. After you changed one statement, these are the other lines that may need the same change. Daily
logs and archives are left out. As with grep, the exit code is 1 when there is no such line, and 2 for a
command that makes no sense.

With --log it looks for nothing and lists the last prompts that were looked up, oldest first: how each
began, what it was given, and what came near with the reason why it was not given. retrieval.log switches
that off.

With --replay it looks up the prompts of an earlier session in the memories and statements as they were at
each of them: what it would have been given, and how many bytes and lines that is. Each thing is given once,
as in a session. Settings, Markdown memories and the files that the client loads are those of now. The lines of
a file of prompts are looked up in what there is now. It writes nothing.

Examples:

    keepsake recall job queue
    keepsake recall 'why postgres' --limit 1
    keepsake recall where is the parser
    keepsake recall --tier scratch importer
    keepsake recall --tier markdown staging cluster
    keepsake recall --all-lines postgres 'merge freeze'
    keepsake recall --log --limit 10
    keepsake recall --replay ~/.claude/projects/-home-me-shop/0a1b.jsonl
    keepsake recall redis --include-retired --category decision --json`
}

// recallLimit is how many results are shown by default.
const recallLimit = 5

// recallJSON is the output of recall --json. The names are claude-memory's, except source and line.
type recallJSON struct {
	Query   string          `json:"query"`
	Total   int             `json:"total_results"`
	Results []answer.Result `json:"results"`
	Ask     *answer.ToSkill `json:"ask,omitempty"` // with tiers.router: the skill to ask too
}

func (v recallCmd) Run(c *call, s *session.Session) error {
	limit := recallLimit
	if v.Limit != nil {
		limit = *v.Limit
	}
	switch {
	case v.AllLines:
		c.json = v.JSON
		return v.printLines(c, s)
	case v.Replay != "":
		c.json = v.JSON
		return v.printReplay(c, s)
	case limit < 1:
		return usage("--limit %d: want 1 or more", limit)
	case v.Log:
		return v.printLog(c, s)
	case len(v.Query) == 0:
		return usage("recall: want words to look for; " +
			"keepsake recall --log says what the last prompts were given")
	}
	only, err := categories([]string{v.Category})
	if err != nil {
		return err
	}
	text := strings.Join(v.Query, " ")
	tier := answer.Tier(v.Tier)
	if tier != answer.Any && tier != answer.Project && (v.Category != "" || v.IncludeRetired) {
		return usage("--tier %s: only memories have a category and can be retired", v.Tier)
	}
	q := answer.Question{Text: text, Tier: tier, Retired: v.IncludeRetired, Limit: limit,
		Person: c.person.asks, Now: c.now()}
	if len(only) > 0 {
		q.Category = only[0]
	}
	got, err := c.backEnds(s).Recall(c.ctx, q)
	if err != nil {
		return err
	}
	c.noteHeld(got.Held)
	c.tell(text, got)
	return nil
}

// backEnds returns the back ends that answer in the tiers of a session's project.
func (c *call) backEnds(s *session.Session) answer.BackEnds {
	return answer.BackEnds{Session: s, Git: git.Run, Sibling: layout.Libexec, Warn: c.passed, Note: c.note}
}

// passed notes a file that was passed over, followed by the hint how to repair it.
func (c *call) passed(err error) {
	what, hint, is := strings.Cut(brief.Line(err.Error()), "; hint: ")
	if what += "; passed over"; is {
		what += "; hint: " + hint
	}
	c.note("%s", what)
}

// tell prints the answer to a question.
func (c *call) tell(question string, got answer.Answer) {
	weak := false
	for _, r := range got.Results {
		if r.Weak && !weak {
			c.line("weak matches, perhaps about something else:")
			weak = true
		}
		head := fmt.Sprintf("[source: %s] %s", r.Source, pathShown(r))
		if about := aboutResult(r); len(about) > 0 {
			head += " (" + strings.Join(about, ", ") + ")"
		}
		c.line("%s", head)
		snippet := r.Snippet
		if r.Source == answer.SourceHeard {
			snippet = fmt.Sprintf("%q", r.Snippet)
		} else if r.Title != "" {
			c.line("  %s", brief.Line(r.Title))
		}
		if r.Disputed != "" {
			c.line("  disputed: %s", brief.Line(r.Disputed))
		}
		if snippet != "" {
			c.line("  %s", snippet)
		}
	}
	switch {
	case got.Skill != nil:
		c.line("ask the skill %s: %s", got.Skill.Skill, brief.Line(got.Skill.Words))
	case len(got.Results) == 0:
		c.line("nothing remembered about that")
	}
	c.value(recallJSON{Query: question, Total: len(got.Results),
		Results: append([]answer.Result{}, got.Results...), Ask: got.Skill})
}

// pathShown returns where a result is found.
func pathShown(r answer.Result) string {
	switch {
	case r.Source == string(answer.Project):
		return ".claude/memory/" + brief.Line(r.Path)
	case r.Line > 0:
		return fmt.Sprintf("%s:%d", brief.Line(r.Path), r.Line)
	}
	return brief.Line(r.Path)
}

// aboutResult returns what there is to know about a result: its date, and what it is to be taken with.
func aboutResult(r answer.Result) (about []string) {
	switch r.Source {
	case answer.SourceHeard:
		state := "not written up"
		if r.OfHeld {
			state = "the memory of it waits for the user"
		}
		if r.Denied {
			state += "; something said later turns against it"
		}
		return []string{r.Said, day(r.UpdatedAt), state}
	case string(answer.Project):
		about = append(about, day(r.UpdatedAt))
		if r.Status != memory.Active {
			about = append(about, string(r.Status))
		}
		if r.Trust != "" {
			about = append(about, r.Trust)
		}
		about = append(about, r.Flags...)
		return about
	}
	if r.UpdatedAt != "" && r.Stale == "" && (r.Source != "WHERE" || r.Path == tiers.AnnotationsFile) {
		about = append(about, day(r.UpdatedAt))
	}
	if r.Stale != "" {
		about = append(about, "stale: "+brief.Line(r.Stale))
	}
	if r.Replaced != "" {
		about = append(about, "replaced "+r.Replaced)
	} else if r.Past {
		about = append(about, "from a log or an archive")
	}
	if r.SupersededBy != "" {
		about = append(about, "superseded by "+brief.Line(r.SupersededBy))
	}
	if r.Gone != "" {
		about = append(about, "stale: "+brief.Line(r.Gone)+" is gone")
	}
	return about
}
