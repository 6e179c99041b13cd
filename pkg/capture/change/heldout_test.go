package change

import (
	"testing"

	"keepsake/pkg/capture/finding"
)

// What follows was written when the rules were done. Of the first 16 were heard then, and
// of the talk none was taken for a change; what was mended since is in the clauses that
// a comma divides.
var heldOut = []struct{ statement, want string }{
	{"please do not deploy with Nomad anymore", "decisions/nomad.json"},
	{"Jest isn't wanted any longer", "preferences/jest.json"},
	{"from now on do not use GraphQL any more", "decisions/graphql.json"},
	{"we will not use Memcached anymore", "decisions/memcached.json"},
	{"S3 is not needed anymore, artifacts stay local", "decisions/s3.json"},
	{"actually don't use Kafka for events anymore", "decisions/kafka.json"},
	{"team decided we won't run Nomad any longer", "decisions/nomad.json"},
	{"I don't want answers in German any more", "preferences/german.json"},
	{"Kafka brauchen wir nicht mehr", "decisions/kafka.json"},
	{"wir setzen Nomad nicht mehr ein", "decisions/nomad.json"},
	{"ab sofort verwenden wir kein GraphQL mehr", "decisions/graphql.json"},
	{"das mit dem S3 lassen wir sein", "decisions/s3.json"},
	{"vergesst das mit Nomad, wir bleiben bei Kubernetes", "decisions/nomad.json"},
	{"dann doch lieber RabbitMQ", "decisions/kafka.json"},
	{"statt Nomad nehmen wir jetzt Kubernetes", "decisions/nomad.json"},
	{"wir haben uns bei GraphQL anders entschieden", "decisions/graphql.json"},
	{"ich hab's mir anders überlegt, doch kein Kafka", "decisions/kafka.json"},
	{"Memcached fliegt raus", "decisions/memcached.json"},
	{"wir wollten Nomad, aber das lassen wir jetzt", "decisions/nomad.json"},
	{"lass uns von Kafka wegkommen", "decisions/kafka.json"},
}

var heldOutTalk = []string{
	"do not commit the Kafka config anymore", "the Nomad agent isn't reachable anymore",
	"is Jest not used anymore", "we don't see Kafka lag any more",
	"the build doesn't need S3 any longer to pass",
	"I can't reach Memcached anymore", "do not restart Kafka while the tests run",
	"he says they do not use GraphQL anymore", "Postgres isn't fast anymore on my laptop",
	"Kafka geht nicht mehr", "ich finde die Nomad-Datei nicht mehr", "Memcached ist gerade nicht erreichbar",
	"haben wir Kafka doch nicht installiert", "lass den Kafka-Container einfach laufen",
	"das mit dem Kafka-Fehler verstehe ich nicht", "statt zu raten, schau in die Kafka-Logs",
	"mach lieber erst die Kafka-Tests fertig", "wir müssen zurück zum Thema Kafka",
	"die Kafka-Doku ist doch veraltet", "Nomad braucht mehr Speicher",
}

// TestHeldOut says how much of that is heard: at least what was measured then.
func TestHeldOut(t *testing.T) {
	const heard, wrong = 19, 0
	all := subjects()
	right := 0
	for _, tt := range heldOut {
		got, ok := Detect(tt.statement, finding.Typed, all)
		if ok && got.Target.Ref == tt.want {
			right++
		} else {
			t.Logf("not heard: %q (%v, %q by %q)", tt.statement, ok, got.Target.Ref, got.Cue)
		}
	}
	mistaken := 0
	for _, statement := range heldOutTalk {
		if got, ok := Detect(statement, finding.Typed, all); ok {
			mistaken++
			t.Logf("turns: %q against %q by %q", statement, got.Target.Ref, got.Cue)
		}
	}
	t.Logf("%d of %d heard, %d of %d talk taken for a change", right, len(heldOut), mistaken,
		len(heldOutTalk))
	if right < heard || mistaken > wrong {
		t.Errorf("less than %d heard, or more than %d wrong", heard, wrong)
	}
}
