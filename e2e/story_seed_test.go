//go:build e2e

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
)

// What is typed and answered in the example, word for word.
const (
	seedText    = "Decided to use Postgres over SQLite for the memory store, scaling concern."
	seedSaved   = "Saved to scratch / topic=phase-2-data-model"
	seedWhy     = "/keepsake:memory recall why postgres"
	seedForGood = "/keepsake:memory save --tier why " + seedText
	seedNotes   = ".agents/memory/scratch/phase-2-data-model.md"
)

// A Secretary is the mind of a model that follows skills/memory/SKILL.md and skills/memory-router/SKILL.md,
// starts the memory-keeper as Keepsake says it, and runs what the person names. It says what each command
// printed.
type Secretary struct {
	Lab   *Lab
	asked string // the last command that the skill gave
}

var (
	keeperNamed = heard("Stop", `keepsake:memory-keeper`)
	keeperTold  = regexp.MustCompile("agent `(keepsake:memory-keeper)`[\\s\\S]*?exactly:\\n((?:[A-Z]\\w+: " +
		"\\S+\\n)+)")
	forGood = regexp.MustCompile(`(?m)^Keep for good: (.+)`)
	runThis = regexp.MustCompile(`(?m)^Please run (.+)`)
)

// secretary makes a model that keeps notes, and its memory-keepers.
func (l *Lab) secretary() *Secretary {
	s := &Secretary{Lab: l}
	l.Model.Mind("keeper", Match{First: `(?m)^Notes: \.agents`}, s.Keeper)
	l.Model.Mind("main", Match{}, s.Answer)
	return s
}

// Answer is the main conversation's turn.
func (s *Secretary) Answer(r *Request) Reply {
	tail, last := r.Tail(), r.LastCall()
	if skill, ok := calledNow(r, "Look after the memories"); ok {
		return s.memory(skill)
	}
	if skill, ok := calledNow(r, "Route a question to its tier"); ok {
		commands := skill.row("a question")
		if len(commands) == 0 {
			return s.Lab.Model.GiveUp("the skill does not say how a question is asked")
		}
		return Bash(strings.Replace(commands[0], "'QUESTION'", quote(skill.args), 1))
	}
	switch { // what the person wants goes before what comes beside it
	case forGood.MatchString(tail):
		return Call("Skill", map[string]any{"skill": "keepsake:memory", "args": "save --tier why " +
			forGood.FindStringSubmatch(tail)[1]})
	case runThis.MatchString(tail):
		return Bash(s.Lab.keepsake() + " " + runThis.FindStringSubmatch(tail)[1])
	case keeperNamed.MatchString(tail):
		told := keeperTold.FindStringSubmatch(tail)
		if told == nil {
			return s.Lab.Model.GiveUp("the feedback does not say how the memory-keeper is started: " + tail)
		}
		return Call("Agent", map[string]any{"subagent_type": told[1], "description": "Look through the notes",
			"prompt": strings.TrimSpace(told[2])})
	case strings.Contains(tail, approved):
		return Bash(s.asked)
	case feedback.MatchString(tail):
		return Say("That is in the notes already.")
	case strings.Contains(tail, "<task-notification>"), last.Name == "Agent":
		return Say("The memory-keeper looks through the notes, and Keepsake tells what it proposes.")
	case last.Name == "Bash":
		return Say(printed(tail))
	}
	return Say("I see.")
}

// printed is what the last command printed, as it is said.
func printed(tail string) string {
	_, out, _ := strings.Cut(tail, "[result] ")
	out, _, _ = strings.Cut(out, "\n--- ")
	return "It says: " + strings.TrimSpace(out)
}

// memory is the command that the skill's table has for what was typed.
func (s *Secretary) memory(skill called) Reply {
	for _, form := range []string{"save --tier where TEXT", "save --tier why TEXT",
		"save --tier scratch TEXT", "save TEXT", "recall QUERY", "promote ID ID"} {
		lead := form[:strings.IndexFunc(form, unicode.IsUpper)]
		text, ok := strings.CutPrefix(skill.args, lead)
		if !ok {
			continue
		}
		for _, line := range lines(skill.text) {
			if cells := strings.Split(line, "|"); len(cells) == 4 &&
				strings.Contains(cells[1], "`"+form+"`") {
				s.asked = strings.NewReplacer("'TEXT'", quote(strings.ReplaceAll(text, "'", "’")), "'QUERY'",
					quote(text), "ID ID", text).Replace(strings.Split(cells[2], "`")[1])
				return Bash(s.asked)
			}
		}
	}
	return s.Lab.Model.GiveUp("the skill's table has no row for " + skill.args)
}

// Keeper is a memory-keeper's turn: read the notes, propose the one that says why.
func (s *Secretary) Keeper(r *Request) Reply {
	path := filepath.Join(s.Lab.Project, seedNotes)
	if r.LastCall().Name == "" {
		return Call("Read", map[string]any{"file_path": path})
	}
	return Say("## Postgres over SQLite\n> " + seedText + "\n- Source: " + seedNotes +
		":2\n- Wing: shop\n- Room: decisions\n- Drawer: postgres-over-sqlite\n" +
		"- Reason: a choice with its reason, which the schema rests on\n\nRead: 1, proposed: 1, left: 0\n")
}

// seedLab is a lab with Keepsake, a plan in its second phase, and a model that keeps notes.
func seedLab(t *testing.T, c Client) *Lab {
	t.Helper()
	l := NewLab(t, c)
	l.InstallKeepsake()
	l.Write(filepath.Join(l.Project, "task_plan.md"),
		"# Task Plan\n\n## Phases\n### Phase 1: Discovery\n- **Status:** complete\n### Phase 2: Data "+
			"model\n- [ ] tables\n- **Status:** in_progress\n")
	l.secretary()
	return l
}

// Keepers has Keepsake keep drawers in this palace, as a person sets it up.
func (p *RealPalace) Keepers() {
	l := p.lab
	for k, v := range p.env {
		l.Env[k] = v
	}
	l.Run(l.Project, l.keepsake(), "config", "set", "--user", "tiers.why", "mempalace")
	l.Run(l.Project, l.keepsake(), "config", "set", "--user", "tiers.mempalace_command",
		p.program("mempalace-mcp"))
}

// candidates are the ids of those on the inbox.
func (l *Lab) candidates() (ids []string) {
	l.t.Helper()
	var box struct {
		Candidates []struct{ ID string }
	}
	cmd := exec.Command(l.keepsake(), "inbox", "--json")
	cmd.Dir, cmd.Env = l.Project, l.environ()
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &box)
	}
	if err != nil {
		l.t.Fatalf("keepsake inbox: %v\n%s", err, out)
	}
	for _, c := range box.Candidates {
		ids = append(ids, c.ID)
	}
	return ids
}

// says sends a prompt and waits for the next command's output that matches.
func (l *Lab) says(term *Terminal, prompt, output string) *Request {
	l.t.Helper()
	before := len(l.Model.Requests())
	term.Send(prompt)
	return l.Model.Await(prompt+" printed "+output, func(r *Request) bool {
		return r.N > before && r.Route == "main" &&
			regexp.MustCompile(`\[result\] [\s\S]*`+output).MatchString(r.Tail())
	})
}

// TestSeed: the example, word for word, across two sessions, with MemPalace itself.
func TestSeed(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := seedLab(t, c)
		palace, _ := l.RealPalace()
		palace.Keepers()
		term := l.Terminal("--permission-mode", "default")
		notes := filepath.Join(l.Project, seedNotes)

		l.says(term, "/keepsake:memory save "+seedText, regexp.QuoteMeta(seedSaved)+`\n`)
		l.Model.AwaitTail(keeperNamed.String())
		if got := l.Read(notes); !regexp.MustCompile(`^## \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n` +
			regexp.QuoteMeta(seedText) + `\n$`).MatchString(got) {
			t.Errorf("the note is\n%s", got)
		}
		r := l.says(term, seedWhy, `\[source: scratch\] `+regexp.QuoteMeta(seedNotes)+
			`:2 \(\d{4}-\d\d-\d\d\)\n  `+regexp.QuoteMeta(seedText))
		if strings.Contains(r.Tail(), "[source: WHY]") {
			t.Errorf("the palace is empty, and answers:\n%s", r.Tail())
		}

		var ids []string
		term.until("what the memory-keeper proposes is on the inbox", func() bool {
			ids = l.candidates()
			return len(ids) > 0
		})
		if len(ids) != 1 {
			t.Fatalf("on the inbox: %q\n%s", ids, l.Model.Digest())
		}
		term.Wait(`1 candidate for good keeping waits for you`)
		if drawers := palace.Drawers(); len(drawers) != 0 {
			t.Fatalf("before anybody was asked the palace has %q", drawers)
		}
		l.promotes(term, "/keepsake:memory promote "+ids[0], "Promoted to MemPalace / shop/decisions/")
		drawers := palace.Drawers()
		if len(drawers) != 1 || drawers[0].Content != seedText {
			t.Fatalf("the palace has %q", drawers)
		}
		l.marked(drawers[0].ID)
		if ids := l.candidates(); len(ids) != 0 {
			t.Errorf("still on the inbox: %q", ids)
		}
		if n := len(l.Model.Tails(feedback)); n != 0 { // nobody decided anything but what is noted
			t.Errorf("%d feedbacks to save what is in the notes\n%s", n, l.Model.Digest())
		}
		checkDialogs(t, term, 1)
		checkQuietHooks(t, l, term)
		term.Quit()

		term = l.Terminal("--permission-mode", "default")
		l.says(term, seedWhy, `\[source: WHY\] \S*/decisions/`+regexp.QuoteMeta(drawers[0].ID)+`[^\n]*\n  `+
			regexp.QuoteMeta(seedText))
		checkDialogs(t, term, 0)
		if strings.Contains(term.History(), "without an approval") {
			t.Errorf("an alarm for what was approved\n%s", term.History())
		}
		checkQuietHooks(t, l, term)
		term.Quit()
		if got := palace.Drawers(); len(got) != 1 {
			t.Errorf("asking left %q in the palace", got)
		}
	})
}

// Straight to the tier WHY: a No stores nothing, a Yes stores the text once and marks the note that says the
// same, and asking again for what is kept says so.
func TestSaveWhy(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := seedLab(t, c)
		palace, _ := l.RealPalace()
		palace.Keepers()
		term := l.Terminal("--permission-mode", "default")
		l.says(term, "/keepsake:memory save "+seedText, regexp.QuoteMeta(seedSaved)+`\n`)
		l.Model.AwaitTail(keeperNamed.String())
		term.until("the memory-keeper has ended", func() bool { return len(l.candidates()) > 0 })
		note := l.Read(filepath.Join(l.Project, seedNotes))

		term.Send(seedForGood)
		l.showsAll(term.WaitDialog())
		term.Answer("Escape")
		if got := palace.Drawers(); len(got) != 0 {
			t.Errorf("after a No the palace has %q", got)
		}
		if got := l.Read(filepath.Join(l.Project, seedNotes)); got != note {
			t.Errorf("after a No the note is\n%s", got)
		}
		l.promotes(term, seedForGood, "Promoted to MemPalace / shop/decisions/")
		drawers := palace.Drawers()
		if len(drawers) != 1 || drawers[0].Content != seedText {
			t.Fatalf("the palace has %q", drawers)
		}
		l.marked(drawers[0].ID)
		l.promotes(term, seedForGood, "Was kept already in MemPalace / shop/decisions/")
		if got := palace.Drawers(); len(got) != 1 {
			t.Errorf("twice the same left %q", got)
		}

		// The same words for another room: the palace is too slow for the dialog, so that the first call
		// finds them, writes nothing, and the person is asked again with what is kept.
		const room = "Please run save --tier why --room lessons " + "'" + seedText + "'"
		kept := "shop/decisions/" + drawers[0].ID
		palace.thinks.Store(int64(2 * time.Second)) // the dialog waits 0.9 s
		term.Send(room)
		term.WaitDialog()
		palace.thinks.Store(0)
		before := len(l.Model.Requests())
		term.Answer("1")
		l.Model.Await("that it says nearly the same", func(r *Request) bool {
			return r.N > before &&
				strings.Contains(r.Tail(), "nothing was written: nearly the same is kept already, in "+
					kept)
		})
		if got := palace.Drawers(); len(got) != 1 {
			t.Errorf("what says nearly the same left %q", got)
		}
		term.Send(room)
		if screen := term.WaitDialog(); !strings.Contains(flat(screen), kept) {
			t.Errorf("the dialog does not show what is kept\n%s", screen)
		}
		term.Answer("1")
		term.until("it is stored", func() bool { return len(palace.Drawers()) == 2 })
		checkDialogs(t, term, 5)
		checkQuietHooks(t, l, term)
		term.Quit()
		if all := l.Approvals().Ran(); len(all) < 2 || strings.Join(all[0].Stored, "") != drawers[0].ID {
			t.Errorf("settled: %+v", all)
		}
	})
}

// In bypass mode the client would answer its own dialog, so the call is denied with an id. When the person
// has typed that one into the session, the same call is made again and writes once; one more is denied like
// the first.
func TestSaveWhyApproved(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := seedLab(t, c)
		palace, _ := l.RealPalace()
		palace.Keepers()
		term := l.Terminal("--permission-mode", "bypassPermissions")
		const denied = `It waits as (\w+) for the person`
		r := l.says(term, seedForGood, denied)
		if got := palace.Drawers(); len(got) != 0 {
			t.Fatalf("before the approval the palace has %q", got)
		}
		id := regexp.MustCompile(denied).FindStringSubmatch(r.Tail())[1]
		l.says(term, "/keepsake:approve "+id, "Promoted to MemPalace / shop/decisions/")
		if got := palace.Drawers(); len(got) != 1 || got[0].Content != seedText {
			t.Errorf("the palace has %q", got)
		}
		l.says(term, seedForGood, denied)
		checkDialogs(t, term, 0)
		if failures := l.failures(); failures != "" {
			t.Errorf("the failure ledger holds\n%s", failures)
		}
		term.Quit()
	})
}

// Without MemPalace Keepsake's own drawers keep it: the same dialog, the same mark, the same answer in the
// next session.
func TestSeedEmbedded(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := seedLab(t, c)
		l.Env["PATH"] = systemPath() // whatever this machine has
		term := l.Terminal("--permission-mode", "default")
		l.says(term, "/keepsake:memory save "+seedText, regexp.QuoteMeta(seedSaved)+`\n`)
		var ids []string
		term.until("what the memory-keeper proposes is on the inbox", func() bool {
			ids = l.candidates()
			return len(ids) > 0
		})
		l.promotes(term, "/keepsake:memory promote "+ids[0],
			"Promoted to Keepsake's own drawers / shop/decisions/")
		checkDialogs(t, term, 1)
		checkQuietHooks(t, l, term)
		term.Quit()

		dir := filepath.Join(l.Home, ".local", "share", "keepsake", "drawers", "shop", "decisions")
		files := l.Files(dir)
		if len(files) != 1 || !strings.Contains(l.Read(filepath.Join(dir, files[0])), "\n"+seedText+"\n") {
			t.Fatalf("the drawers are %q", files)
		}
		id := strings.TrimSuffix(files[0], ".md")
		l.marked(id)
		term = l.Terminal("--permission-mode", "default")
		l.says(term, seedWhy, `\[source: WHY\] shop/decisions/`+regexp.QuoteMeta(id)+`[^\n]*\n  `+
			regexp.QuoteMeta(seedText))
		l.says(term, "/memory-router why postgres",
			`\[source: WHY\] shop/decisions/`+regexp.QuoteMeta(id))
		checkDialogs(t, term, 0)
		if strings.Contains(term.History(), "without an approval") {
			t.Errorf("an alarm for what was approved\n%s", term.History())
		}
		term.Quit()
	})
}

// Asked in plain words, the model calls the skill itself: the person is asked once, about the text, and not
// about the skill that leads there. What they kept is no longer on the inbox, although a memory-keeper had
// proposed it.
func TestSkillSavesWhy(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := seedLab(t, c)
		l.Env["PATH"] = systemPath()
		term := l.Terminal("--permission-mode", "default")
		l.says(term, "/keepsake:memory save "+seedText, regexp.QuoteMeta(seedSaved)+`\n`)
		term.until("what the memory-keeper proposes is on the inbox", func() bool {
			return len(l.candidates()) == 1
		})
		l.promotes(term, "Keep for good: "+seedText, "Promoted to Keepsake's own drawers / shop/decisions/")
		if ids := l.candidates(); len(ids) != 0 {
			t.Errorf("still on the inbox: %q", ids)
		}
		if got := l.promoted(); len(got) != 1 || got[0] != seedText {
			t.Errorf("kept %q", got)
		}
		checkDialogs(t, term, 1)
		checkQuietHooks(t, l, term)
		term.Quit()
	})
}

// promotes lets the person ask for a promotion and say yes to the dialog, which shows the whole text.
func (l *Lab) promotes(term *Terminal, prompt, output string) {
	l.t.Helper()
	before := len(l.Model.Requests())
	term.Send(prompt)
	l.showsAll(term.WaitDialog())
	term.Answer("1")
	l.Model.Await(prompt+" printed "+output, func(r *Request) bool {
		return r.N > before && r.Route == "main" && strings.Contains(r.Tail(), "[result] "+output)
	})
}

// showsAll asserts that a dialog shows the text whole and says what it is about.
func (l *Lab) showsAll(dialog string) {
	l.t.Helper()
	for _, want := range []string{seedText, "permanent memory write", "wing shop, room decisions"} {
		if !strings.Contains(flat(dialog), want) {
			l.t.Errorf("the dialog does not show %q\n%s", want, dialog)
		}
	}
}

// flat is a screen without its lines.
func flat(screen string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(screen, "│", " ")), " ")
}

// marked asserts that the note is as it was, with the mark of its promotion below it.
func (l *Lab) marked(drawer string) {
	l.t.Helper()
	got := l.Read(filepath.Join(l.Project, seedNotes))
	want := regexp.MustCompile(`^## \S+Z\n` + regexp.QuoteMeta(seedText) +
		`\n+PROMOTED to MemPalace at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \(` + regexp.QuoteMeta(drawer) + `\)\n$`)
	if !want.MatchString(got) {
		l.t.Errorf("the note is\n%swant %s", got, want)
	}
}
