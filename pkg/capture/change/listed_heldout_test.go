package change

import (
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/memory"
)

// remembered2 is another project, in which nothing of the rules was tried.
func remembered2() (all []Subject) {
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for _, r := range []struct {
		ref      string
		category memory.Category
		text     string
	}{
		{"kafka", memory.Decision, "We use Kafka for the order events."},
		{"datadog", memory.Decision, "Metrics are sent to Datadog."},
		{"svelte", memory.Decision, "The customer portal is written in Svelte."},
		{"squash", memory.Preference, "Squash commits before merging."},
		{"heroku", memory.Decision, "We host the staging system on Heroku."},
		{"reviews", memory.Constraint, "Pull requests need two reviews."},
		{"lines", memory.Constraint, "Functions must have at most 60 lines."},
		{"standup", memory.Decision, "The backlog is groomed every Tuesday."},
		{"backup", memory.Decision, "Backups run daily at 2 am."},
		{"terraform", memory.Decision, "Wir nutzen Terraform für die Infrastruktur."},
		{"english", memory.Preference, "Kommentare schreiben wir auf Englisch."},
		{"jenkins", memory.Decision, "Builds run on Jenkins, not GitLab."},
		{"merge", memory.Decision, "Wir mergen mittwochs."},
	} {
		at = at.Add(-time.Hour)
		all = append(all, Subject{Ref: r.ref, Category: r.category, Title: r.text[:len(r.text)-1],
			Text: r.text, Time: at})
	}
	return all
}

// laterChanges and laterTalk were written when the rules for what a reader listed were done. Without
// these 4 of the 51 were heard and 2 of the 54 taken for a change; when first counted with them 43 and
// none.
var laterChanges = []struct{ statement, want string }{
	{"Instead of Kafka, let's use NATS for the order events.", "kafka"},
	{"Instead of Jenkins we use GitHub Actions now.", "jenkins"},
	{"Instead of Datadog, we'll take Grafana.", "datadog"},
	{"Instead of Heroku, let's go with Fly.", "heroku"},
	{"instead of Svelte let's write the customer portal in React", "svelte"},
	{"OK, instead of Terraform we go with Pulumi.", "terraform"},
	{"Instead of Tuesdays we groom the backlog on Fridays.", "standup"},
	{"Svelte doch nicht, das kennt hier keiner.", "svelte"},
	{"Kafka doch nicht, wir nehmen NATS.", "kafka"},
	{"Also Jenkins doch nicht, das wartet keiner.", "jenkins"},
	{"Terraform doch nicht, Pulumi passt besser.", "terraform"},
	{"Vergiss bitte, was ich zu Kafka gesagt habe.", "kafka"},
	{"Vergiss, was wir über Heroku entschieden haben.", "heroku"},
	{"Vergiss das, was ich zu Datadog gesagt habe, wir nehmen Grafana.", "datadog"},
	{"Vergesst, was ich über Svelte gesagt habe!", "svelte"},
	{"Was wir zu Terraform beschlossen haben, gilt nicht mehr.", "terraform"},
	{"Die Entscheidung für Svelte nehme ich zurück.", "svelte"},
	{"Ich nehme die Entscheidung für Kafka zurück.", "kafka"},
	{"Wir nehmen die Entscheidung zu Datadog zurück, das ist zu teuer.", "datadog"},
	{"Mach die Entscheidung für Jenkins rückgängig.", "jenkins"},
	{"Die Jenkins-Entscheidung machen wir rückgängig.", "jenkins"},
	{"Nehmt die Terraform-Entscheidung bitte zurück.", "terraform"},
	{"Die Heroku-Entscheidung gilt nicht mehr.", "heroku"},
	{"Die Entscheidung für Heroku gilt nicht mehr.", "heroku"},
	{"drop that idea about Kafka", "kafka"},
	{"Forget that decision on Heroku.", "heroku"},
	{"Let's scrap that plan for Svelte.", "svelte"},
	{"never mind that decision about Datadog", "datadog"},
	{"I was wrong, builds run on GitLab, not Jenkins.", "jenkins"},
	{"Sorry, my mistake: we host staging on Fly, not on Heroku.", "heroku"},
	{"Ich lag falsch, wir nutzen Pulumi, nicht Terraform.", "terraform"},
	{"Pull requests no longer need two reviews.", "reviews"},
	{"Functions don't have to have at most 60 lines any more.", "lines"},
	{"Functions no longer must have at most 60 lines.", "lines"},
	{"Pull requests needn't have two reviews anymore.", "reviews"},
	{"We no longer groom the backlog on Tuesdays.", "standup"},
	{"The backlog is not groomed on Tuesdays anymore.", "standup"},
	{"We no longer squash commits before merging.", "squash"},
	{"We no longer send metrics to Datadog.", "datadog"},
	{"Backups are no longer daily.", "backup"},
	{"Scrap the daily backups.", "backup"},
	{"Wir mergen nicht mehr mittwochs.", "merge"},
	{"We don't groom the backlog on Tuesdays any more.", "standup"},
}

// laterPointing mean what was said last.
var laterPointing = []string{
	"Das nehmen wir zurück.", "Okay, das nehme ich zurück, sorry.", "Die Regel gilt nicht mehr.",
	"Diese Entscheidung nehmen wir zurück.", "Mach diese Entscheidung rückgängig.",
	"Nimm die Entscheidung bitte zurück.", "Unsere Entscheidung gilt nicht mehr.",
	"drop that decision for good",
}

var laterTalk = []string{
	"Instead of Kafka logs, look at the Jenkins console.", "Instead of guessing, ask Datadog.",
	"Instead of rerunning Jenkins, fix the test.", "Instead of Heroku the request hit the old server.",
	"Should we use NATS instead of Kafka?", "Instead of Kafka, what could we use?",
	"Show me how it would look, instead of Svelte, in React.",
	"If instead of Kafka we use NATS, what breaks?",
	"Kafka läuft doch nicht, schau mal bitte.", "Der Build auf Jenkins geht doch nicht, er hängt.",
	"Svelte ist doch nicht schuld, es war der Proxy.", "Warum Terraform doch nicht, erklär mir das.",
	"Das stimmt doch nicht, Kafka läuft.", "Vergiss nicht, was ich über Kafka gesagt habe.",
	"Was hatte ich zu Kafka gesagt?", "Weißt du noch, was ich zu Terraform gesagt habe?",
	"Lies nach, was wir zu Heroku beschlossen haben.",
	"Nimm die letzte Änderung an der Kafka-Konfiguration zurück.",
	"Mach den letzten Commit rückgängig.", "Mach das bitte rückgängig.",
	"Nehmen wir die Entscheidung für Kafka zurück?", "Die Entscheidung für Kafka nehmen wir nicht zurück.",
	"Die Kafka-Entscheidung war im März.", "Ich rufe gleich zurück wegen Terraform.",
	"Das Zertifikat auf Heroku gilt nicht mehr.", "Der Datadog-Key gilt nicht mehr.",
	"explain that decision about Kafka", "don't scrap that decision about Kafka",
	"I was wrong, the Jenkins job is fine.", "I was wrong, it's a bug in Kafka, not ours.",
	"I was wrong, the error is in GitLab, not Jenkins.",
	"The Tuesday grooming was cancelled because Anna is ill.", "Tuesday's grooming is off.",
	"This Tuesday we skip the grooming.", "Today's backup was dropped because the disk was full.",
	"The daily backup was cancelled by the operator.", "Last night's backup is gone.",
	"The daily backup is dead since the upgrade.", "Das Dienstags-Grooming fällt heute weg.",
	"The request no longer needs two seconds.", "The importer no longer needs Kafka to start.",
	"The test no longer needs 60 lines of setup.", "My shell no longer finds Terraform.",
	"Datadog no longer receives metrics since noon.", "We no longer see Kafka lag on Tuesdays.",
	"We no longer understand the Jenkins errors.", "No Jenkins builds so far today.",
	"There are no reviews on the pull requests yet.", "Do pull requests no longer need two reviews?",
	"Merge requests on GitLab no longer open.", "The staging system is not on the VPN any more.",
	"Kafka is not on my machine anymore.", "Wir sehen mittwochs keine Fehler mehr.",
	"Der Build läuft mittwochs nicht mehr durch.",
}

// TestListedLater says how much of that is heard: at least what was measured then.
func TestListedLater(t *testing.T) {
	const heard, wrong = 49, 0
	right, mistaken := 0, 0
	for _, tt := range laterChanges {
		if got, ok := Detect(tt.statement, finding.Typed, remembered2()); ok && got.Target.Ref == tt.want {
			right++
		} else {
			t.Logf("not heard: %q (%v, %q by %q)", tt.statement, ok, got.Target.Ref, got.Cue)
		}
	}
	for _, statement := range laterPointing {
		all := remembered2()
		all[3].Injected = true
		if got, ok := Detect(statement, finding.Typed, all); ok && got.Target.Ref == "squash" {
			right++
		} else {
			t.Logf("not heard: %q (%v, %q by %q)", statement, ok, got.Target.Ref, got.Cue)
		}
	}
	for _, statement := range laterTalk {
		if got, ok := Detect(statement, finding.Typed, remembered2()); ok {
			mistaken++
			t.Logf("turns: %q against %q by %q", statement, got.Target.Ref, got.Cue)
		}
	}
	t.Logf("%d of %d heard, %d of %d talk taken for a change", right, len(laterChanges)+len(laterPointing),
		mistaken, len(laterTalk))
	if right < heard || mistaken > wrong {
		t.Errorf("less than %d heard, or more than %d wrong", heard, wrong)
	}
}
