package eval

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestStates(t *testing.T) {
	s := Session{Items: []Item{
		{Quote: "We store amounts in integer cents", Quote2: "floats lost a cent in March", Line: 3, Line2: 5,
			Also: []int{9}},
		{Quote: "金额一律用分存储", Line: 3},
		{Quote: "use pnpm", Line: 4},
	}}
	tests := map[string]struct {
		line int
		said string
		want []int
	}{
		"word for word":        {3, "We store amounts in integer cents", []int{0}},
		"longer":               {3, "OK: we store amounts in integer cents everywhere from now on", []int{0}},
		"a part":               {3, "amounts in cents", []int{0}},
		"two words":            {3, "integer cents", nil},
		"other words":          {3, "We read amounts from the export", nil},
		"on another line":      {4, "We store amounts in integer cents", nil},
		"said again":           {9, "So we store amounts in integer cents.", []int{0}},
		"the reason":           {5, "Floats lost a cent in March!", []int{0}},
		"the reason elsewhere": {9, "Floats lost a cent in March!", nil},
		"the quote there":      {5, "We store amounts in integer cents", nil},
		"without spaces":       {3, "以后金额一律用分存储。", []int{1}},
		"too short to tell":    {4, "use pnpm", nil},
		"no line":              {0, "We store amounts in integer cents", nil},
	}
	for name, tt := range tests {
		if got := s.States(tt.line, tt.said); !slices.Equal(got, tt.want) {
			t.Errorf("%s: line %d %q states %v, want %v", name, tt.line, tt.said, got, tt.want)
		}
	}
}

func TestStatesAny(t *testing.T) {
	s := Session{Items: []Item{
		{Quote: "Option two keeps the queue in Postgres", Line: 3},
		{Quote: "number two, there is no redis on that server", Line: 4},
	}}
	const picked = "take 2 — Keep the queue in Postgres (option two)"
	for name, tt := range map[string]struct {
		lines []int
		said  string
		want  []int
	}{
		"what was picked":     {[]int{4, 3}, picked, []int{0}},
		"its line unknown":    {[]int{4}, picked, nil},
		"both":                {[]int{4, 3}, "2, there is no redis on it — " + picked, []int{0, 1}},
		"neither":             {[]int{1, 2}, picked, nil},
		"the words of a pick": {[]int{4, 3}, "2, there is no redis", []int{1}},
	} {
		if got := s.StatesAny(tt.lines, tt.said); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// writeData makes a directory of labelled sessions.
func writeData(t *testing.T, labels string, transcripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{labelsFile: labels}
	for name, text := range transcripts {
		files[filepath.Join(transcriptDir, name)] = text
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadSessions(t *testing.T) {
	dir := writeData(t, `{"file":"a.jsonl","repo":"r","lang":"en","items":[{"category":"decision",`+
		`"by":"PERSON","quote":"q","form":"pick","worth":3,"memory":"m","line":2,"also":[4]}]}`+"\n\n"+
		`{"file":"b.jsonl","repo":"r","lang":"de","items":[]}`,
		map[string]string{"a.jsonl": "{}\n", "b.jsonl": ""})
	all, err := ReadSessions(dir)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	i := all[0].Items[0]
	if i.Category != "decision" || i.Line != 2 || !slices.Equal(i.Also, []int{4}) || !i.Counts() ||
		all[0].Path != filepath.Join(dir, transcriptDir, "a.jsonl") || all[1].Lang != "de" {
		t.Errorf("%+v", all)
	}
	digest, err := Digest(dir)
	if err != nil || len(digest) != 64 {
		t.Error(digest, err)
	}
	if err := os.WriteFile(all[1].Path, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if other, _ := Digest(dir); other == digest {
		t.Error("another transcript has the same digest")
	}
}

func TestReadSessionsThatAreBroken(t *testing.T) {
	for labels, want := range map[string]string{
		`{"file":"a.jsonl"`:        "labels.jsonl:1",
		`{"file":"../../x.jsonl"}`: "no name of a file",
		`{"file":"gone.jsonl"}`:    "gone.jsonl",
	} {
		_, err := ReadSessions(writeData(t, labels, nil))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", labels, err, want)
		}
	}
	if _, err := ReadSessions(t.TempDir()); !isMissing(err) {
		t.Errorf("no labels: %v", err)
	}
}
