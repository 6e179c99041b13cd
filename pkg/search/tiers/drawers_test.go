package tiers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"keepsake/pkg/disk"
	"keepsake/pkg/search/kept"
	"keepsake/pkg/search/records"
	"keepsake/pkg/why/drawer"
)

// shop is a data folder without drawers, asked from the project shop. What it
// warns of fails the test.
func shop(t *testing.T) *Drawers {
	t.Helper()
	dir := t.TempDir()
	return &Drawers{Dir: filepath.Join(dir, "data", "drawers"), Cache: filepath.Join(dir, "cache"),
		Wing: "shop", Warn: func(err error) {
			t.Errorf("warned: %v", err)
		}}
}

func decided(text string) drawer.Drawer {
	return drawer.Drawer{Wing: "shop", Room: drawer.Decisions, Text: text,
		Source: ".agents/memory/scratch/general.md:1", Filed: noted}
}

// mustAdd adds a drawer that is new, and returns its path.
func mustAdd(t *testing.T, d *Drawers, dr drawer.Drawer) string {
	t.Helper()
	ids, existed, err := d.Add(t.Context(), dr)
	if err != nil || existed || !slices.Equal(ids, []string{dr.ID()}) {
		t.Fatalf("%v, %v, %v", ids, existed, err)
	}
	return dr.Wing + "/" + dr.Room + "/" + ids[0]
}

func hits(all []Hit) string {
	var b strings.Builder
	for _, h := range all {
		weak := ""
		if h.Score < records.Floor {
			weak = " weak"
		}
		fmt.Fprintf(&b, "%s %s %s %q%s\n", h.Source, h.Path, h.Date, h.Text, weak)
	}
	return b.String()
}

// wantFound asks and holds the paths of the answer to want.
func wantFound(t *testing.T, d *Drawers, query string, want ...string) {
	t.Helper()
	found, err := d.Find(t.Context(), query, 9)
	var got []string
	for _, h := range found {
		got = append(got, h.Path)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q: %v\ngot  %q\nwant %q", query, err, got, want)
	}
}

func TestDrawersAdd(t *testing.T) {
	d := shop(t)
	dr := decided("Decided to use Postgres.\n\n- it scales ")
	at := mustAdd(t, d, dr)
	file := filepath.Join(d.Dir, at+".md")
	if got := get(t, d.Dir, at+".md"); got != string(drawer.Encode(dr)) {
		t.Errorf("the file says\n%s", got)
	}
	for path, want := range map[string]fs.FileMode{file: 0o600, filepath.Dir(file): 0o700,
		filepath.Dir(filepath.Dir(file)): 0o700, d.Dir: 0o700} {
		if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	// The same again writes nothing, whenever and wherever it was taken from.
	before, _ := os.Lstat(file)
	again := dr
	again.Filed, again.Source = noted.Add(time.Hour), ""
	if ids, existed, err := d.Add(t.Context(), again); err != nil || !existed ||
		!slices.Equal(ids, []string{dr.ID()}) {
		t.Errorf("%v, %v, %v", ids, existed, err)
	}
	if after, _ := os.Lstat(file); !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Error("it was written again")
	}
	// What a crash left of it goes; what is not ours stays.
	put(t, d.Dir, "shop/decisions/.x.md1", "")
	put(t, d.Dir, "shop/decisions/."+decided("b").ID()+".md123", "half")
	mustAdd(t, d, decided("b"))
	left, _ := filepath.Glob(filepath.Join(d.Dir, "shop/decisions/.*"))
	if len(left) != 1 || filepath.Base(left[0]) != ".x.md1" {
		t.Errorf("left: %q", left)
	}
}

// TestDrawersAddRefuses: nothing is written over what somebody edited, through a
// link, or under a name that leads elsewhere.
func TestDrawersAddRefuses(t *testing.T) {
	elsewhere := t.TempDir()
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, d *Drawers)
		change  func(*drawer.Drawer)
		want    string
	}{
		"an edited drawer": {func(t *testing.T, d *Drawers) {
			mustAdd(t, d, decided("a"))
			put(t, d.Dir, "shop/decisions/"+decided("a").ID()+".md",
				strings.Replace(string(drawer.Encode(decided("a"))), "\na\n", "\nedited\n", 1))
		}, nil, "somebody edited this drawer"},
		"a link for the folder": {func(t *testing.T, d *Drawers) {
			link(t, elsewhere, d.Dir)
		}, nil, "is not a private directory"},
		"a link for a wing": {func(t *testing.T, d *Drawers) {
			link(t, elsewhere, filepath.Join(d.Dir, "shop"))
		}, nil, "is not a private directory"},
		"a link for a room": {func(t *testing.T, d *Drawers) {
			link(t, elsewhere, filepath.Join(d.Dir, "shop/decisions"))
		}, nil, "is not a private directory"},
		"a link for a drawer": {func(t *testing.T, d *Drawers) {
			link(t, filepath.Join(elsewhere, "victim"),
				filepath.Join(d.Dir, "shop/decisions", decided("a").ID()+".md"))
		}, nil, "is not a regular file"},
		"a file for a wing": {func(t *testing.T, d *Drawers) {
			put(t, d.Dir, "shop", "")
		}, nil, "not a directory"},
		"a path for a wing": {nil, func(d *drawer.Drawer) { d.Wing = "../shop" }, "is no name"},
		"no text":           {nil, func(d *drawer.Drawer) { d.Text = "\n" }, "without text"},
	} {
		t.Run(name, func(t *testing.T) {
			d, dr := shop(t), decided("a")
			if tt.prepare != nil {
				tt.prepare(t, d)
			}
			if tt.change != nil {
				tt.change(&dr)
			}
			if ids, existed, err := d.Add(t.Context(), dr); err == nil || len(ids) > 0 || existed ||
				!strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v, %v; want %q", ids, existed, err, tt.want)
			}
			if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
				t.Errorf("written elsewhere: %v, %v", left, err)
			}
		})
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.Symlink(to, at)); err != nil {
		t.Fatal(err)
	}
}

func TestDrawersFind(t *testing.T) {
	d := shop(t)
	wantFound(t, d, "postgres")
	if _, err := os.Lstat(d.Cache); err == nil {
		t.Error("an index of nothing is kept")
	}
	pg := mustAdd(t, d, decided("Decided to use Postgres over SQLite for the memory store, scaling concern."))
	queue := mustAdd(t, d,
		decided("The job queue is a table.\nRedis lost jobs with password=hunter2hunter2 on restart."))
	other := decided("Decided to use Postgres for the till, too.")
	other.Wing = "till"
	till := mustAdd(t, d, other)
	vague := decided("The till keeps its receipts in memory.")
	vague.Wing = "till"
	mustAdd(t, d, vague)

	found, err := d.Find(t.Context(), "postgres", 9)
	want := "WHY " + pg +
		" 2026-04-23T10:30:00Z \"Decided to use Postgres over SQLite for the memory store, scaling " +
		"concern.\"\nWHY " +
		till + " 2026-04-23T10:30:00Z \"Decided to use Postgres for the till, too.\"\n"
	if err != nil || hits(found) != want {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, hits(found), want)
	}
	if found, err = d.Find(t.Context(), "why are jobs lost by redis", 1); err != nil || len(found) != 1 ||
		found[0].Path != queue || !strings.Contains(found[0].Text, "password=[redacted]") {
		t.Errorf("%v, %s", err, hits(found))
	}
	// What hardly has a word of it is weak, and of another project left out.
	if found, err = d.Find(t.Context(),
		"which machine has the memory for a nightly build of the documentation", 9); err != nil ||
		len(found) != 1 || found[0].Path != pg || found[0].Score >= records.Floor {
		t.Errorf("%v, %s", err, hits(found))
	}
	// Words that say little are a weak match, as they are of a memory.
	lang := mustAdd(t, d, decided("We chose Go because of static binaries."))
	if found, err = d.Find(t.Context(), "go", 9); err != nil || len(found) != 1 || found[0].Path != lang ||
		found[0].Score >= records.Floor {
		t.Errorf("%v, %+v", err, found)
	}
	// What the project decided goes before what others did, also if it says a little less.
	if found, err = d.Find(t.Context(), "postgres till", 1); err != nil || len(found) != 1 ||
		found[0].Path != till {
		t.Errorf("%v, %s", err, hits(found))
	}
	if found, err = d.Find(t.Context(), "postgres too", 1); err != nil || len(found) != 1 ||
		found[0].Path != pg {
		t.Errorf("%v, %s", err, hits(found))
	}
	wantFound(t, d, "zebra")
	wantFound(t, d, "?")
}

// TestDrawersFollowTheFiles: people edit, move and delete drawers, and write some
// themselves.
func TestDrawersFollowTheFiles(t *testing.T) {
	d := shop(t)
	pg := mustAdd(t, d, decided("Decided to use Postgres."))
	wantFound(t, d, "postgres", pg)

	put(t, d.Dir, "shop/decisions/by-hand.md",
		"---\nwing: shop\nroom: decisions\n---\nThe cluster is called heron.\n")
	put(t, d.Dir, "shop/notes/x.txt", "heron")
	put(t, d.Dir, "shop/notes/.y.md", "heron")
	put(t, d.Dir, "heron.md", "heron")
	wantFound(t, d, "heron cluster", "shop/decisions/by-hand")

	// Edited in place, it is no longer found by what it said before.
	put(t, d.Dir, "shop/decisions/by-hand.md",
		"---\nwing: shop\nroom: decisions\n---\nThe staging machine is called stork.\n")
	wantFound(t, d, "heron")
	wantFound(t, d, "stork", "shop/decisions/by-hand")

	if err := os.Rename(filepath.Join(d.Dir, "shop/decisions/by-hand.md"),
		filepath.Join(d.Dir, "shop/notes/stork.md")); err != nil {
		t.Fatal(err)
	}
	wantFound(t, d, "stork", "shop/notes/stork")
	wantIndexed(t, d, 2)
	if err := os.RemoveAll(filepath.Join(d.Dir, "shop/notes")); err != nil {
		t.Fatal(err)
	}
	wantFound(t, d, "stork")
	wantIndexed(t, d, 1)
	wantFound(t, d, "postgres", pg)

	// What is none is told each time, and costs only itself.
	put(t, d.Dir, "shop/decisions/none.md", "postgres")
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(d.Dir, "shop/decisions"), past, past); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var warned []string
		d.Warn = func(err error) { warned = append(warned, err.Error()) }
		wantFound(t, d, "postgres", pg)
		if len(warned) != 1 ||
			!strings.Contains(warned[0], "none.md: is no drawer: it does not begin with ---") {
			t.Errorf("warned %q", warned)
		}
	}
	put(t, d.Dir, "shop/decisions/none.md", "---\nwing: ../x\nroom: decisions\n---\npostgres\n")
	if _, _, err := d.read("shop/decisions/none.md"); err == nil ||
		!strings.Contains(err.Error(), "none.md: is no drawer: the wing: ") {
		t.Errorf("%v", err)
	}
	d.Warn = func(err error) { t.Errorf("warned: %v", err) }
	if err := os.Remove(filepath.Join(d.Dir, "shop/decisions/none.md")); err != nil {
		t.Fatal(err)
	}
	wantFound(t, d, "postgres", pg)
	if err := os.RemoveAll(d.Dir); err != nil {
		t.Fatal(err)
	}
	wantFound(t, d, "postgres")
	wantIndexed(t, d, 0)
}

// wantIndexed holds the number of drawers in the index that is kept to n.
func wantIndexed(t *testing.T, d *Drawers, n int) {
	t.Helper()
	s := d.open(false)
	defer s.close()
	if s.Len() != n {
		t.Errorf("%d drawers are indexed, want %d", s.Len(), n)
	}
}

// TestDrawersAtOneTick: a drawer that comes without its folder's time changing is
// found all the same while the time is new, or of a clock that runs ahead.
func TestDrawersAtOneTick(t *testing.T) {
	d := shop(t)
	first := mustAdd(t, d, decided("The heron is grey."))
	ahead := time.Now().Add(time.Hour)
	for i := range 3 {
		room := filepath.Join(d.Dir, "shop/decisions")
		if err := os.Chtimes(room, ahead, ahead); err != nil {
			t.Fatal(err)
		}
		var want []string // equal ones in order of their paths
		for k := range i {
			want = append(want, fmt.Sprint("shop/decisions/heron", k))
		}
		wantFound(t, d, "heron", append(want, first)...)
		put(t, d.Dir, fmt.Sprintf("shop/decisions/heron%d.md", i),
			"---\nwing: shop\nroom: decisions\n---\nThe heron is grey.\n")
	}
}

func TestDrawersRead(t *testing.T) {
	d := shop(t)
	dr := decided("Decided to use Postgres.")
	at := mustAdd(t, d, dr)
	if got, file, err := d.File(at); err != nil || got != dr || file != filepath.Join(d.Dir, at+".md") {
		t.Errorf("%+v, %s, %v", got, file, err)
	}
	secret := put(t, filepath.Dir(d.Dir), "secret/x.md", string(drawer.Encode(dr)))
	link(t, filepath.Dir(secret), filepath.Join(d.Dir, "shop/linked"))
	link(t, secret, filepath.Join(d.Dir, "shop/decisions/link.md"))
	put(t, d.Dir, "shop/.hidden/x.md", string(drawer.Encode(dr)))
	for _, at := range []string{"", "shop/decisions", "shop/decisions/none", at + ".md", "../secret/x",
		"shop/../../secret/x", "shop/linked/x", "shop/.hidden/x", "/etc/passwd", "shop//x",
		"shop/decisions/x\x00"} {
		if got, _, err := d.File(at); err == nil || got.Text != "" {
			t.Errorf("%q: %+v, %v", at, got, err)
		}
	}
	if _, _, err := d.File("shop/decisions/link"); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("through a link: %v", err)
	}
}

// TestDrawersRemove: what was shown goes, and is found no more; another text stays.
func TestDrawersRemove(t *testing.T) {
	d := shop(t)
	if err := d.Remove(t.Context(), "shop/decisions/none", "x"); err != nil {
		t.Errorf("where nothing ever was: %v", err)
	}
	dr, other := decided("Decided to use Postgres for jobs."), decided("Decided to use Redis for jobs.")
	at, stays := mustAdd(t, d, dr), mustAdd(t, d, other)
	wantFound(t, d, "jobs", at, stays)
	if err := d.Remove(t.Context(), at, "Decided to use MySQL."); err == nil {
		t.Error("a text that nobody was shown went")
	}
	for range 2 { // the second time nothing is there
		if err := d.Remove(t.Context(), at, dr.Text); err != nil {
			t.Error(err)
		}
	}
	wantFound(t, d, "jobs", stays)
	if got, err := d.Read(t.Context(), stays); err != nil || got.Text != other.Text {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestDrawersIndexIsACache: whatever becomes of it, what is found stays.
func TestDrawersIndexIsACache(t *testing.T) {
	d := shop(t)
	pg := mustAdd(t, d, decided("Decided to use Postgres."))
	for i := range 300 {
		mustAdd(t, d, decided(fmt.Sprintf("Decided to name machine %d stork%d.", i, i)))
	}
	wantFound(t, d, "postgres", pg)
	for _, file := range []string{d.index(), kept.Base(d.index())} {
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damage := map[string][]byte{"empty": {}, "short": good[:10], "half": good[:len(good)/2],
			"other": []byte(strings.Repeat("x", 1000))}
		for i := 0; i < len(good); i += len(good)/60 + 1 {
			flipped := slices.Clone(good)
			flipped[i] ^= 0x55
			damage[fmt.Sprint("flipped ", i)] = flipped
		}
		for name, b := range damage {
			if err := os.WriteFile(file, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if found, err := d.Find(t.Context(), "postgres", 1); err != nil || len(found) != 1 ||
				found[0].Path != pg {
				t.Errorf("%s: %v, %s", name, err, hits(found))
			}
		}
	}
	os.RemoveAll(d.Cache)
	wantFound(t, d, "postgres", pg)
	if info, err := os.Lstat(d.index()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	d.Cache = ""
	wantFound(t, d, "stork7", "shop/decisions/"+decided("Decided to name machine 7 stork7.").ID())
}

func TestDrawersNear(t *testing.T) {
	d := shop(t)
	pg := mustAdd(t, d, decided("Decided to use Postgres over SQLite for the memory store, scaling concern."))
	mustAdd(t, d, decided("Decided to use Redis for the job queue of the importer."))
	for text, want := range map[string]string{
		"Decided to use Postgres over SQLite for the memory store, scaling concern. ":   pg,
		"We decided to use Postgres over SQLite for the memory store (scaling).":        pg,
		"Decided to rotate the keys of the staging cluster every month.":                "",
		"Decided to use Kafka for the audit log, because the other team runs it anyway": "",
		"?": "",
	} {
		near, err := d.Near(t.Context(), text, 3)
		got := ""
		if len(near) > 0 {
			got = near[0].Path
		}
		if err != nil || got != want || len(near) > 1 {
			t.Errorf("%q: %v, %s", text, err, hits(near))
		}
	}
}

// TestDrawersAddTogether has processes add the same drawers at once, and kills
// some of them: each is there once and whole, and whoever added it was told.
func TestDrawersAddTogether(t *testing.T) {
	const processes, each = 12, 20
	text := func(i int) string { return fmt.Sprintf("Decided %d.\n%s", i, strings.Repeat("because ", 2000)) }
	if dir := os.Getenv("KEEPSAKE_TEST_ADD"); dir != "" {
		d := &Drawers{Dir: dir}
		for i := range each {
			if _, _, err := d.Add(t.Context(), decided(text(i))); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	d := shop(t)
	var all []*exec.Cmd
	for range processes {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDrawersAddTogether$")
		cmd.Env = append(os.Environ(), "KEEPSAKE_TEST_ADD="+d.Dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for n, cmd := range all {
		if n%3 == 0 { // wherever it is
			time.Sleep(20 * time.Millisecond)
			cmd.Process.Kill()
		}
		if err := cmd.Wait(); err != nil && n%3 != 0 {
			t.Error(err)
		}
	}
	for i := range each {
		dr := decided(text(i))
		if _, existed, err := d.Add(t.Context(), dr); err != nil || !existed {
			t.Errorf("%d: %v, %v", i, existed, err)
		}
		got, err := drawer.Parse([]byte(get(t, d.Dir, "shop/decisions/"+dr.ID()+".md")))
		if err != nil || got != dr {
			t.Errorf("%d: %v", i, err)
		}
	}
	if names, err := filepath.Glob(filepath.Join(d.Dir, "shop/decisions/*.md")); err != nil ||
		len(names) != each {
		t.Errorf("%d drawers, %v", len(names), err)
	}
}

// TestDrawersProperty: after any adding, editing and deleting, a word finds the
// drawers that have it and no other.
func TestDrawersProperty(t *testing.T) {
	words := strings.Fields("heron stork osprey kestrel plover avocet curlew dunlin")
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		d := &Drawers{Dir: filepath.Join(dir, "data"), Cache: filepath.Join(dir, "cache"), Wing: "shop",
			Warn: func(err error) {
				r.Errorf("warned: %v", err)
			}}
		model := map[string]string{} // text by path
		draw := func() string {
			return strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 4, rapid.ID).Draw(r,
				"words"), " ")
		}
		paths := func() []string {
			var all []string
			for p := range model {
				all = append(all, p)
			}
			slices.Sort(all)
			return all
		}
		r.Repeat(map[string]func(*rapid.T){
			"add": func(r *rapid.T) {
				dr := decided(draw())
				dr.Room = rapid.SampledFrom([]string{"decisions", "notes"}).Draw(r, "room")
				path := dr.Wing + "/" + dr.Room + "/" + dr.ID()
				text, there := model[path]
				ids, existed, err := d.Add(t.Context(), dr)
				if edited := there && text != dr.Text; edited != (err != nil) || err == nil &&
					(existed != there || !slices.Equal(ids, []string{dr.ID()})) {
					r.Fatalf("%s: %v, %v, %v", path, ids, existed, err)
				}
				if !there {
					model[path] = dr.Text
				}
			},
			"edit": func(r *rapid.T) {
				if len(model) == 0 {
					return
				}
				path := rapid.SampledFrom(paths()).Draw(r, "path")
				dr := decided(model[path] + " " + draw())
				if err := os.WriteFile(filepath.Join(d.Dir, path+".tmp"), drawer.Encode(dr),
					0o600); err != nil {
					r.Fatal(err)
				}
				if err := os.Rename(filepath.Join(d.Dir, path+".tmp"),
					filepath.Join(d.Dir, path+".md")); err != nil {
					r.Fatal(err)
				}
				model[path] = dr.Text
			},
			"delete": func(r *rapid.T) {
				if len(model) == 0 {
					return
				}
				path := rapid.SampledFrom(paths()).Draw(r, "path")
				if err := os.Remove(filepath.Join(d.Dir, path+".md")); err != nil {
					r.Fatal(err)
				}
				delete(model, path)
			},
			"": func(r *rapid.T) {
				word := rapid.SampledFrom(words).Draw(r, "word")
				found, err := d.Find(t.Context(), word, looked)
				if err != nil {
					r.Fatal(err)
				}
				var got, want []string
				for _, h := range found {
					got = append(got, h.Path)
				}
				for path, text := range model {
					if slices.Contains(strings.Fields(text), word) {
						want = append(want, path)
					}
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					r.Fatalf("%s: got %q, want %q", word, got, want)
				}
			},
		})
	})
}
