package draft

import (
	"strings"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/plan"
)

// redisCache returns the record of the old choice.
func redisCache() memory.Stored {
	r := record(memory.Decision, "use-redis", []string{"cache"}, memory.Content{
		"status": "accepted", "context": "pages are slow", "decision": "Use Redis for the cache",
		"rationale": []string{"Redis is known"}})
	r.Title = "Use Redis for the cache"
	return stored(r)
}

// memcached returns a draft of the new choice.
func memcached() Draft {
	return Draft{Category: memory.Decision, Summary: "Redis is out, Memcached caches the pages.",
		Title: "Use Memcached for the cache", Tags: []string{"cache"}, Intended: "create",
		Supersedes: "use-redis", Backed: true, Said: []string{"We cache the pages in Memcached now."},
		ChangeSummary: "The person changed their mind",
		Content: memory.Content{
			"status": "accepted", "context": "the license changed", "decision": "Memcached for the cache",
			"rationale": []string{"no license trouble"}}}
}

func TestSupersede(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Draft)
		id     string
	}{
		"by supersedes": {func(d *Draft) {}, "use-memcached-for-the-cache"},
		"by its title": {func(d *Draft) { d.Supersedes = "use redis for the cache" },
			"use-memcached-for-the-cache"},
		"by a hint": {func(d *Draft) {
			d.Supersedes, d.Target, d.Hints, d.Intended = "", "use-redis", []string{"reversed"}, "update"
		}, "use-memcached-for-the-cache"},
		"an opposite update": {func(d *Draft) {
			d.Supersedes, d.Target, d.Intended = "", "use-redis",
				"update"
		}, "use-memcached-for-the-cache"},
		"under the old title": {func(d *Draft) { d.Title = "Use Redis for the cache" },
			"memcached-for-the-cache"},
		"half of an update": {func(d *Draft) {
			d.Content = memory.Content{"decision": "Memcached for the cache"}
		}, "use-memcached-for-the-cache"},
		"marked as it was": {func(d *Draft) { d.Content["status"] = "superseded" },
			"use-memcached-for-the-cache"},
	} {
		t.Run(name, func(t *testing.T) {
			old := redisCache()
			p, out := Resolve(Input{Drafts: []Draft{with(memcached(), tt.change)},
				Existing: []memory.Stored{old}, Now: now})
			if out[0].State != Create || out[0].ID != tt.id || out[0].Supersedes != old.Path ||
				out[0].Reason != "takes the place of decisions/use-redis.json, which is retired" {
				t.Fatalf("%+v", out)
			}
			if len(p.Edits) != 2 || p.Edits[0].Verb != plan.Create || p.Edits[1].Verb != plan.Retire ||
				p.Edits[1].Before != old.Digest {
				t.Fatalf("%+v", p.Edits)
			}
			check(t, p, []memory.Stored{old})
			was, err := memory.Decode(p.Edits[1].After)
			if err != nil {
				t.Fatal(err)
			}
			if was.Status != memory.Retired || was.SupersededBy != out[0].Path || was.RetiredReason == nil ||
				was.Content["decision"] != "Use Redis for the cache" {
				t.Errorf("the old one: %+v", was)
			}
			if err := memory.CheckMove(memory.CodeRetire, old.Record, was, memory.Retired,
				func(string) bool { return true }, memory.Active); err != nil {
				t.Error(err)
			}
			now, err := memory.Decode(p.Edits[0].After)
			if err != nil {
				t.Fatal(err)
			}
			if len(now.Supersedes) != 1 || now.Supersedes[0] != old.Path ||
				now.Content["status"] != "accepted" {
				t.Errorf("the new one: %+v", now)
			}
			for _, v := range []string{"pages are slow", "Redis is known"} {
				if strings.Contains(string(p.Edits[0].After), v) {
					t.Errorf("blended: %s", p.Edits[0].After)
				}
			}
		})
	}
}

// TestSupersedeNeedsAPerson: without a person's words the draft becomes a question, and nothing is written.
func TestSupersedeNeedsAPerson(t *testing.T) {
	old := redisCache()
	for name, change := range map[string]func(*Draft){
		"by supersedes": func(d *Draft) {},
		"by a hint": func(d *Draft) {
			d.Supersedes, d.Target, d.Hints = "", "use-redis",
				[]string{"superseded"}
		},
		"an opposite update": func(d *Draft) {
			d.Supersedes, d.Target, d.Intended = "",
				"use-redis", "update"
		},
		"a delete": func(d *Draft) {
			d.Supersedes, d.Target, d.Intended = "",
				"use-redis", "delete"
		},
		"only a hint": func(d *Draft) {
			d.Supersedes, d.Target, d.Hints, d.Content = "", "use-redis", []string{"reversed"}, nil
		},
	} {
		d := with(memcached(), func(d *Draft) { d.Backed = false; d.Intended = ""; change(d) })
		p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
		if out[0].State != Rejected || out[0].Code != memory.CodeUnbacked || out[0].Supersedes != old.Path ||
			len(p.Edits) > 0 {
			t.Errorf("%s: %+v", name, out[0])
		}
		if !strings.Contains(out[0].Reason,
			"words of a person against decisions/use-redis.json (Use Redis for the cache)") {
			t.Errorf("%s: %s", name, out[0].Reason)
		}
	}
	for origin, want := range map[string]State{"agent": Create, "tainted": Create, "none": Create,
		"person": Rejected, "drafter": Rejected, "import": Rejected, "": Rejected} {
		old := redisCache()
		old.Provenance = &memory.Provenance{Origin: origin}
		old = stored(old.Record)
		d := with(memcached(), func(d *Draft) { d.Backed = false })
		if _, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old},
			Now: now}); out[0].State != want {
			t.Errorf("of origin %q: %+v", origin, out[0])
		}
	}
	// What a person said of a debt is protected too; a record of unknown origin may be retired.
	for origin, want := range map[string]State{"person": Rejected, "drafter": Retire} {
		debt := recordOf(memory.TechDebt, "queue")
		debt.Provenance = &memory.Provenance{Origin: origin}
		debt = stored(debt.Record)
		d := Draft{Category: memory.TechDebt, Intended: "delete", Target: debt.ID, Summary: "Paid.",
			Tags: []string{"untagged"}}
		if _, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{debt},
			Now: now}); out[0].State != want {
			t.Errorf("a debt of origin %q: %+v", origin, out[0])
		}
	}
}

// TestWordsAgainst: a person's words behind a draft end what they said before only if they speak against it.
func TestWordsAgainst(t *testing.T) {
	for said, want := range map[string]State{
		"We cache in Memcached from now on.":                             Create,
		"No more Redis for the cache.":                                   Create,
		"From now on always monitor the Redis cache with Grafana.":       Rejected,
		"The Redis cache holds pages for ten minutes.":                   Rejected,
		"We decided to run the Redis cache on its own machine, as known": Rejected,
	} {
		d := with(memcached(), func(d *Draft) { d.Said = []string{said} })
		_, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{redisCache()}, Now: now})
		if out[0].State != want {
			t.Errorf("%s: %+v", said, out[0])
		}
		d = with(d, func(d *Draft) { d.Against = []string{redisCache().Path} })
		if _, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{redisCache()},
			Now: now}); out[0].State != Create {
			t.Errorf("%s, heard as a change: %+v", said, out[0])
		}
	}
}

func TestSupersedeNothing(t *testing.T) {
	old := redisCache()
	// A reversal that says nothing new only retires.
	d := Draft{Category: memory.Decision, Target: "use-redis", Hints: []string{"reversed"},
		Summary: "No cache for now.", Tags: []string{"untagged"}, Backed: true, Against: []string{old.Path}}
	p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
	if out[0].State != Retire || len(p.Edits) != 1 || out[0].Path != old.Path {
		t.Errorf("%+v", out)
	}
	// A record that does not exist is not superseded, and the draft is saved on its own.
	d = with(memcached(), func(d *Draft) { d.Supersedes = "use-valkey"; d.Backed = false })
	p, out = Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old}, Now: now})
	if out[0].State != Create || out[0].Supersedes != "" || len(p.Edits) != 1 ||
		!strings.Contains(strings.Join(out[0].Notes, "\n"), `there is no decision "use-valkey"`) {
		t.Errorf("%+v", out)
	}
	// A draft that cannot be saved retires nothing.
	d = with(memcached(), func(d *Draft) {
		d.Content = memory.Content{"decision": strings.Repeat("x",
			memory.MaxBytes)}
	})
	if p, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{old},
		Now: now}); out[0].State != Rejected || len(p.Edits) > 0 {
		t.Errorf("%+v", out[0].State)
	}
	// The same draft twice has one effect.
	p, _ = Resolve(Input{Drafts: []Draft{memcached()}, Existing: []memory.Stored{old}, Now: now})
	var after []memory.Stored
	for _, e := range p.Edits {
		r, err := memory.Decode(e.After)
		if err != nil {
			t.Fatal(err)
		}
		after = append(after, memory.Stored{Record: r, Path: e.Path, Digest: digest(e.After)})
	}
	if p, out := Resolve(Input{Drafts: []Draft{memcached()}, Existing: after,
		Now: now}); out[0].State != Nothing || len(p.Edits) > 0 {
		t.Errorf("twice: %+v", out)
	}
	// The successor may be recorded already.
	both := append([]memory.Stored{old}, after[0])
	p, out = Resolve(Input{Drafts: []Draft{memcached()}, Existing: both, Now: now})
	if out[0].State != Retire || len(p.Edits) != 1 || p.Edits[0].Path != old.Path {
		t.Errorf("beside: %+v", out)
	}
}

// TestUpdateOrReplace: an update adds to a choice; another choice replaces it.
func TestUpdateOrReplace(t *testing.T) {
	for _, tt := range []struct {
		category memory.Category
		was, now string
		replaced bool
	}{
		{memory.Decision, "Use Redis for the cache", "Use Memcached for the cache", true},
		{memory.Decision, "Use Redis for the cache", "Don't use Redis for the cache", true},
		{memory.Decision, "Postgres 16", "Postgres 17", true},
		{memory.Decision, "Deploy with Nomad", "Deploy with Kubernetes instead of Nomad", true},
		{memory.Decision, "Sessions are kept in Redis", "No sessions in Redis any more, JWT cookies", true},
		{memory.Decision, "Artifacts go to S3", "Artifacts go to GCS from now on", true},
		{memory.Decision, "Monorepo for all services", "Polyrepo for all services", true},
		{memory.Decision, "We deploy on Fridays", "We deploy on Mondays", true},
		{memory.Preference, "tabs", "spaces", true},
		{memory.Preference, "Single quotes", "Double quotes", true},
		{memory.Preference, "Answer in German", "Answer in English", true},
		{memory.Preference, "pull requests of at most 400 lines", "pull requests of at most 200 lines", true},
		{memory.Constraint, "5 requests a second", "20 requests a second", true},
		{memory.Constraint, "Uploads above 10MB are refused", "Uploads above 50MB are refused", true},

		{memory.Decision, "Use Redis for the cache", "Use Redis for the cache, with a TTL of 15 minutes",
			false},
		{memory.Decision, "Use Redis for the cache", "Redis caches pages and sessions", false},
		{memory.Decision, "JWT", "JWT, signed with ES256", false},
		{memory.Decision, "Postgres", "PostgreSQL 16 with PgBouncer", false},
		{memory.Decision, "Deploy with Nomad", "Nomad deploys, Kubernetes is too much", false},
		{memory.Decision, "Use Postgres instead of MySQL", "Postgres, because MySQL lacks jsonb", false},
		{memory.Decision, "Write the CLI in Go", "The CLI is written in Go, without cgo", false},
		{memory.Preference, "tabs", "Tabs, also in YAML comments", false},
		{memory.Preference, "short answers", "short answers without a summary", false},
		{memory.Preference, "Answer in German", "Answer in German, code comments in English", false},
		{memory.Constraint, "5 requests a second", "At most 5 requests a second for each key", false},
		{memory.Constraint, "Uploads above 10MB are refused", "The proxy refuses uploads above 10MB", false},
		{memory.TechDebt, "No retries in the mailer", "No tests in the importer", false},
	} {
		old := memory.Record{Category: tt.category,
			Content: memory.Content{tt.category.ChoiceField(): tt.was}}
		d := Draft{Category: tt.category, Content: memory.Content{tt.category.ChoiceField(): tt.now}}
		if got := replacesChoice(old, d); got != tt.replaced {
			t.Errorf("%q after %q: replaced %v", tt.now, tt.was, got)
		}
	}
}

// TestHalfAnUpdateDoesNotBlend: if a person's words leave a choice, a draft that does not say what holds now
// is refused. A draft that only adds to the choice is accepted.
func TestHalfAnUpdateDoesNotBlend(t *testing.T) {
	for said, blends := range map[string]bool{
		"We decided against Redis for the cache, it is Memcached because of cost.":  true,
		"Actually no Redis: the cache goes to Memcached, it costs less.":            true,
		"We decided to take Memcached for the cache because of cost.":               true,
		"The cache is Memcached from now on.":                                       true,
		"Redis also holds the sessions, since they may get lost.":                   false,
		"The Redis cache is emptied 5 times a day, because pages change that often": false,
		"Pages are slow without the cache, as Anna measured in May.":                false,
		"We monitor the Redis cache with Grafana.":                                  false,
	} {
		d := with(memcached(), func(d *Draft) {
			d.Supersedes, d.Target, d.Intended, d.Said = "", "use-redis", "update", []string{said}
			d.Title, d.Content = "", memory.Content{"rationale": []string{said}}
		})
		_, out := Resolve(Input{Drafts: []Draft{d}, Existing: []memory.Stored{redisCache()}, Now: now})
		if refused := out[0].State == Rejected; refused != blends || !refused && out[0].State != Update {
			t.Errorf("%s: %+v", said, out[0])
		}
	}
}

// TestBatchTurns: a draft can replace a record that the same save makes.
func TestBatchTurns(t *testing.T) {
	first := with(memcached(), func(d *Draft) {
		d.Supersedes, d.Title, d.Content = "", "Use Redis for the cache", redisCache().Content
	})
	second := with(memcached(), func(d *Draft) { d.Supersedes = "use-redis-for-the-cache" })
	p, out := Resolve(Input{Drafts: []Draft{first, second}, Now: now})
	if out[0].State != Create || out[1].State != Create || out[1].Supersedes != out[0].Path ||
		len(p.Edits) != 2 {
		t.Fatalf("%+v", out)
	}
	check(t, p, nil)
	if r, err := memory.Decode(p.Edits[0].After); err != nil || r.Status != memory.Retired ||
		p.Edits[0].Verb != plan.Create {
		t.Errorf("%s %+v %v", p.Edits[0].Verb, r.Status, err)
	}
}
