package erase

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepsake/pkg/capture/draft"
	"keepsake/pkg/capture/triage"
	"keepsake/pkg/disk"
	"keepsake/pkg/gate/approval"
	"keepsake/pkg/layout"
	"keepsake/pkg/memory"
	"keepsake/pkg/project/session"
	"keepsake/pkg/search/alike"
)

// Traces are the names and sentences of something that is deleted for good. A file of Keepsake's that has
// one of them could still reveal it.
type Traces struct {
	record   string // its path below the store's root, "" for none
	names    []string
	patterns []*regexp.Regexp // one for each sentence, in any case and spacing
	texts    [][]rune         // the same in lower case, for those that were cut short
	said     sayings
}

// The least length of a sentence that counts as a trace. A single word occurs in other texts too, and so
// does a sentence that was cut after a few characters.
const (
	fewestWords = 2
	leastCut    = 12 // characters
)

// NewTraces returns the traces of a record: its path, the given texts, and names by which others know it,
// such as the ids of its drawers. A text of fewer than fewestWords words is left out.
func NewTraces(record string, texts, names []string) Traces {
	t := Traces{record: record, names: names}
	for _, text := range texts {
		words := strings.Fields(strings.TrimRight(text, ".!?"))
		if len(words) < fewestWords || isOwn(text) {
			continue
		}
		t.said.add(text)
		t.texts = append(t.texts, []rune(strings.ToLower(strings.Join(words, " "))))
		for i, w := range words {
			words[i] = regexp.QuoteMeta(w)
		}
		t.patterns = append(t.patterns, regexp.MustCompile(`(?i)`+strings.Join(words, `\s+`)))
	}
	return t
}

// isOwn reports whether a text is one that Keepsake writes into any memory, and that says nothing of this
// one.
func isOwn(text string) bool {
	return text == draft.Unsaid || text == draft.Quoted || text == draft.Remembered
}

// Without returns a text without the traces.
func (t Traces) Without(text string) string {
	if text == "" {
		return ""
	}
	if t.record != "" {
		if text = memory.WithoutMention(text, t.record); text == "" {
			return memory.Forgotten
		}
	}
	for _, name := range t.names {
		text = strings.ReplaceAll(text, name, memory.Forgotten)
	}
	for _, p := range t.patterns {
		text = p.ReplaceAllLiteralString(text, memory.Forgotten)
	}
	const end = "…"
	for at := strings.Index(text, end); at >= 0; {
		before := t.cutOff(text[:at])
		text = before + text[at:]
		next := strings.Index(text[len(before)+len(end):], end)
		if next < 0 {
			break
		}
		at = len(before) + len(end) + next
	}
	return text
}

// cutOff returns text without a trace that was cut short at its end.
func (t Traces) cutOff(text string) string {
	low := []rune(strings.ToLower(text))
	for _, s := range t.texts {
		for n := min(len(s), len(low)); n >= leastCut; n-- {
			if slices.Equal(low[len(low)-n:], s[:n]) && len(low) == utf8.RuneCountInString(text) {
				return string([]rune(text)[:len(low)-n]) + memory.Forgotten
			}
		}
	}
	return text
}

// In reports whether a text has one of the traces, word for word.
func (t Traces) In(text string) bool { return t.Without(text) != text }

// WithoutEchoes is Without, and also replaces the lines that say the same as a trace in other words, as
// an agent's repetition does.
func (t Traces) WithoutEchoes(text string) string {
	text = t.Without(text)
	if len(t.said) == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		switch {
		case t.said.repeated(line):
			b.WriteString(memory.Forgotten)
			if strings.HasSuffix(line, "\n") {
				b.WriteByte('\n')
			}
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// Echoed reports whether a text has one of the traces, or says the same as one in other words.
func (t Traces) Echoed(text string) bool { return t.WithoutEchoes(text) != text }

// The limits of Resembles: the share of a sentence that a trace must mention, and the least weight of the
// sentence.
const (
	leastMentioned = 0.6
	leastWeight    = 2
)

// Resembles reports whether one of the traces mentions most of a sentence of the text, so that the text
// may say the same.
func (t Traces) Resembles(text string) bool {
	for _, sentence := range append(triage.Sentences(text), triage.Sentence{Text: text}) {
		p := alike.PhraseOf(sentence.Text)
		if p.Weight() >= leastWeight && slices.ContainsFunc(t.said, func(s saidText) bool {
			return alike.GistOf("", s.text).Mentions(p) >= leastMentioned
		}) {
			return true
		}
	}
	return false
}

// eraseFromState removes the traces and their echoes from this user's files besides the store, the
// journal and the caches: states of sessions, work in flight, waiting work, proposals, the failure
// ledger, the logs of events and of prompts, and the approvals.
func (t Traces) eraseFromState(s *session.Session, numbers []int) error {
	errs := []error{
		unshow(s, t.record, t.WithoutEchoes), eraseFromDesks(s, numbers, t.WithoutEchoes),
		s.Inbox().Forget(t.Echoed), s.NoteChanges().Forget(t.Echoed), t.EraseFromApprovals(s),
	}
	state := s.Dirs.Of(s.Home)
	for _, pattern := range []string{
		state.Ledger() + "*", state.Digests(), state.Prompts(), filepath.Join(state.Events(), "*.jsonl"),
		filepath.Join(state.Inbox(), "report.json"),
	} {
		files, err := filepath.Glob(pattern)
		errs = append(errs, err)
		for _, path := range files {
			errs = append(errs, eraseFromFile(path, t.WithoutEchoes))
		}
	}
	return errors.Join(errs...)
}

// EraseFromApprovals removes the traces from the calls that the gate asked about and from their outcomes.
func (t Traces) EraseFromApprovals(s *session.Session) error {
	var errs []error
	for _, client := range layout.ClientsBeside(s.ClientConfig()) {
		errs = append(errs, approval.Dir(layout.Approvals(client)).Forget(t.Echoed, t.WithoutEchoes,
			time.Now()))
	}
	return errors.Join(errs...)
}

// maxRewritten is the size of the largest file from which traces are removed, in bytes.
const maxRewritten = 256 << 20

// eraseFromFile replaces every text in a file of JSON, or of lines of JSON, by what clean returns for it.
func eraseFromFile(path string, clean func(string) string) error {
	b, info, err := disk.ReadInfo(path, maxRewritten)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrNotRegular) {
		return nil
	}
	if err != nil {
		return err
	}
	out := memory.RewriteJSON(b, clean)
	if bytes.Equal(out, b) {
		return nil
	}
	return disk.Write(path, out, info.Mode().Perm())
}
