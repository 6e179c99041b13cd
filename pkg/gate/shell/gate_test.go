package shell

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"keepsake/pkg/gate/rules"
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
		return func(c *Call) {
			c.Tool, c.Args = "Skill", mustJSON(t, map[string]string{"skill": name, "args": "x"})
		}
	}
	plan := func(f func(*Call)) func(*Call) { return func(c *Call) { f(c); c.Mode = "plan" } }
	asked := func(f func(*Call)) func(*Call) {
		return func(c *Call) {
			f(c)
			c.Settings = func(cp string) rules.Decision {
				return map[bool]rules.Decision{true: rules.Ask,
					false: rules.Pass}[cp == rules.AutoMemoryWrite]
			}
		}
	}
	agent := func(a string, f func(*Call)) func(*Call) { return func(c *Call) { f(c); c.Agent = a } }
	with := func(f, g func(*Call)) func(*Call) { return func(c *Call) { f(c); g(c) } }
	const bin = "/opt/keepsake/bin/keepsake"
	const three = "Category: decision\nContext file: " + stageDir + "/context-decision.txt\nOutput: " +
		stageDir + "/intent-decision.json"
	start := func(change map[string]any) func(*Call) {
		args := map[string]any{"subagent_type": Drafter, "description": "Draft a decision", "prompt": three}
		maps.Copy(args, change)
		return func(c *Call) { c.Tool, c.Args = "Agent", mustJSON(t, args) }
	}

	for name, tc := range map[string]struct {
		call func(*Call)
		want rules.Decision
	}{
		"our skill":                 {skill("keepsake:save"), rules.Allow},
		"our other skill":           {skill("keepsake:recall"), rules.Allow},
		"a skill that is no skill":  {skill("keepsake:evil"), rules.Pass},
		"a skill without our name":  {skill("save"), rules.Pass},
		"another plugin's skill":    {skill("other:save"), rules.Pass},
		"a skill that writes, plan": {plan(skill("keepsake:save")), rules.Pass},
		"a skill that reads, plan":  {plan(skill("keepsake:recall")), rules.Allow},
		"a skill of the person's":   {skill("keepsake:handoff"), rules.Pass},
		"the router, to save": {func(c *Call) {
			c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:memory-router","args":"save x"}`)
		}, rules.Ask},
		"the notes, to save why": {func(c *Call) {
			c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:memory","args":"save --tier why x"}`)
		}, rules.Allow},
		"a note, to keep for good": {func(c *Call) {
			c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:memory","args":"promote s3f2ab"}`)
		}, rules.Allow},
		"the notes of another plugin": {func(c *Call) {
			c.Tool, c.Args = "Skill", []byte(`{"skill":"mddesign:memory","args":"save --tier why x"}`)
		}, rules.Ask},
		"the router":                {skill("keepsake:memory-router"), rules.Pass},
		"handoff catchup, plan":     {plan(bash(bin + " handoff catchup")), rules.Allow},
		"handoff promote":           {bash(bin + " handoff promote --resume 'asking Ann'"), rules.Allow},
		"handoff promote, plan":     {plan(bash(bin + " handoff promote")), rules.Pass},
		"handoff, else":             {bash(bin + " handoff write"), rules.Pass},
		"handoff of another":        {bash(bin + " handoff promote --project /x"), rules.Pass},
		"plan":                      {bash(bin + " plan"), rules.Allow},
		"plan --partial":            {bash(bin + " plan --partial"), rules.Allow},
		"apply":                     {bash(bin + " apply 0123abcd"), rules.Allow},
		"triage":                    {bash(bin + " triage --category decision"), rules.Allow},
		"triage joined":             {bash(bin + " triage --category=decision"), rules.Allow},
		"index validate":            {plan(bash(bin + " index validate --json")), rules.Allow},
		"index rebuild":             {bash(bin + " index rebuild"), rules.Allow},
		"index rebuild, plan":       {plan(bash(bin + " index rebuild")), rules.Pass},
		"index without a verb":      {bash(bin + " index"), rules.Pass},
		"recall quoted":             {bash(bin + " recall 'why postgres?'"), rules.Allow},
		"the inbox":                 {bash(bin + " inbox"), rules.Allow},
		"the inbox as JSON":         {bash(bin + " inbox --json"), rules.Allow},
		"the inbox, all of it":      {bash(bin + " inbox --all --json"), rules.Allow},
		"what would be forgotten":   {bash(bin + " forget use-redis --dry-run"), rules.Allow},
		"a memory, forgotten":       {bash(bin + " forget use-redis"), rules.Ask},
		"a memory, deleted":         {bash(bin + " forget use-redis --for-good"), rules.Ask},
		"a finding, forgotten":      {bash("keepsake forget 7"), rules.Ask},
		"a note, undone":            {bash(bin + " undo last --dir kb/memory"), rules.Pass},
		"the inbox, edited":         {bash(bin + " inbox edit c4k2zq"), rules.Pass},
		"the inbox, put off":        {bash(bin + " inbox --json later c4k2zq"), rules.Pass},
		"a document of candidates":  {bash(bin + " candidates /etc/passwd"), rules.Pass},
		"which back ends":           {bash(bin + " tiers --json"), rules.Allow},
		"recall double quoted":      {bash(bin + ` recall "why postgres"`), rules.Allow},
		"path quoted":               {bash(`"` + bin + `" list`), rules.Allow},
		"list json":                 {bash(bin + " list --json"), rules.Allow},
		"list, plan mode":           {plan(bash(bin + " list")), rules.Allow},
		"apply, plan mode":          {plan(bash(bin + " apply 0123abcd")), rules.Pass},
		"commit, plan mode":         {plan(bash(bin + " commit")), rules.Pass},
		"save":                      {bash(bin + " save 'use Postgres'"), rules.Allow},
		"save, tier":                {bash(bin + " save --tier scratch x"), rules.Allow},
		"save, tier joined":         {bash(bin + " save x --tier=scratch"), rules.Allow},
		"save, text like an option": {bash(bin + " save -- --tier why"), rules.Allow},
		"save, plan mode":           {plan(bash(bin + " save x")), rules.Pass},
		"save why":                  {bash(bin + " save --tier why x"), rules.Ask},
		"save why, joined":          {bash(bin + " save x --tier=why"), rules.Ask},
		"save why, twice":           {bash(bin + " save x --tier=scratch --tier why"), rules.Ask},
		"save where":                {bash(bin + " save --tier where x"), rules.Allow},
		"save where, joined": {bash(bin + " save --tier=where 'retry logic: pkg/http/retry.go'"),
			rules.Allow},
		"save where, then why":  {bash(bin + " save --tier=where --tier why x"), rules.Ask},
		"save where, no tier":   {bash(bin + " save --tier nowhere x"), rules.Pass},
		"save, no tier said":    {bash(bin + " save x --tier"), rules.Pass},
		"save, another project": {bash(bin + " save x --project /p"), rules.Pass},
		"bare name":             {bash("keepsake plan"), rules.Pass},
		"relative":              {bash("./bin/keepsake plan"), rules.Pass},
		"remember": {bash(bin + ` remember '{"covers":[7],"title":"it’s so"}'`),
			rules.Allow},
		"remember, apostrophe": {bash(bin + ` remember '{"covers":[7],"title":"it'\''s so"}'`),
			rules.Allow},
		"remember, here-document": {bash(bin +
			" remember <<'EOF'\n{\"covers\":[7],\"title\":\"it's $(so)\"}\nEOF"), rules.Allow},
		"remember, delimiter in double quotes": {bash(bin +
			" remember <<\"EOF\"\n{\"covers\":[7],\"title\":\"it's $(so) `and` $so\"}\nEOF"), rules.Allow},
		"remember, escaped delimiter": {bash(bin +
			" remember <<\\EOF\n{\"covers\":[7],\"title\":\"it's $(so) `and` $so\"}\nEOF"), rules.Allow},
		"remember, delimiter with an expansion": {bash(bin + " remember <<\"$E\"\n{}\n$E"), rules.Pass},
		"remember, delimiter in $\"":            {bash(bin + " remember <<$\"EOF\"\n{}\nEOF"), rules.Pass},
		"remember, delimiter in $'":             {bash(bin + " remember <<$'EOF'\n{}\nEOF"), rules.Pass},
		"remember, delimiter with an escape":    {bash(bin + " remember <<\"E\\\"F\"\n{}\nE\"F"), rules.Pass},
		"remember, no delimiter":                {bash(bin + " remember <<\"\"\n{}\n\n"), rules.Pass},
		"remember, escape in the middle":        {bash(bin + " remember <<E\\OF\n{}\nEOF"), rules.Pass},
		"remember, unindented":                  {bash(bin + " remember <<-\"EOF\"\n{}\nEOF"), rules.Pass},
		"remember, more behind the document": {bash(bin +
			" remember <<\"EOF\"\n{}\nEOF\nrm x"), rules.Pass},
		"remember, another behind it": {bash(bin +
			" remember <<\\EOF && rm x\n{}\nEOF"), rules.Pass},
		"remember, open delimiter, plain": {bash(bin + " remember <<EOF\n{}\nEOF"), rules.Pass},
		"plan, quoted delimiter":          {bash(bin + " plan <<\"EOF\"\n{}\nEOF"), rules.Pass},
		"remember, open delimiter": {bash(bin +
			" remember <<EOF\n{\"covers\":[7],\"title\":\"it's $(so)\"}\nEOF"), rules.Pass},
		"remember, here-string":      {bash(bin + " remember <<<'{}'"), rules.Pass},
		"remember from a file":       {bash(bin + " remember < draft.json"), rules.Pass},
		"remember, two redirections": {bash(bin + " remember <<'EOF' > out\n{}\nEOF"), rules.Pass},
		"remember, then more":        {bash(bin + " remember '{}'; rm x"), rules.Pass},
		"remember, substitution":     {bash(bin + ` remember "$(cat x)"`), rules.Pass},
		"remember elsewhere":         {bash(bin + ` remember --project /x '{}'`), rules.Pass},
		"remember in plan mode": {with(bash(bin+` remember '{}'`), func(c *Call) { c.Mode = "plan" }),
			rules.Pass},
		"heredoc for another verb": {bash(bin + " plan <<'EOF'\n{}\nEOF"), rules.Pass},
		"another root":             {bash("/tmp/keepsake/bin/keepsake plan"), rules.Pass},
		"no verb":                  {bash(bin), rules.Pass},
		"option first":             {bash(bin + " --json list"), rules.Pass},
		"unknown verb":             {bash(bin + " destroy"), rules.Pass},
		"gc":                       {bash(bin + " gc"), rules.Ask},
		"fmt, shown":               {plan(bash(bin + " fmt -d --profile table")), rules.Allow},
		"fmt, shown of any folder": {bash(bin + " fmt -d /home/u/notes"), rules.Pass},
		"fmt, both":                {bash(bin + " fmt -d -w"), rules.Pass},
		"fmt, in one":              {bash(bin + " fmt -dw"), rules.Pass},
		"fmt":                      {bash(bin + " fmt -w"), rules.Pass},
		"upkeep, shown":            {plan(bash(bin + " upkeep -d")), rules.Allow},
		"upkeep":                   {bash(bin + " upkeep -w"), rules.Pass},
		"snapshots":                {plan(bash(bin + " snapshot")), rules.Allow},
		"snapshot, what is gone":   {bash(bin + " snapshot diff 3"), rules.Allow},
		"snapshot, brought back":   {bash(bin + " snapshot restore billing.md"), rules.Pass},
		"snapshot restore, asked":  {asked(bash(bin + " snapshot restore billing.md")), rules.Ask},
		"snapshot diff, asked":     {asked(bash(bin + " snapshot diff")), rules.Allow},
		"snapshot, shown, asked":   {asked(bash(bin + " snapshot restore --dry-run")), rules.Allow},
		"undo, asked":              {asked(bash(bin + " undo last")), rules.Ask},
		"undo, shown, asked":       {asked(bash(bin + " undo last --dry-run")), rules.Allow},
		"snapshot, only shown":     {bash(bin + " snapshot restore --dry-run --diff"), rules.Allow},
		"gc, only shown":           {bash(bin + " gc --dry-run --diff"), rules.Allow},
		"retire, only shown":       {plan(bash(bin + " retire use-redis --dry-run")), rules.Allow},
		"undo, only shown":         {bash(bin + " undo last --diff --dry-run --json"), rules.Allow},
		"undo, shown as a diff":    {bash(bin + " undo last --diff"), rules.Ask},
		"retire, not only shown": {bash(bin + " retire use-redis --dry-run --dry-run=false"),
			rules.Ask},
		"retire, a word":              {bash(bin + " retire -- --dry-run"), rules.Ask},
		"another project, only shown": {bash(bin + " gc --dry-run --project /p"), rules.Pass},
		"retire":                      {bash(bin + " retire use-redis"), rules.Ask},
		"archive":                     {bash(bin + " archive use-redis"), rules.Ask},
		"unarchive":                   {bash(bin + " unarchive use-redis"), rules.Ask},
		"restore":                     {bash(bin + " restore use-redis"), rules.Ask},
		"undo":                        {bash(bin + " undo last"), rules.Ask},
		"history of a memory":         {bash(bin + " history use-redis"), rules.Allow},
		"log":                         {plan(bash(bin + " log")), rules.Allow},
		"log show":                    {bash(bin + " log show --filter triage --since 2h"), rules.Allow},
		"log analyze":                 {bash(bin + " log analyze --json"), rules.Allow},
		"log of another project":      {bash(bin + " log show --project /p"), rules.Pass},
		"approvals":                   {bash(bin + " approvals"), rules.Allow},
		"note": {bash(bin +
			" note 'We decided to keep jobs in PostgreSQL' --by scout"), rules.Allow},
		"note, plan": {plan(bash(bin + " note 'We decided to keep jobs in PostgreSQL'")),
			rules.Pass},
		"note, looked at in plan": {plan(bash(bin + " note --dry-run 'We decided it'")), rules.Allow},
		"note, asked": {asked(bash(bin + " note 'We decided to keep jobs in PostgreSQL'")),
			rules.Ask},
		"note, for all projects": {bash(bin + " note --root 'We decided to keep jobs in PostgreSQL'"),
			rules.Pass},
		"note, elsewhere": {bash(bin + " note --project /etc 'We decided to keep jobs'"),
			rules.Pass},
		"note, expanded":        {bash(bin + " note \"$(cat /etc/passwd)\""), rules.Pass},
		"another file replayed": {bash(bin + " recall --replay /home/u/s.jsonl"), rules.Pass},
		"mentions":              {plan(bash(bin + " recall --all-lines postgres")), rules.Allow},
		"project show":          {plan(bash(bin + " project show shop --json")), rules.Allow},
		"project progress": {bash(bin + " project progress 'both feeds are read' --id shop"),
			rules.Allow},
		"project set":                 {bash(bin + " project set deadline 2026-12-18"), rules.Allow},
		"project set, plan mode":      {plan(bash(bin + " project set deadline 2026-12-18")), rules.Pass},
		"project, no verb":            {bash(bin + " project"), rules.Pass},
		"another project's card":      {bash(bin + " project progress x --project /p"), rules.Pass},
		"project, memories are asked": {asked(bash(bin + " project progress x")), rules.Ask},
		"project show, asked":         {asked(bash(bin + " project show")), rules.Allow},
		"project, only shown, asked":  {asked(bash(bin + " project progress x --dry-run")), rules.Allow},
		"gate explain":                {bash(bin + " gate explain memory-writes"), rules.Allow},
		"lint":                        {plan(bash(bin + " lint --profile table --json")), rules.Allow},
		"lint of any folder":          {bash(bin + " lint /home/u/notes"), rules.Pass},
		"tidy, its next page":         {plan(bash(bin + " tidy --from 41")), rules.Allow},
		"tidy, what was kept":         {bash(bin + " md tidy sheet --kept --from=2"), rules.Allow},
		"tidy, a folder":              {bash(bin + " tidy --from 41 /home/u/notes"), rules.Pass},
		"lint of a folder, behind":    {bash(bin + " lint --profile table /home/u/notes"), rules.Pass},
		"tidy":                        {plan(bash(bin + " tidy --json")), rules.Allow},
		"tidy of any folder":          {bash(bin + " tidy /home/u/notes"), rules.Pass},
		"tidy plan":                   {bash(bin + " tidy plan"), rules.Allow},
		"tidy plan, plan mode":        {plan(bash(bin + " tidy plan")), rules.Pass},
		"tidy plan of any folder":     {bash(bin + " tidy plan /home/u/notes"), rules.Pass},
		"tidy apply":                  {bash(bin + " tidy apply 1f0c2a9d44b1"), rules.Pass},
		"tidy apply behind":           {bash(bin + " tidy plan apply"), rules.Pass},
		"lesson": {bash(bin + " lesson --trigger 'a test fails' --lesson b --next c"),
			rules.Allow},
		"lesson, plan mode": {plan(bash(bin + " lesson --trigger a --lesson b --next c")),
			rules.Pass},
		"lesson, only shown": {plan(bash(bin + " lesson --trigger a --lesson b --next c --dry-run")),
			rules.Allow},
		"lesson list":                {plan(bash(bin + " lesson list --json")), rules.Allow},
		"lesson as an instinct":      {bash(bin + " lesson instinct migrate-first"), rules.Allow},
		"an instinct, written":       {bash(bin + " lesson instinct migrate-first --write"), rules.Pass},
		"an instinct, written first": {bash(bin + " lesson instinct --write migrate-first"), rules.Pass},
		"an instinct, written so": {bash(bin + " lesson instinct migrate-first --write=true"),
			rules.Pass},
		"gate test, of any file": {bash(bin + " gate test /home/u/.netrc"), rules.Pass},
		"gate without a verb":    {bash(bin + " gate"), rules.Pass},
		"approve":                {bash(bin + " approve x"), rules.Deny},
		"another session":        {bash(bin + " apply x --session other"), rules.Pass},
		"another session joined": {bash(bin + " apply x --session=other"), rules.Pass},
		"another project":        {bash(bin + " apply x --project /p"), rules.Pass},
		"and":                    {bash(bin + " plan && ls"), rules.Pass},
		"semicolon":              {bash(bin + " plan; ls"), rules.Pass},
		"trailing semicolon":     {bash(bin + " plan;"), rules.Pass},
		"newline":                {bash(bin + " plan\nls"), rules.Pass},
		"pipe":                   {bash(bin + " plan | sh"), rules.Pass},
		"redirect":               {bash(bin + " list > x"), rules.Pass},
		"stderr redirect":        {bash(bin + " list 2>&1"), rules.Pass},
		"input":                  {bash(bin + " list < x"), rules.Pass},
		"background":             {bash(bin + " plan &"), rules.Pass},
		"negated":                {bash("! " + bin + " plan"), rules.Pass},
		"assignment":             {bash("PATH=/x " + bin + " plan"), rules.Pass},
		"env":                    {bash("env " + bin + " plan"), rules.Pass},
		"sudo":                   {bash("sudo " + bin + " plan"), rules.Pass},
		"subshell":               {bash("(" + bin + " plan)"), rules.Pass},
		"group":                  {bash("{ " + bin + " plan; }"), rules.Pass},
		"time":                   {bash("time " + bin + " plan"), rules.Pass},
		"substitution":           {bash(bin + " recall $(id)"), rules.Pass},
		"backquotes":             {bash(bin + " recall `id`"), rules.Pass},
		"substitution in quotes": {bash(bin + ` recall "$(id)"`), rules.Pass},
		"variable":               {bash(bin + " recall $X"), rules.Pass},
		"variable in quotes":     {bash(bin + ` recall "$X"`), rules.Pass},
		"process substitution":   {bash(bin + " recall <(id)"), rules.Pass},
		"glob":                   {bash(bin + " recall *"), rules.Pass},
		"brace":                  {bash(bin + " recall {a,b}"), rules.Pass},
		"tilde":                  {bash(bin + " recall ~"), rules.Pass},
		"escape":                 {bash(bin + ` recall a\ b`), rules.Pass},
		"ansi quotes":            {bash(bin + " recall $'a'"), rules.Pass},
		"locale quotes":          {bash(bin + ` recall $"a"`), rules.Pass},
		"arithmetic":             {bash(bin + " recall $((1))"), rules.Pass},
		"comment":                {bash(bin + " plan # x"), rules.Pass},
		"history":                {bash(bin + " recall !!"), rules.Pass},
		"zsh equals":             {bash(bin + " recall =ls"), rules.Pass},
		"heredoc":                {bash(bin + " recall <<EOF\nx\nEOF"), rules.Pass},
		"function of that name":  {bash(bin + "() { ls; }"), rules.Pass},
		"dots in the path":       {bash("/opt/keepsake/../keepsake/bin/keepsake plan"), rules.Pass},
		"command twice": {func(c *Call) {
			c.Tool, c.Args = "Bash", []byte(`{"command":"`+bin+` plan","command":"ls"}`)
		}, rules.Pass},
		"command in another case too": {func(c *Call) {
			c.Tool, c.Args = "Bash", []byte(`{"command":"`+bin+` plan","Command":"ls"}`)
		}, rules.Pass},
		"through a link": {with(bash("/usr/lib/ks/bin/keepsake plan"), func(c *Call) {
			c.Resolve = func(p string) string { return strings.Replace(p, "/usr/lib/ks", "/opt/keepsake", 1) }
		}), rules.Allow},
		"root unknown": {with(bash(bin+" plan"), func(c *Call) { c.PluginRoot = nil }), rules.Pass},
		"quiet":        {with(bash(bin+" plan"), func(c *Call) { c.Quiet = true }), rules.Pass},

		"context":                {file("Read", stageDir+"/context-decision.txt"), rules.Allow},
		"context of no category": {file("Read", stageDir+"/context-evil.txt"), rules.Pass},
		"triage data":            {file("Read", stageDir+"/triage-data.json"), rules.Allow},
		"intent to write":        {file("Write", stageDir+"/intent-decision.json"), rules.Allow},
		"intent to write, new":   {file("Write", stageDir+"/intent-runbook.json"), rules.Allow},
		"answers to write":       {file("Write", stageDir+"/tidy.json"), rules.Allow},
		"answers to read":        {file("Read", stageDir+"/tidy.json"), rules.Allow},
		"answers, plan mode":     {plan(file("Write", stageDir+"/tidy.json")), rules.Ask},
		"answers of a drafter":   {agent(Drafter, file("Write", stageDir+"/tidy.json")), rules.Deny},
		"answers of a subagent": {agent("general-purpose", file("Write", stageDir+"/tidy.json")),
			rules.Ask},
		"plan that waits to write": {file("Write", stageDir+"/tidy-plan.json"), rules.Ask},
		"intent to read":           {file("Read", stageDir+"/intent-decision.json"), rules.Allow},
		"intent with two links":    {file("Write", stageDir+"/intent-preference.json"), rules.Ask},
		"intent that is a link":    {file("Write", stageDir+"/intent-constraint.json"), rules.Ask},
		"read of a hard link":      {file("Read", stageDir+"/intent-preference.json"), rules.Pass},
		"context to write":         {file("Write", stageDir+"/context-decision.txt"), rules.Ask},
		"triage data to write":     {file("Write", stageDir+"/triage-data.json"), rules.Ask},
		"intent to edit":           {file("Edit", stageDir+"/intent-decision.json"), rules.Ask},
		"plan to read":             {file("Read", stageDir+"/plan.json"), rules.Pass},
		"intent, plan mode":        {plan(file("Write", stageDir+"/intent-decision.json")), rules.Ask},
		"context, plan mode":       {plan(file("Read", stageDir+"/context-decision.txt")), rules.Allow},
		"another session's stage": {file("Read",
			"/run/user/1000/.keepsake-staging-0123456789ab/other/context-decision.txt"), rules.Pass},
		"another's stage to write": {file("Write",
			"/run/user/1000/.keepsake-staging-0123456789ab/other/intent-decision.json"), rules.Ask},
		"dots":          {file("Read", stageDir+"/../sid/context-decision.txt"), rules.Pass},
		"double slash":  {file("Read", stageDir+"//context-decision.txt"), rules.Pass},
		"relative file": {file("Read", "context-decision.txt"), rules.Pass},
		"folder that is a link": {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) {
			c.Lstat = func(string) File { return File{Kind: Other} }
		}), rules.Pass},
		"no stage": {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) {
			c.Stage = func() string { return "" }
		}), rules.Pass},
		"nothing known of files": {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) {
			c.Lstat = nil
		}), rules.Pass},

		"drafter reads its context": {agent(Drafter, file("Read", stageDir+"/context-decision.txt")),
			rules.Allow},
		"drafter writes its draft": {agent(Drafter, file("Write", stageDir+"/intent-decision.json")),
			rules.Allow},
		"drafter reads elsewhere":  {agent(Drafter, file("Read", "/home/u/.ssh/id_ed25519")), rules.Deny},
		"drafter writes elsewhere": {agent(Drafter, file("Write", "/home/u/proj/x")), rules.Deny},
		"drafter writes the store": {agent(Drafter, file("Write", "/home/u/proj/.claude/memory/x.json")),
			rules.Deny},
		"drafter runs a command":  {agent(Drafter, bash("ls")), rules.Deny},
		"drafter runs our binary": {agent(Drafter, bash(bin+" plan")), rules.Deny},
		"drafter calls a server": {agent(Drafter, func(c *Call) {
			c.Tool, c.Args = "mcp__x__y", []byte(`{}`)
		}), rules.Deny},
		"drafter hands back": {agent(Drafter, func(c *Call) {
			c.Tool, c.Args = "SubagentHandback", []byte(`{}`)
		}), rules.Pass},
		"drafter started":            {start(nil), rules.Allow},
		"drafter started, blank end": {start(map[string]any{"prompt": three + "\n"}), rules.Allow},
		"drafter in the background": {start(map[string]any{"run_in_background": true, "model": "haiku"}),
			rules.Allow},
		"drafter, plan mode":  {plan(start(nil)), rules.Pass},
		"drafter by an agent": {agent("other", start(nil)), rules.Pass},
		"drafter told more": {start(map[string]any{"prompt": three + "\nAlso read /etc/passwd"}),
			rules.Pass},
		"drafter told less": {start(map[string]any{"prompt": "Category: decision"}), rules.Pass},
		"drafter of no category": {start(map[string]any{"prompt": strings.ReplaceAll(three, "decision",
			"evil")}), rules.Pass},
		"drafter on another stage": {start(map[string]any{"prompt": strings.ReplaceAll(three, "/sid/",
			"/other/")}), rules.Pass},
		"drafter with more":          {start(map[string]any{"isolation": "worktree"}), rules.Pass},
		"another kind of agent":      {start(map[string]any{"subagent_type": "general-purpose"}), rules.Pass},
		"another agent reads a file": {agent("other:drafter", file("Read", "/home/u/x")), rules.Pass},
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
		case loud.Checkpoint == rules.MemPalaceWrite && !reflect.DeepEqual(v, loud):
			t.Errorf("%s %s: %v when quiet, %v when not", c.Tool, c.Args, v.Decision, loud.Decision)
		case loud.Checkpoint != rules.MemPalaceWrite && v.Decision != rules.Pass:
			t.Errorf("%s %s: %v by %s when quiet", c.Tool, c.Args, v.Decision, v.Rule)
		}
	}
}

// TestReasons holds every text a person or an agent reads. KEEPSAKE_GOLDEN=1
// rewrites the file; review the difference as prose.
func TestReasons(t *testing.T) {
	calls := []struct{ tool, args string }{
		{"mcp__mempalace__mempalace_add_drawer",
			`{"content":"We use Postgres.","room":"keepsake","wing":"projects"}`},
		{"mcp__plugin_x_y__mempalace_kg_add", `{"subject":"keepsake","predicate":"uses","object":"Go"}`},
		{"mcp__mem__palace_exec", `{"command":"ADD DRAWER projects/keepsake 'text'"}`},
		{"mcp__mempalace__mempalace_add_drawer",
			"{\"wing\":\"a\\u001b[31mred\\u202e\",\"room\":\"zero\\u200bwidth \\u2028 " +
				"line\\nbreak\",\"content\":\"x\"}"},
		{"mcp__mempalace__mempalace_add_drawer", `{"wing":"` + strings.Repeat("wing ", 60) + `","room":"` +
			strings.Repeat("ü", 300) + `"}`},
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
		fmt.Fprintf(&b, "## %s %s\n", tc.tool, rules.Clip(tc.args, 120))
		for _, v := range []rules.Verdict{ask, deny} {
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
		fmt.Fprintf(&b, "## %s %s\n", c.Tool, rules.Clip(string(c.Args), 120))
		for _, v := range []rules.Verdict{ask, Judge(c)} {
			fmt.Fprintf(&b, "\n%s at %s by %s\n%s\n", v.Decision, v.Checkpoint, v.Rule, v.Reason)
			checkReason(t, v.Reason)
		}
		b.WriteString("\n")
	}
	c := world()
	c.Agent, c.Tool, c.Args = Drafter, "Read", []byte(`{"file_path":"/etc/passwd"}`)
	v := Judge(c)
	fmt.Fprintf(&b, "## a drafter: Read /etc/passwd\n\n%s at %s by %s\n%s\n", v.Decision, v.Checkpoint,
		v.Rule, v.Reason)
	golden(t, "reasons.golden", b.String())
}

func checkReason(t *testing.T, reason string) {
	t.Helper()
	lines := strings.Split(reason, "\n")
	if reason == "" || len(lines) > rules.MaxLines {
		t.Errorf("%d lines: %q", len(lines), reason)
	}
	for _, l := range lines {
		if n := utf8.RuneCountInString(l); n > rules.MaxRunes {
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
	dirs, err := filepath.Glob("../../../skills/*/SKILL.md")
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
	b, err := os.ReadFile("../../../hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	var conf struct {
		Hooks map[string][]struct{ Matcher string }
	}
	if err := json.Unmarshal(b, &conf); err != nil || len(conf.Hooks["PreToolUse"]) == 0 {
		t.Fatalf("hooks.json: %v, %v", err, conf.Hooks)
	}
	for event, entries := range conf.Hooks {
		if strings.HasSuffix(event, "ToolUse") || strings.HasSuffix(event, "ToolUseFailure") {
			// The gate's other entries only stop calls when the plugin is gone.
			if entries[0].Matcher != "*" || event != "PreToolUse" && len(entries) != 1 {
				t.Errorf("%s: %+v, want one entry for every tool", event, entries)
			}
		}
	}
}

// TestTable: each row of the table can be met.
func TestTable(t *testing.T) {
	// TestRoads
	met := map[string]bool{"keepsake-skill": true, "keepsake-command": true, "stage-file": true,
		"keepsake-drafter": true, "drafter-elsewhere": true}
	for _, s := range samples(t, "stop.jsonl") {
		met[Judge(s.call(t)).Rule] = true
	}
	for _, p := range rules.All() {
		for _, r := range p.Rules {
			if !met[r.Name] {
				t.Errorf("row %s: no sample meets it", r.Name)
			}
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
		if v.Decision >= rules.Ask {
			checkReason(t, v.Reason)
		}
		c.Dialog = false
		if d := Judge(c); d.Decision == rules.Ask || v.Decision == rules.Ask && d.Decision != rules.Deny {
			t.Errorf("%s %s: %v without a dialog, %v with one", tool, args, d.Decision, v.Decision)
		}
	})
}

// TestPlain: what is passed at a glance is what the parser would have passed.
func TestPlain(t *testing.T) {
	glances := 0
	for _, name := range []string{"stop.jsonl", "pass.jsonl"} {
		for _, s := range samples(t, name) {
			if s.Bash != "" && plain(s.Bash, "/home/u/proj", "") {
				glances++
				checkPlain(t, s.Bash)
			}
		}
	}
	for _, cmd := range []string{"ls", "cd /home/u/p && go test ./... 2>&1 | tail -20", "git status",
		"npm test > /dev/null 2>&1", "ls;pwd\nmake", "grep -rn foo . | head -5 & wait"} {
		if !plain(cmd, "/home/u/proj", "") {
			t.Errorf("%q is not plain", cmd)
		}
		checkPlain(t, cmd)
	}
	for _, cmd := range []string{"ls > x", "ls >> /dev/null", "x=1 ls", "ls $x", "ls 'a'", "./ls",
		"bash x.sh", "python x.py", "git checkout x", "go run .", "ls 3>x", "ls >&x", "ls 2>/dev/nullx",
		"make memory", "rm x", "ls \\x", "env ls", "(ls)", "ls <x"} {
		if plain(cmd, "/home/u/proj", "") {
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
		t.Errorf("%q passes at a glance; the parser finds %s", cmd, j.found.rule.Rule().Name)
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
		if plain(cmd, "/home/u/proj", "") {
			checkPlain(t, cmd)
		}
		c := world()
		c.Tool, c.Args = "Bash", mustJSON(t, map[string]string{"command": cmd})
		if v := Judge(c); v.Decision == rules.Allow &&
			!strings.HasPrefix(strings.Trim(cmd, `"' `), "/opt/keepsake/bin/keepsake") {
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
	for set, want := range map[rules.Decision]rules.Decision{rules.Pass: rules.Ask, rules.Allow: rules.Ask,
		rules.Ask: rules.Ask, rules.Deny: rules.Deny} {
		v := Judge(Call{
			Tool: "mcp__m__mempalace_add_drawer", Args: []byte(`{"wing":"w","room":"r","content":"c"}`),
			Dialog:   true,
			Settings: func(string) rules.Decision { return set },
		})
		if v.Decision != want || !v.Person {
			t.Errorf("set to %v: %v, a person may answer: %v", set, v.Decision, v.Person)
		}
	}
	v := Judge(Call{Tool: "Bash", Args: []byte(`{"command":"keepsake approve abcdef"}`), Dialog: true})
	if v.Decision != rules.Deny || v.Person {
		t.Errorf("the agent's own approval: %+v", v)
	}
}
