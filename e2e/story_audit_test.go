//go:build e2e

package e2e

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The person is told at the end of the turn what another program stored while the session ran, once and by
// its id; the model is never told. What was stored between two sessions counts as the person's own, and only
// doctor lists it.
func TestAudit(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		p, _ := l.RealPalace()
		elsewhere := p.Serve()
		store := func(text string) string {
			t.Helper()
			drawer := map[string]any{"wing": "shop", "room": "queue", "content": text}
			id, _ := elsewhere.Call("mempalace_add_drawer", drawer)["drawer_id"].(string)
			if id == "" {
				t.Fatal("nothing was stored")
			}
			return id
		}
		store("Here before the session.")
		l.Model.Script(
			"main",
			Match{},
			Fixed(Say("One is over.")),
			Fixed(Say("Two is over.")),
			Fixed(Say("Three is over.")),
			Fixed(Say("Four is over.")),
			Fixed(Say("Five is over.")),
			Fixed(Say("Six is over.")),
		)

		term := l.Terminal("--permission-mode", "default")
		term.Send("first question")
		term.Wait("One is over")
		id := store("Stored behind the person's back.")
		term.Send("second question")
		term.Wait("1 drawer appeared in the palace without an approval: " + id)
		term.Send("third question")
		term.Wait("Three is over")
		term.Send("fourth question")
		term.Wait("Four is over")
		if n := strings.Count(term.History(), "without an approval"); n != 1 {
			t.Errorf("told %d times, want once\n%s", n, term.History())
		}
		term.Quit()
		for _, r := range l.Model.Requests() {
			if strings.Contains(r.Text(), "without an approval") {
				t.Errorf("the model was told\n%s", r.Text())
			}
		}

		mine := store("Stored by the person, later.")
		cmd := exec.Command(filepath.Join(l.Plugin, "bin", "keepsake"), "doctor")
		cmd.Dir, cmd.Env = l.Project, l.environ()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("doctor: %v", err)
		}
		if out := string(out); !strings.Contains(out, "since the last session: ") ||
			!strings.Contains(out, mine) ||
			!strings.Contains(out, id) {
			t.Errorf("doctor does not tell of %s and %s\n%s", id, mine, out)
		}
		term = l.Terminal("--permission-mode", "default")
		term.Send("fifth question")
		term.Wait("Five is over")
		term.Send("sixth question")
		term.Wait("Six is over")
		if strings.Contains(term.History(), "without an approval") {
			t.Errorf("an alarm for what the person did\n%s", term.History())
		}
		term.Quit()
	})
}

// A file that somebody puts among Keepsake's own drawers is reported like one in a palace. What the person
// promotes at their terminal meanwhile is not.
func TestAuditOwnDrawers(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		id := l.noted("Decided to use Postgres over SQLite.")
		l.Model.Script(
			"main",
			Match{},
			Fixed(Say("One is over.")),
			Fixed(Say("Two is over.")),
			Fixed(Say("Three is over.")),
		)

		term := l.Terminal("--permission-mode", "default")
		term.Send("first question")
		term.Wait("One is over")
		mine := l.TerminalFor(140, 50, l.keepsake(), "promote", id)
		mine.Wait(`\[y\]es, \[n\]o`)
		mine.Key("y", "Enter")
		mine.Wait("CLIENT-ENDED-0")
		rooms, err := filepath.Glob(filepath.Join(l.Home, ".local", "share", "keepsake", "drawers", "*", "*"))
		if err != nil || len(rooms) != 1 {
			t.Fatalf("rooms %q, %v", rooms, err)
		}
		l.Write(filepath.Join(rooms[0], "put-behind-the-back-0123456789ab.md"), "We use Kafka.\n")
		term.Send("second question")
		term.Wait(
			"1 drawer appeared among Keepsake.s own without an approval: put-behind-the-back-0123456789ab",
		)
		term.Send("third question")
		term.Wait("Three is over")
		if n := strings.Count(term.History(), "without an approval"); n != 1 {
			t.Errorf("told %d times, want once\n%s", n, term.History())
		}
		term.Quit()
	})
}

// The second lock makes the client ask before a write where no hook runs, in bypass mode too, and lets reads
// pass; taken out again, the settings are as they were.
func TestLock(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		settings := filepath.Join(l.Home, ".claude", "settings.json")
		before := l.Read(settings)
		answer := func(args ...string) {
			t.Helper()
			term := l.TerminalFor(
				140,
				50,
				filepath.Join(l.Plugin, "bin", "keepsake"),
				append([]string{"gate", "install-lock"}, args...)...)
			term.Wait(`\? \[y\]es, \[n\]o`)
			term.Key("y", "Enter")
			term.Wait("CLIENT-ENDED-0")
		}
		answer()
		if !strings.Contains(l.Read(settings), `"`+addDrawer+`"`) {
			t.Fatalf("no rule in\n%s", l.Read(settings))
		}

		plugin := l.Plugin
		l.Plugin = ""
		palace, args := l.Palace()
		l.Model.Script("main", Match{},
			func(*Request) Reply { return Call(search, map[string]any{"query": "queue"}).after(palace) },
			Fixed(store("drawer-one")),
			Fixed(store("drawer-two")),
			Fixed(Say("The calls are over.")))
		term := l.Terminal(append(args, "--permission-mode", "bypassPermissions")...)
		term.Send("look and keep")
		if screen := term.WaitDialog(); !strings.Contains(screen, "drawer-one") {
			t.Errorf("a dialog for something else\n%s", screen)
		}
		term.Answer("1")
		if screen := term.WaitDialog(); !strings.Contains(screen, "drawer-two") {
			t.Errorf("a dialog for something else\n%s", screen)
		}
		term.Answer("1")
		term.Wait("The calls are over")
		term.Quit()
		if got := palace.Stored(); len(got) != 2 {
			t.Errorf("stored %q", got)
		}

		l.Plugin = plugin
		answer("--remove")
		if after := l.Read(settings); after != before {
			t.Errorf("the settings were\n%s\nand are\n%s", before, after)
		}
	})
}

// What the person says yes to in the dialog is stored by the real server byte for byte, once, and is no
// surprise at the turn's end: a short text, and one that is stored in pieces.
func TestAuditKnowsApprovals(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		p, args := l.RealPalace()
		short := "We use Postgres; ünïcode \"quotes\" stay."
		long := strings.Repeat("A long sentence that is kept in pieces. ", 60)
		l.Model.Mind("main", Match{}, p.Stores(short, long))
		term := l.Terminal(append(args, "--permission-mode", "default")...)
		term.Send("keep both")
		for range 2 {
			term.WaitDialog()
			term.Answer("1")
		}
		term.Wait("All is stored")
		term.Send("second question")
		l.Model.AwaitTail("second question")
		if strings.Contains(term.History(), "without an approval") {
			t.Errorf("an alarm for what was approved\n%s", term.History())
		}
		term.Quit()
		got := p.Drawers()
		if len(got) < 3 || got[0].Content != short {
			t.Errorf("stored %q", got)
		}
	})
}

// What changed in the real palace without a yes is taken back and put back by MemPalace's own tools: a drawer
// in pieces, a short one, an edit in place, one that was taken away, a fact and a tunnel. What was promoted
// with a yes stays.
func TestRevoke(t *testing.T) {
	t.Parallel()
	l := NewLab(t, Client{Version: versions[0], Path: clientPath(t, versions[0])})
	l.InstallKeepsake()
	p, _ := l.RealPalace()
	bin := filepath.Join(l.Root, "palacebin")
	l.WriteProgram(filepath.Join(bin, "mempalace-mcp"),
		"#!/bin/sh\nexec "+quote(p.program("mempalace-mcp"))+" \"$@\"\n")
	l.Env = map[string]string{"PATH": bin + ":" + systemPath()}
	maps.Copy(l.Env, p.env)
	l.WriteJSON(filepath.Join(l.Home, ".config", "keepsake", "config.json"),
		map[string]any{"tiers": map[string]any{"why": "mempalace"}})
	add := func(s *RealServer, room, text string) string {
		t.Helper()
		id, _ := s.Call("mempalace_add_drawer",
			map[string]any{"wing": "shop", "room": room, "content": text})["drawer_id"].(string)
		if id == "" {
			t.Fatal("nothing was stored")
		}
		return id
	}
	says := func() string {
		t.Helper()
		var all []string
		for _, d := range p.Drawers() {
			all = append(all, d.Content)
		}
		slices.Sort(all)
		return strings.Join(all, "|")
	}
	l.Model.Script("main", Match{}, Fixed(Say("One is over.")), Fixed(Say("Two is over.")),
		Fixed(Say("Three is over.")))

	s := p.Serve()
	mail, letters := add(s, "mail", "Mail goes out at night."), add(s, "mail", "Letters are blue.")
	s.Close()
	term := l.Terminal("--permission-mode", "default")
	term.Send("first question")
	term.Wait("One is over")
	note := l.noted("Decided to use Postgres over SQLite.")
	histories := filepath.Join(l.Home, ".claude", "keepsake", "palace", "*.jsonl")
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if found, _ := filepath.Glob(histories); len(found) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no snapshot was taken")
		}
	}
	l.AtTerminal([]string{"notes", "promote", note}, "y")
	before := says()
	s = p.Serve()
	long := strings.Repeat("A long sentence that is kept in pieces. ", 60)
	kafka, pieces := add(s, "queue", "We use Kafka."), add(s, "queue", long)
	s.Call("mempalace_update_drawer", map[string]any{"drawer_id": mail, "content": "Mail goes out at noon."})
	s.Call("mempalace_delete_drawer", map[string]any{"drawer_id": letters})
	fact, _ := s.Call("mempalace_kg_add",
		map[string]any{"subject": "shop", "predicate": "uses", "object": "Kafka"})["triple_id"].(string)
	tunnel, _ := s.Call("mempalace_create_tunnel", map[string]any{"source_wing": "shop",
		"source_room": "queue", "target_wing": "shop", "target_room": "mail"})["id"].(string)
	s.Close()
	after := says()
	term.Send("second question")
	term.Wait("without an approval")

	ids := []string{kafka, pieces, mail, letters, fact, tunnel}
	list := l.cli("gate", "revoke", "--dry-run")
	for _, id := range ids {
		if id == "" || !strings.Contains(list, id+"\n") {
			t.Errorf("no %q in the list", id)
		}
	}
	if !strings.Contains(list, "6 changes without your approval") || strings.Contains(list, "Postgres") ||
		!strings.Contains(list, "- Mail goes out at noon.\n  + Mail goes out at night.\n") {
		t.Errorf("the list is\n%s", list)
	}
	if out := l.AtTerminal([]string{"gate", "revoke"}, "y"); !strings.Contains(out, "6 changes taken back") {
		t.Errorf("revoke said\n%s", out)
	}
	if got := says(); got != before {
		t.Errorf("the palace says\n%s\nand was\n%s", got, before)
	}
	if out, err := p.Command("mempalace", "search", "We use Kafka.").CombinedOutput(); err != nil ||
		strings.Contains(string(out), "shop / queue") || !strings.Contains(string(out), "shop / mail") {
		t.Errorf("MemPalace still finds it: %v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(l.Home, ".claude", "keepsake", "revoked", "*.json"))
	if err != nil || len(files) != 1 || !strings.Contains(l.Read(files[0]), "We use Kafka.") {
		t.Fatalf("taken out into %q, %v", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	const nothing = "nothing is in a palace without your approval"
	if out := l.cli("gate", "revoke"); !strings.Contains(out, nothing) {
		t.Errorf("a second run said\n%s", out)
	}
	term.Send("third question")
	term.Wait("Three is over")
	if n := strings.Count(term.History(), "keepsake: If that was not you"); n != 1 {
		t.Errorf("told %d times, want once\n%s", n, term.History())
	}

	l.AtTerminal([]string{"gate", "revoke", "--undo", files[0]}, "y")
	if got := says(); got != after {
		t.Errorf("put back, the palace says\n%s\nand was\n%s", got, after)
	}
	if out := l.cli("gate", "revoke"); !strings.Contains(out, nothing) {
		t.Errorf("what was put back is approved, but listed\n%s", out)
	}
	term.Quit()
}
