package draft

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"keepsake/pkg/memory"
)

// saidAs is a statement and a draft of a category as a model writes one: a title and a main text.
type saidAs struct {
	category  memory.Category
	statement string
	title     string
	main      string
	reason    string
}

// draft returns the pair's draft.
func (p saidAs) draft() Draft {
	d := Draft{Category: p.category, Title: p.title, Summary: p.title, Intended: "create"}
	switch p.category {
	case memory.Decision:
		d.Content = memory.Content{"status": "accepted", "context": "", "decision": p.main,
			"rationale": []string{p.reason}}
	case memory.Preference:
		d.Content = memory.Content{"topic": p.title, "value": p.main, "reason": p.reason}
	case memory.Constraint:
		d.Content = memory.Content{"rule": p.main, "impact": []string{p.reason}}
	case memory.TechDebt:
		d.Content = memory.Content{"description": p.main, "reason_deferred": p.reason}
	case memory.Runbook:
		d.Content = memory.Content{"trigger": p.title, "steps": []string{p.main}, "verification": p.reason}
	}
	return d
}

// paraphrases are drafts that take up their statements.
var paraphrases = []saidAs{
	{memory.Decision, "Let's go with npm.", "Use npm", "npm is the package manager", ""},
	{memory.Decision, "we decided to write the CLI in Go", "CLI language: Go",
		"The command line tool is written in Go", ""},
	{memory.Decision, "Please remember that artifacts go to S3", "S3 for build artifacts",
		"Build artifacts are stored in S3", ""},
	{memory.Decision, "ok, k8s it is", "Kubernetes as the platform", "Deploy on Kubernetes", ""},
	{memory.Decision, "We'll use Postgres instead of MySQL because we need jsonb", "PostgreSQL over MySQL",
		"Use PostgreSQL", "jsonb support"},
	{memory.Decision, "Kafka for the events, RabbitMQ cannot replay", "Kafka as event bus",
		"Events go through Kafka rather than RabbitMQ", "replay of events"},
	{memory.Decision, "Caching happens in Redis with a TTL of 15 minutes", "Redis cache, 15 minute TTL",
		"Cached in Redis for 15 minutes", ""},
	{memory.Decision, "I want deployments on Fridays to be blocked by CI", "CI blocks Friday deploys",
		"Deploying on Friday is blocked in CI", ""},
	{memory.Decision, "Let's stick to Node 20 for the workers", "Node 20 for workers",
		"Workers run on Node 20", ""},
	{memory.Decision, "not MySQL after all, SQLite is enough for the importer", "SQLite for the importer",
		"The importer uses SQLite", "MySQL is too much"},
	{memory.Decision, "Migrations are run with make migrate, never by hand",
		"Run migrations via make migrate", "Migrations only through make migrate, not by hand", ""},
	{memory.Decision, "The API will be versioned in the URL", "URL versioning for the API",
		"API versions are part of the URL", ""},
	{memory.Decision, "データベースはPostgresに決めた", "データベースはPostgres", "データベースにPostgresを使う", ""},
	{memory.Decision, "Wir nehmen Hetzner für das Hosting", "Hosting bei Hetzner", "Hetzner für Hosting",
		"günstiger"},
	{memory.Decision, "Sessions live in JWT cookies, not in Redis", "JWT session cookies",
		"Sessions are kept in JWT cookies instead of Redis", ""},
	{memory.Preference, "I prefer tabs", "Indentation", "Tabs", "stated by the person"},
	{memory.Preference, "always answer me in German please", "Language of answers", "Answer in German", ""},
	{memory.Preference, "don't add comments to trivial code", "Comments", "No comments on trivial code", ""},
	{memory.Preference, "Keep pull requests below 400 lines", "Size of pull requests",
		"At most 400 lines per pull request", ""},
	{memory.Preference, "never force-push to main", "Force pushes", "Do not force-push to main", ""},
	{memory.Constraint, "The API allows 5 requests a second", "API rate limit", "5 requests per second",
		"bursts are rejected"},
	{memory.Constraint, "we can't upgrade glibc on the build machines until March",
		"glibc pinned on build machines", "glibc can't be upgraded on build machines before March", ""},
	{memory.Constraint, "uploads above 10MB are refused by the proxy", "Proxy upload limit",
		"The proxy refuses uploads over 10MB", ""},
	{memory.TechDebt, "We skip retries in the mailer for now, the deadline is Friday",
		"Mailer has no retries", "Retries are skipped in the mailer", "Friday deadline"},
	{memory.Runbook, "The build failed with exit code 137, raising the memory limit fixed it",
		"Build fails with exit code 137", "Raise the memory limit", "the build passes"},
}

// others are drafts that do not take up their statements, though they share words.
var others = []saidAs{
	{memory.Decision, "we use npm for the frontend packages", "Yarn for the frontend workspace",
		"Use yarn in the frontend workspace", ""},
	{memory.Decision, "Node 20 for the workers", "Node 18 for workers", "Workers run on Node 18", ""},
	{memory.Decision, "not Redis after all, Memcached for the cache", "Use Redis for the cache",
		"The cache is Redis", "known to the team"},
	{memory.Decision, "don't use Redis for the cache", "Use Redis for the cache", "The cache is Redis", ""},
	{memory.Decision, "Redis for the cache", "No Redis for the cache", "Don't use Redis for the cache", ""},
	{memory.Decision, "Postgres backups run nightly at 2", "Use Postgres for billing",
		"Billing runs on Postgres", "transactions"},
	{memory.Decision, "We decided to deploy with Nomad because Kubernetes is too much",
		"PostgreSQL over MySQL", "Use PostgreSQL", "jsonb"},
	{memory.Decision, "Let's deploy to Hetzner", "Deploy with Nomad", "Deployments run on Nomad",
		"small team"},
	{memory.Decision, "The API is versioned in a header", "API in Go", "The API is written in Go", ""},
	{memory.Decision, "Write the importer in Rust", "CLI in Go", "The CLI is written in Go", ""},
	{memory.Decision, "Logs are kept for 30 days", "Backups for 90 days", "Backups are kept for 90 days", ""},
	{memory.Decision, "TTL of 60 minutes for the cache", "Cache TTL of 15 minutes",
		"The cache keeps entries for 15 minutes", ""},
	{memory.Decision, "Use Postgres for billing, and Kafka for the events", "Postgres for billing",
		"Billing uses Postgres", ""},
	{memory.Decision, "S3 for artifacts", "GCS for artifacts", "Artifacts are stored in GCS", ""},
	{memory.Decision, "データベースはMySQLに変更する", "キャッシュはRedis", "キャッシュにRedisを使う", ""},
	{memory.Preference, "I prefer tabs", "Quotes", "Single quotes", ""},
	{memory.Preference, "spaces please, two of them", "Indentation", "Tabs", "stated by the person"},
	{memory.Preference, "answer me in English from now on", "Language of answers", "Answer in German", ""},
	{memory.Preference, "comments are welcome", "Pull requests",
		"Small pull requests with a description", ""},
	{memory.Preference, "Squash commits before merging", "Rebase before merging",
		"Rebase onto main, no merge commits", ""},
	{memory.Constraint, "The API allows 10 requests a second", "API rate limit", "5 requests per second",
		"bursts are rejected"},
	{memory.Constraint, "downloads are limited to 1 GB a day", "Proxy upload limit",
		"The proxy refuses uploads over 10MB", ""},
	{memory.TechDebt, "The mailer has no tests", "Importer has no retries",
		"Retries are skipped in the importer", ""},
	{memory.Runbook, "The deploy hung at the health check until the port was opened",
		"Build fails with exit code 137", "Raise the memory limit", "the build passes"},
}

// assigned reports whether a draft takes up a statement when there is a second statement.
func assigned(p saidAs) bool {
	decoy := Statement{2, p.category, "The mascot of the company is a purple giraffe called Zoe"}
	got := Assign([]Statement{{1, p.category, p.statement}, decoy}, []Draft{p.draft()})
	return slices.Contains(got[0], 1)
}

// TestAssignParaphrases checks assignment with paraphrases and others.
func TestAssignParaphrases(t *testing.T) {
	for _, p := range paraphrases {
		if !assigned(p) {
			t.Errorf("%q is not of %q", p.title, p.statement)
		}
	}
	for _, p := range others {
		if assigned(p) {
			t.Errorf("%q is of %q", p.title, p.statement)
		}
	}
}

func TestAssign(t *testing.T) {
	one := func(n int, text string) Statement { return Statement{n, memory.Decision, text} }
	postgres := saidAs{memory.Decision, "", "PostgreSQL over MySQL", "Use PostgreSQL",
		"jsonb, which MySQL lacks"}.draft()
	kafka := saidAs{memory.Decision, "", "Use Kafka for events", "Kafka instead of RabbitMQ",
		"events must be replayed"}.draft()
	covering := func(d Draft, n ...int) Draft { d.Covers = n; return d }
	noop := Draft{Category: memory.Decision, Noop: true}
	all := []Statement{one(4, three[0]), one(5, three[1]), one(6, three[2])}
	for name, tt := range map[string]struct {
		findings []Statement
		drafts   []Draft
		want     [][]int
	}{
		"one of three":            {all, []Draft{postgres}, [][]int{{4}}},
		"two of three":            {all, []Draft{postgres, kafka}, [][]int{{4}, {6}}},
		"what it says":            {all, []Draft{covering(postgres, 5, 6)}, [][]int{{5, 6}}},
		"a number that is none":   {all, []Draft{covering(postgres, 9, 4)}, [][]int{{4}}},
		"only numbers of nothing": {all, []Draft{covering(postgres, 99)}, [][]int{nil}},
		"another category": {append(slices.Clone(all), Statement{7, memory.Preference, "tabs"}),
			[]Draft{covering(postgres, 7)}, [][]int{{7}}},
		"a noop of all":            {all, []Draft{noop}, [][]int{{4, 5, 6}}},
		"a noop beside a draft":    {all, []Draft{postgres, noop}, [][]int{{4}, nil}},
		"a noop that says which":   {all, []Draft{postgres, covering(noop, 5)}, [][]int{{4}, {5}}},
		"the only ones":            {all[:1], []Draft{kafka}, [][]int{{4}}},
		"the only one, said of it": {all[:1], []Draft{covering(kafka, 99)}, [][]int{nil}},
		"taken by another":         {all, []Draft{covering(kafka, 4, 6), postgres}, [][]int{{4, 6}, nil}},
		"no drafts":                {all, nil, [][]int{}},
		"no findings":              {nil, []Draft{postgres}, [][]int{nil}},
		"a mere request": {[]Statement{one(1, "Please remember this."), one(2, "Update memory.")},
			[]Draft{postgres}, [][]int{{1, 2}}},
		"the newer one is open": {
			[]Statement{one(1, "We use Redis for the cache"),
				one(2, "no, Memcached for the cache, not Redis")},
			[]Draft{saidAs{memory.Decision, "", "Redis for the cache", "The cache is Redis", ""}.draft()},
			[][]int{{1}},
		},
		"both halves of a compound": {
			[]Statement{one(1, "Use Postgres for billing, and Kafka for the events"),
				one(2, "Giraffes are purple")},
			[]Draft{postgres, kafka}, [][]int{{1}, {1}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := Assign(tt.findings, tt.drafts)
			if fmt.Sprint(got) != fmt.Sprint(tt.want) || len(got) != len(tt.drafts) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if got := UnknownCovers(all, covering(postgres, 9, 4)); !reflect.DeepEqual(got, []int{9}) {
		t.Errorf("unknown: %v", got)
	}
}
