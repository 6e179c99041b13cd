package session

import (
	"slices"
	"testing"
	"time"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/memory"
)

func TestSaveRequest(t *testing.T) {
	for args, want := range map[string]struct {
		as   memory.Category
		text string
	}{
		"decision We use Postgres.":          {memory.Decision, "We use Postgres."},
		"  Tech-Debt: the importer is slow ": {memory.TechDebt, "the importer is slow"},
		"preference tabs":                    {memory.Preference, "tabs"},
		"staging is called heron":            {"", "staging is called heron"},
		"decision":                           {},
		"decision ":                          {},
		"session_summary we built the thing": {},
		"that decision":                      {},
		"everything":                         {},
		"--tier scratch the importer":        {},
		"--tier=why the importer":            {},
		"":                                   {},
	} {
		as, text, ok := parseSaveRequest(args)
		if ok != (want.text != "") || ok && (as != want.as || text != want.text) {
			t.Errorf("%q: %q, %q, %v; want %+v", args, as, text, ok, want)
		}
	}
}

// TestUntyped: a prompt that an agent scheduled comes by the same command as one that is
// typed, and the line that the client writes of it tells.
func TestUntyped(t *testing.T) {
	s := open1(t, "s1")
	const said = "Always deploy with the installer."
	f := finding.Status{Finding: finding.Finding{Number: 3, Session: "s1", Cue: SaveCommand,
		By:     finding.Typed,
		Origin: finding.FromPerson, Text: said}}
	line := func(who transcript.Who, marked transcript.Marked) transcript.Entry {
		return transcript.Entry{Who: who, Marked: marked, Called: SaveCommand, Text: "decision " + said}
	}
	typed, old := line(transcript.Person, transcript.ByHand), line(transcript.Person, transcript.Unmarked)
	fired, sent := line(transcript.Scheduled, transcript.Unmarked), line(transcript.Person, transcript.BySDK)
	for name, tc := range map[string]struct {
		entries []transcript.Entry
		want    []int
	}{
		"typed":                   {[]transcript.Entry{typed}, nil},
		"typed in an old client":  {[]transcript.Entry{old}, nil},
		"not written yet":         {nil, nil},
		"scheduled":               {[]transcript.Entry{fired}, []int{3}},
		"sent by a program":       {[]transcript.Entry{sent}, []int{3}},
		"scheduled, and typed":    {[]transcript.Entry{fired, typed}, nil},
		"something else happened": {[]transcript.Entry{{Who: transcript.Scheduled, Text: "Go on."}}, nil},
	} {
		if got := s.Untyped([]finding.Status{f}, tc.entries); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
	other := f
	other.Cue = "we decided"
	if got := s.Untyped([]finding.Status{other}, []transcript.Entry{fired}); got != nil {
		t.Errorf("what Stop heard: %v, want none", got)
	}
}

// What says which command to run is a rule, whatever it reads like; what was decided is a choice.
func TestRulesOfCommands(t *testing.T) {
	s := open1(t, "s1")
	for said, want := range map[string]memory.Category{
		"Use pnpm, not npm.":                         memory.Preference,
		"Never push to main.":                        memory.Preference,
		"We decided to use pnpm instead of npm.":     memory.Decision,
		"Use Postgres, not Redis, for the job queue": memory.Decision,
	} {
		if got := s.Wanted(said, "", "keepsake remember", time.Now()).Category; got != want {
			t.Errorf("%q is a %s, want %s", said, got, want)
		}
	}
}
