package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

func TestNothingIsTheDefault(t *testing.T) {
	for _, text := range []string{"", " \n", "\ufeff", "{}", "\ufeff{}"} {
		c, warnings := Parse([]byte(text), nil)
		if !reflect.DeepEqual(c, Default()) || len(warnings) > 0 {
			t.Errorf("%q: %+v, %v", text, c, warnings)
		}
	}
}

func category(cat memory.Category, change func(*Category)) func(*Config) {
	return func(c *Config) {
		s := c.Categories[cat]
		change(&s)
		c.Categories[cat] = s
	}
}

// Every key is shown to act: the setting it changes, and nothing else.
func TestKeys(t *testing.T) {
	for text, change := range map[string]func(*Config){
		`{"triage":{"enabled":false}}`:                                                      func(c *Config) { c.Triage.Enabled = false },
		`{"triage":{"thresholds":{"DECISION":0.9,"tech-debt":0}}}`:                          func(c *Config) { c.Triage.Thresholds[memory.Decision] = .9; c.Triage.Thresholds[memory.TechDebt] = 0 },
		`{"triage":{"parallel":{"enabled":false}}}`:                                         func(c *Config) { c.Triage.Parallel.Enabled = false },
		`{"triage":{"parallel":{"default_model":"Opus"}}}`:                                  func(c *Config) { c.Triage.Parallel.DefaultModel = "opus" },
		`{"triage":{"parallel":{"category_models":{"runbook":"sonnet"}}}}`:                  func(c *Config) { c.Triage.Parallel.Models[memory.Runbook] = "sonnet" },
		`{"capture":{"on_stop":"stage"}}`:                                                   func(c *Config) { c.Capture.OnStop = Stage },
		`{"capture":{"on_stop":"OFF","max_saves_per_session":7}}`:                           func(c *Config) { c.Capture = Capture{Off, 7} },
		`{"retrieval":{"enabled":false,"max_inject":0}}`:                                    func(c *Config) { c.Retrieval = Retrieval{} },
		`{"categories":{"decision":{"enabled":false}}}`:                                     category(memory.Decision, func(s *Category) { s.Enabled = false }),
		`{"categories":{"decision":{"auto_capture":false}}}`:                                category(memory.Decision, func(s *Category) { s.AutoCapture = false }),
		`{"categories":{"runbook":{"description":" How to fix. "}}}`:                        category(memory.Runbook, func(s *Category) { s.Description = "How to fix." }),
		`{"categories":{"runbook":{"retention_days":30}}}`:                                  category(memory.Runbook, func(s *Category) { s.RetentionDays = 30 }),
		`{"categories":{"session_summary":{"retention_days":0,"max_retained":2}}}`:          category(memory.SessionSummary, func(s *Category) { s.RetentionDays, s.MaxRetained = 0, 2 }),
		`{"delete":{"grace_period_days":7,"archive_retired":false}}`:                        func(c *Config) { c.Delete = Delete{GraceDays: 7} },
		`{"max_memories_per_category":0}`:                                                   func(c *Config) { c.MaxPerCategory = 0 },
		`{"triage":{"parallel":{"verification_enabled":true,"verification_model":"opus"}}}`: func(c *Config) { c.Triage.Parallel.Verify, c.Triage.Parallel.VerificationModel = true, "opus" },
	} {
		want := Default()
		change(&want)
		got, warnings := Parse(nil, []byte(text))
		if !reflect.DeepEqual(got, want) || len(warnings) > 0 {
			t.Errorf("%s:\n got %+v %v\nwant %+v", text, got, warnings, want)
		}
		if reflect.DeepEqual(want, Default()) {
			t.Errorf("%s changes nothing", text)
		}
	}
}

// A bad value costs its own key and is named; its neighbours act.
func TestBadValues(t *testing.T) {
	for text, warning := range map[string]string{
		`nope`:                              "not a JSON object",
		`[]`:                                "not a JSON object",
		`{"triage":[]}`:                     "triage: must be an object",
		`{"triage":null}`:                   "triage: must be an object",
		`{"triage":{"enabled":"yes"}}`:      `triage.enabled: must be true or false, got "yes"`,
		`{"triage":{"thresholds":{"x":1}}}`: "triage.thresholds.x: ignored: no such category",
		`{"triage":{"thresholds":{"decision":"NaN"}}}`:    "triage.thresholds.decision: must be a number from 0 to 1",
		`{"triage":{"thresholds":3}}`:                     "triage.thresholds: must be an object",
		`{"triage":{"max_messages":50}}`:                  "triage.max_messages: ignored: the transcript is read from where",
		`{"triage":{"parallel":{"default_model":"gpt"}}}`: "triage.parallel.default_model: must be haiku, sonnet or opus",
		`{"capture":{"on_stop":"never"}}`:                 "capture.on_stop: must be save, stage or off",
		`{"capture":{"max_saves_per_session":1.5}}`:       "capture.max_saves_per_session: must be a whole number",
		`{"retrieval":{"max_inject":"3"}}`:                "retrieval.max_inject: must be a whole number",
		`{"retrieval":{"match_strategy":"x"}}`:            "retrieval.match_strategy: ignored: there is one search",
		`{"categories":{"decision":{"description":7}}}`:   "categories.decision.description: must be text",
		`{"categories":{"decision":{"colour":"red"}}}`:    "categories.decision.colour: ignored: unknown key",
		`{"architecture":{"simplified_flow":true}}`:       "architecture: ignored: there is one flow",
		`{"categories":{"decision":{"max_retained":3}}}`:  "categories.decision.max_retained: ignored: unknown key",
		`{"surprise":1}`: "surprise: ignored: unknown key",
	} {
		c, warnings := Parse(nil, []byte(text))
		if !reflect.DeepEqual(c, Default()) {
			t.Errorf("%s changed a setting: %+v", text, c)
		}
		if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "memory-config.json: ") || !strings.Contains(warnings[0], warning) {
			t.Errorf("%s: warned %q; want %q", text, warnings, warning)
		}
	}
	c, warnings := Parse(nil, []byte(`{"retrieval":{"max_inject":"3","enabled":false},"capture":{"on_stop":"off"}}`))
	if c.Retrieval.Enabled || c.Capture.OnStop != Off || len(warnings) != 1 {
		t.Errorf("the neighbours of a bad value: %+v, %v", c, warnings)
	}
}

func TestClamps(t *testing.T) {
	c, warnings := Parse(nil, []byte(`{"triage":{"thresholds":{"decision":7,"runbook":-1}},"retrieval":{"max_inject":99},"capture":{"max_saves_per_session":-2}}`))
	if c.Triage.Thresholds[memory.Decision] != 1 || c.Triage.Thresholds[memory.Runbook] != 0 || c.Retrieval.MaxInject != 20 || c.Capture.MaxSaves != 0 || len(warnings) != 4 {
		t.Errorf("%+v, %v", c, warnings)
	}
	long, warnings := Parse(nil, []byte(`{"categories":{"decision":{"description":"`+strings.Repeat("ä", 600)+`"}}}`))
	if n := len([]rune(long.Categories[memory.Decision].Description)); n != MaxDescription || len(warnings) != 1 {
		t.Errorf("%d runes, %v", n, warnings)
	}
}

func TestProjectWinsKeyByKey(t *testing.T) {
	c, warnings := Parse(
		[]byte(`{"capture":{"on_stop":"off","max_saves_per_session":9},"nonsense":1}`),
		[]byte(`{"capture":{"on_stop":"stage"}}`))
	if c.Capture.OnStop != Stage || c.Capture.MaxSaves != 9 {
		t.Errorf("%+v", c.Capture)
	}
	if !slices.Equal(warnings, []string{"config.json: nonsense: ignored: unknown key"}) {
		t.Errorf("%q", warnings)
	}
}

func TestTriageOptions(t *testing.T) {
	c, _ := Parse(nil, []byte(`{"categories":{"decision":{"enabled":false},"runbook":{"auto_capture":false}}}`))
	o := c.TriageOptions()
	if !o.Off[memory.Decision] || !o.Off[memory.Runbook] || o.Off[memory.Preference] {
		t.Errorf("%+v", o.Off)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"triage":{"thresholds":{"decision":1e400}}}`), []byte(`{"capture":{"max_saves_per_session":1e99}}`))
	f.Add([]byte(`{"categories":{"decision":{"description":"\ud800"}}}`), []byte(`{"":{"":{}}}`))
	f.Fuzz(func(t *testing.T, user, project []byte) {
		c, _ := Parse(user, project)
		for cat, x := range c.Triage.Thresholds {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("threshold of %s is %v", cat, x)
			}
		}
		if c.Retrieval.MaxInject < 0 || c.Retrieval.MaxInject > 20 || c.Capture.MaxSaves < 0 || c.Capture.MaxSaves > 100 {
			t.Fatalf("%+v", c)
		}
	})
}
