package alike

import (
	"fmt"
	"slices"
	"testing"

	"keepsake/pkg/memory"
)

// A stand is a record in short: a decision's title and text, or a preference's topic and value.
type stand struct{ title, main string }

func (s stand) record(c memory.Category) memory.Record {
	r := memory.Record{Category: c, Title: s.title}
	switch c {
	case memory.Preference:
		r.Content = memory.Content{"topic": s.title, "value": s.main}
	default:
		r.Content = memory.Content{c.ChoiceField(): s.main}
	}
	return r
}

var opposedPairs = []struct {
	category memory.Category
	a, b     stand
}{
	{memory.Decision, stand{"Use Redis for the cache", "Redis caches the pages"},
		stand{"Use Memcached for the cache", "Memcached caches the pages"}},
	{memory.Decision, stand{"Use Redis", "We use Redis"}, stand{"No Redis", "We don't use Redis"}},
	{memory.Decision, stand{"Use npm", "npm is the package manager"},
		stand{"Use yarn", "yarn is the package manager"}},
	{memory.Decision, stand{"Postgres for billing", "Billing uses Postgres"},
		stand{"MySQL for billing", "Billing uses MySQL instead of Postgres"}},
	{memory.Decision, stand{"Postgres over MySQL", "Use Postgres"},
		stand{"MySQL over Postgres", "Use MySQL"}},
	{memory.Decision, stand{"Deploy with Nomad", "Deployments run on Nomad"},
		stand{"Deploy with Kubernetes", "Deployments run on Kubernetes"}},
	{memory.Decision, stand{"Write the CLI in Go", "The CLI is written in Go"},
		stand{"Write the CLI in Rust", "The CLI is written in Rust"}},
	{memory.Decision, stand{"Rebase before merging", "Branches are rebased"},
		stand{"Never rebase before merging", "Branches are not rebased"}},
	{memory.Decision, stand{"API style: REST", "The public API is REST"},
		stand{"API style: GraphQL", "The public API is GraphQL, not REST"}},
	{memory.Decision, stand{"Monorepo for the services", "All services live in a monorepo"},
		stand{"Polyrepo for the services", "All services live in a polyrepo"}},
	{memory.Preference, stand{"Indentation", "Tabs"}, stand{"Indentation", "Spaces"}},
	{memory.Preference, stand{"Quotes", "Single quotes"}, stand{"Quotes", "Double quotes"}},
	{memory.Preference, stand{"Language of answers", "Answer in German"},
		stand{"Language of answers", "Answer in English"}},
	{memory.Preference, stand{"Comments", "Write comments"}, stand{"Comments", "Don't write comments"}},
	{memory.Preference, stand{"Test runner", "jest"}, stand{"Test runner", "vitest"}},
	{memory.Preference, stand{"Size of pull requests", "At most 400 lines"},
		stand{"Size of pull requests", "At most 200 lines"}},
	{memory.Constraint, stand{"API rate limit", "The API allows 5 requests a second"},
		stand{"API rate limit", "The API allows 20 requests a second"}},
	{memory.Constraint, stand{"Force pushes", "Force pushes to main are allowed"},
		stand{"Force pushes", "Force pushes to main are not allowed"}},
	{memory.Constraint, stand{"Node version", "The workers need Node 18"},
		stand{"Node version", "The workers need Node 20"}},
}

var besidePairs = []struct {
	category memory.Category
	a, b     stand
}{
	{memory.Constraint, stand{"Workers of job queue B", "Ten at most"},
		stand{"Workers of job queue C", "Ten at most"}},
	{memory.Decision, stand{"Use Redis for the cache", "Redis caches the pages"},
		stand{"Use Postgres for the queue", "The queue is in Postgres"}},
	{memory.Decision, stand{"Use Redis for the cache", "Redis caches the pages"},
		stand{"Use Redis for the queue", "The queue is in Redis"}},
	{memory.Decision, stand{"Use Postgres", "Postgres is the database"},
		stand{"SQLite for the tests", "Tests run on SQLite"}},
	{memory.Decision, stand{"Use Postgres for billing", "Billing uses Postgres"},
		stand{"Use MySQL for the legacy importer", "The importer reads MySQL"}},
	{memory.Decision, stand{"Use Redis for the cache", "Redis caches the pages"},
		stand{"Redis cache evicts LRU", "The cache evicts by LRU"}},
	{memory.Decision, stand{"CLI in Go", "The CLI is written in Go"},
		stand{"Frontend in TypeScript", "The frontend is written in TypeScript"}},
	{memory.Decision, stand{"Postgres over MySQL", "Use Postgres"},
		stand{"Postgres with PgBouncer", "Postgres behind PgBouncer"}},
	{memory.Decision, stand{"npm for the frontend", "The frontend uses npm"},
		stand{"pip for the scripts", "The scripts use pip"}},
	{memory.Decision, stand{"Keep logs for 30 days", "Logs are kept for 30 days"},
		stand{"Keep backups for 90 days", "Backups are kept for 90 days"}},
	{memory.Decision, stand{"Timeout of 30 seconds for the importer",
		"The importer times out after 30 seconds"}, stand{"Timeout of 5 seconds for the API",
		"The API times out after 5 seconds"}},
	{memory.Decision, stand{"Kafka for events", "Events go through Kafka"},
		stand{"RabbitMQ for mails", "Mails go through RabbitMQ"}},
	{memory.Decision, stand{"Deploy with Nomad", "Deployments run on Nomad"},
		stand{"No deploys on Friday", "Nothing is deployed on Fridays"}},
	{memory.Decision, stand{"JWT for the public API", "The public API takes JWT"},
		stand{"Okta for employees", "Employees sign in with Okta"}},
	{memory.Decision, stand{"Use Redis", "Use Redis instead of Memcached"},
		stand{"Redis, not Memcached", "Redis was chosen over Memcached"}},
	{memory.Decision, stand{"Jest for unit tests", "Unit tests run in Jest"},
		stand{"Playwright for browser tests", "Browser tests run in Playwright"}},
	{memory.Decision, stand{"Stripe for cards", "Cards are charged with Stripe"},
		stand{"Twilio for texts", "Texts are sent with Twilio"}},
	{memory.Decision, stand{"Version the API in the URL", "API versions are in the URL"},
		stand{"Document the API with OpenAPI", "The API is described in OpenAPI"}},
	{memory.Preference, stand{"Indentation", "Tabs"}, stand{"Quotes", "Single quotes"}},
	{memory.Preference, stand{"Indentation in Go", "Tabs"}, stand{"Indentation in Python", "4 spaces"}},
	{memory.Preference, stand{"Language of answers", "Answer in German"},
		stand{"Language of comments", "Comments in English"}},
	{memory.Preference, stand{"Test runner", "vitest"}, stand{"Test coverage", "at least 80 percent"}},
	{memory.Preference, stand{"Commits", "Small commits"}, stand{"Commit messages",
		"Imperative subject of at most 60 characters"}},
	{memory.Preference, stand{"Comments", "Few comments"}, stand{"Comments", "Comments say why"}},
	{memory.Preference, stand{"Indentation", "Tabs"}, stand{"Indentation", "Tabs, also in JSON"}},
	{memory.Constraint, stand{"API rate limit", "The API allows 5 requests a second"},
		stand{"Upload limit", "Uploads have at most 10 MB"}},
	{memory.Constraint, stand{"API rate limit", "The API allows 5 requests a second"},
		stand{"API burst limit", "The API allows bursts of 20 requests"}},
	{memory.Constraint, stand{"glibc is pinned", "glibc can't be upgraded on the build machines"},
		stand{"Node is pinned", "Node can't be upgraded on the workers"}},
	{memory.Constraint, stand{"No force pushes", "Nobody force-pushes to main"},
		stand{"Reviews", "Every change to main is reviewed"}},
	{memory.TechDebt, stand{"No retries", "No retries in the mailer"},
		stand{"Retries", "Retries in the mailer"}},
}

// inDispute reports whether one of two records is left out by Disputed.
func inDispute(a, b memory.Record) bool {
	a.Status, b.Status = memory.Active, memory.Active
	_, disputes := Disputed([]memory.Stored{{Record: a, Path: "a.json"}, {Record: b, Path: "b.json"}}, nil)
	return len(disputes) > 0
}

func TestOpposed(t *testing.T) {
	for _, p := range opposedPairs {
		if !inDispute(p.a.record(p.category), p.b.record(p.category)) {
			t.Errorf("%v and %v are not opposed", p.a, p.b)
		}
	}
	for _, p := range besidePairs {
		if inDispute(p.a.record(p.category), p.b.record(p.category)) {
			t.Errorf("%v and %v are opposed", p.a, p.b)
		}
	}
	for i, p := range append(opposedPairs, besidePairs...) {
		a, b := p.a.record(p.category), p.b.record(p.category)
		if inDispute(a, b) != inDispute(b, a) {
			t.Errorf("%v and %v: not the same both ways", p.a, p.b)
		}
		if inDispute(a, a) || inDispute(b, b) {
			t.Errorf("%v or %v is against itself", p.a, p.b)
		}
		if other := opposedPairs[(i+1)%len(opposedPairs)]; other.category != p.category &&
			inDispute(a, other.a.record(other.category)) {
			t.Errorf("%v and %v are of different categories", p.a, other.a)
		}
	}
	// A rejected alternative in the record counts as turned down.
	mysql := stand{"Use MySQL", "MySQL is the database"}.record(memory.Decision)
	postgres := stand{"Use Postgres", "Postgres is the database"}.record(memory.Decision)
	postgres.Content["alternatives"] = []map[string]string{{"option": "MySQL", "rejected_reason": "no jsonb"}}
	if !inDispute(mysql, postgres) || !inDispute(postgres, mysql) {
		t.Error("an alternative that was rejected is no other choice")
	}
}

func FuzzOpposed(f *testing.F) {
	f.Add("Use Redis for the cache", "not Memcached", "Redis over Memcached", "5’ s3")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		x, y := stand{a, b}.record(memory.Preference), stand{c, d}.record(memory.Preference)
		if inDispute(x, y) != inDispute(y, x) {
			t.Error("not the same both ways")
		}
		if inDispute(x, x) {
			t.Error("against itself")
		}
	})
}

func TestDisputed(t *testing.T) {
	at := func(name, day string) memory.Stored {
		r := stand{"Use " + name + " for the cache", name + " caches the pages"}.record(memory.Decision)
		r.ID, r.Status, r.CreatedAt, r.UpdatedAt = name, memory.Active, day+"T09:00:00Z",
			"2026-11-19T09:00:00Z"
		return memory.Stored{Record: r, Path: "decisions/" + name + ".json"}
	}
	redis, memcached, valkey := at("Redis", "2026-10-01"), at("Memcached", "2026-11-02"),
		at("Valkey", "2026-11-03")
	tabs := memory.Stored{Record: stand{"Indentation", "Tabs"}.record(memory.Preference),
		Path: "preferences/tabs.json"}
	// An update of the main text says it again later; a new tag does not.
	again, tagged := redis, redis
	again.Changes = []memory.Change{{Date: "2026-11-10T09:00:00Z", Field: "content.decision"}}
	tagged.Changes = []memory.Change{{Date: "2026-11-10T09:00:00Z", Field: "tags"}}
	// It was to be retired, and is still active.
	left := at("Dragonfly", "2026-11-09")
	left.Title, left.Content = "A thing of its own", memory.Content{"decision": "Something else altogether"}
	heir := valkey
	heir.Supersedes = []string{left.Path}
	for name, tt := range map[string]struct {
		found []memory.Stored
		keep  []string
		of    map[string]int
	}{
		"none": {[]memory.Stored{redis, tabs}, []string{redis.Path, tabs.Path}, nil},
		"two": {[]memory.Stored{redis, tabs, memcached}, []string{tabs.Path, memcached.Path},
			map[string]int{memcached.Path: 1}},
		"in another order": {[]memory.Stored{memcached, redis}, []string{memcached.Path},
			map[string]int{memcached.Path: 1}},
		"three": {[]memory.Stored{redis, valkey, memcached}, []string{valkey.Path},
			map[string]int{valkey.Path: 2}},
		"said again": {[]memory.Stored{again, memcached}, []string{redis.Path},
			map[string]int{redis.Path: 1}},
		"only tagged again": {[]memory.Stored{tagged, memcached}, []string{memcached.Path},
			map[string]int{memcached.Path: 1}},
		"to be superseded": {[]memory.Stored{left, heir}, []string{heir.Path}, map[string]int{heir.Path: 1}},
		"found twice":      {[]memory.Stored{redis, redis}, []string{redis.Path, redis.Path}, nil},
		"nothing":          {nil, nil, nil},
	} {
		keep, disputes := Disputed(tt.found, nil)
		var paths []string
		for _, r := range keep {
			paths = append(paths, r.Path)
		}
		if !slices.Equal(paths, tt.keep) || len(disputes) != len(tt.of) {
			t.Errorf("%s: keeps %v, disputes %v", name, paths, disputes)
		}
		for path, n := range tt.of {
			if len(disputes[path]) != n {
				t.Errorf("%s: disputes %v", name, disputes)
			}
		}
	}
}

// TestOtherChoiceOfNumbers: a number is another choice than another number, but not than a name.
func TestOtherChoiceOfNumbers(t *testing.T) {
	for _, tt := range []struct {
		was, now string
		other    bool
	}{
		{"Use RabbitMQ for job dispatch", "Failed jobs are retried three times", false},
		{"Use RabbitMQ for job dispatch", "Failed jobs are retried 3 times", false},
		{"Use RabbitMQ for job dispatch", "Use NATS with 3 nodes for job dispatch", true},
		{"Failed jobs are retried two times", "Failed jobs are retried three times", true},
		{"Use two nodes", "Use 2 nodes", false},
	} {
		if got := OtherChoice(tt.was, tt.now); got != tt.other {
			t.Errorf("%q after %q: %v", tt.now, tt.was, got)
		}
	}
}

// TestDisputedInOneSecond: stamps have whole seconds. Within a second the file that was written last is
// newer, whatever its path.
func TestDisputedInOneSecond(t *testing.T) {
	at := func(name string, written int64) memory.Stored {
		r := stand{"", "Sessions live in " + name}.record(memory.Decision)
		r.Status, r.CreatedAt = memory.Active, "2026-11-20T09:00:00Z"
		return memory.Stored{Record: r, Path: "decisions/" + name + ".json", File: memory.File{Time: written}}
	}
	for _, tt := range []struct{ redis, memcached int64 }{{1, 2}, {2, 1}} {
		redis, memcached := at("Redis", tt.redis), at("Memcached", tt.memcached)
		want := redis.Path
		if tt.memcached > tt.redis {
			want = memcached.Path
		}
		for _, found := range [][]memory.Stored{{redis, memcached}, {memcached, redis}} {
			if keep, _ := Disputed(found, nil); len(keep) != 1 || keep[0].Path != want {
				t.Errorf("keeps %v, not %s", keep, want)
			}
		}
	}
}

// TestDisputedQuotes: the person's words count if the agent left them out of the record, unless the record
// has changed since.
func TestDisputedQuotes(t *testing.T) {
	for name, tt := range map[string]struct {
		a, b   stand
		qa, qb []string
		want   bool
	}{
		"both in quotes": {stand{"Retention", "A retention policy was chosen"},
			stand{"Storage costs", "Disk use is bounded"},
			[]string{"We decided to keep backups 30 days"}, []string{"Backups stay 90 days, please"}, true},
		"one in a quote": {stand{"Retention", "A retention policy was chosen"},
			stand{"", "Backups stay 90 days"},
			[]string{"We decided to keep backups 30 days"}, nil, true},
		"names": {stand{"Session storage", "Sessions live outside of the process"},
			stand{"", "Sessions live in Memcached"},
			[]string{"Sessions live in Redis"}, nil, true},
		"the same": {stand{"Retention", "A retention policy was chosen"}, stand{"", "Backups stay 30 days"},
			[]string{"We decided to keep backups 30 days"}, nil, false},
		"of another thing": {stand{"Retention", "A retention policy was chosen"},
			stand{"", "Logs stay 90 days"},
			[]string{"We decided to keep backups 30 days"}, nil, false},
		"over since": {stand{"", "Backups stay 90 days"}, stand{"", "Keep backups for 90 days"},
			[]string{"We decided to keep backups 30 days"}, nil, false},
		"over since, beside another": {stand{"", "Backups stay 90 days"},
			stand{"Costs", "Backups cost too much"},
			[]string{"We decided to keep backups 30 days"}, nil, false},
		"a question": {stand{"Retention", "A retention policy was chosen"}, stand{"", "Backups stay 90 days"},
			[]string{"Should we keep backups 30 days?"}, nil, false},
		"only its title says more": {stand{"Retention of billing", "Backups stay 30 days"},
			stand{"Retention of mail", "Old ones go"}, nil, []string{"Backups stay 90 days"}, false},
		"none": {stand{"Retention", "A retention policy was chosen"}, stand{"", "Backups stay 90 days"}, nil,
			nil, false},
	} {
		a, b := tt.a.record(memory.Decision), tt.b.record(memory.Decision)
		a.Status, b.Status = memory.Active, memory.Active
		found := []memory.Stored{{Record: a, Path: "a.json"}, {Record: b, Path: "b.json"}}
		quotes := func(m memory.Stored) []string {
			if m.Path == "a.json" {
				return tt.qa
			}
			return tt.qb
		}
		_, told := Disputed(found, quotes)
		_, turned := Disputed([]memory.Stored{found[1], found[0]}, quotes)
		if len(told) > 0 != tt.want || len(turned) > 0 != tt.want {
			t.Errorf("%s: %v, %v", name, told, turned)
		}
		for i := range 20 { // among many they are found by what they share
			r := stand{fmt.Sprintf("Thing %d", i),
				fmt.Sprintf("The thing is number %d", i)}.record(memory.Decision)
			r.Status = memory.Active
			found = append(found, memory.Stored{Record: r, Path: fmt.Sprint(i)})
		}
		if _, told := Disputed(found, quotes); (len(told["a.json"])+len(told["b.json"]) > 0) != tt.want {
			t.Errorf("%s, among many: %v", name, told)
		}
	}
}
