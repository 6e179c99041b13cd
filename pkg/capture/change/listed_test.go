package change

import (
	"strings"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// remembered are records as "keepsake remember" makes them of a sentence, newest first: the
// title is the sentence.
func remembered() (all []Subject) {
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for _, r := range []struct {
		ref      string
		category memory.Category
		text     string
	}{
		{"elastic", memory.Decision, "We use Elasticsearch for the product search."},
		{"postmark", memory.Decision, "Emails are sent through Postmark."},
		{"flutter", memory.Decision, "The mobile app is written in Flutter."},
		{"spaces", memory.Preference, "Use four spaces for indentation in Python."},
		{"aws", memory.Decision, "We host the service on AWS in Frankfurt."},
		{"passwords", memory.Constraint, "Passwords must have at least 12 characters."},
		{"thursday", memory.Decision, "Releases go out every Thursday."},
		{"keycloak", memory.Decision, "Wir nutzen Keycloak für die Anmeldung."},
		{"german", memory.Preference, "Commit-Nachrichten schreiben wir auf Deutsch."},
		{"versions", memory.Decision, "The API is versioned by URL path, /v1 and /v2."},
		{"docker", memory.Decision, "Images are built with Docker, not Podman."},
	} {
		at = at.Add(-time.Hour)
		all = append(all, Subject{Ref: r.ref, Category: r.category, Title: strings.TrimRight(r.text, "."),
			Text: r.text, Time: at})
	}
	return all
}

// listed are changes as a reader wrote them who saw none of the rules.
var listed = []struct{ statement, want string }{
	{"Instead of Docker, let's use Podman.", "docker"},
	{"Instead of Flutter we use Kotlin now.", "flutter"},
	{"Instead of Postmark, let's use SES for the emails.", "postmark"},
	{"Instead of on Thursdays, releases go out on Mondays.", "thursday"},
	{"Instead of Thursdays we release on Mondays now.", "thursday"},
	{"Flutter doch nicht, das ist zu langsam.", "flutter"},
	{"Flutter doch nicht, wir nehmen Kotlin.", "flutter"},
	{"Flutter doch nicht, zu wenig Plugins.", "flutter"},
	{"Vergiss, was ich zu Postmark gesagt habe.", "postmark"},
	{"Vergiss, was ich über Postmark gesagt habe.", "postmark"},
	{"Vergiss was ich zu Postmark gesagt habe", "postmark"},
	{"Was ich zu Postmark gesagt habe, gilt nicht mehr.", "postmark"},
	{"Die Entscheidung für Keycloak nehmen wir zurück.", "keycloak"},
	{"Die Entscheidung mit Keycloak nehmen wir zurück.", "keycloak"},
	{"Wir machen die Entscheidung für Keycloak rückgängig.", "keycloak"},
	{"Nimm die Keycloak-Entscheidung zurück.", "keycloak"},
	{"scrap that decision about AWS", "aws"},
	{"I was wrong, we host on Hetzner, not AWS.", "aws"},
	{"Sorry, I was wrong: we host on Hetzner, not on AWS.", "aws"},
	{"Passwords no longer need 12 characters.", "passwords"},
	{"Passwords no longer have to have at least 12 characters, 8 will do.", "passwords"},
	{"Passwords don't have to be 12 characters any more, 8 are enough.", "passwords"},
	{"The password minimum of 12 characters no longer applies.", "passwords"},
	{"We no longer release on Thursdays.", "thursday"},
	{"Releases are not on Thursdays anymore.", "thursday"},
	{"no Thursday releases any more", "thursday"},
	{"We're not releasing on Thursdays after all.", "thursday"},
	{"Scrap the Thursday releases.", "thursday"},
	{"We release on Mondays instead of Thursdays.", "thursday"},
	{"We'd rather host on Hetzner than on AWS.", "aws"},
	{"Elasticsearch is being replaced by Meilisearch.", "elastic"},
}

// listedPointing mean what was said last.
var listedPointing = []string{
	"Das nehme ich zurück.", "Diese Entscheidung gilt nicht mehr.", "Scrap that.", "That decision is off.",
	"Die Entscheidung nehmen wir zurück.", "Nein, das nehmen wir zurück.", "scrap that decision",
}

// listedTalk has the same words and changes nothing.
var listedTalk = []string{
	"The Thursday release was cancelled because of the outage.", "The Thursday release was cancelled.",
	"Thursday's release is cancelled because the CI is red.", "Last Thursday's release got cancelled by ops.",
	"This week's Thursday release is off, the CI is red.", "Das Donnerstags-Release fällt diese Woche aus.",
	"Instead of Docker logs, show me the journal.", "Instead of restarting Flutter, clear the cache.",
	"Statt Flutter neu zu starten, leer erst den Cache.", "Passwords no longer show up in the Keycloak log.",
	"Why do passwords no longer need 12 characters?", "Flutter doch nicht gestartet, schau mal.",
	"Vergiss nicht, was ich zu Postmark gesagt habe.", "Nimm den letzten Commit zurück.",
	"This test no longer needs Docker.", "Flutter no longer compiles on my Mac.",
	"We no longer get Postmark bounces.", "Keycloak startet nicht mehr.",
	"I was wrong about the port, Keycloak is not on 8080.",
	"Mach die letzte Änderung an Keycloak rückgängig.",
	"The Docker registry was replaced last night.", "The Flutter meetup was cancelled because of the storm.",
	"The Keycloak upgrade was reverted because of the outage.", "Die Keycloak-Schulung wurde abgesagt.",
	"Forget the Keycloak theme for now.", "We skipped Docker in the last job because of the outage.",
	"Our AWS invoice was dropped because of the credits.",
}

func TestListed(t *testing.T) {
	right := 0
	for _, tt := range listed {
		if got, ok := Detect(tt.statement, finding.Typed, remembered()); !ok || got.Target.Ref != tt.want {
			t.Errorf("%q: %v, against %q by %q", tt.statement, ok, got.Target.Ref, got.Cue)
		} else {
			right++
		}
	}
	t.Logf("%d of %d heard", right, len(listed))
	for _, statement := range listedPointing {
		all := remembered()
		all[3].Injected = true
		if got, ok := Detect(statement, finding.Typed, all); !ok || got.Target.Ref != "spaces" {
			t.Errorf("%q: %v, against %q by %q", statement, ok, got.Target.Ref, got.Cue)
		}
	}
	for _, statement := range listedTalk {
		if got, ok := Detect(statement, finding.Typed, remembered()); ok {
			t.Errorf("%q turns against %q by %q", statement, got.Target.Ref, got.Cue)
		}
	}
}
