//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// autoMemory is the client's own memory directory, as the client names it.
func (l *Lab) autoMemory() string {
	l.t.Helper()
	return memoryOf(l.t, l.Headless("Hello."))
}

// memoryOf is the client's own memory directory, as a run of the client names it.
func memoryOf(t *testing.T, run Run) string {
	t.Helper()
	var start struct {
		Paths struct{ Auto string } `json:"memory_paths"`
	}
	if err := json.Unmarshal([]byte(run.Init().Raw), &start); err != nil || start.Paths.Auto == "" {
		t.Fatalf("the client names no memory: %v", err)
	}
	return start.Paths.Auto
}

// A session begins with an overgrown index, and is told so once. A prompt is pointed to the memory file that
// it is about; when the agent reads that file, it is told how old it is, and the read runs as any other.
func TestMemoryFilesAreTrustedWithCare(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const ask = "Why does billing retry failed invoices twice?"
		l := NewLab(t, c)
		l.InstallKeepsake()
		dir := ""
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			switch last := r.LastCall(); {
			case last.Name == "" && strings.Contains(r.Tail(), ask):
				return Call("Read", map[string]any{"file_path": filepath.Join(dir, "billing.md")})
			case last.Name == "Read":
				return Say("The ledger says so.")
			}
			return Say("Fine.")
		})
		dir = l.autoMemory()
		l.Write(
			filepath.Join(dir, "MEMORY.md"),
			"- [Billing](billing.md) — invoices\n\n"+
				"The importer was rewritten in spring because the old one lost rows "+
				"whenever the queue restarted.\n",
		)
		l.Write(
			filepath.Join(dir, "billing.md"),
			"---\nname: billing\ndescription: How billing talks to the ledger and retries failed invoices\n"+
				"metadata:\n  type: project\n---\n\nThe ledger asks for a second try.\n",
		)
		// Whole days of 24 hours are counted, whatever the clocks do.
		old := time.Now().Add(-200*24*time.Hour - time.Hour)
		if err := os.Chtimes(filepath.Join(dir, "billing.md"), old, old); err != nil {
			t.Fatal(err)
		}
		run := l.Headless(ask)
		if got := run.Result().Result; got != "The ledger says so." {
			t.Errorf("the read came to %q\n%s", got, l.Model.Digest())
		}
		all := l.Model.Requests()
		last := all[len(all)-1].Text()
		for _, want := range []string{
			"The index of this project's memory files holds paragraphs [source: " +
				filepath.Join(dir, "MEMORY.md") + "]",
			"Memory file that may help: " + filepath.Join(dir, "billing.md") +
				" — How billing talks to the ledger",
			"Keepsake: this memory file was last written on " + old.UTC().Format(time.DateOnly) +
				", 200 days ago: check its entries",
			"The ledger asks for a second try.",
		} {
			if strings.Count(last, want) != 1 {
				t.Errorf("%q stands %d times in\n%s", want, strings.Count(last, want), last)
			}
		}
		l.Headless("Hello again.")
		all = l.Model.Requests()
		text := all[len(all)-1].Text()
		if strings.Contains(text, "The index of this project's memory files") {
			t.Errorf("said a second time:\n%s", text)
		}
	})
}

// Between two sessions somebody deletes a memory file, as the client's own consolidation does. The
// person is told when the next session begins, and one command brings it back, with its line in the
// index; then nobody speaks of it again. Lines that were written away are told of the same way; the
// dialog for the command that brings them back says what it overwrites.
func TestDeletedMemoryComesBack(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const topic = "---\nname: billing\ndescription: How billing talks to the ledger\n" +
			"metadata:\n  type: project\n---\n\nLedger first.\n"
		l := NewLab(t, c)
		l.InstallKeepsake()
		dir := ""
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			switch last := r.LastCall(); {
			case last.Name == "" && strings.Contains(r.Tail(), "bring it back"):
				return Bash(l.keepsake() + " snapshot diff")
			case strings.HasSuffix(last.Command(), " diff"):
				return Bash(l.keepsake() + " snapshot restore")
			case last.Name == "" && strings.Contains(r.Tail(), "Take the old words back"):
				return Bash(l.keepsake() + " md snapshot restore testing.md")
			case strings.Contains(last.Command(), " restore"):
				return Say("It is there again.")
			}
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		})
		dir = l.autoMemory()
		testing := strings.ReplaceAll(strings.ReplaceAll(topic, "billing", "testing"), "Ledger first.",
			"Integration tests use a database of their own.\nThe network is never mocked in them.")
		l.Write(
			filepath.Join(dir, "MEMORY.md"),
			"- [Billing](billing.md) — invoices\n- [Tests](testing.md) — no mocks\n",
		)
		l.Write(filepath.Join(dir, "billing.md"), topic)
		l.Write(filepath.Join(dir, "testing.md"), testing)
		l.Headless("Hello.")
		if err := os.Remove(filepath.Join(dir, "billing.md")); err != nil {
			t.Fatal(err)
		}
		l.Write(filepath.Join(dir, "MEMORY.md"), "- [Tests](testing.md) — no mocks at all\n")

		term := l.Terminal("--permission-mode", "default")
		term.Wait("1 memory file was deleted since .*, not by keepsake: billing.md")
		term.Send("What was deleted? Please bring it back.")
		if screen := term.WaitDialog(); !strings.Contains(screen, "snapshot restore") {
			t.Errorf("asked about something else\n%s", screen)
		}
		term.Answer("1")
		term.Wait("It is there again")
		if got := l.Read(filepath.Join(dir, "billing.md")); got != topic {
			t.Errorf("billing.md says %q", got)
		}
		const want = "- [Tests](testing.md) — no mocks at all\n- [Billing](billing.md) — invoices\n"
		if got := l.Read(filepath.Join(dir, "MEMORY.md")); got != want {
			t.Errorf("MEMORY.md says %q, want %q", got, want)
		}
		gone := regexp.MustCompile(`gone +billing\.md: How billing talks to the ledger`)
		if len(l.Model.Tails(gone)) == 0 {
			t.Errorf("diff did not show it\n%s", l.Model.Digest())
		}
		if n := len(term.Dialogs()); n != 1 {
			t.Errorf("%d dialogs, want one", n)
		}
		checkQuietHooks(t, l, term)
		term.Quit()

		l.Write(filepath.Join(dir, "testing.md"), strings.ReplaceAll(topic, "billing", "testing"))
		term = l.Terminal("--permission-mode", "default")
		term.Wait(`2 lines were lost since`)
		term.Wait(`testing\.md \(2\)`)
		if strings.Contains(term.History(), "memory file was deleted") {
			t.Errorf("told a second time\n%s", term.History())
		}
		term.Send("Take the old words back.")
		if screen := term.WaitDialog(); !strings.Contains(screen, "testing.md is overwritten") {
			t.Errorf("the dialog doesn't say what it overwrites\n%s", screen)
		}
		term.Answer("1")
		term.Wait("It is there again")
		if got := l.Read(filepath.Join(dir, "testing.md")); got != testing {
			t.Errorf("testing.md says %q", got)
		}
		term.Quit()
	})
}

// The agent keeps in the client's own memory what the person asks to have remembered. It is staged, and
// nobody is told to save it again. The next decision begins a save, whose drafters know what the client's
// memory has.
func TestClientsMemoryIsNotKeptTwice(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		const asked = "Remember that integration tests use a real database."
		const topic = "---\nname: real-database\ndescription: Integration tests use a real database\n" +
			"metadata:\n  type: feedback\n---\n\nIntegration tests use a real database.\n"
		l := NewLab(t, c)
		l.InstallKeepsake()
		dir := ""
		l.Model.Mind("drafter", Match{First: drafterTask.String()}, func(r *Request) Reply {
			task := drafterTask.FindStringSubmatch(r.First())
			switch r.LastCall().Name {
			case "":
				return Call("Read", map[string]any{"file_path": task[2]})
			case "Read":
				const known = "[feedback] real-database.md: Integration tests use a real database"
				if !strings.Contains(r.Text(), known) {
					return l.Model.GiveUp("the drafter is not told what the client's memory has: " + r.Text())
				}
				b, _ := json.Marshal(
					map[string]any{
						"category":    task[1],
						"action":      "noop",
						"noop_reason": "The client's memory has it: real-database.md",
					},
				)
				return Call("Write", map[string]any{"file_path": task[3], "content": string(b)})
			}
			return Say(task[1] + ": nothing to save")
		})
		s := &Saver{Model: l.Model}
		s.Chat = func(r *Request) Reply {
			switch last, tail := r.LastCall(), r.Tail(); {
			case last.Name == "" && strings.Contains(tail, asked):
				return Call(
					"Write",
					map[string]any{"file_path": filepath.Join(dir, "real-database.md"), "content": topic},
				)
			case last.Name == "Write":
				return Say("I will remember it.")
			case strings.Contains(tail, decided):
				return Say(agreed)
			}
			return Say(fmt.Sprintf("I see, says answer %d.", r.N))
		}
		l.Model.Mind("main", Match{}, s.Answer)
		dir = l.autoMemory()

		term := l.Terminal("--permission-mode", "default")
		term.Send(asked)
		term.Wait("I will remember it")
		term.Send("Fine, go on.")
		term.Wait("says answer")
		if n := len(l.Model.Tails(feedback)); n != 0 {
			t.Errorf("told to save what the client's memory has\n%s", l.Model.Digest())
		}
		term.Send(decided)
		r := l.Model.AwaitTail(feedback.String())
		if !strings.Contains(r.Tail(), "[DECISION]") || strings.Contains(r.Tail(), "[PREFERENCE]") {
			t.Errorf("the feedback names something else than the decision\n%s", r.Tail())
		}
		term.Wait(`Saved: nothing`)
		term.Quit()
	})
}

// The client ends a drafter after five turns.
func TestDraftersEnd(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Model.Mind("drafter", Match{First: drafterTask.String()}, func(r *Request) Reply {
			return Call("Read", map[string]any{"file_path": drafterTask.FindStringSubmatch(r.First())[2]})
		})
		s := &Saver{Chat: chat(l), Model: l.Model}
		l.Model.Mind("main", Match{}, s.Answer)
		term := l.Terminal("--permission-mode", "default")
		term.Send(decided)
		term.Wait("Drafts made from your own words are waiting")
		if n := len(l.Model.Answered("drafter")); n < 2 || n > 6 {
			t.Errorf("the drafter had %d turns\n%s", n, l.Model.Digest())
		}
		term.Quit()
	})
}
