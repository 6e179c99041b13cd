package explain

import (
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
)

const (
	drei = "Es gibt drei Wege:\n\n1. TimescaleDB als Erweiterung\n2. InfluxDB als eigener Dienst\n" +
		"3. Parquet-Dateien in S3\n\nWelcher soll es sein?"
	syncs = "Here's how I see it:\n\n- **Option A – CRDTs (Automerge):** conflict free\n" +
		"- **Option B – Last write wins:** trivial\n- **Option C – Server-side merge:** precise\n\n" +
		"My recommendation is Option C. What do you prefer?"
	backoff = "I could wrap the upload in exponential backoff with at most five attempts. That keeps the " +
		"UI simple. Want me to do that?"
	rollout = "We can roll this out in two ways: either behind a feature flag for 5% of the tenants, or as " +
		"a canary on one node in Falkenstein. Which do you prefer?"
	woodpecker = "A) GitHub Actions – nichts zu betreiben\nB) Woodpecker auf unserem Server\n\n" +
		"Was ist dir lieber?"
)

// TestFormsOfPicks is what the rules for leaning words, advice and names in prose were made with.
func TestFormsOfPicks(t *testing.T) {
	runForms(t, []form{
		said("Parquet", drei, "> eher die dritte, die kostet am wenigsten"),
		said("TimescaleDB", drei, "> Dann die 1, das passt zu unserem Betrieb."),
		said("InfluxDB", drei, "> the middle one"),
		said("InfluxDB", drei, "> die mittlere bitte"),
		said("decision: I'd rather have A — CRDTs", syncs, "> I'd rather have A"),
		said("decision: I'd prefer A — CRDTs", syncs, "> I'd prefer A"),
		said("CRDTs", syncs, "> I like option A the most"),
		said("CRDTs", syncs, "> We'll take the CRDT approach."),
		said("Last write wins", syncs, "> Rather B, we can't afford the payload"),
		said("Server-side merge", syncs, "> go with your recommendation"),
		said("Server-side merge", syncs, "> your recommendation"),
		said("Server-side merge", syncs, "> What you recommend is fine."),
		said("Server-side merge", syncs, "> nimm deine Empfehlung"),
		said("Server-side merge", syncs, "> The recommended one"),
		said("canary", rollout, "> the canary"),
		said("canary", rollout, "> Ich nehme den Canary"),
		said("feature flag", rollout, "> Feature flag please"),
		said("Woodpecker", woodpecker, "> lieber B, weil der Code im Haus bleiben soll"),
		said("Woodpecker", woodpecker, "> eher B"),
		said("Woodpecker", woodpecker, "> rather B"),
		said("Woodpecker", woodpecker, "> B wäre mir lieber"),

		said("", "Done, all green.", "> I'd rather have A"),
		said("", "Done, all green.", "> go with your recommendation"),
		said("", drei, "> 3 more things before you start"),
		said("", woodpecker, "> B wäre mir lieber gewesen"),
		said("", rollout, "> your recommendation"),
	})
	for _, said := range []string{"Sure, let's do it that way.", "Great idea, do that",
		"Klingt gut, bitte umsetzen"} {
		want := "0 chosen candidate decision: " + said + " — I could wrap the upload in exponential " +
			"backoff with at most five attempts.\n"
		if got := show(listenAfter(backoff, "> "+said)); got != want {
			t.Errorf("%q: %q", said, got)
		}
	}
}

// listenAfter returns what is heard in a line behind another.
func listenAfter(before, line string) []Heard {
	return hearWords(func(int) []transcript.Entry { return scene(before) }, scene(line), triage.Options{})
}

// TestUnresolvedPicks: what picks what nobody knows is offered to nobody.
func TestUnresolvedPicks(t *testing.T) {
	for _, said := range []string{"I'd rather have A", "let's go with B, it is simpler",
		"go with your suggestion", "We'll go with the second option.", "let's go with 2"} {
		for _, h := range listenAfter("Done, all green.", "> "+said) {
			if h.Statement.Level == finding.Sure {
				t.Errorf("%q is sure: %s", said, show([]Heard{h}))
			}
		}
	}
	for _, said := range []string{"let's go with Redis", "We decided to use two queues."} {
		if all := listenAfter("Done, all green.", "> "+said); len(all) != 1 ||
			all[0].Statement.Level != finding.Sure {
			t.Errorf("%q: %s", said, show(all))
		}
	}
}

// TestQuestionsOfPolicy: what is chosen for version control, for good, is heard; what becomes of the
// work of the moment is not.
func TestQuestionsOfPolicy(t *testing.T) {
	for want, lines := range map[finding.Level][]string{
		finding.Candidate: {
			"? Which checks block a merge? | Unit tests | License scan => Unit tests",
			"? Welche Tests sollen vor dem Merge laufen? | Unit | Alle => Alle",
			"? How should the commit messages be written? | Conventional | Free => Conventional",
		},
		finding.Sure: {
			"? Which tests should run on every push? | Unit | All => Unit",
			"? Should the importer skip or fail on unknown columns? | Skip them | Fail => Skip them",
			"? Should I change the parser to drop tabs instead of expanding them? | Yes | No => Yes",
			"? Should I add retries with backoff or a circuit breaker? | Backoff | Breaker => Backoff",
		},
		"": {
			"? Should I update the tests to the new API? | Yes | No => Yes",
			"? Should I commit these changes? | Yes | No => Yes",
			"? Which branch should I push to? | main | dev => dev",
			"? How should I split the commits? | One | Three => One",
			"? Which tests do you want to run? | Unit | All => Skip them",
			"? Merge now? | Yes | Wait for CI => Yes",
			"? Soll ich die Tests an die neue API anpassen oder den Commit so lassen? | Ja | Nein => Nein",
		},
	} {
		for _, line := range lines {
			var got finding.Level
			for _, h := range hearWords(nil, scene(line), triage.Options{}) {
				got = h.Statement.Level
			}
			if got != want {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		}
	}
}

// TestObjectionsPickNothing: what is found odd, risky or slow is not taken, what is found good is.
func TestObjectionsPickNothing(t *testing.T) {
	for person, want := range map[string]string{
		"B looks odd, why?": "", "A seems wrong to me": "", "B seems risky, what do you think?": "",
		"B sounds complicated": "", "option B looks slow": "", "B is too expensive": "",
		"A makes me nervous": "",
		"B klingt riskant":   "", "B scheint mir zu teuer": "", "A ist zu langsam": "",
		"Option B wirkt komisch":           "",
		"B looks good, what do you think?": "", "B klingt gut, oder was meinst du?": "", "B is not good": "",
		"B looks good, but I'd rather not": "", "B klingt gut, aber zu teuer": "",
		"B sounds good, but with a backup": "Woodpecker",

		"B looks good": "Woodpecker", "B sounds right to me": "Woodpecker", "B klingt gut": "Woodpecker",
		"B seems like the best one": "Woodpecker", "B makes sense": "Woodpecker", "B is better": "Woodpecker",
		"B makes the most sense to me": "Woodpecker", "B ist einfacher": "Woodpecker",
		"B looks good, can you set it up?": "Woodpecker", "option B is fine": "Woodpecker",
		"B klingt für mich gut": "Woodpecker", "B sounds good to me, it stays in house": "Woodpecker",
		"B looks simpler": "Woodpecker", "B, what does it cost?": "Woodpecker",
	} {
		r, ok := Resolve(woodpecker, person)
		if ok != (want != "") || !strings.Contains(r.Text, want) {
			t.Errorf("%q picks %q", person, r.Text)
		}
	}
	for person, want := range map[string]string{"2 sounds slow": "", "3 looks heavy to me": "",
		"2 sounds right to me": "InfluxDB", "3 klingt gut": "Parquet"} {
		if r, ok := Resolve(drei, person); ok != (want != "") || !strings.Contains(r.Text, want) {
			t.Errorf("%q picks %q", person, r.Text)
		}
	}
}
