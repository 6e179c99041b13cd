//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"keepsake/pkg/search/records"
	"keepsake/pkg/search/tiers"
	"keepsake/pkg/why/drawer"
)

// A realWhy is MemPalace itself as the tier WHY of a project, asked by the package and by the built program.
type realWhy struct {
	*RealPalace
	why    tiers.MemPalace
	t      *testing.T
	pid    string // file with the process id of the last server
	reads  chan struct{}
	failed func(bool) // has the embedding service fail, or not
	halted func(bool) // has it take requests and answer none, or not
}

// newRealWhy prepares one whose vectors are made of words, so that texts are near that share some. The
// process's own environment is what the back end gives MemPalace.
func newRealWhy(t *testing.T) *realWhy {
	t.Helper()
	l := NewLab(t, Client{Version: versions[0]})
	p, _ := l.RealPalace()
	w := &realWhy{RealPalace: p, t: t, pid: filepath.Join(l.Root, "server.pid"),
		reads: make(chan struct{}, 1000)}
	var mu sync.Mutex
	failed, halt := false, make(chan struct{})
	close(halt)
	embed := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		no, wait := failed, halt
		mu.Unlock()
		w.reads <- struct{}{}
		<-wait
		if no {
			http.Error(rw, "the model is not loaded", http.StatusServiceUnavailable)
			return
		}
		wordVectors(rw, r)
	}))
	w.failed = func(yes bool) { mu.Lock(); failed = yes; mu.Unlock() }
	w.halted = func(yes bool) {
		mu.Lock()
		defer mu.Unlock()
		if yes {
			halt = make(chan struct{})
		} else {
			close(halt)
		}
	}
	t.Cleanup(embed.Close)
	p.env["MEMPALACE_EMBEDDING_API_URL"] = embed.URL

	// What starts the server writes down which process it is.
	bin := filepath.Join(l.Root, "palacebin")
	l.WriteProgram(filepath.Join(bin, "mempalace-mcp"), "#!/bin/sh\necho $$ >"+quote(w.pid)+"\nexec "+
		quote(p.program("mempalace-mcp"))+" \"$@\"\n")
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "XDG_") ||
			strings.HasPrefix(name, "CLAUDE") || strings.HasPrefix(name, "KEEPSAKE") ||
			strings.HasPrefix(name, "MEMPAL") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	for _, v := range l.environ() {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	for name, value := range p.env {
		t.Setenv(name, value)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	w.why = tiers.MemPalace{Root: l.Project, Wing: "shop", Program: built(t, "libexec", "mempalace")}
	l.WriteJSON(filepath.Join(l.Home, ".config", "keepsake", "config.json"),
		map[string]any{"tiers": map[string]any{"why": "mempalace"}})
	return w
}

// built is a program of the built plugin.
func built(t *testing.T, path ...string) string {
	t.Helper()
	bin, err := filepath.Abs(filepath.Join(append([]string{"..", "bin"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// wordVectors answers like OpenAI's /v1/embeddings, with a vector that counts words.
func wordVectors(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input json.RawMessage }
	var texts []string
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if json.Unmarshal(in.Input, &texts) != nil {
		texts = []string{string(in.Input)}
	}
	data := []any{}
	for i, text := range texts {
		vector := make([]float64, 512)
		vector[0] = 0.01
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			h := fnv.New32a()
			h.Write([]byte(word))
			vector[h.Sum32()%512]++
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": vector})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "words", "data": data})
}

// add stores a drawer and returns its ids.
func (w *realWhy) add(d drawer.Drawer, wantExisted bool) []string {
	w.t.Helper()
	ids, existed, err := w.why.Add(w.t.Context(), d)
	if err != nil || existed != wantExisted {
		w.t.Fatalf("add %s/%s: %q, existed %v, %v", d.Wing, d.Room, ids, existed, err)
	}
	return ids
}

// paths asks why and returns where the answers are.
func (w *realWhy) paths(question string) (at []string) {
	w.t.Helper()
	hits, err := w.why.Find(w.t.Context(), question, 5)
	if err != nil {
		w.t.Fatalf("%s: %v", question, err)
	}
	for _, h := range hits {
		if h.Source != "WHY" || h.Text == "" || h.Date == "" || h.Line != 0 {
			w.t.Errorf("%s: %+v", question, h)
		}
		if h.Score >= records.Floor {
			at = append(at, h.Path)
		}
	}
	return at
}

// keepsake runs the built program in the project.
func (w *realWhy) keepsake(args ...string) (out, said string, code int) {
	w.t.Helper()
	cmd := exec.Command(built(w.t, "keepsake"), args...)
	cmd.Dir = w.lab.Project
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		w.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// inCall waits until the server asks for a vector, which it does in the middle of a call.
func (w *realWhy) inCall() {
	w.t.Helper()
	select {
	case <-w.reads:
	case <-time.After(patience):
		w.t.Fatal("the server asked for no vector")
	}
}

// server is the process of the server that was started last.
func (w *realWhy) server() int {
	w.t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(w.lab.Read(w.pid)))
	if err != nil {
		w.t.Fatal(err)
	}
	return pid
}

// gone waits until a process is gone.
func (w *realWhy) gone(pid int) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(b), ") Z ") {
			return
		}
	}
	w.t.Errorf("process %d lives", pid)
}

// drain forgets what the server asked for until now.
func (w *realWhy) drain() {
	for len(w.reads) > 0 {
		<-w.reads
	}
}

// Texts are stored byte for byte and once, and found by whoever asks next. Each question is a server of its
// own.
func TestRealWhy(t *testing.T) {
	if inItself(t) {
		return
	}
	w := newRealWhy(t)
	if near, err := w.why.Near(t.Context(), "We use Postgres.", 5); len(near) > 0 || err != nil {
		t.Errorf("no palace: near %v, %v", near, err)
	}
	if at := w.paths("why postgres"); at != nil || w.lab.Exists(w.Database()) {
		t.Errorf("no palace: found %v, and a question made one: %v", at, w.lab.Exists(w.Database()))
	}

	postgres := drawer.Drawer{Wing: "shop", Room: "decisions",
		Text:   "  We chose Postgres\n\tfor the job queue, \"not\" Redis; $HOME — \u202e 🐘\n",
		Source: ".agents/memory/scratch/general.md:3"}
	ids := w.add(postgres, false)
	if again := w.add(postgres, true); !slices.Equal(again, ids) || len(ids) != 1 {
		t.Errorf("ids %q, and again %q", ids, again)
	}
	// Four pieces of a long text.
	long := drawer.Drawer{Wing: "shop", Room: "mail",
		Text: strings.Repeat("Letters go out at night, über 🐘 Hamburg. ", 70)}
	pieces := w.add(long, false)
	if again := w.add(long, true); !slices.Equal(again, pieces) || len(pieces) != 5 {
		t.Errorf("ids %q, and again %q", pieces, again)
	}
	// The same words elsewhere are another drawer, under any name that this program takes.
	odd := drawer.Drawer{Wing: "O'Brien's Kasse 2.0", Room: "ärger_mit-allem", Text: postgres.Text}
	if err := odd.Check(); err != nil {
		t.Fatal(err)
	}
	elsewhere := w.add(odd, false)

	stored := w.Drawers()
	var whole strings.Builder
	for _, d := range stored[1 : len(stored)-1] {
		whole.WriteString(d.Content)
	}
	if len(stored) != 6 || stored[0].ID != ids[0] || stored[0].Content != postgres.Text ||
		whole.String() != long.Text || stored[5].Content != odd.Text {
		t.Errorf("stored %q", stored)
	}

	mine, other := "shop/decisions/"+ids[0], odd.Wing+"/"+odd.Room+"/"+elsewhere[0]
	for question, want := range map[string][]string{
		"why postgres":                       {mine, other},
		"what did we choose for the queue":   {mine, other},
		"when do letters go out":             {"shop/mail/" + pieces[0]},
		"kubernetes":                         nil,
		strings.Repeat("why postgres? ", 90): {mine, other},
	} {
		if got := w.paths(question); !slices.Equal(got, want) {
			t.Errorf("%.40q: found %q, want %q", question, got, want)
		}
	}
	near, err := w.why.Near(t.Context(), "We chose Postgres for the job queue, not Redis: home!", 5)
	if err != nil || len(near) != 2 || near[0].Score < 0.9 {
		t.Errorf("near %+v, %v", near, err)
	}
	if near, err := w.why.Near(t.Context(), "We chose tea for the kitchen.", 5); len(near) > 0 || err != nil {
		t.Errorf("not near: %+v, %v", near, err)
	}

	out, said, code := w.keepsake("recall", "why", "postgres")
	if code != 0 || !strings.Contains(out, "[source: WHY] "+mine) || said != "" {
		t.Errorf("recall: exit %d\n%s%s", code, out, said)
	}
	if out, said, code := w.keepsake("tiers"); code != 0 ||
		!strings.Contains(out, "WHY      mempalace: tiers.why is mempalace") {
		t.Errorf("tiers: exit %d\n%s%s", code, out, said)
	}

	// A drawer is read whole, a long one too.
	if d, err := w.why.Read(t.Context(), "shop/mail/"+pieces[0]); err != nil || d.Text != long.Text ||
		d.Filed.IsZero() {
		t.Errorf("read %+v, %v", d, err)
	}
	if d, err := w.why.Read(t.Context(), mine+"0"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read %+v, %v", d, err)
	}
	if out, said, code := w.keepsake("show", mine); code != 0 ||
		!strings.Contains(out, "for the job queue, \"not\" Redis") ||
		!strings.Contains(out, "From: general.md:3\n") {
		t.Errorf("show: exit %d\n%s%s", code, out, said)
	}

	// MemPalace's own clean-up, which takes what is no longer in the project, leaves it.
	if out, err := w.Command("mempalace", "sync", w.lab.Project, "--apply").CombinedOutput(); err != nil ||
		len(w.Drawers()) != 6 {
		t.Errorf("sync: %v, %d drawers\n%s", err, len(w.Drawers()), out)
	}

	// Somebody gives the drawer other words. It keeps its id, and is not the same any more.
	s := w.Serve()
	s.Call("mempalace_update_drawer", map[string]any{"drawer_id": ids[0], "content": "We chose Redis."})
	s.Close()
	if _, _, err := w.why.Add(t.Context(), postgres); err == nil ||
		!strings.Contains(err.Error(), "has another now") {
		t.Errorf("an edited drawer: %v", err)
	}
}

// If MemPalace fails, the person is told, nothing else answers, and the same command again stores the text
// once.
func TestRealWhyInTrouble(t *testing.T) {
	if inItself(t) {
		return
	}
	w := newRealWhy(t)
	first := drawer.Drawer{Wing: "shop", Room: "decisions", Text: "We chose Postgres."}
	w.add(first, false)
	fails := func(what string, err error, want ...string) {
		t.Helper()
		for _, s := range append(want, "mempalace: ", "; hint: ") {
			if err == nil || !strings.Contains(err.Error(), s) {
				t.Errorf("%s: %v, want %q", what, err, s)
			}
		}
	}

	// The embedding service fails. What is stored already needs none.
	w.failed(true)
	second := drawer.Drawer{Wing: "shop", Room: "decisions", Text: "Letters go out at night."}
	_, err := w.why.Find(t.Context(), "postgres", 5)
	fails("find without vectors", err, "Embedding API unavailable")
	_, err = w.why.Near(t.Context(), "postgres", 5)
	fails("near without vectors", err, "Embedding API unavailable")
	_, _, err = w.why.Add(t.Context(), second)
	fails("add without vectors", err, "Embedding API unavailable")
	w.add(first, true)
	if out, said, code := w.keepsake("recall", "why", "postgres"); code != 1 ||
		strings.Contains(out, "[source: WHY]") ||
		!strings.Contains(said, "keepsake: mempalace: Embedding API unavailable") {
		t.Errorf("recall without vectors: exit %d\n%s%s", code, out, said)
	}
	w.failed(false)
	w.add(second, false)

	// The service hangs, and the question has its end.
	w.halted(true)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	_, err = w.why.Find(ctx, "postgres", 5)
	cancel()
	fails("find with a service that hangs", err, "did not answer within", "was stopped")
	w.gone(w.server())
	w.halted(false)

	// The server is killed in the middle of storing.
	w.halted(true)
	w.drain()
	third := drawer.Drawer{Wing: "shop", Room: "decisions", Text: "The till prints blue receipts."}
	done := make(chan error, 1)
	go func() { _, _, err := w.why.Add(t.Context(), third); done <- err }()
	w.inCall()
	if err := syscall.Kill(w.server(), syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	fails("the server is killed", <-done, "did not answer as an MCP server")
	w.halted(false)
	w.add(third, false)

	// The program is killed that waits for the answer: nothing of it is left.
	w.halted(true)
	w.drain()
	cmd := exec.Command(built(t, "keepsake"), "recall", "why", "postgres")
	cmd.Dir = w.lab.Project
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.inCall()
	server := w.server()
	group, err := syscall.Getpgid(server)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	w.gone(server)
	w.gone(group) // the client of MCP leads it
	w.halted(false)

	// Another server keeps the palace, until it ends.
	s := w.Serve()
	s.Call("mempalace_add_drawer", map[string]any{"wing": "till", "room": "x", "content": "From elsewhere."})
	fourth := drawer.Drawer{Wing: "shop", Room: "decisions", Text: "Shelves are green."}
	_, _, err = w.why.Add(t.Context(), fourth)
	fails("add beside another writer", err, "Peer MCP writer active", "held by PID", "mempalace serve")
	if at := w.paths("what from elsewhere"); len(at) != 1 {
		t.Errorf("a question beside another writer: %q", at)
	}
	go func() { _, _, err := w.why.Add(t.Context(), fourth); done <- err }()
	s.Close()
	if err := <-done; err != nil {
		t.Errorf("add when the other writer has ended: %v", err)
	}

	// The variable that every question is asked with keeps this release from storing.
	t.Setenv("MEMPALACE_MCP_READ_ONLY", "1")
	_, _, err = w.why.Add(t.Context(), drawer.Drawer{Wing: "shop", Room: "x", Text: "Never."})
	fails("add, read-only", err, "read-only mode", "MEMPALACE_MCP_READ_ONLY is set")
	os.Unsetenv("MEMPALACE_MCP_READ_ONLY")

	var texts []string
	for _, d := range w.Drawers() {
		texts = append(texts, d.Content)
	}
	slices.Sort(texts)
	want := []string{"From elsewhere.", "Letters go out at night.", "Shelves are green.",
		"The till prints blue receipts.", "We chose Postgres."}
	if !slices.Equal(texts, want) {
		t.Errorf("stored %q, want %q", texts, want)
	}

	// It is not installed any more.
	t.Setenv("PATH", systemPath())
	_, err = w.why.Find(t.Context(), "postgres", 5)
	fails("not installed", err, "mempalace-mcp is not installed",
		"uv tool install mempalace, or pipx install mempalace")
	if out, said, code := w.keepsake("recall", "why", "postgres"); code != 1 ||
		strings.Contains(out, "[source: WHY]") || !strings.Contains(said, "uv tool install mempalace") {
		t.Errorf("recall, not installed: exit %d\n%s%s", code, out, said)
	}
}

// Killed at any instant of storing, the same again stores it once.
func TestRealWhyKilledAnywhere(t *testing.T) {
	if inItself(t) {
		return
	}
	w := newRealWhy(t)
	const times = 8
	for i := range times {
		d := drawer.Drawer{Wing: "shop", Room: "decisions", Text: fmt.Sprintf("Decision %d. ", i) +
			strings.Repeat("It is long. ", 100*(i%2))}
		w.drain()
		done := make(chan struct{})
		go func() { _, _, _ = w.why.Add(t.Context(), d); close(done) }()
		w.inCall()
		time.Sleep(time.Duration(i) * 4 * time.Millisecond)
		_ = syscall.Kill(w.server(), syscall.SIGKILL) // or it has just ended
		<-done
		ids, _, err := w.why.Add(t.Context(), d)
		if err != nil {
			t.Fatalf("killed after %d ms: %v", i*4, err)
		}
		var got strings.Builder
		for _, s := range w.Drawers() {
			if slices.Contains(ids, s.ID) {
				got.WriteString(s.Content)
			}
		}
		if got.String() != d.Text {
			t.Errorf("killed after %d ms: stored %q", i*4, got.String())
		}
	}
}
