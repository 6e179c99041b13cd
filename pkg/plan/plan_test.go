package plan

import (
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var guard = DigestOf([]byte("before"))

func good() Plan {
	return Plan{Version: 1, Edits: []Edit{
		{Path: "decisions/a.json", Verb: Create, After: []byte("{}\n"), Category: "decision", Title: "A"},
		{Path: "tech-debt/b.json", Verb: Update, Before: guard, After: []byte("{}\n"), Category: "tech_debt",
			Title: "B"},
	}}
}

func TestDigestOf(t *testing.T) {
	if got := DigestOf(nil); got != "" {
		t.Errorf("an absent file has digest %q", got)
	}
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := DigestOf([]byte{}); got != empty {
		t.Errorf("an empty file has digest %q", got)
	}
}

// TestDigest: the digest depends on everything that a plan does, but not on the order of its edits.
func TestDigest(t *testing.T) {
	want := good().Digest()
	if len(want) != 64 {
		t.Fatalf("digest %q", want)
	}
	swapped := good()
	swapped.Edits[0], swapped.Edits[1] = swapped.Edits[1], swapped.Edits[0]
	unversioned := good()
	unversioned.Version = 0
	for name, p := range map[string]Plan{"swapped": swapped, "version 0": unversioned} {
		if p.Digest() != want {
			t.Errorf("%s: digest differs", name)
		}
	}
	for name, change := range map[string]func(*Plan){
		"path":     func(p *Plan) { p.Edits[0].Path = "decisions/b.json" },
		"verb":     func(p *Plan) { p.Edits[1].Verb = Retire },
		"guard":    func(p *Plan) { p.Edits[1].Before = DigestOf([]byte("other")) },
		"empty":    func(p *Plan) { p.Edits[0].After = []byte{} },
		"gone":     func(p *Plan) { p.Edits[0].After = nil },
		"text":     func(p *Plan) { p.Edits[0].After = []byte("{ }\n") },
		"title":    func(p *Plan) { p.Edits[0].Title = "AA" },
		"category": func(p *Plan) { p.Edits[0].Category = "runbook" },
		"fewer":    func(p *Plan) { p.Edits = p.Edits[:1] },
		"version":  func(p *Plan) { p.Version = 2 },
		// the same letters, in other fields
		"border": func(p *Plan) { p.Edits[0].Category, p.Edits[0].Title = "decisionA", "" },
	} {
		p := good()
		change(&p)
		if p.Digest() == want {
			t.Errorf("%s: digest is the same", name)
		}
	}
}

func TestPlanIsAValue(t *testing.T) {
	b, err := json.Marshal(good())
	if err != nil {
		t.Fatal(err)
	}
	var back Plan
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, good()) ||
		back.Digest() != good().Digest() {
		t.Errorf("%v: %+v", err, back)
	}
}

func TestValidate(t *testing.T) {
	ends := Plan{Edits: []Edit{
		{Path: "decisions/a.json", Verb: Delete, Before: guard},
		{Path: "decisions/b.json", Verb: Revert, Before: guard},
		{Path: "decisions/c.json", Verb: Revert, After: []byte("{}")},
		{Path: "decisions/d.json", Verb: Restore, Before: guard, After: []byte("{}")},
	}}
	markdown := Plan{Edits: []Edit{
		{Path: "MEMORY.md", Verb: Update, Before: guard, After: []byte("# Memory\n")},
		{Path: "archive/2026-11/2026-11-01.md", Verb: Create, After: []byte("x")},
		{Path: "2026-11-01.md", Verb: Delete, Before: guard},
		{Path: ".learnings/instincts/a.yaml", Verb: Create, After: []byte("x")},
		{Path: "empty.md", Verb: Revert, After: []byte{}},
		{Path: "done.md", Verb: Archive, Before: guard, After: []byte("x")},
	}}
	for _, p := range []Plan{{}, {Version: 1}, good(), ends, markdown} {
		if err := p.Validate(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for name, tt := range map[string]struct {
		change func(*Plan)
		says   string
	}{
		"version":           {func(p *Plan) { p.Version = -1 }, "version"},
		"create with guard": {func(p *Plan) { p.Edits[0].Before = guard }, "must not exist"},
		"update no guard":   {func(p *Plan) { p.Edits[1].Before = "" }, "needs the digest"},
		"update odd guard": {func(p *Plan) {
			p.Edits[1].Before = strings.Repeat("Z", 64)
		}, "needs the digest"},
		"verb": {func(p *Plan) { p.Edits[0].Verb = "destroy" }, `"destroy" is unknown`},
		"delete no guard": {func(p *Plan) {
			p.Edits[0].Verb, p.Edits[0].After = Delete, nil
		}, "needs the digest"},
		"delete and write": {func(p *Plan) { p.Edits[1].Verb = Delete }, "delete has something to write"},
		"archive of what": {func(p *Plan) {
			p.Edits[1].Verb, p.Edits[1].After = Archive, nil
		}, "nothing to write"},
		"revert of nothing": {func(p *Plan) {
			p.Edits[0].Verb, p.Edits[0].After = Revert, nil
		}, "nothing to nothing"},
		"revert odd guard": {func(p *Plan) {
			p.Edits[1].Verb, p.Edits[1].Before = Revert, "x"
		}, "no digest"},
		"nothing":         {func(p *Plan) { p.Edits[0].After = nil }, "nothing to write"},
		"twice":           {func(p *Plan) { p.Edits[1].Path = "decisions/a.json" }, "edited twice"},
		"twice but case":  {func(p *Plan) { p.Edits[1].Path = "decisions/A.json" }, "edited twice"},
		"an empty record": {func(p *Plan) { p.Edits[0].After = []byte{} }, "nothing to write"},
		"deletes an empty": {func(p *Plan) {
			p.Edits[1].Verb, p.Edits[1].After = Delete, []byte{}
		}, "delete has something to write"},
		"mixed": {func(p *Plan) {
			p.Edits[1].Path = "b.md"
		}, "does not go with decisions/a.json"},
		"mixed round": {func(p *Plan) { p.Edits[0].Path = "a.md" }, "does not go with a.md"},
		"retired Markdown": {func(p *Plan) {
			p.Edits = []Edit{{Path: "a.md", Verb: Retire, Before: guard, After: []byte("x")}}
		}, "is for records"},
		"outside": {func(p *Plan) { p.Edits[0].Path = "../a.json" }, "inside the store"},
	} {
		p := good()
		tt.change(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %q in it", name, err, tt.says)
		}
	}
	gone, empty := good(), good()
	gone.Edits[0].After, empty.Edits[0].After = nil, []byte{}
	if gone.Digest() == empty.Digest() {
		t.Error("an empty file has the digest of none")
	}
	p := good()
	p.Version = 2
	if err := p.Validate(); !errors.Is(err, ErrNewer) {
		t.Errorf("version 2: got %v, want ErrNewer", err)
	}
}

var notRecords = []string{
	"", ".", "..", "/", "a.json", "/decisions/a.json", "../decisions/a.json", "decisions/../a.json",
	"decisions/../../a.json", "./decisions/a.json", "decisions//a.json", "decisions/a.json/",
	"decisions/sub/a.json", "decisions/.a.json", "decisions/.json", "decisions/a.txt", "decisions/a",
	"decisions/", "decisions", "secrets/a.json", "Decisions/a.json", "decisions/a\x00.json",
	"decisions/a\n.json", `decisions\a.json`, `decisions/a\..\..\b.json`, "decisions/a\xff.json",
	"decisions/" + strings.Repeat("a", 251) + ".json",
	".claude/memory/decisions/a.json", "index.md", "memory-config.json", "MEMORY.md", "decisions/a.md",
}

func TestCheckRecord(t *testing.T) {
	for _, p := range []string{"decisions/a.json", "tech-debt/결제.json", "sessions/a..b.json", "runbooks/" +
		strings.Repeat("a", 250) + ".json"} {
		if err := CheckRecord(p); err != nil {
			t.Error(err)
		}
	}
	for _, p := range notRecords {
		if CheckRecord(p) == nil {
			t.Errorf("%q is taken for a record's path", p)
		}
	}
}

// TestNoRecordLeadsOut: a valid path has exactly one slash, after one of our folders, and names neither a
// parent nor a hidden file.
func TestNoRecordLeadsOut(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"decisions", "sessions", "/", "..", ".", "a", ".json", "\\", "\x00",
		"é", " ", "~"})
	rapid.Check(t, func(t *rapid.T) {
		p := strings.Join(rapid.SliceOfN(pieces, 1, 8).Draw(t, "pieces"), "")
		if CheckRecord(p) != nil {
			return
		}
		folder, name, _ := strings.Cut(p, "/")
		if (folder != "decisions" && folder != "sessions") || strings.ContainsAny(name, "/\\\x00") ||
			strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".json") {
			t.Fatalf("%q passes", p)
		}
	})
}

func TestCheckMarkdown(t *testing.T) {
	for _, p := range []string{
		"MEMORY.md", "INDEX.md", "notes.MD", "user/profile.md", "archive/2026-11/2026-11-01.md",
		"a/b/c/d/e.md", "결제.md", "with space.md", "a..b.md", "~.md", ".learnings/LEARNINGS.md",
		".learnings/instincts/use-pnpm.yaml", "README.json.md", "👩\u200d💻.md",
		strings.Repeat("a", 252) + ".md", "json/a.md",
	} {
		if err := errors.Join(CheckMarkdown(p), CheckPath(p)); err != nil {
			t.Error(err)
		}
		if CheckRecord(p) == nil {
			t.Errorf("%s is a record's path too", p)
		}
	}
	for p, says := range map[string]string{
		"": "inside", ".": "hidden", "..": "inside", "/": "inside", "/a.md": "inside", "../a.md": "inside",
		"a/../b.md": "inside", "a/../../b.md": "inside",
		"./a.md": "inside", "a//b.md": "inside", "a.md/": "inside", "a/b/c/d/e/f.md": "4 folders",
		"a.txt": "end in .md", "a": "end in .md", "md": "end in .md",
		"a.yaml": "end in .md", "instincts/a.yaml": "end in .md", ".md": "hidden", ".a.md": "hidden",
		".git/a.md": "hidden", "a/.b/c.md": "hidden", "a/.b.md": "hidden",
		".learnings.md": "hidden", ".learnings/.a.md": "hidden", ".learnings/.git/a.md": "hidden",
		"a/.learnings/b.md": "hidden", ".learnings": "hidden",
		".learnings/a.json": "", "a.md/b.md": "named like a file", "a.MD/b.md": "named like a file",
		".learnings/a.yaml/b.md": "named like a file",
		"a\x00.md":               "characters", "a\n.md": "characters", "a\u0085.md": "characters",
		`a\b.md`:       "characters",
		"a\xff.md":     "characters",
		"a\u202emd.md": "characters", "a\u2067b.md": "characters", "a\u200b.md": "characters",
		"\ufeffa.md": "characters", "a\U000e00e0.md": "characters",
		strings.Repeat("a", 253) + ".md": "255 bytes", strings.Repeat("a", 256) + "/b.md": "255 bytes",
	} {
		var path *PathError
		if err := CheckMarkdown(p); !errors.As(err, &path) || path.Path != p ||
			!strings.Contains(path.Trouble, says) {
			t.Errorf("%q: got %v, want %s in it", p, err, says)
		}
		if CheckPath(p) == nil {
			t.Errorf("%q is taken for a path", p)
		}
	}
}

// FuzzCheckPath: a valid path stays below its root at each step, and has no hidden name except .learnings.
func FuzzCheckPath(f *testing.F) {
	for _, p := range []string{"decisions/a.json", "MEMORY.md", ".learnings/instincts/a.yaml", "a/b/c/d/e.md",
		"../a.md", "a/../b.md", "a\x00.md", ".git/a.md"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		record, markdown := CheckRecord(p) == nil, CheckMarkdown(p) == nil
		if record && markdown || (CheckPath(p) == nil) != (record || markdown) {
			t.Fatalf("%q: a record %v, Markdown %v, a path %v", p, record, markdown, CheckPath(p) == nil)
		}
		if !record && !markdown {
			return
		}
		if !filepath.IsLocal(p) || path.Clean(p) != p || strings.Count(p, "/") > 4 {
			t.Fatalf("%q passes", p)
		}
		for i, name := range strings.Split(p, "/") {
			if len(name) > 255 || strings.ContainsAny(name, "\\\x00\n") || strings.HasPrefix(name, ".") &&
				(i > 0 || name != ".learnings") {
				t.Fatalf("%q passes", p)
			}
		}
	})
}
