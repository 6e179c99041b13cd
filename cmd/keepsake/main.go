// Keepsake is the command line of the plugin: what skills run, and what a
// person types to see what is remembered. The agent's save is
//
//	keepsake records plan           drafts on the stage become a plan, printed with its digest
//	keepsake records apply DIGEST   exactly that plan is written
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

	"keepsake/pkg/project/session"
)

func main() {
	session.GrowStack()
	cwd, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(os.Stderr, "keepsake: %v\nhint: cd to a folder that is there\n", err)
		os.Exit(exitFailed)
	}
	os.Exit(run(&call{
		ctx: newInterruptible(), args: os.Args[1:], cwd: cwd, now: time.Now,
		voice:  voice{out: os.Stdout, err: os.Stderr, colour: coloured(os.Stdout)},
		person: atTerminal(),
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

	session, project string       // --session, --project; "" when not given
	named            session.Call // the session that the client names on standard input; zero for none

	opened []*session.Session // those of this call
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

	parser, given := c.parser(c.args)
	args := c.args
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		var wrong *kong.ParseError
		if errors.As(err, &wrong) {
			parsed = wrong.Context
		}
		hints := []string{helpHint(parsed)}
		if verb := meantVerb(args[0]); verb != "" {
			hints = append([]string{"did you mean keepsake " + verb + "?"}, hints...)
		}
		c.trouble(err, hints, exitUsage)
		c.sayUsage(parsed)
		return exitUsage
	}
	c.session, c.project, c.json = given.Session, given.Project, asksJSON(parsed)
	if err = halfWritten(parsed); err == nil {
		err = parsed.Run(c)
	}
	c.identify()
	code, hints := codeOf(err)
	hints = append(hints, sandboxHints(err)...)
	if errors.Is(err, context.Canceled) { // Go's words for Ctrl-C
		err = errors.New(strings.ReplaceAll(err.Error(), context.Canceled.Error(), "interrupted"))
	}
	if err != nil {
		c.trouble(err, hints, code)
		if told := (quiet{}); code == exitUsage && !errors.As(err, &told) {
			c.sayUsage(parsed)
		}
	}
	return code
}

// parser returns the reader of a command line, and the flags that it fills.
func (c *call) parser(args []string) (*kong.Kong, *flags) {
	root, given, options := grammarOf(args)
	return kong.Must(root, append(options,
		kong.Name("keepsake"),
		kong.Description("A memory for coding agents that asks before it keeps anything for good."),
		kong.Help(help),
		kong.Writers(c.out, c.err),
		kong.BindToProvider(c.where), // for verbs whose Run takes a session
		kong.BindToProvider(c.stagedSaver),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100, NoAppDescFormat: true,
			NoExpandSubcommands: true}),
		kong.ExplicitGroups([]kong.Group{
			{Key: "day", Title: c.in(bold, "Every day:")},
			{Key: "more", Title: c.in(bold, "Groups (keepsake help GROUP lists its verbs):")},
		}),
	)...), given
}

// asksJSON reports whether a command line has the flag --json of its verb.
func asksJSON(parsed *kong.Context) bool {
	flag := parsed.Selected().Target.FieldByName("JSON")
	return flag.IsValid() && flag.Bool()
}

// helpHint returns a hint to the help of the verb that a command line names, or to the list of all verbs
// if it names none.
func helpHint(parsed *kong.Context) string {
	if parsed == nil || parsed.Selected() == nil {
		return "keepsake --help lists the verbs, keepsake help VERB explains one"
	}
	return "keepsake help " + parsed.Selected().Path() + " explains it"
}

// sayUsage prints the usage of the verb that a command line names.
func (c *call) sayUsage(parsed *kong.Context) {
	if parsed != nil && parsed.Selected() != nil {
		fmt.Fprintf(c.err, "usage: keepsake %s\n", parsed.Selected().Summary())
	}
}

type helpCmd struct {
	Verb []string `arg:"" optional:"" help:"A verb or a group, such as list or md fix (default: all)."`
}

func (helpCmd) Help() string {
	return `Explains a verb, or lists the verbs of a group. Without one it lists what people use every
day, and the groups.

Examples:

    keepsake help remember
    keepsake help md fix`
}

func (v helpCmd) Run(c *call) error {
	asked := *c
	asked.args = append(v.Verb, "--help")
	if code := run(&asked); code != exitDone {
		return quiet{code}
	}
	return nil
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
