package status

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepsake/pkg/journal/analyze"
	"keepsake/pkg/memory"
)

// hostile is a title that would end the element that the data stands in, and run a script.
const hostile = `</script><script>document.title = "{{script}}"</script><img src=x onerror=alert(1)>`

func exampleReport() Report {
	cost := analyze.Cost{Noticed: 3, Saved: 2, Recalled: 5, Refused: 1, Requests: 2, Bytes: 2100,
		Tokens: 11500}
	return Report{Project: "shop", Version: "1.2.3", Made: time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC),
		Since: time.Date(2026, 8, 30, 9, 0, 0, 0, time.UTC), Categories: memory.Categories(), ToReview: 2,
		Unreadable: []string{"decisions/torn.json"},
		Costs: Costs{Days: map[string]analyze.Cost{"2026-11-27": cost}, Total: cost, Limit: 20000,
			Imported: 10, Counted: true},
		Records: []Reported{
			{Path: "decisions/pg.json", Category: memory.Decision, Title: "Jobs live in Postgres",
				Status: memory.Active, Created: "2026-11-02T09:00:00Z", Updated: "2026-11-20T09:00:00Z",
				Took: []string{"decisions/redis.json"}, Missing: []string{"internal/queue/redis.go"},
				Trust: "accepted by the user",
				Lines: []string{"Jobs live in Postgres", "", "Decision: a table"}},
			{Path: "preferences/x.json", Category: memory.Preference, Title: hostile, Status: memory.Active,
				Created: "2026-01-05T09:00:00Z", Updated: "2026-01-05T09:00:00Z", Lines: []string{hostile}},
			{Path: "decisions/redis.json", Category: memory.Decision, Title: "Jobs live in Redis",
				Status: memory.Retired, Created: "2025-12-01T09:00:00Z", Updated: "2025-12-01T09:00:00Z",
				Ended: "2026-11-02T09:00:00Z", By: "decisions/pg.json",
				Lines: []string{"Jobs live in Redis"}},
		}}
}

func TestReportRunsOnlyItsScript(t *testing.T) {
	page, err := exampleReport().HTML()
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	if n := strings.Count(text, "</script"); n != 2 {
		t.Errorf("%d elements are closed, want those of the data and of the script", n)
	}
	if strings.Contains(text, "<img") {
		t.Error("a title is markup")
	}
	m := regexp.MustCompile(`(?s)<script>(.*)</script>`).FindStringSubmatch(text)
	if m == nil {
		t.Fatal("there is no script")
	}
	sum := sha256.Sum256([]byte(m[1]))
	want := "script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if !strings.Contains(text, want) {
		t.Errorf("no %s: the browser would not run it", want)
	}
	for _, url := range regexp.MustCompile(`(?i)https?://[^"'\s]+`).FindAllString(text, -1) {
		if url != "http://www.w3.org/2000/svg" { // the name of a namespace
			t.Errorf("the page names %s", url)
		}
	}
	if !strings.Contains(text[:4096], ReportTitle) {
		t.Error("its head does not say what it is, so it would not be overwritten")
	}
}

// TestReportIsDrawn holds what a real browser makes of the page to a golden file.
func TestReportIsDrawn(t *testing.T) {
	page, err := exampleReport().HTML()
	if err != nil {
		t.Fatal(err)
	}
	dom := drawn(t, page)
	_, main, _ := strings.Cut(dom, "<main")
	main, _, _ = strings.Cut(main, "</main>")
	got := regexp.MustCompile(`</(section|p|details|tr|li|div|svg|rect|text|a|path)>`).ReplaceAllString(
		"<main"+main+"</main>\n", "$0\n")
	const path = "testdata/report.golden"
	if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; KEEPSAKE_GOLDEN=1 rewrites it\n%s", path, got)
	}
}

// drawn returns the document that Chromium makes of a page.
func drawn(t *testing.T, page []byte) string {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no Chromium is installed")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--user-data-dir="+dir, "--dump-dom",
		"file://"+file)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir, "TZ=UTC")
	dom, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(dom)
}

// TestReportFitsNarrowWindows: at the width of a telephone nothing but a drawing in a frame of its own
// scrolls sideways. A window of Chromium is at least 500 wide, so the page is put into frames of another.
func TestReportFitsNarrowWindows(t *testing.T) {
	rep := exampleReport()
	rep.Project = strings.Repeat("shop", 30)
	rep.Records[0].Missing = []string{strings.Repeat("internal/queue/", 12) + "redis.go"}
	rep.Records[0].Title = strings.Repeat("Postgres", 20)
	rep.Records[0].Lines = []string{strings.Repeat("x", 400)}
	rep.Unreadable = rep.Records[0].Missing
	page, err := rep.HTML()
	if err != nil {
		t.Fatal(err)
	}
	var frames strings.Builder
	widths := []int{320, 400, 1200}
	for _, width := range widths {
		fmt.Fprintf(&frames, `<iframe style="width:%dpx;border:0" srcdoc="%s"></iframe>`, width,
			html.EscapeString(string(page)))
	}
	dom := drawn(t, []byte(frames.String()+`<p id="is"></p><script>
onload = () => document.getElementById("is").textContent = [...document.querySelectorAll("iframe")].map((frame) => {
  const page = frame.contentDocument.documentElement;
  return page.querySelectorAll("details").length + " memories, " + page.scrollWidth + " wide";
}).join("; ");
</script>`))
	all := regexp.MustCompile(`3 memories, (\d+) wide`).FindAllStringSubmatch(dom, -1)
	if len(all) != len(widths) {
		t.Fatalf("the page was not drawn:\n%s", dom[max(0, len(dom)-600):])
	}
	for i, width := range widths {
		if wide, _ := strconv.Atoi(all[i][1]); wide > width {
			t.Errorf("in a window %d wide the page is %d wide", width, wide)
		}
	}
}
