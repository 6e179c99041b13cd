package explain

import (
	"fmt"
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/text"
)

// scene is talk with two lines more: "? question | option | option => answer" is a question
// of the client that the person answered ("?* " where several may be chosen), "plan " a plan
// that they approved, and "edit x" a file that the agent changed.
func scene(lines ...string) (entries []transcript.Entry) {
	for i, line := range lines {
		e := transcript.Entry{Who: transcript.Person, UUID: fmt.Sprint(i), Offset: int64(i)}
		if question, multi := strings.CutPrefix(line, "?* "); multi || strings.HasPrefix(line, "? ") {
			var options string
			question, e.Text, _ = strings.Cut(strings.TrimPrefix(question, "? "), " => ")
			question, options, _ = strings.Cut(question, " | ")
			e.Asked = &transcript.Asked{Question: question, Multi: multi}
			for o := range strings.SplitSeq(options, " | ") {
				label, description, _ := strings.Cut(o, ": ")
				e.Asked.Options = append(e.Asked.Options,
					transcript.Option{Label: label, Description: description})
			}
		} else if plan, ok := strings.CutPrefix(line, "plan "); ok {
			e.Plan = plan
		} else if file, ok := strings.CutPrefix(line, "edit "); ok {
			e.Who, e.Tool, e.File = transcript.Assistant, "Edit", file
		} else {
			e = talk(line)[0]
		}
		entries = append(entries, e)
	}
	return entries
}

// A form is a way to say something: the last of the lines is what is read now. want is part
// of a line "category: text" of what is surely heard of it, "" where nothing that is
// resolved may be heard.
type form struct {
	lines []string
	want  string
}

func said(want string, lines ...string) form { return form{lines, want} }

// heardOf returns the sure ones of what is heard in the last line of a form, and those that are
// made of what stands before it.
func (f form) heardOf() (sure, resolved []string) {
	all := scene(f.lines...)
	last := len(all) - 1
	for _, h := range hearWords(
		func(int) []transcript.Entry { return all[:last] }, all[last:], triage.Options{},
	) {
		line := fmt.Sprintf("%s%s: %s", h.Statement.Category, h.Statement.Moment, h.Text)
		if h.Statement.Level == finding.Sure {
			sure = append(sure, line)
			own := h.Statement.Explicit && strings.Contains(text.OneLine(all[last].Text), h.Text)
			if h.refers != "" || h.Statement.Explicit && !own || all[last].Asked != nil {
				resolved = append(resolved, line)
			}
		}
	}
	return sure, resolved
}

func (f form) ok() bool {
	sure, resolved := f.heardOf()
	if f.want == "" {
		return len(resolved) == 0
	}
	for _, line := range sure {
		if strings.Contains(line, f.want) {
			return true
		}
	}
	return false
}

func runForms(t *testing.T, forms []form) {
	right, wrong := [2]int{}, [2]int{}
	for _, f := range forms {
		negative := 0
		if f.want == "" {
			negative = 1
		}
		if f.ok() {
			right[negative]++
			continue
		}
		wrong[negative]++
		sure, resolved := f.heardOf()
		t.Errorf("%q\n\tsure %q, resolved %q, want %q", f.lines, sure, resolved, f.want)
	}
	t.Logf("%d of %d that say something, %d of %d that don't", right[0], right[0]+wrong[0],
		right[1], right[1]+wrong[1])
}

const (
	table = "There are three stores that would do:\n\n| Store | Pro | Contra |\n|---|---|---|\n" +
		"| Postgres | jobs survive | needs a server |\n| SQLite | one file | one writer |\n" +
		"| Redis | fast | loses jobs |\n\nWhich one do you want?"
	keyed = "| # | Approach | Cost |\n|:-:|:--|--:|\n| 1 | Poll every minute | low |\n" +
		"| 2 | Watch the directory | high |\n\nWhich approach should we take?"
	across = "| | Option A: cookies | Option B: JWT |\n" +
		"|---|---|---|\n| State | in the server | in the token |\n" +
		"| Logout | at once | when it expires |\n\nWhich option do you prefer?"
	german = "Es gibt zwei Möglichkeiten:\n\n1. **Nomad**: ein Binary, wenig Pflege\n2. **Kubernetes**: " +
		"mehr Werkzeuge\n\nWas ist dir lieber?"
	varianten = "**Variante A**: ein Schema je Mandant\n**Variante B**: eine Spalte mandant_id\n\n" +
		"Welche Variante sollen wir nehmen?"
	cost = "> what does the second cost?"
)

// TestForms is what the rules were made with.
func TestForms(t *testing.T) {
	runForms(t, []form{
		// Past an exchange in between.
		said("go with the second — SQLite: one file", twoWays, cost, "Nothing, it is a library.",
			"> ok, go with the second"),
		said("SQLite: one file", twoWays, cost, "Nothing.", "> and the first?", "About 20 a month.",
			"> then option 2"),
		said("Postgres: jobs survive", twoWays, "> how long would 1 take?", "$ ls → x", "Two days.",
			"> fine, let's take the first one"),
		said("keep the cache", options, "> hm, let me think about it", "Sure, take your time.",
			"> Option A please"),
		said("flock", "I recommend flock instead of a table. Should I go ahead?", "> why not a table?",
			"It would need a migration.", "> ok, do that then"),
		said("", twoWays, "> option 1", "edit a.go", "Done.", "> what about the tests?", "They pass.",
			"> go with the second"),
		said("", twoWays, "> do whatever is best", "edit a.go", "It uses a table now.", "> 2"),
		said("", twoWays, cost, "Nothing.", "> 2 of them failed"),
		said("", twoWays, "> run the tests first", "They pass.", "> 2"),
		said("", "I recommend flock instead of a table. Should I go ahead?", "> why not a table?",
			"It would need a migration. Should I look at its schema?", "> yes"),

		// Tables.
		said("SQLite (Pro: one file; Contra: one writer)", table, "> the second one"),
		said("one file", table, "> let's go with SQLite"),
		said("Redis (Pro: fast", table, "> the last one, please"),
		said("Watch the directory", keyed, "> 2"),
		said("Poll every minute", keyed, "> option 1, because it is enough"),
		said("JWT", across, "> B"),
		said("cookies", across, "> the first"),
		said("", "| Test | Result |\n|---|---|\n| parser | failed |\n| lexer | passed |\n\nTwo tests ran.",
			"> the second one"),
		said("", table, "> the second column is empty"),
		said("", "| Step | State |\n|---|---|\n| 1 | done |\n| 2 | open |\n\nWhich should I do next?", "> 2"),

		// Options in prose.
		said("SQLite", "Should we use Postgres or SQLite for the queue?", "> SQLite, because it is one file"),
		said("Postgres", "Should we use Postgres or SQLite for the queue?", "> the first"),
		said("drop it for good", "We can either keep the cache in memory or drop it for good. "+
			"What do you prefer?", "> the second option"),
		said("keep the cache in memory", "We can either keep the cache in memory or drop it for good. "+
			"What do you prefer?", "> the former"),
		said("Kafka", "Do you want RabbitMQ, Kafka or NATS for the events?", "> Kafka"),
		said("NATS", "Do you want RabbitMQ, Kafka, or NATS for the events?", "> let's take the third"),
		said("eine je Mandant", "Sollen wir entweder eine Datenbank für alle oder eine je Mandant nehmen?",
			"> das zweite"),
		said("", "Should I run the tests or commit first?", "> the second"),
		said("", "Should I fix it now or later?", "> the first test is flaky"),
		said("", "The function returns either an error or a tree.", "> the second"),
		said("", "Should we use Postgres or SQLite for the queue?", "> SQLite was slow last time"),
		said("", "Should we use Postgres or not?", "> the first"),

		// German.
		said("Kubernetes: mehr", german, "> das zweite"),
		said("2, weil es einfacher ist — Kubernetes", german, "> 2, weil es einfacher ist"),
		said("Kubernetes", german, "> Nummer 2"),
		said("Kubernetes", german, "> die zweite Option bitte"),
		said("Nomad", german, "> ich würde das erste nehmen"),
		said("Nomad", german, "> lass uns die erste Möglichkeit nehmen, die ist einfacher"),
		said("Nomad", german, "> dann nehmen wir Nomad"),
		said("mandant_id", varianten, "> Variante B"),
		said("mandant_id", varianten, "> nimm Variante B, weil die Migration kleiner ist"),
		said("ein Schema", varianten, "> ersteres"),
		said("mandant_id", varianten, "> B, aber mit Index"),
		said("", german, "> die zweite Zeile ist falsch"),
		said("", german, "> 2 davon sind rot"),
		said("", german, "> nicht das zweite"),
		said("", german, "> was kostet das zweite?"),
		said("", german, "> das erste Mal lief es noch"),

		// A yes to what was proposed.
		said("I suggest a table per tenant.", "I suggest a table per tenant. Should I go ahead?",
			"> yes, do that"),
		said("I suggest we store amounts in cents.", "I suggest we store amounts in cents. It avoids "+
			"rounding. Shall I proceed?", "> Yes please, do that"),
		said("My proposal is to keep one writer", "My proposal is to keep one writer because SQLite locks. "+
			"Ok to go ahead?", "> yes"),
		said("Ich schlage vor", "Ich schlage vor, Beträge in Cent zu speichern. Soll ich das so umsetzen?",
			"> ja, mach das"),
		said("flock", "Ich würde flock statt einer Tabelle nehmen. Einverstanden?", "> ja, klingt gut"),
		said("", "I suggest we run the tests. Should I go ahead?", "> yes, do that"),
		said("", "The tests are slow. Should I go ahead?", "> yes, the tests pass"),
		said("", "I found two failures. Should I go ahead?", "> yes, do that"),
		said("", "Soll ich die Tests laufen lassen?", "> ja, mach das"),
		said("", "I suggest a table per tenant. Should I go ahead?", "> no, wait"),

		// What is named in other ways.
		said("drop it", "There are two ways. Option A: keep the cache. Option B: drop it. Which one?", "> B"),
		said("drop it", "Option 1 - keep the cache, option 2 — drop it. Thoughts?", "> the second one"),
		said("SQLite: one file", twoWays+" I'd go with option 2. Sound good?", "> yes"),
		said("SQLite: one file", twoWays, "> the SQLite one"),
		said("Nomad: ein Binary", german, "> die mit Nomad"),
		said("I recommend flock instead of a table.", "I recommend flock instead of a table.",
			"> go with your recommendation"),
		said("Postgres (Pro: jobs survive; Contra: needs a server); SQLite", table, "> all of them"),
		said("a; c", "Options:\n\n1. a\n2. b\n3. c\n\nWhich do you want?", "> both 1 and 3"),
		said("", table, "> all tests pass"),
		said("", "Option A is gone and option B is broken.", "> B"),

		// Answers.
		said("decision: How do we deploy? — Nomad", "? How do we deploy? | Nomad | Fly => Nomad"),
		said("decision: How do we deploy? — with Ansible",
			"? How do we deploy? | Nomad | Fly => with Ansible"),
		said("decision: How do we run migrations? — At start",
			"? How do we run migrations? | At start | By hand => At start"),
		said("decision: Where do tests run? — CI", "?* Where do tests run? | CI | Laptops => CI; Laptops"),
		said("decision: Wie deployen wir? — Nomad", "? Wie deployen wir? | Nomad | Fly => Nomad"),
		said("decision: Which branching strategy do we follow? — trunk: one branch",
			"? Which branching strategy do we follow? | trunk: one branch | gitflow => trunk: one branch"),
		said("decision: How should the service start? — systemd",
			"? How should the service start? | systemd | docker => systemd"),
		said("decision: Where should uploads go? — S3", "? Where should uploads go? | S3 | disk => S3"),
		said("decision: Where do menus open? — on the left",
			"? Where do menus open? | on the left => on the left"),
		said("decision: Does the API need a version?", "? Does the API need a version? | Yes | No => Yes"),
		said("", "? What should I do next? | Run the tests | Stop => Run the tests"),
		said("", "? How should I proceed? | Fix it | Skip it => Skip it"),
		said("", "? How do we deploy? | Nomad | Fly => what is Fly?"),
		said("", "? How do we deploy? | Nomad | Fly => I don't know"),
		said("", "? Did the migration run? | Yes | No => Yes"),
		said("", "? Should I commit these changes? | Yes | No => Yes"),
		said("", "? Wie soll ich weitermachen? | Tests | Doku => Tests"),

		// Pointing back.
		said("decision: we decided to use Postgres", "> we decided to use Postgres because of JSONB", "Fine.",
			"> don't forget that"),
		said("decision: we decided to use Postgres", "> we decided to use Postgres because of JSONB", "Fine.",
			"> make a note of this"),
		said("preference: The staging box is called heron.", "> what is staging called?",
			"The staging box is called heron.", "> please keep that in mind"),
		said("preference: The staging box is called heron.", "> wie heißt staging?",
			"The staging box is called heron.", "> Merk dir das!"),
		said("decision: we decided to use Postgres", "> we decided to use Postgres because of JSONB", "Fine.",
			"> das bitte merken"),
		said("decision: we decided to use Postgres", "> we decided to use Postgres because of JSONB", "Fine.",
			"> vergiss das nicht"),
		said("decision: we decided to use Postgres", "> we decided to use Postgres because of JSONB", "> ok",
			"> merk dir die Entscheidung"),
		said("decision: let's go with flock", "> let's go with flock. Don't forget that."),
		said("", "> we decided to use Postgres because of JSONB", "Fine.", "> forget that"),
		said("", "> we decided to use Postgres because of JSONB", "Fine.", "> vergiss das"),
		said("", "> we decided to use Postgres because of JSONB", "Fine.",
			"> don't forget that Go is compiled"),
		said("", "> we decided to use Postgres because of JSONB", "Fine.", "> don't forget the tests"),
		said("", "> we decided to use Postgres because of JSONB", "Fine.", "> das habe ich mir gemerkt"),
		said("", "> we decided to use Postgres because of JSONB", "Fine.", "> I forgot that"),

		// Plans.
		said("decision: Use a watch instead of polling because it is cheaper.",
			"plan # Import\n\n## Steps\n\n"+
				"1. Add the importer\n2. Use a watch instead of polling because it is cheaper.\n3. Test it"),
		said("decision: Keep SQLite rather than Postgres",
			"plan # Queue\n\n- Keep SQLite rather than Postgres, "+
				"since one writer is enough.\n- Write the tests"),
		said("preference: Always use", "plan # Style\n\n- Always use named exports, never default exports."),
		said("", "plan # Queue\n\n- Add the table\n- Write the tests"),
	})
}

// TestFixes: the command that passed is shown, whatever stands around it.
func TestFixes(t *testing.T) {
	const caused = "The crash was caused by a stale lock, fixed by deleting it."
	for _, c := range []struct{ failed, passed, want string }{
		{"go test ./...", "docker compose up -d && go test ./...", "docker compose up"},
		{"go test ./...", "rm -f x.lock; go test ./... 2>&1 | tail -5", "rm -f"},
		{"cd api && npm run build", "cd api && npm ci && npm run build", "npm ci"},
		{"docker compose up -d && go test ./...", "go test ./...", "go test"},
		{"FOO=1 make check", "make clean && make check", "make clean"},
		{"go test ./...", "go vet ./... && go build ./...", ""},
		{"npm run build", "npm run lint", ""},
		{"go test ./...", "go test ./... || true", ""},
		{"go test ./...", `echo "x && go test ./..."`, ""},
		{"docker compose up -d", "docker compose ps", ""},
	} {
		all := talk("> it fails", "! "+c.failed+" → panic: locked", "$ "+c.passed+" → ok", caused)
		heard := hearWords(nil, all, triage.Options{})
		if len(heard) != 1 {
			t.Fatalf("%+v", heard)
		}
		got := lines(heard[0].Context)
		_, passed, _ := strings.Cut(got, "program passed: ")
		if c.want == "" && passed != "" || !strings.Contains(passed, c.want) {
			t.Errorf("%q, then %q: %q", c.failed, c.passed, got)
		}
	}
}
