package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/config"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/answer"
	"keepsake/pkg/search/records"
	"keepsake/pkg/text"
)

// A PromptRun is what a store brought back for one question or prompt.
type PromptRun struct {
	Set      string        `json:"set"`
	Store    string        `json:"store"`
	Kind     string        `json:"kind"` // what the store has for it
	ID       string        `json:"id"`
	Text     string        `json:"text"`               // its beginning
	Rel      []string      `json:"rel,omitempty"`      // the memories that answer it
	Ranks    []int         `json:"ranks,omitempty"`    // of those that a search finds, from 1
	Injected []string      `json:"injected,omitempty"` // what the prompt hook shows beside it
	Took     time.Duration `json:"took"`               // to find what is shown beside it
	// Tiers are the reciprocal ranks, within the first five, of the first right answer if the memories lie in
	// five tiers by chance: without the tiers' order of precedence, and with it.
	Tiers []float64 `json:"tiers,omitempty"`
}

// What a store has for a prompt.
const (
	answered = "answered"        // the memories that it is known to be about
	others   = "of other stores" // nothing: it was asked elsewhere
	unasked  = "own, nothing"    // nothing: it is about other things of the same project
)

// A corpus is one file of questions with known answers. Each of its collections is one store.
type corpus struct {
	Name        string
	Collections []struct {
		ID   string
		Docs []struct {
			ID, Title, Body string
			Tags            []string
			Meta            origin
		}
		Queries []question
		Noans   []question
	}
}

type question struct {
	ID, Text string
	Rel      []string
}

// An origin is the session that a memory is from, and when it was made, as far as the data says it.
type origin struct {
	Session json.Number
	Date    string
}

// dateForms are the forms of the dates in the data.
var dateForms = [...]string{time.RFC3339, time.DateOnly, "3:04 pm on 2 January, 2006"}

// put notes the origin in a record.
func (o origin) put(r *memory.Record) error {
	if o.Session != "" {
		r.Provenance = &memory.Provenance{Session: string(o.Session)}
	}
	if o.Date == "" {
		return nil
	}
	for _, form := range dateForms {
		if at, err := time.Parse(form, o.Date); err == nil {
			r.CreatedAt = memory.Stamp(at)
			return nil
		}
	}
	return fmt.Errorf("%q is no date that is known here; write it as %s", o.Date, time.DateOnly)
}

// A shelf is the memories of one store, with the questions that they answer.
type shelf struct {
	name      string
	docs      []memory.Stored
	questions []question // with their answers
	noans     []question // about other things of the same project
}

// RunRecall asks the questions of a directory: of its recall_*.json, or the prompts of its labelled sessions,
// of stores that hold what the labels say is to be remembered. Each store is written to a folder for the time
// of the run, and prompts are looked up in it by what the prompt hook calls.
func RunRecall(dir string) (r *Result, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "recall_*.json"))
	if err != nil {
		return nil, err
	}
	sets := map[string][]shelf{}
	for _, file := range files {
		name, all, err := readCorpus(file)
		if err != nil {
			return nil, err
		}
		sets[name] = all
	}
	if HasSessions(dir) {
		if sets[nameOf(dir)], err = shelvesOf(dir); err != nil {
			return nil, err
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("%s: neither recall_*.json nor %s", dir, labelsFile)
	}
	home, err := os.MkdirTemp("", "keepsake-eval-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	r = &Result{Version: resultVersion}
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		for i, s := range sets[set] {
			var strange []question
			if s.questions != nil { // else it is a store without what one session said
				strange = strangers(sets, set, i)
			}
			runs, err := s.ask(filepath.Join(home, set, strconv.Itoa(i)), strange)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", set, s.name, err)
			}
			for _, run := range runs {
				run.Set = set
				r.Prompts = append(r.Prompts, run)
			}
		}
	}
	return r, nil
}

// strangers returns the questions of all stores but one: those of its set, and of the sets of other names, as
// sets of one family hold the same stores in other forms.
func strangers(sets map[string][]shelf, set string, store int) (all []question) {
	family := func(name string) string {
		first, _, _ := strings.Cut(name, "_")
		return first
	}
	for _, other := range slices.Sorted(maps.Keys(sets)) {
		if other != set && family(other) == family(set) {
			continue
		}
		for i, s := range sets[other] {
			if other != set || i != store {
				all = append(all, s.questions...)
			}
		}
	}
	return all
}

// ask puts all questions to a store, which it makes in a folder.
func (s shelf) ask(dir string, strange []question) (runs []PromptRun, err error) {
	st, docs, err := s.open(dir)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct {
		kind string
		all  []question
	}{{answered, s.questions}, {unasked, s.noans}, {others, strange}} {
		for _, q := range part.all {
			run := PromptRun{Store: s.name, Kind: part.kind, ID: q.ID, Text: line(q.Text), Rel: q.Rel}
			p := answer.Prompt{Session: st, Text: q.Text, Now: time.Now().UTC()}
			_, shown, err := p.Recall()
			if err != nil {
				return nil, err
			}
			run.Took = time.Since(p.Now)
			for _, path := range shown {
				if id, ok := docs[path]; ok {
					run.Injected = append(run.Injected, id)
				}
			}
			runs = append(runs, run)
		}
	}
	if len(s.questions) == 0 {
		return runs, nil
	}
	all, err := indexOf(s.docs)
	if err != nil {
		return nil, err
	}
	splits, err := s.split()
	if err != nil {
		return nil, err
	}
	for i, q := range s.questions { // which come first
		hits, err := all.Search(records.Query{Text: q.Text, Limit: all.Len()})
		if err != nil {
			return nil, err
		}
		for n, h := range hits {
			if slices.Contains(q.Rel, h.Path) {
				runs[i].Ranks = append(runs[i].Ranks, n+1)
			}
		}
		if runs[i].Tiers, err = inTiers(splits, q); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

func indexOf(docs []memory.Stored) (*records.Index, error) {
	change := records.New().Change()
	for _, d := range docs {
		change.Put(d)
	}
	return change.Index()
}

// open returns a session of a project in a folder whose store has the memories of a shelf, and the name of
// each by its path. Nothing of it lies elsewhere, and its settings are the defaults.
func (s shelf) open(dir string) (st *session.Session, docs map[string]string, err error) {
	store := layout.StoreIn(dir) // which makes the folder a project, also within another one
	if err := os.MkdirAll(store, 0o700); err != nil {
		return nil, nil, err
	}
	if st, err = session.In(dir, "eval"); err != nil {
		return nil, nil, err
	}
	mine, err := os.Stat(store)
	if its, serr := os.Stat(st.MemoryRoot()); err != nil || serr != nil || !os.SameFile(mine, its) {
		return nil, nil, fmt.Errorf("%s belongs to another project; set TMPDIR to a folder of none", dir)
	}
	st.Config, _ = config.Parse(nil, nil)
	for name, folder := range map[string]*string{"config": &st.Dirs.Config, "data": &st.Dirs.Data,
		"state": &st.Dirs.State, "cache": &st.Dirs.Cache} {
		*folder = filepath.Join(dir, name)
	}
	docs = map[string]string{}
	for i, d := range s.docs {
		id := d.Path
		d.ID = fmt.Sprintf("m%05d", i)
		d.Path = memory.Path(d.Category, d.ID)
		d.Record = whole(d.Record)
		docs[d.Path] = id
		file := filepath.Join(store, filepath.FromSlash(d.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return nil, nil, err
		}
		if err := os.WriteFile(file, d.Encode(), 0o600); err != nil {
			return nil, nil, err
		}
	}
	return st, docs, st.Sync(func(ix *records.Index) error {
		if ix.Len() != len(s.docs) {
			return fmt.Errorf("the index has %d of %d memories", ix.Len(), len(s.docs))
		}
		return nil
	})
}

// whole returns a record with all that a file of it must have, and no word that was not in it. What the title
// has no room for stands in the content.
func whole(r memory.Record) memory.Record {
	const nothing = "-"
	r.CreatedAt = cmp.Or(r.CreatedAt, madeAt)
	r.UpdatedAt, r.Content = r.CreatedAt, maps.Clone(r.Content)
	if r.Content == nil {
		r.Content = memory.Content{}
	}
	if len(r.Tags) == 0 {
		r.Tags = []string{memory.Untagged}
	}
	title := r.Title
	r.Title = cmp.Or(text.ShortenAtWord(text.OneLine(title), memory.MaxTitle), nothing)
	if r.Title == text.OneLine(title) || title == "" {
		title = nothing
	}
	for _, f := range memory.Fields(r.Category) {
		switch said, _ := r.Content[f.Name].(string); {
		case !f.Required || said != "":
		case f.Kind == memory.Text:
			r.Content[f.Name], title = title, nothing
		case f.Kind == memory.Enum:
			r.Content[f.Name] = f.Default
		case f.Kind == memory.List:
			r.Content[f.Name] = []string{nothing}
		case f.Kind == memory.Flag:
			r.Content[f.Name] = true
		}
	}
	return r
}

// madeAt is when the memories of a store were made, as far as the data says nothing of it.
const madeAt = "2026-01-01T00:00:00Z"

// readCorpus returns the name and the stores of a file of questions.
func readCorpus(path string) (name string, all []shelf, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	var c corpus
	if err := json.Unmarshal(b, &c); err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, col := range c.Collections {
		var docs []memory.Stored
		for _, d := range col.Docs {
			r := memory.Record{Category: memory.Decision, ID: d.ID, Title: d.Title, Status: memory.Active,
				Tags: d.Tags, Content: memory.Content{"context": d.Body}}
			if err := d.Meta.put(&r); err != nil {
				return "", nil, fmt.Errorf("%s: %s: %w", path, d.ID, err)
			}
			docs = append(docs, memory.Stored{Path: d.ID, Record: r})
		}
		all = append(all, shelf{name: col.ID, docs: docs, questions: col.Queries, noans: col.Noans})
	}
	return cmp.Or(c.Name, nameOf(path)), all, nil
}

// split returns the memories of a shelf in tiers by chance, several times.
func (s shelf) split() (all []map[string]*records.Index, err error) {
	sources := answer.Sources()
	for n := range splits {
		parts := map[string]*records.Change{}
		for _, d := range s.docs {
			h := fnv.New64a()
			fmt.Fprint(h, n, d.Path)
			at := sources[h.Sum64()>>16%uint64(len(sources))]
			if parts[at] == nil {
				parts[at] = records.New().Change()
			}
			parts[at].Put(d)
		}
		split := map[string]*records.Index{}
		for at, part := range parts {
			if split[at], err = part.Index(); err != nil {
				return nil, err
			}
		}
		all = append(all, split)
	}
	return all, nil
}

// splits is how often memories are put into tiers by chance.
const splits = 3

// tierHits is how many hits of each tier are merged, and at how many a right answer counts.
const tierHits = 5

// inTiers returns the mean reciprocal ranks of a right answer over some splits of a store: merged by score
// alone, and as sources are merged.
func inTiers(splits []map[string]*records.Index, q question) ([]float64, error) {
	plain, merged := 0.0, 0.0
	reciprocal := func(found []answer.Result) float64 {
		for i, r := range found[:min(tierHits, len(found))] {
			if slices.Contains(q.Rel, r.Path) {
				return 1 / float64(i+1)
			}
		}
		return 0
	}
	for _, split := range splits {
		var found []answer.Result
		for _, source := range answer.Sources() {
			if split[source] == nil {
				continue
			}
			hits, err := split[source].Search(records.Query{Text: q.Text, Limit: tierHits})
			if err != nil {
				return nil, err
			}
			for _, h := range hits {
				found = append(found, answer.Result{Path: h.Path, Score: h.Score, Source: source,
					Weak: h.Score < records.Floor})
			}
		}
		slices.SortStableFunc(found, func(a, b answer.Result) int { return cmp.Compare(b.Score, a.Score) })
		plain += reciprocal(found)
		merged += reciprocal(answer.Merged(found))
	}
	n := float64(len(splits))
	return []float64{plain / n, merged / n}, nil
}

// shelvesOf returns the stores of a directory of labelled sessions: for each repository one with the memories
// of all of its sessions, and for each session one with those of the others. A prompt is about the memories
// whose items stand in its turn. Of a store without what its session said a prompt wants nothing, as far as
// the labels say.
func shelvesOf(dir string) (all []shelf, err error) {
	sessions, err := ReadSessions(dir)
	if err != nil {
		return nil, err
	}
	docs := map[string][]memory.Stored{} // by repository
	questions := map[string][]question{}
	prompts := map[string][]question{} // by session
	for _, s := range sessions {
		made, err := s.times()
		if err != nil {
			return nil, err
		}
		for i, item := range s.Items {
			if !item.Counts() {
				continue
			}
			category, err := memory.ParseCategory(item.Category)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.File, err)
			}
			docs[s.Repo] = append(docs[s.Repo], memory.Stored{Path: docID(s, i), Record: memory.Record{
				Category: category, ID: docID(s, i), Title: item.Memory, Status: memory.Active,
				Provenance: &memory.Provenance{Session: s.File}, CreatedAt: made(item.Line)}})
		}
		if prompts[s.File], err = s.prompts(); err != nil {
			return nil, err
		}
		for _, q := range prompts[s.File] {
			if len(q.Rel) > 0 {
				questions[s.Repo] = append(questions[s.Repo], q)
			}
		}
	}
	for _, repo := range slices.Sorted(maps.Keys(docs)) {
		all = append(all, shelf{name: repo, docs: docs[repo], questions: questions[repo]})
	}
	for _, s := range sessions {
		rest := slices.DeleteFunc(slices.Clone(docs[s.Repo]),
			func(d memory.Stored) bool { return strings.HasPrefix(d.Path, s.File+"#") })
		all = append(all, shelf{name: s.Repo + " without " + s.File, docs: rest, noans: prompts[s.File]})
	}
	return all, nil
}

// times returns what says when the lines of a session were written, "" where that is not known.
func (s Session) times() (func(line int) string, error) {
	raw, entries, err := s.read()
	if err != nil {
		return nil, err
	}
	starts := lineStarts(raw)
	return func(line int) (stamp string) {
		for _, e := range entries {
			if lineAt(starts, e.Offset) > line {
				break
			}
			if !e.Time.IsZero() {
				stamp = memory.Stamp(e.Time)
			}
		}
		return stamp
	}, nil
}

func docID(s Session, item int) string { return s.File + "#" + strconv.Itoa(item) }

// prompts returns what a person typed in a session, with the memories of each turn.
func (s Session) prompts() (all []question, err error) {
	raw, entries, err := s.read()
	if err != nil {
		return nil, err
	}
	starts := lineStarts(raw)
	var lines []int
	for _, e := range entries {
		if begins(e) {
			at := lineAt(starts, e.Offset)
			lines = append(lines, at)
			all = append(all, question{ID: s.File + ":" + strconv.Itoa(at), Text: e.Text})
		}
	}
	for n, item := range s.Items {
		i, found := slices.BinarySearch(lines, item.Line)
		if !found {
			i-- // said within the turn
		}
		if item.Counts() && i >= 0 {
			all[i].Rel = append(all[i].Rel, docID(s, n))
		}
	}
	return all, nil
}

// depths are the numbers of hits at which recall is counted.
var depths = [...]int{1, 3, 5, 10}

// within returns how many of the ranks are among the first n.
func (p PromptRun) within(n int) (found int) {
	for _, rank := range p.Ranks {
		if rank <= n {
			found++
		}
	}
	return found
}

// right returns how many of what is shown is relevant.
func (p PromptRun) right() (n int) {
	for _, h := range p.Injected {
		if slices.Contains(p.Rel, h) {
			n++
		}
	}
	return n
}

// recall is the share of the right memories among the first n.
func (p PromptRun) recall(n int) share {
	return share{float64(p.within(n)) / float64(max(1, len(p.Rel))), 1}
}

// reciprocal is one over the rank of the first right memory.
func (p PromptRun) reciprocal() share {
	if len(p.Ranks) == 0 {
		return share{0, 1}
	}
	return share{1 / float64(p.Ranks[0]), 1}
}

// relevant is the share of what is shown that is right.
func (p PromptRun) relevant() share { return share{float64(p.right()), float64(len(p.Injected))} }

// shows is 1 for a prompt beside which anything is shown.
func (p PromptRun) shows() share { return whether(len(p.Injected) > 0) }

// whether is 1 for what is so.
func whether(so bool) share {
	if so {
		return share{1, 1}
	}
	return share{0, 1}
}

// PrintRecall returns the figures of questions and prompts as lines of text.
func PrintRecall(r *Result) (lines []string) {
	sets := map[string][]PromptRun{}
	for _, p := range r.Prompts {
		sets[p.Set] = append(sets[p.Set], p)
	}
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, printPrompts(set, sets[set])...)
	}
	return lines
}

// printPrompts returns the figures of one set.
func printPrompts(set string, all []PromptRun) (lines []string) {
	stores, kinds := map[string]bool{}, map[string]int{}
	for _, p := range all {
		kinds[p.Kind]++
		if p.Kind == answered {
			stores[p.Store] = true
		}
	}
	put := func(label string, kind string, of func(PromptRun) share) {
		if kinds[kind] == 0 {
			return
		}
		var s share
		low, high := bounds(func(add func(string, share)) {
			for i, p := range all {
				if p.Kind == kind {
					x := of(p)
					s.of, s.all = s.of+x.of, s.all+x.all
					add(strconv.Itoa(i), x)
				}
			}
		})
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %-*s%7.3f  %s", labelWidth, label, s.value(),
			between(low, high)), " "))
	}
	lines = append(lines, fmt.Sprintf("%s: %s of %s, %s; %d of other stores, %d about other things", set,
		text.Count(kinds[answered], "question"), text.Count(len(stores), "store"), "intervals of 95 %",
		kinds[others], kinds[unasked]))
	for _, n := range depths {
		put(fmt.Sprintf("R@%d", n), answered, func(p PromptRun) share { return p.recall(n) })
	}
	for _, n := range depths[1:3] {
		put(fmt.Sprintf("hit@%d", n), answered, func(p PromptRun) share { return whether(p.within(n) > 0) })
	}
	put("MRR", answered, PromptRun.reciprocal)
	tiers := func(of func(plain, merged float64) float64) func(PromptRun) share {
		return func(p PromptRun) share { return share{of(p.Tiers[0], p.Tiers[1]), 1} }
	}
	put("MRR@5 in five tiers", answered, tiers(func(_, merged float64) float64 { return merged }))
	put("  lost to their order", answered,
		tiers(func(plain, merged float64) float64 { return plain - merged }))
	put("shown: a right one", answered, func(p PromptRun) share { return whether(p.right() > 0) })
	put("  share that is right", answered, PromptRun.relevant)
	put("  memories a prompt", answered, func(p PromptRun) share {
		return share{float64(len(p.Injected)), 1}
	})
	put("shown "+others, others, PromptRun.shows)
	put("shown though nothing fits", unasked, PromptRun.shows)
	var took []time.Duration
	for _, p := range all {
		took = append(took, p.Took)
	}
	slices.Sort(took)
	return append(lines, fmt.Sprintf("  %-*s%7.3f  half of them, %.3f ninety-nine of a hundred", labelWidth,
		"ms a prompt", milliseconds(took[len(took)/2]), milliseconds(took[len(took)*99/100])))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// ListRecall returns, as lines of text, prompts that were shown something that is not right, prompts whose
// memories are not among the first hits of a number, or those whose memories are.
func ListRecall(r *Result, kind string, top int) (lines []string) {
	for _, p := range r.Prompts {
		switch hit := p.Kind == answered && p.within(top) > 0; {
		case kind == False && p.right() < len(p.Injected):
			for _, h := range p.Injected {
				if !slices.Contains(p.Rel, h) {
					lines = append(lines, fmt.Sprintf("%s, %s: shows %s: %s", p.Set, p.Kind, h, p.Text))
				}
			}
		case kind == Missed && p.Kind == answered && !hit, kind == Hit && hit:
			lines = append(lines, fmt.Sprintf("%s: %s at %s: %s", p.Set, strings.Join(p.Rel, ", "),
				cmp.Or(strings.Trim(fmt.Sprint(p.Ranks), "[]"), "-"), p.Text))
		}
	}
	return lines
}

// DiffRecall returns, as lines of text, the prompts of which one run has a right memory among the first hits
// and another does not, and those that are now shown something else than right memories, or no longer.
func DiffRecall(before, after *Result, top int) (lines []string) {
	type key struct{ set, store, kind, id string }
	old := map[key]PromptRun{}
	for _, p := range before.Prompts {
		old[key{p.Set, p.Store, p.Kind, p.ID}] = p
	}
	better, worse := 0, 0
	tell := func(is, was int, p PromptRun, what string) {
		switch {
		case is > was:
			better++
			lines = append(lines, fmt.Sprintf("+ %s, %s: %s: %s", p.Set, p.Kind, what, p.Text))
		case is < was:
			worse++
			lines = append(lines, fmt.Sprintf("- %s, %s: %s: %s", p.Set, p.Kind, what, p.Text))
		}
	}
	for _, p := range after.Prompts {
		was, ok := old[key{p.Set, p.Store, p.Kind, p.ID}]
		if !ok {
			continue
		}
		tell(min(1, p.within(top)), min(1, was.within(top)), p, fmt.Sprintf("right among the first %d", top))
		tell(was.wrong(), p.wrong(), p, "shown though not right")
	}
	return append(lines, fmt.Sprintf("%d better now, %d worse", better, worse))
}

// wrong is 1 for a prompt that is shown something that is not right, else 0.
func (p PromptRun) wrong() int { return min(1, len(p.Injected)-p.right()) }
