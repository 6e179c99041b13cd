//go:build e2e

package e2e

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A Tidier is a model that follows skills/tidy/SKILL.md: its commands in their order, the answers into the
// file that the sheet names, and the person asked before anything goes.
type Tidier struct {
	Model   *Model
	answers string // what it decides
	skill   []string
	file    string
	digest  string
}

const yesTidy = "Yes, do all of it."

var (
	tidyCommand = regexp.MustCompile("`(/[^`]*bin/keepsake md (?:check|fix|tidy)[^`]*)`")
	tidyFile    = regexp.MustCompile(`(?m)answers: (\S+tidy\.json)`)
	tidyDigest  = regexp.MustCompile(`keepsake md tidy apply ([0-9a-f]{12})`)
)

// command is the skill's command that ends like this.
func (k *Tidier) command(end string) Reply {
	for _, c := range k.skill {
		if strings.HasSuffix(c, end) {
			return Bash(c)
		}
	}
	return k.Model.GiveUp("the skill has no command " + end)
}

// Answer is the main conversation's turn.
func (k *Tidier) Answer(r *Request) Reply {
	if s, ok := calledNow(r, "Tidy the memories"); ok {
		for _, m := range tidyCommand.FindAllStringSubmatch(s.text, -1) {
			k.skill = append(k.skill, m[1])
		}
		return k.command(" md check")
	}
	tail, last := r.Tail(), r.LastCall()
	if m := tidyFile.FindStringSubmatch(tail); m != nil {
		k.file = m[1]
	}
	if m := tidyDigest.FindStringSubmatch(tail); m != nil {
		k.digest = m[1]
	}
	switch command := last.Command(); {
	case strings.Contains(tail, yesTidy):
		return Bash(strings.Replace(k.command(" tidy apply DIGEST").Blocks[0].Input["command"].(string),
			"DIGEST", k.digest, 1))
	case strings.HasSuffix(command, " md check") && k.digest == "":
		return k.command(" md fix -d")
	case strings.HasSuffix(command, " md fix -d"):
		return k.command(" md fix -w")
	case strings.HasSuffix(command, " md fix -w"):
		return k.command(" tidy")
	case strings.HasSuffix(command, " tidy"):
		return Call("Write", map[string]any{"file_path": k.file, "content": k.answers})
	case last.Name == "Write":
		return k.command(" tidy plan")
	case strings.HasSuffix(command, " tidy plan"):
		return Say("It would delete one statement. Shall I?")
	case strings.Contains(command, " tidy apply "):
		_, says, _ := strings.Cut(tail, "[result] ")
		return Say("The report: " + says)
	}
	return Say("Fine.")
}

// The person has a messy directory of memories tidied: rules mend the index, what is contradicted goes after
// their yes, and undo brings it back. Only what writes memories asks: md fix -w and tidy apply.
func TestTidy(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		k := &Tidier{Model: l.Model,
			answers: `{"answers": [{"call": 1, "action": "delete", "file": "db.md", "line": 9, "text": "The shop uses Postgres 14 for orders.", "reason": "the queue's file is newer", "by": "queue.md:9"}]}`}
		l.Model.Mind("main", Match{}, k.Answer)
		dir := l.autoMemory()
		head := func(name, about string) string {
			return "---\nname: " + name + "\ndescription: " + about + "\ntype: reference\n---\n\n# " + name +
				"\n\n"
		}
		const index = "- [Database](db.md) — which database is used and why\n- [Queue](queue.md) — how " +
			"jobs wait and are tried again\n\nThe importer was rewritten in spring because the old one " +
			"lost rows whenever the queue restarted.\n"
		db := head("Database", "Which database is used and why") +
			"- The shop uses Postgres 14 for orders.\n- Backups are taken each night at two.\n"
		l.Write(filepath.Join(dir, "MEMORY.md"), index)
		l.Write(filepath.Join(dir, "db.md"), db)
		l.Write(filepath.Join(dir, "queue.md"), head("Queue", "How jobs wait and are tried again")+
			"- The shop uses Postgres 16 for orders and jobs.\n")

		term := l.Terminal("--permission-mode", "default")
		term.Send("/keepsake:tidy")
		if screen := term.WaitDialog(); !strings.Contains(screen, "md fix -w") {
			t.Errorf("the first dialog is not for md fix -w\n%s", screen)
		}
		term.Answer("1")
		term.Wait("Shall I")
		if got := l.Read(filepath.Join(dir, "MEMORY.md")); strings.Contains(got,
			"\nThe importer was rewritten") {
			t.Errorf("fmt left a paragraph in the index:\n%s\n%s", got, l.Model.Digest())
		}
		if got := l.Read(filepath.Join(dir, "db.md")); !strings.Contains(got, "Postgres 14") {
			t.Errorf("a statement went before the person's yes:\n%s", got)
		}
		term.Send(yesTidy)
		if screen := term.WaitDialog(); !strings.Contains(screen, "tidy apply") {
			t.Errorf("the second dialog is not for tidy apply\n%s", screen)
		}
		term.Answer("1")
		l.Model.AwaitTail(`Tidied: 1 deleted`)
		term.Wait("The report")
		if got := l.Read(filepath.Join(dir, "db.md")); strings.Contains(got, "Postgres 14") ||
			!strings.Contains(got, "Backups are taken") {
			t.Errorf("db.md is\n%s\n%s", got, l.Model.Digest())
		}
		if got := l.Model.Tails(regexp.MustCompile(`contradictions: 1 resolved`)); len(got) == 0 {
			t.Errorf("the report names no contradiction\n%s", l.Model.Digest())
		}
		if got := term.Dialogs(); len(got) != 2 {
			t.Errorf("%d dialogs, want 2", len(got))
		}
		checkQuietHooks(t, l, term)
		term.Quit()
		l.cli("undo")
		if got := l.Read(filepath.Join(dir, "db.md")); !strings.Contains(got, "Postgres 14") {
			t.Errorf("undo left\n%s", got)
		}
	})
}

// After one prompt three calls may reorganise memories; the fourth is stopped, and the next prompt begins
// anew.
func TestTidyStopsAtTheFourth(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Write(filepath.Join(l.autoMemory(), "MEMORY.md"), "# Memory\n")
		n := 0
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			if strings.Contains(r.LastCall().Command(), "fmt -w") && n >= 4 ||
				!strings.Contains(r.Text(), "Tidy it") {
				_, says, _ := strings.Cut(r.Tail(), "[result] ")
				return Say("It says: " + says)
			}
			n++
			return Bash(l.keepsake() + " fmt -w; true")
		})
		run := l.Headless("Tidy it.", "--permission-mode", "bypassPermissions")
		if got := run.Result().Result; !strings.Contains(got,
			"more than 3 reorganisations of memories after one prompt") {
			t.Errorf("the fourth call came to %q\n%s", got, l.Model.Digest())
		}
		if got := l.Model.Tails(regexp.MustCompile(`no memories in|nothing to mend`)); len(got) != 3 {
			t.Errorf("%d calls ran, want 3\n%s", len(got), l.Model.Digest())
		}
	})
}

// An instinct that the person wrote is told to the next session.
func TestInstinctIsTold(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Model.Mind("main", Match{}, func(r *Request) Reply {
			if r.LastCall().Name == "" && strings.Contains(r.Tail(), "That was wrong") {
				return Bash(l.keepsake() +
					" lesson --kind correction --title 'Migrate first' --trigger 'a test needs a new " +
					"column' --lesson 'the test database is not migrated' --next 'run the migration before " +
					"the tests'")
			}
			return Say("Fine.")
		})
		run := l.Headless("That was wrong: migrate the database before you run the tests.")
		if denials := string(run.Result().Raw); strings.Contains(denials, `"permission_denials":[{`) {
			t.Errorf("keeping a lesson was denied: %s", denials)
		}
		var all []struct{ ID string }
		if err := json.Unmarshal([]byte(l.cli("lesson", "list", "--json")), &all); err != nil ||
			len(all) != 1 || all[0].ID != "migrate-first" {
			t.Fatalf("the lessons are %v %v", all, err)
		}
		l.cli("lesson", "instinct", "migrate-first", "--write")
		before := len(l.Model.Requests())
		l.Headless("Hello.")
		if r := l.Model.Requests(); len(r) <= before ||
			!strings.Contains(r[len(r)-1].Text(),
				"a test needs a new column → run the migration before the tests") {
			t.Errorf("the next session is not told\n%s", l.Model.Digest())
		}
	})
}
