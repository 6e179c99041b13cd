package change

import (
	"testing"
	"time"

	"keepsake/pkg/memory"
)

// unseen are what is recorded in a third project, newest first.
func unseen() []Subject {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	all := []Subject{
		{Ref: "#8", Category: memory.Decision, Text: "Let's cache the pages in Memcached", Time: at,
			Injected: true},
	}
	for _, r := range []struct {
		ref         string
		category    memory.Category
		title, text string
	}{
		{"vue", memory.Decision, "Admin UI in Vue", "The admin UI is written in Vue 3."},
		{"sqlite", memory.Decision, "SQLite as the store", "The CLI keeps its data in SQLite."},
		{"fly", memory.Decision, "Deploy to Heroku", "The app is deployed to Heroku, in the EU region."},
		{"rabbit", memory.Decision, "RabbitMQ for events", "Events are sent through RabbitMQ."},
		{"eslint", memory.Preference, "Lint with ESLint", "JavaScript is linted with ESLint."},
		{"commits", memory.Preference, "Conventional commits",
			"Commit messages follow Conventional Commits."},
		{"pnpm", memory.Decision, "pnpm as package manager",
			"Dependencies are installed with pnpm, not npm."},
		{"docs", memory.Decision, "Docs with Docusaurus", "The docs are built with Docusaurus."},
		{"mixpanel", memory.Decision, "Analytics in Mixpanel", "Product analytics go to Mixpanel."},
		{"french", memory.Preference, "Answers in French", "Answer in French."},
		{"helm", memory.Decision, "Helm charts", "Releases are rolled out with Helm."},
		{"vault", memory.Decision, "Secrets in Vault", "Secrets come from HashiCorp Vault."},
		{"cypress", memory.Decision, "End-to-end tests in Cypress",
			"End-to-end tests are written in Cypress."},
	} {
		at = at.Add(-time.Hour)
		all = append(all, Subject{Ref: r.ref, Category: r.category, Title: r.title, Text: r.text, Time: at})
	}
	return all
}

// unseenChanges and unseenTalk were written when all forms were done, and nothing was mended
// for them.
var unseenChanges = []struct{ statement, want string }{
	{"we're ditching Heroku next month", "fly"},
	{"I want us off Mixpanel", "mixpanel"},
	{"ok we're dropping cypress, playwright it is", "cypress"},
	{"Let's walk away from Docusaurus", "docs"},
	{"moving off rabbitmq, everything goes through nats", "rabbit"},
	{"we are not going with Helm anymore", "helm"},
	{"Not doing Conventional Commits any more", "commits"},
	{"I'm having second thoughts about SQLite, let's go with Postgres", "sqlite"},
	{"I was wrong about Vue, React is what the team knows", "vue"},
	{"Kill Mixpanel", "mixpanel"},
	{"Retire Vault, we use SOPS now", "vault"},
	{"rip Docusaurus out, plain Markdown is fine", "docs"},
	{"swap eslint for biome", "eslint"},
	{"Please swap out Helm for Kustomize", "helm"},
	{"replace Mixpanel by PostHog everywhere", "mixpanel"},
	{"Let's migrate from Vault to SOPS", "vault"},
	{"make that Redis instead", "#8"},
	{"use npm instead", "pnpm"},
	{"Correction: the docs are built with Hugo", "docs"},
	{"Correction, events go through NATS", "rabbit"},
	{"no, I meant npm, not pnpm", "pnpm"},
	{"from now on answer in English", "french"},
	{"Actually let's use React for the admin UI", "vue"},
	{"We've given up on Helm", "helm"},
	{"Heroku has to go", "fly"},
	{"Turns out Cypress was the wrong choice", "cypress"},
	{"Vault is overkill, drop it", "vault"},
	{"The Mixpanel thing is off", "mixpanel"},
	{"We pulled the plug on Mixpanel", "mixpanel"},
	{"Das mit Heroku ist vom Tisch", "fly"},
	{"Helm hat sich für uns erledigt", "helm"},
	{"Wir verabschieden uns von Cypress", "cypress"},
	{"Wir tauschen ESLint gegen Biome", "eslint"},
	{"Vue lösen wir durch React ab", "vue"},
	{"Mixpanel schmeißen wir raus", "mixpanel"},
	{"Wir gehen weg von Heroku", "fly"},
	{"Bitte kein Docusaurus mehr", "docs"},
	{"Korrektur: die Events laufen über NATS", "rabbit"},
	{"Ab sofort auf Englisch antworten", "french"},
	{"Ich habe mich umentschieden: npm statt pnpm", "pnpm"},
}

var unseenTalk = []string{
	"Explain the trade-offs before we swap ESLint for Biome",
	"Can you check what moving off Heroku would cost",
	"Make sure we can roll back if we drop Helm", "Let me know once RabbitMQ is gone from staging",
	"Write a doc that describes how we migrate from Vault to SOPS",
	"Compare SQLite to Postgres instead of guessing",
	"Add a failing test for when Cypress is replaced by Playwright",
	"List everything we lose if we retire Vault",
	"Tell me who decided against npm", "Prepare a spike on replacing Vue with React",
	"Document how to switch from pnpm to npm locally", "Don't kill Mixpanel yet",
	"We are not dropping Helm", "Peter wants us to get rid of Heroku",
	"Is there a reason we're moving off Heroku?",
	"Kill the RabbitMQ consumer and start it again", "Swap the Vue props",
	"Drop the SQLite file before the tests",
	"The Heroku dyno is dead again", "ESLint is off in that folder",
	"rip the Vue component out into its own file",
	"correction: that Vue warning comes from the router", "use the ESLint cache instead of a full run",
	"Make that a Vue component instead", "I was wrong about the Vault path", "get the Helm chart off my disk",
	"No, the Cypress video is too large", "From now on run ESLint before each commit",
	"Now use Vue devtools to look at it", "Actually the Vault token expired",
	"switch the Helm chart to version 3",
	"Zeig mir, was passiert, wenn Vault wegfällt", "Sag mir Bescheid, bevor du Helm entfernst",
	"Prüf mal, ob wir noch von Heroku wegkommen", "Schreib ein Skript, das ESLint durch Biome ersetzt",
	"Die Sache mit dem Vue-Fehler hat sich erledigt", "Wir geben Mixpanel noch eine Woche",
	"Nimm Vue aus dem Bundle raus", "Helm nicht neu installieren, nur upgraden",
	"Wir lassen RabbitMQ erstmal weiterlaufen",
}

// unseenHard has the words of the new forms in sentences that change nothing. It was written
// last, to find where they fail: one of 42 was wrong, which is mended.
var unseenHard = []string{
	"Kick the Helm release out of the queue", "we moved the Vault pod off node 3", "Give up the Vault lock",
	"let Heroku go to sleep at night", "Take the Vue logo out", "throw out all Cypress screenshots",
	"leaving Mixpanel aside, what else is slow", "Let's step away from the keyboard",
	"pull Vue out of node_modules", "We got Helm off the ground", "swap Vue 2 syntax for Vue 3 syntax",
	"Trade Heroku credits for time", "exchange the Vault token for a new one",
	"substitute the Helm values for staging", "correction: there are 14 Cypress specs",
	"Make that 200 instead", "use double quotes instead", "Use the Vue router instead", "no, Vue is fine",
	"no wait, ESLint complains about Vue", "now ESLint is green", "we now have 3 Helm charts",
	"Actually, ESLint has a rule for that", "We run ESLint on save now",
	"never run Cypress headless again on this machine",
	"prefer Vue slots over props", "I regret to say that Heroku is down again",
	"we were wrong about the Heroku region, it's us-east",
	"second thoughts on the Mixpanel event names, snake case is nicer", "enough Vue for today",
	"goodbye Vue warnings", "switch Heroku to maintenance mode", "migrate the Vault cluster to Raft storage",
	"move Cypress to devDependencies", "Wir tauschen das Vault-Token gegen ein neues", "Vault lassen wir so",
	"Wir geben Helm die neuen Werte", "Heroku fällt weg, wenn das Guthaben leer ist",
	"Streich Vue nicht aus der Liste", "Lös das Vue-Problem durch ein Update",
	"Wir nehmen Helm raus in die Testumgebung", "nicht Vue, ESLint meckert",
}

// TestUnseen holds what was heard of that then. Before the forms it was 7 of 40, none wrong.
func TestUnseen(t *testing.T) {
	const heard, wrong = 34, 0
	if h, w := heardIn(t, unseen(), unseenChanges, unseenTalk); h < heard || w > wrong {
		t.Errorf("less than %d heard, or more than %d wrong", heard, wrong)
	}
	if _, w := heardIn(t, unseen(), nil, unseenHard); w > 0 {
		t.Errorf("%d of the hard ones wrong", w)
	}
}
