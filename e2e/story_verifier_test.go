//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// With verification on, each risky draft is read by a verifier. A blocked draft is not saved and is kept with
// the reason; one that it passes or wants revised is saved. A preference is not risky and is not verified. No
// dialog is shown.
func TestVerifier(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.Remember("memory-config.json", map[string]any{"triage": map[string]any{"parallel": map[string]any{
			"verification_enabled": true, "verification_model": "haiku",
			"category_models": map[string]string{"decision": "opus"}}}})
		s := l.saver()
		s.Drafts = map[string]any{"decision": []any{
			decisionDraft("Keep the job queue in PostgreSQL", "Jobs are rows of the PostgreSQL table jobs."),
			decisionDraft("Drop Redis from the shop", "Redis is uninstalled everywhere."),
			decisionDraft("Survive restarts", "Whatever runs in the shop survives a restart."),
		}}
		s.Verdict = func(draft string) string {
			switch {
			case strings.Contains(draft, "Redis is uninstalled"):
				return "BLOCK: nobody said that Redis is uninstalled"
			case strings.Contains(draft, "Whatever runs"):
				return "REVISE: only jobs were spoken of"
			case strings.Contains(draft, "rows of the PostgreSQL table"):
				return "PASS"
			}
			return "BLOCK: the draft cannot be seen"
		}

		term := l.Terminal("--permission-mode", "default")
		term.Send(decided + " " + preferred)
		term.Wait(closing)
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		for _, screen := range term.Dialogs() {
			t.Errorf("a dialog was shown during the save\n%s", screen)
		}
		checkQuietHooks(t, l, term)
		term.Quit()

		want := []string{"keep-the-job-queue-in-postgresql.json", "survive-restarts.json"}
		if got := l.Files(l.memories("decisions")); !slices.Equal(got, want) {
			t.Errorf("the decisions %q were saved, want %q\n%s", got, want, l.Model.Digest())
		}
		if got := l.Files(l.memories("preferences")); len(got) != 1 {
			t.Errorf("the preferences %q were saved, want one", got)
		}
		readers := map[string]int{}
		for _, r := range l.Model.Answered("verifier") {
			readers[r.First()]++
			if !strings.Contains(r.Model, "haiku") {
				t.Errorf("a verifier ran on %s, want the configured haiku", r.Model)
			}
		}
		if len(readers) != 3 {
			t.Errorf("%d verifiers, want one for each decision", len(readers))
		}
		for _, r := range l.Model.Answered("drafter") {
			want := "haiku"
			if strings.Contains(r.First(), "Category: decision") {
				want = "opus"
			}
			if !strings.Contains(r.Model, want) {
				t.Errorf("the drafter of %.60q ran on %s, want the configured %s", r.First(), r.Model, want)
			}
		}

		if !l.keeps("nobody said that Redis is uninstalled") {
			t.Error("the verifier's reason is not kept with what it blocked")
		}
	})
}

// decisionDraft is a drafter's draft of a decision.
func decisionDraft(title, decision string) map[string]any {
	return map[string]any{
		"category": "decision", "new_info_summary": title, "intended_action": "create",
		"partial_content": map[string]any{
			"title": title, "tags": []string{"shop"}, "confidence": 0.9, "change_summary": "First record",
			"content": map[string]any{"status": "accepted", "context": "A restart of Redis loses jobs.",
				"decision": decision, "rationale": []string{"Jobs must survive a restart."}}}}
}

// memories is a folder of the project's store.
func (l *Lab) memories(folder string) string {
	return filepath.Join(l.Project, ".claude", "memory", folder)
}

// Remember writes a file of the project's store, by its path there.
func (l *Lab) Remember(path string, v any) {
	l.t.Helper()
	l.WriteJSON(l.memories(path), v)
}

// keeps says that Keepsake's state holds the text.
func (l *Lab) keeps(text string) bool {
	l.t.Helper()
	dir := filepath.Join(l.Home, ".local", "state", "keepsake")
	return slices.ContainsFunc(
		l.Files(dir),
		func(f string) bool { return strings.Contains(l.Read(filepath.Join(dir, f)), text) },
	)
}
