package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/gate/approval"
	"keepsake/pkg/gate/rules"
	"keepsake/pkg/layout"
	"keepsake/pkg/project/session"
	"keepsake/pkg/why/promote"
)

// desk is a project and a person's folders, for promotions.
type desk struct {
	t                     *testing.T
	project, data, client string
	now                   time.Time
	person                person
	shown                 string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, project: filepath.Join(t.TempDir(), "shop"), data: t.TempDir(), client: t.TempDir(),
		now: time.Now()}
	if err := os.MkdirAll(filepath.Join(d.project, ".claude", "memory"), 0o755); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	for k, v := range map[string]string{
		"HOME": home, "XDG_DATA_HOME": d.data, "XDG_STATE_HOME": filepath.Join(home, "state"),
		"XDG_CACHE_HOME": filepath.Join(home, "cache"), "XDG_CONFIG_HOME": filepath.Join(home, "config"),
		"CLAUDE_CONFIG_DIR": d.client, "CLAUDE_CODE_SESSION_ID": "", "PATH": "/usr/bin:/bin",
	} {
		t.Setenv(k, v)
	}
	d.person = person{alone: func() error { return session.ErrNested }, client: layout.ClientHere}
	return d
}

// run runs keepsake in the project.
func (d *desk) run(args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = run(&call{ctx: context.Background(), args: args, cwd: d.project, now: func() time.Time {
		return d.now
	}, voice: voice{out: &o, err: &e}, person: d.person})
	return o.String(), e.String(), code
}

// typing has a person at the terminal answer with these lines.
func (d *desk) typing(lines string, args ...string) (out, errs string, code int) {
	screen := &tty{typed: strings.NewReader(lines)}
	d.person = person{alone: func() error {
		return nil
	}, terminal: func() (io.ReadWriteCloser, error) { return screen, nil }}
	out, errs, code = d.run(args...)
	d.shown = screen.shown.String()
	d.person = person{alone: func() error { return session.ErrNested }, client: layout.ClientHere}
	return out, errs, code
}

func (d *desk) note(text string) (id string) {
	d.t.Helper()
	if _, errs, code := d.run("save", "--", text); code != exitDone {
		d.t.Fatal(errs)
	}
	out, errs, code := d.run("handoff", "promote")
	ids := regexp.MustCompile(`(?m)^ +(s[0-9a-z]{5}) `).FindAllStringSubmatch(out, -1)
	if code != exitDone || len(ids) == 0 {
		d.t.Fatal(out, errs)
	}
	for _, m := range ids {
		if at := strings.Index(out, m[1]); strings.Contains(out[at:], strings.SplitN(text, "\n", 2)[0]) {
			id = m[1]
		}
	}
	return id
}

// kept is the text of every drawer file.
func (d *desk) kept() (all []string) {
	d.t.Helper()
	files, _ := filepath.Glob(filepath.Join(d.data, "keepsake", "drawers", "*", "*", "*.md"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			d.t.Fatal(err)
		}
		all = append(all, string(b))
	}
	return all
}

func (d *desk) approvals() approval.Dir {
	return approval.Dir(filepath.Join(d.client, "keepsake", "approvals"))
}

// approve is what the gate does for a call: it asks what would be written, and makes
// the command that may run once.
func (d *desk) approve(args ...string) (words []string) {
	d.t.Helper()
	out, errs, code := d.run(slices.Insert(slices.Clone(args), 1, "--dry-run", "--json")...)
	var p promote.Preview
	if err := json.Unmarshal([]byte(out), &p); code != exitDone || err != nil {
		d.t.Fatal(code, out, errs)
	}
	g := approval.Grant{Request: approval.Request{ID: "kx3f2a", Digest: "d", Checkpoint: rules.MemPalaceWrite,
		Rule: rules.RulePromote.Rule().Name, Tool: "Bash", Project: d.project, Writes: p.Digest}}
	for _, n := range p.Near {
		g.Near = append(g.Near, n.Path)
	}
	nonce, err := d.approvals().Grant(g, d.now)
	if err != nil {
		d.t.Fatal(err)
	}
	return slices.Insert(p.Words, 1, "--approval", nonce)
}

// TestPromoteAtTerminal: a person is shown the text whole and asked; a yes writes it
// once and marks the note, anything else writes nothing.
func TestPromoteAtTerminal(t *testing.T) {
	d := newDesk(t)
	const text = "Decided to use Postgres.\n\nBecause of \u202ejsonb; it's \"one\" system\\n."
	id := d.note(text)
	for _, typed := range []string{"", "\n", "n\n", "no\n", "yep\n", "y"} {
		if out, errs, code := d.typing(typed, "promote", id); code != exitDone ||
			out != "nothing was written\n" || errs != "" || len(d.kept()) != 0 {
			t.Errorf("%q: exit %d, %q, %q", typed, code, out, errs)
		}
	}
	out, errs, code := d.typing("y\n", "promote", id)
	if code != exitDone || errs != "" ||
		!strings.HasPrefix(out, "Promoted to Keepsake's own drawers / shop/decisions/") {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	want := "wing shop, room decisions, from .agents/memory/scratch/general.md:1\n  |" +
		" Decided to use Postgres.\n  | \n  | Because of \\u202ejsonb; it's \"one\" system\\n.\n\n" +
		"No MemPalace is set up: Keepsake's own drawers keep it.\nAbout to promote to MemPalace WHY tier. " +
		"Approve? [y]es, [n]o: "
	if d.shown != want {
		t.Errorf("shown %q\nwant  %q", d.shown, want)
	}
	if kept := d.kept(); len(kept) != 1 || !strings.HasSuffix(kept[0], "---\n"+text+"\n") {
		t.Errorf("kept %q", kept)
	}
	notes, err := os.ReadFile(filepath.Join(d.project, ".agents", "memory", "scratch", "general.md"))
	if err != nil || strings.Count(string(notes), "\nPROMOTED to MemPalace at ") != 1 ||
		!strings.Contains(string(notes), text) {
		t.Errorf("%s, %v", notes, err)
	}
	done, err := d.approvals().Settled(time.Time{})
	if err != nil || len(done) != 1 || done[0].By != approval.Terminal ||
		done[0].Rule != rules.RulePromote.Rule().Name || len(done[0].Stored) != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	if _, errs, code := d.typing("y\n", "promote", id); code != exitFailed ||
		!strings.Contains(errs, id+" has been promoted: PROMOTED to MemPalace at") {
		t.Errorf("again: exit %d, %q", code, errs)
	}
	if out, _, code := d.typing("y\n", "save", "--tier", "why", text); code != exitDone ||
		!strings.HasPrefix(out, "Was kept already") || len(d.kept()) != 1 {
		t.Errorf("the same text: exit %d, %q", code, out)
	}
	if _, _, code := d.typing("y\n", "save", "--tier", "why", "--room", "costs",
		"Postgres costs less than the other one."); code != exitDone || len(d.kept()) != 2 {
		t.Errorf("a text: exit %d", code)
	}
}

// TestPromoteNear: what is kept and says nearly the same is shown before the question.
func TestPromoteNear(t *testing.T) {
	d := newDesk(t)
	const text = "Decided to use Postgres over SQLite for the job queue, because several workers write at " +
		"once."
	d.typing("y\n", "save", "--tier", "why", text)
	d.typing("n\n", "save", "--tier", "why", strings.Replace(text, "several", "many", 1))
	if !strings.Contains(d.shown, "Kept already, and says nearly the same:\n  shop/decisions/") {
		t.Errorf("shown %q", d.shown)
	}
	words := d.approve("save", "--tier", "why", "Redis is for the cache and nothing else, says the person.")
	d.typing("y\n", "save", "--tier", "why", "Redis is for the cache and for nothing else, says the person.")
	if _, errs, code := d.run(words...); code != exitPerson ||
		!strings.Contains(errs, "nearly the same is kept already, in shop/decisions/") ||
		len(d.kept()) != 2 {
		t.Errorf("near to what came meanwhile: exit %d, %q", code, errs)
	}
	words = d.approve("save", "--tier", "why", "--anyway",
		"Redis is for the cache and nothing else, says the person.")
	if _, errs, code := d.run(words...); code != exitDone || len(d.kept()) != 3 {
		t.Errorf("anyway: exit %d, %q", code, errs)
	}
}

// TestPromoteWithApproval: without a person at a terminal only a nonce of the gate
// lets it write, for just these bytes, once, in time, from this project.
func TestPromoteWithApproval(t *testing.T) {
	d := newDesk(t)
	refused := func(name string, want string, words ...string) {
		t.Helper()
		before := len(d.kept())
		out, errs, code := d.run(words...)
		if code != exitPerson && code != exitFailed || out != "" || !strings.Contains(errs, want) ||
			len(d.kept()) != before {
			t.Errorf("%s: exit %d, %q, %q", name, code, out, errs)
		}
	}
	const text = "Decided to use Postgres,\nit's \"one\" system."
	id := d.note(text)
	refused("no approval", "only a person answers", "promote", id)
	refused("no approval", "only a person answers", "save", "--tier", "why", text)
	refused("made up", "no such approval", "promote", id, "--approval", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	refused("a path", "no such approval", "promote", id, "--approval", "../settled")

	words := d.approve("promote", id)
	nonce := words[2]
	refused("for another text", "not for what would be written", "save", "--tier=why", "--approval", nonce,
		"something else")
	refused("for another room", "not for what would be written",
		append(slices.Clone(words), "--room=costs")...)
	refused("for another text that was shown", "has changed since", "promote", "--approval", nonce, id,
		"--text=other")
	d.now = d.now.Add(16 * time.Minute)
	refused("too late", "15 minutes", words...)
	d.now = d.now.Add(-16 * time.Minute)

	out, errs, code := d.run(words...)
	if code != exitDone || errs != "" ||
		!strings.HasPrefix(out, "Promoted to Keepsake's own drawers / shop/decisions/") ||
		len(d.kept()) != 1 || !strings.HasSuffix(d.kept()[0], text+"\n") {
		t.Fatalf("exit %d, %q, %q, %q", code, out, errs, d.kept())
	}
	refused("used twice", "has been promoted", words...)
	refused("used twice", "used already", "save", "--tier=why", "--approval", nonce, "--", text)

	changed := d.note("Retries are capped at five.")
	words = d.approve("promote", changed)
	file := filepath.Join(d.project, ".agents", "memory", "scratch", "general.md")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(b, []byte("at five."), []byte("at fifty."), 1),
		0o644); err != nil {
		t.Fatal(err)
	}
	refused("a note that was edited", "no note, no candidate and no memory has this id", words...)
}
