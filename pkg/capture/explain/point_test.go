package explain

import (
	"fmt"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/client/transcript"
)

// A pointer is a request that only points back, and what is to be heard of it: a category with
// the words that it points at, "" where nothing may be heard as asked for.
type pointer struct {
	lines []string
	want  string
}

func pointsAt(want string, lines ...string) pointer { return pointer{lines, want} }

// explicit returns what is heard as asked for in the last line.
func (p pointer) explicit() (all []string) {
	entries := scene(p.lines...)
	last := len(entries) - 1
	before := func(int) []transcript.Entry { return entries[:last] }
	for _, h := range hearWords(before, entries[last:], triage.Options{}) {
		if h.Statement.Explicit {
			all = append(all, fmt.Sprintf("%s: %s", h.Statement.Category, h.Text))
		}
		if h.Statement.Explicit && h.Statement.Level != finding.Sure {
			all = append(all, "not sure")
		}
	}
	return all
}

func runPointers(t *testing.T, all []pointer) {
	right := 0
	for _, p := range all {
		got := fmt.Sprint(p.explicit())
		want := "[" + p.want + "]"
		if got == want {
			right++
			continue
		}
		t.Errorf("%q\n\tgot  %s\n\twant %s", p.lines, got, want)
	}
	t.Logf("%d of %d", right, len(all))
}

// TestWhatRequestsPointAt is what the rules were made with.
func TestWhatRequestsPointAt(t *testing.T) {
	const (
		tiles = "> We use Protomaps for tiles."
		s3    = "The S3 client retries 403s forever, which hides wrong credentials."
		ids   = "> We only log IDs, never names."
		nurID = "> Logs enthalten nur IDs, nie Namen."
	)
	runPointers(t, []pointer{
		pointsAt("decision: We use Protomaps for tiles.", tiles, "Ok.", "> thanks", "You're welcome.",
			"> merk dir diese Entscheidung"),
		pointsAt("decision: We use Protomaps for tiles.", tiles, "Ok.", "> Remember that decision."),
		pointsAt("decision: Tiles come from Protomaps.", "> Tiles come from Protomaps.", "Ok.",
			"> Save this decision for the project."),
		pointsAt("runbook: To fix the flaky login test, reset the clock with `make reset-otp` before each "+
			"run.", "> x",
			"To fix the flaky login test, reset the clock with `make reset-otp` before each run.",
			"> Save that fix for later."),
		pointsAt("runbook: Wenn der Login-Test wackelt, hilft `make reset-otp`.", "> x",
			"Wenn der Login-Test wackelt, hilft `make reset-otp`.", "> merk dir diese Lösung"),
		pointsAt("tech_debt: The parser leaks a file handle per request; we leave it for the rewrite in "+
			"spring.", "> x",
			"The parser leaks a file handle per request; we leave it for the rewrite in spring.",
			"> remember that as tech debt"),
		pointsAt("constraint: Exports may hold at most 10,000 rows, the mail gateway rejects more.",
			"> Exports may hold at most 10,000 rows, the mail gateway rejects more.", "ok",
			"> remember that limit"),
		pointsAt("constraint: Pro Export gehen höchstens 10.000 Zeilen, sonst lehnt das Gateway ab.",
			"> Pro Export gehen höchstens 10.000 Zeilen, sonst lehnt das Gateway ab.", "ok",
			"> merk dir diese Grenze"),
		pointsAt("preference: "+s3, "> x", s3, "> please remember what you just found out"),
		pointsAt("preference: "+s3, "> x", s3, "> remember what you just said"),
		pointsAt("preference: "+s3, "> x", s3, "> merk dir, was du gerade gesagt hast"),
		pointsAt("preference: "+s3, "> x", s3, "> remember the last thing"),
		pointsAt("preference: We only log IDs, never names.", ids, "ok", "> remember what I just said"),
		pointsAt("preference: Logs enthalten nur IDs, nie Namen.", nurID, "ok",
			"> speicher das im Gedächtnis"),
		pointsAt("decision: Logs enthalten nur IDs, nie Namen.", nurID, "ok",
			"> bitte das als Entscheidung abspeichern"),
		pointsAt("preference: Logs hold IDs only.", "> Logs hold IDs only.", "ok", "> commit this to memory"),
		pointsAt("runbook: The cache was stale; restarting the worker fixed it.", "> We use fish here.",
			"The cache was stale; restarting the worker fixed it.", "> remember what you found out as a fix"),
		pointsAt("preference: "+s3, "> Always use tabs, please.", s3, "> remember what you just found out"),
		pointsAt("decision: Mails leave through Postmark.", "> We always use tabs.", "Ok.",
			"> Mails leave through Postmark.", "Ok.", "> remember this decision"),
		pointsAt("", "> x", s3, "> let's save that for later"),
		pointsAt("", "> x", s3, "> I remember what you said"),
		pointsAt("", "> remember that as tech debt"),
		pointsAt("", "> x", s3, "> Bitte abspeichern."), // a file
		pointsAt("", "> x", s3, "> speichern bitte"),
		pointsAt("", "> x", s3, "> speicher das"),
		pointsAt("", nurID, "ok", "> speicher das"),
		pointsAt("", "> x", s3, "> save this fix to fix.patch"),
		pointsAt("", "> x", s3, "> save that fix in a new branch"),
		pointsAt("", "> x", s3, "> make a note of it in TODO.md"),
		pointsAt("", "> x", s3, "> merk dir nichts davon"),
		pointsAt("", "> x", s3, "> keep that in mind while you refactor"),
	})
}
