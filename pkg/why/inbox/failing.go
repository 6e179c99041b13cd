package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/brief"
	"keepsake/pkg/capture/save"
	"keepsake/pkg/git"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/checks"
	"keepsake/pkg/project/standing"
	"keepsake/pkg/project/verify"
	"keepsake/pkg/text"
)

// A failing is a memory of which a check fails, or that expired, as the last session start found.
type failing struct {
	memory.Stored
	Texts  []string
	Choice standing.Choice
}

// failingOf returns the memories of which a check fails and about which the person has not chosen to keep
// them so.
func failingOf(s *save.Saver) (all []failing, err error) {
	rows, err := s.StandingFile().Read()
	if len(rows) == 0 {
		return nil, err
	}
	chosen, cerr := s.Choices().Read()
	for _, r := range rows {
		choice := standing.Of(chosen, r.Path, r.Digest)
		if choice == standing.Keep {
			continue
		}
		if n := len(all); n > 0 && all[n-1].Path == r.Path {
			all[n-1].Texts = append(all[n-1].Texts, r.Text)
			continue
		}
		m, err := s.Store().Read(r.Path)
		if err != nil || m.Digest != r.Digest || m.Status != memory.Active || s.TrustOf(m).Held {
			continue // it says something else by now
		}
		all = append(all, failing{m, []string{r.Text}, choice})
	}
	return all, errors.Join(err, cerr)
}

// ID names the memory as it is now, and what is known against it.
func (f failing) ID() string {
	return "v" + text.ShortID(f.Path+"\x00"+f.Digest+"\x00"+strings.Join(f.Texts, "\x00"), 5)
}

// brokenBy returns a line for each check that fails about the commit that broke it, as far as git knows one.
func (f failing) brokenBy(ctx context.Context, s *save.Saver,
	now func() []checks.Evaluated) (lines []string) {
	for _, e := range now() {
		for _, l := range e.Checks {
			c, err := memory.ParseCheck(l.Check)
			if err != nil || l.Verdict != verify.Fails || e.Path != f.Path {
				continue
			}
			if b, err := git.Blame(ctx, s.Root, c); err == nil {
				lines = append(lines, brief.BrokenBy(b.Short(), b.Date, b.Subject, b.Author, b.MovedTo))
			} else if errors.Is(err, git.ErrUncommitted) {
				lines = append(lines, err.Error())
			}
		}
	}
	return slices.Compact(lines)
}

// evaluate returns what becomes of the memory's checks now.
func (f failing) evaluate(ctx context.Context, b *Inbox, s *save.Saver) func() []checks.Evaluated {
	return func() []checks.Evaluated {
		all, _ := checks.Evaluate(s.Root, b.Now(), []memory.Stored{f.Stored}, func(commit string) (bool,
			error) {
			return git.HasCommit(ctx, s.Root, commit)
		})
		return all
	}
}

// A list names the commits of so many memories, as far as git finds them in this time. keepsake records blame
// takes its time.
const (
	maxBlamed  = 10
	blameLimit = 3 * time.Second
)

// lines returns the lines of the memory in a list, the at-th of them.
func (f failing) lines(ctx context.Context, b *Inbox, s *save.Saver, at int) (lines []string) {
	lines = append(lines, fmt.Sprintf("%-8s %s \"%s\": %s", f.ID(), brief.Line(f.Path), text.Safe(f.Title),
		brief.Line(strings.Join(f.Texts, "; "))))
	if at < maxBlamed {
		for _, l := range f.brokenBy(ctx, s, f.evaluate(ctx, b, s)) {
			lines = append(lines, strings.Repeat(" ", 9)+l)
		}
	}
	return lines
}

// failingThing returns the Thing for a memory of which a check fails. A yes retires it.
func failingThing(b *Inbox, w *save.Saver, f failing) Thing {
	t := Thing{ID: f.ID(), Approve: "Retire this memory?", Reject: "Keep it, told with what fails?",
		Review: "Retire it? (n keeps it, told with what fails)", Keys: "ynlq",
		Unanswered: f.ID() + stillWaits, w: w}
	t.view = func() View { return View{Text: wholeFailing(b, w, f)} }
	t.Answer = func(ctx context.Context, yes bool) (Done, error) {
		if !yes {
			err := w.Choices().Set(standing.Chosen{Path: f.Path, Digest: f.Digest, Choice: standing.Keep})
			return Done{Said: "kept, and told with what fails: " + brief.Line(f.Path)}, err
		}
		return retire(ctx, w, f.ID(), f.Stored, strings.Join(f.Texts, "; "), nil)
	}
	return t
}

// wholeFailing returns every character of the memory's file, what fails, and which commits broke it.
func wholeFailing(b *Inbox, w *save.Saver, f failing) string {
	var out strings.Builder
	ctx := context.Background()
	fmt.Fprintf(&out, "%s: %s: %s\n", f.ID(), text.Safe(f.Path), text.Safe(strings.Join(f.Texts, "; ")))
	evaluated := f.evaluate(ctx, b, w)()
	for _, e := range evaluated {
		for _, l := range e.Checks {
			fmt.Fprintf(&out, "  %-7s  %s\n", l.Verdict, text.Safe(l.Check))
		}
	}
	for _, l := range f.brokenBy(ctx, w, func() []checks.Evaluated { return evaluated }) {
		out.WriteString(l + "\n")
	}
	if f.Choice == standing.LeaveOut {
		out.WriteString("You chose to leave it out at prompts meanwhile.\n")
	}
	out.WriteString("\n" + text.SafeLines("  | ", strings.TrimRight(string(f.Encode()), "\n")))
	return out.String()
}
