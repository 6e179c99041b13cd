package gate

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/memory"
)

const stageDir = "/run/user/1000/.keepsake-staging-0123456789ab/sid"

// TestRoads: what a save needs is allowed, and nothing that only looks like it.
func TestRoads(t *testing.T) {
	bash := func(cmd string) func(*Call) {
		return func(c *Call) { c.Tool, c.Args = "Bash", mustJSON(t, map[string]string{"command": cmd}) }
	}
	file := func(tool, path string) func(*Call) {
		return func(c *Call) {
			c.Tool, c.Args = tool, mustJSON(t, map[string]string{"file_path": path, "content": "{}"})
		}
	}
	skill := func(name string) func(*Call) {
		return func(c *Call) { c.Tool, c.Args = "Skill", mustJSON(t, map[string]string{"skill": name, "args": "x"}) }
	}
	plan := func(f func(*Call)) func(*Call) { return func(c *Call) { f(c); c.Mode = "plan" } }
	asked := func(f func(*Call)) func(*Call) {
		return func(c *Call) {
			f(c)
			c.Settings = func(cp string) Decision { return map[bool]Decision{true: Ask, false: Pass}[cp == AutoMemoryWrite] }
		}
	}
	agent := func(a string, f func(*Call)) func(*Call) { return func(c *Call) { f(c); c.Agent = a } }
	with := func(f, g func(*Call)) func(*Call) { return func(c *Call) { f(c); g(c) } }
	const bin = "/opt/keepsake/bin/keepsake"
	const three = "Category: decision\nContext file: " + stageDir + "/context-decision.txt\nOutput: " + stageDir + "/intent-decision.json"
	start := func(change map[string]any) func(*Call) {
		args := map[string]any{"subagent_type": Drafter, "description": "Draft a decision", "prompt": three}
		maps.Copy(args, change)
		return func(c *Call) { c.Tool, c.Args = "Agent", mustJSON(t, args) }
	}

	for name, tc := range map[string]struct {
		call func(*Call)
		want Decision
	}{
		"our skill":                 {skill("keepsake:save"), Allow},
		"our other skill":           {skill("keepsake:recall"), Allow},
		"a skill that is no skill":  {skill("keepsake:evil"), Pass},
		"a skill without our name":  {skill("save"), Pass},
		"another plugin's skill":    {skill("other:save"), Pass},
		"a skill that writes, plan": {plan(skill("keepsake:save")), Pass},
		"a skill that reads, plan":  {plan(skill("keepsake:recall")), Allow},
		"the handoff":               {skill("keepsake:handoff"), Allow},
		"the handoff, promote":      {func(c *Call) { c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:handoff","args":"promote"}`) }, Allow},
		"the router, to save":       {func(c *Call) { c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:memory-router","args":"save x"}`) }, Ask},
		"the notes, to save why": {func(c *Call) {
			c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:memory","args":"save --tier why x"}`)
		}, Allow},
		"the notes of another plugin": {func(c *Call) {
			c.Tool, c.Args = "Skill", []byte(`{"skill":"mddesign:memory","args":"save --tier why x"}`)
		}, Ask},
		"the router":                  {skill("keepsake:memory-router"), Allow},
		"the router, plan":            {plan(skill("keepsake:memory-router")), Allow},
		"handoff catchup, plan":       {plan(bash(bin + " handoff catchup")), Allow},
		"handoff promote":             {bash(bin + " handoff promote --resume 'asking Ann'"), Allow},
		"handoff promote, plan":       {plan(bash(bin + " handoff promote")), Pass},
		"handoff, else":               {bash(bin + " handoff write"), Pass},
		"handoff of another":          {bash(bin + " handoff promote --project /x"), Pass},
		"plan":                        {bash(bin + " plan"), Allow},
		"plan --partial":              {bash(bin + " plan --partial"), Allow},
		"apply":                       {bash(bin + " apply 0123abcd"), Allow},
		"triage":                      {bash(bin + " triage --category decision"), Allow},
		"triage joined":               {bash(bin + " triage --category=decision"), Allow},
		"index validate":              {plan(bash(bin + " index validate --json")), Allow},
		"index rebuild":               {bash(bin + " index rebuild"), Allow},
		"index rebuild, plan":         {plan(bash(bin + " index rebuild")), Pass},
		"index without a verb":        {bash(bin + " index"), Pass},
		"recall quoted":               {bash(bin + " recall 'why postgres?'"), Allow},
		"the inbox":                   {bash(bin + " inbox"), Allow},
		"the inbox as JSON":           {bash(bin + " inbox --json"), Allow},
		"the inbox, edited":           {bash(bin + " inbox edit c4k2zq"), Pass},
		"the inbox, put off":          {bash(bin + " inbox --json later c4k2zq"), Pass},
		"a document of candidates":    {bash(bin + " candidates /etc/passwd"), Pass},
		"which back ends":             {bash(bin + " tiers --json"), Allow},
		"recall double quoted":        {bash(bin + ` recall "why postgres"`), Allow},
		"path quoted":                 {bash(`"` + bin + `" list`), Allow},
		"list json":                   {bash(bin + " list --json"), Allow},
		"list, plan mode":             {plan(bash(bin + " list")), Allow},
		"apply, plan mode":            {plan(bash(bin + " apply 0123abcd")), Pass},
		"commit, plan mode":           {plan(bash(bin + " commit")), Pass},
		"save":                        {bash(bin + " save 'use Postgres'"), Allow},
		"save, tier":                  {bash(bin + " save --tier scratch x"), Allow},
		"save, tier joined":           {bash(bin + " save x --tier=scratch"), Allow},
		"save, text like an option":   {bash(bin + " save -- --tier why"), Allow},
		"save, plan mode":             {plan(bash(bin + " save x")), Pass},
		"save why":                    {bash(bin + " save --tier why x"), Ask},
		"save why, joined":            {bash(bin + " save x --tier=why"), Ask},
		"save why, twice":             {bash(bin + " save x --tier=scratch --tier why"), Ask},
		"save where":                  {bash(bin + " save --tier where x"), Allow},
		"save where, joined":          {bash(bin + " save --tier=where 'retry logic: pkg/http/retry.go'"), Allow},
		"save where, then why":        {bash(bin + " save --tier=where --tier why x"), Ask},
		"save where, no tier":         {bash(bin + " save --tier nowhere x"), Pass},
		"save, no tier said":          {bash(bin + " save x --tier"), Pass},
		"save, another project":       {bash(bin + " save x --project /p"), Pass},
		"bare name":                   {bash("keepsake plan"), Pass},
		"relative":                    {bash("./bin/keepsake plan"), Pass},
		"another root":                {bash("/tmp/keepsake/bin/keepsake plan"), Pass},
		"no verb":                     {bash(bin), Pass},
		"option first":                {bash(bin + " --json list"), Pass},
		"unknown verb":                {bash(bin + " destroy"), Pass},
		"gc":                          {bash(bin + " gc"), Pass},
		"fmt, shown":                  {plan(bash(bin + " fmt -d --profile table")), Allow},
		"fmt, shown of any folder":    {bash(bin + " fmt -d /home/u/notes"), Pass},
		"fmt, both":                   {bash(bin + " fmt -d -w"), Pass},
		"fmt, in one":                 {bash(bin + " fmt -dw"), Pass},
		"fmt":                         {bash(bin + " fmt -w"), Pass},
		"upkeep, shown":               {plan(bash(bin + " upkeep -d")), Allow},
		"upkeep":                      {bash(bin + " upkeep -w"), Pass},
		"snapshots":                   {plan(bash(bin + " snapshot")), Allow},
		"snapshot, what is gone":      {bash(bin + " snapshot diff 3"), Allow},
		"snapshot, brought back":      {bash(bin + " snapshot restore billing.md"), Pass},
		"snapshot restore, asked":     {asked(bash(bin + " snapshot restore billing.md")), Ask},
		"snapshot diff, asked":        {asked(bash(bin + " snapshot diff")), Allow},
		"snapshot, shown, asked":      {asked(bash(bin + " snapshot restore --dry-run")), Allow},
		"undo, asked":                 {asked(bash(bin + " undo last")), Ask},
		"undo, shown, asked":          {asked(bash(bin + " undo last --dry-run")), Allow},
		"snapshot, only shown":        {bash(bin + " snapshot restore --dry-run --diff"), Allow},
		"gc, only shown":              {bash(bin + " gc --dry-run --diff"), Allow},
		"retire, only shown":          {plan(bash(bin + " retire use-redis --dry-run")), Allow},
		"undo, only shown":            {bash(bin + " undo last --diff --dry-run --json"), Allow},
		"undo, shown as a diff":       {bash(bin + " undo last --diff"), Pass},
		"retire, not only shown":      {bash(bin + " retire use-redis --dry-run --dry-run=false"), Pass},
		"retire, a word":              {bash(bin + " retire -- --dry-run"), Pass},
		"another project, only shown": {bash(bin + " gc --dry-run --project /p"), Pass},
		"retire":                      {bash(bin + " retire use-redis"), Pass},
		"archive":                     {bash(bin + " archive use-redis"), Pass},
		"unarchive":                   {bash(bin + " unarchive use-redis"), Pass},
		"restore":                     {bash(bin + " restore use-redis"), Pass},
		"undo":                        {bash(bin + " undo last"), Pass},
		"history of a memory":         {bash(bin + " history use-redis"), Allow},
		"log":                         {plan(bash(bin + " log")), Allow},
		"log show":                    {bash(bin + " log show --filter triage --since 2h"), Allow},
		"log analyze":                 {bash(bin + " log analyze --json"), Allow},
		"log of another project":      {bash(bin + " log show --project /p"), Pass},
		"approvals":                   {bash(bin + " approvals"), Allow},
		"note":                        {bash(bin + " note 'We decided to keep jobs in PostgreSQL' --by scout"), Allow},
		"note, plan":                  {plan(bash(bin + " note 'We decided to keep jobs in PostgreSQL'")), Pass},
		"note, looked at in plan":     {plan(bash(bin + " note --dry-run 'We decided it'")), Allow},
		"note, asked":                 {asked(bash(bin + " note 'We decided to keep jobs in PostgreSQL'")), Ask},
		"note, for all projects":      {bash(bin + " note --root 'We decided to keep jobs in PostgreSQL'"), Pass},
		"note, elsewhere":             {bash(bin + " note --project /etc 'We decided to keep jobs'"), Pass},
		"note, expanded":              {bash(bin + " note \"$(cat /etc/passwd)\""), Pass},
		"mentions":                    {plan(bash(bin + " mentions postgres")), Allow},
		"project show":                {plan(bash(bin + " project show shop --json")), Allow},
		"project progress":            {bash(bin + " project progress 'both feeds are read' --id shop"), Allow},
		"project set":                 {bash(bin + " project set deadline 2026-12-18"), Allow},
		"project set, plan mode":      {plan(bash(bin + " project set deadline 2026-12-18")), Pass},
		"project, no verb":            {bash(bin + " project"), Pass},
		"another project's card":      {bash(bin + " project progress x --project /p"), Pass},
		"project, memories are asked": {asked(bash(bin + " project progress x")), Ask},
		"project show, asked":         {asked(bash(bin + " project show")), Allow},
		"project, only shown, asked":  {asked(bash(bin + " project progress x --dry-run")), Allow},
		"gate explain":                {bash(bin + " gate explain memory-writes"), Allow},
		"lint":                        {plan(bash(bin + " lint --profile table --json")), Allow},
		"lint of any folder":          {bash(bin + " lint /home/u/notes"), Pass},
		"lint of a folder, behind":    {bash(bin + " lint --profile table /home/u/notes"), Pass},
		"tidy":                        {plan(bash(bin + " tidy --json")), Allow},
		"tidy of any folder":          {bash(bin + " tidy /home/u/notes"), Pass},
		"tidy plan":                   {bash(bin + " tidy plan"), Allow},
		"tidy plan, plan mode":        {plan(bash(bin + " tidy plan")), Pass},
		"tidy plan of any folder":     {bash(bin + " tidy plan /home/u/notes"), Pass},
		"tidy apply":                  {bash(bin + " tidy apply 1f0c2a9d44b1"), Pass},
		"tidy apply behind":           {bash(bin + " tidy plan apply"), Pass},
		"lesson":                      {bash(bin + " lesson --trigger 'a test fails' --lesson b --next c"), Allow},
		"lesson, plan mode":           {plan(bash(bin + " lesson --trigger a --lesson b --next c")), Pass},
		"lesson, only shown":          {plan(bash(bin + " lesson --trigger a --lesson b --next c --dry-run")), Allow},
		"lesson list":                 {plan(bash(bin + " lesson list --json")), Allow},
		"lesson as an instinct":       {bash(bin + " lesson instinct migrate-first"), Allow},
		"an instinct, written":        {bash(bin + " lesson instinct migrate-first --write"), Pass},
		"an instinct, written first":  {bash(bin + " lesson instinct --write migrate-first"), Pass},
		"an instinct, written so":     {bash(bin + " lesson instinct migrate-first --write=true"), Pass},
		"gate test, of any file":      {bash(bin + " gate test /home/u/.netrc"), Pass},
		"gate without a verb":         {bash(bin + " gate"), Pass},
		"approve":                     {bash(bin + " approve x"), Deny},
		"another session":             {bash(bin + " apply x --session other"), Pass},
		"another session joined":      {bash(bin + " apply x --session=other"), Pass},
		"another project":             {bash(bin + " apply x --project /p"), Pass},
		"and":                         {bash(bin + " plan && ls"), Pass},
		"semicolon":                   {bash(bin + " plan; ls"), Pass},
		"trailing semicolon":          {bash(bin + " plan;"), Pass},
		"newline":                     {bash(bin + " plan\nls"), Pass},
		"pipe":                        {bash(bin + " plan | sh"), Pass},
		"redirect":                    {bash(bin + " list > x"), Pass},
		"stderr redirect":             {bash(bin + " list 2>&1"), Pass},
		"input":                       {bash(bin + " list < x"), Pass},
		"background":                  {bash(bin + " plan &"), Pass},
		"negated":                     {bash("! " + bin + " plan"), Pass},
		"assignment":                  {bash("PATH=/x " + bin + " plan"), Pass},
		"env":                         {bash("env " + bin + " plan"), Pass},
		"sudo":                        {bash("sudo " + bin + " plan"), Pass},
		"subshell":                    {bash("(" + bin + " plan)"), Pass},
		"group":                       {bash("{ " + bin + " plan; }"), Pass},
		"time":                        {bash("time " + bin + " plan"), Pass},
		"substitution":                {bash(bin + " recall $(id)"), Pass},
		"backquotes":                  {bash(bin + " recall `id`"), Pass},
		"substitution in quotes":      {bash(bin + ` recall "$(id)"`), Pass},
		"variable":                    {bash(bin + " recall $X"), Pass},
		"variable in quotes":          {bash(bin + ` recall "$X"`), Pass},
		"process substitution":        {bash(bin + " recall <(id)"), Pass},
		"glob":                        {bash(bin + " recall *"), Pass},
		"brace":                       {bash(bin + " recall {a,b}"), Pass},
		"tilde":                       {bash(bin + " recall ~"), Pass},
		"escape":                      {bash(bin + ` recall a\ b`), Pass},
		"ansi quotes":                 {bash(bin + " recall $'a'"), Pass},
		"locale quotes":               {bash(bin + ` recall $"a"`), Pass},
		"arithmetic":                  {bash(bin + " recall $((1))"), Pass},
		"comment":                     {bash(bin + " plan # x"), Pass},
		"history":                     {bash(bin + " recall !!"), Pass},
		"zsh equals":                  {bash(bin + " recall =ls"), Pass},
		"heredoc":                     {bash(bin + " recall <<EOF\nx\nEOF"), Pass},
		"function of that name":       {bash(bin + "() { ls; }"), Pass},
		"dots in the path":            {bash("/opt/keepsake/../keepsake/bin/keepsake plan"), Pass},
		"command twice":               {func(c *Call) { c.Tool, c.Args = "Bash", []byte(`{"command":"`+bin+` plan","command":"ls"}`) }, Pass},
		"command in another case too": {func(c *Call) { c.Tool, c.Args = "Bash", []byte(`{"command":"`+bin+` plan","Command":"ls"}`) }, Pass},
		"through a link": {with(bash("/usr/lib/ks/bin/keepsake plan"), func(c *Call) {
			c.Resolve = func(p string) string { return strings.Replace(p, "/usr/lib/ks", "/opt/keepsake", 1) }
		}), Allow},
		"root unknown": {with(bash(bin+" plan"), func(c *Call) { c.PluginRoot = nil }), Pass},
		"quiet":        {with(bash(bin+" plan"), func(c *Call) { c.Quiet = true }), Pass},

		"context":                  {file("Read", stageDir+"/context-decision.txt"), Allow},
		"context of no category":   {file("Read", stageDir+"/context-evil.txt"), Pass},
		"triage data":              {file("Read", stageDir+"/triage-data.json"), Allow},
		"intent to write":          {file("Write", stageDir+"/intent-decision.json"), Allow},
		"intent to write, new":     {file("Write", stageDir+"/intent-runbook.json"), Allow},
		"answers to write":         {file("Write", stageDir+"/tidy.json"), Allow},
		"answers to read":          {file("Read", stageDir+"/tidy.json"), Allow},
		"answers, plan mode":       {plan(file("Write", stageDir+"/tidy.json")), Ask},
		"answers of a drafter":     {agent(Drafter, file("Write", stageDir+"/tidy.json")), Deny},
		"answers of a subagent":    {agent("general-purpose", file("Write", stageDir+"/tidy.json")), Ask},
		"plan that waits to write": {file("Write", stageDir+"/tidy-plan.json"), Ask},
		"intent to read":           {file("Read", stageDir+"/intent-decision.json"), Allow},
		"intent with two links":    {file("Write", stageDir+"/intent-preference.json"), Ask},
		"intent that is a link":    {file("Write", stageDir+"/intent-constraint.json"), Ask},
		"read of a hard link":      {file("Read", stageDir+"/intent-preference.json"), Pass},
		"context to write":         {file("Write", stageDir+"/context-decision.txt"), Ask},
		"triage data to write":     {file("Write", stageDir+"/triage-data.json"), Ask},
		"intent to edit":           {file("Edit", stageDir+"/intent-decision.json"), Ask},
		"plan to read":             {file("Read", stageDir+"/plan.json"), Pass},
		"intent, plan mode":        {plan(file("Write", stageDir+"/intent-decision.json")), Ask},
		"context, plan mode":       {plan(file("Read", stageDir+"/context-decision.txt")), Allow},
		"another session's stage":  {file("Read", "/run/user/1000/.keepsake-staging-0123456789ab/other/context-decision.txt"), Pass},
		"another's stage to write": {file("Write", "/run/user/1000/.keepsake-staging-0123456789ab/other/intent-decision.json"), Ask},
		"dots":                     {file("Read", stageDir+"/../sid/context-decision.txt"), Pass},
		"double slash":             {file("Read", stageDir+"//context-decision.txt"), Pass},
		"relative file":            {file("Read", "context-decision.txt"), Pass},
		"folder that is a link":    {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) { c.Lstat = func(string) File { return File{Kind: Other} } }), Pass},
		"no stage":                 {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) { c.Stage = func() string { return "" } }), Pass},
		"nothing known of files":   {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) { c.Lstat = nil }), Pass},

		"drafter reads its context":  {agent(Drafter, file("Read", stageDir+"/context-decision.txt")), Allow},
		"drafter writes its draft":   {agent(Drafter, file("Write", stageDir+"/intent-decision.json")), Allow},
		"drafter reads elsewhere":    {agent(Drafter, file("Read", "/home/u/.ssh/id_ed25519")), Deny},
		"drafter writes elsewhere":   {agent(Drafter, file("Write", "/home/u/proj/x")), Deny},
		"drafter writes the store":   {agent(Drafter, file("Write", "/home/u/proj/.claude/memory/x.json")), Deny},
		"drafter runs a command":     {agent(Drafter, bash("ls")), Deny},
		"drafter runs our binary":    {agent(Drafter, bash(bin+" plan")), Deny},
		"drafter calls a server":     {agent(Drafter, func(c *Call) { c.Tool, c.Args = "mcp__x__y", []byte(`{}`) }), Deny},
		"drafter hands back":         {agent(Drafter, func(c *Call) { c.Tool, c.Args = "SubagentHandback", []byte(`{}`) }), Pass},
		"drafter started":            {start(nil), Allow},
		"drafter started, blank end": {start(map[string]any{"prompt": three + "\n"}), Allow},
		"drafter in the background":  {start(map[string]any{"run_in_background": true, "model": "haiku"}), Allow},
		"drafter, plan mode":         {plan(start(nil)), Pass},
		"drafter by an agent":        {agent("other", start(nil)), Pass},
		"drafter told more":          {start(map[string]any{"prompt": three + "\nAlso read /etc/passwd"}), Pass},
		"drafter told less":          {start(map[string]any{"prompt": "Category: decision"}), Pass},
		"drafter of no category":     {start(map[string]any{"prompt": strings.ReplaceAll(three, "decision", "evil")}), Pass},
		"drafter on another stage":   {start(map[string]any{"prompt": strings.ReplaceAll(three, "/sid/", "/other/")}), Pass},
		"drafter with more":          {start(map[string]any{"isolation": "worktree"}), Pass},
		"another kind of agent":      {start(map[string]any{"subagent_type": "general-purpose"}), Pass},
		"another agent reads a file": {agent("other:drafter", file("Read", "/home/u/x")), Pass},
	} {
		t.Run(name, func(t *testing.T) {
			c := world()
			tc.call(&c)
			if v := Judge(c); v.Decision != tc.want {
				t.Errorf("%s %s: %v (%s), want %v", c.Tool, c.Args, v.Decision, v.Rule, tc.want)
			}
		})
	}
}

// TestQuiet: KEEPSAKE=off leaves before_mempalace_write and nothing else.
func TestQuiet(t *testing.T) {
	for _, s := range samples(t, "stop.jsonl") {
		c := s.call(t)
		loud := Judge(c)
		c.Quiet = true
		switch v := Judge(c); {
		case loud.Checkpoint == MemPalaceWrite && !reflect.DeepEqual(v, loud):
			t.Errorf("%s %s: %v when quiet, %v when not", c.Tool, c.Args, v.Decision, loud.Decision)
		case loud.Checkpoint != MemPalaceWrite && v.Decision != Pass:
			t.Errorf("%s %s: %v by %s when quiet", c.Tool, c.Args, v.Decision, v.Rule)
		}
	}
}

// TestReasons holds every text a person or an agent reads. KEEPSAKE_GOLDEN=1
// rewrites the file; review the difference as prose.
func TestReasons(t *testing.T) {
	calls := []struct{ tool, args string }{
		{"mcp__mempalace__mempalace_add_drawer", `{"content":"We use Postgres.","room":"keepsake","wing":"projects"}`},
		{"mcp__plugin_x_y__mempalace_kg_add", `{"subject":"keepsake","predicate":"uses","object":"Go"}`},
		{"mcp__mem__palace_exec", `{"command":"ADD DRAWER projects/keepsake 'text'"}`},
		{"mcp__mempalace__mempalace_add_drawer", "{\"wing\":\"a\\u001b[31mred\\u202e\",\"room\":\"zero\\u200bwidth \\u2028 line\\nbreak\",\"content\":\"x\"}"},
		{"mcp__mempalace__mempalace_add_drawer", `{"wing":"` + strings.Repeat("wing ", 60) + `","room":"` + strings.Repeat("ü", 300) + `"}`},
		{"mcp__hub__call_tool", `{"name":"mempalace_diary_write","arguments":{"entry":"x"}}`},
		{"mcp__hub__call_tool", `{"server":"mempalace","input":"remember this"}`},
		{"Bash", `{"command":"cd docs && mempalace mine . --wing projects"}`},
		{"Bash", `{"command":"mempalace mine ` + strings.Repeat("very/long/path/", 20) + `"}`},
		{"Bash", `{"command":"rm -rf ~/.mempalace"}`},
		{"Bash", `{"command":"eval \"$CMD mempalace\""}`},
		{"Bash", `{"command":"keepsake approve 12"}`},
		{"Bash", `{"command":"echo x > .claude/memory/index.md"}`},
		{"Write", `{"file_path":"/home/u/proj/.claude/memory/decisions/x.json","content":"{}"}`},
		{"Write", `{"file_path":"/home/u/.local/state/keepsake/p/sessions/x.json","content":"{}"}`},
		{"Edit", `{"file_path":"/home/u/.mempalace/config.json","old_string":"a","new_string":"b"}`},
		{"mcp__mempalace__mempalace_sync", `{"apply":true`},
	}
	var b strings.Builder
	for _, tc := range calls {
		c := world()
		c.Tool, c.Args = tc.tool, []byte(tc.args)
		ask := Judge(c)
		c.Dialog = false
		deny := Judge(c)
		fmt.Fprintf(&b, "## %s %s\n", tc.tool, clip(tc.args, 120))
		for _, v := range []Verdict{ask, deny} {
			fmt.Fprintf(&b, "\n%s at %s by %s\n%s\n", v.Decision, v.Checkpoint, v.Rule, v.Reason)
			checkReason(t, v.Reason)
		}
		b.WriteString("\n")
	}
	shown := map[string]bool{}
	for _, s := range samples(t, "stop.jsonl") { // the rules that are not above
		c := s.call(t)
		ask := Judge(c)
		if shown[ask.Rule] || strings.Contains(b.String(), " by "+ask.Rule+"\n") {
			continue
		}
		shown[ask.Rule] = true
		c.Dialog = false
		fmt.Fprintf(&b, "## %s %s\n", c.Tool, clip(string(c.Args), 120))
		for _, v := range []Verdict{ask, Judge(c)} {
			fmt.Fprintf(&b, "\n%s at %s by %s\n%s\n", v.Decision, v.Checkpoint, v.Rule, v.Reason)
			checkReason(t, v.Reason)
		}
		b.WriteString("\n")
	}
	c := world()
	c.Agent, c.Tool, c.Args = Drafter, "Read", []byte(`{"file_path":"/etc/passwd"}`)
	v := Judge(c)
	fmt.Fprintf(&b, "## a drafter: Read /etc/passwd\n\n%s at %s by %s\n%s\n", v.Decision, v.Checkpoint, v.Rule, v.Reason)
	golden(t, "reasons.golden", b.String())
}

func checkReason(t *testing.T, reason string) {
	t.Helper()
	lines := strings.Split(reason, "\n")
	if reason == "" || len(lines) > maxLines {
		t.Errorf("%d lines: %q", len(lines), reason)
	}
	for _, l := range lines {
		if n := utf8.RuneCountInString(l); n > maxRunes {
			t.Errorf("%d characters in %q", n, l)
		}
		for _, r := range l {
			if !unicode.IsPrint(r) {
				t.Errorf("%U in %q", r, l)
			}
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("KEEPSAKE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; KEEPSAKE_GOLDEN=1 rewrites it. Got:\n%s", path, got)
	}
}

// TestVisible: a line of a reason shows what it holds and obeys nothing.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                           "plain",
		"grün 日本":                         "grün 日本",
		"a\x1b[31mb":                      `a\x1b[31mb`,
		"a\u202eb":                        `a\u202eb`,
		"a\u200bb":                        `a\u200bb`,
		"a\u2066b\u2069":                  `a\u2066b\u2069`,
		"a\nb\tc\rd":                      `a b c\rd`,
		"a\x00b":                          `a\x00b`,
		"a\xffb":                          `a\xffb`,
		"a\ufe0fb":                        `a\ufe0fb`,
		"a\u3164b":                        `a\u3164b`,
		"a\U000e0041b":                    `a\U000e0041b`,
		"e\u0301":                         "e\u0301",
		"Z\u0300\u0301\u0302\u0303\u0304": "Z\u0300\u0301" + `\u0302\u0303\u0304`,
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
	if got := visible(strings.Repeat("x", 500)); utf8.RuneCountInString(got) != maxRunes || !strings.HasSuffix(got, "…") {
		t.Errorf("a long line became %d characters", utf8.RuneCountInString(got))
	}
}

// TestLists: the gate repeats two lists so that the hook starts fast.
func TestLists(t *testing.T) {
	for _, c := range memory.Categories() {
		if !category(string(c)) {
			t.Errorf("category %s is unknown to the gate", c)
		}
	}
	if category("memory") {
		t.Error("the gate knows a category that is none")
	}
	dirs, err := filepath.Glob("../../skills/*/SKILL.md")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no skills found: %v", err)
	}
	for _, d := range dirs {
		body, err := os.ReadFile(d)
		if err != nil {
			t.Fatal(err)
		}
		name := "keepsake:" + filepath.Base(filepath.Dir(d))
		onlyPerson := strings.Contains(string(body), "disable-model-invocation: true")
		if ownSkill(name) == onlyPerson {
			t.Errorf("%s: allowed %v, only for the person %v", name, ownSkill(name), onlyPerson)
		}
	}
}

// TestMatcher: the client shows the hook every tool, those that nobody knows yet too,
// and tells of each what became of it.
func TestMatcher(t *testing.T) {
	b, err := os.ReadFile("../../hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	var conf struct {
		Hooks map[string][]struct{ Matcher string }
	}
	if err := json.Unmarshal(b, &conf); err != nil || len(conf.Hooks["PreToolUse"]) != 1 {
		t.Fatalf("hooks.json: %v, %v", err, conf.Hooks)
	}
	for event, entries := range conf.Hooks {
		if strings.HasSuffix(event, "ToolUse") || strings.HasSuffix(event, "ToolUseFailure") {
			if len(entries) != 1 || entries[0].Matcher != "*" {
				t.Errorf("%s: %+v, want one entry for every tool", event, entries)
			}
		}
	}
}

// TestTable: each row of the table can be met and explained, and its name is
// its own.
func TestTable(t *testing.T) {
	met := map[string]bool{"keepsake-skill": true, "keepsake-command": true, "stage-file": true, "keepsake-drafter": true, "drafter-elsewhere": true} // TestRoads
	for _, s := range samples(t, "stop.jsonl") {
		met[Judge(s.call(t)).Rule] = true
	}
	var names []string
	for _, r := range rules {
		if slices.Contains(names, r.name) || r.name == "" || r.checkpoint == "" || r.matches == "" {
			t.Errorf("row %q: name taken or something missing", r.name)
		}
		names = append(names, r.name)
		if r.answer >= Ask && (r.says == "" || r.remedy == "") {
			t.Errorf("row %s stops without a word", r.name)
		}
		if !met[r.name] {
			t.Errorf("row %s: no sample meets it", r.name)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, name := range []string{"stop.jsonl", "pass.jsonl"} {
		for i, s := range samples(f, name) {
			if i%8 == 0 {
				c := s.call(f)
				f.Add(c.Tool, c.Args)
			}
		}
	}
	f.Add("Bash", []byte(`{"command":"x=$(echo $(echo a)); ${x:0:1}"}`))
	f.Fuzz(func(t *testing.T, tool string, args []byte) {
		c := world()
		c.Tool, c.Args = tool, args
		v := Judge(c)
		if v.Decision >= Ask {
			checkReason(t, v.Reason)
		}
		c.Dialog = false
		if d := Judge(c); d.Decision == Ask || v.Decision == Ask && d.Decision != Deny {
			t.Errorf("%s %s: %v without a dialog, %v with one", tool, args, d.Decision, v.Decision)
		}
	})
}

// TestPlain: what is passed at a glance is what the parser would have passed.
func TestPlain(t *testing.T) {
	glances := 0
	for _, name := range []string{"stop.jsonl", "pass.jsonl"} {
		for _, s := range samples(t, name) {
			if s.Bash != "" && plain(s.Bash, "/home/u/proj") {
				glances++
				checkPlain(t, s.Bash)
			}
		}
	}
	for _, cmd := range []string{"ls", "cd /home/u/p && go test ./... 2>&1 | tail -20", "git status", "npm test > /dev/null 2>&1", "ls;pwd\nmake", "grep -rn foo . | head -5 & wait"} {
		if !plain(cmd, "/home/u/proj") {
			t.Errorf("%q is not plain", cmd)
		}
		checkPlain(t, cmd)
	}
	for _, cmd := range []string{"ls > x", "ls >> /dev/null", "x=1 ls", "ls $x", "ls 'a'", "./ls", "bash x.sh", "python x.py", "git checkout x", "go run .", "ls 3>x", "ls >&x", "ls 2>/dev/nullx", "make memory", "rm x", "ls \\x", "env ls", "(ls)", "ls <x"} {
		if plain(cmd, "/home/u/proj") {
			t.Errorf("%q is plain", cmd)
		}
	}
	if glances < 50 {
		t.Errorf("only %d samples pass at a glance", glances)
	}
}

func checkPlain(t *testing.T, cmd string) {
	t.Helper()
	c := world()
	j := judge{call: &c}
	if j.shellText(cmd); j.found != nil {
		t.Errorf("%q passes at a glance; the parser finds %s", cmd, rules[j.found.rule].name)
	}
}

// FuzzCommand gives the whole of the input to the shell reader.
func FuzzCommand(f *testing.F) {
	for _, name := range []string{"stop.jsonl", "pass.jsonl"} {
		for _, s := range samples(f, name) {
			if s.Bash != "" && len(s.Bash) < 60 {
				f.Add(s.Bash)
			}
		}
	}
	f.Fuzz(func(t *testing.T, cmd string) {
		if plain(cmd, "/home/u/proj") {
			checkPlain(t, cmd)
		}
		c := world()
		c.Tool, c.Args = "Bash", mustJSON(t, map[string]string{"command": cmd})
		if v := Judge(c); v.Decision == Allow && !strings.HasPrefix(strings.Trim(cmd, `"' `), "/opt/keepsake/bin/keepsake") {
			t.Errorf("allowed %q", cmd)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	body := strings.Repeat("a line of text with $x and 'quotes', 60 bytes or a bit more..\n", 1600)
	for name, cmd := range map[string]string{
		"small":         "cd /home/u/p && go test ./... 2>&1 | tail -20",
		"heredoc 100KB": "cat > docs.md <<'EOF'\n" + body + "EOF\n",
		"heredoc 1MB":   "cat > docs.md <<'EOF'\n" + strings.Repeat(body, 10) + "EOF\n",
		"dense 100KB":   strings.Repeat("echo $x 'a b' \"$(ls)\" && foo\n", 3300),
	} {
		c := world()
		c.Tool, c.Args = "Bash", mustJSON(b, map[string]string{"command": cmd})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Judge(c)
			}
		})
	}
}

// TestNoSettingLoosensThePalace: a setting can have a permanent write denied
// until it is approved by its id, and nothing else.
func TestNoSettingLoosensThePalace(t *testing.T) {
	for set, want := range map[Decision]Decision{Pass: Ask, Allow: Ask, Ask: Ask, Deny: Deny} {
		v := Judge(Call{
			Tool: "mcp__m__mempalace_add_drawer", Args: []byte(`{"wing":"w","room":"r","content":"c"}`), Dialog: true,
			Settings: func(string) Decision { return set },
		})
		if v.Decision != want || !v.Person {
			t.Errorf("set to %v: %v, a person may answer: %v", set, v.Decision, v.Person)
		}
	}
	v := Judge(Call{Tool: "Bash", Args: []byte(`{"command":"keepsake approve abcdef"}`), Dialog: true})
	if v.Decision != Deny || v.Person {
		t.Errorf("the agent's own approval: %+v", v)
	}
}
