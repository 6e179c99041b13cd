package text

import "testing"

func TestWithoutLeadIn(t *testing.T) {
	for s, want := range map[string]string{
		"Remember: we use Postgres.":           "we use Postgres.",
		"remember that we use Postgres":        "we use Postgres",
		"OK, so we use Postgres.":              "we use Postgres.",
		"Please remember: OK, we use Postgres": "we use Postgres",
		"Alles klar, wir nutzen Postgres":      "wir nutzen Postgres",
		"Merk dir, dass wir Postgres nutzen":   "wir Postgres nutzen",
		"Don’t forget: we use Postgres":        "we use Postgres",
		"Understood — `make test` runs it":     "`make test` runs it",
		"Right now we use Postgres":            "Right now we use Postgres",
		"Good names are short":                 "Good names are short",
		"Notes are kept for a year":            "Notes are kept for a year",
		"Note taking is off":                   "Note taking is off",
		"ok-button is green":                   "ok-button is green",
		"Also use Postgres":                    "Also use Postgres",
		"Again: never force-push":              "never force-push",
		"Again we use Postgres":                "Again we use Postgres",
		"Nochmal: wir nutzen Postgres":         "wir nutzen Postgres",
		"OK":                                   "OK",
		"Remember this!":                       "Remember this!",
		"remember":                             "remember",
		"ok. so. 5":                            "so. 5",
		"":                                     "",
		"…":                                    "…",
		"No, we use Postgres":                  "No, we use Postgres",
	} {
		if got := WithoutLeadIn(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func FuzzWithoutLeadIn(f *testing.F) {
	f.Add("OK, so remember: we use Postgres")
	f.Fuzz(func(t *testing.T, s string) {
		once := WithoutLeadIn(s)
		if WithoutLeadIn(once) != once {
			t.Errorf("%q: %q is not what stays of it", s, once)
		}
		if len(once) > len(s) {
			t.Errorf("%q: %q is longer", s, once)
		}
	})
}
