package explain

import (
	"fmt"
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
)

// A hearing is lines of which the last is read, and what is to be heard in it: a level and a part
// of a line "category: text", both "" where nothing may be heard that is sure.
type hearing struct {
	lines []string
	level finding.Level
	want  string
}

func hears(level finding.Level, want string, lines ...string) hearing {
	return hearing{lines, level, want}
}

func silent(lines ...string) hearing { return hearing{lines: lines} }

// heard returns what is heard in the last line.
func (h hearing) heard() []Heard {
	all := scene(h.lines...)
	last := len(all) - 1
	return hearWords(func(int) []transcript.Entry { return all[:last] }, all[last:], triage.Options{})
}

func (h hearing) ok() bool {
	for _, x := range h.heard() {
		line := fmt.Sprintf("%s%s: %s", x.Statement.Category, x.Statement.Moment, x.Text)
		switch {
		case h.want == "" && x.Statement.Level == finding.Sure:
			return false
		case h.want != "" && x.Statement.Level == h.level && strings.Contains(line, h.want):
			return true
		}
	}
	return h.want == ""
}

// TestHeldOutRequestsAndPicks was written after the rules. Of its first run 31 of 39 that say
// something were right and 37 of 38 that do not; without the rules it was 5 and 33.
func TestHeldOutRequestsAndPicks(t *testing.T) {
	const (
		sure, weak = finding.Sure, finding.Candidate
		mq         = "Three brokers would do:\n\nA) NATS – one binary\nB) RabbitMQ – mature\nC) Kafka – " +
			"heavy\n\nI'd recommend NATS. Which one do you want?"
		zwei = "Wir haben zwei Wege:\n\n1. Blaugrün-Deployment mit zwei Clustern\n2. Rollierendes " +
			"Update\n\nIch empfehle Variante 2. Was meinst du?"
		cache = "Should we keep the tokens in Redis or in a signed cookie?"
		prop  = "I'd store the amounts as integers in cents, because floats drift. Shall I do that?"
		timer = "The cron runner skips a job when the clock jumps back."
		gmail = "> Gmail cuts messages above 102 KB."
	)
	all := []hearing{
		// Requests that point back.
		hears(sure, "decision: Backups go to Wasabi.", "> Backups go to Wasabi.", "Ok.",
			"> please remember this decision for later"),
		hears(sure, "decision: Sicherungen gehen zu Wasabi.", "> Sicherungen gehen zu Wasabi.", "Ok.",
			"> Bitte merk dir den Beschluss."),
		hears(sure, "constraint: Gmail cuts", gmail, "Good to know.", "> remember that as a constraint"),
		hears(sure, "constraint: Gmail cuts", gmail, "Good to know.",
			"> Speicher diese Einschränkung bitte ab"),
		hears(sure, timer, "> why?", timer, "> can you remember what you just told me?"),
		hears(sure, timer, "> why?", timer, "> Merk dir bitte, was du eben herausgefunden hast."),
		hears(sure, timer, "> why?", timer, "> store that in memory please"),
		hears(sure, "tech_debt: "+timer, "> why?", timer, "> note this down as technical debt"),
		hears(sure, "tech_debt: "+timer, "> why?", timer, "> merk dir das als technische Schulden"),
		hears(sure, "runbook: Restarting the agent twice clears the lock.", "> how?",
			"Restarting the agent twice clears the lock.", "> save this solution for the team"),
		hears(sure, "preference: Tests stehen neben dem Code.", "> Tests stehen neben dem Code.", "Gut.",
			"> Merk dir diese Regel"),
		hears(sure, "Gmail cuts", gmail, "Good to know.", "> remember what I said about that"),

		silent(gmail, "Ok.", "> save that to the file"),
		silent(gmail, "Ok.", "> commit this"),
		silent(gmail, "Ok.", "> add that limit"),
		silent(gmail, "Ok.", "> do you remember what I said?"),
		silent(gmail, "Ok.", "> I remember this decision"),
		silent(gmail, "Ok.", "> we'll save that fix for later"),
		silent(gmail, "Ok.", "> Das hast du dir gemerkt, gut"),
		silent(gmail, "Ok.", "> speichere die Ausgabe"),
		silent(gmail, "Ok.", "> Du musst dir das nicht merken"),
		silent(gmail, "Ok.", "> what was the last thing?"),
		silent(gmail, "Ok.", "> put the limit in the config"),
		silent(gmail, "Ok.", "> merkst du was?"),

		// Picks.
		hears(sure, "RabbitMQ", mq, "> I'd rather take B, we know it"),
		hears(sure, "RabbitMQ", mq, "> Dann eher B, das kennen wir schon"),
		hears(sure, "Kafka", mq, "> C would be my preference"),
		hears(sure, "RabbitMQ", mq, "> the middle option please"),
		hears(sure, "NATS", mq, "> I'll follow your recommendation"),
		hears(sure, "NATS", mq, "> let's do what you suggested"),
		hears(sure, "NATS", mq, "> A gefällt mir am besten"),
		hears(sure, "Rollierendes Update", zwei, "> Wir folgen deiner Empfehlung"),
		hears(sure, "Blaugrün", zwei, "> lieber das erste, auch wenn es teurer ist"),
		hears(sure, "Rollierendes", zwei, "> Die 2 wäre mir am liebsten."),
		hears(sure, "Blaugrün", zwei, "> Dann doch die 1, weil wir Ausfälle vermeiden müssen"),
		hears(sure, "signed cookie", cache, "> the signed cookie please"),
		hears(sure, "signed cookie", cache, "> a cookie"),
		hears(sure, "amounts as integers", prop, "> Good idea, please do that"),
		hears(sure, "amounts as integers", prop, "> Gute Idee, so machen wir das"),
		hears(sure, "amounts as integers", prop, "> Sounds right, do it that way"),
		hears(weak, "let's go with C", "The build is green.", "> let's go with C"),

		silent(mq, "> rather not B"),
		hears(sure, "decision: I'd rather have 3 nodes", mq, "> I'd rather have 3 nodes"),
		silent(mq, "> lieber 2 Replikas als eine"),
		silent(mq, "> eher spät als nie"),
		silent(mq, "> I don't like your recommendation"),
		silent(mq, "> your recommendation is wrong"),
		silent(mq, "> what do you recommend?"),
		silent(mq, "> B wäre mir nicht lieber"),
		silent(mq, "> the middle layer is broken"),
		silent(zwei, "> deine Empfehlung verstehe ich nicht"),
		silent(zwei, "> die 3 ist eine Primzahl"),
		silent(cache, "> the cookie test fails"),
		silent(prop, "> Great idea but not today"),
		silent(prop, "> gute Frage"),
		silent("All done.", "> rather B"),
		silent("All done.", "> I'd rather have B, it is simpler"),

		// Answers to questions.
		hears(weak, "Who may merge to main",
			"? Who may merge to main? | Anyone | Two reviewers => Two reviewers"),
		hears(weak, "squashed", "? When are commits squashed? | On merge | Never => On merge"),
		hears(sure, "every release branch", "? What protects every release branch? | Reviews | CI => CI"),
		hears(sure, "Pushes", "? Wie werden Pushes geprüft? | Hook | CI => CI"),
		hears(sure, "drop", "? Should the queue drop or block when it is full? | Drop | Block => Drop"),
		hears(sure, "Wait", "? Should clients wait or retry after a 503? | Wait | Retry => Wait"),
		silent("? Should I merge the branch? | Yes | No => Yes"),
		silent("? Should I fix the flaky test as well? | Yes | No => Yes, please"),
		silent("? Shall I write the migration? | Yes | Later => Yes"),
		silent("? Which commit should I revert? | abc | def => abc"),
		silent("? Push these commits? | Yes | No => Yes"),
		silent("? Welchen Branch soll ich pushen? | main | dev => dev"),
		silent("? Would you like me to update the docs? | Yes | No => No"),

		// Fixes.
		hears(weak, "runbook: Die Ursache war", "> x",
			"Die Ursache war ein abgelaufenes Zertifikat im Proxy."),
		hears(sure, "runbook: The fix for the timeout was", "> x",
			"The fix for the timeout was raising keepalive to 75 seconds."),
		hears(sure, "Resolved by pinning it to 2.1.", "> x",
			"The problem was that the plugin crashed on Node 22. Resolved by pinning it to 2.1."),
		silent("> x", "Das Problem war bekannt?"),
		silent("> x", "The fix for the header was pushed to the branch."),
		silent("> x", "Kein Problem, mache ich."),
	}
	runHearings(t, all)
}

func runHearings(t *testing.T, all []hearing) {
	right, wrong := [2]int{}, [2]int{}
	for _, h := range all {
		negative := 0
		if h.want == "" {
			negative = 1
		}
		if h.ok() {
			right[negative]++
			continue
		}
		wrong[negative]++
		t.Errorf("%q\n\tgot %q, want %s %q", h.lines, show(h.heard()), h.level, h.want)
	}
	t.Logf("%d of %d that say something, %d of %d that don't", right[0], right[0]+wrong[0],
		right[1], right[1]+wrong[1])
}

// TestHeldOutRequestsAndPicksAgain was written after what the first taught. Of its first run 21 of 26
// that say something were right and 27 of 30 that do not; without the rules it was 4 and 26.
func TestHeldOutRequestsAndPicksAgain(t *testing.T) {
	const (
		sure, weak = finding.Sure, finding.Candidate
		fonts      = "Options:\n\n1. Inter – free\n2. Söhne – paid\n3. System fonts – nothing to load\n\n" +
			"My suggestion: option 3. Which do you want?"
		wahl  = "Möglich sind:\n\nA) JSON-Logs\nB) Logfmt\n\nIch würde B vorschlagen. Was bevorzugst du?"
		prose = "Shall we send mails in the request, or from a background worker?"
		prop  = "I'd suggest we drop IE support since nobody uses it. Is that ok?"
		said  = "The importer reads the header twice when the file has a BOM."
		rule  = "> Migrations run before the deploy."
	)
	runHearings(t, []hearing{
		hears(sure, "decision: Migrations run", rule, "Ok.", "> record this decision please"),
		hears(sure, "preference: Migrations run", rule, "Ok.", "> remember that as a team rule"),
		hears(sure, "preference: Migrations run", rule, "Ok.", "> Merk dir das als Konvention für später"),
		hears(sure, "Migrations run", rule, "Ok.", "> please don't forget what I said earlier"),
		hears(sure, "importer reads", "> hm", said, "> remember what you noticed"),
		hears(sure, "importer reads", "> hm", said, "> Bitte speichern, was du gefunden hast"),
		hears(sure, "constraint: The importer", "> hm", said,
			"> note that limitation down for the docs team"),
		hears(sure, "tech_debt: The importer", "> hm", said, "> put that into memory as debt"),
		hears(sure, "runbook: The importer", "> hm", said,
			"> Merk dir diese Erkenntnis bitte für das Projekt"),
		silent("> hm", said, "> save what you changed"),
		silent("> hm", said, "> keep that limit"),
		silent("> hm", said, "> was du gesagt hast, stimmt nicht"),
		silent("> hm", said, "> add a rule for that"),
		silent("> hm", said, "> the last thing was wrong"),
		silent("> hm", said, "> ich kann mir das nicht merken"),
		silent("> hm", said, "> put that fix in a branch"),
		silent("> hm", said, "> Speicher ist voll"),
		silent("> hm", said, "> record a video of that"),
		silent("> hm", said, "> is this decision final?"),

		hears(sure, "System fonts", fonts, "> I'm fine with your suggestion"),
		hears(sure, "System fonts", fonts, "> Let's take what you suggest."),
		hears(sure, "Inter", fonts, "> rather the first, it costs nothing"),
		hears(sure, "Söhne", fonts, "> I'd rather go with the middle one"),
		hears(sure, "Söhne", fonts, "> Option 2 gefällt mir besser"),
		hears(sure, "Logfmt", wahl, "> nimm die empfohlene Variante"),
		hears(sure, "JSON-Logs", wahl, "> eher A, das liest unser Sammler schon"),
		hears(sure, "JSON-Logs", wahl, "> Mir wäre A lieber"),
		hears(sure, "Logfmt", wahl, "> wie du vorschlägst"),
		hears(sure, "background worker", prose, "> the worker"),
		hears(sure, "background worker", prose, "> a background worker please"),
		hears(sure, "drop IE support", prop, "> Great idea, go ahead"),
		hears(sure, "drop IE support", prop, "> Klingt vernünftig, bitte so machen"),
		silent(fonts, "> rather slow today, isn't it?"),
		silent(fonts, "> your suggestion breaks the layout"),
		silent(fonts, "> as you said, the font is slow"),
		silent(fonts, "> eher nicht"),
		silent(fonts, "> the middle column is too wide"),
		silent(wahl, "> lieber nicht B"),
		silent(wahl, "> Dein Vorschlag ist mir zu teuer"),
		silent(wahl, "> B ist kaputt"),
		silent(prose, "> the worker crashed"),
		silent(prose, "> a worker is what?"),
		silent(prop, "> bad idea"),
		silent(prop, "> no idea, do what you want"),
		silent("Done.", "> lieber B"),

		hears(weak, "merge", "? Who has to approve a merge? | Owner | Anybody => Owner"),
		hears(weak, "PR", "? How large may a PR be? | 400 lines | any size => 400 lines"),
		hears(sure, "Redis", "? Should the session store use Redis or Postgres? | Redis | Postgres => Redis"),
		hears(sure, "Abbrechen", "? Soll der Import abbrechen oder überspringen? | Abbrechen | Überspringen "+
			"=> Abbrechen"),
		silent("? Should I push to main? | Yes | No => No"),
		silent("? Soll ich die Tests reparieren? | Ja | Nein => Ja"),
		silent("? Want me to refactor the parser too? | Yes | No => Yes"),
		silent("? Which of these commits should we squash? | a | b => a"),
		silent("? Create the PR now? | Yes | No => Yes"),
	})
}
