package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A livedMemory is a memory of a domain with what may be said about it.
type livedMemory struct {
	title, text, why string
	prompt           string   // what is asked when it comes
	says             []string // how an agent puts it to use in words
	does             []string // and in a command, or in what it writes to a file
	against          string   // how a person corrects an agent that went by it
}

// subjects are memories of many domains. Those with an odd index are held out: no rule was made with them.
var subjects = []livedMemory{
	{"Send mail through Postmark",
		"All mail goes out through Postmark with the template stream.",
		"Bounces are shown.",
		"the welcome mail needs to go out after signup",
		[]string{"I'll call the Postmark client from the signup job.", "Sent via Postmark now."},
		[]string{"curl -H \"$KEY\" https://api.postmarkapp.com/email", "client := postmark.New(key)"},
		"no, we left Postmark last month"},
	{"Prices are integers of cents",
		"Amounts are stored as int64 amount_cents, never as floats.",
		"Sums must match to the cent.",
		"add a discount to the invoice total",
		[]string{"The discount is computed on amount_cents.", "I keep the amounts in integers of cents."},
		[]string{"total.amount_cents -= discount", "psql -c 'select amount_cents from invoices'"},
		"that's wrong, amount_cents was replaced by decimals"},
	{"Feature flags live in Unleash",
		"Flags are evaluated with the Unleash SDK, one per rollout.",
		"Marketing switches them.",
		"hide the beta dashboard from most customers",
		[]string{"I add an Unleash flag around the dashboard.", "Guarded by unleash.isEnabled now."},
		[]string{"if unleash.IsEnabled(\"beta-dashboard\") {", "npm i unleash-client"},
		"stop using Unleash, we have LaunchDarkly"},
	{"Deploys go through Nomad",
		"Services are deployed with nomad job run from the deploy box.",
		"Two people can run it.",
		"roll out the new api version",
		[]string{"I plan the Nomad job first.", "The job file for Nomad is updated."},
		[]string{"nomad job run deploy/api.nomad.hcl", "nomad job plan api.nomad.hcl"},
		"no, Nomad is switched off, it's all on ECS"},
	{"Retry uploads with a jittered backoff",
		"Uploads are tried five times with exponential jitter, cap 30 seconds.",
		"S3 throttles bursts.",
		"uploads fail sometimes, make them robust",
		[]string{"I add exponential backoff with jitter, capped at thirty seconds.",
			"It now retries with jitter and a cap."},
		[]string{"backoff := newExponentialJitter(cap)",
			"for attempt := range 5 { sleep(jitter(attempt)) }"},
		"wrong, the exponential jitter made it worse, one attempt only"},
	{"Dates are shown in the customer's zone",
		"Times are stored as UTC and rendered with Intl.DateTimeFormat of the tenant.",
		"Support got many complaints.",
		"the order list shows odd times",
		[]string{"I render them by Intl.DateTimeFormat with the tenant's zone.",
			"Stored as UTC, shown per tenant."},
		[]string{"new Intl.DateTimeFormat(tenant.locale, {timeZone: tenant.zone})",
			"formatUTC(tenant, order.placed)"},
		"no, not per tenant, the warehouse's zone"},
	{"Images are resized by imgproxy",
		"Thumbnails come from imgproxy with signed urls.",
		"The app servers ran out of memory.",
		"show small pictures in the product grid",
		[]string{"The grid asks imgproxy for thumbnails.", "I sign the imgproxy address for each picture."},
		[]string{"url := imgproxy.Sign(path, \"rs:fit:200\")", "docker run darthsim/imgproxy"},
		"no, imgproxy is gone, Cloudflare does the thumbnails"},
	{"Migrations never lock the orders table",
		"Indexes on orders are made with CREATE INDEX CONCURRENTLY by goose.",
		"The shop stood still once.",
		"speed up the search by customer",
		[]string{"I make the index CONCURRENTLY in a goose migration.",
			"The goose migration is without a transaction."},
		[]string{"CREATE INDEX CONCURRENTLY orders_customer ON orders(customer)",
			"goose create orders_customer sql"},
		"no, goose can't do that any more, use Atlas"},
	{"Background work runs in Oban",
		"Jobs are Oban workers in the queue named heavy.",
		"They survive a crash of the node.",
		"export big accounts without blocking the page",
		[]string{"The export becomes an Oban worker.", "I enqueue it in Oban, queue heavy."},
		[]string{"use Oban.Worker, queue: :heavy", "mix oban.gen.worker Export"},
		"that's wrong, Oban was dropped for Broadway"},
	{"Secrets come from Vault",
		"Credentials are read from Vault at boot by the sidecar.",
		"Audit asked for it.",
		"the payments module needs its api credentials",
		[]string{"I read them from Vault in the boot path.", "The sidecar of Vault mounts them."},
		[]string{"vault kv get secret/payments", "creds := vault.Read(\"payments\")"},
		"no, Vault is being retired, use the SSM parameters"},
	{"Frontend state is kept in Zustand",
		"Shared state lives in one Zustand store per route.",
		"Redux was too much ceremony.",
		"remember the chosen filters between pages",
		[]string{"I put the filters into the Zustand store of the route.",
			"The store is made with Zustand."},
		[]string{"import { create } from 'zustand'", "pnpm add zustand"},
		"not Zustand, we use signals now"},
	{"Searches use trigram indexes",
		"Fuzzy lookup uses pg_trgm with a gin index at similarity 0.3.",
		"Typos are common.",
		"people misspell company names when they look them up",
		[]string{"I add pg_trgm and compare by similarity.", "A gin index with trigrams answers it."},
		[]string{"CREATE EXTENSION pg_trgm", "where name % $1 order by similarity(name, $1)"},
		"no, pg_trgm is too slow there, we have Typesense"},
	{"Logs are structured with slog",
		"Every service logs JSON by slog with request_id.",
		"Loki parses it.",
		"I can't follow one call through the services",
		[]string{"I pass request_id to slog in the middleware.", "Each line of slog has it now."},
		[]string{"slog.With(\"request_id\", id)", "grep request_id app.log"},
		"no, slog is out, zerolog stays"},
	{"Money moves only in the ledger service",
		"Balances change by double entry postings in ledgerd.",
		"Auditors need the trail.",
		"let customers move credit between wallets",
		[]string{"Two postings in ledgerd move it.", "I write a double entry with ledgerd."},
		[]string{"ledgerd.Post(debit, credit)", "curl localhost:7070/ledgerd/postings"},
		"stop, ledgerd is frozen, wallets have their own table"},
	{"Load tests run with k6 at night",
		"k6 scripts in perf/ run against staging called heron.",
		"By day the box is shared.",
		"check how many users the checkout bears",
		[]string{"I write a k6 script for heron.", "It runs by k6 against heron tonight."},
		[]string{"k6 run perf/checkout.js", "BASE=https://heron.example k6 run perf/checkout.js"},
		"no, not heron, that is the demo system"},
	{"Forms are validated with Zod",
		"Input is parsed with the Zod schema shared by server and client.",
		"They drifted apart.",
		"the signup form accepts broken phone numbers",
		[]string{"I tighten the Zod schema that both sides share.", "The Zod schema refuses them."},
		[]string{"phone: z.string().regex(/^[+]/) // zod", "import { z } from 'zod'"},
		"no, Zod is too big for the client, use Valibot"},
	{"Passwords are hashed with argon2id",
		"argon2id with 64 MB and 3 passes.",
		"bcrypt cut long phrases.",
		"let users change how they sign in",
		[]string{"The new one is hashed by argon2id.", "I keep argon2id with three passes."},
		[]string{"argon2.IDKey(pw, salt, 3, 64*1024, 4, 32) // argon2id",
			"go get golang.org/x/crypto/argon2"},
		"wrong, argon2id times out on the small boxes"},
	{"Webhooks are deduplicated by Stripe's id",
		"Each event id is put into stripe_events before it is handled.",
		"They come twice.",
		"handle refunds that come from the payment provider",
		[]string{"I insert the id into stripe_events first.",
			"Known ones in stripe_events are passed over."},
		[]string{"insert into stripe_events(id) values ($1) on conflict do nothing",
			"stripe listen --forward-to :4242"},
		"no, stripe_events is full of holes, use the outbox"},
	{"The mobile app caches in SQLite with WAL",
		"Offline data is in SQLite, journal in WAL, one writer.",
		"Threads blocked each other.",
		"make the notes screen work without a connection",
		[]string{"I store the notes in SQLite with WAL.", "One writer to SQLite, in WAL."},
		[]string{"PRAGMA journal_mode=WAL", "db = SQLiteDatabase.open(notes)"},
		"no, not SQLite, Realm is what we ship"},
	{"Translations are keyed by ICU messages",
		"Texts are ICU MessageFormat in locales/*.arb.",
		"Plurals differ.",
		"say how many items are in the basket",
		[]string{"I add an ICU plural to the arb files.", "The arb has the ICU message."},
		[]string{"\"basket\": \"{n, plural, one{# item} other{# items}}\" // arb",
			"flutter gen-l10n --arb-dir locales"},
		"no, ICU is over, we have Fluent"},
	{"Charts are drawn with uPlot",
		"Time series are drawn by uPlot at 60 points a pixel.",
		"D3 was slow.",
		"plot the temperature of the last year",
		[]string{"I draw it by uPlot.", "uPlot gets the series in columns."},
		[]string{"new uPlot(opts, data, el)", "npm i uplot"},
		"no, uPlot can't do our print view"},
	{"Reviews need a changeset",
		"Each pull request adds a file by npx changeset.",
		"Releases had no notes.",
		"prepare what I did for merging",
		[]string{"I add a changeset for it.", "The changeset says minor."},
		[]string{"npx changeset add", "cat .changeset/brave-owls.md"},
		"stop adding changesets, release-please does it"},
	{"Robots speak MQTT with retained state",
		"Robots publish to fleet/+/state, retained, QoS 1.",
		"They reconnect often.",
		"show which machines are online",
		[]string{"I subscribe to fleet/+/state by MQTT.", "The retained MQTT state tells it."},
		[]string{"mosquitto_sub -t 'fleet/+/state'", "mqtt.Subscribe(\"fleet/+/state\", 1)"},
		"no, MQTT is only for the old fleet"},
	{"Der Import läuft über Kafka",
		"Importe laufen über Kafka, Topic lager.v2, mit Schlüssel SKU.",
		"Die Reihenfolge zählt.",
		"neue artikel sollen schneller im shop sein",
		[]string{"Ich lese lager.v2 aus Kafka mit der SKU.", "Der Konsument hängt am Topic lager.v2."},
		[]string{"kafka-console-consumer --topic lager.v2", "consumer.subscribe(\"lager.v2\")"},
		"nein, lager.v2 ist abgeschaltet, wir nutzen NATS"},
}

var (
	plainWork = []string{"I look at the code first.", "Done: three files changed, the suite is green.",
		"I read the handler and its callers, and moved the check up.",
		"Here is the plan: first the model, then the view.",
		"It works now; I also removed a dead branch.", "Ich sehe mir zuerst den Code an."}
	otherCorrections = []string{"no, the button belongs to the left",
		"that's wrong, the heading must be bold",
		"stop, run the linter first", "no, call the variable rows"}
	vagueCorrections = []string{"No, that's wrong.", "no", "That is wrong, undo that."}
	goOn             = []string{"thanks, now the docs", "great, commit it",
		"and what about the second page?", "ok, next"}
)

// A kind of memory: what an agent makes of it, and what the person says then.
type fate string

const (
	helpful fate = "helpful"
	useless fate = "useless"
	harmful fate = "harmful"
)

// timesGiven is how often each is given, and early how many of these are enough to tell them apart roughly.
const timesGiven, early = 8, 3

// A truth is what really happened: how often the agent went by the memory, and how often it was corrected for
// that.
type truth struct{ used, corrected int }

// live gives a memory to some sessions in which things happen as they do with its fate.
func (l *usageLab) live(rng *rand.Rand, m livedMemory, f fate, path, prefix string) (real truth) {
	pick := func(all []string) string { return all[rng.IntN(len(all))] }
	for i := range timesGiven {
		id := fmt.Sprint(prefix, i)
		if rng.IntN(3) == 0 { // something was said before
			l.person(id, "what does "+pick([]string{"main", "the cron entry", "this folder"})+" do?")
			l.agent(id, pick(plainWork))
			l.stop(id, "")
		}
		l.give(id, path)
		l.person(id, m.prompt)
		l.hooked(id, m.title+": "+m.text+" "+m.why)
		l.agent(id, pick(plainWork))
		use := func() {
			real.used++
			switch rng.IntN(3) {
			case 0:
				l.agent(id, pick(m.says))
			case 1:
				l.call(id, "Bash", map[string]any{"command": pick(m.does)}, "ok")
			default:
				l.call(id, "Edit", map[string]any{"file_path": "src/a.txt", "old_string": "x",
					"new_string": pick(m.does)}, "edited")
			}
		}
		next := pick(goOn)
		p := rng.Float64()
		switch f {
		case helpful: // it is used mostly, and obeyed without a word at times
			if p < .7 {
				use()
			}
			if rng.Float64() < .1 {
				next = pick(otherCorrections)
			}
		case useless: // it is about something else; its words come by accident, or from a file
			switch {
			case p < .1:
				l.agent(id, "A word on "+pick(strings.Fields(strings.ToLower(m.why)))+" before I go on.")
			case p < .25:
				l.call(id, "Read", map[string]any{"file_path": "README.md"}, m.text+" "+m.why)
				l.agent(id, pick(m.says))
			}
			if rng.Float64() < .15 {
				next = pick(append(otherCorrections, vagueCorrections...))
			}
		case harmful: // it is used, and that was wrong
			if p < .8 {
				use()
			}
			if p < .6 {
				real.corrected++
				next = m.against
				if rng.Float64() < .4 {
					next = pick(vagueCorrections)
				}
			}
		}
		l.agent(id, pick(plainWork))
		l.stop(id, "")
		l.person(id, next)
		l.agent(id, pick(plainWork))
		l.stop(id, "")
		l.end(id)
	}
	return real
}

// TestUsageTellsMemoriesApart: memories that help, that are of no use and that do harm are told apart by
// their counts, in domains with which no rule was made. The table is that of docs/quality.md.
func TestUsageTellsMemoriesApart(t *testing.T) {
	type lived struct {
		of                        fate
		used, corrected           float64 // of the times that it was given
		usedEarly, correctedEarly float64
		real                      truth
	}
	var halves [2][]lived
	for d, m := range subjects {
		l := newUsageLab(t)
		rng := rand.New(rand.NewPCG(18, uint64(d)))
		for _, f := range []fate{helpful, useless, harmful} {
			path := l.remember(string(f), m.title, m.text, m.why)
			x := lived{of: f, real: l.live(rng, m, f, path, string(f))}
			log, err := l.open("reader").Usage()
			if err != nil {
				t.Fatal(err)
			}
			h := log.History(path, timesGiven)
			if h.Count.Prompts != timesGiven || len(h.Times) != timesGiven {
				t.Fatalf("%s: given %d times", m.title, h.Count.Prompts)
			}
			x.used, x.corrected = float64(h.Count.Used), float64(h.Count.Corrected)
			for _, n := range h.Times[timesGiven-early:] {
				if len(n.Used) > 0 {
					x.usedEarly++
				}
				if n.Corrected {
					x.correctedEarly++
				}
			}
			halves[d%2] = append(halves[d%2], x)
		}
	}
	// auc returns how often one of a kind has more than one of another, ties as half.
	auc := func(all []lived, a, b fate, by func(lived) float64) float64 {
		n, sum := 0.0, 0.0
		for _, x := range all {
			for _, y := range all {
				if x.of != a || y.of != b {
					continue
				}
				n++
				switch {
				case by(x) > by(y):
					sum++
				case by(x) == by(y):
					sum += .5
				}
			}
		}
		return sum / n
	}
	used, corrected := func(l lived) float64 { return l.used }, func(l lived) float64 { return l.corrected }
	const aucs = "%-8s  AUC after %d times: helpful over useless by use %.2f, " +
		"harmful over helpful by correction %.2f"
	for half, name := range []string{"seen", "held out"} {
		all := halves[half]
		for _, f := range []fate{helpful, useless, harmful} {
			var u, c, n float64
			var real truth
			for _, x := range all {
				if x.of == f {
					u, c, n = u+x.used, c+x.corrected, n+timesGiven
					real.used, real.corrected = real.used+x.real.used, real.corrected+x.real.corrected
				}
			}
			t.Logf("%-8s  %-7s  %3.0f times  used %3.0f (really %3d)  corrected %3.0f (really %3d)", name, f,
				n, u,
				real.used, c, real.corrected)
			if u > float64(real.used) || c > float64(real.corrected) {
				t.Errorf("%s, %s: more is counted than happened", name, f)
			}
			if f != useless && u < .8*float64(real.used) || f == harmful && c < .75*float64(real.corrected) {
				t.Errorf("%s, %s: too little is counted", name, f)
			}
		}
		helps, harms := auc(all, helpful, useless, used), auc(all, harmful, helpful, corrected)
		t.Logf(aucs,
			name, timesGiven, helps, harms)
		t.Logf(aucs,
			name, early, auc(all, helpful, useless, func(l lived) float64 { return l.usedEarly }),
			auc(all, harmful, helpful, func(l lived) float64 { return l.correctedEarly }))
		if helps < .95 || harms < .95 {
			t.Errorf("%s: %.2f, %.2f", name, helps, harms)
		}
	}
}
