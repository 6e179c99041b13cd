package tiers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepsake/pkg/layout"
	"keepsake/pkg/search/records"
	"keepsake/pkg/why/drawer"
)

// MemPalace is the back end of that name (github.com/MemPalace/mempalace). It is asked through its MCP
// server, which Program starts for each question and ends again. For reading, the server is started
// read-only.
type MemPalace struct {
	Root    string // of the project, absolute
	Wing    string // of the project that asks: its drawers come before those of others
	Program string // bin/libexec/mempalace of this installation, which speaks MCP
	// Command starts the server, as the setting tiers.mempalace_command has it; ""
	// is mempalace-mcp on the path. See PalaceServer.
	Command string
}

// Deadlines of one question, with the start of a server, which is Python: 0.8 s
// on an idle machine with two cores and 2.6 s on the same one at work, measured
// with MemPalace 3.11. The answer itself takes some 10 ms; making the vectors of a
// long text on a processor takes seconds, and waiting for another writer too.
const (
	palaceReads  = 10 * time.Second
	palaceWrites = 60 * time.Second
	// palaceOutput is the most that is read of an answer, in bytes: a hundred
	// drawers of a hundred thousand characters are never asked for.
	palaceOutput = 4 << 20
)

// PalaceAsk is the one JSON object that Program reads. Its input stays open as long as somebody waits for
// the answer.
type PalaceAsk struct {
	Server []string `json:"server"` // the program that serves MCP on its input and output, and its arguments
	Do     string   `json:"do"`     // search, near, read, add, remove or call
	Text   string   `json:"text"`   // the question, the text of a drawer, or its id to read it
	Most   int      `json:"most"`   // drawers wanted
	Wing   string   `json:"wing"`   // of the drawer; a search looks there and everywhere
	Room   string   `json:"room"`
	Source string   `json:"source"`
	ID     string   `json:"id,omitempty"` // of the drawer to remove, if it still says Text

	Calls []PalaceCall `json:"calls,omitempty"` // to make, one after the other
}

// PalaceCall is one call of a tool of MemPalace that changes something.
type PalaceCall struct {
	Tool string         `json:"tool"` // without "mempalace_"
	Args map[string]any `json:"args"`
}

// PalaceDone is the result of a PalaceCall.
type PalaceDone struct {
	IDs     []string `json:"ids,omitempty"` // of what was stored
	Trouble string   `json:"trouble,omitempty"`
}

// PalaceAnswer is the one JSON object that Program prints.
type PalaceAnswer struct {
	Found   []PalaceDrawer `json:"found,omitempty"` // each once
	IDs     []string       `json:"ids,omitempty"`   // of the drawer, and of the pieces of a long one
	Existed bool           `json:"existed,omitempty"`
	Done    []PalaceDone   `json:"done,omitempty"`    // of each call
	Trouble string         `json:"trouble,omitempty"` // what went wrong, in words
	Hint    string         `json:"hint,omitempty"`    // and what helps, if more than usual is known
}

// PalaceDrawer is a drawer as MemPalace shows it.
type PalaceDrawer struct {
	ID   string `json:"id"`
	Wing string `json:"wing"`
	Room string `json:"room"`
	// whole when it was read; else of a long one the piece that was found
	Text     string  `json:"text"`
	Source   string  `json:"source,omitempty"` // when it was read
	Filed    string  `json:"filed"`            // in local time, without a zone; "" when unknown
	Likeness float64 `json:"likeness"`         // cosine, 1 is the same
}

// leastLikeness is the least likeness of a drawer that may be about the question although it has few of its
// words. MemPalace always finds a nearest drawer, however far that is. Sentences about different things
// mostly have less than this.
const leastLikeness = 0.3

// withoutPalace is the hint for when MemPalace doesn't work, and installPalace the one for installing it.
const (
	withoutPalace = "keepsake config set --user tiers.why embedded keeps drawers without another program"
	installPalace = "uv tool install mempalace, or pipx install mempalace; hint: " + withoutPalace
)

// Find answers why: Path is wing/room/drawer. A drawer that neither has the words of the
// question nor is like it is below recall's floor, and left out when it is another
// project's; any other is above it, whatever its words. It takes at most 10 s.
func (m MemPalace) Find(ctx context.Context, query string, n int) ([]Hit, error) {
	query = strings.Join(strings.Fields(query), " ")
	if query == "" || n <= 0 {
		return nil, nil
	}
	a, err := m.ask(ctx, palaceReads, PalaceAsk{Do: "search", Text: query, Most: n, Wing: m.Wing})
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(a.Found))
	for i, d := range a.Found {
		texts[i] = d.Text
	}
	found, err := among(texts, query, len(texts))
	if err != nil {
		return nil, err
	}
	words := make([]float64, len(texts)) // what each has by its words
	for _, m := range found {
		words[m.at] = m.score
	}
	hits := []Hit{}
	for i, d := range a.Found {
		h, own := palaceHit(d, query), d.Wing == m.Wing
		h.Score = 0.6*d.Likeness + 0.4*words[i] // as MemPalace weighs them among themselves
		if !own {
			h.Score *= elsewise
		}
		if d.Likeness < leastLikeness && words[i] < records.Floor {
			if !own {
				continue
			}
			h.Score *= records.Floor
		} else {
			h.Score = records.Floor + (1-records.Floor)*h.Score
		}
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(n, len(hits))], nil
}

// Near returns drawers that MemPalace takes for duplicates: a likeness of 0.9 or
// more. It takes at most 10 s.
func (m MemPalace) Near(ctx context.Context, text string, n int) ([]Hit, error) {
	if strings.TrimSpace(text) == "" || n <= 0 {
		return nil, nil
	}
	a, err := m.ask(ctx, palaceReads, PalaceAsk{Do: "near", Text: text, Most: n})
	if err != nil {
		return nil, err
	}
	var hits []Hit
	for _, d := range a.Found[:min(n, len(a.Found))] {
		h := palaceHit(d, "")
		h.Whole = d.Text
		hits = append(hits, h)
	}
	return hits, nil
}

// Read returns the drawer at wing/room/drawer whole. None is fs.ErrNotExist, and so
// is one in another wing or room. It takes at most 10 s.
func (m MemPalace) Read(ctx context.Context, at string) (d drawer.Drawer, err error) {
	parts := strings.Split(at, "/")
	none := fmt.Errorf("mempalace: %s: %w", at, fs.ErrNotExist)
	if len(parts) != 3 || parts[2] == "" {
		return d, none
	}
	a, err := m.ask(ctx, palaceReads, PalaceAsk{Do: "read", Text: parts[2]})
	if err != nil {
		return d, err
	}
	if len(a.Found) == 0 || a.Found[0].Wing != parts[0] || a.Found[0].Room != parts[1] {
		return d, none
	}
	f := a.Found[0]
	return drawer.Drawer{Wing: f.Wing, Room: f.Room, Text: f.Text, Source: f.Source, Filed: filed(f.Filed)},
		nil
}

// Add stores a drawer and returns its id and, where MemPalace cuts the text into
// pieces (from 800 characters on), theirs. It takes at most 60 s. MemPalace makes
// the id from wing, room and text, so the same again is the same drawer. One that
// somebody edited there since is an error: it has the id and other words.
func (m MemPalace) Add(ctx context.Context, d drawer.Drawer) (ids []string, existed bool, err error) {
	if err := d.Check(); err != nil {
		return nil, false, fmt.Errorf("mempalace: %w", err)
	}
	source := d.Source
	if filepath.IsAbs(source) {
		source = "" // `mempalace sync` takes drawers away whose file is gone
	}
	a, err := m.ask(ctx, palaceWrites, PalaceAsk{Do: "add", Text: d.Text, Wing: d.Wing, Room: d.Room,
		Source: source})
	if err == nil && (len(a.IDs) == 0 || slices.Contains(a.IDs, "")) {
		err = fmt.Errorf("mempalace: stored it and gave no id; hint: %s", testedPalace)
	}
	if err != nil {
		return nil, false, err
	}
	return a.IDs, a.Existed, nil
}

// Remove takes a drawer away, with the pieces of a long one. It takes at most 60 s.
func (m MemPalace) Remove(ctx context.Context, at, text string) error {
	parts := strings.Split(at, "/")
	if len(parts) != 3 || parts[2] == "" {
		return nil // no drawer is there
	}
	_, err := m.ask(ctx, palaceWrites, PalaceAsk{Do: "remove", ID: parts[2], Text: text})
	return err
}

// maxCalls is how many calls are made of one start of the server.
const maxCalls = 50

// Call makes calls, one after the other, and returns the result of each that was made. It goes on after one
// that MemPalace refuses. It takes at most 60 s for each 50.
func (m MemPalace) Call(ctx context.Context, calls []PalaceCall) (all []PalaceDone, err error) {
	for some := range slices.Chunk(calls, maxCalls) {
		a, err := m.ask(ctx, palaceWrites, PalaceAsk{Do: "call", Calls: some})
		if err == nil && len(a.Done) != len(some) {
			err = fmt.Errorf("mempalace: %d of %d calls were answered; hint: %s", len(a.Done), len(some),
				testedPalace)
		}
		if err != nil {
			return all, err
		}
		all = append(all, a.Done...)
	}
	return all, nil
}

// testedPalace is the hint where MemPalace behaves as nobody expects.
const testedPalace = "it is tested with MemPalace 3.11; uv tool upgrade mempalace, or pipx upgrade " +
	"mempalace; hint: " + withoutPalace

// ask lets the program ask a MemPalace server, and kills both after the time within.
func (m MemPalace) ask(ctx context.Context, within time.Duration, q PalaceAsk) (a PalaceAnswer, err error) {
	if q.Server, err = PalaceServer(m.Command, m.Root); err != nil {
		return a, err
	}
	in, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	// Not in the project: Python and MemPalace look for files where they are started.
	out, said, err := program{path: m.Program, dir: "/", in: append(in, '\n'), limit: palaceOutput}.run(ctx)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return a,
			fmt.Errorf("mempalace: %s did not answer within %s and was stopped; hint: a first use can take "+
				"longer, while it fetches its model: mempalace search test; hint: %s", q.Server[0], within,
				withoutPalace)
	case ctx.Err() != nil:
		return a, ctx.Err()
	case errors.Is(err, os.ErrNotExist):
		return a,
			fmt.Errorf("mempalace: %s, which asks it, is missing; hint: reinstall the plugin, or run make "+
				"build in its source; hint: %s", m.Program, withoutPalace)
	case err != nil:
		line, _, _ := strings.Cut(strings.TrimSpace(string(said.text)), "\n")
		return a, fmt.Errorf("mempalace: %s: %w: %s; hint: %s", m.Program, err, line, withoutPalace)
	case out.over:
		return a, fmt.Errorf("mempalace: answered with more than %d MB; hint: %s", palaceOutput>>20,
			withoutPalace)
	}
	if err := json.Unmarshal(out.text, &a); err != nil {
		return a, fmt.Errorf("mempalace: %s printed no answer (%w); hint: reinstall the plugin", m.Program,
			err)
	}
	if a.Trouble != "" {
		hint := testedPalace
		if a.Hint != "" {
			hint = a.Hint + "; hint: " + withoutPalace
		}
		return PalaceAnswer{}, fmt.Errorf("mempalace: %s; hint: %s", strings.TrimSpace(a.Trouble), hint)
	}
	return a, nil
}

// PalaceServer returns the program that serves a palace over MCP, and its arguments. It is mempalace-mcp on
// the path, or the person's own command, whose words are separated by spaces. A program that came with the
// project is never run, since no person agreed to it.
func PalaceServer(command, root string) ([]string, error) {
	words := strings.Fields(cmp.Or(command, "mempalace-mcp"))
	if _, err := os.Stat(command); err == nil {
		words = []string{command} // spaces and all
	}
	if len(words) == 0 {
		return nil,
			fmt.Errorf("mempalace: tiers.mempalace_command has no word; hint: keepsake config unset --user " +
				"tiers.mempalace_command")
	}
	bin, err := exec.LookPath(words[0])
	switch {
	case errors.Is(err, exec.ErrDot) || err == nil && !filepath.IsAbs(bin):
		return nil,
			fmt.Errorf("mempalace: %s is found from the folder that you are in, so it is not run; hint: "+
				"its whole path, or a name that is on your PATH", words[0])
	case err != nil && command != "":
		return nil,
			fmt.Errorf("mempalace: %s, of tiers.mempalace_command, can't be run: %w; hint: keepsake config "+
				"unset --user tiers.mempalace_command, or %s", words[0], errors.Unwrap(err), installPalace)
	case err != nil:
		return nil, fmt.Errorf("mempalace: mempalace-mcp is not installed; hint: %s", installPalace)
	}
	if layout.Belongs(bin, root) {
		return nil, fmt.Errorf("mempalace: %s belongs to the project, so it is not run; hint: %s", bin,
			installPalace)
	}
	return append([]string{bin}, words[1:]...), nil
}

// palaceHit shows a drawer as a hit, with the line that has most of the words.
func palaceHit(d PalaceDrawer, question string) Hit {
	_, says := passage(d.Text, question)
	h := Hit{Source: "WHY", Path: strings.Join([]string{d.Wing, d.Room, d.ID}, "/"), Text: says,
		Score: d.Likeness}
	if t := filed(d.Filed); !t.IsZero() {
		h.Date = t.Format(time.RFC3339)
	}
	return h
}

// filed returns when a drawer was stored, UTC to the second. It is zero if that isn't known.
func filed(local string) time.Time {
	t, err := time.ParseInLocation("2006-01-02T15:04:05", local, time.Local)
	if err != nil {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Second)
}
