package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/capture/triage"
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
		`{"triage":{"enabled":false}}`: func(c *Config) {
			c.Triage.Enabled = false
		},
		`{"triage":{"thresholds":{"DECISION":0.9,"tech-debt":0}}}`: func(c *Config) {
			c.Triage.Thresholds[memory.Decision] = .9
			c.Triage.Thresholds[memory.TechDebt] = 0
		},
		`{"triage":{"parallel":{"enabled":false}}}`: func(c *Config) {
			c.Triage.Parallel.Enabled = false
		},
		`{"triage":{"parallel":{"default_model":"Opus"}}}`: func(c *Config) {
			c.Triage.Parallel.DefaultModel = "opus"
		},
		`{"triage":{"parallel":{"category_models":{"runbook":"sonnet"}}}}`: func(c *Config) {
			c.Triage.Parallel.Models[memory.Runbook] = "sonnet"
		},
		`{"capture":{"on_stop":"stage"}}`: func(c *Config) {
			c.Capture.OnStop = Heard
		},
		`{"capture":{"on_stop":"OFF","max_saves_per_session":7}}`: func(c *Config) {
			c.Capture.OnStop, c.Capture.MaxSaves = Off, 7
		},
		`{"capture":{"on_stop":"ride","drafters":"always"}}`: func(c *Config) {
			c.Capture.OnStop, c.Capture.Drafters = Ride, true
		},
		`{"capture":{"level":"Eager"}}`: func(c *Config) {
			c.Capture.Level = triage.Eager
		},
		`{"capture":{"digest":"OFF"}}`: func(c *Config) {
			c.Capture.Digest = DigestOff
		},
		`{"capture":{"finding_days":7,"candidate_days":0}}`: func(c *Config) {
			c.Capture.FindingDays, c.Capture.CandidateDays = 7, 0
		},
		`{"capture":{"context_window":500000}}`: func(c *Config) {
			c.Capture.Window = 500_000
		},
		`{"triage":{"learn":false}}`: func(c *Config) { c.Triage.Learn = false },
		`{"triage":{"moments":false}}`: func(c *Config) {
			c.Triage.Moments = false
		},
		`{"retrieval":{"enabled":false,"max_inject":0}}`: func(c *Config) {
			c.Retrieval = Retrieval{Point: true, Log: true}
		},
		`{"categories":{"decision":{"enabled":false}}}`: category(memory.Decision, func(s *Category) {
			s.Enabled = false
		}),
		`{"categories":{"decision":{"auto_capture":false}}}`: category(memory.Decision, func(s *Category) {
			s.AutoCapture = false
		}),
		`{"categories":{"runbook":{"description":" How to fix. "}}}`: category(memory.Runbook,
			func(s *Category) {
				s.Description = "How to fix."
			}),
		`{"categories":{"runbook":{"retention_days":30}}}`: category(memory.Runbook, func(s *Category) {
			s.RetentionDays = 30
		}),
		`{"categories":{"session_summary":{"retention_days":0,"max_retained":2}}}`: category(memory.SessionSummary, func(s *Category) {
			s.RetentionDays, s.MaxRetained = 0, 2
		}),
		`{"delete":{"grace_period_days":7,"archive_retired":false}}`: func(c *Config) {
			c.Delete = Delete{GraceDays: 7}
		},
		`{"retrieval":{"confidence_abs_floor":0.6}}`: func(c *Config) {
			c.Retrieval.Floor = .6
		},
		`{"retrieval":{"point":false}}`: func(c *Config) {
			c.Retrieval.Point = false
		},
		`{"retrieval":{"log":false}}`: func(c *Config) {
			c.Retrieval.Log = false
		},
		`{"budget":{"tokens_per_day":50000}}`: func(c *Config) {
			c.Budget.TokensPerDay = 50_000
		},
		`{"logging":{"enabled":false,"level":"Debug","retention_days":0}}`: func(c *Config) {
			c.Logging = Logging{Level: "debug"}
		},
		`{"tiers":{"where":"QMD"}}`: func(c *Config) {
			c.Tiers.Where = "qmd"
		},
		`{"tiers":{"router":"code-memory-router"}}`: func(c *Config) {
			c.Tiers.Router = "code-memory-router"
		},
		`{"memdir":{"log":false,"subagents":"On"}}`: func(c *Config) {
			c.Memdir.Log, c.Memdir.Subagents = false, "on"
		},
		`{"handoff":{"note":"Progress"}}`: func(c *Config) {
			c.Handoff.Note = "progress"
		},
		`{"max_memories_per_category":0}`: func(c *Config) {
			c.MaxPerCategory = 0
		},
		`{"triage":{"parallel":{"verification_enabled":true,"verification_model":"opus"}}}`: func(c *Config) {
			c.Triage.Parallel.Verify, c.Triage.Parallel.VerificationModel = true, "opus"
		},
		`{"gate":{"before_memory_write":"Deny","before_planning_write":"ask"}}`: func(c *Config) {
			c.Gate["before_memory_write"], c.Gate["before_planning_write"] = "deny", "ask"
		},
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
		`{"triage":{"thresholds":{"decision":"NaN"}}}`: "triage.thresholds.decision: must be a number " +
			"from 0 to 1",
		`{"triage":{"thresholds":3}}`: "triage.thresholds: must be an object",
		`{"triage":{"max_messages":50}}`: "triage.max_messages: ignored: the transcript " +
			"is read from where",
		`{"triage":{"parallel":{"default_model":"gpt"}}}`: "triage.parallel.default_model: must be haiku, " +
			"sonnet or opus",
		`{"capture":{"digest":"never"}}`: "capture.digest: must be auto, ask or off",
		`{"capture":{"on_stop":"never"}}`: "capture.on_stop: must be save, ride, " +
			"heard, off or stage",
		`{"capture":{"max_saves_per_session":1.5}}`:                "capture.max_saves_per_session: must be a whole number",
		`{"capture":{"context_window":-1}}`:                        "capture.context_window: must be a whole number from 0",
		`{"triage":{"moments":"no"}}`:                              "triage.moments: must be true or false",
		`{"delete":{"grace_period_days":-1}}`:                      "delete.grace_period_days: must be a whole number from 0",
		`{"budget":{"tokens_per_day":-1}}`:                         "budget.tokens_per_day: must be a whole number from 0",
		`{"logging":{"retention_days":-1}}`:                        "logging.retention_days: must be a whole number from 0",
		`{"max_memories_per_category":-1}`:                         "max_memories_per_category: must be a whole number from 0",
		`{"categories":{"session_summary":{"max_retained":0}}}`:    "categories.session_summary.max_retained: must be a whole number from 1",
		`{"categories":{"session_summary":{"retention_days":-1}}}`: "categories.session_summary.retention_days: must be a whole number from 0",
		`{"retrieval":{"max_inject":"3"}}`:                         "retrieval.max_inject: must be a whole number",
		`{"retrieval":{"match_strategy":"x"}}`:                     "retrieval.match_strategy: ignored: there is one search",
		`{"categories":{"decision":{"description":7}}}`:            "categories.decision.description: must be text",
		`{"categories":{"decision":{"colour":"red"}}}`:             "categories.decision.colour: ignored: unknown key",
		`{"architecture":{"simplified_flow":false}}`: "architecture.simplified_flow: Cannot " +
			"fall back to v5 flow: SKILL.md.v5 is missing. Set architecture.simplified_flow to true in " +
			"memory-config.json or restore SKILL.md.v5.",
		`{"architecture":{"flow":5}}`:                    "architecture.flow: ignored: unknown key",
		`{"architecture":5}`:                             "architecture: must be an object",
		`{"categories":{"decision":{"max_retained":3}}}`: "categories.decision.max_retained: ignored: unknown key",
		`{"surprise":1}`:                                 "surprise: ignored: unknown key",
		// no member of triage
		`{"triage.enabled":false}`:                     "triage.enabled: ignored: unknown key",
		`{"triage":{"thresholds":{"<category>":0.1}}}`: "triage.thresholds.<category>: ",
		`{"\u001b[2J":1}`:                              "\ufffd[2J: ignored: unknown key",
		`{"retrieval":null}`:                           "retrieval: must be an object",
		`{"retrieval":{"judge":null}}`:                 "retrieval.judge: ignored: a judge would need a network",
		`{"retrieval":{"judge":{"enabled":true}}}`:     "retrieval.judge: ignored: a judge would need a network",
		`{"retrieval":{"confidence_abs_floor":2.5}}`: "retrieval.confidence_abs_floor: must " +
			"be a number from 0 to 1, got 2.5",
		`{"retrieval":{"point":1}}`: "retrieval.point: must be true or false, got 1",
		`{"retrieval":{"output_mode":"tiered"}}`: "retrieval.output_mode: ignored: " +
			"memories are shown in one way",
		`{"retrieval":{"cluster_detection_enabled":true}}`: "retrieval.cluster_detection_enabled: ignored: ",
		`{"categories":{"decision":{"folder":"adr"}}}`: "categories.decision.folder: ignored: " +
			"the folders of the categories are fixed",
		`{"memory_root":"../elsewhere"}`: "memory_root: ignored: memories live in .claude/memory",
		`{"auto_commit":true}`: "auto_commit: ignored: keepsake " +
			"changes nothing in your git",
		`{"logging":{"enabled":1}}`:     "logging.enabled: must be true or false, got 1",
		`{"tiers":{"why":"mempalace"}}`: "tiers.why: ignored: only your own config.json sets it",
		`{"tiers":{"mempalace_command":"./serve"}}`: "tiers.mempalace_command: ignored: " +
			"only your own config.json sets it",
		`{"tiers":{"where":"grep"}}`:      "tiers.where: must be auto, embedded or qmd",
		`{"memdir":{"subagents":"some"}}`: "memdir.subagents: must be auto, on or off",
		`{"memdir":{"profile":"table"}}`: "memdir.profile: ignored: only your " +
			"own config.json sets it",
		`{"memdir":{"profile":"tree"}}`:           "memdir.profile: must be auto, pointer, density or table",
		`{"handoff":{"note":"task_plan.md"}}`:     "handoff.note: must be own or progress",
		`{"tiers":{"router":"mine"}}`:             "tiers.router: must be builtin or code-memory-router",
		`{"logging":{"level":"loud"}}`:            "logging.level: must be debug, info, warning or error",
		`{"delete":{"archive_retired":"no"}}`:     "delete.archive_retired: must be true or false",
		`{"gate":{"before_topic_write":"never"}}`: "gate.before_topic_write: must be off, ask or deny",
		`{"gate":{"before_topic_write":"off"}}`: "gate.before_topic_write: ignored: it " +
			"is ask, and only your own config.json can loosen it",
		`{"gate":{"before_mempalace_write":"off"}}`: "gate.before_mempalace_write: must be ask or deny",
	} {
		c, warnings := Parse(nil, []byte(text))
		if !reflect.DeepEqual(c, Default()) {
			t.Errorf("%s changed a setting: %+v", text, c)
		}
		if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "memory-config.json: ") ||
			!strings.Contains(warnings[0], warning) {
			t.Errorf("%s: warned %q; want %q", text, warnings, warning)
		}
	}
	c,
		warnings := Parse(nil,
		[]byte(`{"retrieval":{"max_inject":"3","enabled":false},"capture":{"on_stop":"off"}}`))
	if c.Retrieval.Enabled || c.Capture.OnStop != Off || len(warnings) != 1 {
		t.Errorf("the neighbours of a bad value: %+v, %v", c, warnings)
	}
}

// What asks for nothing but what happens anyway is taken without a word: a
// settings file of claude-memory can stay as it is.
func TestHarmless(t *testing.T) {
	for _, text := range []string{
		`{"$schema":"https://example.org/config.schema.json"}`,
		`{"architecture":{"simplified_flow":true}}`,
		`{"architecture":{"simplified_flow":null}}`,
		`{"memory_root":".claude/memory","auto_commit":false}`,
		`{"categories":{"tech_debt":{"folder":"tech-debt"}}}`,
		`{"retrieval":{"match_strategy":"fts5_bm25","cluster_detection_enabled":false,"judge":{"enabled":false,"model":"x","dual_verification":false}}}`,
	} {
		if c, warnings := Parse(nil, []byte(text)); !reflect.DeepEqual(c, Default()) || len(warnings) > 0 {
			t.Errorf("%s: %+v, %q", text, c, warnings)
		}
	}
}

func TestEnvironment(t *testing.T) {
	file := []byte(`{"capture":{"on_stop":"save"},"retrieval":{"max_inject":5}}`)
	c, warnings := Parse(file, file, "PATH=/bin", "KEEPSAKE=off", "KEEPSAKE_CAPTURE_ON_STOP=Stage",
		"KEEPSAKE_RETRIEVAL_MAX_INJECT=7", "KEEPSAKE_LOGGING_ENABLED=off",
		"KEEPSAKE_MAX_MEMORIES_PER_CATEGORY=", "KEEPSAKE_GOLDEN=1")
	want := Default()
	want.Capture.OnStop, want.Retrieval.MaxInject, want.Logging.Enabled = Heard, 7, false
	if !reflect.DeepEqual(c, want) || len(warnings) > 0 {
		t.Errorf("%+v, %q", c, warnings)
	}
	for line, warning := range map[string]string{
		"KEEPSAKE_CAPTURE_ON_STOP=never": "environment: KEEPSAKE_CAPTURE_ON_STOP: must be " +
			"save, ride, heard, off or stage, got \"never\"",
		"KEEPSAKE_CAPTURE_ONSTOP=off": "environment: KEEPSAKE_CAPTURE_ONSTOP: ignored: no " +
			"key is called so",
		"KEEPSAKE_TRIAGE_THRESHOLDS_DECISION=1": "environment: KEEPSAKE_TRIAGE_THRESHOLDS_DECISION: " +
			"ignored: no key is called so",
		"KEEPSAKE_TRIAGE_THRESHOLDS_<CATEGORY>=1": "environment: KEEPSAKE_TRIAGE_THRESHOLDS_<CATEGORY>: " +
			"ignored: no key is called so",
		"KEEPSAKE_RETRIEVAL_MAX_INJECT=many": "environment: KEEPSAKE_RETRIEVAL_MAX_INJECT: must be " +
			"a whole number from 0 to 20",
		"KEEPSAKE_RETRIEVAL_CONFIDENCE_ABS_FLOOR=-1": "environment: " +
			"KEEPSAKE_RETRIEVAL_CONFIDENCE_ABS_FLOOR: must be a number from 0 to 1, got -1",
	} {
		c, warnings := Parse(nil, nil, line)
		if !reflect.DeepEqual(c, Default()) || len(warnings) != 1 ||
			!strings.HasPrefix(warnings[0], warning) {
			t.Errorf("%s: %q", line, warnings)
		}
	}
}

func TestClamps(t *testing.T) {
	c,
		warnings := Parse(nil,
		[]byte(`{"triage":{"thresholds":{"decision":7,"runbook":-1}},"retrieval":{"max_inject":99},"capture":{"max_saves_per_session":-2}}`))
	if c.Triage.Thresholds[memory.Decision] != 1 || c.Triage.Thresholds[memory.Runbook] != 0 ||
		c.Retrieval.MaxInject != 20 || c.Capture.MaxSaves != 0 || len(warnings) != 4 {
		t.Errorf("%+v, %v", c, warnings)
	}
	long, warnings := Parse(nil, []byte(`{"categories":{"decision":{"description":"`+strings.Repeat("ä", 600)+
		`"}}}`))
	if n := len([]rune(long.Categories[memory.Decision].Description)); n != MaxDescription ||
		len(warnings) != 1 {
		t.Errorf("%d runes, %v", n, warnings)
	}
}

func TestProjectWinsKeyByKey(t *testing.T) {
	c, warnings := Parse(
		[]byte(`{"capture":{"on_stop":"off","max_saves_per_session":9},"nonsense":1}`),
		[]byte(`{"capture":{"on_stop":"stage"}}`))
	if c.Capture.OnStop != Heard || c.Capture.MaxSaves != 9 {
		t.Errorf("%+v", c.Capture)
	}
	if !slices.Equal(warnings, []string{"config.json: nonsense: ignored: unknown key"}) {
		t.Errorf("%q", warnings)
	}
}

func TestTriageOptions(t *testing.T) {
	c,
		_ := Parse(nil,
		[]byte(`{"categories":{"decision":{"enabled":false},"runbook":{"auto_capture":false}}}`))
	o := c.TriageOptions()
	if !o.Off[memory.Decision] || !o.Off[memory.Runbook] || o.Off[memory.Preference] {
		t.Errorf("%+v", o.Off)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"triage":{"thresholds":{"decision":1e400}}}`),
		[]byte(`{"capture":{"max_saves_per_session":1e99}}`))
	f.Add([]byte(`{"categories":{"decision":{"description":"\ud800"}}}`), []byte(`{"":{"":{}}}`))
	f.Fuzz(func(t *testing.T, user, project []byte) {
		c, _ := Parse(user, project)
		for cat, x := range c.Triage.Thresholds {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("threshold of %s is %v", cat, x)
			}
		}
		if c.Retrieval.MaxInject < 0 || c.Retrieval.MaxInject > 20 || c.Capture.MaxSaves < 0 ||
			c.Capture.MaxSaves > 100 {
			t.Fatalf("%+v", c)
		}
	})
}

// Every hook but the gate's ordinary call parses: a few microseconds of a
// millisecond and a half.
func BenchmarkParse(b *testing.B) {
	user := []byte(`{"capture":{"on_stop":"stage"},"retrieval":{"max_inject":5}}`)
	project := []byte(`{"triage":{"thresholds":{"decision":0.4,"runbook":0.5,"constraint":0.45,"tech_debt":0.4,"preference":0.4},"parallel":{"default_model":"haiku","category_models":{"decision":"sonnet"}}},
		"capture":{"max_saves_per_session":3},"retrieval":{"enabled":true},"categories":{"decision":{"enabled":true,"auto_capture":true,"description":"Choices and their reasons"}}}`)
	b.Run("nothing", func(b *testing.B) {
		for b.Loop() {
			Parse(nil, nil)
		}
	})
	b.Run("both", func(b *testing.B) {
		for b.Loop() {
			Parse(user, project, "KEEPSAKE_CAPTURE_ON_STOP=save")
		}
	})
}

// TestGateOnlyTightens: the person's file sets what it likes; a project's and a
// variable count where they are stricter.
func TestGateOnlyTightens(t *testing.T) {
	const name = "before_memory_write"
	at := func(word string) []byte {
		if word == "" {
			return nil
		}
		return []byte(`{"gate":{"` + name + `":"` + word + `"}}`)
	}
	for _, tc := range []struct {
		user, project, env, want string
		warnings                 int
	}{
		{"", "", "", "ask", 0},
		{"off", "", "", "off", 0},
		{"off", "ask", "", "ask", 0},
		{"off", "deny", "ask", "deny", 1},
		{"off", "", "deny", "deny", 0},
		{"deny", "ask", "", "deny", 1},
		{"deny", "off", "off", "deny", 2},
		{"", "off", "", "ask", 1},
		{"", "", "off", "ask", 1},
		{"", "deny", "", "deny", 0},
		{"", "ask", "ask", "ask", 0},
	} {
		var env []string
		if tc.env != "" {
			env = append(env, "KEEPSAKE_GATE_BEFORE_MEMORY_WRITE="+tc.env)
		}
		c, warnings := Parse(at(tc.user), at(tc.project), env...)
		if c.Gate[name] != tc.want || len(warnings) != tc.warnings {
			t.Errorf("%+v: %s, %q", tc, c.Gate[name], warnings)
		}
	}
}

// TestPersonal: what only the person may set, nobody else does.
func TestPersonal(t *testing.T) {
	mempalace, embedded := []byte(`{"tiers":{"why":"mempalace"}}`), []byte(`{"tiers":{"why":"embedded"}}`)
	for _, tc := range []struct {
		user, project []byte
		env           []string
		want          string
		warnings      int
	}{
		{nil, nil, nil, "auto", 0},
		{mempalace, nil, nil, "mempalace", 0},
		{nil, mempalace, nil, "auto", 1},
		{embedded, mempalace, []string{"KEEPSAKE_TIERS_WHY=mempalace"}, "embedded", 2},
	} {
		if c, warnings := Parse(tc.user, tc.project, tc.env...); c.Tiers.Why != tc.want ||
			len(warnings) != tc.warnings {
			t.Errorf("%s %s %s: %s, %q", tc.user, tc.project, tc.env, c.Tiers.Why, warnings)
		}
	}
	density := []byte(`{"memdir":{"profile":"Density"}}`)
	if c, warnings := Parse(nil, density, "KEEPSAKE_MEMDIR_PROFILE=density"); c.Memdir.Profile != "auto" ||
		len(warnings) != 2 {
		t.Errorf("a project says how a person's files are laid out: %s, %q", c.Memdir.Profile, warnings)
	}
	if c, warnings := Parse(density, nil); c.Memdir.Profile != "density" || len(warnings) != 0 {
		t.Errorf("%s, %q", c.Memdir.Profile, warnings)
	}
}

// TestDigestIsPersonal: the person's file and variable start the digest by itself, a
// project's file does not and is told so; it may turn it off.
func TestDigestIsPersonal(t *testing.T) {
	auto, off := []byte(`{"capture":{"digest":"auto"}}`), []byte(`{"capture":{"digest":"off"}}`)
	const variable = "KEEPSAKE_CAPTURE_DIGEST="
	for _, tc := range []struct {
		user, project []byte
		env           string
		want          Digest
		warnings      int
	}{
		{nil, nil, "", DigestAsk, 0},
		{auto, nil, "", DigestAuto, 0},
		{nil, auto, "", DigestAsk, 1},
		{nil, off, "", DigestOff, 0},
		{nil, nil, "auto", DigestAuto, 0},
		{off, nil, "auto", DigestAuto, 0},
		{nil, auto, "auto", DigestAuto, 1},
		{auto, nil, "off", DigestOff, 0},
	} {
		c, warnings := Parse(tc.user, tc.project, variable+tc.env)
		if c.Capture.Digest != tc.want || len(warnings) != tc.warnings {
			t.Errorf("%s %s %s: %s, %q", tc.user, tc.project, tc.env, c.Capture.Digest, warnings)
		}
	}
}

// TestLogOwn: only the person turns the log on in the client's own directory.
func TestLogOwn(t *testing.T) {
	for _, tt := range []struct {
		user, project string
		env           []string
		want          bool
	}{
		{"", "", nil, false}, {`{"memdir":{"log":true}}`, "", nil, true},
		{"", `{"memdir":{"log":true}}`, nil, false}, {"", "", []string{"KEEPSAKE_MEMDIR_LOG=true"}, true},
	} {
		if c, _ := Parse([]byte(tt.user), []byte(tt.project), tt.env...); c.Memdir.LogOwn != tt.want {
			t.Errorf("%+v: %v", tt, c.Memdir.LogOwn)
		}
	}
}
