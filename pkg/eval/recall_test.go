package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOrigins checks that memories keep the session and the time that the data says.
func TestOrigins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "recall_made.json")
	write := func(meta string) {
		err := os.WriteFile(file, []byte(`{"collections":[{"id":"one","docs":[{"id":"q","title":"Q",`+
			`"meta":`+meta+`}],"queries":[]}]}`), 0o644)
		if err != nil {
			t.Fatal(err)
		}
	}
	for meta, want := range map[string]string{
		`{}`:                                     " ",
		`{"session":3,"date":"2026-05-12"}`:      "3 2026-05-12T00:00:00Z",
		`{"date":"1:56 pm on 8 May, 2023"}`:      " 2023-05-08T13:56:00Z",
		`{"session":"7","ev":["D1:3"]}`:          "7 ",
		`{"date":"2026-05-12T08:00:00.5+02:00"}`: " 2026-05-12T06:00:00Z",
	} {
		write(meta)
		_, all, err := readCorpus(file)
		if err != nil {
			t.Fatal(err)
		}
		r, session := all[0].docs[0].Record, ""
		if r.Provenance != nil {
			session = r.Provenance.Session
		}
		if got := session + " " + r.CreatedAt; got != want {
			t.Errorf("%s: %q, want %q", meta, got, want)
		}
		if whole(r).CreatedAt == "" || r.CreatedAt != "" && whole(r).CreatedAt != r.CreatedAt {
			t.Errorf("%s: the memory is made at %q", meta, whole(r).CreatedAt)
		}
	}
	write(`{"date":"last week"}`)
	if _, _, err := readCorpus(file); err == nil || !strings.Contains(err.Error(), "last week") {
		t.Error(err)
	}
}

// TestLabelledOrigins checks that a memory of a labelled session is of that session and of the time of its
// line.
func TestLabelledOrigins(t *testing.T) {
	const said = `{"type":"user","uuid":"u","timestamp":"2026-10-07T09:00:00.000Z","promptSource":"typed",` +
		`"origin":{"kind":"human"},"message":{"role":"user","content":"Use tabs."}}` + "\n"
	dir := writeData(t, `{"file":"a.jsonl","repo":"r","lang":"en","items":[{"category":"preference",`+
		`"quote":"Use tabs.","worth":3,"memory":"m","line":2},{"category":"decision","quote":"-",`+
		`"worth":3,"memory":"n","line":1}]}`, map[string]string{"a.jsonl": "{}\n" + said})
	all, err := shelvesOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"2026-10-07T09:00:00Z", ""} {
		if d := all[0].docs[i]; d.CreatedAt != want || d.Provenance.Session != "a.jsonl" {
			t.Errorf("%+v", d)
		}
	}
}
