package records

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/search/segment"
)

// build makes a base out of records of all statuses. It depends on nothing but
// the records, and their order changes nothing; of several at one path the last
// counts.
func build(records []memory.Stored) []byte {
	c := New().Change()
	for _, r := range records {
		c.Put(r)
	}
	c.flush()
	base, err := c.to.Merged()
	if err != nil {
		panic(err) // all of it is in memory, from our own packer
	}
	return base
}

// record makes a memory whose content is one text.
func record(path, title, tags, text string) memory.Stored {
	folder, file, _ := strings.Cut(path, "/")
	c, err := memory.ParseCategory(folder)
	if err != nil {
		panic(err)
	}
	field := map[memory.Category]string{
		memory.SessionSummary: "goal", memory.Decision: "context", memory.Runbook: "trigger",
		memory.Constraint: "rule", memory.TechDebt: "description", memory.Preference: "value",
	}[c]
	var list []string
	if tags != "" {
		list = strings.Split(tags, ", ")
	}
	return memory.Stored{Path: path + ".json", Record: memory.Record{
		Category: c, ID: file, Title: title, Status: memory.Active, Tags: list,
		Content: memory.Content{field: text},
	}}
}

// lines are the lines of a file of testdata but for comments.
func lines(tb testing.TB, name string) []string {
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(b)), "\n"), func(l string) bool {
		return strings.HasPrefix(l, "#")
	})
}

func notes(tb testing.TB) []memory.Stored {
	var all []memory.Stored
	for _, l := range lines(tb, "notes.txt") {
		f := strings.SplitN(l, " | ", 4)
		all = append(all, record(f[0], f[1], f[2], f[3]))
	}
	return all
}

func open(tb testing.TB, records ...memory.Stored) *Index {
	return openBase(tb, build(records))
}

func openBase(tb interface {
	Helper()
	Fatal(...any)
}, base []byte) *Index {
	tb.Helper()
	ix, err := Open(bytes.NewReader(base), int64(len(base)), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return ix
}

func search(tb testing.TB, ix *Index, text string, limit int, floor float64) []Hit {
	tb.Helper()
	hits, err := ix.Search(Query{Text: text, Limit: limit, Floor: floor})
	if err != nil {
		tb.Fatal(err)
	}
	return hits
}

// ids are the hits' paths without the suffix.
func ids(hits []Hit) []string {
	var all []string
	for _, h := range hits {
		all = append(all, strings.TrimSuffix(h.Path, ".json"))
	}
	return all
}

// TestPrompts asks the store of testdata/notes.txt what testdata/prompts.txt
// says. Words alone cannot answer all of it; what they can is held here. Measured:
// 50 of 52, and nothing for the other 57.
func TestPrompts(t *testing.T) {
	found, asked, noisy, idle := prompted(t, lines(t, "prompts.txt"))
	if found < asked*9/10 || noisy > 0 {
		t.Errorf("found %d of %d, want nine of ten; noise on %d of %d, want none", found, asked, noisy, idle)
	}
}

// TestLongPrompts asks what people dictate, and every prompt of TestPrompts before,
// behind or between others that have no answer, 60 words together: they must not
// drown one that has, and find nothing alone. Measured: 4 of 6, and 37 of 52;
// without sentences 22.
func TestLongPrompts(t *testing.T) {
	if found, asked, noisy, _ := prompted(t, lines(t, "long.txt")); found < asked*4/5 || noisy > 0 {
		t.Errorf("dictated: found %d of %d, noise on %d", found, asked, noisy)
	}
	var idle, all []string
	for _, l := range lines(t, "prompts.txt") {
		if prompt, ok := strings.CutSuffix(l, " => -"); ok {
			idle = append(idle, prompt)
		}
	}
	next := 0
	for _, l := range lines(t, "prompts.txt") {
		prompt, want, _ := strings.Cut(l, " => ")
		for len(strings.Fields(prompt)) < 60 {
			if other := idle[next*7%len(idle)]; next%2 == 0 {
				prompt += ". " + other
			} else {
				prompt = other + ". " + prompt
			}
			next++
		}
		all = append(all, prompt+" => "+want)
	}
	if found, asked, noisy, _ := prompted(t, all); found < asked*5/8 || noisy > 0 {
		t.Errorf("in others: found %d of %d, want five of eight; noise on %d", found, asked, noisy)
	}
}

// prompted asks the store of testdata/notes.txt prompts, and counts what it finds
// of what it should, and how often it finds anything where it should not.
func prompted(t *testing.T, prompts []string) (found, asked, noisy, idle int) {
	ix := open(t, notes(t)...)
	for _, l := range prompts {
		prompt, want, _ := strings.Cut(l, " => ")
		hits, err := ix.Search(PromptQuery(prompt, 3))
		if err != nil {
			t.Fatal(err)
		}
		got := ids(hits)
		switch want {
		case "?":
		case "-":
			if idle++; len(got) > 0 {
				noisy++
				t.Logf("noise: %q finds %v", prompt, got)
			}
		default:
			asked++
			if slices.ContainsFunc(strings.Fields(want), func(id string) bool {
				return slices.Contains(got, id)
			}) {
				found++
			} else {
				t.Logf("missed: %q finds %v, not %s", prompt, got, want)
			}
		}
	}
	t.Logf("found %d of %d, noise on %d of %d", found, asked, noisy, idle)
	return found, asked, noisy, idle
}

// TestAsked holds what an explicit search of one common word finds, which as a
// prompt would find nothing.
func TestAsked(t *testing.T) {
	store := []memory.Stored{
		record("decisions/emoji", "Emoji commit", "", "Subjects begin with 🎉 or 🐛."),
		record("decisions/lookup", "Lookups by getUserByID", "", "One query."),
		record("decisions/thing", "What do_the_thing does", "", "It sends the mail."),
		record("runbooks/jobs", "Jobs stop running", "", "Start the worker."),
		record("preferences/commits", "Commit often", "commit",
			"Small ones, so that a commit can be taken back alone."),
	}
	ix := open(t, store...)
	for query, want := range map[string]string{
		"commit":         "preferences/commits decisions/emoji",
		"user":           "decisions/lookup",
		"get":            "decisions/lookup",
		"thing":          "decisions/thing",
		"the thing":      "decisions/thing",
		"run":            "runbooks/jobs",
		"🎉":              "decisions/emoji",
		"🚀":              "",
		"the":            "",
		"billing":        "",
		"user of worker": "runbooks/jobs decisions/lookup",
		"why did zebras, walruses, gnus, tapirs and okapis start to " +
			"commit": "preferences/commits decisions/emoji runbooks/jobs",
	} {
		if got := strings.Join(ids(search(t, ix, query, 5, 0)), " "); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

// TestSmallStores holds what a new user asks first; "where it fails", section 3.
func TestSmallStores(t *testing.T) {
	approvals := record("constraints/approvals", "Production deploy approvals", "deploy, process",
		"Two approvals of the release managers are required.")
	naming := record("preferences/test-naming", "Test naming convention", "testing",
		"Name tests after behaviour.")
	jwt := record("decisions/jwt", "Authentication uses short-lived JWTs", "auth",
		"Access tokens live 15 minutes.")
	pnpm := record("preferences/pnpm", "Use pnpm, not npm", "tooling",
		"Workspaces and a strict node_modules.")
	queue := record("decisions/queue", "Background jobs go through a broker", "jobs",
		"RabbitMQ with quorum queues.")
	tests := map[string]struct {
		store []memory.Stored
		query string
		want  string // "" is nothing
	}{
		"nothing stored":      {nil, "use pnpm", ""},
		"one, its title":      {[]memory.Stored{pnpm}, "Use pnpm, not npm", "preferences/pnpm"},
		"one, a short prompt": {[]memory.Stored{pnpm}, "use pnpm", "preferences/pnpm"},
		"one, something else": {[]memory.Stored{pnpm}, "fix the failing test", ""},
		"a short form":        {[]memory.Stored{jwt, pnpm}, "fix auth", "decisions/jwt"},
		"the title of one of two": {[]memory.Stored{naming, approvals}, "production deploy approvals",
			"constraints/approvals"},
		"in a body": {[]memory.Stored{queue, jwt, pnpm, naming},
			"how is rabbitmq configured", "decisions/queue"},
		"a prefix is no word": {[]memory.Stored{approvals}, "open a pr", ""},
		"a lone weak word": {[]memory.Stored{naming}, "test whether the coffee machine works",
			""},
		"a lone weak word among others": {[]memory.Stored{naming, approvals, jwt, pnpm},
			"test whether the coffee machine works", ""},
		"nothing asked":   {[]memory.Stored{pnpm}, "", ""},
		"only stop words": {[]memory.Stored{pnpm}, "can you please do this", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(ids(search(t, open(t, tt.store...), tt.query, 3, Floor)),
				" "); got != tt.want {
				t.Errorf("%q finds %q, want %q", tt.query, got, tt.want)
			}
		})
	}
}

func TestHit(t *testing.T) {
	ix := open(t, notes(t)...)
	hits := search(t, ix, "which database do we use for billing?", 3, Floor)
	if len(hits) == 0 {
		t.Fatal("nothing found")
	}
	h := hits[0]
	if h.Path != "decisions/use-postgres-for-billing.json" || h.ID != "use-postgres-for-billing" ||
		h.Title != "Use Postgres for billing" || h.Category != memory.Decision {
		t.Errorf("hit is %+v", h)
	}
	for i, h := range hits {
		if h.Score < Floor || h.Score > 1 || i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("scores are not from Floor to 1 and falling: %+v", hits)
		}
	}
	if got := search(t, ix, "database migration for billing", 1, Floor); len(got) != 1 {
		t.Errorf("limit 1 gives %v", got)
	}
	if got := search(t, ix, "database", 0, Floor); got != nil {
		t.Errorf("limit 0 gives %v", got)
	}
}

func TestBuildInAnyOrder(t *testing.T) {
	all := notes(t)
	for _, s := range []memory.Status{memory.Retired, memory.Archived} {
		gone := record("decisions/gone-"+string(s), "Use Postgres for billing", "billing", "gone")
		gone.Status = s
		all = append(all, gone)
	}
	want := build(all)
	rng := rand.New(rand.NewSource(1))
	for range 5 {
		shuffled := slices.Clone(all)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := build(shuffled); string(got) != string(want) {
			t.Fatal("another order makes another index")
		}
	}
}

// TestRetired: what is retired or archived is found when it is asked for, and
// changes nothing when it is not.
func TestRetired(t *testing.T) {
	all := notes(t)
	without := open(t, all...)
	for i := range 4 {
		gone := record(fmt.Sprintf("decisions/gone-%d", i), "Use Oracle for billing", "billing",
			"Which database: Oracle, for its hierarchical queries.")
		gone.Status = []memory.Status{memory.Retired, memory.Archived}[i%2]
		all = append(all, gone)
	}
	with := open(t, all...)
	for _, q := range []string{"which database do we use for billing?", "hierarchical queries", "oracle"} {
		want, got := search(t, without, q, 3, Floor), search(t, with, q, 3, Floor)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: retired records change the hits: %v, want %v", q, got, want)
		}
		hits, err := with.Search(Query{Text: q, Limit: 10, Floor: Floor, Retired: true})
		if err != nil {
			t.Fatal(err)
		}
		n := map[memory.Status]int{}
		for _, h := range hits {
			n[h.Status]++
		}
		if q == "hierarchical queries" && (n[memory.Retired] != 2 || n[memory.Archived] != 2) {
			t.Errorf("%q finds %v of 2 retired and 2 archived", q, n)
		}
	}
}

func TestCategory(t *testing.T) {
	ix := open(t, notes(t)...)
	q := Query{Text: "which database do we use for billing?", Limit: 50}
	all, err := ix.Search(q)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, c := range memory.Categories() {
		q.Category = c
		got, err := ix.Search(q)
		want := slices.DeleteFunc(slices.Clone(all), func(h Hit) bool { return h.Category != c })
		if err != nil || len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v; want %v", c, got, err, want)
		}
	}
	q.Category = "none"
	if got, err := ix.Search(q); len(got) > 0 || err != nil {
		t.Errorf("no category: %v, %v", got, err)
	}
}

func TestList(t *testing.T) {
	ix := open(t, notes(t)...)
	want := []string{"sessions/2026-10-02-checkout-vat", "sessions/2026-10-30-webhook-retries"}
	list, err := ix.List(memory.SessionSummary, 0)
	var got []string
	for _, e := range list {
		got = append(got, strings.TrimSuffix(e.Path, ".json"))
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("List gives %v, %v; want %v", got, err, want)
	}
	if got := ix.Len(); got != len(notes(t)) {
		t.Errorf("Len is %d", got)
	}
}

// use does everything that reads an index, and returns what it found.
func use(ix *Index, query string) (string, error) {
	var out strings.Builder
	var errs []error
	note := func(v any, err error) {
		fmt.Fprintln(&out, v)
		errs = append(errs, err)
	}
	for _, q := range []Query{{Text: query, Limit: 3}, {Text: query, Limit: 3, Retired: true},
		{Text: query, Limit: 3, Category: memory.Decision}} {
		hits, err := ix.Search(q)
		note(hits, err)
	}
	similar, err := ix.Similar(memory.Record{Category: memory.Decision, Title: query, Tags: []string{query}},
		3, true)
	note(similar, err)
	list, err := ix.List(memory.Decision, 0)
	note(list, err)
	note(nil, ix.Each(func(e Entry) bool { note(e, nil); return true }))
	c := ix.Change()
	c.Put(record("decisions/a", query, "", ""))
	c.Remove("runbooks/b.json")
	base, delta, err := c.Done()
	note(base, err)
	note(delta, nil)
	note(nil, ix.Check())
	return out.String(), errors.Join(errs...)
}

// TestEveryByteIsChecked breaks a base byte by byte and cuts it at each length:
// whoever reads a broken part is told, whoever does not need it gets the truth.
func TestEveryByteIsChecked(t *testing.T) {
	good := build([]memory.Stored{record("decisions/a", "Use pnpm", "tooling", "Workspaces."),
		record("runbooks/b", "代码", "", "評審"), record("decisions/c", "Queues", "jobs", "RabbitMQ")})
	want, err := use(openBase(t, good), "use pnpm queues")
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		b := slices.Clone(good)
		b[i] ^= 0x40
		ix, err := Open(bytes.NewReader(b), int64(len(b)), nil)
		if err == nil {
			var got string
			if got, err = use(ix, "use pnpm queues"); err == nil && got != want {
				t.Errorf("byte %d: other results and no error", i)
			}
		}
		if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("byte %d: %v is not ErrCorrupt", i, err)
		}
		if _, err := Open(bytes.NewReader(good[:i]), int64(i), nil); !errors.Is(err, ErrCorrupt) {
			t.Errorf("opens with %d bytes: %v", i, err)
		}
	}
}

// FuzzEntry reads documents with any contents.
func FuzzEntry(f *testing.F) {
	f.Add("decisions/a.json", "\x03Use\x04pnpm", byte(16))
	f.Add("", "\xff\xff", byte(9))
	f.Fuzz(func(t *testing.T, path, data string, mark byte) {
		e, err := entryOf(&segment.Document{Path: path, Data: data, Mark: mark})
		if again, ok := markOf(e.Category, e.Status); err == nil && (!ok || again != mark) {
			t.Errorf("mark %d is %s and %s", mark, e.Category, e.Status)
		} else if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Error(err)
		}
	})
}

// many makes a store of n records with the words of the notes and some thousand others.
func many(tb testing.TB, n int) []memory.Stored {
	rng := rand.New(rand.NewSource(1))
	var vocabulary []string
	for _, r := range notes(tb) {
		vocabulary = append(vocabulary, strings.Fields(r.Title+" "+r.Body())...)
	}
	for range 4000 {
		w := ""
		for range 2 + rng.Intn(3) {
			w += string("bcdfghklmnprstvz"[rng.Intn(16)]) + string("aeiou"[rng.Intn(5)])
		}
		vocabulary = append(vocabulary, w)
	}
	words := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(vocabulary[int(rng.ExpFloat64()*600)%len(vocabulary)] + " ")
		}
		return b.String()
	}
	all := notes(tb)
	for i := len(all); i < n; i++ {
		all = append(all, record(fmt.Sprintf("decisions/d%04d", i), words(6), words(3), words(80)))
	}
	return all
}

const longPrompt = "the staging deploy is failing with a 403 again after we moved the registry to the new " +
	"cluster, can you look at the pipeline logs, find out which token is used there and write a short note " +
	"for the team on how to renew it before it expires the next time"

func BenchmarkOpenAndSearch(b *testing.B) {
	file := build(many(b, 1000))
	b.ReportAllocs()
	for b.Loop() {
		ix, err := Open(bytes.NewReader(file), int64(len(file)), nil)
		if err != nil || len(search(b, ix, longPrompt, 3, Floor)) == 0 {
			b.Fatal("nothing found", err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	ix := open(b, many(b, 1000)...)
	b.ReportAllocs()
	for b.Loop() {
		search(b, ix, longPrompt, 3, Floor)
	}
}

func BenchmarkBuild(b *testing.B) {
	all := many(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		build(all)
	}
}

// BenchmarkPrompt is one sentence and several, in a small store and a large one.
func BenchmarkPrompt(b *testing.B) {
	several := "the staging deploy is failing with a 403 again. We moved the registry to the new cluster. " +
		"Can you look at the pipeline logs? Find out which token is used there and write a short note for " +
		"the team. Say how to renew it before it expires the next time."
	for _, n := range []int{1000, 100000} {
		ix := open(b, many(b, n)...)
		for name, text := range map[string]string{"one": longPrompt, "several": several} {
			for kind, q := range map[string]Query{"question": {Text: text, Limit: 15, Floor: Floor},
				"prompt": PromptQuery(text, 15)} {
				b.Run(fmt.Sprintf("%d/%s/%s", n, name, kind), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := ix.Search(q); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
