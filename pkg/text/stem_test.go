package text_test

import (
	"testing"

	"keepsake/pkg/text"
)

// TestStem holds the words of Porter's paper and of our trade.
func TestStem(t *testing.T) {
	same := [][]string{
		{"caress", "caresses"}, {"pony", "ponies"}, {"cat", "cats"}, {"plaster", "plastered"},
		{"hop", "hopping"},
		{"file", "files", "filing"}, {"agree", "agreed"}, {"happy", "happi"},
		{"connect", "connected", "connecting", "connection", "connections"},
		{"relate", "relational", "relation"}, {"cache", "caches", "cached", "caching"},
		{"deploy", "deploys", "deployed", "deploying", "deployment"},
		{"migrate", "migrates", "migration", "migrations", "migrating"},
		{"validate", "validation", "validator"}, {"configure", "configuration", "configured"},
		{"retry", "retries", "retried"}, {"renew", "renewal", "renewing"},
		{"log", "logs", "logged", "logging"}, {"use", "uses", "used", "using"},
		{"dependency", "dependencies"},
		{"query", "queries", "querying"},
	}
	for _, words := range same {
		first := string(text.Stem([]byte(words[0])))
		for _, w := range words[1:] {
			if got := string(text.Stem([]byte(w))); got != first {
				t.Errorf("%s gives %s, %s gives %s", words[0], first, w, got)
			}
		}
	}
	apart := [][2]string{{"sing", "s"}, {"status", "stat"}, {"redis", "red"}, {"class", "clas"},
		{"string", "stre"}, {"ring", "r"}, {"policy", "police"}}
	for _, p := range apart {
		if a, b := text.Stem([]byte(p[0])), text.Stem([]byte(p[1])); string(a) == string(b) {
			t.Errorf("%s and %s are both %s", p[0], p[1], a)
		}
	}
}
