package main

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"keepsake/pkg/verbs"
)

// cli is the command line.
type cli struct {
	flags
	Version kong.VersionFlag `help:"Print the version."`
	commands
}

// flags are those that all verbs have.
type flags struct {
	Session string `help:"Session to work for (default: the one this runs in, else the project's latest with staged work)." placeholder:"ID"`
	Project string `help:"A folder of the project (default: the session's project, else the one around the working directory)." placeholder:"DIR" type:"existingdir"`
}

// commands has one field for each everyday verb and each group, in the order of help. What
// an agent may do with each verb stands in package verbs, and so does its earlier spelling.
type commands struct {
	Init     initCmd     `cmd:"" group:"day" help:"The first day: find what earlier sessions said that is worth keeping."`
	Remember rememberCmd `cmd:"" group:"day" help:"Keep one thing as a memory of the project."`
	Recall   recallCmd   `cmd:"" group:"day" help:"Find notes, memories, drawers and places by words."`
	List     listCmd     `cmd:"" group:"day" help:"List the project's memories."`
	Show     showCmd     `cmd:"" group:"day" help:"Show one memory or drawer whole."`
	Forget   forgetCmd   `cmd:"" group:"day" help:"Take one memory or finding back, or delete it for good."`
	Inbox    inboxCmd    `cmd:"" group:"day" help:"List all that waits for you; change it or put it off."`
	Review   reviewCmd   `cmd:"" group:"day" help:"Show what waits for you, whole, and answer it."`
	Undo     undoCmd     `cmd:"" group:"day" help:"Bring back what the memories said before a plan."`
	Status   statusCmd   `cmd:"" group:"day" help:"Show what is staged, what waits and what is stored."`
	Stats    statsCmd    `cmd:"" group:"day" help:"Show day by day what memory cost, and what it brought."`
	Report   reportCmd   `cmd:"" group:"day" help:"Write a page to look through: all memories, what replaced what, how old, what they cost."`
	Doctor   doctorCmd   `cmd:"" group:"day" help:"Check this installation and say how to mend what is wrong."`
	Config   configCmd   `cmd:"" group:"day" help:"Show and change settings."`
	Help     helpCmd     `cmd:"" group:"more" help:"Explain a verb, or list the verbs of a group."`
	Link     linkCmd     `cmd:"" group:"more" help:"Put keepsake on your PATH, or take it away again."`

	Notes   notesGroup   `cmd:"" group:"more" help:"Notes for the work at hand; keep some of them for good."`
	MD      mdGroup      `cmd:"" group:"more" name:"md" help:"The Markdown memories: MEMORY.md and its files."`
	Records recordsGroup `cmd:"" group:"more" help:"The life of memories, saving step by step, import and export."`
	Board   projectCmd   `cmd:"" group:"more" name:"project" help:"Say where projects stand: status, deadline, progress, open items."`
	Gate    gateCmd      `cmd:"" group:"more" help:"Say what the gate does with a tool call, and explain its rules."`
	Guard   guardGroup   `cmd:"" group:"more" help:"Let a rule of yours act: tell the agent, ask you, or stop a call."`
	MCP     mcpCmd       `cmd:"" group:"more" name:"mcp" help:"Serve the memory to an agent that speaks MCP; its client starts this."`
	Team    teamGroup    `cmd:"" group:"more" help:"Share the memories by git."`
	Dev     devGroup     `cmd:"" group:"more" help:"The log of what Keepsake did, measuring its judgement, shell completions, manual pages."`
}

type notesGroup struct {
	Save       saveCmd       `cmd:"" help:"Note something for the rest of the work, outside of the memories."`
	Promote    promoteCmd    `cmd:"" help:"Keep notes for good, once a person has said yes."`
	Candidates candidatesCmd `cmd:"" help:"Put what a memory-keeper proposes on your inbox."`
	Handoff    handoffCmd    `cmd:"" help:"Say where the work stands, and leave a note for the next session."`
	Tiers      tiersCmd      `cmd:"" help:"Say what answers in each tier, why, and how to change it."`
}

type mdGroup struct {
	Check    checkCmd    `cmd:"" help:"Count what is wrong with a directory of Markdown memories, by rule."`
	Lint     lintCmd     `cmd:"" hidden:"" help:"Check a directory of Markdown memories and its MEMORY.md."`
	Fix      fmtCmd      `cmd:"" help:"Mend what a rule can in a directory of Markdown memories."`
	Tidy     tidyCmd     `cmd:"" help:"Judge what no rule can mend in a directory of Markdown memories."`
	Upkeep   upkeepCmd   `cmd:"" help:"Archive old daily logs and finished topics of the Markdown memories."`
	Note     noteCmd     `cmd:"" help:"File one statement in the Markdown memories of this project."`
	Snapshot snapshotCmd `cmd:"" help:"Say which of the client's memory files were deleted, and bring them back."`
	Lesson   lessonCmd   `cmd:"" help:"Keep what a correction, a failure or a surprise taught."`
}

type recordsGroup struct {
	History   historyCmd      `cmd:"" help:"List the plans that changed a memory."`
	Retire    retireCmd       `cmd:"" help:"Take a memory out of what is recalled."`
	Restore   restoreCmd      `cmd:"" help:"Make a retired memory active again."`
	Archive   archiveCmd      `cmd:"" help:"Put a memory away for good."`
	Unarchive unarchiveCmd    `cmd:"" help:"Make an archived memory active again."`
	Gc        gcCmd           `cmd:"" help:"Collect what was retired long ago, and retire what is over the limits."`
	Check     recordsCheckCmd `cmd:"" help:"Look whether what memories rest on still holds."`
	Blame     blameCmd        `cmd:"" help:"Find the commit that broke a check of a memory."`
	Triage    triageCmd       `cmd:"" help:"Read the session afresh and stage what is worth keeping."`
	Draft     draftCmd        `cmd:"" help:"Make drafts from the staged quotes themselves, without a model."`
	Plan      planCmd         `cmd:"" help:"Turn the drafts on the stage into a plan, and print it with its digest."`
	Apply     applyCmd        `cmd:"" help:"Write exactly the plan with this digest."`
	Commit    commitCmd       `cmd:"" help:"Plan and apply in one."`
	Digest    digestCmd       `cmd:"" help:"Have a small model judge what earlier sessions said that may be worth keeping."`
	Import    importCmd       `cmd:"" help:"Bring memories in from elsewhere."`
	Export    exportCmd       `cmd:"" help:"Print the memories in another form."`
	Index     indexCmd        `cmd:"" help:"Check, rebuild or describe what is derived from the memories."`
	Audit     auditCmd        `cmd:"" help:"Look for secrets in all that Keepsake stored, and take them out."`
}

type teamGroup struct {
	GitSetup gitSetupCmd `cmd:"" name:"git-setup" help:"Put the memories under git, for a team."`
	Sign     signCmd     `cmd:"" help:"Approve memories for your team, with your SSH key."`
	Merge    mergeCmd    `cmd:"" help:"Join two versions of a memory; git runs this."`
}

type devGroup struct {
	Log        logCmd        `cmd:"" help:"Show what Keepsake did, and what looks wrong."`
	Eval       evalCmd       `cmd:"" help:"Measure the judgement on data with known answers."`
	Triage     learnedGroup  `cmd:"" help:"Show what your answers taught the judgement in this project, and forget it."`
	SelfCheck  selfCheckCmd  `cmd:"" name:"self-check" help:"Check the programs of this installation against the release."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Completion completionCmd `cmd:"" help:"Print a completion script for your shell."`
	Man        manCmd        `cmd:"" help:"Print the manual page of keepsake or of one verb."`
}

// grammarOf returns the model of the command line for these arguments: the flags, and the verb with which
// they begin, or all verbs. Kong takes a millisecond and a half to parse the model of all verbs, more
// than most verbs take to run.
func grammarOf(args []string) (root any, f *flags, options []kong.Option) {
	if len(args) > 0 {
		if command, known := commandOf(args[0]); known {
			f = new(flags)
			return f, f, []kong.Option{command.as(args[0], args[1:])}
		}
	}
	all := new(cli)
	for word := range earlierWords() {
		command, _ := commandOf(word)
		options = append(options, command.as(word, nil, `hidden:"" group:"more"`))
	}
	return all, &all.flags, append(options, kong.Vars{"version": self().String()})
}

// earlierWords returns the words that began the command line in earlier spellings, each once.
func earlierWords() map[string]bool {
	words := map[string]bool{}
	for _, v := range verbs.All() {
		if word, _, _ := strings.Cut(v.Old, " "); word != "" {
			words[word] = true
		}
	}
	return words
}

// meantVerb returns the verb whose earlier spelling begins with a word that was mistyped, "" for none.
// Of the spellings that help shows kong says so.
func meantVerb(word string) string {
	if _, known := commandOf(word); known {
		return ""
	}
	for _, v := range verbs.All() {
		if first, rest, _ := strings.Cut(v.Old, " "); first != "" && isTypo(word, first) {
			return strings.TrimSuffix(v.Name, " "+rest)
		}
	}
	return ""
}

// isTypo reports whether two words differ in one letter that is missing, added or another one, or in two
// that changed places.
func isTypo(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return a != "" && a[1:] == b || b != "" && b[1:] == a || a != "" && b != "" && a[1:] == b[1:] ||
		len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}

// command is a field of the grammar that is a verb or a group of verbs.
type command reflect.StructField

// commandOf returns the command that a first word names, now or in an earlier spelling.
func commandOf(word string) (command, bool) {
	if f, ok := commandNamed(reflect.TypeFor[commands](), word); ok {
		return f, true
	}
	for _, v := range verbs.All() {
		first, rest, _ := strings.Cut(v.Old, " ")
		if first != word || word == "" {
			continue
		}
		names := strings.Fields(v.Name)
		t, f, ok := reflect.TypeFor[commands](), command{}, false
		for _, name := range names[:len(names)-len(strings.Fields(rest))] {
			if f, ok = commandNamed(t, name); !ok {
				break
			}
			t = f.Type
		}
		return f, ok
	}
	return command{}, false
}

// commandNamed returns the command of a group that has a name.
func commandNamed(group reflect.Type, name string) (command, bool) {
	for i := range group.NumField() {
		if f := command(group.Field(i)); f.isCommand() && f.name() == name {
			return f, true
		}
	}
	return command{}, false
}

func (f command) isCommand() bool {
	_, is := f.Tag.Lookup("cmd")
	return is
}

// name returns the name by which the command line knows a command.
func (f command) name() string {
	return cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name))
}

// as returns the option that adds a command to the model under a name. If the arguments name one verb of
// its group, the others are left out.
func (f command) as(name string, args []string, tags ...string) kong.Option {
	return kong.DynamicCommand(name, f.Tag.Get("help"), "", reflect.New(narrowed(f.Type, args)).Interface(),
		tags...)
}

// narrowed returns the type of a command. If the arguments begin with one of its verbs, the type has only
// this verb.
func narrowed(group reflect.Type, args []string) reflect.Type {
	if len(args) == 0 {
		return group
	}
	f, ok := commandNamed(group, args[0])
	if !ok {
		return group
	}
	f.Type, f.Offset, f.Index = narrowed(f.Type, args[1:]), 0, nil
	return reflect.StructOf([]reflect.StructField{reflect.StructField(f)})
}
