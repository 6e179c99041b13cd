package main

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// verbNames are those that the command line declares, in its order.
func verbNames() []string {
	var out []string
	for f := range reflect.TypeFor[verbs]().Fields() {
		if _, ok := f.Tag.Lookup("cmd"); ok {
			out = append(out, cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)))
		}
	}
	return out
}

// subverbs are the verbs of a verb, such as "config set".
func subverbs() []string {
	var out []string
	for f := range reflect.TypeFor[verbs]().Fields() {
		if f.Type.Kind() != reflect.Struct {
			continue
		}
		for sub := range f.Type.Fields() {
			if _, ok := sub.Tag.Lookup("cmd"); ok {
				out = append(out, cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name))+" "+cmp.Or(sub.Tag.Get("name"), strings.ToLower(sub.Name)))
			}
		}
	}
	return out
}

// TestHelp compares what every verb says of itself with testdata/help, to be
// reviewed as prose.
func TestHelp(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	for _, verb := range append(append(verbNames(), subverbs()...), "") {
		t.Run(verb, func(t *testing.T) {
			var out, errs bytes.Buffer
			args := append(strings.Fields(verb), "--help")
			path := filepath.Join("testdata", "help", strings.ReplaceAll(verb, " ", "-")+".golden")
			if verb == "" {
				args, path = nil, filepath.Join("testdata", "help", "keepsake.golden")
			}
			code := run(&call{ctx: context.Background(), args: args, cwd: "/", now: time.Now, voice: voice{out: &out, err: &errs}})
			if code != exitDone || errs.Len() > 0 {
				t.Fatalf("exit %d, said %q", code, errs.String())
			}
			if verb != "" && verb != "version" && !strings.Contains(out.String(), "Example") {
				t.Errorf("the help of %s shows no example", verb)
			}
			if os.Getenv("KEEPSAKE_GOLDEN") == "1" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := read(t, path); out.String() != want {
				t.Errorf("%s differs; KEEPSAKE_GOLDEN=1 rewrites it\n%s", path, out.String())
			}
		})
	}
}

// TestDocsNameEveryVerb holds the table in docs/cli.md to the command line.
func TestDocsNameEveryVerb(t *testing.T) {
	text := read(t, "../../docs/cli.md")
	for _, verb := range verbNames() {
		if !strings.Contains(text, "| `keepsake "+verb+"`") && !strings.Contains(text, "| `keepsake "+verb+" ") {
			t.Errorf("docs/cli.md has no row for keepsake %s", verb)
		}
	}
}
