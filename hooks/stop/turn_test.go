package stop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/hook"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

const (
	decided = "We decided to use Postgres instead of SQLite because billing needs concurrent writers."
	// agentIsHeard are the settings with which the agent's own word for a decision is sure.
	agentIsHeard = `{"triage":{"thresholds":{"decision":0.15}}}`
	decided2     = "We decided to go with Kafka rather than RabbitMQ because we must replay events."
	prefers      = "From now on always use pnpm, never npm, in this repository."
	chatter      = "The tests pass and the page renders."
)

// A lab is one session of a client that writes a transcript and stops.
type lab struct {
	t        *testing.T
	dir      string
	file     string
	n        int
	attended bool
	mode     string
	now      time.Time
	message  string // to the person, of the last turn
}

func newLab(t *testing.T) *lab {
	l := &lab{t: t, dir: t.TempDir(), attended: true, mode: "default", now: time.Now().UTC()}
	for env, d := range map[string]string{
		"HOME": "home", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache",
		"XDG_RUNTIME_DIR": "run", "CLAUDE_PROJECT_DIR": "project",
	} {
		path := filepath.Join(l.dir, d)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(env, path)
	}
	t.Setenv("CLAUDE_PID", "")
	t.Setenv("KEEPSAKE_CAPTURE_DRAFTERS", "always")
	l.file = filepath.Join(l.dir, "s1.jsonl")
	if err := l.open().Update(func(st *stage.State) error { st.Fresh = true; return nil }); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *lab) open() *session.Session {
	l.t.Helper()
	s, err := session.Open(session.Call{ID: "s1", Transcript: l.file, Cwd: "/"})
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

func (l *lab) config(text string) {
	dir := filepath.Join(l.dir, "project", ".claude", "memory")
	os.MkdirAll(dir, 0o755)
	os.WriteFile(filepath.Join(dir, "memory-config.json"), []byte(text), 0o644)
}

// line writes one record to the transcript.
func (l *lab) line(fields map[string]any) {
	l.t.Helper()
	l.n++
	l.now = l.now.Add(time.Second)
	fields["uuid"] = fmt.Sprintf("00000000-0000-4000-8000-%012d", l.n)
	fields["timestamp"] = l.now.Format("2006-01-02T15:04:05.000Z")
	fields["sessionId"] = "s1"
	b, err := json.Marshal(fields)
	if err != nil {
		l.t.Fatal(err)
	}
	f, err := os.OpenFile(l.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		l.t.Fatal(err)
	}
	defer f.Close()
	f.Write(append(b, '\n'))
}

func (l *lab) person(text string) *lab {
	l.line(map[string]any{"type": "user", "promptSource": "typed", "origin": map[string]any{"kind": "human"},
		"message": map[string]any{"role": "user", "content": text}})
	return l
}

func (l *lab) queued(text string) *lab {
	l.line(map[string]any{"type": "attachment",
		"attachment": map[string]any{"type": "queued_command", "prompt": text, "commandMode": "prompt",
			"origin": map[string]any{"kind": "human"}}})
	return l
}

func (l *lab) notified(text string) *lab {
	l.line(map[string]any{"type": "user", "promptSource": "system",
		"origin": map[string]any{"kind": "task-notification"},
		"message": map[string]any{"role": "user", "content": "<task-notification>" + text +
			"</task-notification>"}})
	return l
}

func (l *lab) agent(blocks ...map[string]any) *lab {
	for _, b := range blocks {
		l.line(map[string]any{"type": "assistant",
			"message": map[string]any{"id": fmt.Sprint("msg_", l.n), "role": "assistant", "content": []any{b},
				"usage": map[string]any{"input_tokens": 10}}})
	}
	return l
}

func says(text string) map[string]any { return map[string]any{"type": "text", "text": text} }

func uses(tool string) map[string]any {
	return map[string]any{"type": "tool_use", "id": "t", "name": tool,
		"input": map[string]any{"command": "go test ./..."}}
}

// stop ends the turn. last is the final text, not yet in the file.
func (l *lab) stop(last string, change ...func(*hook.Stop)) string {
	l.t.Helper()
	in := hook.Stop{Common: hook.Common{Session: "s1", Transcript: l.file, Mode: l.mode}, LastAssistant: last}
	for _, c := range change {
		c(&in)
	}
	said, err := turn{Session: l.open(), in: in, attended: l.attended, now: l.now}.end()
	if err != nil {
		l.t.Fatal(err)
	}
	if last != "" {
		l.agent(says(last)) // the client writes it a moment later
	}
	l.message = said.message
	return said.context
}

func active(in *hook.Stop) { in.Active = true }
func drafters(in *hook.Stop) {
	in.Tasks = []hook.Task{{ID: "a1", Type: "subagent", Status: "running", AgentType: "keepsake:drafter"}}
}

// applied does to the desk and the state what `keepsake records apply` does, for these
// categories or for all.
func (l *lab) applied(cats ...memory.Category) {
	l.t.Helper()
	s := l.open()
	if err := s.Update(func(st *stage.State) error { st.Applied = true; return nil }); err != nil {
		l.t.Fatal(err)
	}
	book, err := s.Book()
	if err != nil {
		l.t.Fatal(err)
	}
	settled := book.Each(func(f finding.Status) bool {
		return f.State.Waits() && f.Category != "" && (len(cats) == 0 || slices.Contains(cats, f.Category))
	})
	if err := s.MoveFindings(finding.Move{At: l.now, Act: finding.Save, Numbers: finding.Numbers(settled),
		To: "x.json"}); err != nil {
		l.t.Fatal(err)
	}
	names, _ := s.Desk.Files()
	if len(cats) > 0 {
		names = nil
	}
	for _, c := range cats {
		names = append(names, stage.ContextName(c))
	}
	s.Desk.Remove(names...)
}

func (l *lab) staged() []memory.Category {
	l.t.Helper()
	contexts, err := l.open().Desk.Contexts()
	if err != nil {
		l.t.Fatal(err)
	}
	var cats []memory.Category
	for _, c := range contexts {
		cats = append(cats, c.Category)
	}
	return cats
}

func (l *lab) wantStaged(want ...memory.Category) {
	l.t.Helper()
	if got := fmt.Sprint(l.staged()); got != fmt.Sprint(want) {
		l.t.Errorf("staged %v, want %v", got, want)
	}
}

// wantWaiting wants findings that have these words to wait, in order, and no others.
func (l *lab) wantWaiting(words ...string) {
	l.t.Helper()
	book, err := l.open().Book()
	if err != nil {
		l.t.Fatal(err)
	}
	statements, _ := l.open().Waiting(book, false)
	ok := len(statements) == len(words)
	for i := 0; ok && i < len(words); i++ {
		ok = strings.Contains(statements[i].Text, words[i])
	}
	if !ok {
		l.t.Errorf("waiting %+v, want %q", statements, words)
	}
}

func (l *lab) silent(said string) {
	l.t.Helper()
	if said != "" {
		l.t.Errorf("said %q; want silence", said)
	}
}

func (l *lab) tells(said string, parts ...string) {
	l.t.Helper()
	for _, p := range append(parts, "keepsake:save", "<triage_data_file>") {
		if !strings.Contains(said, p) {
			l.t.Errorf("said %q; no %q in it", said, p)
		}
	}
}

func TestOneClearDecisionIsTold(t *testing.T) {
	l := newLab(t)
	said := l.person(decided).stop("Understood.")
	l.tells(said, "[DECISION]", "Postgres")
	l.wantStaged(memory.Decision)
	data, err := l.open().Desk.Triage()
	if err != nil || len(data.Categories) != 1 || data.Categories[0].Category != memory.Decision ||
		data.Parallel.CategoryModels[memory.Decision] != "sonnet" {
		t.Errorf("%+v, %v", data, err)
	}
	if !strings.Contains(said, filepath.Join(data.StagingDir, stage.TriageName)) {
		t.Errorf("names another file than %s", data.StagingDir)
	}
}

func TestChatterIsNot(t *testing.T) {
	l := newLab(t)
	l.silent(l.person("Please run the tests.").agent(uses("Bash")).stop(chatter))
	l.silent(l.person("Have we decided on a database?").stop("Not yet; we could use Postgres."))
	l.silent(l.person("Make the button blue.").stop("The user selected a row and picked a date."))
	l.wantStaged()
}

// The last message is told by the event and found in the file by the next Stop.
func TestTheLastMessageCountsOnce(t *testing.T) {
	l := newLab(t)
	l.config(agentIsHeard)
	l.tells(l.person("Which database?").stop(decided), "Postgres")
	l.applied()
	l.silent(l.stop("Saved: decision (create)"))
	l.silent(l.person("Thanks.").stop("Welcome."))
	l.wantStaged()
}

func TestTheSameTextIsNeverLookedAtTwice(t *testing.T) {
	l := newLab(t)
	l.tells(l.person(decided).stop("Yes."))
	l.silent(l.stop(""))
	l.silent(l.person("Go on.").stop("Done."))
	l.silent(l.stop(""))
}

// What the person says while the agent saves waits until the save is over.
func TestNoFeedbackOnAContinuation(t *testing.T) {
	l := newLab(t)
	l.tells(l.person(decided).stop("Yes."))
	l.queued(prefers)
	l.silent(l.stop("Drafting.", active))
	l.applied(memory.Decision)
	l.silent(l.stop("Saved: decision (create)"))
	l.wantStaged(memory.Preference)
	l.tells(l.person("Thanks.").stop("Welcome."), "pnpm")
}

func TestNothingLeftIsNothingToTell(t *testing.T) {
	l := newLab(t)
	l.tells(l.person(decided).stop("Yes."))
	l.silent(l.queued(prefers).stop("Drafting.", active))
	l.applied() // took the second one too
	l.silent(l.stop("Saved: decision (create), preference (create)"))
	l.silent(l.person("Thanks.").stop("Welcome."))
	if st := l.open().State; st.Saves != 1 || st.Due || st.Saving {
		t.Errorf("%+v", st)
	}
}

// On the newer client drafters run in the background, each ending in a turn of
// its own whose Stop says stop_hook_active false.
func TestASaveOverSeveralTurns(t *testing.T) {
	l := newLab(t)
	l.tells(l.person(decided).stop("Yes."))
	l.silent(l.agent(uses("Agent"), uses("Agent")).stop("Two drafters run: we decided to use A because B.",
		active, drafters))
	l.silent(l.notified("drafter 1").stop("One is done, we decided to use C because of D.", drafters))
	l.notified("drafter 2").agent(uses("Bash"))
	l.applied()
	l.silent(l.stop("Saved: decision (create). " + decided2))
	l.wantStaged() // nothing the agent said meanwhile was noticed
	l.tells(l.person(decided2).stop("Right."), "Kafka")
}

func TestAnIgnoredFeedbackEndsWithThePersonsNextTurn(t *testing.T) {
	l := newLab(t)
	l.config(agentIsHeard)
	l.tells(l.person(decided).stop("Yes."))
	l.silent(l.stop("I would rather not.", active))
	l.tells(l.person("And for events?").stop(decided2), "Kafka")
}

func TestThePersonCountsWhileSaving(t *testing.T) {
	l := newLab(t)
	l.tells(l.person(decided).stop("Yes."))
	l.silent(l.queued(prefers).stop("Drafting.", active, drafters))
	l.wantStaged(memory.Decision, memory.Preference)
}

// What is typed behind the name of one of our skills is for Keepsake: a wish for
// the settings is no preference, and what a save by hand wrote is not noticed
// again. Where the save did not come about it still is.
func TestWhatIsTypedToASkill(t *testing.T) {
	typed := func(skill, text string) string {
		return "<command-message>keepsake:" + skill + "</command-message>\n<command-name>/keepsake:" + skill +
			"</command-name>\n<command-args>" + text + "</command-args>"
	}
	l := newLab(t)
	l.silent(l.person(typed("config", prefers)).stop("Set."))
	l.wantStaged()
	l.person(typed("save", "decision "+decided)).applied()
	l.silent(l.stop("Saved: decision (create)"))
	l.wantStaged()
	l.silent(l.person("Thanks.").stop("See you."))
	l.tells(l.person(typed("save", "decision "+decided2)).stop("I could not."), "Kafka")
}

func TestWithoutAPersonItOnlyStages(t *testing.T) {
	for name, set := range map[string]func(*lab){
		"headless": func(l *lab) { l.attended = false },
		"config":   func(l *lab) { l.config(`{"capture":{"on_stop":"stage"}}`) },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			set(l)
			l.silent(l.person(decided).stop("Yes."))
			l.wantStaged(memory.Decision)
			l.silent(l.person("Thanks.").stop("Welcome."))
		})
	}
}

func TestOff(t *testing.T) {
	for name, c := range map[string]string{"on_stop": `{"capture":{"on_stop":"off"}}`,
		"triage": `{"triage":{"enabled":false}}`, "category": `{"categories":{"decision":{"enabled":false}}}`,
		"auto_capture": `{"categories":{"decision":{"auto_capture":false}}}`} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.config(c)
			l.silent(l.person(decided).stop("Yes."))
			l.wantStaged()
		})
	}
}

func TestBudget(t *testing.T) {
	l := newLab(t)
	l.config(`{"capture":{"max_saves_per_session":1}}`)
	save := func() { l.applied(); l.silent(l.stop("Saved: x")) }
	l.tells(l.person(decided).stop("Yes."))
	save()
	l.silent(l.person(decided2).stop("Yes.")) // over budget
	l.wantStaged()
	l.wantWaiting("Kafka")
	// asked for: never counts
	l.tells(l.person("Remember that the staging server is called heron.").stop("I will."), "heron")
	save()
	l.line(map[string]any{"type": "system", "subtype": "compact_boundary"})
	l.tells(l.person(prefers).stop("Yes."), "pnpm") // compaction refills it
}

func TestSessionSummaryRidesAlong(t *testing.T) {
	l := newLab(t)
	for i := range 8 {
		l.person("Go on.").agent(uses([]string{"Bash", "Read", "Edit", "Grep"}[i%4]), uses("Bash"))
		l.silent(l.stop("Step done."))
	}
	l.wantStaged() // activity alone is no reason to speak
	l.tells(l.person(decided).stop("Yes."), "[SESSION_SUMMARY]", "[DECISION]")
	l.wantStaged(memory.SessionSummary, memory.Decision)
	c, err := l.open().Desk.Context(memory.SessionSummary)
	if err != nil || !strings.Contains(c.Excerpt, "tool uses: 16") ||
		!strings.Contains(c.Excerpt, "Postgres") || !strings.Contains(c.Excerpt, "Go on.") {
		t.Errorf("%+v, %v", c, err)
	}
	l.applied()
	l.silent(l.stop("Saved."))
	l.tells(l.person(prefers).stop("Yes."))
	l.wantStaged(memory.Preference) // counted since the last summary
}

// A stage that can't be written costs nothing: the journal has what was said, and the
// agent writes it up by itself.
func TestWithoutAStageItIsKeptForLater(t *testing.T) {
	l := newLab(t)
	l.person(decided)
	s := l.open()
	os.RemoveAll(filepath.Dir(s.Desk.Dir))
	os.WriteFile(filepath.Dir(s.Desk.Dir), []byte("in the way"), 0o600)
	if said := l.stop("Yes."); !strings.Contains(said, `keep [1] decision "We decided to use Postgres`) {
		t.Errorf("said %q", said)
	}
	l.wantWaiting("Postgres")
	if failures, err := journal.Failures(s.Ledger(), 5); err != nil || len(failures) != 1 ||
		!strings.Contains(failures[0].Why, filepath.Dir(s.Desk.Dir)) {
		t.Errorf("the ledger has %+v, %v; want one that names the path", failures, err)
	}
}

func TestAFailureKeepsTheWatermark(t *testing.T) {
	l := newLab(t)
	l.person(decided)
	s := l.open()
	blocked := string(s.Journal())
	os.Mkdir(blocked, 0o700)
	in := hook.Stop{Common: hook.Common{Session: "s1", Transcript: l.file, Mode: "default"}}
	if _, err := (turn{Session: s, in: in, attended: true, now: l.now}).end(); err == nil ||
		!strings.Contains(err.Error(), blocked) {
		t.Fatalf("error %v; want one that names the journal", err)
	}
	os.Remove(blocked)
	l.tells(l.stop("Yes."), "Postgres")
}

// Plan mode only stages; what was decided there is told when the plan is carried out.
func TestPlanModeIsToldAfterwards(t *testing.T) {
	l := newLab(t)
	l.mode = "plan"
	l.silent(l.person(decided).stop("Here is the plan."))
	l.wantStaged(memory.Decision)
	l.mode = "default"
	l.tells(l.person("Go ahead.").agent(uses("Edit")).stop("Done."), "Postgres")
}

func TestMissingTranscript(t *testing.T) {
	l := newLab(t)
	l.silent(l.stop("Yes."))
	l.tells(l.person(decided).stop("Yes."), "Postgres")
	os.Remove(l.file)
	in := hook.Stop{Common: hook.Common{Session: "s1", Transcript: l.file}}
	if _, err := (turn{Session: l.open(), in: in, attended: true, now: l.now}).end(); err == nil {
		t.Error("no error for a transcript that went away")
	}
}

// Another process at the state file costs this Stop its look, not what was said.
func TestAHeldLockLosesNothing(t *testing.T) {
	l := newLab(t)
	held, free := make(chan bool), make(chan bool)
	go l.open().Update(func(*stage.State) error { held <- true; <-free; return nil })
	<-held
	l.person(decided)
	in := hook.Stop{Common: hook.Common{Session: "s1", Transcript: l.file, Mode: "default"}}
	if said, err := answer(t.Context(), in); err != nil || said != (hook.ContextAnswer{}) {
		t.Errorf("said %+v, %v", said, err)
	}
	close(free)
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
		if said := l.stop(""); said != "" {
			l.tells(said, "Postgres")
			return
		}
	}
	t.Error("the decision is lost")
}
