package change

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// subjects are what is recorded, and what was said in this session, newest first.
func subjects() []Subject {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	record := func(path string, c memory.Category, title, text string) Subject {
		at = at.Add(-time.Hour)
		return Subject{Ref: path, Category: c, Title: title, Text: text, Time: at}
	}
	said := func(n int, c memory.Category, text string) Subject {
		at = at.Add(-time.Minute)
		return Subject{Ref: fmt.Sprintf("#%d", n), Category: c, Text: text, Time: at, Injected: true}
	}
	shown := func(s Subject) Subject { s.Injected = true; return s }
	return []Subject{
		said(9, memory.Decision, "Let's squash commits before merging"),
		said(8, memory.Preference, "I prefer tabs for indentation"),
		shown(record("decisions/memcached.json", memory.Decision, "Memcached for the cache",
			"Use Memcached for the cache instead of Redis. The license of Redis changed.")),
		record("decisions/nomad.json", memory.Decision, "Deploy with Nomad",
			"Deployments run on Nomad. Kubernetes is too much for two people."),
		record("decisions/postgres.json", memory.Decision, "Postgres for billing",
			"Billing runs on PostgreSQL 16, not MySQL. It has transactions and jsonb."),
		record("decisions/kafka.json", memory.Decision, "Kafka for the events",
			"Events go through Kafka rather than RabbitMQ, since they must be replayed."),
		record("decisions/s3.json", memory.Decision, "Artifacts go to S3",
			"Build artifacts are stored in S3 for 30 days."),
		record("decisions/graphql.json", memory.Decision, "GraphQL for the public API",
			"The public API is GraphQL."),
		record("preferences/german.json", memory.Preference, "Language of answers", "Answer in German"),
		record("preferences/comments.json", memory.Preference, "Comments",
			"Write comments only where they say why"),
		record("preferences/jest.json", memory.Preference, "Test runner", "Unit tests run in Jest"),
		record("constraints/friday.json", memory.Constraint, "No deploys on Friday",
			"Nothing is deployed on Fridays"),
		record("constraints/rate.json", memory.Constraint, "API rate limit",
			"The API allows 5 requests a second"),
		record("runbooks/403.json", memory.Runbook, "Staging deploy fails with 403",
			"Renew the token with infra token renew"),
		record("sessions/s1.json", memory.SessionSummary, "Import of currencies",
			"Moved the importer to Kafka"),
	}
}

var changes = []struct{ statement, want string }{
	{"I changed my mind, back to Redis", "decisions/memcached.json"},
	{"I've changed my mind about Nomad", "decisions/nomad.json"},
	{"changed my mind on GraphQL, REST is enough", "decisions/graphql.json"},
	{"we changed our minds about Kafka for the events", "decisions/kafka.json"},
	{"scrap that", "#9"},
	{"ok scrap that, please", "#9"},
	{"Scrap that idea.", "#9"},
	{"that decision is off", "#9"},
	{"the decision is off", "#9"},
	{"never mind that", "#9"},
	{"no wait, I take that back", "#9"},
	{"strike that", "#9"},
	{"forget that rule", "#9"},
	{"on second thought, no", "#9"},
	{"I changed my mind", "#9"},
	{"undo that decision", "#9"},
	{"forget what I said", "#9"},
	{"forget what I said about tabs", "#8"},
	{"ignore what I said about squash merging", "#9"},
	{"we no longer use Kafka", "decisions/kafka.json"},
	{"We no longer deploy with Nomad.", "decisions/nomad.json"},
	{"i no longer want answers in German", "preferences/german.json"},
	{"Postgres is no longer our choice for billing", "decisions/postgres.json"},
	{"Kafka is no longer used", "decisions/kafka.json"},
	{"we don't use Memcached any more", "decisions/memcached.json"},
	{"we don't use Memcached anymore, it's Redis again", "decisions/memcached.json"},
	{"let's switch from Postgres to MySQL for billing", "decisions/postgres.json"},
	{"Switch from Jest to Vitest", "preferences/jest.json"},
	{"we're moving from Nomad to Kubernetes", "decisions/nomad.json"},
	{"we migrate from S3 to GCS", "decisions/s3.json"},
	{"Let's move away from Kafka", "decisions/kafka.json"},
	{"switch back to Redis for the cache", "decisions/memcached.json"},
	{"let's go back to RabbitMQ", "decisions/kafka.json"},
	{"not GraphQL after all", "decisions/graphql.json"},
	{"we won't use Memcached after all", "decisions/memcached.json"},
	{"Not Kafka for the events after all, NATS will do", "decisions/kafka.json"},
	{"use REST instead of GraphQL for the public API", "decisions/graphql.json"},
	{"Let's use Kubernetes instead of Nomad", "decisions/nomad.json"},
	{"we'll use Vitest rather than Jest", "preferences/jest.json"},
	{"revert the decision on Kafka", "decisions/kafka.json"},
	{"please reverse our decision to use Nomad", "decisions/nomad.json"},
	{"cancel the rule about Friday deploys", "constraints/friday.json"},
	{"drop Memcached", "decisions/memcached.json"},
	{"Let's drop GraphQL for the public API", "decisions/graphql.json"},
	{"we decided to drop Kafka", "decisions/kafka.json"},
	{"ditch Nomad, Kubernetes it is", "decisions/nomad.json"},
	{"scrap the Nomad decision", "decisions/nomad.json"},
	{"drop the idea of GraphQL", "decisions/graphql.json"},
	{"Kafka is dead", "decisions/kafka.json"},
	{"ok, Nomad is out", "decisions/nomad.json"},
	{"GraphQL is off the table now", "decisions/graphql.json"},
	{"Memcached is gone, we have Redis now", "decisions/memcached.json"},
	{"replace Jest with Vitest", "preferences/jest.json"},
	{"stop using Kafka for events", "decisions/kafka.json"},
	{"Stop using tabs for indentation, please", "#8"},
	{"the decision on Nomad was a mistake", "decisions/nomad.json"},
	{"actually forget about Kafka", "decisions/kafka.json"},
	{"We've decided against GraphQL", "decisions/graphql.json"},
	{"get rid of Kafka, use SQS", "decisions/kafka.json"},
	{"thinking again: let's completely remove Kafka", "decisions/kafka.json"},
	{"remove GraphQL completely, it does not help", "decisions/graphql.json"},
	{"Sorry, Redis instead of Memcached", "decisions/memcached.json"},
	{"no more Kafka please", "decisions/kafka.json"},
	{"we are not using Postgres for billing any longer", "decisions/postgres.json"},
	{"I want to undo the decision about S3", "decisions/s3.json"},
	{"we stopped using Jest", "preferences/jest.json"},
	{"the rule about Friday deploys no longer applies", "constraints/friday.json"},
	{"don't answer in German anymore", "preferences/german.json"},
	{"please answer in English from now on instead of German", "preferences/german.json"},
	{"Let's revert to Redis for caching", "decisions/memcached.json"},
	{"we're replacing Nomad with k8s", "decisions/nomad.json"},
	{"hmm, I changed my mind about the tabs", "#8"},
	{"do not use Postgres for billing anymore", "decisions/postgres.json"},
	{"please do not use Kafka any more", "decisions/kafka.json"},
	{"don't use Memcached any more", "decisions/memcached.json"},
	{"ok, don't use Nomad anymore", "decisions/nomad.json"},
	{"we won't use Kafka anymore", "decisions/kafka.json"},
	{"Memcached is not used anymore", "decisions/memcached.json"},
	{"Nomad isn't used any more", "decisions/nomad.json"},
	{"Kafka is not wanted any longer", "decisions/kafka.json"},
}

// turned are changes of mind in German.
var turned = []struct{ statement, want string }{
	{"wir nehmen doch kein Memcached", "decisions/memcached.json"},
	{"Memcached nehmen wir nicht mehr", "decisions/memcached.json"},
	{"Wir nutzen Kafka nicht mehr.", "decisions/kafka.json"},
	{"wir wollen Nomad nicht länger benutzen", "decisions/nomad.json"},
	{"bitte nicht mehr Jest verwenden", "preferences/jest.json"},
	{"ich habe es mir anders überlegt, zurück zu Redis", "decisions/memcached.json"},
	{"ich habe es mir anders überlegt", "#9"},
	{"hab mir das mit Nomad anders überlegt", "decisions/nomad.json"},
	{"wir haben es uns bei Kafka anders überlegt", "decisions/kafka.json"},
	{"zurück zu RabbitMQ", "decisions/kafka.json"},
	{"wir gehen zurück auf Redis", "decisions/memcached.json"},
	{"das mit Memcached lassen wir", "decisions/memcached.json"},
	{"lassen wir das mit GraphQL", "decisions/graphql.json"},
	{"vergiss das mit Kafka", "decisions/kafka.json"},
	{"vergiss das", "#9"},
	{"doch lieber Redis", "decisions/memcached.json"},
	{"wir nehmen doch wieder Redis", "decisions/memcached.json"},
	{"statt Memcached jetzt Redis", "decisions/memcached.json"},
	{"nimm Kubernetes statt Nomad", "decisions/nomad.json"},
	{"wir nehmen jetzt MySQL statt Postgres", "decisions/postgres.json"},
	{"kein Kafka mehr, bitte", "decisions/kafka.json"},
	{"ab jetzt kein Nomad mehr", "decisions/nomad.json"},
	{"wir wechseln von Nomad zu Kubernetes", "decisions/nomad.json"},
	{"wir steigen von Jest auf Vitest um", "preferences/jest.json"},
	{"wir ersetzen Jest durch Vitest", "preferences/jest.json"},
	{"Kafka ist raus", "decisions/kafka.json"},
	{"GraphQL ist vom Tisch", "decisions/graphql.json"},
	{"die Entscheidung für Nomad ist hinfällig", "decisions/nomad.json"},
	{"die Entscheidung für Kafka verwerfen wir", "decisions/kafka.json"},
	{"Kafka wird nicht mehr benutzt", "decisions/kafka.json"},
	{"Schluss mit Kafka", "decisions/kafka.json"},
	{"wir verzichten auf GraphQL", "decisions/graphql.json"},
	{"Nomad doch nicht", "decisions/nomad.json"},
	{"wir nehmen Nomad doch nicht", "decisions/nomad.json"},
}

var talk = []string{
	"how does Redis evict?", "Redis is slow today", "scrap that branch", "switch to the other tab",
	"revert the last commit", "no longer failing", "How does Memcached evict keys?",
	"Memcached is slow today", "what do we use Kafka for?", "why did we drop RabbitMQ?",
	"should we drop Kafka?", "should we switch from Nomad to Kubernetes?", "Can we drop Kafka",
	"could you switch to the main branch", "what if we no longer use Kafka", "if we drop Kafka we save money",
	"don't drop Kafka", "we never drop Memcached", "let's not switch from Postgres to MySQL",
	"I didn't change my mind about Nomad", "no need to drop GraphQL", "drop the users table",
	"drop the index on billing", "Drop that column", "drop it into the folder", "scrap the last commit",
	"scrap the branch for Kafka", "revert that", "undo that", "undo the last edit",
	"revert the change to the Kafka consumer", "revert src/kafka.go", "cancel the build", "forget it",
	"never mind, found it", "nevermind", "switch to plan mode", "switch back to the previous session",
	"switch to the Kafka topic events", "switch tabs", "move the Kafka client to its own package",
	"move the function from kafka.go to events.go", "rename Kafka to events in the README",
	"replace the Kafka URL with the new one in config.yaml", "replace `kafka` with `events`",
	"the test is no longer failing", "it no longer crashes", "the Kafka consumer no longer works",
	"Kafka is down", "the Kafka container is dead, restart it", "the Nomad server is gone from the list",
	"we are out of memory", "memory is out", "the tests are off by one", "the counter is off",
	"Postgres is out of connections", "the Kafka queue is back to normal", "the migration drops the table",
	"Kafka drops messages under load", "the client switches from HTTP to HTTPS",
	"it switched from green to red", "the job moved from Nomad to the archive folder",
	"it does not crash after all", "it was not the cache after all", "that's not Kafka's fault after all",
	"put the label below instead of above", "it prints Kafka instead of the topic",
	"this returns null instead of an error", "use a map instead of a slice", "go back to the start page",
	"back to work", "go back to line 20", "I'm back to fix the tests", "we use Kafka for the events",
	"Use Memcached for the cache", "we use Postgres instead of MySQL",
	"Kafka rather than RabbitMQ for the events", "keep using Nomad", "add a test for the Kafka consumer",
	"drop Redis from the docker-compose file", "we no longer use Redis in staging",
	"we no longer use Kafka in the mailer tests", "drop Slack", "we no longer use Jira",
	"switch from light to dark", "I changed the Kafka settings", "I changed my password",
	"change the Nomad job from 2 to 3 instances", "forget about the warning", "forget the previous log line",
	"stop the Kafka container", "stop using so many words in the summary", "he changed his mind about Nomad",
	"they dropped Nomad at my last job", "Maybe we should drop Kafka",
	"I was wondering whether we could drop Kafka", "the docs say that Kafka is dead",
	"I read that GraphQL is dead, what do you think", "take that back to the team", "mind the gap",
	"no more errors in Kafka", "never mind the Kafka warning", "on second thought that looks fine",
	"all tests pass after all", "Kafka is out of sync", "that is off", "dead code in the Kafka client",
	"drop me a note when Kafka is up", "revert Kafka to version 3.4", "switch Nomad to debug logging",
	"the billing tests are out of date with Postgres", "forget about Kafka for a moment and look at the API",
	"Kafka is gone from the dashboard, why?", "go back to the Kafka consumer and fix the offset",
	"remove Kafka from the compose file", "remove the Kafka logs", "I removed the Kafka consumer by mistake",
	"don't remove Kafka", "the linter removes Kafka imports", "the labels say Kafka instead of events",
	"move Kafka settings from env to yaml", "replace Kafka 3.4 with Kafka 3.5",
	"use Postgres instead of SQLite in the tests", "instead of mocking Kafka use the testcontainer",
	"let's use Kafka headers instead of Kafka keys", "drop Kafka messages older than 30 days",
	"change the S3 bucket from artifacts to builds", "S3 is out again", "we no longer see errors from Kafka",
	"stop Nomad", "stop running Jest in watch mode", "switch to German keyboard layout",
	"cancel the Nomad job", "Postgres is off by one hour, timezone issue",
	"back to Kafka: the consumer still fails", "ok back to the Nomad job file",
	"we moved from the office to home", "undo the Kafka rename", "abandon the Kafka rebalance",
	"not all Kafka tests pass after all changes", "GraphQL is out of scope for this ticket",
	"Jest is dead slow", "I no longer have access to S3", "we got rid of the warning",
	"get rid of the Kafka log lines", "what do you have against Kafka",
	"check the answer against the German text", "we don't use Kafka in tests, right?", "we don't do anymore",
	"do not use Kafka here", "don't use Kafka in this function", "do not touch the Kafka tests anymore",
	"the Kafka flag is not used anymore", "they won't use Nomad anymore", "don't restart Nomad any more",

	"nutzen wir Kafka nicht mehr?", "Kafka ist heute langsam", "Kafka antwortet nicht mehr",
	"der Kafka-Test läuft nicht mehr", "Nomad startet nicht mehr", "warum nehmen wir Kafka nicht mehr",
	"sollen wir Kafka lassen", "wenn wir Kafka nicht mehr nehmen, sparen wir Geld",
	"wir nehmen Kafka nicht mehr ernst", "das ist doch Kafka", "Kafka ist doch schnell",
	"vergiss nicht, Kafka zu starten", "vergiss die Kafka-Tests nicht", "lass Kafka laufen",
	"lass uns mit Kafka weitermachen", "wir wechseln nicht von Nomad zu Kubernetes",
	"zurück zur Kafka-Datei", "wechsle zum Branch kafka", "wechsle von main auf den Branch kafka",
	"ich sehe keine Fehler mehr in Kafka", "kein Fehler mehr", "es gibt keine Kafka-Meldungen mehr",
	"wir haben keine Zeit mehr", "statt der Kafka-URL steht da null", "gib null statt eines Fehlers zurück",
	"der Kafka-Container ist weg", "Kafka ist raus aus der Liste der Fehler", "Kafka ist jetzt wieder da",
	"ich überlege, ob wir Kafka noch brauchen", "vielleicht nehmen wir doch kein Kafka",
	"der Kunde will Nomad nicht mehr", "mehr Kafka-Tests bitte", "doch, Kafka läuft", "lieber morgen",
	"Kafka kann mehr", "nimm statt Tabs im YAML Leerzeichen", "ersetze die Kafka-URL durch die neue",
}

func TestDetect(t *testing.T) {
	all := subjects()
	for _, tt := range append(changes, turned...) {
		got, ok := Detect(tt.statement, finding.Typed, all)
		if !ok || got.Target.Ref != tt.want || got.Cue == "" || got.Score <= 0 || got.Score > 1 {
			t.Errorf("%q: %v, against %q by %q, want %q", tt.statement, ok, got.Target.Ref, got.Cue, tt.want)
		}
	}
	for _, statement := range talk {
		if got, ok := Detect(statement, finding.Typed, all); ok {
			t.Errorf("%q turns against %q by %q (%.2f)", statement, got.Target.Ref, got.Cue, got.Score)
		}
	}
}

// TestDetectWho: what the agent or a program says turns nothing.
func TestDetectWho(t *testing.T) {
	for by, want := range map[finding.Speaker]bool{finding.Typed: true, finding.Chosen: true,
		finding.Agent: false, finding.Program: false, "": false} {
		if _, ok := Detect("scrap that, we no longer use Kafka", by, subjects()); ok != want {
			t.Errorf("%q: %v", by, ok)
		}
	}
}

// TestDetectPoints: "that" is what was said or shown last, and nothing else.
func TestDetectPoints(t *testing.T) {
	all := subjects()
	if _, ok := Detect("scrap that", finding.Typed, all[3:]); ok {
		t.Error("nothing was said or shown")
	}
	if got, ok := Detect("scrap that, we no longer use Kafka", finding.Typed, all); !ok ||
		got.Target.Ref != "decisions/kafka.json" {
		t.Errorf("something else fits: %+v", got)
	}
	if got, ok := Detect("scrap that, Redis after all", finding.Typed, all); !ok ||
		got.Target.Ref != "decisions/memcached.json" {
		t.Errorf("what comes instead says which: %+v", got)
	}
	if _, ok := Detect("scrap that", finding.Typed, nil); ok {
		t.Error("without subjects")
	}
	// A statement is not against itself: it may have become a finding already.
	own := Subject{Ref: "#10", Category: memory.Decision, Text: "we no longer use Kafka!", Injected: true}
	if got, ok := Detect("We no longer use Kafka.", finding.Typed, append([]Subject{own}, all...)); !ok ||
		got.Target.Ref != "decisions/kafka.json" {
		t.Errorf("%+v", got)
	}
}

// TestDetectNewest: of two that fit alike the newer is meant.
func TestDetectNewest(t *testing.T) {
	two := []Subject{
		{Ref: "#2", Category: memory.Decision, Text: "We use Kafka for the events"},
		{Ref: "#1", Category: memory.Decision, Text: "We use Kafka for the events, said before"},
	}
	if got, _ := Detect("we no longer use Kafka", finding.Typed, two); got.Target.Ref != "#2" {
		t.Errorf("%+v", got)
	}
}

func FuzzDetect(f *testing.F) {
	for _, tt := range append(changes, turned...) {
		f.Add(tt.statement)
	}
	for _, s := range talk {
		f.Add(s)
	}
	all := subjects()
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := Detect(s, finding.Typed, all)
		if ok != (got.Score > 0) || got.Score > 1 || ok && (got.Target.Ref == "" || got.Cue == "") {
			t.Errorf("%v, %+v", ok, got)
		}
		if ok && !hasCue(s) {
			t.Error("without a cue")
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	var many []Subject
	for i := range 3000 {
		many = append(many, Subject{Ref: fmt.Sprint(i), Category: memory.Decision,
			Title: fmt.Sprintf("Use tool %d for the thing", i),
			Text:  strings.Repeat(fmt.Sprintf("The thing %d has its reasons. ", i), 8)})
	}
	for name, s := range map[string]string{
		"no cue": "please add a test for the importer and run the linter",
		"a cue":  "please put it back and run all tests",
		"a turn": "we no longer use Kafka for the events",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Detect(s, finding.Typed, many)
			}
		})
	}
}
