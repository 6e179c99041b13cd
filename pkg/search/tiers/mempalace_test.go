package tiers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/search/records"
	"keepsake/pkg/why/drawer"
)

// fakePalace is a MemPalace whose client is this shell script, which finds what it
// was asked in $ASK. A mempalace-mcp is on the path, which nobody starts.
func fakePalace(t *testing.T, script string) (m MemPalace, asked string) {
	t.Helper()
	dir := t.TempDir()
	m = MemPalace{Root: "/srv/shop", Wing: "shop", Program: filepath.Join(dir, "client")}
	asked = filepath.Join(dir, "asked")
	for name, text := range map[string]string{"client": "#!/bin/sh\nread -r ASK\nprintf '%s\\n' \"$ASK\" >>" +
		asked + "\n" + script + "\n", "mempalace-mcp": "#!/bin/sh\nexit 1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	return m, asked
}

func TestMemPalaceFinds(t *testing.T) {
	was := time.Local
	time.Local = time.FixedZone("", 2*60*60)
	defer func() { time.Local = was }()
	m, asked := fakePalace(t, `cat <<'END'
{"found":[
 {"id":"d_far","wing":"shop","room":"mail","text":"Letters go out at night.","likeness":0.1},
 {"id":"d_words","wing":"shop","room":"decisions","text":"# Storage\nWe chose  Postgres, password=hunter2hunter2\nbecause of the queue.","filed":"2026-11-21T18:21:13.535463","likeness":0.25},
 {"id":"d_like","wing":"shop","room":"decisions","text":"The database is a relational one.","likeness":0.7},
 {"id":"d_other","wing":"till","room":"decisions","text":"The till has Postgres.","likeness":0.3},
 {"id":"d_other_far","wing":"till","room":"decisions","text":"Receipts are blue.","likeness":0.2}]}
END`)
	hits, err := m.Find(t.Context(), " did the queue need\nPostgres ", 5)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range hits {
		got = append(got, fmt.Sprintf("%s %s %q %s %.2f %v", h.Source, h.Path, h.Text, h.Date, h.Score,
			h.Score < records.Floor))
	}
	want := []string{
		`WHY shop/decisions/d_words "We chose Postgres, password=[redacted]" 2026-11-21T16:21:13Z 0.82 false`,
		`WHY shop/decisions/d_like "The database is a relational one."  0.77 false`,
		`WHY till/decisions/d_other "The till has Postgres."  0.76 false`,
		`WHY shop/mail/d_far "Letters go out at night."  0.04 true`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// "use" is no word of "because".
	if hits, err := m.Find(t.Context(), "use zebras", 5); err != nil || len(hits) != 4 ||
		hits[2].Score >= records.Floor || !strings.HasSuffix(hits[2].Path, "d_words") {
		t.Errorf("%+v, %v", hits, err)
	}
	if hits, err := m.Find(t.Context(), "Postgres", 1); len(hits) != 1 || err != nil {
		t.Errorf("one is wanted: %v, %v", hits, err)
	}
	for _, q := range []struct {
		text string
		n    int
	}{{" \n", 5}, {"Postgres", 0}} {
		if hits, err := m.Find(t.Context(), q.text, q.n); len(hits) > 0 || err != nil {
			t.Errorf("%q, %d: %v, %v", q.text, q.n, hits, err)
		}
		if hits, err := m.Near(t.Context(), q.text, q.n); len(hits) > 0 || err != nil {
			t.Errorf("near %q, %d: %v, %v", q.text, q.n, hits, err)
		}
	}
	server := filepath.Join(filepath.Dir(asked), "mempalace-mcp")
	ask := `{"server":["` + server +
		`"],"do":"search","text":"did the queue need Postgres","most":5,"wing":"shop","room":"","source":""}`
	if first, _, _ := strings.Cut(get(t, filepath.Dir(asked), "asked"), "\n"); first != ask {
		t.Errorf("asked %s\nwant  %s", first, ask)
	}
}

func TestMemPalaceNear(t *testing.T) {
	m,
		_ := fakePalace(t,
		`echo '{"found":[{"id":"d_1","wing":"shop","room":"decisions","text":"We use Postgres.","likeness":0.97},{"id":"d_2","wing":"till","room":"x","text":"y","likeness":0.9}]}'`)
	hits, err := m.Near(t.Context(), "We use Postgres!", 1)
	if err != nil || len(hits) != 1 || hits[0].Path != "shop/decisions/d_1" || hits[0].Score != 0.97 ||
		hits[0].Text != "We use Postgres." {
		t.Errorf("%+v, %v", hits, err)
	}
}

func TestMemPalaceReads(t *testing.T) {
	m,
		asked := fakePalace(t,
		`echo '{"found":[{"id":"d_1","wing":"shop","room":"decisions","text":"All of it.","source":"x.md:3","filed":"2026-11-21T18:21:13.5"}]}'`)
	d, err := m.Read(t.Context(), "shop/decisions/d_1")
	if err != nil || d.Text != "All of it." || d.Wing != "shop" || d.Room != "decisions" ||
		d.Source != "x.md:3" || d.Filed.IsZero() {
		t.Errorf("%+v, %v", d, err)
	}
	if all := get(t, filepath.Dir(asked), "asked"); !strings.Contains(all, `"do":"read","text":"d_1"`) {
		t.Errorf("asked %s", all)
	}
	for _, at := range []string{"shop/mail/d_1", "till/decisions/d_1", "d_1", "shop/decisions/", "a/b/c/d"} {
		if d, err := m.Read(t.Context(), at); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %+v, %v", at, d, err)
		}
	}
	m, _ = fakePalace(t, "echo '{}'")
	if d, err := m.Read(t.Context(), "shop/decisions/d_2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestMemPalaceAdds(t *testing.T) {
	d := drawer.Drawer{Wing: "shop", Room: "decisions", Text: "We use Postgres.\n",
		Source: ".agents/memory/scratch/x.md:3"}
	m, asked := fakePalace(t, `echo '{"ids":["d_1","d_1_0"],"existed":true}'`)
	ids, existed, err := m.Add(t.Context(), d)
	if err != nil || !existed || strings.Join(ids, " ") != "d_1 d_1_0" {
		t.Errorf("%q, %v, %v", ids, existed, err)
	}
	d.Source = "/srv/shop/x.md"
	if _, _, err := m.Add(t.Context(), d); err != nil {
		t.Error(err)
	}
	all := get(t, filepath.Dir(asked), "asked")
	if !strings.Contains(all,
		`"do":"add","text":"We use Postgres.\n","most":0,"wing":"shop","room":"decisions","source":".agents/memory/scratch/x.md:3"}`) ||
		!strings.Contains(all, `"source":""}`) {
		t.Errorf("asked %s", all)
	}
	d.Room = ".."
	if _, _, err := m.Add(t.Context(), d); err == nil || get(t, filepath.Dir(asked), "asked") != all {
		t.Errorf("a bad name was sent: %v", err)
	}
}

func TestMemPalaceRemoves(t *testing.T) {
	m, asked := fakePalace(t, `echo '{}'`)
	if err := m.Remove(t.Context(), "shop/decisions/d_1", "We use Postgres."); err != nil {
		t.Error(err)
	}
	all := get(t, filepath.Dir(asked), "asked")
	if !strings.Contains(all, `"do":"remove","text":"We use Postgres."`) ||
		!strings.Contains(all, `"id":"d_1"}`) {
		t.Errorf("asked %s", all)
	}
	if err := m.Remove(t.Context(), "d_1", "x"); err != nil || get(t, filepath.Dir(asked), "asked") != all {
		t.Errorf("what is no drawer was asked for: %v", err)
	}
}

// TestMemPalaceInTrouble: whatever is wrong is told, with what helps, and nothing
// is found, near or stored.
func TestMemPalaceInTrouble(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   []string
	}{
		"said": {`echo '{"trouble":"Embedding API unavailable","hint":"start it"}'`,
			[]string{"mempalace: Embedding API unavailable; hint: start it"}},
		"no hint": {`echo '{"trouble":"Unknown tool: mempalace_search"}'`,
			[]string{"mempalace: Unknown tool: mempalace_search; hint: it is tested with MemPalace 3.11"}},
		"garbage": {"echo woof", []string{"printed no answer", "reinstall the plugin"}},
		"half":    {`printf '{"found":[{"id":'`, []string{"printed no answer"}},
		"nothing": {"true", []string{"printed no answer"}},
		"fails": {"echo 'out of memory' >&2; echo more >&2; exit 2",
			[]string{"exit status 2: out of memory;"}},
		"killed":     {"kill -KILL $$", []string{"signal: killed"}},
		"endless":    {"yes | head -c 9000000", []string{"more than 4 MB"}},
		"leaves one": {"sleep 600 & exit 1", []string{"exit status 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := fakePalace(t, c.script)
			for what, ask := range map[string]func() (int, error){
				"find": func() (int, error) { h, err := m.Find(t.Context(), "jobs", 5); return len(h), err },
				"near": func() (int, error) { h, err := m.Near(t.Context(), "jobs", 5); return len(h), err },
				"add": func() (int, error) {
					ids, _, err := m.Add(t.Context(), drawer.Drawer{Wing: "shop", Room: "jobs", Text: "x"})
					return len(ids), err
				},
			} {
				n, err := ask()
				if err == nil || n > 0 {
					t.Fatalf("%s: %d, %v", what, n, err)
				}
				for _, want := range append(c.want, "hint: ") {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%s: %q does not say %q", what, err, want)
					}
				}
			}
		})
	}
	t.Run("stored, without an id", func(t *testing.T) {
		for _, answer := range []string{"{}", `{"ids":[""]}`} {
			m, _ := fakePalace(t, "echo '"+answer+"'")
			if ids, _, err := m.Add(t.Context(),
				drawer.Drawer{Wing: "shop", Room: "jobs", Text: "x"}); err == nil ||
				!strings.Contains(err.Error(), "no id") {
				t.Errorf("%q, %v", ids, err)
			}
		}
	})
	t.Run("no client", func(t *testing.T) {
		m, _ := fakePalace(t, "")
		m.Program += "-gone"
		if _, err := m.Find(t.Context(), "jobs", 5); err == nil ||
			!strings.Contains(err.Error(),
				"client-gone, which asks it, is missing; hint: reinstall the plugin") {
			t.Errorf("%v", err)
		}
	})
}

// TestMemPalaceIsKilled: at the end of its time it is gone with all that it started.
func TestMemPalaceIsKilled(t *testing.T) {
	m, asked := fakePalace(t, `trap '' TERM HUP; sleep 600 & echo $! >"$0.child"; wait`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := m.Find(ctx, "jobs", 5)
	if err == nil || !strings.Contains(err.Error(), "mempalace-mcp did not answer within") ||
		!strings.Contains(err.Error(), withoutPalace) {
		t.Errorf("%v", err)
	}
	gone(t, filepath.Dir(asked), "client.child")
}

// gone waits until the process is gone whose number is in a file.
func gone(t *testing.T, dir, name string) {
	t.Helper()
	var pid int
	if _, err := fmt.Sscan(get(t, dir, name), &pid); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if err := syscall.Kill(pid, 0); err != nil || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d lives", pid)
}

// What it leaves behind when it answers is gone as well.
func TestMemPalaceLeavesNothing(t *testing.T) {
	m, asked := fakePalace(t, `sleep 600 >/dev/null 2>&1 & echo $! >"$0.child"; echo '{}'`)
	if hits, err := m.Find(t.Context(), "jobs", 5); err != nil || len(hits) > 0 {
		t.Errorf("%v, %v", hits, err)
	}
	gone(t, filepath.Dir(asked), "client.child")
}

func TestPalaceServer(t *testing.T) {
	root := real(t, t.TempDir())
	put(t, root, ".venv/bin/mempalace-mcp", "#!/bin/sh\n")
	bin := real(t, t.TempDir())
	for _, p := range []string{filepath.Join(root, ".venv", "bin", "mempalace-mcp"),
		put(t, bin, "mempalace-mcp", "#!/bin/sh\n"), put(t, bin, "uvx", "#!/bin/sh\n"),
		put(t, bin, "my palace", "#!/bin/sh\n")} {
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := t.TempDir()
	if err := os.Symlink(filepath.Join(root, ".venv", "bin", "mempalace-mcp"),
		filepath.Join(link, "mempalace-mcp")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	for _, c := range []struct{ path, command, want string }{
		{bin, "", bin + "/mempalace-mcp"},
		{bin, "uvx --from  mempalace mempalace-mcp", bin + "/uvx|--from|mempalace|mempalace-mcp"},
		{bin, bin + "/my palace", bin + "/my palace"},
		{t.TempDir(), "",
			"mempalace-mcp is not installed; hint: uv tool install mempalace, or pipx install mempalace"},
		{bin, "serve-it --now",
			"serve-it, of tiers.mempalace_command, can't be run: executable file not found in $PATH; hint: " +
				"keepsake config unset --user tiers.mempalace_command"},
		{bin, " ", "has no word"},
		{root + "/.venv/bin:" + bin, "", "belongs to the project, so it is not run; hint: uv tool install"},
		{link, "", "belongs to the project"},
		{".venv/bin", "", "from the folder that you are in"},
		{bin, ".venv/bin/mempalace-mcp", "from the folder that you are in"},
		{bin, root + "/.venv/bin/mempalace-mcp", "belongs to the project"},
	} {
		t.Setenv("PATH", c.path)
		got, err := PalaceServer(c.command, root)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %q: %v, want %q", c.path, c.command, err, c.want)
			}
		} else if strings.Join(got, "|") != c.want {
			t.Errorf("%s, %q: %q, want %q", c.path, c.command, got, c.want)
		}
	}
}
