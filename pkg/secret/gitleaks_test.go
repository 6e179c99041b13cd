package secret

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// leftRules are the gitleaks rules whose examples are not redacted, and why.
var leftRules = map[string]string{
	"generic-api-key": "the word is in the middle of the name (mySecretString, " +
		"todo_secret_do_not_commit)",
	"hashicorp-tf-password":  "a password of letters only, which may be any word",
	"kubernetes-secret-yaml": "base64 of anything under any name: the scan does not know the file",
	"nuget-config-password":  "a password of letters only, which may be any word",
	"sonar-api-token":        "SONAR.LOGIN: the name is a word that people use for names",
}

// TestGitleaks redacts the examples of each gitleaks rule. testdata/gitleaks.jsonl holds what the rules' own
// generator makes for its tests (github.com/zricethezav/gitleaks/v8 v8.28.0, MIT, testdata/gitleaks.LICENSE).
// Each text and secret is written backwards, so that no scanner takes the file for a leak.
func TestGitleaks(t *testing.T) {
	file, err := os.Open("testdata/gitleaks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	rules, left := map[string]bool{}, map[string]bool{}
	all, missed := 0, 0
	for lines.Scan() {
		var e struct{ Rule, Text, Secret string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		text, value := backwards(e.Text), backwards(e.Secret)
		rules[e.Rule] = true
		all++
		if out := Redact(text); strings.Contains(out, strings.Trim(value, "'\":")) {
			missed++
			if left[e.Rule] = true; leftRules[e.Rule] == "" {
				t.Errorf("%s: %.200q stays in %.300q", e.Rule, value, out)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(rules) < 200 {
		t.Errorf("only %d rules have examples", len(rules))
	}
	for rule := range leftRules {
		if !left[rule] {
			t.Errorf("%s is taken out now; take it off the list", rule)
		}
	}
	t.Logf("%d of %d examples of %d rules are taken out", all-missed, all, len(rules))
}

func backwards(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}
