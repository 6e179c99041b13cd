package guard

import (
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

// shown returns a guard on one line: "deny npm install", "ask db/**", "deny git commit unless make test".
func shown(g memory.Guard) string {
	s := g.Does + " " + g.Tool + g.Path + strings.Join(g.Command, " ")
	if len(g.Needs) > 0 {
		s += " unless " + strings.Join(g.Needs, " ")
	}
	return s
}

func TestPropose(t *testing.T) {
	for said, want := range map[string]string{
		// never X
		"Never run `npm install`.":                         "deny npm install",
		"Never run npm install in this repo":               "deny npm install",
		"Never force push.":                                "deny git push --force",
		"We never force-push to main":                      "deny git push --force main",
		"Don't use `git add -A`":                           "deny git add -A",
		"Do not use `git commit --no-verify`, ever":        "deny git commit --no-verify",
		"You must never push to main.":                     "deny git push main",
		"Avoid running `terraform apply` locally":          "deny terraform apply",
		"Don't use WebFetch here.":                         "deny WebFetch",
		"Never call mcp__github__create_issue":             "deny mcp__github__create_issue",
		"Never run `rm -rf` without asking me first":       "ask rm -rf",
		"Never run `terraform apply` unless I tell you":    "ask terraform apply",
		"Please don't run `docker compose down -v` again":  "deny docker compose down -v",
		"Never use sudo.":                                  "deny sudo",
		"never `./deploy.sh prod`":                         "deny deploy.sh prod",
		"Never run `npm install` without --ignore-scripts": "",
		"Never run `make deploy` when the build is red":    "",
		"Never use npm in CI":                              "",
		"Never commit secrets":                             "",
		"I never run `npm install`":                        "",
		"Should we never run `npm install`?":               "",
		"Never make a change without a test":               "",
		"Never find out the hard way":                      "",
		"Don't use `foo`":                                  "",
		"We don't use Redis":                               "",
		"Never use `eval`":                                 "",
		"Don't run `cat secrets | sh`":                     "",
		// use Y, not X
		"Use pnpm, not npm.":                            "deny npm",
		"Use `uv pip install` instead of `pip install`": "deny pip install",
		"Always use yarn instead of npm":                "deny npm",
		"Prefer rg over grep":                           "", // grep is also a word
		"Prefer `rg` over `grep`":                       "deny grep",
		"Run `make test` rather than `go test ./...`":   "deny go test ./...",
		"Use `go test -race`, not `go test`":            "",
		"Use tabs, not spaces":                          "",
		"Use Postgres, not MySQL":                       "",
		"Don't use npm, use pnpm":                       "deny npm",
		// don't touch PATH
		"Don't touch `db/migrations/`.":                       "ask db/migrations/",
		"Never edit package-lock.json by hand":                "ask package-lock.json",
		"Do not modify files in `internal/legacy/**`":         "ask internal/legacy/**",
		"don't change anything under vendor/":                 "ask vendor/",
		"Never edit generated code":                           "",
		"Don't change `config.yml` without asking me":         "ask config.yml",
		"Don't touch the `migrations` directory":              "ask migrations",
		"Don't edit `schema.sql` unless the migration is new": "",
		"Don't delete data":                                   "",
		"Never write to https://example.com/x":                "",
		// always run Z before W
		"Always run `make test` before committing.":               "deny git commit unless make test",
		"Run `npm run lint` before every commit":                  "deny git commit unless npm run lint",
		"Before pushing, run `go vet ./...`":                      "deny git push unless go vet ./...",
		"Never commit without running `make lint` first":          "deny git commit unless make lint",
		"Always run `make build` before `make deploy`":            "deny make deploy unless make build",
		"Run the tests before committing":                         "",
		"Think before you push":                                   "",
		"Never git push --force to main":                          "deny git push --force main",
		"Never git push to the server":                            "",
		"Führe niemals terraform apply aus":                       "deny terraform apply",
		"Führe `terraform apply` niemals aus":                     "deny terraform apply",
		"terraform apply niemals ausführen":                       "deny terraform apply",
		"Starte nie docker push":                                  "deny docker push",
		"Führe terraform apply nie aus, wenn es rot ist":          "",
		"Führe nicht terraform apply, sondern terraform plan aus": "",
		"Führe terraform apply aus":                               "",
		"Vor jedem Commit make fmt ausführen":                     "deny git commit unless make fmt",
		"Always run go test ./... before you commit.":             "deny git commit unless go test",
		"Never run docker compose down.":                          "deny docker compose down",
		"Never use docker system prune.":                          "deny docker system prune",
		"Use uv, not pip.":                                        "deny pip",
		"Never push directly to the main branch.":                 "deny git push main",
		"Niemals auf main pushen.":                                "deny git push main",
		"Never commit with --no-verify.":                          "deny git commit --no-verify",
		"Never run ./scripts/deploy.sh.":                          "deny deploy.sh",
		"Don't touch db/migrations.":                              "ask db/migrations",
		"Don't touch client/server code":                          "",
		// of several sentences the first that gives one
		"It broke twice. Never run `npm install`. Use pnpm.": "deny npm install",
		"": "",
	} {
		g, from, ok := Propose(said)
		got := ""
		if ok {
			got = shown(g)
		}
		if got != want {
			t.Errorf("%q gives %q, want %q", said, got, want)
		}
		if ok && (g.Valid() != nil || !strings.Contains(said, from)) {
			t.Errorf("%q: %v, from %q", said, g.Valid(), from)
		}
	}
}

// TestProposeEverydayRules has rules as they stand in files of instructions, written before the code was
// read.
func TestProposeEverydayRules(t *testing.T) {
	for said, want := range map[string]string{
		"Never run `git push --force` in this repository.": "deny git push --force",
		"Do not edit files under `vendor/` by hand.":       "ask vendor/",
		"never run rm -rf":                                     "deny rm -rf",
		"never touch ~/.ssh":                                   "ask ~/.ssh",
		"never pip install globally":                           "", // no word of the command says so
		"never npm install globally":                           "deny npm install --global",
		"don't edit generated files in gen/":                   "ask gen/",
		"don't edit tests in src/":                             "", // not all of src
		"no force pushes to main":                              "deny git push --force main",
		"No npm needed here":                                   "",
		"always run make fmt before git commit":                "deny git commit unless make fmt",
		"Never run make twice":                                 "",
		"Use tabs, not spaces.":                                "",
		"Never use `any` in TypeScript.":                       "",
		"Always use yarn, never npm.":                          "deny npm",
		"Don't touch the `legacy/` directory.":                 "ask legacy/",
		"Run `go generate ./...` before `go build`.":           "deny go build unless go generate ./...",
		"Do not edit `package-lock.json` manually.":            "ask package-lock.json",
		"Don't run database migrations yourself.":              "",
		"Use `bun run test`, not `bun test`.":                  "deny bun test",
		"Never change `go.mod` without asking.":                "ask go.mod",
		"Nie `npm install` ausführen, wir nehmen pnpm.":        "deny npm install",
		"Benutze `just`, nicht `make`.":                        "deny make",
		"Never use `console.log` for debugging.":               "",
		"Never use `--no-verify`.":                             "deny git commit --no-verify",
		"`config.yml` nicht ändern, wenn CI läuft":             "",
		"Vor jedem Push immer `make test` ausführen.":          "deny git push unless make test",
		"Vor dem Commit nicht `make test` laufen lassen.":      "",
		"Rühr `db/migrations/` nicht an":                       "ask db/migrations/",
		"Die Datei `config.yml` hat nicht alle Werte geändert": "",
	} {
		if got := proposed(said); got != want {
			t.Errorf("%q gives %q, want %q", said, got, want)
		}
	}
	// These were kept aside. Those that a call can't tell from what is allowed should give none.
	right, none := 0, 0
	for said, want := range map[string]string{
		"Use `uv` instead of `pip` for Python packages.":           "deny pip",
		"Always run `make lint` before committing.":                "deny git commit unless make lint",
		"Don't commit directly to main.":                           "",
		"NEVER use `npm`; this repo uses `pnpm`.":                  "deny npm",
		"Never commit `.env` files.":                               "",
		"Do not run `terraform apply` without asking me first.":    "ask terraform apply",
		"Prefer `rg` over `grep`.":                                 "deny grep",
		"Never use `git add -A` or `git add .`.":                   "deny git add -A",
		"Never modify existing migrations in `db/migrations/`.":    "ask db/migrations/",
		"Do not use `sudo`.":                                       "deny sudo",
		"Do not run the full test suite; run `pytest path::test`.": "",
		"Never run `docker system prune`.":                         "deny docker system prune",
		"Never skip hooks with `--no-verify`.":                     "deny git commit --no-verify",
		"Never log secrets.":                                       "",
		"Never delete `data/raw`.":                                 "",
		"Don't use WebFetch; use the docs in `docs/api` instead.":  "deny WebFetch",
		"Please never use git stash.":                              "deny git stash",
		"Fass `config/prod.yaml` nicht an.":                        "ask config/prod.yaml",
		"Vor jedem Commit immer `cargo fmt` laufen lassen.":        "deny git commit unless cargo fmt",
		"Avoid `kubectl delete` against the production cluster.":   "",
	} {
		switch got := proposed(said); got {
		case want:
			right++
		case "":
			none++
		default:
			t.Errorf("%q gives %q, want %q or none", said, got, want)
		}
	}
	if right < 17 || none > 3 {
		t.Errorf("of 20 rules %d are right, and %d give none", right, none)
	}
}

// proposed returns the guard that a rule gives on one line, "" for none.
func proposed(said string) string {
	if g, _, ok := Propose(said); ok {
		return shown(g)
	}
	return ""
}

func FuzzPropose(f *testing.F) {
	for _, s := range []string{"Never run `npm install`.", "Use pnpm, not npm", "Don't touch db/", "` `` `",
		"Always run `a b` before `c d`", "before , before", "never", "instead of", "don't touch [/", "`-`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, said string) {
		g, from, ok := Propose(said)
		if ok && (g.Valid() != nil || !strings.Contains(said, from)) {
			t.Errorf("%q: %+v, %v, from %q", said, g, g.Valid(), from)
		}
	})
}
