package stop

import (
	"fmt"
	"strings"
	"testing"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
)

// answers is an answer of the model with so many tokens before it.
func (l *lab) answers(model string, tokens int) *lab {
	l.line(map[string]any{"type": "assistant",
		"message": map[string]any{"id": fmt.Sprint("msg_", l.n), "role": "assistant", "model": model,
			"content": []any{says("Good.")},
			"usage": map[string]any{"input_tokens": 1000, "cache_creation_input_tokens": 2000,
				"cache_read_input_tokens": tokens - 3000, "output_tokens": 77}}})
	return l
}

// runs is a session that began with a model.
func (l *lab) runs(model string) *lab {
	l.t.Helper()
	if err := l.open().Update(func(st *stage.State) error {
		st.Pressure.Model = model
		return nil
	}); err != nil {
		l.t.Fatal(err)
	}
	return l
}

const haiku = "claude-haiku-4-5"

// TestEachThresholdIsToldOnce: at 70 and at 85 per cent, and again after a compaction.
func TestEachThresholdIsToldOnce(t *testing.T) {
	l := newLab(t).runs(haiku)
	round := func() {
		for _, step := range []struct {
			tokens int
			says   string
		}{
			{60_000, ""}, {110_000, ""}, {139_000, ""},
			{141_000, "fills 70 %"}, {150_000, ""}, {169_000, ""},
			{171_000, "fills 85 %"}, {180_000, ""}, {199_000, ""}, {141_000, ""},
		} {
			said := l.person(chatter).answers(haiku, step.tokens).stop("")
			if (said == "") != (step.says == "") || !strings.Contains(said, step.says) {
				t.Errorf("%d tokens: %q, want %q", step.tokens, said, step.says)
			}
			l.stop("", active)
		}
	}
	round()
	l.line(map[string]any{"type": "system", "subtype": "compact_boundary"})
	round()
}

// TestTheLastFlushIsFree: the full summary at 85 per cent takes nothing from the
// budget and needs none; the save at 70 per cent needs none.
func TestTheLastFlushIsFree(t *testing.T) {
	l := newLab(t).runs(haiku)
	l.config(`{"capture":{"max_saves_per_session":1}}`)
	l.tells(l.person(decided).stop("Yes."))
	l.applied()
	l.silent(l.stop("Saved."))
	l.silent(l.person(decided2).answers(haiku, 90_000).stop("")) // over: kept for a later session
	l.wantStaged()
	l.silent(l.person(prefers).answers(haiku, 120_000).stop("")) // over, and the window fills
	l.wantStaged(memory.Preference)
	said := l.person(chatter).answers(haiku, 145_000).stop("")
	l.tells(said, "fills 72 %", "[PREFERENCE]", "pnpm")
	l.applied()
	l.silent(l.stop("Saved."))
	before := l.open().State.Saves
	said = l.person(chatter).answers(haiku, 175_000).stop("")
	l.tells(said, "fills 87 %", "[SESSION_SUMMARY]", "pending items and who owns them")
	if after := l.open().State.Saves; after != before {
		t.Errorf("the budget went from %d to %d", before, after)
	}
	c, err := l.open().Desk.Context(memory.SessionSummary)
	if err != nil || !strings.Contains(c.Excerpt, "Kafka") {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestNothingStagedIsToldToo: at 70 per cent the agent is told to save by itself
// what Keepsake did not notice.
func TestNothingStagedIsToldToo(t *testing.T) {
	l := newLab(t).runs(haiku)
	said := l.person(chatter).answers(haiku, 145_000).stop("")
	if !strings.Contains(said, "Nothing of it is staged") || strings.Contains(said, "triage_data_file") {
		t.Errorf("%q", said)
	}
}

// TestOneStepOverTwoThresholds tells the higher one alone.
func TestOneStepOverTwoThresholds(t *testing.T) {
	l := newLab(t).runs(haiku)
	said := l.person(chatter).answers(haiku, 175_000).stop("")
	if !strings.Contains(said, "fills 87 %") || strings.Count(said, "fills") != 1 {
		t.Errorf("%q", said)
	}
}

// TestHalfFullStagesMore: what comes near its threshold is staged from 50 per cent
// on, and is no reason to speak.
func TestHalfFullStagesMore(t *testing.T) {
	const near = "We chose Postgres."
	l := newLab(t).runs(haiku)
	l.config(`{"triage":{"thresholds":{"decision":0.75}}}`)
	l.silent(l.person(near).answers(haiku, 50_000).stop(""))
	l.wantStaged()
	l.silent(l.person("We chose Kafka.").answers(haiku, 110_000).stop(""))
	l.wantStaged(memory.Decision)
	news, _ := l.open().News(l.now)
	if news.Full.Percent != 0 {
		t.Errorf("told where nobody sits: %+v", news.Full)
	}
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
	news, told := l.open().News(l.now)
	if news.Full.Percent != 55 || told == nil {
		t.Fatalf("%+v", news.Full)
	}
	if err := l.open().Update(func(st *stage.State) error { told(st); return nil }); err != nil {
		t.Fatal(err)
	}
	if news, _ := l.open().News(l.now); news.Full.Percent != 0 {
		t.Errorf("told twice: %+v", news.Full)
	}
}

// TestHalfFullIsSilent where the agent is never told to save.
func TestHalfFullIsSilent(t *testing.T) {
	t.Setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
	for _, settings := range []string{`{"capture":{"on_stop":"stage"}}`,
		`{"capture":{"max_saves_per_session":0}}`} {
		l := newLab(t).runs(haiku)
		l.config(settings)
		l.silent(l.person(decided).answers(haiku, 110_000).stop(""))
		s := l.open()
		if news, _ := s.News(l.now); news.Full.Percent != 0 || s.Full(s.State).Percent != 55 {
			t.Errorf("%s: told %+v of %+v", settings, news.Full, s.Full(s.State))
		}
	}
}

// TestUnknownWindowsAreSilent.
func TestUnknownWindowsAreSilent(t *testing.T) {
	for name, c := range map[string]struct {
		began, answers string
		tokens         int
	}{
		"nobody knows the model":              {"", "somebody/else-7b", 199_000},
		"it may run with a wide window":       {"", haiku, 199_000},
		"changed to one that may be wide":     {"claude-opus-5", haiku, 199_000},
		"wide":                                {"claude-opus-4-6[1m]", "claude-opus-4-6", 199_000},
		"more in it than it holds":            {haiku, haiku, 201_000},
		"an answer that says nothing of that": {haiku, haiku, 3000},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t).runs(c.began)
			l.silent(l.person(chatter).answers(c.answers, c.tokens).stop(""))
		})
	}
}

func TestAWindowThatIsSet(t *testing.T) {
	l := newLab(t)
	l.config(`{"capture":{"context_window":50000}}`)
	if said := l.person(chatter).answers("somebody/else-7b", 36_000).stop(""); !strings.Contains(said,
		"fills 72 %") {
		t.Errorf("%q", said)
	}
}

// TestPressureIsSilent where nothing is ever said, and stages all the same.
func TestPressureIsSilent(t *testing.T) {
	for name, change := range map[string]func(*lab){
		"nobody there": func(l *lab) { l.attended = false },
		"plan mode":    func(l *lab) { l.mode = "plan" },
		"staged only":  func(l *lab) { l.config(`{"capture":{"on_stop":"stage"}}`) },
		"never asked":  func(l *lab) { l.config(`{"capture":{"max_saves_per_session":0}}`) },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t).runs(haiku)
			change(l)
			l.silent(l.person(decided).answers(haiku, 175_000).stop(""))
			l.wantStaged(memory.Decision)
		})
	}
}

// TestPlanModeIsToldOfTheWindowAfterwards.
func TestPlanModeIsToldOfTheWindowAfterwards(t *testing.T) {
	l := newLab(t).runs(haiku)
	l.mode = "plan"
	l.silent(l.person(chatter).answers(haiku, 145_000).stop(""))
	l.mode = "default"
	if said := l.person(chatter).answers(haiku, 146_000).stop(""); !strings.Contains(said, "fills 73 %") {
		t.Errorf("%q", said)
	}
}

// TestMomentsAreTold: once, with what writes them, and with the rest.
func TestMomentsAreTold(t *testing.T) {
	l := newLab(t)
	said := l.person("Phase 2 is done.").stop("Great.")
	if !strings.Contains(said, `[PROGRESS] "Phase 2 is done."`) ||
		!strings.Contains(said, "keepsake project progress") || strings.Contains(said, "triage_data_file") {
		t.Errorf("%q", said)
	}
	l.silent(l.stop("Written down.", active))
	l.silent(l.person(chatter).stop("Good."))
	said = l.person(decided + " That's wrong, the lock file stays.").stop("Yes.")
	l.tells(said, "[DECISION]", "[CORRECTION]")
	if n := len(l.moments()); n > 0 {
		t.Errorf("%d still wait", n)
	}
	l.config(`{"triage":{"moments":false}}`)
	l.applied()
	l.silent(l.stop("Saved."))
	l.silent(l.person("Phase 3 is done.").stop("Great."))
}

// moments are those that wait to be told.
func (l *lab) moments() []finding.Status {
	l.t.Helper()
	book, err := l.open().Book()
	if err != nil {
		l.t.Fatal(err)
	}
	_, moments := l.open().Waiting(book, false)
	return moments
}

// TestMomentsWait where nothing is said, and beyond the budget, for a later session.
func TestMomentsWait(t *testing.T) {
	for name, change := range map[string]func(*lab){
		"nobody there":   func(l *lab) { l.attended = false },
		"plan mode":      func(l *lab) { l.mode = "plan" },
		"staged only":    func(l *lab) { l.config(`{"capture":{"on_stop":"stage"}}`) },
		"no budget left": func(l *lab) { l.config(`{"capture":{"max_saves_per_session":0}}`) },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			change(l)
			l.silent(l.person("Phase 2 is done.").stop("Great."))
			if n := len(l.moments()); n != 1 {
				t.Fatalf("%d wait", n)
			}
			if err := l.open().Finish(); err != nil {
				t.Fatal(err)
			}
			later, err := session.Open(session.Call{ID: "s2", Cwd: "/"})
			if err != nil {
				t.Fatal(err)
			}
			l.open().Update(func(st *stage.State) error {
				st.Client = stage.Process{PID: 1 << 22,
					Start: "1"}
				return nil
			})
			if said, err := later.EndedMoments(l.now); err != nil || len(said) != 1 {
				t.Errorf("%+v, %v", said, err)
			}
			if said, err := later.EndedMoments(l.now); err != nil || len(said) != 0 {
				t.Errorf("told again: %+v, %v", said, err)
			}
		})
	}
}
