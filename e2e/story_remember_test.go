//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// keepLine is how Stop names a finding that is to be written up, and formOf what SessionStart says of how
// that is done.
var (
	keepLine = regexp.MustCompile(`keepsake: keep \[(\d+)\] (\w+) \\?"`)
	formOf   = regexp.MustCompile(`<keepsake-form>[^<]*?(/[^ ]*/bin/keepsake) remember`)
)

// A Rememberer is the mind of a model that answers "keepsake: keep" as the form says: with one command.
type Rememberer struct {
	Chat Turn
	// Write makes the drafts for what it is asked to keep, by number and category.
	Write func(asked [][2]string) string
}

// Answer answers one request of the main conversation.
func (m *Rememberer) Answer(r *Request) Reply {
	tail := r.Tail()
	asked := keepLine.FindAllStringSubmatch(tail, -1)
	form := formOf.FindStringSubmatch(r.Text())
	switch {
	case strings.Contains(tail, thanks):
		return m.Chat(r)
	case len(asked) > 0 && form != nil && !strings.Contains(tail, "Saved:"):
		var all [][2]string
		for _, a := range asked {
			all = append(all, [2]string{a[1], a[2]})
		}
		return Bash(form[1] + " remember '" + m.Write(all) + "'")
	case strings.Contains(tail, "Saved: "):
		var saved []string // in one short line, as the form asks
		for _, line := range savedLine.FindAllString(tail, -1) {
			what, _, _ := strings.Cut(strings.TrimPrefix(line, "Saved: "), ")")
			saved = append(saved, what+")")
		}
		return Say("Saved: " + strings.Join(saved, ", ") + ".")
	}
	return m.Chat(r)
}

// draftsOf are drafts of the two things that the decision stories say, with what the form
// asks for and nothing else.
func draftsOf(asked [][2]string) string {
	var drafts []map[string]any
	for _, a := range asked {
		d := map[string]any{"covers": []json.Number{json.Number(a[0])}, "category": a[1]}
		switch a[1] {
		case "decision":
			d["title"] = "Keep the job queue in PostgreSQL"
			d["content"] = map[string]any{
				"decision":  "The job queue stays in PostgreSQL instead of Redis.",
				"context":   "Jobs must survive a restart.",
				"rationale": []string{"Jobs must survive a restart", "We already run Postgres"},
			}
		default:
			d["title"] = "Run migrations with make migrate"
			d["content"] = map[string]any{
				"topic": "migrations", "value": "make migrate, never by hand",
				"reason": "staging and production stay the same",
			}
		}
		drafts = append(drafts, d)
	}
	b, _ := json.Marshal(drafts) // strings, numbers, lists and maps always encode
	return string(b)
}

// A Cost is what one save put into the requests, in bytes, and how many findings it saved.
type Cost struct {
	Findings int
	Said     int // by Keepsake: Stop's lines and the command's result
	Quoted   int // of that, the person's own words
	Command  int // by the model
	Memory   int // of that, the words of the memories
}

var (
	keepRow    = regexp.MustCompile(`keepsake: keep \[\d+\] \w+ "[^"\n]*"`)
	quotedLine = regexp.MustCompile(`keepsake: keep \[\d+\] \w+ "([^\n]*)"`)
)

// costOf counts a save in the requests from the decision to the next prompt. What the first
// of them adds to the conversation stands in the last one too.
func costOf(t *testing.T, requests []*Request) (c Cost) {
	t.Helper()
	for _, m := range requests[len(requests)-1].Messages {
		if quotes := quotedLine.FindAllStringSubmatch(m.Text, -1); m.Role != "assistant" && quotes != nil {
			c.Said += len(m.Text)
			for _, q := range quotes {
				c.Findings++
				c.Quoted += len(q[1])
			}
		}
		for _, call := range m.Calls {
			_, drafts, found := strings.Cut(call.Command(), "/bin/keepsake remember '")
			if !found {
				continue
			}
			c.Command += len(call.Command())
			var all []any
			if err := json.Unmarshal([]byte(strings.TrimSuffix(drafts, "'")), &all); err != nil {
				t.Fatal(err)
			}
			for _, d := range all {
				draft := d.(map[string]any)
				c.Memory += len(draft["title"].(string)) + wordsIn(draft["content"])
			}
		}
		for _, result := range m.Results {
			if strings.HasPrefix(result, "Saved: ") {
				c.Said += len(result)
			}
		}
	}
	return c
}

// wordsIn counts the bytes of all texts in decoded JSON, without the names.
func wordsIn(v any) (n int) {
	switch v := v.(type) {
	case string:
		return len(v)
	case []any:
		for _, e := range v {
			n += wordsIn(e)
		}
	case map[string]any:
		for _, e := range v {
			n += wordsIn(e)
		}
	}
	return n
}

// maxSaid is how many bytes a save may add for each finding, beside what is quoted and the
// words of the memory itself.
const maxSaid = 350

func (c Cost) check(t *testing.T, client Client, mode string) {
	t.Helper()
	if c.Findings != 2 || c.Quoted == 0 || c.Memory == 0 || c.Said == 0 {
		t.Fatalf("a save that was not understood: %+v", c)
	}
	beside := (c.Said - c.Quoted + c.Command - c.Memory) / c.Findings
	t.Logf("%s, %s: a finding adds %d bytes beside the quote and the memory's words: "+
		"Keepsake says %d, the command's form takes %d; with the memory's words it is %d",
		client.Version, mode, beside, (c.Said-c.Quoted)/c.Findings, (c.Command-c.Memory)/c.Findings,
		(c.Said-c.Quoted+c.Command)/c.Findings)
	if beside > maxSaid {
		t.Errorf("a save adds %d bytes a finding beside the quote, want at most %d: %+v", beside, maxSaid, c)
	}
}

// rowsOfSave returns what a person sees of the save that follows the agent's answer: the rows up to the
// client's own line about the turn.
func rowsOfSave(screen string) (rows []string) {
	_, after, _ := strings.Cut(screen, "● Understood.\n")
	for row := range strings.Lines(after) {
		if strings.HasPrefix(strings.TrimSpace(row), "✻") || strings.Contains(row, "❯") {
			break
		}
		if strings.TrimSpace(row) != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// TestRemember: what was decided is written up in one command, without a dialog and without a drafter,
// and the next session knows it.
func TestRemember(t *testing.T) {
	eachMode(t, func(t *testing.T, c Client, mode string) {
		l := NewLab(t, c)
		l.Env = map[string]string{"KEEPSAKE_CAPTURE_DRAFTERS": ""}
		l.InstallKeepsake()
		m := &Rememberer{Chat: chat(l), Write: draftsOf}
		l.Model.Mind("main", Match{}, m.Answer)

		term := l.Terminal("--permission-mode", mode)
		term.Send(lookAround)
		term.Wait(regexp.QuoteMeta(findings[:40]))
		before := len(l.Model.Answered("main"))
		term.Send(decided + " " + preferred)
		l.Model.AwaitTail(keepLine.String())
		term.Wait("Saved: decision")
		term.Send(thanks)
		term.Wait(regexp.QuoteMeta(bye))
		checkSave(t, l, term)
		if rows := rowsOfSave(term.History()); c.Version == versions[1] && len(rows) > 3+2 {
			t.Errorf("a save of two findings has %d rows, want 3 and one for each\n%s", len(rows),
				strings.Join(rows, "\n"))
		}
		if rows := keepRow.FindAllString(term.History(), -1); len(rows) != 2 {
			t.Errorf("%d of the two findings are told in a row each, with the quote to its end\n%s",
				len(rows),
				term.History())
		}
		if os.Getenv("KEEPSAKE_SCREEN") != "" {
			t.Logf("the screen\n%s", term.History())
		}
		spent := l.Model.Answered("main")[before:]
		asked := 0
		for _, r := range spent {
			if keepLine.MatchString(r.Tail()) {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("asked %d times to keep something, want once\n%s", asked, l.Model.Digest())
		}
		if n := len(spent); n != 4 { // the answer, the command, the end of it, the thanks
			t.Errorf("%d requests from the decision to the thanks, want 4\n%s", n, l.Model.Digest())
		}
		costOf(t, spent).check(t, c, mode)
		term.Quit()
		var costs struct {
			Total struct{ Saved, Requests, Bytes, Tokens int }
		}
		said := l.cli("stats", "--json")
		if err := json.Unmarshal([]byte(said), &costs); err != nil {
			t.Fatalf("keepsake stats: %v\n%s", err, said)
		}
		// the command, and the end of it
		if all := costs.Total; all.Saved != 2 || all.Requests != 2 || all.Bytes == 0 || all.Tokens == 0 {
			t.Errorf("keepsake says that memory cost\n%s", said)
		}
		if got := l.memory("preferences")["title"]; got != "Run migrations with make migrate" {
			t.Errorf("the preference on disk is %v", got)
		}
	})
}
