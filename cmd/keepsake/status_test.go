package main

import (
	"io"
	"os"
	"testing"
	"time"

	"keepsake/pkg/project/session"
)

// TestClientSays: what the client says on standard input is read as soon as it is there, though nobody closes
// it, and anything else is no session, nor
// is one in a folder that is not there.
func TestClientSays(t *testing.T) {
	p := t.TempDir()
	all := `{"session_id":"s1","transcript_path":"/t/s1.jsonl","cwd":"/p/a","workspace":{` +
		`"current_dir":"/p/b","project_dir":"` + p + `"},"version":"2.1.329","model":{"id":"m"}}`
	for _, c := range []struct {
		name, says string
		want       session.Call
	}{
		{"all", all, session.Call{ID: "s1", Transcript: "/t/s1.jsonl", Cwd: "/p/b", Project: p}},
		{"a line", all + "\n", session.Call{ID: "s1", Transcript: "/t/s1.jsonl", Cwd: "/p/b", Project: p}},
		{"an old client", `{"session_id":"s1","cwd":"` + p + `"}`, session.Call{ID: "s1", Cwd: p}},
		{"no folder", `{"session_id":"s1","cwd":"` + p + `","workspace":{"project_dir":"` + p + `/gone"}}`,
			session.Call{}},
		{"a file", `{"session_id":"s1","workspace":{"project_dir":"/etc/passwd"}}`, session.Call{}},
		{"no path", `{"session_id":"s1","workspace":{"project_dir":"` + p + `\u0000"}}`, session.Call{}},
		{"nowhere", `{"session_id":"s1"}`, session.Call{ID: "s1"}},
		{"nothing", "", session.Call{}},
		{"no session", `{"cwd":"/p"}`, session.Call{}},
		{"half", all[:60], session.Call{}},
		{"no JSON", "hello\n", session.Call{}},
		{"no object", `["s1"]`, session.Call{}},
		{"another form", `{"session_id":7}`, session.Call{}},
	} {
		for _, open := range []bool{true, false} {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, c.says); err != nil {
				t.Fatal(err)
			}
			if !open {
				w.Close()
			}
			got := make(chan session.Call, 1)
			go func() { got <- clientSays(r) }()
			select {
			case got := <-got:
				if got != c.want {
					t.Errorf("%s, open %v: %+v, want %+v", c.name, open, got, c.want)
				}
			case <-time.After(10 * time.Second):
				t.Errorf("%s, open %v: it hangs", c.name, open)
			}
			w.Close()
			r.Close()
		}
	}
}
