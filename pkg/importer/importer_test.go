package importer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/importer/exchange"
	"keepsake/pkg/memory"
)

func TestKindOf(t *testing.T) {
	base := t.TempDir()
	for _, f := range []string{"a.json", "RULES.MD", "b.txt", "notes/one.md", "empty/x.txt",
		"store/" + memory.Decision.Folder() + "/x.json", "project/.claude/memory/" + memory.Runbook.Folder() +
			"/x.json"} {
		path := filepath.Join(base, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"a.json": Export, "RULES.MD": Rules, "notes": Notes, "store": Store, "project": Store,
		"b.txt": "say what it is with --as", "empty": "name a project", "none": "no such file",
	} {
		got, err := kindOf(filepath.Join(base, path))
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestOnly(t *testing.T) {
	offer := func(id string) (o exchange.Offer) {
		o.ID = id
		return o
	}
	src := Source{Offers: []exchange.Offer{offer("a"), offer("b"), offer("c")},
		Passed: []exchange.Passed{{From: "x"}}}
	if missing := src.Only([]string{"c", "z"}); missing != "z" || len(src.Offers) != 3 {
		t.Errorf("%q, %d left", missing, len(src.Offers))
	}
	missing := src.Only([]string{"c", "a"})
	if missing != "" || len(src.Passed) > 0 ||
		!slices.EqualFunc(src.Offers, []string{"c", "a"}, func(o exchange.Offer, id string) bool {
			return o.ID == id
		}) {
		t.Errorf("%q, %+v", missing, src)
	}
}
