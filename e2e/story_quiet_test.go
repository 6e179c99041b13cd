//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"keepsake/internal/listing"
)

// The plugin loads. In a headless run the answer is the result: what was decided is staged, and no feedback
// makes the model speak again.
func TestHeadlessStagesOnly(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver()
		run := l.Headless(decided)
		if run.Code != 0 || run.Result().Result != agreed {
			t.Errorf("exit %d, result %q, want the answer\n%s", run.Code, run.Result().Result,
				l.Model.Digest())
		}
		checkLoaded(t, run)
		checkStagedOnly(t, l)
		checkListing(t, l)
	})
}

// checkListing asserts that every session begins with the lines that package listing counts, and with no
// other word of the plugin's skills and agents.
func checkListing(t *testing.T, l *Lab) {
	t.Helper()
	skills, agents, err := listing.Lines(l.Plugin)
	if err != nil {
		t.Fatal(err)
	}
	want := append(agents, skills...)
	var got []string
	for _, line := range lines(l.Model.Answered("main")[0].Text()) {
		if strings.HasPrefix(line, "- keepsake:") {
			got = append(got, line)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the client lists\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// In plan mode nothing may be written, so there is no feedback either.
func TestPlanModeStagesOnly(t *testing.T) {
	eachClient(t, func(t *testing.T, c Client) {
		l := NewLab(t, c)
		l.InstallKeepsake()
		l.saver()
		term := l.Terminal("--permission-mode", "plan")
		term.Send(decided)
		term.Wait(agreed)
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		checkStagedOnly(t, l)
		term.Quit()
	})
}

// checkStagedOnly asserts that the decision is kept, outside the project, and that the model heard nothing.
func checkStagedOnly(t *testing.T, l *Lab) {
	t.Helper()
	if len(l.Model.Tails(heard("Stop", ""))) > 0 {
		t.Errorf("a feedback reached the model\n%s", l.Model.Digest())
	}
	if kept := l.staged(); len(kept) == 0 {
		t.Error("the decision is nowhere on the stage, nor among what waits")
	}
	if files := l.Files(filepath.Join(l.Project, ".claude", "memory")); len(files) > 0 {
		t.Errorf("the store holds %q without a save", files)
	}
}

// staged are the files outside the project and outside the client's own that quote the decision.
func (l *Lab) staged() []string {
	l.t.Helper()
	var out []string
	for _, dir := range []string{l.Runtime, l.Home} {
		for _, f := range l.Files(dir) {
			ours := !strings.HasPrefix(f, ".claude") // the client's own files hold the conversation
			if ours && strings.Contains(l.Read(filepath.Join(dir, f)), "the job queue in PostgreSQL") {
				out = append(out, filepath.Join(dir, f))
			}
		}
	}
	return out
}
