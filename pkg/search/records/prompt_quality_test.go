package records

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepsake/pkg/memory"
	"keepsake/pkg/text"
)

// A put is a prompt to a store, with the memories that are right; none is.
type put struct {
	ix    *Index
	text  string
	right []string
}

// told counts what prompts of one kind are shown.
type told struct{ n, found, shown, right, answered float64 }

// tell counts what the prompts are shown: up to three memories above the floor and near the best.
func tell(t *testing.T, puts []put) (c told) {
	for _, p := range puts {
		c.n++
		hits, err := p.ix.Search(PromptQuery(p.text, 3))
		if err != nil {
			t.Fatal(err)
		}
		found, shown := 0.0, 0.0
		for _, h := range hits {
			if h.Score < PromptNear*hits[0].Score {
				continue
			}
			shown++
			if slices.Contains(p.right, h.Path) {
				c.right++
				found = 1
			}
		}
		c.shown += shown
		c.found += found
		c.answered += min(1, shown)
	}
	return c
}

// promptBounds are a little worse than what was measured when this was written, which stands behind:
// prompts that are shown something right, the share of what is shown that is right, and prompts that are
// shown anything.
var promptBounds = map[string]struct{ found, right, answered float64 }{
	"adr_ctx":             {0.89, 0, 1},    // 0.914
	"adr_ctx long":        {0.85, 0, 1},    // 0.879 of long prompts, 0.853 without sentences
	"adr_title":           {0.89, 0, 1},    // 0.911
	"adr_title long":      {0.79, 0, 1},    // 0.815, 0.493
	"locomo_obs":          {0.54, 0, 1},    // 0.562
	"locomo_obs long":     {0.37, 0, 1},    // 0.404, 0.129
	"locomo_session":      {0.73, 0, 1},    // 0.758
	"locomo_session long": {0.42, 0, 1},    // 0.440, 0.089
	"v2":                  {0.43, 0.51, 1}, // 0.453 0.538
	"v2, others'":         {0, 0, 0.36},    // 0.332: many are about what other sessions left, too
	"lang":                {0.72, 0.95, 1}, // 0.746 0.989
	"lang, others'":       {0, 0, 0.02},    // 0.008
}

// TestPromptQuality puts questions as prompts, alone and among four sentences of real prompts. It puts the
// prompts of real sessions to the memories of their project: with those of their own session, where something
// of it was said before the next prompt, and without them.
func TestPromptQuality(t *testing.T) {
	dir := qualityDir(t)
	kinds := map[string][]put{}
	var plain []string
	for _, set := range []string{"v2", "lang"} {
		own, others, prompts := sessionPuts(t, filepath.Join(dir, set))
		kinds[set], kinds[set+", others'"] = own, others
		if set != "v2" {
			continue
		}
		for _, p := range prompts {
			for s := range Sentences(p) {
				if len(s) > 25 && len(s) < 140 && !strings.ContainsAny(s, "`{}|=") &&
					!strings.HasPrefix(s, "#") && !strings.HasPrefix(s, "-") {
					plain = append(plain, strings.TrimRight(s, ".?!")+".")
				}
			}
		}
	}
	rnd := rand.New(rand.NewSource(1))
	ordinary := func() string { return plain[rnd.Intn(len(plain))] }
	for _, c := range corpora(t) {
		for i, col := range c.Collections {
			ix := c.index(t, i)
			for _, q := range col.Queries {
				kinds[c.Name] = append(kinds[c.Name], put{ix, q.Text, q.Rel})
				long := strings.Join([]string{ordinary(), ordinary(), strings.TrimRight(q.Text, ".") + ".",
					ordinary(), ordinary()}, " ")
				kinds[c.Name+" long"] = append(kinds[c.Name+" long"], put{ix, long, q.Rel})
			}
		}
	}
	for kind, puts := range kinds {
		c := tell(t, puts)
		t.Logf("%-20s %3.0f prompts: %.3f find, %.3f of what is shown is right, %.3f are shown anything",
			kind, c.n, c.found/c.n, c.right/max(1, c.shown), c.answered/c.n)
		f, ok := promptBounds[kind]
		if ok && (c.found/c.n < f.found || c.right/max(1, c.shown) < f.right ||
			c.answered/c.n > f.answered) {
			t.Errorf("%s: want at least %.3f and %.3f, and at most %.3f", kind, f.found, f.right, f.answered)
		}
	}
}

// sessionPuts returns the prompts of labelled sessions, put to the memories of their project: those in whose
// turn something was said that is worth keeping, and all with their own session left out.
func sessionPuts(t *testing.T, dir string) (own, others []put, prompts []string) {
	b, err := os.ReadFile(filepath.Join(dir, "labels.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	type session struct {
		File, Repo string
		Items      []struct {
			Category, Memory   string
			Worth, Line, Line2 int
			Also               []int
		}
	}
	var all []session
	stores := map[string][]memory.Stored{}
	for line := range bytes.Lines(b) {
		var s session
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
		for i, it := range s.Items {
			if it.Worth >= 2 {
				stores[s.Repo] = append(stores[s.Repo], memory.Stored{Path: fmt.Sprintf("%s/%d", s.File, i),
					Record: memory.Record{Category: memory.Category(it.Category), ID: "x",
						Title: text.ShortenAtWord(it.Memory, 80), Status: memory.Active,
						Content:    memory.Content{"context": it.Memory},
						Provenance: &memory.Provenance{Session: s.File}}})
			}
		}
	}
	full := map[string]*Index{}
	for repo, records := range stores {
		full[repo] = open(t, records...)
	}
	for _, s := range all {
		lines, texts := typedPrompts(t, filepath.Join(dir, "transcripts", s.File))
		left := open(t, slices.DeleteFunc(slices.Clone(stores[s.Repo]), func(m memory.Stored) bool {
			return strings.HasPrefix(m.Path, s.File+"/")
		})...)
		prompts = append(prompts, texts...)
		for i, text := range texts {
			others = append(others, put{left, text, nil})
			next := 1 << 30
			if i+1 < len(lines) {
				next = lines[i+1]
			}
			var right []string
			now := false
			for k, it := range s.Items {
				said := append([]int{it.Line, it.Line2}, it.Also...)
				if it.Worth < 2 || slices.Max(said) < lines[i] {
					continue
				}
				right = append(right, fmt.Sprintf("%s/%d", s.File, k))
				now = now || slices.ContainsFunc(said, func(l int) bool { return lines[i] <= l && l < next })
			}
			if now {
				own = append(own, put{full[s.Repo], text, right})
			}
		}
	}
	return own, others, prompts
}

// typedPrompts returns the prompts of a transcript that somebody typed, with their lines from 1.
func typedPrompts(t *testing.T, path string) (lines []int, texts []string) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for n := 1; in.Scan(); n++ {
		var d struct {
			Type                                  string
			IsMeta, IsSidechain, IsCompactSummary bool
			Message                               struct{ Content json.RawMessage }
		}
		if json.Unmarshal(in.Bytes(), &d) != nil || d.Type != "user" || d.IsMeta || d.IsSidechain ||
			d.IsCompactSummary {
			continue
		}
		var said string
		if json.Unmarshal(d.Message.Content, &said) != nil {
			var parts []struct{ Type, Text string }
			if json.Unmarshal(d.Message.Content, &parts) != nil {
				continue
			}
			for _, p := range parts {
				if p.Type == "tool_result" {
					said = ""
					break
				}
				said += p.Text + "\n"
			}
		}
		said = strings.TrimSpace(said)
		if said == "" || strings.HasPrefix(said, "<") || strings.HasPrefix(said, "[Request") ||
			strings.HasPrefix(said, "Caveat") || strings.HasPrefix(said, "This session is being continued") {
			continue
		}
		lines, texts = append(lines, n), append(texts, said)
	}
	return lines, texts
}
