package event

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

var at = time.Date(2026, 11, 20, 9, 0, 0, 123_456_789, time.FixedZone("", 3600))

func TestLine(t *testing.T) {
	tests := map[string]struct {
		event Event
		want  string
	}{
		"all of it": {
			Event{at, TriageScore, Warning, "stop", "", "4e83-5", 1_234_567, "locked", Data{
				"explicit": true, "entries": 7,
				"scores":    map[string]float64{"runbook": .5, "decision": 1. / 3},
				"triggered": []string{"decision", "runbook"}, "reason": "off", "mean": 1e21,
			}},
			`{"schema_version":1,"timestamp":"2026-11-20T08:00:00.123Z","event_type":"triage.score","level":"warning","hook":"stop","script":"","session_id":"4e83-5","duration_ms":1.234,"data":{"entries":7,"explicit":true,"mean":1000000000000000000000,"reason":"off","scores":{"decision":0.333,"runbook":0.5},"triggered":["decision","runbook"]},"error":"locked"}`,
		},
		"little": {
			Event{Time: at, Type: SessionEnd, Took: Untimed},
			`{"schema_version":1,"timestamp":"2026-11-20T08:00:00.123Z","event_type":"session.end","level":"info","hook":"","script":"","session_id":"","duration_ms":null,"data":{},"error":null}`,
		},
		"no numbers and strange things": {
			Event{Time: at, Type: Failure, Data: Data{"a": math.NaN(), "b": math.Inf(1), "c": struct{}{},
				"d": math.MaxFloat64 > 1}},
			`{"schema_version":1,"timestamp":"2026-11-20T08:00:00.123Z","event_type":"failure","level":"info","hook":"","script":"","session_id":"","duration_ms":0,"data":{"a":null,"b":null,"c":null,"d":true},"error":null}`,
		},
	}
	for name, tt := range tests {
		if got := string(tt.event.Append(nil)); got != tt.want+"\n" {
			t.Errorf("%s:\n got %s\nwant %s", name, got, tt.want)
		}
	}
}

// A sentence does not get into the log in any place.
func TestTextIsWithheld(t *testing.T) {
	said := "We decided to keep the queue in Postgres"
	e := Event{
		Time: at, Type: said, Level: Level(said), Hook: said, Script: said, Session: said, Error: said,
		Data: Data{said: 1, "a": said, "b": []string{"fine", said}, "c": map[string]float64{said: 1},
			"d": "tab\tbed", "e": "quo\"te", "f": strings.Repeat("x", 201), "g": "nbsp\u00a0", "h": "\xff",
			"i": `back\slash`, "j": "日本語"},
	}
	line := string(e.Append(nil))
	if strings.Contains(line, "Postgres") || strings.Contains(line, "bed") ||
		strings.Contains(line, "te\"te") || !json.Valid([]byte(line)) {
		t.Error(line)
	}
	if !strings.Contains(line, `["fine","(withheld)"]`) || !strings.Contains(line, `"j":"日本語"`) ||
		strings.Count(line, Withheld) != 16 {
		t.Errorf("%d withheld: %s", strings.Count(line, Withheld), line)
	}
}

func TestListsAreCut(t *testing.T) {
	long := make([]string, 100)
	scores := map[string]float64{}
	for i := range long {
		long[i] = "x"
		scores[strings.Repeat("y", i+1)] = 1
	}
	line := string(Event{Data: Data{"list": long, "map": scores}}.Append(nil))
	if strings.Count(line, `"x"`) != maxList || strings.Count(line, `":1`) != maxList+1 {
		t.Error(line)
	}
}

func TestParse(t *testing.T) {
	e := Event{Time: at.UTC().Truncate(time.Millisecond), Type: TriageScore, Level: Info, Hook: "stop",
		Session: "s", Took: 1500 * time.Microsecond, Error: "locked",
		Data: Data{"n": 3., "yes": true, "word": "off", "list": []string{"a", "b"}, "none": []string{},
			"scores": map[string]float64{"decision": .5}}}
	got, err := Parse(e.Append(nil))
	if err != nil || !reflect.DeepEqual(got, e) {
		t.Errorf("%+v, %v", got, err)
	}
	for line, says := range map[string]string{
		``: "no event", `[]`: "no event", `{}`: "schema_version", `{"schema_version":1}`: "event_type",
		`{"schema_version":1,"event_type":"x"}`:                    "timestamp",
		`{"schema_version":1,"event_type":"x","timestamp":"soon"}`: `timestamp "soon"`,
		`{"schema_version":2,"event_type":"x"}`:                    "newer version",
		`{"schema_version":1,"event_type":7}`:                      "no event",
	} {
		if _, err := Parse([]byte(line)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if _, err := Parse([]byte(`{"schema_version":9}`)); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
	// claude-memory wrote a missing duration as null. A time needs no fraction.
	got,
		err = Parse([]byte(`{"schema_version":1,"event_type":"x","timestamp":"2026-11-20T09:00:00Z","duration_ms":null,"error":null}`))
	if err != nil || got.Took != Untimed || got.Error != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestData(t *testing.T) {
	d := Data{"s": "x", "n": 3, "f": 1.5, "b": true, "l": []string{"a"}, "m": map[string]float64{"x": 1}}
	if d.Text("s") != "x" || d.Text("n") != "" || d.Number("n") != 3 || d.Number("f") != 1.5 ||
		d.Number("s") != 0 || !d.Flag("b") || d.Flag("s") {
		t.Errorf("%v", d)
	}
	if !reflect.DeepEqual(d.List("l"), []string{"a"}) || d.Numbers("m")["x"] != 1 || d.List("s") != nil ||
		d.Numbers("l") != nil {
		t.Errorf("%v", d)
	}
}

func TestLevels(t *testing.T) {
	for _, tt := range []struct {
		is, least Level
		want      bool
	}{{Debug, Info, false}, {Info, Info, true}, {"", Info, true}, {Warning, Error, false},
		{Error, Debug, true}, {"loud", Warning, false}} {
		if got := tt.is.AtLeast(tt.least); got != tt.want {
			t.Errorf("%q at least %q: %t", tt.is, tt.least, got)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("retrieval.search", "stop", "word", 1.5, int64(1500), "locked", "use-postgres")
	f.Add("we said", "a\nb", "\u202e", math.Inf(-1), int64(-1), "\"", "\\u0000")
	f.Fuzz(func(t *testing.T, typ, hook, name string, x float64, took int64, class, value string) {
		line := Event{Time: at, Type: typ, Hook: hook, Took: time.Duration(took), Error: class,
			Data: Data{name: value, "x": x, "list": []string{value}}}.Append(nil)
		if !json.Valid(line) || strings.Count(string(line), "\n") != 1 ||
			strings.ContainsAny(string(line[:len(line)-1]), " \t\r\n") {
			t.Fatalf("%q", line)
		}
		if e, err := Parse(line); typ != "" && (err != nil || isWord(typ) && e.Type != typ) {
			t.Fatalf("%q: %+v, %v", line, e, err)
		}
	})
}

// Values of other types are dropped, and what was read can be written again.
func TestNarrow(t *testing.T) {
	e,
		err := Parse([]byte(`{"schema_version":1,"event_type":"x","timestamp":"2026-11-20T09:00:00Z","data":{"l":["a",1,null],"m":{"a":1,"b":"x"},"n":null}}`))
	want := Data{"l": []string{"a"}, "m": map[string]float64{"a": 1}, "n": nil}
	if err != nil || !reflect.DeepEqual(e.Data, want) {
		t.Errorf("%v, %v", e.Data, err)
	}
	again, err := Parse(e.Append(nil))
	if err != nil || !reflect.DeepEqual(again, e) {
		t.Errorf("%+v, %v", again, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Event{Time: at, Type: TriageScore, Data: Data{"n": 1}}.Append(nil))
	f.Add([]byte(`{"schema_version":1,"event_type":"x","timestamp":"2026-11-20T09:00:00Z","duration_ms":1e300,"data":{"list":[1,"a"]}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := Parse(line)
		if err == nil && (e.Type == "" || e.Took < 0 && e.Took != Untimed) {
			t.Fatalf("%+v", e)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	e := Event{Time: at, Type: TriageScore, Hook: "stop", Session: "4e836284-4a0a-44a1-acb3-38c68db78007",
		Data: Data{"entries": 7, "explicit": false, "triggered": []string{"decision"},
			"scores": map[string]float64{"decision": .6}}}
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		e.Append(buf)
	}
}
