//go:build e2e

package e2e

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A Librarian is the mind of a model that does what the Stop feedback says of a memory-keeper, and of that
// keeper, which answers with the next of Documents, having read the notes.
type Librarian struct {
	Lab       *Lab
	Documents []string
}

const (
	pgNote    = "Decided to use Postgres over SQLite for the memory store, scaling concern."
	pgNoteNew = "We went with Postgres instead of SQLite for the memory store, because of scaling."
	rowsNote  = "The importer skips empty rows, since the bank sends them and nobody reads them."
	pgFile    = ".agents/memory/scratch/general.md"
)

var (
	toldOfKeeper  = heard("Stop", "`keepsake:memory-keeper`")
	promptOfAgent = regexp.MustCompile("Its prompt is exactly:\n((?:Notes|Passages): \\S+(?:\nPassages: " +
		"\\S+)*)")
	acknowledged = "It waits on your inbox."
)

// Answer is the main conversation's turn.
func (b *Librarian) Answer(r *Request) Reply {
	tail := r.Tail()
	switch {
	case toldOfKeeper.MatchString(tail):
		m := promptOfAgent.FindStringSubmatch(tail)
		if m == nil {
			return b.Lab.Model.GiveUp("the feedback names no prompt: " + tail)
		}
		return Call("Agent", map[string]any{"subagent_type": "keepsake:memory-keeper",
			"description": "Look through the notes", "prompt": m[1]})
	case strings.Contains(tail, "<task-notification>"), r.LastCall().Name == "Agent":
		return Say(acknowledged)
	}
	return Say("Well noted.")
}

// Keeper is a memory-keeper's turn: it reads, tries to write, and answers with its document.
func (b *Librarian) Keeper(r *Request) Reply {
	notes := filepath.Join(b.Lab.Project, pgFile)
	switch r.LastCall().Name {
	case "":
		return Call("Read", map[string]any{"file_path": notes})
	case "Read":
		return Call("Write", map[string]any{"file_path": notes, "content": "gone"})
	}
	if len(b.Documents) == 0 {
		return b.Lab.Model.GiveUp("a memory-keeper too many was started")
	}
	document := b.Documents[0]
	b.Documents = b.Documents[1:]
	return Say(document)
}

// note saves notes as a person does.
func (l *Lab) note(texts ...string) {
	l.t.Helper()
	for _, text := range texts {
		l.Run(l.Project, l.keepsake(), "save", text)
	}
}

// inbox is what keepsake inbox prints.
func (l *Lab) inbox() string {
	l.t.Helper()
	cmd := exec.Command(l.keepsake(), "inbox")
	cmd.Dir, cmd.Env = l.Project, l.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("keepsake inbox: %v\n%s", err, out)
	}
	return string(out)
}

var onInbox = regexp.MustCompile(`(?m)^  (c\w{5}) `)

// Stop names the memory-keeper when there are notes that none has looked at. It is started without a dialog
// and writes nothing. What it proposes is put on the inbox, except quotes that nobody said. What the person
// rejects is not proposed again, in other words either, and is not looked at again.
func TestMemoryKeeper(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		keeper := &Librarian{Lab: l, Documents: []string{
			"## Postgres over SQLite\n> " + pgNote + "\n- Source: " + pgFile +
				":2\n- Room: decisions\n- Reason: a choice with its reason\n\n" +
				"## No SQLite\n> Decided to forbid SQLite everywhere and for ever.\n- Source: " + pgFile +
				":2\n\nRead: 1, proposed: 2, left: 0",
			"1. **Postgres**\n   - Quote: \"" + pgNoteNew + "\"\n   - Source: `" + pgFile +
				":5`\n\n2. **Empty rows**\n   - Quote: \"" + rowsNote + "\"\n   - Source: `" + pgFile +
				":8`\n   - Room: lessons\n\nRead: 3, proposed: 2, left: 1",
		}}
		l.Model.Mind("keeper", Match{First: `(?m)^Notes: \.agents`}, keeper.Keeper)
		l.Model.Mind("main", Match{}, keeper.Answer)

		l.note(pgNote)
		term := l.Terminal("--permission-mode", "default")
		term.Send("Thank you.")
		l.Model.AwaitTail(toldOfKeeper.String())
		term.until("a candidate is on the inbox", func() bool { return onInbox.MatchString(l.inbox()) })
		// written last
		term.until("the report is there", func() bool { return strings.Contains(l.inbox(), "Not taken") })
		term.Wait(regexp.QuoteMeta(acknowledged))
		said := l.inbox()
		if ids := onInbox.FindAllString(said, -1); len(ids) != 1 ||
			!regexp.MustCompile(`/decisions \[source: .*general\.md:2\]\n +"`+pgNote[:50]).MatchString(said) {
			t.Fatalf("the inbox is\n%s", said)
		}
		if !strings.Contains(said, `"No SQLite" [source: `+pgFile+`:2]: the quote does not stand in `+
			pgFile) {
			t.Errorf("the false quote is not told of:\n%s", said)
		}
		if got := l.Read(filepath.Join(l.Project, pgFile)); !strings.Contains(got, pgNote) {
			t.Errorf("the notes are now %q", got)
		}
		id := onInbox.FindStringSubmatch(said)[1]
		term.Send("/keepsake:reject " + id)
		term.until("the candidate is gone", func() bool { return !onInbox.MatchString(l.inbox()) })

		// Said in other words it is no news, and nobody is asked to look.
		l.note(pgNoteNew)
		term.Send("Go on.")
		l.Model.AwaitTail("Go on.")
		term.Send("And on.")
		l.Model.AwaitTail("And on.")
		if n := len(l.Model.Tails(toldOfKeeper)); n != 1 {
			t.Errorf("a keeper was named %d times, want once\n%s", n, l.Model.Digest())
		}
		checkQuietHooks(t, l, term)
		for _, screen := range term.Dialogs() {
			t.Errorf("a dialog was shown\n%s", screen)
		}
		term.Quit()

		// In the next session there is something else; what was rejected comes again with it, and stays away.
		l.note(rowsNote)
		term = l.Terminal("--permission-mode", "default")
		term.Send("Good morning.")
		term.until("a candidate is on the inbox", func() bool { return onInbox.MatchString(l.inbox()) })
		term.until("the report is there", func() bool { return strings.Contains(l.inbox(), "was rejected") })
		said = l.inbox()
		if ids := onInbox.FindAllString(said, -1); len(ids) != 1 ||
			!regexp.MustCompile(`/lessons \[source: .*general\.md:8\]\n +"`+rowsNote[:50]).MatchString(said) ||
			!strings.Contains(said, "it says the same as one that was rejected, "+id) {
			t.Errorf("the inbox is\n%s", said)
		}
		term.Send("Thanks.")
		term.Wait("Well noted")
		for _, screen := range term.Dialogs() {
			t.Errorf("a dialog was shown\n%s", screen)
		}
		term.Quit()
		for _, r := range l.Model.Answered("keeper") {
			// The client offers it no such tool; the gate says no where it does.
			if r.LastCall().Name == "Write" && !strings.Contains(r.Tail(), "No such tool") &&
				!strings.Contains(r.Tail(), "a memory-keeper only reads") {
				t.Errorf("a write of the keeper was answered with\n%s", r.Tail())
			}
		}
	})
}
