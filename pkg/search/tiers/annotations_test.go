package tiers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/disk"
)

// annotations is a project's folder and what was said of it; what they warn of
// fails the test.
func annotations(t *testing.T) Annotations {
	t.Helper()
	return Annotations{Root: t.TempDir(), Warn: func(err error) { t.Errorf("warned: %v", err) }}
}

func TestAnnotationsSave(t *testing.T) {
	const head = "# Where things are\n\n"
	const retry = "- 2026-04-23T10:30:00Z retry logic: pkg/http/retry.go\n"
	for name, tt := range map[string]struct {
		before, text, after string
		line                int
		already             bool
	}{
		"a new file": {"", "retry logic: pkg/http/retry.go", head + retry, 3, false},
		"below another": {head + retry, "mails: pkg/mail", head + retry +
			"- 2026-04-23T10:30:00Z mails: pkg/mail\n", 4, false},
		"without a line end": {"- a: b", "mails: pkg/mail",
			"- a: b\n- 2026-04-23T10:30:00Z mails: pkg/mail\n", 2, false},
		"by hand, CRLF": {"# Ours\r\n", "mails: pkg/mail",
			"# Ours\r\n- 2026-04-23T10:30:00Z mails: pkg/mail\n", 2, false},
		"blanks": {"", " \tretry   logic:\tpkg/http/retry.go \n", head + retry, 3, false},
		"a secret": {"", "staging: password=hunter2hunter2",
			head + "- 2026-04-23T10:30:00Z staging: password=[redacted]\n", 3, false},
		"control characters": {"", "a\x1b[31m: b/\x00c", head + "- 2026-04-23T10:30:00Z a[31m: b/c\n",
			3, false},
		"the same": {head + retry, "retry logic: pkg/http/retry.go", head + retry, 3, true},
		"the same, almost": {head + retry, "Retry  logic: pkg/http/retry.go.", head + retry, 3,
			true},
		"the same, by hand": {"* Retry logic: pkg/http/retry.go\r\n",
			"retry logic: pkg/http/retry.go", "* Retry logic: pkg/http/retry.go\r\n", 1, true},
		"the same thing, elsewhere": {retry, "retry logic: pkg/retry.go",
			retry + "- 2026-04-23T10:30:00Z retry logic: pkg/retry.go\n", 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := annotations(t)
			if tt.before != "" {
				put(t, a.Root, AnnotationsFile, tt.before)
			}
			saved, err := a.Save(t.Context(), tt.text, noted)
			if err != nil || saved.Path != AnnotationsFile || saved.Line != tt.line ||
				saved.Already != tt.already {
				t.Fatalf("%+v, %v", saved, err)
			}
			if secret := name == "a secret"; secret != (len(saved.Secrets) > 0) {
				t.Errorf("secrets %v", saved.Secrets)
			}
			if got := get(t, a.Root, AnnotationsFile); got != tt.after {
				t.Errorf("got  %q\nwant %q", got, tt.after)
			}
		})
	}
}

// TestAnnotationsRefuse: nothing is written through a link, into a pipe or past the
// bounds, and what is there stays.
func TestAnnotationsRefuse(t *testing.T) {
	elsewhere := t.TempDir()
	link := func(name, to string) func(*testing.T, string) {
		return func(t *testing.T, root string) {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(to, path); err != nil {
				t.Fatal(err)
			}
		}
	}
	nothing := func(*testing.T, string) {}
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, root string)
		text    string
		want    string
	}{
		"a linked root folder": {link(".agents", elsewhere), "a: b", "is no folder but a link"},
		"a linked folder":      {link(".agents/memory", elsewhere), "a: b", "is no folder but a link"},
		"a linked file": {link(AnnotationsFile, filepath.Join(elsewhere, "victim.md")), "a: b",
			"is no file but a link"},
		"a pipe": {func(t *testing.T, root string) {
			put(t, root, ".agents/memory/x", "")
			if err := syscall.Mkfifo(filepath.Join(root, AnnotationsFile), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "a: b", "is no file but a pipe"},
		"a full file": {func(t *testing.T, root string) {
			put(t, root, AnnotationsFile, strings.Repeat("x", maxAnnotations-10))
		}, "a: b", "is full"},
		"a huge file": {func(t *testing.T, root string) {
			put(t, root, AnnotationsFile, strings.Repeat("x", maxAnnotations+10))
		}, "a: b", "take out the lines"},
		"no text":   {nothing, " \n\x00", "nothing to save"},
		"two lines": {nothing, "a: b\nc: d", "the text has 2 lines, an annotation is one line"},
		"too long":  {nothing, strings.Repeat("é", maxAnnotation+1), "the text has 161 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			a := annotations(t)
			tt.prepare(t, a.Root)
			file := func() string {
				// nothing of a link or a pipe
				b, _ := disk.Read(filepath.Join(a.Root, AnnotationsFile), 1<<20)
				return string(b)
			}
			before := file()
			if _, err := a.Save(t.Context(), tt.text, noted); err == nil ||
				!strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "hint: ") {
				t.Errorf("got %v, want %q and a hint", err, tt.want)
			}
			if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
				t.Errorf("written elsewhere: %v, %v", left, err)
			}
			if after := file(); after != before {
				t.Errorf("the file was changed: %q", after)
			}
		})
	}
}

// TestAnnotationsAnHour: what is over the limit is refused and changes nothing, what
// is there already is not counted, and later there is room again.
func TestAnnotationsAnHour(t *testing.T) {
	a := annotations(t)
	put(t, a.Root, AnnotationsFile,
		"- 2026-04-23T09:30:00Z an hour ago: x\n- 2999-01-01T00:00:00Z from the future: x\n- by hand: x\n")
	save := func(n int, at time.Time) error {
		_, err := a.Save(t.Context(), fmt.Sprintf("thing %d: x", n), at)
		return err
	}
	for n := range annotationsAnHour {
		if err := save(n, noted.Add(time.Duration(n)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	full := get(t, a.Root, AnnotationsFile)
	for at, minutes := range map[time.Duration]int{19 * time.Minute: 41, 59 * time.Minute: 1, 59*time.Minute +
		30*time.Second: 1} {
		err := save(99, noted.Add(at))
		if want := fmt.Sprintf("got 20 annotations in the last hour, which is the limit, and nothing was "+
			"written; hint: what the search finds by itself needs none; hint: try again in %d minutes; "+
			"hint: without --tier where", minutes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("after %s: %v, want %q", at, err, want)
		}
	}
	if err := save(7, noted.Add(59*time.Minute)); err != nil {
		t.Errorf("what is there already: %v", err)
	}
	if got := get(t, a.Root, AnnotationsFile); got != full {
		t.Errorf("what was refused changed the file:\n%s", got)
	}
	if err := save(99, noted.Add(time.Hour)); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}

// TestAnnotationsTogether has processes save at once, the same and different ones:
// each is there once and whole, and no more than the limit allows.
func TestAnnotationsTogether(t *testing.T) {
	const each = 12
	if root := os.Getenv("KEEPSAKE_TEST_ANNOTATE"); root != "" {
		taken := 0
		for i := range each {
			// Half of them are the same in both processes.
			text := fmt.Sprintf("thing %d: a/b", i)
			if i%2 == 0 {
				text = fmt.Sprintf("thing %d of %s: a/b", i, os.Getenv("KEEPSAKE_TEST_N"))
			}
			switch _, err := (Annotations{Root: root}).Save(t.Context(), text, noted); {
			case err == nil:
				taken++
			case !strings.Contains(err.Error(), "in the last hour"):
				t.Fatal(err)
			}
		}
		if taken == 0 {
			t.Error("none was taken")
		}
		return
	}
	for _, processes := range []int{2, 8} {
		root := t.TempDir()
		var all []*exec.Cmd
		for n := range processes {
			cmd := exec.Command(os.Args[0], "-test.run=^TestAnnotationsTogether$")
			cmd.Env = append(os.Environ(), "KEEPSAKE_TEST_ANNOTATE="+root, fmt.Sprint("KEEPSAKE_TEST_N=", n))
			cmd.Stderr = os.Stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			all = append(all, cmd)
		}
		for _, cmd := range all {
			if err := cmd.Wait(); err != nil && processes == 2 { // of eight, one may come too late for all
				t.Error(err)
			}
		}
		var got []string
		for _, k := range parseAnnotations([]byte(get(t, root, AnnotationsFile))) {
			if !k.at.Equal(noted) || !strings.HasSuffix(k.text, ": a/b") {
				t.Errorf("a broken line: %+v", k)
			}
			got = append(got, k.text)
		}
		slices.Sort(got)
		// Two processes have 12 of their own and 6 in common.
		if want := min(annotationsAnHour, processes*each/2+each/2); len(got) != want ||
			len(slices.Compact(got)) != want {
			t.Errorf("%d processes: %d annotations, want %d: %q", processes, len(got), want, got)
		}
	}
}

func TestAnnotationsFind(t *testing.T) {
	a := annotations(t)
	if hits, err := a.Find(t.Context(), "retry", 5); err != nil || len(hits) > 0 {
		t.Errorf("without annotations: %v, %v", hits, err)
	}
	put(t, a.Root, "pkg/http/retry.go", "package http\n")
	put(t, a.Root, AnnotationsFile, `# Where things are

The retry of prose is nobody's annotation.

- 2026-01-01T00:00:00Z retry logic: pkg/http/retry.go
- 2026-01-02T00:00:00Z retry logic: pkg/gone/retry.go
* retry by hand: https://example.com/retry
- 2026-01-03T00:00:00Z retry password=hunter2hunter2 logic
- 2026-01-01T00:00:00Z mails: pkg/mail
`)
	line := func(hits []Hit) string {
		var b strings.Builder
		for _, h := range hits {
			fmt.Fprintf(&b, "%s %s:%d %s %q %.1f %s\n", h.Source, filepath.Base(h.Path), h.Line, h.Date,
				h.Text, h.Score, h.Gone)
		}
		return b.String()
	}
	for _, tt := range []struct {
		query string
		n     int
		want  string
	}{
		{"retry logic", 9, `WHERE where.md:5 2026-01-01T00:00:00Z "retry logic: pkg/http/retry.go" 1.0 
WHERE where.md:8 2026-01-03T00:00:00Z "retry password=[redacted] logic" 1.0 
WHERE where.md:7  "retry by hand: https://example.com/retry" 0.9 
WHERE where.md:6 2026-01-02T00:00:00Z "retry logic: pkg/gone/retry.go" 1.0 pkg/gone/retry.go
`},
		{"retry logic", 1, "WHERE where.md:5 2026-01-01T00:00:00Z \"retry logic: pkg/http/retry.go\" 1.0 \n"},
		{"prose", 9, ""},
		{"?", 9, ""},
	} {
		if hits, err := a.Find(t.Context(), tt.query, tt.n); err != nil || line(hits) != tt.want {
			t.Errorf("%q: %v\ngot\n%s\nwant\n%s", tt.query, err, line(hits), tt.want)
		}
	}
	// A file that can't be read is told, and costs only itself.
	path := filepath.Join(a.Root, AnnotationsFile)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(a.Root, "pkg/http/retry.go"), path); err != nil {
		t.Fatal(err)
	}
	var warned error
	a.Warn = func(err error) { warned = err }
	if hits, err := a.Find(t.Context(), "retry", 5); err != nil || len(hits) > 0 || warned == nil {
		t.Errorf("%v, %v, warned %v", hits, err, warned)
	}
}

// TestAnnotationsGone: an annotation is stale where what it names is a path for
// sure, and none of it is there.
func TestAnnotationsGone(t *testing.T) {
	a := annotations(t)
	for _, name := range []string{"pkg/http/retry.go", "Makefile", "app/(shop)/[id]/page.tsx",
		"My Docs/file name.md", ".github/workflows/ci.yml", "src/a.c"} {
		put(t, a.Root, name, "x")
	}
	for text, want := range map[string]string{
		"retry logic: pkg/http/retry.go":             "",
		"retry logic: `pkg/http/retry.go`.":          "",
		"retry logic is in pkg/http/retry.go:12":     "",
		"retry logic (pkg/http/retry.go#L12-L20)":    "",
		"retry logic: [the file](pkg/http/retry.go)": "",
		"retry logic: pkg/http/retry.go:Retry":       "",
		"retry logic: pkg/http.Retry":                "",
		"retry logic: ./pkg/http/":                   "",
		"shop: app/(shop)/[id]/page.tsx":             "",
		"notes: My Docs/file name.md":                "",
		"targets: Makefile":                          "",
		"moved from pkg/old.go to pkg/http/retry.go": "",
		"read/write and/or TCP/IP: nowhere":          "",
		"dashboards: https://example.com/d/retry.go": "",
		"wiki: example.com/index.html":               "",
		"runtime: Node.js 22, e.g. v1.2/3":           "",
		"any: pkg/*/gone.go, ~/x/y.go, $HOME/x/y.go": "",
		"outside: ../other/x.go and /etc/x/y.conf":   "",
		"C file: src\\gone.c":                        "",
		"retry logic: pkg/http/gone.go":              "pkg/http/gone.go",
		"retry logic: `pkg/gone.go`, also pkg/no.go": "pkg/gone.go",
		"retry logic: gone/retry.go":                 "gone/retry.go",
		"retry logic: pkg/gone":                      "pkg/gone",
		"all of it: gone/":                           "gone/",
		"see [it](pkg/gone.go#L3)":                   "pkg/gone.go",
		"build: `gone.mk`, or so":                    "gone.mk",
		"build: gone.mk:12":                          "gone.mk",
		"CI: .github/gone/ci.yml":                    ".github/gone/ci.yml",
	} {
		if got := a.gone(text); got != want {
			t.Errorf("%q: %q is gone, want %q", text, got, want)
		}
	}
}

// FuzzAnnotations: what is taken comes back as it is, from a file of any kind, and
// in no more than its own line.
func FuzzAnnotations(f *testing.F) {
	f.Add("retry logic: pkg/http/retry.go", []byte("# Where things are\n\n- x\n"))
	f.Add("- 2026-04-23T10:30:00Z x", []byte("\ufeff* a\r\n\n-  \n- 2026-04-23T10:30:00Z\n"))
	f.Add("\u2028 \u00a0x\r", []byte("- \xff"))
	f.Fuzz(func(t *testing.T, text string, file []byte) {
		before := parseAnnotations(file)
		for _, k := range before {
			if k.text == "" || k.text != strings.TrimSpace(k.text) || k.line < 1 ||
				strings.Contains(k.text, "\n") {
				t.Errorf("%+v", k)
			}
		}
		text, err := annotationOf(text)
		if err != nil {
			return
		}
		if len([]rune(text)) > textRunes || strings.ContainsAny(text, "\n\r\t\x00") {
			t.Errorf("%q is no line", text)
		}
		if len(file) > 0 && file[len(file)-1] != '\n' {
			file = append(file, '\n')
		}
		after := parseAnnotations(append(file, encodeAnnotation(annotation{at: noted, text: text})...))
		if len(after) != len(before)+1 || after[len(after)-1].text != text ||
			!after[len(after)-1].at.Equal(noted) {
			t.Errorf("%q came back as %+v", text, after[len(before):])
		}
		for _, p := range pathsNamed(text) {
			if !filepath.IsLocal(p) {
				t.Errorf("%q leads out", p)
			}
		}
	})
}
