//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/why/drawer"
)

// cli runs the lab's Keepsake in the project, as a person's script would, and returns all that it printed.
func (l *Lab) cli(args ...string) string {
	l.t.Helper()
	cmd := exec.Command(l.keepsake(), args...)
	cmd.Dir, cmd.Env = l.Project, l.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("keepsake %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// noted saves a note and returns its id.
func (l *Lab) noted(text string) string {
	l.t.Helper()
	l.cli("save", "--", text)
	first, _, _ := strings.Cut(text, "\n")
	m := regexp.MustCompile(`(s[0-9a-z]{5}) +note [^\n]*\n +` +
		regexp.QuoteMeta(first)).FindStringSubmatch(l.cli("handoff", "promote"))
	if m == nil {
		l.t.Fatalf("no id for %q", first)
	}
	return m[1]
}

// promoted are the texts of Keepsake's own drawers.
func (l *Lab) promoted() (all []string) {
	l.t.Helper()
	for _, path := range l.Files(l.Root) {
		if !strings.HasSuffix(path, ".md") || !strings.Contains(path, "/keepsake/drawers/") {
			continue
		}
		d, err := drawer.Parse([]byte(l.Read(filepath.Join(l.Root, path))))
		if err != nil {
			l.t.Fatal(err)
		}
		all = append(all, d.Text)
	}
	return all
}

func checkPromoted(t *testing.T, l *Lab, want ...string) {
	t.Helper()
	got := l.promoted()
	count := func() int {
		return strings.Count(l.Read(filepath.Join(l.Project, ".agents", "memory", "scratch", "general.md")),
			"\nPROMOTED to MemPalace at ")
	}
	marks := count()
	for begun := time.Now(); marks < len(want) &&
		time.Since(begun) < patience; time.Sleep(20 * time.Millisecond) {
		marks = count() // the notes are marked last
	}
	settled := 0
	for _, o := range l.Approvals().Ran() {
		if o.Result == "stored" && len(o.Stored) == 1 {
			settled++
		}
	}
	if len(got) != len(want) || marks != len(want) || settled != len(want) {
		t.Fatalf("%d drawers %q, %d marks, %d settled, want %d\n%s", len(got), got, marks, settled, len(want),
			l.Model.Digest())
	}
	for _, w := range want {
		if !strings.Contains("\x00"+strings.Join(got, "\x00")+"\x00", "\x00"+w+"\x00") {
			t.Errorf("kept %q, want %q", got, w)
		}
	}
}

const (
	settledWhy = "Decided to use Postgres, not SQLite.\n\nIt's \"one\" system: $HOME, `id`, \\n and é stay " +
		"as they are."
	costs   = "Postgres costs less, because one system needs one backup."
	retries = "Retries are capped at five attempts."
)

// In the terminal the client's dialog shows the whole text: No writes nothing, Yes writes it byte for byte,
// once, and marks the note. What is promoted is not promoted again.
func TestPromotedInDialog(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l, k, args := keeperLab(t, c)
		id := l.noted(settledWhy)
		k.Attacks["promote"] = Bash(l.keepsake() + " promote " + id)
		k.Attacks["why"] = Bash(l.keepsake() + ` save --tier why "` + costs + `"`)
		term := l.Terminal(append(args, "--permission-mode", "default")...)

		term.Send("please try promote")
		screen := term.WaitDialog()
		for _, want := range []string{"permanent memory write", "Keepsake's own drawers", "room decisions",
			"Decided to use Postgres, not SQLite.", "stay as they are."} {
			if !strings.Contains(strings.ReplaceAll(squeezed(screen), "|", ""), squeezed(want)) {
				t.Errorf("the dialog does not show %q\n%s", want, screen)
			}
		}
		term.Answer("Escape")
		checkPromoted(t, l)

		k.Turn(term, func() {
			term.Send("please try promote")
			term.WaitDialog()
			term.Answer("1")
		})
		checkPromoted(t, l, settledWhy)
		if o := l.Approvals().Ran()[0]; o.By != "dialog" {
			t.Errorf("settled as %+v", o)
		}
		k.Turn(term, func() { term.Send("please try promote") })
		checkPromoted(t, l, settledWhy)

		k.Turn(term, func() {
			term.Send("please try why")
			term.WaitDialog()
			term.Answer("1")
		})
		if got := l.promoted(); len(got) != 2 {
			t.Errorf("kept %q\n%s", got, l.Model.Digest())
		}
		checkDialogs(t, term, 3)
		term.Quit()
	})
}

// If nobody can be asked a promotion is denied. It runs once after the person has approved it in a terminal,
// if the note still says the same. A made-up approval, a script and a Makefile are refused.
func TestPromotedHeadless(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l, k, args := keeperLab(t, c)
		args = append(args, "--permission-mode", "bypassPermissions")
		id, other := l.noted(settledWhy), l.noted(retries)
		k.Attacks["promote"] = Bash(l.keepsake() + " promote " + id)
		k.Attacks["other"] = Bash(l.keepsake() + " promote " + other)
		k.Attacks["forged"] = Bash(l.keepsake() + " promote " + id + " --approval ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		k.Attacks["script"] = Bash("sh promote.sh")
		k.Attacks["make"] = Bash("make keep")
		k.Attacks["wrapped"] = Bash("sh -c '" + l.keepsake() + " promote " + id + "'")
		l.Write(filepath.Join(l.Project, "promote.sh"), l.keepsake()+" promote "+id+"\n")
		l.Write(filepath.Join(l.Project, "Makefile"), "keep:\n\tyes | "+l.keepsake()+" promote "+id+"\n")

		talk := l.Talk(args...)
		for name, want := range map[string]string{
			"forged": "only the person approves", "script": "one plain command only",
			"make": "only a person (at a terminal )?answers", "wrapped": "one plain command only",
		} {
			talk.Say("please try " + name)
			if len(l.Model.Tails(regexp.MustCompile(want))) == 0 {
				t.Errorf("%s did not come to %q\n%s", name, want, l.Model.Digest())
			}
		}
		checkPromoted(t, l)

		talk.Say("please try promote")
		talk.Say("please try other")
		talk.End()
		waiting := l.Approvals().Waiting
		if len(waiting) != 2 {
			t.Fatalf("waiting: %+v\n%s", waiting, l.Model.Digest())
		}
		screen := l.AtTerminal([]string{"approve", waiting[0].ID, waiting[1].ID}, "y", "y")
		for _, want := range []string{"Decided to use Postgres, not SQLite.", "stay as they are.",
			"room decisions", "ENDED-0"} {
			if !strings.Contains(strings.ReplaceAll(squeezed(screen), "|", ""), squeezed(want)) {
				t.Errorf("the terminal does not show %q\n%s", want, screen)
			}
		}
		file := filepath.Join(l.Project, ".agents", "memory", "scratch", "general.md")
		l.Write(file, strings.Replace(l.Read(file), "five attempts", "fifty attempts", 1))
		talk = l.Talk(args...)
		talk.Say("please try other")
		checkPromoted(t, l)
		for range 2 {
			talk.Say("please try promote")
			checkPromoted(t, l, settledWhy)
		}
		talk.End()
	})
}

// squeezed is a text without its space: a terminal breaks lines where it likes.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// A memory that was promoted into MemPalace is reversed. Questions that begin with why are answered
// accordingly at once, and the drawer is removed, with all its pieces, when the person says so at their
// terminal. Other drawers stay.
func TestPromotedWithdrawn(t *testing.T) {
	if inItself(t) {
		return
	}
	w := newRealWhy(t)
	l := w.lab
	l.Plugin = filepath.Dir(filepath.Dir(built(t, "keepsake")))
	for name, value := range w.env {
		l.Env[name] = value
	}
	l.Env["PATH"] = os.Getenv("PATH")
	reasons := strings.Repeat("Pages are slow, and the pages of the shop are many. ", 30)
	l.AtTerminal([]string{"remember", "--as", "decision", "We use Redis for the cache, because " + reasons})
	l.AtTerminal([]string{"remember", "--as", "decision", "We deploy with Nomad, because it is small."})
	for _, id := range []string{"we-use-redis-for-the-cache", "we-deploy-with-nomad"} {
		l.AtTerminal([]string{"promote", id}, "y")
	}
	if len(w.Drawers()) < 3 { // one is long, and lies there in pieces
		t.Fatalf("kept %q", w.Drawers())
	}
	recall := func() string { return l.cli("recall", "--tier", "why", "Redis cache") }
	out := recall()
	m := regexp.MustCompile(`\[source: WHY\] ([^/\n]+/decisions/[^ \n]+)`).FindStringSubmatch(out)
	if m == nil || strings.Contains(out, "superseded") {
		t.Fatal(out)
	}
	l.AtTerminal([]string{"remember", "--as", "decision",
		"We no longer use Redis for the cache, because it lost data."})
	if out := recall(); !strings.Contains(out, m[1]) ||
		!strings.Contains(out, "superseded by decisions/we-no-longer-use-redis") {
		t.Errorf("recalled as a truth:\n%s", out)
	}
	if out := l.cli("inbox"); !strings.Contains(out, m[1]) {
		t.Errorf("the inbox does not list it:\n%s", out)
	}
	l.AtTerminal([]string{"forget", m[1]}, "n")
	if len(w.Drawers()) < 3 {
		t.Error("it went after a no")
	}
	screen := l.AtTerminal([]string{"forget", m[1]}, "y")
	if !strings.Contains(squeezed(screen), squeezed("withdrawn: "+m[1])) {
		t.Errorf("not withdrawn:\n%s", screen)
	}
	if left := w.Drawers(); len(left) != 1 || !strings.Contains(left[0].Content, "Nomad") {
		t.Errorf("left %q", left)
	}
	if out := recall(); strings.Contains(out, m[1]) {
		t.Errorf("it is found still:\n%s", out)
	}
}
