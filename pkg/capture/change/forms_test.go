package change

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// choices are what is recorded in the project of the sentences below, and what was said
// in this session, newest first.
func choices() []Subject {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var all []Subject
	said := func(n int, c memory.Category, text string) {
		at = at.Add(-time.Minute)
		all = append(all, Subject{Ref: fmt.Sprintf("#%d", n), Category: c, Text: text, Time: at,
			Injected: true})
	}
	record := func(path string, c memory.Category, title, text string) {
		at = at.Add(-time.Hour)
		all = append(all, Subject{Ref: path, Category: c, Title: title, Text: text, Time: at})
	}
	said(3, memory.Decision, "Let's put the search into Elasticsearch")
	said(2, memory.Constraint, "Sessions expire after 30 minutes")
	record("queue", memory.Decision, "Redis for the job queue",
		"Use Redis for the job queue. It runs already.")
	record("iac", memory.Decision, "Terraform for the infrastructure",
		"Infrastructure is written in Terraform.")
	record("css", memory.Decision, "Tailwind for styling", "Styles are written with Tailwind, not with Sass.")
	record("orm", memory.Decision, "Prisma as the ORM", "All data access goes through Prisma.")
	record("mono", memory.Decision, "One monorepo", "All services live in one monorepo.")
	record("auth", memory.Decision, "Auth0 for the login", "Users log in with Auth0.")
	record("ci", memory.Decision, "CircleCI for the pipelines", "The pipelines run on CircleCI.")
	record("lang", memory.Decision, "Scripts in Python", "Scripts are written in Python, not in Bash.")
	record("squash", memory.Preference, "Squash merges", "Squash commits when merging a pull request.")
	record("emoji", memory.Preference, "Emoji in commit messages", "Begin commit messages with an emoji.")
	record("node", memory.Constraint, "Node 18", "The code has to run on Node 18.")
	record("coverage", memory.Constraint, "Coverage", "Every package needs 80 percent coverage.")
	return all
}

// formChanges and formTalk are what the forms of leaving and of asking were made with.
var formChanges = []struct{ statement, want string }{
	// leaving, with a preposition
	{"We're moving off Redis", "queue"},
	{"we are moving on from CircleCI", "ci"},
	{"I want to get off Auth0", "auth"},
	{"We're walking away from Terraform", "iac"},
	{"Let's step away from Prisma", "orm"},
	{"We're backing out of Tailwind", "css"},
	{"we're pulling out of CircleCI", "ci"},
	{"time to move on from the monorepo", "mono"},
	{"Let's part ways with Auth0", "auth"},
	// no longer going with it
	{"We are not going with Redis anymore", "queue"},
	{"We aren't using Prisma any longer", "orm"},
	{"we're no longer going with Terraform", "iac"},
	{"I don't want squash merges anymore", "squash"},
	{"we don't do emoji in commit messages anymore", "emoji"},
	{"We are not sticking with Tailwind", "css"},
	{"We decided not to use Auth0", "auth"},
	{"We've decided not to go with Prisma after all", "orm"},
	// doubts with a decision
	{"I'm having second thoughts about Redis: let's do Postgres", "queue"},
	{"Second thoughts on Tailwind, plain CSS is enough", "css"},
	{"I was wrong about Prisma, let's take Drizzle", "orm"},
	{"I regret Auth0, let's go with Keycloak", "auth"},
	// put an end to it
	{"Kill Redis", "queue"},
	{"let's kill the emoji in commit messages", "emoji"},
	{"Nix Terraform", "iac"},
	{"Lose the emoji in the commit messages", "emoji"},
	{"Retire CircleCI", "ci"},
	{"We're phasing out Prisma", "orm"},
	{"Let's phase out Auth0", "auth"},
	{"rip out Tailwind", "css"},
	{"Please toss Redis", "queue"},
	{"Let's sunset CircleCI", "ci"},
	{"Enough of Terraform", "iac"},
	{"lift the coverage rule", "coverage"},
	// one for another
	{"Swap Redis for Postgres", "queue"},
	{"Let's trade Tailwind for vanilla CSS", "css"},
	{"swap out Prisma for Drizzle", "orm"},
	{"we're exchanging CircleCI for Buildkite", "ci"},
	{"substitute Pulumi for Terraform", "iac"},
	// only what comes
	{"Make that Postgres instead", "#3"},
	{"make it OpenSearch instead", "#3"},
	{"Let's do Pulumi instead", "iac"},
	{"Correction: the queue runs on Postgres", "queue"},
	{"Correction: users log in with Keycloak", "auth"},
	{"I meant OpenSearch, not Elasticsearch", "#3"},
	{"Actually, Drizzle for the ORM, not Prisma", "orm"},
	{"scratch Elasticsearch, Typesense it is", "#3"},
	// German
	{"Das hat sich erledigt mit Redis", "queue"},
	{"Das mit Terraform hat sich erledigt", "iac"},
	{"Redis hat sich erledigt", "queue"},
	{"Wir trennen uns von Auth0", "auth"},
	{"Wir verabschieden uns von Prisma", "orm"},
	{"Wir lösen CircleCI durch Buildkite ab", "ci"},
	{"Wir tauschen Tailwind gegen Bootstrap aus", "css"},
	{"tausch Redis gegen Postgres", "queue"},
	{"Wir kommen von Terraform ab", "iac"},
	{"Wir rücken von Prisma ab", "orm"},
	{"Abschied von CircleCI, wir nehmen Buildkite", "ci"},
	{"Ich nehme das mit Auth0 zurück", "auth"},
	{"Korrektur: die Queue läuft auf Postgres", "queue"},
	{"Tailwind schaffen wir ab", "css"},
	{"Wir stampfen das Monorepo ein", "mono"},
	{"Prisma können wir vergessen", "orm"},
	{"Terraform wird abgeschafft", "iac"},
	{"Wir hören mit Squash-Merges auf", "squash"},
	{"Mach daraus lieber OpenSearch", "#3"},
	{"Ich will weg von Redis", "queue"},
}

var formTalk = []string{
	// requests with a clause in them
	"Explain what happens when we switch from Redis to Postgres",
	"Let me know before we drop Redis", "Make sure nobody can drop Redis",
	"Compare: use Postgres instead of Redis", "Add a test that we can switch from Redis to Postgres",
	"Document how we move off Terraform", "Write a script that replaces Prisma with Drizzle",
	"Check that we no longer use Sass", "Verify that Redis is gone", "Tell me why we dropped Sass",
	"Show me how to migrate from Auth0 to Keycloak", "Remind me to get rid of CircleCI",
	"Write down that we stopped using Bash", "Estimate what it costs to move away from CircleCI",
	"Find out who decided against Redis", "List the reasons to drop Tailwind",
	"Describe the steps to switch from Prisma to Drizzle", "Summarize why we'd swap Redis for Postgres",
	"Draft a plan to phase out Auth0", "Look into replacing Terraform with Pulumi",
	"Investigate moving off CircleCI", "Research: Drizzle instead of Prisma",
	"Think about whether Redis has to go", "Ask before you drop Tailwind",
	"Warn the user before we swap Redis for Postgres", "Assume we drop Prisma, what breaks",
	"Run the benchmark with Postgres instead of Redis", "Try it with Postgres instead of Redis first",
	"Create a ticket to get rid of Terraform", "Help me understand what moving off Auth0 means",
	"Ensure that we can switch from CircleCI to Buildkite later",
	"Measure how long it takes to migrate from Prisma to Drizzle",
	"Prepare a comparison: swap Tailwind for Bootstrap", "Weigh the options: kill Redis or keep it",
	"Test what happens once Redis is gone", "Note the risks of moving off Prisma",
	// the cues as work and as other words
	"Kill the Redis container", "kill the Prisma process", "Swap the two Redis arguments",
	"swap Redis and Postgres in the diagram", "the worker moves off the Redis node",
	"I'm having second thoughts about the Redis port", "get off the main branch",
	"Retire the old Redis key prefix", "trade-offs of Tailwind are fine", "Make that a function instead",
	"make it 20 seconds in the Redis test instead", "Correction: there is a typo in the Redis README",
	"the Redis pod was killed", "lose the trailing comma in the Tailwind config",
	"we can't move off Redis", "We are not moving off Redis", "nobody wants to kill Redis",
	// German
	"Erklär, was passiert, wenn wir von Redis auf Postgres umsteigen",
	"Sag Bescheid, bevor wir Redis rauswerfen", "Stell sicher, dass niemand Redis rauswirft",
	"Vergleiche: Postgres statt Redis", "Schreib einen Test, dass wir von Redis auf Postgres wechseln können",
	"Zeig mir, wie wir Prisma durch Drizzle ersetzen", "Prüf, ob wir Terraform nicht mehr nutzen",
	"Dokumentiere, dass wir Sass nicht mehr nutzen", "Der Fehler in Redis hat sich erledigt",
	"Das Problem mit Redis hat sich erledigt", "Wir tauschen uns über Redis aus",
	"tausch die beiden Redis-Argumente", "Wir trennen die Redis-Verbindung", "Redis hört auf Port 6379",
	"Schätz ab, was es kostet, Auth0 abzulösen", "Erinnere mich daran, Tailwind rauszuwerfen",
	"Die Verbindung von Redis bricht ab", "Ich nehme den Redis-Commit zurück",
}

// others are what is recorded in another project, newest first.
func others() []Subject {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	all := []Subject{
		{Ref: "#5", Category: memory.Decision, Text: "We'll host the demo on Hetzner", Time: at,
			Injected: true},
		{Ref: "#4", Category: memory.Preference, Text: "I like my answers short", Time: at, Injected: true},
	}
	for _, r := range []struct {
		ref         string
		category    memory.Category
		title, text string
	}{
		{"stripe", memory.Decision, "Stripe for payments", "Payments go through Stripe, it has SEPA."},
		{"svelte", memory.Decision, "Front end in Svelte",
			"The front end is written in Svelte instead of React."},
		{"grpc", memory.Decision, "gRPC between services", "Services talk to each other with gRPC."},
		{"mongo", memory.Decision, "Profiles in MongoDB", "User profiles are stored in MongoDB."},
		{"poetry", memory.Decision, "Poetry for dependencies", "Python dependencies are locked with Poetry."},
		{"flags", memory.Decision, "Feature flags", "Feature flags come from LaunchDarkly."},
		{"sentry", memory.Decision, "Errors go to Sentry", "All errors of the API are sent to Sentry."},
		{"kotlin", memory.Decision, "Backend in Kotlin", "The backend is written in Kotlin with Ktor."},
		{"playwright", memory.Decision, "Playwright for browser tests", "Browser tests run in Playwright."},
		{"logs", memory.Preference, "Log format", "Logs are written as JSON, one object a line."},
		{"german", memory.Preference, "Commit messages in German", "Write commit messages in German."},
		{"approvals", memory.Constraint, "Two approvals", "A pull request needs two approvals."},
		{"timeout", memory.Constraint, "Request timeout", "Requests time out after 30 seconds."},
	} {
		at = at.Add(-time.Hour)
		all = append(all, Subject{Ref: r.ref, Category: r.category, Title: r.title, Text: r.text, Time: at})
	}
	return all
}

// moreChanges and moreTalk were written after the first round of rules and not seen by it:
// 33 of 40 were heard then, 1 of 40 was wrong. The second round was made with them.
var moreChanges = []struct{ statement, want string }{
	{"We're getting off MongoDB this quarter", "mongo"},
	{"I'd like us to move away from LaunchDarkly", "flags"},
	{"Let's back out of Stripe", "stripe"},
	{"We've given up on gRPC", "grpc"},
	{"Goodbye Sentry, hello Bugsnag", "sentry"},
	{"Please phase Poetry out", "poetry"},
	{"let's throw Playwright out and go with Cypress", "playwright"},
	{"We're not going with Svelte after all", "svelte"},
	{"we aren't keeping Kotlin", "kotlin"},
	{"I don't want commit messages in German anymore", "german"},
	{"We agreed not to use LaunchDarkly", "flags"},
	{"We don't rely on Sentry any longer", "sentry"},
	{"I've got second thoughts about MongoDB, let's take Postgres", "mongo"},
	{"We were wrong about gRPC, plain REST will do", "grpc"},
	{"Kill LaunchDarkly, we'll use Unleash", "flags"},
	{"Axe Poetry", "poetry"},
	{"swap Stripe for Adyen", "stripe"},
	{"Let's exchange Playwright for Cypress", "playwright"},
	{"Substitute uv for Poetry", "poetry"},
	{"Make that Vercel instead", "#5"},
	{"use uv instead", "poetry"},
	{"Correction: profiles are stored in Postgres", "mongo"},
	{"Correction: requests time out after 60 seconds", "timeout"},
	{"I meant Adyen, not Stripe", "stripe"},
	{"Let's rewrite the front end in React, Svelte isn't working for us", "svelte"},
	{"We had it with Sentry, remove it", "sentry"},
	{"Go with REST, forget gRPC", "grpc"},
	{"Das mit Stripe hat sich erledigt", "stripe"},
	{"Wir verabschieden uns von MongoDB", "mongo"},
	{"Von LaunchDarkly trennen wir uns", "flags"},
	{"Wir lösen Sentry durch Bugsnag ab", "sentry"},
	{"Bitte Poetry gegen uv tauschen", "poetry"},
	{"Wir schaffen die deutschen Commit-Messages ab", "german"},
	{"Wir geben Kotlin auf", "kotlin"},
	{"gRPC wollen wir nicht mehr", "grpc"},
	{"Wir haben Playwright abgeschafft", "playwright"},
	{"Nimm React, nicht Svelte", "svelte"},
	{"Korrektur: Die Profile liegen in Postgres", "mongo"},
	{"Nicht gRPC, sondern REST nehmen wir", "grpc"},
	{"Mit Stripe sind wir durch, wir nehmen Adyen", "stripe"},
}

var moreTalk = []string{
	"Explain why somebody would swap Stripe for Adyen", "Ask me before you kill Sentry",
	"Write a migration guide for moving off MongoDB", "List what breaks once gRPC is gone",
	"Let me see what happens if we move away from Svelte", "Add a benchmark with REST instead of gRPC",
	"Check whether we still need Poetry or can drop it",
	"Make sure that we could swap Stripe for Adyen one day",
	"Summarize the thread about getting rid of LaunchDarkly", "Draft an ADR on replacing Poetry with uv",
	"Evaluate Cypress instead of Playwright", "Tell me when we dropped React",
	"Remind me why we moved from React to Svelte", "Create an issue: move off MongoDB",
	"Help me decide: Adyen instead of Stripe?", "Show a diff of what it takes to remove Sentry",
	"Simulate that Stripe is dead", "Let's discuss moving from gRPC to REST tomorrow",
	"Nobody can switch from Stripe to Adyen without approval", "You can see how others moved off MongoDB",
	"Kill the Playwright browser that hangs", "kill Mongo, it doesn't respond",
	"Lose the Sentry import in main.go", "Swap the order of the gRPC arguments",
	"we had second thoughts about the Stripe webhook name", "Make that a constant instead",
	"I was wrong about the Sentry DSN, it's in the env file", "get off the call with Stripe",
	"Correction: the function returns a string", "The customer is moving off Stripe",
	"Trade secrets must not go to Sentry", "Stripe throws out an error",
	"Erklär mir, warum man Stripe gegen Adyen tauschen sollte", "Frag mich, bevor du Sentry rauswirfst",
	"Schreib eine Anleitung, wie man von MongoDB weg kommt", "Teste mal REST statt gRPC",
	"Das Thema mit dem Sentry-Token hat sich erledigt", "Wir geben die Stripe-Daten nicht weiter",
	"Der Kunde trennt sich von Stripe", "Tausch den Stripe-Schlüssel aus",
}

// wildChanges and wildTalk widened the forms in the second round. Of the first a quarter was
// heard before it, of the second 10 were wrong when the forms were first written.
var wildChanges = []struct{ statement, want string }{
	{"Stripe lassen wir weg", "stripe"},
	{"Stripe lassen wir sein", "stripe"},
	{"Lass uns Stripe rauswerfen", "stripe"},
	{"Wir sind weg von Stripe", "stripe"},
	{"Wir wollen von gRPC weg", "grpc"},
	{"Wir möchten Sentry loswerden", "sentry"},
	{"Stripe soll raus", "stripe"},
	{"Stripe raus, Adyen rein", "stripe"},
	{"Sentry out, Bugsnag in", "sentry"},
	{"out with Sentry, in with Bugsnag", "sentry"},
	{"Poetry kannst du rausschmeißen", "poetry"},
	{"Poetry bitte rauswerfen", "poetry"},
	{"bitte entfern Poetry komplett", "poetry"},
	{"Let's not use Stripe after all", "stripe"},
	{"We don't want Stripe after all", "stripe"},
	{"I don't think Stripe is the right choice anymore", "stripe"},
	{"Stripe is no longer an option", "stripe"},
	{"Stripe is not an option anymore", "stripe"},
	{"Stripe isn't an option anymore", "stripe"},
	{"We've outgrown MongoDB", "mongo"},
	{"We're leaving MongoDB", "mongo"},
	{"we're abandoning MongoDB for Postgres", "mongo"},
	{"MongoDB has been replaced by Postgres", "mongo"},
	{"Postgres has replaced MongoDB", "mongo"},
	{"MongoDB → Postgres", "mongo"},
	{"we moved to Postgres from MongoDB", "mongo"},
	{"We migrated MongoDB to Postgres", "mongo"},
	{"Let's migrate the profiles to Postgres", "mongo"},
	{"Move the profiles to Postgres", "mongo"},
	{"the profiles move to Postgres", "mongo"},
	{"Use Postgres for the profiles now", "mongo"},
	{"From now on write commit messages in English", "german"},
	{"Commit messages in English from now on", "german"},
	{"Actually, let's write the front end in React", "svelte"},
	{"Ab jetzt Commit-Messages auf Englisch", "german"},
	{"No, use React for the front end", "svelte"},
	{"One approval is enough from now on", "approvals"},
	{"We only need one approval now", "approvals"},
	{"raise the request timeout to 60 seconds", "timeout"},
	{"Change the request timeout to 60 seconds", "timeout"},
	{"Set the timeout to 10 seconds instead of 30", "timeout"},
	{"Forget the two approvals", "approvals"},
	{"Never mind Stripe", "stripe"},
	{"Nevermind the Stripe decision", "stripe"},
	{"Stripe was a bad choice", "stripe"},
	{"Hold off on Stripe", "stripe"},
	{"don't use Stripe", "stripe"},
	{"Never use Stripe again", "stripe"},
	{"No Stripe", "stripe"},
	{"No Stripe, please", "stripe"},
	{"Stripe is banned from now on", "stripe"},
	{"I take that back about Stripe", "stripe"},
	{"I take back Stripe", "stripe"},
	{"Undo the Stripe thing", "stripe"},
	{"Remove Stripe", "stripe"},
	{"Strip out Stripe", "stripe"},
	{"Take out Stripe and put in Adyen", "stripe"},
	{"Let's pivot away from Stripe", "stripe"},
	{"pivot from Stripe to Adyen", "stripe"},
	{"Switching to Adyen", "stripe"},
	{"We switched to Adyen", "stripe"},
	{"Let's switch payments to Adyen", "stripe"},
	{"switch payments over to Adyen", "stripe"},
	{"we now use Adyen for payments", "stripe"},
	{"We use Adyen now", "stripe"},
	{"payments run on Adyen now", "stripe"},
	{"It's Adyen now instead of Stripe", "stripe"},
	{"Adyen replaces Stripe", "stripe"},
	{"prefer Adyen over Stripe", "stripe"},
	{"Go with Adyen over Stripe", "stripe"},
	{"Adyen it is, not Stripe", "stripe"},
	{"better use Adyen", "stripe"},
	{"Rather Adyen than Stripe", "stripe"},
	{"Stripe? No, Adyen.", "stripe"},
	{"Ditch that, go with Adyen", "#5"},
	{"We changed our mind on payments: Adyen", "stripe"},
	{"Stripe doesn't cut it", "stripe"},
	{"Stripe isn't cutting it, use Adyen", "stripe"},
	{"Entscheidung geändert: Adyen statt Stripe", "stripe"},
	{"wir sind auf Adyen umgestiegen", "stripe"},
	{"Wir setzen jetzt auf Adyen statt Stripe", "stripe"},
	{"Wir wollen Stripe doch nicht", "stripe"},
	{"lieber Adyen als Stripe", "stripe"},
	{"Stripe ist Geschichte", "stripe"},
	{"Stripe ist durch", "stripe"},
	{"Stripe war nix", "stripe"},
	{"Stripe können wir streichen", "stripe"},
	{"streich Stripe", "stripe"},
	{"Streich das mit Stripe", "stripe"},
	{"Stripe fällt weg", "stripe"},
	{"Stripe entfällt", "stripe"},
	{"Wir brauchen Stripe nicht", "stripe"},
	{"Kein Stripe", "stripe"},
	{"Kein Stripe, bitte", "stripe"},
	{"Ersetze Stripe durch Adyen", "stripe"},
	{"Stripe bitte durch Adyen ersetzen", "stripe"},
	{"Wir haben Stripe durch Adyen ersetzt", "stripe"},
	{"Wir haben uns von Stripe getrennt", "stripe"},
	{"Wir haben uns gegen Stripe entschieden", "stripe"},
	{"Stripe wird durch Adyen abgelöst", "stripe"},
	{"Stripe werfen wir über Bord", "stripe"},
	{"Wir kehren Stripe den Rücken", "stripe"},
	{"Revidiere: Adyen", "stripe"},
	{"Ich revidiere das mit Stripe", "stripe"},
	{"Wir machen das nicht mehr mit Stripe", "stripe"},
	{"Wir machen das jetzt mit Adyen statt mit Stripe", "stripe"},
}

var wildTalk = []string{
	"Now the Redis tests pass", "Actually the Redis tests run on Postgres",
	"No, the Redis tests are in Go", "Now run the Redis tests in Docker",
	"From now on log Redis errors as JSON", "From now on the job queue alerts go to Slack",
	"Use Postgres for the audit log from now on", "We use Postgres for the users now",
	"from now on users log in with two factors", "From now on run the pipelines on every push",
	"The pipelines now run on pull requests", "Actually, use Rust for the importer", "No, I said Prisma",
	"No, that's Tailwind 4", "no, use the Prisma client", "Move Redis to Kubernetes",
	"Migrate Prisma to version 6", "move the Tailwind config to the root", "Switch Prisma to strict mode",
	"move the queue to its own package", "migrate Terraform state to S3", "Swap Redis 6 for Redis 7",
	"Swap Redis and Postgres", "Trade Redis memory for speed", "Leave Redis alone",
	"We left Redis running", "leave Redis out of this", "we're leaving Redis as it is",
	"leave Terraform for tomorrow", "Take Redis out of the loop", "Take out the Redis logging",
	"rip out the Redis mock", "throw out the Redis cache entries", "pull Redis out of the image cache",
	"Kick out idle Redis clients", "Let Redis go first", "Let go of the Redis lock",
	"give up on the Redis test", "give up on this Redis bug", "walk away from the Redis issue for now",
	"turn away from Redis logs", "stay away from Redis keys with spaces",
	"stay away from Redis KEYS command", "Get Redis off the public network", "come off it, Redis is fine",
	"get out of the Redis shell", "get off Redis' back", "back out of the Redis prompt",
	"bail out of the Redis loop", "do away with the Redis warnings", "Prefer Redis over Postgres",
	"go over Redis config", "walk me over Prisma", "Take Redis over TLS",
	"I prefer Prisma over Drizzle, as recorded", "Redis over TLS", "choose Prisma over SQL strings",
	"Enough of the Redis talk", "enough with the Redis errors", "we have enough Redis nodes",
	"I was wrong about Redis, it was Postgres that crashed", "I was wrong about Prisma, sorry",
	"you were wrong about Redis", "I regret that Prisma took so long",
	"second thoughts about the Prisma schema, rename it to User",
	"Never mind Redis, the problem is in Prisma", "Never use Redis KEYS again",
	"Never mind the Prisma error", "Redis isn't working", "Redis isn't working for me locally",
	"Prisma doesn't work for us in CI, fix the path", "The Redis mock isn't working out of the box",
	"Prisma is banned from the front end", "Out with it, what's wrong with Redis", "Redis out of memory",
	"I don't want Redis errors anymore", "We don't do Prisma reviews anymore",
	"We are not going with Redis 7 yet", "We agreed not to use Redis for sessions",
	"we decided not to use Prisma in the scripts", "I'm not going with you on Redis",
	"Correction: Redis 7.2 is installed here", "Correction: the tests for the queue are in Go",
	"Correction: the login page is at /signin", "Correction: Elasticsearch needs 2 GB",
	"Make that 3 retries instead", "Make it blue instead", "Make that a Go function instead",
	"make this README German instead", "Let's do the Redis tests instead", "use the index instead",
	"use Promise.all instead", "Use Date instead", "Do the README instead",
	"Let's do Prisma first instead", "read the config with Viper instead", "try Postgres instead",
	"use Postgres for this query instead", "Use Docker instead", "Nein, die Redis-Tests",
	"Jetzt läuft Redis", "Jetzt die Pipelines auf CircleCI anstoßen", "Ab jetzt bitte Deutsch",
	"Wir brauchen Redis nicht neu zu starten", "Wir brauchen Redis noch nicht",
	"Ich will Redis nicht stören", "Wir wollen Prisma nicht patchen", "Redis soll raus ins Netz",
	"Redis fällt ständig aus", "Redis fällt weg vom Raster", "Wir lassen Redis laufen",
	"Lass Redis sein Ding machen", "Wir geben Redis auf Port 1 frei", "Wir geben Prisma mehr Zeit",
	"Wir hören mit den Tests auf", "Redis nehmen wir raus aus dem Log",
	"Wir nehmen Redis raus aus der Compose-Datei", "Streich Redis aus der Liste",
	"Entferne Redis aus dem Test", "Entfern die Redis-Logs", "Ersetze Redis durch Redis 7 im Dockerfile",
	"Ersetze in Redis den Key durch eine UUID", "Tausche Redis und Postgres",
	"Wir ziehen Redis weg von Port 6379", "Kommt Redis weg?",
	"Wir lösen das Problem mit Redis durch einen Neustart", "Redis wird abgelöst oder?",
	"Der Kunde hat Redis abgeschafft", "Sie haben sich von Redis getrennt", "Genug von Redis geredet",
	"Abschied vom Prisma-Schema v1", "lieber heute als morgen", "Lieber Redis prüfen als raten",
	"nicht Redis, sondern Postgres ist langsam", "Es war nicht Redis, sondern Postgres",
	"It's not Redis but Postgres that is slow", "It's Postgres, not Redis, that is slow",
	"The bug is Redis, not Prisma", "I meant the Redis log, not Prisma",
	"Tell the reviewer that we dropped Sass", "Please check out the branch where we drop Prisma",
	"Read about teams that moved off Prisma", "How about we drop Prisma", "Would it hurt to drop Prisma",
	"Thinking of dropping Prisma", "We might drop Prisma", "The plan says to drop Prisma",
	"Dropping Prisma would take a week", "Before dropping Prisma, take a backup",
	"Dropping Prisma is not an option", "drop Prisma? no way", "I'd hate to lose Prisma",
	"We'd lose Prisma that way", "you want to kill Redis?", "killing Redis would fix the test",
	"the OOM killer killed Redis", "retire is not the right word for Prisma", "Sunset theme for Tailwind",
	"Axe DevTools with Tailwind",
}

// heardIn counts what is heard of changes, and what of talk is taken for one.
func heardIn(t *testing.T, all []Subject, changes []struct{ statement, want string },
	talk []string) (heard, wrong int) {
	for _, c := range changes {
		if got, ok := Detect(c.statement, finding.Typed, all); ok && got.Target.Ref == c.want {
			heard++
		} else {
			t.Logf("not heard: %q (%v, %q by %q)", c.statement, ok, got.Target.Ref, got.Cue)
		}
	}
	for _, s := range talk {
		if got, ok := Detect(s, finding.Typed, all); ok {
			wrong++
			t.Logf("turns: %q against %q by %q (%.2f)", s, got.Target.Ref, got.Cue, got.Score)
		}
	}
	t.Logf("%d of %d heard, %d of %d talk taken for a change", heard, len(changes), wrong, len(talk))
	return heard, wrong
}

// TestForms holds what is heard. Before the rules that were made with it, it was 7 of 66 with
// 11 of 71 wrong, and 6 of 40 with 3 of 40 wrong.
func TestForms(t *testing.T) {
	if h, w := heardIn(t, choices(), formChanges, formTalk); h < 65 || w > 0 {
		t.Errorf("the first: %d heard, %d wrong", h, w)
	}
	if h, w := heardIn(t, others(), moreChanges, moreTalk); h < 38 || w > 0 {
		t.Errorf("the second: %d heard, %d wrong", h, w)
	}
	if h, _ := heardIn(t, others(), wildChanges, nil); h < 76 {
		t.Errorf("the wild: %d heard", h)
	}
	if _, w := heardIn(t, choices(), nil, wildTalk); w > 0 {
		t.Errorf("the wild: %d wrong", w)
	}
}

// TestCues: what a statement is read for at all has a word of each form, or the form would
// never be heard.
func TestCues(t *testing.T) {
	for _, f := range leavings {
		for verb := range strings.FieldsSeq(f.verbs) {
			for then := range strings.SplitSeq(f.then, ",") {
				if !hasCue(verb + " " + then) {
					t.Errorf("%s %s", verb, then)
				}
			}
		}
	}
	for _, f := range separables {
		for stem := range strings.FieldsSeq(f.stems) {
			words := strings.Join([]string{f.particle, stem, stem + "en", "ge" + stem + "en", f.by}, " ")
			if !hasCue(words) {
				t.Errorf("%s … %s", stem, f.particle)
			}
		}
	}
}
