package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"keepsake/pkg/capture/finding"
	"keepsake/pkg/capture/stage"
	"keepsake/pkg/client/transcript"
	"keepsake/pkg/journal"
	"keepsake/pkg/memory"
)

// A world is a project with sessions that talk, are killed, lose files and go on,
// and what a reader of its journal must find there, kept by other means.
type world struct {
	t    *testing.T
	rng  *rand.Rand
	step int
	log  []string // what was done, for a failure

	real     time.Time     // goes on
	skew     time.Duration // how far the clock is behind
	sessions []*talk
	lines    []wrote // the lines of the journal that there are, in order
	synced   int64   // bytes that a power cut leaves
	alive    map[int]bool
	offers   int
	older    []string     // what versions without a journal left, and must be in it at the end
	erased   map[int]bool // what was settled long ago and had its state changed by erasing
	claims   int
	erasures int
}

// A talk is one session with what is said in it.
type talk struct {
	id   string
	said []said
}

type said struct {
	record string
	text   string
	level  finding.Level
	moment memory.Moment
	agent  bool
	asked  bool // to have it remembered
}

// wrote is a line of the journal.
type wrote struct {
	end     int64 // 0 once it was rewritten: then no power cut takes it
	real    time.Time
	trusted bool // the clock was right
	session string
	act     finding.Act // "" for a turn
	numbers []int
}

const talkSteps = 400 // of one world

// TestNothingNoticedIsLost drives the journal through its own functions by random
// steps. KEEPSAKE_STEPS says how many; KEEPSAKE_SEED begins with another world.
func TestNothingNoticedIsLost(t *testing.T) {
	steps, seed := 4000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("KEEPSAKE_STEPS")); err == nil {
		steps = n
	}
	if n, err := strconv.ParseUint(os.Getenv("KEEPSAKE_SEED"), 10, 64); err == nil {
		seed = n
	}
	home(t)
	noticed, offered, claimed, adopted, erased, counts := 0, 0, 0, 0, 0, map[finding.State]int{}
	for begun := 0; begun < steps; begun += talkSteps {
		state := filepath.Join(t.TempDir(), "state")
		t.Setenv("XDG_STATE_HOME", state)
		w := &world{t: t, rng: rand.New(rand.NewPCG(seed, 0)),
			real: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), alive: map[int]bool{}, erased: map[int]bool{}}
		seed++
		w.sessions = []*talk{{id: "a"}, {id: "b"}}
		for w.step = range min(talkSteps, steps-begun) {
			w.act()
			if t.Failed() {
				t.Fatalf("world of seed %d, step %d:\n%v", seed-1, w.step, w.log[max(0, len(w.log)-60):])
			}
		}
		w.end()
		if t.Failed() {
			t.Fatalf("world of seed %d at its end:\n%v", seed-1, w.log[max(0, len(w.log)-60):])
		}
		noticed, offered, claimed = noticed+len(w.alive), offered+w.offers, claimed+w.claims
		adopted, erased = adopted+len(w.older), erased+w.erasures
		book, _ := w.open(w.sessions[0]).Whole()
		for s, n := range book.Count() {
			counts[s] += n
		}
		os.RemoveAll(state)
	}
	sum := 0
	for n := range maps.Values(counts) {
		sum += n
	}
	t.Logf("%d steps: %d findings, %d of older versions, %d offers, %d claims, %d erased, %v", steps, noticed,
		adopted, offered, claimed, erased, counts)
	if sum != noticed || noticed < steps/50 || offered == 0 || claimed == 0 || adopted == 0 || erased == 0 {
		t.Errorf("%d noticed and %d in all states; %d offers, %d claims, %d adopted, %d erased", noticed, sum,
			offered, claimed, adopted, erased)
	}
}

func (w *world) did(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...)+"\n")
}

func (w *world) now() time.Time { return w.real.Add(-w.skew) }

func (w *world) open(k *talk) *Session {
	s, err := Open(Call{ID: k.id, Transcript: "/t/" + k.id + ".jsonl", Cwd: "/"})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) act() {
	w.real = w.real.Add(time.Duration(w.rng.IntN(24*60)) * time.Minute)
	k := w.sessions[w.rng.IntN(len(w.sessions))]
	switch n := w.rng.IntN(112); {
	case n < 25:
		w.say(k)
	case n < 50:
		w.listen(k, w.rng.IntN(6))
	case n < 62:
		w.offer(k)
	case n < 72:
		w.settle(k)
	case n < 76:
		w.takeBack(k)
	case n < 82:
		w.tidy(k)
	case n < 86:
		w.rewrite(k)
	case n < 89:
		w.powerCut(k)
	case n < 92:
		w.did("%s loses its state", k.id)
		os.Remove(w.stateFile(k))
	case n < 94: // contexts and drafts are made again, or are not: the journal doesn't need them
		w.did("the desk of %s vanishes", k.id)
		os.RemoveAll(filepath.Dir(w.open(k).Desk.Dir))
	case n < 96:
		if len(w.sessions) < 6 {
			fork := &talk{id: fmt.Sprint("f", w.step), said: slices.Clone(k.said)}
			w.did("%s is forked to %s", k.id, fork.id)
			w.sessions = append(w.sessions, fork)
		}
	case n < 98:
		w.compact(k)
	case n < 102:
		w.finish(k)
	case n < 105:
		w.claim(k)
	case n < 108:
		w.migrate(k)
	case n < 110:
		w.erase(k)
	default:
		w.skew = 0
		if w.rng.IntN(2) == 0 {
			w.skew = time.Duration(w.rng.IntN(20*24)) * time.Hour
		}
		w.did("the clock is %v behind", w.skew)
	}
	if w.step%10 == 0 {
		w.check(k)
	}
	if w.step%4 == 0 {
		w.tally(k)
	}
}

// tally holds the counts that are kept against the findings that there are.
func (w *world) tally(k *talk) {
	s := w.open(k)
	got, err := s.Tally()
	book, berr := s.Whole()
	_, moments := s.Waiting(book, false)
	if err != nil || berr != nil || !maps.Equal(got.States, book.Count()) || got.Moments != len(moments) ||
		got.ToReview != len(s.Claimable(book)) {
		w.t.Errorf("%s counts %+v, and has %v, %d moments, %d to claim; %v, %v", k.id, got, book.Count(),
			len(moments), len(s.Claimable(book)), err, berr)
	}
}

// say adds to a conversation: something new, or what was said before.
func (w *world) say(k *talk) {
	for range w.rng.IntN(3) {
		s := said{record: fmt.Sprintf("%s-%d", k.id, len(k.said)),
			text: fmt.Sprintf("%s said %d", k.id, w.step*10+len(k.said)), level: finding.Sure}
		switch w.rng.IntN(6) {
		case 0:
			from := w.sessions[w.rng.IntN(len(w.sessions))].said
			if len(from) > 0 {
				s.text = from[w.rng.IntN(len(from))].text
			}
		case 1:
			s.level = finding.Candidate
		case 2:
			s.moment = memory.Progress
		case 3:
			if len(k.said) > 0 { // an echo, or the same again, and to be remembered
				s.text = k.said[max(0, len(k.said)-1-w.rng.IntN(4))].text
				if s.agent = w.rng.IntN(2) == 0; s.agent {
					s.text = "OK, so " + s.text + "."
				} else {
					s.text, s.asked = "Remember: "+s.text, true
				}
			}
		}
		k.said = append(k.said, s)
	}
}

func (w *world) stateFile(k *talk) string {
	return filepath.Join(w.open(k).Sessions().Dir, k.id+".json")
}

func (w *world) journal(k *talk) journal.Journal { return w.open(k).Journal() }

// listen reads what is new of a conversation. It may be killed while the line is
// written, or before the state is.
func (w *world) listen(k *talk, fate int) {
	s := w.open(k)
	j := s.Journal()
	before := w.whole(j)
	had, _ := os.ReadFile(w.stateFile(k))
	var added []finding.Finding
	upTo, readFrom := len(k.said), 0
	err := s.Update(func(st *stage.State) (err error) {
		st.Over = false
		if err := s.Resume(st); err != nil {
			return err
		}
		var found []finding.Finding
		from := int(st.Mark.Offset)
		readFrom = from
		if from > upTo {
			w.t.Errorf("%s was read up to %d of %d", k.id, from, upTo)
			return nil
		}
		for i, x := range k.said[from:] {
			f := finding.Finding{Text: x.text, By: finding.Typed, Session: k.id, Record: x.record,
				Offset: int64(from + i), Time: w.now(), Level: x.level, Moment: x.moment}
			if f.Explicit = x.asked; x.agent {
				f.By = finding.Agent
			}
			if x.moment == "" {
				f.Category = memory.Decision
			}
			if n := from + i; n > 0 {
				f.Context = []finding.Line{{By: finding.Typed, Text: k.said[n-1].text}}
			}
			found = append(found, f)
		}
		added, err = s.AddFindings(st, transcript.Mark{Offset: int64(upTo), UUID: k.id}, found, w.now())
		return err
	})
	if err != nil {
		w.t.Error(err)
		return
	}
	size := w.whole(j)
	if size == before {
		return
	}
	w.did("%s listens from %d to %d: %v, bytes %d to %d", k.id, readFrom, upTo, finding.NumbersOf(added),
		before, size)
	switch fate {
	case 0: // killed while it writes
		cut := before + 1 + w.rng.Int64N(size-before-1)
		w.did("and is killed at byte %d of %d", cut-before, size-before)
		w.t.Helper()
		if err := os.Truncate(string(j), cut); err != nil {
			w.t.Error(err)
		}
		w.restore(k, had)
	case 1: // killed before the state is written
		w.did("and is killed")
		w.restore(k, had)
	}
	// The turn has a line, and what is moved by it others; perhaps only the first is there.
	w.appended(j, before, k.id, added)
}

// appended notes the lines that a journal has behind a place.
func (w *world) appended(j journal.Journal, before int64, session string, added []finding.Finding) {
	text, err := os.ReadFile(string(j))
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		w.t.Error(err)
		return
	}
	at := before
	for line := range bytes.Lines(text[before:]) {
		at += int64(len(line))
		numbers := func(path string) (all []int) {
			for _, n := range gjson.GetBytes(line, path).Array() {
				all = append(all, int(n.Int()))
			}
			return all
		}
		switch kind := gjson.GetBytes(line, "line").Str; {
		case line[len(line)-1] != '\n':
		case kind == "turn":
			n := numbers("findings.#.number")
			if added != nil && !slices.Equal(n, finding.NumbersOf(added)) {
				w.t.Errorf("the journal has %v of %v", n, finding.NumbersOf(added))
			}
			w.wrote(wrote{end: at, session: session, numbers: n})
		case kind == "move":
			w.wrote(wrote{end: at, session: session, act: finding.Act(gjson.GetBytes(line, "act").Str),
				numbers: numbers("numbers")})
		}
	}
}

// finish ends a session: what lies on its desk goes to where others find it.
func (w *world) finish(k *talk) {
	s := w.open(k)
	before := w.whole(s.Journal())
	w.did("%s ends", k.id)
	if err := s.Finish(); err != nil {
		w.t.Error(err)
	}
	w.sync(s, before)
}

// sync notes what was added to the journal and written through.
func (w *world) sync(s *Session, before int64) {
	w.appended(s.Journal(), before, "", nil)
	if size := w.whole(s.Journal()); size > before {
		w.synced = size
	}
}

// claim has a session save what others left; those may go on afterwards.
func (w *world) claim(k *talk) {
	s := w.open(k)
	book, err := s.Book()
	if err != nil {
		w.t.Error(err)
	}
	all := s.Claimable(book)
	w.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:min(len(all), 4)]
	for _, c := range s.ContextsOf(all) {
		if err := s.Desk.Put(c); err != nil {
			w.t.Error(err)
		}
	}
	w.did("%s claims %v", k.id, finding.Numbers(all))
	w.claims += len(all)
	taken := all[:w.rng.IntN(len(all)+1)]
	acts := []finding.Act{finding.Save, finding.Merge, finding.Know, finding.PutAside}
	w.move(k, acts[w.rng.IntN(len(acts))], finding.Numbers(taken))
	for _, f := range all {
		for _, of := range w.sessions {
			if of.id == f.Session && w.rng.IntN(2) == 0 { // is resumed, and told of what is still its own
				w.listen(of, w.rng.IntN(6))
				w.offer(of)
			}
		}
	}
	book, err = s.Book()
	if err != nil {
		w.t.Error(err)
	}
	for _, f := range taken {
		if now, ok := book.Find(f.Number); ok && now.State.Waits() {
			w.t.Errorf("%d, which %s settled for %s, is %s", f.Number, k.id, f.Session, now.State)
		}
	}
}

// migrate lays out what a version without a journal left, of an ended session or on a
// desk, and takes it over. It may be killed before the files are gone.
func (w *world) migrate(k *talk) {
	s := w.open(k)
	old := fmt.Sprint("old", w.step)
	var snippets []stage.Snippet
	for i := range 1 + w.rng.IntN(3) {
		text := fmt.Sprintf("%s said %d", old, i)
		if len(k.said) > 0 && w.rng.IntN(3) == 0 {
			text = k.said[w.rng.IntN(len(k.said))].text
		}
		snippets = append(snippets, stage.Snippet{Text: text})
		w.older = append(w.older, text)
	}
	c := stage.Context{Category: memory.Decision, Score: .5, Excerpt: "x", Snippets: snippets}
	onDesk := w.rng.IntN(3) == 0
	var err error
	if onDesk {
		if has, _ := s.Desk.Context(c.Category); len(has.Snippets) > 0 { // it is of this version
			_, err = s.Desk.Remove(c.Name())
		}
		err = errors.Join(err, s.Desk.Put(c))
	} else {
		moment := stage.Moment{Kind: memory.Progress, Text: old + " is done", Person: true}
		w.older = append(w.older, moment.Text)
		err = errors.Join(s.Pending().Add(old, c), s.Pending().Desk(old).Note(moment))
	}
	if err != nil {
		w.t.Error(err)
	}
	dir := s.Pending().Dir
	if onDesk {
		dir = s.Desk.Dir
	}
	kept := filepath.Join(w.t.TempDir(), "kept")
	if err := os.CopyFS(kept, os.DirFS(dir)); err != nil {
		w.t.Error(err)
	}
	for range 1 + w.rng.IntN(2) {
		before := w.whole(s.Journal())
		if err := s.Migrate(w.now()); err != nil {
			w.t.Error(err)
		}
		w.sync(s, before)
		w.did("%s takes over what %s left, bytes %d to %d", k.id, old, before, w.whole(s.Journal()))
		if w.rng.IntN(3) > 0 {
			return
		}
		w.did("and is killed before the files are gone")
		os.RemoveAll(dir)
		if err := os.CopyFS(dir, os.DirFS(kept)); err != nil {
			w.t.Error(err)
		}
		os.Chmod(dir, 0o700)
	}
}

// erase takes all that some findings say out of everything, for good.
func (w *world) erase(k *talk) {
	s := w.open(k)
	before, err := s.Whole()
	if err != nil {
		w.t.Error(err)
	}
	journaled, _ := s.Book()
	all := before.Each(nil)
	w.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:min(len(all), 1+w.rng.IntN(2))]
	writing := w.writing(s.Journal())
	says := func(text string) bool {
		return slices.ContainsFunc(all, func(f finding.Status) bool {
			return f.Text != "" && strings.Contains(text, f.Text)
		})
	}
	erased, err := s.EraseFindings(finding.Erasure{Numbers: finding.Numbers(all), Says: says}, "person",
		w.now())
	if err != nil {
		w.t.Error(err)
	}
	w.did("%s erases %v: %v", k.id, finding.Numbers(all), erased)
	w.erasures += len(erased)
	after, err := s.Whole()
	if err != nil {
		w.t.Error(err)
	}
	moved := map[finding.Act][]int{}
	for _, f := range before.Each(nil) {
		now, ok := after.Find(f.Number)
		switch {
		case !ok:
			w.t.Errorf("%d is gone", f.Number)
		case now.State == f.State:
		case f.State.Waits() && now.State == finding.Rejected:
			moved[finding.Reject] = append(moved[finding.Reject], f.Number)
		case f.State.Kept() && now.State == finding.SetAside:
			moved[finding.TakeBack] = append(moved[finding.TakeBack], f.Number)
		default:
			w.t.Errorf("%d was %s and is %s", f.Number, f.State, now.State)
		}
		if _, ok := journaled.Find(f.Number); !ok && now.State != f.State {
			w.erased[f.Number] = true
		}
	}
	for act, numbers := range moved {
		w.wrote(wrote{act: act, numbers: numbers})
	}
	for _, f := range all {
		now, _ := after.Find(f.Number)
		if now.Text != "" || now.Digest != f.Digest || now.State.Waits() || now.State.Kept() ||
			f.Text != "" && !slices.Contains(erased, f.Number) {
			w.t.Errorf("%d, erased, is %s %q", f.Number, now.State, now.Text)
		}
		if f.Text == "" {
			continue
		}
		for _, log := range []journal.Journal{s.Journal(), s.settledLog()} {
			if text, _ := os.ReadFile(string(log)); bytes.Contains(text, []byte(`"text":"`+f.Text+`"`)) {
				w.t.Errorf("%s says what was erased: %q", filepath.Base(string(log)), f.Text)
			}
		}
	}
	w.rewritten(s, writing)
}

// whole is the size of the journal's whole lines.
func (w *world) whole(j journal.Journal) int64 {
	_, end, _, err := j.Read(journal.Position{})
	if err != nil {
		w.t.Error(err)
	}
	return end.Offset
}

func (w *world) writing(j journal.Journal) string {
	name, err := j.Writing()
	if err != nil {
		w.t.Error(err)
	}
	return name
}

func (w *world) restore(k *talk, state []byte) {
	os.Remove(w.stateFile(k))
	if state != nil {
		if err := os.WriteFile(w.stateFile(k), state, 0o600); err != nil {
			w.t.Error(err)
		}
	}
}

func (w *world) wrote(l wrote) {
	l.real, l.trusted = w.real, w.skew == 0
	if l.act == "" {
		for _, n := range l.numbers {
			if w.alive[n] {
				w.t.Errorf("number %d was given twice", n)
			}
			w.alive[n] = true
		}
	}
	w.lines = append(w.lines, l)
}

// move notes what became of findings, as far as their states allow it.
func (w *world) move(k *talk, act finding.Act, numbers []int) {
	if len(numbers) == 0 {
		return
	}
	s := w.open(k)
	w.did("%s: %s %v", k.id, act, numbers)
	if err := s.MoveFindings(finding.Move{At: w.now(), Act: act, Numbers: numbers, To: "decisions/x.json",
		By: "agent"}); err != nil {
		w.t.Error(err)
	}
	w.wrote(wrote{end: s.Journal().Size(), session: k.id, act: act, numbers: numbers})
}

// offer does what a turn's end does: what waits of the session and was not told.
func (w *world) offer(k *talk) {
	s := w.open(k)
	book, err := s.Recent()
	if err != nil {
		w.t.Error(err)
	}
	statements, moments := s.Waiting(book, false)
	statements = slices.DeleteFunc(statements, func(f finding.Status) bool { return f.Told == k.id })
	numbers := finding.Numbers(slices.Concat(statements, moments))
	for _, n := range numbers {
		back := false
		for _, l := range w.lines {
			if !slices.Contains(l.numbers, n) {
				continue
			}
			if l.act == finding.Offer && l.session == k.id {
				w.t.Errorf("%s is offered %d twice", k.id, n)
			}
			back = back || l.act == finding.TakeBack
		}
		if f, _ := book.Find(n); back || !f.State.Waits() {
			w.t.Errorf("%s is offered %d, which is %s", k.id, n, f.State)
		}
	}
	w.offers += len(numbers)
	w.move(k, finding.Offer, numbers)
}

func (w *world) pick(k *talk, wanted func(finding.Status) bool) []int {
	book, err := w.open(k).Book()
	if err != nil {
		w.t.Error(err)
	}
	all := finding.Numbers(book.Each(wanted))
	w.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(len(all), 1+w.rng.IntN(3))]
}

func (w *world) settle(k *talk) {
	acts := []finding.Act{finding.Save, finding.Merge, finding.Know, finding.PutAside, finding.Reject}
	w.move(k, acts[w.rng.IntN(len(acts))], w.pick(k, func(f finding.Status) bool { return f.State.Waits() }))
}

func (w *world) takeBack(k *talk) {
	w.move(k, finding.TakeBack, w.pick(k,
		func(f finding.Status) bool { return f.State.Kept() && f.To == "decisions/x.json" }))
}

// tidy lets what is old expire, and checks that it is.
func (w *world) tidy(k *talk) {
	s := w.open(k)
	if w.rng.IntN(2) == 0 { // the person begins a session, and is told
		at := w.whole(s.Journal())
		if _, err := s.EarlierFindings(w.now()); err != nil {
			w.t.Error(err)
		}
		w.appended(s.Journal(), at, k.id, nil)
	}
	before, _ := s.Book()
	writing := w.writing(s.Journal())
	if err := s.TidyFindings(w.now()); err != nil {
		w.t.Error(err)
	}
	after, err := s.Whole()
	if err != nil {
		w.t.Error(err)
	}
	var ended []int
	for _, f := range before.Waiting() {
		now, _ := after.Find(f.Number)
		if now.State.Waits() {
			continue
		}
		ended = append(ended, f.Number)
		age, wait := w.real.Sub(w.trusted(f.Number)), 14*day
		if f.Level == finding.Sure && f.Moment == "" {
			wait = 60 * day
		}
		if f.Warned.IsZero() || w.now().Sub(f.Warned) < warnedFor {
			wait += unheardOf
		}
		if now.State != finding.Expired || age <= wait {
			w.t.Errorf("%d is %s after %v", f.Number, now.State, age)
		}
	}
	if len(ended) > 0 {
		w.did("%s: %v expire", k.id, ended)
		w.wrote(wrote{end: s.Journal().Size(), act: finding.Expire, numbers: ended})
	}
	w.rewritten(s, writing)
}

// trusted is when a finding got its state, as far as the clock could be trusted then.
func (w *world) trusted(number int) (at time.Time) {
	var right time.Time
	for _, l := range w.lines {
		if l.trusted {
			right = l.real
		}
		if slices.Contains(l.numbers, number) && l.act != finding.Offer &&
			l.act != finding.Tell && l.act != finding.Warn {
			at = right
			if right.IsZero() {
				at = l.real.Add(-1000 * day) // no clock was ever right
			}
		}
	}
	return at
}

// rewrite rewrites the journal, or is killed on the way.
func (w *world) rewrite(k *talk) {
	s := w.open(k)
	book, err := s.Book()
	if err != nil {
		w.t.Error(err)
	}
	if w.rng.IntN(3) == 0 {
		w.did("killed while the journal is rewritten")
		if _, gone := book.Split(w.now(), s.ages()); gone.Len() > 0 && !book.Newest().After(w.now()) {
			if err := errors.Join(s.syncJournal(context.Background(), w.now()),
				s.appendSettled(context.Background(), gone)); err != nil {
				w.t.Error(err)
			}
			w.synced = s.Journal().Size()
		}
		return
	}
	if book.Newest().After(w.now()) { // TidyFindings would not
		return
	}
	writing := w.writing(s.Journal())
	if err := s.rewriteJournal(w.now()); err != nil {
		w.t.Error(err)
	}
	w.rewritten(s, writing)
}

func (w *world) rewritten(s *Session, before string) {
	if w.writing(s.Journal()) == before {
		return
	}
	w.did("the journal is rewritten")
	for i := range w.lines {
		w.lines[i].end = 0
	}
	w.synced = s.Journal().Size()
	old, err := loadBook(s.settledLog())
	if err != nil {
		w.t.Error(err)
	}
	book, _ := s.Book()
	for _, f := range old.Each(nil) {
		if _, twice := book.Find(f.Number); twice || w.erased[f.Number] {
			continue
		}
		wait := textKept
		if f.State == finding.Expired && f.Level == finding.Candidate {
			wait = day
		}
		if age := w.real.Sub(w.trusted(f.Number)); f.State.Waits() || f.Text != "" || age <= wait {
			w.t.Errorf("%d is settled for long as %s %q after %v", f.Number, f.State, f.Text, age)
		}
	}
}

// powerCut takes the journal's newest lines that nobody had written through.
func (w *world) powerCut(k *talk) {
	j := w.journal(k)
	size := j.Size()
	if w.rng.IntN(3) == 0 {
		w.synced = size // it was written through meanwhile
	}
	if size <= w.synced {
		return
	}
	cut := w.synced + w.rng.Int64N(size-w.synced)
	w.did("a power cut leaves %d of %d bytes", cut, size)
	if cut > 0 && cut < 64 {
		cut = 0 // not even the head
	}
	if err := os.Truncate(string(j), cut); err != nil {
		w.t.Error(err)
	}
	w.lines = slices.DeleteFunc(w.lines, func(l wrote) bool {
		if l.end <= cut {
			return false
		}
		if l.act == "" {
			for _, n := range l.numbers {
				delete(w.alive, n)
			}
		}
		return true
	})
}

func (w *world) compact(k *talk) {
	w.did("%s is compacted", k.id)
	if err := w.open(k).Update(func(st *stage.State) error { st.Compacted(w.real); return nil }); err != nil {
		w.t.Error(err)
	}
}

// check holds the journal against what must be in it.
func (w *world) check(k *talk) {
	book, err := w.open(k).Whole()
	if err != nil {
		w.t.Error(err)
	}
	sum := 0
	for n := range maps.Values(book.Count()) {
		sum += n
	}
	if sum != len(w.alive) || book.Len() != len(w.alive) {
		w.t.Errorf("%d noticed, %d in all states", len(w.alive), sum)
	}
	for _, f := range book.Each(nil) {
		if !w.alive[f.Number] {
			w.t.Errorf("%d was never noticed", f.Number)
		}
		if f.Digest == "" || f.State.Waits() && f.Text == "" {
			w.t.Errorf("%d is %s and has no text", f.Number, f.State)
		}
	}
}

// end lets all sessions go on undisturbed: whatever was said is then in the journal.
func (w *world) end() {
	for _, k := range w.sessions {
		w.listen(k, -1)
		s := w.open(k)
		before := w.whole(s.Journal())
		if err := s.Migrate(w.now()); err != nil {
			w.t.Error(err)
		}
		w.sync(s, before)
	}
	w.check(w.sessions[0])
	book, err := w.open(w.sessions[0]).Whole()
	if err != nil {
		w.t.Error(err)
	}
	heard := map[string]bool{}
	for _, f := range book.Each(nil) {
		heard[f.Digest] = true
	}
	for _, text := range w.older {
		if !heard[finding.Digest(text)] {
			w.t.Errorf("lost: %q of an older version", text)
		}
	}
	for _, k := range w.sessions {
		for i, x := range k.said {
			if !heard[finding.Digest(x.text)] {
				w.t.Errorf("lost: %q, %d of %s", x.text, i, k.id)
			}
		}
	}
}
