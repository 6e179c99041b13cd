package explain

import "testing"

// TestHeldOutForms was written after the rules. Of its first run
func TestHeldOutForms(t *testing.T) {
	const (
		queues = "Two candidates for the queue:\n\n1. NATS JetStream — one binary, few docs\n" +
			"2. RabbitMQ — mature, needs Erlang\n\nWhich would you like?"
		layouts = "Both would work:\n\n- **Monorepo**: one pipeline\n- **Polyrepo**: separate releases\n\n" +
			"Which layout do you prefer?"
		fonts = "| Format | Size | Support |\n|:--|--:|---|\n| AVIF | smallest | newer browsers |\n" +
			"| WebP | small | everywhere |\n\nWhich format should thumbnails be stored in?"
		wege = "Es gibt drei Wege:\n\nA) Feature-Flags in der Datenbank\nB) Feature-Flags in der Config\n" +
			"C) ein eigener Dienst\n\nWelchen Weg sollen wir gehen?"
		vergleich = "| Kriterium | Terraform | Pulumi |\n|---|---|---|\n| Sprache | HCL | Go |\n" +
			"| Verbreitung | groß | klein |\n\nWelches von beiden bevorzugst du?"
		jsonb = "> we decided to keep addresses in JSONB because they differ by country"
	)
	runForms(t, []form{
		// What says something.
		said("RabbitMQ", queues, "> does the second one need Erlang on every host?", "Only on the broker.",
			"> alright, go with the second one then"),
		said("NATS JetStream", queues, "> which is easier to run?", "The first: it is a single binary.",
			"> let's take option 1"),
		said("Polyrepo", layouts, "> how do releases work with the first?", "All packages share a version.",
			"> then I want the second option"),
		said("WebP", queues, "> NATS please", "Fine. And the images?\n\n"+fonts,
			"> the second, because old phones"),
		said("AVIF", fonts, "> AVIF, since size matters most"),
		said("WebP (Size: small", fonts, "> let's use WebP"),
		said("Pulumi", vergleich, "> das zweite"),
		said("Terraform", vergleich, "> nehmen wir Terraform"),
		said("Feature-Flags in der Config", wege, "> Lösung B bitte"),
		said("ein eigener Dienst", wege, "> ich nehme das dritte"),
		said("Feature-Flags in der Datenbank", wege, "> was kostet C?", "Etwa zwei Wochen.",
			"> gut, dann Variante A"),
		said("C, weil wir das öfter brauchen — ein eigener Dienst", wege, "> C, weil wir das öfter brauchen"),
		said("timestamps as integers", "Do you prefer ISO strings or timestamps as integers in the API?",
			"> the second one"),
		said("block the deploy", "If a migration fails, we could either roll back or block the deploy. "+
			"Which do you prefer?", "> let's go with the latter"),
		said("Vitest", "Should the frontend tests run with Jest or Vitest?", "> Vitest, since it is faster"),
		said("im Repository", "Sollen wir die Geheimnisse im Vault oder verschlüsselt im Repository ablegen?",
			"> das zweite"),
		said("I'd suggest pinning the Go version", "I'd suggest pinning the Go version in go.mod since CI "+
			"drifts. Want me to go ahead?", "> yes, do it"),
		said("we store prices as integers",
			"My recommendation: we store prices as integers. Shall I continue "+
				"with that?", "> sounds good, go ahead"),
		said("Ich empfehle", "Ich empfehle, die Logs nach stdout zu schreiben, weil journald sie sammelt. "+
			"Soll ich das umsetzen?", "> ja bitte, mach das so"),
		said("decision: How do we sign releases? — cosign",
			"? How do we sign releases? | cosign: keyless | GPG => cosign: keyless"),
		said("decision: Who approves schema changes? — the data team",
			"? Who approves schema changes? | Anyone | Nobody => the data team, always two of them"),
		said("decision: Which linters should run? — gofumpt; staticcheck",
			"?* Which linters should run? | gofumpt | staticcheck | revive => gofumpt; staticcheck"),
		said("decision: Wo laufen die Integrationstests? — nur auf dem Server",
			"? Wo laufen die Integrationstests? | lokal | CI => nur auf dem Server"),
		said("decision: What do we do with failed imports? — Retry with backoff",
			"? What do we do with failed imports? | Retry with backoff | Drop them => Retry with backoff"),
		said("decision: we decided to keep addresses", jsonb, "Noted.", "> please don't forget this"),
		said("decision: we decided to keep addresses", jsonb, "Noted.", "> can you make a note of that?"),
		said("decision: we decided to keep addresses", jsonb, "Noted.", "> merk dir das bitte für später"),
		said("decision: we decided to keep addresses", jsonb, "Noted.", "> Kannst du dir das merken?"),
		said("The VPN drops every six hours", "> why?", "The VPN drops every six hours because of its lease.",
			"> bear that in mind"),
		said("decision: Prefer server-side sessions over JWT", "plan # Auth\n\n## Approach\n\n- Prefer "+
			"server-side sessions over JWT because logout must work at once.\n- Add the middleware"),
		said("decision: Store files in S3 instead of",
			"plan # Uploads\n\n1. Store files in S3 instead of the "+
				"database since backups got slow\n2. Write a migration"),

		// What says nothing that is to be resolved.
		said("", queues, "> 2 of the jobs are stuck"),
		said("", queues, "> the second half of the log is missing"),
		said("", queues, "> yes, the broker is up"),
		said("", queues, "> which one do the docs recommend?"),
		said("", queues, "> let's look at the first error again"),
		said("", queues, "> neither of them, keep cron"),
		said("", queues, "> RabbitMQ crashed on me last year"),
		said("", queues, "> NATS", "edit queue.go", "It is in.", "> run the second test again"),
		said("", layouts, "> write the docs first", "edit README.md", "Done.", "> the second"),
		said("", layouts, "> thanks, I will ask the team", "Sure.", "> 2"),
		said("", fonts, "> the second row looks wrong"),
		said("", "| File | Lines |\n|---|---|\n| a.go | 12 |\n| b.go | 40 |\n\nThese are the biggest files.",
			"> the first"),
		said("", wege, "> die erste Zeile im Log ist leer"),
		said("", wege, "> 3 Tests laufen noch nicht"),
		said("", wege, "> nicht Variante B"),
		said("", wege, "> warum Lösung B?"),
		said("", "Should I rerun the job or look at the logs?", "> the latter"),
		said("", "It prints a warning or an error, depending on the level.", "> the second"),
		said("", "Do you see the banner or the login page?", "> the login page"),
		said("", "I suggest checking the logs. Should I go ahead?", "> yes, go ahead"),
		said("", "All tests pass. Shall I continue?", "> yes, do that"),
		said("", "Soll ich die Logs ansehen?", "> ja, mach das"),
		said("", "The fix would need a restart. Should I restart it now?", "> yes please"),
		said("", "? Which file should I look at first? | a.go | b.go => a.go"),
		said("", "? Are you seeing the error on your machine? | Yes | No => Yes"),
		said("", "? How do we sign releases? | cosign | GPG => what does keyless mean?"),
		said("", "? How do we sign releases? | cosign | GPG => not sure, you decide"),
		said("", "? Soll ich jetzt die Tests starten? | Ja | Nein => Ja"),
		said("", jsonb, "Noted.", "> don't forget to run the linter"),
		said("", jsonb, "Noted.", "> you forgot that again"),
		said("", jsonb, "Noted.", "> do you remember that?"),
		said("", jsonb, "Noted.", "> vergiss das wieder"),
		said("", jsonb, "Noted.", "> ich kann mir das nie merken"),
		said("", jsonb, "Noted.", "> make a note in the changelog"),
		said("", "plan # Cleanup\n\n- Replace the loop with a map because it is faster\n- Run the tests"),
		said("", "plan # Release\n\n1. Tag it\n2. Push the tag\n3. Watch the pipeline instead of polling it"),
	})
}

// TestHeldOutAgain was written after what the first set taught. The rules of before heard 5 of
// 26 and were right about 26 of 31; these ones, at first, 22 and 30.
func TestHeldOutAgain(t *testing.T) {
	const (
		sign = "Three ways to sign webhooks:\n\n1. **HMAC** with a shared secret\n2. **Ed25519** keys\n" +
			"3. **mTLS** at the proxy\n\nHMAC is simplest. Which one should we build on?"
		plan = "Zwei Varianten für die Suche:\n\n| Variante | Aufwand | Treffer |\n|---|---|---|\n" +
			"| Postgres-Volltext | gering | ordentlich |\n| Meilisearch | ein Dienst mehr | sehr gut |\n\n" +
			"Was meinst du?"
		why   = "> we went with ULIDs because they sort by time"
		noted = "Noted."
	)
	runForms(t, []form{
		said("Ed25519", sign, "> is 2 slower than 1?", "A little.", "> ok 2 then"),
		said("Ed25519", sign, "> ok let me think", "Sure.",
			"> I'd go for the second option, keys can be rotated"),
		said("HMAC", sign, "> how does 3 work?", "The proxy checks a certificate.",
			"> too complicated. HMAC it is"),
		said("mTLS", sign, "> I prefer the third one because the proxy is there anyway"),
		said("mTLS", sign, "> number three please"),
		said("HMAC", sign, "> option one"),
		said("Meilisearch", plan, "> dann lieber das zweite"),
		said("Postgres-Volltext", plan,
			"> ich bin für die erste Variante, weil wir keinen Dienst mehr wollen"),
		said("Meilisearch", plan, "> wie groß ist der Aufwand beim zweiten?", "Ein Tag.",
			"> ok, machen wir das zweite"),
		said("Postgres-Volltext", plan, "> letzteres ist mir zu viel Aufwand, wir nehmen ersteres"),
		said("soft deletes", "Do you want hard deletes or soft deletes for accounts?", "> soft deletes"),
		said("nur im Fehlerfall", "Sollen Mails immer oder nur im Fehlerfall verschickt werden?",
			"> das zweite"),
		said("per tenant", "Either one bucket for everybody, or one per tenant. Which do you prefer?",
			"> the second option"),
		said("I'd rename it to ledger", "I'd rename it to ledger because account is taken. Shall I go ahead?",
			"> why not book?", "Book is a reserved word there.", "> ok do it"),
		said("I propose one retry with jitter",
			"I propose one retry with jitter. It is enough for their API. "+
				"Shall I proceed or do you want something else?", "> yes, please proceed"),
		said("Mein Vorschlag", "Mein Vorschlag: wir speichern Zeiten in UTC. Passt das so?", "> passt"),
		said("How do clients authenticate? — API keys; OAuth",
			"?* How do clients authenticate? | API keys | OAuth | Basic => API keys; OAuth"),
		said("When do backups run? — at night",
			"? When do backups run? | at night | hourly => at night"),
		said("Should we always commit generated code? — Yes: reviewers see it",
			"? Should we always commit generated code? | Yes: reviewers see it | No => Yes: reviewers see "+
				"it"),
		said("Where should errors be shown? — the second one — in a toast",
			"? Where should errors be shown? | inline | in a toast => the second one"),
		said("decision: we went with ULIDs", why, noted, "> Good. Remember that decision, please."),
		said("decision: we went with ULIDs", why, noted, "> take a note of that"),
		said("decision: we went with ULIDs", why, noted, "> bitte nicht vergessen!"),
		said("decision: we went with ULIDs", why, noted, "> schreib dir das auf"),
		said("Der Proxy heißt larch.", "> Der Proxy heißt larch. Merk dir das."),
		said("decision: Wir verwenden",
			"plan # Suche\n\n## Entscheidungen\n\n- Wir verwenden Meilisearch statt "+
				"Elasticsearch, weil es ein Binary ist.\n\n## Schritte\n\n1. Einbauen"),

		said("", sign, "> the third test in that file fails"),
		said("", sign, "> 3 more things before you start"),
		said("", sign, "> option 2 doesn't work for us"),
		said("", sign, "> I don't like the second one"),
		said("", sign, "> the first one is broken"),
		said("", sign, "> what about option 3"),
		said("", sign, "> yes, I read it"),
		said("", sign, "> take a look at HMAC in the old service"),
		said("", sign, "> HMAC", "edit sign.go", "Implemented.", "> 2 tests are red"),
		said("", sign, "> can you explain mTLS?", "It is TLS both ways. Should I draw it?", "> yes"),
		said("", plan, "> die zweite Spalte verstehe ich nicht"),
		said("", plan, "> das erste Ergebnis ist leer"),
		said("", plan, "> ja, die Tests laufen"),
		said("", plan, "> keine Ahnung, was denkst du?"),
		said("", "Should I fix the parser or the lexer?", "> the parser"),
		said("", "Do you want me to run it on staging or production?", "> staging"),
		said("", "I'd say it was the cache. Should I go ahead?", "> no, the tests pass"),
		said("", "I suggest rebasing first. Shall I go ahead?", "> yes, do it"),
		said("", "Is it the first or the second test that hangs?", "> the second"),
		said("", "? What should we fix first? | login | search => login"),
		said("", "? Have you restarted the server? | Yes | No => Yes"),
		said("", "? Where do you see the error? | console | page => console"),
		said("", "? When do backups run? | at night | hourly => let me ask ops"),
		said("", "? Wann soll ich weitermachen? | jetzt | morgen => jetzt"),
		said("", why, noted, "> remember that?"),
		said("", why, noted, "> I will keep that in mind"),
		said("", why, noted, "> never mind that"),
		said("", why, noted, "> we should not forget the index"),
		said("", why, noted, "> das merke ich mir"),
		said("", why, noted, "> vergiss es"),
		said("",
			"plan # Fix\n\n- Move the check up since it is cheaper\n- Drop the flag because nobody uses it"),
	})
}

// TestHeldOutLast was written after the rules for what is named in other ways. The rules of
// before heard 3 of 21 and were right about 18 of 21; these ones, at first, 14 and 19.
func TestHeldOutLast(t *testing.T) {
	const (
		regions = "We have two options for hosting:\n\n| Region | Latency | Price |\n|---|---|---|\n" +
			"| Frankfurt | 20 ms | 90 EUR |\n| Helsinki | 45 ms | 60 EUR |\n| Gravelines | 30 ms | 70 EUR |"
		inText = "For retries I see two approaches. Option A: a dead letter queue. Option B: exponential " +
			"backoff in the client. Which do you want?"
		fragen = "Wie soll die API versioniert werden? Entweder über den Pfad oder über einen Header. " +
			"Was ist dir lieber?"
		advice = "1. pnpm workspaces\n2. Nx\n3. plain npm\n\nI'd recommend option 1, because it needs no " +
			"daemon. Agreed?"
		rule = "The export must be sorted by customer number because the bank rejects it otherwise."
	)
	runForms(t, []form{
		said("Helsinki", regions, "> Helsinki because it is cheapest"),
		said("Gravelines", regions, "> is the third one in the EU?", "Yes, in France.",
			"> then go with the third"),
		said("Frankfurt (Latency: 20 ms", regions, "> the Frankfurt one"),
		said("exponential backoff", inText, "> option B, the client knows best"),
		said("a dead letter queue", inText, "> the first approach please"),
		said("dead letter queue; exponential", inText, "> both"),
		said("über einen Header", fragen, "> das zweite, weil die URLs stabil bleiben sollen"),
		said("den Pfad", fragen, "> ersteres"),
		said("pnpm workspaces", advice, "> yes"),
		said("pnpm workspaces", advice, "> what does Nx add?", "A build cache.",
			"> ok, go with your recommendation"),
		said("Nx", advice, "> no, I want Nx"),
		said("plain npm", advice, "> too much machinery, let's take 3"),
		said("one worker per region", "Would you rather have one worker per region or one for all?",
			"> one worker per region, because of the laws"),
		said("We should cache tokens",
			"We should cache tokens for an hour instead of asking each time. Shall I "+
				"implement that?", "> ja, mach das"),
		said("decision: What does the CLI print on errors? — JSON",
			"? What does the CLI print on errors? | JSON | text => JSON"),
		said("decision: Welche Felder sind Pflicht? — Name; E-Mail",
			"?* Welche Felder sind Pflicht? | Name | E-Mail | Telefon => Name; E-Mail"),
		said("decision: How often do we deploy? — every Friday, never before holidays",
			"? How often do we deploy? | daily | weekly => every Friday, never before holidays"),
		said(rule, "> why is it sorted?", rule, "> good to know. Don't forget it."),
		said(rule, "> why is it sorted?", rule, "> könntest du dir das bitte merken?"),
		said(rule, "> why is it sorted?", rule, "> never forget this!"),
		said("decision: Stick with", "plan # Mail\n\n- Stick with Postfix instead of SES because of the "+
			"contract.\n- Move the templates"),

		said("", regions, "> 2 regions are enough"),
		said("", regions, "> Frankfurt was down yesterday"),
		said("", regions, "> the third run failed"),
		said("", inText, "> B is a bad name for it"),
		said("", inText, "> both tests fail"),
		said("", fragen, "> das zweite Argument ist falsch"),
		said("", advice, "> no"),
		said("", advice, "> Nx failed for us before"),
		said("", advice, "> write the readme", "edit README.md", "Written.", "> yes, do that"),
		said("", "Should we ship it now or tomorrow?", "> tomorrow"),
		said("", "Would you like to see the diff or the summary?", "> the summary"),
		said("", "I could have a look at the logs. Shall I?", "> yes, do it"),
		said("", "? Which tests should I run? | all | unit => unit"),
		said("", "? Do you have access to staging? | Yes | No => Yes"),
		said("", "? How often do we deploy? | daily | weekly => keine Ahnung"),
		said("", "> why is it sorted?", rule, "> don't forget that customers can be deleted"),
		said("", "> why is it sorted?", rule, "> keep that test in mind when you refactor"),
		said("", "> why is it sorted?", rule, "> did you remember that?"),
		said("", "> why is it sorted?", rule, "> merk dir den Pfad"),
		said("", "> why is it sorted?", rule, "> das vergisst du immer"),
		said("", "plan # Tidy\n\n- Use the new linter\n- Keep the old tests"),
	})
}

// TestHeldOutAtLast was written when the rules were done. The rules of before heard 5 of 22 and
// were right about 21 of 23; these ones, at first, 19 and 23.
func TestHeldOutAtLast(t *testing.T) {
	const (
		stores = "Here's how they compare:\n\n| | DuckDB | ClickHouse |\n|---|---|---|\n| Setup |" +
			" embedded | server |\n| Scale | one box | many |\n\nWhich way would you like to go?"
		auth = "I looked at the login flow. There are a couple of options:\n\n" +
			"**Option 1 – Session cookies**\nWorks with the current middleware.\n\n" +
			"**Option 2 – Short-lived JWTs**\nNeeds a refresh endpoint.\n\nMy recommendation is option 1. " +
			"Want me to go ahead with that?"
		cron    = "Should the nightly job run in Kubernetes or on the old box?"
		farben  = "Die Farben können entweder im Theme oder je Komponente stehen. Was wäre dir lieber?"
		wartung = "1) Wartungsfenster am Sonntag\n2) rollierend ohne Ausfall\n\nWelche Variante bevorzugst " +
			"du?"
		lock = "It hangs because two workers take the lock in a different order."
	)
	runForms(t, []form{
		said("DuckDB", stores, "> DuckDB, because we have one box anyway"),
		said("ClickHouse (Setup: server", stores, "> the second one please"),
		said("DuckDB", stores, "> can the first read Parquet?", "Yes, directly.",
			"> great, then the first one"),
		said("Session cookies", auth, "> yes, go ahead"),
		said("Short-lived JWTs", auth, "> no, let's do option 2 because of the mobile app"),
		said("Short-lived JWTs", auth, "> what about logout with JWTs?", "They expire.", "> ok option 2"),
		said("on the old box", cron, "> on the old box, since the cluster sleeps at night"),
		said("Kubernetes", cron, "> the former"),
		said("je Komponente", farben, "> zweiteres"),
		said("im Theme", farben, "> ich nehme das erste, weil es einheitlich bleibt"),
		said("rollierend", wartung, "> Nummer zwei bitte"),
		said("Wartungsfenster", wartung, "> dauert 2 länger?", "Ja, einen Tag.", "> dann nehmen wir 1"),
		said("rollierend", wartung, "> 2, weil niemand sonntags arbeiten will"),
		said("I propose to version events",
			"I propose to version events instead of migrating them. Should I "+
				"go ahead?", "> yes, do that"),
		said("Ich schlage vor", "Ich schlage vor, Rechnungen unveränderlich zu speichern. Soll ich loslegen?",
			"> ja, leg los"),
		said("decision: How do we name branches by default? — by ticket",
			"? How do we name branches by default? | by ticket | by author => by ticket"),
		said("decision: Wer darf Releases freigeben? — das Plattform-Team",
			"? Wer darf Releases freigeben? | alle | niemand => das Plattform-Team"),
		said("decision: Which metrics do we export? — latency; errors",
			"?* Which metrics do we export? | latency | errors | memory => latency; errors"),
		said(lock, "> why does it hang?", lock, "> make a mental note of that"),
		said(lock, "> why does it hang?", lock, "> bitte merk dir das"),
		said(lock, "> why does it hang?", lock, "> denk bitte daran"),
		said("decision: Keep the monolith",
			"plan # Split\n\n## Decisions\n\n- Keep the monolith rather than "+
				"three services because the team is small\n\n## Steps\n\n1. Delete the stubs"),

		said("", stores, "> 2 boxes would be enough?"),
		said("", stores, "> the second query is slow"),
		said("", stores, "> ClickHouse logs errors on startup"),
		said("", auth, "> yes, the login works"),
		said("", auth, "> option 2 is not an option"),
		said("", auth, "> hold on"),
		said("", cron, "> the old box is down"),
		said("", cron, "> kubernetes is slow today"),
		said("", farben, "> das erste Rot ist zu hell"),
		said("", wartung, "> 2 Server sind noch offen"),
		said("", wartung, "> ja, am Sonntag ist frei"),
		said("", wartung, "> lass uns erst die zweite Fehlermeldung ansehen"),
		said("", "Want me to show the first or the second file?", "> the second"),
		said("", "The build is green. Should I go ahead?", "> yes"),
		said("", "I'd check the DNS first. Should I go ahead?", "> yes, do that"),
		said("", "? What should we do next? | tests | docs => tests"),
		said("", "? Does the page load now? | Yes | No => No"),
		said("", "? Which metrics do we export? | latency | errors => why not all?"),
		said("", "> why does it hang?", lock, "> don't forget the semicolon"),
		said("", "> why does it hang?", lock, "> make a note of the lock order in the readme"),
		said("", "> why does it hang?", lock, "> I can't keep that in mind"),
		said("", "> why does it hang?", lock, "> nicht schon wieder das"),
		said("", "plan # Locks\n\n1. Sort the locks\n2. Use the new helper\n3. Test it under load"),
	})
}
