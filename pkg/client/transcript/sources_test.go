package transcript

import (
	"os"
	"strings"
	"testing"
)

// TestSources: what shows where words come from is read only if it is asked for.
func TestSources(t *testing.T) {
	long := strings.Repeat("x", 3*longLine)
	src := source(strings.Join([]string{
		`{"type":"user","cwd":"/app","isSidechain":true,"message":{"content":"look at it"}}`,
		`{"type":"attachment","attachment":{"type":"file","filename":"/app/NOTES","content":{"file":{"content":"` + long + `"}}}}`,
		`{"type":"attachment","attachment":{"type":"nested_memory","content":{"path":"/app/sub/CLAUDE.md","content":"rule"}}}`,
		`{"type":"attachment","attachment":{"type":"mcp_resource","server":"s","content":"what it says"}}`,
		`{"type":"attachment","attachment":{"type":"never_heard_of","items":[]}}`,
		`{"type":"attachment","attachment":{"type":"skill_listing","content":"skills"}}`,
		`{"type":"attachment","attachment":{"type":"prompt_snapshot","content":"all of it"}}`,
		`{"type":"attachment","attachment":{"type":"hook_additional_context","hookEvent":"Stop","content":["said"]}}`,
		`{"type":"file-history-snapshot","content":"nothing"}`,
	}, "\n") + "\n")
	var got []string
	for _, e := range read(t, src, Request{Whole: true, Sources: true}).Entries {
		file := ""
		if e.Call != nil {
			file = e.Call.Tool + " " + e.Call.File
		}
		got = append(got, strings.TrimSpace(e.Who.String()+" "+file+" "+e.Text+" "+e.Cwd))
	}
	want := []string{"person look at it /app", "attached file /app/NOTES",
		"attached nested_memory /app/sub/CLAUDE.md",
		"attached mcp_resource  what it says", "attached never_heard_of", "injected  said"}
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], "  ", " ")
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "  ", " ")
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
	span := read(t, src, Request{Whole: true})
	if len(span.Entries) != 1 || span.Entries[0].Who != Injected || span.Entries[0].Cwd != "" {
		t.Errorf("not asked for: %+v", span.Entries)
	}
}

func TestPlannedIn(t *testing.T) {
	handed := "Implement the following plan:\n\nUse Postgres.\n\nIf you need specific details from before " +
		"exiting plan mode (like " +
		"exact code snippets), read the full transcript at: /p/a b.jsonl"
	for prompt, want := range map[string]string{handed: "/p/a b.jsonl",
		handed + "\n\nUser feedback on this plan: fine": "/p/a b.jsonl",
		"read the full transcript at: /p/a.jsonl":       "", "": ""} {
		if got := PlannedIn(prompt); got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
	for _, file := range []string{"choices-2.1.197.jsonl", "choices-2.1.329.jsonl"} {
		found := false
		b, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range read(t, source(string(b)), Request{Whole: true}).Entries {
			found = found || e.Handed() && e.Own() == ""
		}
		if !found {
			t.Errorf("%s: no plan is handed over", file)
		}
	}
}
