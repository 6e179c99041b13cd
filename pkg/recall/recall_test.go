package recall

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
)

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
		Category: c, ID: file, Title: title, Status: memory.Active, Tags: list, Content: memory.Content{field: text},
	}}
}

// lines are the lines of a file of testdata but for comments.
func lines(tb testing.TB, name string) []string {
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(b)), "\n"), func(l string) bool { return strings.HasPrefix(l, "#") })
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
	ix, err := Open(Build(records))
	if err != nil {
		tb.Fatal(err)
	}
	return ix
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
// says. Words alone cannot answer all of it; what they can is held here.
func TestPrompts(t *testing.T) {
	ix := open(t, notes(t)...)
	var asked, found, idle, noisy int
	for _, l := range lines(t, "prompts.txt") {
		prompt, want, _ := strings.Cut(l, " => ")
		got := ids(ix.Search(prompt, 3))
		switch want {
		case "?":
		case "-":
			if idle++; len(got) > 0 {
				noisy++
				t.Logf("noise: %q finds %v", prompt, got)
			}
		default:
			asked++
			if slices.ContainsFunc(strings.Fields(want), func(id string) bool { return slices.Contains(got, id) }) {
				found++
			} else {
				t.Logf("missed: %q finds %v, not %s", prompt, got, want)
			}
		}
	}
	t.Logf("found %d of %d, noise on %d of %d", found, asked, noisy, idle)
	if found < asked*9/10 || noisy > idle/50 {
		t.Errorf("found %d of %d, want nine of ten; noise on %d of %d, want at most one in fifty", found, asked, noisy, idle)
	}
}

// TestSmallStores holds what a new user asks first; "where it fails", section 3.
func TestSmallStores(t *testing.T) {
	approvals := record("constraints/approvals", "Production deploy approvals", "deploy, process", "Two approvals of the release managers are required.")
	naming := record("preferences/test-naming", "Test naming convention", "testing", "Name tests after behaviour.")
	jwt := record("decisions/jwt", "Authentication uses short-lived JWTs", "auth", "Access tokens live 15 minutes.")
	pnpm := record("preferences/pnpm", "Use pnpm, not npm", "tooling", "Workspaces and a strict node_modules.")
	queue := record("decisions/queue", "Background jobs go through a broker", "jobs", "RabbitMQ with quorum queues.")
	tests := map[string]struct {
		store []memory.Stored
		query string
		want  string // "" is nothing
	}{
		"nothing stored":                {nil, "use pnpm", ""},
		"one, its title":                {[]memory.Stored{pnpm}, "Use pnpm, not npm", "preferences/pnpm"},
		"one, a short prompt":           {[]memory.Stored{pnpm}, "use pnpm", "preferences/pnpm"},
		"one, something else":           {[]memory.Stored{pnpm}, "fix the failing test", ""},
		"a short form":                  {[]memory.Stored{jwt, pnpm}, "fix auth", "decisions/jwt"},
		"the title of one of two":       {[]memory.Stored{naming, approvals}, "production deploy approvals", "constraints/approvals"},
		"in a body":                     {[]memory.Stored{queue, jwt, pnpm, naming}, "how is rabbitmq configured", "decisions/queue"},
		"a prefix is no word":           {[]memory.Stored{approvals}, "open a pr", ""},
		"a lone weak word":              {[]memory.Stored{naming}, "test whether the coffee machine works", ""},
		"a lone weak word among others": {[]memory.Stored{naming, approvals, jwt, pnpm}, "test whether the coffee machine works", ""},
		"nothing asked":                 {[]memory.Stored{pnpm}, "", ""},
		"only stop words":               {[]memory.Stored{pnpm}, "can you please do this", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(ids(open(t, tt.store...).Search(tt.query, 3)), " "); got != tt.want {
				t.Errorf("%q finds %q, want %q", tt.query, got, tt.want)
			}
		})
	}
}

func TestHit(t *testing.T) {
	ix := open(t, notes(t)...)
	hits := ix.Search("which database do we use for billing?", 3)
	if len(hits) == 0 {
		t.Fatal("nothing found")
	}
	h := hits[0]
	if h.Path != "decisions/use-postgres-for-billing.json" || h.ID != "use-postgres-for-billing" || h.Title != "Use Postgres for billing" || h.Category != memory.Decision {
		t.Errorf("hit is %+v", h)
	}
	for i, h := range hits {
		if h.Score < Floor || h.Score > 1 || i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("scores are not from Floor to 1 and falling: %+v", hits)
		}
	}
	if got := ix.Search("database migration for billing", 1); len(got) != 1 {
		t.Errorf("limit 1 gives %v", got)
	}
	if got := ix.Search("database", 0); got != nil {
		t.Errorf("limit 0 gives %v", got)
	}
}

func TestBuildTakesWhatIsActiveInAnyOrder(t *testing.T) {
	all := notes(t)
	want := Build(all)
	rng := rand.New(rand.NewSource(1))
	for range 5 {
		shuffled := slices.Clone(all)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for _, s := range []memory.Status{memory.Retired, memory.Archived, ""} {
			gone := record("decisions/gone-"+string(s), "Use Postgres for billing", "billing", "gone")
			gone.Status = s
			shuffled = append(shuffled, gone)
		}
		if got := Build(shuffled); string(got) != string(want) {
			t.Fatal("another order, or what is not active, makes another index")
		}
	}
}

func TestList(t *testing.T) {
	ix := open(t, notes(t)...)
	want := []string{"sessions/2026-10-02-checkout-vat", "sessions/2026-10-30-webhook-retries"}
	if got := ids(ix.List(memory.SessionSummary)); !slices.Equal(got, want) {
		t.Errorf("List gives %v, want %v", got, want)
	}
	if got := ix.Len(); got != len(notes(t)) {
		t.Errorf("Len is %d", got)
	}
}

func TestOpenRefusesWhatIsNotWhole(t *testing.T) {
	good := Build(notes(t))
	bad := map[string][]byte{"nothing": nil, "short": good[:20], "cut": good[:len(good)-1], "longer": append(slices.Clone(good), 0)}
	for _, at := range []int{0, 8, 16, 24, headerSize, len(good) / 2, len(good) - 1} {
		b := slices.Clone(good)
		b[at] ^= 0x40
		bad[fmt.Sprintf("byte %d", at)] = b
	}
	for name, b := range bad {
		if _, err := Open(b); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

// FuzzOpen damages an index behind its own checksum.
func FuzzOpen(f *testing.F) {
	small := Build([]memory.Stored{record("decisions/a", "Use pnpm", "tooling", "Workspaces."), record("runbooks/b", "代码", "", "評審")})
	f.Add(small, "use pnpm", uint32(16), byte(0xff))
	f.Add(small, "workspace 代码", uint32(headerSize+4), byte(0x80))
	f.Add(Build(nil), "x", uint32(20), byte(9))
	f.Fuzz(func(t *testing.T, b []byte, query string, at uint32, with byte) {
		if len(b) > int(at) {
			b = slices.Clone(b)
			b[at] = with
		}
		if len(b) >= headerSize {
			copy(b, magic)
			binary.LittleEndian.PutUint32(b[8:], Version)
			binary.LittleEndian.PutUint32(b[24:], uint32(len(b)))
			binary.LittleEndian.PutUint32(b[12:], crc32.ChecksumIEEE(b[16:]))
		}
		ix, err := Open(b)
		if err != nil {
			return
		}
		if hits := ix.Search(query, 3); len(hits) > 3 {
			t.Fatalf("%d hits of 3", len(hits))
		}
		ix.List(memory.Decision)
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

const longPrompt = "the staging deploy is failing with a 403 again after we moved the registry to the new cluster, can you look at the pipeline logs, find out which token is used there and write a short note for the team on how to renew it before it expires the next time"

func BenchmarkOpenAndSearch(b *testing.B) {
	file := Build(many(b, 1000))
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		ix, err := Open(file)
		if err != nil || len(ix.Search(longPrompt, 3)) == 0 {
			b.Fatal("nothing found", err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	ix := open(b, many(b, 1000)...)
	b.ReportAllocs()
	for b.Loop() {
		ix.Search(longPrompt, 3)
	}
}

func BenchmarkBuild(b *testing.B) {
	all := many(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		Build(all)
	}
}
