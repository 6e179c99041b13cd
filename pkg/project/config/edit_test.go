package config

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	tests := map[string]struct{ text, key, to, want string }{
		"no file": {"", "capture.on_stop", "OFF",
			"{\n  \"capture\": {\n    \"on_stop\": \"off\"\n  }\n}\n"},
		"empty object": {"{}", "max_memories_per_category", "5", `{"max_memories_per_category": 5}`},
		"empty lines": {"{\n\n}\n", "max_memories_per_category", "5",
			"{\n  \"max_memories_per_category\": 5\n}\n"},
		"in place": {
			"{\n  \"retrieval\": {\"max_inject\":   3 , \"enabled\": true},\n  \"mine\": [1,  2]\n}\n",
			"retrieval.max_inject", "7",
			"{\n  \"retrieval\": {\"max_inject\":   7 , \"enabled\": true},\n  \"mine\": [1,  2]\n}\n"},
		"a bad value replaced": {`{"retrieval":{"max_inject":"three"}}`, "retrieval.max_inject", "3",
			`{"retrieval":{"max_inject":3}}`},
		"behind the others, on a line": {
			"{\n\t\"retrieval\": {\n\t\t\"enabled\": true\n\t}\n}", "retrieval.max_inject", "7",
			"{\n\t\"retrieval\": {\n\t\t\"enabled\": true,\n\t\t\"max_inject\": 7\n\t}\n}"},
		"behind the others, in a line": {
			"{\n  \"retrieval\": { \"enabled\": true }\n}", "retrieval.max_inject", "7",
			"{\n  \"retrieval\": { \"enabled\": true, \"max_inject\": 7 }\n}"},
		"behind the others, close": {`{"retrieval":{"enabled":true}}`, "capture.on_stop", "stage",
			`{"retrieval":{"enabled":true},"capture":{"on_stop":"stage"}}`},
		"two levels": {
			"{\n  \"triage\": {\n    \"enabled\": true\n  }\n}\n",
			"triage.parallel.category_models.tech_debt", "opus",
			"{\n  \"triage\": {\n    \"enabled\": true,\n    \"parallel\": {\n      \"category_models\": " +
				"{\n        \"tech_debt\": \"opus\"\n      }\n    }\n  }\n}\n"},
		"an empty object inside": {
			"{\n  \"capture\": {}\n}\n", "capture.on_stop", "off",
			"{\n  \"capture\": {\n    \"on_stop\": \"off\"\n  }\n}\n"},
		"their spelling of a category": {`{"triage":{"thresholds":{"TECH-DEBT":0.1}}}`,
			"triage.thresholds.tech_debt", "0.9", `{"triage":{"thresholds":{"TECH-DEBT":0.9}}}`},
		"the last of two": {`{"capture":{"on_stop":"off"},"capture":{"on_stop":"save"}}`,
			"capture.on_stop", "stage", `{"capture":{"on_stop":"off"},"capture":{"on_stop":"stage"}}`},
		"windows lines": {"\ufeff{\r\n  \"mine\": 1\r\n}\r\n", "triage.enabled", "no",
			"\ufeff{\r\n  \"mine\": 1,\r\n  \"triage\": {\r\n    \"enabled\": false\r\n  }\r\n}\r\n"},
		"text": {`{}`, "categories.decision.description", `say "why"`,
			`{"categories": {"decision": {"description": "say \"why\""}}}`},
		"text as JSON": {`{}`, "categories.decision.description", `"why"`,
			`{"categories": {"decision": {"description": "why"}}}`},
		"what is so anyway":     {`{ }`, "architecture.simplified_flow", "true", `{ }`},
		"what is so, in a word": {`{ }`, "categories.tech_debt.folder", "tech-debt", `{ }`},
		"a part of what is so":  {`{ }`, "retrieval.judge.enabled", "false", `{ }`},
		"a part of what stands": {`{"retrieval": {"judge": {"enabled": true, "model": "x"}}}`,
			"retrieval.judge.enabled", "false", `{"retrieval": {"judge": {"enabled": false, "model": "x"}}}`},
		"what the flow must be": {`{"architecture": {"simplified_flow": false}}`,
			"architecture.simplified_flow", "true", `{"architecture": {"simplified_flow": true}}`},
		"a deep tree keeps its bytes": {
			`{"x":{"y":[{"retrieval":{"max_inject":1}}]},"retrieval":{"z":null,"max_inject":1e0}}`,
			"retrieval.max_inject", "2", `{"x":{"y":[{"retrieval":{"max_inject":1}}]},"retrieval":{"z":null,"max_inject":2}}`},
	}
	for name, tt := range tests {
		got, _, err := Set([]byte(tt.text), tt.key, tt.to)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s:\n got %q, %v\nwant %q", name, got, err, tt.want)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		text, key, to, says string
		is                  error
	}{
		"out of range": {"{}", "retrieval.max_inject", "21",
			`retrieval.max_inject: "21" cannot be used: must be a whole number from 0 to 20`, ErrValue},
		"no number": {"{}", "triage.thresholds.decision", "NaN", "must be a number from 0 to 1", ErrValue},
		"no word of ours": {"{}", "capture.on_stop", "never",
			"must be save, ride, heard, off or stage", ErrValue},
		"too long": {"{}", "categories.decision.description", strings.Repeat("x", 501),
			"must be text of at most 500 characters", ErrValue},
		"an object": {"{}", "triage.enabled", `{}`, "must be true or false", ErrValue},
		"unknown": {"{}", "triage.enable", "true", "no such key\nhint: there is triage.enabled",
			ErrUnknown},
		"refused": {"{}", "triage.max_messages", "50", "does nothing here: the transcript is read",
			ErrRefused},
		"a part of it": {"{}", "retrieval.judge.enabled", "true", "does nothing here: a judge",
			ErrRefused},
		"another part": {"{}", "retrieval.judge.model", "false", "does nothing here: a judge",
			ErrRefused},
		"the old flow": {"{}", "architecture.simplified_flow", "false", "Cannot fall back to v5 flow",
			ErrRefused},
		"a group":        {"{}", "capture", "off", "capture: is a group of keys", ErrGroup},
		"a group of one": {"{}", "categories", "off", "is a group", nil},
		"broken":         {"{", "capture.on_stop", "off", "is not a JSON object", nil},
		"a list":         {"[]", "capture.on_stop", "off", "is not a JSON object", nil},
		"a group is a value": {`{"capture":7}`, "capture.on_stop", "off", "capture in the file is no object",
			nil},
	} {
		got, _, err := Set([]byte(tt.text), tt.key, tt.to)
		if err == nil || got != nil || !strings.Contains(err.Error(), tt.says) || tt.is != nil &&
			!errors.Is(err, tt.is) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestUnset(t *testing.T) {
	for name, tt := range map[string]struct{ text, key, want string }{
		"the only one": {"{\n  \"capture\": {\n    \"on_stop\": \"off\"\n  }\n}\n", "capture.on_stop",
			"{}\n"},
		"the first": {"{\n  \"mine\": 1,\n  \"other\": 2\n}\n", "mine", "{\n  \"other\": 2\n}\n"},
		"the last":  {"{\n  \"other\": 2,\n  \"mine\": 1\n}\n", "mine", "{\n  \"other\": 2\n}\n"},
		"one between": {`{"a":1,"max_memories_per_category":5,"b":2}`, "max_memories_per_category",
			`{"a":1,"b":2}`},
		"their group": {`{"a":1,"capture":{"on_stop":"off"},"b":2}`, "capture.on_stop", `{"a":1,"b":2}`},
		"its neighbour": {`{"capture":{"on_stop":"off", "max_saves_per_session": 1}}`, "capture.on_stop",
			`{"capture":{"max_saves_per_session": 1}}`},
		"twice": {`{"capture":{"on_stop":"off","x":1},"a":{},"capture":{"on_stop":"save"}}`,
			"capture.on_stop", `{"capture":{"x":1},"a":{}}`},
		"of a category": {`{"triage":{"thresholds":{"TECH-DEBT":0.1,"decision":1}}}`,
			"triage.thresholds.tech_debt", `{"triage":{"thresholds":{"decision":1}}}`},
		"does nothing": {`{"triage":{"max_messages":50}, "a":1}`, "triage.max_messages", `{"a":1}`},
		"below that": {`{"retrieval":{"judge":{"model":"x","enabled":true}}}`, "retrieval.judge.model",
			`{"retrieval":{"judge":{"enabled":true}}}`},
		"nobody's": {`{"retrival":{"max_inject":5}}`, "retrival.max_inject", `{}`},
		"what has one": {`{"categories":{"runbook":{"max_retained":5,"enabled":false}}}`,
			"categories.runbook.max_retained", `{"categories":{"runbook":{"enabled":false}}}`},
		"not there":     {"\ufeff{ }", "capture.on_stop", "\ufeff{ }"},
		"no file":       {"", "capture.on_stop", ""},
		"empty already": {`{"capture": {}}`, "capture.on_stop", `{"capture": {}}`},
		"windows lines": {"\ufeff{\r\n  \"mine\": 1,\r\n  \"triage\": {\r\n    \"enabled\": false\r\n  " +
			"}\r\n}\r\n", "triage.enabled", "\ufeff{\r\n  \"mine\": 1\r\n}\r\n"},
	} {
		got, ok, err := Unset([]byte(tt.text), tt.key)
		if err != nil || string(got) != tt.want || ok != (tt.want != tt.text) {
			t.Errorf("%s:\n got %q, %t, %v\nwant %q", name, got, ok, err, tt.want)
		}
	}
	for name, tt := range map[string]struct{ text, key, says string }{
		"a group":      {`{"capture":{"on_stop":"off"}}`, "capture", "is a group of keys"},
		"nobody knows": {`{}`, "capture.on_stopp", "no such key"},
		"broken":       {`{`, "capture.on_stop", "is not a JSON object"},
	} {
		got, ok, err := Unset([]byte(tt.text), tt.key)
		if err == nil || got != nil || ok || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %q, %t, %v", name, got, ok, err)
		}
	}
}

// Whatever the file holds, what is set is what is read back, and nothing else
// has changed.
func FuzzSet(f *testing.F) {
	f.Add([]byte("{\n  \"retrieval\": {\"max_inject\": 3},\n  \"mine\": [1, {\"a\": null}]\n}"), uint8(11),
		"7")
	f.Add([]byte(`{"triage":{"thresholds":{"DECISION":0.1,"decision":1}},"triage":{}}`), uint8(2), "0.5")
	f.Add([]byte("\ufeff{\"a\\u0022\":{}}\n"), uint8(50), "x")
	f.Fuzz(func(t *testing.T, text []byte, n uint8, to string) {
		all := List(nil, text)
		ref := all[int(n)%len(all)].Ref
		edited, value, err := Set(text, ref.String(), to)
		if err != nil {
			return
		}
		if out, ok, err := Unset(edited, ref.String()); err != nil || !ok {
			t.Fatalf("%s cannot be taken out of %q: %v", ref, edited, err)
		} else {
			for i, s := range List(nil, out) {
				if s.Ref == ref && s.Source != Defaults || s.Ref != ref && s != all[i] {
					t.Fatalf("%s taken out of %q: %s is %s (%s): %q", ref, edited, s, s.Value, s.Source, out)
				}
			}
		}
		if again, _, err := Set(edited, ref.String(), to); err != nil || string(again) != string(edited) {
			t.Fatalf("set twice: %q, %v\nthen %q", edited, err, again)
		}
		for i, s := range List(nil, edited) {
			switch {
			case s.Ref == ref && (s.Value != value || s.Source != Project):
				t.Fatalf("%s = %s reads back as %s (%s) from %q", ref, value, s.Value, s.Source, edited)
			case s.Ref != ref && s != all[i]:
				t.Fatalf("setting %s changed %s from %s to %s: %q", ref, s, all[i].Value, s.Value, edited)
			}
		}
		if !json.Valid([]byte(trimBOM(text))) {
			return
		}
		var before, after map[string]any
		if json.Unmarshal([]byte(trimBOM(text)), &before) != nil ||
			json.Unmarshal([]byte(trimBOM(edited)), &after) != nil {
			t.Fatalf("%q is no JSON object any more: %q", text, edited)
		}
		top, _, _ := strings.Cut(ref.Name, ".")
		delete(before, top)
		delete(after, top)
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("%q lost something: %q", text, edited)
		}
	})
}
