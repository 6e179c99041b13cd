package hook

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

const preToolUse = `{"session_id":"s1","transcript_path":"/t.jsonl","cwd":"/p","hook_event_name":"PreToolUse","permission_mode":"auto","agent_type":"keepsake:drafter","tool_name":"Bash","tool_input":{"command":"ls \u2028"},"tool_use_id":"u1"}`

// gate runs one PreToolUse event through judge and returns what the client reads.
func gate(t *testing.T, stdin io.Reader,
	judge func(context.Context, PreToolUse) (PreToolUseAnswer, error)) (out string, faults []Fault) {
	t.Helper()
	var b bytes.Buffer
	code := RunPreToolUse(Options{Stdin: stdin, Stdout: &b, Fault: func(f Fault) {
		faults = append(faults, f)
	}}, judge)
	if code != 0 {
		t.Errorf("exit code %d; decisions are in the JSON", code)
	}
	return b.String(), faults
}

func TestPreToolUseSaysWhatTheJudgeSaid(t *testing.T) {
	for name, c := range map[string]struct {
		answer PreToolUseAnswer
		want   string
	}{
		"none": {PreToolUseAnswer{}, ""},
		"a word beside it": {PreToolUseAnswer{Context: "old"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"old"}}` + "\n"},
		"a word and an answer": {PreToolUseAnswer{Decision: Ask, Context: "old"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}` + "\n"},
		"allow": {PreToolUseAnswer{Decision: Allow},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}` + "\n"},
		"ask": {PreToolUseAnswer{Decision: Ask, Reason: "line 1\nline \"2\""},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"line 1\nline \"2\""}}` + "\n"},
		"deny": {PreToolUseAnswer{Decision: Deny, Reason: "no"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var got PreToolUse
			out, faults := gate(t, strings.NewReader(preToolUse),
				func(_ context.Context, in PreToolUse) (PreToolUseAnswer, error) {
					got = in
					return c.answer, nil
				})
			if out != c.want || len(faults) > 0 {
				t.Errorf("said %q, faults %v; want %q", out, faults, c.want)
			}
			want := Common{Session: "s1", Transcript: "/t.jsonl", Cwd: "/p", Event: "PreToolUse",
				Mode: "auto", AgentType: "keepsake:drafter"}
			if got.Common != want || got.Tool != "Bash" || string(got.Args) != `{"command":"ls \u2028"}` ||
				got.UseID != "u1" {
				t.Errorf("judged %+v with %s", got, got.Args)
			}
		})
	}
}

// Every fault stops the call at the gate, and other hooks say nothing.
func TestFaults(t *testing.T) {
	deep := strings.Repeat("[", 10_000)
	broken := map[string]string{
		"empty":       "",
		"blank":       " \n\t",
		"text":        "hello",
		"list":        "[1,2]",
		"string":      `"a"`,
		"null":        "null",
		"half":        preToolUse[:40],
		"not JSON":    `{"a":nope}`,
		"other event": `{"hook_event_name":"Stop"}`,
		"no event":    `{}`,
		"null event":  `{"hook_event_name":null}`,
		"deep":        `{"a":` + deep,
		"very deep":   `{"a":` + strings.Repeat(`{"a":[`, 1<<20),
		"closing":     `}`,
		"NUL":         "\x00" + preToolUse,
	}
	for name, in := range broken {
		t.Run("gate/"+name, func(t *testing.T) {
			out, faults := gate(t, strings.NewReader(in),
				func(context.Context, PreToolUse) (PreToolUseAnswer, error) {
					t.Error("judged")
					return PreToolUseAnswer{Decision: Allow}, nil
				})
			if d := gjson.Get(out, "hookSpecificOutput.permissionDecision").Str; d != "deny" ||
				!gjson.Valid(out) {
				t.Errorf("said %q; want a deny", out)
			}
			if len(faults) != 1 || faults[0].Event != "PreToolUse" {
				t.Errorf("faults %v", faults)
			}
		})
		t.Run("stop/"+name, func(t *testing.T) {
			if name == "other event" {
				in = preToolUse
			}
			var b bytes.Buffer
			n := 0
			RunStop(Options{Stdin: strings.NewReader(in), Stdout: &b, Fault: func(Fault) {
				n++
			}}, func(context.Context, Stop) (ContextAnswer, error) {
				t.Error("judged")
				return ContextAnswer{}, nil
			})
			if b.Len() != 0 || n != 1 {
				t.Errorf("said %q with %d faults; want silence and one", b.String(), n)
			}
		})
	}
	judges := map[string]func(context.Context, PreToolUse) (PreToolUseAnswer, error){
		"error": func(context.Context, PreToolUse) (PreToolUseAnswer, error) {
			return PreToolUseAnswer{Decision: Allow}, errors.New("disk on fire")
		},
		"panic":     func(context.Context, PreToolUse) (PreToolUseAnswer, error) { panic("oh") },
		"nil panic": func(context.Context, PreToolUse) (PreToolUseAnswer, error) { panic(any(nil)) },
		"runtime": func(_ context.Context, in PreToolUse) (PreToolUseAnswer, error) {
			return PreToolUseAnswer{Reason: string(in.Args[len(in.Args)])}, nil
		},
	}
	for name, judge := range judges {
		t.Run("judge/"+name, func(t *testing.T) {
			out, faults := gate(t, strings.NewReader(preToolUse), judge)
			if gjson.Get(out, "hookSpecificOutput.permissionDecision").Str != "deny" || len(faults) != 1 ||
				faults[0].Common.Session != "s1" {
				t.Errorf("said %q, faults %+v", out, faults)
			}
		})
	}
}

func TestFaultReporterMayPanic(t *testing.T) {
	var b bytes.Buffer
	RunPreToolUse(Options{Stdin: strings.NewReader("{}"), Stdout: &b, Fault: func(Fault) {
		panic("full disk")
	}}, nil)
	if gjson.Get(b.String(), "hookSpecificOutput.permissionDecision").Str != "deny" {
		t.Errorf("said %q", b.String())
	}
}

// The client may leave stdin open: the end of the value is the end of the input.
func TestDoesNotWaitForEOF(t *testing.T) {
	r, w := io.Pipe()
	go io.WriteString(w, preToolUse) // and never closes
	done := make(chan string)
	go func() {
		out, _ := gate(t, r, func(context.Context, PreToolUse) (PreToolUseAnswer, error) {
			return PreToolUseAnswer{Decision: Allow}, nil
		})
		done <- out
	}()
	select {
	case out := <-done:
		if !strings.Contains(out, "allow") {
			t.Errorf("said %q", out)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("still reading")
	}
}

func TestDeadline(t *testing.T) {
	for name, stdin := range map[string]func() io.Reader{
		"slow judge": func() io.Reader { return strings.NewReader(preToolUse) },
		"no input":   func() io.Reader { r, _ := io.Pipe(); return r },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			exited := make(chan int, 1)
			var fault error
			go RunPreToolUse(Options{
				Stdin: stdin(), Stdout: &b, Deadline: 20 * time.Millisecond,
				Fault: func(f Fault) { fault = f.Err }, Exit: func(code int) { exited <- code },
			}, func(context.Context, PreToolUse) (PreToolUseAnswer, error) { select {} })
			if code := <-exited; code != 0 || !errors.Is(fault, ErrDeadline) {
				t.Errorf("exit %d, fault %v", code, fault)
			}
			if gjson.Get(b.String(), "hookSpecificOutput.permissionDecision").Str != "deny" {
				t.Errorf("said %q", b.String())
			}
		})
	}
}

// TestExtend: a judge that asks for more time gets it, and no more, and one that asks too late gets none.
func TestExtend(t *testing.T) {
	var b bytes.Buffer
	began := time.Now()
	o := Options{Stdin: strings.NewReader(preToolUse), Stdout: &b, Deadline: time.Hour,
		Exit: func(int) { t.Error("the watchdog barked") }}
	RunPreToolUse(o, func(ctx context.Context, _ PreToolUse) (PreToolUseAnswer, error) {
		longer, cancel, ok := Extend(ctx, 2*time.Hour)
		defer cancel()
		if end, _ := longer.Deadline(); !ok || end.Before(began.Add(2*time.Hour)) {
			t.Errorf("%v, until %v", ok, end)
		}
		return PreToolUseAnswer{Decision: Allow}, nil
	})
	if !strings.Contains(b.String(), `"allow"`) {
		t.Errorf("said %q", b.String())
	}
	b.Reset()
	exited := make(chan int, 1)
	o.Stdin, o.Deadline, o.Exit = strings.NewReader(preToolUse), time.Millisecond, func(code int) {
		exited <- code
	}
	RunPreToolUse(o, func(ctx context.Context, _ PreToolUse) (PreToolUseAnswer, error) {
		<-exited
		if _, _, ok := Extend(ctx, time.Hour); ok {
			t.Error("there is time after the deadline")
		}
		return PreToolUseAnswer{Decision: Allow}, nil
	})
	if !strings.Contains(b.String(), `"deny"`) {
		t.Errorf("said %q", b.String())
	}
}

// TestAHungDisk: a report that never ends, of the deadline or of an error before it, holds up no answer and
// no exit.
func TestAHungDisk(t *testing.T) {
	for name, judge := range map[string]func(context.Context, PreToolUse) (PreToolUseAnswer, error){
		"the judge hangs too": func(context.Context, PreToolUse) (PreToolUseAnswer, error) { select {} },
		"the judge fails": func(context.Context, PreToolUse) (PreToolUseAnswer, error) {
			return PreToolUseAnswer{}, errors.New("input/output error")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, w := io.Pipe()
			exited := make(chan int, 1)
			go RunPreToolUse(Options{
				Stdin: strings.NewReader(preToolUse), Stdout: w, Deadline: 20 * time.Millisecond,
				Fault: func(Fault) { select {} }, Exit: func(code int) { exited <- code },
			}, judge)
			line, err := bufio.NewReader(r).ReadString('\n')
			if err != nil || gjson.Get(line, "hookSpecificOutput.permissionDecision").Str != "deny" {
				t.Errorf("said %q, %v", line, err)
			}
			if code := <-exited; code != 0 {
				t.Errorf("exit %d", code)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	big := io.MultiReader(strings.NewReader(`{"a":"`), io.LimitReader(fill('x'), MaxInput),
		strings.NewReader(`"}`))
	_, faults := gate(t, big, nil)
	if len(faults) != 1 || !errors.Is(faults[0].Err, ErrTooLarge) {
		t.Errorf("faults %v", faults)
	}
	almost := `{"hook_event_name":"PreToolUse","x":"`
	out, faults := gate(t, io.MultiReader(strings.NewReader(almost),
		io.LimitReader(fill('x'), int64(MaxInput-len(almost)-2)), strings.NewReader(`"}`)),
		func(context.Context, PreToolUse) (PreToolUseAnswer, error) {
			return PreToolUseAnswer{}, nil
		})
	if out != "" || len(faults) != 0 {
		t.Errorf("an event of exactly the limit: said %q, faults %v", out, faults)
	}
}

type fill byte

func (f fill) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(f)
	}
	return len(p), nil
}

func TestContextAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		answer ContextAnswer
		want   string
	}{
		"silence": {ContextAnswer{}, ""},
		"context": {ContextAnswer{Context: "a\n<b>"},
			`{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"a\n\u003cb\u003e"}}` + "\n"},
		"message": {ContextAnswer{Message: "m"}, `{"systemMessage":"m"}` + "\n"},
		"both": {ContextAnswer{Message: "m", Context: "c"},
			`{"systemMessage":"m","hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"c"}}` +
				"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			in := `{"hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"done","background_tasks":[{"id":"b1","type":"subagent","status":"running","agent_type":"keepsake:drafter"},null,3]}`
			var got Stop
			RunStop(Options{Stdin: strings.NewReader(in), Stdout: &b},
				func(_ context.Context, s Stop) (ContextAnswer, error) {
					got = s
					return c.answer, nil
				})
			if b.String() != c.want || !got.Active || got.LastAssistant != "done" || len(got.Tasks) != 3 ||
				got.Tasks[0].AgentType != "keepsake:drafter" {
				t.Errorf("said %q for %+v; want %q", b.String(), got, c.want)
			}
		})
	}
}

func TestCut(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		n    int
		want string
	}{
		"short":          {"abc", 3, "abc"},
		"ascii":          {"abcd", 3, "abc"},
		"pair not split": {"ab😀", 3, "ab"},
		"pair fits":      {"a😀b", 3, "a😀"},
		"wide":           {"äöüß", 3, "äöü"},
		"broken UTF-8":   {"a\xffbc", 3, "a\xffb"},
	} {
		if got := cutUTF16(c.in, c.n); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func FuzzReadValue(f *testing.F) {
	f.Add([]byte(preToolUse), 7)
	f.Add([]byte(`  {"a":"}\"{"} trailing`), 1)
	f.Add([]byte(`[`), 3)
	f.Fuzz(func(t *testing.T, in []byte, chunk int) {
		whole, err := readValue(bytes.NewReader(in))
		parts, perr := readValue(&dribble{in, max(1, chunk%50)})
		if (err == nil) != (perr == nil) || !bytes.Equal(whole, parts) {
			t.Fatalf("whole %q (%v), in parts %q (%v)", whole, err, parts, perr)
		}
		if err == nil && (!gjson.ValidBytes(whole) || !bytes.HasPrefix(in, whole)) {
			t.Fatalf("%q from %q", whole, in)
		}
	})
}

type dribble struct {
	b []byte
	n int
}

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), d.n)], d.b)
	d.b = d.b[n:]
	return n, nil
}

func BenchmarkReadValue(b *testing.B) {
	in := []byte(`{"hook_event_name":"PreToolUse","tool_input":{"content":"` + strings.Repeat("x", 1<<20) +
		`"}}`)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		if _, err := readValue(bytes.NewReader(in)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCodex: Codex CLI lets a call run on an answer that it does not take. So it gets none: an ask is denied,
// a deny has a reason, and Stop goes on by the reason not to stop.
func TestCodex(t *testing.T) {
	byTurn := strings.Replace(preToolUse, `"session_id"`, `"turn_id":"t1","session_id"`, 1)
	byName := strings.Replace(preToolUse, `/t.jsonl`, `/c/sessions/2026/11/28/rollout-1.jsonl`, 1)
	said := func(decision, more string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + decision + `"` + more +
			"}}\n"
	}
	for _, event := range []string{byTurn, byName} {
		for want, answer := range map[string]PreToolUseAnswer{
			said("deny", `,"permissionDecisionReason":"why"`): {Decision: Ask, Reason: "why", Input: []byte("{}")},
			said("deny", `,"permissionDecisionReason":"keepsake: the memory gate stopped this call"`): {
				Decision: Ask},
			said("allow", `,"updatedInput":{}`): {Decision: Allow, Input: []byte("{}")},
			"":                                  {Decision: Allow},
		} {
			out, faults := gate(t, strings.NewReader(event),
				func(context.Context, PreToolUse) (PreToolUseAnswer, error) { return answer, nil })
			if out != want || len(faults) > 0 {
				t.Errorf("said %q, faults %v; want %q", out, faults, want)
			}
		}
	}
	for want, answer := range map[string]ContextAnswer{
		`{"decision":"block","reason":"keep","systemMessage":"seen"}` + "\n": {Context: "keep", Message: "seen"},
		`{"decision":"block","reason":"keep"}` + "\n":                        {Context: "keep"},
		`{"systemMessage":"seen"}` + "\n":                                    {Message: "seen"},
		"":                                                                   {},
	} {
		var b bytes.Buffer
		RunStop(Options{Stdin: strings.NewReader(`{"hook_event_name":"Stop","turn_id":"t"}`), Stdout: &b},
			func(context.Context, Stop) (ContextAnswer, error) { return answer, nil })
		if b.String() != want {
			t.Errorf("said %q, want %q", b.String(), want)
		}
	}
}
