// Package shell decides what a tool call may do at a named checkpoint: nothing
// that lasts is written without a person.
//
// One pure function, [Judge], maps a [Call] to a [rules.Verdict]. Reads pass. A write to a MemPalace
// (before_mempalace_write) or into a memory store (before_memory_write) is put to the person where the
// client can show a dialog, and denied with the remedy where it cannot. Keepsake's own roads (its
// skills, its binary, the files of this session's stage) are allowed, so that a whole save asks
// nothing. What each rule says is one row of the table in package checkpoint.
//
// The package reads no clock, no environment and no disk: links, file kinds and scripts come in as
// functions of the Call and are asked for only when the judgement needs them. Shell commands are parsed
// with mvdan.cc/sh/v3/syntax; nothing is decided by a pattern over their raw text. What cannot be
// decided and names a palace asks, and so does a text that is run, in any language, if a line of it may
// write one (ADR 32). What cannot be decided and has nothing to do with a palace passes.
package shell

import (
	"strings"

	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"

	"keepsake/pkg/gate/rules"
	"keepsake/pkg/why/palace"
)

// Call is one tool call with all that the judgement may need. Only Tool and Args are required: an empty
// path or a nil function means "not known", and what is not known is never allowed.
type Call struct {
	Tool       string // tool_name as the client sent it
	Args       []byte // tool_input as the client sent it: one JSON object
	Cwd        string // the session's current directory, absolute
	Home       string // the person's home directory, absolute
	ProjectDir string // where the session was started, absolute
	Agent      string // agent_type inside a subagent
	Mode       string // permission_mode
	// ClientDir is the client's configuration directory, absolute, worked out
	// from the transcript's path and never from the environment.
	ClientDir string

	// Dialog reports whether the client shows its permission dialog to a person. If not, an ask becomes a
	// deny with the remedy.
	Dialog bool
	// Continued reports whether Keepsake itself made the agent go on at the end of a turn, and the person has
	// not prompted since. A dialog would then open under what they type, with its Yes in focus, so an ask
	// becomes a deny. It is asked only when a dialog would open; nil means no.
	Continued func() bool
	// Quiet is the person's KEEPSAKE=off: only before_mempalace_write is left.
	Quiet bool

	// PluginRoot returns the folder Keepsake is installed in, worked out from
	// the hook's own executable and never from the environment.
	PluginRoot func() string
	// Watch hears what the call runs and changes, where no road of Keepsake's allows it; nil: nobody does.
	Watch *rules.Watch
	// Stage returns this session's stage directory, or "" when it has none.
	Stage func() string
	// Own returns Keepsake's own directories: state, cache, config, approvals.
	Own func() []string
	// Base returns what one of the XDG_*_HOME variables holds, "" for none; nil means that nobody knows.
	Base func(name string) string
	// AutoMemory returns the auto memory directories that the client's settings
	// name, beside the one in ClientDir.
	AutoMemory func() []string
	// Settings returns what a person's settings have a checkpoint answer: Pass, Ask or Deny. It is
	// asked only for a checkpoint with a setting and once a rule of it matched; nil means the defaults.
	Settings func(at string) rules.Decision
	// Reorganised counts the calls after the person's last prompt that rewrote, removed, moved or
	// renamed memories, this one included. It is asked at most once, and only for such a call.
	Reorganised func() int
	// Effect returns what Keepsake would do if it were called with these arguments in a folder. The error
	// says why nobody knows. If it is nil, nobody is asked because of an effect.
	Effect func(dir string, args []string) (rules.Effect, error)
	// Palaces returns the palace roots that the environment and MemPalace's
	// own settings name, beside the well-known ones.
	Palaces func() []string
	// Resolve returns path with every symbolic link in its existing part resolved.
	Resolve func(path string) string
	// Lstat describes the file at path without following a link.
	Lstat func(path string) File
	// Twin returns the name in a memory store of the file at path, which has
	// more than one link, or "" when it is in none that is known.
	Twin func(path string) string
	// Script returns the text of a script that a command names, when it is a
	// regular file of at most 1 MiB.
	Script func(path string) (text []byte, ok bool)
	// Promotion returns what Keepsake's own program would write if it were called
	// with these arguments: promote, or save --tier why. It writes nothing.
	Promotion func(args []string) (rules.Promotion, error)
	// Near returns the titles of what is already kept and says much the same as
	// text, the closest first. An error is put before the person.
	Near func(text string) ([]string, error)
}

// Kind is the type of a [File].
type Kind uint8

// The kinds of file. Unknown is the zero Kind: nothing is allowed on it.
const (
	Unknown Kind = iota
	Absent
	Regular
	Directory
	Other // a link, a device, a pipe, a socket
)

// File is the state of one file, as far as the gate needs it.
type File struct {
	Kind  Kind
	Links int // hard links; valid when Kind is Regular
}

// Judge decides one call. It takes any Args, valid or not, and its time is linear in their size.
func Judge(c Call) rules.Verdict {
	j := judge{call: &c}
	if !c.Quiet {
		if j.drafter() {
			return j.verdict()
		}
		j.roads()
	}
	if j.found == nil {
		j.writes()
		j.breaker()
	}
	return j.verdict()
}

// judge is one judgement under way.
type judge struct {
	call  *Call
	args  gjson.Result // of an object, once parsed
	pairs []pair       // its members, once asked for
	many  bool         // there are more of them than are kept
	found *finding     // the strongest so far

	palaces, own []root // once asked for
	asked        bool   // palaces and own have been asked for
	spent        int    // bytes of shell text parsed so far
	refused      string // the text last found to be too much to parse
	folded       int    // bytes that expansions have added so far
	resolved     int    // paths whose links were resolved so far
	twins        int    // files whose links were counted so far
	paths        looked // answers to questions about paths
	scripts      map[string]script
	links        map[string]string
	kinds        map[string]File
	idle         map[syntax.LangVariant]*syntax.Parser // to be used again

	held        []holding       // what moving or removing a folder takes along, once asked for
	heldIn      string          // the directory it was asked in
	autos       []root          // auto memory directories, once asked for
	locked      []root          // the paths that the gate depends on, once asked for
	contents    int             // files whose present text was read
	indexed     map[string]bool // whether a directory has a memory's index
	reorganises string          // the command of this call that reorganises memories, or ""
	save        *rules.Command  // the allowed command of Keepsake that saves something
	promoted    []string        // the command of Keepsake that would keep something for good
}

// A finding is one rule that matched, with what it matched.
type finding struct {
	rule    rules.RuleID
	answer  rules.Decision
	subject string   // the tool, command or path
	details []string // further lines, such as wing and room
}

// addFinding keeps a finding if its answer is stronger than that of the one kept so far. Of equal answers
// it keeps before_mempalace_write, so that a yes to another checkpoint never covers it, and otherwise the
// first.
func (j *judge) addFinding(r rules.RuleID, subject string, details ...string) {
	answer := j.answer(r)
	if answer == rules.Pass {
		return
	}
	if f := j.found; f != nil && (answer < f.answer ||
		answer == f.answer && (f.rule.Rule().Checkpoint == rules.MemPalaceWrite ||
			r.Rule().Checkpoint != rules.MemPalaceWrite)) {
		return
	}
	j.found = &finding{rule: r, answer: answer, subject: subject, details: details}
}

// answer returns a rule's answer to this call: its own, or the one that the person's settings give for
// its checkpoint.
func (j *judge) answer(r rules.RuleID) rules.Decision {
	row := r.Rule()
	switch {
	case j.call.Quiet && row.Checkpoint != rules.MemPalaceWrite:
		return rules.Pass
	case row.Fixed || !rules.Settable(row.Checkpoint) || j.call.Settings == nil:
		return row.Answer
	}
	set := j.call.Settings(row.Checkpoint)
	if row.Checkpoint == rules.MemPalaceWrite {
		return max(set, row.Answer) // no setting loosens this one
	}
	return set
}

// stopped reports whether no later rule can change the verdict.
func (j *judge) stopped() bool { return j.found != nil && j.found.answer == rules.Deny }

func (j *judge) verdict() rules.Verdict {
	if j.found == nil {
		return rules.Verdict{}
	}
	r := j.found.rule.Rule()
	v := rules.Verdict{Decision: j.found.answer, Checkpoint: r.Checkpoint, Rule: r.Name}
	if v.Decision == rules.Allow {
		v.Save = j.save
		return v
	}
	v.Person = r.Answer != rules.Deny
	if v.Decision == rules.Ask && (!j.call.Dialog || noDialog(j.call.Mode, j.call.Tool, j.found.rule)) {
		v.Decision = rules.Deny
	}
	if v.Decision == rules.Ask && j.call.Continued != nil && j.call.Continued() {
		v.Decision, v.Held = rules.Deny, true
	}
	if j.found.rule == rules.RulePromote {
		return j.promotion(v)
	}
	stopped := rules.Stopped{Rule: r, Answer: v.Decision, Subject: j.found.subject, Details: j.found.details}
	if j.parse() {
		stopped.Args = j.args
	}
	if strings.HasPrefix(j.call.Tool, "mcp__") {
		stopped.Near = j.call.Near
	}
	v.Reason = stopped.Reason()
	return v
}

// writes looks for everything that stops a call.
func (j *judge) writes() {
	switch tool := j.call.Tool; {
	case strings.HasPrefix(tool, "mcp__"):
		j.mcp(tool)
	case tool == "Skill":
		j.router()
	case listed(tool, "CronCreate ScheduleWakeup SendMessage SlashCommand"): // a text that becomes a prompt
		j.prompts()
	case readsOnly(tool):
	default:
		if !j.parse() {
			j.unreadable()
			return
		}
		// The arguments of others, such as PowerShell, are searched like those of a gateway.
		if !listed(tool, writingTools) {
			j.gatewayValue("", j.args)
		}
		j.members(func(k, v gjson.Result) bool {
			switch k.Str {
			case "command":
				if v.Type == gjson.String {
					if j.call.Watch.Wants(v.Str) || !plain(v.Str, j.call.Cwd, j.call.ClientDir) {
						j.shellText(v.Str)
					}
				} else {
					j.gatewayValue("command", v)
				}
			case "file_path", "notebook_path", "path":
				j.fileTool(v.String())
			}
			return true
		})
	}
}

// readsOnly reports whether a tool is one of the client's own that write no file and run no command. All
// others are judged, and pass without a path or a command. The work of an agent or a workflow comes as
// calls of its own.
func readsOnly(tool string) bool {
	return listed(tool, `Read Glob Grep LS NotebookRead WebFetch WebSearch ToolSearch LSP
		ListMcpResourcesTool ReadMcpResourceTool Agent Task Workflow ListAgents ReportFindings StructuredOutput
		AskUserQuestion PushNotification TodoWrite TaskCreate TaskGet TaskList TaskUpdate TaskOutput TaskStop
		BashOutput KillShell EnterPlanMode ExitPlanMode EnterWorktree ExitWorktree CronList CronDelete`)
}

// writingTools are the client's own tools that run commands or write files, whose arguments are known.
const writingTools = "Bash Monitor Write Edit MultiEdit NotebookEdit"

// parse parses Args and reports whether they are one JSON object.
func (j *judge) parse() bool {
	if j.args.Exists() {
		return j.args.IsObject()
	}
	if !rules.Shallow(j.call.Args) || !gjson.ValidBytes(j.call.Args) {
		return false
	}
	j.args = gjson.ParseBytes(j.call.Args)
	return j.args.IsObject()
}

// maxPairs bounds how many members are kept: tools have a handful.
const maxPairs = 64

// A pair is one member of the arguments.
type pair struct{ key, value gjson.Result }

// members goes through the members of the parsed arguments, in their order. A
// megabyte of text in one is decoded once.
func (j *judge) members(yield func(k, v gjson.Result) bool) {
	if j.pairs == nil && !j.many {
		j.args.ForEach(func(k, v gjson.Result) bool {
			j.pairs = append(j.pairs, pair{k, v})
			j.many = len(j.pairs) > maxPairs
			return !j.many
		})
	}
	if j.many {
		j.args.ForEach(yield)
		return
	}
	for _, p := range j.pairs {
		if !yield(p.key, p.value) {
			return
		}
	}
}

// unreadable stops arguments that are no JSON object when they name a palace or
// a memory store, and lets the client refuse the others.
func (j *judge) unreadable() {
	switch text := string(j.call.Args); {
	case palace.IsNamed(text):
		j.addFinding(rules.RuleUndecided, "arguments that are not one JSON object")
	case strings.Contains(strings.ToLower(text), ".claude/memory"):
		j.addFinding(rules.RuleStoreCommand, "arguments that are not one JSON object")
	}
}

// noDialog reports whether the client's dialog is not the place to ask about a call of this tool, since
// it answers itself in this mode or does not say what is asked. Where a call writes what the client
// protects by itself (.claude, .git, start-up files and more), the client's own question takes the
// place of the hook's. Two modes answer that one without a person: bypassPermissions says yes, and auto
// has a model decide. A redirect into such a file, added to any command, is enough, and which commands
// the client takes for such writes can't be told from outside. So a call of a shell or file tool is
// denied there, with the ways to approve it; e2e/story_approval_mode_test.go has the runs. The modes
// that are known to ask are listed, and any other counts as one that does not. A file tool's dialog
// shows none of our words in any mode. Nobody would see there that a palace's own file keeps something
// for good, so that is denied. Other tools have no question of their own, and the client puts our
// question to the person.
func noDialog(mode, tool string, r rules.RuleID) bool {
	if r == rules.RulePalaceFile && tool != "Bash" && tool != "Monitor" && listed(tool, writingTools) {
		return true
	}
	if mode == "" || listed(mode, "default acceptEdits dontAsk "+planMode) || !listed(tool, writingTools) {
		return false
	}
	// What these guard is never among the client's own, and they guard against
	// mistakes, not against a way around.
	switch r.Rule().Checkpoint {
	case rules.CircuitBreaker, rules.PlanningWrite, rules.AutoMemoryWrite:
		return false
	}
	return true
}
