package config

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"keepsake/pkg/capture/triage"
	"keepsake/pkg/memory"
)

func TestTheTableIsSound(t *testing.T) {
	names := map[string]bool{}
	for _, k := range schema {
		if names[k.Name] {
			t.Errorf("%s is there twice", k.Name)
		}
		names[k.Name] = true
		if k.set == nil || k.Doc == "" || !strings.HasSuffix(k.Doc, ".") {
			t.Errorf("%s: sets nothing, or lacks a sentence", k.Name)
		}
		if k.Kind == Word && len(k.Words) < 2 || (k.Kind == Whole || k.Kind == Number || k.Kind == Text) &&
			k.Hi <= k.Lo {
			t.Errorf("%s: takes nothing", k.Name)
		}
		for _, cat := range k.Categories() {
			if _, note, ok := k.take(gjson.Parse(k.DefaultFor(cat))); !ok || note != "" {
				t.Errorf("%s: its own default: %s", k.For(cat), note)
			}
			if refs, err := Find(k.For(cat)); err != nil || len(refs) != 1 || refs[0].String() != k.For(cat) {
				t.Errorf("%s is not found by its name: %v, %v", k.For(cat), refs, err)
			}
		}
	}
	for _, r := range refusals {
		name := strings.Replace(r.name, perCategory, "decision", 1)
		if _, err := Find(name); err == nil {
			t.Errorf("%s is refused and found", name)
		}
	}
	if !reflect.DeepEqual(Default().Triage.Thresholds, triage.Defaults()) {
		t.Errorf("thresholds %v; triage has %v", Default().Triage.Thresholds, triage.Defaults())
	}
}

// Every key acts on a field of its own: set to something else, the settings
// differ from those of any other key.
func TestEveryKeyActs(t *testing.T) {
	var seen []Config
	for _, s := range List(nil, nil) {
		other := map[Kind]string{Bool: "true", Whole: "1", Number: "0.123", Text: `"else"`}[s.Kind]
		if s.Kind == Word {
			other = gjsonQuote(s.Words[0])
			if other == s.Value {
				other = gjsonQuote(s.Words[1])
			}
		}
		if other == s.Value {
			other = map[Kind]string{Bool: "false", Whole: "2"}[s.Kind]
		}
		text, _, err := Set(nil, s.String(), other)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		c, warnings := Parse(text, nil)
		if reflect.DeepEqual(c, Default()) || len(warnings) > 0 {
			t.Errorf("%s = %s changes nothing, or warns: %q", s, other, warnings)
		}
		if slices.ContainsFunc(seen, func(x Config) bool { return reflect.DeepEqual(c, x) }) {
			t.Errorf("%s does what another key does", s)
		}
		seen = append(seen, c)
	}
}

func gjsonQuote(s string) string { return string(gjson.AppendJSONString(nil, s)) }

func TestListSaysWhereFrom(t *testing.T) {
	all := List([]byte(`{"capture":{"on_stop":"off","max_saves_per_session":9}}`),
		[]byte(`{"capture":{"on_stop":"STAGE"},"categories":{"Tech-Debt":{"retention_days":7}},"retrieval":{"max_inject":"x"}}`), "KEEPSAKE_TRIAGE_ENABLED=0")
	got := map[string]string{}
	for _, s := range all {
		got[s.String()] = s.Value + " " + string(s.Source)
	}
	for name, want := range map[string]string{
		"capture.on_stop": `"stage" project`, "capture.max_saves_per_session": "9 user",
		"triage.enabled":                      "false environment",
		"categories.tech_debt.retention_days": "7 project", "retrieval.max_inject": "3 default",
		"triage.thresholds.runbook":               "0.6 default",
		"categories.session_summary.max_retained": "5 default",
	} {
		if got[name] != want {
			t.Errorf("%s is %s; want %s", name, got[name], want)
		}
	}
	every := 0
	for _, k := range schema {
		every += len(k.Categories())
	}
	if len(all) != every || got["categories.decision.max_retained"] != "" {
		t.Errorf("%d settings: %v", len(all), got)
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"capture.on_stop":             "capture.on_stop",
		"triage.thresholds.TECH-DEBT": "triage.thresholds.tech_debt",
		"capture": "capture.on_stop capture.level capture.drafters capture.digest " +
			"capture.finding_days capture.candidate_days capture.max_saves_per_session " +
			"capture.context_window",
		"categories.sessions": "categories.session_summary.enabled " +
			"categories.session_summary.auto_capture categories.session_summary.description " +
			"categories.session_summary.retention_days categories.session_summary.max_retained",
		"categories.decision.max_retained": "categories.decision.max_retained: no such key\nhint: there " +
			"is categories.<category>.max_retained",
		"max_inject": "max_inject: no such key\nhint: there is retrieval.max_inject",
		"capture.on_stop.x": "capture.on_stop.x: no such key\nhint: keepsake config list " +
			"shows all",
		"": ": no such key\nhint: keepsake config list shows all",
		"triage.thresholds.nonsense": "triage.thresholds.nonsense: no such key\nhint: keepsake " +
			"config list shows all",
		"retrieval.judge.model": "retrieval.judge.model: does nothing here: a judge would " +
			"need a network and a key in a hook that every prompt waits for",
		"architecture.simplified_flow": "architecture.simplified_flow: does nothing here: there is " +
			"one flow, the simplified one",
		"architecture": "architecture: no such key\nhint: keepsake config list shows " +
			"all",
		"categories.decision.folder": "categories.decision.folder: does nothing here: the folders " +
			"of the categories are fixed",
		"memory_root": "memory_root: does nothing here: memories live in " +
			".claude/memory of the project",
		"triage.parallel.category_models.\t": "triage.parallel.category_models.\ufffd: no such key\nhint: " +
			"keepsake config list shows all",
	} {
		refs, err := Find(name)
		var got []string
		for _, r := range refs {
			got = append(got, r.String())
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, " "), want)
		}
	}
}

func TestNumbersAsTheyAreWritten(t *testing.T) {
	for x, want := range map[float64]string{0.45: "0.45", 100_000: "100000", 1: "1", math.Trunc(3): "3"} {
		if got := plain(x); got != want {
			t.Errorf("%v is %s", x, got)
		}
	}
	k := Ref{&schema[0], memory.Category("")}
	if k.String() != schema[0].Name {
		t.Error(k)
	}
}
