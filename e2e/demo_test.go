//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The conversation of make demo.
const (
	lookAround = "The shop's job queue loses jobs whenever Redis restarts. Have a look at how it is set up."
	findings   = "The queue keeps jobs in a Redis list without persistence, so a restart drops whatever " +
		"had not been taken. Two ways out: turn on the append-only file, or keep the jobs in PostgreSQL, " +
		"which the shop runs anyway."
	decided = "We decided to keep the job queue in PostgreSQL instead of Redis, because jobs must " +
		"survive a restart and we already run Postgres."
	changed = "The queue now takes jobs with SELECT … FOR UPDATE SKIP LOCKED from the table jobs, and " +
		"the Redis client is gone from internal/queue."
	preferred = "Good. From now on always run migrations with make migrate, never by hand, so that staging " +
		"and production stay the same."
	migrated = "Understood. I ran make migrate; 0007_jobs.sql is applied."
)

// demoTranscript is what make demo feeds to the built hooks.
var demoTranscript = filepath.Join("..", "scripts", "demo", "transcript.jsonl")

// The demo's transcript is what the current client writes for its conversation. With KEEPSAKE_RECORD=1 the
// story writes the file anew instead of comparing it.
func TestDemoTranscript(t *testing.T) {
	t.Parallel()
	version := versions[len(versions)-1]
	l := NewLab(t, Client{Version: version, Path: clientPath(t, version)})
	l.Settings(map[string]any{"permissions": map[string]any{"allow": []string{"Edit", "Bash(make migrate)"}}})
	l.Model.Script("main", Match{},
		Fixed(Call("Read", map[string]any{"file_path": filepath.Join(l.Project, queueFile)})),
		Fixed(Say(findings)),
		Fixed(Call("Edit", map[string]any{"file_path": filepath.Join(l.Project, queueFile),
			"old_string": "redis.NewClient", "new_string": "pgxpool.New"})), Fixed(Say(changed)),
		Fixed(Call("Bash", map[string]any{"command": "make migrate", "description": "Run the migrations"})),
		Fixed(Say(migrated)))
	term := l.Terminal("--permission-mode", "default")
	for _, exchange := range [][2]string{{lookAround, findings}, {decided, changed}, {preferred, migrated}} {
		term.Send(exchange[0])
		term.Wait(regexp.QuoteMeta(exchange[1][:40]))
	}
	term.Quit()

	recording := l.recording()
	if os.Getenv("KEEPSAKE_RECORD") != "" {
		if err := os.WriteFile(demoTranscript, []byte(recording), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, want := conversation(recording), conversation(l.Read(demoTranscript)); got != want {
		t.Errorf("the client's transcript and %s tell different stories; record again with "+
			"KEEPSAKE_RECORD=1\ngot:\n%s\nwant:\n%s", demoTranscript, got, want)
	}
}

// conversation is who said or did what in a transcript, one line each.
func conversation(transcript string) string {
	var b strings.Builder
	for _, line := range strings.Split(transcript, "\n") {
		var entry struct {
			Type, PromptSource string
			Message            struct{ Content json.RawMessage }
		}
		if json.Unmarshal([]byte(line), &entry) == nil &&
			(entry.Type == "user" || entry.Type == "assistant") {
			fmt.Fprintf(&b, "%s %s: %s\n", entry.Type, entry.PromptSource, contentText(entry.Message.Content))
		}
	}
	return b.String()
}

// recording is the lab's one transcript, made neutral: paths, ids and times are the same in every recording.
// The client's records of its own requests, and of what it told the model about itself and the machine, are
// left out: they are its text, not the conversation.
func (l *Lab) recording() string {
	l.t.Helper()
	transcripts := l.Transcripts()
	if len(transcripts) != 1 {
		l.t.Fatalf("transcripts %q, want one to record", transcripts)
	}
	var out strings.Builder
	for _, line := range strings.SplitAfter(l.Read(transcripts[0]), "\n") {
		var entry struct{ Type string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Type != "attachment" &&
			!strings.HasPrefix(entry.Type, "api-request") {
			out.WriteString(line)
		}
	}
	return l.neutral(out.String())
}

// demoSession is the id that make demo knows the recorded session by.
const demoSession = "6513270e-269e-4d37-b2a7-4de452e6b438"

var (
	anyUUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	anyTime = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)
)

// neutral takes the lab out of a recording.
func (l *Lab) neutral(text string) string {
	for _, place := range []struct{ from, to string }{
		{l.Project, "/home/dev/shop"}, {l.Home, "/home/dev"}, {l.Runtime, "/run/user/1000"},
		{l.Root, "/home/dev"},
	} {
		text = strings.ReplaceAll(text, place.from, place.to)
	}
	ids := map[string]string{l.session(): demoSession}
	text = anyUUID.ReplaceAllStringFunc(text, func(id string) string {
		if ids[id] == "" {
			ids[id] = fmt.Sprintf("00000000-0000-4000-8000-%012d", len(ids))
		}
		return ids[id]
	})
	var first time.Time
	day := time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC)
	return anyTime.ReplaceAllStringFunc(text, func(stamp string) string {
		at, err := time.Parse("2006-01-02T15:04:05.000Z", stamp)
		if err != nil {
			return stamp
		}
		if first.IsZero() {
			first = at
		}
		return day.Add(at.Sub(first)).Format("2006-01-02T15:04:05.000Z")
	})
}

// session is the id of the lab's first session, which is the name of its transcript.
func (l *Lab) session() string {
	l.t.Helper()
	transcripts := l.Transcripts()
	if len(transcripts) == 0 {
		l.t.Fatal("there is no transcript yet")
	}
	return strings.TrimSuffix(filepath.Base(transcripts[0]), ".jsonl")
}
