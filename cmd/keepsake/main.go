// Keepsake is the command line of the plugin: what skills run, and what a
// person types to see what is remembered. The agent's save is
//
//	keepsake plan           drafts on the stage become a plan, printed with its digest
//	keepsake apply DIGEST   exactly that plan is written
//
// It opens no network connection, reads no credentials, and writes memories
// only through store.Apply.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

func main() {
	cwd, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(os.Stderr, "keepsake: %v\nhint: cd to a folder that is there\n", err)
		os.Exit(exitFailed)
	}
	os.Exit(run(&call{
		ctx: newInterruptible(), args: os.Args[1:], cwd: cwd, now: time.Now,
		voice: voice{out: os.Stdout, err: os.Stderr}, person: atTerminal(),
	}))
}

// call is one invocation.
type call struct {
	voice
	ctx  context.Context
	args []string
	cwd  string
	now  func() time.Time

	person // who answers for the person

	session, project string // --session, --project; "" when not given
}

// cli is the command line.
type cli struct {
	flags
	verbs
}

// verbs has one field per verb, in the order help shows them.
type verbs struct {
	List       listCmd       `cmd:"" group:"look" help:"List the project's memories."`
	Recall     recallCmd     `cmd:"" group:"look" help:"Find notes, memories, drawers and places by words."`
	Show       showCmd       `cmd:"" group:"look" help:"Show one memory or drawer whole."`
	History    historyCmd    `cmd:"" group:"look" help:"List the plans that changed a memory."`
	Status     statusCmd     `cmd:"" group:"look" help:"Show what is staged, what waits and what is stored."`
	Handoff    handoffCmd    `cmd:"" group:"look" help:"Say where the work stands, and leave a note for the next session."`
	Tiers      tiersCmd      `cmd:"" group:"look" help:"Say what answers in each tier, why, and how to change it."`
	Remember   rememberCmd   `cmd:"" group:"note" help:"Keep one thing as a memory of the project."`
	Save       saveCmd       `cmd:"" group:"note" help:"Note something for the rest of the work, outside of the memories."`
	Promote    promoteCmd    `cmd:"" group:"note" help:"Keep notes for good, once a person has said yes."`
	Candidates candidatesCmd `cmd:"" group:"note" help:"Put what a memory-keeper proposes on your inbox."`
	Note       noteCmd       `cmd:"" group:"memdir" help:"File one statement in the Markdown memories of this project."`
	Mentions   mentionsCmd   `cmd:"" group:"memdir" help:"List the lines of the Markdown memories that speak of something."`
	Lint       lintCmd       `cmd:"" group:"memdir" help:"Check a directory of Markdown memories and its MEMORY.md."`
	Fmt        fmtCmd        `cmd:"" group:"memdir" help:"Mend by rule what lint finds in a directory of Markdown memories."`
	Tidy       tidyCmd       `cmd:"" group:"memdir" help:"Decide what no rule can about a directory of Markdown memories."`
	Upkeep     upkeepCmd     `cmd:"" group:"memdir" help:"Archive old daily logs and finished topics of the Markdown memories."`
	Snapshot   snapshotCmd   `cmd:"" group:"memdir" help:"Say which of the client's memory files were deleted, and bring them back."`
	Lesson     lessonCmd     `cmd:"" group:"memdir" help:"Keep what a correction, a failure or a surprise taught."`
	Board      projectCmd    `cmd:"" group:"memdir" name:"project" help:"Say where projects stand: status, deadline, progress, open items."`
	Inbox      inboxCmd      `cmd:"" group:"answer" help:"List all that waits for you; change it or put it off."`
	Review     reviewCmd     `cmd:"" group:"answer" help:"Show what waits for you, whole, and answer it."`
	Approve    approveCmd    `cmd:"" group:"answer" help:"Approve stopped calls, once each, and promote candidates."`
	Reject     rejectCmd     `cmd:"" group:"answer" help:"Reject stopped calls, candidates or failed drafts."`
	Approvals  approvalsCmd  `cmd:"" group:"answer" help:"List what the gate stopped and what you answered."`
	Undo       undoCmd       `cmd:"" group:"life" help:"Bring back what the memories said before a plan."`
	Retire     retireCmd     `cmd:"" group:"life" help:"Take a memory out of what is recalled."`
	Forget     forgetCmd     `cmd:"" group:"life" help:"Take one memory or finding back; delete it for good, if you say so."`
	Restore    restoreCmd    `cmd:"" group:"life" help:"Make a retired memory active again."`
	Archive    archiveCmd    `cmd:"" group:"life" help:"Put a memory away for good."`
	Unarchive  unarchiveCmd  `cmd:"" group:"life" help:"Make an archived memory active again."`
	Gc         gcCmd         `cmd:"" group:"life" help:"Collect what was retired long ago, and retire what is over the limits."`
	Triage     triageCmd     `cmd:"" group:"save" help:"Read the session afresh and stage what is worth keeping."`
	Plan       planCmd       `cmd:"" group:"save" help:"Turn the drafts on the stage into a plan, and print it with its digest."`
	Apply      applyCmd      `cmd:"" group:"save" help:"Write exactly the plan with this digest."`
	Commit     commitCmd     `cmd:"" group:"save" help:"Plan and apply in one."`
	Draft      draftCmd      `cmd:"" group:"save" help:"Make drafts from the staged quotes themselves, without a model."`
	Digest     digestCmd     `cmd:"" group:"save" help:"Have a small model judge what may be worth keeping of earlier sessions."`
	Import     importCmd     `cmd:"" group:"team" help:"Bring memories in from elsewhere."`
	Export     exportCmd     `cmd:"" group:"team" help:"Print the memories in another form."`
	GitSetup   gitSetupCmd   `cmd:"" group:"team" name:"git-setup" help:"Put the memories under git, for a team."`
	Merge      mergeCmd      `cmd:"" group:"team" help:"Join two versions of a memory; git runs this."`
	Doctor     doctorCmd     `cmd:"" group:"care" help:"Check this installation and say how to mend what is wrong."`
	Audit      auditCmd      `cmd:"" group:"care" help:"Look for secrets in all that Keepsake stored, and take them out."`
	Config     configCmd     `cmd:"" group:"care" help:"Show and change settings."`
	Gate       gateCmd       `cmd:"" group:"care" help:"Say what the gate does with a tool call, and explain its rules."`
	Log        logCmd        `cmd:"" group:"care" help:"Show what Keepsake did, and what looks wrong."`
	Index      indexCmd      `cmd:"" group:"care" help:"Check, rebuild or describe what is derived from the memories."`
	Version    versionCmd    `cmd:"" group:"care" help:"Print the version."`
}

// exited carries the code of a kong exit (help was printed) up to run.
type exited int

// run does one call and returns its exit code.
func run(c *call) (code int) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited:
			code = int(r)
		default:
			// A panic's own exit code is 2, which would read as "used wrongly".
			c.note("internal error: %v", r)
			fmt.Fprintf(c.err, "hint: nothing half-written is left behind; please report this\n")
			code = exitFailed
		}
	}()

	root, given, verb := grammarOf(c.args)
	parser := kong.Must(root, verb,
		kong.Name("keepsake"),
		kong.Description("A memory for coding agents: noticed automatically, written through one door."),
		kong.Help(help),
		kong.Writers(c.out, c.err),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100, NoAppDescFormat: true}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "look", Title: "Look:"}, {Key: "note", Title: "Note:"}, {Key: "memdir", Title: "Markdown memories (MEMORY.md and its files):"},
			{Key: "answer", Title: "Answer what waits:"}, {Key: "life", Title: "Change what is remembered:"}, {Key: "save", Title: "Save, step by step:"},
			{Key: "team", Title: "Share:"}, {Key: "care", Title: "Care:"},
		}),
	)
	args := c.args
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		c.trouble(err, []string{"keepsake --help lists the verbs, keepsake VERB --help explains one"}, exitUsage)
		return exitUsage
	}
	c.session, c.project = given.Session, given.Project
	err = parsed.Run(c)
	code, hints := codeOf(err)
	if errors.Is(err, context.Canceled) { // Go's words for Ctrl-C
		err = errors.New(strings.ReplaceAll(err.Error(), context.Canceled.Error(), "interrupted"))
	}
	if err != nil {
		c.trouble(err, hints, code)
	}
	return code
}

// help prints kong's page, and the exit codes below the one that lists the verbs.
func help(o kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(o, ctx); err != nil || ctx.Selected() != nil {
		return err
	}
	_, err := fmt.Fprintf(ctx.Stdout, "\n%s", exitTable())
	return err
}

// usage returns an error with exit code 2: the command line makes no sense.
func usage(format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...), nil}
}
