package gate

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

	"keepsake/pkg/checkpoint"
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
			c.Settings = func(cp string) checkpoint.Decision {
				return map[bool]checkpoint.Decision{true: checkpoint.Ask, false: checkpoint.Pass}[cp == checkpoint.AutoMemoryWrite]
			}
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
		want checkpoint.Decision
	}{
		"our skill":                 {skill("keepsake:save"), checkpoint.Allow},
		"our other skill":           {skill("keepsake:recall"), checkpoint.Allow},
		"a skill that is no skill":  {skill("keepsake:evil"), checkpoint.Pass},
		"a skill without our name":  {skill("save"), checkpoint.Pass},
		"another plugin's skill":    {skill("other:save"), checkpoint.Pass},
		"a skill that writes, plan": {plan(skill("keepsake:save")), checkpoint.Pass},
		"a skill that reads, plan":  {plan(skill("keepsake:recall")), checkpoint.Allow},
		"the handoff":               {skill("keepsake:handoff"), checkpoint.Allow},
		"the handoff, promote":      {func(c *Call) { c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:handoff","args":"promote"}`) }, checkpoint.Allow},
		"the router, to save":       {func(c *Call) { c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:memory-router","args":"save x"}`) }, checkpoint.Ask},
		"the notes, to save why": {func(c *Call) {
			c.Tool, c.Args = "Skill", []byte(`{"skill":"keepsake:memory","args":"save --tier why x"}`)
		}, checkpoint.Allow},
		"the notes of another plugin": {func(c *Call) {
			c.Tool, c.Args = "Skill", []byte(`{"skill":"mddesign:memory","args":"save --tier why x"}`)
		}, checkpoint.Ask},
		"the router":                {skill("keepsake:memory-router"), checkpoint.Allow},
		"the router, plan":          {plan(skill("keepsake:memory-router")), checkpoint.Allow},
		"handoff catchup, plan":     {plan(bash(bin + " handoff catchup")), checkpoint.Allow},
		"handoff promote":           {bash(bin + " handoff promote --resume 'asking Ann'"), checkpoint.Allow},
		"handoff promote, plan":     {plan(bash(bin + " handoff promote")), checkpoint.Pass},
		"handoff, else":             {bash(bin + " handoff write"), checkpoint.Pass},
		"handoff of another":        {bash(bin + " handoff promote --project /x"), checkpoint.Pass},
		"plan":                      {bash(bin + " plan"), checkpoint.Allow},
		"plan --partial":            {bash(bin + " plan --partial"), checkpoint.Allow},
		"apply":                     {bash(bin + " apply 0123abcd"), checkpoint.Allow},
		"triage":                    {bash(bin + " triage --category decision"), checkpoint.Allow},
		"triage joined":             {bash(bin + " triage --category=decision"), checkpoint.Allow},
		"index validate":            {plan(bash(bin + " index validate --json")), checkpoint.Allow},
		"index rebuild":             {bash(bin + " index rebuild"), checkpoint.Allow},
		"index rebuild, plan":       {plan(bash(bin + " index rebuild")), checkpoint.Pass},
		"index without a verb":      {bash(bin + " index"), checkpoint.Pass},
		"recall quoted":             {bash(bin + " recall 'why postgres?'"), checkpoint.Allow},
		"the inbox":                 {bash(bin + " inbox"), checkpoint.Allow},
		"the inbox as JSON":         {bash(bin + " inbox --json"), checkpoint.Allow},
		"the inbox, all of it":      {bash(bin + " inbox --all --json"), checkpoint.Allow},
		"what would be forgotten":   {bash(bin + " forget use-redis --dry-run"), checkpoint.Allow},
		"a memory, forgotten":       {bash(bin + " forget use-redis"), checkpoint.Ask},
		"a memory, deleted":         {bash(bin + " forget use-redis --for-good"), checkpoint.Ask},
		"a finding, forgotten":      {bash("keepsake forget 7"), checkpoint.Ask},
		"a note, undone":            {bash(bin + " undo last --dir kb/memory"), checkpoint.Pass},
		"the inbox, edited":         {bash(bin + " inbox edit c4k2zq"), checkpoint.Pass},
		"the inbox, put off":        {bash(bin + " inbox --json later c4k2zq"), checkpoint.Pass},
		"a document of candidates":  {bash(bin + " candidates /etc/passwd"), checkpoint.Pass},
		"which back ends":           {bash(bin + " tiers --json"), checkpoint.Allow},
		"recall double quoted":      {bash(bin + ` recall "why postgres"`), checkpoint.Allow},
		"path quoted":               {bash(`"` + bin + `" list`), checkpoint.Allow},
		"list json":                 {bash(bin + " list --json"), checkpoint.Allow},
		"list, plan mode":           {plan(bash(bin + " list")), checkpoint.Allow},
		"apply, plan mode":          {plan(bash(bin + " apply 0123abcd")), checkpoint.Pass},
		"commit, plan mode":         {plan(bash(bin + " commit")), checkpoint.Pass},
		"save":                      {bash(bin + " save 'use Postgres'"), checkpoint.Allow},
		"save, tier":                {bash(bin + " save --tier scratch x"), checkpoint.Allow},
		"save, tier joined":         {bash(bin + " save x --tier=scratch"), checkpoint.Allow},
		"save, text like an option": {bash(bin + " save -- --tier why"), checkpoint.Allow},
		"save, plan mode":           {plan(bash(bin + " save x")), checkpoint.Pass},
		"save why":                  {bash(bin + " save --tier why x"), checkpoint.Ask},
		"save why, joined":          {bash(bin + " save x --tier=why"), checkpoint.Ask},
		"save why, twice":           {bash(bin + " save x --tier=scratch --tier why"), checkpoint.Ask},
		"save where":                {bash(bin + " save --tier where x"), checkpoint.Allow},
		"save where, joined": {bash(bin + " save --tier=where 'retry logic: pkg/http/retry.go'"),
			checkpoint.Allow},
		"save where, then why":  {bash(bin + " save --tier=where --tier why x"), checkpoint.Ask},
		"save where, no tier":   {bash(bin + " save --tier nowhere x"), checkpoint.Pass},
		"save, no tier said":    {bash(bin + " save x --tier"), checkpoint.Pass},
		"save, another project": {bash(bin + " save x --project /p"), checkpoint.Pass},
		"bare name":             {bash("keepsake plan"), checkpoint.Pass},
		"relative":              {bash("./bin/keepsake plan"), checkpoint.Pass},
		"remember": {bash(bin + ` remember '{"covers":[7],"title":"it’s so"}'`),
			checkpoint.Allow},
		"remember, apostrophe": {bash(bin + ` remember '{"covers":[7],"title":"it'\''s so"}'`),
			checkpoint.Allow},
		"remember, here-document": {bash(bin +
			" remember <<'EOF'\n{\"covers\":[7],\"title\":\"it's $(so)\"}\nEOF"), checkpoint.Allow},
		"remember, delimiter in double quotes": {bash(bin +
			" remember <<\"EOF\"\n{\"covers\":[7],\"title\":\"it's $(so) `and` $so\"}\nEOF"), checkpoint.Allow},
		"remember, escaped delimiter": {bash(bin +
			" remember <<\\EOF\n{\"covers\":[7],\"title\":\"it's $(so) `and` $so\"}\nEOF"), checkpoint.Allow},
		"remember, delimiter with an expansion": {bash(bin + " remember <<\"$E\"\n{}\n$E"), checkpoint.Pass},
		"remember, delimiter in $\"":            {bash(bin + " remember <<$\"EOF\"\n{}\nEOF"), checkpoint.Pass},
		"remember, delimiter in $'":             {bash(bin + " remember <<$'EOF'\n{}\nEOF"), checkpoint.Pass},
		"remember, delimiter with an escape":    {bash(bin + " remember <<\"E\\\"F\"\n{}\nE\"F"), checkpoint.Pass},
		"remember, no delimiter":                {bash(bin + " remember <<\"\"\n{}\n\n"), checkpoint.Pass},
		"remember, escape in the middle":        {bash(bin + " remember <<E\\OF\n{}\nEOF"), checkpoint.Pass},
		"remember, unindented":                  {bash(bin + " remember <<-\"EOF\"\n{}\nEOF"), checkpoint.Pass},
		"remember, more behind the document": {bash(bin +
			" remember <<\"EOF\"\n{}\nEOF\nrm x"), checkpoint.Pass},
		"remember, another behind it": {bash(bin +
			" remember <<\\EOF && rm x\n{}\nEOF"), checkpoint.Pass},
		"remember, open delimiter, plain": {bash(bin + " remember <<EOF\n{}\nEOF"), checkpoint.Pass},
		"plan, quoted delimiter":          {bash(bin + " plan <<\"EOF\"\n{}\nEOF"), checkpoint.Pass},
		"remember, open delimiter": {bash(bin +
			" remember <<EOF\n{\"covers\":[7],\"title\":\"it's $(so)\"}\nEOF"), checkpoint.Pass},
		"remember, here-string":      {bash(bin + " remember <<<'{}'"), checkpoint.Pass},
		"remember from a file":       {bash(bin + " remember < draft.json"), checkpoint.Pass},
		"remember, two redirections": {bash(bin + " remember <<'EOF' > out\n{}\nEOF"), checkpoint.Pass},
		"remember, then more":        {bash(bin + " remember '{}'; rm x"), checkpoint.Pass},
		"remember, substitution":     {bash(bin + ` remember "$(cat x)"`), checkpoint.Pass},
		"remember elsewhere":         {bash(bin + ` remember --project /x '{}'`), checkpoint.Pass},
		"remember in plan mode": {with(bash(bin+` remember '{}'`), func(c *Call) { c.Mode = "plan" }),
			checkpoint.Pass},
		"heredoc for another verb": {bash(bin + " plan <<'EOF'\n{}\nEOF"), checkpoint.Pass},
		"another root":             {bash("/tmp/keepsake/bin/keepsake plan"), checkpoint.Pass},
		"no verb":                  {bash(bin), checkpoint.Pass},
		"option first":             {bash(bin + " --json list"), checkpoint.Pass},
		"unknown verb":             {bash(bin + " destroy"), checkpoint.Pass},
		"gc":                       {bash(bin + " gc"), checkpoint.Ask},
		"fmt, shown":               {plan(bash(bin + " fmt -d --profile table")), checkpoint.Allow},
		"fmt, shown of any folder": {bash(bin + " fmt -d /home/u/notes"), checkpoint.Pass},
		"fmt, both":                {bash(bin + " fmt -d -w"), checkpoint.Pass},
		"fmt, in one":              {bash(bin + " fmt -dw"), checkpoint.Pass},
		"fmt":                      {bash(bin + " fmt -w"), checkpoint.Pass},
		"upkeep, shown":            {plan(bash(bin + " upkeep -d")), checkpoint.Allow},
		"upkeep":                   {bash(bin + " upkeep -w"), checkpoint.Pass},
		"snapshots":                {plan(bash(bin + " snapshot")), checkpoint.Allow},
		"snapshot, what is gone":   {bash(bin + " snapshot diff 3"), checkpoint.Allow},
		"snapshot, brought back":   {bash(bin + " snapshot restore billing.md"), checkpoint.Pass},
		"snapshot restore, asked":  {asked(bash(bin + " snapshot restore billing.md")), checkpoint.Ask},
		"snapshot diff, asked":     {asked(bash(bin + " snapshot diff")), checkpoint.Allow},
		"snapshot, shown, asked":   {asked(bash(bin + " snapshot restore --dry-run")), checkpoint.Allow},
		"undo, asked":              {asked(bash(bin + " undo last")), checkpoint.Ask},
		"undo, shown, asked":       {asked(bash(bin + " undo last --dry-run")), checkpoint.Allow},
		"snapshot, only shown":     {bash(bin + " snapshot restore --dry-run --diff"), checkpoint.Allow},
		"gc, only shown":           {bash(bin + " gc --dry-run --diff"), checkpoint.Allow},
		"retire, only shown":       {plan(bash(bin + " retire use-redis --dry-run")), checkpoint.Allow},
		"undo, only shown":         {bash(bin + " undo last --diff --dry-run --json"), checkpoint.Allow},
		"undo, shown as a diff":    {bash(bin + " undo last --diff"), checkpoint.Ask},
		"retire, not only shown": {bash(bin + " retire use-redis --dry-run --dry-run=false"),
			checkpoint.Ask},
		"retire, a word":              {bash(bin + " retire -- --dry-run"), checkpoint.Ask},
		"another project, only shown": {bash(bin + " gc --dry-run --project /p"), checkpoint.Pass},
		"retire":                      {bash(bin + " retire use-redis"), checkpoint.Ask},
		"archive":                     {bash(bin + " archive use-redis"), checkpoint.Ask},
		"unarchive":                   {bash(bin + " unarchive use-redis"), checkpoint.Ask},
		"restore":                     {bash(bin + " restore use-redis"), checkpoint.Ask},
		"undo":                        {bash(bin + " undo last"), checkpoint.Ask},
		"history of a memory":         {bash(bin + " history use-redis"), checkpoint.Allow},
		"log":                         {plan(bash(bin + " log")), checkpoint.Allow},
		"log show":                    {bash(bin + " log show --filter triage --since 2h"), checkpoint.Allow},
		"log analyze":                 {bash(bin + " log analyze --json"), checkpoint.Allow},
		"log of another project":      {bash(bin + " log show --project /p"), checkpoint.Pass},
		"approvals":                   {bash(bin + " approvals"), checkpoint.Allow},
		"note":                        {bash(bin + " note 'We decided to keep jobs in PostgreSQL' --by scout"), checkpoint.Allow},
		"note, plan":                  {plan(bash(bin + " note 'We decided to keep jobs in PostgreSQL'")), checkpoint.Pass},
		"note, looked at in plan":     {plan(bash(bin + " note --dry-run 'We decided it'")), checkpoint.Allow},
		"note, asked":                 {asked(bash(bin + " note 'We decided to keep jobs in PostgreSQL'")), checkpoint.Ask},
		"note, for all projects":      {bash(bin + " note --root 'We decided to keep jobs in PostgreSQL'"), checkpoint.Pass},
		"note, elsewhere":             {bash(bin + " note --project /etc 'We decided to keep jobs'"), checkpoint.Pass},
		"note, expanded":              {bash(bin + " note \"$(cat /etc/passwd)\""), checkpoint.Pass},
		"mentions":                    {plan(bash(bin + " mentions postgres")), checkpoint.Allow},
		"project show":                {plan(bash(bin + " project show shop --json")), checkpoint.Allow},
		"project progress":            {bash(bin + " project progress 'both feeds are read' --id shop"), checkpoint.Allow},
		"project set":                 {bash(bin + " project set deadline 2026-12-18"), checkpoint.Allow},
		"project set, plan mode":      {plan(bash(bin + " project set deadline 2026-12-18")), checkpoint.Pass},
		"project, no verb":            {bash(bin + " project"), checkpoint.Pass},
		"another project's card":      {bash(bin + " project progress x --project /p"), checkpoint.Pass},
		"project, memories are asked": {asked(bash(bin + " project progress x")), checkpoint.Ask},
		"project show, asked":         {asked(bash(bin + " project show")), checkpoint.Allow},
		"project, only shown, asked":  {asked(bash(bin + " project progress x --dry-run")), checkpoint.Allow},
		"gate explain":                {bash(bin + " gate explain memory-writes"), checkpoint.Allow},
		"lint":                        {plan(bash(bin + " lint --profile table --json")), checkpoint.Allow},
		"lint of any folder":          {bash(bin + " lint /home/u/notes"), checkpoint.Pass},
		"lint of a folder, behind":    {bash(bin + " lint --profile table /home/u/notes"), checkpoint.Pass},
		"tidy":                        {plan(bash(bin + " tidy --json")), checkpoint.Allow},
		"tidy of any folder":          {bash(bin + " tidy /home/u/notes"), checkpoint.Pass},
		"tidy plan":                   {bash(bin + " tidy plan"), checkpoint.Allow},
		"tidy plan, plan mode":        {plan(bash(bin + " tidy plan")), checkpoint.Pass},
		"tidy plan of any folder":     {bash(bin + " tidy plan /home/u/notes"), checkpoint.Pass},
		"tidy apply":                  {bash(bin + " tidy apply 1f0c2a9d44b1"), checkpoint.Pass},
		"tidy apply behind":           {bash(bin + " tidy plan apply"), checkpoint.Pass},
		"lesson":                      {bash(bin + " lesson --trigger 'a test fails' --lesson b --next c"), checkpoint.Allow},
		"lesson, plan mode":           {plan(bash(bin + " lesson --trigger a --lesson b --next c")), checkpoint.Pass},
		"lesson, only shown":          {plan(bash(bin + " lesson --trigger a --lesson b --next c --dry-run")), checkpoint.Allow},
		"lesson list":                 {plan(bash(bin + " lesson list --json")), checkpoint.Allow},
		"lesson as an instinct":       {bash(bin + " lesson instinct migrate-first"), checkpoint.Allow},
		"an instinct, written":        {bash(bin + " lesson instinct migrate-first --write"), checkpoint.Pass},
		"an instinct, written first":  {bash(bin + " lesson instinct --write migrate-first"), checkpoint.Pass},
		"an instinct, written so":     {bash(bin + " lesson instinct migrate-first --write=true"), checkpoint.Pass},
		"gate test, of any file":      {bash(bin + " gate test /home/u/.netrc"), checkpoint.Pass},
		"gate without a verb":         {bash(bin + " gate"), checkpoint.Pass},
		"approve":                     {bash(bin + " approve x"), checkpoint.Deny},
		"another session":             {bash(bin + " apply x --session other"), checkpoint.Pass},
		"another session joined":      {bash(bin + " apply x --session=other"), checkpoint.Pass},
		"another project":             {bash(bin + " apply x --project /p"), checkpoint.Pass},
		"and":                         {bash(bin + " plan && ls"), checkpoint.Pass},
		"semicolon":                   {bash(bin + " plan; ls"), checkpoint.Pass},
		"trailing semicolon":          {bash(bin + " plan;"), checkpoint.Pass},
		"newline":                     {bash(bin + " plan\nls"), checkpoint.Pass},
		"pipe":                        {bash(bin + " plan | sh"), checkpoint.Pass},
		"redirect":                    {bash(bin + " list > x"), checkpoint.Pass},
		"stderr redirect":             {bash(bin + " list 2>&1"), checkpoint.Pass},
		"input":                       {bash(bin + " list < x"), checkpoint.Pass},
		"background":                  {bash(bin + " plan &"), checkpoint.Pass},
		"negated":                     {bash("! " + bin + " plan"), checkpoint.Pass},
		"assignment":                  {bash("PATH=/x " + bin + " plan"), checkpoint.Pass},
		"env":                         {bash("env " + bin + " plan"), checkpoint.Pass},
		"sudo":                        {bash("sudo " + bin + " plan"), checkpoint.Pass},
		"subshell":                    {bash("(" + bin + " plan)"), checkpoint.Pass},
		"group":                       {bash("{ " + bin + " plan; }"), checkpoint.Pass},
		"time":                        {bash("time " + bin + " plan"), checkpoint.Pass},
		"substitution":                {bash(bin + " recall $(id)"), checkpoint.Pass},
		"backquotes":                  {bash(bin + " recall `id`"), checkpoint.Pass},
		"substitution in quotes":      {bash(bin + ` recall "$(id)"`), checkpoint.Pass},
		"variable":                    {bash(bin + " recall $X"), checkpoint.Pass},
		"variable in quotes":          {bash(bin + ` recall "$X"`), checkpoint.Pass},
		"process substitution":        {bash(bin + " recall <(id)"), checkpoint.Pass},
		"glob":                        {bash(bin + " recall *"), checkpoint.Pass},
		"brace":                       {bash(bin + " recall {a,b}"), checkpoint.Pass},
		"tilde":                       {bash(bin + " recall ~"), checkpoint.Pass},
		"escape":                      {bash(bin + ` recall a\ b`), checkpoint.Pass},
		"ansi quotes":                 {bash(bin + " recall $'a'"), checkpoint.Pass},
		"locale quotes":               {bash(bin + ` recall $"a"`), checkpoint.Pass},
		"arithmetic":                  {bash(bin + " recall $((1))"), checkpoint.Pass},
		"comment":                     {bash(bin + " plan # x"), checkpoint.Pass},
		"history":                     {bash(bin + " recall !!"), checkpoint.Pass},
		"zsh equals":                  {bash(bin + " recall =ls"), checkpoint.Pass},
		"heredoc":                     {bash(bin + " recall <<EOF\nx\nEOF"), checkpoint.Pass},
		"function of that name":       {bash(bin + "() { ls; }"), checkpoint.Pass},
		"dots in the path":            {bash("/opt/keepsake/../keepsake/bin/keepsake plan"), checkpoint.Pass},
		"command twice":               {func(c *Call) { c.Tool, c.Args = "Bash", []byte(`{"command":"`+bin+` plan","command":"ls"}`) }, checkpoint.Pass},
		"command in another case too": {func(c *Call) { c.Tool, c.Args = "Bash", []byte(`{"command":"`+bin+` plan","Command":"ls"}`) }, checkpoint.Pass},
		"through a link": {with(bash("/usr/lib/ks/bin/keepsake plan"), func(c *Call) {
			c.Resolve = func(p string) string { return strings.Replace(p, "/usr/lib/ks", "/opt/keepsake", 1) }
		}), checkpoint.Allow},
		"root unknown": {with(bash(bin+" plan"), func(c *Call) { c.PluginRoot = nil }), checkpoint.Pass},
		"quiet":        {with(bash(bin+" plan"), func(c *Call) { c.Quiet = true }), checkpoint.Pass},

		"context":                  {file("Read", stageDir+"/context-decision.txt"), checkpoint.Allow},
		"context of no category":   {file("Read", stageDir+"/context-evil.txt"), checkpoint.Pass},
		"triage data":              {file("Read", stageDir+"/triage-data.json"), checkpoint.Allow},
		"intent to write":          {file("Write", stageDir+"/intent-decision.json"), checkpoint.Allow},
		"intent to write, new":     {file("Write", stageDir+"/intent-runbook.json"), checkpoint.Allow},
		"answers to write":         {file("Write", stageDir+"/tidy.json"), checkpoint.Allow},
		"answers to read":          {file("Read", stageDir+"/tidy.json"), checkpoint.Allow},
		"answers, plan mode":       {plan(file("Write", stageDir+"/tidy.json")), checkpoint.Ask},
		"answers of a drafter":     {agent(Drafter, file("Write", stageDir+"/tidy.json")), checkpoint.Deny},
		"answers of a subagent":    {agent("general-purpose", file("Write", stageDir+"/tidy.json")), checkpoint.Ask},
		"plan that waits to write": {file("Write", stageDir+"/tidy-plan.json"), checkpoint.Ask},
		"intent to read":           {file("Read", stageDir+"/intent-decision.json"), checkpoint.Allow},
		"intent with two links":    {file("Write", stageDir+"/intent-preference.json"), checkpoint.Ask},
		"intent that is a link":    {file("Write", stageDir+"/intent-constraint.json"), checkpoint.Ask},
		"read of a hard link":      {file("Read", stageDir+"/intent-preference.json"), checkpoint.Pass},
		"context to write":         {file("Write", stageDir+"/context-decision.txt"), checkpoint.Ask},
		"triage data to write":     {file("Write", stageDir+"/triage-data.json"), checkpoint.Ask},
		"intent to edit":           {file("Edit", stageDir+"/intent-decision.json"), checkpoint.Ask},
		"plan to read":             {file("Read", stageDir+"/plan.json"), checkpoint.Pass},
		"intent, plan mode":        {plan(file("Write", stageDir+"/intent-decision.json")), checkpoint.Ask},
		"context, plan mode":       {plan(file("Read", stageDir+"/context-decision.txt")), checkpoint.Allow},
		"another session's stage":  {file("Read", "/run/user/1000/.keepsake-staging-0123456789ab/other/context-decision.txt"), checkpoint.Pass},
		"another's stage to write": {file("Write", "/run/user/1000/.keepsake-staging-0123456789ab/other/intent-decision.json"), checkpoint.Ask},
		"dots":                     {file("Read", stageDir+"/../sid/context-decision.txt"), checkpoint.Pass},
		"double slash":             {file("Read", stageDir+"//context-decision.txt"), checkpoint.Pass},
		"relative file":            {file("Read", "context-decision.txt"), checkpoint.Pass},
		"folder that is a link":    {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) { c.Lstat = func(string) File { return File{Kind: Other} } }), checkpoint.Pass},
		"no stage":                 {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) { c.Stage = func() string { return "" } }), checkpoint.Pass},
		"nothing known of files":   {with(file("Read", stageDir+"/context-decision.txt"), func(c *Call) { c.Lstat = nil }), checkpoint.Pass},

		"drafter reads its context":  {agent(Drafter, file("Read", stageDir+"/context-decision.txt")), checkpoint.Allow},
		"drafter writes its draft":   {agent(Drafter, file("Write", stageDir+"/intent-decision.json")), checkpoint.Allow},
		"drafter reads elsewhere":    {agent(Drafter, file("Read", "/home/u/.ssh/id_ed25519")), checkpoint.Deny},
		"drafter writes elsewhere":   {agent(Drafter, file("Write", "/home/u/proj/x")), checkpoint.Deny},
		"drafter writes the store":   {agent(Drafter, file("Write", "/home/u/proj/.claude/memory/x.json")), checkpoint.Deny},
		"drafter runs a command":     {agent(Drafter, bash("ls")), checkpoint.Deny},
		"drafter runs our binary":    {agent(Drafter, bash(bin+" plan")), checkpoint.Deny},
		"drafter calls a server":     {agent(Drafter, func(c *Call) { c.Tool, c.Args = "mcp__x__y", []byte(`{}`) }), checkpoint.Deny},
		"drafter hands back":         {agent(Drafter, func(c *Call) { c.Tool, c.Args = "SubagentHandback", []byte(`{}`) }), checkpoint.Pass},
		"drafter started":            {start(nil), checkpoint.Allow},
		"drafter started, blank end": {start(map[string]any{"prompt": three + "\n"}), checkpoint.Allow},
		"drafter in the background":  {start(map[string]any{"run_in_background": true, "model": "haiku"}), checkpoint.Allow},
		"drafter, plan mode":         {plan(start(nil)), checkpoint.Pass},
		"drafter by an agent":        {agent("other", start(nil)), checkpoint.Pass},
		"drafter told more":          {start(map[string]any{"prompt": three + "\nAlso read /etc/passwd"}), checkpoint.Pass},
		"drafter told less":          {start(map[string]any{"prompt": "Category: decision"}), checkpoint.Pass},
		"drafter of no category":     {start(map[string]any{"prompt": strings.ReplaceAll(three, "decision", "evil")}), checkpoint.Pass},
		"drafter on another stage":   {start(map[string]any{"prompt": strings.ReplaceAll(three, "/sid/", "/other/")}), checkpoint.Pass},
		"drafter with more":          {start(map[string]any{"isolation": "worktree"}), checkpoint.Pass},
		"another kind of agent":      {start(map[string]any{"subagent_type": "general-purpose"}), checkpoint.Pass},
		"another agent reads a file": {agent("other:drafter", file("Read", "/home/u/x")), checkpoint.Pass},
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
		case loud.Checkpoint == checkpoint.MemPalaceWrite && !reflect.DeepEqual(v, loud):
			t.Errorf("%s %s: %v when quiet, %v when not", c.Tool, c.Args, v.Decision, loud.Decision)
		case loud.Checkpoint != checkpoint.MemPalaceWrite && v.Decision != checkpoint.Pass:
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
		for _, v := range []checkpoint.Verdict{ask, deny} {
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
		for _, v := range []checkpoint.Verdict{ask, Judge(c)} {
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
	if reason == "" || len(lines) > checkpoint.MaxLines {
		t.Errorf("%d lines: %q", len(lines), reason)
	}
	for _, l := range lines {
		if n := utf8.RuneCountInString(l); n > checkpoint.MaxRunes {
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

// TestTable: each row of the table can be met.
func TestTable(t *testing.T) {
	met := map[string]bool{"keepsake-skill": true, "keepsake-command": true, "stage-file": true, "keepsake-drafter": true, "drafter-elsewhere": true} // TestRoads
	for _, s := range samples(t, "stop.jsonl") {
		met[Judge(s.call(t)).Rule] = true
	}
	for _, p := range checkpoint.All() {
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
		if v.Decision >= checkpoint.Ask {
			checkReason(t, v.Reason)
		}
		c.Dialog = false
		if d := Judge(c); d.Decision == checkpoint.Ask || v.Decision == checkpoint.Ask && d.Decision != checkpoint.Deny {
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
	for _, cmd := range []string{"ls", "cd /home/u/p && go test ./... 2>&1 | tail -20", "git status", "npm test > /dev/null 2>&1", "ls;pwd\nmake", "grep -rn foo . | head -5 & wait"} {
		if !plain(cmd, "/home/u/proj", "") {
			t.Errorf("%q is not plain", cmd)
		}
		checkPlain(t, cmd)
	}
	for _, cmd := range []string{"ls > x", "ls >> /dev/null", "x=1 ls", "ls $x", "ls 'a'", "./ls", "bash x.sh", "python x.py", "git checkout x", "go run .", "ls 3>x", "ls >&x", "ls 2>/dev/nullx", "make memory", "rm x", "ls \\x", "env ls", "(ls)", "ls <x"} {
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
		if v := Judge(c); v.Decision == checkpoint.Allow && !strings.HasPrefix(strings.Trim(cmd, `"' `), "/opt/keepsake/bin/keepsake") {
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
	for set, want := range map[checkpoint.Decision]checkpoint.Decision{checkpoint.Pass: checkpoint.Ask, checkpoint.Allow: checkpoint.Ask, checkpoint.Ask: checkpoint.Ask, checkpoint.Deny: checkpoint.Deny} {
		v := Judge(Call{
			Tool: "mcp__m__mempalace_add_drawer", Args: []byte(`{"wing":"w","room":"r","content":"c"}`), Dialog: true,
			Settings: func(string) checkpoint.Decision { return set },
		})
		if v.Decision != want || !v.Person {
			t.Errorf("set to %v: %v, a person may answer: %v", set, v.Decision, v.Person)
		}
	}
	v := Judge(Call{Tool: "Bash", Args: []byte(`{"command":"keepsake approve abcdef"}`), Dialog: true})
	if v.Decision != checkpoint.Deny || v.Person {
		t.Errorf("the agent's own approval: %+v", v)
	}
}
