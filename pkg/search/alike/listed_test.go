package alike

import "testing"

// listedPairs are records written by a reader who saw none of the rules, including pairs of which both were
// shown to an agent.
const listedPairs = `
opposed	decision	Background jobs run on Sidekiq.	decision	Background jobs run on Celery.
opposed	decision	Wir deployen mit Ansible.	decision	Wir deployen mit Pulumi.
opposed	decision	Use single quotes in TypeScript.	decision	Use double quotes in TypeScript.
opposed	decision	Deployments to production need two approvals.	decision	Deployments to production need one approval.
opposed	decision	Deployments need 2 approvals.	decision	Deployments need 1 approval.
opposed	decision	Tests schreiben wir mit Jest.	decision	Tests schreiben wir mit Vitest.
opposed	decision	We build the frontend with Webpack.	decision	We build the frontend with Vite.
opposed	decision	Die Doku liegt in Confluence.	decision	Die Doku liegt in Notion.
opposed	decision	Use tabs for indentation.	decision	Use spaces for indentation.
opposed	decision	Primary keys are UUIDs.	decision	Primary keys are ULIDs.
opposed	decision	Deploys happen on Tuesdays.	decision	Deploys happen on Fridays.
opposed	decision	The default branch is main.	decision	The default branch is trunk.
opposed	decision	Wir nutzen Redis für Sessions.	decision	Wir nutzen Memcached für Sessions.
opposed	decision	Errors go to Sentry.	decision	Errors go to Rollbar.
opposed	decision	We use MongoDB for the catalogue.	decision	We store the catalogue in Postgres.
opposed	decision	API responses are camelCase.	decision	API responses are snake_case.
beside	decision	Use Redis for the cache.	decision	Use Postgres for the jobs.
beside	decision	Errors go to Sentry.	decision	Metrics go to Rollbar.
beside	decision	We use Redis for the catalogue cache.	decision	We store the catalogue in Postgres.
beside	decision	We deploy staging with Ansible.	decision	We deploy production with Pulumi.
beside	decision	Errors go to Sentry.	decision	Errors go to Slack.
beside	decision	The default branch is main.	decision	The default branch is protected.
beside	decision	Backups run on Mondays.	decision	Backups run on Thursdays.
beside	decision	Wir arbeiten mit Anna.	decision	Wir arbeiten mit Peter.
beside	decision	Deployments to staging need one approval.	decision	Deployments to production need two approvals.
`

// laterPairs were written when the rules for listedPairs were done. Of the 20 opposed ones 8 were found with
// the old rules, and 19 when first counted with the new. One finding was wrong with both, and has been
// corrected since.
const laterPairs = `
opposed	decision	We deploy with Kamal.	decision	We deploy with Capistrano.
opposed	decision	Wir hosten bei Hetzner.	decision	Wir hosten bei Vercel.
opposed	decision	Exceptions go to Bugsnag.	decision	Exceptions go to Sentry.
opposed	decision	Crashes are sent to Rollbar.	decision	Crashes are sent to Honeybadger.
opposed	decision	Wir nutzen MySQL für die Bestellungen.	decision	Wir speichern die Bestellungen in MongoDB.
opposed	decision	Use Postgres for the audit trail.	decision	The audit trail is stored in MySQL.
opposed	decision	We use Vercel for the website.	decision	The website is hosted on Netlify.
opposed	decision	Use Rust for the parser.	decision	Write the parser in Go.
opposed	decision	The default theme is dark.	decision	The default theme is light.
opposed	decision	The default locale is german.	decision	The default locale is english.
opposed	decision	Our default branch is develop.	decision	Our default branch is main.
opposed	decision	Demos happen on Wednesdays.	decision	Demos happen on Fridays.
opposed	decision	Refunds need three signatures.	decision	Refunds need two signatures.
opposed	decision	Releases need four reviewers.	decision	Releases need 2 reviewers.
opposed	decision	We deploy on Mondays.	decision	We deploy on Thursdays.
opposed	decision	Machines are set up with Ansible.	decision	Machines are set up with Puppet.
opposed	constraint	Every change needs two approvals.	constraint	Every change needs one approval.
opposed	decision	We host on Heroku.	decision	We host on AWS.
opposed	decision	Sessions live in Redis.	decision	We use Valkey for sessions.
opposed	decision	Wir deployen dienstags.	decision	Wir deployen freitags.
beside	decision	We use MongoDB for the catalogue.	decision	We store the invoices in Postgres.
beside	decision	We use Elasticsearch for the catalogue.	decision	We store the catalogue in Postgres.
beside	decision	Use Redis for sessions.	decision	Sessions are stored in Postgres backups.
beside	decision	Use Postgres for the audit trail.	decision	The audit trail is written in JSON.
beside	decision	We use React for the website.	decision	The website is hosted on Netlify.
beside	decision	Use Go for the parser.	decision	Build the parser with Bazel.
beside	decision	Errors go to Sentry.	decision	Errors go to PagerDuty.
beside	decision	Errors in staging go to Sentry.	decision	Errors in production go to Rollbar.
beside	decision	Frontend errors go to Sentry.	decision	Backend errors go to Rollbar.
beside	decision	Exceptions go to Sentry.	decision	Traces go to Honeybadger.
beside	decision	We deploy with Docker.	decision	We deploy with Ansible.
beside	decision	We deploy with Kamal.	decision	We deploy on Fridays.
beside	decision	We test with Jest.	decision	We test with Cypress.
beside	decision	We build with Docker.	decision	We build with Gradle.
beside	decision	We work with Acme.	decision	We work with Globex.
beside	decision	We talk with Anna.	decision	We talk with Peter.
beside	decision	The default branch is main.	decision	The default branch is locked.
beside	decision	The default branch is main.	decision	The release branch is stable.
beside	decision	The default branch is main.	decision	The default theme is dark.
beside	decision	The default editor is fast.	decision	The default theme is dark.
beside	decision	Demos happen on Fridays.	decision	Deploys happen on Tuesdays.
beside	decision	Staging deploys happen on Tuesdays.	decision	Production deploys happen on Fridays.
beside	decision	Tests run on Mondays.	decision	Tests run on Fridays.
beside	constraint	Refunds need two signatures.	constraint	Contracts need three signatures.
beside	constraint	Deployments need two approvals.	constraint	Deployments need one ticket.
beside	constraint	Payments code needs two approvals.	constraint	Docs need one approval.
beside	decision	One worker runs the cron jobs.	decision	Two workers run the imports.
beside	decision	Wir hosten die API bei Hetzner.	decision	Wir hosten die Doku bei Netlify.
beside	decision	Wir deployen Staging mit Ansible.	decision	Wir deployen Produktion mit Pulumi.
beside	decision	Wir nutzen Postgres für die Bestellungen.	decision	Wir speichern die Bilder in MongoDB.
beside	decision	Machines are made with Terraform.	decision	Machines are set up with Ansible.
beside	decision	We use Terraform.	decision	We use Ansible.
beside	decision	We host the blog on Netlify.	decision	We host on AWS.
beside	decision	We ship on Linux.	decision	We ship on Windows.
same	decision	Use Postgres for the audit trail.	decision	The audit trail is stored in Postgres.
same	decision	We use MongoDB for the catalogue.	decision	We store the catalogue in MongoDB.
`

// TestLaterPairs counts how many of them are found, and that none is wrong.
func TestLaterPairs(t *testing.T) {
	const least = 19
	right, all := 0, 0
	for _, p := range disputablePairs(t, laterPairs[1:]) {
		told := inDispute(p.a, p.b)
		switch {
		case told != inDispute(p.b, p.a), told && p.is != "opposed":
			t.Errorf("told %v: %s", told, p.line)
		case told:
			right++
		case p.is == "opposed":
			t.Logf("missed: %s", p.line)
		}
		if p.is == "opposed" {
			all++
		}
	}
	t.Logf("%d of %d told", right, all)
	if right < least {
		t.Errorf("%d of %d told", right, all)
	}
}

func TestListedPairs(t *testing.T) {
	for _, p := range disputablePairs(t, listedPairs[1:]) {
		told := inDispute(p.a, p.b)
		if told != (p.is == "opposed") || told != inDispute(p.b, p.a) {
			t.Errorf("told %v: %s", told, p.line)
		}
	}
}

// TestSpelledNumbers: a written-out number is the number, and so is "one" if it counts something.
func TestSpelledNumbers(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Deployments need two approvals", "Deployments need one approval", false},
		{"Deployments need two approvals", "Deployments need 2 approvals", true},
		{"Jeder Export hat drei Versuche", "Jeder Export hat fünf Versuche", false},
		{"Use the one with TLS", "Use the one with TLS, please", true},
		{"One day we move to Go", "We move to Go one day", true},
	} {
		a, b := bagOf(tt.a), bagOf(tt.b)
		if got := equalBags(a, b); got != tt.same {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
}
