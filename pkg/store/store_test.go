package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepsake/pkg/disk"
	"keepsake/pkg/memory"
	"keepsake/pkg/plan"

	"pgregory.net/rapid"
)

var background = context.Background()

// newRoot returns a root that does not exist yet.
func newRoot(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), ".claude", "memory")
}

// preference returns a record; n is how often it was updated.
func preference(id string, n int) memory.Record {
	var changes []memory.Change
	for i := max(0, n-memory.MaxChanges); i < n; i++ {
		changes = append(changes,
			memory.Change{Date: "2026-11-20T09:00:00Z", Summary: fmt.Sprint("update ", i+1)})
	}
	return memory.Record{
		Changes:  changes,
		Category: memory.Preference, ID: id, Title: "About " + id, Status: memory.Active,
		CreatedAt: "2026-11-20T09:00:00Z", UpdatedAt: "2026-11-20T09:00:00Z", Tags: []string{"b", "a"},
		TimesUpdated: n,
		Content: memory.Content{"topic": id, "value": strings.Repeat("v", n), "reason": "r",
			"strength": "soft"},
	}
}

func create(r memory.Record) plan.Edit {
	return plan.Edit{Path: memory.Path(r.Category, r.ID), Verb: plan.Create, After: r.Encode(),
		Category: string(r.Category), Title: r.Title}
}

func update(was memory.Stored, r memory.Record) plan.Edit {
	return plan.Edit{Path: was.Path, Verb: plan.Update, Before: was.Digest, After: r.Encode(),
		Category: string(r.Category), Title: r.Title}
}

func planOf(edits ...plan.Edit) plan.Plan { return plan.Plan{Version: plan.Version, Edits: edits} }

func apply(t testing.TB, s *Store, edits ...plan.Edit) {
	t.Helper()
	if err := s.Apply(background, planOf(edits...)); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, s *Store) Loaded {
	t.Helper()
	l, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// summary returns the contents of a store in short: path, times updated, and what is bad.
func summary(l Loaded) string {
	var parts []string
	for _, r := range l.Records {
		parts = append(parts, fmt.Sprintf("%s=%d", r.Path, r.TimesUpdated))
	}
	for _, b := range l.Bad {
		parts = append(parts, "bad "+b.Path)
	}
	return strings.Join(parts, " ")
}

// tree returns everything below dir, with the bytes of files.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		out[rel] = d.Type().String()
		if d.Type().IsRegular() {
			b, err := os.ReadFile(path)
			out[rel] += string(b)
			return err
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
		os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestEmptyProject is for the original's worst fault: a project without any files works, and reading it
// leaves nothing behind.
func TestEmptyProject(t *testing.T) {
	root := newRoot(t)
	project := filepath.Dir(filepath.Dir(root))
	s := Open(root, Options{Derive: titles, Cache: filepath.Join(project, "cache", "x.idx")})
	if l := load(t, s); len(l.Records)+len(l.Bad) > 0 {
		t.Errorf("an empty store holds %s", summary(l))
	}
	if b, err := indexed(s); err != nil || len(b) > 0 {
		t.Errorf("Index: %q, %v", b, err)
	}
	if _, err := s.Read("decisions/a.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read: %v", err)
	}
	if err := s.Quarantine("decisions/a.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Quarantine: %v", err)
	}
	if err := s.Apply(background, plan.Plan{}); err != nil {
		t.Errorf("Apply of nothing: %v", err)
	}
	if got := tree(t, project); len(got) > 0 {
		t.Errorf("reading left %v", got)
	}
	apply(t, s, create(preference("a", 0)))
	if got := summary(load(t, s)); got != "preferences/a.json=0" {
		t.Errorf("after the first save: %s", got)
	}
}

func TestApply(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{})
	dec := preference("use-pnpm", 0)
	debt := memory.Record{
		Category: memory.TechDebt, ID: "결제", Title: "결제 -> 재시도", Status: memory.Active, CreatedAt: "x",
		UpdatedAt: "x", Tags: []string{"billing"},
		Content: memory.Content{"status": "open", "priority": "low", "description": "d",
			"reason_deferred": "r"},
	}
	apply(t, s, create(dec), create(debt))
	was, err := s.Read("preferences/use-pnpm.json")
	if err != nil {
		t.Fatal(err)
	}
	gone, err := debt.Retire("paid", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	debtWas, err := s.Read("tech-debt/결제.json")
	if err != nil {
		t.Fatal(err)
	}
	retire := update(debtWas, gone.Record)
	retire.Verb = plan.Retire
	before := tree(t, root)
	dec.TimesUpdated, dec.Changes = 1, preference("", 1).Changes
	apply(t, s, update(was, dec), retire, create(preference("another", 0)))

	const index = "# Memory Index\n\n<!-- Auto-generated by Keepsake. Edits are lost: it is written anew " +
		"with every save. -->\n\n- [PREFERENCE] About another -> .claude/memory/preferences/another.json " +
		"#tags:a,b\n- [PREFERENCE] About use-pnpm -> .claude/memory/preferences/use-pnpm.json #tags:a,b\n"
	after := tree(t, root)
	if got := strings.TrimPrefix(after["index.md"], "----------"); got != index {
		t.Errorf("index.md\n%s\nwant\n%s", got, index)
	}
	if !strings.Contains(before["index.md"],
		"- [TECH_DEBT] 결제 - 재시도 -> .claude/memory/tech-debt/결제.json #tags:billing\n") {
		t.Errorf("index.md before\n%s", before["index.md"])
	}
	if got := summary(load(t, s)); got != "preferences/another.json=0 preferences/use-pnpm.json=1 "+
		"tech-debt/결제.json=0" {
		t.Error(got)
	}
	// What was overwritten is whole in the history.
	var history []string
	for name, text := range after {
		if strings.HasPrefix(name, ".history/") {
			history = append(history, name)
			if strings.Contains(text, `"times_updated\": 1`) != strings.Contains(text, `"verb":"update"`) {
				t.Errorf("%s has not the record as it was written:\n%s", name, text)
			}
		}
		if strings.HasPrefix(name, ".redo") || leftover(filepath.Base(name)) {
			t.Errorf("left behind: %s", name)
		}
	}
	if len(history) != 2 {
		t.Fatalf("history: %v", history)
	}
	slices.Sort(history)
	b, err := os.ReadFile(filepath.Join(root, history[1]))
	if err != nil {
		t.Fatal(err)
	}
	old := strings.TrimPrefix(before["preferences/use-pnpm.json"], "----------")
	log := readLog(t, b)
	if i := slices.IndexFunc(log.Edits, func(e redoEdit) bool {
		return e.Path == "preferences/use-pnpm.json"
	}); i < 0 || string(log.Edits[i].Before) != old {
		t.Errorf("the version before is not in the history: %s", b)
	}
	if log.plan().Digest() != log.Digest {
		t.Error("the history's digest is another")
	}
	for name, mode := range map[string]fs.FileMode{".lock": 0o600, ".history": fs.ModeDir | 0o700,
		history[1]: 0o600, "index.md": 0o644, "preferences/use-pnpm.json": 0o644} {
		if info, err := os.Lstat(filepath.Join(root, name)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v %v, want %v", name, info.Mode(), err, mode)
		}
	}
	if got := after[".gitignore"]; !strings.Contains(got, "\n.lock\n.redo.json*\n.history/\n") {
		t.Errorf(".gitignore: %q", got)
	}
}

func readLog(t *testing.T, b []byte) redo {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, redoName), string(b))
	log, err := Open(dir, Options{}).readRedo()
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestApplyRefuses: a plan that may not be applied changes nothing.
func TestApplyRefuses(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{LockWait: 50 * time.Millisecond})
	apply(t, s, create(preference("a", 0)), create(preference("b", 0)), create(preference("edited", 0)))
	a, err := s.Read("preferences/a.json")
	if err != nil {
		t.Fatal(err)
	}
	edited, err := s.Read("preferences/edited.json")
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.file("preferences/edited.json"), string(preference("edited", 5).Encode()))
	write(t, s.file("preferences/newer.json"), `{"schema_version": "9.0"}`)
	if err := errors.Join(os.Mkdir(s.file("preferences/dir.json"), 0o755),
		os.Symlink(s.file("preferences/b.json"), s.file("preferences/link.json")),
		syscall.Mkfifo(s.file("preferences/pipe.json"), 0o644),
		os.Symlink(s.file("none"), s.file("preferences/dangling.json")),
		os.Symlink(t.TempDir(), s.file("runbooks")),
		os.WriteFile(s.file("decisions"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	gone := update(a, preference("gone", 1))
	gone.Path = "preferences/gone.json"
	toLink := update(a, preference("link", 1))
	toLink.Path = "preferences/link.json"
	misfiled := create(preference("x", 0))
	misfiled.Path = "preferences/y.json"
	elsewhere := create(preference("x", 0))
	elsewhere.Path = "runbooks/x.json"
	run := create(preference("r", 0))
	run.Path, run.After = "runbooks/r.json",
		[]byte(strings.Replace(string(runbook().Encode()), `"id": "x"`, `"id": "r"`, 1))
	tooLong := preference("long", 0)
	tooLong.Content["value"] = strings.Repeat("x", recordLimit)
	manyTags := preference("tags", 0)
	manyTags.Tags = strings.Fields("a b c d e f g h i j k l m")
	for name, tt := range map[string]struct {
		edit plan.Edit
		err  error
		path string
	}{
		"record in the way":   {create(preference("b", 1)), ErrExists, "preferences/b.json"},
		"newer in the way":    {create(preference("newer", 1)), ErrExists, "preferences/newer.json"},
		"dir in the way":      {create(preference("dir", 1)), ErrExists, "preferences/dir.json"},
		"link in the way":     {create(preference("link", 1)), ErrExists, "preferences/link.json"},
		"dangling in the way": {create(preference("dangling", 1)), ErrExists, "preferences/dangling.json"},
		"pipe in the way":     {create(preference("pipe", 1)), ErrExists, "preferences/pipe.json"},
		"changed by hand": {update(edited, preference("edited", 1)), ErrConflict,
			"preferences/edited.json"},
		"gone":               {gone, ErrConflict, "preferences/gone.json"},
		"now a link":         {toLink, disk.ErrNotRegular, "preferences/link.json"},
		"folder is a link":   {run, nil, "runbooks"},
		"folder is a file":   {create(decision("d")), nil, "decisions"},
		"name is not the id": {misfiled, nil, "preferences/y.json"},
		"other folder":       {elsewhere, nil, "runbooks/x.json"},
		"no record": {plan.Edit{Path: "preferences/x.json", Verb: plan.Create, After: []byte("{}")},
			nil, "preferences/x.json"},
		"too long":      {create(tooLong), nil, "preferences/long.json"},
		"too many tags": {create(manyTags), nil, "preferences/tags.json"},
		"outside": {plan.Edit{Path: "../x.json", Verb: plan.Create, After: []byte("{}")}, nil,
			"../x.json"},
	} {
		t.Run(name, func(t *testing.T) {
			before := tree(t, root)
			err := s.Apply(background, planOf(create(preference("innocent", 0)), tt.edit))
			if err == nil || tt.err != nil && !errors.Is(err, tt.err) ||
				!strings.Contains(err.Error(), tt.path) {
				t.Errorf("got %v, want %v with %s in it", err, tt.err, tt.path)
			}
			after := tree(t, root)
			for name := range before {
				if after[name] != before[name] {
					t.Errorf("%s has changed", name)
				}
			}
			if len(after) != len(before) {
				t.Errorf("there are %d files, there were %d", len(after), len(before))
			}
		})
	}
	// Both conflicts of one plan are reported.
	err = s.Apply(background, planOf(create(preference("b", 1)), update(edited, preference("edited", 1))))
	if !errors.Is(err, ErrExists) || !errors.Is(err, ErrConflict) {
		t.Errorf("two conflicts: %v", err)
	}
}

func runbook() memory.Record {
	return memory.Record{Category: memory.Runbook, ID: "x", Title: "x", Status: memory.Active, CreatedAt: "x",
		UpdatedAt: "x", Tags: []string{"x"},
		Content: memory.Content{"trigger": "t", "steps": []string{"s"}, "verification": "v"}}
}

func decision(id string) memory.Record {
	return memory.Record{Category: memory.Decision, ID: id, Title: id, Status: memory.Active, CreatedAt: "x",
		UpdatedAt: "x", Tags: []string{"x"},
		Content: memory.Content{"status": "accepted", "context": "c", "decision": "d",
			"rationale": []string{"r"}}}
}

// TestRootIsALink: a project that somebody else wrote must not lead us out of itself.
func TestRootIsALink(t *testing.T) {
	root, elsewhere := newRoot(t), t.TempDir()
	other := Open(elsewhere, Options{})
	apply(t, other, create(preference("secret", 0)))
	if err := errors.Join(os.MkdirAll(filepath.Dir(root), 0o755), os.Symlink(elsewhere, root)); err != nil {
		t.Fatal(err)
	}
	before := tree(t, elsewhere)
	s := Open(root, Options{Derive: titles, Cache: filepath.Join(t.TempDir(), "x")})
	_, errLoad := s.Load()
	_, errRead := s.Read("preferences/secret.json")
	_, errIndex := indexed(s)
	for name, err := range map[string]error{"Load": errLoad, "Read": errRead, "Index": errIndex,
		"Quarantine": s.Quarantine("preferences/secret.json"),
		"Apply":      s.Apply(background, planOf(create(preference("a", 0))))} {
		if err == nil || !strings.Contains(err.Error(), root) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if len(tree(t, elsewhere)) != len(before) {
		t.Error("something was written through the link")
	}
}

// TestBadFiles: a bad file among the records affects only itself, is reported, and survives a save beside it.
func TestBadFiles(t *testing.T) {
	root := newRoot(t)
	s := Open(root, Options{})
	apply(t, s, create(preference("good", 0)), create(decision("good")))
	good := string(preference("x", 0).Encode())
	write(t, s.file("preferences/list.json"), "[]")
	write(t, s.file("preferences/empty.json"), "")
	write(t, s.file("preferences/latin1.json"), strings.Replace(good, "About", "\xe9", 1))
	write(t, s.file("preferences/numeric-tag.json"), strings.Replace(good, `"a"`, "7", 1))
	write(t, s.file("preferences/newer.json"), `{"schema_version": "2.0", "future": true}`)
	write(t, s.file("preferences/misnamed.json"), good)
	write(t, s.file("preferences/huge.json"), strings.Repeat(" ", recordLimit+1))
	write(t, s.file("decisions/wrong-folder.json"),
		strings.Replace(good, `"id": "x"`, `"id": "wrong-folder"`, 1))
	write(t, s.file("constraints"), "a file where a folder should be")
	write(t, s.file("preferences/notes.md"), "not ours")
	write(t, s.file("preferences/.hidden.json"), "not ours")
	write(t, s.file("preferences/old.json.invalid.1700000000"), "set aside")
	if err := errors.Join(os.Mkdir(s.file("preferences/dir.json"), 0o755),
		os.Mkdir(s.file("preferences/sub"), 0o755),
		os.Symlink(s.file("preferences/good.json"), s.file("preferences/link.json")),
		syscall.Mkfifo(s.file("preferences/pipe.json"), 0o644),
		os.Symlink(t.TempDir(), s.file("runbooks"))); err != nil {
		t.Fatal(err)
	}
	before := tree(t, root)
	const want = "decisions/good.json=0 preferences/good.json=0 bad constraints bad " +
		"decisions/wrong-folder.json bad preferences/dir.json bad preferences/empty.json bad " +
		"preferences/huge.json bad preferences/latin1.json bad preferences/link.json bad " +
		"preferences/list.json bad preferences/misnamed.json bad preferences/newer.json bad " +
		"preferences/numeric-tag.json bad preferences/pipe.json bad runbooks"
	l := load(t, s)
	if got := summary(l); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, b := range l.Bad {
		if errors.Is(b.Err, memory.ErrNewer) != (b.Path == "preferences/newer.json") {
			t.Errorf("%s: %v", b.Path, b.Err)
		}
		if b.Err.Error() == "" {
			t.Errorf("%s: says nothing", b.Path)
		}
	}
	apply(t, s, create(preference("new", 0)))
	after := tree(t, root)
	for name, text := range before {
		if name != indexName && after[name] != text {
			t.Errorf("%s was changed by a save next to it", name)
		}
	}
}

// TestCorruptInTheWay: a corrupt record is set aside whole, never replaced.
func TestCorruptInTheWay(t *testing.T) {
	s := Open(newRoot(t), Options{})
	const broken = `{"schema_version": "1.0", "title": "half a rec`
	write(t, s.file("preferences/a.json"), broken)
	apply(t, s, create(preference("a", 0)))
	if got := summary(load(t, s)); got != "preferences/a.json=0" {
		t.Error(got)
	}
	found := false
	for name, text := range tree(t, s.root) {
		if strings.HasPrefix(name, "preferences/a.json.invalid.") {
			found = strings.HasSuffix(text, broken)
		}
	}
	if !found {
		t.Errorf("the broken record is gone: %v", tree(t, s.root))
	}
}

// A record in the middle of a merge belongs to the person who resolves it: it is reported, and neither
// overwritten nor set aside.
func TestMergeConflictStays(t *testing.T) {
	s := Open(newRoot(t), Options{})
	ours, theirs := preference("a", 0), preference("a", 0)
	theirs.Title = "Another title"
	m, err := memory.Merge(nil, ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	text := string(m.Text())
	write(t, s.file("preferences/a.json"), text)
	l := load(t, s)
	if len(l.Records) > 0 || len(l.Bad) != 1 || !errors.Is(l.Bad[0].Err, memory.ErrMarkers) {
		t.Errorf("%+v", l)
	}
	if err := s.Apply(background, planOf(create(preference("a", 1)))); !errors.Is(err, ErrExists) ||
		!errors.Is(err, memory.ErrMarkers) {
		t.Error(err)
	}
	if err := s.Quarantine("preferences/a.json"); !errors.Is(err, memory.ErrMarkers) {
		t.Error(err)
	}
	if got := tree(t, s.root)["preferences/a.json"]; !strings.HasSuffix(got, text) {
		t.Errorf("now\n%s", got)
	}
}

func TestQuarantine(t *testing.T) {
	s := Open(newRoot(t), Options{})
	apply(t, s, create(preference("good", 0)))
	write(t, s.file("preferences/newer.json"), `{"schema_version": "2.0"}`)
	if err := os.Symlink(s.file("preferences/good.json"), s.file("preferences/link.json")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"preferences/good.json", "preferences/newer.json", "preferences/link.json",
		"preferences/none.json", "../x.json", "index.md"} {
		if err := s.Quarantine(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v", path, err)
		}
	}
	// Twice within a second: neither replaces the other.
	for _, text := range []string{"first", "second", strings.Repeat(" ", recordLimit+1)} {
		write(t, s.file("preferences/bad.json"), text)
		if err := s.Quarantine("preferences/bad.json"); err != nil {
			t.Fatal(err)
		}
	}
	var kept []string
	for name := range tree(t, s.root) {
		if strings.HasPrefix(name, "preferences/bad.json") {
			kept = append(kept, name)
		}
	}
	if len(kept) != 3 || slices.Contains(kept, "preferences/bad.json") {
		t.Errorf("kept %v", kept)
	}
}

// TestLocked: a writer waits as long as it is told and no longer. Readers do not wait for a writer that
// hangs.
func TestLocked(t *testing.T) {
	s := Open(newRoot(t), Options{LockWait: 30 * time.Millisecond})
	apply(t, s, create(preference("a", 0)))
	l, err := disk.Exclusive(background, s.file(lockName))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Unlock()
	start := time.Now()
	err = s.Apply(background, planOf(create(preference("b", 0))))
	if !errors.Is(err, disk.ErrLocked) || !strings.Contains(err.Error(), s.file(lockName)) {
		t.Errorf("Apply: %v", err)
	}
	if waited := time.Since(start); waited > 10*time.Second {
		t.Errorf("Apply waited %v", waited)
	}
	start = time.Now()
	if got := summary(load(t, s)); got != "preferences/a.json=0" {
		t.Error(got)
	}
	if waited := time.Since(start); waited > 10*time.Second {
		t.Errorf("Load waited %v", waited)
	}
}

func TestSweep(t *testing.T) {
	s := Open(newRoot(t), Options{})
	ours := []string{begunName, ".redo.json123456789", ".index.md445566778", "preferences/.a.json987654321",
		"..gitignore778899001", "..redo.json556677889"}
	theirs := []string{".hidden", "preferences/.a.json", "preferences/a.json.invalid.1", "preferences/12",
		".index.md", "preferences/.swp1"}
	for _, name := range append(slices.Clone(ours), theirs...) {
		write(t, s.file(name), "x")
	}
	apply(t, s, create(preference("b", 0)))
	got := tree(t, s.root)
	for _, name := range ours {
		if _, ok := got[name]; ok {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range theirs {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is gone", name)
		}
	}
}

func TestHistoryOrder(t *testing.T) {
	dir := t.TempDir()
	digest := strings.Repeat("ab", 32)
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	var last string
	for _, step := range []time.Duration{0, time.Second, -time.Hour, -24 * time.Hour, 0, 2 * time.Hour} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		name := historyFile(entries, now.Add(step), digest)
		if name <= last {
			t.Errorf("%s after %s", name, last)
		}
		last = name
		write(t, filepath.Join(dir, name), "")
	}
	if last != "20261120T110000.000000000Z-abababababab.json" {
		t.Error(last)
	}
}

// TestAgainstModel applies random plans and compares the store with a map. Applying a plan twice is a
// conflict.
func TestAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "keepsake-store")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		s := Open(root, Options{})
		model := make(map[string]int)
		for range rapid.IntRange(1, 4).Draw(t, "plans") {
			l, err := s.Load()
			if err != nil {
				t.Fatal(err)
			}
			var p plan.Plan
			next := make(map[string]int)
			for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 3,
				func(s string) string {
					return s
				}).Draw(t, "ids") {
				path := memory.Path(memory.Preference, id)
				if i := slices.IndexFunc(l.Records, func(r memory.Stored) bool {
					return r.Path == path
				}); i >= 0 {
					next[path] = l.Records[i].TimesUpdated + 1
					p.Edits = append(p.Edits, update(l.Records[i], preference(id, next[path])))
				} else {
					next[path] = 0
					p.Edits = append(p.Edits, create(preference(id, 0)))
				}
			}
			if err := s.Apply(background, p); err != nil {
				t.Fatal(err)
			}
			maps.Copy(model, next)
			if err := s.Apply(background, p); !errors.Is(err, ErrConflict) && !errors.Is(err, ErrExists) {
				t.Fatalf("applied twice: %v", err)
			}
			l, err = s.Load()
			if err != nil || len(l.Bad) > 0 || len(l.Records) != len(model) {
				t.Fatalf("%v: %s, want %v", err, summary(l), model)
			}
			for _, r := range l.Records {
				if model[r.Path] != r.TimesUpdated {
					t.Fatalf("%s, want %v", summary(l), model)
				}
			}
		}
	})
}

// A related file exists if it is in the project or in the worktree that uses the store. Only one that is in
// neither may be dropped.
func TestRelatedFilesOfAWorktree(t *testing.T) {
	project, worktree := t.TempDir(), t.TempDir()
	for _, f := range []string{filepath.Join(project, "main.go"), filepath.Join(worktree, "branch.go")} {
		write(t, f, "")
	}
	s := Open(filepath.Join(project, ".claude", "memory"), Options{Checkout: worktree})
	first := preference("a", 0)
	first.RelatedFiles = []string{"main.go", "branch.go", "gone.go"}
	apply(t, s, create(first))
	for file, ok := range map[string]bool{"main.go": false, "branch.go": false, "gone.go": true} {
		was, err := s.Read("preferences/a.json")
		if err != nil {
			t.Fatal(err)
		}
		next := preference("a", was.TimesUpdated+1)
		next.CreatedAt, next.Changes = was.CreatedAt,
			memory.AppendChanges(was.Changes, memory.Change{Date: next.UpdatedAt, Summary: "without " + file})
		next.RelatedFiles = slices.DeleteFunc(slices.Clone(was.RelatedFiles), func(f string) bool {
			return f == file
		})
		if err := s.Apply(background, planOf(update(was, next))); (err == nil) != ok {
			t.Errorf("without %s: %v", file, err)
		}
	}
}

// hold takes the lock of a store.
func hold(t *testing.T, s *Store) *held {
	t.Helper()
	h, err := s.lockStore(background, true)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
